"""Numbers out of range, words for numbers, and names of nothing: for every option of every command and of every augmentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import get_args

from fault import Fault

from augcse.augmentations.base import AUGMENTATIONS
from augcse.cli.app import app

# A call of each command in which everything else is right.
_CALLS: dict[str, tuple[str, ...]] = {
    "train": ("train", "simcse-mini", "--model", "{model}", "--corpus", "{corpus}", "--output", "{work}/out"),
    "adapt": ("adapt", "{corpus}", "--model", "{model}", "--output", "{work}/out"),
    "sweep": ("sweep", "simcse-mini", "--model", "{model}", "--corpus", "{corpus}", "--output", "{work}/out"),
    "static": ("static", "{corpus}", "--output", "{work}/out"),
    "pretrain": ("pretrain", "{corpus}", "--output", "{work}/out"),
    "evaluate": ("evaluate", "{model}", "--tasks", "STSB", "--data", "{data}"),
    "augment": ("augment", "{corpus}", "--with", "RandomSwap", "--output", "{work}/out"),
    "pairs": ("pairs", "{corpus}", "--model", "{model}", "--output", "{work}/out.tsv"),
    "split": ("split", "{corpus}", "--output", "{work}/out.txt"),
    "preview": ("preview", "One two three.", "--with", "RandomSwap"),
    "play": ("play", "{model}", "{corpus}"),
    "doctor": ("doctor", "{corpus}"),
    "probe": ("probe", "{model}", "{corpus}", "--sample", "60", "--resamples", "5", "--quiet"),
    "score": ("score", "{corpus}", "--with", "RandomSwap", "--model", "{model}", "--lm", "none", "--sample", "60", "--quiet"),
    "select": ("select", "{work}/scores"),
    "plot": ("plot", "scores", "{run}", "--output", "{work}/out.svg"),
    "report": ("report", "{run}", "--output", "{work}/out.html"),
    "analyze scores": ("analyze", "scores", "{model}", "--tasks", "STSB", "--data", "{data}"),
    "analyze compare": ("analyze", "compare", "{model}", "{model}", "--tasks", "STSB", "--data", "{data}"),
    "analyze neighbours": ("analyze", "neighbours", "{model}", "--query", "a mill", "--corpus", "{corpus}"),
    "analyze isomorphism": ("analyze", "isomorphism", "{model}", "{model}", "--data", "{data}"),
    "hybrid": ("hybrid", "{model}", "{model}", "--output", "{work}/out"),
    "postprocess": ("postprocess", "{model}", "{corpus}", "--with", "whiten", "--output", "{work}/out", "--quiet"),
}
_NO_NUMBERS = ("abc", "1.5x", "", "nan")
_TOO_LARGE = str(10**30)


def _commands() -> dict[str, Callable[..., None]]:
    """Every command's function, those of a group under two words."""
    found = {command.name: command.callback for command in app.registered_commands}
    for group in app.registered_groups:
        found |= {f"{group.name} {command.name}": command.callback for command in group.typer_instance.registered_commands}
    return found


def _numeric_options() -> list[tuple[str, str]]:
    """Every option that takes a number, as the commands themselves declare them."""
    return [
        (name, next(iter(parameter.default.param_decls or ()), "--" + parameter.name.replace("_", "-")))
        for name, function in _commands().items()
        for parameter in inspect.signature(function, eval_str=True).parameters.values()
        if {int, float} & {parameter.annotation, *get_args(parameter.annotation)}
    ]


def _of_commands() -> list[Fault]:
    return [
        Fault(f"{name}: {option} {value!r}", (*_CALLS[name], option, value), (option.removeprefix("--"),))
        for name, option in _numeric_options()
        for value in (*_NO_NUMBERS, "-1", _TOO_LARGE)
    ]


def _of_option(command: str, call: tuple[str, ...], spec: str, names: tuple[str, ...]) -> Fault:
    return Fault(f"{command}: {spec}", (*call, spec), names)


def _of_augmentations() -> list[Fault]:
    wrong = {"float": ("abc", "1e9"), "int": ("abc", "0.5", _TOO_LARGE), "bool": ("maybe",)}
    call = ("preview", "One two three.", "--with")
    return [
        _of_option("preview", call, f"{member.name}:{option.name}={value}", (member.name, option.name))
        for member in AUGMENTATIONS
        for option in member.options.values()
        for value in wrong.get(option.type, ("no such value",) if option.allowed.startswith("one of") else ())
    ]


def _unknown(words: str, *names: str) -> Fault:
    command = tuple(word.replace("~", " ") for word in words.split(" "))
    return Fault(f"unknown: {words}", command, names)


_AUGMENT = "augment {corpus} --output {work}/out --with"
_TRAIN = "train simcse-mini --model {model} --corpus {corpus} --output {work}/out"
_POSTPROCESS = "postprocess {model} {corpus} --quiet --output {work}/out --with"
_NAMES = [
    _unknown("trian simcse-mini", "trian"),
    _unknown("analyze score {model}", "score"),
    _unknown("train simcse-mini2 --corpus {corpus} --output {work}/out", "simcse-mini"),
    _unknown("train absent.toml --corpus {corpus} --output {work}/out", "absent.toml"),
    _unknown("train simcse-mini --output {work}/out", "--corpus"),
    _unknown("train", "recipe"),
    _unknown(f"{_TRAIN} --colum x", "--colum"),
    _unknown(f"{_TRAIN} --dev absent.tsv", "absent.tsv"),
    _unknown(f"{_TRAIN} --dev STSC", "STSC"),
    _unknown(f"{_TRAIN} --dev STSB-dev=x", "STSB-dev"),
    _unknown(f"{_TRAIN} --dev STSB-dev=nan", "STSB-dev"),
    _unknown(f"{_TRAIN} --dev STSB-dev=-1", "STSB-dev"),
    _unknown(f"{_TRAIN} --dev STSB-dev=0,CR=0", "STSB-dev=0,CR=0"),
    # STS12 to STS16 and SICK are not in the data folder, and are found missing before the first step.
    _unknown(f"{_TRAIN} --dev none --test sts --data {{data}}", "STS12"),
    _unknown(f"{_TRAIN} --test stss", "stss"),
    _unknown(f"{_TRAIN} --data {{work}}/absent", "absent"),
    _unknown(f"{_TRAIN} --data {{corpus}}", "corpus.txt"),
    _unknown(f"{_TRAIN} --encoding-errors ignore", "--encoding-errors"),
    _unknown(f"{_AUGMENT} RandomSwop", "RandomSwap"),
    _unknown(f"{_AUGMENT} RandomSwap:rtae=0.1", "rtae"),
    _unknown(f"{_AUGMENT} RandomSwap:rate", "rate"),
    _unknown(f"{_AUGMENT} RandomSwap:=1", "RandomSwap"),
    _unknown(f"{_AUGMENT} ,", "augmentation"),
    _unknown(f"{_AUGMENT} 13-aug", "13-aug"),
    _unknown(f"{_AUGMENT} {{work}}/absent.py:Shout", "absent.py"),
    _unknown(f"{_AUGMENT} {{rules}}:Shuot", "shout"),
    _unknown(f"{_AUGMENT} {{rules}}:shout:times=abc", "times"),
    _unknown(f"{_AUGMENT} RandomSwap --engine rya", "rya"),
    _unknown(f"{_AUGMENT} RandomSwap --encoding-errors ignore", "--encoding-errors"),
    _unknown(f"{_AUGMENT} YodaPerturbation --parser no_such_parser", "no_such_parser"),
    _unknown(f"{_AUGMENT} MLMTokenReplacement:model=/no/such", "/no/such"),
    _unknown(f"{_AUGMENT} RandomWordEmbAugmentation:vectors=/no/such", "/no/such"),
    _unknown(f"{_AUGMENT} SynonymSubstitution:lexicon=wordnet", "wordnet"),
    _unknown("preview One --with RandomSwop", "RandomSwap"),
    _unknown("preview One --with YodaPerturbation --parser no_such_parser", "no_such_parser"),
    _unknown("split {corpus} --output {work}/out.txt --language tlh", "tlh"),
    _unknown("split {corpus} --output {work}/out.txt --encoding-errors ignore", "--encoding-errors"),
    _unknown("split {corpus} --output {work}/out.txt --min-characters 5 --max-characters 4", "--min-characters"),
    _unknown("split {corpus} --output {work}/out.txt --min-characters 9999", "9,999"),
    _unknown("list augmentation", "augmentation"),
    _unknown("list", "kind"),
    _unknown("evaluate {model} --tasks stss --data {data}", "stss"),
    _unknown("evaluate {model} --tasks , --data {data}", "task"),
    _unknown("evaluate {model} --tasks STSB --data {work}/absent", "absent"),
    _unknown("evaluate {model} --tasks STSB --data {data} --pooling max", "max"),
    _unknown("evaluate {model} --tasks STSB --data {data} --classifier svm", "svm"),
    _unknown("evaluate {model} --tasks STSB --data {data} --protocol slow", "slow"),
    _unknown("analyze scores {model} --tasks MR --data {data}", "MR"),
    _unknown("analyze scores {model} --tasks STSC --data {data}", "STSC"),
    _unknown("analyze compare {model} {model} --tasks STSC --data {data}", "STSC"),
    _unknown("analyze neighbours {model} --corpus {corpus}", "--query"),
    _unknown("analyze neighbours {model} --query a --corpus {corpus} --k 5000", "5000"),
    _unknown(f"{_POSTPROCESS} wihten", "whiten"),
    _unknown(f"{_POSTPROCESS} whiten:exponnet=1", "exponent"),
    _unknown(f"{_POSTPROCESS} whiten:dim", "dim"),
    _unknown(f"{_POSTPROCESS} whiten:dim=3,dim=4", "dim"),
    _unknown(f"{_POSTPROCESS} whiten:exponent=2", "exponent"),
    _unknown(f"{_POSTPROCESS} whiten:dim=1000", "1000"),
    _unknown(f"{_POSTPROCESS} whiten:shrinkage=oasis", "oas"),
    _unknown(f"{_POSTPROCESS} remove-components:k=32", "31"),
    _unknown(f"{_POSTPROCESS} remove-components:k=0", "k"),
    _unknown(f"{_POSTPROCESS} sif:a=0", "sif"),
    _unknown(f"{_POSTPROCESS} whiten --with sif", "give sif first"),
    _unknown(f"{_POSTPROCESS} sif --pooling cls", "mean"),
    _unknown("hybrid {model} --output {work}/out", "two models"),
    _unknown("hybrid {model} {work}/absent --output {work}/out", "absent"),
    _unknown("hybrid {model} {model} --weights 1 --output {work}/out", "1 numbers for 2"),
    _unknown("hybrid {model} {model} --weights 1,x --output {work}/out", "--weights"),
    _unknown("hybrid {model} {model} --weights 1,-1 --output {work}/out", "--weights"),
    _unknown("hybrid {model} {model} --weights 1,inf --output {work}/out", "--weights"),
    _unknown("hybrid {model} {model} --weights 1,1 --dev stsb --data {data} --output {work}/out", "--dev"),
    _unknown("hybrid {model} {model} --dev absent.tsv --output {work}/out", "absent.tsv"),
    _unknown("hybrid {model} {model} --dev STSB-dev=1 --output {work}/out", "stsb"),
    _unknown("hybrid {model} {model} --dev stsb --data {work}/absent --output {work}/out", "absent"),
    _unknown("postprocess {model} {corpus} --output {work}/out", "--with"),
    _unknown("postprocess {model} --with whiten --output {work}/out", "corpus"),
    _unknown("postprocess {model} --pooling max --output {work}/out", "max"),
    _unknown("postprocess {model} --tasks STSB --data {data} --output {work}/out", "word vectors"),
    _unknown("postprocess {model} --all-words --output {work}/out", "word vectors"),
    _unknown("postprocess {vectors} --pooling mean --output {work}/out", "--pooling"),
    _unknown("postprocess {vectors} --tasks STSC --output {work}/out", "STSC"),
    _unknown("postprocess {work}/absent.txt --output {work}/out", "absent.txt"),
    _unknown("report {work}/absent --output {work}/out.html", "absent"),
    _unknown("report --output {work}/out.html", "runs"),
    _unknown("doctor {corpus} --model {work}/absent", "absent"),
    _unknown("demo --outptu x", "--outptu"),
    _unknown("play", "model"),
    _unknown("play {work}/absent", "absent"),
    _unknown("play {model} {work}/absent.txt", "absent.txt"),
    _unknown("play {model} {corpus} --beside {work}/absent", "absent"),
    _unknown("play {model} --beside {model}", "--beside"),
    _unknown("play {model} --encoding-errors ignore", "--encoding-errors"),
    _unknown("probe", "MODEL"),
    _unknown("probe {model}", "corpus"),
    _unknown("probe {model} {model}", "model"),
    _unknown("score {corpus} --with RandomSwop", "RandomSwap"),
    _unknown("score {corpus} --with {work}/absent.toml", "absent.toml"),
    _unknown("score {corpus} --model {model} --lm {work}/absent", "absent"),
    _unknown("score {corpus} --model {model} --lm {model} --fidelity repo", "model"),
    _unknown("score {corpus} --fidelity code", "code"),
    _unknown("score {corpus} --pooling max", "max"),
    _unknown("score {corpus} --encoding-errors ignore", "--encoding-errors"),
    _unknown("select {work}/absent", "absent"),
    _unknown("select {corpus}", "scores.json"),
    _unknown("select {work}/absent --output {work}/set.txt", ".toml"),
    _unknown("select {work}/absent --by {work}/no-sweep", "no-sweep"),
    _unknown("probe {model} {corpus} --pooling max", "max"),
    _unknown("probe {model} {corpus} --language German", "German"),
    _unknown("probe {model} {corpus} --parser no_such_parser", "no_such_parser"),
    _unknown("probe {model} {corpus} --encoding-errors ignore", "--encoding-errors"),
]

NUMBERS = [*_of_commands(), *_of_augmentations(), *_NAMES]

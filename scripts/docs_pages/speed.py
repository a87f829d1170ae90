"""docs/speed.md: speed and memory of training and augmenting, from the records of bench/record.py."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS
from docs_pages.libraries_speed import fastest_table

RECORDS = RESULTS / "speed"
Record = dict[str, Any]


def speed() -> str:
    """Return the page, with a section per record."""
    records = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RECORDS.glob("*.json"))}
    blocks = [_INTRODUCTION]
    for heading, parts in _SECTIONS.items():
        measured = [
            block for part, shown in parts.items() if part in records for block in (shown(records[part]["result"]), _about(records[part]))
        ]
        blocks += [f"## {heading}", *measured]
    return NOTE + "\n\n".join([*blocks, _ELSEWHERE]) + "\n"


_INTRODUCTION = """# Speed and memory

`make bench CORPUS=FILE` measures what is on this page and writes it anew. Under each figure stand the command that repeats it alone and the
machine. Machines are shared and differ by factors: compare the rows of a table, which were measured in one run, not tables."""

_ELSEWHERE = """## Elsewhere

[Static encoders](results/static-speed.md): making one, encoding, beside word2vec, fastText and model2vec. [Whole trainings](cost.md) by the
size of model and text. [Classifiers of the transfer tasks](results/evaluation.md) beside SentEval's. [Splitting](splitting.md) text into
sentences. [Parses, made and kept](results/parses.json). Not on a page: `bench/sts_speed.py` and `bench/transfer_speed.py` (evaluation),
`bench/lexicon_open.py` (WordNet)."""


def _rates(result: Record) -> str:
    ratio, rounds = result["ratio"], len(result["sentences_per_s"]["ours"]["all"])
    return (
        f"`simcse-mini` trains on {ratio['median']:.2f} times as many sentences in the same time (rounds: {ratio['min']:.2f} to"
        f" {ratio['max']:.2f}, {rounds} of them) as a stock `SentenceTransformerTrainer` with `MultipleNegativesRankingLoss` on (s, s),"
        f" with the same model, batches of {result['batch_size']}, 32 tokens, in {result['precision']}; one epoch over"
        f" {result['sentences']:,} sentences, preparing included, one process after the other."
    )


def _objectives(result: Record) -> str:
    rows = [
        [name, f"{figures['relative']:.2f}", f"{figures['least']:.2f} to {figures['most']:.2f}"]
        for name, figures in sorted(result.items(), key=lambda item: item[1]["relative"])
    ]
    about = "One step of each objective, in steps of `simcse-mini` on the same batches, the two in turn; processor time:"
    return f"{about}\n\n{Table(['recipe', 'steps of simcse-mini', 'rounds'], rows).markdown()}"


def _training_memory(result: list[Record]) -> str:
    rows = [[f"{run['sentences']:,}", f"{run['peak_memory_mb']:,.0f}"] for run in result]
    about = "Peak memory of the whole `augcse train simcse-mini`, which does not grow with the corpus:"
    return f"{about}\n\n{Table(['sentences', 'peak MB'], rows).markdown()}"


def _strings(result: Record) -> str:
    rows = [
        [name, f"{rates['median']:,}", f"{rates['max']:,}"] for name, rates in sorted(result.items(), key=lambda item: -item[1]["median"])
    ]
    about = "Sentences/s of one core, by the augmentations that read the string only; making each row's random stream is part of it:"
    return f"{about}\n\n{Table(['augmentation', 'sentences/s, median', 'best round'], rows).markdown()}"


def _pipeline(result: Record) -> str:
    ratio, seconds = result["augment / parse"], result["seconds"]
    return (
        f"Rules that read a parse share one. All of `12-aug-2` ({len(result['augmentations'].split(', '))} augmentations, parse included)"
        f" take {ratio['median']:.2f} times as long as parsing the same {result['sentences']:,} sentences with spaCy alone (rounds:"
        f" {ratio['min']:.2f} to {ratio['max']:.2f}): {seconds['augment']:.0f} and {seconds['parse']:.0f} s of two workers, start included;"
        " without parses kept on disk."
    )


def _libraries(result: Record) -> str:
    about = (
        "Sentences/s of one core and, in brackets, times ours: the fastest way of each library, the first of ours. What was asked of each,"
        " what it changed, and what is not comparable: [the whole table](results/libraries-speed.md)."
    )
    return f"{about}\n\n{fastest_table(result)}"


def _memory(result: Record) -> str:
    peak = result["peak_mib"]
    limit = "" if result["finished"] else f", in its first {result['seconds']:.0f} seconds"
    return (
        f"Memory does not grow with the corpus: `augcse augment` of {result['lines']:,} lines by {result['augmentations']} and two workers"
        f" held at most {peak['main']:,} MiB in the writer and {max(peak['workers']):,} MiB in a worker"
        f"{limit}."
    )


def _una(result: Record) -> str:
    fitted, negatives = result["fit"], result["negatives"]
    again = statistics.median(negatives["all"][1:])
    return (
        f"UNA's statistics of {fitted['sentences']:,} sentences took {fitted['cpu_s']:.0f} s of one core and {fitted['peak_mb']:,.0f} MB;"
        f" then {negatives['first_per_cpu_s']:,.0f} negatives/s over new sentences, {again:,.0f} over the same again."
    )


def _about(record: Record) -> str:
    """Return how to reproduce a table, and the machine it was measured on."""
    machine, cores = record["hardware"]["processor"], record["cores_used"]
    note = f" {record['note']}" if "note" in record else ""
    return (
        f"<sub>`{record['command']}`, {record['corpus']['file']}, {record['date']}, commit {record['commit']}; {machine},"
        f" {cores} core{'' if cores == 1 else 's'}, load {record['load_before']:g} at the start.{note}</sub>"
    )


_SECTIONS: dict[str, dict[str, Callable[[Any], str]]] = {
    "Training": {"training": _rates, "objectives": _objectives, "training_memory": _training_memory},
    "Augmentation": {"strings": _strings, "pipeline": _pipeline, "memory": _memory, "una": _una},
    "Beside other libraries": {"libraries": _libraries},
}

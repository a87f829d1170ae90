"""What the public functions take: paths as text or `Path`, one or several, numpy's numbers; anything else is refused by name at once."""

from __future__ import annotations

import inspect
import json
from collections import UserList, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import InstanceOf

import augcse
from augcse.config import RECIPES
from augcse.errors import UserError
from augcse.options import Option, options_of
from augcse.plain_values import plain
from augcse.resources import DEMO_PAIRS

TRAINING = {"training.batch_size": 8, "training.max_steps": np.int64(2), "training.precision": "fp32"}
# Each with arguments that nothing is wrong with.
CALLS: dict[str, dict[str, Any]] = {
    "adapt": {"corpus": "c.txt", "model": "mini-bert", "output": "o"},
    "evaluate": {"model": "mini-bert"},
    "hybrid": {"models": ["mini-bert", "mini-bert"], "output": "o"},
    "plot": {"kind": "curves", "sources": "o"},
    "postprocess": {"model": "mini-bert", "output": "o"},
    "pretrain": {"corpus": "c.txt", "output": "o"},
    "probe": {"models": "mini-bert", "corpus": "c.txt"},
    "score": {"corpus": "c.txt", "names": "RandomSwap"},
    "static": {"corpus": "c.txt", "output": "o"},
    "sweep": {"recipe": "simcse-mini", "corpus": "c.txt", "output": "o"},
    "train": {"recipe": "simcse-mini", "corpus": "c.txt", "output": "o"},
}
# What their own checks refuse: types that are known once torch is imported, and what only word vectors take.
CHECKED_ELSEWHERE = {"callbacks", "classifier", "pooling", "protocol", "words"}


def _checked_arguments() -> list[tuple[str, str]]:
    parameters = {name: inspect.signature(getattr(augcse, name)).parameters.values() for name in CALLS}
    variable = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [(name, each.name) for name, found in parameters.items() for each in found if each.kind not in variable]


@pytest.mark.parametrize(("function", "argument"), [pair for pair in _checked_arguments() if pair[1] not in CHECKED_ELSEWHERE])
def test_an_object_of_no_use_is_refused_by_name(function: str, argument: str) -> None:
    with pytest.raises(UserError, match=rf"^{function}: {argument} is <object object at .*; give ") as caught:
        getattr(augcse, function)(**{**CALLS[function], argument: object()})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("function", [name for name in CALLS if "encoding_errors" in inspect.signature(getattr(augcse, name)).parameters])
def test_a_mode_of_decoding_that_is_not_documented_is_refused(function: str) -> None:
    with pytest.raises(UserError, match="encoding_errors is 'ignore'; give one of: strict, replace"):
        getattr(augcse, function)(**CALLS[function], encoding_errors="ignore")


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        ("train", {"dev": None}, "dev is None; give a name or a path"),
        ("train", {"test": None}, "test is None; give a name, a path, or a list of them"),
        ("train", {"report_to": None}, r"report_to is None; give .* \(default 'none'\)"),
        ("train", {"workers": -1}, "workers is -1; give a whole number from 1 to 512 or none"),
        ("train", {"workers": "2"}, "workers is '2'"),
        ("train", {"recipe": None}, "recipe is None; give a recipe's name, a TOML file or a Recipe"),
        ("train", {"settings": "x"}, "settings is 'x'; give a dictionary"),
        ("train", {"watcher": 3}, "watcher is 3; give a Watcher or none"),
        ("train", {"model": torch.nn.Sequential(torch.nn.Tanh())}, "model is a Sequential; give a folder, mini-bert or a hub name"),
        ("adapt", {"settings": "x"}, "settings is 'x'; give a dictionary"),
        ("adapt", {"model": torch.nn.Sequential(torch.nn.Tanh())}, "model is a Sequential; give a folder, mini-bert or a hub name"),
        ("evaluate", {"model": None}, "model is None; give a folder, mini-bert or a hub name, or a SentenceTransformer"),
        ("evaluate", {"batch_size": 0}, "batch_size is 0; give a whole number from 1"),
        ("postprocess", {"corpus": None}, "corpus is None; give a path, or a list of paths"),
        ("postprocess", {"sample": 0}, "sample is 0; give a whole number of 2 or more"),
        ("postprocess", {"batch_size": 0}, "batch_size is 0; give a whole number from 1"),
        ("hybrid", {"models": "mini-bert"}, "models is 'mini-bert'; give a list"),
        ("probe", {"models": [None]}, r"models is \[None\]; give a folder, mini-bert or a hub name, or a SentenceTransformer, or a list"),
    ],
)
def test_what_is_refused_is_shown_with_what_is_taken(function: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=f"^{function}: {message}"):
        getattr(augcse, function)(**{**CALLS[function], **given})


@pytest.mark.parametrize("function", [augcse.train, augcse.adapt])
def test_a_run_takes_paths_and_numbers_of_numpy(function: Callable[..., Any], corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_bytes(DEMO_PAIRS.read_bytes())
    recipe = {"recipe": RECIPES / "simcse-mini.toml"} if function is augcse.train else {}
    run = function(
        corpus=corpus,
        model=tiny_backbone,
        dev=pairs,
        test=pairs,
        settings=TRAINING,
        workers=np.int64(1),
        output=tmp_path / "run",
        **recipe,
    )
    record = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert (record["dev"], record["test"]) == (str(pairs), [str(pairs)])
    assert run.record["steps"] == 2


def test_keywords_replace_settings(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    recipe, settings = "simcse-mini", {**TRAINING, "training.max_steps": 7}
    output = tmp_path / "run"
    run = augcse.train(recipe, corpus=corpus, model=tiny_backbone, dev="none", settings=settings, output=output, max_steps=1)
    assert run.record["steps"] == 1


def test_one_augmentation_is_no_list_of_letters(corpus: Path, tiny_backbone: Path) -> None:
    scores = augcse.score(corpus, "RandomSwap", model=tiny_backbone, lm=None, sample=50)
    assert [score.name for score in scores.scores] == ["RandomSwap"]


def test_weights_may_be_an_array(tiny_backbone: Path, tmp_path: Path) -> None:
    weights: Any = np.array([1, 0.5])
    built = augcse.hybrid([tiny_backbone, tiny_backbone], weights=weights, output=tmp_path / "model")
    assert built.record["weights"] == [1.0, 0.5]


def test_arrays_within_lists_and_dictionaries_are_plain() -> None:
    found = plain({"a": [np.float32(0.5)], "b": (np.arange(2),), "c": iter("de"), "f": "g"})
    assert found == {"a": [0.5], "b": ([0, 1],), "c": ["d", "e"], "f": "g"}


def test_an_array_that_a_user_asks_for_is_left_alone() -> None:
    def scaled(*, factors: torch.Tensor) -> None: ...

    factors = torch.ones(2)
    assert options_of(scaled)["factors"].check(factors, "scaled") is factors


@pytest.mark.parametrize("annotation", [object, object | None, torch.Tensor, InstanceOf[torch.Tensor]])
def test_what_only_the_users_code_can_check_is_handed_over_as_given(annotation: Any) -> None:
    factors = torch.ones(2)
    assert Option("factors", annotation).check(factors, "scaled") is factors


@pytest.mark.parametrize("value", [{"a"}, frozenset("a"), deque(["a"])])
def test_a_collection_that_a_user_asks_for_is_left_alone(value: Any) -> None:
    assert Option("names", type(value)[str]).check(value, "rule") == value


class _PathLike:
    """A path of another library."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


@pytest.mark.parametrize(
    "given",
    [{"b", "a"}, frozenset("ab"), dict.fromkeys("ab").keys(), {0: "a", 1: "b"}.values(), deque("ab"), UserList("ab")],
)
def test_every_collection_of_names_is_a_list(given: Any) -> None:
    assert Option("names", Sequence[str]).check(given, "rule") == ["a", "b"]


def test_a_range_is_a_list_of_numbers() -> None:
    assert options_of(augcse.sweep, ["seeds"])["seeds"].check(range(2), "sweep") == [0, 1]


def test_a_path_of_another_library_is_a_path(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {"model": tiny_backbone, "steps": {"sif"}}
    augcse.postprocess(**given, corpus=[_PathLike(corpus)], output=_PathLike(tmp_path / "model"))
    assert (tmp_path / "model" / "README.md").is_file()
    with pytest.raises(UserError, match=r"nope\.txt"):
        augcse.postprocess(**given, corpus={_PathLike(tmp_path / "nope.txt")}, output=tmp_path / "other")


def test_a_missing_argument_is_told_in_pythons_words() -> None:
    with pytest.raises(TypeError, match=r"train\(\) missing 2 required keyword-only arguments: 'corpus' and 'output'"):
        augcse.train("simcse-mini")  # type: ignore[call-arg]

"""Streams draw what plain generators of the same seed draw, and no call of the package moves the generators of its caller."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import augcse
from augcse.analysis.spaces import compare_texts, find_neighbours
from augcse.corpus.files import Corpus
from augcse.rng import derive_seed, stream

Draw = Callable[[Random], Any]


def shuffled(rng: Random) -> list[int]:
    items = list(range(30))
    rng.shuffle(items)
    return items


DRAWS: dict[str, Draw] = {
    "random": lambda rng: rng.random(),
    "getrandbits": lambda rng: rng.getrandbits(70),
    "randrange": lambda rng: rng.randrange(1000),
    "choice": lambda rng: rng.choice("abcdef"),
    "choices": lambda rng: rng.choices("abcdef", k=4),
    "sample": lambda rng: rng.sample(range(100), 7),
    "shuffle": shuffled,
    "gauss": lambda rng: [rng.gauss(0, 1) for _ in range(3)],
    "normalvariate": lambda rng: rng.normalvariate(0, 1),
    "uniform": lambda rng: rng.uniform(1, 9),
    "triangular": lambda rng: rng.triangular(),
    "betavariate": lambda rng: rng.betavariate(1, 2),
    "randbytes": lambda rng: rng.randbytes(5),
    "getstate": lambda rng: rng.getstate(),
}


def plain(*path: Any) -> Random:
    return Random(derive_seed(*path))


@given(st.integers(0, 2**63), st.lists(st.sampled_from(sorted(DRAWS)), min_size=1, max_size=5))
def test_draws_are_those_of_a_plain_generator(seed: int, names: list[str]) -> None:
    lazy, eager = stream(seed, "RandomSwap", 3), plain(seed, "RandomSwap", 3)
    assert [DRAWS[name](lazy) for name in names] == [DRAWS[name](eager) for name in names]


def test_it_is_a_plain_generator_after_the_first_draw() -> None:
    rng = stream(0, "x")
    assert isinstance(rng, Random)
    rng.random()
    assert type(rng) is Random


def test_a_method_taken_before_the_first_draw_goes_on() -> None:
    draw, eager = stream(0, "x").random, plain(0, "x")
    assert [draw() for _ in range(3)] == [eager.random() for _ in range(3)]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda rng: pickle.loads(pickle.dumps(rng))])
def test_a_copy_draws_the_same(duplicate: Callable[[Random], Random]) -> None:
    assert duplicate(stream(0, "x")).random() == stream(0, "x").random()


def test_seeding_and_setting_the_state_anew_hold() -> None:
    rng = stream(0, "x")
    rng.seed(5)
    assert rng.random() == Random(5).random()
    rng = stream(0, "x")
    rng.setstate(Random(5).getstate())
    assert rng.random() == Random(5).random()


def test_making_a_stream_leaves_the_process_wide_generator_alone() -> None:
    state = random.getstate()
    stream(0, "x").random()
    assert random.getstate() == state


# What each does with a backbone without a pooler, a corpus and a folder to write into.
CALLS: dict[str, Callable[[str, Path, Path], object]] = {
    "train": lambda model, corpus, folder: augcse.train(
        "simcse-mini", corpus=corpus, output=folder / "run", model=model, batch_size=16, max_steps=2, workers=1, dev="none", test="none"
    ),
    "pretrain": lambda model, corpus, folder: augcse.pretrain(
        corpus, output=folder / "backbone", vocabulary_size=300, hidden_size=16, layers=1, heads=2, intermediate_size=16, positions=32,
        block_tokens=16, batch_size=8, max_steps=2, precision="fp32"
    ),
    "probe": lambda model, corpus, folder: augcse.probe(model, corpus, sample=50, resamples=2),
    "score": lambda model, corpus, folder: augcse.score(corpus, ["RandomSwap"], model=model, lm=model, sample=50),
    "evaluate": lambda model, corpus, folder: augcse.evaluate(model, [_pairs(folder)]),
    "static": lambda model, corpus, folder: augcse.static(corpus, output=folder / "static", backbone=model),
    "postprocess": lambda model, corpus, folder: augcse.postprocess(
        model, corpus, output=folder / "steps", steps=["layers", "sif", "whiten", "remove-components", "flow:epochs=1,steps=1"]
    ),
    "postprocess of word vectors": lambda model, corpus, folder: augcse.postprocess(_vectors(folder), output=folder / "vectors"),
    "hybrid": lambda model, corpus, folder: augcse.hybrid([model, "mini-bert"], output=folder / "hybrid"),
    "find_neighbours": lambda model, corpus, folder: find_neighbours([model], ["A mill."], 2, corpus=Corpus.of(corpus)),
    "compare_texts": lambda model, corpus, folder: compare_texts(
        model, {"one": Corpus.of(corpus), "other": Corpus.of(corpus)}, sentences=100, sample=20
    ),
}  # fmt: skip


def _pairs(folder: Path) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("".join(f"{score}\tOne mill.\tMill number {score}.\n" for score in range(5)), "utf-8")
    return path


def _vectors(folder: Path) -> Path:
    path = folder / "vectors.txt"
    path.write_text("mill 0.5 1 0\nhouse 1 0 0.25\n", "utf-8")
    return path


def _generators() -> list[Any]:
    return [random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()]  # noqa: NPY002


@pytest.mark.parametrize("name", CALLS)
def test_the_generators_of_the_caller_stay_as_they_were(name: str, tiny_backbone: Path, corpus: Path, tmp_path: Path) -> None:
    before = _generators()
    CALLS[name](str(tiny_backbone), corpus, tmp_path)
    assert _generators() == before


FIRST_USE = """
import random
import numpy as np
import augcse
before = random.getstate(), np.random.get_state()[1].tolist()
{call}
assert (random.getstate(), np.random.get_state()[1].tolist()) == before
"""


@pytest.mark.parametrize(
    "call",
    [
        'list(augcse.split(["The mill stands. Does it turn?"]))',
        'augcse.augment(["It stands."], "RandomSwap")',
        'augcse.augment(["The mill is old."], "TenseTransformation")',
    ],
)
def test_the_first_use_in_a_process_leaves_the_generators_alone(call: str) -> None:
    subprocess.run([sys.executable, "-c", FIRST_USE.format(call=call)], check=True)

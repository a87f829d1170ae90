"""Streams are seeded on first use and draw what plain generators of the same seed draw."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

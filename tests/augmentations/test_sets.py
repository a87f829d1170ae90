"""Augmentation sets: what each name stands for, and how names are expanded."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.sets import SETS, expand

names = st.lists(st.sampled_from([*SETS, "RandomSwap", "RandomDeletion:rate=0.1", "no such name"]), max_size=6)


@pytest.mark.parametrize(("name", "size"), [("4-aug", 4), ("8-aug", 8), ("12-aug", 12), ("16-aug", 16)])
def test_a_set_has_as_many_members_as_its_name_says(name: str, size: int) -> None:
    assert len(set(SETS[name])) == len(SETS[name]) == size


@pytest.mark.parametrize(("name", "size"), [("4-aug-2", 3), ("8-aug-2", 6), ("12-aug-2", 10), ("16-aug-2", 14), ("rule-based", 10)])
def test_language_models_are_left_out_and_not_replaced(name: str, size: int) -> None:
    assert len(SETS[name]) == size
    assert not {"DiverseParaphrase", "Casual2Formal"} & set(SETS[name])


@pytest.mark.parametrize(("small", "large"), [("4-aug", "8-aug"), ("8-aug", "12-aug"), ("12-aug", "16-aug"), ("4-aug-2", "8-aug-2")])
def test_each_set_holds_the_smaller_one(small: str, large: str) -> None:
    assert set(SETS[small]) < set(SETS[large])


def test_the_certain_set_is_the_papers() -> None:
    assert set(SETS["4-aug"]) == {"ContractionExpansions", "DiverseParaphrase", "TenseTransformation", "RandomSwap"}


def test_set_names_are_replaced_in_place_and_others_stay() -> None:
    assert expand(["RandomCrop", "4-Aug-2", "mine.py:Shout:times=2"]) == [
        "RandomCrop",
        "ContractionExpansions",
        "TenseTransformation",
        "RandomSwap",
        "mine.py:Shout:times=2",
    ]


def test_options_make_another_member() -> None:
    assert expand(["RandomSwap", "RandomSwap:rate=0.1"]) == ["RandomSwap", "RandomSwap:rate=0.1"]


@given(names)
def test_expanding_twice_changes_nothing_and_nothing_is_named_twice(found: list[str]) -> None:
    once = expand(found)
    assert expand(once) == once
    assert len(set(once)) == len(once)


@given(names, names)
def test_later_names_never_move_earlier_ones(first: list[str], second: list[str]) -> None:
    assert expand([*first, *second])[: len(expand(first))] == expand(first)


def test_a_set_saved_with_a_mark_of_its_encoding_and_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set.toml").write_text('names = ["RandomSwap"]', "utf-8-sig")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand(["~/set.toml"]) == ["RandomSwap"]

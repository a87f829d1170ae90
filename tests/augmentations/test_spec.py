from __future__ import annotations

from pathlib import Path

import pytest

from augcse import augment
from augcse.augmentations.run.apply import Job, Request, apply_requests
from augcse.augmentations.spec import _split_options, parse_spec, parse_specs
from augcse.errors import UserError


def test_options_are_read_as_numbers_words_and_text() -> None:
    assert parse_spec("RandomSwap:rate=0.5:adjacent=false").options == {"rate": 0.5, "adjacent": False}
    assert parse_spec("PunctuationInsertion:mode=fallback").options == {"mode": "fallback"}


@pytest.mark.parametrize(
    ("text", "name", "parts"),
    [
        ("RandomSwap", "RandomSwap", []),
        ("RandomSwap:rate=1", "RandomSwap", ["rate=1"]),
        ("rules/mine.py:Shout", "rules/mine.py:Shout", []),
        ("rules/mine.py:Shout:times=2:loud=true", "rules/mine.py:Shout", ["times=2", "loud=true"]),
        ("C:/rules/mine.py:Shout:times=2", "C:/rules/mine.py:Shout", ["times=2"]),
    ],
)
def test_the_name_of_a_users_class_keeps_its_colon(text: str, name: str, parts: list[str]) -> None:
    assert _split_options(text) == (name, parts)


def test_an_option_without_value_an_unknown_one_and_no_name_are_refused() -> None:
    with pytest.raises(UserError, match="has no value"):
        parse_spec("RandomSwap:rate")
    with pytest.raises(UserError, match="did you mean rate"):
        parse_spec("RandomSwap:rat=0.1")
    with pytest.raises(UserError, match="no augmentation named"):
        parse_specs([" "])


def test_a_value_may_hold_a_colon(tmp_path: Path) -> None:
    (tmp_path / "index.noun").write_text("a", "utf-8")
    spec = parse_spec(f"EDASynonymReplacement:lexicon=wndb:{tmp_path}:alpha=0.2")
    assert spec.options == {"lexicon": f"wndb:{tmp_path}", "alpha": 0.2}
    before = spec.files_sha256()
    (tmp_path / "index.noun").write_text("b", "utf-8")
    assert before is not None
    assert spec.files_sha256() not in (None, before)


def test_a_word_of_a_list_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "original").write_text("a", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert parse_spec("TenseTransformation:fidelity=original").files_sha256() is None


def test_two_rates_of_one_rule_live_side_by_side(sentences: list[str]) -> None:
    names = ("RandomDeletion:rate=0.1", "RandomDeletion:rate=0.5")
    results = apply_requests([Request(row, text, names) for row, text in enumerate(sentences[:50])], Job(0))
    light = [new for new, _ in results if new]
    heavy = [new for _, new in results if new]
    assert sum(map(len, light)) > 1.2 * sum(map(len, heavy))
    assert light == [new for new in augment(sentences[:50], names[0]) if new]


def test_a_set_stands_for_its_members_and_a_repeated_name_counts_once() -> None:
    names = [spec.name for spec in parse_specs(["4-aug-2", "RandomSwap", "RandomCrop"])]
    assert names == ["ContractionExpansions", "TenseTransformation", "RandomSwap", "RandomCrop"]


@pytest.mark.parametrize(
    "spec", ["SynonymSubstitution:judge=lexical", "MLMTokenReplacement:model=mini-bert", "WordMask:mask=[MASK]", "UNA:fidelity=repo"]
)
def test_a_value_with_a_meaning_of_its_own_names_no_file(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / spec.partition("=")[2]).write_text("a", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert parse_spec(spec).files_sha256() is None


def test_a_folder_called_like_a_judge_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parse").mkdir()
    monkeypatch.chdir(tmp_path)
    assert parse_spec("SynonymSubstitution:judge=parse").options == {"judge": "parse"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12-aug-2", "12-aug-2 is a set of augmentations; name one of its members, or one_of"),
        ("RandomSwap(rate=0.3)", "unknown composition 'RandomSwap'.*options of an augmentation follow a colon"),
    ],
)
def test_what_is_no_augmentation_is_told_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_spec(text)


@pytest.mark.parametrize("name", ["largest_change(0.1, ContractionExpansions)", "maybe(0, ContractionExpansions)"])
def test_a_composition_that_kept_nothing_says_so(name: str) -> None:
    assert parse_spec(name).why_unchanged("en").startswith(f"{name.partition('(')[0]} kept no change, or ContractionExpansions: needs")

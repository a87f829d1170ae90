"""Constraints on what augmentations make of a text, and the record of what they made: spans that changed, spans carried along."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import augcse
from augcse import augment, edits
from augcse.augmentations.spec import parse_spec
from augcse.augmentations.word_diff import Change, carry, changed_share, changed_spans
from augcse.cli.app import app
from augcse.errors import UserError
from augcse.resources import MINI_BERT

texts = st.lists(st.sampled_from("the old man in Rome isn't , . 3 cars".split()), max_size=12).map(" ".join)
TEXT = "It isn't far from New York to Boston, he said."


@given(texts, texts)
def test_the_spans_between_changes_are_equal_and_the_changes_rebuild_the_text(old: str, new: str) -> None:
    rebuilt, at, new_at = "", 0, 0
    for change in changed_spans(old, new):
        assert old[at : change.start] == new[new_at : change.new_start]
        rebuilt += old[at : change.start] + new[change.new_start : change.new_end]
        at, new_at = change.end, change.new_end
    assert rebuilt + old[at:] == new


@given(texts, texts, st.data())
def test_a_carried_span_holds_the_same_text(old: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    [span] = carry([(start, end)], changed_spans(old, new))
    if span is not None:
        assert new[slice(*span)] == old[start:end]
    if old == new:
        assert span == (start, end)


def test_a_span_that_something_is_put_into_is_dropped_and_one_beside_it_is_kept() -> None:
    old, new = "in New York today", "in New big York today"
    assert changed_spans(old, new) == [Change(7, 7, 7, 11)]
    assert carry([(3, 11), (0, 2), (12, 17), (3, 6)], changed_spans(old, new)) == [None, (0, 2), (16, 21), (3, 6)]


def test_edits_say_which_members_made_a_text_and_where_entities_went() -> None:
    [edit, nothing, missing] = edits([TEXT, "Yes.", None], "chain(NumericToWord, ContractionExpansions, GenderSwap)")
    assert nothing is None
    assert missing is None
    assert edit is not None
    assert edit.augmented == "It is not far from New York to Boston, she said."
    assert edit.applied == ("ContractionExpansions", "GenderSwap")
    assert [TEXT[c.start : c.end] for c in edit.changes] == ["isn't", "he"]
    cities = [(TEXT.index(city), TEXT.index(city) + len(city)) for city in ("New York", "Boston")]
    assert [edit.augmented[slice(*span)] for span in edit.carry(cities) if span] == ["New York", "Boston"]
    assert edit.carry([(3, 8)]) == [None]


def test_spans_may_be_a_tensor() -> None:
    [edit] = edits([TEXT], "ContractionExpansions")
    assert edit is not None
    assert edit.carry(torch.tensor([[3, 8], [0, 2]])) == [None, (0, 2)]
    assert augment([TEXT], "ContractionExpansions", keep_spans=torch.tensor([[[3, 8]]])) == [None]


def test_what_a_constraint_refuses_is_in_no_record() -> None:
    [edit] = edits([TEXT], "chain(largest_change(0, GenderSwap), ContractionExpansions:fidelity=grammatical)")
    assert edit is not None
    assert edit.applied == ("ContractionExpansions:fidelity=grammatical",)


def test_spans_that_must_stay() -> None:
    spans = [[(3, 8)], [(18, 26)]]
    assert augment([TEXT, TEXT], "ContractionExpansions", keep_spans=spans) == [None, TEXT.replace("isn't", "is not")]
    with pytest.raises(UserError, match="keep_spans has 1 lists for 2 sentences"):
        augment([TEXT, TEXT], "ContractionExpansions", keep_spans=spans[:1])


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([[(2, 0)]], r"keep_spans\[0\] contains \(2, 0\), which is no span of .It isn.* 0 <= start <= end <= 46"),
        ([[(-3, -1)]], r"keep_spans\[0\] contains \(-3, -1\)"),
        ([[(0, 2), (3, 47)]], r"keep_spans\[0\] contains \(3, 47\)"),
        ([[(0, 2, 4)]], r"keep_spans\[0\] contains \(0, 2, 4\)"),
        ([[(0.0, 2.0)]], r"keep_spans\[0\] contains \(0.0, 2.0\)"),
        ([[(False, True)]], r"keep_spans\[0\] contains \(False, True\)"),
        ([[None]], r"keep_spans\[0\] contains None"),
        ([(0, 2)], r"keep_spans\[0\] contains 0, .*give a list of pairs"),
        ([None], r"keep_spans\[0\] is None; give a list of pairs"),
    ],
)
def test_what_is_no_span_of_its_text_is_refused(spans: Any, message: str) -> None:
    assert len(TEXT) == 46
    with pytest.raises(UserError, match=message) as refused:
        augment([TEXT], "ContractionExpansions", keep_spans=spans)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(50, 60)], r"spans contains \(50, 60\), which is no span of .It isn.* 0 <= start <= end <= 46"),
        ((0, 2), "spans contains 0, .*give a list of pairs"),
        (None, "spans is None; give a list of pairs"),
    ],
)
def test_what_is_no_span_is_not_carried(spans: Any, message: str) -> None:
    [edit] = edits([TEXT], "ContractionExpansions")
    assert edit is not None
    with pytest.raises(UserError, match=f"^{message}"):
        edit.carry(spans)


def test_spans_may_be_any_pairs_of_whole_numbers_and_a_missing_text_needs_none() -> None:
    spans = [np.array([[3, 8]]), [[0, 0], (len(TEXT), len(TEXT))], None]
    found = augment([TEXT, TEXT, None], "ContractionExpansions", keep_spans=spans)  # type: ignore[arg-type]
    assert found == [None, TEXT.replace("isn't", "is not"), None]


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_no_more_words_change_than_allowed(share: float, sentences: list[str]) -> None:
    name = f"largest_change({share}, RandomDeletion:rate=0.3)"
    shares = [changed_share(old, new) for old, new in zip(sentences, augment(sentences, name), strict=True) if new is not None]
    assert 0 < len(shares) < len(sentences)
    assert max(shares) <= share


def test_words_to_keep_stay_in_any_case_and_may_move(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("ROME\nold  cars\n今日\n\n", "utf-8")
    kept = f"keep_words({words}, %s)"
    assert augment(["The old cars of Rome."], kept % "PigLatin") == [None]
    assert augment(["The old trucks of Romeo."], kept % "PigLatin") != [None]
    moved = augment(["Rome is not a bad old town at all today"] * 40, kept % "RandomSwap")
    assert None not in moved
    assert any(not text.startswith("Rome") for text in moved if text)
    deleted = augment(["Rome is not a bad old town at all today"] * 200, kept % "RandomDeletion:rate=0.5")
    assert all("Rome" in text for text in deleted if text)
    assert deleted.count(None) > 60
    # A script without blanks has no bounds of words.
    assert parse_spec(kept % "RandomSwap").composition.accepted(["我今日去"], ["我去"], {"file": str(words)}) == [False]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Rom\nMünchen\n".encode("latin-1"), r"words.txt, line 2: byte 2 \(0xfc\) is not UTF-8"),
        (b"Rome\nPa\0ris\n", r"words.txt, line 2: NUL byte"),
    ],
)
def test_words_to_keep_that_are_no_text_are_refused_with_their_line(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes(content)
    with pytest.raises(UserError, match=message):
        parse_spec(f"keep_words({tmp_path / 'words.txt'}, RandomSwap)")


def test_other_words_to_keep_make_another_record(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("Rome\n", "utf-8")
    first = parse_spec(f"chain(keep_words({words}, RandomSwap))").files_sha256()
    assert first
    words.write_text("Paris\n", "utf-8")
    assert parse_spec(f"chain(keep_words({words}, RandomSwap))").files_sha256() not in (None, first)


@pytest.mark.filterwarnings("ignore")
def test_texts_that_are_less_alike_than_asked_are_left_as_they_were(sentences: list[str]) -> None:
    some, plain = sentences[:12], "RandomDeletion:rate=0.4"
    strict = augment(some, f"smallest_similarity(0.97, mini-bert, {plain})")
    assert augment(some, f"smallest_similarity(0, mini-bert, {plain})").count(None) == 0
    assert 0 < strict.count(None) < len(some)
    alone = [augment([text], f"smallest_similarity(0.97, mini-bert, {plain})", rows=[row])[0] for row, text in enumerate(some)]
    assert strict == alone


def _run(folder: Path, *options: str) -> Result:
    corpus = folder / "c.csv"
    corpus.write_text(f'id,text\n1,"{TEXT}"\n2,\n3,Yes.\n', "utf-8")
    return CliRunner().invoke(app, ["augment", str(corpus), "--output", str(folder / "out"), *options])


def test_the_command_puts_constraints_around_each_name_and_writes_the_record(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("far\n", "utf-8")
    names = "ContractionExpansions,chain(GenderSwap, PigLatin)"
    limits = ("--keep-words", str(tmp_path / "words.txt"), "--largest-change", "0.5", "--record")
    found = _run(tmp_path, "--with", names, *limits)
    assert found.exit_code == 0, found.output
    rows = pq.read_table(tmp_path / "out").to_pylist()
    inner = ("ContractionExpansions", "chain(GenderSwap, PigLatin)")
    assert {row["augmentation"] for row in rows} == {f"largest_change(0.5, keep_words({tmp_path}/words.txt, {name}))" for name in inner}
    changed = [row for row in rows if row["changed"]]
    assert [(row["id"], row["applied"]) for row in changed] == [("1", ["ContractionExpansions"])]
    assert changed[0]["changes"] == [{"start": 3, "end": 8, "new_start": 3, "new_end": 9}]
    assert all(row["applied"] == row["changes"] == [] for row in rows if not row["changed"])


def test_the_file_of_words_that_changed_is_named(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("far\n", "utf-8")
    command = ("--with", f"GenderSwap,largest_change(0.5, keep_words({words}, ContractionExpansions))")
    assert _run(tmp_path, *command).exit_code == 0
    words.write_text("far\nnear\n", "utf-8")
    refused = _run(tmp_path, *command).exception
    assert f"made with other arguments (code); changed since: {words}; choose another --output" in str(refused)


@pytest.mark.parametrize("way", ["option", "composition"])
def test_a_pipe_of_words_to_keep_is_refused_and_not_waited_for(way: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "words")
    keep = ("--with", "GenderSwap", "--keep-words", str(tmp_path / "words"))
    found = _run(tmp_path, *(keep if way == "option" else ("--with", f"keep_words({tmp_path}/words, GenderSwap)")))
    assert isinstance(found.exception, UserError)
    assert "words is a pipe or a device, and a list of words is read more than once" in str(found.exception)


@pytest.mark.parametrize("folder", ["names, places", "a (first", 'a "second")', " b, "])
def test_files_and_models_of_constraints_may_be_called_anything(folder: str, tmp_path: Path) -> None:
    place = tmp_path / folder
    place.mkdir()
    (place / "words.txt").write_text("Boston\n", "utf-8")
    (place / "model").symlink_to(MINI_BERT)
    model = ("--smallest-similarity", "0", "--similarity-model", str(place / "model"))
    found = _run(tmp_path, "--with", "ContractionExpansions", "--keep-words", str(place / "words.txt"), *model)
    assert found.exit_code == 0, found.output
    [row, *_] = pq.read_table(tmp_path / "out").to_pylist()
    assert row["augmented"] == TEXT.replace("isn't", "is not")
    similar = parse_spec(row["augmentation"])
    assert similar.options == {"cosine": 0, "model": str(place / "model")}
    assert similar.members[0].options == {"file": str(place / "words.txt")}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_record_of_a_csv_is_json(tmp_path: Path, workers: str) -> None:
    assert _run(tmp_path, "--with", "GenderSwap", "--record", "--format", "csv", "--workers", workers).exit_code == 0
    with (tmp_path / "out" / "part-00000~GenderSwap.csv").open(encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert json.loads(first["applied"]) == ["GenderSwap"]
    assert first["id"] == "1"
    [change] = json.loads(first["changes"])
    assert TEXT[change["start"] : change["end"]] == "he"


def test_a_folder_without_a_record_gets_none_later(tmp_path: Path) -> None:
    assert _run(tmp_path, "--with", "GenderSwap").exit_code == 0
    assert "record" in str(_run(tmp_path, "--with", "PigLatin", "--record").exception)


def test_edits_are_public() -> None:
    assert augcse.edits is edits

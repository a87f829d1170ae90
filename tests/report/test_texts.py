"""What the corpus adds to a report: change rates, word diffs, facts; and what a record is no reason to run or load."""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_runs import RECORD

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.run.apply import augment
from augcse.augmentations.word_diff import changed_share, changes, tokens
from augcse.errors import UserError
from augcse.report.runs import ReportedRun
from augcse.report.texts import read_texts, texts_sections, word_diff

SENTENCES = [f"The {number} old men didn't see {number} red cars on the road, however." for number in range(1, 41)]


def _run(folder: Path, names: list[str], sentences: list[str] = SENTENCES, **settings: Any) -> ReportedRun:
    record = copy.deepcopy(RECORD)
    corpus = folder / "text.txt"
    corpus.write_text("\n".join(sentences), "utf-8")
    record["recipe"]["augmentation"] = {"names": names, "parser": "en_ewt", **settings}
    record["corpus"] = [{"path": str(corpus), "sha256": hashlib.sha256(corpus.read_bytes()).hexdigest()}]
    return ReportedRun("run", folder / "run", record, {})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a b c d", "a b c d", 0.0),
        ("a b c d", "a x c d", 0.25),
        ("a b c d", "a d", 0.5),
        ("a b", "a b c d", 1.0),
        ("a", "a b c", 2.0),
        ("", "a", 1.0),
        ("", "", 0.0),
    ],
)
def test_the_share_of_changed_words(old: str, new: str, expected: float) -> None:
    assert changed_share(old, new) == expected


@pytest.mark.parametrize("old", ["It's 3 o'clock.", "  spaces\t", "日本", "", "<b>&amp;"])
def test_a_diff_holds_both_texts(old: str) -> None:
    new = old[::-1]
    parts = changes(tokens(old), tokens(new))
    assert "".join(deleted + kept for deleted, _, kept in parts).replace(" ", "") == old.replace(" ", "")
    assert "".join(inserted + kept for _, inserted, kept in parts) == new


def test_a_word_diff_is_marked_and_escaped() -> None:
    assert word_diff("a <b> cat", "a <i> cat") == "a &lt;<del>b</del><ins>i</ins>&gt; cat"


def test_change_rates_are_those_of_augmenting_the_same_sentences(tmp_path: Path) -> None:
    names = ["NumericToWord", "RandomSwap", "RandomDeletion:rate=0.5", "ContractionExpansions"]
    run = _run(tmp_path, names)
    texts = read_texts(run, [run], [], 30)
    assert len(texts.sentences) == 30
    page = "".join(texts_sections(texts, [run])[0].parts)
    for name in names:
        results = augment(list(texts.sentences), name, seed=run.seed)
        assert texts.augmented[name] == results
        changed = sum(new is not None and new != old for old, new in zip(texts.sentences, results, strict=True))
        assert f'<td data-label="augmentation">{name}</td><td class="figure" data-label="sentences changed">{changed / 30:.0%}</td>' in page


def test_rows_are_counted_in_the_run_whose_corpus_it_is(tmp_path: Path) -> None:
    first, leading = (_run(tmp_path, ["RandomSwap", "RandomDeletion"]) for _ in range(2))
    first = replace(first, name="first")
    first.record["prepared"] = {"label_counts": {"RandomSwap": 1111, "RandomDeletion": 2222}}
    leading.record["prepared"] = {"label_counts": {"RandomSwap": 3333}}
    section = texts_sections(read_texts(leading, [first, leading], [], 10), [first, leading])[0]
    cells = re.findall(r'data-label="rows of the run">([^<]*)<', "".join(section.parts))
    assert cells == ["3,333", "-"]
    assert section.text.endswith("how many of the rows of run hold it.")


def test_the_sample_is_the_same_in_any_order(tmp_path: Path) -> None:
    forward = _run(tmp_path, [])
    first = read_texts(forward, [forward], [], 10)
    backward = _run(tmp_path, [], SENTENCES[::-1])
    assert read_texts(backward, [backward], [], 10).sentences == first.sentences


def test_a_file_that_a_record_names_is_not_run(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    ran = tmp_path / "ran"
    code = "class Shout:\n    def generate(self, text):\n        return [text]\n"
    rules.write_text(f"open({str(ran)!r}, 'w').close()\n{code}", "utf-8")
    run = _run(tmp_path, [f"{rules}:Shout", "RandomSwap", "NoSuchRule"])
    texts = read_texts(run, [run], [], 10)
    assert list(texts.augmented) == ["RandomSwap"]
    assert texts.left_out == [f"{rules}:Shout", "NoSuchRule"]
    assert not ran.exists()
    assert f"Not applied here: {rules}:Shout" in "".join(texts_sections(texts, [run])[0].parts)


def test_what_needs_a_model_or_the_whole_corpus_is_not_applied(tmp_path: Path) -> None:
    fit = {"parse"}
    names = [member.name for member in AUGMENTATIONS if not set(member.needs) <= fit]
    assert len(names) > 5
    run = _run(tmp_path, [*names, "RandomSwap"])
    texts = read_texts(run, [run], [], 10)
    assert list(texts.augmented) == ["RandomSwap"]
    assert texts.left_out == names


def test_a_parser_that_is_a_folder_is_not_loaded(tmp_path: Path) -> None:
    run = _run(tmp_path, ["RandomSwap"], parser=str(tmp_path))
    with pytest.raises(UserError, match=r"the parser .* is a folder"):
        read_texts(run, [run], [], 10)


def test_a_corpus_that_has_changed_or_gone_is_said(tmp_path: Path) -> None:
    run = _run(tmp_path, [])
    (tmp_path / "text.txt").write_text("another", "utf-8")
    with pytest.raises(UserError, match=r"text\.txt has changed since run was made with it"):
        read_texts(run, [run], [], 10)
    assert read_texts(run, [run], [tmp_path / "text.txt"], 10).sentences == ["another"]
    (tmp_path / "text.txt").unlink()
    with pytest.raises(UserError, match=r"text\.txt is not here any more"):
        read_texts(run, [run], [], 10)


def test_the_facts_are_the_doctors(tmp_path: Path) -> None:
    run = _run(tmp_path, [], [*SENTENCES, SENTENCES[0], "<b>bold</b> â€™"])
    [section] = texts_sections(read_texts(run, [run], [], 10), [run])
    page = "".join(section.parts)
    assert '<td data-label="">sentences</td><td class="figure" data-label="">42</td>' in page
    assert '<td data-label="">repeats</td><td data-label="">1 (2.4%)</td>' in page
    assert '<td data-label="">rows with mojibake</td><td class="figure" data-label="">1</td>' in page

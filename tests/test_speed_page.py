"""The bench beside other libraries counts what was changed, and the page shows failures, missing records and who is faster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import libraries_speed as bench
from docs_pages import libraries_speed as page
from docs_pages import speed
from libraries import Contender, Resources


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("He saw the dog.", "He saw dog.", (1, 4)),
        ("He (often) saw.", "he ( often ) saw .", (0, 3)),
        ("one two three four", "two one three four", (2, 4)),
        ("one two", "one big two", (1, 2)),
        ("a b c", "x b [MASK]", (2, 3)),
    ],
)
def test_changed_words(old: str, new: str, expected: tuple[int, int]) -> None:
    assert bench.changed_words(old, new) == expected


def test_contenders_are_compared_and_failures_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def work_of(contender: Contender, resources: Resources) -> Any:
        if contender.name == "Lacking":
            raise FileNotFoundError(2, "No such file", "/somewhere/table.txt")
        return {"Idle": lambda texts: list(texts), "First": lambda texts: [text.partition(" ")[2] for text in texts]}[contender.name]

    monkeypatch.setattr(bench, "work_of", work_of)
    contenders = [Contender("augcse", "First"), Contender("nlpaug", "Idle"), Contender("TextAttack", "Lacking")]
    first, idle, lacking = bench.compare(contenders, Resources(tmp_path, ["one two three four"] * 50), rounds=1, seconds=1e-6)
    assert (first["changed"], first["words_changed"], first["ratio"]) == (1.0, 0.25, 1.0)
    assert (idle["changed"], idle["words_changed"]) == (0.0, 0.0)
    assert lacking == {"library": "TextAttack", "call": "Lacking()", "error": "FileNotFoundError: no table.txt"}


def test_our_own_way_changes_what_augment_changes(tmp_path: Path, sentences: list[str]) -> None:
    from augcse import augment
    from libraries import work_of

    found = work_of(Contender("augcse", "RandomDeletion", {"rate": 0.1}), Resources(tmp_path, sentences))(sentences[:20])
    assert [text if text != old else None for text, old in zip(found, sentences, strict=False)] == augment(
        sentences[:20], "RandomDeletion", rate=0.1
    )


def _row(library: str, call: str, rate: float, ratio: float) -> dict[str, Any]:
    return {"library": library, "call": call, "per_s": [rate, 2 * rate, rate], "ratio": ratio, "changed": 0.5, "words_changed": 0.25}


ROWS = [
    _row("augcse", "RandomDeletion(rate=0.1)", 30_000, 1.0),
    _row("augcse", "EDARandomDeletion(alpha=0.1)", 40_000, 1.3),
    _row("glitchlings", "Rushmore()", 20_000, 0.67),
    _row("glitchlings, in batches", "Rushmore()", 90_000, 3.0),
    {"library": "TextAttack", "call": "DeletionAugmenter()", "error": "OSError: no table"},
]


def test_the_short_table_has_the_fastest_of_each() -> None:
    versions = {"augcse": "1", "nlpaug": "2", "TextAttack": "3", "glitchlings": "4", "nltk": "5"}
    lines = page.fastest_table({"versions": versions, "operations": {"delete words": ROWS}}).splitlines()
    assert lines[0] == "| operation | augcse | nlpaug | TextAttack | glitchlings |"
    assert lines[2] == "| delete words | 30,000, RandomDeletion | - | - | 90,000 (3.0) |"


def test_a_failure_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "| TextAttack | `DeletionAugmenter()` | fails: OSError: no table | - | - | - | - |" in page._table(ROWS)


@pytest.mark.parametrize(("ratio", "shown"), [(0.0042, "0.004"), (0.35, "0.35"), (1.333, "1.3"), (67.1, "67")])
def test_ratios(ratio: float, shown: str) -> None:
    assert page._times(ratio) == shown


def test_a_page_without_a_record_lacks_that_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = json.loads((speed.RECORDS / "strings.json").read_text("utf-8"))
    record["result"] = {"Slow": {"median": 10, "max": 12}, "Fast": {"median": 20_000, "max": 21_000}}
    (tmp_path / "strings.json").write_text(json.dumps(record))
    monkeypatch.setattr(speed, "RECORDS", tmp_path)
    text = speed.speed()
    assert text.index("| Fast | 20,000 | 21,000 |") < text.index("| Slow | 10 | 12 |")
    assert record["commit"] in text
    assert "UNA" not in text

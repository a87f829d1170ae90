"""The demo and its parts: real bundled data, a short run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from augcse import demo
from augcse.encoding.model import load_encoder
from augcse.evaluation.pairs import read_pairs
from augcse.resources import DEMO_CORPUS, DEMO_PAIRS


def test_corpus_is_large_varied_and_clean() -> None:
    lines = DEMO_CORPUS.read_text("utf-8").splitlines()
    assert len(lines) >= 1500
    assert len({line.lower() for line in lines}) == len(lines)
    assert all(line == line.strip() and 3 <= len(line.split()) <= 40 for line in lines)
    openings = Counter(" ".join(line.split()[:2]) for line in lines)
    assert openings.most_common(1)[0][1] <= 20


def test_pairs_cover_all_grades_and_hard_cases() -> None:
    pairs = read_pairs(DEMO_PAIRS)
    assert len(pairs) >= 200
    assert all(0 <= score <= 5 for score in pairs.scores)
    grades = Counter(min(5, round(score)) for score in pairs.scores)
    assert all(grades[grade] >= 20 for grade in range(6))
    kinds = Counter(line.split("\t")[3] for line in DEMO_PAIRS.read_text("utf-8").splitlines()[1:])
    assert all(kinds[kind] >= 20 for kind in ("negation", "role_swap", "number_change", "paraphrase"))


def test_a_third_of_the_pairs_differ_in_little_but_their_meaning() -> None:
    """What the report says of them."""
    kinds = Counter(line.split("\t")[3] for line in DEMO_PAIRS.read_text("utf-8").splitlines()[1:])
    assert (kinds["negation"] + kinds["role_swap"] + kinds["number_change"]) / kinds.total() == pytest.approx(1 / 3, abs=0.02)


def test_no_pair_is_in_the_corpus() -> None:
    assert not set(DEMO_CORPUS.read_text("utf-8").splitlines()) & set(read_pairs(DEMO_PAIRS).sentences())


def test_demo_writes_table_and_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "OVERRIDES", {**demo.OVERRIDES, "max_steps": 3, "batch_size": 16, "log_every_steps": 1})
    result = demo.run_demo(tmp_path / "out")
    assert [row[0] for row in result.table.rows] == [
        "untrained, [CLS]",
        "untrained, mean of tokens",
        "static, trained on nothing",
        "SimCSE",
        "AugCSE",
    ]
    assert all(0 < float(row[1]) < 100 for row in result.table.rows)
    page = result.report.read_text("utf-8")
    assert page.count("<svg") == 3
    assert "after AugCSE" in page
    assert "no average of word vectors can distinguish" in page
    assert abs(load_encoder(str(result.static)).encode("A mill.")).max() > 0

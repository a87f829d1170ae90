"""The examples of docs/own-data.md do what the page says, and its tables are the program's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from augcse.cli.pairs import ADVICE, GRADES
from augcse.errors import UserError
from augcse.evaluation.base import load_task
from augcse.evaluation.own_tables import LABEL_COLUMNS, SCORE_COLUMNS, SENTENCE_COLUMNS, TEXT_COLUMNS
from augcse.evaluation.precision import expected_interval
from augcse.evaluation.tasks.sts import LoadedPairs

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-data.md").read_text("utf-8")
BLOCK = r"```\w+\n(.*?)```\n"
EXAMPLES = re.findall(rf"^`(\S+)`\n\n{BLOCK}\n(gives|is refused)\n\n{BLOCK}", PAGE, re.DOTALL | re.MULTILINE)
PRECISION = re.findall(r"^\| ([\d,]+) \| (\d+ to \d+) \| (\d+ to \d+) \| (\d+ to \d+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("name", "content", "outcome", "shown"), EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_example(name: str, content: str, outcome: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content, "utf-8")
    if outcome == "gives":
        task = load_task(name, None)
        assert isinstance(task, LoadedPairs)
        pairs = zip(task.pairs.scores, task.pairs.first, task.pairs.second, strict=True)
        assert list(map(list, pairs)) == json.loads(shown)
        return
    with pytest.raises(UserError) as caught:
        load_task(name, None)
    assert str(caught.value) == shown.strip()


def test_the_page_has_examples_of_both_kinds() -> None:
    assert {outcome for _, _, outcome, _ in EXAMPLES} == {"gives", "is refused"}


@pytest.mark.parametrize("pairs", [row[0] for row in PRECISION])
def test_the_table_of_precision_is_the_functions(pairs: str) -> None:
    [row] = [row for row in PRECISION if row[0] == pairs]
    expected = [expected_interval(correlation, int(pairs.replace(",", ""))) for correlation in (50, 70, 85)]
    assert list(row[1:]) == [f"{low:.0f} to {high:.0f}" for low, high in expected]


def test_the_table_of_precision_has_rows() -> None:
    assert len(PRECISION) == 6


@pytest.mark.parametrize("fact", [*(f"| {grade} | {meaning} |" for grade, meaning in GRADES.items()), *(f"- {line}" for line in ADVICE)])
def test_the_page_grades_as_the_command_says(fact: str) -> None:
    assert fact in PAGE


@pytest.mark.parametrize("name", [*SCORE_COLUMNS, *LABEL_COLUMNS, *TEXT_COLUMNS, *(name for pair in SENTENCE_COLUMNS for name in pair)])
def test_the_page_names_the_columns(name: str) -> None:
    assert f"`{name}`" in PAGE

"""`augcse pairs`: a table to be graded that `augcse evaluate` reads, and never a graded one lost."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from augcse.cli.app import app
from augcse.cli.pairs import ADVICE, GRADES
from augcse.errors import UserError
from augcse.evaluation.base import load_task
from augcse.evaluation.precision import expected_interval
from augcse.evaluation.tasks.sts import LoadedPairs


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["pairs", *map(str, arguments)])
    if isinstance(result.exception, UserError):
        raise result.exception
    return result


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_what_is_drawn_can_be_graded_and_scored(suffix: str, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    path = tmp_path / f"mine{suffix}"
    done = run(corpus, "--model", tiny_backbone, "--number", 30, "--output", path)
    assert done.exit_code == 0
    for line in [*(f"{grade}  {meaning}" for grade, meaning in GRADES.items()), *ADVICE]:
        assert line in done.stdout
    with pytest.raises(UserError, match="none of the 30 rows has a score"):
        load_task(str(path), None)
    with path.open(newline="", encoding="utf-8") as file:
        if suffix == ".csv":
            rows = list(csv.reader(file))
            rows[1:] = [[str(number % 6), *row[1:]] for number, row in enumerate(rows[1:])]
        else:
            rows = [line.rstrip("\n").split("\t") for line in file]
            rows[1:] = [[str(number % 6), *row[1:]] for number, row in enumerate(rows[1:])]
    # The last ten are not graded yet.
    rows[-10:] = [["", *row[1:]] for row in rows[-10:]]
    with path.open("w", newline="", encoding="utf-8") as file:
        if suffix == ".csv":
            csv.writer(file).writerows(rows)
        else:
            file.writelines("\t".join(row) + "\n" for row in rows)
    task = load_task(str(path), None)
    assert isinstance(task, LoadedPairs)
    assert len(task.pairs) == 20
    sentences = set(corpus.read_text("utf-8").splitlines())
    assert set(task.sentences()) <= sentences
    assert len(set(task.sentences())) == 40
    [warning] = task.warnings()
    assert "10 of 30 rows have none and are left out" in warning.message


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    shuffled = tmp_path / "shuffled.txt"
    shuffled.write_text("\n".join(reversed(corpus.read_text("utf-8").splitlines())) + "\n", "utf-8")
    contents = []
    for number, (source, seed) in enumerate([(corpus, 0), (shuffled, 0), (corpus, 1)]):
        path = tmp_path / f"{number}.tsv"
        run(source, "--model", tiny_backbone, "--number", 20, "--output", path, "--seed", seed, "--sample", 200)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != contents[2]


def test_json_is_one_document(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    done = run(corpus, "--model", tiny_backbone, "--number", 20, "--output", tmp_path / "p.tsv", "--json", "--quiet")
    document = json.loads(done.stdout)
    assert (document["pairs"], sum(stratum["pairs"] for stratum in document["strata"])) == (20, 20)
    assert document["expected_interval"] == {
        "low": pytest.approx(expected_interval(70, 20)[0]),
        "high": pytest.approx(expected_interval(70, 20)[1]),
    }


def test_a_file_that_may_hold_grades_is_never_replaced(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("5\ta\tb\n", "utf-8")
    with pytest.raises(UserError, match="exists, and may hold grades"):
        run(corpus, "--model", tiny_backbone, "--output", path)
    assert path.read_text("utf-8") == "5\ta\tb\n"


def test_long_sentences_are_left_out(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    run(corpus, "--model", tiny_backbone, "--number", 10, "--max-characters", 60, "--output", tmp_path / "p.tsv")
    cells = [cell for line in (tmp_path / "p.tsv").read_text("utf-8").splitlines()[1:] for cell in line.split("\t")]
    assert max(map(len, cells)) <= 60

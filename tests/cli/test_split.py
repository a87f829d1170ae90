"""`augcse split`: files in, one sentence per line out, counts on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import augcse
from augcse.cli.app import app
from augcse.errors import UserError


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["split", *map(str, arguments)])
    if isinstance(result.exception, UserError):
        raise result.exception
    return result


def test_files_are_split_in_order_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dr. Smith came. He left.\n\nA heading\n***\n", "utf-8")
    (tmp_path / "b.jsonl").write_text(json.dumps({"text": "One is here.\nTwo is there. No."}) + "\n", "utf-8")
    output = tmp_path / "new" / "sentences.txt"
    done = run(tmp_path / "a.txt", tmp_path / "b.jsonl", "--output", output, "--min-characters", 4, "--max-characters", 14, "--json")
    assert output.read_bytes() == b"He left.\nA heading\nOne is here.\nTwo is there.\n"
    found = json.loads(done.stdout)
    assert found == {"output": str(output), "lines": 6, "blank": 1, "sentences": 4, "too_short": 1, "too_long": 1}


def test_wrapped_lines_are_noticed_and_joined(tmp_path: Path) -> None:
    source = tmp_path / "book.txt"
    source.write_text("The mill was\nbuilt in the\nvalley. It\nstands.\n", "utf-8")
    assert "--wrapped joins" in run(source, "--output", tmp_path / "cut.txt").stderr
    done = run(source, "--wrapped", "--output", tmp_path / "whole.txt")
    assert "--wrapped" not in done.stderr
    assert (tmp_path / "whole.txt").read_text("utf-8").splitlines() == ["The mill was built in the valley.", "It stands."]


@pytest.mark.parametrize(("lines", "is_said"), [("One is\nhere. Two is there.\nThree.\n", False), ("one is\nhere.\nthe\nend\n", True)])
def test_many_lines_are_not_one_of_three(lines: str, is_said: bool, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(lines, "utf-8")
    assert ("--wrapped joins" in run(tmp_path / "a.txt", "--quiet", "--output", tmp_path / "out.txt").stderr) is is_said


def test_sentences_over_the_limit_of_corpora_are_told_to_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"One is here. {'Word ' * 2_001}\nTwo.\n", "utf-8")
    said = "augcse: warning: left out, as longer than 10,000 characters: 1 of 3 sentences; break text without marks"
    assert said in run(tmp_path / "a.txt", "--quiet", "--output", tmp_path / "out.txt").stderr
    assert "left out" not in run(tmp_path / "a.txt", "-q", "--max-characters", 500, "--output", tmp_path / "out2.txt").stderr


def test_a_line_is_the_same_in_text_table_and_python(tmp_path: Path) -> None:
    text = "One\u2028two.\x0bThree\x0c\x1cfour\x85five.\rSix\r\nseven\n"
    (tmp_path / "a.txt").write_text(text, "utf-8", newline="")
    (tmp_path / "b.jsonl").write_text(json.dumps(text), "utf-8")
    for source in ("a.txt", "b.jsonl"):
        run(tmp_path / source, "--output", tmp_path / f"{source}.out.txt")
    expected = ["One\u2028two.", "Three\x0c\x1cfour\x85five.", "Six", "seven"]
    assert list(augcse.split([text])) == expected
    assert (
        (tmp_path / "a.txt.out.txt").read_text("utf-8") == (tmp_path / "b.jsonl.out.txt").read_text("utf-8") == "\n".join([*expected, ""])
    )


def test_an_only_column_that_may_have_no_header_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("He isn't here.\nShe is.\n", "utf-8")
    said = f'{tmp_path / "a.csv"}: "He isn\'t here." is taken as the header; --column 1 if it is a sentence'
    assert said in run(tmp_path / "a.csv", "--output", tmp_path / "out.txt").stderr
    assert "header" not in run(tmp_path / "a.csv", "--column", 1, "--output", tmp_path / "out2.txt").stderr


def test_files_do_not_run_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"the {name}", "utf-8")
    run(tmp_path / "a", tmp_path / "b", "--wrapped", "--output", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text("utf-8") == "the a\nthe b\n"


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"One. Two.\n" * 100 + b"caf\xe9\n")
    with pytest.raises(UserError, match="line 101"):
        run(tmp_path / "bad.txt", "--output", tmp_path / "out.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]
    assert run(tmp_path / "bad.txt", "--encoding-errors", "replace", "--output", tmp_path / "out.txt").exit_code == 0

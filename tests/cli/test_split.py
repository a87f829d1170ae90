"""`augcse split`: files in, one sentence per line out, counts on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

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
    assert found == {"output": str(output), "lines": 9, "blank": 4, "sentences": 4, "too_short": 1, "too_long": 1}


def test_wrapped_lines_are_noticed_and_joined(tmp_path: Path) -> None:
    source = tmp_path / "book.txt"
    source.write_text("The mill was\nbuilt in the\nvalley. It\nstands.\n", "utf-8")
    assert "--wrapped joins" in run(source, "--output", tmp_path / "cut.txt").stderr
    done = run(source, "--wrapped", "--output", tmp_path / "whole.txt")
    assert "--wrapped" not in done.stderr
    assert (tmp_path / "whole.txt").read_text("utf-8").splitlines() == ["The mill was built in the valley.", "It stands."]


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

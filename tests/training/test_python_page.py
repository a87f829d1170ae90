"""Every program of docs/python.md runs, in its order."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from augcse.resources import DEMO_PAIRS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_programs_run(
    tmp_path: Path, sentences: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sentences.txt").write_text("\n".join(sentences[:64]) + "\n", "utf-8")
    (tmp_path / "pairs.tsv").write_bytes(DEMO_PAIRS.read_bytes())
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(programs) == 3
    names: list[dict[str, Any]] = []
    monkeypatch.setattr(logging, "basicConfig", lambda **settings: None)
    for program in programs:
        names.append({})
        exec(compile(program, str(PAGE), "exec"), names[-1])
    logged, stopped, resumed = (scope["run"] for scope in names)
    assert resumed.record == json.loads((tmp_path / "my-run" / "run.json").read_text("utf-8"))
    assert str(resumed) == str(logged)
    assert capsys.readouterr().out == f"{logged}\n{stopped.record['steps']} {stopped.record['kept_step']}\n"

"""Malformed input of every kind, to every command: exit code 2, one line that names the place and the remedy, nothing left after."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from fault import Fault, Place
from fault_table import FAULTS

from augcse.cli.app import run

# How a remedy begins: what the user is to do.
_REMEDY = re.compile(
    r"\b(give|take|set|write|choose|use|delete|run|leave|name|save|unpack|convert|install|lower|raise|put|close|merge|download|wait|see|quote|correct|convert)\b"
    r"|did you mean|known:|expected|there are|is not one of|must be|needs?\b|pass |--\w+",
    re.IGNORECASE,
)


def test_there_are_enough_cases_and_none_twice() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) >= 400
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_a_fault_is_one_line_and_leaves_nothing(fault: Fault, place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    fault.prepare(place.work)
    before = _contents(place.work)
    capfd.readouterr()
    code = run([place.filled(word) for word in fault.command])
    shown = capfd.readouterr()
    lines = shown.err.splitlines()
    assert (code, shown.out) == (2, ""), shown.err
    # What is wrong deep in a corpus is found while it is read, which is told.
    assert all(line.startswith(("no --data: ", "preparing")) for line in lines[:-1]), shown.err
    assert lines[-1].startswith("augcse: error: ")
    for name in fault.names:
        assert place.filled(name) in lines[-1]
    assert _REMEDY.search(lines[-1]), lines[-1]
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", lines[-1]), repr(lines[-1])
    assert _contents(place.work) == before


def _contents(folder: Path) -> dict[str, str]:
    """Every path below a folder with the checksum of what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
        for path in sorted(folder.rglob("*"))
    }

"""What reaches a terminal: text from outside as it is, or as escapes, never as commands; names whole, lines that a pipe can read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.text import Text

from augcse.cli import app as app_module
from augcse.cli import console
from augcse.cli.preview import difference
from augcse.cli.table import table_lines

# Markup, a colour, a bell, a title, a link, a C1 control, a direction override, a carriage return.
HOSTILE = "He [sic] said [/quote] \x1b[31mred\x07 \x1b]0;title\x07\x1b]8;;http://x\x07 \x9b2J \u202egnp.exe\r and left."
FORBIDDEN = ("\x1b", "\x07", "\x9b", "\u202e", "\r")


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def augcse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run the command as a process would, in this one, its output piped."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["augcse", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            app_module.main()
        return Done(int(stop.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _harmless(done: Done) -> str:
    text = done.out + done.err
    assert not [mark for mark in FORBIDDEN if mark in text], text
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[sic] [/quote] [red]x", "[sic] [/quote] [red]x"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x9b2J\x7f", r"\x9b2J\x7f"),
        ("\u202eabc\u2066d", r"\u202eabc\u2066d"),
        ("\udcff", r"\udcff"),
        ("naïve 東京 👩‍👩‍👧 می‌خواهم", "naïve 東京 👩‍👩‍👧 می‌خواهم"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, expected: str) -> None:
    assert console.escaped(text) == expected


@pytest.mark.parametrize("text", [HOSTILE, "\udcff", "\u2028", "\x00"])
def test_json_holds_the_text_and_no_control_character(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({text: [text]})
    out = capsys.readouterr().out
    assert not [mark for mark in (*FORBIDDEN, "\udcff", "\u2028", "\x00") if mark in out]
    assert json.loads(out) == {text: [text]}


def test_a_figure_that_is_not_finite_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"a": [float("nan"), float("inf"), 1.0], "b": (-float("inf"),)})
    assert json.loads(capsys.readouterr().out) == {"a": [None, None, 1.0], "b": [None]}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["preview", HOSTILE, "--with", "RandomSwap,RandomDeletion,ContractionExpansions"], 0),
        (["preview", "A sentence.", "--with", HOSTILE], 2),
        (["doctor", HOSTILE], 2),
        (["augment", HOSTILE, "--with", "RandomSwap", "--output", "out"], 2),
        (["evaluate", HOSTILE], 2),
        (["evaluate", "mini-bert", "--tasks", HOSTILE], 2),
        (["evaluate", "mini-bert", "--data", HOSTILE], 2),
        (["train", HOSTILE, "--corpus", "x"], 2),
        (["train", "simcse-mini", "--corpus", HOSTILE], 2),
        (["train", "simcse-mini", "--corpus", "x", "--set", f"{HOSTILE}=1"], 2),
        (["report", HOSTILE, "--output", "x.html"], 2),
        (["list", HOSTILE], 2),
        ([HOSTILE], 2),
        (["analyze", "scores", HOSTILE], 2),
        (["postprocess", "mini-bert", "--with", HOSTILE, "--output", "x"], 2),
    ],
    ids=lambda value: " ".join(value[:2]).encode("unicode_escape").decode()[:30] if isinstance(value, list) else str(value),
)
def test_hostile_words_are_shown_and_not_obeyed(
    arguments: list[str], code: int, augcse: Callable[..., Done], in_empty_folder: None
) -> None:
    done = augcse(*arguments)
    assert done.code == code, done
    assert "[sic]" in _harmless(done)
    if code:
        assert (done.out, done.err.count("\n")) == ("", 1)


def test_doctor_shows_hostile_sentences(augcse: Callable[..., Done], tmp_path: Path) -> None:
    line = HOSTILE.replace("\r", "")
    (tmp_path / "[sic]\x1b[31m.txt").write_text(f"{line}\n{line}\nAn ordinary sentence.\n", "utf-8")
    done = augcse("doctor", tmp_path / "[sic]\x1b[31m.txt")
    assert done.code == 0
    assert "[sic]" in _harmless(done)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("She didn't buy it.", "She did not buy it.", "She [-didn't-]{+did not+} buy it."),
        ("It isn't true.", "It is not true.", "It [-isn't-]{+is not+} true."),
        ("old", "new", "[-old-]{+new+}"),
        ("The old mill", "The mill", "The [-old -]mill"),
        ("a b", "a x y b", "a {+x y +}b"),
        ("one two three four", "one deux trois four", "one [-two three-]{+deux trois+} four"),
        ("He [sic] left.", "He [sic] went.", "He [sic] [-left-]{+went+}."),
        ("same", None, "(does not apply)"),
    ],
)
def test_a_change_can_be_read_without_colour(old: str, new: str | None, expected: str) -> None:
    assert difference(old, new).plain == expected


ROWS = [
    [Text("SentenceAuxiliaryNegationRemoval"), Text(" ".join(["word"] * 30)), Text(" ".join(["second"] * 12))],
    [Text("東京"), Text("x"), Text("")],
]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_names_are_never_folded(width: int) -> None:
    lines = [line.plain for line in table_lines(ROWS, width)]
    assert lines[0].startswith("SentenceAuxiliaryNegationRemoval  word word")
    assert max(map(len, lines)) <= max(width, 32 + 2 + 20 + 2 + 20)
    assert "".join(lines).count("word") == 30


def test_a_pipe_gets_one_line_per_row() -> None:
    assert [line.plain for line in table_lines(ROWS, None)] == [
        f"SentenceAuxiliaryNegationRemoval  {'word ' * 29}word  {('second ' * 12).strip()}",
        f"東京{' ' * 30}x",
    ]


@pytest.mark.parametrize("arguments", ["list augmentations", "list recipes --json", "--help", "train --help"])
def test_a_reader_that_goes_is_no_error(arguments: str) -> None:
    command = f"set -o pipefail; {sys.executable} -m augcse {arguments} | head -c 1 >/dev/null"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")

"""What is refused before any work, and what a page starts with."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from augcse.encoding.model import encode_distinct, load_encoder
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import MissingDependencyError, UserError
from augcse.playing.server import FIRST_PORT, address, listen
from augcse.playing.start import check_inputs, open_session


@pytest.fixture
def _with_gradio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Gradio count as installed: nothing here opens a page."""
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: object() if name == "gradio" else find(name, *rest))


def _empty(folder: Path) -> Path:
    path = folder / "empty.txt"
    path.write_text("\n \n", "utf-8")
    return path


def _unreadable(folder: Path) -> Path:
    path = folder / "latin.txt"
    path.write_bytes("ein Müller\n".encode("latin-1"))
    return path


@pytest.mark.usefixtures("_with_gradio")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_empty, "empty.txt: no sentence in it; give a text file with one sentence per line"),
        (_unreadable, "latin.txt, line 1: byte 6"),
        (lambda folder: folder, "is a folder; give its files"),
        (lambda folder: folder / "absent.txt", "no corpus file"),
    ],
    ids=["empty", "not UTF-8", "folder", "absent"],
)
def test_a_corpus_that_cannot_be_searched_is_refused(make, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        check_inputs("mini-bert", [make(tmp_path)])


@pytest.mark.usefixtures("_with_gradio")
def test_a_model_or_a_parser_that_there_is_not_is_refused(tmp_path: Path, corpus: Path) -> None:
    for model, beside, message in ((tmp_path, None, "holds no model"), ("mini-bert", str(tmp_path), "holds no model")):
        with pytest.raises(UserError, match=message):
            check_inputs(str(model), beside=beside)
    with pytest.raises(UserError, match="--beside mini-bert is the model itself; give another one"):
        check_inputs("mini-bert", [corpus], beside="mini-bert")
    with pytest.raises(UserError, match="no spaCy pipeline 'no_such'"):
        check_inputs("mini-bert", parser="no_such")


def test_the_extra_is_asked_for_before_the_corpus_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None if name == "gradio" else find(name, *rest))
    with pytest.raises(MissingDependencyError, match=r"the page needs Gradio; install it with: pip install 'augcse\[play\]'"):
        check_inputs("mini-bert", [_empty(tmp_path)])


@pytest.mark.usefixtures("_with_gradio")
def test_a_session_holds_distinct_sentences_under_each_model(tiny_backbone: Path, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("One cat.\nTwo dogs.\n\nOne cat.\nThree birds.\n", "utf-8")
    inputs = check_inputs("mini-bert", [path], beside=str(tiny_backbone))
    done: list[int] = []
    session = open_session(inputs, advance=done.append)
    assert list(session.sentences) == ["One cat.", "Two dogs.", "Three birds."]
    assert session.source == "corpus.txt"
    assert done == [3, 3]
    for name in ("mini-bert", str(tiny_backbone)):
        expected = unit_rows(encode_distinct(load_encoder(name), session.sentences)[0])
        assert np.allclose(session.vectors[name], expected, atol=1e-6)


@pytest.mark.usefixtures("socket_enabled")
def test_a_port_is_the_one_given_or_the_first_free_one() -> None:
    with listen(None) as first, listen(None) as second:
        ports = [first.getsockname()[1], second.getsockname()[1]]
        assert FIRST_PORT <= ports[0] < ports[1]
        assert first.getsockname()[0] == "127.0.0.1"
        assert address(second) == f"http://127.0.0.1:{ports[1]}/"
        with pytest.raises(UserError, match=rf"cannot use port {ports[0]}: Address already in use; give another --port"):
            listen(ports[0])


@pytest.mark.usefixtures("socket_enabled")
def test_all_ports_in_use_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.playing.server._PORTS", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr("augcse.playing.server.FIRST_PORT", taken.getsockname()[1])
        with pytest.raises(UserError, match="no free port"):
            listen(None)


def test_what_is_refused_needs_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom augcse.cli.app import run\n"
        "assert run(sys.argv[1:]) == 2\n"
        "heavy = {'torch', 'numpy', 'gradio', 'spacy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code, "play", str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "holds no model" in done.stderr

"""Every command of docs/postprocess.md runs as it stands, with small models and files under the names that it uses."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from augcse.cli import app as app_module
from augcse.encoding.model import load_encoder
from augcse.model_folder import BUNDLED_BACKBONES
from augcse.resources import DEMO_PAIRS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "postprocess.md"
SHELL, PYTHON = ("\n".join(re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)) for language in ("bash", "python"))


@pytest.fixture
def folder(
    tiny_backbone: Path, corpus: Path, sentences: list[str], data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A working folder with what the page names; mini-bert is the tiny model, with enough dimensions for the page's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(BUNDLED_BACKBONES, "mini-bert", tiny_backbone)
    shutil.copy(corpus, "sentences.txt")
    shutil.copy(DEMO_PAIRS, "pairs.tsv")
    Path("DATA").symlink_to(data_folder)
    words = sorted({word.strip(".,").lower() for text in sentences for word in text.split()} - {""})
    Path("glove.840B.300d.txt").write_text("".join(f"{word} {len(word)} {index % 7} {index % 5}\n" for index, word in enumerate(words)))
    load_encoder(str(tiny_backbone)).save_pretrained("my-run/model", create_model_card=False)
    return tmp_path


def test_the_page_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = [shlex.split(line.replace("dim=128", "dim=16"), comments=True) for line in SHELL.splitlines() if line.strip()]
    assert len(commands) >= 12
    for name, *words in commands:
        assert name == "augcse"
        assert app_module.run(words) == 0, (words, capsys.readouterr().err)
    exec(compile(PYTHON.replace("dim=128", "dim=16"), str(PAGE), "exec"), {})
    made = {words[words.index("--output") + 1] for words in commands if "--output" in words} | {"weighted-and-whitened"}
    for model in sorted(made):
        assert load_encoder(model).encode(["A mill."]).shape[0] == 1

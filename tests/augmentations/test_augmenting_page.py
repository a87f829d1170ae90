"""The commands of docs/augmenting.md do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from augcse.augmentations.run.blocks import SHARD_SENTENCES
from augcse.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "augmenting.md").read_text("utf-8")
FILES = dict(re.findall(r"^`(\S+)`\n\n```text\n(.*?)```\n", PAGE, re.DOTALL | re.MULTILINE))
COMMANDS = [shlex.split(line)[1:] for line in re.findall(r"^augcse augment .*$", PAGE, re.MULTILINE)]
[REFUSAL] = re.findall(r"^```text\n(.* other arguments .*)\n```$", PAGE, re.MULTILINE)


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("reviews.csv").write_text(FILES["reviews.csv"], "utf-8")


@pytest.mark.usefixtures("_here")
def test_the_commands_give_what_the_page_shows() -> None:
    first, added, refused = COMMANDS
    shown = "augmented/part-00000~GenderSwap.csv"
    assert CliRunner().invoke(app, first).exit_code == 0
    assert Path(shown).read_text("utf-8") == FILES[shown]
    before = set(Path("augmented").iterdir())
    assert CliRunner().invoke(app, added).exit_code == 0
    new = {path.as_posix() for path in set(Path("augmented").iterdir()) - before if not path.name.startswith(".")}
    assert new == {"augmented/part-00000~PigLatin.csv"}
    assert str(CliRunner().invoke(app, refused).exception) == REFUSAL


def test_the_page_names_the_size_of_a_shard() -> None:
    assert f"{SHARD_SENTENCES:,} sentences" in PAGE

"""The examples of docs/corpora.md do what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from augcse.corpus.formats import FORMATS
from augcse.corpus.lines import MAX_LINE_BYTES
from augcse.corpus.read import MAX_SENTENCE_CHARACTERS, read_sentences
from augcse.corpus.unpack import COMPRESSIONS
from augcse.errors import UserError

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "corpora.md").read_text("utf-8")
BLOCK = r"```\w+\n(.*?)```\n"
EXAMPLES = re.findall(rf"^`(\S+)`\n\n{BLOCK}\n(gives|is refused)\n\n{BLOCK}", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("name", "content", "outcome", "shown"), EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_example(name: str, content: str, outcome: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content, "utf-8")
    if outcome == "gives":
        assert list(read_sentences([name])) == json.loads(shown)
        return
    with pytest.raises(UserError) as caught:
        list(read_sentences([name]))
    assert str(caught.value) == shown.strip()


def test_the_page_has_examples_of_both_kinds() -> None:
    assert {outcome for _, _, outcome, _ in EXAMPLES} == {"gives", "is refused"}


@pytest.mark.parametrize("fact", [*FORMATS, *COMPRESSIONS, f"{MAX_LINE_BYTES:,}", f"{MAX_SENTENCE_CHARACTERS:,}"])
def test_the_page_names(fact: str) -> None:
    assert fact in PAGE

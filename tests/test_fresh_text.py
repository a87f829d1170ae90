"""The texts that are fetched for reading: each kind is read out of what its package holds."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import fresh_text

SHARE = Path("debian/usr/share")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        f"{fresh_text._VADER}/tweets_GroundTruth.txt": b"1\t0.5\tI can&apos;t wait &amp; see ''them''\n",
        f"{fresh_text._VADER}/nytEditorialSnippets_GroundTruth.txt": b"1_1\t0.1\tThe city has a zoo.\n",
        "package/data/1945_a.txt": b"This one is too old.\n",
        "package/data/1946_b.txt": b"We shall build houses. They will be good.\n",
        f"{SHARE}/doc/debian/FAQ/debian-faq.en.txt.gz": gzip.compress(b"1. A heading\n=====\n\nIt is\n  free to use.\n"),
        f"{SHARE}/developers-reference/developers-reference.txt.gz": gzip.compress(b"Read the manual first."),
        f"{SHARE}/doc/anarchism/html/secA1.html": b"<h1>No</h1><p>He <i>wrote</i> much &amp; often.</p>",
        f"{SHARE}/games/fortunes/art": b"He came home.\n%\nArt is long.\n\t\t-- Nobody\n",
        f"{SHARE}/games/fortunes/art.dat": b"no text",
        f"{SHARE}/games/fortunes/ascii-art": b"no text either",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("tweets", ['I can\'t wait & see "them"']),
        ("editorials", ["The city has a zoo."]),
        ("speeches", ["We shall build houses.", "They will be good."]),
        ("manuals", ["It is free to use.", "Read the manual first."]),
        ("essays", ["He wrote much & often."]),
        ("sayings", ["He came home.", "Art is long."]),
    ],
)
def test_a_kind_is_read_sentence_by_sentence(folder: Path, kind: str, expected: list[str]) -> None:
    assert list(fresh_text.KINDS[kind](folder)) == expected


def test_short_and_repeated_sentences_are_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_text, "fetch", lambda _: None)
    monkeypatch.setattr("sys.argv", ["fresh", str(folder)])
    fresh_text.main()
    assert (folder / "speeches.txt").read_text("utf-8") == "We shall build houses.\nThey will be good.\n"
    assert (folder / "sayings.txt").read_text("utf-8") == ""

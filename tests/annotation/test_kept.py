"""Parses kept on disk: what is read is what was parsed, once for all; a bounded file; other text or another parser is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from augcse import disk_cache
from augcse.annotation import kept
from augcse.annotation.kept import kept_parses
from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.disk_cache import Store, cached

TEXTS = ["The old mill was built near a river.", "She doesn't come.", "", "  two  blanks\tand “quotes”  ", "Naïve café 今天 🙂."]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that reach the parser."""
    seen: list[str] = []

    def counting(texts: Iterable[str], parser: str) -> Iterator[Parse]:
        given = list(texts)
        seen.extend(given)
        return parse_sentences(given, parser)

    monkeypatch.setattr(kept, "parse_sentences", counting)
    return seen


def test_what_is_read_is_what_was_parsed(parsed: list[str]) -> None:
    expected = list(parse_sentences(TEXTS))
    assert kept_parses(TEXTS) == expected
    assert parsed == TEXTS
    assert kept_parses([*reversed(TEXTS), TEXTS[0]]) == [*reversed(expected), expected[0]]
    assert parsed == TEXTS


def test_a_new_text_alone_is_parsed(parsed: list[str]) -> None:
    kept_parses(TEXTS[:2])
    kept_parses(TEXTS[:3])
    assert parsed == TEXTS[:3]


def test_another_parser_has_parses_of_its_own(parsed: list[str]) -> None:
    kept_parses(TEXTS[:1])
    assert kept_parses(TEXTS[:1], "jieba")[0].language == "zh"
    assert parsed == [TEXTS[0], TEXTS[0]]


def test_off_keeps_nothing(parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", "off")
    assert kept_parses(TEXTS[:1]) == kept_parses(TEXTS[:1])
    assert parsed == [TEXTS[0], TEXTS[0]]


def test_a_changed_file_of_the_parser_is_another_parser(tmp_path: Path) -> None:
    folder = tmp_path / "pipeline"
    folder.mkdir()
    (folder / "meta.json").write_text("{}", "utf-8")
    before = kept._identity(str(folder))
    (folder / "meta.json").write_text('{"version": "2"}', "utf-8")
    kept._identity.cache_clear()
    assert kept._identity(str(folder)) != before


def test_a_full_file_makes_room(cache: Path) -> None:
    store = Store("bounded.sqlite3", limit_bytes=200_000)
    for start in range(0, 2_000, 100):
        cached({}, [str(number) for number in range(start, start + 100)], lambda texts: [text * 100 for text in texts], store)
    unbounded = 2_000 * 350
    assert (cache / store.file).stat().st_size < 250_000 < unbounded


def test_room_is_made_before_the_new_entries_are_written(cache: Path) -> None:
    store = Store("bounded.sqlite3", limit_bytes=1)
    computed: list[str] = []

    def compute(texts: list[str]) -> list[str]:
        computed.extend(texts)
        return texts

    assert cached({}, ["a"], compute, store) == ["a"]
    assert cached({}, ["b"], compute, store) == ["b"]
    assert cached({}, ["b"], compute, store) == ["b"]
    assert computed == ["a", "b"]
    assert disk_cache.cache_folder() == cache

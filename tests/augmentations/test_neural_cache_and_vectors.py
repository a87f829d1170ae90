"""The text cache notices damage; word vectors are exact, remembered and refused with the line that is wrong."""

from __future__ import annotations

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from augcse.augmentations.neural import vectors
from augcse.augmentations.neural.vectors import WordVectors, load_vectors
from augcse.augmentations.rules.model.translation import dips_gain
from augcse.disk_cache import cached, cached_once
from augcse.errors import UserError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Shout:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, texts: list[str]) -> list[str]:
        self.seen += texts
        return [text.upper() for text in texts]


def test_each_text_is_computed_once_and_then_read_from_disk() -> None:
    first, second = Shout(), Shout()
    assert cached({"rule": 1}, ["a", "b", "a"], first) == ["A", "B", "A"]
    assert first.seen == ["a", "b"]
    assert cached({"rule": 1}, ["b", "c"], second) == ["B", "C"]
    assert second.seen == ["c"]


def test_other_options_are_other_entries() -> None:
    cached({"beams": 1}, ["a"], Shout())
    again = Shout()
    cached({"beams": 2}, ["a"], again)
    assert again.seen == ["a"]


def test_what_takes_long_is_computed_by_one_while_others_wait(cache: Path) -> None:
    computed = []

    def compute() -> str:
        computed.append(threading.current_thread())
        time.sleep(0.3)
        return "A"

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda number: cached_once({}, "a", compute), range(4))) == ["A"] * 4
    assert len(computed) == 1
    assert cached({}, ["a"], Shout()) == ["A"]
    assert not list((cache / "locks").iterdir())


def test_off_keeps_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", "off")
    assert cached({}, ["a"], Shout()) == ["A"]
    assert not cache.exists()


@pytest.mark.parametrize(
    "damage", ["UPDATE texts SET payload = '\"X\"'", "UPDATE texts SET checksum = x'00'", "UPDATE texts SET payload = x'ff00'"]
)
def test_a_damaged_entry_is_computed_again_and_mended(cache: Path, damage: str) -> None:
    cached({}, ["a"], Shout())
    with sqlite3.connect(cache / "texts.sqlite3") as database:
        database.execute(damage)
    database.close()
    again, then = Shout(), Shout()
    assert cached({}, ["a"], again) == ["A"]
    assert again.seen == ["a"]
    cached({}, ["a"], then)
    assert then.seen == []


def test_an_entry_under_another_key_is_noticed(cache: Path) -> None:
    cached({}, ["a"], Shout())
    cached({}, ["b"], Shout())
    with sqlite3.connect(cache / "texts.sqlite3") as database:
        (one, _), (_, payload) = database.execute("SELECT key, payload FROM texts").fetchall()
        (checksum,) = database.execute("SELECT checksum FROM texts WHERE key != ?", (one,)).fetchone()
        database.execute("UPDATE texts SET payload = ?, checksum = ? WHERE key = ?", (payload, checksum, one))
    database.close()
    assert cached({}, ["a", "b"], Shout()) == ["A", "B"]


def test_a_file_that_is_no_database_is_replaced(cache: Path) -> None:
    cache.mkdir()
    (cache / "texts.sqlite3").write_bytes(b"no database at all, " * 100)
    assert cached({}, ["a"], Shout()) == ["A"]
    again = Shout()
    cached({}, ["a"], again)
    assert again.seen == []


def test_neighbours_are_those_of_a_plain_loop() -> None:
    table = np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    words = [f"w{number}" for number in range(60)]
    found = WordVectors(words, table).neighbours(words, 5)
    for row, word in enumerate(words):
        others = sorted((other for other in range(60) if other != row), key=lambda other: -float(table[row] @ table[other]))
        assert found[word] == [words[other] for other in others[:5]]


def test_bundled_neighbours_are_words_alike_and_none_is_everyones() -> None:
    near = load_vectors().neighbours(["church", "german", "quickly"], 5)
    assert "chapel" in near["church"]
    assert "french" in near["german"]
    assert "rapidly" in near["quickly"]


def test_a_vectors_file_is_kept_and_mapped(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("cat 1 0.1\ndog 0.9 0.2\ncar -1 0\n. . . 0 1\n", "utf-8")
    load_vectors.cache_clear()
    assert load_vectors(str(path)).neighbours(["cat"], 1) == {"cat": ["dog"]}
    [place] = (cache / "vectors").iterdir()
    assert vectors._open_saved(place) is not None
    (place / "words.json").write_text("[]", "utf-8")
    load_vectors.cache_clear()
    assert load_vectors(str(path)).neighbours(["cat"], 1) == {"cat": ["dog"]}
    load_vectors.cache_clear()


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("cat 1 2\ndog 1 x\n", "utf-8")
    with pytest.raises(UserError, match="line 2"):
        load_vectors(str(path))


def test_no_vectors_file() -> None:
    with pytest.raises(UserError, match="no vectors file"):
        load_vectors("/no/such/file")


@pytest.mark.parametrize(("fidelity", "best"), [(1.0, "the old man sold the house"), (0.0, "his home was bought by us")])
def test_fidelity_trades_likeness_for_difference(fidelity: float, best: str) -> None:
    candidates = ["the old man sold the house", "his home was bought by us"]
    assert max(candidates, key=lambda text: dips_gain("the old man sold his house", text, fidelity)) == best

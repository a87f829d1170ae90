"""A disk cache for the results of slow models and parsers: keyed by everything a result depends on, each entry with a checksum."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augcse.locks import one_at_a_time

# Increase this when a rule gives other results for the same options: it invalidates old entries.
VERSION = 1
_OFF = ("off", "none", "no", "false", "0", "")
_SCHEMA = "CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, payload TEXT NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID"
_WAIT_S = 30.0
_QUERY_KEYS = 500
# The folder of the locks of entries that are being computed.
_LOCKS = "locks"
# The minimum share of entries to remove from a full file. Keys are hashes, so that the smallest ones are a random sample.
_REMOVED_SHARE = 0.1


@dataclass(frozen=True)
class Store:
    """A cache file.

    Args:
        file: its name in the cache folder.
        limit_bytes: the maximum size; random entries are removed to make room for new ones. None: unlimited.
    """

    file: str
    limit_bytes: int | None = None


TEXTS = Store("texts.sqlite3")


def cache_folder() -> Path | None:
    """Return the cache folder: `AUGCSE_CACHE`, or ~/.cache/augcse; None if caching is switched off (`AUGCSE_CACHE=off`)."""
    configured = os.environ.get("AUGCSE_CACHE")
    if configured is not None and configured.strip().lower() in _OFF:
        return None
    return Path(configured).expanduser() if configured else Path.home() / ".cache" / "augcse"


def cached(
    identity: Mapping[str, Any], texts: Sequence[str], compute: Callable[[list[str]], Sequence[Any]], store: Store = TEXTS
) -> list[Any]:
    """Return `compute(texts)`, computing each distinct text at most once, and cached ones not at all.

    The key of an entry is the hash of `identity` (augmentation, options, checkpoint), `VERSION` and the text; its checksum covers key and
    payload, so that a damaged entry, or one under a wrong key, is computed again. All entries are written in one transaction.
    If the cache cannot be read or written (locked, full disk), results are computed without it.

    Args:
        identity: everything apart from the text that the result depends on, as JSON.
        texts: the inputs.
        compute: maps distinct inputs to one JSON value each, in order.
        store: the cache file.
    """
    distinct = list(dict.fromkeys(texts))
    folder = cache_folder()
    results: dict[str, Any] = {}
    if folder is not None and distinct:
        results = _read_results(folder / store.file, {_key(identity, text): text for text in distinct})
    missing = [text for text in distinct if text not in results]
    if missing:
        new = dict(zip(missing, compute(missing), strict=True))
        results.update(new)
        if folder is not None:
            _write_results(folder / store.file, {_key(identity, text): value for text, value in new.items()}, store.limit_bytes)
    return [results[text] for text in texts]


def cached_once(identity: Mapping[str, Any], text: str, compute: Callable[[], Any]) -> Any:
    """Return the result of `compute`, cached as by `cached`, which one of several processes computes while the others wait for it.

    For results that take longer to compute than to wait for; a process that is killed meanwhile does not keep the others waiting.

    Args:
        identity: everything apart from the text that the result depends on, as JSON.
        text: the text that the result is computed from.
        compute: returns the result, as JSON.
    """
    folder = cache_folder()
    if folder is None:
        return compute()
    with one_at_a_time(folder / _LOCKS / _key(identity, text).hex()):
        return cached(identity, [text], lambda missing: [compute()])[0]


def _key(identity: Mapping[str, Any], text: str) -> bytes:
    document = json.dumps([VERSION, identity, text], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(document.encode()).digest()


def _checksum(key: bytes, payload: str) -> bytes:
    return hashlib.blake2b(key + payload.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _read_results(path: Path, text_of: Mapping[bytes, str]) -> dict[str, Any]:
    """Return the intact results of the keys by text; fewer or {} if the file is missing, locked or damaged."""
    if not path.exists():
        return {}
    keys = list(text_of)
    results: dict[str, Any] = {}
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT_S)) as database:
            for start in range(0, len(keys), _QUERY_KEYS):
                queried = keys[start : start + _QUERY_KEYS]
                query = f"SELECT key, payload, checksum FROM texts WHERE key IN ({','.join('?' * len(queried))})"
                for key, payload, checksum in database.execute(query, queried):
                    if isinstance(payload, str) and _checksum(key, payload) == checksum:
                        results[text_of[key]] = json.loads(payload)
    except sqlite3.OperationalError:
        return results
    except sqlite3.DatabaseError:
        # A damaged database, which is replaced.
        path.unlink(missing_ok=True)
        return {}
    return results


def _write_results(path: Path, values: Mapping[bytes, Any], limit_bytes: int | None) -> None:
    """Write results by key in one transaction; do nothing if the file cannot be written."""
    rows = []
    for key, value in values.items():
        payload = json.dumps(value)
        rows.append((key, payload, _checksum(key, payload)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_WAIT_S)) as database, database:
            database.execute(_SCHEMA)
            if limit_bytes is not None:
                _make_room(database, sum(len(payload) for _, payload, _ in rows), limit_bytes)
            database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", rows)
    except (OSError, sqlite3.DatabaseError):
        return


def _make_room(database: sqlite3.Connection, new_bytes: int, limit_bytes: int) -> None:
    """Remove entries if the file would exceed its limit; SQLite reuses the freed pages."""
    pages, page_bytes, free = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size", "freelist_count"))
    used = (pages - free) * page_bytes
    if used + new_bytes <= limit_bytes:
        return
    entries = database.execute("SELECT COUNT(*) FROM texts").fetchone()[0]
    share = max(_REMOVED_SHARE, (used + new_bytes - limit_bytes) / used)
    removed = math.ceil(entries * min(share, 1.0))
    database.execute("DELETE FROM texts WHERE key IN (SELECT key FROM texts ORDER BY key LIMIT ?)", (removed,))

"""Statistics of a store: rows, distinct rows, truncated rows, and how often each augmentation made each view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from augcse.training.store.views import AUGMENTED, FilledView, Ids, Slot

UNCHANGED = "no augmentation"


class StoreStatistics:
    """Counts rows while a store is written, for its description."""

    def __init__(self, max_len_tokens: int) -> None:
        self.rows = 0
        self.dropped = 0
        self._max_len_tokens = max_len_tokens
        self._at_max_len = 0
        self._distinct = _DistinctCounter()
        self._drawn: dict[str, Counter[str]] = {}

    def add(self, originals: Sequence[Ids], filled: Mapping[str, Sequence[FilledView]], dropped: int = 0) -> None:
        """Count rows that are stored, and the number of those that were dropped."""
        self.dropped += dropped
        self.rows += len(originals)
        self._distinct.add(originals)
        self._at_max_len += sum(len(ids) >= self._max_len_tokens for ids in originals)
        for view, rows in filled.items():
            self._drawn.setdefault(view, Counter()).update(row.name or UNCHANGED for row in rows)

    def report(self, slots: Sequence[Slot]) -> dict[str, Any]:
        """Return the counts for the store's description."""
        counts = {slot.view: {name: self._drawn.get(slot.view, Counter())[name] for name in (*slot.names(), UNCHANGED)} for slot in slots}
        return {
            "distinct": self._distinct.count(),
            "at_max_len": self._at_max_len,
            "dropped": self.dropped,
            "label_counts": counts.pop(AUGMENTED, {}),
            "view_counts": counts,
        }


class _DistinctCounter:
    """Counts distinct token sequences by 64-bit hash: 8 bytes a row."""

    def __init__(self) -> None:
        self._hashes: list[np.ndarray] = []

    def add(self, sequences: Sequence[Sequence[int]]) -> None:
        self._hashes.append(np.fromiter((hash(tuple(ids)) for ids in sequences), dtype=np.int64, count=len(sequences)))

    def count(self) -> int:
        return len(np.unique(np.concatenate(self._hashes))) if self._hashes else 0

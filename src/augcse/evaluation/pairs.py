"""Graded sentence pairs: score TAB sentence1 TAB sentence2, with or without a header, further columns ignored."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

from augcse.errors import UserError


@dataclass(frozen=True, slots=True)
class Pairs:
    """Graded pairs; the three lists have one entry per pair."""

    scores: list[float]
    first: list[str]
    second: list[str]

    def __len__(self) -> int:
        return len(self.scores)

    def sentences(self) -> list[str]:
        """Return all sentences, repeated ones included."""
        return [*self.first, *self.second]


def read_pairs(path: Path) -> Pairs:
    """Read graded pairs. White space is normalised as SentEval does (split, joined by one blank).

    Raises:
        UserError: a missing file, a line without three columns, or a score that is not a number, with file and line.
    """
    if not path.is_file():
        raise UserError(f"no file {path}; graded pairs are lines of score TAB sentence TAB sentence")
    pairs = Pairs([], [], [])
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        columns = line.rstrip("\r").split("\t")
        if len(columns) < 3:
            raise UserError(f"{path}, line {number}: {len(columns)} columns; expected score TAB sentence TAB sentence")
        score = _score(columns[0])
        if score is None:
            if number == 1:
                continue
            raise UserError(f"{path}, line {number}: the score {columns[0]!r} is not a number")
        pairs.scores.append(score)
        pairs.first.append(" ".join(columns[1].split()))
        pairs.second.append(" ".join(columns[2].split()))
    if len(pairs) < 2:
        raise UserError(f"{path}: {len(pairs)} graded pairs; a correlation needs at least two")
    return pairs


def pairs_sha256(pairs: Pairs) -> str:
    """Return the SHA-256 of score TAB sentence TAB sentence LF, in UTF-8, over the pairs; a score as the shortest that reads the same."""
    digest = hashlib.sha256()
    for score, first, second in zip(pairs.scores, pairs.first, pairs.second, strict=True):
        digest.update(f"{score!r}\t{first}\t{second}\n".encode())
    return digest.hexdigest()


def _score(text: str) -> float | None:
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) else None

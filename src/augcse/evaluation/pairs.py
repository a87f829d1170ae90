"""Graded sentence pairs: score TAB sentence1 TAB sentence2, with or without a header, further columns ignored; and SentEval's layouts.

SentEval (senteval/sts.py, in SimCSE's version) has the pairs of STS12 to STS16 and their scores in two files, line by line, an empty score
meaning that the pair was not graded; those of STS Benchmark and SICK in one table each. Their sentences are tokenised by Moses.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

from augcse.errors import UserError
from augcse.evaluation.senteval_files import SentEvalFiles


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
    """Read graded pairs. White space is normalised as in SentEval (split, joined by one space).

    Raises:
        UserError: a missing file, a line without three columns, or a score that is not a number, with file and line.
    """
    if not path.is_file():
        raise UserError(f"no file {path}; give a file with lines of score TAB sentence TAB sentence")
    return _parsed_pairs(path, path.read_bytes(), (0, 1, 2), "score TAB sentence TAB sentence")


def read_senteval_pairs(files: SentEvalFiles, name: str) -> Pairs:
    """Read graded pairs from SentEval's own files, e.g. `STS/STS12-en-test/STS.input.MSRpar.txt`. Raises `UserError` as `read_pairs`."""
    path, content = files.path / name, files.read(name)
    if name.startswith("SICK/"):
        return _parsed_pairs(path, content, (3, 1, 2), "id TAB sentence TAB sentence TAB score")
    if name.startswith("STS/STSBenchmark/"):
        return _parsed_pairs(path, content, (4, 5, 6), "genre TAB file TAB year TAB id TAB score TAB sentence TAB sentence")
    _, scores = senteval_pair_files(name)
    sentence_lines, score_lines = _decoded_lines(path, content), _decoded_lines(files.path / scores, files.read(scores))
    if len(sentence_lines) != len(score_lines):
        lengths = f"{len(sentence_lines):,} lines, {files.path / scores} {len(score_lines):,}"
        raise UserError(f"{path} has {lengths}; line by line they belong together")
    graded = [f"{score}\t{pair}" if score.strip() else "" for score, pair in zip(score_lines, sentence_lines, strict=True)]
    return _parsed_pairs(path, "\n".join(graded).encode(), (0, 1, 2), f"sentence TAB sentence, and a score in {Path(scores).name}")


def senteval_pair_files(name: str) -> tuple[str, ...]:
    """Return the files of SentEval with the pairs that `name` stands for: a table, or the sentences and the scores.

    >>> senteval_pair_files("STS/STS12-en-test/STS.input.MSRpar.txt")[1], len(senteval_pair_files("SICK/SICK_trial.txt"))
    ('STS/STS12-en-test/STS.gs.MSRpar.txt', 1)
    """
    return tuple(dict.fromkeys((name, name.replace("STS.input.", "STS.gs."))))


def _parsed_pairs(path: Path, content: bytes, order: tuple[int, int, int], expected: str) -> Pairs:
    """Read lines whose columns `order` are score, sentence and sentence; blank lines count only in the numbering."""
    pairs = Pairs([], [], [])
    for number, line in enumerate(_decoded_lines(path, content), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) <= max(order):
            raise UserError(f"{path}, line {number}: {len(columns)} columns; expected {expected}")
        score = parse_score(columns[order[0]])
        if score is None:
            if number == 1:
                continue
            raise UserError(f"{path}, line {number}: the score {columns[order[0]]!r} is not a number; expected {expected}")
        pairs.scores.append(score)
        pairs.first.append(" ".join(columns[order[1]].split()))
        pairs.second.append(" ".join(columns[order[2]].split()))
    if len(pairs) < 2:
        raise UserError(f"{path}: {len(pairs)} graded pairs; a correlation needs at least two")
    if len(set(pairs.scores)) == 1:
        raise UserError(f"{path}: all scores are {pairs.scores[0]:g}; a correlation needs different ones")
    return pairs


def _decoded_lines(path: Path, content: bytes) -> list[str]:
    try:
        return [line.removesuffix("\r") for line in content.decode("utf-8").removesuffix("\n").split("\n")]
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8: {error.reason} at byte {error.start}; convert the file to UTF-8") from error


def pairs_sha256(pairs: Pairs) -> str:
    """Return the SHA-256 of score TAB sentence TAB sentence LF, in UTF-8, over the pairs; scores in their shortest exact form."""
    digest = hashlib.sha256()
    for score, first, second in zip(pairs.scores, pairs.first, pairs.second, strict=True):
        digest.update(f"{score!r}\t{first}\t{second}\n".encode())
    return digest.hexdigest()


def parse_score(text: str) -> float | None:
    """Return a finite number, or None if the text is not one. Underscores between digits, which Python allows, are refused.

    >>> parse_score(" 4.5"), parse_score("1_0"), parse_score("inf")
    (4.5, None, None)
    """
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) and "_" not in text else None

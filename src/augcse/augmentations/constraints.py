"""Constraints on a changed text: how many words may change, which must stay, how similar it must be; else the sentence stays as it was.

After TextAttack's constraints. Each is a composition of one member, so that it can be written wherever an augmentation is named:
`largest_change(0.3, RandomSwap)`.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from augcse.augmentations.option_types import ModelName
from augcse.augmentations.word_diff import changed_share
from augcse.corpus.lines import decoded_lines
from augcse.corpus.scripts import UNSPACED
from augcse.errors import UserError
from augcse.files import refuse_pipe, reported_read
from augcse.options import FileName, Share

Texts = Sequence[str]
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")


@functools.lru_cache(maxsize=4)
def _words_pattern(file: str) -> re.Pattern[str]:
    """Read a file of words or phrases, one on each line; raises `UserError` for a pipe, and for a file that cannot be read or is empty."""
    with reported_read():
        path = Path(file).expanduser()
        refuse_pipe(path, path.stat().st_mode, "a list of words")
    words = {" ".join(line.casefold().split()) for _, line in decoded_lines(path, "strict") if line.strip()}
    if not words:
        raise UserError(f"{file} contains no word; give one word or phrase on each line")
    # Of two that begin alike the longer one is looked for first.
    return re.compile("|".join(_bounded(word) for word in sorted(words, key=lambda word: (-len(word), word))))


def _bounded(word: str) -> str:
    """Return the pattern of a word or phrase that is not part of a longer word; scripts without spaces show no such bounds."""
    start = "" if _UNSPACED_LETTER.match(word[0]) else r"(?<!\w)"
    end = "" if _UNSPACED_LETTER.match(word[-1]) else r"(?!\w)"
    return start + re.escape(word).replace(r"\ ", r"\s+") + end


def check_words_file(file: str) -> str:
    """Return the path of a file of words; raises `UserError` for a pipe, and for a file that cannot be read or is empty."""
    _words_pattern(file)
    return file


WordsFile = Annotated[
    str, AfterValidator(check_words_file), FileName(), Field(description="a text file with a word or phrase on each line")
]


def largest_change(old: Texts, new: Texts, *, share: Share) -> list[bool]:
    """Leave a sentence as it is where more than this share of its words would be deleted, inserted or replaced."""
    return [changed_share(before, after) <= share for before, after in zip(old, new, strict=True)]


def keep_words(old: Texts, new: Texts, *, file: WordsFile) -> list[bool]:
    """Leave a sentence as it is where a word of the file, in any case, would occur in it more or less often than before; it may move."""
    pattern = _words_pattern(file)
    return [_word_counts(pattern, before) == _word_counts(pattern, after) for before, after in zip(old, new, strict=True)]


def _word_counts(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(" ".join(word.split()) for word in pattern.findall(text.casefold()))


def smallest_similarity(old: Texts, new: Texts, *, cosine: Share, model: ModelName) -> list[bool]:
    """Leave a sentence as it is where its cosine with the new one under this model would be below `cosine`."""
    from augcse.augmentations.neural.similarity import cosines

    return [similarity >= cosine for similarity in cosines(old, new, model)]

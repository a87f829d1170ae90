"""What a changed text must fulfil: how many words changed, which words stayed, how alike it is. A text that does not is left as it was.

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
from augcse.corpus.scripts import UNSPACED
from augcse.errors import UserError
from augcse.files import refuse_pipe, reported_read
from augcse.options import FileName, Share

Texts = Sequence[str]
_UNBOUNDED = re.compile(f"[{UNSPACED}]")


@functools.lru_cache(maxsize=4)
def _pattern(file: str) -> re.Pattern[str]:
    """Read a file of words or phrases, one on each line; raises `UserError` for a pipe, and one that cannot be read or is empty."""
    try:
        with reported_read():
            path = Path(file).expanduser()
            refuse_pipe(path, path.stat().st_mode, "a list of words")
            lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not UTF-8; save it as UTF-8, one word or phrase on each line") from error
    words = {" ".join(line.casefold().split()) for line in lines if line.strip()}
    if not words:
        raise UserError(f"{file} holds no word; give one word or phrase on each line")
    # Of two that begin alike the longer one is looked for first.
    return re.compile("|".join(_bounded(word) for word in sorted(words, key=lambda word: (-len(word), word))))


def _bounded(word: str) -> str:
    before, after = ("" if _UNBOUNDED.match(edge) else bound for edge, bound in ((word[0], r"(?<!\w)"), (word[-1], r"(?!\w)")))
    return before + re.escape(word).replace(r"\ ", r"\s+") + after


def check_words_file(file: str) -> str:
    """Return the path of a file of words; raises `UserError` for a pipe, and one that cannot be read or is empty."""
    _pattern(file)
    return file


WordsFile = Annotated[
    str, AfterValidator(check_words_file), FileName(), Field(description="a text file with a word or phrase on each line")
]


def largest_change(old: Texts, new: Texts, *, share: Share) -> list[bool]:
    """Leave a sentence as it is where more than this share of its words would be deleted, inserted or replaced."""
    return [changed_share(before, after) <= share for before, after in zip(old, new, strict=True)]


def keep_words(old: Texts, new: Texts, *, file: WordsFile) -> list[bool]:
    """Leave a sentence as it is where a word of the file, in any case, would come to stand in it more or less often; it may move."""
    pattern = _pattern(file)
    return [_count(pattern, before) == _count(pattern, after) for before, after in zip(old, new, strict=True)]


def _count(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(" ".join(word.split()) for word in pattern.findall(text.casefold()))


def smallest_similarity(old: Texts, new: Texts, *, cosine: Share, model: ModelName) -> list[bool]:
    """Leave a sentence as it is where the cosine of it and the new one under this model would be below `cosine`."""
    from augcse.augmentations.neural.similarity import cosines

    return [found >= cosine for found in cosines(old, new, model)]

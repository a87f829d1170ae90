"""Open a lexicon by name, once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import unknown_name
from augcse.lexicon.base import Lexicon
from augcse.lexicon.wndb import WndbLexicon
from augcse.resources import LEXICON

if TYPE_CHECKING:
    from augcse.lexicon.compact import CompactLexicon

BUNDLED_LEXICON = "bundled"
_FOLDER = "wndb:"


@lru_cache(maxsize=4)
def open_lexicon(name: str = BUNDLED_LEXICON) -> Lexicon:
    """Open "bundled", or "wndb:FOLDER" for a folder of Princeton WordNet database files.

    Raises:
        UserError: another name, or files that are missing, damaged, or of another kind.

    >>> open_lexicon().lemmas("mice", "n")
    ('mouse',)
    """
    if name.startswith(_FOLDER):
        return WndbLexicon(Path(name.removeprefix(_FOLDER)).expanduser())
    if name != BUNDLED_LEXICON:
        raise unknown_name("lexicon", name, (BUNDLED_LEXICON, f"{_FOLDER}FOLDER"))
    return bundled_lexicon()


@lru_cache(maxsize=1)
def bundled_lexicon() -> CompactLexicon:
    """Open the bundled lexicon, which also knows how common words are."""
    # Rules name the lexicon when they are listed; numpy, which it is read with, is needed only here.
    from augcse.lexicon.compact import CompactLexicon

    return CompactLexicon(LEXICON)

"""Open a lexicon by name, once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import UserError, unknown_name
from augcse.lexicon.base import Lexicon
from augcse.lexicon.wndb import WndbLexicon
from augcse.resources import LEXICON

if TYPE_CHECKING:
    from augcse.lexicon.compact import CompactLexicon

BUNDLED_LEXICON = "bundled"
FOLDER = "wndb:"


def check_lexicon_name(name: str) -> str:
    """Return a lexicon's name; raises `UserError` unless it is "bundled" or "wndb:FOLDER" with an existing folder."""
    if name == BUNDLED_LEXICON:
        return name
    if not name.startswith(FOLDER):
        raise unknown_name("lexicon", name, (BUNDLED_LEXICON, f"{FOLDER}FOLDER"))
    if not _folder(name).is_dir():
        raise UserError(f"no folder {_folder(name)}; give {FOLDER}FOLDER with WordNet's files, or {BUNDLED_LEXICON}")
    return name


@lru_cache(maxsize=4)
def open_lexicon(name: str = BUNDLED_LEXICON) -> Lexicon:
    """Open "bundled", or "wndb:FOLDER" for a folder of Princeton WordNet database files.

    Raises:
        UserError: an unknown name, or files that are missing, damaged or in another format.

    >>> open_lexicon().lemmas("mice", "n")
    ('mouse',)
    """
    check_lexicon_name(name)
    return bundled_lexicon() if name == BUNDLED_LEXICON else WndbLexicon(_folder(name))


@lru_cache(maxsize=1)
def bundled_lexicon() -> CompactLexicon:
    """Open the bundled lexicon, which also knows how common words are."""
    # Listing the rules imports this module, and must not import numpy, which the compact lexicon needs.
    from augcse.lexicon.compact import CompactLexicon

    return CompactLexicon(LEXICON)


def _folder(name: str) -> Path:
    return Path(name.removeprefix(FOLDER)).expanduser()

"""A text as word pieces with their character spans, and back: outside the edited sites it stays as it is, byte for byte."""

from __future__ import annotations

import functools
import json
import math
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

from augcse.augmentations.english.capitals import spelling
from augcse.augmentations.text.edits import Edit, capitalise
from augcse.augmentations.text.tables import data_rows
from augcse.errors import UserError
from augcse.model_folder import model_folder

# The kinds of vocabulary entries; a piece is only ever replaced by one of the same kind.
FORBIDDEN, WORD, CONTINUATION, NUMBER, PUNCTUATION, PAUSE, STOP, DIGITS = range(8)
_PAUSES, _STOPS = ",;:", ".!?"
_FRAGMENTS = Path(__file__).with_name("mini_bert_fragments.txt")
ARTICLES = ("a", "an", "the")
_SINGLE_LETTERS = ("a", "i")
_FINAL_DOT = re.compile(r"\.[.\"'”’)\]»\s]*\Z")
# A word that no mark joins to a neighbour; a dot may follow only at the end of the text.
_FREE_WORD = re.compile(rf"(?<![\w'’‐–/@&.,-])[^\W\d_]+(?![\w@\u0300-\u036f]|['’‐–/&,.-][^\W_]|(?!{_FINAL_DOT.pattern})\.)")
_ALNUM = re.compile(r"[^\W_]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIRED = frozenset("\"'“”‘’«»„()[]{}")
_BONDS = frozenset("'’-‐–/&.,:_@")


@dataclass(frozen=True, slots=True)
class Site:
    """A place to edit: pieces `first` up to `stop` (none for an insertion), `text[start:end]`, become a piece of `kind`."""

    first: int
    stop: int
    start: int
    end: int
    kind: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one text, without special tokens: ids, kinds, character spans, and the number of the word that each belongs to."""

    text: str
    ids: list[int]
    kinds: list[int]
    spans: list[tuple[int, int]]
    words: list[int]

    def __len__(self) -> int:
        return len(self.ids)

    def piece_sites(self) -> list[Site]:
        """Return one site per piece that has a kind: words, numbers, punctuation, and parts of words."""
        spans = zip(self.kinds, self.spans, strict=True)
        return [Site(i, i + 1, start, end, kind) for i, (kind, (start, end)) in enumerate(spans) if kind != FORBIDDEN]

    def replaceable_sites(self) -> list[Site]:
        """Return one site per piece that another piece of its kind can replace.

        Of the marks these are commas, semicolons and colons with a space after them, and the mark that ends the text. Words before a dot
        (abbreviations) stay, and so does the first piece of a longer word or number, which would be joined to its other pieces ("thes").
        """
        continued = {index for index, (word, next_word) in enumerate(pairwise(self.words)) if word == next_word}
        sites = [site for site in self.piece_sites() if site.kind not in (WORD, NUMBER) or site.first not in continued]
        return [site for site in sites if _is_replaceable(self.text, site)]

    def separable_sites(self) -> list[Site]:
        """Return one site per piece that can be deleted alone: no quote or bracket, nothing joined to a neighbour ("1,000", "Congo's")."""
        return [site for site in self.piece_sites() if not _is_joined(self.text, site.start, site.end)]

    def word_sites(self) -> list[Site]:
        """Return the free-standing words: letters only, not joined to a neighbour by an apostrophe, a hyphen or a dot."""
        sites = []
        for _, of_word in groupby(range(len(self)), self.words.__getitem__):
            indices = list(of_word)
            start, end = self.spans[indices[0]][0], self.spans[indices[-1]][1]
            word = _FREE_WORD.match(self.text, start)
            if word is not None and word.end() == end and word[0].isalpha():
                sites.append(Site(indices[0], indices[-1] + 1, start, end, WORD))
        return sites

    def gap_sites(self) -> list[Site]:
        """Return the gaps between two pieces that are white space in the text, where a word can be inserted."""
        gaps = enumerate(pairwise(self.spans), 1)
        return [Site(index, index, end, end, WORD) for index, ((_, end), (start, _)) in gaps if self.text[end:start].isspace()]


class WordPieces:
    """The word pieces of a BERT-like tokenizer and their kinds."""

    def __init__(self, tokenizer: Any, fragments: Container[str] = ()) -> None:
        self.tokenizer = tokenizer
        size = max(tokenizer.get_vocab(with_added_tokens=True).values()) + 1
        self.pieces: list[str] = [tokenizer.id_to_token(number) or "" for number in range(size)]
        special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
        self.kinds = [FORBIDDEN if piece in special else kind_of(piece) for piece in self.pieces]
        self._fragments = fragments
        # Pieces of a cased vocabulary already have their capitals; for a lower-cased one `spelling` gives them.
        self._is_cased = any(kind == WORD and not piece.islower() for piece, kind in zip(self.pieces, self.kinds, strict=True))
        self.mask, self.pad, self.first, self.last = (self._special(name) for name in ("[MASK]", "[PAD]", "[CLS]", "[SEP]"))

    @functools.cached_property
    def writable(self) -> list[int]:
        """The kinds, but FORBIDDEN for words that may not be written: fragments, which only begin words, and words of unknown spelling."""
        is_known = [piece not in self._fragments and (self._is_cased or spelling(piece) is not None) for piece in self.pieces]
        return [FORBIDDEN if kind == WORD and not known else kind for kind, known in zip(self.kinds, is_known, strict=True)]

    def spell(self, word: str) -> str:
        """Return a word as it is written inside a sentence: "Paris" for the "paris" of a lower-cased vocabulary."""
        return word if self._is_cased else spelling(word) or word

    def split(self, texts: Sequence[str]) -> list[Pieces]:
        """Split texts into pieces."""
        # The tokenizer takes no lone surrogates; their substitute has the same length, so that spans stay.
        plain = [text if text.isascii() else _SURROGATE.sub("\ufffd", text) for text in texts]
        coded = self.tokenizer.encode_batch(plain, add_special_tokens=False)
        kinds = self.kinds
        return [
            Pieces(text, one.ids, [kinds[number] for number in one.ids], one.offsets, one.word_ids)
            for text, one in zip(texts, coded, strict=True)
        ]

    def _special(self, name: str) -> int:
        number: int | None = self.tokenizer.token_to_id(name)
        if number is None:
            raise UserError(f"the model's tokenizer has no {name}; give a BERT-like masked language model (word pieces), e.g. mini-bert")
        return number


@functools.lru_cache(maxsize=4)
def load_vocabulary(model: str) -> WordPieces:
    """Load the tokenizer of a masked language model, without its weights; raises `UserError` if it has none of word pieces."""
    from tokenizers import Tokenizer

    folder = model_folder(model, weights=False)
    try:
        text = (folder / "tokenizer.json").read_text("utf-8")
        json.loads(text)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:160]
        raise UserError(f"no tokenizer.json of {model}: {reason}; give a local folder in its place: model=/path/to/folder") from error
    tokenizer = Tokenizer.from_str(text)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    fragments = [word for [word] in data_rows(_FRAGMENTS)] if model == "mini-bert" else ()
    return WordPieces(tokenizer, frozenset(fragments))


def kind_of(piece: str) -> int:
    """Return the kind of a vocabulary entry.

    >>> kind_of("cat"), kind_of("##ing"), kind_of("1998"), kind_of("("), kind_of(","), kind_of("."), kind_of("[MASK]"), kind_of("q")
    (1, 2, 3, 4, 5, 6, 0, 0)
    """
    if piece.startswith("##") and len(piece) > 2:
        if piece[2:].isdecimal():
            return DIGITS
        return CONTINUATION if piece[2:].isalnum() else FORBIDDEN
    if piece.isalpha():
        return WORD if len(piece) > 1 or piece in _SINGLE_LETTERS else FORBIDDEN
    if piece.isdecimal():
        return NUMBER
    if len(piece) != 1:
        return FORBIDDEN
    if piece in _PAUSES:
        return PAUSE
    if piece in _STOPS:
        return STOP
    return PUNCTUATION if unicodedata.category(piece).startswith("P") else FORBIDDEN


def share(rate: float, count: int) -> int:
    """Return `rate * count`, rounded half up, at least one unless the rate is 0."""
    return min(count, max(1, math.floor(rate * count + 0.5))) if rate > 0 and count else 0


def draw(sites: Sequence[Site], number: int, rng: Random) -> list[Site]:
    """Draw `number` sites without replacement, in text order."""
    return sorted(rng.sample(sites, min(number, len(sites))), key=lambda site: (site.first, site.start))


def _is_replaceable(text: str, site: Site) -> bool:
    """Return whether another piece of its kind can replace the piece at a site; see `Pieces.replaceable_sites`."""
    after = text[site.end : site.end + 1]
    if site.kind in (PUNCTUATION, PAUSE):
        return site.kind == PAUSE and after.isspace()
    if site.kind == STOP:
        return text[max(0, site.start - 1) : site.start] not in _STOPS and not text[site.end :].strip("\"'”’)]» \t")
    # A dot inside the text may belong to the word ("Lt. Col."), and so does a mark that joins ("they're", "john.smith@mail.com").
    is_abbreviated = after == "." and not ends_with_dot(text, site.end)
    return not is_abbreviated and not _is_joined(text, site.start, site.end)


def _is_joined(text: str, start: int, end: int) -> bool:
    """Return whether the piece is half of a pair, a dot inside the text, or joined by a mark to a neighbour, or itself such a mark."""
    piece = text[start:end]
    if piece in _PAIRED or (piece == "." and not ends_with_dot(text, start)):
        return True
    if piece.isdecimal():  # what counts are the neighbours of the whole number: "56" in "560,000"
        while text[start - 1 : start].isdecimal():
            start -= 1
        while text[end : end + 1].isdecimal():
            end += 1
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if not piece.isalnum():
        return before[-1:].isalnum() and after[:1].isalnum()
    return (before[-1:] in _BONDS and before[:-1].isalnum()) or (after[:1] in _BONDS and after[1:].isalnum())


def ends_with_dot(text: str, index: int) -> bool:
    """Return whether the text ends with the dot at `index`."""
    return _FINAL_DOT.match(text, index) is not None


def edits_of(pieces: Pieces, chosen: Iterable[tuple[Site, str]], spell: Callable[[str], str]) -> list[Edit]:
    """Return the edits that write the chosen pieces into the text; `spell` gives a word the capital that it has everywhere."""
    edits = []
    for site, piece in chosen:
        old = pieces.text[site.start : site.end]
        new = _in_case(pieces, site, old, piece.removeprefix("##"), spell)
        edits.append(Edit(site.start, site.end, new if site.first < site.stop else " " + new))
    return edits


def _in_case(pieces: Pieces, site: Site, old: str, new: str, spell: Callable[[str], str]) -> str:
    """Return the new piece in the case of the old one; a capital that only a name has is not carried over."""
    if site.kind != WORD:
        return new.upper() if old.isupper() else new
    spelled = spell(new)
    if pieces.text.isupper():
        return spelled.upper()
    is_first = not _ALNUM.search(pieces.text, 0, site.start)
    opens = is_first or pieces.text[max(0, site.start - 4) : site.start].rstrip()[-1:] in ('"', "“", ".", "!", "?")
    return capitalise(spelled) if old[:1].isupper() and (opens or pieces.text.istitle()) else spelled

"""What a masked language model says of proposals: how probable it finds the new word where the old one stands, in one pass a sentence.

Nothing is masked, so that the model still sees the old word: what it finds probable is near in meaning too (Zhou et al. 2019). A word of
several pieces is judged by its first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from augcse.annotation.parse import Parse
from augcse.augmentations.judge.proposal import Proposal
from augcse.augmentations.neural.masked import load_masked
from augcse.augmentations.neural.wordpiece import Pieces, WordPieces


def fluencies(model: str, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
    """Return, per sentence, the log probability of each proposal's new word (of "lung cancer" the first) in its place."""
    masked = load_masked(model)
    pieces = masked.vocabulary.split([parse.text for parse in parses])
    wanted = [
        [(_piece_at(text, parse.starts[proposal.token]), _first_piece(masked.vocabulary, proposal.pair.form)) for proposal in some]
        for text, parse, some in zip(pieces, parses, proposals, strict=True)
    ]
    return masked.expectations(pieces, wanted)


def _piece_at(text: Pieces, start: int) -> int:
    return max(0, bisect_right(text.spans, start, key=lambda span: span[0]) - 1)


def _first_piece(vocabulary: WordPieces, form: str) -> int:
    (pieces,) = vocabulary.split([form])
    return pieces.ids[0]

"""How far the bundled parser doubted its reading of a sentence, token by token.

A transition parser reads from left to right. Step by step it decides what becomes of the token on top of its stack: which word it depends
on, by which label, or that more has to be read first. Where two readings compete, as in "saw the man with the telescope", the decision is
less probable. The parser itself continues with the most probable one and does not keep the probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import BUNDLED_PARSER, MAX_CHARACTERS, load_pipeline, tokens_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH_TEXTS = 128
Doubts = dict[int, float]


def parser_doubts(texts: Iterable[str]) -> Iterator[Doubts]:
    """Yield, per text, the doubt of each token by the offset of its first character; tokens without any are left out.

    The doubt is the sum of -log p over the steps at which the token was on top of the stack, where p is the probability of the most
    probable decision (a natural logarithm; 0 means certain). It does not depend on the other texts. A text over `MAX_CHARACTERS` has none.
    """
    pipeline = load_pipeline(BUNDLED_PARSER)
    vectors, parser = pipeline.get_pipe("tok2vec"), pipeline.get_pipe("parser")
    pending = iter(texts)
    while batch := list(islice(pending, _BATCH_TEXTS)):
        tokenised = [tokens_of(pipeline, text if len(text) <= MAX_CHARACTERS else "") for text in batch]
        docs = [doc for doc, _ in tokenised]
        vectors.set_annotations(docs, vectors.predict(docs))
        for (_, starts), doubt_of in zip(tokenised, _doubts_by_token(docs, parser), strict=True):
            yield {starts[token]: doubt for token, doubt in doubt_of.items()}


def doubt_at(parse: Parse, doubts: Doubts, indices: Iterable[int]) -> float:
    """Return the sum of the doubts of some tokens of a parse; those of another pipeline that begin elsewhere count as certain."""
    return sum(doubts.get(parse.starts[index], 0.0) for index in indices)


def _doubts_by_token(docs: list[Doc], parser: Any) -> list[dict[int, float]]:
    """Run the parser step by step over all texts at once; return, per text, the doubt of each token."""
    import numpy as np

    doubt_of_token: list[dict[int, float]] = [{} for _ in docs]
    decisions = parser.model.predict(docs)
    states = parser.moves.init_batch(docs)
    unfinished = [(row, state) for row, state in enumerate(states) if not state.is_final()]
    while unfinished:
        states = [state for _, state in unfinished]
        scores = decisions.predict(states)
        doubts = np.log(np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)).tolist()
        for (row, state), doubt in zip(unfinished, doubts, strict=True):
            top = state.S(0)
            if top >= 0:
                doubt_of_token[row][top] = doubt_of_token[row].get(top, 0.0) + doubt
        parser.transition_states(states, scores)
        unfinished = [(row, state) for row, state in unfinished if not state.is_final()]
    return doubt_of_token

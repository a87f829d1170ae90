"""Whether the parser reads a sentence with the new word as it read it with the old one: the same labels and parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.judge.proposal import Proposal
from augcse.augmentations.text.edits import match_case


def read_alike(parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
    """Return, per sentence, the proposals with which the bundled parser reads it alike; each sentence is parsed once per proposal."""
    texts = [_with(parse, proposal) for parse, some in zip(parses, proposals, strict=True) for proposal in some]
    read = parse_sentences(texts)
    return [
        [proposal for proposal in some if _is_read_alike(parse, next(read), proposal.token)]
        for parse, some in zip(parses, proposals, strict=True)
    ]


def _with(parse: Parse, proposal: Proposal) -> str:
    start, end = parse.span(proposal.token)
    return f"{parse.text[:start]}{match_case(parse.tokens[proposal.token], proposal.pair.form)}{parse.text[end:]}"


def _is_read_alike(old: Parse, new: Parse, token: int) -> bool:
    """Tell whether all words have kept their labels and parts of speech; of a new term the last word stands for the old word."""
    after = len(old) - token
    return all(
        column(old)[:token] == column(new)[:token] and column(old)[token:] == column(new)[len(new) - after :]
        for column in (attrgetter("deps"), attrgetter("upos"))
    )

"""The judge: how plausible each proposal is, from all evidence at once, by weights fitted to graded proposals.

    judge = open_judge("lexical")
    kept = judge.keep(parses, proposals)     # both one entry per sentence

The evidence of a proposal is that of its pair of words (sense order on both sides, similarity of the two, how common they are; kept per
pair) and that of its place (how well either word goes with what stands around; with a masked language model, which of the two it rather
expects there). A logistic regression per relation weighs them (scripts/fit_judge.py; weights.json): what reaches the relation's
threshold is kept. A proposal's probability depends on nothing but its sentence and itself.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, log1p
from pathlib import Path
from typing import Protocol

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import is_beside_noun
from augcse.augmentations.judge.proposal import Proposal, Senses
from augcse.augmentations.judge.words import UNKNOWN, word_contexts

WEIGHTS = Path(__file__).with_name("weights.json")
NO_JUDGE, LEXICAL = "none", "lexical"
# What the evidence of a pair and of a place is called in weights.json, in the order of `pair_evidence` and `place_evidence`.
PAIR = ("old rank", "new rank", "secondary", "log old senses", "log new senses", "steps", "similarity", "log ratio of counts", "unknown")
PLACE = ("before", "after", "near", "beside a noun")
FLUENCY = "fluency"
_MOST_RANK = 3
_MOST_FIT, _MOST_RATIO = 3.0, 5.0
_ROUNDING = 1e-9


class Judge(Protocol):
    """What keeps the plausible ones of a rule's proposals."""

    def keep(self, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """Return, per sentence, its plausible proposals in their order."""


class Everything:
    """Keeps every proposal."""

    def keep(self, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """Return all proposals."""
        return [list(some) for some in proposals]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one relation: `bias` and one number per piece of evidence; `threshold` is the least probability that is kept."""

    bias: float
    pair: tuple[float, ...]
    place: tuple[float, ...]
    fluency: float
    threshold: float

    def logit(self, pair: Sequence[float], place: Sequence[float], fluency: float = 0.0) -> float:
        """Return the weighted sum of the evidence."""
        return self.bias + _dot(self.pair, pair) + _dot(self.place, place) + self.fluency * fluency


class EvidenceJudge:
    """Keeps what its weights find plausible.

    Args:
        weights: per relation; a relation that it has none for is kept as it is.
        model: of a masked language model whose expectation is evidence too; None for none.
    """

    def __init__(self, weights: dict[str, Weights], model: str | None = None) -> None:
        self._weights, self._model = weights, model

    def keep(self, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """Return, per sentence, the proposals that reach their relation's threshold, and all reviewed ones."""
        possible = [
            [proposal for proposal in some if self._may_pass(parse, proposal)] for parse, some in zip(parses, proposals, strict=True)
        ]
        found = self.probabilities(parses, possible)
        return [
            [
                proposal
                for proposal, probability in zip(some, numbers, strict=True)
                if proposal.is_reviewed or probability >= self._weights[proposal.relation].threshold
            ]
            for some, numbers in zip(possible, found, strict=True)
        ]

    def _may_pass(self, parse: Parse, proposal: Proposal) -> bool:
        """Tell whether the best place there is would take the pair over the threshold; most pairs need no look at their place."""
        if proposal.is_reviewed:
            return True
        weights = self._weights[proposal.relation]
        best = [_MOST_FIT if weight > 0 else -_MOST_FIT for weight in weights.place[:3]] + [float(weights.place[3] > 0)]
        pair = pair_evidence(parse.tokens[proposal.index].lower(), judged_form(proposal), proposal.senses)
        # The logarithm of a probability is at most 0.
        return weights.fluency < 0 or weights.logit(pair, best) >= -log(1 / weights.threshold - 1) - _ROUNDING

    def probabilities(self, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
        """Return, per sentence, how probably each of its proposals is good; 1 for a reviewed one."""
        fluencies = self._fluencies(parses, proposals)
        return [self._of_sentence(*row) for row in zip(parses, proposals, fluencies, strict=True)]

    def _of_sentence(self, parse: Parse, proposals: Sequence[Proposal], fluencies: Sequence[float]) -> list[float]:
        tokens = [word_contexts().number(token) for token in parse.tokens] if proposals else []
        return [
            1.0 if proposal.is_reviewed else self._probability(parse, tokens, proposal, fluency)
            for proposal, fluency in zip(proposals, fluencies, strict=True)
        ]

    def _probability(self, parse: Parse, tokens: Sequence[int], proposal: Proposal, fluency: float) -> float:
        weights = self._weights[proposal.relation]
        pair = pair_evidence(parse.tokens[proposal.index].lower(), judged_form(proposal), proposal.senses)
        return 1.0 / (1.0 + exp(-weights.logit(pair, place_evidence(parse, tokens, proposal), fluency)))

    def _fluencies(self, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
        if self._model is None:
            return [[0.0] * len(some) for some in proposals]
        from augcse.augmentations.judge.fluency import fluencies

        return fluencies(self._model, parses, proposals)


@lru_cache(maxsize=100_000)
def pair_evidence(old: str, new: str, senses: Senses) -> tuple[float, ...]:
    """Return what the two words say, whatever stands around: `PAIR`."""
    contexts = word_contexts()
    first, second = contexts.number(old), contexts.number(new)
    return (
        float(min(senses.old_rank, _MOST_RANK)),
        float(min(senses.new_rank, _MOST_RANK)),
        float(senses.old_rank > 0),
        log(senses.old_count),
        log(senses.new_count),
        log1p(senses.steps),
        contexts.similarity(first, second),
        _clipped(contexts.log_count(second) - contexts.log_count(first), _MOST_RATIO),
        float(UNKNOWN in (first, second)),
    )


def place_evidence(parse: Parse, tokens: Sequence[int], proposal: Proposal) -> tuple[float, ...]:
    """Return what the place says: how much better the new word fits there than the old one, in three ways, and `PLACE`'s last."""
    contexts, index = word_contexts(), proposal.index
    old = contexts.fit(tokens[index], tokens, index)
    new = contexts.fit(contexts.number(judged_form(proposal)), tokens, index)
    gains = (_clipped(better - worse, _MOST_FIT) for better, worse in zip(new, old, strict=True))
    return (*gains, float(is_beside_noun(parse, index)))


def judged_form(proposal: Proposal) -> str:
    """Return the word that stands for a proposal: the one before the head of "lung cancer", which alone is new."""
    return proposal.form.partition(" ")[0]


@lru_cache(maxsize=4)
def open_judge(name: str = LEXICAL) -> Judge:
    """Return the judge of a name: "none", "lexical", or a masked language model's ("mini-bert", a folder, a hub name)."""
    if name == NO_JUDGE:
        return Everything()
    model = None if name == LEXICAL else name
    return EvidenceJudge(read_weights(with_model=model is not None), model)


def read_weights(*, with_model: bool) -> dict[str, Weights]:
    """Return the weights of each relation from weights.json."""
    table = json.loads(WEIGHTS.read_text("utf-8"))["model" if with_model else LEXICAL]
    return {relation: _weights(row) for relation, row in table.items()}


def _weights(row: dict[str, float]) -> Weights:
    pair, place = (tuple(row[name] for name in names) for names in (PAIR, PLACE))
    return Weights(row["bias"], pair, place, row.get(FLUENCY, 0.0), row["threshold"])


def _dot(weights: Sequence[float], evidence: Sequence[float]) -> float:
    return sum(weight * number for weight, number in zip(weights, evidence, strict=True))


def _clipped(number: float, most: float) -> float:
    return max(-most, min(most, number))

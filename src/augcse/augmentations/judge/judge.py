"""The judge: how plausible each proposal is, from all evidence at once, by weights fitted to graded proposals.

    judge = open_judge("lexical")
    pairs = judge.pairs("synonym", related, lexicon, Word(2, "car", "n", "NN"), "car")     # what may be plausible somewhere
    kept = judge.keep("synonym", parses, proposals)                                       # what is, there; one entry per sentence

The evidence of a proposal is that of its pair of words (sense order on both sides, similarity of the two, how common they are; kept per
pair) and that of its place (how well either word goes with what stands around; with a masked language model, which of the two it rather
expects there). A logistic regression per relation weighs them (scripts/fit_judge.py; weights.json): what reaches the relation's
threshold is kept. A proposal's probability depends on nothing but its sentence and itself.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import exp, inf, log, log1p
from operator import attrgetter, itemgetter
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.english.conditions import is_beside_noun
from augcse.augmentations.english.words import Word, inflect
from augcse.augmentations.judge.proposal import Pair, Proposal, Related, Relation, Senses
from augcse.augmentations.judge.words import UNKNOWN, word_contexts
from augcse.augmentations.option_types import JUDGES
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.lexicon.base import Lexicon, Pos

WEIGHTS = Path(__file__).with_name("weights.json")
_NO_JUDGE, LEXICAL, _PARSE = JUDGES
# The logit of what no judge is asked about.
CERTAIN = inf
# What the evidence of a pair and of a place is called in weights.json, in the order of `pair_evidence` and `place_evidence`.
PAIR = ("old rank", "new rank", "secondary", "log old senses", "log new senses", "steps", "similarity", "log ratio of counts", "unknown")
PLACE = ("before", "after", "near", "beside a noun")
FLUENCY = "fluency"
_MOST_RANK = 3
_MOST_FIT, _MOST_RATIO = 3.0, 5.0
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Weights:
    """The weights of one relation: `bias` and one number per piece of evidence; `threshold` is the least probability that is kept."""

    bias: float
    pair: tuple[float, ...]
    place: tuple[float, ...]
    fluency: float
    threshold: float

    @cached_property
    def least(self) -> float:
        """The least sum of a pair that the best place takes over the threshold; the logarithm of a probability is at most 0."""
        best = _MOST_FIT * sum(map(abs, self.place[:3])) + max(self.place[3], 0.0)
        return -inf if self.fluency < 0 else -log(1 / self.threshold - 1) - best - _ROUNDING


class Judge:
    """Keeps what its weights find plausible.

    Args:
        weights: per relation; None for a judge that keeps everything.
        model: of a masked language model whose expectation is evidence too; None for none.
        parses: whether the parser has to read the sentence with the new word as it did before.
    """

    def __init__(self, weights: dict[str, Weights] | None, model: str | None = None, *, parses: bool = False) -> None:
        self._weights, self._model, self._parses = weights, model, parses

    def pairs(self, relation: Relation, related: Related, lexicon: Lexicon, word: Word, old: str) -> tuple[Pair, ...]:
        """Return the words that the lexicon proposes for a word `old`, in its form, without those that are plausible nowhere."""
        weights = self._weights[relation] if self._weights else None
        return _pairs(weights, related, lexicon, word.lemma, word.pos, word.tag, old)

    def keep(self, relation: Relation, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """Return, per sentence, the proposals that reach their relation's threshold."""
        if self._weights is None:
            return [list(some) for some in proposals]
        threshold = self._weights[relation].threshold
        found = self.probabilities(relation, parses, proposals)
        kept = [
            [proposal for proposal, probability in zip(some, numbers, strict=True) if probability >= threshold]
            for some, numbers in zip(proposals, found, strict=True)
        ]
        return _read_alike(parses, kept) if self._parses else kept

    def probabilities(self, relation: Relation, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
        """Return, per sentence, how probably each of its proposals is good; 1 for a reviewed one."""
        weights = (self._weights or {})[relation]
        found = fluencies(self._model, parses, proposals) if self._model else [[0.0] * len(some) for some in proposals]
        return [_probabilities(weights, *row) for row in zip(parses, proposals, found, strict=True)]


def fluencies(model: str, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
    """Return, per sentence, how probable a masked language model finds each proposal's new word in its place, as a logarithm.

    Nothing is masked, so that the model still sees the old word: what it finds probable is near in meaning too (Zhou et al. 2019). A word
    of several pieces is judged by its first. Each sentence goes through the model once.
    """
    from augcse.augmentations.neural.masked import load_masked

    masked = load_masked(model)
    split = masked.vocabulary.split
    pieces = split([parse.text for parse in parses])
    wanted = []
    for text, parse, some in zip(pieces, parses, proposals, strict=True):
        places = [bisect_right(text.spans, parse.starts[one.token], key=itemgetter(0)) - 1 for one in some]
        wanted.append([(max(0, place), split([one.pair.form])[0].ids[0]) for place, one in zip(places, some, strict=True)])
    return masked.expectations(pieces, wanted)


def _read_alike(parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
    """Return, per sentence, the proposals with which the bundled parser reads the same labels and parts of speech as before."""
    placed = ((parse, one.token, one.pair.form) for parse, some in zip(parses, proposals, strict=True) for one in some)
    read = parse_sentences(apply_edits(old.text, [Edit(*old.span(i), match_case(old.tokens[i], form))]) for old, i, form in placed)
    return [[one for one in some if _has_same_labels(parse, next(read), one.token)] for parse, some in zip(parses, proposals, strict=True)]


def _has_same_labels(old: Parse, new: Parse, token: int) -> bool:
    """Tell whether all words have kept their labels; of a new term the last word stands for the old word."""
    after = len(new) - (len(old) - token)
    columns = ((old.deps, new.deps), (old.upos, new.upos))
    return all(was[:token] == now[:token] and was[token:] == now[after:] for was, now in columns)


@lru_cache(maxsize=100_000)
def _pairs(weights: Weights | None, related: Related, lexicon: Lexicon, lemma: str, pos: Pos, tag: str, old: str) -> tuple[Pair, ...]:
    found = []
    for new, senses in related(lemma, pos, lexicon).items():
        if (form := inflect(new, tag)) is not None:
            logit = CERTAIN if weights is None else weights.bias + _dot(weights.pair, pair_evidence(old, judged_form(form), senses))
            if weights is None or logit >= weights.least:
                found.append(Pair(new, form, logit))
    return tuple(found)


def _probabilities(weights: Weights, parse: Parse, proposals: Sequence[Proposal], fluencies: Sequence[float]) -> list[float]:
    # No evidence changes what is certain, and asking for it takes time.
    judged = [one for one in proposals if one.pair.logit < CERTAIN]
    sums = {one: one.pair.logit + _dot(weights.place, place) for one, place in zip(judged, place_evidence(parse, judged), strict=True)}
    logits = (sums.get(one, CERTAIN) + weights.fluency * fluency for one, fluency in zip(proposals, fluencies, strict=True))
    return [1.0 / (1.0 + exp(-logit)) for logit in logits]


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
        max(-_MOST_RATIO, min(_MOST_RATIO, contexts.log_count(second) - contexts.log_count(first))),
        float(UNKNOWN in (first, second)),
    )


def place_evidence(parse: Parse, proposals: Sequence[Proposal]) -> Iterator[tuple[float, ...]]:
    """Yield `PLACE` of each proposal, in their order: how much better the new word fits than the old one, in three ways; beside a noun?"""
    contexts = word_contexts()
    tokens = [contexts.number(token) for token in parse.tokens] if proposals else []
    # One product of matrices for all words that are proposed in one place.
    for index, some in groupby(proposals, attrgetter("token")):
        old, *new = contexts.fits([tokens[index], *(contexts.number(judged_form(one.pair.form)) for one in some)], tokens, index)
        beside = float(is_beside_noun(parse, index))
        for fit in new:
            yield *(max(-_MOST_FIT, min(_MOST_FIT, better - worse)) for better, worse in zip(fit, old, strict=True)), beside


def judged_form(form: str) -> str:
    """Return the word that stands for a form: the one before the head of "lung cancer", which alone is new."""
    return form.partition(" ")[0]


@lru_cache(maxsize=4)
def open_judge(name: str = LEXICAL) -> Judge:
    """Return the judge of a name: "none", "lexical", "parse", or a masked language model's ("mini-bert", a folder, a hub name)."""
    model = None if name in JUDGES else name
    weights = None if name == _NO_JUDGE else read_weights(with_model=model is not None)
    return Judge(weights, model, parses=name == _PARSE)


def read_weights(*, with_model: bool) -> dict[str, Weights]:
    """Return the weights of each relation from weights.json."""
    found = {}
    for relation, row in json.loads(WEIGHTS.read_text("utf-8"))["model" if with_model else LEXICAL].items():
        pair, place = (tuple(row[name] for name in names) for names in (PAIR, PLACE))
        found[relation] = Weights(row["bias"], pair, place, row.get(FLUENCY, 0.0), row["threshold"])
    return found


def _dot(weights: Sequence[float], evidence: Sequence[float]) -> float:
    return sum(weight * number for weight, number in zip(weights, evidence, strict=True))

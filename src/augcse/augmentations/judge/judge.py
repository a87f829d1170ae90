"""The judge: how plausible each proposal is, from all evidence together, by weights fitted to graded proposals.

    judge = open_judge("lexical")
    pairs = judge.pairs("synonym", related, lexicon, Word(2, "car", "n", "NN"), "car")     # plausible in some context
    kept = judge.keep("synonym", parses, proposals)                                       # plausible in its own, per sentence

The evidence of a proposal is that of its pair of words (sense order on both sides, similarity of the two, how common they are; cached per
pair) and that of its place (how well either word goes with its context; with a masked language model, which of the two it expects more).
A logistic regression per relation weighs them (scripts/fit_judge.py; weights.json): what reaches the relation's threshold is kept. A
proposal's probability depends only on the proposal and its sentence.
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
# The logit of a reviewed word, which is not judged.
CERTAIN = inf
# The names in weights.json of the evidence of a pair and of a place, in the order of `pair_evidence` and `place_evidence`.
PAIR = ("old rank", "new rank", "secondary", "log old senses", "log new senses", "steps", "similarity", "log ratio of counts", "unknown")
PLACE = ("before", "after", "near", "beside a noun")
FLUENCY = "fluency"
_MOST_RANK = 3
_MOST_FIT, _MOST_RATIO = 3.0, 5.0
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Weights:
    """The weights of one relation: `bias` and one number per piece of evidence; `threshold` is the lowest probability that is kept."""

    bias: float
    pair: tuple[float, ...]
    place: tuple[float, ...]
    fluency: float
    threshold: float

    @cached_property
    def least(self) -> float:
        """The lowest logit with which a pair can still reach the threshold, in the best place; below it, no place need be looked at."""
        if self.fluency < 0:
            # Fluency is the logarithm of a probability, at most 0: a negative weight could add any amount.
            return -inf
        best_place = _MOST_FIT * sum(map(abs, self.place[:3])) + max(self.place[3], 0.0)
        return -log(1 / self.threshold - 1) - best_place - _ROUNDING


class Judge:
    """Keeps what its weights find plausible.

    Args:
        weights: per relation; None for a judge that keeps everything.
        model: the name of a masked language model whose expectation is evidence too; None: no model.
        parses: whether the sentence with the new word must get the same parse as before.
    """

    def __init__(self, weights: dict[str, Weights] | None, model: str | None = None, *, parses: bool = False) -> None:
        self._weights, self._model, self._parses = weights, model, parses

    def pairs(self, relation: Relation, related: Related, lexicon: Lexicon, word: Word, old: str) -> tuple[Pair, ...]:
        """Return the words that the lexicon proposes for the word `old`, in its form, without those that are plausible in no context."""
        weights = self._weights[relation] if self._weights else None
        return _pairs(weights, related, lexicon, word.lemma, word.pos, word.tag, old)

    def keep(self, relation: Relation, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
        """Return, per sentence, the proposals that reach their relation's threshold."""
        if self._weights is None:
            return [list(of_sentence) for of_sentence in proposals]
        threshold = self._weights[relation].threshold
        probabilities = self.probabilities(relation, parses, proposals)
        kept = [
            [proposal for proposal, probability in zip(*of_sentence, strict=True) if probability >= threshold]
            for of_sentence in zip(proposals, probabilities, strict=True)
        ]
        return _parsed_alike(parses, kept) if self._parses else kept

    def probabilities(self, relation: Relation, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
        """Return, per sentence, the probability that each of its proposals is good; 1 for a reviewed one."""
        weights = (self._weights or {})[relation]
        fluency = fluencies(self._model, parses, proposals) if self._model else [[0.0] * len(of_sentence) for of_sentence in proposals]
        return [_probabilities(weights, *row) for row in zip(parses, proposals, fluency, strict=True)]


def fluencies(model: str, parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[float]]:
    """Return, per sentence, the log probability that a masked language model gives to each proposal's new word in its place.

    Nothing is masked, so that the model still sees the old word: what it finds probable is also near in meaning (Zhou et al. 2019). A word
    of several pieces is judged by its first one. The model reads each sentence once.
    """
    from augcse.augmentations.neural.masked import load_masked

    masked = load_masked(model)
    split = masked.vocabulary.split
    pieces = split([parse.text for parse in parses])
    wanted = []
    for text, parse, of_sentence in zip(pieces, parses, proposals, strict=True):
        places = [bisect_right(text.spans, parse.starts[proposal.token], key=itemgetter(0)) - 1 for proposal in of_sentence]
        first_pieces = [split([proposal.pair.form])[0].ids[0] for proposal in of_sentence]
        wanted.append([(max(0, place), piece) for place, piece in zip(places, first_pieces, strict=True)])
    return masked.expectations(pieces, wanted)


def _parsed_alike(parses: Sequence[Parse], proposals: Sequence[Sequence[Proposal]]) -> list[list[Proposal]]:
    """Return, per sentence, the proposals with which the bundled parser finds the same labels and parts of speech as before."""
    texts = []
    for parse, of_sentence in zip(parses, proposals, strict=True):
        for index, pair in of_sentence:
            texts.append(apply_edits(parse.text, [Edit(*parse.span(index), match_case(parse.tokens[index], pair.form))]))
    new_parses = parse_sentences(texts)
    return [
        [proposal for proposal in of_sentence if _has_same_labels(parse, next(new_parses), proposal.token)]
        for parse, of_sentence in zip(parses, proposals, strict=True)
    ]


def _has_same_labels(old: Parse, new: Parse, token: int) -> bool:
    """Return whether all words have kept their labels; the last word of a new term is compared with the old word."""
    new_token = len(new) - (len(old) - token)
    columns = ((old.deps, new.deps), (old.upos, new.upos))
    return all(was[:token] == now[:token] and was[token:] == now[new_token:] for was, now in columns)


@lru_cache(maxsize=100_000)
def _pairs(weights: Weights | None, related: Related, lexicon: Lexicon, lemma: str, pos: Pos, tag: str, old: str) -> tuple[Pair, ...]:
    """Return the lexicon's words that have the form; with weights, only those that can reach the threshold in some place."""
    pairs = []
    for new, senses in related(lemma, pos, lexicon).items():
        if (form := inflect(new, tag)) is not None:
            logit = CERTAIN if weights is None else weights.bias + _dot(weights.pair, pair_evidence(old, judged_form(form), senses))
            if weights is None or logit >= weights.least:
                pairs.append(Pair(new, form, logit))
    return tuple(pairs)


def _probabilities(weights: Weights, parse: Parse, proposals: Sequence[Proposal], fluencies: Sequence[float]) -> list[float]:
    # Evidence changes nothing for a reviewed word, and computing it takes time.
    judged = [proposal for proposal in proposals if proposal.pair.logit < CERTAIN]
    evidence = zip(judged, place_evidence(parse, judged), strict=True)
    logit_of = {proposal: proposal.pair.logit + _dot(weights.place, place) for proposal, place in evidence}
    logits = (logit_of.get(new, CERTAIN) + weights.fluency * fluency for new, fluency in zip(proposals, fluencies, strict=True))
    return [1.0 / (1.0 + exp(-logit)) for logit in logits]


def pair_evidence(old: str, new: str, senses: Senses) -> tuple[float, ...]:
    """Return the evidence of the two words without their context: `PAIR`."""
    contexts = word_contexts()
    old_number, new_number = contexts.number(old), contexts.number(new)
    return (
        float(min(senses.old_rank, _MOST_RANK)),
        float(min(senses.new_rank, _MOST_RANK)),
        float(senses.old_rank > 0),
        log(senses.old_count),
        log(senses.new_count),
        log1p(senses.steps),
        contexts.similarity(old_number, new_number),
        max(-_MOST_RATIO, min(_MOST_RATIO, contexts.log_count(new_number) - contexts.log_count(old_number))),
        float(UNKNOWN in (old_number, new_number)),
    )


def place_evidence(parse: Parse, proposals: Sequence[Proposal]) -> Iterator[tuple[float, ...]]:
    """Yield `PLACE` of each proposal, in order: how much better the new word fits than the old one, three times, and 1 next to a noun."""
    contexts = word_contexts()
    tokens = [contexts.number(token) for token in parse.tokens] if proposals else []
    # One matrix product for all words that are proposed in one place.
    for index, in_place in groupby(proposals, attrgetter("token")):
        new_words = [contexts.number(judged_form(proposal.pair.form)) for proposal in in_place]
        old_fit, *new_fits = contexts.fits([tokens[index], *new_words], tokens, index)
        beside_noun = float(is_beside_noun(parse, index))
        for new_fit in new_fits:
            yield *(max(-_MOST_FIT, min(_MOST_FIT, new - old)) for new, old in zip(new_fit, old_fit, strict=True)), beside_noun


def judged_form(form: str) -> str:
    """Return the word by which a form is judged: its first, as in "lung cancer" for "cancer", where only "lung" is new."""
    return form.partition(" ")[0]


@lru_cache(maxsize=4)
def open_judge(name: str = LEXICAL) -> Judge:
    """Return the judge by its name: "none", "lexical", "parse", or that of a masked language model ("mini-bert", a folder, a hub name)."""
    model = None if name in JUDGES else name
    weights = None if name == _NO_JUDGE else read_weights(with_model=model is not None)
    return Judge(weights, model, parses=name == _PARSE)


def read_weights(*, with_model: bool) -> dict[str, Weights]:
    """Return the weights of each relation from weights.json."""
    weights = {}
    for relation, row in json.loads(WEIGHTS.read_text("utf-8"))["model" if with_model else LEXICAL].items():
        pair, place = (tuple(row[name] for name in names) for names in (PAIR, PLACE))
        weights[relation] = Weights(row["bias"], pair, place, row.get(FLUENCY, 0.0), row["threshold"])
    return weights


def _dot(weights: Sequence[float], evidence: Sequence[float]) -> float:
    return sum(weight * number for weight, number in zip(weights, evidence, strict=True))

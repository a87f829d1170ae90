"""Replacement of words by how much they say: UNA's negatives, UDA's positives, and the uniform draw both are compared with.

All three take `TermStatistics` of the corpus; see there for terms, ranks and scores. Marks and what hangs on a word (`'s`) count as terms
in every formula, but are neither replaced nor drawn, so that brackets, quotes and spacing stay whole (except in UNA's `fidelity="repo"`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from augcse.augmentations.base import Example, augmentation, check_rate
from augcse.augmentations.term_statistics import TermStatistics
from augcse.augmentations.terms import is_word, lower_terms, replace_terms, split_terms
from augcse.augmentations.wheel import Wheel
from augcse.errors import UserError, unknown_name

_SENTENCE = "My grandmother made a soup of carrots, and Mary's cat drank the milk."


@augmentation(
    "UNA",
    family="tfidf",
    meaning="alteration",
    source="UNA (Shu and Lampos 2024), section 3, Eq. 2-4, Algorithm 1",
    example=Example(_SENTENCE, "My burn hinge a controls of ten, and 1871's conductor alto the lasted.", seed=4),
    needs=("corpus",),
    fitted=TermStatistics,
)
def una(
    sentence: str,
    rng: Random,
    statistics: TermStatistics,
    *,
    beta: float = 0.5,
    radius: int = 4000,
    replacement: str = "similar",
    exclude_self: bool = True,
    fidelity: str = "paper",
) -> str | None:
    """Replace the telling words of a sentence by words that are as telling elsewhere in the corpus: a hard negative.

    With z the sentence's tf-idf per term and a = z - min z, a word is replaced with probability `min(1, beta * a / mean a)`, and the one
    with the greatest z always. The new word is drawn from those up to `radius` ranks above and below, in proportion to their scores.
    Where all z are equal, one word at random is replaced. A term that the corpus does not have counts as if one sentence had it, and
    stands at the rank of its tf-idf here. None where there is no word, or no other word to draw.

    Options:
        beta: share of terms replaced on average, before the cap at 1.
        radius: ranks to either side of the term's own (the paper's 4000 are about 1 % of its 451,691 terms).
        replacement: "similar"; or "uniform" for any word of the corpus (Table 2, "Step 3 random").
        exclude_self: never draw the word itself, as the published code may.
        fidelity: "paper"; or "repo" for what the published code writes: lower-cased terms with one blank between each two, `"` as in the
            Penn Treebank, marks replaced and drawn too, a term drawn for itself, sentences whose z are all equal only lower-cased, and
            one random term in place of the whole sentence where nothing changed.

    Deviations from both: what is not replaced stays byte for byte, capitals are carried over, and "a" or "an" before a replaced word is
    made to fit, since a negative that shows its making gives cased models a shortcut; marks stay. Even in "repo" mode `don't` stays one
    term, and an unknown term is handled as above, where the published code stops with a KeyError.
    """
    _check_una(beta, radius, replacement, fidelity)
    if fidelity == "repo":
        return _released_una(sentence, rng, statistics, beta, radius)
    pieces = split_terms(sentence)
    texts = lower_terms(pieces)
    words = [is_word(text) for text in texts]
    ranks, weights = statistics.weigh(texts)
    chosen = _draw_places(_telling(weights, beta, words), rng) or _any_place(words, rng)
    wheel, reach = (statistics.word_scores, radius) if replacement == "similar" else (statistics.words, len(statistics))
    windows = [_window(statistics, ranks[place], weights[place], reach, exclude_self) for place in chosen]
    drawn = wheel.draw_each(rng, windows)
    if None in drawn:  # no other word there has a score
        drawn = [statistics.words.draw(rng, *window) if rank is None else rank for rank, window in zip(drawn, windows, strict=True)]
    new = {place: statistics.term(rank) for place, rank in zip(chosen, drawn, strict=True) if rank is not None}
    return replace_terms(pieces, new) if new else None


def _check_una(beta: float, radius: int, replacement: str, fidelity: str) -> None:
    check_rate(beta, "beta")
    if radius < 1:
        raise UserError(f"radius is {radius}; give a number of ranks, 1 or more")
    if replacement not in ("similar", "uniform"):
        raise unknown_name("replacement", replacement, ("similar", "uniform"))
    if fidelity not in ("paper", "repo"):
        raise unknown_name("fidelity", fidelity, ("paper", "repo"))


def _telling(weights: Sequence[float], beta: float, allowed: Sequence[bool]) -> list[float]:
    """Return UNA's Eq. 3 and 4 per position, 0 or less where not allowed, 1 for the greatest; all 0 where all weights are equal."""
    least, most = min(weights, default=0.0), max(weights, default=0.0)
    if least == most or True not in allowed:
        return [0.0] * len(weights)
    factor = beta / (sum(weights) / len(weights) - least)
    # What is not allowed stands below all others, at a share below 0.
    candidates = [weight if fine else least - 1.0 for weight, fine in zip(weights, allowed, strict=True)]
    shares = [(weight - least) * factor for weight in candidates]
    shares[candidates.index(max(candidates))] = 1.0
    return shares


def _draw_places(shares: Sequence[float], rng: Random) -> list[int]:
    random = rng.random
    return [place for place, share in enumerate(shares) if random() < share]


def _any_place(allowed: Sequence[bool], rng: Random) -> list[int]:
    places = [place for place, fine in enumerate(allowed) if fine]
    return [rng.choice(places)] if places else []


def _window(statistics: TermStatistics, rank: int | None, weight: float, radius: int, exclude_self: bool) -> tuple[int, int, int | None]:
    """Return the ranks to draw from, `radius` to either side of the term's own or of where its weight would stand, and the one not to."""
    centre = statistics.insertion_rank(weight) if rank is None else rank
    low, high, size = centre - radius, centre + radius + 1, len(statistics)
    return low if low > 0 else 0, high if high < size else size, rank if exclude_self else None


def _released_una(sentence: str, rng: Random, statistics: TermStatistics, beta: float, radius: int) -> str | None:
    pieces = split_terms(sentence)
    texts = lower_terms(pieces)
    ranks, weights = statistics.weigh(texts)
    written = _treebank_quotes(pieces, texts)
    for place in _draw_places(_telling(weights, beta, [True] * len(texts)), rng):
        drawn = statistics.term_scores.draw(rng, *_window(statistics, ranks[place], weights[place], radius, False))
        if drawn is not None:
            written[place] = statistics.term(drawn)
    new = " ".join(written)
    if new == sentence:
        drawn = statistics.term_surplus.draw(rng)
        return None if drawn is None else statistics.term(drawn)
    return new


def _treebank_quotes(pieces: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Write an opening `"` as two backticks and a closing one as two apostrophes."""
    written = list(texts)
    for place, text in enumerate(texts):
        if text == '"':
            opens = place == 0 or pieces[2 * place] or texts[place - 1] in "([{<"
            written[place] = "``" if opens else "''"
    return written


@augmentation(
    "TFIDFReplacement",
    family="tfidf",
    meaning="possible_alteration",
    source="UDA (Xie et al. 2020), TF-IDF word replacement; ablation of UNA (Shu and Lampos 2024)",
    example=Example(_SENTENCE, "My grandmother made by soup off carrots, and Mary's cat drank the milk.", seed=7),
    needs=("corpus",),
    fitted=TermStatistics,
)
def tfidf_replacement(
    sentence: str, rng: Random, statistics: TermStatistics, *, rate: float = 0.3, replacement: str = "common"
) -> str | None:
    """Replace the words of a sentence that say little, and keep the telling ones.

    With z the sentence's tf-idf per term and a = max z - z, a word is replaced with probability `min(1, rate * a / mean a)`. The term
    with the greatest z always stays. None where no word is drawn or all z are equal.

    Options:
        rate: share of terms replaced on average, before the cap at 1.
        replacement: "common" draws words in proportion to the number of sentences that hold them; "uda" in proportion to
            max S - S with S = occurrences * idf, the paper's formula.

    Deviation: UDA means to draw uninformative words, but its S of a word that occurs once is as small as that of "the", and most words of
    a corpus occur once: "uda" puts rare, telling words in the place of little ones. "common" does what is meant, and is the default.
    """
    check_rate(rate)
    if replacement not in ("common", "uda"):
        raise unknown_name("replacement", replacement, ("common", "uda"))
    wheel = statistics.common_words if replacement == "common" else statistics.uninformative_words
    pieces = split_terms(sentence)
    texts = lower_terms(pieces)
    ranks, weights = statistics.weigh(texts)
    return _replace(pieces, _draw_places(_little(weights, rate, texts), rng), ranks, wheel, statistics, rng)


def _little(weights: Sequence[float], rate: float, texts: Sequence[str]) -> list[float]:
    """Return the probabilities of UDA per position, 0 for marks."""
    least, most = min(weights, default=0.0), max(weights, default=0.0)
    if least == most:
        return [0.0] * len(weights)
    factor = rate / (most - sum(weights) / len(weights))
    return [(most - weight) * factor if is_word(text) else 0.0 for weight, text in zip(weights, texts, strict=True)]


@augmentation(
    "UniformReplacement",
    family="tfidf",
    meaning="alteration",
    source="UNA (Shu and Lampos 2024), Table 2, first row; UnifRep of UDA (Xie et al. 2020)",
    example=Example(_SENTENCE, "My grandmother rot a look of deal, agreed Mary's number drank bacon quarrel.", seed=7),
    needs=("corpus",),
    fitted=TermStatistics,
)
def uniform_replacement(sentence: str, rng: Random, statistics: TermStatistics, *, rate: float = 0.5) -> str | None:
    """Replace each word with probability `rate` by any other word of the corpus, all alike.

    When the draw spares all words, one at random is replaced. None for fewer than three terms, as in the published code.

    Deviation: the published code leaves a sentence that the draw spares as it is; here a negative always differs.
    """
    check_rate(rate)
    pieces = split_terms(sentence)
    texts = lower_terms(pieces)
    if rate == 0.0 or len(texts) < 3:
        return None
    words = [is_word(text) for text in texts]
    chosen = _draw_places([rate * fine for fine in words], rng) or _any_place(words, rng)
    ranks = [statistics.rank(text) for text in texts]
    return _replace(pieces, chosen, ranks, statistics.words, statistics, rng)


def _replace(
    pieces: Sequence[str],
    chosen: Sequence[int],
    ranks: Sequence[int | None],
    wheel: Wheel,
    statistics: TermStatistics,
    rng: Random,
) -> str | None:
    drawn = wheel.draw_each(rng, [(0, len(statistics), ranks[place]) for place in chosen])
    new = {place: statistics.term(rank) for place, rank in zip(chosen, drawn, strict=True) if rank is not None}
    return replace_terms(pieces, new) if new else None

"""Choose among paraphrases: near to the source, far from it in words, and far from each other (DiPS)."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_DECAY = 0.5
_ORDERS = (1, 2, 3)


def select_diverse(source: str, candidates: Sequence[str], number: int, fidelity: float = 0.5) -> list[str]:
    """Choose `number` candidates greedily by a monotone submodular function of the chosen set, after Kumar et al. (2019), section 4.

    The gain of a candidate is `fidelity` times its share of the source's n-grams (n = 1, 2, 3, weighted by 1, 1/2, 1/4) plus
    `1 - fidelity` times the share of n-grams that are new, to the source and to what is chosen already, and of edits to both.
    Greedy choice comes within 1 - 1/e of the best set. Ties go to the earlier candidate, which the search found likelier.

    Deviations from DiPS: no word vectors (its second fidelity term); n-grams of the source do not count as diversity.
    """
    wanted = _ngrams(source)
    chosen: list[str] = []
    seen = set(wanted)
    left = [text for text in dict.fromkeys(candidates) if _normal(text) != _normal(source)]
    while left and len(chosen) < number:
        best = max(left, key=lambda text: _gain(text, source, chosen, wanted, seen, fidelity))
        left.remove(best)
        chosen.append(best)
        seen |= _ngrams(best)
    return chosen


def _gain(
    text: str, source: str, chosen: Sequence[str], wanted: set[tuple[str, ...]], seen: set[tuple[str, ...]], fidelity: float
) -> float:
    own = _ngrams(text)
    total = _weight(wanted) or 1.0
    kept = _weight(own & wanted) / total
    new = _weight(own - seen) / max(total, _weight(own) or 1.0)
    words = text.lower().split()
    distance = min(1.0 - SequenceMatcher(None, words, other.lower().split(), autojunk=False).ratio() for other in (source, *chosen))
    return fidelity * kept + (1.0 - fidelity) * (new + distance) / 2.0


def _ngrams(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + order]) for order in _ORDERS for start in range(len(words) - order + 1)}


def _weight(ngrams: set[tuple[str, ...]]) -> float:
    return sum(_DECAY ** (len(ngram) - 1) for ngram in ngrams)


def _normal(text: str) -> str:
    return " ".join(text.lower().split())

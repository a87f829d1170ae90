"""The augmented views of a row: which augmentations are drawn for each, tried in order, and accepted as positive or negative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from augcse.augmentations.run.apply import draw_names
from augcse.rng import derive_seed, stream
from augcse.sections import VIEWS
from augcse.training.store.roles import Roles

ORIGINAL, AUGMENTED, POSITIVE, NEGATIVE, NEXT = VIEWS
# The second sentence of a labelled task, which no objective reads.
PAIR = "pair"
# AugCSE's code uses it if no negative is named, or if the named one does not apply (train_text_classification.py:1177).
DEFAULT_NEGATIVE = "RandomDeletion:rate=0.6"

Ids = list[int]
Tokenise = Callable[[Sequence[str]], list[Ids]]
# Takes originals and their augmentations, and returns which are positives.
Judge = Callable[[Sequence[str], Sequence[str]], Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Slot:
    """One augmented view.

    Args:
        view: the name of the view.
        pools: one augmentation is drawn uniformly from each; the first one whose result has other token ids than the original is used.
        positive: whether an augmentation that is judged row by row must be a positive; None: either.
        proportion: the share of rows that are augmented.
    """

    view: str
    pools: tuple[tuple[str, ...], ...]
    positive: bool | None = None
    proportion: float = 1.0

    def names(self) -> tuple[str, ...]:
        """Return all augmentations that may be drawn, each once."""
        return tuple(dict.fromkeys(name for pool in self.pools for name in pool))

    def draw(self, row: int, seed: int) -> tuple[str, ...]:
        """Return the augmentations drawn for a row, one per pool, from seed and row alone; () for a row that is not augmented."""
        if self.proportion < 1 and stream(seed, "proportion", row).random() >= self.proportion:
            return ()
        drawn = []
        for number, pool in enumerate(self.pools):
            # The view "augmented" uses the seed itself, so that earlier runs can be reproduced.
            pool_seed = seed if self.view == AUGMENTED else derive_seed(seed, self.view, number)
            drawn += draw_names(pool, [row], pool_seed)
        return tuple(drawn)


def slots_of(views: Sequence[str], names: Sequence[str], roles: Roles, proportion: float) -> list[Slot]:
    """Return the slots of an objective's views; `names` are the augmentations of "augmented"."""
    slots = []
    if AUGMENTED in views:
        slots.append(Slot(AUGMENTED, (tuple(names),), None, proportion))
    if POSITIVE in views:
        slots.append(Slot(POSITIVE, tuple(roles.pools(positive=True)), True, proportion))
    if NEGATIVE in views:
        # A row always needs its negative, whatever the share of rows with an augmented positive.
        slots.append(Slot(NEGATIVE, (*roles.pools(positive=False), (DEFAULT_NEGATIVE,)), False))
    return slots


@dataclass(frozen=True, slots=True)
class FilledView:
    """One view of one row: its token ids, the augmentation that made it (None for the original) and whether it is a positive."""

    ids: Ids
    name: str | None
    positive: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """The candidates for one view of a row: the augmentations drawn and their results (None: not applicable), in the order to try."""

    sentence: str
    names: tuple[str, ...]
    texts: tuple[str | None, ...]


def fill(
    slot: Slot, candidates: Sequence[Candidate], originals: Sequence[Ids], roles: Roles, tokenise: Tokenise, judge: Judge | None
) -> list[FilledView]:
    """Return, per row, the first result that has other token ids than the original and the role that the slot needs.

    Rows without one get the original, as a positive. The published code compares strings instead of token ids, and so counts changes that
    the encoder cannot see.
    """
    filled: list[FilledView | None] = [None] * len(candidates)
    for attempt in range(len(slot.pools)):
        rows = [
            row
            for row, candidate in enumerate(candidates)
            if filled[row] is None and attempt < len(candidate.names) and candidate.texts[attempt] is not None
        ]
        texts = [candidates[row].texts[attempt] or "" for row in rows]
        ids = tokenise(texts) if texts else []
        changed = [(row, text, new) for row, text, new in zip(rows, texts, ids, strict=True) if new != originals[row]]
        names = [candidates[row].names[attempt] for row, _, _ in changed]
        verdicts = _verdicts(slot, [(candidates[row].sentence, text) for row, text, _ in changed], names, roles, judge)
        for (row, _, new), name, positive in zip(changed, names, verdicts, strict=True):
            if slot.positive in (None, positive):
                filled[row] = FilledView(new, name, positive)
    return [view or FilledView(original, None, True) for view, original in zip(filled, originals, strict=True)]


def _verdicts(slot: Slot, pairs: list[tuple[str, str]], names: list[str], roles: Roles, judge: Judge | None) -> list[bool]:
    """Return whether each result is a positive, by the role of its augmentation or, if that is undecided, by the judge."""
    known = {name: roles.is_positive(name) for name in set(names)}
    if slot.view == NEGATIVE:
        known[DEFAULT_NEGATIVE] = False
    undecided = [index for index, name in enumerate(names) if known[name] is None]
    judged: dict[int, bool] = {}
    if undecided and judge is not None:
        sentences, texts = zip(*(pairs[index] for index in undecided), strict=True)
        judged = dict(zip(undecided, map(bool, judge(sentences, texts)), strict=True))
    return [judged.get(index, bool(known[name])) for index, name in enumerate(names)]

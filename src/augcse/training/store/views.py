"""Which augmentation fills which view of a row: what is drawn, what is tried when that changes nothing, and what it counts as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from augcse.augmentations.run.apply import draw_names
from augcse.rng import derive_seed, stream
from augcse.sections import VIEWS
from augcse.training.store.roles import Roles

ORIGINAL, AUGMENTED, POSITIVE, NEGATIVE, NEXT = VIEWS
# The original's partner in a labelled task: no objective reads it.
PAIR = "pair"
# What AugCSE's code makes a negative with where none is named, or the named one does not apply (train_text_classification.py:1177).
DEFAULT_NEGATIVE = "RandomDeletion:rate=0.6"

Ids = list[int]
Tokenise = Callable[[Sequence[str]], list[Ids]]
# Given originals and their augmentations, says which are positives.
Judge = Callable[[Sequence[str], Sequence[str]], Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Slot:
    """One augmented view.

    Args:
        view: its name.
        pools: one augmentation is drawn from each, uniformly; the first whose result the encoder can tell from the original is taken.
        positive: what a row-judged augmentation has to be for this view; None: either.
        proportion: the share of rows for which anything is drawn.
    """

    view: str
    pools: tuple[tuple[str, ...], ...]
    positive: bool | None = None
    proportion: float = 1.0

    def names(self) -> tuple[str, ...]:
        """Return all augmentations that may be drawn, each once."""
        return tuple(dict.fromkeys(name for pool in self.pools for name in pool))

    def draw(self, row: int, seed: int) -> tuple[str, ...]:
        """Return the row's draws, one per pool, by the seed and the row alone; none for a row that is to stay as it is."""
        if self.proportion < 1 and stream(seed, "proportion", row).random() >= self.proportion:
            return ()
        drawn = []
        for number, pool in enumerate(self.pools):
            # The view "augmented" draws as it always has.
            pool_seed = seed if self.view == AUGMENTED else derive_seed(seed, self.view, number)
            drawn += draw_names(pool, [row], pool_seed)
        return tuple(drawn)


def slots_of(views: Sequence[str], names: Sequence[str], roles: Roles, proportion: float) -> list[Slot]:
    """Return the slots of an objective's views; `names` is what "augmented" is drawn from."""
    slots = []
    if AUGMENTED in views:
        slots.append(Slot(AUGMENTED, (tuple(names),), None, proportion))
    if POSITIVE in views:
        slots.append(Slot(POSITIVE, tuple(roles.pools(positive=True)), True, proportion))
    if NEGATIVE in views:
        # A row always needs its negative, whatever share has an augmented positive.
        slots.append(Slot(NEGATIVE, (*roles.pools(positive=False), (DEFAULT_NEGATIVE,)), False))
    return slots


@dataclass(frozen=True, slots=True)
class Filled:
    """One view of one row: its token ids, the augmentation that made it (None: none did) and whether it counts as a positive."""

    ids: Ids
    name: str | None
    positive: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row on its way into a slot: what was drawn for it and what came of it, in the order to try."""

    sentence: str
    names: tuple[str, ...]
    texts: tuple[str | None, ...]


def fill(
    slot: Slot, candidates: Sequence[Candidate], originals: Sequence[Ids], roles: Roles, tokenise: Tokenise, judge: Judge | None
) -> list[Filled]:
    """Take, per row, the first result that the encoder can tell from the original and that is what the slot asks for.

    Rows left without one are the original again, as a positive; the published code compares strings, and so counts changes as
    augmentations that the encoder cannot see.
    """
    filled: list[Filled | None] = [None] * len(candidates)
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
                filled[row] = Filled(new, name, positive)
    return [found or Filled(original, None, True) for found, original in zip(filled, originals, strict=True)]


def _verdicts(slot: Slot, pairs: list[tuple[str, str]], names: list[str], roles: Roles, judge: Judge | None) -> list[bool]:
    """Whether each result is a positive, by its augmentation's role or, where that leaves it open, by the judge."""
    known = {name: roles.is_positive(name) for name in set(names)}
    if slot.view == NEGATIVE:
        known[DEFAULT_NEGATIVE] = False
    undecided = [index for index, name in enumerate(names) if known[name] is None]
    judged: dict[int, bool] = {}
    if undecided and judge is not None:
        sentences, texts = zip(*(pairs[index] for index in undecided), strict=True)
        judged = dict(zip(undecided, map(bool, judge(sentences, texts)), strict=True))
    return [judged.get(index, bool(known[name])) for index, name in enumerate(names)]

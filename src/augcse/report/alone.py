"""Runs that train with one augmentation alone, and what each augmentation scores so: AugCSE (Tang et al. 2022), Figure 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from augcse.report.runs import Run, groups

# Settings of `[augmentation]` -> what the augmentation is for the sentence, in words.
ROLES = {"names": "told apart", "positives": "positive", "negatives": "negative", "neutral": "neutral"}


def alone(run: Run) -> tuple[str, str] | None:
    """Return (role, augmentation) of a run that uses one augmentation and no other, the role as in `ROLES`; None of any other run."""
    section = run.record["recipe"].get("augmentation", {})
    used = [(role, str(name)) for setting, role in ROLES.items() for name in section.get(setting) or ()]
    return used[0] if len(used) == 1 else None


def scores_alone(runs: Sequence[Run], score: Callable[[Run], float | None]) -> dict[str, dict[str, float]]:
    """Return {role: {augmentation: mean score of its seeds}}, in the order of `ROLES`.

    Runs without that score, or of several augmentations, are left out.
    """
    found: dict[str, dict[str, float]] = {}
    for group in groups(runs):
        values = [value for run in group if (value := score(run)) is not None]
        used = alone(group[0])
        if used and values:
            found.setdefault(used[0], {})[used[1]] = fmean(values)
    return {role: found[role] for role in ROLES.values() if role in found}

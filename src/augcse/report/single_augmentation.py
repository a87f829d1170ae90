"""Scores of runs that use a single augmentation: AugCSE (Tang et al. 2022), Figure 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from augcse.report.runs import ReportedRun, groups

# Settings of `[augmentation]` -> role of the augmentation, for display.
ROLES = {"names": "told apart", "positives": "positive", "negatives": "negative", "neutral": "neutral"}


def single_augmentation(run: ReportedRun) -> tuple[str, str] | None:
    """Return (role, augmentation) of a run that uses exactly one augmentation, with the role as in `ROLES`; None for other runs."""
    section = run.record["recipe"].get("augmentation", {})
    used = [(role, str(name)) for setting, role in ROLES.items() for name in section.get(setting) or ()]
    return used[0] if len(used) == 1 else None


def scores_by_augmentation(runs: Sequence[ReportedRun], score: Callable[[ReportedRun], float | None]) -> dict[str, dict[str, float]]:
    """Return {role: {augmentation: mean score over seeds}}, in the order of `ROLES`.

    Runs without the score, or with several augmentations, are left out.
    """
    scores: dict[str, dict[str, float]] = {}
    for group in groups(runs):
        values = [value for run in group if (value := score(run)) is not None]
        used = single_augmentation(group[0])
        if used and values:
            scores.setdefault(used[0], {})[used[1]] = fmean(values)
    return {role: scores[role] for role in ROLES.values() if role in scores}

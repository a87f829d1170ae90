"""A small plan, for tests that prepare a corpus without a recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from augcse.corpus.files import Corpus
from augcse.sections import AugmentationSection, CorpusSection, ModelSection, TaskSection
from augcse.training.store.plan import Plan


def small_plan(
    corpus: Path | Sequence[Path],
    *views: str,
    columns: Mapping[str, str] | None = None,
    task: TaskSection | None = None,
    seed: int = 1,
    max_len_tokens: int = 32,
    epoch: int = 0,
    label_kind: Literal["augmentation", "positive"] = "augmentation",
    **augmentation: Any,
) -> Plan:
    """Return a plan of a corpus; without views the original and, where augmentations are named, the augmented one.

    `augmentation` is its section.
    """
    return Plan(
        Corpus.of(corpus),
        views or (("original", "augmented") if augmentation.get("names") else ("original",)),
        ModelSection(backbone="tiny", max_len_tokens=max_len_tokens),
        AugmentationSection(**augmentation),
        CorpusSection(columns=dict(columns or {})),
        task,
        seed,
        label_kind,
        epoch,
    )

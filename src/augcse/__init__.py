"""Sentence embeddings from plain text alone: contrastive learning with diverse text augmentation.

corpus -> annotation -> augmentations -> encoding -> objectives -> training -> evaluation -> analysis -> report
text      parse once    views            model       scalar        run         scores        figures     tables, HTML
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

# Silent until the caller configures logging.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__version__ = "0.1.0"
__all__ = [
    "Augmenter",
    "__version__",
    "adapt",
    "augment",
    "augmentation",
    "edits",
    "evaluate",
    "hybrid",
    "plot",
    "postprocess",
    "pretrain",
    "probe",
    "score",
    "split",
    "static",
    "sweep",
    "train",
]

if TYPE_CHECKING:
    from augcse.adaptation import adapt
    from augcse.analysis.probe.run import probe
    from augcse.analysis.scoring.run import score
    from augcse.annotation.segment import split
    from augcse.augmentations.base import augmentation
    from augcse.augmentations.run.apply import augment, edits
    from augcse.augmentations.run.augmenter import Augmenter
    from augcse.encoding.postprocess import postprocess
    from augcse.encoding.static.build import static
    from augcse.evaluation.evaluate import evaluate
    from augcse.evaluation.hybrid import hybrid
    from augcse.pipeline import train
    from augcse.report.plots.kinds import plot
    from augcse.sweeping.sweep import sweep
    from augcse.training.pretraining.pretrain import pretrain
else:
    _MODULE_OF = {
        "augment": "augcse.augmentations.run.apply",
        "augmentation": "augcse.augmentations.base",
        "Augmenter": "augcse.augmentations.run.augmenter",
        "edits": "augcse.augmentations.run.apply",
        "postprocess": "augcse.encoding.postprocess",
        "hybrid": "augcse.evaluation.hybrid",
        "split": "augcse.annotation.segment",
        "static": "augcse.encoding.static.build",
        "adapt": "augcse.adaptation",
        "sweep": "augcse.sweeping.sweep",
        "pretrain": "augcse.training.pretraining.pretrain",
        "train": "augcse.pipeline",
        "evaluate": "augcse.evaluation.evaluate",
        "plot": "augcse.report.plots.kinds",
        "probe": "augcse.analysis.probe.run",
        "score": "augcse.analysis.scoring.run",
    }

    def __getattr__(name):  # noqa: ANN001, ANN202 - a type checker reads the imports above
        # Imported lazily, so that `import augcse` is fast.
        if name in _MODULE_OF:
            from importlib import import_module

            return getattr(import_module(_MODULE_OF[name]), name)
        raise AttributeError(f"module 'augcse' has no attribute {name!r}")

    def __dir__():  # noqa: ANN202
        return sorted({*globals(), *__all__})

"""Sentence embeddings from nothing but plain text: contrastive learning with diverse text augmentation.

corpus -> annotation -> augmentations -> encoding -> objectives -> training -> evaluation -> analysis -> report
text      parse once    views            model       scalar        run         scores        figures     tables, HTML
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "augment", "augmentation", "evaluate", "train"]

_HOMES = {
    "augment": "augcse.augmentations.apply",
    "augmentation": "augcse.augmentations.base",
    "train": "augcse.pipeline",
    "evaluate": "augcse.pipeline",
}


def __getattr__(name: str) -> Any:
    # Lazily: `import augcse` costs nothing, `augcse.train` costs torch.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'augcse' has no attribute {name!r}")

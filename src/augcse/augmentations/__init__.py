"""Augmentations: one decorated function each, in one file per family under `rules/`."""

"""Augmentations: one decorated function each, under `rules/`.

A rule's folder holds what it alone uses; what two rules use is English grammar (`english/`) or characters (`text/`).
"""

"""Augmentations: one decorated function each, under `rules/`.

A rule keeps house with what only it uses; what two rules use is English grammar (`english/`) or characters (`text/`).
"""

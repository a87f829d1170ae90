"""Augmentations: one decorated function each, under `rules/`.

What only one rule uses is in its folder; what several use is English grammar (`english/`) or characters and tables (`text/`).
"""

"""Checks of a model without labels, on augmentations that keep a sentence's meaning and ones that change it."""

"""Checks of a model without labels: augmentations say which edits keep a sentence's meaning and which change it."""

"""Intrinsic measures of augmentations on a corpus: similarity, fluency, and detectability by surface features."""

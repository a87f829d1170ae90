"""The order, the tense or the frame of a sentence changed."""

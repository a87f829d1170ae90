"""Noise: words moved, deleted, repeated or misspelled, and marks inserted."""

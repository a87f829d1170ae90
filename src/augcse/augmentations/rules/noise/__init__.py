"""Noise: words moved, dropped, repeated or misspelled, marks put in."""

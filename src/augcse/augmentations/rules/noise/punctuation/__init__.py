"""Punctuation put in: by a rule, or at random."""

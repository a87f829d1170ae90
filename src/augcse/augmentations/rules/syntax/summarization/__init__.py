"""Summarization, and the words that a summary cannot do without."""

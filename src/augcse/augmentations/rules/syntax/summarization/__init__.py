"""Summarization: which words of a clause stay, and where one would stay without what it needs."""

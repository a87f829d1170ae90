"""SentenceReordering, and the words by which a sentence depends on the one before."""

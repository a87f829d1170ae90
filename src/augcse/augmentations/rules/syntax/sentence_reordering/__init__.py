"""SentenceReordering, and the words by which a sentence leans on the one before."""

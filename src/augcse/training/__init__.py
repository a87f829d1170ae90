"""Training: token store, batches of equal length, a thin sentence-transformers trainer, the run record."""

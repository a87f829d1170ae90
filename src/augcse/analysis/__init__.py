"""Analysis of embeddings, corpora and augmentations."""

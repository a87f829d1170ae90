"""Figures about embeddings: projections to look at, distances to compare."""

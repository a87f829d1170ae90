"""Backbones and pooling: an ordinary `SentenceTransformer`, built or loaded."""

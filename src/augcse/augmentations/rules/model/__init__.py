"""Rules that run a model."""

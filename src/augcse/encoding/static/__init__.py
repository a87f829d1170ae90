"""A static sentence encoder from plain text: one vector per token, weighted, whitened and averaged."""

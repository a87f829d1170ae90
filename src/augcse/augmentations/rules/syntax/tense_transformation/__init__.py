"""TenseTransformation, and where the parse is in doubt."""

"""What scripts/choose_static.py tries: texts, rows, and how they are put together."""

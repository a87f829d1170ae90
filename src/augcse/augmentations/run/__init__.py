"""Rows in, rows out: the augmentations applied to tables, by one process or many, into files."""

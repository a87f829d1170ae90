"""A word replaced by another one."""

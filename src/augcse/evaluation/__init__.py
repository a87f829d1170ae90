"""Evaluation: tasks are discovered automatically in `tasks/`; each distinct sentence is encoded once for all of them."""

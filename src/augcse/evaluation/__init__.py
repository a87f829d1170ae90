"""Evaluation: tasks are found by themselves in `tasks/`; each distinct sentence is encoded once for all of them."""

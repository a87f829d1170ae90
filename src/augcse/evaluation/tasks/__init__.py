"""The tasks. A module here is found by itself: adding a task touches one of these files and nothing else."""

"""The families. A module here is found by itself: adding an augmentation touches one of these files and nothing else."""

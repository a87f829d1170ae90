"""Parse once: every parser-bound augmentation reads the same `Parse`."""

"""FactiveVerbTransformation, and the openings that tie a sentence to the one before."""

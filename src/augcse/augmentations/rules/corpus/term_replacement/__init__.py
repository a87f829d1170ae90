"""UNA, TFIDFReplacement and UniformReplacement, and the statistics they take from a corpus."""

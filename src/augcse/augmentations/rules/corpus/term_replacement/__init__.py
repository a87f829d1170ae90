"""UNA, TFIDFReplacement and UniformReplacement, and the statistics that they take from a corpus."""

"""Insert punctuation, by a rule or at random."""

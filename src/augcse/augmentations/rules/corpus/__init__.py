"""Words replaced after the statistics of the corpus."""

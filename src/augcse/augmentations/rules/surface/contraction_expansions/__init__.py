"""ContractionExpansions and its tables."""

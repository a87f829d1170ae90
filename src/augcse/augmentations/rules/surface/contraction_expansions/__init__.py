"""ContractionExpansions and its list."""

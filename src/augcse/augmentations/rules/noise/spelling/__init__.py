"""Words spelled another way."""

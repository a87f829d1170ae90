"""SynonymSubstitution and its list."""

"""Another spelling of the same words: contractions, numbers, connectives."""

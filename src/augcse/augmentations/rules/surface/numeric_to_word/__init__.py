"""NumericToWord: reading numerals, and writing them as words."""

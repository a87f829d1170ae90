"""NumericToWord: numerals written as words."""

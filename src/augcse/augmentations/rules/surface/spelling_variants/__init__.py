"""SpellingVariants: British and American spellings of a word, each in the place of the other."""

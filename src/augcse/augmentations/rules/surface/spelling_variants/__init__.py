"""SpellingVariants: British and American spellings, each replaced by the other."""

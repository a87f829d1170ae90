"""ColorTransformation, its lists, and the nouns whose colour is no attribute."""

"""ColorTransformation, its word lists, and the nouns whose colour is not an attribute."""

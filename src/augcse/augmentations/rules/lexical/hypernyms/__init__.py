"""ReplaceHypernyms and ReplaceHyponyms, and their lists."""

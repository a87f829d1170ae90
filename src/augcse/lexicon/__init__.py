"""Lexical relations: synonyms, antonyms, broader and narrower words, from the bundled file or a WordNet folder."""

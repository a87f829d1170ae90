"""GenderSwap, its word lists, and its tests of pronouns, names and senses."""

"""GenderSwap, its list, and what must be known of pronouns, names and senses."""

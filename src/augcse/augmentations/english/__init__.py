"""English grammar and word tables that several rules use, so that each is written once."""

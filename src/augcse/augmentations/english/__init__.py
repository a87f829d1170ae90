"""English grammar: what two rules or more use; one home for it, so that a closed class is written once."""

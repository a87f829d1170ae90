"""Chinese grammar: what two rules or more use."""

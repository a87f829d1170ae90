"""YodaPerturbation, and which clauses it leaves alone."""

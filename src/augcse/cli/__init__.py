"""The command line: one file per verb, each a thin call of a plain function."""

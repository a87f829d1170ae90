"""The command line: one module per command, each a thin wrapper of a function."""

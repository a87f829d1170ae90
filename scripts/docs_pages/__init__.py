"""The generated pages under docs/, a module for each kind; every page is a function that returns its text."""

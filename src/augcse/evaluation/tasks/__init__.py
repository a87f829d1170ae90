"""The tasks. Modules in this package are discovered: adding a task means adding or changing one of these files only."""

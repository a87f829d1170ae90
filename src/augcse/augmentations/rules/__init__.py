"""The rules, one folder per family: NAME.py, or NAME/rule.py next to what only that rule uses. They are found automatically."""

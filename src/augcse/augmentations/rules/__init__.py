"""The rules, a folder for each family; NAME.py, or NAME/rule.py with what serves that rule alone beside it. All are found by themselves."""

"""Reports of runs: tables, plots, and one self-contained HTML page."""

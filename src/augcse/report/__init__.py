"""Reports people look at: tables, and one self-contained HTML page with pictures."""

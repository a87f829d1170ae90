"""Characters, spans and tables: what rules share apart from grammar."""

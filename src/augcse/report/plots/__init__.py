"""Pictures of finished runs and of models, one file per kind, as SVG."""

"""Characters and spans: what rules share that is no grammar."""

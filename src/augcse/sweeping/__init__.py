"""Many runs as one: recipes, a grid of settings, seeds. `augcse sweep` and `augcse.sweep`."""

"""Rules that change what a sentence affirms, denies or leaves open."""

"""What a sentence affirms, denies or leaves open."""

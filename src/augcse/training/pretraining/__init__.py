"""A small backbone from text alone: tokenizer, masked language model, and a stage for sentences."""

"""A small backbone from nothing but text: tokenizer, masked language model, and a stage for sentences."""

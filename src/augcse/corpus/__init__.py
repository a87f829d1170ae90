"""Text in: a stream of sentences from files, checked line by line."""

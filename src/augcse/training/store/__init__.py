"""What a run prepares and reads from disk: the rows of a corpus as token ids, with their views and labels."""

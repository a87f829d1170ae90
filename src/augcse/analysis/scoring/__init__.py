"""What each augmentation does to a corpus, in figures: how alike the results are, how fluent, whether they can be told apart."""

"""What the neural augmentations run on: checkpoints, a cache, masked language models, word vectors, translators.

Nothing here imports torch or transformers before a model is asked for: `augcse list` stays quick.
"""

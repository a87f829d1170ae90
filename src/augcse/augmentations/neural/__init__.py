"""The basis of the neural augmentations: checkpoints, masked language models, sequence-to-sequence models, word vectors, apertium.

Nothing here imports torch or transformers before a model is needed, so that `augcse list` stays fast.
"""

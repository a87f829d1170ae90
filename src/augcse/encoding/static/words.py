"""Encode text word by word, each distinct word once: faster than sentence by sentence, with the same tokens.

In a million sentences fewer than one in twenty of the 22 million words are new, and half of the new ones consist of known parts
with punctuation between them. A tokenizer that splits at every space before it does anything else to words gives a sentence the tokens of
its words, and one that splits around punctuation next gives a word the tokens of its parts; `splits_at_blanks` and `part_pattern` check
this.
"""

from __future__ import annotations

import json
import re
import string
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from torch import Tensor

Array = npt.NDArray[Any]
_NUMBER = np.dtype(np.uintc)
# Limit of the cache, which is then emptied: 200 MB. In a text without spaces whole sentences are words.
_MOST_CHARACTERS = 20_000_000
# Memory of a word's objects and entry in addition to its characters, in characters.
_PER_WORD = 20
# Normalizers that change a character by itself or together with those that follow in the same word.
_NORMALIZERS = frozenset({"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"})
# Pre-tokenizers that split at spaces and drop them, and those that may split the parts further.
_AT_BLANKS = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_FURTHER = _AT_BLANKS | {"Digits", "Punctuation", "Split"}


def splits_at_blanks(tokenizer: Tokenizer) -> bool:
    """Return whether a tokenizer's tokens of any text are those of the parts between its spaces (U+0020)."""
    document = json.loads(tokenizer.to_str())
    normalizers = [step["type"] for step in _flat_steps(document["normalizer"], "normalizers")]
    pre_tokenizers = [step["type"] for step in _flat_steps(document["pre_tokenizer"], "pretokenizers")]
    return (
        _NORMALIZERS.issuperset(normalizers)
        and bool(pre_tokenizers)
        and pre_tokenizers[0] in _AT_BLANKS
        and _FURTHER.issuperset(pre_tokenizers)
        and not document["model"].get("dropout")
        and not any(" " in token["content"] or token["single_word"] for token in document["added_tokens"])
    )


def part_pattern(tokenizer: Tokenizer) -> re.Pattern[str] | None:
    """Return a pattern for the parts of an ASCII word whose concatenated tokens are the word's; None if words have no parts.

    A part is a punctuation mark or the text between two. Only for ASCII words: "=" and a combining stroke become one character. Marks
    that an added token has, such as "[" of "[CLS]", divide nothing.

    Args:
        tokenizer: one that `splits_at_blanks`.
    """
    document = json.loads(tokenizer.to_str())
    added = "".join(token["content"] for token in document["added_tokens"])
    marks = "".join(mark for mark in string.punctuation if mark not in added)
    if not (marks and added.isascii() and _isolates_punctuation(_flat_steps(document["pre_tokenizer"], "pretokenizers"))):
        return None
    one = f"[{re.escape(marks)}]"
    return re.compile(f"{one}|{one.replace('[', '[^', 1)}+")


class WordEncoder:
    """Encodes batches of sentences by their words, which it caches; thread-safe. Copies start with an empty cache.

    Args:
        tokenizer: one that `splits_at_blanks`, without truncation; its settings stay as they are.
        kind: type of the token numbers.
    """

    def __init__(self, tokenizer: Tokenizer, kind: np.dtype[Any]) -> None:
        self._tokenizer = tokenizer
        self._kind = kind
        self._part = part_pattern(tokenizer)
        self._known: dict[str, bytes] = {}
        self._characters = 0

    def reads(self, tokenizer: Any, texts: Sequence[Any]) -> bool:
        """Return whether this encodes like `tokenizer`: it is the same one without truncation, and the texts are strings, not pairs."""
        return tokenizer is self._tokenizer and tokenizer.truncation is None and set(map(type, texts)) == {str}

    def encode(self, sentences: Sequence[str]) -> tuple[Array, Array]:
        """Return the tokens of all sentences, concatenated, and the number in each."""
        words = [sentence.split(" ") for sentence in sentences]
        # One dictionary throughout: another thread may begin a new one.
        known = self._known
        self._cache_words(known, list(set(chain.from_iterable(words)).difference(known)))
        tokens = [b"".join(map(known.__getitem__, one)) for one in words]
        lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens)) // _NUMBER.itemsize
        return np.frombuffer(b"".join(tokens), dtype=_NUMBER).astype(self._kind), lengths

    def _cache_words(self, known: dict[str, bytes], words: list[str]) -> None:
        """Cache new words, and their parts, by their tokens: bytes of unsigned integers in native order."""
        parts = [self._parts_of(word) for word in words]
        new_parts = list(set(chain.from_iterable(parts)).difference(known))
        encodings = self._tokenizer.encode_batch_fast(new_parts, add_special_tokens=False)
        known.update((part, array("I", encoding.ids).tobytes()) for part, encoding in zip(new_parts, encodings, strict=True))
        known.update((word, b"".join(map(known.__getitem__, parts_of_word))) for word, parts_of_word in zip(words, parts, strict=True))
        self._characters += sum(map(len, words)) + sum(map(len, new_parts)) + _PER_WORD * (len(words) + len(new_parts))
        if self._characters > _MOST_CHARACTERS:
            self._known, self._characters = {}, 0

    def _parts_of(self, word: str) -> list[str]:
        return self._part.findall(word) if self._part is not None and word.isascii() else [word]

    def __reduce__(self) -> tuple[type[WordEncoder], tuple[Any, ...]]:
        return WordEncoder, (self._tokenizer, self._kind)


class WordwisePreprocessing:
    """Replacement for a static embedding's `preprocess` that uses cached words if its tokenizer allows it.

    Args:
        module: a `StaticEmbedding`.
    """

    def __init__(self, module: StaticEmbedding) -> None:
        self._module = module
        self._words = WordEncoder(module.tokenizer, np.dtype(np.int64)) if splits_at_blanks(module.tokenizer) else None

    def __call__(self, inputs: list[Any], prompt: str | None = None, **options: Any) -> dict[str, Tensor]:
        """Return the tokens of all texts, concatenated, and the offset of each text."""
        import torch
        from sentence_transformers.sentence_transformer.modules import StaticEmbedding

        if self._words is None or not self._words.reads(self._module.tokenizer, inputs):
            features: dict[str, Tensor] = StaticEmbedding.preprocess(self._module, inputs, prompt=prompt, **options)
            return features
        tokens, lengths = self._words.encode([prompt + text for text in inputs] if prompt else inputs)
        return {"input_ids": torch.from_numpy(tokens), "offsets": torch.from_numpy(np.cumsum(lengths) - lengths)}


def remember_words(model: SentenceTransformer) -> SentenceTransformer:
    """Make a model's stock static embeddings encode word by word if possible, and return it. Embeddings and saved files stay the same."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    for module in model.modules():
        if type(module) is StaticEmbedding:
            # On the instance, not in a subclass: a model is saved by the names of its modules' classes.
            module.preprocess = WordwisePreprocessing(module)
    return model


def _isolates_punctuation(pre_tokenizers: list[dict[str, Any]]) -> bool:
    """Return whether every ASCII punctuation mark becomes a word before anything but spaces or runs of punctuation splits words."""
    further = next((step for step in pre_tokenizers if step["type"] not in ("Whitespace", "WhitespaceSplit")), {"type": None})
    return further["type"] == "BertPreTokenizer" or (further["type"] == "Punctuation" and further["behavior"] == "Isolated")


def _flat_steps(step: dict[str, Any] | None, members: str) -> list[dict[str, Any]]:
    """Return the steps of a normalizer or pre-tokenizer, in order."""
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    return [inner_step for member in step[members] for inner_step in _flat_steps(member, members)]

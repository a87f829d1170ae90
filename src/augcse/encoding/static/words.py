"""Encode text word by word, each distinct word once: faster than sentence by sentence, with the same tokens.

Of a million sentences' 22 million words less than one in twenty is new. A tokenizer that splits at every blank before it does anything
else to words gives a sentence the tokens of its words; `splits_at_blanks` says whether one does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

Array = npt.NDArray[Any]
_NUMBER = np.dtype(np.uint32)
# Of the remembered words, then all are forgotten: 200 MB. In a text without blanks whole sentences are words.
_MOST_CHARACTERS = 20_000_000
# What a word's objects and its entry take beside its characters, in characters.
_PER_WORD = 20
# What changes characters by themselves or with those that follow in the same word.
_NORMALIZERS = frozenset({"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"})
# What splits at blanks and drops them, and what may split the parts further.
_AT_BLANKS = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_FURTHER = _AT_BLANKS | {"Digits", "Punctuation", "Split"}


def splits_at_blanks(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer's tokens of a text are those of the parts between its blanks (U+0020), for every text."""
    document = json.loads(tokenizer.to_str())
    normalizers = [step["type"] for step in _steps(document["normalizer"], "normalizers")]
    pre_tokenizers = [step["type"] for step in _steps(document["pre_tokenizer"], "pretokenizers")]
    return (
        _NORMALIZERS.issuperset(normalizers)
        and bool(pre_tokenizers)
        and pre_tokenizers[0] in _AT_BLANKS
        and _FURTHER.issuperset(pre_tokenizers)
        and not document["model"].get("dropout")
        and not any(" " in token["content"] or token["single_word"] for token in document["added_tokens"])
    )


class WordEncoder:
    """Encodes batches of sentences by their words, which it remembers; several threads may use it at once.

    Args:
        tokenizer: one that `splits_at_blanks`, without truncation; its settings stay as they are.
        kind: type of the token numbers.
    """

    def __init__(self, tokenizer: Tokenizer, kind: np.dtype[Any]) -> None:
        self._tokenizer = tokenizer
        self._kind = kind
        self._known: dict[str, bytes] = {}
        self._characters = 0

    def encode(self, sentences: Sequence[str]) -> tuple[Array, Array]:
        """Return the tokens of all sentences, one after another, and how many each has."""
        tokens = self.tokens_of(sentences)
        lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens)) // _NUMBER.itemsize
        return np.frombuffer(b"".join(tokens), dtype=_NUMBER).astype(self._kind), lengths

    def tokens_of(self, sentences: Sequence[str]) -> list[bytes]:
        """Return each sentence's tokens, as the bytes of uint32 in the machine's order."""
        parts = [sentence.split(" ") for sentence in sentences]
        # One dictionary throughout: another thread may begin a new one.
        known = self._known
        self._learn(known, list(set(chain.from_iterable(parts)).difference(known)))
        return [b"".join(map(known.__getitem__, words)) for words in parts]

    def _learn(self, known: dict[str, bytes], words: list[str]) -> None:
        encodings = self._tokenizer.encode_batch_fast(words, add_special_tokens=False)
        known.update((word, np.array(encoding.ids, dtype=_NUMBER).tobytes()) for word, encoding in zip(words, encodings, strict=True))
        self._characters += sum(map(len, words)) + _PER_WORD * len(words)
        if self._characters > _MOST_CHARACTERS:
            self._known, self._characters = {}, 0


class WordwiseTokenizer:
    """A tokenizer for sentence-transformers' `StaticEmbedding` that remembers words; in all else the tokenizer that it is given.

    Args:
        tokenizer: one that `splits_at_blanks`.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer: Any = tokenizer
        self._words = WordEncoder(tokenizer, _NUMBER)

    def encode_batch(self, texts: Sequence[Any], *arguments: Any, add_special_tokens: bool = True, **options: Any) -> Any:
        """Return encodings; where no special token is asked for, and nothing cut, with `ids` alone in them."""
        if add_special_tokens or arguments or options or self._tokenizer.truncation is not None:
            return self._tokenizer.encode_batch(texts, *arguments, add_special_tokens=add_special_tokens, **options)
        return [_Numbers(tokens) for tokens in self._words.tokens_of(texts)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokenizer, name)

    def __reduce__(self) -> tuple[type[WordwiseTokenizer], tuple[Any]]:
        return WordwiseTokenizer, (self._tokenizer,)


class _Numbers:
    """An encoding's token numbers."""

    def __init__(self, tokens: bytes) -> None:
        self._tokens = tokens

    @property
    def ids(self) -> list[int]:
        return memoryview(self._tokens).cast("I").tolist()


def remember_words(model: SentenceTransformer) -> SentenceTransformer:
    """Let the static encoders in a model encode word by word where they can, and return it. It embeds, and is saved, as before."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    for module in model.modules():
        if isinstance(module, StaticEmbedding) and splits_at_blanks(module.tokenizer):
            module.tokenizer = WordwiseTokenizer(module.tokenizer)
    return model


def _steps(step: dict[str, Any] | None, members: str) -> list[dict[str, Any]]:
    """Return the steps of a normaliser or pre-tokeniser, one after another."""
    if step is None:
        return []
    return [inner for member in step[members] for inner in _steps(member, members)] if step["type"] == "Sequence" else [step]

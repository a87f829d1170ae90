"""Sentences as arrays of token numbers: train or take a tokenizer, and encode a corpus with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Array = npt.NDArray[Any]
UNKNOWN = "[UNK]"
_BATCH = 4096


@dataclass(frozen=True)
class TokenizedSentences:
    """Token numbers of sentences, one after another.

    Attributes:
        ids: (tokens,), of the smallest unsigned type that holds the vocabulary.
        offsets: (sentences + 1,) int64; sentence i is `ids[offsets[i] : offsets[i + 1]]`.
    """

    ids: Array
    offsets: Array

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def chunks(self, tokens: int) -> Iterator[TokenizedSentences]:
        """Give the sentences in order, in parts of about so many tokens; a sentence is never divided."""
        start = 0
        while start < len(self):
            end = int(np.searchsorted(self.offsets, self.offsets[start] + tokens, side="right")) - 1
            end = min(max(end, start + 1), len(self))
            first, last = self.offsets[start], self.offsets[end]
            yield TokenizedSentences(self.ids[first:last], self.offsets[start : end + 1] - first)
            start = end

    def take(self, indices: Sequence[int] | Array) -> TokenizedSentences:
        """Return the sentences of these indices, in that order."""
        parts = [self.ids[self.offsets[index] : self.offsets[index + 1]] for index in indices]
        return _joined(parts, self.ids.dtype)

    def distinct_tokens(self) -> TokenizedSentences:
        """Return the sentences with each token once, where it first comes."""
        parts = [first_occurrences(self.ids[start:end]) for start, end in zip(self.offsets[:-1], self.offsets[1:], strict=True)]
        return _joined(parts, self.ids.dtype)


def first_occurrences(ids: Array) -> Array:
    """Return `ids` (n,) with each number once, in the order in which they first come."""
    return ids[np.sort(np.unique(ids, return_index=True)[1])]


def tokenize_sentences(tokenizer: Tokenizer, sentences: Iterable[str]) -> TokenizedSentences:
    """Encode sentences without special tokens, as sentence-transformers' `StaticEmbedding` does; memory holds the numbers alone."""
    kind = np.min_scalar_type(max(tokenizer.get_vocab_size() - 1, 0))
    parts: list[Array] = []
    lengths: list[int] = []
    stream = iter(sentences)
    while batch := list(islice(stream, _BATCH)):
        encoded = [encoding.ids for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False)]
        lengths += map(len, encoded)
        parts.append(np.fromiter(chain.from_iterable(encoded), dtype=kind))
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    return TokenizedSentences(np.concatenate(parts) if parts else np.empty(0, dtype=kind), offsets)


def train_tokenizer(sentences: Iterable[str], vocabulary_size: int) -> Tokenizer:
    """Train a WordPiece tokenizer of lower case on sentences; the same sentences give the same tokenizer.

    Texts are split at blanks and around punctuation; scripts without blanks between words are cut by the pieces alone.

    Raises:
        UserError: no token in the sentences.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer: Any = Tokenizer(models.WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=200))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("isolated")])
    trainer = trainers.WordPieceTrainer(vocab_size=vocabulary_size, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator(sentences, trainer)
    if tokenizer.get_vocab_size() <= 1:
        raise UserError("no token in the corpus; give text with words in it")
    return tokenizer  # type: ignore[no-any-return]


def tokenizer_of(name: str) -> Tokenizer:
    """Return a copy of a model's fast tokenizer, without padding and truncation.

    Args:
        name: a bundled model, a folder with a tokenizer.json, or a hub name.

    Raises:
        UserError: there is none, or only a slow one.
    """
    from tokenizers import Tokenizer

    from augcse.encoding.model import load_tokenizer
    from augcse.errors import ForeignFailure

    with ForeignFailure(partial(_not_fast, name)):
        tokenizer: Tokenizer = Tokenizer.from_str(load_tokenizer(name).backend_tokenizer.to_str())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _not_fast(name: str, error: BaseException) -> str:
    return f"{name} has no fast tokenizer ({type(error).__name__}); give a folder with a tokenizer.json, or none to train one"


def _joined(parts: Sequence[Array], kind: npt.DTypeLike) -> TokenizedSentences:
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)]).astype(np.int64)
    return TokenizedSentences(np.concatenate(parts) if parts else np.empty(0, dtype=kind), offsets)

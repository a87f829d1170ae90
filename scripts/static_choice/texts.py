"""The texts of a try by their names, as sentences and as token numbers kept on disk."""

from __future__ import annotations

import functools
import hashlib
import lzma
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from augcse.encoding.static.counts import token_counts
from augcse.encoding.static.tokenizer import tokenizer_of, train_tokenizer
from augcse.encoding.static.tokens import TokenizedSentences, tokenize_sentences
from mixed_text import mixed_sentences


class Texts:
    """Texts named "file:lines+file:lines", read from DIR/corpora; "mixed" is scripts/mixed_text.py's.

    Args:
        data: the data folder.
        cache: where token numbers and tokenizers are kept.
    """

    def __init__(self, data: Path, cache: Path) -> None:
        self.data, self.corpora, self.cache = data, data / "corpora", cache
        cache.mkdir(parents=True, exist_ok=True)
        self.sha256 = functools.cache(self._find_sha256)
        self.tokenizer = functools.cache(self._find_tokenizer)
        self.tokens = functools.cache(self._find_tokens)
        self.counts = functools.cache(self._find_counts)

    def sentences(self, spec: str) -> Iterator[str]:
        """Give a text's lines, blank ones and titles of articles left out."""
        for part in spec.split("+"):
            if part == "mixed":
                yield from mixed_sentences(self.data)
                continue
            name, _, number = part.partition(":")
            folder = {"wiki": "wiki_sent", "para": "wiki_para"}.get(name)
            files = sorted((self.corpora / folder).glob("*.xz")) if folder else [self.corpora / f"{name}.txt.xz"]
            yield from islice((line for file in files for line in _lines(file)), int(number) if number else None)

    def _find_sha256(self, spec: str) -> str:
        """Return the hash of a text's lines."""
        kept = self.cache / f"{_key(spec)}.sha256"
        if not kept.exists():
            digest = hashlib.sha256()
            for line in self.sentences(spec):
                digest.update(line.encode() + b"\n")
            kept.write_text(digest.hexdigest(), "utf-8")
        return kept.read_text("utf-8")

    def _find_tokenizer(self, name: str) -> Any:
        """Return a model's tokenizer, or one trained: "trained:SIZE@TEXT"."""
        if not name.startswith("trained:"):
            return tokenizer_of(name)
        from tokenizers import Tokenizer

        kept = self.cache / f"{_key(name)}.json"
        size, _, spec = name.removeprefix("trained:").partition("@")
        if not kept.exists():
            kept.write_text(train_tokenizer(list(self.sentences(spec)), int(size)).to_str(), "utf-8")
        return Tokenizer.from_file(str(kept))

    def _find_tokens(self, tokenizer: str, spec: str) -> TokenizedSentences:
        """Return a text's token numbers; each part of its name is kept on disk by itself."""
        parts = [self._part(tokenizer, part) for part in spec.split("+")]
        starts = np.cumsum([0, *(len(part.ids) for part in parts[:-1])])
        offsets = [part.offsets[1:] + start for part, start in zip(parts, starts, strict=True)]
        return TokenizedSentences(np.concatenate([part.ids for part in parts]), np.concatenate([[0], *offsets]))

    def _part(self, tokenizer: str, part: str) -> TokenizedSentences:
        name, _, number = part.partition(":")
        kept = self._kept(tokenizer, name, int(number) if number else None)
        if kept is not None:
            with np.load(kept) as loaded:
                offsets = loaded["offsets"][: int(number) + 1] if number else loaded["offsets"]
                return TokenizedSentences(loaded["ids"][: offsets[-1]], offsets)
        tokens = tokenize_sentences(self.tokenizer(tokenizer), self.sentences(part))
        np.savez(self.cache / f"tokens-{_key(tokenizer)}-{name}-{number or 'whole'}.npz", ids=tokens.ids, offsets=tokens.offsets)
        return tokens

    def _kept(self, tokenizer: str, name: str, number: int | None) -> Path | None:
        """Return the file with at least so many lines, None asking for the whole."""
        for kept in sorted(self.cache.glob(f"tokens-{_key(tokenizer)}-{name}-*.npz")):
            lines = kept.stem.rsplit("-", 1)[1]
            if lines == "whole" or (number is not None and int(lines) >= number):
                return kept
        return None

    def _find_counts(self, tokenizer: str, spec: str) -> Any:
        """Return how often each token occurs in a text."""
        return token_counts(self.tokens(tokenizer, spec), self.tokenizer(tokenizer).get_vocab_size())


def _lines(file: Path) -> Iterator[str]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = line.strip()
            if text and not text.startswith("= "):
                yield text


def _key(name: str) -> str:
    return name if len(name) < 40 and "+" not in name and "@" not in name else hashlib.sha256(name.encode()).hexdigest()[:16]

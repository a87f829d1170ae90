"""The rows of a try: from co-occurrence, from a model's embedding table, or both."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.counts import cooccurrence, most_frequent
from augcse.encoding.static.factors import stable_signs
from augcse.encoding.static.letters import letter_rows
from augcse.encoding.static.relatives import move_together, pairs_with_common_prefix
from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.unit_rows import unit_rows
from static_choice.relatives import drawn_to_nearest, forms_of_one_lemma
from static_choice.texts import Texts

Array = npt.NDArray[Any]
# What is kept of a factorisation; fewer columns are cut from it.
_KEPT = 1024


class Sources:
    """Rows by settings; tables and factors are kept on disk."""

    def __init__(self, texts: Texts, cache: Path) -> None:
        self.texts, self.cache = texts, cache

    def parts(self, settings: dict[str, Any]) -> list[tuple[Array, float]]:
        """Return (rows, scale) of each part."""
        chosen = settings["parts"].split("+")
        of_part = {"cooccurrence": settings["scale"], "identity": settings["names_scale"], "spelling": settings["names_scale"]}
        scales = [of_part.get(part, 1.0) if len(chosen) > 1 else 1.0 for part in chosen]
        return [(self._drawn(part, self._rows(part, settings), settings), scale) for part, scale in zip(chosen, scales, strict=True)]

    def _drawn(self, part: str, rows: Array, settings: dict[str, Any]) -> Array:
        if settings["draw"] == "none" or part in ("identity", "spelling"):
            return rows
        vocabulary = self.texts.tokenizer(settings["tokenizer"]).get_vocab()
        counts = self.texts.counts(settings["tokenizer"], settings["corpus"])
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        kind, share, cosine = settings["draw"], settings["draw_share"], settings["draw_cosine"]
        if kind.startswith("nearest"):
            return drawn_to_nearest(rows, counts, int(kind.partition("-")[2]), share)
        pairs = pairs_with_common_prefix(words) if kind == "prefix" else forms_of_one_lemma(words)
        return move_together(rows, counts, pairs, share, cosine)

    def _rows(self, part: str, settings: dict[str, Any]) -> Array:
        if part == "backbone":
            return normed(embedding_rows(settings["tokenizer"]), settings["norm"])
        if part in ("identity", "spelling"):
            return self._from_names(part, settings)
        window = int(part.removeprefix("cooccurrence") or settings["window"])
        factors, values, tokens = self._factors(settings, window)
        scaled = factors[:, : settings["dim"]] * values[: settings["dim"]] ** settings["value_exponent"]
        size = self.texts.tokenizer(settings["tokenizer"]).get_vocab_size()
        rows: Array = np.zeros((size, scaled.shape[1]), dtype=np.float32)
        rows[tokens] = normed(scaled, settings["norm"])
        return rows

    def _from_names(self, part: str, settings: dict[str, Any]) -> Array:
        """Return random, nearly orthogonal vectors per token, or means of such vectors of its character n-grams."""
        vocabulary = self.texts.tokenizer(settings["tokenizer"]).get_vocab()
        names = sorted(vocabulary, key=vocabulary.__getitem__)
        dim = settings["names_dim"]
        if part == "identity":
            return unit_rows(np.random.default_rng(0).standard_normal((len(names), dim)), np.float32)
        return letter_rows(names, dim)

    def _factors(self, settings: dict[str, Any], window: int) -> tuple[Array, Array, Array]:
        """Return left vectors, singular values and the tokens of the rows."""
        keys = ("tokenizer", "corpus", "decay", "contexts", "context_exponent", "shift")
        kept = self.cache / f"factors-{_hash([settings[key] for key in keys], window)}.npz"
        if kept.exists():
            with np.load(kept) as loaded:
                return loaded["factors"], loaded["values"], loaded["tokens"]
        tokens, table = self._table(settings, window)
        factors, values = singular_vectors(
            mutual_information(table, settings["context_exponent"], settings["shift"]), max(_KEPT, settings["dim"])
        )
        np.savez(kept, factors=factors, values=values, tokens=tokens)
        return factors, values, tokens

    def _table(self, settings: dict[str, Any], window: int) -> tuple[Array, Array]:
        tokenizer, spec = settings["tokenizer"], settings["corpus"]
        counts = self.texts.counts(tokenizer, spec)
        rows = most_frequent(counts, len(counts))
        sentences = self.texts.tokens(tokenizer, spec)
        if settings["decay"] == "none":
            return rows, cooccurrence(sentences, rows, settings["contexts"], window, len(counts)).astype(np.float32)
        return rows, harmonic(sentences, rows, settings["contexts"], window, len(counts))


def harmonic(sentences: TokenizedSentences, rows: Array, contexts: int, window: int, size: int) -> Array:
    """Return co-occurrences weighted by 1 / distance (GloVe), from the differences of windows."""
    total = np.zeros((len(rows), min(contexts, len(rows))), dtype=np.float32)
    before: Array | float = 0.0
    for distance in range(1, window + 1):
        within = cooccurrence(sentences, rows, contexts, distance, size).astype(np.float32)
        total += (within - before) / distance
        before = within
    return total


def mutual_information(table: Array, exponent: float, shift: float) -> Array:
    """Return max(0, log(p(row, context) / (p(row) p(context))) - shift), in place of the table."""
    row_sums = np.maximum(table.sum(axis=1, dtype=np.float64), 1e-9)
    shares = table.sum(axis=0, dtype=np.float64) ** exponent
    shares /= shares.sum()
    with np.errstate(divide="ignore"):
        for block in np.array_split(table, max(len(table) // 1024, 1)):
            first = (block.ctypes.data - table.ctypes.data) // table.strides[0]
            block /= (row_sums[first : first + len(block), None] * np.maximum(shares, 1e-30)[None, :]).astype(np.float32)
            np.log(block, out=block)
            block -= np.float32(shift)
            np.maximum(block, 0, out=block)
    return table


def singular_vectors(matrix: Array, number: int, rounds: int = 7) -> tuple[Array, Array]:
    """Return (left vectors, singular values), by block iteration from seeded random vectors (Halko et al. 2011), in float32."""
    gram = matrix.T @ matrix
    number = min(number, len(gram))
    width = min(number + 128, len(gram))
    block = np.random.default_rng(0).standard_normal((len(gram), width), dtype=np.float32)
    for _ in range(rounds):
        block = np.linalg.qr(gram @ (gram @ block))[0]
    values, axes = np.linalg.eigh((block.T @ (gram @ block)).astype(np.float64))
    order = np.argsort(values)[::-1][:number]
    values = np.sqrt(np.maximum(values[order], 1e-12))
    left = matrix @ (block @ axes[:, order].astype(np.float32)) / values.astype(np.float32)
    return stable_signs(left).astype(np.float32), values.astype(np.float32)


def normed(rows: Array, norm: str) -> Array:
    """Return rows of length 1 ("unit"), of the root of their length ("root") or as they are ("none", of mean length 1)."""
    if norm == "centred":
        return unit_rows(rows - rows.mean(axis=0), rows.dtype)
    if norm == "unit":
        return unit_rows(rows, rows.dtype)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Array = rows / (lengths.mean() if norm == "none" else np.sqrt(np.maximum(lengths, 1e-9)))
    return scaled


@functools.cache
def embedding_rows(name: str) -> Array:
    """Return a model's table of word embeddings."""
    from augcse.encoding.model import load_encoder

    rows: Array = next(load_encoder(name).children()).auto_model.get_input_embeddings().weight.detach().numpy()
    return rows


def _hash(*keys: Any) -> str:
    return hashlib.sha256(repr(keys).encode()).hexdigest()[:16]

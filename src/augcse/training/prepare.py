"""From corpus to token store: augment one way per row, tokenise, correct the label. Done once per run, before training."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from augcse.augmentations.apply import Job, Request, draw_names, fit_all
from augcse.augmentations.engines import apply_stream
from augcse.augmentations.spec import parse_specs
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, read_sentences
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.training.store import META, StoreWriter, TokenStore

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ORIGINAL = "original"
AUGMENTED = "augmented"
FITTED = "fitted"
_CHUNK_ROWS = 4_000
_PARALLEL_FROM_ROWS = 20_000
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Preparation:
    """What decides a store's content; kept in the store and compared before it is used again."""

    corpus: tuple[str, ...]
    corpus_sha256: tuple[str, ...]
    augmentations: tuple[str, ...]
    parser: str
    seed: int
    max_len_tokens: int
    tokenizer: str
    encoding_errors: EncodingErrors = "strict"
    column: str | None = None

    def read(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Stream the corpus."""
        return read_sentences(self.corpus, self.encoding_errors, report, self.column)

    def fingerprint(self) -> dict[str, Any]:
        """Return the part that decides the content."""
        return {
            "corpus_sha256": list(self.corpus_sha256),
            "augmentations": list(self.augmentations),
            "parser": self.parser if self.augmentations else None,
            "seed": self.seed if self.augmentations else None,
            "max_len_tokens": self.max_len_tokens,
            "tokenizer": self.tokenizer,
            "encoding_errors": self.encoding_errors,
            "column": self.column,
        }


def prepare(
    preparation: Preparation,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda message: None,
) -> TokenStore:
    """Write the token store into `folder`, or open the one that lies there if it was made from the same things.

    With augmentations each row gets one, drawn uniformly and fixed for all epochs (AugCSE 4.2); its label is the index in
    `augmentations`, or len(augmentations) for "no augmentation" when the result tokenises to the same ids as the original (the
    published code compares strings, and so labels changes that the encoder cannot see).

    Raises:
        UserError: an unreadable corpus, or one with fewer than two different sentences.
    """
    if preparation.augmentations:
        parse_specs(preparation.augmentations)
    if _is_current(folder, preparation):
        return TokenStore.open(folder)
    report = CorpusReport()
    sentences = preparation.read(report)
    with whole_folder(folder) as partial:
        _write(preparation, sentences, tokenizer, partial, workers, progress)
        _check_enough(report.sentences, preparation.corpus)
        _check_different(TokenStore.open(partial), preparation.corpus)
    store = TokenStore.open(folder)
    for warning in [*report.warnings(), *_duplicate_warning(store)]:
        warn(warning)
    return store


def _is_current(folder: Path, preparation: Preparation) -> bool:
    path = folder / META
    return path.exists() and json.loads(path.read_text("utf-8"))["fingerprint"] == preparation.fingerprint()


def _write(
    preparation: Preparation,
    sentences: Iterable[str],
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    workers: int,
    progress: Progress | None,
) -> None:
    names = preparation.augmentations
    views = [ORIGINAL, AUGMENTED] if names else [ORIGINAL]
    counts = np.zeros(len(names) + 1, dtype=np.int64)
    distinct = _DistinctCounter()
    truncated = 0
    with StoreWriter(folder, views, labelled=bool(names)) as writer:
        for chunk in _chunks(_augmented(sentences, preparation, folder, workers)):
            original = _tokenise(tokenizer, [row.sentence for row in chunk], preparation.max_len_tokens)
            writer.append(ORIGINAL, original)
            distinct.add(original)
            truncated += sum(len(ids) >= preparation.max_len_tokens for ids in original)
            if names:
                augmented = _tokenise(tokenizer, [row.augmented for row in chunk], preparation.max_len_tokens)
                labels = [len(names) if ids == other else row.label for ids, other, row in zip(original, augmented, chunk, strict=True)]
                writer.append(AUGMENTED, augmented)
                writer.append_labels(labels)
                counts += np.bincount(labels, minlength=len(names) + 1)
            if progress:
                progress(len(chunk))
        writer.finish(
            {
                "fingerprint": preparation.fingerprint(),
                "distinct": distinct.count(),
                "at_max_len": truncated,
                "label_counts": dict(zip([*names, "no augmentation"], map(int, counts), strict=True)) if names else {},
            }
        )


@dataclass(frozen=True, slots=True)
class _Row:
    sentence: str
    augmented: str
    label: int


def _augmented(sentences: Iterable[str], preparation: Preparation, folder: Path, workers: int) -> Iterator[_Row]:
    names = preparation.augmentations
    if not names:
        for sentence in sentences:
            yield _Row(sentence, sentence, 0)
        return
    index_of = {name: index for index, name in enumerate(names)}
    requests = (Request(row, sentence, (draw_names(names, [row], preparation.seed)[0],)) for row, sentence in enumerate(sentences))
    fitted = fit_all(names, preparation.read, folder / FITTED)
    job = Job(preparation.seed, preparation.parser, fitted)
    head = list(islice(requests, _PARALLEL_FROM_ROWS))
    # A small corpus is done before the worker processes have started.
    used = workers if len(head) == _PARALLEL_FROM_ROWS else 1
    stream = (request for part in (head, requests) for request in part)
    for request, (text,) in apply_stream(stream, job, used):
        yield _Row(request.sentence, request.sentence if text is None else text, index_of[request.names[0]])


def _tokenise(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], max_len_tokens: int) -> list[list[int]]:
    encoded = tokenizer(
        list(texts),
        truncation=True,
        max_length=max_len_tokens,
        padding=False,
        return_attention_mask=False,
        return_token_type_ids=False,
    )
    ids: list[list[int]] = encoded["input_ids"]
    return ids


class _DistinctCounter:
    """Counts distinct token sequences by 64-bit hash: 8 bytes a row."""

    def __init__(self) -> None:
        self._hashes: list[np.ndarray] = []

    def add(self, sequences: Sequence[Sequence[int]]) -> None:
        self._hashes.append(np.fromiter((hash(tuple(ids)) for ids in sequences), dtype=np.int64, count=len(sequences)))

    def count(self) -> int:
        return len(np.unique(np.concatenate(self._hashes))) if self._hashes else 0


def _chunks(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    while chunk := list(islice(rows, _CHUNK_ROWS)):
        yield chunk


def _check_enough(sentences: int, corpus: Sequence[str]) -> None:
    where = ", ".join(corpus)
    if sentences == 0:
        raise UserError(f"{where}: no sentence in it; give a text file with one sentence per line")
    if sentences == 1:
        raise UserError(f"{where}: one sentence only; contrast needs others to compare with, give at least two")


def _check_different(store: TokenStore, corpus: Sequence[str]) -> None:
    if store.meta["distinct"] < 2:
        raise UserError(f"{', '.join(corpus)}: all {len(store):,} sentences are the same to the tokeniser; contrast needs different ones")


def _duplicate_warning(store: TokenStore) -> list[str]:
    repeated = 1 - store.meta["distinct"] / len(store)
    if repeated < 0.05:
        return []
    return [f"{repeated:.0%} of the sentences repeat another one; a repeated sentence is its own false negative, remove them"]

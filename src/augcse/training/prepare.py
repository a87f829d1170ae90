"""From corpus to token store: augment one way per row, tokenise, correct the label. Done once per run, before training."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from augcse.augmentations.apply import Job, Request, fit_all
from augcse.augmentations.engines import apply_stream
from augcse.augmentations.roles import Roles
from augcse.augmentations.spec import parse_specs
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, read_sentences
from augcse.errors import UserError, unknown_name
from augcse.files import whole_folder
from augcse.rng import derive_seed
from augcse.training.slots import (
    AUGMENTED,
    DEFAULT_NEGATIVE,
    NEGATIVE,
    NEXT,
    ORIGINAL,
    VIEWS,
    Candidate,
    Filled,
    Ids,
    Judge,
    Slot,
    fill,
    slots_of,
)
from augcse.training.store import META, StoreWriter, TokenStore

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

FITTED = "fitted"
UNCHANGED = "no augmentation"
_CHUNK_ROWS = 4_000
_PARALLEL_FROM_ROWS = 20_000
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Preparation:
    """What decides a store's content; kept in the store and compared before it is used again.

    `augmentations` is what the view "augmented" is drawn from, `roles` what "positive" and "negative" are. `views` () means the
    original and, where there are augmentations, the augmented one.
    """

    corpus: tuple[str, ...]
    corpus_sha256: tuple[str, ...]
    augmentations: tuple[str, ...]
    parser: str
    seed: int
    max_len_tokens: int
    tokenizer: str
    encoding_errors: EncodingErrors = "strict"
    column: str | None = None
    views: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)
    proportion: float = 1.0
    unaugmented: Literal["keep", "drop"] = "keep"
    label_kind: Literal["augmentation", "positive"] = "augmentation"
    epoch: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        """The views of the store, in order."""
        return self.views or ((ORIGINAL, AUGMENTED) if self.augmentations else (ORIGINAL,))

    def slots(self) -> list[Slot]:
        """Return the augmented views and what each is drawn from."""
        return slots_of(self.shown, self.augmentations, self.roles, self.proportion)

    def judges_rows(self) -> bool:
        """Whether some augmentation is a positive for one row and a negative for another."""
        slots = self.slots()
        matters = self.label_kind == "positive" or any(slot.positive is not None for slot in slots)
        known = [self.roles.is_positive(name) for slot in slots for name in slot.names() if name != DEFAULT_NEGATIVE]
        return matters and None in known

    def epoch_seed(self) -> int:
        """Return the seed of this epoch's draws: the run's for the first, another for each later one."""
        return derive_seed(self.seed, "epoch", self.epoch) if self.epoch else self.seed

    def read(self, report: CorpusReport | None = None, keep_blank: bool = False) -> Iterator[str]:
        """Stream the corpus."""
        return read_sentences(self.corpus, self.encoding_errors, report, self.column, keep_blank)

    def check(self) -> None:
        """Raise `UserError` for augmentations or settings that cannot work."""
        for view in self.shown:
            if view not in VIEWS:
                raise unknown_name("view", view, VIEWS)
        if self.augmentations:
            parse_specs(self.augmentations)
        self.roles.check()
        if self.unaugmented == "drop" and self.proportion < 1:
            raise UserError(
                f'augmentation.unaugmented is "drop" and augmentation.proportion {self.proportion}: the rows left as they are would'
                ' all be dropped; set unaugmented to "keep" or proportion to 1'
            )

    def fingerprint(self) -> dict[str, Any]:
        """Return the part that decides the content."""
        slots = self.slots()
        return {
            "corpus_sha256": list(self.corpus_sha256),
            "augmentations": list(self.augmentations),
            "parser": self.parser if slots else None,
            "seed": self.epoch_seed() if slots else None,
            "max_len_tokens": self.max_len_tokens,
            "tokenizer": self.tokenizer,
            "encoding_errors": self.encoding_errors,
            "column": self.column,
            "views": list(self.shown),
            "roles": {name: _as_json(getattr(self.roles, name)) for name in self.roles.__slots__},
            "proportion": self.proportion,
            "unaugmented": self.unaugmented,
            "label_kind": self.label_kind,
        }


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def prepare(
    preparation: Preparation,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda message: None,
    judge: Judge | None = None,
) -> TokenStore:
    """Write the token store into `folder`, or open the one that lies there if it was made from the same things.

    A row of "augmented" has one augmentation, drawn uniformly and fixed for all epochs (AugCSE 4.2); its label is the index in
    `augmentations`, or len(augmentations) for "no augmentation" when the result tokenises to the same ids as the original (the
    published code compares strings, and so labels changes that the encoder cannot see). With `label_kind` "positive" it is 1 or 0,
    and 1 for "no augmentation", which is the original again.

    "positive" and "negative" are drawn from their roles. A positive that changes nothing is the original; a negative that changes
    nothing is replaced by one of RandomDeletion at rate 0.6, the default of AugCSE's code, and where there is but one word to delete
    by the sentence before it. "next" is the sentence that follows; a blank line in a text file ends a document, and a document's last
    sentence, which has no next one, is left out.

    `judge` says which results of neutral augmentations are positives, where the label method is "lm_uniform".

    Raises:
        UserError: an unreadable corpus, one with fewer than two different sentences, or neutral augmentations without a judge.
    """
    preparation.check()
    if judge is None and preparation.judges_rows():
        raise UserError(
            'augmentation.label_method is "lm_uniform", and there is no judge to score the neutral augmentations; give one'
            ' (training.judge.mini_bert_judge), or take "pessimistic" or "optimistic"'
        )
    if _is_current(folder, preparation):
        return TokenStore.open(folder)
    report = CorpusReport()
    sentences = preparation.read(report, keep_blank=NEXT in preparation.shown)
    with whole_folder(folder) as partial:
        rows = _write(preparation, sentences, tokenizer, partial, workers, progress, judge)
        _check_enough(report.sentences, preparation.corpus)
        _check_left(rows, report.sentences, preparation)
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
    judge: Judge | None,
) -> int:
    """Write the store and return its number of rows."""

    def tokenise(texts: Sequence[str]) -> list[Ids]:
        return _tokenise(tokenizer, texts, preparation.max_len_tokens)

    slots = preparation.slots()
    tally = _Tally()
    before: Ids | None = None
    with StoreWriter(folder, preparation.shown, labelled=AUGMENTED in preparation.shown) as writer:
        for chunk in _chunks(_rows(sentences, preparation, folder, workers)):
            original = tokenise([row.sentence for row in chunk])
            filled = {
                slot.view: fill(slot, [row.drawn[slot.view] for row in chunk], original, preparation.roles, tokenise, judge)
                for slot in slots
            }
            views = {ORIGINAL: original, **{view: [one.ids for one in found] for view, found in filled.items()}}
            if NEGATIVE in filled:
                views[NEGATIVE] = _with_neighbours(filled[NEGATIVE], original, before)
            if NEXT in preparation.shown:
                views[NEXT] = tokenise([row.following for row in chunk])
            before = original[-1]
            kept = _kept(preparation, filled, len(chunk))
            for view in preparation.shown:
                writer.append(view, [views[view][place] for place in kept])
            if AUGMENTED in filled:
                writer.append_labels(_labels(preparation, [filled[AUGMENTED][place] for place in kept]))
            tally.add([original[place] for place in kept], {view: [found[place] for place in kept] for view, found in filled.items()})
            tally.dropped += len(chunk) - len(kept)
            tally.at_max_len += sum(len(original[place]) >= preparation.max_len_tokens for place in kept)
            if progress:
                progress(len(chunk))
        writer.finish({"fingerprint": preparation.fingerprint(), **tally.report(slots)})
    return tally.rows


def _with_neighbours(filled: Sequence[Filled], original: Sequence[Ids], before: Ids | None) -> list[Ids]:
    """Give rows that no augmentation can turn into a negative (one word) the sentence before; the first row of all, the one after."""
    neighbours = [before if before is not None else original[min(1, len(original) - 1)], *original[:-1]]
    return [neighbour if one.name is None else one.ids for one, neighbour in zip(filled, neighbours, strict=True)]


def _kept(preparation: Preparation, filled: dict[str, list[Filled]], rows: int) -> list[int]:
    """Return the places of the rows that stay: all, or those that every named augmentation of theirs has changed."""
    if preparation.unaugmented == "keep":
        return list(range(rows))
    asked = {slot.view: set(slot.names()) for slot in preparation.slots() if slot.pools}
    named_negatives = preparation.roles.negatives + preparation.roles.neutral
    if NEGATIVE in asked and named_negatives:
        asked[NEGATIVE] -= {DEFAULT_NEGATIVE}
    return [place for place in range(rows) if all(filled[view][place].name in names for view, names in asked.items())]


def _labels(preparation: Preparation, filled: Sequence[Filled]) -> list[int]:
    """Return the labels of the view "augmented": 1 or 0 for positive or negative, or the index of the augmentation, K for none."""
    if preparation.label_kind == "positive":
        return [int(one.positive) for one in filled]
    index_of = {name: index for index, name in enumerate(preparation.augmentations)}
    return [len(index_of) if one.name is None else index_of[one.name] for one in filled]


class _Tally:
    """Counts for the store's description."""

    def __init__(self) -> None:
        self.rows = 0
        self.dropped = 0
        self.at_max_len = 0
        self._distinct = _DistinctCounter()
        self._drawn: dict[str, Counter[str]] = {}

    def add(self, originals: Sequence[Ids], filled: Mapping[str, Sequence[Filled]]) -> None:
        self.rows += len(originals)
        self._distinct.add(originals)
        for view, found in filled.items():
            self._drawn.setdefault(view, Counter()).update(one.name or UNCHANGED for one in found)

    def report(self, slots: Sequence[Slot]) -> dict[str, Any]:
        counts = {slot.view: {name: self._drawn.get(slot.view, Counter())[name] for name in (*slot.names(), UNCHANGED)} for slot in slots}
        return {
            "distinct": self._distinct.count(),
            "at_max_len": self.at_max_len,
            "dropped": self.dropped,
            "label_counts": counts.pop(AUGMENTED, {}),
            "view_counts": counts,
        }


@dataclass(frozen=True, slots=True)
class _Row:
    sentence: str
    drawn: dict[str, Candidate]
    following: str = ""


def _rows(sentences: Iterable[str], preparation: Preparation, folder: Path, workers: int) -> Iterator[_Row]:
    pairs = followed(sentences) if NEXT in preparation.shown else ((sentence, "") for sentence in sentences)
    slots = preparation.slots()
    names = tuple(dict.fromkeys(name for slot in slots for name in slot.names()))
    if not names:
        for sentence, following in pairs:
            yield _Row(sentence, {slot.view: Candidate(sentence, (), ()) for slot in slots}, following)
        return
    ahead: deque[tuple[tuple[tuple[str, ...], ...], str]] = deque()
    seed = preparation.epoch_seed()

    def requests() -> Iterator[Request]:
        for row, (sentence, following) in enumerate(pairs):
            draws = tuple(slot.draw(row, seed) for slot in slots)
            ahead.append((draws, following))
            yield Request(row, sentence, tuple(dict.fromkeys(name for drawn in draws for name in drawn)))

    job = Job(seed, preparation.parser, fit_all(names, preparation.read, folder / FITTED))
    for request, texts in _applied(requests(), job, workers):
        draws, following = ahead.popleft()
        text_of = dict(zip(request.names, texts, strict=True))
        drawn = {
            slot.view: Candidate(request.sentence, names_drawn, tuple(text_of[name] for name in names_drawn))
            for slot, names_drawn in zip(slots, draws, strict=True)
        }
        yield _Row(request.sentence, drawn, following)


def _applied(requests: Iterator[Request], job: Job, workers: int) -> Iterator[tuple[Request, list[str | None]]]:
    head = list(islice(requests, _PARALLEL_FROM_ROWS))
    # A small corpus is done before the worker processes have started.
    used = workers if len(head) == _PARALLEL_FROM_ROWS else 1
    return apply_stream((request for part in (head, requests) for request in part), job, used)


def followed(sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pair each sentence with the one after it; the last of the corpus, or before a blank line (a document's end), is left out."""
    before = ""
    for sentence in sentences:
        if before and sentence:
            yield before, sentence
        before = sentence


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


def _check_left(rows: int, sentences: int, preparation: Preparation) -> None:
    if rows >= 2:
        return
    where = f"{', '.join(preparation.corpus)}: of {sentences:,} sentences {rows} are left"
    if NEXT in preparation.shown:
        raise UserError(f"{where} that another one follows; give text in order, one sentence per line, documents parted by blank lines")
    raise UserError(f'{where} that the augmentations change; name others, or set augmentation.unaugmented to "keep"')


def _check_different(store: TokenStore, corpus: Sequence[str]) -> None:
    if store.meta["distinct"] < 2:
        raise UserError(f"{', '.join(corpus)}: all {len(store):,} sentences are the same to the tokeniser; contrast needs different ones")


def _duplicate_warning(store: TokenStore) -> list[str]:
    repeated = 1 - store.meta["distinct"] / len(store)
    if repeated < 0.05:
        return []
    return [f"{repeated:.0%} of the sentences repeat another one; a repeated sentence is its own false negative, remove them"]

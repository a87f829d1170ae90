"""Build the token store of a corpus: augment each row, tokenize it and determine its label. Done once per run, before training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.augmentations.run.engines import chunks_of
from augcse.corpus.files import Corpus
from augcse.corpus.read import CorpusReport
from augcse.corpus.rows import Row
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.training.manifest import DamagedFolderError, check_folder
from augcse.training.store.draw import DrawnRow, drawn_rows
from augcse.training.store.files import TASK, StoreWriter, TokenStore
from augcse.training.store.labels import TaskLabels, augmentation_labels
from augcse.training.store.plan import LABEL, Plan
from augcse.training.store.remarks import remarks
from augcse.training.store.size import check_sentences
from augcse.training.store.tally import StoreStatistics
from augcse.training.store.views import AUGMENTED, DEFAULT_NEGATIVE, NEGATIVE, NEXT, ORIGINAL, FilledView, Ids, Judge, Tokenise, fill

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_CHUNK_ROWS = 4_000
Progress = Callable[[int], None]
Check = Callable[[TokenStore], None]


def prepare(
    plan: Plan,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda message: None,
    judge: Judge | None = None,
    check: Check = lambda store: None,
) -> TokenStore:
    """Write the token store into `folder`, or open the existing one if it was built from the same inputs.

    The view "augmented" of a row is made by one augmentation, drawn uniformly and fixed for all epochs (AugCSE 4.2); its label is the
    index in `augmentations`, or len(augmentations) for "no augmentation" if the result has the same token ids as the original (the
    published code compares strings, and so labels changes that the encoder cannot see). With `label_kind` "positive" it is 1 or 0,
    and 1 for "no augmentation", where the view equals the original.

    "positive" and "negative" are drawn from the augmentations with these roles. A positive that changes nothing is the original; a
    negative that changes nothing is replaced by one of RandomDeletion at rate 0.6, the default of AugCSE's code, and in a row of one word
    by the previous sentence. "next" is the following sentence; a blank line or the end of a file ends a document, and the last sentence
    of a document, which has no next one, is dropped.

    A view that has a column is read from it.

    `judge` decides which results of neutral augmentations are positives, if the label method is "lm_uniform".

    `check` raises `UserError` for rows that the run cannot use; a store that it refuses is not written.

    A damaged store is reported, and built again.

    Raises:
        UserError: an unreadable corpus, one with fewer than two different sentences, neutral augmentations without a judge, or what
            `check` refuses.
    """
    plan.check()
    if judge is None and plan.judges_rows():
        raise UserError(
            'augmentation.label_method is "lm_uniform", and there is no judge to score the neutral augmentations; give one'
            ' (training.store.judge.mini_bert_judge), or take "pessimistic" or "optimistic"'
        )
    if (current := _current_store(folder, plan, warn)) is not None:
        check(current)
        return current
    report = CorpusReport()
    with whole_folder(folder) as partial:
        rows = _write_store(plan, plan.read_rows(report), tokenizer, partial, workers, progress, judge)
        check_sentences(report.sentences, plan.corpus)
        _check_rows_left(rows, report.sentences, plan)
        written = TokenStore.open(partial)
        _check_distinct(written, plan.corpus)
        check(written)
    store = TokenStore.open(folder)
    unknown = getattr(tokenizer, "unk_token_id", None)
    doubts = remarks(store, unknown, tokenizer.num_special_tokens_to_add(), plan.augmentation.proportion)
    for warning in (*report.warnings(), *plan.language_warnings(), *doubts):
        warn(warning)
    return store


def _current_store(folder: Path, plan: Plan, warn: Callable[[str], None]) -> TokenStore | None:
    """Return the store in the folder if it is intact and was built from the same inputs, else None."""
    if not folder.exists():
        return None
    try:
        check_folder(folder)
    except DamagedFolderError as error:
        warn(f"{error}; preparing the corpus again")
        return None
    store = TokenStore.open(folder)
    return store if store.meta["fingerprint"] == plan.fingerprint() else None


def _write_store(
    plan: Plan,
    rows: Iterable[Row],
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    workers: int,
    progress: Progress | None,
    judge: Judge | None,
) -> int:
    """Write the store and return its number of rows."""

    def tokenise(texts: Sequence[str]) -> list[Ids]:
        return _tokenise(tokenizer, texts, plan.model.max_len_tokens)

    statistics = StoreStatistics(plan.model.max_len_tokens)
    task = TaskLabels(plan.task, LABEL) if plan.task is not None else None
    task_kind = task.task.kind if task else None
    # Of the last sentence of the previous chunk.
    previous_ids: Ids | None = None
    with (
        closing(drawn_rows(rows, plan, folder, workers)) as drawn,
        StoreWriter(folder, plan.stored_views, AUGMENTED in plan.stored_views, task_kind) as writer,
    ):
        for chunk in chunks_of(drawn, _CHUNK_ROWS):
            read = _read_views(plan, chunk, tokenise)
            originals = read[ORIGINAL]
            filled = _fill_views(plan, chunk, originals, tokenise, judge)
            views = {**read, **_augmented_ids(filled, originals, previous_ids)}
            previous_ids = originals[-1]
            kept = _rows_to_keep(plan, filled, len(chunk))
            kept_filled = {view: [column[row] for row in kept] for view, column in filled.items()}
            for view in plan.stored_views:
                writer.append(view, [views[view][row] for row in kept])
            if AUGMENTED in filled:
                writer.append_labels(augmentation_labels(plan, kept_filled[AUGMENTED]))
            if task is not None:
                writer.append_task_labels(task.numbers(chunk[row].row for row in kept))
            statistics.add([originals[row] for row in kept], kept_filled, dropped=len(chunk) - len(kept))
            if progress:
                progress(len(chunk))
        writer.flush()
        task_meta = task.finish(folder / TASK) if task is not None and statistics.rows > 1 else None
        writer.finish({"fingerprint": plan.fingerprint(), **statistics.report(plan.slots()), "task": task_meta})
    return statistics.rows


def _read_views(plan: Plan, chunk: Sequence[DrawnRow], tokenise: Tokenise) -> dict[str, list[Ids]]:
    """Return the views that are not augmented: the original, those with a column, and the next sentence."""
    next_view = [NEXT] if plan.reads_next_sentence else []
    return {view: tokenise([row.text(view) for row in chunk]) for view in (ORIGINAL, *plan.read_views, *next_view)}


def _fill_views(
    plan: Plan, chunk: Sequence[DrawnRow], originals: Sequence[Ids], tokenise: Tokenise, judge: Judge | None
) -> dict[str, list[FilledView]]:
    """Return the augmented views of the rows, each with the augmentation that made it."""
    return {slot.view: fill(slot, [row.drawn[slot.view] for row in chunk], originals, plan.roles, tokenise, judge) for slot in plan.slots()}


def _augmented_ids(filled: Mapping[str, Sequence[FilledView]], originals: Sequence[Ids], previous_ids: Ids | None) -> dict[str, list[Ids]]:
    """Return the token ids of the augmented views; a negative that no augmentation changes, a row of one word, is the previous sentence."""
    views = {view: [each.ids for each in column] for view, column in filled.items()}
    if NEGATIVE in filled:
        # The first row of the corpus has no previous sentence, and gets the next one.
        first = previous_ids if previous_ids is not None else originals[min(1, len(originals) - 1)]
        neighbours = [first, *originals[:-1]]
        views[NEGATIVE] = [
            neighbour if each.name is None else each.ids for each, neighbour in zip(filled[NEGATIVE], neighbours, strict=True)
        ]
    return views


def _rows_to_keep(plan: Plan, filled: dict[str, list[FilledView]], rows: int) -> list[int]:
    """Return the indices of the rows to keep: all or, if unaugmented ones are dropped, those with an augmentation in every such view."""
    if plan.augmentation.unaugmented == "keep":
        return list(range(rows))
    required = {slot.view: set(slot.names()) for slot in plan.slots() if slot.pools}
    named_negatives = plan.augmentation.negatives + plan.augmentation.neutral
    if NEGATIVE in required and named_negatives and DEFAULT_NEGATIVE not in named_negatives:
        required[NEGATIVE] -= {DEFAULT_NEGATIVE}
    return [row for row in range(rows) if all(filled[view][row].name in names for view, names in required.items())]


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


def _check_rows_left(rows: int, sentences: int, plan: Plan) -> None:
    """Raise `UserError` if fewer than two rows are left of the sentences."""
    if rows >= 2:
        return
    where = f"{plan.corpus.names}: of {sentences:,} sentences {rows} are left"
    if plan.reads_next_sentence:
        raise UserError(f"{where} that another one follows; give text in order, one sentence per line, documents separated by blank lines")
    raise UserError(f'{where} that the augmentations change; name others, or set augmentation.unaugmented to "keep"')


def _check_distinct(store: TokenStore, corpus: Corpus) -> None:
    if store.meta["distinct"] < 2:
        raise UserError(f"{corpus.names}: all {len(store):,} sentences are the same to the tokeniser; contrast needs different ones")

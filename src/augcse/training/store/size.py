"""Checks that a corpus has enough sentences for a run."""

from __future__ import annotations

from itertools import islice

from augcse.corpus.files import Corpus
from augcse.corpus.read import CorpusReport, no_sentence
from augcse.errors import UserError
from augcse.objectives.gather import launched_processes
from augcse.training.store.plan import Plan


def check_size(plan: Plan, batch_size: int) -> None:
    """Raise `UserError` if a corpus has too few sentences for one batch, no documents where they are needed, or cannot be read.

    Only the sentences of one batch are read, unless documents are needed. Since preparing may drop rows, `check_batch_size` is called again
    afterwards.
    """
    sentences = filter(None, plan.read_rows(CorpusReport()))
    number = sum(1 for _ in islice(sentences, batch_size * launched_processes()))
    check_sentences(number, plan.corpus)
    check_batch_size(batch_size, number)
    if plan.needs_documents:
        check_documents(plan)


def check_documents(plan: Plan) -> None:
    """Raise `UserError` if neighbouring sentences are paired, and the corpus is one file with no blank line between documents."""
    if plan.reads_next_sentence and all(plan.read_rows(CorpusReport())):
        raise UserError(
            f"{plan.corpus.names}: no documents in it: no blank line separates one from the next, and this objective pairs neighbouring"
            " sentences; give text in order, one sentence per line, a blank line after each document (augcse split makes it)"
        )


def check_sentences(sentences: int, corpus: Corpus) -> None:
    """Raise `UserError` for fewer than two sentences."""
    if sentences == 0:
        raise no_sentence(corpus.paths)
    if sentences == 1:
        raise UserError(f"{corpus.names}: one sentence only; contrast needs others to compare with, give at least two")


def check_batch_size(batch_size: int, rows: int) -> None:
    """Raise `UserError` if there are too few rows for one batch in each process."""
    processes = launched_processes()
    if rows < 2 * processes and processes > 1:
        most = max(1, rows // 2)
        raise UserError(f"{processes} processes were started for {rows} sentences; each needs 2 at least, start {most} or fewer")
    if batch_size * processes > rows:
        each = f" in each of {processes} processes" if processes > 1 else ""
        raise UserError(
            f"training.batch_size is {batch_size}{each}, the corpus has {rows} sentences; set training.batch_size to"
            f" {rows // processes} or less"
        )

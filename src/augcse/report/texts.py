"""Sections of a report about the corpus, and about the runs' augmentations of its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from augcse.analysis.doctor import Diagnosis, diagnose, token_counter
from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.run.apply import Job, Request, apply_requests
from augcse.augmentations.word_diff import changed_share, changes, tokens
from augcse.corpus.read import check_corpus_paths, no_sentence, read_sentences
from augcse.corpus.sample import sample_sentences
from augcse.errors import UserError
from augcse.report.html import Html, Section, folded, paragraph
from augcse.report.local_files import local_backbone, recorded_file
from augcse.report.runs import ReportedRun
from augcse.report.table import Table

# Enough for corpus statistics, and read in seconds.
READ_SENTENCES = 20_000
_AUGMENTED_SENTENCES = 200
_EXAMPLES = 2
_SHOWN_CHARACTERS = 300
# Other needs are models, which a report does not load because a record names them, and statistics of the whole corpus.
_NEEDS_AT_HAND = {"parse"}


@dataclass(frozen=True)
class Texts:
    """Sentences of a run's corpus, and augmentations of the first ones.

    Args:
        run: the run whose corpus it is.
        files: of the corpus.
        sentences: distinct sentences, in an order independent of the files.
        augmented: augmentation -> one text for each of the first sentences, None if it does not apply.
        left_out: augmentations that were not applied.
    """

    run: ReportedRun
    files: Sequence[Path]
    sentences: Sequence[str]
    augmented: dict[str, list[str | None]] = field(default_factory=dict)
    left_out: Sequence[str] = ()


def read_texts(run: ReportedRun, runs: Sequence[ReportedRun], corpus: Sequence[Path], size: int) -> Texts:
    """Sample sentences from the corpus and apply the runs' augmentations to the first ones.

    Args:
        run: the run whose corpus is read, unless `corpus` names another.
        runs: the runs whose augmentations are applied.
        corpus: files to read instead of the recorded ones.
        size: number of sentences.

    Raises:
        UserError: the corpus is missing, has changed, or has no sentence.
    """
    files = check_corpus_paths(corpus) if corpus else [recorded_file(run, file) for file in run.record.get("corpus", [])]
    if not files:
        raise UserError("the record names no corpus; give it with --corpus")
    sentences = sample_sentences(islice(read_sentences(files, "replace", column=_text_column(run)), READ_SENTENCES), size)
    if not sentences:
        raise no_sentence(files)
    names, left_out = _applicable_augmentations(runs)
    return Texts(run, files, sentences, _apply_augmentations(sentences[:_AUGMENTED_SENTENCES], names, run), left_out)


def _text_column(run: ReportedRun) -> str | None:
    """Return the text column of a corpus of tables; None if the record names none."""
    columns = run.record["recipe"].get("corpus", {}).get("columns", {})
    fingerprint = (run.record.get("prepared") or {}).get("fingerprint", {})
    column: str | None = columns.get("original") or fingerprint.get("column")
    return column


def _applicable_augmentations(runs: Sequence[ReportedRun]) -> tuple[list[str], list[str]]:
    """Return the runs' built-in augmentations that need no model, and the others: a report runs no code that a record names."""
    sections = [run.record["recipe"].get("augmentation", {}) for run in runs]
    named = [name for section in sections for role in ("names", "positives", "negatives", "neutral") for name in section.get(role) or ()]
    applicable: list[str] = []
    others: list[str] = []
    for name in dict.fromkeys(map(str, named)):
        registered = name.partition(":")[0]
        is_applicable = registered in AUGMENTATIONS and set(AUGMENTATIONS.get(registered).needs) <= _NEEDS_AT_HAND
        if is_applicable:
            applicable.append(name)
        else:
            others.append(name)
    return applicable, others


def _apply_augmentations(sentences: Sequence[str], names: Sequence[str], run: ReportedRun) -> dict[str, list[str | None]]:
    """Return the results of each augmentation by name, one per sentence; {} without augmentations."""
    if not names:
        return {}
    parser = run.record["recipe"].get("augmentation", {}).get("parser", BUNDLED_PARSER)
    if Path(parser).name != parser:
        raise UserError(
            f"the parser {parser} is a folder, and a report loads no parser from a folder that a record names; train with an installed one"
        )
    requests = [Request(row, sentence, tuple(names)) for row, sentence in enumerate(sentences)]
    rows = apply_requests(requests, Job(run.seed, parser))
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def texts_sections(texts: Texts, runs: Sequence[ReportedRun]) -> list[Section]:
    """Return the sections about the augmentations and about the corpus."""
    sections = [_augmentations_section(texts, runs)] if texts.augmented else []
    return [*sections, _corpus_section(texts)]


def _augmentations_section(texts: Texts, runs: Sequence[ReportedRun]) -> Section:
    counts = (texts.run.record.get("prepared") or {}).get("label_counts") or {}
    rows, examples = [], []
    for name, results in texts.augmented.items():
        pairs = [(old, new) for old, new in zip(texts.sentences, results, strict=False) if new is not None and new != old]
        share_of_words = sum(changed_share(old, new) for old, new in pairs) / len(pairs) if pairs else None
        rate = f"{len(pairs) / len(results):.0%}"
        rows.append(
            [name, rate, "-" if share_of_words is None else f"{share_of_words:.0%}", f"{counts[name]:,}" if name in counts else "-"]
        )
        if pairs:
            diffs = "".join(f"<li>{word_diff(old[:_SHOWN_CHARACTERS], new[:_SHOWN_CHARACTERS])}</li>" for old, new in pairs[:_EXAMPLES])
            examples.append(f'<h3>{escape(name)} <small>changes {rate}</small></h3><ul class="diffs">{diffs}</ul>')
    sample = len(next(iter(texts.augmented.values())))
    rows_of = "the run's rows" if len(runs) == 1 else f"the rows of {texts.run.name}"
    text = (
        f"Of {sample:,} sentences of the corpus: how many each augmentation changes, and of those how many of their words. Last, how many"
        f" of {rows_of} hold it."
    )
    table = Table(["augmentation", "sentences changed", "words changed", "rows of the run"], rows).html()
    why = "rules in your own files, and those that need a model or the whole corpus"
    unfit = f"Not applied here: {', '.join(texts.left_out)} ({why})." if texts.left_out else ""
    parts = [table, *([paragraph(unfit, "note")] if unfit else []), folded("Examples, word by word", "".join(examples))]
    return Section("Augmentations", text, parts)


def word_diff(old: str, new: str) -> Html:
    """Return a word diff in one line, deletions and insertions marked."""
    parts = []
    for deleted, inserted, kept in changes(tokens(old), tokens(new)):
        if deleted:
            parts.append(f"<del>{escape(deleted)}</del>")
        if inserted:
            parts.append(f"<ins>{escape(inserted)}</ins>")
        parts.append(escape(kept))
    return Html("".join(parts))


def _corpus_section(texts: Texts) -> Section:
    run = texts.run
    model = run.record["recipe"].get("model", {})
    length = model.get("max_len_tokens", 32)
    batch = run.record["recipe"]["training"].get("batch_size", 64)

    def read_first() -> Any:
        return islice(read_sentences(texts.files, "replace", column=_text_column(run)), READ_SENTENCES)

    diagnosis = diagnose(read_first, token_counter(str(local_backbone(run))), int(length), int(batch))
    names = ", ".join(path.name for path in texts.files)
    limit_note = f" Of its first {READ_SENTENCES:,} sentences." if diagnosis.sentences == READ_SENTENCES else ""
    advice = "".join(f"<li>{escape(line)}</li>" for line in diagnosis.advice)
    parts = [Table(["", ""], _diagnosis_rows(diagnosis)).html(), *([f"<ul>{advice}</ul>"] if advice else [])]
    return Section("Corpus", f"{names}, as augcse doctor sees it.{limit_note}", parts)


def _diagnosis_rows(diagnosis: Diagnosis) -> list[list[str]]:
    words, length = diagnosis.lengths["words"], diagnosis.tokens["lengths"]
    return [
        ["sentences", f"{diagnosis.sentences:,}"],
        ["repeats", f"{diagnosis.duplicates['count']:,} ({diagnosis.duplicates['share']:.1%})"],
        ["near-repeats", f"{diagnosis.near_duplicates['count']:,} ({diagnosis.near_duplicates['share']:.1%})"],
        ["words", f"median {words['median']:g}; 90 % within {words['p5']:g} to {words['p95']:g}"],
        ["tokens", f"median {length['median']:g}; 90 % within {length['p5']:g} to {length['p95']:g}"],
        [f"cut at {diagnosis.tokens['max_len_tokens']} tokens while training", f"{diagnosis.tokens['truncated_share']:.1%}"],
        ["unknown tokens", f"{diagnosis.tokens['unknown_share']:.2%}"],
        *[[f"rows with {name.replace('_', ' ')}", f"{count:,}"] for name, count in diagnosis.encoding.items() if count],
    ]

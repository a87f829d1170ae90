"""Apply augmentations to many rows: each text is parsed at most once, each row has its own random stream."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augcse.annotation.kept import kept_parses
from augcse.annotation.pipeline import BUNDLED_PARSER, parse_sentences, parser_language
from augcse.augmentations.base import Fitted, row_stream
from augcse.augmentations.refusals import EMPTY_RESULT, noting
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.run.inputs import checked_parser, checked_seed, corpus_texts, kept_spans, row_numbers, spans_of, texts_of
from augcse.augmentations.spec import Spec, parse_spec, parse_specs
from augcse.augmentations.word_diff import Change, Span, carry, changed_spans
from augcse.corpus.read import read_sentences
from augcse.corpus.texts import text_of
from augcse.errors import UserError
from augcse.files import whole_folder
from augcse.resources import DEMO_CORPUS
from augcse.rng import stream


@dataclass(frozen=True, slots=True)
class Request:
    """One sentence and the augmentations wanted for it, by name or spec. `row` keys the random streams."""

    row: int
    sentence: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """What is the same for all rows: the seed, the parser, and the folders with the fitted state of corpus-bound augmentations.

    With `record` the results of a row are its texts, then for each text the list of specs that made it, as JSON.
    """

    seed: int = 0
    parser: str = BUNDLED_PARSER
    fitted: Mapping[str, Path] | None = None
    record: bool = False


def augment(
    sentences: Iterable[str | None],
    name: str,
    *,
    seed: int = 0,
    rows: Iterable[int] | None = None,
    parser: str = BUNDLED_PARSER,
    corpus: Iterable[str | None] | None = None,
    keep_spans: Iterable[Sequence[Span]] | None = None,
    **options: Any,
) -> list[str | None]:
    """Apply one augmentation to every sentence; None where its rule does not apply.

    Args:
        sentences: the texts: a list, a column of a table, a pandas Series. A missing one (None, NaN) gives None.
        name: as in `augcse list augmentations`, `file.py:Class`, with options in it ("RandomDeletion:rate=0.1"), or several put together:
            "chain(ContractionExpansions, RandomSwap:rate=0.1)".
        seed: of the random streams.
        rows: each sentence's number in the table that it comes from, 0 or more; None: 0, 1, 2 ... Row i draws from the stream
            (seed, name, i), so that a table augmented in pieces, of any size and in any order, gives the same texts as in one call.
        parser: the spaCy pipeline for augmentations that need a parse.
        corpus: what corpus-bound augmentations (UNA) take their statistics from, missing texts left out; None: the sentences themselves.
        keep_spans: for each sentence, the spans of characters (start, end) that must stay; a result that would change one becomes None.
        **options: the augmentation's own, e.g. `rate=0.1`.

    Returns:
        One text or None per sentence, in their order.

    Raises:
        UserError: an unknown name or option; a text instead of a list of texts, or a list with something else in it; anything but one row
            number, or one list of its spans, per sentence; an invalid seed, or a parser that does not exist; a corpus-bound augmentation
            of a piece of a table (`rows`) without a `corpus`.

    >>> augment(["He doesn't come.", "Yes.", None], "ContractionExpansions")
    ['He does not come.', None, None]
    """
    made = edits(sentences, name, seed=seed, rows=rows, parser=parser, corpus=corpus, keep_spans=keep_spans, **options)
    return [None if edit is None else edit.augmented for edit in made]


@dataclass(frozen=True, slots=True)
class Edit:
    """What an augmentation made of a sentence, and how.

    Args:
        sentence: the text before.
        augmented: the text after.
        applied: the augmentations that changed it, with their options, in order; for a composition, its members.
    """

    sentence: str
    augmented: str
    applied: tuple[str, ...]

    @property
    def changes(self) -> list[Change]:
        """The spans of characters that changed, in whole words."""
        return changed_spans(self.sentence, self.augmented)

    def carry(self, spans: Sequence[Span]) -> list[Span | None]:
        """Return where each span of the sentence, such as that of a named entity, is in the new text; None where it was changed.

        Raises `UserError` for anything but a span of the sentence.
        """
        return carry(spans_of(self.sentence, spans, "spans"), self.changes)


def edits(
    sentences: Iterable[str | None],
    name: str,
    *,
    seed: int = 0,
    rows: Iterable[int] | None = None,
    parser: str = BUNDLED_PARSER,
    corpus: Iterable[str | None] | None = None,
    keep_spans: Iterable[Sequence[Span]] | None = None,
    **options: Any,
) -> list[Edit | None]:
    """Do what `augment` does, but return for each text the record of how it was made.

    >>> [edit] = edits(["It isn't late."], "one_of(ContractionExpansions, NumericToWord)")
    >>> edit.applied, edit.carry([(9, 13)])
    (('ContractionExpansions',), [(10, 14)])
    """
    texts = texts_of(sentences)
    numbers = row_numbers(rows, len(texts))
    kept = kept_spans(keep_spans, texts)
    spec = _with_options(parse_spec(name), options)
    seed, parser = checked_seed(seed), checked_parser(parser)
    fitted = fit(spec, texts, corpus, in_pieces=rows is not None)
    made = fitted_edits(spec, fitted, texts, numbers, seed, parser)
    return [None if edit is None or (spans and None in edit.carry(spans)) else edit for edit, spans in zip(made, kept, strict=True)]


def fitted_edits(
    spec: Spec, fitted: Mapping[str, Fitted], texts: Sequence[str | None], rows: Sequence[int], seed: int, parser: str
) -> list[Edit | None]:
    """Do what `edits` does, for checked texts and row numbers, with what `fit` returned for the spec."""
    given = {index: text for index, text in enumerate(texts) if text is not None}
    rngs = [row_stream(seed, spec.text, rows[index]) for index in given]
    applied: list[list[str]] = [[] for _ in given]
    new = apply_spec(spec, list(given.values()), rngs, _parses(parser), fitted, applied)
    results = zip(given.items(), new, applied, strict=True)
    edit_of = {index: Edit(old, text, tuple(steps)) for (index, old), text, steps in results if text is not None}
    return [edit_of.get(index) for index in range(len(texts))]


def _with_options(spec: Spec, options: Mapping[str, Any]) -> Spec:
    """Return the spec with the options of a call instead of its own; they do not change its random streams."""
    if options and spec.members:
        raise UserError(f"{spec.text} takes no option {next(iter(options))!r}; give it to a member, as in chain(RandomSwap:rate=0.1)")
    return replace(spec, options={**spec.options, **spec.member.check_options(options)}) if options else spec


def _parses(parser: str) -> Parses:
    return Parses(lambda texts: parse_sentences(texts, parser))


def fit(spec: Spec, texts: Sequence[str | None], corpus: Iterable[str | None] | None, *, in_pieces: bool) -> dict[str, Fitted]:
    """Return what the rules of a spec learn from a corpus, or else from the texts, by the text of their specs; each class learns once.

    Raises `UserError` for a rule that needs a corpus where none is given and the texts are a piece of a table (`in_pieces`), and for
    something else than a text in the corpus.
    """
    if spec.is_fitted and corpus is None and in_pieces:
        raise UserError(f"{spec.text} takes statistics from a corpus, which a piece of a table is not: give the whole text as corpus=")
    classes = spec.fitted_classes()
    distinct = list(dict.fromkeys(classes.values()))
    stream_of_texts = corpus_texts(texts if corpus is None else corpus)
    # A stream can be read only once: for several classes it becomes a list.
    sentences = stream_of_texts if len(distinct) < 2 else list(stream_of_texts)
    states = {fitted_class: fitted_class.fit(sentences) for fitted_class in distinct}
    return {name: states[fitted_class] for name, fitted_class in classes.items()}


@dataclass(frozen=True, slots=True)
class Preview:
    """What one augmentation makes of one sentence.

    Args:
        name: the augmentation as the user wrote it.
        augmented: the new sentence, or None.
        refusals: the names of the refusals that decided, each once, whether or not the sentence was changed elsewhere.
        why_unchanged: what the rule would need, or that a user's rule returned an empty text; "" if it changed the sentence.
    """

    name: str
    augmented: str | None
    refusals: tuple[str, ...] = ()
    why_unchanged: str = ""


def preview_rows(text: str, names: Sequence[str], seed: int = 0, parser: str = BUNDLED_PARSER) -> list[Preview]:
    """Apply several augmentations to one sentence; corpus-bound ones take their statistics from the bundled corpus.

    Raises `UserError` for an unknown name or option, and for a text that cannot be encoded.
    """
    text_of(text, "the text")
    specs, parses = parse_specs(names), _parses(parser)
    previews = []
    for spec in specs:
        fitted = fit(spec, [], read_sentences([DEMO_CORPUS]), in_pieces=False)
        with noting() as noted:
            [augmented] = apply_spec(spec, [text], [row_stream(seed, spec.text, 0)], parses, fitted)
        language = parser_language(parser) if spec.needs_parse else None
        gave_nothing = EMPTY_RESULT in noted and not spec.members
        why = EMPTY_RESULT if gave_nothing else spec.why_unchanged(language)
        refusals = tuple(name for name in dict.fromkeys(noted) if name != EMPTY_RESULT)
        previews.append(Preview(spec.text, augmented, refusals, why if augmented is None else ""))
    return previews


def draw_names(names: Sequence[str], rows: Iterable[int], seed: int) -> list[str]:
    """Draw one augmentation per row, uniformly (AugCSE 4.2); a row's draw depends only on the seed and the row."""
    return [names[stream(seed, "draw", row).randrange(len(names))] for row in rows]


def fit_all(names: Sequence[str], read: Callable[[], Iterable[str]], folder: Path) -> dict[str, Path]:
    """Fit what the corpus-bound augmentations among `names` need, once per class, and return the folder of each one's state.

    `read` opens the corpus again for each class. A complete folder of an earlier call is used as it is.
    """
    classes = {text: fitted_class for name in names for text, fitted_class in parse_spec(name).fitted_classes().items()}
    # With the module, since two of the user's files may have classes of the same name.
    folders = {fitted_class: folder / f"{fitted_class.__module__}.{fitted_class.__qualname__}" for fitted_class in classes.values()}
    for fitted_class, path in folders.items():
        if not path.exists():
            with whole_folder(path) as partial:
                fitted_class.fit(read()).save(partial)
    return {text: folders[fitted_class] for text, fitted_class in classes.items()}


def apply_requests(requests: Sequence[Request], job: Job) -> list[list[str | None]]:
    """Return, per request, one result per name, two with `job.record`; a text is parsed at most once, and only if a rule needs it."""
    specs = {name: parse_spec(name) for name in {name for request in requests for name in request.names}}
    parses = Parses(lambda texts: kept_parses(texts, job.parser))
    results: dict[tuple[int, str], tuple[str | None, ...]] = {}
    for name, spec in specs.items():
        rows = [request for request in requests if name in request.names]
        rngs = [row_stream(job.seed, spec.text, r.row) for r in rows]
        applied: list[list[str]] = [[] for _ in rows]
        new = apply_spec(spec, [r.sentence for r in rows], rngs, parses, fitted_states(spec, job.fitted), applied)
        for request, text, steps in zip(rows, new, applied, strict=True):
            results[request.row, name] = (text, json.dumps(steps)) if job.record else (text,)
    parts = range(2 if job.record else 1)
    return [[results[request.row, name][part] for part in parts for name in request.names] for request in requests]


def fitted_states(spec: Spec, folders: Mapping[str, Path] | None) -> dict[str, Fitted]:
    """Load what `fit_all` saved, by the text of the rules' specs; raises `UserError` if something is missing."""
    states, folders = {}, folders or {}
    for text, fitted_class in spec.fitted_classes().items():
        if text not in folders:
            raise UserError(f"{text} takes its statistics from a corpus; fit it first (augcse augment and train do)")
        states[text] = _load_fitted(fitted_class, folders[text])
    return states


@functools.lru_cache(maxsize=4)
def _load_fitted(fitted_class: type[Fitted], folder: Path) -> Fitted:
    return fitted_class.load(folder)

"""The parser that makes a `Parse`: the bundled spaCy pipeline by default, any other by name or path, or jieba for Chinese."""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.annotation.chinese import JIEBA, parse_chinese
from augcse.annotation.lemmas import checked_lemma
from augcse.annotation.load_spacy import load_spacy
from augcse.annotation.parse import Parse, parse_of_rows
from augcse.annotation.segment import sentence_ends
from augcse.errors import UserError
from augcse.files import exists, file_sha256
from augcse.resources import PARSER

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

BUNDLED_PARSER = "en_ewt"
# Longer than any real sentence. A parser's memory grows with the length, and one such line must not end a run.
MAX_CHARACTERS = 20_000
# A longer sentence is split: the time that spaCy takes for one grows with the square of its length.
_MAX_SENTENCE_TOKENS = 400
_LIST_MARKER = re.compile(r"\s*(?:[-*•–—>]+|\(?\d{1,2}(?:\.\d{1,2})* ?[.)]|\(?[a-z] ?\))\s+(?=[^\W\d_]|[\"“'‘])")
# The short forms of verbs after an apostrophe, and the verb forms before "n't".
_CLITICS = ("d", "ll", "m", "re", "s", "ve")
_NEGATED = "ai are ca could dare did do does had has have is might must need sha should was were wo would".split()
_FULL_VERBS = {"ca": "can", "sha": "shall", "wo": "will"}
# Longer than any suffix.
_SUFFIX_CHARACTERS = 200
_BATCH_TEXTS = 128


@functools.lru_cache(maxsize=2)
def load_pipeline(name: str) -> Language:
    """Load a spaCy pipeline once per process: the bundled `en_ewt`, an installed one by name, or a folder.

    Raises:
        UserError: no pipeline of that name, one that cannot be loaded, or one without a dependency parser.
    """
    spacy = load_spacy("parsing")
    source: str | Path = PARSER if name == BUNDLED_PARSER else name
    try:
        pipeline: Language = spacy.load(source, exclude=["ner", "entity_ruler", "entity_linker"])
    except (OSError, ValueError) as error:
        problem = f"no spaCy pipeline {name!r}"
        if exists(Path(name)):
            problem = f"spaCy pipeline {name!r} cannot be loaded ({_first_line(error)})"
        raise UserError(f"{problem}; give an installed pipeline, a folder, {BUNDLED_PARSER!r} (bundled), or {JIEBA!r} (Chinese)") from error
    if "parser" not in pipeline.pipe_names:
        raise UserError(f"spaCy pipeline {name!r} has no dependency parser; give one that has, or {BUNDLED_PARSER!r}")
    _bound_suffix_search(pipeline.tokenizer)
    if pipeline.lang == "en":
        _keep_clitics(pipeline.tokenizer)
    from augcse.annotation.matrix_products import multiply_by_numpy

    multiply_by_numpy(pipeline)
    return pipeline


def _first_line(error: Exception) -> str:
    return next(filter(str.strip, str(error).splitlines()), type(error).__name__).strip()


def _bound_suffix_search(tokenizer: Any) -> None:
    """Make spaCy's tokeniser look for suffixes only at the end of a text.

    Otherwise it searches the whole text for each suffix that it splits off: 10,000 quotation marks in a row took a minute.
    """
    search: Callable[..., Any] | None = getattr(tokenizer, "suffix_search", None)
    if search is not None:
        tokenizer.suffix_search = lambda text: search(text, max(0, len(text) - _SUFFIX_CHARACTERS))


def _keep_clitics(tokenizer: Any) -> None:
    """Make spaCy's tokeniser keep the clitics of tokenised text, instead of making a noun "ve" of "i 've" and a word "t" of "isn 't"."""
    for clitic, apostrophe, case in itertools.product(_CLITICS, "'’", (str.lower, str.upper)):
        tokenizer.add_special_case(apostrophe + case(clitic), [{"ORTH": apostrophe + case(clitic)}])
    for verb, apostrophe, case in itertools.product(_NEGATED, "'’", (str.lower, str.capitalize)):
        negation = f"n {apostrophe}t"
        tokens = [{"ORTH": case(verb), "NORM": _FULL_VERBS.get(verb, verb)}, {"ORTH": negation, "NORM": "not"}]
        tokenizer.add_special_case(case(verb) + negation, tokens)


def parser_identity(name: str) -> str:
    """Return the name and version of a pipeline, or of jieba, to record how a result was made."""
    user_words = jieba_words(name)
    if user_words is not None:
        parse_chinese("", user_words)
        words = f", words {file_sha256(Path(user_words))}" if user_words else ""
        return f"{JIEBA} ({importlib.metadata.version(JIEBA)}{words})"
    meta = load_pipeline(name).meta
    return f"{name} ({meta['lang']}_{meta['name']} {meta['version']})"


def parser_language(name: str) -> str:
    """Return the language that a pipeline, or jieba, reads: an ISO 639-1 code."""
    return "zh" if jieba_words(name) is not None else load_pipeline(name).lang


def jieba_words(name: str) -> str | None:
    """Return the file of words in "jieba:FILE", an empty text for "jieba" alone; None for a spaCy pipeline.

    >>> jieba_words("jieba:products.txt"), jieba_words("jieba"), jieba_words("en_ewt")
    ('products.txt', '', None)
    """
    parser, _, words = name.partition(":")
    return words if parser == JIEBA else None


def parse_sentences(texts: Iterable[str], parser: str = BUNDLED_PARSER) -> Iterator[Parse]:
    """Parse each text once, in order. Texts over `MAX_CHARACTERS` come back with no tokens: no rule applies to them.

    `parser` is a spaCy pipeline as in `load_pipeline`, or "jieba" (see `augcse.annotation.chinese`); "jieba:FILE" adds
    the words of a jieba user dictionary.
    """
    user_words = jieba_words(parser)
    if user_words is not None:
        yield from (parse_chinese(text, user_words) if len(text) <= MAX_CHARACTERS else parse_of_rows(text, [], "zh") for text in texts)
        return
    pipeline = load_pipeline(parser)
    pending = list(texts)
    tokenised = (tokens_of(pipeline, text) for text in pending if len(text) <= MAX_CHARACTERS)
    docs = pipeline.pipe(tokenised, as_tuples=True, batch_size=_BATCH_TEXTS)
    for text in pending:
        doc, starts = next(docs) if len(text) <= MAX_CHARACTERS else ((), [])
        yield _to_parse(doc, starts, text, pipeline.lang)


def parse_sentence(text: str, parser: str = BUNDLED_PARSER) -> Parse:
    """Parse one text."""
    return next(parse_sentences([text], parser))


def sentence_start(text: str) -> int:
    """Return where a sentence begins after the bullet, number or letter of a list, or the sign of a quoted mail; 0 if there is none.

    >>> [sentence_start(text) for text in ("27. He left.", "(a) He left.", "- He left.", "3 . 5 million left", "He left.")]
    [4, 4, 2, 0, 0]
    """
    marker = _LIST_MARKER.match(text)
    return marker.end() if marker else 0


def tokens_of(pipeline: Language, text: str) -> tuple[Doc, list[int]]:
    """Return the tokens of a text after the marker of a list, and the offsets of their first characters in the text.

    spaCy also makes tokens of line ends and repeated spaces, and its parser would make words depend on them: they are left out.
    A sentence begins where `augcse split` begins one; the bundled parser was trained on single sentences.
    """
    begin = sentence_start(text)
    doc = pipeline.make_doc(text[begin:])
    words = [token for token in doc if not token.is_space]
    starts = [token.idx + begin for token in words]
    if len(words) < len(doc):
        doc = _without_white_space(doc, words)
    for end in sentence_ends(pipeline.lang).ends(text):
        first = bisect_left(starts, end)
        if 0 < first < len(doc):
            doc[first].is_sent_start = True
    if len(doc) > _MAX_SENTENCE_TOKENS:
        _split_long_sentences(doc)
    return doc, starts


def _split_long_sentences(doc: Doc) -> None:
    start = 0
    for token in doc:
        if token.i - start == _MAX_SENTENCE_TOKENS:
            token.is_sent_start = True
        if token.is_sent_start:
            start = token.i


def _without_white_space(original: Doc, words: list[Token]) -> Doc:
    """Return a document of the given tokens of another, with one space after each token that any white space follows."""
    from spacy.tokens import Doc

    spaces = [original.text[token.idx + len(token) :][:1].isspace() for token in words]
    doc = Doc(original.vocab, [token.text for token in words], spaces)
    for token, word in zip(doc, words, strict=True):
        token.norm_ = word.norm_
    return doc


def _to_parse(doc: Iterable[Token], starts: list[int], text: str, language: str) -> Parse:
    """Return the parse of a text, given its parsed tokens and the offset of each token's first character."""
    lemma: Callable[[str, str, str], str] = checked_lemma if language == "en" else lambda word, upos, guess: guess
    return parse_of_rows(
        text,
        (
            (token.text, start, lemma(token.text, token.pos_, token.lemma_), token.pos_, token.tag_, token.head.i, token.dep_)
            for token, start in zip(doc, starts, strict=True)
        ),
        language,
    )

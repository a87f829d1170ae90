"""Build a static sentence encoder from text: count, factorize, weight, whiten, fold, save. Read this first.

Arora, Liang and Ma 2017 (SIF: the mean of word vectors weighted by a / (a + p)), Levy and Goldberg 2014 (vectors from co-occurrence) and
Su et al. 2021 (whitening), which together fold into one vector per token.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt
from pydantic import InstanceOf

from augcse.arguments import FilePath, FilePaths
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.encoding.static.options import MIN_WHITENING, StaticOptions, static_options
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.text import Survey, survey
from augcse.files import check_is_absent
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from augcse.encoding.static.backbone import EmbeddingTable
    from augcse.encoding.static.fold import Part
    from augcse.encoding.static.tokens import TokenizedSentences

Array = npt.NDArray[Any]
# The largest sample to train a tokenizer on; a larger one does not improve it.
_TOKENIZER_SENTENCES = 200_000
# The most frequent tokens among which related words are searched: the number of pairs grows with the square of words with one prefix.
_MAX_RELATED_TOKENS = 1 << 16
_log = logging.getLogger(__name__)
# An English tokenizer splits Greek, Arabic or Russian into letters, 1.2 characters per token; English has 3 to 4.
_FEW_CHARACTERS_PER_TOKEN = 1.5
# Longer "words" are of a script without spaces, where fewer characters per token are normal.
_LONG_WORD_CHARACTERS = 15


@dataclass(frozen=True)
class StaticModel:
    """A finished encoder: its folder, an ordinary sentence-transformers model, and its record (what `static.json` holds)."""

    folder: Path
    record: dict[str, Any] = field(repr=False)


@checks_arguments
def static(
    corpus: FilePaths,
    *,
    output: FilePath,
    whiten_on: FilePaths = (),
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    progress: InstanceOf[Progress] | None = None,
    **settings: Any,
) -> StaticModel:
    """Build a static sentence encoder from plain text, in any language, and write it to `output`.

    Args:
        corpus: one or more text files, one sentence per line, or tables.
        output: the folder of the model, which must not exist.
        whiten_on: files whose sentences give mean and covariance for whitening, instead of the corpus.
        column: the column with the text, if the files are tables.
        encoding_errors: how to treat bytes that are not UTF-8: "strict" or "replace".
        progress: receives stages and warnings; None writes them to the log.
        **settings: fields of `augcse.encoding.static.options.StaticOptions`, e.g. `backbone="mini-bert"`, `dim=256`.

    Raises:
        UserError: invalid input or settings, before torch is imported wherever possible; nothing is written.
    """
    progress = progress or Progress(start=lambda stage, total: _log.info(stage), warn=_log.warning)
    options = static_options(settings)
    folder = Path(output).expanduser()
    check_is_absent(folder)
    for name in {options.backbone, options.tokenizer} - {None}:
        local_model_folder(str(name))
    text = Corpus.of(corpus, column, encoding_errors)
    sample = Corpus.of(whiten_on, column, encoding_errors) if whiten_on else None
    progress.start("reading", None)
    surveyed = survey(text, _TOKENIZER_SENTENCES, MIN_WHITENING, progress.advance)
    if sample is not None:
        survey(sample, 1, MIN_WHITENING, progress.advance)
    for warning in surveyed.report.warnings():
        progress.warn(warning)
    return _StaticBuilder(options, text, surveyed, sample, progress).save(folder)


class _StaticBuilder:
    """Builds an encoder step by step, and collects the facts for its record."""

    def __init__(self, options: StaticOptions, text: Corpus, surveyed: Survey, whiten_on: Corpus | None, progress: Progress) -> None:
        self._options = options
        self._text = text
        self._survey = surveyed
        self._whiten_on = whiten_on
        self._progress = progress
        self._facts: dict[str, Any] = {}

    def save(self, folder: Path) -> StaticModel:
        """Build the encoder and write it atomically."""
        from augcse.encoding.static.folder import write_model

        tokenizer, rows = self._token_vectors()
        self._progress.start("writing", None)
        record = write_model(folder, tokenizer, rows, self._options, self._facts | self._described_sources())
        return StaticModel(folder, record)

    def _token_vectors(self) -> tuple[Tokenizer, Array]:
        """Return the tokenizer and the folded rows, (vocabulary, dim) float32."""
        from augcse.encoding.sif import token_weights
        from augcse.encoding.static.fold import fold_parts

        tokenizer, table = self._tokenizer()
        sentences = self._tokenize_text(self._text, tokenizer, self._survey.sentences)
        counts = self._known_token_counts(tokenizer, sentences)
        parts = [self._build_part(source, table, sentences, counts, tokenizer) for source in self._options.sources]
        parts = [*self._move_related_words(parts, counts, tokenizer), *self._letter_parts(tokenizer)]
        sample = self._whitening_sample(tokenizer, sentences)
        self._progress.start("whitening", None)
        weights = token_weights(self._token_frequencies(counts, sample), self._options.frequency_weight)
        return tokenizer, self._retrofit_rows(fold_parts(parts, weights, sample, self._options.dim), tokenizer)

    def _tokenizer(self) -> tuple[Tokenizer, EmbeddingTable | None]:
        """Return the tokenizer, and the backbone's embedding table if it is a source of the rows."""
        from augcse.encoding.static.backbone import embedding_table
        from augcse.encoding.static.tokenizer import tokenizer_of, train_tokenizer

        options = self._options
        if "backbone" in options.sources:
            table = embedding_table(str(options.backbone))
            self._warn_of_single_letters(table.tokenizer, str(options.backbone))
            return table.tokenizer, table
        name = options.tokenizer or options.backbone
        if name is not None:
            tokenizer = tokenizer_of(name)
            self._warn_of_single_letters(tokenizer, name)
            return tokenizer, None
        self._progress.start("training the tokenizer", None)
        tokenizer = train_tokenizer(self._survey.sample, options.vocabulary_size)
        # Frees its memory: it may be as large as the corpus.
        self._survey.sample.clear()
        return tokenizer, None

    def _tokenize_text(self, text: Corpus, tokenizer: Tokenizer, total: int | None) -> TokenizedSentences:
        from augcse.encoding.static.tokens import tokenize_sentences

        self._progress.start("tokenising", total)
        return tokenize_sentences(tokenizer, text.sentences(), self._progress.advance)

    def _known_token_counts(self, tokenizer: Tokenizer, sentences: TokenizedSentences) -> Array:
        """Return the count of each known token; raise `UserError` for a tokenizer of another script than the corpus."""
        from augcse.encoding.static.counts import token_counts
        from augcse.encoding.static.tokenizer import check_knows, unknown_token

        counts = token_counts(sentences, tokenizer.get_vocab_size())
        unknown = unknown_token(tokenizer)
        share = float(counts[unknown] / max(counts.sum(), 1)) if unknown is not None else 0.0
        self._facts |= {"tokens": int(counts.sum()), "unknown_share": round(share, 6)}
        options = self._options
        check_knows(options.tokenizer or options.backbone, options.vocabulary_size, share, _to_train_one(options))
        if unknown is not None:
            counts[unknown] = 0
        self._facts["tokens_seen"] = int((counts > 0).sum())
        return counts

    def _warn_of_single_letters(self, tokenizer: Tokenizer, name: str) -> None:
        """Warn of a tokenizer that splits the words of the corpus into letters."""
        from augcse.encoding.static.tokens import tokenize_sentences

        sentences = [self._survey.sample[index] for index in range(0, len(self._survey.sample), max(len(self._survey.sample) // 1000, 1))]
        words = [word for sentence in sentences for word in sentence.split()]
        characters = sum(map(len, words))
        per_token = characters / max(len(tokenize_sentences(tokenizer, sentences).ids), 1)
        if per_token < _FEW_CHARACTERS_PER_TOKEN and characters / len(words) < _LONG_WORD_CHARACTERS:
            self._progress.warn(
                f"the tokenizer of {name} cuts this text into pieces of {per_token:.1f} characters: it was made for another language;"
                f" {_to_train_one(self._options)}"
            )

    def _build_part(
        self, source: str, table: EmbeddingTable | None, sentences: TokenizedSentences, counts: Array, tokenizer: Tokenizer
    ) -> Part:
        """Return the part from one source; the unknown token of an embedding table gets zeros."""
        from augcse.encoding.static.fold import Part
        from augcse.encoding.static.tokenizer import unknown_token

        if table is None or source == "cooccurrence":
            return Part(self._cooccurrence_rows(sentences, counts), self._options.scale if len(self._options.sources) > 1 else 1.0)
        rows = table.rows.copy()
        unknown = unknown_token(tokenizer)
        if unknown is not None:
            rows[unknown] = 0.0
        return Part(rows)

    def _move_related_words(self, parts: list[Part], counts: Array, tokenizer: Tokenizer) -> list[Part]:
        """Return the parts with the vectors of related words moved towards each other."""
        from augcse.encoding.static.counts import most_frequent
        from augcse.encoding.static.relatives import move_together, pairs_with_common_prefix

        if not self._options.related_share:
            return parts
        tokens = most_frequent(counts, _MAX_RELATED_TOKENS)
        words = [tokenizer.id_to_token(int(token)) or "" for token in tokens]
        pairs = tokens[pairs_with_common_prefix(words)]
        return [replace(part, rows=move_together(part.rows, counts, pairs, self._options.related_share)) for part in parts]

    def _retrofit_rows(self, rows: Array, tokenizer: Tokenizer) -> Array:
        """Return the rows, retrofitted to the synonyms of the lexicon if `synonym_share` is set."""
        from augcse.encoding.static.synonyms import retrofit, synonym_weights
        from augcse.lexicon.open import open_lexicon

        if not self._options.synonym_share:
            return rows
        self._progress.start("looking up synonyms", None)
        weights = synonym_weights(_tokens_by_id(tokenizer), open_lexicon())
        self._facts["synonym_pairs"] = len(weights) // 2
        if not weights:
            self._progress.warn("synonym_share: the lexicon is English, and no two tokens are synonyms in it; the vectors stay as they are")
        return retrofit(rows, weights, self._options.synonym_share)

    def _letter_parts(self, tokenizer: Tokenizer) -> list[Part]:
        """Return the part from the letters of tokens, [] if it is disabled."""
        from augcse.encoding.static.fold import Part
        from augcse.encoding.static.letters import letter_rows
        from augcse.encoding.static.tokenizer import unknown_token

        if not self._options.letters_dim:
            return []
        rows = letter_rows(_tokens_by_id(tokenizer), self._options.letters_dim)
        unknown = unknown_token(tokenizer)
        if unknown is not None:
            rows[unknown] = 0.0
        return [Part(rows, self._options.letters_scale)]

    def _token_frequencies(self, counts: Array, sample: TokenizedSentences) -> Array:
        """Return the relative frequencies of tokens in the corpus, averaged with those in the text for whitening if that is another one."""
        from augcse.encoding.static.counts import token_counts

        shares: Array = counts / max(counts.sum(), 1)
        if self._whiten_on is None:
            return shares
        sample_counts = token_counts(sample, len(counts))
        frequencies: Array = (shares + sample_counts / max(sample_counts.sum(), 1)) / 2
        return frequencies

    def _cooccurrence_rows(self, sentences: TokenizedSentences, counts: Array) -> Array:
        """Return unit rows (vocabulary, dim) from co-occurrence; zeros for tokens without counts."""
        from augcse.encoding.static.rows import cooccurrence_rows

        rows, facts = cooccurrence_rows(sentences, counts, self._options, self._progress)
        self._facts |= facts
        return rows

    def _whitening_sample(self, tokenizer: Tokenizer, sentences: TokenizedSentences) -> TokenizedSentences:
        """Return the distinct sentences that whitening is fitted on, evenly spaced in the text."""
        from augcse.encoding.static.tokens import evenly_spaced

        source = sentences if self._whiten_on is None else self._tokenize_text(self._whiten_on, tokenizer, None)
        sample = source.take(evenly_spaced(len(source), self._options.whitening_sentences))
        sample = (sample.distinct_tokens() if self._options.tokens_once else sample).distinct()
        self._facts["whitening_sentences"] = len(sample)
        return sample

    def _described_sources(self) -> dict[str, Any]:
        """Return names and digests of the files, and counts of their lines, for the record."""
        whitened = {"whitened_on": self._whiten_on.described()} if self._whiten_on else {}
        report = self._survey.report
        return {
            "corpus": self._text.described(),
            "sentences": self._survey.sentences,
            "blank_lines": report.blank_lines,
            **whitened,
        }


def _to_train_one(options: StaticOptions) -> str:
    """Return the advice which options to leave out, so that a tokenizer is trained on the corpus."""
    given = {"backbone": options.backbone, "tokenizer": options.tokenizer, "rows": options.rows if "backbone" in options.sources else None}
    return f"leave out {' and '.join(f'--{name}' for name, value in given.items() if value)} to train one on the corpus"


def _tokens_by_id(tokenizer: Tokenizer) -> list[str]:
    return [tokenizer.id_to_token(token) or "" for token in range(tokenizer.get_vocab_size())]

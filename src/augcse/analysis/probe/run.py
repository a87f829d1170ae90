"""`augcse.probe`: all models on one sample and its edits, with intervals from the same resamples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.probe.checks import CHECKS, Key, ModelChecks
from augcse.analysis.probe.resampling import Statistic
from augcse.analysis.probe.texts import BATCH_TEXTS, ProbeTexts, prepare
from augcse.analysis.sample import LARGEST_SAMPLE, SMALLEST_SAMPLE, draw_sample
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_language
from augcse.arguments import BatchSize, FilePaths, Models, Notify
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.base import check_finite
from augcse.evaluation.bootstrap import Comparison, Interval, compare_draws, percentile_interval, resample_counts
from augcse.evaluation.remarks import ScoreWarning, Truncated, embedding_warnings
from augcse.model_folder import local_model_folder
from augcse.options import Seed, checks_arguments
from augcse.rng import derive_seed

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.encoding.model import Pooling

Array = npt.NDArray[Any]
SAMPLE = 1000
_LANGUAGE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class ModelProbe:
    """The figures of one model by (check, augmentation), with truncation and warnings."""

    model: str
    figures: dict[Key, Estimate]
    truncated: Truncated | None = None
    warnings: tuple[ScoreWarning, ...] = ()

    @property
    def summary(self) -> float:
        """The summary figure; NaN if none of its checks could be made."""
        summary = self.figures.get(("summary", ""))
        return nan if summary is None else summary.value


@dataclass(frozen=True)
class Probe:
    """The figures of all models on the same texts, and for two models the paired differences, second minus first."""

    texts: ProbeTexts = field(repr=False)
    models: tuple[ModelProbe, ...]
    differences: dict[Key, Comparison] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse probe --json`."""
        texts = self.texts
        sample = {
            "sentences": len(texts.sample.sentences),
            "of_sentences": texts.sample.of_sentences,
            "documents": texts.sample.documents,
            "with_next_sentence": sum(text is not None for text in texts.sample.following),
        }
        triples = {
            name: {
                "triples": len(of_name.rows),
                "preserving_token_edits": of_name.preserving_distance,
                "altering_token_edits": of_name.altering_distance,
            }
            for name, of_name in texts.triples.items()
        }
        preserving = {name: {"sentences": sum(text is not None for text in column)} for name, column in texts.edits.preserving.items()}
        return {
            "sample": sample,
            "preserving": preserving,
            "altering": triples,
            "left_out": texts.edits.left_out,
            "models": [self._model_document(model) for model in self.models],
            **({"differences": _nested(self.differences)} if self.differences else {}),
        }

    def _model_document(self, model: ModelProbe) -> dict[str, Any]:
        return {
            "model": model.model,
            "checks": _nested(model.figures),
            "truncated": model.truncated.as_json() if model.truncated else None,
            "warnings": [asdict(warning) for warning in model.warnings],
        }


@checks_arguments
def probe(
    models: Models,
    corpus: FilePaths,
    *,
    sample: int = SAMPLE,
    pooling: Pooling | None = None,
    language: str | None = None,
    parser: str = BUNDLED_PARSER,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    resamples: int = 1000,
    seed: Seed = 0,
    batch_size: BatchSize = BATCH_TEXTS,
    notify: Notify = lambda line: None,
) -> Probe:
    """Check models without labels, on a sample of a corpus and what augmentations make of it.

    Args:
        models: one or more: a `SentenceTransformer`, a folder or a name.
        corpus: one or more files, a sentence per line; a blank line or the end of a file ends a document.
        sample: number of distinct sentences drawn; all of a smaller corpus.
        pooling: for a bare backbone (default: mean); not with a `SentenceTransformer`, which has its own.
        language: of the corpus, ISO 639-1; None: the parser's, unless that is English and the text does not look like it.
        parser: a spaCy pipeline, or "jieba".
        column: the text's column, if the corpus is a table.
        encoding_errors: what to do with bytes that are not UTF-8: "strict" or "replace".
        resamples: of the bootstrap over sentences.
        seed: of the sample, the edits and the bootstrap.
        batch_size: of encoding.
        notify: receives a line before each part of the work.

    Raises:
        UserError: no such model or file, too few sentences, embeddings that are not finite.
    """
    named = _named_models(models)
    _check_arguments(named, pooling, sample, resamples, language)
    parser_language(parser)
    text = Corpus.of(corpus, column, encoding_errors)
    text.check_has_sentence()
    drawn = draw_sample(text.sentences_by_document(), sample, seed)
    notify(f"augmenting {len(drawn.sentences):,} sentences")
    texts = prepare(drawn, language=language, parser=parser, seed=seed)
    generator = np.random.default_rng(derive_seed(seed, "probe", "bootstrap"))
    counts = np.concatenate(list(resample_counts(len(drawn.sentences), resamples, generator)))
    probes, draws = [], []
    for name, model in named:
        notify(f"encoding {len(texts.all()):,} texts with {name}")
        model_probe, model_draws = _probe_model(name, _load_model(model, pooling), texts, counts, batch_size)
        probes.append(model_probe)
        draws.append(model_draws)
    return Probe(texts, tuple(probes), _differences(probes, draws))


def model_figures(texts: ProbeTexts, embeddings: Array, row_of: dict[str, int]) -> dict[Key, float]:
    """Return the figures of one model without intervals, for model selection; the summary is at ("summary", "").

    Args:
        texts: of `augcse.analysis.probe.texts.prepare`.
        embeddings: (distinct, dim), of all the texts.
        row_of: text -> row.

    Raises:
        UserError: embeddings that are not finite.
    """
    check_finite(embeddings)
    once = np.ones((1, len(texts.sample.sentences)), dtype=np.int64)
    return {key: float(statistic(once)[0]) for key, statistic in ModelChecks(texts, embeddings, row_of).statistics().items()}


def _probe_model(
    name: str, model: SentenceTransformer, texts: ProbeTexts, counts: Array, batch_size: int
) -> tuple[ModelProbe, dict[Key, Array]]:
    """Return the figures of one model, and the values of each statistic on the resamples."""
    from augcse.encoding.length import maximum_tokens, truncated_sentences
    from augcse.encoding.model import encode_distinct

    embeddings, row_of = encode_distinct(model, texts.all(), batch_size)
    check_finite(embeddings)
    statistics: dict[Key, Statistic] = ModelChecks(texts, embeddings, row_of).statistics()
    draws = {key: statistic(counts) for key, statistic in statistics.items()}
    values = {key: float(statistic(np.ones_like(counts[:1]))[0]) for key, statistic in statistics.items()}
    figures = {key: Estimate(value, percentile_interval(_finite_draws(draws[key]))) for key, value in values.items()}
    cut, length = truncated_sentences(model, texts.sample.sentences), maximum_tokens(model)
    truncated = None if cut is None or length is None else Truncated(len(cut), len(texts.sample.sentences), length)
    return ModelProbe(name, figures, truncated, embedding_warnings(embeddings)), draws


def _differences(probes: Sequence[ModelProbe], draws: Sequence[dict[Key, Array]]) -> dict[Key, Comparison]:
    """Compare the figures that both models have, second minus first; {} unless there are two models."""
    if len(probes) != 2:
        return {}
    first, second = probes
    return {
        key: compare_draws(second.figures[key].value - first.figures[key].value, _finite_draws(draws[1][key] - draws[0][key]))
        for key in first.figures
        if key in second.figures
    }


def _finite_draws(draws: Array) -> Array:
    """Drop the resamples in which no sentence has a value."""
    finite: Array = draws[np.isfinite(draws)]
    return finite


def _nested(figures: dict[Key, Any]) -> dict[str, Any]:
    """Return check -> its figure, with those of each augmentation under "by_augmentation"."""
    document: dict[str, Any] = {}
    for check in (check.name for check in CHECKS):
        details = {augmentation: asdict(figure) for (name, augmentation), figure in figures.items() if name == check and augmentation}
        if (check, "") in figures:
            document[check] = asdict(figures[check, ""]) | ({"by_augmentation": details} if details else {})
    return document


def _named_models(models: Any) -> list[tuple[str, Any]]:
    """Return (display name, model) for each model."""
    models_given = models if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    return [(str(model) if isinstance(model, (str, Path)) else type(model).__name__, model) for model in models_given]


def _check_arguments(named: Sequence[tuple[str, Any]], pooling: str | None, sample: int, resamples: int, language: str | None) -> None:
    """Check the arguments before the corpus is read; raises `UserError`."""
    from augcse.encoding.model import check_pooling

    if not named:
        raise UserError("no model named; give a folder, a hub name, or mini-bert")
    if not SMALLEST_SAMPLE <= sample <= LARGEST_SAMPLE:
        raise UserError(f"a sample of {sample}; give {SMALLEST_SAMPLE} to {LARGEST_SAMPLE:,} sentences")
    if resamples < 1:
        raise UserError(f"{resamples} resamples; a bootstrap needs at least 1, and 1000 are usual")
    if language is not None and _LANGUAGE.fullmatch(language) is None:
        raise UserError(f"language {language!r}; give an ISO 639 code, e.g. de")
    check_pooling(pooling, *(model for _, model in named))
    for _, model in named:
        if isinstance(model, (str, Path)):
            local_model_folder(str(model))


def _load_model(model: Any, pooling: Pooling | None) -> SentenceTransformer:
    from augcse.encoding.model import load_encoder

    encoder: SentenceTransformer = load_encoder(str(model), pooling) if isinstance(model, (str, Path)) else model
    return encoder

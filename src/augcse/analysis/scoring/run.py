"""`augcse.score`: intrinsic scores of augmentations on one sample of a corpus."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.sample import LARGEST_SAMPLE, SMALLEST_SAMPLE, draw_sample
from augcse.analysis.scoring.measure import AugmentationScore, MeasuredPairs, Scorer
from augcse.analysis.scoring.perplexity import Fidelity, load_language_model
from augcse.annotation.kept import kept_parses
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_language
from augcse.arguments import BatchSize, FilePath, FilePaths, ModelName, Notify, Specs, listed
from augcse.augmentations.base import row_stream
from augcse.augmentations.run.apply import fit_all, fitted_states
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.run.other_language import other_language_warnings
from augcse.augmentations.scored import TABLE
from augcse.augmentations.spec import Spec, parse_specs
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.files import check_can_be_folder, whole_folder, write_json
from augcse.model_folder import local_model_folder
from augcse.options import Seed, checks_arguments
from augcse.rng import derive_seed
from augcse.training.progress import StageProgress

if TYPE_CHECKING:
    from augcse.encoding.model import Pooling

Array = npt.NDArray[Any]
SAMPLE = 1000
PAIRS = "pairs.parquet"


@dataclass(frozen=True)
class AugmentationScores:
    """The scores of all augmentations, in the order given, and the pairs they are computed from."""

    scores: tuple[AugmentationScore, ...]
    sentences: tuple[str, ...] = field(repr=False)
    perplexities: Array | None = field(repr=False)
    pairs: dict[str, MeasuredPairs] = field(repr=False)
    settings: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse score --json`, which is scores.json too."""
        return {"settings": self.settings, "scores": [asdict(score) | {"changed_share": score.changed_share} for score in self.scores]}

    def save(self, folder: Path) -> None:
        """Write scores.json and pairs.parquet into a new folder, which appears only when both are complete."""
        with whole_folder(folder) as partial:
            write_json(partial / TABLE, self.as_json())
            _write_pairs(partial / PAIRS, self)


@checks_arguments
def score(
    corpus: FilePaths,
    names: Specs,
    *,
    model: ModelName = "mini-bert",
    lm: ModelName | None = "mini-bert",
    output: FilePath | None = None,
    sample: int = SAMPLE,
    fidelity: Fidelity = "paper",
    pooling: Pooling | None = None,
    parser: str = BUNDLED_PARSER,
    column: str | None = None,
    encoding_errors: EncodingErrors = "strict",
    seed: Seed = 0,
    batch_size: BatchSize = 128,
    notify: Notify = lambda line: None,
    warn: Notify = lambda line: None,
) -> AugmentationScores:
    """Measure what augmentations make of a corpus: how often, how alike, how fluent, how visible on the surface, how fast.

    Perplexities, most of the work, are kept on disk (`AUGCSE_CACHE`): a command that was interrupted, or asks for further augmentations,
    does not compute those of an augmentation twice.

    Args:
        corpus: one or more files, a sentence per line, or tables.
        names: augmentations and sets, with options: "RandomDeletion:rate=0.1", "12-aug-2".
        model: an encoder: mini-bert, a folder or a hub name (AugCSE takes all-mpnet-base-v2).
        lm: a causal or masked language model (AugCSE takes distilgpt2); None measures no perplexity.
        output: a new folder for the figures and every pair (`scores.json`, `pairs.parquet`); None writes nothing.
        sample: number of distinct sentences drawn; all of a smaller corpus.
        fidelity: "paper", or "repo": perplexity and similarity as AugCSE's code computes them.
        pooling: for a bare backbone (default: mean).
        parser: a spaCy pipeline.
        column: the text's column, if the corpus is a table.
        encoding_errors: what to do with bytes that are not UTF-8: "strict" or "replace".
        seed: of the sample, the augmentations and the bootstrap.
        batch_size: of encoding.
        notify: receives a line before each part of the work, and one with rate and time left after each augmentation.
        warn: receives a line about what makes the scores doubtful.

    Raises:
        UserError: no such model, augmentation or file, too few sentences, an output that exists, embeddings that are not finite.
    """
    specs = parse_specs(listed(names))
    model, lm = str(model), None if lm is None else str(lm)
    folder = None if output is None else Path(output).expanduser()
    _check_arguments(model, pooling, lm, sample, folder)
    parser_language(parser)
    text = Corpus.of(corpus, column, encoding_errors)
    text.check_has_sentence()
    drawn = draw_sample(text.sentences(), sample, seed)
    for warning in other_language_warnings(drawn.sentences, specs, parser):
        warn(warning)
    language_model = None if lm is None else load_language_model(lm, fidelity)
    augmented, speeds = _apply_augmentations(specs, drawn.sentences, parser, seed, notify)
    count = sum(len(rows) for rows, _ in augmented.values())
    notify(f"encoding {len(drawn.sentences):,} sentences and {count:,} augmentations of them")
    scorer = Scorer(drawn.sentences, model, pooling, language_model, fidelity, seed, batch_size)
    scorer.encode(texts for _, texts in augmented.values())
    progress = StageProgress(1)
    progress.start("scored", count)
    pairs, results = {}, []
    for spec in specs:
        pairs[spec.text] = scorer.pairs(*augmented[spec.text])
        results.append(scorer.score(spec, pairs[spec.text], speeds[spec.text]))
        progress.advance(len(pairs[spec.text].rows), {})
        notify(f"{progress.line()}  {spec.text}")
    settings = {
        "corpus": text.described(),
        "sentences": len(drawn.sentences),
        "of_sentences": drawn.of_sentences,
        "model": model,
        "lm": lm,
        "fidelity": fidelity,
        "seed": seed,
    }
    result = AugmentationScores(tuple(results), drawn.sentences, scorer.perplexities, pairs, settings)
    if folder is not None:
        result.save(folder)
    return result


def _check_arguments(model: str, pooling: str | None, lm: str | None, sample: int, folder: Path | None) -> None:
    """Check the arguments before the corpus is read; raises `UserError`."""
    from augcse.encoding.model import check_pooling

    if not SMALLEST_SAMPLE <= sample <= LARGEST_SAMPLE:
        raise UserError(f"a sample of {sample}; give {SMALLEST_SAMPLE} to {LARGEST_SAMPLE:,} sentences")
    check_pooling(pooling)
    for name in (model, lm):
        if name is not None:
            local_model_folder(name)
    if folder is not None:
        check_can_be_folder(folder)
        if folder.exists():
            raise UserError(f"{folder} exists; choose another --output")


def _apply_augmentations(
    specs: Sequence[Spec], sentences: Sequence[str], parser: str, seed: int, notify: Callable[[str], None]
) -> tuple[dict[str, tuple[Array, list[str]]], dict[str, float]]:
    """Return per augmentation the changed rows with their new texts, and the sentences per second without parsing."""
    notify(f"parsing {len(sentences):,} sentences")
    parses = Parses(lambda texts: kept_parses(texts, parser))
    if any(spec.needs_parse for spec in specs):
        parses.of(sentences)
    changed, speeds = {}, {}
    with tempfile.TemporaryDirectory(prefix="augcse-") as folder:
        states = fit_all([spec.text for spec in specs], lambda: sentences, Path(folder))
        for spec in specs:
            notify(f"augmenting: {spec.text}")
            # The random stream of a sentence depends on its text, not on its index in the sample.
            rngs = [row_stream(seed, spec.text, derive_seed(seed, "score", sentence)) for sentence in sentences]
            fitted = fitted_states(spec, states)
            started = time.perf_counter()
            results = apply_spec(spec, sentences, rngs, parses, fitted)
            speeds[spec.text] = len(sentences) / max(time.perf_counter() - started, 1e-9)
            rows = np.array([row for row, text in enumerate(results) if text is not None], dtype=np.int64)
            changed[spec.text] = rows, [text for text in results if text is not None]
    return changed, speeds


def _write_pairs(path: Path, scores: AugmentationScores) -> None:
    """Write one row per pair: sentence, augmentation, augmented text, cosine, and both perplexities."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[Any]] = {
        "sentence": [], "augmentation": [], "augmented": [], "similarity": [], "perplexity": [], "augmented_perplexity": [],
    }  # fmt: skip
    for name, pairs in scores.pairs.items():
        count = len(pairs.rows)
        columns["sentence"] += [scores.sentences[row] for row in pairs.rows]
        columns["augmentation"] += [name] * count
        columns["augmented"] += pairs.augmented
        columns["similarity"] += pairs.cosines.tolist()
        columns["perplexity"] += [None] * count if scores.perplexities is None else scores.perplexities[pairs.rows].tolist()
        columns["augmented_perplexity"] += [None] * count if pairs.perplexities is None else pairs.perplexities.tolist()
    text, number = pa.string(), pa.float64()
    schema = pa.schema(list(zip(columns, [text, text, text, number, number, number], strict=True)))
    with path.open("wb") as target:
        pq.write_table(pa.table(columns, schema=schema), target)

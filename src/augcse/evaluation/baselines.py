"""Training-free baselines of a run: the untrained backbone pooled and post-processed, and a static encoder, fitted on the run's text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from augcse.corpus.sample import sample_sentences
from augcse.disk_cache import cached_once
from augcse.encoding.static.of_text import SENTENCES
from augcse.errors import UserError
from augcse.model_folder import model_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe
    from augcse.corpus.files import Corpus
    from augcse.evaluation.encoded_once import Encode, EncodedOnce
    from augcse.evaluation.run_scores import RunEvaluation
    from augcse.training.inputs import Inputs
    from augcse.training.trainer import Score

# Sentences that the backbone encodes for whitening and token counts: seconds.
SENTENCES_ENCODED = 2_000
# The hybrid contains the run's model: its scores are not cached for other runs.
HYBRID = "hybrid"


class Parts:
    """The parts of baselines, each built on first use.

    Args:
        backbone: mini-bert, a folder or a hub name.
        corpus: the run's files, with the original sentences.
        finished: the run's model.
        held_out: sentences that nothing is fitted on.
    """

    def __init__(self, backbone: str, corpus: Corpus, finished: EncodedOnce, held_out: frozenset[str] = frozenset()) -> None:
        self._backbone = backbone
        self._corpus = corpus
        self._finished = finished
        self._held_out = held_out

    @cached_property
    def sentences(self) -> list[str]:
        """Up to 30,000 distinct sentences of the corpus, without those that are held out."""
        return sample_sentences((sentence for sentence in self._corpus.sentences() if sentence not in self._held_out), SENTENCES)

    @cached_property
    def mean(self) -> SentenceTransformer:
        """The untrained backbone with mean pooling."""
        from augcse.encoding.model import load_encoder

        return load_encoder(self._backbone, "mean")

    @cached_property
    def static(self) -> SentenceTransformer:
        """The static encoder of the backbone's embedding table, weighted and whitened on the sentences."""
        from augcse.encoding.static.of_text import static_encoder

        return static_encoder(self.sentences, self._backbone, {"rows": "backbone"})

    @property
    def hybrid(self) -> SentenceTransformer:
        """The run's model and the static encoder side by side, 1:1."""
        from augcse.encoding.hybrid import hybrid_model

        return hybrid_model([self._finished.model, self.static], [1.0, 1.0])

    def embeddings(self, name: str) -> Encode | None:
        """Return the encoding function of the hybrid, which reuses the embeddings of the run's model; None for other baselines."""
        return self._finished.beside(self.static) if name == HYBRID else None

    def with_step(self, step: str) -> SentenceTransformer:
        """The backbone with mean pooling and a step of `augcse postprocess`, fitted on 2,000 of the sentences."""
        from augcse.encoding.postprocess import apply_steps

        return apply_steps(self.mean, sample_sentences(self.sentences, SENTENCES_ENCODED), [step])[0]


# Names as in `augcse.training.outcome.BASELINES`, which describes them.
MAKERS: dict[str, Callable[[Parts], SentenceTransformer]] = {
    "mean": lambda parts: parts.mean,
    "sif": lambda parts: parts.with_step("sif"),
    "whitened": lambda parts: parts.with_step("whiten"),
    "static": lambda parts: parts.static,
    HYBRID: lambda parts: parts.hybrid,
}


@dataclass(frozen=True)
class DevScore:
    """The score of a run during training.

    Args:
        score: the function; None: nothing is scored.
        about: everything that its result depends on, as JSON.
        held_out: sentences of the corpus that it is computed on, so that nothing may be fitted on them.
    """

    score: Score | None
    about: Mapping[str, Any]
    held_out: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BaselineScores:
    """The scores of one baseline.

    Args:
        dev: by name: the score that selects, and the others that are logged with it.
        test: by task, and the averages of suites.
        resampled: the average of each suite on 1,000 resamples of its pairs and rows, which are the same for every model.
    """

    dev: dict[str, float]
    test: dict[str, float]
    resampled: dict[str, list[float]]


def baselines_of_run(
    recipe: Recipe,
    corpus: Corpus,
    dev: DevScore,
    evaluation: RunEvaluation,
    inputs: Inputs,
    finished: EncodedOnce,
    note: Callable[[str], None],
) -> dict[str, BaselineScores]:
    """Return the scores of the recipe's baselines that can be built, by name; {} if nothing is scored.

    Scores that do not depend on the run's model are kept on disk (`AUGCSE_CACHE`), so that further runs of the same backbone and corpus
    do not compute them again.

    Args:
        recipe: the resolved one; its `evaluation.baselines` are scored.
        corpus: the run's files.
        dev: the score of the run during training.
        evaluation: the tests of the finished model, and their data.
        inputs: of `describe_inputs`, under which scores are kept.
        finished: the run's model.
        note: receives which baseline cannot be built, and why.
    """
    if not recipe.evaluation.baselines or (dev.score is None and not evaluation.tests):
        return {}
    originals = corpus.originals(recipe.corpus.columns)
    parts = Parts(recipe.model.backbone, originals, finished, dev.held_out)
    identity = _cache_inputs(recipe, originals, dev, inputs)
    by_name: dict[str, BaselineScores] = {}
    missing: dict[str, list[str]] = {}

    def scored(name: str) -> dict[str, Any]:
        return _baseline_scores(MAKERS[name](parts), dev.score, evaluation, parts.embeddings(name))

    for name in recipe.evaluation.baselines:
        try:
            scores = scored(name) if name == HYBRID else cached_once(identity, name, partial(scored, name))
            by_name[name] = BaselineScores(**scores)
        except UserError as error:
            missing.setdefault(str(error), []).append(name)
    for reason, names in missing.items():
        note(f"nothing to compare with as {' or '.join(names)}: {reason}")
    return by_name


def _baseline_scores(encoder: SentenceTransformer, dev: Score | None, evaluation: RunEvaluation, encode: Encode | None) -> dict[str, Any]:
    from augcse.evaluation.scores import Scores, evaluate_model

    tests = evaluation.tests
    scores = evaluate_model(encoder, tests, evaluation.data, encode=encode) if tests else Scores("", {})
    return {"dev": {} if dev is None else dict(dev(encoder)), "test": scores.as_json()["scores"], "resampled": scores.resampled_lists()}


def _cache_inputs(recipe: Recipe, originals: Corpus, dev: DevScore, inputs: Inputs) -> dict[str, Any]:
    """Return all inputs that the scores of the untrained backbone on this corpus depend on."""
    from augcse.training.manifest import folder_digest

    return {
        "kind": "scores and resamples of baselines",
        "model": folder_digest(model_folder(recipe.model.backbone)),
        "data": None if inputs["data"] is None else inputs["data"]["sha256"],
        "column": originals.column,
        "dev": dev.about,
        **{key: inputs[key] for key in ("corpus", "test", "versions", "machine")},
    }

"""The sections of a recipe: every key, its type, its range and its default."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from augcse.augmentations.sets import expand
from augcse.errors import UserError, unknown_name
from augcse.options import MAX_LAYERS, Seed, Share

# What an objective may read of a row.
VIEWS = ("original", "augmented", "positive", "negative", "next")
# A column's name; its number in a table without a header, which may be written as a number.
ColumnName = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value), Field(min_length=1)]
# A list in TOML; "not strict" is about the list alone.
Names = Annotated[tuple[str, ...], Field(strict=False)]
Scale = Annotated[float, Field(ge=-100, le=100)]
Steps = Annotated[int, Field(ge=1, le=1_000_000_000)]
# Encoders made of the untouched backbone and the corpus, and the last of them beside the run's model (`evaluation/baselines.py`).
Baseline = Literal["mean", "sif", "whitened", "static", "hybrid"]
BASELINES: tuple[Baseline, ...] = get_args(Baseline)


class Section(BaseModel):
    """A table of a recipe."""

    # Strict: true is no number, 1.5 no whole one, "3" neither.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ModelSection(Section):
    """What is trained."""

    backbone: str = Field(min_length=1, description="mini-bert, a folder or a hub name")
    # "own": a sentence-transformers model's as it is; of a bare backbone, which has none, `bare_pooling`. Any other: that, of either.
    pooling: Literal["own", "cls", "mean", "first-last-0", "first-last-1"] = "own"
    bare_pooling: Literal["cls", "mean", "first-last-0", "first-last-1"] = "cls"
    # Where training cuts a sentence. What the finished model reads is not changed by it.
    max_len_tokens: int = Field(32, ge=3, le=100_000)
    dropout_rate: float | None = Field(None, ge=0.0, lt=1.0)


class StartSection(Section):
    """What the run begins with in place of the backbone: it, post-processed by steps fitted on the run's text (`augcse list steps`)."""

    steps: Annotated[tuple[str, ...], Field(strict=False, min_length=1, description="a list of steps, as augcse list steps has them")]
    # Distinct ones of the text, always the same, that the steps are fitted on.
    sentences: int = Field(10_000, ge=2, le=10_000_000)


class DiscriminatorSection(Section):
    """AugCSE's discriminator as a further term of any objective, see `objectives.discriminated.DiscriminatedLoss`."""

    weight: float = Field(0.005, ge=0, le=1_000_000)
    alpha: float = Field(-1.0, ge=-10_000, le=10_000)
    alpha_schedule: Literal["constant", "dann"] = "constant"
    warmup_share: float = Field(0.0, ge=0, lt=1)
    rows: Literal["all", "augmented", "balanced"] = "all"
    layers: int = Field(2, ge=1, le=16)
    dropout_rate: float = Field(0.2, ge=0, lt=1)
    learning_rate: float | None = Field(None, gt=0, le=1)


class ObjectiveSection(BaseModel):
    """The loss; keys other than the name are its options, checked against its signature."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True, allow_inf_nan=False)
    name: str
    # Of every objective that has negatives: whether rows of the same text are left out of one another's, or kept, as published.
    repeated_texts: Literal["mask", "keep"] = "mask"
    discriminator: DiscriminatorSection | None = None

    def options(self) -> dict[str, Any]:
        """Return the loss's options."""
        return dict(self.model_extra or {})


class CorpusSection(Section):
    """Where a table holds the views of a row, view = column: {original = "sent0", positive = "sent1", negative = "hard_neg"}.

    A view that a column gives is read, not augmented; the others are drawn from augmentations of the original.
    """

    columns: dict[str, ColumnName] = Field(default_factory=dict)

    @field_validator("columns")
    @classmethod
    def _known_views(cls, columns: dict[str, str]) -> dict[str, str]:
        for view in columns:
            if view not in VIEWS:
                raise unknown_name("view", view, VIEWS)
        if "augmented" in columns:
            raise UserError('the view "augmented" comes with the name of its augmentation, so it is drawn, never read; leave it out')
        return columns


class TaskSection(Section):
    """A labelled task on the original sentence, or on it and the one in the column `pair`, beside any objective."""

    kind: Literal["classification", "regression"]
    # The column that holds class names, or numbers for a regression.
    label: ColumnName
    pair: ColumnName | None = None
    # The factor of the task's loss.
    weight: float = Field(1.0, ge=0, le=1_000_000)


class AugmentationSection(Section):
    """The augmentations drawn from, uniformly, one per row and view, fixed across epochs unless `resample_every_epoch`.

    The view "augmented" is drawn from `names`, or from the three roles together where that is empty; "positive" and "negative" are
    drawn from their role and the neutral ones that `label_method` counts to it.
    """

    names: Names = ()
    positives: Names = ()
    negatives: Names = ()
    neutral: Names = ()
    label_method: Literal["pessimistic", "optimistic", "lm_uniform"] = "pessimistic"
    # In standard deviations; lm_uniform only.
    label_perplexity_scale: Scale = 1.0
    label_similarity_scale: Scale = 0.2
    # The share of rows that are augmented at all; the others are their own positive, by dropout.
    proportion: Share = 1.0
    unaugmented: Literal["keep", "drop"] = "keep"
    resample_every_epoch: bool = False
    parser: str = "en_ewt"

    @property
    def pool(self) -> tuple[str, ...]:
        """What the view "augmented" is drawn from."""
        return self.names or (*self.positives, *self.negatives, *self.neutral)

    @property
    def named(self) -> tuple[str, ...]:
        """All that are named, for whatever view."""
        return (*self.names, *self.positives, *self.negatives, *self.neutral)

    @field_validator("names", "positives", "negatives", "neutral")
    @classmethod
    def _expand_sets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Put the members of a set (12-aug) in its place, so that the resolved recipe names them."""
        return tuple(expand(names))


class TrainingSection(Section):
    """Optimisation and evaluation while training."""

    learning_rate: float = Field(gt=0, le=1)
    batch_size: int = Field(
        ge=2, le=1_000_000, description="a whole number from 2 to 1000000 (a batch of one has no other sentence to contrast with)"
    )
    # Batches of rows of one token length, without padding, or of rows at random, padded to their longest, as published.
    batches: Literal["equal-length", "random"] = "equal-length"
    # Of the transformer, the last so many layers and what comes after it are trained; left out: all of it.
    last_layers: int | None = Field(None, ge=1, le=MAX_LAYERS)
    # Rows encoded at a time (GradCache): large batches in little memory, for one more encoder pass. 0: all at once.
    mini_batch_size: int = Field(0, ge=0, le=1_000_000)
    epochs: float = Field(1.0, gt=0, le=100_000)
    # An upper bound on what the epochs come to; -1: none.
    max_steps: Literal[-1] | Steps = Field(-1, description="a number of steps, 1 or more, or -1 for no bound")
    seed: Seed = 42
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    max_grad_norm: float = Field(1.0, gt=0, le=1_000_000)
    weight_decay: float = Field(0.0, ge=0, le=10)
    # Score and keep a running average of the weights, which keeps so much of itself at each step (`training.average`); left out: none.
    average_decay: float | None = Field(None, gt=0, lt=1)
    # What the learning rate does after the warm-up: falls to 0 along a line or half a cosine, or stays.
    schedule: Literal["linear", "cosine", "constant"] = "linear"
    warmup_ratio: float = Field(0.0, ge=0, lt=1)
    # Exactly so often; left out: as often as `longest_eval_interval_steps` says, and eight times at least.
    eval_every_steps: Steps | None = None
    longest_eval_interval_steps: Steps = 250
    # Stop after so many scores in a row that are not above the best; 0: never.
    patience_scores: int = Field(0, ge=0, le=1_000_000)
    log_every_steps: Steps = 10
    checkpoint_every_steps: Steps = 250
    # Beside those by steps, so that little is lost where a step takes long; 0: by steps alone.
    checkpoint_every_minutes: float = Field(10.0, ge=0, allow_inf_nan=False)


class InterpolationSection(Section):
    """What is made of the start and the trained model: (1 - w) start + w trained, the weight w chosen by the scores that select."""

    # Which are scored, the start (0) always; none: the best step's model is kept as it is.
    weights: Annotated[tuple[Share, ...], Field(strict=False)] = ()
    # The smallest weight that is not clearly below the best one (the interval of their difference holds 0), or the best one itself.
    choice: Literal["clear", "best"] = "clear"
    search: Literal["coarse", "all"] = "coarse"  # those that the choice needs are scored, or all

    @field_validator("weights")
    @classmethod
    def _in_order(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(sorted({0.0, *weights})) if weights else ()


class EvaluationSection(Section):
    """What a row of a paper was selected by and tested on: what `--dev auto` and `--test auto` mean."""

    dev: str = "auto"  # as --dev: STS-B dev
    # The same where there is no data folder: nothing, or the checks without labels.
    dev_without_data: Literal["none", "probe"] = "none"
    # Of --dev probe: sentences of the corpus that are not trained on, and at most a fifth of it.
    held_out_sentences: Annotated[int, Field(ge=50, le=5000)] = 250
    # Of them, so many score the model while it trains, where mixes of start and trained weights are scored afterwards, on all of them.
    moment_sentences: Annotated[int, Field(ge=50, le=5000)] = 80
    # As --test.
    test: Names = ("sts",)
    # Score what costs nothing too: the untouched backbone's mean, SIF and whitened, a static encoder, and that beside the run's model.
    # Which of them; true: all, false: none.
    baselines: Annotated[tuple[Baseline, ...], BeforeValidator(lambda value: BASELINES * value if type(value) is bool else value)] = Field(
        default=BASELINES, strict=False, description="true, false, or a list of mean, sif, whitened, static, hybrid"
    )
    # Of each suite's average, of the model and of what costs nothing, keep so many bootstrap resamples in the record: what a sweep compares
    # its cells by.
    kept_resamples: Annotated[int, Field(ge=0, le=1000)] = 0

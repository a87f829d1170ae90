"""The sections of a recipe: type, range and default of every key."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from augcse.allowed_values import as_meant
from augcse.augmentations.sets import expand
from augcse.errors import UserError, unknown_name
from augcse.options import MAX_LAYERS, Seed, Share

# The views of a row that an objective may read.
VIEWS = ("original", "augmented", "positive", "negative", "next")
# A column's name, or its number in a table without a header.
ColumnName = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value), Field(min_length=1)]
# A list in TOML, converted to a tuple; the elements are still strict.
Names = Annotated[tuple[str, ...], Field(strict=False)]
Scale = Annotated[float, Field(ge=-100, le=100)]
Steps = Annotated[int, Field(ge=1, le=1_000_000_000)]
# Training-free encoders made from the backbone and the corpus; hybrid joins the run's model (`evaluation/baselines.py`).
Baseline = Literal["mean", "sif", "whitened", "static", "hybrid"]
BASELINES: tuple[Baseline, ...] = get_args(Baseline)


class Section(BaseModel):
    """A table of a recipe."""

    # Strict: no conversion of true or "3" to a number, or of 1.5 to an integer.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _texts_as_meant(cls, table: Any) -> Any:
        """Accept one text where a list of texts is meant, and "none" where None is."""
        if not isinstance(table, dict):
            return table
        fields = cls.model_fields
        return {key: as_meant(fields[key].annotation, value) if key in fields else value for key, value in table.items()}


class ModelSection(Section):
    """What is trained."""

    backbone: str = Field(min_length=1, description="mini-bert, a folder or a hub name")
    # "own": that of a sentence-transformers model, or `bare_pooling` for a bare backbone, which has none.
    pooling: Literal["own", "cls", "mean", "first-last-0", "first-last-1"] = "own"
    bare_pooling: Literal["cls", "mean", "first-last-0", "first-last-1"] = "cls"
    # Maximum length in training. The maximum length of the finished model does not change.
    max_len_tokens: int = Field(32, ge=3, le=100_000)
    dropout_rate: float | None = Field(None, ge=0.0, lt=1.0)


class StartSection(Section):
    """Post-processing of the backbone before training, by steps fitted on the corpus (`augcse list steps`)."""

    steps: Annotated[tuple[str, ...], Field(strict=False, min_length=1, description="a list of steps, as augcse list steps has them")]
    # Distinct sentences of the corpus, a fixed sample, on which the steps are fitted.
    sentences: int = Field(10_000, ge=2, le=10_000_000)


class DiscriminatorSection(Section):
    """AugCSE's discriminator as an additional term of any objective, see `objectives.discriminated.DiscriminatedLoss`."""

    weight: float = Field(0.005, ge=0, le=1_000_000)
    alpha: float = Field(-1.0, ge=-10_000, le=10_000)
    alpha_schedule: Literal["constant", "dann"] = "constant"
    warmup_share: float = Field(0.0, ge=0, lt=1)
    rows: Literal["all", "augmented", "balanced"] = "all"
    layers: int = Field(2, ge=1, le=16)
    dropout_rate: float = Field(0.2, ge=0, lt=1)
    learning_rate: float | None = Field(None, gt=0, le=1)


class ObjectiveSection(BaseModel):
    """The loss; keys other than `name` are its options, checked against its signature."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True, allow_inf_nan=False)
    name: str
    # For objectives with in-batch negatives: mask rows with the same text, or keep them as negatives, as published.
    repeated_texts: Literal["mask", "keep"] = "mask"
    discriminator: DiscriminatorSection | None = None

    def options(self) -> dict[str, Any]:
        """Return the loss's options."""
        return dict(self.model_extra or {})


class CorpusSection(Section):
    """Columns of a table that hold the views of a row, view = column: {original = "sent0", positive = "sent1", negative = "hard_neg"}.

    Views with a column are read from it; the others are drawn from augmentations of the original.
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
    """A supervised task on the original sentence, or on the pair with column `pair`, trained jointly with any objective."""

    kind: Literal["classification", "regression"]
    # The column with class names, or with numbers for a regression.
    label: ColumnName
    pair: ColumnName | None = None
    # Weight of the task's loss.
    weight: float = Field(1.0, ge=0, le=1_000_000)


class AugmentationSection(Section):
    """The augmentations: one per row and view, drawn uniformly, the same in all epochs unless `resample_every_epoch`.

    The view "augmented" is drawn from `names` or, if that is empty, from the three roles together; "positive" and "negative" are
    drawn from their role and the neutral ones that `label_method` assigns to it.
    """

    names: Names = ()
    positives: Names = ()
    negatives: Names = ()
    neutral: Names = ()
    label_method: Literal["pessimistic", "optimistic", "lm_uniform"] = "pessimistic"
    # In standard deviations; lm_uniform only.
    label_perplexity_scale: Scale = 1.0
    label_similarity_scale: Scale = 0.2
    # Share of rows that are augmented; the others are their own positive, by dropout.
    proportion: Share = 1.0
    unaugmented: Literal["keep", "drop"] = "keep"
    resample_every_epoch: bool = False
    parser: str = "en_ewt"

    @property
    def pool(self) -> tuple[str, ...]:
        """The augmentations of the view "augmented"."""
        return self.names or (*self.positives, *self.negatives, *self.neutral)

    @property
    def named(self) -> tuple[str, ...]:
        """All augmentations, of any view."""
        return (*self.names, *self.positives, *self.negatives, *self.neutral)

    @field_validator("names", "positives", "negatives", "neutral")
    @classmethod
    def _expand_sets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Replace a set (12-aug) by its members, so that the resolved recipe names them."""
        return tuple(expand(names))


class TrainingSection(Section):
    """Optimisation, and evaluation during training."""

    learning_rate: float = Field(gt=0, le=1)
    batch_size: int = Field(
        ge=2, le=1_000_000, description="a whole number from 2 to 1000000 (a batch of one has no other sentence to contrast with)"
    )
    # Batches of rows of equal token length, without padding, or random batches with padding, as published.
    batches: Literal["equal-length", "random"] = "equal-length"
    # Train only the last N layers of the transformer and the modules after it; left out: everything.
    last_layers: int | None = Field(None, ge=1, le=MAX_LAYERS)
    # Rows encoded at a time (GradCache): less memory for large batches, at the cost of a second forward pass. 0: all at once.
    mini_batch_size: int = Field(0, ge=0, le=1_000_000)
    epochs: float = Field(1.0, gt=0, le=100_000)
    # Upper bound on the number of steps; -1: none.
    max_steps: Literal[-1] | Steps = Field(-1, description="a number of steps, 1 or more, or -1 for no bound")
    seed: Seed = 42
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    max_grad_norm: float = Field(1.0, gt=0, le=1_000_000)
    weight_decay: float = Field(0.0, ge=0, le=10)
    # Decay per step of the moving average of the weights that is evaluated and saved (`training.average`); left out: none.
    average_decay: float | None = Field(None, gt=0, lt=1)
    # Of the learning rate after warm-up: linear or cosine decay to 0, or constant.
    schedule: Literal["linear", "cosine", "constant"] = "linear"
    warmup_ratio: float = Field(0.0, ge=0, lt=1)
    # Evaluation interval; left out: at most `longest_eval_interval_steps`, and at least eight evaluations.
    eval_every_steps: Steps | None = None
    longest_eval_interval_steps: Steps = 250
    # Early stopping: scores in a row without a new best; 0: never.
    patience_scores: int = Field(0, ge=0, le=1_000_000)
    log_every_steps: Steps = 10
    checkpoint_every_steps: Steps = 250
    # In addition to those by steps, for slow steps; 0: by steps only.
    checkpoint_every_minutes: float = Field(10.0, ge=0, allow_inf_nan=False)


class InterpolationSection(Section):
    """Interpolation of initial and trained weights: (1 - w) start + w trained, with w chosen by the development scores."""

    # Values of w to choose from, always with 0; none: no interpolation, the model of the best step is kept.
    weights: Annotated[tuple[Share, ...], Field(strict=False)] = ()
    # The smallest w not clearly below the best (the interval of their difference contains 0), or the best one itself.
    choice: Literal["clear", "best"] = "clear"
    search: Literal["coarse", "all"] = "coarse"  # score as few weights as needed, or all

    @field_validator("weights")
    @classmethod
    def _in_order(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(sorted({0.0, *weights})) if weights else ()


class EvaluationSection(Section):
    """Development and test tasks, as in the paper: the meaning of `--dev auto` and `--test auto`."""

    dev: str = "auto"  # as --dev: STS-B dev
    # The same without a data folder: nothing, or the checks without labels.
    dev_without_data: Literal["none", "probe"] = "none"
    # For --dev probe: sentences of the corpus that are held out of training, at most a fifth of it.
    held_out_sentences: Annotated[int, Field(ge=50, le=5000)] = 250
    # How many of them are used during training if interpolated models are scored afterwards, on all of them.
    moment_sentences: Annotated[int, Field(ge=50, le=5000)] = 80
    # As --test.
    test: Names = ("sts",)
    # Training-free baselines to score: the backbone with mean pooling, SIF or whitening, a static encoder, and that joined with the
    # run's model. true: all, false: none.
    baselines: Annotated[tuple[Baseline, ...], BeforeValidator(lambda value: BASELINES * value if type(value) is bool else value)] = Field(
        default=BASELINES, strict=False, description="true, false, or a list of mean, sif, whitened, static, hybrid"
    )
    # Bootstrap resamples of each suite's average, of model and baselines, to keep in the record: a sweep compares its cells by them.
    kept_resamples: Annotated[int, Field(ge=0, le=1000)] = 0

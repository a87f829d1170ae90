"""What a backbone is pretrained with: every setting, its default and its range. Never imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from augcse.encoding.static.options import MAX_VOCABULARY, MIN_VOCABULARY
from augcse.errors import UserError
from augcse.options import MAX_LAYERS, Seed, checked_options, options_of
from augcse.sections import Steps, TrainingSection

# What a finished model's folder says of how it was made.
RECORD = "pretrain.json"
Name = Annotated[str, Field(min_length=1, description="a name")]
MAX_WIDTH = 16_384
MAX_BLOCK = 100_000
# Of a new model; one that is there brings its own.
OF_A_NEW_MODEL = (
    "tokenizer", "vocabulary_size", "hidden_size", "layers", "heads", "intermediate_size", "positions", "static_start",
    "sinusoidal_positions", "initial_deviation",
)  # fmt: skip
# BERT-base's 0.02 at its width of 768: what a layer puts out then has the same size at any width.
_DEVIATION_AT_WIDTH_1 = 0.02 * 768**0.5


class PretrainOptions(BaseModel):
    """The settings of `augcse.pretrain`.

    Attributes:
        backbone: the masked language model to go on from, with its tokenizer: mini-bert, a folder or a hub name. None makes a new one.
        tokenizer: the model whose tokenizer is taken; None trains one on the corpus.
        vocabulary_size: tokens of the tokenizer that is trained, the special ones included.
        hidden_size: width of the layers.
        layers: how many.
        heads: attention heads of each.
        intermediate_size: width of the layers' feed-forward part.
        positions: the longest sequence that the model reads, in tokens.
        static_start: begin with the token vectors of `augcse static` in the embedding table; else with random ones.
        sinusoidal_positions: begin with the sinusoids of Vaswani et al. 2017 in the position table; else with random vectors.
        initial_deviation: standard deviation of the random weights; None: 0.55 / sqrt(hidden_size), which is BERT-base's 0.02 at its width.
        block_tokens: length of the packed blocks, [CLS] and [SEP]s included.
        mask_rate: share of the tokens that are predicted; of these 80 % are [MASK], 10 % random, 10 % as they are.
        whole_words: mask all pieces of a word or none.
        dropout_rate: of all dropouts while pretraining. Later training has that of the model's configuration, 0.1.
        learning_rate: the highest, after the warm-up.
        schedule: what it does then: falls to 0 along a line or half a cosine, or stays.
        warmup_ratio: share of the steps in which it rises.
        weight_decay: of AdamW.
        max_grad_norm: gradients are cut at this norm.
        batch_size: blocks per step and process.
        epochs: over the blocks.
        max_steps: an upper bound on what the epochs come to; -1: none.
        seed: of weights, order and masks.
        precision: of the computations: auto is bf16 where the hardware multiplies it, else fp32.
        stored_precision: of the finished model's weights.
        sentence_stage: what follows for the vectors of whole sentences: nothing, or retromae (`augcse.objectives.retromae`).
        sentence_tokens: sentences are cut at so many there, special tokens included.
        sentence_batch_size: sentences per step and process.
        sentence_epochs: over the sentences.
        sentence_max_steps: an upper bound on what these come to; -1: none.
        sentence_learning_rate: the highest; the schedule is the same.
        encoder_mask_rate: share of a sentence's tokens that the encoder does not see.
        decoder_mask_rate: share that the decoder does not see.
        enhanced_decoding: the decoder rebuilds every token, each from a context of its own.
        log_every_steps: steps that a point of the curve is the mean of.
        checkpoint_every_steps: beside those by time.
        checkpoint_every_minutes: 0: by steps alone.
    """

    # Strict: true is no number, 1.5 no whole one, "3" neither.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    backbone: Name | None = None
    tokenizer: Name | None = None
    vocabulary_size: Annotated[int, Field(ge=MIN_VOCABULARY, le=MAX_VOCABULARY)] = 12_288
    hidden_size: Annotated[int, Field(ge=2, le=MAX_WIDTH)] = 256
    layers: Annotated[int, Field(ge=1, le=MAX_LAYERS)] = 4
    heads: Annotated[int, Field(ge=1, le=MAX_WIDTH)] = 4
    intermediate_size: Annotated[int, Field(ge=1, le=MAX_WIDTH)] = 1024
    positions: Annotated[int, Field(ge=8, le=MAX_BLOCK)] = 128
    static_start: bool = True
    sinusoidal_positions: bool = True
    initial_deviation: Annotated[float, Field(gt=0, le=1)] | None = None
    block_tokens: Annotated[int, Field(ge=8, le=MAX_BLOCK)] = 64
    mask_rate: Annotated[float, Field(gt=0, lt=1)] = 0.2
    whole_words: bool = False
    dropout_rate: Annotated[float, Field(ge=0, lt=1)] = 0.0
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 8e-4
    schedule: Literal["linear", "cosine", "constant"] = "linear"
    warmup_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.02
    weight_decay: Annotated[float, Field(ge=0, le=10)] = 0.01
    max_grad_norm: Annotated[float, Field(gt=0, le=1_000_000)] = 1.0
    batch_size: Annotated[int, Field(ge=2, le=1_000_000)] = 32
    epochs: Annotated[float, Field(gt=0, le=100_000)] = 2.0
    max_steps: Literal[-1] | Steps = -1
    seed: Seed = 42
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    stored_precision: Literal["fp16", "fp32"] = "fp16"
    sentence_stage: Literal["none", "retromae"] = "none"
    sentence_tokens: Annotated[int, Field(ge=4, le=MAX_BLOCK)] = 64
    sentence_batch_size: Annotated[int, Field(ge=2, le=1_000_000)] = 64
    sentence_epochs: Annotated[float, Field(gt=0, le=100_000)] = 1.0
    sentence_max_steps: Literal[-1] | Steps = -1
    sentence_learning_rate: Annotated[float, Field(gt=0, le=1)] = 3e-4
    encoder_mask_rate: Annotated[float, Field(gt=0, lt=1)] = 0.3
    decoder_mask_rate: Annotated[float, Field(gt=0, lt=1)] = 0.5
    enhanced_decoding: bool = True
    log_every_steps: Steps = 50
    checkpoint_every_steps: Steps = 1000
    checkpoint_every_minutes: Annotated[float, Field(ge=0)] = 10.0

    @property
    def deviation(self) -> float:
        """The standard deviation of a new model's random weights."""
        return self.initial_deviation or _DEVIATION_AT_WIDTH_1 / self.hidden_size**0.5

    @property
    def speed(self) -> tuple[int, str]:
        """What a step's speed is counted in, and how many of it a step of one process has: tokens; steps where stages differ in these."""
        return (self.batch_size * self.block_tokens, "tokens") if self.sentence_stage == "none" else (1, "steps")

    @property
    def training(self) -> TrainingSection:
        """The settings of the optimiser, as a recipe has them."""
        return TrainingSection(**self.model_dump(include=set(TrainingSection.model_fields)), batches="random")

    @property
    def sentence_training(self) -> TrainingSection:
        """The settings of the optimiser in the stage for sentences, whose rows are of many lengths."""
        own = {
            "batches": "equal-length",
            "batch_size": self.sentence_batch_size,
            "epochs": self.sentence_epochs,
            "max_steps": self.sentence_max_steps,
            "learning_rate": self.sentence_learning_rate,
        }
        return self.training.model_copy(update=own)


def pretrain_options(settings: Mapping[str, Any]) -> PretrainOptions:
    """Return the settings given, and the defaults of the others.

    Raises:
        UserError: an unknown setting, a value of another type or out of range, or settings that contradict one another.
    """
    options = PretrainOptions(**checked_options(options_of(PretrainOptions), settings, "pretrain"))
    if options.sentence_stage == "none":
        idle = [name for name in settings if name.startswith("sentence_") and name != "sentence_stage"]
        if idle:
            raise UserError(f"{idle[0]} is of the stage for sentences, and there is none; set sentence_stage to retromae, or leave it out")
    if options.backbone is not None:
        own = [name for name in OF_A_NEW_MODEL if name in settings]
        if own:
            raise UserError(f"{own[0]} is of a new model, and {options.backbone} has its own; leave it out, or leave the backbone out")
        return options
    if options.hidden_size % options.heads:
        raise UserError(f"hidden_size {options.hidden_size} is no multiple of heads {options.heads}; give one that is")
    if options.block_tokens > options.positions:
        raise UserError(
            f"block_tokens is {options.block_tokens}, and the model reads {options.positions} tokens (positions); give as many positions"
        )
    if options.sentence_stage != "none" and options.sentence_tokens > options.positions:
        raise UserError(f"sentence_tokens is {options.sentence_tokens}, and the model reads {options.positions} tokens; give that or less")
    return options

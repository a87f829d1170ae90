"""The settings of pretraining, with their defaults and ranges. Never imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from augcse.encoding.static.options import MAX_VOCABULARY, MIN_VOCABULARY
from augcse.errors import UserError
from augcse.options import MAX_LAYERS, Seed, checked_options, options_of
from augcse.sections import Steps, TrainingSection

# The file with the record of the pretraining, in the folder of the finished model.
RECORD = "pretrain.json"
Name = Annotated[str, Field(min_length=1, description="a name")]
MAX_WIDTH = 16_384
MAX_BLOCK = 100_000
# Settings of a new model, which an existing backbone determines itself.
NEW_MODEL_SETTINGS = (
    "tokenizer", "vocabulary_size", "hidden_size", "layers", "heads", "intermediate_size", "positions", "static_start",
    "sinusoidal_positions", "initial_deviation",
)  # fmt: skip
# Gives BERT-base's 0.02 at its width of 768, and layer outputs of the same scale at any width.
_DEVIATION_AT_WIDTH_1 = 0.02 * 768**0.5


class PretrainOptions(BaseModel):
    """The settings of `augcse.pretrain`.

    Attributes:
        backbone: the masked language model to continue from, with its tokenizer: mini-bert, a folder or a hub name. None makes a new one.
        tokenizer: the model whose tokenizer is used; None trains one on the corpus.
        vocabulary_size: the maximum size of a new tokenizer, special tokens included; a text that yields fewer gives a smaller one.
        hidden_size: the width of the layers.
        layers: the number of layers.
        heads: the number of attention heads of each layer.
        intermediate_size: the width of the feed-forward networks.
        positions: the longest input sequence, in tokens.
        static_start: initialize the embedding table with the token vectors of `augcse static`, not at random.
        sinusoidal_positions: initialize the position table with the sinusoids of Vaswani et al. 2017, not at random.
        initial_deviation: standard deviation of the random weights; None: 0.55 / sqrt(hidden_size), which is BERT-base's 0.02 at its width.
        block_tokens: the length of the packed blocks, [CLS] and [SEP]s included.
        mask_rate: the share of tokens that are predicted; of these 80 % become [MASK], 10 % a random token, 10 % are unchanged.
        whole_words: mask all tokens of a word or none.
        dropout_rate: the dropout rate of pretraining; later training uses that of the model's configuration, 0.1.
        learning_rate: the peak, after the warm-up.
        schedule: linear or cosine decay to 0 after the warm-up, or constant.
        warmup_ratio: the share of steps of the linear warm-up.
        weight_decay: that of AdamW.
        max_grad_norm: gradients are clipped to this norm.
        batch_size: blocks per step and process.
        epochs: passes over the blocks.
        max_steps: an upper bound on the steps of all epochs; -1: none.
        seed: for initial weights, order and masks.
        precision: the number format of computations; auto: bf16 if the hardware multiplies it, else fp32.
        stored_precision: the number format of the saved weights.
        sentence_stage: a second stage that trains sentence vectors: none, or retromae (`augcse.objectives.retromae`).
        sentence_tokens: sentences of that stage are truncated to this length, special tokens included.
        sentence_batch_size: sentences per step and process.
        sentence_epochs: passes over the sentences.
        sentence_max_steps: an upper bound on the steps of that stage; -1: none.
        sentence_learning_rate: the peak learning rate of that stage, with the same schedule.
        encoder_mask_rate: the share of a sentence's tokens that are masked for the encoder.
        decoder_mask_rate: the share that are masked for the decoder.
        enhanced_decoding: the decoder predicts every token, each from a context of its own.
        log_every_steps: the number of steps that a point of the training curve averages over.
        checkpoint_every_steps: for checkpoints by steps, in addition to those by time.
        checkpoint_every_minutes: 0: by steps alone.
    """

    # Strict: no conversion of true, 1.5 or "3" to a whole number.
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
        """The unit of the training speed and the number of them per step: tokens, or steps if two stages have different ones."""
        return (self.batch_size * self.block_tokens, "tokens") if self.sentence_stage == "none" else (1, "steps")

    @property
    def training(self) -> TrainingSection:
        """The settings of the optimizer as the [training] section of a recipe."""
        return TrainingSection(**self.model_dump(include=set(TrainingSection.model_fields)), batches="random")

    @property
    def sentence_training(self) -> TrainingSection:
        """The settings of the optimizer in the stage for sentences, whose rows have different lengths."""
        settings = {
            "batches": "equal-length",
            "batch_size": self.sentence_batch_size,
            "epochs": self.sentence_epochs,
            "max_steps": self.sentence_max_steps,
            "learning_rate": self.sentence_learning_rate,
        }
        return self.training.model_copy(update=settings)


def pretrain_options(settings: Mapping[str, Any]) -> PretrainOptions:
    """Return checked settings, with defaults for those not given.

    Raises:
        UserError: an unknown setting, a value of another type or out of range, or settings that contradict one another.
    """
    options = PretrainOptions(**checked_options(options_of(PretrainOptions), settings, "pretrain"))
    if options.sentence_stage == "none":
        extra = [name for name in settings if name.startswith("sentence_") and name != "sentence_stage"]
        if extra:
            raise UserError(
                f"{extra[0]} belongs to the stage for sentences, and there is none; set sentence_stage to retromae, or leave it out"
            )
    if options.backbone is not None:
        extra = [name for name in NEW_MODEL_SETTINGS if name in settings]
        if extra:
            raise UserError(f"{extra[0]} is of a new model, and {options.backbone} has its own; leave it out, or leave the backbone out")
        return options
    if options.hidden_size % options.heads:
        raise UserError(f"hidden_size {options.hidden_size} is not a multiple of heads {options.heads}; give one that is")
    if options.block_tokens > options.positions:
        raise UserError(
            f"block_tokens is {options.block_tokens}, and the model reads {options.positions} tokens (positions); raise positions to that"
        )
    if options.sentence_stage != "none" and options.sentence_tokens > options.positions:
        raise UserError(f"sentence_tokens is {options.sentence_tokens}, and the model reads {options.positions} tokens; give that or less")
    return options

"""The initial model of a pretraining: a new one, with an embedding table from co-occurrence, or an existing backbone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from augcse.encoding.length import backbone_positions
from augcse.encoding.static.counts import token_counts
from augcse.encoding.static.options import StaticOptions
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.rows import cooccurrence_rows
from augcse.encoding.static.tokenizer import check_knows, unknown_token
from augcse.errors import UserError
from augcse.library_output import quiet_transformers
from augcse.objectives.masked_lm import load_masked_lm
from augcse.training.pretraining.options import PretrainOptions
from augcse.training.pretraining.vocabulary import load_mlm_tokenizer, train_mlm_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

    from augcse.encoding.static.tokens import TokenizedSentences

Array = npt.NDArray[Any]


def tokenizer_of_start(options: PretrainOptions, sample: Sequence[str], warn: Callable[[str], None]) -> PreTrainedTokenizerBase:
    """Return the tokenizer of the backbone, of the model that is named, or one trained on a sample of the corpus; warn if it is small."""
    name = options.backbone or options.tokenizer
    tokenizer = train_mlm_tokenizer(sample, options.vocabulary_size) if name is None else load_mlm_tokenizer(name)
    if name is None and len(tokenizer) < options.vocabulary_size:
        warn(f"vocabulary_size is {options.vocabulary_size:,}, and the corpus gives {len(tokenizer):,} tokens; continuing with these")
    if options.backbone is None:
        tokenizer.model_max_length = options.positions
    return tokenizer


def load_backbone(options: PretrainOptions) -> Any:
    """Return the masked language model to continue from, in float32; None if a new one is made.

    Raises:
        UserError: a model that cannot be loaded, has no trained head, or too few positions.
    """
    if options.backbone is None:
        return None
    model = load_masked_lm(options.backbone, "leave the backbone out to make a new one")
    positions = backbone_positions(model.base_model)
    for name in ("block_tokens", *(["sentence_tokens"] if options.sentence_stage != "none" else [])):
        tokens = getattr(options, name)
        if positions is not None and tokens > positions:
            raise UserError(f"{name} is {tokens}, and {options.backbone} has {positions} positions; give that or less")
    return model


def new_model(options: PretrainOptions, tokenizer: PreTrainedTokenizerBase, sentences: TokenizedSentences, progress: Progress) -> Any:
    """Return a BERT with a masked-language-model head, whose output matrix is tied to the embedding table.

    Its weights are drawn from torch's generator, which the caller has seeded. With `static_start` the embedding table is initialized by
    `cooccurrence_rows`, truncated to the hidden size, and with `sinusoidal_positions` the position table by `sinusoids`.

    Args:
        options: the settings of the pretraining.
        tokenizer: the tokenizer of the model.
        sentences: the tokenized corpus.
        progress: receives the progress of long operations.

    Raises:
        UserError: a corpus whose tokens are too rare.
    """
    model = _random_model(options, tokenizer)
    if options.static_start:
        counts = token_counts(sentences, len(tokenizer))
        counts[tokenizer.all_special_ids] = 0
        settings = StaticOptions(cooccurrence_dim=options.hidden_size)
        try:
            vectors, _ = cooccurrence_rows(sentences, counts, settings, progress)
        except UserError as error:
            reason = str(error).partition(";")[0]
            raise UserError(f"static_start: {reason}; give more text, or set static_start to false") from error
        copy_vectors(model.get_input_embeddings().weight, vectors, options.deviation)
    if options.sinusoidal_positions:
        copy_vectors(model.bert.embeddings.position_embeddings.weight, sinusoids(options.positions, options.hidden_size), options.deviation)
    return model


def save_transformers(model: Any, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write a transformers folder."""
    with quiet_transformers():
        model.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))


def unknown_share(options: PretrainOptions, tokenizer: Tokenizer, sentences: TokenizedSentences) -> float:
    """Return the share of unknown tokens in the corpus. Raises `UserError` if it is more than a fifth."""
    unknown = unknown_token(tokenizer)
    share = float((sentences.ids == unknown).mean()) if unknown is not None and len(sentences.ids) else 0.0
    remedy = f"leave out --{'tokenizer' if options.backbone is None else 'backbone'} to train one on the corpus"
    check_knows(options.backbone or options.tokenizer, options.vocabulary_size, share, remedy)
    return share


@torch.no_grad()
def copy_vectors(table: Tensor, rows: Array, deviation: float) -> None:
    """Copy vectors into an embedding table, scaled to the norm of random vectors of this standard deviation.

    They fill the first columns; further columns, and rows whose vector is zero, stay random. Shapes: table (vocabulary, width), rows
    (vocabulary, width or less).
    """
    given = torch.from_numpy(rows).to(table.dtype)
    width = given.shape[1]
    lengths = given.norm(dim=1, keepdim=True)
    scaled = given / lengths.clamp(min=1e-12) * deviation * width**0.5
    table[:, :width] = torch.where(lengths > 0, scaled, table[:, :width])


def _random_model(options: PretrainOptions, tokenizer: PreTrainedTokenizerBase) -> Any:
    """Return a BERT with random weights."""
    from transformers import BertConfig, BertForMaskedLM

    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=options.hidden_size,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        intermediate_size=options.intermediate_size,
        max_position_embeddings=options.positions,
        pad_token_id=tokenizer.pad_token_id,
        initializer_range=options.deviation,
    )
    return BertForMaskedLM(config)


def sinusoids(positions: int, width: int) -> Array:
    """Return the sinusoidal position vectors, (positions, width) float32.

    Vaswani et al. 2017, section 3.5: in column 2i the sine of position / 10000^(2i / width), in column 2i + 1 its cosine. With these,
    attention heads learn to attend to neighbours much earlier than with random vectors (docs/pretrain.md).
    """
    angles = np.arange(positions)[:, None] / 10_000 ** (np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(positions, -1)[:, :width].astype(np.float32)

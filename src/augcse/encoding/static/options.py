"""The settings of a static encoder, with defaults and ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from augcse.errors import UserError
from augcse.options import checked_options, options_of

Rows = Literal["cooccurrence", "backbone", "both"]
Precision = Literal["fp32", "fp16"]
Name = Annotated[str, Field(min_length=1, description="a name")]
# Upper limit of a model's dimensions.
MAX_DIM = 8192
# The Gram matrix of the contexts is held in float32: 1 GB at most.
MAX_CONTEXTS = 16_384
MIN_VOCABULARY, MAX_VOCABULARY = 100, 1_000_000
MAX_WINDOW = 100
MAX_OCCURRENCES = 1_000_000
# Fewer distinct sentences give no reliable covariance.
MIN_WHITENING, MAX_WHITENING = 100, 1_000_000


@dataclass(frozen=True)
class StaticOptions:
    """The settings of `augcse.static`.

    Attributes:
        rows: where the tokens' vectors come from: their co-occurrence in the corpus, a backbone's embedding table, or both, side by side.
            None means both if there is a backbone, else co-occurrence.
        backbone: the model whose embedding table and tokenizer are taken: mini-bert, a folder or a hub name.
        tokenizer: the model whose tokenizer is taken; None takes the backbone's, or trains one on the corpus.
        vocabulary_size: of the tokenizer that is trained.
        window: how many tokens on either side of a token co-occur with it.
        contexts: the largest number of context tokens, which are the most frequent ones.
        context_occurrences: how often each of them occurs at least; there are as many contexts as dimensions, even if fewer do.
        cooccurrence_dim: dimensions of the co-occurrence vectors before whitening.
        context_exponent: of the contexts' counts in the mutual information (`factors.positive_mutual_information`).
        value_exponent: of the singular values (`factors.token_factors`).
        frequency_weight: a of a token's weight a / (a + p), with p its share of the corpus' tokens, or the mean of that and its share of
            the tokens of the whitening text, if one is given.
        letters_dim: dimensions of the vectors from the tokens' letters (`letters.letter_rows`), next to the others; 0 leaves them out.
        letters_scale: the scale of the whitened letters part relative to the others.
        related_share: how far the similar vectors of words with a common beginning move to their mean (`relatives.move_together`).
        synonym_share: how far the vectors of English words turn to those of their synonyms in the bundled lexicon
            (`synonyms.retrofit`); 0 leaves them.
        scale: of the whitened co-occurrence part, relative to the backbone's scale of 1.
        dim: dimensions to keep; None keeps all.
        whitening_sentences: about the largest number of distinct sentences that mean and covariance are computed from.
        tokens_once: count each token of a sentence once, which needs a module of this package to load.
        precision: of the stored vectors.
    """

    rows: Rows | None = None
    backbone: Name | None = None
    tokenizer: Name | None = None
    vocabulary_size: Annotated[int, Field(ge=MIN_VOCABULARY, le=MAX_VOCABULARY)] = 30_000
    window: Annotated[int, Field(ge=1, le=MAX_WINDOW)] = 5
    contexts: Annotated[int, Field(ge=2, le=MAX_CONTEXTS)] = 4096
    context_occurrences: Annotated[int, Field(ge=1, le=MAX_OCCURRENCES)] = 50
    cooccurrence_dim: Annotated[int, Field(ge=1, le=MAX_DIM)] = 512
    context_exponent: Annotated[float, Field(ge=0, le=1)] = 1.0
    value_exponent: Annotated[float, Field(ge=0, le=1)] = 0.25
    letters_dim: Annotated[int, Field(ge=0, le=MAX_DIM)] = 512
    letters_scale: Annotated[float, Field(gt=0, le=1000)] = 1.0
    frequency_weight: Annotated[float, Field(gt=0, le=1000)] = 1e-3
    related_share: Annotated[float, Field(ge=0, le=1)] = 0.8
    synonym_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    scale: Annotated[float, Field(gt=0, le=1000)] = 1.0
    dim: Annotated[int, Field(ge=1, le=MAX_DIM)] | None = None
    whitening_sentences: Annotated[int, Field(ge=MIN_WHITENING, le=MAX_WHITENING)] = 30_000
    tokens_once: bool = False
    precision: Precision = "fp32"

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the tokens' vectors, in the order of their concatenation."""
        rows = self.rows or ("both" if self.backbone else "cooccurrence")
        return ("backbone", "cooccurrence") if rows == "both" else (rows,)


def static_options(settings: Mapping[str, Any]) -> StaticOptions:
    """Return the given settings, with defaults for the others.

    Raises:
        UserError: an unknown setting, a value of another type or out of range, or settings that contradict each other.
    """
    names = [field.name for field in fields(StaticOptions)]
    options = StaticOptions(**checked_options(options_of(StaticOptions, names), settings, "static"))
    if "backbone" in options.sources and options.backbone is None:
        allowed = ", ".join(get_args(Rows))
        raise UserError(
            f"rows {options.rows}: no backbone to take them from; name one (--backbone mini-bert), or give other rows ({allowed})"
        )
    if "backbone" in options.sources and options.tokenizer is not None:
        raise UserError(
            f"the rows of {options.backbone} belong to its own tokenizer, not to that of {options.tokenizer};"
            " leave the tokenizer out, or take the rows of co-occurrence alone (--rows cooccurrence)"
        )
    if "backbone" not in options.sources and (options.dim or 0) > options.cooccurrence_dim + options.letters_dim:
        raise UserError(
            f"cannot keep {options.dim} dimensions: co-occurrence gives at most {options.cooccurrence_dim} and letters"
            f" {options.letters_dim}; give a smaller --dim, or more (--set cooccurrence_dim=...)"
        )
    return options

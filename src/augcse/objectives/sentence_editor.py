"""Edited sentences for an objective: masking, inserting or deleting tokens, and filling the masked places with a frozen generator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from augcse.objectives.checks import check_same_vocabulary, mask_token_id, own_checkpoint
from augcse.objectives.masked_lm import FrozenGenerator, keep_first_layers, load_masked_lm
from augcse.objectives.option_types import EditName, Fidelity
from augcse.objectives.token_edits import Edited, Vocabulary, mixed

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceEditor(nn.Module):
    """Makes x'' of x (DiffCSE, section 3): one of `edits` per sentence, the masked places filled by a frozen generator.

    Args:
        model: the encoder whose token ids are edited.
        edits: "replace", "insert", "delete"; of several, one is drawn per sentence.
        ratio: share of the tokens to edit.
        generator: a masked language model with the encoder's tokeniser; None: the encoder's own checkpoint.
        generator_layers: how many of its layers to keep; None: all.
        fidelity: "paper": the masked tokens are sampled. "repo": every token but the first is the most probable one, masked or not, and
            the generator's dropout is on.
        fill: fill the masked places; else no generator is loaded.
    """

    special: Tensor

    def __init__(
        self,
        model: SentenceTransformer,
        edits: Sequence[EditName],
        ratio: float,
        generator: str | None,
        generator_layers: int | None,
        fidelity: Fidelity,
        fill: bool = True,
    ) -> None:
        super().__init__()
        tokenizer = model.tokenizer
        self.edits = tuple(edits)
        self.ratio = ratio
        self.everywhere = fidelity == "repo"
        self.register_buffer("special", torch.tensor(tokenizer.all_special_ids), persistent=False)
        self.mask_id = mask_token_id(model, "DiffCSE masks tokens: take another backbone")
        self.pad_id, self.size = tokenizer.pad_token_id or 0, len(tokenizer)
        self.longest = longest_sequence(model)
        needed = fill and set(edits) != {"delete"}
        self.generator = self._load_generator(model, generator, generator_layers, fidelity) if needed else None

    def _load_generator(
        self, model: SentenceTransformer, generator: str | None, generator_layers: int | None, fidelity: Fidelity
    ) -> FrozenGenerator:
        """Return the frozen generator, cut to its first layers if asked for."""
        name = generator or own_checkpoint(model)
        check_same_vocabulary(name, model.tokenizer)
        language_model = load_masked_lm(name)
        if generator_layers is not None:
            keep_first_layers(language_model, generator_layers)
        repo = fidelity == "repo"
        return FrozenGenerator(language_model, self.special, sample=not repo, dropout=repo).to(model.device)

    def forward(self, ids: Tensor, mask: Tensor) -> Edited:
        """Edit a batch. Shapes: ids, mask (rows, length); the edited rows may be longer or shorter."""
        vocabulary = Vocabulary(self.mask_id, self.pad_id, self.size, self.special, self.longest)
        edited = mixed(ids, mask, self.ratio, vocabulary, self.edits)
        if self.generator is None:
            return edited
        return replace(edited, ids=self.generator(edited.ids, edited.mask, self._holes(edited)))

    def _holes(self, edited: Edited) -> Tensor:
        """Return where the generator's tokens are taken: (rows, length) bool."""
        if not (self.everywhere and "replace" in self.edits):
            return edited.chosen
        rewritten = edited.mask.bool() & (edited.kinds == self.edits.index("replace"))[:, None]
        rewritten[:, 0] = False
        return edited.chosen | rewritten


def longest_sequence(model: SentenceTransformer) -> int:
    """Return how many tokens the backbone has positions for; RoBERTa's begin after its padding id."""
    backbone = model[0].auto_model
    padding = getattr(getattr(backbone, "embeddings", None), "padding_idx", None)
    return int(backbone.config.max_position_embeddings) - (0 if padding is None else padding + 1)

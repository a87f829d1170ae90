"""Masked language modelling, alone or in addition to another objective, with the head of the backbone's checkpoint.

SimCSE (Gao et al. 2021), section 5 and Table D.1: it keeps token-level knowledge that helps the transfer tasks. BERT's masking
(Devlin et al. 2019, section 3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.objectives.checks import mask_token_id, require_transformer
from augcse.objectives.gather import sum_over_processes
from augcse.objectives.language_head import LanguageModelHead
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.token_edits import mask_tokens
from augcse.objectives.views import Features
from augcse.objectives.whole_words import continues_word, continuing_tokens

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_REMEDY = "set do_mlm to false, or take a backbone that was saved with its masked-language-model head"


class MaskedLanguageModel(nn.Module):
    """The masked-language-model loss of an encoder, with the head of the encoder's checkpoint.

    Args:
        model: the encoder; its backbone is loaded once more, for the head.
        probability: the share of tokens chosen (0.15).
        whole_words: choose all tokens of a word or none.

    Raises:
        UserError: the backbone has no such head, or its tokeniser no mask token.
    """

    special_ids: Tensor
    continuing: Tensor | None

    def __init__(self, model: SentenceTransformer, probability: float, *, whole_words: bool = False) -> None:
        super().__init__()
        require_transformer(model, "masked language modelling")
        tokenizer = model.tokenizer
        self.probability = probability
        self.mask_id = mask_token_id(model, _REMEDY)
        self.vocabulary_size = len(tokenizer)
        self.register_buffer("special_ids", torch.tensor(tokenizer.all_special_ids), persistent=False)
        # Which tokens of the vocabulary continue a word; None without whole-word masking.
        self.register_buffer("continuing", continuing_tokens(tokenizer) if whole_words else None, persistent=False)
        self.head = LanguageModelHead(model, _REMEDY)

    def forward(self, model: nn.Module, features: Features) -> Tensor:
        """Return the mean cross entropy over the chosen tokens (of all processes that train together), 0 if none was chosen.

        Encodes masked copies of `features`, input_ids and attention_mask (rows, length). Returns a scalar.
        """
        masked_ids, chosen = self.masked(features, self.probability)
        states = model({**features, "input_ids": masked_ids})["token_embeddings"][chosen]  # (chosen, dim)
        return token_loss(self.head, states, features["input_ids"][chosen])

    def maskable(self, features: Features) -> Tensor:
        """Return which tokens may be chosen: real ones that are not special. Shapes: (rows, length) -> bool."""
        real: Tensor = features["attention_mask"].bool()
        return real & ~torch.isin(features["input_ids"], self.special_ids)

    def masked(self, features: Features, probability: float) -> tuple[Tensor, Tensor]:
        """Return ids with tokens masked, and which were chosen, see `mask_tokens`. Shapes: (rows, length) each."""
        ids = features["input_ids"]
        continues = None if self.continuing is None else continues_word(ids, self.continuing, self.special_ids)
        return mask_tokens(ids, self.maskable(features), self.mask_id, self.vocabulary_size, probability, continues)


def token_loss(head: LanguageModelHead, states: Tensor, tokens: Tensor) -> Tensor:
    """Return the mean cross entropy of a head's predictions over the tokens of all processes, 0 without tokens.

    Shapes: states (n, dim), tokens (n,) -> scalar.
    """
    logits = head(states)  # (n, vocabulary)
    with torch.autocast(logits.device.type, enabled=False):
        total = functional.cross_entropy(logits.float(), tokens, reduction="sum")
        return sum_over_processes(total) / sum_over_processes(tokens.new_tensor(len(tokens))).clamp(min=1)


class MaskedLanguageModelLoss(SentenceLoss):
    """Masked language modelling alone, the loss of `augcse.pretrain`.

    Args:
        model: the encoder, from a checkpoint with its head.
        probability: the share of tokens that are predicted.
        whole_words: choose all tokens of a word or none.
    """

    traits = Traits(gathers=True, reads_tokens=True)

    def __init__(self, model: SentenceTransformer, probability: float, *, whole_words: bool = False) -> None:
        super().__init__(model)
        self.masked_lm = MaskedLanguageModel(model, probability, whole_words=whole_words)

    @property
    def head(self) -> LanguageModelHead:
        """The masked-language-model head, which is trained too."""
        return self.masked_lm.head

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"masked_lm": scalar}. Features: [blocks], input_ids and attention_mask (rows, length)."""
        self.follow_mode()
        return {"masked_lm": self.masked_lm(self.model, sentence_features[0])}

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """None: nothing is contrasted."""
        return {}

"""Masked language modelling as an auxiliary objective, through the backbone's own pretrained head.

SimCSE (Gao et al. 2021), section 5 and Table D.1: it keeps token-level knowledge that helps the transfer tasks. BERT's masking
(Devlin et al. 2019, section 3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.objectives.checks import mask_token_id
from augcse.objectives.gather import add_over_processes
from augcse.objectives.language_head import LanguageModelHead
from augcse.objectives.token_edits import mask_tokens
from augcse.objectives.views import Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_REMEDY = "set do_mlm to false, or take a backbone that was saved with its masked-language-model head"


class MaskedLanguageModel(nn.Module):
    """The masked-language-model loss of an encoder, with the head that lies in the encoder's checkpoint.

    Args:
        model: the encoder; its backbone is loaded once more, for the head.
        probability: the share of tokens chosen (0.15).

    Raises:
        UserError: the backbone has no such head, or its tokeniser no mask token.
    """

    special_ids: Tensor

    def __init__(self, model: SentenceTransformer, probability: float) -> None:
        super().__init__()
        tokenizer = model.tokenizer
        self.probability = probability
        self.mask_id = mask_token_id(model, _REMEDY)
        self.vocabulary_size = len(tokenizer)
        self.register_buffer("special_ids", torch.tensor(tokenizer.all_special_ids), persistent=False)
        self.head = LanguageModelHead(model, _REMEDY)

    def forward(self, model: nn.Module, features: Features) -> Tensor:
        """Return the mean cross entropy over the chosen tokens (of all processes that train together), 0 if none was chosen.

        Encodes masked copies of `features`, input_ids and attention_mask (rows, length). Returns a scalar.
        """
        ids = features["input_ids"]
        maskable = features["attention_mask"].bool() & ~torch.isin(ids, self.special_ids)
        masked_ids, chosen = mask_tokens(ids, maskable, self.mask_id, self.vocabulary_size, self.probability)
        states = model({**features, "input_ids": masked_ids})["token_embeddings"][chosen]  # (chosen, dim)
        logits = self.head(states)  # (chosen, vocabulary)
        with torch.autocast(logits.device.type, enabled=False):
            total = functional.cross_entropy(logits.float(), ids[chosen], reduction="sum")
            return add_over_processes(total) / add_over_processes(chosen.sum()).clamp(min=1)

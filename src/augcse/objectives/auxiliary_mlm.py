"""Masked language modelling as an auxiliary objective, through the backbone's own pretrained head.

SimCSE (Gao et al. 2021), section 5 and Table D.1: it keeps token-level knowledge that helps the transfer tasks. BERT's masking
(Devlin et al. 2019, section 3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.objectives.checks import mask_token_id
from augcse.objectives.gather import add_over_processes
from augcse.objectives.masked_lm import load_masked_lm
from augcse.objectives.token_edits import mask_tokens
from augcse.objectives.views import Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_REMEDY = "set do_mlm to false, or take a backbone that was saved with its masked-language-model head"


class MaskedLanguageModel(nn.Module):
    """The masked-language-model loss of an encoder, with the head that lies in the encoder's checkpoint.

    The head's own parameters are this module's; the output matrix, where it is tied to the encoder's embeddings, stays theirs.

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
        encoder: Any = model[0].auto_model
        masked = _load_masked_model(encoder)
        known = {id(parameter) for parameter in encoder.parameters()}
        # A list of parameters, not the head: it names some of them twice, and a checkpoint may hold each only once.
        self.head = nn.ParameterList([parameter for parameter in masked.parameters() if id(parameter) not in known])
        setattr(masked, masked.base_model_prefix, _GivenStates())
        # In a tuple, so that it is not registered: its parameters are the list's and the encoder's.
        self._masked = (masked,)

    def forward(self, model: nn.Module, features: Features) -> Tensor:
        """Return the mean cross entropy over the chosen tokens (of all processes that train together), 0 if none was chosen.

        Encodes masked copies of `features`, input_ids and attention_mask (rows, length). Returns a scalar.
        """
        ids = features["input_ids"]
        maskable = features["attention_mask"].bool() & ~torch.isin(ids, self.special_ids)
        masked_ids, chosen = mask_tokens(ids, maskable, self.mask_id, self.vocabulary_size, self.probability)
        states = model({**features, "input_ids": masked_ids})["token_embeddings"][chosen]  # (chosen, dim)
        logits = self.logits(states)  # (chosen, vocabulary)
        with torch.autocast(logits.device.type, enabled=False):
            total = functional.cross_entropy(logits.float(), ids[chosen], reduction="sum")
            return add_over_processes(total) / add_over_processes(chosen.sum()).clamp(min=1)

    def logits(self, states: Tensor) -> Tensor:
        """Score the vocabulary at each position. Shapes: states (positions, dim) -> (positions, vocabulary)."""
        [masked] = self._masked
        getattr(masked, masked.base_model_prefix).states = states[None]
        logits: Tensor = masked(input_ids=states.new_zeros((1, len(states)), dtype=torch.int64)).logits
        return logits[0]


class _GivenStates(nn.Module):
    """Stands where the masked language model has its encoder, and answers with states that are there already."""

    states: Tensor

    def forward(self, *arguments: Any, **options: Any) -> Any:
        from transformers.modeling_outputs import BaseModelOutput

        states, self.states = self.states, self.states.new_empty(0)
        return BaseModelOutput(last_hidden_state=states)


def _load_masked_model(encoder: Any) -> Any:
    """Load the encoder's checkpoint with its head, and put the encoder itself under the head."""
    masked = load_masked_lm(encoder.config.name_or_path, _REMEDY, head_only=True)
    setattr(masked, masked.base_model_prefix, encoder)
    masked.tie_weights()
    return masked.to(next(encoder.parameters()).device)

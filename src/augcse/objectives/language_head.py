"""The language-model head of an encoder's checkpoint, which predicts tokens from hidden states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from augcse.objectives.masked_lm import load_masked_lm

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class LanguageModelHead(nn.Module):
    """Scores the vocabulary from hidden states, through the encoder's masked-language-model head.

    The head's own parameters are this module's; the output matrix, if it is tied to the encoder's embeddings, is not.

    Args:
        model: the encoder; its backbone is loaded once more, for the head.
        remedy: what the user can do about a backbone whose kind has no such head.
        untrained: accept a checkpoint without the head's weights, which are then drawn at random.

    Raises:
        UserError: the backbone has no such head.
    """

    def __init__(self, model: SentenceTransformer, remedy: str, *, untrained: bool = False) -> None:
        super().__init__()
        encoder: Any = model[0].auto_model
        masked = load_masked_lm(encoder.config.name_or_path, remedy, head_only=True, untrained_head=untrained)
        setattr(masked, masked.base_model_prefix, encoder)
        masked.tie_weights()
        masked = masked.to(next(encoder.parameters()).device)
        known = {id(parameter) for parameter in encoder.parameters()}
        # A list of parameters, not the head, which holds some of them under two names: a checkpoint may hold each only once.
        self.own = nn.ParameterList([parameter for parameter in masked.parameters() if id(parameter) not in known])
        setattr(masked, masked.base_model_prefix, _GivenStates())
        # In a tuple, so that it is not registered: its parameters are the list's and the encoder's.
        self._masked = (masked,)

    def whole_state(self, model: SentenceTransformer) -> dict[str, Tensor]:
        """Return the tensors of the masked language model that an encoder and this head are, by transformers' names."""
        [masked] = self._masked
        prefix = masked.base_model_prefix
        encoder: Any = model[0].auto_model
        of_encoder = {f"{prefix}.{name}": value for name, value in encoder.state_dict().items()}
        return {**masked.state_dict(), **of_encoder}

    def forward(self, states: Tensor) -> Tensor:
        """Score the vocabulary at each position. Shapes: states (positions, dim) -> (positions, vocabulary)."""
        [masked] = self._masked
        getattr(masked, masked.base_model_prefix).states = states[None]
        logits: Tensor = masked(input_ids=states.new_zeros((1, len(states)), dtype=torch.int64)).logits
        return logits[0]


class _GivenStates(nn.Module):
    """Takes the encoder's place in the masked language model, and returns states that were computed before."""

    states: Tensor

    def forward(self, *arguments: Any, **options: Any) -> Any:
        from transformers.modeling_outputs import BaseModelOutput

        states, self.states = self.states, self.states.new_empty(0)
        return BaseModelOutput(last_hidden_state=states)

"""Decoders conditioned on the sentence embedding alone; they are used in training only.

Attention over a single key returns that key's value for every query, since the softmax over one entry is 1. Where a paper's decoder
attends to the sentence embedding s, cross-attention is therefore implemented as one linear map of s, added at every position; queries and
keys would get no gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from augcse.encoding.first_token import all_tokens
from augcse.encoding.layers import transformer_layers
from augcse.objectives.bert_linear import bert_linear
from augcse.objectives.checks import embedding_dim, embedding_layer, require
from augcse.objectives.views import Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Names of the self-attention module in transformers' layers.
_ATTENTION_NAMES = ("attention", "attn")
# The feed-forward width of torch's layers, which DenoSent's code uses; four times the model's width if that is smaller.
_MAX_INNER_WIDTH = 2048


class TiedDecoder(nn.Module):
    """The encoder's own layers, run with a causal mask and the sentence embedding added after each self-attention (TSDAE).

    H^(k) = Attention(H^(k-1), [s], [s]) (Wang et al. 2021, section 3). All weights but the maps of s are the encoder's: the
    embeddings, the layers, and the output matrix of the head. A layer that normalises after its attention also does so after adding s.

    Args:
        model: the encoder; no reference to it is kept, so that its parameters are not registered twice.

    Raises:
        UserError: an encoder whose layers have no known attention module, or that ignores a causal mask.
    """

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        backbone: Any = model[0].auto_model
        attentions = [_attention_of(layer) for layer in transformer_layers(model)]
        refusal = (
            f"tsdae decodes with the encoder's own layers, and those of {backbone.config.model_type} cannot be run from left to right with"
            " a vector beside them; use a BERT-, RoBERTa- or ModernBERT-shaped backbone, or objective denosent"
        )
        require(bool(attentions) and None not in attentions, refusal)
        width = backbone.config.hidden_size
        self.values = nn.ModuleList(bert_linear(embedding_dim(model), width) for _ in attentions)
        self.norms = nn.ModuleList(nn.LayerNorm(width) if _normalises(part) else nn.Identity() for part in attentions if part is not None)
        self.dropout = nn.Dropout(getattr(backbone.config, "hidden_dropout_prob", 0.0))
        self.to(next(backbone.parameters()).device)
        require(self._is_causal(model), refusal)

    def forward(self, model: SentenceTransformer, original: Features, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return the hidden states and their target tokens: each token but the first is predicted from those before it.

        Shapes: original input_ids and attention_mask (rows, length), padded on the right, vectors (rows, dim) -> (n, width), (n,).
        """
        ids, mask = original["input_ids"], original["attention_mask"].bool()
        targets = mask[:, 1:]
        return self._decoder_states(model, ids[:, :-1], mask[:, :-1], vectors)[targets], ids[:, 1:][targets]

    def _decoder_states(self, model: SentenceTransformer, ids: Tensor, mask: Tensor, vectors: Tensor) -> Tensor:
        """Run the encoder's layers with a causal mask, each with a hook that adds its map of the vectors after the self-attention.

        Shapes: ids, mask (rows, length), vectors (rows, dim) -> (rows, length, width).
        """
        backbone: Any = model[0].auto_model
        with ExitStack() as contexts:
            contexts.enter_context(all_tokens(model))
            contexts.enter_context(_without_checkpointing(backbone))
            for layer, value, norm in zip(transformer_layers(model), self.values, self.norms, strict=True):
                added = self.dropout(value(vectors))[:, None]  # (rows, 1, width)
                contexts.enter_context(_forward_hook(_attention_of(layer), _adding_vectors(added, norm)))
            states: Tensor = backbone(input_ids=ids, attention_mask=_causal_mask(backbone, mask)).last_hidden_state
        return states

    @torch.no_grad()
    def _is_causal(self, model: SentenceTransformer) -> bool:
        """Return whether, on an example, changing the last token leaves the states before it alone, and changing the vector does not."""
        backbone: Any = model[0].auto_model
        modes = {module: module.training for module in (backbone, self)}
        for module in modes:
            module.eval()
        device = next(backbone.parameters()).device
        ids = torch.arange(5, 9, device=device).expand(3, -1).clone()
        ids[1, -1] += 1
        vectors = torch.zeros(3, embedding_dim(model), device=device)
        vectors[2] += 1
        try:
            states = self._decoder_states(model, ids, torch.ones_like(ids, dtype=torch.bool), vectors)[:, :-1]
        except (TypeError, ValueError, RuntimeError, AttributeError):
            # The encoder does not accept a 4-D mask.
            return False
        finally:
            for module, training in modes.items():
                module.train(training)
        return torch.allclose(states[0], states[1], atol=1e-5) and not torch.allclose(states[0], states[2], atol=1e-5)


class ParallelDecoder(nn.Module):
    """Non-autoregressive decoder: predicts all tokens at once from heavily dropped-out embeddings and the sentence embedding (DenoSent).

    Wang et al. 2024, section "Denoising objective"; torch's layers, as in their code: one attention head, post-norm.

    Args:
        model: the encoder; its embeddings get no gradient.
        layers: number of layers.
        embedding_dropout_rate: of the original's token embeddings.

    Raises:
        UserError: an encoder without an embedding block as wide as its hidden states.
    """

    def __init__(self, model: SentenceTransformer, layers: int, embedding_dropout_rate: float) -> None:
        super().__init__()
        backbone: Any = model[0].auto_model
        kind, width = backbone.config.model_type, backbone.config.hidden_size
        block = embedding_layer(
            backbone,
            f"denosent's decoder reads what the encoder's embedding block gives, and {kind} has none; use a BERT-, RoBERTa- or"
            " ModernBERT-shaped backbone",
        )
        embedded = getattr(backbone.config, "embedding_size", None) or width
        require(
            embedded == width,
            f"denosent's decoder reads embeddings as wide as hidden states; those of {kind} are {embedded} and {width} wide; use another"
            " backbone",
        )
        self.noise = nn.Dropout(embedding_dropout_rate)
        self.layers = nn.ModuleList(ParallelLayer(width, embedding_dim(model)) for _ in range(layers))
        # The embeddings of encoders with rotary positions contain no positions.
        self.adds_positions = not any("position" in name for name, _ in block.named_parameters())
        self.to(next(backbone.parameters()).device)

    def forward(self, model: SentenceTransformer, original: Features, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return the hidden states and their target tokens: all, special ones included, as in the paper's code.

        Shapes: original input_ids and attention_mask (rows, length), vectors (rows, dim) -> (n, width), (n,).
        """
        ids, mask = original["input_ids"], original["attention_mask"].bool()
        with torch.no_grad():
            states: Tensor = model[0].auto_model.embeddings(input_ids=ids)  # (rows, length, width)
        if self.adds_positions:
            states = states + sinusoids(states.shape[1], states.shape[2]).to(states)
        states = self.noise(states)
        for layer in self.layers:
            states = layer(states, mask, vectors)
        return states[mask], ids[mask]


class ParallelLayer(nn.Module):
    """One layer: single-head self-attention, the sentence embedding, and a feed-forward block, each followed by layer normalisation.

    Args:
        width: of the hidden states.
        dim: of the sentence embeddings.
        dropout_rate: after each part, and of the attention weights.
    """

    def __init__(self, width: int, dim: int, dropout_rate: float = 0.1) -> None:
        super().__init__()
        inner_width = min(_MAX_INNER_WIDTH, 4 * width)
        self.joint = bert_linear(width, 3 * width)
        self.output = bert_linear(width, width)
        self.value = bert_linear(dim, width)
        self.widen, self.narrow = bert_linear(width, inner_width), bert_linear(inner_width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(dropout_rate)

    def forward(self, states: Tensor, mask: Tensor, vectors: Tensor) -> Tensor:
        """Shapes: states (rows, length, width), mask (rows, length) bool, vectors (rows, dim) -> (rows, length, width)."""
        query, key, value = self.joint(states).chunk(3, dim=2)
        rate = self.dropout.p if self.training else 0.0
        attended = scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, :], dropout_p=rate)
        states = self.norms[0](states + self.dropout(self.output(attended)))
        states = self.norms[1](states + self.dropout(self.value(vectors))[:, None])
        widened = self.dropout(torch.relu(self.widen(states)))
        result: Tensor = self.norms[2](states + self.dropout(self.narrow(widened)))
        return result


def sinusoids(length: int, width: int) -> Tensor:
    """Return positions as sines and cosines (Vaswani et al. 2017, section 3.5), (length, width)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]


def _attention_of(layer: nn.Module) -> Any:
    return next((part for name, part in layer.named_children() if name in _ATTENTION_NAMES), None)


def _normalises(part: nn.Module) -> bool:
    """Return whether the attention module includes the residual connection and its layer normalisation (post-norm)."""
    return any(isinstance(module, nn.LayerNorm) for module in part.modules())


def _causal_mask(backbone: Any, mask: Tensor) -> Tensor:
    """Return which positions each may attend to: real tokens up to itself. Shapes: (rows, length) bool -> (rows, 1, length, length)."""
    length = mask.shape[1]
    visible = torch.ones(length, length, dtype=torch.bool, device=mask.device).tril() & mask[:, None, :]
    allowed = visible[:, None]
    if getattr(backbone.config, "_attn_implementation", "") != "eager":
        return allowed
    dtype = next(backbone.parameters()).dtype
    return torch.zeros(allowed.shape, dtype=dtype, device=mask.device).masked_fill(~allowed, torch.finfo(dtype).min)


def _adding_vectors(added: Tensor, norm: nn.Module) -> Callable[[nn.Module, Any, Any], Any]:
    """Return a forward hook that adds a vector to the states, which come alone or first in a sequence, and applies `norm`."""

    def add(module: nn.Module, arguments: Any, output: Any) -> Any:
        if isinstance(output, Sequence):
            return (norm(output[0] + added), *output[1:])
        return norm(output + added)

    return add


@contextmanager
def _forward_hook(module: nn.Module, function: Callable[[nn.Module, Any, Any], Any]) -> Iterator[None]:
    handle = module.register_forward_hook(function)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def _without_checkpointing(backbone: nn.Module) -> Iterator[None]:
    """Inside the block, no layer is checkpointed: the backward pass would compute it once more, without the hooks of the block."""
    checkpointed: list[Any] = [module for module in backbone.modules() if getattr(module, "gradient_checkpointing", False)]
    for module in checkpointed:
        module.gradient_checkpointing = False
    try:
        yield
    finally:
        for module in checkpointed:
            module.gradient_checkpointing = True

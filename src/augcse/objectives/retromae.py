"""Bottleneck reconstruction: a decoder of one layer reconstructs a sentence from its vector and a badly damaged copy of itself.

Xiao et al. 2022, "RetroMAE: Pre-Training Retrieval-oriented Language Models Via Masked Auto-Encoder", arXiv 2205.12035: the encoder reads
a copy with few tokens masked and learns these too (section 3.1), the decoder one with many masked (3.2); in enhanced decoding (3.3) it
predicts every token, each from a context of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

from augcse.objectives.auxiliary_mlm import MaskedLanguageModel, token_loss
from augcse.objectives.bert_linear import bert_linear
from augcse.objectives.checks import embedding_dim, embedding_layer, require
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.views import Features

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.objectives.language_head import LanguageModelHead


class RetroMAELoss(SentenceLoss):
    """L = L_enc + L_dec: the encoder's masked tokens, and the decoder's, given the vector of what the encoder saw.

    Deviations: tokens enter the decoder through the encoder's embedding block, with its normalisation, and are predicted by the encoder's
    head, as in the paper's code; the encoder's sentence vector is that of its pooling ([CLS] in the paper); special tokens are not
    predicted.

    Args:
        model: the encoder, from a checkpoint with its head; its vectors are as wide as its states.
        encoder_mask_rate: share of the tokens that the encoder does not see (paper: 0.15 to 0.3).
        decoder_mask_rate: share that the decoder does not see (paper: 0.5 to 0.7).
        enhanced: predict every token, each from tokens drawn for it alone; else the decoder's masked ones from all that it sees.
        whole_words: mask all tokens of a word or none.

    Raises:
        UserError: an encoder without an embedding block or, for enhanced decoding, a table of positions.
    """

    traits = Traits(gathers=True, reads_tokens=True)

    def __init__(
        self, model: SentenceTransformer, encoder_mask_rate: float, decoder_mask_rate: float, *, enhanced: bool, whole_words: bool = False
    ) -> None:
        super().__init__(model)
        backbone: Any = model[0].auto_model
        config = backbone.config
        block = embedding_layer(backbone, f"retromae reads the encoder's embedding block, and {config.model_type} has none; take a BERT")
        require(
            not enhanced or hasattr(block, "position_embeddings"),
            f"enhanced decoding reads a table of positions, and {config.model_type} has none; set enhanced_decoding to false",
        )
        require(embedding_dim(model) == config.hidden_size, "retromae's decoder reads vectors as wide as the encoder's states")
        self.masked_lm = MaskedLanguageModel(model, encoder_mask_rate, whole_words=whole_words)
        self.decoder_mask_rate = decoder_mask_rate
        self.enhanced = enhanced
        self.decoder = BottleneckLayer(config.hidden_size, config.num_attention_heads, config.intermediate_size)
        self.decoder.to(next(backbone.parameters()).device)

    @property
    def head(self) -> LanguageModelHead:
        """The masked-language-model head, which encoder and decoder share."""
        return self.masked_lm.head

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"encoder": scalar, "decoder": scalar}. Features: [sentences], input_ids and attention_mask (rows, length)."""
        self.follow_mode()
        features = sentence_features[0]
        ids = features["input_ids"]
        seen, chosen = self.masked_lm.masked(features, self.masked_lm.probability)
        encoded = self.model({**features, "input_ids": seen})
        terms = {"encoder": token_loss(self.head, encoded["token_embeddings"][chosen], ids[chosen])}
        states, wanted = self._decoded(features, encoded["sentence_embedding"])
        return {**terms, "decoder": token_loss(self.head, states[wanted], ids[wanted])}

    def _decoded(self, features: Features, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return the decoder's states, (rows, length, width), and which tokens are to be predicted, (rows, length) bool."""
        encoder: Any = getattr(self.model, "module", self.model)
        embeddings = encoder[0].auto_model.embeddings
        ids, real = features["input_ids"], features["attention_mask"].bool()
        if not self.enhanced:
            seen, wanted = self.masked_lm.masked(features, self.decoder_mask_rate)
            content = with_vector(embeddings(input_ids=seen), vectors)
            return self.decoder(content, content, real[:, None, :].expand(-1, ids.shape[1], -1)), wanted
        content = with_vector(embeddings(input_ids=ids), vectors)
        places = torch.arange(ids.shape[1], device=ids.device)
        queries = vectors[:, None] + embeddings.position_embeddings(places)  # (rows, length, width)
        return self.decoder(queries, content, drawn_contexts(real, self.decoder_mask_rate)), self.masked_lm.maskable(features)

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """None: nothing is contrasted."""
        return {}


class BottleneckLayer(nn.Module):
    """One Transformer layer whose queries and content may differ: attention, feed-forward, normalised after each, as BERT's.

    Args:
        width: of the states.
        heads: of the attention.
        inner: width of the feed-forward part.
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (bert_linear(width, width) for _ in range(4))
        self.widen, self.narrow = bert_linear(width, inner), bert_linear(inner, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, queries: Tensor, content: Tensor, visible: Tensor) -> Tensor:
        """Equation 6 and what follows it: A = softmax(Q K' / sqrt(d) + M) V; queries + A; feed-forward.

        Shapes: queries and content (rows, length, width), visible (rows, length, length) bool: what each query may read -> (rows, length,
        width).
        """
        rows, length, width = queries.shape

        def split(states: Tensor) -> Tensor:
            return states.view(rows, length, self.heads, width // self.heads).transpose(1, 2)  # (rows, heads, length, width / heads)

        attended = scaled_dot_product_attention(
            split(self.query(queries)), split(self.key(content)), split(self.value(content)), attn_mask=visible[:, None]
        )
        states = self.norms[0](queries + self.output(attended.transpose(1, 2).flatten(2)))
        result: Tensor = self.norms[1](states + self.narrow(gelu(self.widen(states))))
        return result


def with_vector(embedded: Tensor, vectors: Tensor) -> Tensor:
    """Put sentence vectors in the place of the first tokens. Shapes: (rows, length, width), (rows, width) -> (rows, length, width)."""
    return torch.cat([vectors[:, None].to(embedded.dtype), embedded[:, 1:]], dim=1)


def drawn_contexts(real: Tensor, hidden_share: float) -> Tensor:
    """Draw the context of each token: the vector, at 0, and each other token with probability 1 - `hidden_share`.

    Equation 7: never the token itself, and no padding. Shapes: real (rows, length) bool -> (rows, length, length) bool.
    """
    rows, length = real.shape
    visible = torch.rand(rows, length, length, device=real.device) >= hidden_share
    visible &= real[:, None, :] & ~torch.eye(length, dtype=torch.bool, device=real.device)
    visible[:, :, 0] = True
    return visible

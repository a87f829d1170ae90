"""Combine several encoders: their embeddings are normalized, scaled by weights and concatenated.

The cosine of two such embeddings is the mean of the parts' cosines, weighted by the squares of the weights.

sentence-transformers has no module for this: its modules run one after another with one tokenizer, and its `Router` sends a text to one of
several encoders. Folders with this module are loaded by `augcse.encoding.model.load_encoder`; sentence-transformers alone rejects them.
Each part is a complete sentence-transformers folder in it, `part-1` and so on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules.module import Module
from sentence_transformers.sentence_transformer.modules import StaticEmbedding, Transformer
from torch import Tensor, nn
from torch.nn.functional import normalize

from augcse.encoding.model import in_single_precision
from augcse.encoding.saving import EncoderSaver

_NO_LENGTH = 1_000_000


class Hybrid(Module):  # type: ignore[misc]
    """The only module of a combined model: takes texts and returns the concatenated embedding.

    Args:
        parts: two or more encoders, with their tokenizers as loaded; one in half precision is copied and converted to float32.
        weights: one per part, above 0.
    """

    config_keys: list[str] = ["weights"]  # noqa: RUF012 - the base class declares it so

    def __init__(self, parts: Sequence[SentenceTransformer], weights: Sequence[float]) -> None:
        super().__init__()
        single = [in_single_precision(part) for part in parts]
        self.parts = nn.ModuleList(single)
        self.weights = [float(weight) for weight in weights]
        self._savers = [EncoderSaver(part) for part in single]
        self._tokenizers = [_tokenization_key(part[0]) for part in single]

    def preprocess(self, inputs: list[str], prompt: str | None = None, **options: Any) -> dict[str, Any]:
        """Tokenize for every part, once for parts with the same tokenizer; the features of part i are called "i.NAME"."""
        features: dict[str, Any] = {}
        by_tokenizer: dict[str, dict[str, Any]] = {}
        for index, part in enumerate(self._encoders()):
            part_prompt = prompt if prompt is not None else (part.prompts or {}).get(part.default_prompt_name or "")
            key = f"{part.max_seq_length} {self._tokenizers[index]} {part_prompt}"
            if key not in by_tokenizer:
                by_tokenizer[key] = part.preprocess(inputs, prompt=part_prompt, **options)
            features |= {f"{index}.{name}": value for name, value in by_tokenizer[key].items()}
        return features

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Add `sentence_embedding`, (batch, sum of the parts' dims)."""
        embeddings = [self._part_embedding(index, part, features) for index, part in enumerate(self._encoders())]
        return {**features, "sentence_embedding": joined(embeddings, self.weights)}

    def _part_embedding(self, index: int, part: SentenceTransformer, features: dict[str, Any]) -> Tensor:
        prefix = f"{index}."
        part_features = {name.removeprefix(prefix): value for name, value in features.items() if name.startswith(prefix)}
        embedding: Tensor = part(part_features)["sentence_embedding"]
        return embedding[:, : part.get_embedding_dimension()]

    def get_embedding_dimension(self) -> int:
        """Return the sum of the parts' dimensions."""
        return sum(int(part.get_embedding_dimension() or 0) for part in self._encoders())

    @property
    def max_seq_length(self) -> int | None:
        """The smallest maximum length of the parts; None if no part has a limit."""
        return getattr(self._shortest_part(), "max_seq_length", None)

    @max_seq_length.setter
    def max_seq_length(self, length: int) -> None:
        """Set the maximum length of all parts that have a limit."""
        for part in self._encoders():
            if _length_limit(part) is not None:
                part.max_seq_length = length

    @property
    def tokenizer(self) -> Any:
        """The tokenizer of the part with the smallest maximum length."""
        return getattr(self._shortest_part(), "tokenizer", None)

    def _shortest_part(self) -> SentenceTransformer | None:
        limited = [part for part in self._encoders() if _length_limit(part) is not None]
        return min(limited, key=lambda part: _length_limit(part) or 0, default=None)

    def _encoders(self) -> list[SentenceTransformer]:
        return [part for part in self.parts if isinstance(part, SentenceTransformer)]

    def save(self, output_path: str, *arguments: Any, safe_serialization: bool = True, **options: Any) -> None:
        """Write the weights, and every part to a folder of its own."""
        self.save_config(output_path)
        for number, saver in enumerate(self._savers, start=1):
            saver.save(Path(output_path, f"part-{number}"))

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **options: Any) -> Hybrid:
        """Load from a saved model, every part as `load_encoder` loads it."""
        from augcse.encoding.model import load_encoder

        folder = Path(model_name_or_path, subfolder)
        weights = json.loads((folder / cls.config_file_name).read_text("utf-8"))["weights"]
        return cls([load_encoder(str(folder / f"part-{number}")) for number in range(1, len(weights) + 1)], weights)


def joined(embeddings: Sequence[Tensor], weights: Sequence[float]) -> Tensor:
    """Return the concatenation of several encoders' embeddings, normalized and scaled by weights: (rows, dim) each -> (rows, sum)."""
    return torch.cat([weight * normalize(part, dim=1) for part, weight in zip(embeddings, weights, strict=True)], dim=1)


def hybrid_model(parts: Sequence[SentenceTransformer], weights: Sequence[float]) -> SentenceTransformer:
    """Return the parts as one model, on the device of the first. The parts are shared."""
    return SentenceTransformer(modules=[Hybrid(parts, weights)], device=str(parts[0].device))


def _length_limit(part: SentenceTransformer) -> int | None:
    length = getattr(part, "max_seq_length", None)
    return length if length is not None and length < _NO_LENGTH and callable(getattr(part, "tokenizer", None)) else None


def _tokenization_key(module: nn.Module) -> str:
    """Return a key that is equal for input modules with the same features of every text; unique for modules of unknown kinds."""
    tokenizer: Any = getattr(module, "tokenizer", None)
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if type(module) not in (Transformer, StaticEmbedding) or not hasattr(backend, "to_str"):
        return f"module {id(module)}"
    content = json.loads(backend.to_str())
    # State of the last call, not part of the tokenizer.
    for state in ("truncation", "padding"):
        content.pop(state, None)
    settings = [type(module).__name__, type(tokenizer).__name__]
    settings += [str(getattr(tokenizer, name, None)) for name in ("padding_side", "truncation_side", "model_input_names", "pad_token_id")]
    return hashlib.sha256(json.dumps([settings, content], sort_keys=True).encode()).hexdigest()

"""Save an encoder with its tokeniser as it was loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class EncoderSaver:
    """Saves an encoder.

    Calling a tokeniser leaves truncation and padding of the call after in it, and in its tokenizer.json: the file would tell what was
    encoded last, and differ between runs whose models are equal. What they were when this was made is written.

    Args:
        model: the encoder, its tokeniser not yet called.
    """

    def __init__(self, model: SentenceTransformer) -> None:
        self._model = model
        tokenizers: list[Any] = [getattr(module, "tokenizer", None) for module in model.children()]
        # One of our own, and slow ones of transformers, keep nothing of a call.
        backends = [getattr(tokenizer, "backend_tokenizer", tokenizer) for tokenizer in tokenizers]
        self._loaded = [(backend, backend.truncation, backend.padding) for backend in backends if hasattr(backend, "no_truncation")]

    def save(self, folder: Path) -> None:
        """Write the model's files into a folder, without a card."""
        for backend, truncation, padding in self._loaded:
            _restore(backend, truncation, padding)
        self._model.save_pretrained(str(folder), create_model_card=False)


def _restore(backend: Any, truncation: dict[str, Any] | None, padding: dict[str, Any] | None) -> None:
    if truncation:
        backend.enable_truncation(**truncation)
    else:
        backend.no_truncation()
    if padding:
        backend.enable_padding(**padding)
    else:
        backend.no_padding()

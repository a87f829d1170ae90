"""Save an encoder with the original state of its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.foreign_code import module_entries
from augcse.library_output import quiet_transformers

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MODULES = "modules.json"


class TokenizerStates:
    """The truncation and padding of an encoder's tokenizers, to be restored before saving.

    Each call of a tokenizer changes its truncation and padding, which tokenizer.json includes: the file would depend on the last call,
    and differ between runs with equal models.

    Args:
        model: the encoder, in the state to keep.
    """

    def __init__(self, model: SentenceTransformer) -> None:
        tokenizers: list[Any] = [getattr(module, "tokenizer", None) for module in model.children()]
        # Our own tokenizers and transformers' slow ones have no such state.
        backends = [getattr(tokenizer, "backend_tokenizer", tokenizer) for tokenizer in tokenizers]
        self._kept = [(backend, backend.truncation, backend.padding) for backend in backends if hasattr(backend, "no_truncation")]

    def restore(self) -> None:
        """Restore truncation and padding."""
        for backend, truncation, padding in self._kept:
            _restore_state(backend, truncation, padding)


class EncoderSaver:
    """Saves an encoder with the state that its tokenizer has now.

    Args:
        model: the encoder as loaded.
        modules_file: the model's original modules.json, kept if the saved one lists the same modules. None for a bare backbone.
    """

    def __init__(self, model: SentenceTransformer, modules_file: Path | None = None) -> None:
        self._model = model
        self._modules_file = modules_file
        self._tokenizers = TokenizerStates(model)
        for module in model.children():
            _sort_stop_words(getattr(module, "tokenizer", None))

    def save(self, folder: Path, extended: SentenceTransformer | None = None) -> None:
        """Write the model, or `extended`, which shares its tokenizer, into a folder, without a card."""
        self._tokenizers.restore()
        with quiet_transformers():
            (extended or self._model).save_pretrained(str(folder), create_model_card=False)
        if self._modules_file is not None:
            _keep_modules_file(folder, self._modules_file)


def _sort_stop_words(tokenizer: Any) -> None:
    """Sort the stop words of a word tokenizer: the order of a set differs between processes, and is saved."""
    if isinstance(getattr(tokenizer, "stop_words", None), set):
        tokenizer.stop_words = dict.fromkeys(sorted(tokenizer.stop_words))


def _restore_state(backend: Any, truncation: dict[str, Any] | None, padding: dict[str, Any] | None) -> None:
    """Set a tokenizer's truncation and padding; None disables them."""
    if truncation:
        backend.enable_truncation(**truncation)
    else:
        backend.no_truncation()
    if padding:
        backend.enable_padding(**padding)
    else:
        backend.no_padding()


def _keep_modules_file(folder: Path, original: Path) -> None:
    """Keep a model's original modules.json if the saved one differs only in the import paths of the classes.

    sentence-transformers moves its classes between versions, and writes their current paths.
    """
    if _listed_modules(folder) == _listed_modules(original.parent):
        (folder / MODULES).write_bytes(original.read_bytes())


def _listed_modules(folder: Path) -> list[tuple[str, str, str]]:
    return [(str(entry["name"]), entry["path"], entry["type"].rpartition(".")[2]) for entry in module_entries(folder)]

"""Save an encoder with its tokeniser as it was loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.foreign_code import module_entries
from augcse.library_output import quiet_transformers

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MODULES = "modules.json"


class TokenizerStates:
    """What the tokenisers of an encoder keep of their last call, to be put back.

    Calling a tokeniser leaves that call's truncation and padding in it, and in its tokenizer.json: the file would depend on what was
    encoded last, and differ between runs whose models are equal.

    Args:
        model: the encoder, in the state to keep.
    """

    def __init__(self, model: SentenceTransformer) -> None:
        tokenizers: list[Any] = [getattr(module, "tokenizer", None) for module in model.children()]
        # One of our own, and slow ones of transformers, keep nothing of a call.
        backends = [getattr(tokenizer, "backend_tokenizer", tokenizer) for tokenizer in tokenizers]
        self._kept = [(backend, backend.truncation, backend.padding) for backend in backends if hasattr(backend, "no_truncation")]

    def restore(self) -> None:
        """Put truncation and padding back to what they were."""
        for backend, truncation, padding in self._kept:
            _restore(backend, truncation, padding)


class EncoderSaver:
    """Saves an encoder with its tokeniser as it was when this was made.

    Args:
        model: the encoder, its tokeniser as it was loaded.
        modules_file: the model's own modules.json, put back where the saved one lists the same modules. None: a bare backbone's.
    """

    def __init__(self, model: SentenceTransformer, modules_file: Path | None = None) -> None:
        self._model = model
        self._modules_file = modules_file
        self._tokenizers = TokenizerStates(model)
        for module in model.children():
            _sort_stop_words(getattr(module, "tokenizer", None))

    def save(self, folder: Path, grown: SentenceTransformer | None = None) -> None:
        """Write the model's files into a folder, without a card; or those of `grown`, which shares its tokeniser."""
        self._tokenizers.restore()
        with quiet_transformers():
            (grown or self._model).save_pretrained(str(folder), create_model_card=False)
        if self._modules_file is not None:
            _keep_modules_file(folder, self._modules_file)


def _sort_stop_words(tokenizer: Any) -> None:
    """Let a tokeniser of whole words write its stop words in alphabetical order: those of a set come in another one in each process."""
    if isinstance(getattr(tokenizer, "stop_words", None), set):
        tokenizer.stop_words = dict.fromkeys(sorted(tokenizer.stop_words))


def _restore(backend: Any, truncation: dict[str, Any] | None, padding: dict[str, Any] | None) -> None:
    if truncation:
        backend.enable_truncation(**truncation)
    else:
        backend.no_truncation()
    if padding:
        backend.enable_padding(**padding)
    else:
        backend.no_padding()


def _keep_modules_file(folder: Path, original: Path) -> None:
    """Put a model's own list of modules back where the saved one lists the same under the library's newer names.

    sentence-transformers moves its classes between versions, and writes where they are now.
    """
    if _listed(folder) == _listed(original.parent):
        (folder / MODULES).write_bytes(original.read_bytes())


def _listed(folder: Path) -> list[tuple[str, str, str]]:
    return [(str(entry["name"]), entry["path"], entry["type"].rpartition(".")[2]) for entry in module_entries(folder)]

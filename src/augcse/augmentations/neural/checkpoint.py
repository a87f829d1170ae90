"""Load a model once per process, by name or folder: safetensors only, no code from the hub, a clear error if it is not available."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from augcse.errors import MissingDependencyError, UserError
from augcse.files import content_sha256
from augcse.hardware import has_bf16
from augcse.library_output import quiet_transformers
from augcse.model_folder import SAFE_LOADING, SAFE_WEIGHTS, local_model_folder, model_folder

Kind = Literal["masked", "seq2seq", "classifier"]
_AUTO_CLASS = {"masked": "AutoModelForMaskedLM", "seq2seq": "AutoModelForSeq2SeqLM", "classifier": "AutoModelForSequenceClassification"}
# Packages that tokenizers of published checkpoints need: Marian, M2M100, Pegasus and T5 the first, FSMT the second.
_TOKENIZER_PACKAGES = ("sentencepiece", "sacremoses", "protobuf", "tiktoken")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model in evaluation mode with its tokenizer (None for masked language models, which are used with `WordPieces`)."""

    name: str
    folder: Path
    model: Any
    tokenizer: Any
    device: str

    @functools.cached_property
    def identity(self) -> str | None:
        """A text that identifies the checkpoint: name and commit on the hub, where the commit names the folder; else a checksum."""
        if local_model_folder(self.name) is None:
            return f"{self.name.partition('@')[0]}@{self.folder.name}"
        return content_sha256(str(self.folder))


@functools.lru_cache(maxsize=4)
def load_checkpoint(name: str, kind: Kind, precision: str = "auto") -> Checkpoint:
    """Load a checkpoint onto the GPU if there is one, else the CPU.

    Args:
        name: `mini-bert` (bundled), a folder, or a hub name, optionally with `@revision` after it.
        kind: "masked" (a masked language model), "seq2seq", or "classifier".
        precision: "bf16", "fp32", or "auto": bf16 on a GPU that supports it, fp32 elsewhere. On a CPU with bf16 instructions "bf16" is
            three times faster, but a row's scores changed with the size of its batch, so that a text's result would depend on the
            other rows of the batch; in fp32, on one thread, not a bit of them changed.

    Raises `UserError` for a folder or checkpoint that does not exist, has no safetensors weights, or needs a package that is not installed.
    """
    folder = _folder(name, kind)
    import torch
    import transformers

    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        # Some classes draw random weights before they read them: the process-wide generator is restored.
        with torch.random.fork_rng(devices=[]), quiet_transformers():
            tokenizer = None if kind == "masked" else transformers.AutoTokenizer.from_pretrained(str(folder), **SAFE_LOADING)
            model = getattr(transformers, _AUTO_CLASS[kind]).from_pretrained(str(folder), dtype=_dtype(precision, device), **SAFE_WEIGHTS)
        return Checkpoint(name, folder, model.eval().to(device), tokenizer, device)
    except UserError:
        raise
    except (ImportError, OSError, ValueError, KeyError, RuntimeError) as error:
        raise _not_loadable(name, error) from error


def _folder(name: str, kind: Kind) -> Path:
    """Return the checkpoint's folder; if it is not available, the error names the sets of augmentations that need no such checkpoint."""
    try:
        return model_folder(name)
    except UserError as error:
        if kind == "masked" or local_model_folder(name):
            raise
        raise UserError(f"{error}, or take a set without language models: 4-aug-2, 8-aug-2, 12-aug-2 or 16-aug-2") from error


def _dtype(precision: str, device: str) -> Any:
    import torch

    if precision == "bf16" and not has_bf16():
        raise UserError("this machine has no bf16 instructions and would emulate them very slowly; give precision=fp32")
    if precision == "bf16" or (precision == "auto" and device == "cuda" and has_bf16()):
        return torch.bfloat16
    return torch.float32


def _not_loadable(name: str, error: Exception) -> UserError:
    """Return the error for a model that transformers could not load; it names the package that the tokenizer needs, if that was missing."""
    text = " ".join(str(error).split())
    package = next((package for package in _TOKENIZER_PACKAGES if package in text.lower()), None)
    if package:
        return MissingDependencyError(f"the tokenizer of {name} needs {package}; install it with: pip install {package}")
    return UserError(f"cannot load the model {name}: {text[:200]}; give a local folder in its place, e.g. model=/path/to/folder")

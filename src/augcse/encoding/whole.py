"""Check that a loaded model is complete: the libraries initialise missing weights at random and create an empty tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.errors import UserError
from augcse.foreign_code import module_entries
from augcse.model_folder import SAFE_WEIGHTS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def check_whole(model: SentenceTransformer, folder: Path, name: str) -> None:
    """Refuse a model with weights or a vocabulary that its files do not contain.

    `folder` has its files, `name` is what the user called it. The weights of the backbone's pooler may be missing if token embeddings
    are pooled, since it is not used then.

    Raises:
        UserError: randomly initialised weights, an empty tokenizer, or one with more tokens than the model has embeddings.
    """
    for index, module in enumerate(model.children()):
        backbone = getattr(module, "auto_model", None)
        if backbone is None:
            continue
        if getattr(backbone.config, "num_hidden_layers", 1) < 1:
            raise UserError(f"{name}: its config.json says {backbone.config.num_hidden_layers} layers; give 1 or more (num_hidden_layers)")
        _check_tokenizer(getattr(module, "tokenizer", None), backbone, name)
        reads_pooler = getattr(module, "module_output_name", "token_embeddings") != "token_embeddings"
        if any(_unmarked_weights(backbone, reads_pooler)):
            _refuse_random_weights(backbone, name, _module_files(folder, index), reads_pooler)


def _check_tokenizer(tokenizer: Any, backbone: Any, name: str) -> None:
    """Raise `UserError` for a tokenizer without words, or with more tokens than the backbone has vectors."""
    if tokenizer is None or not hasattr(tokenizer, "all_special_tokens"):
        return
    tokens = len(tokenizer)
    if tokens <= len(set(tokenizer.all_special_tokens)):
        raise UserError(f"{name}: its tokeniser knows no words (are tokenizer.json, vocab.txt or the like missing?); give a whole folder")
    vectors = backbone.get_input_embeddings().weight.shape[0]
    if tokens > vectors:
        raise UserError(f"{name}: its tokeniser has {tokens:,} tokens, the model {vectors:,} vectors; give those of one model")


def _unmarked_weights(backbone: Any, reads_pooler: bool) -> Iterator[str]:
    """Yield the weights that transformers has not marked as loaded: a quick first check, since the mark is not documented."""
    for name, parameter in backbone.named_parameters():
        if not getattr(parameter, "_is_hf_initialized", False) and (reads_pooler or not _is_pooler(name)):
            yield name


def _refuse_random_weights(backbone: Any, model_name: str, files: dict[str, Any], reads_pooler: bool) -> None:
    """Load again with `output_loading_info`, and raise `UserError` if weights that are used are missing."""
    from transformers import PreTrainedModel

    if not isinstance(backbone, PreTrainedModel) or getattr(backbone, "_hf_peft_config_loaded", False):
        return
    _, report = type(backbone).from_pretrained(**files, config=backbone.config, output_loading_info=True)
    missing = sorted(name for name in report["missing_keys"] if reads_pooler or not _is_pooler(name))
    if missing:
        total = sum(1 for _ in backbone.named_parameters())
        raise UserError(
            f"{model_name}: {len(missing)} of {total} weights are in none of its files and would be random (e.g. {missing[0]});"
            " it is damaged, or of another architecture than its config.json says; give a whole checkpoint"
        )


def _module_files(folder: Path, index: int) -> dict[str, Any]:
    """Return the location of a module's files, as arguments of `from_pretrained`."""
    subfolder = module_entries(folder)[index]["path"] if (folder / "modules.json").is_file() else ""
    return {"pretrained_model_name_or_path": str(folder), "subfolder": subfolder, **SAFE_WEIGHTS}


def _is_pooler(name: str) -> bool:
    return "pooler" in name.split(".")

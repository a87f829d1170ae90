"""Refuse model folders that refer to code outside the installed libraries, to other repositories, or to pickled weights.

A model folder is data, but its configuration can name classes to import, repositories to fetch them from, and options that make the
loaders unpickle. Loaders read configuration from many places, so every JSON file in or below the folder, except vocabularies, is checked,
links followed, whether or not a loader would read it. Nothing named in a file is imported.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Any

from augcse.errors import UserError

OUR_MODULES = ("augcse.encoding.flow.Flow", "augcse.encoding.hybrid.Hybrid", "augcse.encoding.static.once.TokensOnce")
_STOCK = r"sentence_transformers\.(models|base\.modules|sentence_transformer\.modules)"
_STOCK_MODULE = re.compile(
    _STOCK + r"(\.[A-Za-z_]+)?\."
    r"(Asym|BoW|CLIPModel|CNN|Dense|Dropout|LayerNorm|LSTM|Normalize|Pooling|Router|StaticEmbedding|Transformer|WeightedLayerPooling"
    r"|WordEmbeddings|WordWeights)"
)
_STOCK_TOKENIZER = re.compile(_STOCK + r"\.tokenizer(\.[A-Za-z_]+)?\.[A-Za-z]+Tokenizer")
_TORCH_ACTIVATION = re.compile(r"torch\.nn\.modules\.(activation|linear)\.[A-Za-z0-9]+")
_PLAIN_NAME = re.compile(r"\w[\w.+ -]*")
_HUB_CODE = re.compile(r"[\w.-]+(/[\w.-]+)?--[\w./-]+\.\w+")
_SHARD = re.compile(r"[\w.-]+\.safetensors(\.index\.json)?")

# Keys that name a class to import, from a repository or from a file in the folder.
_CODE_KEYS = ("auto_map", "auto_mapping", "custom_pipelines", "trust_remote_code", "custom_generate")
# Keys that name other models or tokenizers, in addition to those ending in name_or_path; _OWN_NAMES state where this model was saved.
_OTHER_FILES_KEYS = ("backbone", "code_revision", "gguf_file", "_configuration_file")
_OWN_NAMES = ("_name_or_path", "name_or_path")
_CLASS_KEYS = (
    "model_type", "architectures", "tokenizer_class", "processor_class", "image_processor_type", "feature_extractor_type",
    "video_processor_type", "image_processor_class", "feature_extractor_class", "activation_function",
)  # fmt: skip
# Arguments that sentence-transformers passes to the loaders of transformers; some make them run code.
_LOADER_ARGUMENTS = ("model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args", "config_kwargs")
_HARMLESS_ARGUMENTS = frozenset({
    "add_pooling_layer", "add_prefix_space", "attn_implementation", "clean_up_tokenization_spaces", "do_lower_case", "dtype",
    "max_length", "max_pixels", "min_pixels", "model_max_length", "output_attentions", "output_hidden_states", "padding", "padding_side",
    "torch_dtype", "truncation", "truncation_side", "use_fast",
})  # fmt: skip
# Vocabulary files, which may contain any text and are not read as configuration.
_WORD_TABLES = ("tokenizer.json", "vocab.json", "added_tokens.json", "special_tokens_map.json")
# Such tables within configuration files.
_WORD_KEYS = ("vocab", "stop_words", "word_weights", "prompts")
_MAX_FILES = 10_000
# Pickles that the loaders fall back to, whole or sharded.
_PICKLED_WEIGHTS = re.compile(r"pytorch_model.*\.bin")
# Weights that the loaders prefer.
_SAFE_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
# Methods that sentence_bert_config.json may name for sentence-transformers to call.
_FORWARD_METHOD = re.compile(r"forward|get_[a-z]+_features")


def refuse_foreign_code(folder: Path) -> None:
    """Check every configuration file in and below a folder, following links.

    Raises:
        UserError: a file is not JSON, or names code, another repository, a module that is neither sentence-transformers' nor ours, a
            path outside the folder, or an argument that could make a loader run code; or the folder has too many files for a model.
    """
    for path in _files(folder):
        name = path.name.lower()
        if name == "adapter_config.json":
            raise UserError(f"{path}: an adapter, which loads another model by name; merge the two (merge_and_unload) and save that")
        if name.endswith(".json") and name not in _WORD_TABLES and not _is_empty(path):
            document = _read_json(path)
            _check_modules(path, document)
            _check_values(path, document)


def refuse_pickled_weights(folder: Path, name: str) -> None:
    """Refuse a model with weights that exist only as pickles, which can run code when loaded; `name` is its name in messages.

    Raises:
        UserError: a folder has pickled weights but no safetensors.
    """
    safe = {path.parent for path in _files(folder) if path.name in _SAFE_WEIGHTS and path.is_file()}
    for path in _files(folder):
        if _PICKLED_WEIGHTS.fullmatch(path.name.lower()) and path.parent not in safe:
            raise UserError(
                f"{name} holds no safetensors weights next to {path.relative_to(folder)}, a pickle, and pickles are not read: if you"
                " trust it, load it once with sentence-transformers or transformers and call save_pretrained, which writes safetensors"
            )


def module_entries(folder: Path) -> list[dict[str, str]]:
    """Return `name`, `path` and `type` of each module of a checked sentence-transformers folder."""
    entries: list[dict[str, str]] = _read_json(folder / "modules.json")
    return entries


def _files(folder: Path) -> Iterator[Path]:
    """Yield every file, following each link to a folder once."""
    seen: set[str] = set()
    count = 0
    for parent, subfolders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(parent)
        if real in seen:
            subfolders.clear()
            continue
        seen.add(real)
        count += len(files) + len(subfolders)
        if count > _MAX_FILES:
            raise UserError(f"{folder}: more than {_MAX_FILES:,} files in and below it; give the folder of the model alone")
        yield from (Path(parent, name) for name in files)


def _is_empty(path: Path) -> bool:
    """Return whether a file is empty, such as the one a shell creates for `augcse evaluate MODEL > MODEL/score.json`."""
    return path.is_file() and not path.stat().st_size


def _read_json(path: Path) -> Any:
    """Return the content of a JSON file; raises `UserError` if it is not one."""
    if path.exists() and not path.is_file():
        # Reading a pipe or device may never end.
        raise UserError(f"cannot load the model: {path}: not a regular file")
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"cannot load the model: {path}: {error.strerror or error}; give a complete model folder") from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UserError(f"cannot load the model: {path}: not JSON: {reason}; give a complete model folder") from error


def _check_modules(path: Path, document: Any) -> None:
    """Check the modules of a modules.json, and the routes of a Router in any file."""
    if path.name.lower() == "modules.json":
        entries = document if isinstance(document, list) else [document]
        if not entries or not all(isinstance(entry, dict) and {"type", "path", "name"} <= entry.keys() for entry in entries):
            raise UserError(f"{path}: expected a list of modules, each with a name, a path and a type")
        for number, entry in enumerate(entries):
            _check_module(path, f"[{number}]", entry["type"], entry["path"], ours=True)
    elif isinstance(document, dict) and isinstance(document.get("types"), dict):
        for folder, kind in document["types"].items():
            _check_module(path, f"types.{folder}", kind, folder, ours=False)


def _check_module(path: Path, key: str, kind: Any, folder: Any, *, ours: bool) -> None:
    if not isinstance(kind, str) or not (_STOCK_MODULE.fullmatch(kind) or (ours and kind in OUR_MODULES)):
        raise UserError(f"{path}: {key}: the module {kind!r} is not one of sentence-transformers'; a model with its own code is not loaded")
    # Windows paths are refused too, since the folder may be copied there.
    if not isinstance(folder, str) or PureWindowsPath(folder).anchor or ".." in PureWindowsPath(folder).parts or "\0" in folder:
        raise UserError(f"{path}: {key}: the path {folder!r} leads out of the model folder")


def _check_values(path: Path, document: Any) -> None:
    """Check every key and value of a document, at any depth."""
    pending: list[tuple[str, str, Any]] = [("", "", document)]
    while pending:
        where, key, value = pending.pop()
        if isinstance(value, dict):
            _check_arguments(path, where, key, value)
            pending.extend((f"{where}.{name}".lstrip("."), name, child) for name, child in value.items() if name not in _WORD_KEYS)
        elif isinstance(value, list):
            # List items are checked under the key of the list.
            pending.extend((f"{where}[{number}]", key, child) for number, child in enumerate(value))
        _check_value(path, where, key, value)


def _check_arguments(path: Path, where: str, key: str, value: dict[str, Any]) -> None:
    if key in _LOADER_ARGUMENTS and (others := sorted(value.keys() - _HARMLESS_ARGUMENTS)):
        raise UserError(f"{path}: {where}.{others[0]}: an argument for the loader that a model may not set; take it out")


def _check_value(path: Path, where: str, key: str, value: Any) -> None:
    """Raise `UserError` for a value that names code, another repository, a foreign class or a file elsewhere."""
    if key in _CODE_KEYS and value:
        raise UserError(f"{path}: {where}: the model wants to run code of its own, which is never done; take a model without code")
    names_files = key in _OTHER_FILES_KEYS or (key.endswith("name_or_path") and key not in _OWN_NAMES)
    if names_files and value:
        raise UserError(f"{path}: {where}: the model refers to files elsewhere ({value!r}); save everything in one folder")
    if not isinstance(value, str):
        return
    if _HUB_CODE.fullmatch(value) and key not in _OWN_NAMES:
        raise UserError(f"{path}: {where}: {value!r} refers to code in a repository, which is never run; take a model without code")
    names_foreign_class = key in _CLASS_KEYS and not _is_known_class(key, value)
    names_foreign_kernel = "attn_implementation" in where and not re.fullmatch(r"\w*", value)
    if names_foreign_class or names_foreign_kernel:
        raise UserError(f"{path}: {where}: {value!r} is not a name of the installed libraries; a model with its own code is not loaded")
    if key == "method" and "modality_config" in where and not _FORWARD_METHOD.fullmatch(value):
        raise UserError(f"{path}: {where}: {value!r} is not a method that embeds; give forward or get_..._features")
    names_shard = ".weight_map" in f".{where}" and ".safetensors." in path.name
    if names_shard or key == "transformers_weights":
        _check_shard(path, where, value)


def _is_known_class(key: str, value: str) -> bool:
    if key == "tokenizer_class" and "." in value:
        return _STOCK_TOKENIZER.fullmatch(value) is not None
    if key == "activation_function" and "." in value:
        return _TORCH_ACTIVATION.fullmatch(value) is not None
    return value == "" or (_PLAIN_NAME.fullmatch(value) is not None and "--" not in value)


def _check_shard(path: Path, where: str, value: str) -> None:
    if not _SHARD.fullmatch(value):
        raise UserError(f"{path}: {where}: weights are in .safetensors files next to it, not in {value!r}")

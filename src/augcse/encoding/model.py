"""Build or load an encoder, which is always an ordinary sentence-transformers model."""

from __future__ import annotations

import copy
import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from augcse.encoding.front_matter import CARD
from augcse.encoding.saving import TokenizerStates
from augcse.encoding.whole import check_whole
from augcse.errors import ForeignFailure, UserError, unknown_name
from augcse.foreign_code import OUR_MODULES, module_entries
from augcse.library_output import quiet_transformers
from augcse.model_folder import SAFE_LOADING, SAFE_WEIGHTS, model_folder

if TYPE_CHECKING:
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer
    from torch import nn
    from transformers import PreTrainedTokenizerBase

Pooling = Literal["cls", "mean", "first-last-0", "first-last-1"]


def load_encoder(name: str, pooling: Pooling | None = None, device: str | None = None, *, seed: int | None = 0) -> SentenceTransformer:
    """Load a sentence-transformers model, or a bare backbone with `pooling` added.

    Args:
        name: `mini-bert` (bundled), a folder, or a hub name.
        pooling: `cls`, `mean`, or `first-last-L`: the mean over tokens of the average of hidden state L and the last one, where
            L = 0 is the embedding output (DiffCSE, ESimCSE, early SimCSE) and L = 1 the first layer's (SimCSE since its fix).
            None keeps the modules of a sentence-transformers folder, and means `mean` for a bare backbone, as in sentence-transformers.
        device: torch device; None lets sentence-transformers choose.
        seed: of the weights that the files lack, such as BERT's pooler, which no pooling reads; torch's generator is restored. None
            draws them from that generator, as training does after seeding it.

    Raises:
        UserError: the folder does not exist or contains no model, the name is neither a folder nor on the hub, its files refer to code or
            are damaged, weights or the tokenizer's vocabulary are missing, or the model cannot encode.
    """
    # Imported here: it imports numpy, and commands that load no model import this module.
    from augcse.encoding.static.words import remember_words

    check_pooling(pooling)
    folder = model_folder(name)
    keeps_modules = pooling is None and (folder / "modules.json").exists()
    with quiet_transformers(), _drawing_from(seed):
        with ForeignFailure(partial(_loading_failure, name)):
            model = _load_modules(folder, device) if keeps_modules else _load_with_pooling(folder, pooling or "mean", device)
        check_whole(model, folder, name)
    _check_encodes(model, name)
    return remember_words(model)


@contextmanager
def _drawing_from(seed: int | None) -> Iterator[None]:
    """Inside the block, seed torch's CPU generator, and restore it afterwards; None: do nothing."""
    import torch

    if seed is None:
        yield
        return
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield


def load_sound_encoder(name: str, pooling: Pooling | None = None, device: str | None = None) -> SentenceTransformer:
    """Load an encoder to build another one from: as `load_encoder`, and check that all weights are finite.

    A damaged row of an embedding table would show only in texts with its token.

    Raises:
        UserError: as `load_encoder`, and for a weight that is not finite.
    """
    model = load_encoder(name, pooling, device)
    for key, values in model.state_dict().items():
        if values.is_floating_point() and not bool(values.isfinite().all()):
            raise UserError(f"{name}: {key} holds values that are not finite (NaN or infinity); give a whole model")
    return model


def check_pooling(pooling: str | None, *models: object) -> None:
    """Raise `UserError` for an unknown pooling, or one given with a loaded model, which has its own."""
    if pooling is None:
        return
    if pooling not in get_args(Pooling):
        raise unknown_name("pooling", pooling, get_args(Pooling))
    for model in models:
        if not isinstance(model, (str, Path)):
            raise UserError(
                f"pooling {pooling!r} is for a model that is named, and a {type(model).__name__} has its own; leave pooling out"
            )


def _check_encodes(model: SentenceTransformer, name: str) -> None:
    """Encode a sentence, to detect errors that loading does not: settings of wrong types, or an output that no module computes."""
    tokenizers = TokenizerStates(model)
    with ForeignFailure(partial(_encoding_failure, name)):
        model.encode(["One sentence."], show_progress_bar=False)
    tokenizers.restore()


def load_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """Load the tokeniser of a model, by bundled name, folder or hub name. Raises `UserError` if there is none."""
    from transformers import AutoTokenizer

    folder = model_folder(name, weights=False)
    with ForeignFailure(partial(_tokenizer_failure, name)):
        return AutoTokenizer.from_pretrained(str(folder), **SAFE_LOADING)


def encode_distinct(model: SentenceTransformer, sentences: Sequence[str], batch_size: int = 128) -> tuple[np.ndarray, dict[str, int]]:
    """Encode every distinct sentence once, in batches of similar length.

    Returns:
        embeddings: float32, (distinct, dim).
        row_of: sentence -> row of `embeddings`.
    """
    import numpy as np

    from augcse.encoding.token_batches import embedded_batches

    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(sentences))}
    embeddings: np.ndarray | None = None
    for rows, encoded in embedded_batches(model, list(row_of), batch_size):
        if embeddings is None:
            embeddings = np.empty((len(row_of), encoded.shape[1]), encoded.dtype)
        embeddings[rows] = encoded
    return (np.empty((0, model.get_embedding_dimension() or 0), np.float32) if embeddings is None else embeddings), row_of


def in_single_precision(model: SentenceTransformer) -> SentenceTransformer:
    """Return the model if its weights are float32, or a copy of it in float32."""
    import torch

    return model if model.dtype == torch.float32 else copy.deepcopy(model).float()


def _load_modules(folder: Path, device: str | None) -> SentenceTransformer:
    """Load a sentence-transformers folder: with that library if it has none of our modules, else module by module."""
    from sentence_transformers import SentenceTransformer

    entries = module_entries(folder)
    if not any(entry["type"] in OUR_MODULES for entry in entries):
        return SentenceTransformer(str(folder), device=device, local_files_only=True, model_kwargs={"use_safetensors": True})
    modules = OrderedDict((entry["name"], _load_module(folder, entry)) for entry in entries)
    settings = folder / "config_sentence_transformers.json"
    saved = json.loads(settings.read_text("utf-8")) if settings.exists() else {}
    kept = {key: saved[key] for key in ("prompts", "default_prompt_name", "similarity_fn_name", "truncate_dim") if saved.get(key)}
    model = SentenceTransformer(modules=modules, device=device, **kept)
    # sentence-transformers keeps the card of a folder that it loads itself here, and reads it when the model is saved again.
    model._model_card_text = card.read_text("utf-8", errors="replace") if (card := folder / CARD).exists() else None
    return model


def _load_module(folder: Path, entry: dict[str, str]) -> nn.Module:
    """Load one module of a folder, by its entry in modules.json."""
    from sentence_transformers.util import import_module_class

    name = entry["type"]
    # Without the flag for foreign code, the library's function imports its own classes alone.
    module_class: Any = _our_module(name) if name in OUR_MODULES else import_module_class(name, str(folder))
    module: nn.Module = module_class.load(
        str(folder), subfolder=entry["path"], local_files_only=True, model_kwargs={"use_safetensors": True}
    )
    return module


def _our_module(name: str) -> type[nn.Module]:
    module, _, class_name = name.rpartition(".")
    module_class: type[nn.Module] = getattr(import_module(module), class_name)
    return module_class


def _load_with_pooling(folder: Path, pooling: Pooling, device: str | None) -> SentenceTransformer:
    """Load a bare backbone in float32, and add the pooling."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule
    from sentence_transformers.sentence_transformer.modules import Transformer

    first_last = pooling.startswith("first-last")
    backbone = Transformer(
        str(folder),
        # float32 for every file: the bundled weights are stored in half precision to stay small.
        model_kwargs={"dtype": torch.float32, **SAFE_WEIGHTS},
        processor_kwargs=dict(SAFE_LOADING),
        config_kwargs=SAFE_LOADING | ({"output_hidden_states": True} if first_last else {}),
    )
    dim = backbone.get_embedding_dimension()
    modules: list[torch.nn.Module] = [backbone]
    if first_last:
        layers = backbone.auto_model.config.num_hidden_layers
        modules.append(first_last_average(dim, layers, int(pooling[-1])))
    modules.append(PoolingModule(dim, pooling_mode="cls" if pooling == "cls" else "mean"))
    return SentenceTransformer(modules=modules, device=device)


def first_last_average(dim: int, layers: int, first: int) -> torch.nn.Module:
    """Return the stock layer-pooling module with weight on hidden state `first` and the last one only, and frozen."""
    import torch
    from sentence_transformers.sentence_transformer.modules import WeightedLayerPooling

    weights = torch.zeros(layers + 1 - first)
    weights[0] = weights[-1] = 1.0
    module: torch.nn.Module = WeightedLayerPooling(
        dim,
        num_hidden_layers=layers,
        layer_start=first,
        layer_weights=torch.nn.Parameter(weights, requires_grad=False),
    )
    return module


def _tokenizer_failure(name: str, error: BaseException) -> str:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return f"no tokeniser of {name}: {reason}; give a folder with a whole tokenizer.json"


def _encoding_failure(name: str, error: BaseException) -> str:
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    return f"the model {name} loads and cannot encode a sentence: {reason} (a setting in its .json files is wrong; give a whole folder)"


def _loading_failure(name: str, error: BaseException) -> str:
    reason = " ".join(line.strip() for line in str(error).strip().split("\n")[:2])
    if "ignore_mismatched_sizes" in reason:
        reason = "its weights have other shapes than its config.json says"
    remedy = "a file of the folder is damaged, absent or of another model; give a whole folder"
    return f"cannot load the model {name}: {reason[:300] or type(error).__name__} ({remedy})"

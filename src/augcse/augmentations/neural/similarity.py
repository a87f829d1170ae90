"""How similar two texts are under a sentence-transformers model."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from augcse.errors import ForeignFailure
from augcse.library_output import quiet_transformers
from augcse.model_folder import model_folder

_ROUND = 5


def cosines(first: Sequence[str], second: Sequence[str], model: str) -> list[float]:
    """Return the cosine of each pair of texts, to five decimals.

    The model encodes each text alone: in a batch its vector would differ in the last bits, and the result could depend on other texts.
    Raises `UserError` for a model that cannot be loaded.
    """
    encoder = _load_encoder(model)
    texts = list(dict.fromkeys([*first, *second]))
    vectors = encoder.encode(texts, batch_size=1, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=True)
    vector_of = dict(zip(texts, vectors, strict=True))
    return [round(float(vector_of[a] @ vector_of[b]), _ROUND) for a, b in zip(first, second, strict=True)]


@functools.lru_cache(maxsize=2)
def _load_encoder(model: str) -> Any:
    folder = model_folder(model)
    with quiet_transformers(), ForeignFailure(functools.partial(_not_loadable, model)):
        import torch
        from sentence_transformers import SentenceTransformer

        settings = {"use_safetensors": True, "dtype": torch.float32}
        return SentenceTransformer(str(folder), local_files_only=True, model_kwargs=settings).eval()


def _not_loadable(model: str, error: BaseException) -> str:
    return f"cannot load the model {model}: {' '.join(str(error).split())[:200]}; give a whole folder"

"""Encode many sentences from their tokens: each is tokenised once, and batches have nearly equal lengths.

`SentenceTransformer.encode` sorts by characters, looks at every text for pictures and links, and makes tensors number by number, which
shows beside a small backbone. What it would hand to the model is compared with what is made here for the
first batch, the longest; where the two differ (a prompt, other inputs) it does all batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from augcse.encoding.first_token import first_token_only
from augcse.encoding.length import maximum_tokens

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
# What a tokeniser returns of a sentence is many times the numbers that are wanted.
_AT_ONCE = 10_000


class Tokens(NamedTuple):
    """The tokens of texts, one after the other: those of text i are numbers[starts[i] : starts[i + 1]]."""

    numbers: Array
    starts: Array

    def lengths(self) -> Array:
        """How many tokens each text has."""
        return np.diff(self.starts)

    def of(self, rows: Array, filling: int) -> tuple[Array, Array]:
        """Return the tokens of some texts and the mask of what is no filling: both (rows, longest)."""
        lengths = self.lengths()[rows]
        mask = np.arange(lengths.max())[None, :] < lengths[:, None]
        numbers = np.full(mask.shape, filling, np.int64)
        numbers[mask] = np.concatenate([self.numbers[self.starts[row] : self.starts[row + 1]] for row in rows])
        return numbers, mask.astype(np.int64)


def embedded_batches(model: SentenceTransformer, texts: Sequence[str], batch_size: int) -> Iterator[tuple[Array, Array]]:
    """Yield the rows of each batch, the longest first, and their embeddings, (rows, dim); one batch where the model has no length."""
    if maximum_tokens(model) is None:
        if texts:
            yield np.arange(len(texts)), _encode(model, texts, batch_size)
        return
    tokens = _tokens(model, texts)
    order = np.argsort(-tokens.lengths(), kind="stable")
    filling, names = model.tokenizer.pad_token_id, _inputs(model, texts, tokens, order[:batch_size])
    model.eval()
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        if names is None:
            yield rows, _encode(model, [texts[row] for row in rows], batch_size)
        else:
            yield rows, _forward(model, _features(names, *tokens.of(rows, filling)))


def _encode(model: SentenceTransformer, texts: Sequence[str], batch_size: int) -> Array:
    encoded: Array = model.encode(
        list(texts), batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=False
    )
    return encoded


def _tokens(model: SentenceTransformer, texts: Sequence[str]) -> Tokens:
    """Return what the model reads of each text, special tokens included."""
    parts, lengths = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
    for start in range(0, len(texts), _AT_ONCE):
        some = list(texts[start : start + _AT_ONCE])
        found = model.tokenizer(some, truncation=True, max_length=maximum_tokens(model), padding=False, verbose=False)["input_ids"]
        parts.append(np.fromiter(chain.from_iterable(found), np.int32))
        lengths.append(np.fromiter(map(len, found), np.int64, len(found)))
    return Tokens(np.concatenate(parts), np.concatenate(lengths).cumsum())


def _inputs(model: SentenceTransformer, texts: Sequence[str], tokens: Tokens, rows: Array) -> list[str] | None:
    """Return the names of what the model is given, if for these rows it is what is made here; None if the library must make it."""
    import torch

    filling = model.tokenizer.pad_token_id
    if not len(rows) or filling is None or model.truncate_dim is not None or not hasattr(model[0], "preprocess"):
        return None
    prompt = (model.prompts or {}).get(model.default_prompt_name or "")
    theirs = model.preprocess([texts[row] for row in rows], prompt=prompt)
    given = {name: value for name, value in theirs.items() if isinstance(value, torch.Tensor)}
    ours = _features(list(given), *tokens.of(rows, filling))
    same = ours.keys() == given.keys() and all(torch.equal(ours[name], value) for name, value in given.items())
    return list(given) if same and theirs.keys() - given.keys() <= {"modality"} and theirs.get("modality", "text") == "text" else None


def _features(names: Sequence[str], numbers: Array, mask: Array) -> dict[str, torch.Tensor]:
    """Return those of a tokeniser's outputs that are named and known; a text alone is of type 0 throughout."""
    import torch

    known = {"input_ids": numbers, "token_type_ids": np.zeros_like(numbers), "attention_mask": mask}
    return {name: torch.from_numpy(known[name]) for name in names if name in known}


def _forward(model: SentenceTransformer, features: dict[str, torch.Tensor]) -> Array:
    import torch

    with torch.inference_mode(), first_token_only(model):
        found = model({name: value.to(model.device) for name, value in features.items()})["sentence_embedding"]
        # numpy has no bfloat16.
        embeddings: Array = (found.float() if found.dtype == torch.bfloat16 else found).cpu().numpy()
    return embeddings

"""Encode many sentences from their tokens: each is tokenised once, and batches have nearly equal lengths.

`SentenceTransformer.encode` sorts by characters, searches every text for pictures and links, and fills tensors number by number, which
takes noticeable time with a small backbone. For the first batch, the longest, its inputs of the model are compared with those made here;
if they differ (a prompt, other inputs), it encodes all batches.
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
# A tokeniser's output for a sentence is many times larger than the token numbers.
_AT_ONCE = 10_000


class Tokens(NamedTuple):
    """The tokens of texts, one after the other: those of text i are numbers[starts[i] : starts[i + 1]]."""

    numbers: Array
    starts: Array

    def lengths(self) -> Array:
        """The number of tokens of each text."""
        return np.diff(self.starts)

    def of(self, rows: Array, filling: int) -> tuple[Array, Array]:
        """Return the tokens of some texts, padded with `filling`, and the mask of the real ones: both (rows, longest)."""
        lengths = self.lengths()[rows]
        mask = np.arange(lengths.max())[None, :] < lengths[:, None]
        numbers = np.full(mask.shape, filling, np.int64)
        numbers[mask] = np.concatenate([self.numbers[self.starts[row] : self.starts[row + 1]] for row in rows])
        return numbers, mask.astype(np.int64)


def embedded_batches(model: SentenceTransformer, texts: Sequence[str], batch_size: int) -> Iterator[tuple[Array, Array]]:
    """Yield the rows of each batch, the longest first, and their embeddings, (rows, dim); one batch if the model has no maximum length."""
    if maximum_tokens(model) is None:
        if texts:
            yield np.arange(len(texts)), _encode_by_library(model, texts, batch_size)
        return
    tokens = _tokens_of(model, texts)
    order = np.argsort(-tokens.lengths(), kind="stable")
    filling, names = model.tokenizer.pad_token_id, _input_names(model, texts, tokens, order[:batch_size])
    model.eval()
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        if names is None:
            yield rows, _encode_by_library(model, [texts[row] for row in rows], batch_size)
        else:
            yield rows, _embeddings_of(model, _known_features(names, *tokens.of(rows, filling)))


def _encode_by_library(model: SentenceTransformer, texts: Sequence[str], batch_size: int) -> Array:
    encoded: Array = model.encode(
        list(texts), batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=False
    )
    return encoded


def _tokens_of(model: SentenceTransformer, texts: Sequence[str]) -> Tokens:
    """Return what the model reads of each text, special tokens included."""
    numbers = [np.empty(0, np.int32)]
    lengths = [np.zeros(1, np.int64)]
    for start in range(0, len(texts), _AT_ONCE):
        some = list(texts[start : start + _AT_ONCE])
        token_ids = model.tokenizer(some, truncation=True, max_length=maximum_tokens(model), padding=False, verbose=False)["input_ids"]
        numbers.append(np.fromiter(chain.from_iterable(token_ids), np.int32))
        lengths.append(np.fromiter(map(len, token_ids), np.int64, len(token_ids)))
    return Tokens(np.concatenate(numbers), np.concatenate(lengths).cumsum())


def _input_names(model: SentenceTransformer, texts: Sequence[str], tokens: Tokens, rows: Array) -> list[str] | None:
    """Return the names of the model's inputs if for these rows they equal those made here; None if the library must make them."""
    import torch

    filling = model.tokenizer.pad_token_id
    if not len(rows) or filling is None or model.truncate_dim is not None or not hasattr(model[0], "preprocess"):
        return None
    prompt = (model.prompts or {}).get(model.default_prompt_name or "")
    library = model.preprocess([texts[row] for row in rows], prompt=prompt)
    given = {name: value for name, value in library.items() if isinstance(value, torch.Tensor)}
    ours = _known_features(list(given), *tokens.of(rows, filling))
    same = ours.keys() == given.keys() and all(torch.equal(ours[name], value) for name, value in given.items())
    only_text = library.keys() - given.keys() <= {"modality"} and library.get("modality", "text") == "text"
    return list(given) if same and only_text else None


def _known_features(names: Sequence[str], numbers: Array, mask: Array) -> dict[str, torch.Tensor]:
    """Return a tokeniser's outputs of these names, if known; the token types of a single text are all 0."""
    import torch

    known = {"input_ids": numbers, "token_type_ids": np.zeros_like(numbers), "attention_mask": mask}
    return {name: torch.from_numpy(known[name]) for name in names if name in known}


def _embeddings_of(model: SentenceTransformer, features: dict[str, torch.Tensor]) -> Array:
    """Return the embeddings of one batch: (batch, dim)."""
    import torch

    with torch.inference_mode(), first_token_only(model):
        output = model({name: value.to(model.device) for name, value in features.items()})["sentence_embedding"]
        # numpy has no bfloat16.
        embeddings: Array = (output.float() if output.dtype == torch.bfloat16 else output).cpu().numpy()
    return embeddings

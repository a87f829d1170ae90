"""Add modules to a trained encoder one after another, each fitted on the embeddings that enter it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling
from torch import Tensor, nn

from augcse.encoding.model import encode_distinct, in_single_precision
from augcse.errors import UserError

Array = npt.NDArray[Any]
# Embeddings that differ by less than this share of their size differ by rounding alone.
_SMALLEST_SPREAD = 1e-6


class NotMeanPooledError(UserError):
    """A step cannot weight the tokens, because the model does not pool by their mean.

    Args:
        has: what it has instead.
    """

    def __init__(self, has: str) -> None:
        self.reason = f"tokens are weighted in a mean, and the model {has}"
        # The remedy in `augcse postprocess`; the start of a recipe has other ones.
        super().__init__(f"{self.reason}; take a transformer with --pooling mean, or word vectors")


def check_finite(embeddings: Array) -> None:
    """Raise `UserError` for embeddings with NaN or infinity in them."""
    if not np.isfinite(embeddings).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); its weights are damaged, give another model")


class Fitting:
    """An encoder under construction, and the sentences that its new modules are fitted on.

    Args:
        model: the encoder, whose modules are shared; one in half precision is copied and converted to float32.
        sentences: the sentences; duplicates count once.
        batch_size: the batch size for encoding.

    Raises:
        UserError: fewer than two sentences, a model that truncates its embeddings, or one that returns NaN.
    """

    def __init__(self, model: SentenceTransformer, sentences: Sequence[str], batch_size: int = 128) -> None:
        if model.truncate_dim is not None:
            raise UserError(
                f"the model cuts its embeddings to {model.truncate_dim} dimensions (truncate_dim), which a module after its last one would"
                " not see; take the key out of its config_sentence_transformers.json, and give whiten:dim=... where fewer are wanted"
            )
        self.sentences = list(dict.fromkeys(sentences))
        if len(self.sentences) < 2:
            raise UserError(f"{len(self.sentences)} distinct sentence is too few to fit on; give 2 or more, and better thousands")
        # The modules that are added are float32, and half precision would not multiply with them.
        self.model = in_single_precision(model)
        self._batch_size = batch_size
        self._embeddings: Array | None = None
        check_finite(self.model.encode(self.sentences[:batch_size], batch_size=batch_size, show_progress_bar=False))

    def embeddings(self) -> Array:
        """Return the embeddings of the sentences by the current encoder, (n, dim), float32.

        Raises:
            UserError: embeddings that are not finite, or are all the same.
        """
        if self._embeddings is None:
            self._embeddings = encode_distinct(self.model, self.sentences, self._batch_size)[0]
        check_finite(self._embeddings)
        spread = np.abs(self._embeddings - self._embeddings[0]).max()
        if spread <= _SMALLEST_SPREAD * float(np.abs(self._embeddings).max()):
            raise UserError(
                f"the embeddings of all {len(self.sentences):,} distinct sentences are the same; give sentences with words that the model"
                " knows, or another model"
            )
        return self._embeddings

    def append(self, module: nn.Module) -> None:
        """Append a module that transforms sentence embeddings."""
        if self._embeddings is not None:
            with torch.no_grad():
                features = module({"sentence_embedding": torch.from_numpy(self._embeddings)})
            self._embeddings = features["sentence_embedding"].numpy()
        self._rebuild_model([*self.model.children(), module])

    def put_before_pooling(self, module: nn.Module) -> None:
        """Insert a module that transforms token embeddings before the pooling. Raises `NotMeanPooledError` as `pooling` does."""
        modules = list(self.model.children())
        index = modules.index(self.pooling())
        self._embeddings = None
        self._rebuild_model([*modules[:index], module, *modules[index:]])

    def pooling(self) -> Pooling:
        """Return the mean pooling of the encoder. Raises `NotMeanPooledError` if it has none."""
        pooling = next((module for module in self.model.children() if isinstance(module, Pooling)), None)
        if pooling is None or pooling.pooling_mode not in ("mean", ("mean",)):
            raise NotMeanPooledError("has no vectors of tokens" if pooling is None else f"pools by {pooling.pooling_mode}")
        return pooling

    def token_batches(self) -> list[tuple[Tensor, Tensor]]:
        """Return token ids and attention mask of the sentences in batches, (batch, length) each, truncated to the model's length."""
        prompt = (self.model.prompts or {}).get(self.model.default_prompt_name or "")
        batches = []
        for start in range(0, len(self.sentences), self._batch_size):
            features = self.model.preprocess(self.sentences[start : start + self._batch_size], prompt=prompt)
            batches.append((features["input_ids"], features["attention_mask"]))
        return batches

    def _rebuild_model(self, modules: list[nn.Module]) -> None:
        """Replace the model by one with these modules and otherwise the same settings."""
        old = self.model
        self.model = SentenceTransformer(
            modules=modules,
            device=str(old.device),
            prompts=old.prompts,
            default_prompt_name=old.default_prompt_name,
            similarity_fn_name=old.similarity_fn_name,
        )

"""Perplexity of texts under causal language models, and pseudo-perplexity under masked ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from augcse.disk_cache import cached
from augcse.encoding.model import load_tokenizer
from augcse.errors import ForeignFailure, UserError, unknown_name
from augcse.library_output import quiet_transformers
from augcse.model_folder import SAFE_LOADING, SAFE_WEIGHTS, model_folder
from augcse.objectives.masked_lm import load_masked_lm
from augcse.objectives.pseudo_perplexity import pseudo_perplexities, scored_once
from augcse.training.inputs import described_system
from augcse.training.manifest import folder_digest

Array = npt.NDArray[Any]
Fidelity = Literal["paper", "repo"]
# The window of AugCSE's code; further tokens are ignored here.
_MAX_TOKENS = 512


class LanguageModel(Protocol):
    """A model that gives texts a perplexity."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything except the texts that the perplexities depend on, for the cache key; JSON."""

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, float64, (texts,); NaN for a text without tokens."""


def cached_perplexities(model: LanguageModel, texts: Sequence[str]) -> Array:
    """Return the perplexities of texts, from the disk cache (`AUGCSE_CACHE`) if the same texts were scored before.

    They are cached together, since the last bits of one depend on the other texts of its batch.
    """
    [values] = cached(model.identity, [json.dumps(list(texts))], lambda missing: [model.perplexities(texts).tolist()])
    return np.array(values, dtype=np.float64)


def load_language_model(name: str, fidelity: Fidelity = "paper") -> LanguageModel:
    """Load a causal or a masked language model, by the architecture that its configuration names; float32, on the CPU.

    Args:
        name: mini-bert (bundled, masked), a folder or a hub name.
        fidelity: "paper", or "repo": as AugCSE's code computes the perplexity of a causal model (`CausalPerplexity`).

    Raises:
        UserError: no such model, one that is neither causal nor masked, "repo" for a masked one, or an unknown fidelity.
    """
    from transformers import AutoConfig

    if fidelity not in get_args(Fidelity):
        raise unknown_name("fidelity", fidelity, get_args(Fidelity))
    with ForeignFailure(partial(_not_loadable, name)), quiet_transformers():
        config = AutoConfig.from_pretrained(str(model_folder(name)), **SAFE_LOADING)
    architectures = getattr(config, "architectures", None) or []
    if any(architecture.endswith("ForMaskedLM") for architecture in architectures):
        if fidelity == "repo":
            raise UserError(
                f"{name} is a masked language model, and AugCSE's code reads causal ones; leave --fidelity out, or give a causal one"
            )
        return PseudoPerplexity(name)
    if any(architecture.endswith(("ForCausalLM", "LMHeadModel")) for architecture in architectures):
        return CausalPerplexity(name, fidelity)
    named = ", ".join(architectures) or "no architecture named"
    raise UserError(f"{name} ({named}) is not a language model; give a causal or a masked one as --lm")


class CausalPerplexity:
    """exp of the mean negative log likelihood of a text's tokens, each given those before it.

    "paper": the text begins with the tokeniser's BOS token, so that the first word is predicted too; without a BOS token the first word
    is left out of the mean. "repo", as AugCSE's code: no BOS token, and the sum over all tokens except the first is divided by
    the number of all tokens, so that a text of one token has perplexity 1.
    """

    def __init__(self, name: str, fidelity: Fidelity = "paper") -> None:
        self._tokenizer: Any = load_tokenizer(name)
        self._model: Any = _causal_model(name)
        self._repo = fidelity == "repo"
        self._start = None if self._repo else self._tokenizer.bos_token_id
        self._max_length = _max_tokens(self._model)
        self.identity = _model_identity(name, f"perplexity, {fidelity}")

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, (texts,)."""
        return _score_texts(texts, self._score)

    def _score(self, texts: Sequence[str]) -> tuple[Array]:
        import torch

        start = [] if self._start is None else [self._start]
        rows = [(start + ids)[: self._max_length] for ids in self._tokenizer(list(texts), add_special_tokens=False)["input_ids"]]
        lengths = torch.tensor([len(row) for row in rows])
        ids = torch.zeros((len(rows), max(2, int(lengths.max()))), dtype=torch.long)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = torch.tensor(row, dtype=torch.long)
        mask = torch.arange(ids.shape[1]) < lengths[:, None]
        with torch.inference_mode():
            # In a causal model, tokens do not attend to the padding after them.
            logits = self._model(input_ids=ids, attention_mask=mask.long()).logits[:, :-1]
        surprise = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none").double()
        total = (surprise * mask[:, 1:]).sum(dim=1)
        predicted = lengths if self._repo else lengths - 1
        return (torch.exp(total / predicted).numpy(),)


class PseudoPerplexity:
    """`pseudo_perplexities` under a masked language model."""

    def __init__(self, name: str) -> None:
        self._tokenizer: Any = load_tokenizer(name)
        self._model: Any = load_masked_lm(name, "give another as --lm").eval()
        self._max_length = _max_tokens(self._model)
        self.identity = _model_identity(name, "pseudo-perplexity")

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, (texts,)."""
        return _score_texts(texts, self._score)

    def _score(self, texts: Sequence[str]) -> tuple[Array]:
        options = {"padding": True, "truncation": True, "max_length": self._max_length, "return_special_tokens_mask": True}
        batch = self._tokenizer(list(texts), return_tensors="pt", **options)
        real = batch["special_tokens_mask"] == 0
        values = pseudo_perplexities(self._model, batch["input_ids"], batch["attention_mask"], real, self._tokenizer.mask_token_id)
        return (values.numpy(),)


def _model_identity(name: str, kind: str) -> dict[str, Any]:
    system = described_system("fp32")
    return {"kind": kind, "model": folder_digest(model_folder(name)), **{key: system[key] for key in ("versions", "machine")}}


def _causal_model(name: str) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    # Some classes initialise weights at random before loading them; the global generator is restored.
    with ForeignFailure(partial(_not_loadable, name)), torch.random.fork_rng(devices=[]), quiet_transformers():
        model = AutoModelForCausalLM.from_pretrained(str(model_folder(name)), dtype=torch.float32, **SAFE_WEIGHTS)
    return model.eval()


def _not_loadable(name: str, error: BaseException) -> str:
    return f"cannot load the language model {name}: {' '.join(str(error).split())[:200]}; give another as --lm"


def _max_tokens(model: Any) -> int:
    return min(_MAX_TOKENS, int(getattr(model.config, "max_position_embeddings", _MAX_TOKENS)))


def _score_texts(texts: Sequence[str], score: Callable[[Sequence[str]], tuple[Array]]) -> Array:
    return scored_once(texts, score)[0] if texts else np.empty(0)

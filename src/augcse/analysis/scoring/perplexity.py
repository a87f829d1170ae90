"""How probable language models find texts: perplexity of causal ones, pseudo-perplexity of masked ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from augcse.encoding.model import load_tokenizer
from augcse.errors import UserError, unknown_name
from augcse.library_output import quiet_transformers
from augcse.model_folder import SAFE_WEIGHTS, model_folder

Array = npt.NDArray[Any]
Fidelity = Literal["paper", "repo"]
_BATCH_ROWS = 64
# AugCSE's code reads as many tokens at a time; what follows them is not read here.
_MOST_TOKENS = 512
# Every so many tokens one is masked in a pass: so many passes see each token masked once.
_STRIDE = 4


class LanguageModel(Protocol):
    """What gives texts a perplexity."""

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, float64, (texts,); NaN for a text without a token."""


def load_language_model(name: str, fidelity: Fidelity = "paper") -> LanguageModel:
    """Load a causal or a masked language model, by the architecture that its configuration names; float32, on the CPU.

    Args:
        name: mini-bert (bundled, masked), a folder or a hub name.
        fidelity: "paper", or "repo": as AugCSE's code computes the perplexity of a causal model (`CausalPerplexity`).

    Raises:
        UserError: no such model, one that is neither causal nor masked, "repo" of a masked one, or an unknown fidelity.
    """
    from transformers import AutoConfig

    if fidelity not in get_args(Fidelity):
        raise unknown_name("fidelity", fidelity, get_args(Fidelity))
    folder = model_folder(name)
    with quiet_transformers():
        config = AutoConfig.from_pretrained(str(folder))
    (architecture,) = getattr(config, "architectures", None) or [""]
    if architecture.endswith("ForMaskedLM"):
        if fidelity == "repo":
            raise UserError(
                f"{name} is a masked language model, and AugCSE's code reads causal ones; leave --fidelity out, or give such a one"
            )
        return PseudoPerplexity(name)
    if architecture.endswith(("ForCausalLM", "LMHeadModel")):
        return CausalPerplexity(name, fidelity)
    raise UserError(f"{name} ({architecture or 'no architecture named'}) is no language model; give a causal or a masked one as --lm")


class CausalPerplexity:
    """exp of the mean negative log likelihood of a text's tokens, each given those before it.

    "paper": the text begins with the tokeniser's token for that, so that the first word is predicted too and the mean is over all
    tokens; a tokeniser without one leaves the first word out of the mean. "repo", as AugCSE's code: no such token, the sum over all
    tokens but the first is divided by the number of all, so that a text of one token has the perplexity 1.
    """

    def __init__(self, name: str, fidelity: Fidelity = "paper") -> None:
        self._tokenizer: Any = load_tokenizer(name)
        self._model: Any = _loaded(name, "AutoModelForCausalLM")
        self._repo = fidelity == "repo"
        self._start = None if self._repo else self._tokenizer.bos_token_id
        self._most = min(_MOST_TOKENS, int(getattr(self._model.config, "max_position_embeddings", _MOST_TOKENS)))

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, (texts,)."""
        return _of_distinct(texts, self._score)

    def _score(self, texts: Sequence[str]) -> Array:
        import torch

        start = [] if self._start is None else [self._start]
        rows = [(start + ids)[: self._most] for ids in self._tokenizer(list(texts), add_special_tokens=False)["input_ids"]]
        lengths = torch.tensor([len(row) for row in rows])
        ids = torch.zeros((len(rows), max(2, int(lengths.max()))), dtype=torch.long)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = torch.tensor(row, dtype=torch.long)
        mask = torch.arange(ids.shape[1]) < lengths[:, None]
        with torch.inference_mode():
            # What stands before its row's end does not see the padding after it.
            logits = self._model(input_ids=ids, attention_mask=mask.long()).logits[:, :-1]
        surprise = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none").double()
        total = (surprise * mask[:, 1:]).sum(dim=1)
        predicted = lengths if self._repo else lengths - 1
        perplexities: Array = torch.exp(total / predicted).numpy()
        return perplexities


class PseudoPerplexity:
    """exp of the mean negative log likelihood of a text's tokens, each masked and given all others (Salazar et al. 2020).

    Deviation: every fourth token is masked at once, not one at a time.
    """

    def __init__(self, name: str) -> None:
        self._tokenizer: Any = load_tokenizer(name)
        self._model: Any = _loaded(name, "AutoModelForMaskedLM")
        self._most = min(_MOST_TOKENS, int(getattr(self._model.config, "max_position_embeddings", _MOST_TOKENS)))

    def perplexities(self, texts: Sequence[str]) -> Array:
        """Return one perplexity per text, (texts,)."""
        return _of_distinct(texts, self._score)

    def _score(self, texts: Sequence[str]) -> Array:
        import torch

        options = {"padding": True, "truncation": True, "max_length": self._most, "return_special_tokens_mask": True}
        batch = self._tokenizer(list(texts), return_tensors="pt", **options)
        ids = batch["input_ids"]
        real = batch["special_tokens_mask"] == 0
        surprise = torch.zeros(ids.shape, dtype=torch.float64)
        with torch.inference_mode():
            for offset in range(_STRIDE):
                hidden = real & (torch.arange(ids.shape[1]) % _STRIDE == offset)
                masked = ids.masked_fill(hidden, self._tokenizer.mask_token_id)
                surprise[hidden] = torch.nn.functional.cross_entropy(
                    self._logits(masked, batch["attention_mask"], hidden), ids[hidden], reduction="none"
                ).double()
        # A text of special tokens alone has none: 0 / 0.
        perplexities: Array = torch.exp(surprise.sum(dim=1) / real.sum(dim=1)).numpy()
        return perplexities

    def _logits(self, ids: Any, mask: Any, wanted: Any) -> Any:
        """Return the scores of the vocabulary where `wanted` is true: (wanted, vocabulary)."""
        if hasattr(self._model, "cls"):
            # BERT's head, by far the larger half of a small model's work, is needed at the masks only.
            return self._model.cls(self._model.base_model(input_ids=ids, attention_mask=mask).last_hidden_state[wanted])
        return self._model(input_ids=ids, attention_mask=mask).logits[wanted]


def _loaded(name: str, kind: str) -> Any:
    import torch
    import transformers

    with torch.random.fork_rng(devices=[]), quiet_transformers():
        model = getattr(transformers, kind).from_pretrained(str(model_folder(name)), dtype=torch.float32, **SAFE_WEIGHTS)
    return model.eval()


def _of_distinct(texts: Sequence[str], score: Any) -> Array:
    """Score every distinct text once, among others of like length."""
    distinct = sorted(dict.fromkeys(texts), key=len)
    found = [score(distinct[start : start + _BATCH_ROWS]) for start in range(0, len(distinct), _BATCH_ROWS)]
    of_text = dict(zip(distinct, np.concatenate(found), strict=True)) if found else {}
    return np.array([of_text[text] for text in texts], dtype=np.float64)

"""SIF weights as a stock `WordWeights` module before the pooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.encoding.step import step
from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.encoding.fitting import Fitting

Smoothing = Annotated[float, Field(gt=0, le=1000)]


@step("sif", source="Arora et al. 2017, equation 3", reads="tokens")
def sif(fitting: Fitting, *, a: Smoothing = 1e-3) -> dict[str, Any]:
    """Average token vectors with weights a / (a + p), p the token's share of the text.

    Figures: how many tokens were counted, and how many different ones.
    """
    from sentence_transformers.sentence_transformer.modules import WordWeights

    from augcse.encoding.sif import token_counts, token_weights

    fitting.pooling()
    if any(isinstance(module, WordWeights) for module in fitting.model.children()):
        raise UserError("the model weights its tokens already; leave sif out, or take the model that it was made from")
    vocabulary, ends = _vocabulary(fitting)
    counts = token_counts(((ids.numpy(), mask.numpy()) for ids, mask in fitting.token_batches()), len(vocabulary), ends)
    if not counts.any():
        raise UserError("the model knows no token of the text; give text in its language, or another model")
    weights = token_weights(counts, a, ends)
    fitting.put_before_pooling(WordWeights(vocabulary, dict(zip(vocabulary, weights.tolist(), strict=True))))
    return {"tokens": int(counts.sum()), "distinct_tokens": int((counts > 0).sum())}


def _vocabulary(fitting: Fitting) -> tuple[list[str], list[int]]:
    """Return the tokens by id, each a different text, and the ids of those that mark ends and padding.

    Raises:
        UserError: a model whose tokens have no list.
    """
    tokenizer: Any = getattr(fitting.model[0], "tokenizer", None)
    if hasattr(tokenizer, "get_vocab") and not isinstance(getattr(tokenizer, "vocab", None), list):
        words = {index: token for token, index in tokenizer.get_vocab().items()}
        named = (getattr(tokenizer, f"{name}_token_id", None) for name in ("cls", "sep", "bos", "eos", "pad"))
        ends = {index for index in named if index is not None}
    elif isinstance(getattr(tokenizer, "vocab", None), list):
        # Word vectors: row 0 pads.
        words, ends = dict(enumerate(tokenizer.vocab)), {0}
    else:
        raise UserError("the model's tokeniser gives no list of tokens, so that they cannot be weighted; take another model")
    size = max(words) + 1
    # An id without a token, which some vocabularies have, needs a name that no token has.
    return [words.get(index, f"[id {index}]") for index in range(size)], sorted(ends)

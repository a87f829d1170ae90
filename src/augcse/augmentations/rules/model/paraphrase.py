"""Rewriting by fine-tuned sequence-to-sequence models: formal, casual, or a paraphrase."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

from pydantic import Field

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.neural.seq2seq import Decoding, first_others, generate_rows, is_other, score_pairs
from augcse.augmentations.option_types import Beams, MaxTokens, ModelName, Precision, SamplingTemperature
from augcse.options import Share

Prefix = Annotated[str, Field(max_length=1000, description="a text that is written before the sentence")]
_ADEQUACY = "prithivida/parrot_adequacy_on_BART"


@augmentation(
    "Casual2Formal",
    family="model",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; Styleformer (Damodaran 2021)",
    example=Example("gotta go, see ya tomorrow!", "I have to leave. I will see you tomorrow.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def casual_to_formal(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    model: ModelName = "prithivida/informal_to_formal_styletransfer",
    adequacy: ModelName | None = _ADEQUACY,
    threshold: Share = 0.95,
    candidates: Beams = 5,
    max_tokens: MaxTokens = 128,
    precision: Precision = "auto",
) -> list[str | None]:
    """Rewrite a casual sentence formally.

    Of `candidates` beams, the one that most probably follows from the sentence, according to the classifier `adequacy`, is
    taken; None when none reaches `threshold`. `adequacy=none` takes the most probable beam that differs. Deterministic.

    Deviations: AugCSE's code should rank by adequacy but always fails there and draws a candidate at random; this one
    ranks. Candidates come from beam search, not from sampling.
    """
    decoding = Decoding(beams=candidates, outputs=candidates, max_tokens=max_tokens, prefix="transfer Casual to Formal: ")
    return _transfer(sentences, rngs, model, decoding, adequacy, threshold, precision)


@augmentation(
    "Formal2Casual",
    family="model",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 (the converse of Casual2Formal); Styleformer (Damodaran 2021)",
    example=Example("I would appreciate your help with this matter.", "I'd love your help with this.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def formal_to_casual(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    model: ModelName = "prithivida/formal_to_informal_styletransfer",
    adequacy: ModelName | None = _ADEQUACY,
    threshold: Share = 0.95,
    candidates: Beams = 5,
    max_tokens: MaxTokens = 128,
    precision: Precision = "auto",
) -> list[str | None]:
    """Rewrite a formal sentence casually; options as in Casual2Formal."""
    decoding = Decoding(beams=candidates, outputs=candidates, max_tokens=max_tokens, prefix="transfer Formal to Casual: ")
    return _transfer(sentences, rngs, model, decoding, adequacy, threshold, precision)


@augmentation(
    "PegasusParaphrase",
    family="model",
    meaning="possible_alteration",
    source="Zhang et al. 2020 (PEGASUS); the checkpoint tuner007/pegasus_paraphrase",
    example=Example("The old man finally sold his house to them.", "They bought the old man's house.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def pegasus_paraphrase(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    model: ModelName = "tuner007/pegasus_paraphrase",
    prefix: Prefix = "",
    beams: Beams = 10,
    temperature: SamplingTemperature = 0.0,
    max_tokens: MaxTokens = 58,
    precision: Precision = "auto",
) -> list[str | None]:
    """Paraphrase with a sequence-to-sequence model made for it.

    The result is the most probable of `beams` beams that is not the sentence itself; `temperature` > 0 samples from the row's
    stream instead. `model` may also be a T5, with its `prefix` ("paraphrase: "). The default model has 60 positions: texts of
    more than `max_tokens` tokens are left alone.
    """
    outputs = beams if temperature == 0.0 else 1
    decoding = Decoding(beams=beams, outputs=outputs, temperature=temperature, max_tokens=max_tokens, prefix=prefix)
    return first_others(sentences, generate_rows(model, sentences, rngs, decoding, precision))


def _transfer(
    sentences: Sequence[str], rngs: Sequence[Random], model: str, decoding: Decoding, adequacy: str | None, threshold: float, precision: str
) -> list[str | None]:
    """Return, for each sentence, the most adequate of its generated texts; without a model of adequacy, the first that differs."""
    generated = generate_rows(model, sentences, rngs, decoding, precision)
    if adequacy is None:
        return first_others(sentences, generated)
    pairs = [(row, text) for row, texts in enumerate(generated) for text in texts if is_other(sentences[row], text)]
    scores = score_pairs(adequacy, [(sentences[row], text) for row, text in pairs], precision)
    best: dict[int, tuple[float, str]] = {}
    for (row, text), score in zip(pairs, scores, strict=True):
        # Of two with the same score, the first is the more probable beam.
        if score >= threshold and (row not in best or score > best[row][0]):
            best[row] = (score, text)
    return [best[row][1] if row in best else None for row in range(len(sentences))]

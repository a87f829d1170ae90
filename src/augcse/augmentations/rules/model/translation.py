"""Paraphrases by way of another language: there and back through translation models, or Debian's apertium."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from random import Random
from typing import Literal

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.neural.apertium import translate
from augcse.augmentations.neural.seq2seq import Decoding, first_others, generate_rows, has_letters, is_other
from augcse.augmentations.option_types import Beams, LanguageCode, MaxTokens, ModelName, Precision, SamplingTemperature
from augcse.augmentations.text.edits import capitalise
from augcse.disk_cache import cached
from augcse.options import Share


@augmentation(
    "BackTranslation",
    family="model",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.3; NL-Augmenter (Dhole et al. 2021); Ng et al. 2019 (WMT19)",
    example=Example("The old man finally sold his house.", "The old man eventually sold his house.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def back_translation(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    engine: Literal["hub", "apertium"] = "hub",
    forward: ModelName = "facebook/wmt19-en-de",
    backward: ModelName = "facebook/wmt19-de-en",
    beams: Beams = 5,
    temperature: SamplingTemperature = 0.0,
    max_tokens: MaxTokens = 128,
    precision: Precision = "auto",
) -> list[str | None]:
    """Translate into German and back to English.

    `forward` and `backward` are translation checkpoints: FSMT (the default; its tokenizer needs sacremoses), MarianMT such
    as Helsinki-NLP/opus-mt-en-de and -de-en (sentencepiece), or folders. Beam search, deterministic; `temperature` > 0
    samples from the row's stream instead. Texts of more than `max_tokens` tokens are left alone.

    `engine="apertium"` goes through Spanish with Debian's rule-based apertium instead, which needs no model and no network
    (apt-get install apertium apertium-eng-spa) and writes rougher English.
    """
    if engine == "apertium":
        return _through_apertium(sentences)
    decoding = Decoding(beams=beams, temperature=temperature, max_tokens=max_tokens)
    return first_others(sentences, _round_trip(sentences, rngs, forward, backward, decoding, decoding, precision))


@augmentation(
    "MultilingualBackTranslation",
    family="model",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.3; NL-Augmenter (Dhole et al. 2021); Fan et al. 2021 (M2M-100)",
    example=Example("The old man finally sold his house.", "In the end the old man sold his house.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def multilingual_back_translation(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    model: ModelName = "facebook/m2m100_418M",
    language: LanguageCode = "en",
    pivot: LanguageCode = "de",
    beams: Beams = 5,
    temperature: SamplingTemperature = 0.0,
    max_tokens: MaxTokens = 128,
    precision: Precision = "auto",
) -> list[str | None]:
    """Translate from `language` into `pivot` and back, with one model for a hundred languages.

    Codes are M2M-100's (de, fr, es, zh, ...). Decoding and limits as in BackTranslation.
    """
    there = Decoding(beams=beams, temperature=temperature, max_tokens=max_tokens, source=language, target=pivot)
    back = Decoding(beams=beams, temperature=temperature, max_tokens=max_tokens, source=pivot, target=language)
    return first_others(sentences, _round_trip(sentences, rngs, model, model, there, back, precision))


@augmentation(
    "DiverseParaphrase",
    family="model",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; Kumar et al. 2019 (DiPS)",
    example=Example("The old man finally sold his house.", "In the end, his house was sold by the old man.", needs_model=True),
    needs=("seq2seq",),
    batched=True,
)
def diverse_paraphrase(
    sentences: Sequence[str],
    rngs: Sequence[Random],
    *,
    selection: Literal["dips", "beam", "random"] = "dips",
    candidates: Beams = 10,
    fidelity: Share = 0.5,
    forward: ModelName = "facebook/wmt19-en-de",
    backward: ModelName = "facebook/wmt19-de-en",
    max_tokens: MaxTokens = 128,
    precision: Precision = "auto",
) -> list[str | None]:
    """Choose, among many back-translations, one that keeps the sentence's words least while staying near to it.

    The German translation is brought back with `candidates` beams, of which `selection` takes one: "dips", the best by a
    submodular trade of `fidelity` (0 to 1) against diversity; "beam", the likeliest that differs; "random", any.

    Deviations from NL-Augmenter: no word vectors in the choice, and no diverse beam search, which
    transformers 5 offers only as code to download. One text comes back, as in AugCSE's setting.
    """
    there = Decoding(max_tokens=max_tokens)
    back = Decoding(beams=candidates, outputs=candidates, max_tokens=max_tokens)
    found = _round_trip(sentences, rngs, forward, backward, there, back, precision)
    results: list[str | None] = []
    for text, texts, rng in zip(sentences, found, rngs, strict=True):
        other = [one for one in texts if is_other(text.lower(), one.lower())]
        if not other:
            results.append(None)
        elif selection == "random":
            results.append(rng.choice(other))
        else:
            results.append(max(other, key=lambda one: dips_gain(text, one, fidelity)) if selection == "dips" else other[0])
    return results


def dips_gain(source: str, text: str, fidelity: float) -> float:
    """Return how good a paraphrase is by DiPS (Kumar et al. 2019, section 4), for the first one that is chosen.

    That is `fidelity` times its share of the source's n-grams (n = 1, 2, 3, weighted by 1, 1/2, 1/4), and `1 - fidelity` times the mean of
    the share of n-grams that are new and of words edited. Deviations: no word vectors; n-grams of the source are no diversity.
    """
    old, own = _ngrams(source), _ngrams(text)
    kept = _weight(own & old) / _weight(old)
    new = _weight(own - old) / max(_weight(old), _weight(own))
    distance = 1.0 - SequenceMatcher(None, text.lower().split(), source.lower().split(), autojunk=False).ratio()
    return fidelity * kept + (1.0 - fidelity) * (new + distance) / 2.0


def _ngrams(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + order]) for order in (1, 2, 3) for start in range(len(words) - order + 1)}


def _weight(ngrams: set[tuple[str, ...]]) -> float:
    return sum(0.5 ** (len(ngram) - 1) for ngram in ngrams)


def _round_trip(
    sentences: Sequence[str], rngs: Sequence[Random], forward: str, backward: str, there: Decoding, back: Decoding, precision: str
) -> list[list[str]]:
    """Return the back-translations of each sentence; none where there is nothing to translate."""
    middle = [texts[0] if texts else "" for texts in generate_rows(forward, sentences, rngs, there, precision)]
    return generate_rows(backward, middle, rngs, back, precision)


def _through_apertium(sentences: Sequence[str]) -> list[str | None]:
    texts = list(filter(has_letters, sentences))
    there = cached({"apertium": "eng-spa"}, texts, lambda missing: translate(missing, "eng-spa"))
    back = iter(cached({"apertium": "spa-eng"}, there, lambda missing: translate(missing, "spa-eng")))
    return first_others(sentences, [[_with_capitals(text, next(back))] if has_letters(text) else [] for text in sentences])


def _with_capitals(source: str, text: str) -> str:
    """Undo what apertium does to capitals at the beginning of a sentence, and its blank before a closing mark."""
    old, new = source.split(), re.sub(r" ([.,;:!?])(?=\s|$)", r"\1", text).split(" ")
    # An unknown first word hands its capital to the second as well.
    if len(new) > 1 and len(old) > 1 and old[1].islower() and new[1].istitle() and new[0].lower() == old[0].lower():
        new[1] = new[1].lower()
    # A first word that becomes several ("Because of") comes out in capitals.
    if len(old[0]) > 1 and not old[0].isupper():
        new = [
            word.lower() if word.isupper() and len(word) > 1 and word not in old and index < 3 else word for index, word in enumerate(new)
        ]
    if source[:1].isupper():
        new[0] = capitalise(new[0])
    return " ".join(new)

"""Paraphrases by translation into another language and back, with translation models or Debian's apertium."""

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

    `engine="apertium"` translates through Spanish with Debian's rule-based apertium instead, which needs no model and no network
    (apt-get install apertium apertium-eng-spa) and writes less fluent English.
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
    """Choose, among many back-translations, one that is faithful to the sentence but shares few of its words.

    The German translation is translated back with `candidates` beams, of which `selection` takes one: "dips", the best by a
    submodular trade-off of `fidelity` (0 to 1) and diversity; "beam", the most probable that differs; "random", any.

    Deviations from NL-Augmenter: no word vectors in the choice, and no diverse beam search, which
    transformers 5 offers only as code to download. One text is returned, as in AugCSE's setting.
    """
    there = Decoding(max_tokens=max_tokens)
    back = Decoding(beams=candidates, outputs=candidates, max_tokens=max_tokens)
    translations = _round_trip(sentences, rngs, forward, backward, there, back, precision)
    results: list[str | None] = []
    for source, texts, rng in zip(sentences, translations, rngs, strict=True):
        others = [text for text in texts if is_other(source.lower(), text.lower())]
        if not others:
            results.append(None)
        elif selection == "random":
            results.append(rng.choice(others))
        elif selection == "dips":
            results.append(max(others, key=lambda text: dips_gain(source, text, fidelity)))
        else:
            results.append(others[0])
    return results


def dips_gain(source: str, text: str, fidelity: float) -> float:
    """Return how good a paraphrase is by DiPS (Kumar et al. 2019, section 4), as the first one of its set.

    That is `fidelity` times its share of the source's n-grams (n = 1, 2, 3, weighted by 1, 1/2, 1/4), plus `1 - fidelity` times the mean of
    the share of new n-grams and the share of edited words. Deviations: no word vectors; n-grams of the source do not count as diversity.
    """
    source_ngrams, text_ngrams = _ngrams(source), _ngrams(text)
    kept = _weight(text_ngrams & source_ngrams) / _weight(source_ngrams)
    new = _weight(text_ngrams - source_ngrams) / max(_weight(source_ngrams), _weight(text_ngrams))
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
    foreign = [texts[0] if texts else "" for texts in generate_rows(forward, sentences, rngs, there, precision)]
    return generate_rows(backward, foreign, rngs, back, precision)


def _through_apertium(sentences: Sequence[str]) -> list[str | None]:
    """Translate into Spanish and back; None for a sentence without letters, or one that comes back unchanged."""
    texts = list(filter(has_letters, sentences))
    spanish = cached({"apertium": "eng-spa"}, texts, lambda missing: translate(missing, "eng-spa"))
    english = iter(cached({"apertium": "spa-eng"}, spanish, lambda missing: translate(missing, "spa-eng")))
    return first_others(sentences, [[_with_capitals(text, next(english))] if has_letters(text) else [] for text in sentences])


def _with_capitals(source: str, text: str) -> str:
    """Undo apertium's changes of capitals at the beginning of a sentence, and its space before a closing mark."""
    old, new = source.split(), re.sub(r" ([.,;:!?])(?=\s|$)", r"\1", text).split(" ")
    # An unknown first word passes its capital on to the second as well.
    if len(new) > 1 and len(old) > 1 and old[1].islower() and new[1].istitle() and new[0].lower() == old[0].lower():
        new[1] = new[1].lower()
    # A first word that becomes several ("Because of") is written in capitals.
    if len(old[0]) > 1 and not old[0].isupper():
        for index, word in enumerate(new[:3]):
            if word.isupper() and len(word) > 1 and word not in old:
                new[index] = word.lower()
    if source[:1].isupper():
        new[0] = capitalise(new[0])
    return " ".join(new)

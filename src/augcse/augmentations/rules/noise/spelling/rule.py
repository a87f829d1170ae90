"""PigLatin, PhonemeSubstitution and VisualAttackLetters: words spelled differently. AugCSE's A.3 leaves them out of its main sets."""

from __future__ import annotations

import lzma
import re
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from struct import unpack
from typing import Annotated

from pydantic import Field

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.text.edits import match_case
from augcse.augmentations.text.marks import compiled
from augcse.augmentations.text.tables import data_rows
from augcse.options import Share
from augcse.resources import ROOT

PRONUNCIATIONS = ROOT / "pronunciations.tsv.xz"
VISUAL_LETTERS = Path(__file__).with_name("visual_letters.tsv")
_TOKEN = re.compile(r"\S+")
# From the first to the last letter, digit or underscore, and the marks before and after; combining marks belong to their letter.
_CORE = r"(?s)(\W*)(\w(?:.*\w)?[\p{M}]*)(\W*)"
# A hyphen inside a word, not a dash between words.
_HYPHEN = r"(?<=[\w\p{M}])-(?=\w)"
_PLAIN_LETTER = r"[A-Za-z](?![\p{M}])"
# Everything before the first vowel letter without a mark; "y" is a consonant only at the start, and capital vowels do not count.
_ONSET = r"(?s)((?:[^aeiou]|[aeiou](?=[\p{M}]))(?:[^aeiouy]|[aeiouy](?=[\p{M}]))*)(.+)"
# Divisible by the number of look-alikes of every letter (2 to 5).
_ROW = 60
_DRAWS = 1 << 16
# Next to an ASCII character there is no need to look for a combining mark, which takes time.
_STARTS_WORD = r"(?<![^\W_])(?:(?<=[ -~])|(?<![\p{M}]))"
_ENDS_WORD = r"(?:(?=[ -/])|(?![^\W_]|[\p{M}]))"
# Not a part of an address, and not "Dr." or "St.", which are not pronounced as they are written.
_WORD = rf"(?<![@./_:])(?!(?:[Dd]r|[Ss]t)\.){_STARTS_WORD}[A-Za-z]+(?:['’][A-Za-z]+)*{_ENDS_WORD}(?![@_/]|\.\w)"
Separator = Annotated[str, Field(max_length=10, description="a text of at most 10 characters")]


@augmentation(
    "PigLatin",
    family="noise",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter pig_latin (Dhole et al. 2021), after the PyPI package piglatin 1.0.6",
    example=Example("The eagles fly over my school.", "ethay eaglesay yflay overay ymay oolschay."),
)
def pig_latin(sentence: str, rng: Random, *, separator: Separator = "", lower: bool = True) -> str | None:
    """Move the consonants at the start of each word to its end, and add "ay"; deterministic.

    The output is NL-Augmenter's: lower-cased, and without the hyphens of the words ("well-known"). With
    `separator="-"` and `lower=False` it is that of the package it calls: a hyphen separates the moved letters ("hello" ->
    "ello-hay"), letters keep their case ("Hello" -> "ello-Hay"), only lower-case vowels count ("Apple" -> "e-Applay"). Punctuation
    around a word and words without an English letter ("1998") stay, except for their hyphens ("1-1/2" is "11/2"). Everything but an
    English vowel counts as a consonant, as there: digits, inner dots, letters with accents ("21st" is "st21ay"). Deviations: runs of
    spaces stay as they are, and so do dashes ("--"); a letter and its accent are one, composed or not.
    """
    text = sentence.lower() if lower else sentence
    return _TOKEN.sub(lambda match: _pig_latin_word(match.group(), separator), text)


@lru_cache(maxsize=200_000)
def _pig_latin_word(token: str, separator: str) -> str:
    """Return a token in pig Latin; one without an English letter loses only its hyphens."""
    core = compiled(_CORE).fullmatch(token)
    if core and compiled(_PLAIN_LETTER).search(token):
        before, word, after = core.groups()
        onset = compiled(_ONSET).fullmatch(word)
        moved = f"{onset[2]}-{onset[1]}ay" if onset and onset[2][0] in "aeiouy" else f"{word}-ay"
        token = f"{before}{moved}{after}"
    return compiled(_HYPHEN).sub(separator, token)


@augmentation(
    "PhonemeSubstitution",
    family="noise",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter grapheme_to_phoneme_transformation (Dhole et al. 2021)",
    example=Example("You need a permit to fish in this lake.", "You niyd ah permiht to fish in dhihs lake.", seed=1),
)
def phoneme_substitution(sentence: str, rng: Random, *, rate: Share = 0.5) -> str | None:
    """Replace each word with probability `rate` by its phonemes: "permit" -> "permiht".

    Phonemes are those of the CMU Pronouncing Dictionary (the word's first pronunciation), without stress, joined and in lower
    case, as in NL-Augmenter's README; A.2 prints "P ER0 M IH1 T". The word's capitals are kept. Words that the
    dictionary lacks stay, and so do abbreviations, words all in capitals: "US" is not spoken as "us".
    """
    random = rng.random
    return compiled(_WORD).sub(lambda match: _phonemes(match.group()) if random() < rate else match.group(), sentence)


@lru_cache(maxsize=200_000)
def _phonemes(word: str) -> str:
    """Return the phonemes with the word's capitals; the word itself if it is an abbreviation or not in the dictionary."""
    if len(word) > 1 and word.isupper():
        return word
    phonemes = _pronunciations().get(word.lower().replace("’", "'"))
    return word if phonemes is None else match_case(word, phonemes)


@cache
def _pronunciations() -> dict[str, str]:
    lines = lzma.decompress(PRONUNCIATIONS.read_bytes()).decode("utf-8").splitlines()
    return {word: phonemes for word, _, phonemes in (line.partition("\t") for line in lines if line[0] != "#")}


@augmentation(
    "VisualAttackLetters",
    family="noise",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter visual_attack_letters (Dhole et al. 2021); Eger et al. (2019)",
    example=Example("Be careful at the zoo!", "Ḃe carefʋļ at the zọσ!"),
)
def visual_attack_letters(sentence: str, rng: Random, *, rate: Share = 0.5) -> str | None:
    """Replace each English letter with probability `rate` by one that looks like it.

    The look-alikes are drawn uniformly from a table of our own: letters of the Greek, Cyrillic and other alphabets in addition to
    letters with marks, in which an encoder that strips accents would see no change. NL-Augmenter takes the nearest
    neighbours in the character images of Eger et al.
    """
    rows, limit = _look_alikes(), round(rate * _DRAWS)
    # One draw of 16 bits per letter decides both: below the limit, its remainder picks the look-alike.
    draws = unpack(f"<{len(sentence)}H", rng.randbytes(2 * len(sentence)))
    return "".join(
        rows[letter][draw % _ROW] if draw < limit and letter in rows else letter for letter, draw in zip(sentence, draws, strict=True)
    )


@cache
def _look_alikes() -> dict[str, str]:
    """Return the look-alikes of each letter, repeated to the same length `_ROW`."""
    return {letter: look_alikes * (_ROW // len(look_alikes)) for letter, look_alikes in data_rows(VISUAL_LETTERS)}

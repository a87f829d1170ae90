"""Which indefinite article a word takes: by its first sound, told from its spelling."""

from __future__ import annotations

import re

# Written with a vowel letter, spoken with a consonant ("you", "won").
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ewe|once\b|one(?![a-z])|oui|ubi|unani|uni(?![nmd])|unidirect|us[aeu]|ut[eio](?!r)|ur[aeiou]|uk|uganda)"
)
# Written with a consonant letter, spoken with a vowel.
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")
_SPELLED_WITH_VOWEL = frozenset("AEFHILMNORSX")
# Acronyms spoken as words although their first letter's name begins with a vowel.
_SPOKEN_AS_WORDS = frozenset(
    {"FIFA", "FEMA", "FAQ", "LASER", "LEGO", "MENSA", "NAFTA", "NASA", "NASCAR", "NATO", "RADAR", "RAM", "ROM",
     "SARS", "SCUBA", "SIM", "SONAR", "SWAT"}
)  # fmt: skip
_NUMBER = re.compile(r"\d[\d,.]*")


def indefinite_article(word: str) -> str:
    """Return the indefinite article, "a" or "an", for `word`.

    >>> [indefinite_article(word) for word in ("old", "hour", "European", "one-off", "MBA", "NASA", "80-year-old")]
    ['an', 'an', 'a', 'a', 'an', 'a', 'an']
    """
    first = next((place for place, character in enumerate(word) if character.isalnum()), None)
    if first is None:
        return "a"
    bare = word[first:]
    if number := _NUMBER.match(bare):
        return _article_of_number(number.group())
    head = re.split(r"[^\w.]", bare)[0]
    letters = head.replace(".", "")
    if _is_initialism(letters, head):
        return "an" if letters[0] in _SPELLED_WITH_VOWEL else "a"
    lower = bare.lower()
    if _VOWEL_SOUND.match(lower):
        return "an"
    return "an" if lower[0] in "aeiouáàâäéèêëíóöøúåæ" and not _CONSONANT_SOUND.match(lower) else "a"


def _is_initialism(letters: str, head: str) -> bool:
    if not letters.isupper() or letters in _SPOKEN_AS_WORDS:
        return False
    return len(letters) == 1 or "." in head.rstrip(".") or len(letters) <= 3 or not re.search("[AEIOU]", letters)


def _article_of_number(number: str) -> str:
    leading = number.split(",")[0].split(".")[0]
    if leading.startswith("8"):
        return "an"
    return "an" if leading in {"11", "18"} else "a"

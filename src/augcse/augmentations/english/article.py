"""Which indefinite article a word takes, by its first sound, told from its spelling; and what follows where words are exchanged."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

from augcse.annotation.parse import Parse
from augcse.augmentations.text.edits import Edit, apply_edits, match_case

# Written with a vowel letter, spoken with a consonant ("you", "won").
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ewe|once\b|one(?![a-z])|oui|ubi|unani|uni(?![nmd])|unidirect|us[aeu]|ut[eio](?!r)|ur[aeiou]|uk|uganda)"
)
# Written with a consonant letter, spoken with a vowel.
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")
_SPELLED_WITH_VOWEL = frozenset("AEFHILMNORSX")
_NUMBER = re.compile(r"\d[\d,.]*")
_ARTICLE = re.compile(r"(?<![\w'’-])([Aa]n?)(\s+)(\w[\w.'’-]*)")
_SENTENCE_END = ".!?:\"“”'‘’([{—–-"


def indefinite_article(word: str) -> str:
    """Return the indefinite article, "a" or "an", for `word`.

    >>> [indefinite_article(word) for word in ("old", "hour", "European", "one-off", "MBA", "NASA", "80-year-old")]
    ['an', 'an', 'a', 'a', 'an', 'a', 'an']
    """
    first = next((index for index, character in enumerate(word) if character.isalnum()), None)
    if first is None:
        return "a"
    bare = word[first:]
    if number := _NUMBER.match(bare):
        leading = re.split("[,.]", number.group())[0]
        return "an" if leading.startswith("8") or leading in ("11", "18") else "a"
    head = re.split(r"[^\w.]", bare)[0]
    letters = head.replace(".", "")
    if _is_initialism(letters, head):
        return "an" if letters[0] in _SPELLED_WITH_VOWEL else "a"
    lower = bare.lower()
    if _VOWEL_SOUND.match(lower):
        return "an"
    return "an" if lower[0] in "aeiouáàâäéèêëíóöøúåæ" and not _CONSONANT_SOUND.match(lower) else "a"


def _is_initialism(letters: str, head: str) -> bool:
    return letters.isupper() and ("." in head.rstrip(".") or len(letters) <= 3 or not re.search("[AEIOU]", letters))


def replacement_edits(parse: Parse, first: int, last: int, words: str) -> list[Edit]:
    """Return the edits that put `words` in place of the tokens `first` to `last`, in their case.

    "a" or "an" before them and the ending of the genitive after them follow: "an owl", "Agnes' plan", "Ruth's plan".
    """
    words = match_case(parse.tokens[first], words)
    edits = [Edit(*parse.span(first, last), words)]
    article = parse.tokens[first - 1] if first else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(words)) != article.lower():
        edits.append(Edit(*parse.span(first - 1), match_case(article, fitting)))
    return [*edits, *genitive_edits(parse, last, words)]


def genitive_edits(parse: Parse, last: int, words: str) -> list[Edit]:
    """Return the edit that gives the genitive of `words`, put in place of a word that ends with `last`, its "s"; none where it has one."""
    needs_s = parse.tokens[last].endswith("s") and not words.endswith("s")
    if needs_s and parse.tag(last + 1) == "POS" and parse.tokens[last + 1] in ("'", "’"):
        return [Edit(parse.end(last + 1), parse.end(last + 1), "s")]
    return []


def apply_with_articles(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits, none overlapping, and let "a" or "an" next to an edited word take the form its neighbour asks for.

    >>> apply_with_articles("He saw a dog.", [Edit(9, 12, "owl")])
    'He saw an owl.'
    """
    touched: list[tuple[int, int]] = []
    shift = 0
    for edit in sorted(edits):
        start, cut = edit.start + shift, not edit.replacement  # what stands on both sides of a cut
        touched.append((start - cut, start + len(edit.replacement) + cut))
        shift += len(edit.replacement) - (edit.end - edit.start)
    edited = apply_edits(text, edits)
    return _ARTICLE.sub(lambda match: _article(match, edited, touched), edited)


def _article(match: re.Match[str], text: str, touched: list[tuple[int, int]]) -> str:
    article, blank, word = match.groups()
    if not (_touches(touched, *match.span(1)) or _touches(touched, *match.span(3))):
        return match.group()
    if article == "A" and text[: match.start()].rstrip()[-1:] not in ("", *_SENTENCE_END):
        return match.group()
    return match_case(article, indefinite_article(word)) + blank + word


def _touches(touched: list[tuple[int, int]], start: int, end: int) -> bool:
    index = bisect.bisect_left(touched, (end, -1)) - 1
    return index >= 0 and touched[index][1] > start

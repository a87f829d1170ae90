"""The indefinite article that a word takes, by its spelling, and the articles and genitives to adapt when words are replaced."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

from augcse.annotation.parse import Parse
from augcse.augmentations.english.marks import APOSTROPHES
from augcse.augmentations.text.edits import Edit, apply_edits, match_case

# Words that begin with a vowel letter but a consonant sound, as in "you" or "won".
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ewe|once\b|one(?![a-z])|oui|ubi|unani|uni(?![nmd]|ll|ro|ss)|unidirect|us[aeu]|ut[eio]|ur[aeiou]|uk|uganda)"
)
# Words that begin with a consonant letter but a vowel sound.
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")
_SPELLED_WITH_VOWEL = frozenset("AEFHILMNORSX")
# Short initialisms that are read as words: "a SIM card".
_READ_AS_WORD = frozenset({"LAN", "MAC", "RAM", "ROM", "SIM"})
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
    is_spelled_out = "." in head.rstrip(".") or len(letters) <= 3 or not re.search("[AEIOU]", letters)
    return letters.isupper() and is_spelled_out and letters not in _READ_AS_WORD


def replacement_edits(parse: Parse, first: int, last: int, words: str) -> list[Edit]:
    """Return the edits that write `words` for the tokens `first` to `last`, in their case, and adapt "a" or "an" and a genitive "s"."""
    words = match_case(parse.tokens[first], words)
    edits = [Edit(*parse.span(first, last), words)]
    article = parse.tokens[first - 1] if first else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(words)) != article.lower():
        edits.append(Edit(*parse.span(first - 1), match_case(article, fitting)))
    return [*edits, *genitive_edits(parse, last, words)]


def genitive_edits(parse: Parse, last: int, words: str) -> list[Edit]:
    """Return the edit that adds the genitive "s" that `words`, put in place of the words up to `last`, need: "James'" -> "Ruth's"."""
    needs_s = parse.tokens[last].endswith("s") and not words.endswith("s")
    if needs_s and parse.tag(last + 1) == "POS" and parse.tokens[last + 1] in APOSTROPHES:
        return [Edit(parse.end(last + 1), parse.end(last + 1), "s")]
    return []


def apply_with_articles(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits that do not overlap, and adapt "a" or "an" where it or the word after it was edited.

    >>> apply_with_articles("He saw a dog.", [Edit(9, 12, "owl")])
    'He saw an owl.'
    """
    touched: list[tuple[int, int]] = []
    shift = 0
    for edit in sorted(edits):
        start = edit.start + shift
        margin = 0 if edit.replacement else 1  # both neighbours of removed text are touched
        touched.append((start - margin, start + len(edit.replacement) + margin))
        shift += len(edit.replacement) - (edit.end - edit.start)
    edited = apply_edits(text, edits)
    return _ARTICLE.sub(lambda match: _adapted_article(match, edited, touched), edited)


def _adapted_article(match: re.Match[str], text: str, touched: list[tuple[int, int]]) -> str:
    article, space, word = match.groups()
    if not (_is_touched(touched, *match.span(1)) or _is_touched(touched, *match.span(3))):
        return match.group()
    if article == "A" and text[: match.start()].rstrip()[-1:] not in ("", *_SENTENCE_END):
        return match.group()  # inside a sentence it is a letter: "vitamin A is"
    return match_case(article, indefinite_article(word)) + space + word


def _is_touched(touched: list[tuple[int, int]], start: int, end: int) -> bool:
    index = bisect.bisect_left(touched, (end, -1)) - 1
    return index >= 0 and touched[index][1] > start

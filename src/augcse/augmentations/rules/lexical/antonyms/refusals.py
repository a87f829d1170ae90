"""What an adjective is left alone for, whatever its antonym."""

from __future__ import annotations

from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.lexical.antonyms.places import PERSONS
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import bundled_lexicon

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_NEGATIVE = ("un", "in", "im", "il", "ir", "non", "dis")
_OPPOSED = {"lower": "upper", "upper": "lower", "higher": "lower", "elder": "younger"}
_BEFORE_NOUN = ("NN", "JJ", "VBG", "VBN", "CC", "CD", "RB", ",", "``", "''", "HYPH", "FW", "-LRB-")


def _is_listed(parse: Parse, index: int, _: str) -> bool:
    """Tell whether the lexicon lists the adjective and its neighbours as one expression; "old man" it lists is what it says."""
    following = "".join(parse.tokens[index + 1 : index + 2]).lower()
    word = Word(index, parse.tokens[index].lower(), "a", parse.tags[index])
    return following not in PERSONS and in_expression(parse, word, bundled_lexicon())


def _is_no_adjective(parse: Parse, index: int, _: str) -> bool:
    """Tell whether the word is none, whatever its tag, or one of a pattern: "caught a cold", "as good as", "the more, the better"."""
    word = parse.tokens[index].lower()
    before = parse.tokens[index - 1].lower() if index else ""
    after = parse.tokens[index + 1].lower() if index + 1 < len(parse) else ""
    attributive = parse.has_label(index, "amod")
    needs_noun = (
        before in _WORDS["MODIFIERS"] or (before == "the" and parse.tags[index] == "JJ") or attributive or word in ("later", "earlier")
    )
    if needs_noun and not _may_precede_noun(parse, index + 1) and (parse.heads[index] > index or not attributive):
        return True
    return before == "called" or (before in ("as", "all", "the") and after in ("as", ",")) or word == before


def _may_precede_noun(parse: Parse, index: int) -> bool:
    """Tell whether the token may follow an adjective that stands before its noun."""
    tag = parse.tags[index] if index < len(parse) else ""
    return tag.startswith(_BEFORE_NOUN)


def _is_measured(parse: Parse, index: int, _: str) -> bool:
    """Tell whether a measure or number stands before the adjective: "10 metres long", "four wide"."""
    before = parse.tokens[index - 1].lower() if index else ""
    return before in _WORDS["UNITS"] or (parse.tags[index - 1 : index] == ("CD",) and not parse.has_label(index, "amod"))


def _is_adverb(parse: Parse, index: int, _: str) -> bool:
    """Tell whether the adjective is an adverb, whatever its tag: no noun is after it and no "be" before it."""
    if parse.tokens[index].lower() not in _WORDS["ALSO_ADVERBS"] or (
        parse.has_label(index, "amod") and _may_precede_noun(parse, index + 1)
    ):
        return False
    before = {token.lower() for token in parse.tokens[max(index - 4, 0) : index]}
    return not before & _WORDS["LINKING"] or "".join(parse.tags[index + 1 : index + 2]).startswith("VB")


def _is_contradicted(parse: Parse, index: int, antonym: str) -> bool:
    """Tell whether the antonym does not go with the words around: "closely unrelated", "public and private" for "private and public".

    An antonym that denies a participle suits only the place before a noun: "paved roads", but hardly "was paved in 1990".
    """
    around = {token.lower() for token in parse.tokens[max(index - 4, 0) : index + 5]}
    if antonym in around or _OPPOSED.get(parse.tokens[index].lower()) in around:
        return True
    if not antonym.startswith(_NEGATIVE):
        return False
    word, before = parse.tokens[index].lower(), parse.tokens[index - 1].lower() if index else ""
    is_denied_participle = antonym == f"un{word}" and word.endswith("ed") and word not in _WORDS["PLAIN_PARTICIPLES"]
    if parse.tags[index - 1 : index] in (("RB",), ("RBR",), ("RBS",)) and (before.endswith("ly") or is_denied_participle):
        return before not in _WORDS["OF_SENTENCE"]
    return is_denied_participle and not (parse.has_label(index, "amod") and parse.heads[index] > index)


REFUSALS: tuple[Refusal[[Parse, int, str]], ...] = (
    Refusal("no adjective", "He caught a cold.", _is_no_adjective),
    Refusal("measure", "He is five years old.", _is_measured),
    Refusal("adverb in the form of an adjective", "The fever ran high.", _is_adverb),
    Refusal("antonym that does not go with the words around", "The public and private sectors met.", _is_contradicted),
    Refusal("expression that the lexicon lists", "He sang in high spirits.", _is_listed),
)

"""Whether a telegram leaves out what its words cannot do without."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.tree import FINITE_TAGS
from augcse.augmentations.rules.syntax.summarization.nouns import is_partial
from augcse.augmentations.rules.syntax.summarization.telegram import Telegram
from augcse.augmentations.rules.syntax.summarization.verbs import is_loose, lacks_complement
from augcse.augmentations.rules.syntax.summarization.word_lists import ANNOUNCED, ASKING, COMPARING, COUNTLESS, PRIVATIVE, WEAKENING

_LINKING = frozenset({"conj", "parataxis"})
_MODIFIERS = ("amod", "advmod", "det", "cc", "nummod")


def lacks_words(telegram: Telegram) -> bool:
    """Tell whether the telegram lacks half of a name, number, coordination or fixed phrase, or a complement."""
    if _is_disordered(telegram) or _announces(telegram) or _is_torn(telegram) or _changes_sense(telegram):
        return True
    if any(is_partial(telegram, piece) for piece in telegram.pieces if piece.kind == "noun"):
        return True
    main, *subordinate = telegram.clauses
    return lacks_complement(telegram, main) or any(lacks_complement(telegram, place) or is_loose(telegram, place) for place in subordinate)


def _is_disordered(telegram: Telegram) -> bool:
    """Tell whether words would be said twice, a noun be said of itself, or nouns stand in another order than the text's."""
    nouns = [piece for piece in telegram.pieces if piece.kind == "noun"]
    heads = [piece.head for piece in nouns]
    texts = {piece.text.lower() for piece in nouns}
    repeated = sum(len(piece.places) for piece in telegram.pieces) > len(telegram.places)
    return repeated or len(texts) < len(nouns) or heads != sorted(heads) or len(telegram.pieces) < 2


def _announces(telegram: Telegram) -> bool:
    """Tell whether the subject "it" stands for a clause that would be left out."""
    behind = max(telegram.places) + 1
    return telegram.pieces[0].text.lower() == "it" and (telegram.word(behind) in ANNOUNCED or telegram.tag(behind) == "TO")


def _is_torn(telegram: Telegram) -> bool:
    """Tell whether half of a coordination, a bracket or a quotation would be kept, or a word that leads to what is not."""
    parse = telegram.tree.parse
    for place in telegram.places:
        word, tag = telegram.word(place), telegram.tag(place)
        if _is_joined(telegram, place) or (tag == "RB" and word.endswith("ly")):
            return True
        if word in ASKING | COUNTLESS or tag == "$" or word == "%":
            return True
    finite = (place for place, tag in enumerate(parse.tags) if tag in FINITE_TAGS)
    if '"' in parse.text or any(parse.deps[parse.clause_head(place)] in _LINKING for place in finite):
        return True
    return telegram.text.count("(") != telegram.text.count(")") or _is_in_brackets(parse, telegram.places)


def _is_in_brackets(parse: Parse, kept: frozenset[int]) -> bool:
    opened = 0
    for place, token in enumerate(parse.tokens):
        opened += (token in ("(", "[")) - (token in (")", "]"))
        if opened > 0 and place in kept:
            return True
    return False


def _is_joined(telegram: Telegram, place: int) -> bool:
    """Tell whether a word is coordinated; the words of one name, which the parser labels so at times, have no "and"."""
    tree = telegram.tree
    return any(tree.children(child, "cc") or child not in telegram.places for child in tree.children(place, "conj"))


def _changes_sense(telegram: Telegram) -> bool:
    """Tell whether a left out modifier turns the sense: "hardly", "former", "few", "more common than"."""
    parse = telegram.tree.parse
    for piece in telegram.pieces:
        below = (place for place in telegram.tree.dependents[piece.head] if place not in telegram.places)
        words = {telegram.word(place) for place in below if parse.has_label(place, *_MODIFIERS)}
        if piece.kind in ("noun", "verb") and words & (WEAKENING | PRIVATIVE):
            return True
        if telegram.tag(piece.head).startswith("JJ") and (words & COMPARING or telegram.tag(piece.head) == "JJR"):
            return True
    return False

"""Whether a summary leaves out what its words cannot do without."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.tree import FINITE_TAGS
from augcse.augmentations.rules.syntax.summarization.nouns import is_partial
from augcse.augmentations.rules.syntax.summarization.summary import Summary
from augcse.augmentations.rules.syntax.summarization.verbs import is_loose, lacks_complement
from augcse.augmentations.rules.syntax.summarization.word_lists import ANNOUNCED, ASKING, COMPARING, COUNTLESS, PRIVATIVE, WEAKENING

_LINKING = frozenset({"conj", "parataxis"})
_MODIFIERS = ("amod", "advmod", "det", "cc", "nummod")


def lacks_words(summary: Summary) -> bool:
    """Tell whether the summary lacks half of a name, number, coordination or fixed phrase, or a complement."""
    if _is_disordered(summary) or _announces(summary) or _is_torn(summary) or _changes_sense(summary):
        return True
    if any(is_partial(summary, piece) for piece in summary.pieces if piece.kind == "noun"):
        return True
    main, *subordinate = summary.clauses
    return lacks_complement(summary, main) or any(lacks_complement(summary, place) or is_loose(summary, place) for place in subordinate)


def _is_disordered(summary: Summary) -> bool:
    """Tell whether words would be said twice, a noun be said of itself, or nouns stand in another order than the text's."""
    nouns = [piece for piece in summary.pieces if piece.kind == "noun"]
    heads = [piece.head for piece in nouns]
    texts = {piece.text.lower() for piece in nouns}
    repeated = sum(len(piece.places) for piece in summary.pieces) > len(summary.places)
    return repeated or len(texts) < len(nouns) or heads != sorted(heads) or len(summary.pieces) < 2


def _announces(summary: Summary) -> bool:
    """Tell whether the subject "it" stands for a clause that would be left out."""
    after = max(summary.places) + 1
    return summary.pieces[0].text.lower() == "it" and (summary.word(after) in ANNOUNCED or summary.tag(after) == "TO")


def _is_torn(summary: Summary) -> bool:
    """Tell whether half of a coordination, a bracket or a quotation would be kept, or a word that leads to what is not."""
    parse = summary.tree.parse
    for place in summary.places:
        word, tag = summary.word(place), summary.tag(place)
        if _is_joined(summary, place) or (tag == "RB" and word.endswith("ly")):
            return True
        if word in ASKING | COUNTLESS or tag == "$" or word == "%":
            return True
    finite = (place for place, tag in enumerate(parse.tags) if tag in FINITE_TAGS)
    if '"' in parse.text or any(parse.deps[parse.clause_head(place)] in _LINKING for place in finite):
        return True
    return summary.text.count("(") != summary.text.count(")") or _is_in_brackets(parse, summary.places)


def _is_in_brackets(parse: Parse, kept: frozenset[int]) -> bool:
    opened = 0
    for place, token in enumerate(parse.tokens):
        opened += (token in ("(", "[")) - (token in (")", "]"))
        if opened > 0 and place in kept:
            return True
    return False


def _is_joined(summary: Summary, place: int) -> bool:
    """Tell whether a word is coordinated; the words of one name, which the parser labels so at times, have no "and"."""
    tree = summary.tree
    return any(tree.children(child, "cc") or child not in summary.places for child in tree.children(place, "conj"))


def _changes_sense(summary: Summary) -> bool:
    """Tell whether a left out modifier turns the sense: "hardly", "former", "few", "more common than"."""
    parse = summary.tree.parse
    for piece in summary.pieces:
        below = (place for place in summary.tree.dependents[piece.head] if place not in summary.places)
        words = {summary.word(place) for place in below if parse.has_label(place, *_MODIFIERS)}
        if piece.kind in ("noun", "verb") and words & (WEAKENING | PRIVATIVE):
            return True
        if summary.tag(piece.head).startswith("JJ") and (words & COMPARING or summary.tag(piece.head) == "JJR"):
            return True
    return False

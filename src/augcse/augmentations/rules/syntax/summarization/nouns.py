"""Whether a noun that a summary keeps is cut short, or is no noun phrase of its own.

Judged by the words that stand beside it: the parser ends many a phrase too early, and their tags are surer than its labels.
"""

from __future__ import annotations

from functools import lru_cache

from augcse.annotation.parse import Parse
from augcse.augmentations.rules.syntax.summarization.noun_words import MONTHS, chunk_start, is_named
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, Piece, Summary
from augcse.augmentations.rules.syntax.summarization.word_lists import (
    ADVERBIAL_NOUNS,
    INTRANSITIVE,
    LASTING,
    PARTITIVES,
    PREPOSITIONAL_NOUNS,
    QUANTITIES,
    TIMES,
    TITLES,
)
from augcse.lexicon.base import POS, Pos

NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_NEVER_BEFORE_SUBJECT = frozenset({"FW", "VB", "VBZ", "VBP", "MD", "POS", "WDT", "WP", "WP$", "HYPH", "LS", "SYM"})
_AFTER_NUMBER = frozenset({"IN", "TO", "CC", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD", "RB", "WDT", "WRB", "WP"})
_BEFORE_GERUND = frozenset({"by", "for", "with", "from", "without", "despite", "on", "about", "of", "at"})
_COUNTING_ON = frozenset({"after", "before", "later", "ago", "since", "earlier"})
_COUNTED_ON = TIMES | {"cycle", "mile", "lap"}


def is_partial(summary: Summary, piece: Piece) -> bool:
    """Tell whether a kept noun goes on beside what is kept of it, or stands after a preposition or "and" that is not kept."""
    subject = _is_subject(summary, piece.head)
    checks = (_goes_on, _opens_elsewhere, _lacks_whole, _is_no_head, _is_adverbial)
    return any(check(summary, piece) for check in checks) or (subject and _is_no_subject(summary, piece))


@lru_cache(maxsize=20_000)
def can_be(word: str, pos: Pos) -> bool:
    """Tell whether a word of the dictionary can be of this part of speech; a word it lacks can."""
    from augcse.lexicon.open import bundled_lexicon

    lexicon = bundled_lexicon()
    return bool(lexicon.lemmas(word, pos)) or not any(lexicon.lemmas(word, other) for other in POS)


def _is_subject(summary: Summary, head: int) -> bool:
    parse = summary.tree.parse
    return parse.has_label(head, *SUBJECTS) and head < parse.heads[head]


def _bounds(summary: Summary, piece: Piece) -> tuple[int, int]:
    """Return the first word of the phrase around the kept ones, by the tags, and the last kept one."""
    return chunk_start(summary.tree.parse, min(piece.places)), max(piece.places)


def _goes_on(summary: Summary, piece: Piece) -> bool:
    """Tell whether the noun phrase goes on after the last kept word: with a noun, "and", a possessive, a unit."""
    parse, (start, last) = summary.tree.parse, _bounds(summary, piece)
    following = summary.tag(last + 1)
    if following in NOUN_TAGS | {"HYPH", "AFX"} and (_is_subject(summary, piece.head) or not _is_apposition(summary, piece, last + 1)):
        return True
    if following in ("POS", "CC") or (following == "CD" and parse.tokens[last].istitle()):
        return True
    cases = {summary.word(place) for place in summary.tree.children(piece.head, "case")}
    if following == "VBG" and (summary.word(last + 2) == "of" or cases & _BEFORE_GERUND):
        return True  # "her singles ranking of", "by each couple moving"
    if parse.tags[last] == "CD" and summary.word(last + 1).isalpha() and following not in _AFTER_NUMBER:
        return True  # "150 g"
    # "A Kiln, Mississippi, quarterback".
    return is_named(parse, piece.head) and summary.word(start) in ("a", "an") and summary.word(last + 1) == ","


def _is_apposition(summary: Summary, piece: Piece, place: int) -> bool:
    """Tell whether a name stands after the noun that says what it is: "the general Ricimer"."""
    parse = summary.tree.parse
    named = parse.tags[place] in ("NNP", "NNPS") and parse.tokens[place][0].isupper()
    below = (piece.head, *summary.tree.dependents[piece.head])
    return named and not parse.tokens[piece.head][0].isupper() and parse.heads[place] in below


def _opens_elsewhere(summary: Summary, piece: Piece) -> bool:
    """Tell whether the phrase is the second half of a coordination, or that of a preposition which is not kept."""
    start, _ = _bounds(summary, piece)
    before = summary.tag(start - 1)
    if before == "CC":
        return start > 1
    subject = _is_subject(summary, piece.head)
    if before == "IN" and summary.tag(start) == "VBG" and start not in summary.places:
        return True  # "aimed at solving weakness"
    return before == "IN" and not subject and start - 1 not in summary.places and summary.word(start - 1) != "than"


def _lacks_whole(summary: Summary, piece: Piece) -> bool:
    """Tell whether a quantity, a title or a pointing word stays without what it is one of."""
    parse, last = summary.tree.parse, max(piece.places)
    word, lemma = summary.word(piece.head), summary.lemma(piece.head)
    if lemma in PARTITIVES and summary.tag(last + 1) == "IN" and last + 1 not in summary.places:
        return True
    if lemma in QUANTITIES and parse.has_label(piece.head, "obj") and summary.tree.children(piece.head, "compound"):
        return True  # "made the region part of"
    if word in ("percent", "%") and parse.tags[min(piece.places)] != "CD":
        return True
    if parse.tags[piece.head] == "DT" and (summary.tag(last + 1) in ("WP", "WDT", "VBN", "VBG") or word == "those"):
        return True
    if word in ("one", "ones") and not summary.keeps_after(piece.head):
        return True
    # A unit without its number: "3 g of ozone".
    unit = parse.tags[piece.head].startswith("NN") and word.isalpha() and len(word) < 3 and parse.tokens[piece.head].islower()
    return unit or summary.word(last).rstrip(".") in TITLES


def _is_no_head(summary: Summary, piece: Piece) -> bool:
    """Tell whether the word is no noun: an adverb, an adjective without its noun, a word the dictionary knows as another part of speech."""
    parse, word, tag = summary.tree.parse, summary.tree.parse.tokens[piece.head], summary.tree.parse.tags[piece.head]
    if tag in ("NN", "NNS") and word.islower() and not word.endswith("ing") and not can_be(word, "n"):
        return True
    return tag == "RB" or word in ("'d", "’d") or (tag in ("JJ", "JJR") and parse.has_label(piece.head, "nmod"))


def _is_no_subject(summary: Summary, piece: Piece) -> bool:
    """Tell whether a noun before the verb may be part of what stands before the subject, or be followed by the true one."""
    parse, (start, last) = summary.tree.parse, _bounds(summary, piece)
    before, following = summary.tag(start - 1), summary.tag(last + 1)
    if before in _NEVER_BEFORE_SUBJECT or (before in ("IN", "TO") and parse.deps[start - 1] != "mark"):
        return True
    if parse.tags[piece.head] == "CD" and summary.tag(min(piece.places) - 1) in NOUN_TAGS:
        return True  # "the ranger 26"
    if following == "JJ" or (following in ("VBG", "CD") and summary.tag(last + 2) in NOUN_TAGS):
        return True
    return summary.word(start - 1) == "," and _is_late(parse, start)


def _is_late(parse: Parse, start: int) -> bool:
    """Tell whether the phrase after a comma may go on with what stands before: with a list, or with the place of a place."""
    tag, before = parse.tags[start], start - 2
    if tag.startswith("NNP") and parse.tags[before].startswith("NNP") and parse.tokens[before].lower() not in MONTHS:
        return start > 4  # "in Holmdel Township, New Jersey had built"
    commas = sum(parse.tokens[place] == "," and parse.tags[place - 1] != "CD" for place in range(1, start))
    return commas > 1 and tag not in ("PRP", "PRP$", "DT", "NNP", "NNPS")


def _is_adverbial(summary: Summary, piece: Piece) -> bool:
    """Tell whether a kept complement is an adverbial or one of the fixed phrases that mean something only as a whole."""
    tree, parse, head, last = summary.tree, summary.tree.parse, piece.head, max(piece.places)
    if parse.has_label(head, *SUBJECTS):
        return False
    lemma, case = summary.lemma(head), bool(tree.children(head, "case"))
    if case and lemma in PREPOSITIONAL_NOUNS and summary.tag(last + 1) in ("IN", "TO"):
        return not tree.children(head, "det", "nmod:poss", "amod")
    if not parse.has_label(head, "obj", "obl"):
        return False
    after = (summary.word(last + 1), summary.word(last + 2))
    if after in (("in", "mind"), ("by", summary.word(last))) or parse.tags[head].startswith("JJ"):
        return True
    if lemma in TIMES and not case:
        return summary.lemma(parse.heads[head]) not in LASTING
    if parse.has_label(head, "obj"):
        idle = parse.tags[head] == "CD" or lemma in ("way", "time", "thanks", "rise")
        return idle or summary.lemma(parse.heads[head]) in INTRANSITIVE
    if lemma in TIMES and not (parse.tags[min(piece.places)] == "CD" or is_named(parse, head)):
        return True  # "on the same day"
    return not case or lemma in ADVERBIAL_NOUNS or (lemma in _COUNTED_ON and after[0] in _COUNTING_ON)

"""Noun phrases that can be moved as a whole: those whose parse and whose looks agree on where they begin and end.

The parser cuts phrases short or takes in a neighbour often enough that a rule which moves them checks both ends by the tags too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.tree import Tree, is_balanced, slice_text, words_only
from augcse.lexicon.open import bundled_lexicon

MONTHS = frozenset("January February March April May June July August September October November December".split())
_TIMES = frozenset(
    "year month week day hour minute moment night morning afternoon evening weekend date summer winter spring autumn season time century"
    " decade age era period today".split()
)
# What a phrase of these prepositions hangs on is in doubt; "the author of the book" is one phrase whoever parses it.
_BOUND = frozenset("of for between about against among".split())
_STRAY_LABELS = frozenset({"dep", "list", "discourse", "vocative", "parataxis", "goeswith", "obl", "obl:unmarked", "conj", "appos"})
_STOPS = frozenset({".", ";", ":", "!", "?", "...", "…", ","})
_UNFINISHED = frozenset({"VBN", "VBD", "VB", "VBP", "MD", "DT", "CC", "TO", "PRP$", "HYPH", "WP", "WDT", "WRB", "IN"})
# A clause or bracket after a noun phrase is part of it, whatever the parser says.
_LEFT_AFTER = frozenset({"that", "than", "which", "who", "whose", "whom", "whether", "("})
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "DT", "PRP$", "POS", "$", "``"})
_QUOTES = frozenset("\"“”'‘’`")
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT"})
_NAME_TAGS = frozenset({"NNP", "NNPS", "PRP"})
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
# Abbreviations, scores, "all", "three-fold" as words that end no phrase, or may not.
_ODD_ENDS = re.compile(r".*\.|\d+[–-]\d+.*|all|.*fold")
# "Nobody had any basis" is no sentence the other way round.
_NEGATIVE_POLARITY = frozenset("any anybody anyone anything neither either nor".split())
# Nouns that an infinitive completes; after any other it may tell what the deed is for: "uses an antenna to scan the sky".
OPEN_NOUNS = frozenset(
    "ability agreement attempt authority bid capacity chance choice claim decision desire duty effort failure freedom intention"
    " license mandate need obligation offer opportunity order permission plan power promise proposal request right tendency vote"
    " willingness wish".split()
)
# Words that open an adverbial, which the parser takes for part of the noun phrase after it: "Prior to 2010 peers".
_ADVERBIAL_OPENERS = frozenset("prior due according thanks contrary subsequent owing next near despite".split())


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase as a stretch of tokens, both ends included."""

    head: int
    first: int
    last: int


def whole_phrase(tree: Tree, head: int, *, after_preposition: bool = False) -> NounPhrase | None:
    """Return the phrase of `head`, None if its bounds are in doubt; `after_preposition`: what stands after the agent's "by"."""
    parse = tree.parse
    if parse.tags[head] not in _HEAD_TAGS or parse.tokens[head].lower() == "that" or parse.tokens[head].endswith("ly"):
        return None
    first, last = tree.first(head), tree.last(head)
    if after_preposition:
        bare = parse.tags[head] == "NN" and head == first + 1
        if bare or first == head or not parse.has_label(first, "case") or parse.tokens[first].lower() != "by":
            return None
        first += 1
    elif tree.children(head, "case") or (first > 0 and parse.deps[first - 1] == "case"):
        return None
    stretch = words_only(parse, first, last)
    if not tree.is_contiguous(head) or stretch is None or _is_doubtful(parse, *stretch):
        return None
    return NounPhrase(head, *stretch)


def may_hold_verb_modifier(parse: Parse, phrase: NounPhrase) -> bool:
    """Tell whether the last words of a phrase after the verb may be the verb's: a preposition of time or place, a second noun phrase."""
    return any(_may_modify_verb(parse, phrase, place) for place in range(phrase.first, phrase.last + 1))


def _may_modify_verb(parse: Parse, phrase: NounPhrase, place: int) -> bool:
    word, tag, following = parse.tokens[place].lower(), parse.tags[place], parse.tokens[place + 1 : place + 2]
    if word in ("nor", "neither") or (tag == "NNS" and parse.tags[place + 1 : place + 2] == ("NN",)):
        return True
    if tag == "VBG" and parse.deps[place] == "acl":
        return True
    if tag != "IN" or (parse.deps[place] == "mark" and word != "from"):
        return False
    if word == "of":
        return False
    if word not in _BOUND or following[0] in MONTHS or place == phrase.last:
        return True
    if (parse.tags[place + 1] in ("CD", "$") and word != "between") or parse.tokens[phrase.last] in ("reasons", "purposes"):
        return True
    # "sued Publicis for fraud", "criticized his colleagues for their failure": nothing but "of" hangs on a name or a person.
    return is_name(parse, place - 1) or is_person(parse, parse.heads[parse.heads[place]])


def is_name(parse: Parse, place: int) -> bool:
    """Tell whether a word is a name or pronoun, on which no preposition but "of" hangs."""
    return parse.tags[place] in _NAME_TAGS or (place > 0 and parse.tokens[place][0].isupper() and parse.tags[place] == "NN")


def is_time(parse: Parse, place: int) -> bool:
    """Tell whether a noun is a month, a year or another time."""
    return parse.tokens[place] in MONTHS or parse.tags[place] == "CD" or parse.lemmas[place].lower() in _TIMES


def is_person(parse: Parse, place: int) -> bool:
    """Tell whether a noun means a person first of all."""
    meanings = bundled_lexicon().synsets(parse.lemmas[place].lower(), "n")
    return bool(meanings) and meanings[0].category == "noun.person"


def _is_doubtful(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the stretch is no whole noun phrase: a neighbouring noun, an adverb in front, a half pair of brackets."""
    stretch = range(first, last + 1)
    if any(parse.deps[place] in _STRAY_LABELS or parse.tokens[place] in _STOPS for place in stretch):
        return True
    if any(parse.tags[place] == "CC" or _opens_content(parse, place) for place in stretch) or _holds_clause(parse, first, last):
        return True
    if _ODD_ENDS.fullmatch(parse.tokens[last].lower()) or any(parse.tokens[place].lower() in _NEGATIVE_POLARITY for place in stretch):
        return True
    if parse.tags[last] in _UNFINISHED and last > first:
        return True
    if any(parse.tags[place] == "DT" and parse.tags[place - 1].startswith("NN") for place in range(first + 1, last + 1)):
        return True  # two phrases taken for one
    text = slice_text(parse, first, last)
    return not is_balanced(text) or _opens_oddly(parse, first, last) or _has_stray_neighbour(parse, first, last)


def _opens_content(parse: Parse, place: int) -> bool:
    """Tell whether a clause of content begins here, which is the verb's as a rule: "alerts Lillian that a reporter is coming"."""
    return parse.deps[place] == "mark" and parse.tags[place] == "IN" and parse.tokens[place].lower() == "that"


def _holds_clause(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the stretch holds a verb that no relative word, subject or noun lets into a noun phrase."""
    stretch = range(first, last + 1)
    opened = any(parse.tags[place].startswith("W") or parse.tags[place] == "PRP" for place in range(first + 1, last + 1))
    for place in stretch:
        if parse.tags[place] in _FINITE_TAGS and not opened and parse.tokens[place - 1].lower() != "that":
            return True
        if parse.tags[place] == "VBN" and parse.deps[place] == "acl" and parse.children(place, "obj"):
            return True  # "a study found 58% of homes"
        if parse.tags[place] == "TO" and parse.lemmas[parse.heads[parse.heads[place]]].lower() not in OPEN_NOUNS:
            return True
    return False


def _opens_oddly(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the stretch begins with what begins no noun phrase: a preposition, a relative, an adverb of the sentence."""
    tag, following = parse.tags[first], parse.tags[min(first + 1, last)]
    gerund = tag == "VBG" or (parse.deps[first] == "compound" and verb_lemma(parse.tokens[first], "VBG", parse.lemmas[first]))
    if gerund or tag == "IN" or tag.startswith("W") or parse.tokens[first].lower() in ("that", *_ADVERBIAL_OPENERS):
        return True
    if tag == "PRP" and first != last:
        return True
    if tag == "RB" and parse.heads[first] == parse.heads[min(first + 1, last)]:
        return True
    return parse.has_label(first, "advmod") and following not in ("CD", "DT", "PDT", "JJ")


def _has_stray_neighbour(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the word before or after belongs to the phrase by its looks: the parser has cut it short."""
    before = parse.tags[first - 1] if first > 0 else "."
    if before in _NOMINAL_TAGS or (before == "," and parse.tags[first - 2].startswith("JJ")):
        return True  # "the long, cold winter"
    if first in (1, 2) and parse.tokens[first - 1] == ".":
        return True  # after an abbreviation
    if last + 1 >= len(parse):
        return False
    start, end = parse.starts[first], parse.end(last)
    if set("-/'’") & {parse.text[end], parse.text[start - 1] if start else ""}:
        return True
    # The half of a name that the tagger has not seen, or a title in quotes.
    if parse.tokens[last + 1][0].isupper() or parse.tokens[last + 1][0] in _QUOTES:
        return True
    if first > 1 and parse.tokens[first - 1][0].isupper() and parse.tokens[first - 2].isalnum():
        return True
    after = last + 1 + (parse.tokens[last + 1] == ",")
    if parse.tokens[last + 1].lower() in _LEFT_AFTER or "".join(parse.tokens[after : after + 1]).lower() in _LEFT_AFTER:
        return True
    return parse.tags[last + 1] in _NOMINAL_TAGS

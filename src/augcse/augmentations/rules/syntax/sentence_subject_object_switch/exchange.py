"""Whether the subject and the object of a clause can change places: nothing around them belongs to one of them and would not move with it.

Each check is a situation in which readers found the parser wrong too often, told by the tags and words rather than by the tree.
"""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_finite
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.noun_phrase import (
    MONTHS,
    OPEN_NOUNS,
    NounPhrase,
    is_name,
    is_time,
    may_hold_verb_modifier,
)

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_ADVERBS = frozenset(
    "not n't n’t never also always often still then now soon later ever already once again twice therefore thus however rarely seldom"
    " almost first finally sometimes moreover there here instead too well together alone yet today".split()
)
# Adverbs that belong to the phrase after them: "only the lonely".
_FOCUSING = frozenset("only even just also especially particularly mainly mostly partly not almost nearly exactly merely simply".split())
# After a noun, a phrase of any other preposition may be the noun's, which is torn where the parser hangs it on the verb.
_UNBOUND = frozenset("during since until till after before throughout despite although because while if though when via".split())
_GOING_ON = frozenset({"VB", "VBG", "VBN", "JJ", "RP", "WRB", "WDT", "WP", "DT", "NN", "NNS", "NNP", "CD", "PRP"})
_DASHES = frozenset({"—", "–", "-", "--", "―", ":", "(", "["})
_RELATIVES = frozenset({"who", "whose", "whom", "which", "where"})
# Participles that explain the noun before the comma.
_EXPLAINING = frozenset("including excluding being meaning according following depending ranging consisting containing".split())
_SUBORDINATORS = frozenset("although because while whereas though when since until after before if unless despite".split())
_CONJUNCTIONS = _SUBORDINATORS | {"that", "whether", "once", "whilst", "till", "so"}
# What a phrase of place completes: "an increase in Poland".
_OPEN_ENDED = re.compile(
    r".*(?:tion|sion|ment|ance|ence|ship|ity|ness|al|age|ure|th)|increase|decrease|interest|degree|role|part|trust|base|office"
)
_PHRASE_OPENERS = frozenset({"DT", "PDT", "PRP$", "NN", "NNS", "JJ", "NNP", "NNPS"})


def tears(tree: Tree, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether a part of one of the phrases may stand outside of it, or what is none of its parts in it."""
    parse = tree.parse
    if not _is_clausal(tree, clause) or not _begins_clause(tree, clause, one.first) or not _frames_verb(tree, clause, one, two):
        return True
    if (
        may_hold_verb_modifier(parse, two)
        or parse.tags[two.last].startswith("JJ")
        or parse.tokens[two.first - 2].lower() in ("either", "both")
    ):
        return True
    if any(quote in parse.text[: parse.starts[two.first]] for quote in ('"', "“", "(")):
        return True
    if parse.tokens[one.head].lower() == "it" and any(token in ("that", "to") for token in parse.tokens[two.first : two.last + 3]):
        return True  # "it took them years to", "it was argued by some that"
    return _is_foreign_agent(parse, clause, one, two) or _has_relative(parse, two.last + 1) or _goes_on(tree, clause, two)


def _is_clausal(tree: Tree, clause: int) -> bool:
    """Tell whether the clause hangs on a verb or a predicate, and no finite verb on a noun, as where the parser has understood it."""
    parse, head = tree.parse, tree.parse.heads[clause]
    if not (head == clause or parse.tags[head].startswith(("VB", "MD")) or tree.children(head, "cop")):
        return False
    attributes = (place for place in range(len(parse)) if parse.deps[place] == "acl" and parse.tags[place] in FINITE_TAGS)
    return all(tree.children(place, "mark") for place in attributes)


def _begins_clause(tree: Tree, clause: int, first: int) -> bool:
    """Tell whether the words before the subject are none of its own: the sentence's start, a comma, a conjunction."""
    parse, place = tree.parse, first - 1
    if place < 0 or parse.tokens[place] in ("!", "?", ";", ":"):
        return True
    if parse.tokens[place] == ".":
        return place > 0 and not parse.tokens[place - 1][0].isupper()  # not "Maj. Gen. Meade"
    word, tag = parse.tokens[place].lower(), parse.tags[place]
    if tag == ",":
        return not _ends_noun_phrase(parse, place)
    if tag == "CC":
        return place == 0 or (parse.heads[place] == clause and parse.deps[clause] == "conj" and _has_finite(tree, parse.heads[clause]))
    if tag in ("IN", "WRB"):
        return tag == "WRB" or (parse.deps[place] == "mark" and word in _CONJUNCTIONS)
    if tag.startswith("VB"):
        return parse.deps[clause] == "ccomp" and parse.heads[clause] == place
    return tag == "RB" and word not in _FOCUSING and _is_adverb(parse, place)


def _ends_noun_phrase(parse: Parse, comma: int) -> bool:
    """Tell whether the words before a comma are a noun phrase, to which the subject may be an apposition; a time is none."""
    start = max((place + 1 for place in range(comma) if parse.tokens[place] in (",", ";", ":", ".")), default=0)
    if start == comma or parse.tags[start] not in _PHRASE_OPENERS or FINITE_TAGS & set(parse.tags[start:comma]):
        return False
    if start > 0 and start == comma - 1 and parse.tags[start] == "NNP":
        return False  # "In Rome, Italy, he"
    return not any(is_time(parse, place) for place in range(start, comma))


def _has_finite(tree: Tree, head: int) -> bool:
    return any(is_finite(tree, verb) for verb in (head, *tree.children(head, "aux", "cop")))


def _is_adverb(parse: Parse, place: int) -> bool:
    word = parse.tokens[place].lower()
    return parse.tags[place].startswith("RB") and (word in _ADVERBS or word in _FOCUSING or word.endswith("ly"))


def _frames_verb(tree: Tree, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether nothing but adverbs stands between the phrases and the verbs."""
    parse = tree.parse
    first_verb = min([clause, *tree.children(clause, "aux", "cop")])
    if not all(_is_adverb(parse, place) for place in range(one.last + 1, first_verb)):
        return False
    if parse.deps[one.head] != "nsubj":
        return True
    between = range(clause + 1, two.first)
    if parse.tags[one.head] == "PRP" and any(parse.tags[place] == "RP" for place in between):
        return False  # "give up him"
    return all(_is_adverb(parse, place) or parse.tags[place] in ("RP", "``") for place in between)


def _is_foreign_agent(parse: Parse, clause: int, one: NounPhrase, two: NounPhrase) -> bool:
    """Tell whether the words after "by" may belong to another verb or noun: "supported by him", "writings by him"."""
    if parse.deps[one.head] != "nsubj:pass":
        return False
    between = range(clause + 1, two.first - 1)
    return parse.tags[two.first - 2] in ("NN", "NNS") or any(parse.tags[place] == "VBN" or parse.tokens[place] == "by" for place in between)


def _has_relative(parse: Parse, place: int) -> bool:
    """Tell whether a relative clause after a comma stands further on in the sentence: it may be about the phrase that moves."""
    for index in range(place, len(parse)):
        if parse.tokens[index] in (".", "!", "?"):
            return False
        after_comma = parse.tokens[index - 1] == "," or (parse.tags[index - 1] == "IN" and parse.tokens[index - 2] == ",")
        if parse.tokens[index].lower() in _RELATIVES and after_comma:
            return True
    return False


def _goes_on(tree: Tree, clause: int, phrase: NounPhrase) -> bool:
    """Tell whether the words after the object may belong to it."""
    parse, place = tree.parse, phrase.last + 1
    if _is_gapped(tree, place):
        return True
    while place < len(parse) and _is_adverb(parse, place):
        place += 1
    if place >= len(parse):
        return False
    word, tag = parse.tokens[place].lower(), parse.tags[place]
    if tag == ",":
        return not _resumes(tree, clause, place + 1)
    if word == ".":
        return place + 2 < len(parse)  # the full stop of an abbreviation, maybe
    if parse.tokens[place - 1] == "twice" and word == "a":
        return False
    if word == "when" or (word == "to" and _opens_purpose(tree, clause, phrase.head, place)):
        return False
    if word in _DASHES or tag in _GOING_ON | FINITE_TAGS or tag.startswith("RB") or parse.tokens[place : place + 2] == ("as", "well"):
        return True
    if tag in ("IN", "TO") and word not in _UNBOUND:
        return not (_hangs_on_nothing(parse, phrase, place) or _is_adverbial(tree, clause, phrase.head, place))
    return tag == "CC" and not _is_new_predicate(tree, clause, place)


def _opens_purpose(tree: Tree, clause: int, head: int, place: int) -> bool:
    """Tell whether an infinitive says what the deed is for: "used the money to buy a car", not "had the right to vote"."""
    parse, verb = tree.parse, tree.parse.heads[place]
    if parse.tags[place] != "TO" or parse.heads[verb] != clause or verb_lemma(parse.tokens[verb], "VB", parse.lemmas[verb]) is None:
        return False
    return parse.lemmas[head].lower() not in OPEN_NOUNS


def _hangs_on_nothing(parse: Parse, phrase: NounPhrase, place: int) -> bool:
    """Tell whether the object is a pronoun or a bare name, on which no preposition hangs but those of titles: "Incense for the Damned"."""
    if parse.tags[phrase.last] == "PRP":
        return phrase.first == phrase.last
    word, following = parse.tokens[place].lower(), parse.tokens[place + 1 : place + 3]
    if word == "of" or not {"DT", "NNP"}.issuperset(parse.tags[phrase.first : phrase.last + 1]):
        return False
    return word != "for" or not any(token[0].isupper() for token in following)


def _is_new_predicate(tree: Tree, clause: int, place: int) -> bool:
    """Tell whether the conjunction at `place` opens a finite predicate with a subject of its own, or with the one that moves."""
    parse, conjunct = tree.parse, tree.parse.heads[place]
    if parse.deps[conjunct] != "conj" or not (tree.children(conjunct, "nsubj", "expl") or parse.heads[conjunct] == clause):
        return False
    return any(parse.tags[verb] in FINITE_TAGS for verb in (conjunct, *tree.children(conjunct, "aux", "cop")))


def _resumes(tree: Tree, clause: int, place: int) -> bool:
    """Tell whether a new clause begins after the comma: "..., but he", "..., while", "..., making"."""
    parse = tree.parse
    if place + 1 >= len(parse):
        return False
    word, tag, following = parse.tokens[place].lower(), parse.tags[place], parse.tags[place + 1]
    if tag == "VBG":
        return word not in _EXPLAINING
    if word in _SUBORDINATORS:
        return True
    if word not in ("and", "but"):
        return False
    subjects = tree.children(parse.heads[place], "nsubj")
    whole = following in FINITE_TAGS or any(tree.first(subject) == place + 1 for subject in subjects)
    return following == "PRP" or (whole and _is_new_predicate(tree, clause, place))


def _is_gapped(tree: Tree, place: int) -> bool:
    """Tell whether a second object follows without its verb: "followed by Hemmer in 1931 and Paloheimo in 1942"."""
    parse = tree.parse
    named = is_name(parse, place - 1) and parse.tags[place - 1] != "PRP"
    for index in range(place, len(parse) - 1):
        if parse.tags[index] in FINITE_TAGS:
            return False
        following, conjunct = parse.tokens[index + 1], parse.heads[index]
        second_name = following[0].isupper() or (following == "the" and parse.tokens[min(index + 2, len(parse) - 1)][0].isupper())
        if parse.tags[index] != "CC" or following in MONTHS or following == parse.tokens[place]:
            continue
        repeated = parse.tags[place] == "IN" and parse.tokens[place] in parse.tokens[index:]
        listed = parse.tokens[index - 1] == "," and parse.tags[conjunct] in _NOUN_TAGS and not tree.children(conjunct, "cop")
        if repeated or listed or (named and second_name):
            return True
    return False


def _is_adverbial(tree: Tree, clause: int, head: int, place: int) -> bool:
    """Tell whether a preposition opens a time, a place, or the way a thing is done: what hangs on no noun."""
    parse, noun, word = tree.parse, tree.parse.heads[place], tree.parse.tokens[place]
    if parse.heads[noun] != clause:
        return False
    if parse.tags[noun] == "NNP" and word in ("in", "at"):
        return not _OPEN_ENDED.fullmatch(parse.lemmas[head].lower())
    return is_time(parse, noun) or (parse.tags[noun] == "VBG" and word == "by")

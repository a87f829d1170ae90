"""Whether a verb that a summary keeps is left without what it cannot do without.

The parser gives many a complement to the wrong head; what stands right after a verb is surer than its labels.
"""

from __future__ import annotations

from augcse.augmentations.english.tree import FINITE_TAGS
from augcse.augmentations.rules.syntax.summarization.clauses import is_sound
from augcse.augmentations.rules.syntax.summarization.noun_words import chunk_end, chunk_start
from augcse.augmentations.rules.syntax.summarization.nouns import NOUN_TAGS, can_be
from augcse.augmentations.rules.syntax.summarization.predicates import lacks_predicate
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, Summary, has_finite_verb, particles
from augcse.augmentations.rules.syntax.summarization.word_lists import (
    AS_VERBS,
    CAUSING,
    CLAUSE_OPENERS,
    DIRECTED,
    DIRECTIONS,
    FREE_GERUND,
    GOALS,
    LOOSE_ADVERBS,
    NAMING,
    NEEDING_AS,
    PERCEIVING,
    REPORTING,
    REQUIRES_COMPLEMENT,
    REQUIRES_COMPLEMENT_IN_PASSIVE,
    RESULTING,
    SEPARATED,
    TELLING,
    TIMES,
    TRANSITIVE,
    URGING,
)

OPENING_TAGS = NOUN_TAGS | {"DT", "PDT", "PRP", "PRP$", "CD", "JJ", "JJR", "JJS", "$", "EX", "WP", "WDT"}
_ADVERB_TAGS = frozenset({"RB", "RBR", "RBS"})
_VERB_TAGS = frozenset({"VBN", "VBD", "VB", "VBP", "VBZ", "MD"})


def lacks_complement(summary: Summary, clause: int) -> bool:
    """Tell whether the summary leaves out what stands right after the verb, or what the verb cannot do without."""
    if _is_no_verb(summary, clause) or _has_other_subject(summary, clause) or _negates_more(summary, clause):
        return True
    if summary.tree.children(clause, "cop"):
        return lacks_predicate(summary, clause)
    if _is_split(summary, clause) or _goes_on_to(summary, clause) or _says_too_little(summary, clause):
        return True
    return _stands_apart(summary, clause) or _leaves_out(summary, clause)


def is_loose(summary: Summary, clause: int) -> bool:
    """Tell whether a kept subordinate clause has no subject of its own, one that does not agree, or an opening that is left out."""
    tree, parse = summary.tree, summary.tree.parse
    above = parse.heads[clause]
    if parse.tags[clause] == "VBN" and not tree.children(clause, "aux", "cop", "nsubj"):
        return True
    if parse.tags[clause] == "VBG" and (above < clause - 3 or tree.children(above, "aux:pass", "obj")):
        return True
    if any(parse.tags[place].startswith("W") for place in range(above + 1, clause)):
        return True
    opening = {summary.word(place) for place in tree.children(clause, "mark")}
    finite, subjects = has_finite_verb(tree, clause), tree.children(clause, *SUBJECTS)
    return bool(opening - {"that", "to"}) or finite != bool(subjects) or (finite and not is_sound(tree, clause))


def _is_no_verb(summary: Summary, clause: int) -> bool:
    """Tell whether the dictionary knows the word as another part of speech only, or its auxiliary stands after it."""
    tree = summary.tree
    if summary.tag(clause).startswith("VB") and not can_be(summary.word(clause), "v"):
        return True
    return any(place > clause for place in tree.children(clause, "aux", "cop"))


def _has_other_subject(summary: Summary, clause: int) -> bool:
    """Tell whether a clause of another kind may stand between the subject and its verb, so that the subject may be another's."""
    tree = summary.tree
    if any(tree.children(subject, "obj", "obl", "xcomp") for subject in tree.children(clause, "csubj")):
        return True
    verb = min([clause, *tree.children(clause, "aux", "cop")])
    return any(_hides_clause(summary, range(subject + 1, verb)) for subject in tree.children(clause, *SUBJECTS))


def _hides_clause(summary: Summary, between: range) -> bool:
    tags = [summary.tag(place) for place in between]
    words = [summary.word(place) for place in between]
    relative = "that" in words or any(tag.startswith("W") for tag in tags)
    if not relative and FINITE_TAGS & set(tags):
        return True
    if any(tag == "IN" and word in CLAUSE_OPENERS for tag, word in zip(tags, words, strict=True)):
        return True
    joints = [place for place in between if summary.tag(place) == "CC"]
    return any(summary.word(place - 1) == "," or ("VBN" in tags and summary.tag(place + 1) == "DT") for place in joints)


def _negates_more(summary: Summary, clause: int) -> bool:
    """Tell whether a "not" belongs to an adverb or the subject, or the verb is negated with a number: "never more than two"."""
    tree, parse = summary.tree, summary.tree.parse
    first = min([clause, *tree.children(clause, "aux", "cop")])
    negations = [place for place in range(first, clause + 1) if parse.is_negation(place) or summary.word(place) == "never"]
    before = range(tree.first(clause), min(tree.children(clause, *SUBJECTS), default=0))
    if any(map(parse.is_negation, before)) or any(parse.heads[place] != clause for place in negations):
        return True
    return bool(negations) and any(summary.word(place) in ("more", "less", "all", "every") for place in range(clause, len(parse)))


def _is_split(summary: Summary, clause: int) -> bool:
    """Tell whether a noun stands between auxiliary and verb, as where "is a footballer playing" is read as "is playing"."""
    first = min([clause, *summary.tree.children(clause, "aux")])
    return any(summary.tag(place) in NOUN_TAGS | {"DT", "IN", "PRP"} for place in range(first + 1, clause))


def _goes_on_to(summary: Summary, clause: int) -> bool:
    """Tell whether "from" is kept and the "to" after it is not."""
    tree, parse = summary.tree, summary.tree.parse
    obliques = [place for place in tree.children(clause, "obl") if place in summary.places]
    starts = [place for place in obliques if any(summary.word(case) == "from" for case in tree.children(place, "case"))]
    goals = (place for place in range(min(starts, default=len(parse)), len(parse)) if summary.word(place) in GOALS)
    return any(parse.deps[place] in ("case", "mark") for place in goals)


def _after(summary: Summary, clause: int) -> tuple[int, int]:
    """Return the place after the verb and its particles, and the place after the adverbs that follow."""
    first = max([clause, *(place for place in particles(summary.tree, clause) if place < clause + 4)]) + 1
    place = first
    while summary.tag(place) in _ADVERB_TAGS and summary.word(place) not in ("not", "n't"):
        place += 1
    return first, place


def _says_too_little(summary: Summary, clause: int) -> bool:
    """Tell whether the verb needs an object or a complement of a kind that is not kept."""
    tree, lemma, passive = summary.tree, summary.lemma(clause), bool(summary.tree.children(clause, "aux:pass"))
    (first, after), own = _after(summary, clause), {clause, *particles(tree, clause)}
    if not any(place > clause for place in summary.places - own):
        adverbs = {summary.word(place) for place in range(first, after)}
        it = passive and any(summary.word(place) == "it" for place in tree.children(clause, *SUBJECTS))
        cut = not passive and summary.word(first) == ","
        if (
            it
            or cut
            or adverbs & LOOSE_ADVERBS
            or summary.word(after) == "that"
            or lemma in (REQUIRES_COMPLEMENT_IN_PASSIVE if passive else REQUIRES_COMPLEMENT)
        ):
            return True
    if passive and lemma in NEEDING_AS and not any(summary.word(place) == "as" for place in summary.places):
        return True
    if lemma in ("have", "be") and (summary.tag(after) in ("VBN", "VBD") or summary.word(after).endswith("ed")):
        return True  # "have formulated views"
    if summary.keeps_any(tree.children(clause, "obj", "iobj", "xcomp", "ccomp")):
        return False
    clause_after = any(summary.word(place) == "that" and summary.tag(place) == "IN" for place in range(after, len(tree.parse)))
    return (lemma in TRANSITIVE and not passive) or (lemma in REPORTING and clause_after)


def _stands_apart(summary: Summary, clause: int) -> bool:
    """Tell whether the object stands away from the verb, has a complement this verb takes none of, or is a number without a noun."""
    tree = summary.tree
    objects = [place for place in tree.children(clause, "obj", "iobj") if place in summary.places]
    others = [place for place in tree.children(clause, "obl", "xcomp") if place in summary.places]
    if any(summary.tag(place) == "CD" and not tree.children(place, "case") for place in others):
        return True
    predicated = any(tree.parse.has_label(place, "xcomp") and summary.tag(place).startswith(("JJ", "RB")) for place in others)
    if objects and predicated and summary.lemma(clause) not in NAMING | RESULTING:
        return True
    _, after = _after(summary, clause)
    start = min((chunk_start(tree.parse, place) for place in objects), default=after)
    return start > after and not tree.children(clause, "expl") and summary.tag(after) not in ("CC", "DT", "PDT", "IN")


def _leaves_out(summary: Summary, clause: int) -> bool:
    """Tell whether the words that begin right after the verb belong to it and are left out."""
    parse = summary.tree.parse
    first, after = _after(summary, clause)
    tag, word = summary.tag(after), summary.word(after)
    if tag in OPENING_TAGS or (tag == "CC" and word in ("both", "either", "neither")):
        last = chunk_end(parse, after)
        if tag == "NN" and parse.tokens[after].islower() and not can_be(word, "n"):
            return True  # "helped facilitate diversification"
        return last not in summary.places or _lacks_second(summary, clause, last + 1)
    if tag == "VBG" or (tag == "VBN" and parse.deps[after] in ("amod", "compound")):
        return not summary.keeps_any((after, chunk_end(parse, after)))
    if tag in _VERB_TAGS:
        return after not in summary.places
    if tag in ("IN", "TO", "RP"):
        return _leaves_preposition(summary, after, first < after)
    return tag in ("WP", "WDT") or (tag == "WRB" and word in ("how", "why"))


def _leaves_preposition(summary: Summary, after: int, adverb: bool) -> bool:
    """Tell whether the phrase or clause of the preposition at `after`, maybe after an adverb, belongs to the verb and is left out."""
    parse, word = summary.tree.parse, summary.word(after)
    if any(parse.deps[place] == "obl:agent" for place in summary.places):
        return False
    if after in summary.places:
        return adverb and word in ("of", "from", "than", "as")
    if parse.deps[after] != "mark":
        return True
    gerund = summary.tag(after + 1) == "VBG"
    as_it_is = word == "as" and has_finite_verb(summary.tree, parse.heads[after])
    return not (word in CLAUSE_OPENERS or word == "that" or (gerund and word in FREE_GERUND) or as_it_is)


def _lacks_second(summary: Summary, clause: int, following: int) -> bool:
    """Tell whether a second object or a complement of the object, which opens at `following`, is left out: "allow them a share"."""
    parse, lemma = summary.tree.parse, summary.lemma(clause)
    tag, word = summary.tag(following), summary.word(following)
    if tag in OPENING_TAGS - {"WDT", "WP"}:
        end = chunk_end(parse, following)
        return end not in summary.places and not any(summary.lemma(place) in TIMES for place in range(following, end + 1))
    if tag in ("RB", "RP", "IN") and word in SEPARATED and summary.tag(following + 1) not in ("DT", "NN", "NNP"):
        return True
    if following in summary.places:
        return False
    if word == "that" and tag == "IN":
        return lemma in TELLING
    if tag in ("VB", "VBG", "VBN"):
        return lemma in PERCEIVING
    if tag == "TO":
        to_noun = parse.deps[following] == "case" and lemma in DIRECTED
        return to_noun or lemma in CAUSING | URGING or summary.word(following + 1) == "be"
    directed = lemma in DIRECTED and word in DIRECTIONS
    return tag == "RP" or (tag == "IN" and (directed or (word == "as" and lemma in AS_VERBS)))

"""Summarization: the bare subject, verb and object of each clause."""

from __future__ import annotations

import re
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.phrase import Tree, agrees, is_finite

_SUBJECTS = ("nsubj", "csubj", "expl")
_NAME_TAGS = frozenset({"NNP", "NNPS"})
_NEGATIONS = frozenset({"never", "longer"})
_DO = frozenset({"do", "does", "did"})
_FULL_FORM = {
    "wo": "will", "ca": "can", "sha": "shall", "'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "'re": "are", "’re": "are",
    "'m": "am", "’m": "am",
}  # fmt: skip
# Words that mean little without the noun behind "of".
_QUANTITIES = frozenset(
    "one some most many all each half part number majority lot kind type form series member group pair set variety none two three"
    " several any rest couple range piece sort".split()
)
_NAMING = frozenset("call name become make elect appoint remain consider title dub declare seem prove crown rename nickname label".split())
_HYPHEN_BEFORE = re.compile(r"(?:\w+[-–/])+\Z")
_HYPHEN_BEHIND = re.compile(r"(?:[-–/]\w+(?:['’](?!s\b)\w+)?)+")
_WORD_LENGTH = 40
_MAX_DEPTH = 3


@augmentation(
    "Summarization",
    family="syntax",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter summarization_transformation (Dhole et al. 2021)",
    needs=("parse",),
    example=Example(
        "Stillwater is not a 2010 American live-action/animated dark fantasy adventure film.",
        "Stillwater !is film",
    ),
)
def summarization(parse: Parse, rng: Random) -> str | None:
    """Keep the subject, the verb and the object of each main clause, as in a telegram; "!" marks a negated verb.

    Of a phrase its head word stays, of a name all of it, of coordinated words each; a predicate counts as object, an intransitive
    verb keeps its first complement with the preposition. Deterministic. Deviations from NL-Augmenter, whose result can be empty
    and cuts names ("Parsley Energy" -> "Energy"): names stay whole, auxiliaries stay ("can", "was"), a text without a verb is
    left alone.
    """
    tree = Tree(parse)
    heads = _main_clauses(tree)
    if not heads or tree.children(heads[0], "mark") or not tree.children(heads[0], *_SUBJECTS):
        return None
    if not all(_is_sound(tree, head) for head in heads):
        return None
    clauses = [_telegram(tree, head, 0) for head in heads]
    summary = ", ".join(clause for clause in clauses if clause)
    if any(len(set(clause.split()) - {"is", "are", "was", "were"}) < 2 for clause in clauses):
        return None  # "proteins are proteins"
    return summary if _letters(summary) != _letters(parse.text) else None


def _is_sound(tree: Tree, head: int) -> bool:
    """Tell whether subject and verb agree, as they do where the parser has found the right subject."""
    subjects = tree.children(head, "nsubj")
    finite = [place for place in sorted((head, *tree.children(head, "aux", "cop"))) if is_finite(tree, place)]
    parse = tree.parse
    if any(tree.children(subject, "case") or parse.tags[subject].startswith(("JJ", "V")) for subject in subjects):
        return False
    if (parse.tags[head] == "VBN" and tree.children(head, "cop")) or len(tree.children(head, "obj")) > 1:
        return False
    if subjects and subjects[0] > head and not tree.children(head, "expl"):
        return False
    return not subjects or not finite or agrees(tree, subjects[-1], finite[0])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _main_clauses(tree: Tree) -> list[int]:
    """Return the heads of the main clauses: roots that have a verb, and what is coordinated with them."""
    heads = [root for root in tree.parse.roots() if _is_clause(tree, root) and _is_finite(tree, root)]
    for head in heads:
        coordinated = (child for child in tree.children(head, "conj", "parataxis") if not tree.children(child, "mark"))
        coordinated = (child for child in coordinated if _is_clause(tree, child))
        heads.extend(child for child in coordinated if _is_finite(tree, child) or tree.parse.tags[child] == tree.parse.tags[head])
    return sorted(heads)


def _is_clause(tree: Tree, head: int) -> bool:
    return tree.parse.tags[head].startswith("VB") or bool(tree.children(head, "cop"))


def _is_finite(tree: Tree, head: int) -> bool:
    return any(is_finite(tree, place) for place in (head, *tree.children(head, "aux", "cop")))


def _telegram(tree: Tree, head: int, depth: int) -> str:
    """Return subject, verb and object of the clause, in this order."""
    expletives = [place for place in tree.children(head, "expl") if tree.parse.tokens[place].lower() == "there"]
    subjects = [_phrase(tree, place) for place in tree.children(head, *_SUBJECTS)]
    if expletives:
        there = tree.parse.tokens[expletives[0]]
        return " ".join([there, _verb(tree, head), *(subject for subject in subjects if subject != there)])
    return " ".join([*subjects[:1], _verb(tree, head), *_objects(tree, head, depth)]).strip()


def _verb(tree: Tree, head: int) -> str:
    """Return auxiliaries and verb, without do-support, with "!" in front if they are negated."""
    parse = tree.parse
    helpers = [place for place in tree.children(head, "aux", "cop") if parse.tokens[place].lower() not in _DO]
    negated = any(parse.is_negation(place) or parse.tokens[place].lower() in _NEGATIONS for place in tree.dependents[head])
    helpers = helpers if negated else tree.children(head, "aux", "cop")
    verbs = [*helpers, *([] if tree.children(head, "cop") else [head, *tree.children(head, "compound:prt")])]
    verbs += [place for place in tree.children(head, "mark") if helpers and parse.tokens[place] == "to" and min(helpers) < place < head]
    opening = [place for place in tree.children(head, "mark") if parse.tokens[place] == "to" and place < min(verbs, default=0)]
    infinitive = "to " if opening else ""
    words = [_full_form(parse, place) for place in sorted(verbs)]
    return infinitive + "!" * negated + " ".join(words)


def _full_form(parse: Parse, place: int) -> str:
    word = parse.tokens[place].lower()
    if word in ("'s", "’s"):
        return "has" if parse.lemmas[place] == "have" else "is"
    return _FULL_FORM.get(word) or _whole(parse, place, place)


def _objects(tree: Tree, head: int, depth: int) -> list[str]:
    """Return the predicate, the objects, or where there are none the first complement behind the verb with its preposition."""
    if tree.children(head, "cop"):
        return [_with_preposition(tree, head)]
    objects = [_phrase(tree, place) for place in tree.children(head, "iobj", "obj") if not _is_stray(tree, head, place)]
    clauses = tree.children(head, "xcomp", "ccomp") if depth < _MAX_DEPTH else []
    objects += [_complement(tree, place, depth) for place in clauses[:1] if _is_complement(tree, head, place)]
    if objects:
        return objects
    behind = [place for place in tree.children(head, "obl") if place > head]
    obliques = [place for place in behind if tree.children(place, "case") or tree.parse.deps[place] == "obl:unmarked"]
    agents = [place for place in obliques if tree.parse.deps[place] == "obl:agent"]
    return [_with_preposition(tree, place) for place in (agents or obliques)[:1]]


def _is_stray(tree: Tree, head: int, place: int) -> bool:
    """Tell whether an object is none of the verb's: behind a comma or a relative pronoun, or the conjunction "that"."""
    between = tree.parse.tags[head + 1 : tree.first(place)]
    return bool({"WDT", "WP", "WRB", ","} & set(between)) or tree.parse.tokens[place].lower() == "that"


def _is_complement(tree: Tree, head: int, place: int) -> bool:
    """Tell whether a clause or predicate belongs to the verb; the parser labels many a stray noun so."""
    parse = tree.parse
    return place > head and (_is_clause(tree, place) or parse.tags[place].startswith("JJ") or parse.lemmas[head].lower() in _NAMING)


def _complement(tree: Tree, head: int, depth: int) -> str:
    return _telegram(tree, head, depth + 1) if _is_clause(tree, head) else _with_preposition(tree, head)


def _with_preposition(tree: Tree, head: int) -> str:
    cases = [place for place in tree.children(head, "case") if place < head]
    prepositions = [tree.parse.tokens[place] for case in cases for place in (case, *tree.children(case, "fixed"))]
    return " ".join([*prepositions, _phrase(tree, head)])


def _phrase(tree: Tree, head: int) -> str:
    """Return the head word of a phrase and those coordinated with it."""
    parse = tree.parse
    heads = [head, *(place for place in tree.children(head, "conj") if not _is_clause(tree, place))]
    joints = [parse.tokens[place].lower() for other in heads[1:] for place in tree.children(other, "cc")]
    return f" {joints[-1] if joints else 'and'} ".join(_noun(tree, place) for place in heads)


def _noun(tree: Tree, head: int) -> str:
    """Return the noun; of a name all its words, of a quantity the noun behind "of" too, and "no" or a number right before it."""
    parse = tree.parse
    first = head
    while first > 0 and parse.tags[head] in _NAME_TAGS and _is_name_part(tree, first - 1, head):
        first -= 1
    last = head
    while last + 1 < len(parse) and parse.tags[head] in _NAME_TAGS and _is_name_part(tree, last + 1, head):
        last += 1
    if first == last == head and first > 0 and parse.heads[head - 1] == head and parse.deps[head - 1] == "nummod":
        first -= 1
    noun = _whole(parse, first, last)
    if any(parse.tokens[place].lower() == "no" for place in tree.children(head, "det")):
        noun = f"no {noun}"
    if parse.tokens[head].lower() in _QUANTITIES:
        whole = [place for place in tree.children(head, "nmod") if tree.children(place, "case")]
        return " ".join([noun, *(_with_preposition(tree, place) for place in whole[:1])])
    return noun


def _is_name_part(tree: Tree, place: int, head: int) -> bool:
    """Tell whether the word belongs to the name headed by `head`; the parser hangs names on their first or on their last word."""
    parse = tree.parse
    below = parse.heads[place] == head or parse.heads[parse.heads[place]] == head
    return below and parse.has_label(place, "compound", "flat", "amod") and parse.tokens[place][0].isupper()


def _whole(parse: Parse, first: int, last: int) -> str:
    """Return the text of the tokens, widened over hyphens: "on" in "add-on" is no word."""
    text, start, end = parse.text, parse.starts[first], parse.end(last)
    before = _HYPHEN_BEFORE.search(text, max(0, start - _WORD_LENGTH), start)
    behind = _HYPHEN_BEHIND.match(text, end)
    return text[before.start() if before else start : behind.end() if behind else end]

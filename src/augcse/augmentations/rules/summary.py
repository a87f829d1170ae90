"""Summarization: the bare subject, verb and object of each clause."""

from __future__ import annotations

import re
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.capitals import opening_case
from augcse.augmentations.caution import tears_summary
from augcse.augmentations.phrase import FINITE_TAGS, Tree, agrees, is_finite

_SUBJECTS = ("nsubj", "csubj", "expl")
_NAME_TAGS = frozenset({"NNP", "NNPS"})
# Small words inside of names: "Félix da Costa", "House of Lords".
_PARTICLES = frozenset("da de di do dos das del della degli der den des du la le van von zu ibn bin al el ter ten y e of".split())
_NEGATIONS = frozenset({"never", "longer"})
_DO = frozenset({"do", "does", "did"})
_FULL_FORM = {
    "wo": "will", "ca": "can", "sha": "shall", "'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "'re": "are", "’re": "are",
    "'m": "am", "’m": "am",
}  # fmt: skip
# Words that mean little without the noun behind "of".
_QUANTITIES = frozenset(
    "one some most many all each half part number majority lot kind type form series member group pair set variety none two three"
    " several any rest couple range piece sort amount".split()
)
# Their object is the subject of an infinitive, which the parser often hangs elsewhere.
_CAUSING = frozenset("allow enable cause force require ask tell permit lead encourage persuade order expect".split())
_NAMING = frozenset("call name become make elect appoint remain consider title dub declare seem prove crown rename nickname label".split())
_OBJECT_TAGS = frozenset({"DT", "JJ", "NN", "NNS", "NNP", "VBG", "PRP", "PRP$", "CD", ","})
_UNCERTAIN_MARKS = frozenset({":", "—", "–", "--", "?", "..."})
_REPEATED = re.compile(r"\b(\S.*) and \1\b")
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
    if not all(_is_sound(tree, head) for head in heads) or not _is_understood(tree, heads):
        return None
    clauses = [_telegram(tree, head, 0) for head in heads]
    summary = ", ".join(clause for clause in clauses if clause)
    if any(len(set(clause.lower().split()) - {"is", "are", "was", "were"}) < 2 for clause in clauses):
        return None  # "proteins are proteins"
    if tears_summary(tree, heads, summary) or _REPEATED.search(summary) or any(_has_lost_object(tree, head) for head in heads):
        return None
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
    first = tree.first(subjects[0]) if subjects else 0
    if parse.deps[head] == "ROOT" and first > 1 and parse.tags[first - 1] == "CC":
        return False  # half of a coordinated subject
    return not subjects or not finite or agrees(tree, subjects[-1], finite[0])


def _is_understood(tree: Tree, heads: list[int]) -> bool:
    """Tell whether the parser has told main and subordinate clauses apart: each clause opens as its label says."""
    parse = tree.parse
    if _UNCERTAIN_MARKS & set(parse.tokens) or len(parse.roots()) > 1 or _quotes_clause(parse):
        return False
    return all(_is_main(tree, head) for head in heads) and all(
        _is_main_or_subordinate(tree, parse.clause_head(place), frozenset(heads))
        for place in range(len(parse))
        if parse.tags[place] in FINITE_TAGS
    )


def _quotes_clause(parse: Parse) -> bool:
    """Tell whether a clause stands in quotation marks or brackets."""
    quoted = False
    for tag, token in zip(parse.tags, parse.tokens, strict=True):
        quoted = (quoted != (token == '"') or token in ("“", "(")) and token != ")"
        if quoted and tag in FINITE_TAGS:
            return True
    return False


def _is_main(tree: Tree, head: int) -> bool:
    parse = tree.parse
    below = tree.dependents[head]
    near = [*below, *(place for child in below if parse.has_label(child, *_SUBJECTS, "obl") for place in tree.dependents[child])]
    subjects = tree.children(head, *_SUBJECTS)
    first_verb = min([head, *tree.children(head, "aux", "cop")])
    inverted = not tree.children(head, "expl") and any(subject > first_verb for subject in tree.children(head, "nsubj"))
    # "Written a week later": a participle, or a past tense the tagger took for one.
    participle = parse.tags[first_verb] == "VBN" and not any(parse.tags[place].startswith("N") for place in tree.children(head, "obj"))
    if participle or inverted or (parse.lemmas[head].lower() in _CAUSING and not tree.children(head, "xcomp")):
        return False
    if any(parse.tags[place].startswith("W") and place < head for place in near) or any(tree.children(place, "cop") for place in subjects):
        return False
    if len([place for place in subjects if not parse.has_label(place, "expl")]) > 1:
        return False
    named = [head, *(place for place in below if parse.has_label(place, *_SUBJECTS, "obj", "iobj", "obl", "xcomp"))]
    if any(_is_misread(tree, place) for place in named) or any(_lacks_verb(tree, place) for place in tree.children(head, "ccomp")):
        return False
    # A noun coordinated with a verb is half of a list.
    coordinated = [child for child in tree.children(head, "conj") if not _is_clause(tree, child)]
    return not any(not tree.children(head, "cop") or tree.children(child, "case") for child in coordinated)


def _is_misread(tree: Tree, head: int) -> bool:
    """Tell whether a noun goes on where the parser ends it, or is coordinated with what is no equal of its."""
    parse = tree.parse
    if parse.has_label(head, "obj") and parse.tags[head].startswith("JJ") and parse.tokens[head].lower() not in _QUANTITIES | {"much"}:
        return True
    start, following = _name(parse, head) if _is_named(parse, head) else (head, head + 1)
    going_on = parse.tags[head].startswith(("NN", "JJ")) and following < len(parse) and parse.tags[following] in ("NN", "NNS", "VBG", "JJ")
    if going_on and (parse.heads[following] != head or parse.tags[following] == "NN"):
        return True
    if any(parse.tags[place] == "TO" or parse.tokens[place] == "than" for place in tree.children(head, "case")):
        return True
    if tree.children(head, "case") and tree.children(head, "cop") and parse.tags[head].startswith("JJ"):
        return True  # "is at once terrifying"
    if parse.tags[head] in ("RB", "$") or (parse.has_label(head, "obl") and parse.tags[head].startswith("JJ")):
        return True  # "is yet to be", "$ 5", "in early"
    if any(parse.tags[place] == "RB" and parse.has_label(place, "advmod") for place in tree.children(head) if place == head + 1):
        return True  # the noun goes on: "his England U20 debut"
    conjuncts = [child for child in tree.children(head, "conj") if not _is_clause(tree, child) and not start <= child < following]
    joints = sum(len(tree.children(child, "cc")) for child in conjuncts)
    # None, or two: what is coordinated with what is in doubt.
    return (bool(conjuncts) and joints != 1) or any(_is_unequal(tree, head, child) for child in conjuncts)


def _is_unequal(tree: Tree, head: int, conjunct: int) -> bool:
    parse = tree.parse
    adjectives = [parse.tags[place].startswith(("JJ", "V")) for place in (head, conjunct)]
    unlike = adjectives[0] != adjectives[1] or bool(tree.children(conjunct, "case"))
    behind = parse.tags[conjunct + 1] if conjunct + 1 < len(parse) and not parse.has_label(head, *_SUBJECTS) else "."
    return unlike or behind in FINITE_TAGS | {"VB"} or any(tag.startswith(("V", "W", "MD")) for tag in parse.tags[head + 1 : conjunct])


def _lacks_verb(tree: Tree, clause: int) -> bool:
    """Tell whether a clause begins with "that" and has no finite verb, or stands before its subject: the parser has lost it."""
    that = any(tree.parse.tokens[place].lower() == "that" for place in tree.dependents[clause])
    inverted = any(subject > min([clause, *tree.children(clause, "aux", "cop")]) for subject in tree.children(clause, "nsubj"))
    return inverted or (that and not _is_finite(tree, clause))


def _is_main_or_subordinate(tree: Tree, clause: int, heads: frozenset[int]) -> bool:
    """Tell whether a finite clause is a main one, or hangs on another as its first word says."""
    parse = tree.parse
    while clause not in heads and parse.deps[clause] == "conj" and parse.heads[clause] != clause:
        clause = parse.heads[clause]
    if clause in heads:
        return True
    label = parse.deps[clause]
    opened = bool(tree.children(clause, "mark")) or any(tag.startswith("W") for tag in parse.tags[tree.first(clause) : clause])
    between = parse.tokens[parse.heads[clause] + 1 : clause]
    if label == "acl:relcl":
        return opened or "," not in between
    if label == "ccomp":
        return not tree.children(clause, "cc") and parse.heads[clause] < clause and ";" not in between
    return label in ("advcl", "acl", "csubj") and opened


def _has_lost_object(tree: Tree, head: int) -> bool:
    """Tell whether a noun phrase or a comma stands behind a verb to which the parser gave no object."""
    parse = tree.parse
    following = max([head, *_particles(tree, head)]) + 1
    behind = parse.tags[following] if following < len(parse) else "."
    if behind not in _OBJECT_TAGS or tree.children(head, "cop", "aux:pass", "expl"):
        return False
    return not _objects(tree, head, 0)


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
    verbs = [*helpers, *([] if tree.children(head, "cop") else [head, *_particles(tree, head)])]
    verbs += [place for place in tree.children(head, "mark") if helpers and parse.tokens[place] == "to" and min(helpers) < place < head]
    opening = [place for place in tree.children(head, "mark") if parse.tokens[place] == "to" and place < min(verbs, default=0)]
    infinitive = "to " if opening else ""
    words = [_full_form(parse, place) for place in sorted(verbs)]
    return infinitive + "!" * negated + " ".join(words)


def _particles(tree: Tree, head: int) -> list[int]:
    """Return the particles of a verb; the one right behind it whatever its label."""
    return [
        place
        for place in tree.dependents[head]
        if tree.parse.deps[place] == "compound:prt" or (place == head + 1 and tree.parse.tags[place] == "RP")
    ]


def _full_form(parse: Parse, place: int) -> str:
    word = parse.tokens[place].lower()
    if word in ("'s", "’s"):
        return "has" if parse.lemmas[place] == "have" else "is"
    return _FULL_FORM.get(word) or _whole(parse, place, place)


def _objects(tree: Tree, head: int, depth: int) -> list[str]:
    """Return the predicate, the objects, or where there are none the first complement behind the verb with its preposition."""
    if tree.children(head, "cop"):
        # "Is able to defend itself."
        clauses = tree.children(head, "xcomp") if tree.parse.tags[head].startswith("JJ") and depth < _MAX_DEPTH else []
        return [_with_preposition(tree, head), *(_complement(tree, place, depth) for place in clauses[:1] if _is_clause(tree, place))]
    objects = [_phrase(tree, place) for place in tree.children(head, "iobj", "obj") if not _is_stray(tree, head, place)]
    clauses = tree.children(head, "xcomp", "ccomp") if depth < _MAX_DEPTH else []
    objects += [_complement(tree, place, depth) for place in clauses[:1] if _is_complement(tree, head, place)]
    if objects:
        return objects
    behind = [place for place in tree.children(head, "obl") if place > head and "," not in tree.parse.tokens[head:place]]
    obliques = [place for place in behind if tree.children(place, "case") or tree.parse.deps[place] == "obl:unmarked"]
    agents = [place for place in obliques if tree.parse.deps[place] == "obl:agent"]
    if tree.children(head, "aux:pass"):
        obliques = [place for place in obliques if tree.children(place, "case")]
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
    named = range(*_name(parse, head)) if _is_named(parse, head) else ()
    heads = [head, *(place for place in tree.children(head, "conj") if not _is_clause(tree, place) and place not in named)]
    joints = [parse.tokens[place].lower() for other in heads[1:] for place in tree.children(other, "cc")]
    return f" {joints[-1] if joints else 'and'} ".join(_noun(tree, place) for place in heads)


def _noun(tree: Tree, head: int) -> str:
    """Return the noun; of a name all its words, of a quantity the noun behind "of" too, and "no" or a number right before it."""
    parse = tree.parse
    first, last = _name(parse, head) if _is_named(parse, head) else (head, head + 1)
    last -= 1
    if first == last == head and parse.tags[head] == "CD" and head > 0 and parse.tags[head - 1] == "NNP":
        first -= 1  # "August 12"
    elif first == last == head and first > 0 and parse.heads[head - 1] == head and parse.deps[head - 1] == "nummod":
        first -= 1
    noun = _whole(parse, first, last)
    if any(parse.tokens[place].lower() == "no" for place in tree.children(head, "det")):
        noun = f"no {noun}"
    if parse.tokens[head].lower() in _QUANTITIES:
        whole = [place for place in tree.children(head, "nmod") if tree.children(place, "case")]
        return " ".join([noun, *(_with_preposition(tree, place) for place in whole[:1])])
    return noun


def _is_named(parse: Parse, head: int) -> bool:
    """Tell whether a noun is a name, by its tag or by its capital and that of the word before: "Blu Tack"."""
    if parse.tags[head] in _NAME_TAGS:
        return True
    capital = head > 1 or (head == 1 and parse.tags[0] in _NAME_TAGS)
    return (
        capital and parse.tokens[head].istitle() and parse.tokens[head - 1].istitle() and parse.tags[head - 1] in _NAME_TAGS | {"NN", "JJ"}
    )


def _name(parse: Parse, head: int) -> tuple[int, int]:
    """Return the bounds of the capitalised words around a word of a name, with the small words between and a number behind.

    The parser hangs names on their first, their last or any word, and cuts many; their capitals are surer.
    """
    first, last = _name_end(parse, head, -1), _name_end(parse, head, 1)
    if last + 1 < len(parse) and parse.tags[last + 1] == "CD" and parse.heads[last + 1] in range(first, last + 1):
        last += 1
    return first, last + 1


def _name_end(parse: Parse, place: int, step: int) -> int:
    """Return the last word of the name in the direction of `step`."""
    while True:
        following = place + step
        if _is_particle(parse, following):
            following += step
        if not _is_name_word(parse, following):
            return place
        place = following


def _is_particle(parse: Parse, place: int) -> bool:
    return 0 <= place < len(parse) and parse.tokens[place] in _PARTICLES


def _is_name_word(parse: Parse, place: int) -> bool:
    if not 0 <= place < len(parse) or not parse.tokens[place][0].isupper():
        return False
    if place == 0 and parse.tags[place] not in _NAME_TAGS:
        return opening_case(parse, place) != "lower"
    if parse.tags[place] == "CD":
        return parse.tokens[place].isalpha() and parse.tokens[place].isupper()  # "John II"
    return parse.tags[place] in _NAME_TAGS or parse.tags[place] in ("JJ", "NN", "NNS")


def _whole(parse: Parse, first: int, last: int) -> str:
    """Return the text of the tokens, widened over hyphens: "on" in "add-on" is no word."""
    text, start, end = parse.text, parse.starts[first], parse.end(last)
    before = _HYPHEN_BEFORE.search(text, max(0, start - _WORD_LENGTH), start)
    behind = _HYPHEN_BEHIND.match(text, end)
    return text[before.start() if before else start : behind.end() if behind else end]

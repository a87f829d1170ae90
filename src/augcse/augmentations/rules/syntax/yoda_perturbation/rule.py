"""YodaPerturbation: the clauses of a sentence with what follows the verb in front."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.tree import (
    FINITE_TAGS,
    Tree,
    is_balanced,
    is_finite,
    lower_first,
    opens_sentence,
    raise_first,
    slice_text,
    words_only,
)
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.rules.syntax.yoda_perturbation.bounds import SENTENCE_ENDS, SUBJECTS, begins_whole, ends_whole, leaves_clause
from augcse.augmentations.rules.syntax.yoda_perturbation.questions import REFUSALS, turned_question
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_SUBORDINATORS = frozenset("because when while as since if although after before so until unless whereas though once where".split())
_PARTICLES = frozenset("on up out off down over in away back to about around along".split())
_MID_TAGS = frozenset({"RB", "VB", "VBN", "VBD", "MD", "TO", "VBG"})
_OPENING = frozenset({"(", "[", "“", '"', "``", "‘", "«"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as token places: where the clause begins, its last verb word, and the stretch after it to be fronted."""

    start: int
    verb: int
    first: int
    last: int


@augmentation(
    "YodaPerturbation",
    family="syntax",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter yoda_transform (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("You are strong, but you still have much to learn.", "Strong, you are, but much to learn, you still have."),
    refusals=REFUSALS,
)
def yoda_perturbation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Speak as Yoda: what follows the verb goes before the subject ("You are strong" -> "Strong, you are"); deterministic.

    After auxiliaries and copulas everything is fronted, after a plain verb its object or, where it has none, its other
    complements. Each main clause of the text is turned; subordinate clauses and quotations stay. Of a question, what follows the subject
    is fronted ("Find the ring, did he?"), of a request what follows the verb. `fidelity="original"` fronts all that follows the verb.
    """
    if not len(parse):
        return None
    tree = Tree(parse)
    if fidelity == "original":
        return _after_verb(tree)
    turned_text = turned_question(tree)
    if turned_text is not None or "?" in parse.tokens:
        return turned_text
    edits: list[Edit] = []
    done = 0
    found = {head: _clause(tree, head) for head in sorted(_main_clauses(tree))}
    turned = {head for head, clause in found.items() if clause is not None}
    for head, clause in found.items():
        if clause is not None and clause.start >= done and not leaves_clause(tree, head, turned):
            edits += _edits(parse, clause)
            done = clause.last + 1
    return apply_edits(parse.text, edits) if edits else None


def _after_verb(tree: Tree) -> str | None:
    """Return the text with all that follows the verb of the first sentence in front."""
    parse = tree.parse
    verb = _last_verb_word(tree, parse.roots()[0])
    last = len(parse) - 1 - (parse.tokens[-1] in SENTENCE_ENDS)
    if verb is None or verb >= last:
        return None
    front, before = slice_text(parse, verb + 1, last), slice_text(parse, 0, verb)
    return f"{capitalise(front)}, {before}{parse.text[parse.end(last) :]}"


def _main_clauses(tree: Tree) -> list[int]:
    """Return the heads of the main clauses: roots, and what is coordinated with them and has a subject of its own."""
    heads = tree.parse.roots()
    for head in heads:
        if not tree.parse.tags[head].startswith("VB") and not tree.children(head, "cop"):
            continue
        clauses = (child for child in tree.children(head, "conj", "parataxis") if not _is_spliced(tree, child))
        heads.extend(child for child in clauses if tree.children(child, *SUBJECTS))
    return [head for head in heads if not tree.children(head, "mark")]


def _is_spliced(tree: Tree, clause: int) -> bool:
    """Tell whether a coordinated clause has nothing but a comma before it: the parser may have cut a list."""
    if tree.children(clause, "cc"):
        return False
    first = tree.first(clause)
    opening = tree.parse.tokens[first] if tree.parse.has_label(first, "punct") else tree.parse.tokens[first - 1]
    return opening not in (";", ":")


def _clause(tree: Tree, head: int) -> Clause | None:
    """Return how a main clause is turned; None where it cannot be, or the parser may have cut it."""
    parse = tree.parse
    verb = _last_verb_word(tree, head)
    subjects = [index for index in tree.children(head, *SUBJECTS) if verb is not None and index < verb]
    if verb is None or len(subjects) != 1 or not _is_plain_subject(tree, subjects[0]):
        return None
    subject = tree.first(subjects[0])
    while subject < subjects[0] and (parse.has_label(subject, "punct", "cc") and parse.tokens[subject] not in _OPENING):
        subject += 1
    front = _fronted(tree, head, verb)
    if front is None or any(index < subject for index in tree.children(head, "aux", "cop")):
        return None
    if parse.tokens[subjects[0]].lower() == "it" and verb < head and parse.tags[front[0]] in ("RB", "IN"):
        return None  # "It was here that ..."
    first, last = front
    start = _clause_start(tree, head, subject)
    halves = (slice_text(parse, first, last), slice_text(parse, start, verb))
    is_whole = all(map(is_balanced, halves)) and begins_whole(tree, head, start, first - 1)
    if parse.tags[start] in ("IN", "TO") or not is_whole or not ends_whole(tree, head, first, last):
        return None
    return None if opens_sentence(parse, start) and opening_case(parse, start) == "doubt" else Clause(start, verb, first, last)


def _is_plain_subject(tree: Tree, subject: int) -> bool:
    index, first = tree.first(subject), tree.parse.tags[tree.first(subject)]
    if tree.parse.deps[tree.parse.heads[subject]] == "ROOT" and index > 1 and tree.parse.tags[index - 1] == "CC":
        return False  # half of a coordinated subject
    if first.startswith("W") or not tree.is_contiguous(subject):
        return False
    return tree.parse.deps[subject].split(":")[0] != "csubj" or first in ("VBG", "TO")


def _last_verb_word(tree: Tree, head: int) -> int | None:
    """Return the last word of the verb that stays where it is: the last auxiliary, copula or particle, and "not" after it."""
    parse = tree.parse
    helpers = [index for index in tree.children(head, "aux", "cop") if index < head]
    if helpers:
        verb = max(helpers)
        finite = min(helpers)
    elif parse.tags[head].startswith("VB"):
        verb = finite = head
        verb += 1 if head + 1 in tree.children(head, "compound:prt") else 0
    else:
        return None
    if parse.tags[finite] == "VBN" and parse.deps[head] != "ROOT":
        return None
    between = parse.tags[finite + 1 : verb] if helpers else ()
    if not is_finite(tree, finite) or not _MID_TAGS.issuperset(between):
        return None
    return verb + 1 if verb + 1 < len(parse) and parse.is_negation(verb + 1) else verb


def _fronted(tree: Tree, head: int, verb: int) -> tuple[int, int] | None:
    """Return the stretch to be fronted."""
    parse = tree.parse
    first, end = verb + 1, _end(tree, head, verb)
    objects = [index for index in tree.children(head, "obj", "ccomp") if index > verb] if verb >= head else []
    if objects:
        first, end = tree.first(objects[0]), min(end, tree.last(objects[0]) + 1)
        between = range(verb + 1, first)
        bare = first == objects[0] == tree.last(first) and parse.tags[first] == "NN"
        if bare and parse.lemmas[head].lower() in _WORDS["LIGHT"]:
            return None
        if not tree.is_contiguous(objects[0]) or any(parse.tags[index] not in ("RB", "PRP", "RP") for index in between):
            return None
    if first >= end or (first == verb + 1 and not parse.tokens[first][0].isalnum() and parse.tokens[first][0] not in "\"“'‘([$£€"):
        return None
    stretch = words_only(parse, first, end - 1)
    if stretch is None or stretch[0] != first:
        return None
    alone = stretch[0] == stretch[1] and parse.tokens[first].lower() in _PARTICLES
    return None if alone else stretch


def _end(tree: Tree, head: int, verb: int) -> int:
    """Return the index where the complements end: at a subordinate or coordinated clause, or the end of the sentence."""
    parse = tree.parse
    end = tree.last(head) + 1
    for child in tree.dependents[head]:
        if child > verb + 1 and child > head and _leaves(tree, head, child):
            if parse.has_label(child, "conj", "parataxis") and _is_spliced(tree, child) and tree.children(child, *SUBJECTS):
                return verb + 1
            end = min(end, tree.first(child))
    for index in range(verb + 1, end):
        if parse.tokens[index] in SENTENCE_ENDS:
            # A mark amid the sentence, as in the name "E!": nothing is fronted.
            return index if parse.tokens[index] in ";:" or tree.last(head) - index < 2 else verb + 1
    return end


def _leaves(tree: Tree, head: int, child: int) -> bool:
    parse = tree.parse
    opening = tree.first(child)
    if parse.has_label(child, "advcl", "parataxis"):
        if parse.tokens[opening].lower() == "as" and not tree.children(child, *SUBJECTS):
            return False
        return parse.tokens[opening - 1] == "," or parse.tokens[opening] == "," or parse.tokens[opening].lower() in _SUBORDINATORS
    if not parse.has_label(child, "conj") or any(tag.startswith("W") for tag in parse.tags[opening : opening + 2]):
        return False
    finite = min([child, *tree.children(child, "aux", "cop")])
    return bool(tree.children(child, *SUBJECTS)) or parse.tags[finite] in FINITE_TAGS


def _clause_start(tree: Tree, head: int, subject: int) -> int:
    """Return the index of the fronted words: before the subject and the adverbs directly in front of it."""
    parse, start = tree.parse, subject
    floor = tree.first(head)
    while start > floor and parse.tokens[start - 1][0].isalnum() and not parse.has_label(start - 1, "cc"):
        start -= 1
    return start


def _edits(parse: Parse, clause: Clause) -> list[Edit]:
    front = slice_text(parse, clause.first, clause.last)
    full = _full_form(parse, clause.verb)
    after = slice_text(parse, clause.start, clause.verb, [(clause.verb, f" {full}")] if full else ())
    position, end = parse.starts[clause.start], parse.end(clause.last)
    if opens_sentence(parse, clause.start):
        front = capitalise(front) if after[0].isdigit() else raise_first(front, after)
        after = lower_first(parse, clause.start, after)
    cut = parse.end(clause.first - 1)
    follower = parse.text[end:].lstrip()
    mark = "." if not follower and front.endswith(".") else ""
    comma = "," if follower[:4] in ("and ", "but ") and cut == parse.end(clause.verb) else ""
    return [Edit(position, parse.end(clause.verb), f"{front.rstrip('.') if mark else front}, {after}"), Edit(cut, end, comma + mark)]


def _full_form(parse: Parse, verb: int) -> str | None:
    """Return what a clitic is short for, as none ends a clause: "it's" but "it is"; None for other words."""
    word = parse.tokens[verb].lower().replace("’", "'")
    if word == "'s":
        return "has" if parse.lemmas[verb] == "have" else "is"
    return {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would" if parse.tags[verb] == "MD" else "had"}.get(word)

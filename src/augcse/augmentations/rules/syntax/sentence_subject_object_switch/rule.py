"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import OBJECT_FORM, SUBJECT_FORM, agreeing_form, agrees, is_plural, recased
from augcse.augmentations.english.tree import Tree, is_finite, lower_first, opens_sentence, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import REFUSALS, Exchange, Phrase
from augcse.augmentations.text.edits import Edit, apply_edits

_CIRCUMSTANTIAL = frozenset("as until till since during before despite throughout within".split())
_ENDS = frozenset({".", "!", "?", '"', "”", "''", ")"})
_CLAUSES = ("ROOT", "conj", "ccomp", "advcl", "parataxis", "acl", "csubj")


@augmentation(
    "SentenceSubjectObjectSwitch",
    family="syntax",
    meaning="alteration",
    condition="a clause with a subject and an object that can change places",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter subject_object_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("He has two old friends.", "Two old friends have him."),
    refusals=REFUSALS,
)
def sentence_subject_object_switch(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Exchange the subject and the object of a clause, so that who does what to whom is reversed.

    The main clause comes first, else the first subordinate one that has both; deterministic. The object is the verb's, that of the
    infinitive under it ("wants to see Mary"), the agent of a passive, or what the preposition right after the verb has ("looked at Mary").
    Whole noun phrases move, with their relative clauses; pronouns change their case, the verb its number, the first word of the sentence
    its capital. `fidelity="original"` exchanges the first subject with the first object of verb or preposition as the parser gives them.
    """
    tree = Tree(parse)
    if fidelity == "original":
        return _switch_first(tree)
    for exchange in _exchanges(tree):
        verbs = _verb_edits(exchange)
        if verbs is not None and not refused(REFUSALS, exchange):
            switched = apply_edits(parse.text, [*verbs, *_moves(exchange)])
            if switched != parse.text:  # "it made it" is the same the other way round
                return switched
    return None


def _exchanges(tree: Tree) -> Iterator[Exchange]:
    """Yield the pairs of a subject and an object, the main clause's first."""
    parse = tree.parse
    clauses = [index for index in range(len(parse)) if parse.has_label(index, *_CLAUSES) and parse.tags[index][:2] in ("VB", "JJ")]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        subjects = tree.children(clause, "nsubj")
        verb = _verb_with_object(tree, clause)
        objects = _objects(tree, clause, verb)
        if len(subjects) == 1 and len(objects) == 1 and not tree.children(clause, "expl"):
            one, two = _phrase(tree, subjects[0]), _phrase(tree, objects[0])
            inverted = any(index < subjects[0] for index in tree.children(clause, "aux")) and "?" not in parse.tokens
            if one is not None and two is not None and one.last < clause <= verb < two.first and not inverted:
                yield Exchange(tree, clause, verb, one, two)


def _verb_with_object(tree: Tree, clause: int) -> int:
    """Return the verb whose object moves: that of the clause, or the infinitive under it."""
    verb = clause
    while not tree.children(verb, "obj", "obl"):
        infinitives = [place for place in tree.children(verb, "xcomp") if tree.parse.tags[place] == "VB" and place > verb]
        if not infinitives:
            return verb
        verb = infinitives[0]
    return verb


def _objects(tree: Tree, clause: int, verb: int) -> list[int]:
    """Return the objects of the verb; without one the agent, or what the preposition right after verb or adjective has."""
    parse, after = tree.parse, verb + 1
    while parse.tags[after : after + 1] in (("RP",), ("RB",)):
        after += 1
    agents = [index for index in tree.children(clause, "obl") if any(parse.tokens[case] == "by" for case in tree.children(index, "case"))]
    # Headlines have participles without an auxiliary: "Two killed in accident".
    bound = parse.tokens[-1] in _ENDS and "".join(parse.tokens[after : after + 1]).lower() not in _CIRCUMSTANTIAL
    oblique = [
        index for index in tree.children(verb, "obl") if bound and after in tree.children(index, "case") and parse.tags[index] != "CD"
    ]
    return tree.children(verb, "obj") or (agents if tree.children(clause, "aux:pass") else []) or oblique


def _phrase(tree: Tree, head: int) -> Phrase | None:
    """Return the stretch of a noun phrase without its preposition."""
    cases = [place for place in tree.children(head, "case") if place < head]
    first = max((tree.last(place) for place in cases), default=tree.first(head) - 1) + 1
    stretch = words_only(tree.parse, first, tree.last(head))
    return Phrase(head, *stretch) if stretch and tree.is_contiguous(head) else None


def _verb_edits(exchange: Exchange) -> list[Edit] | None:
    """Return the edits that make the verbs agree with their new subject; None if one cannot be told."""
    tree, clause, subject, other = exchange.tree, exchange.clause, exchange.subject.head, exchange.object.head
    parse, plural, first_person = tree.parse, is_plural(tree, other), tree.parse.tokens[other].lower() == "me"
    edits = []
    for verb in [clause, *(place for place in tree.children(clause, "conj") if not tree.children(place, "nsubj", "expl"))]:
        finite = min([*tree.children(verb, "aux", "cop"), verb])
        if (verb == clause and not is_finite(tree, finite)) or not agrees(tree, subject, finite):
            return None
        form = agreeing_form(parse, finite, plural, first_person)
        if form is None:
            return None
        if form != parse.tokens[finite]:
            edits.append(Edit(parse.starts[finite], parse.end(finite), form))
    return edits


def _moves(exchange: Exchange) -> list[Edit]:
    parse, subject, other = exchange.tree.parse, exchange.subject, exchange.object
    raised = slice_text(parse, other.first, other.last, recased(parse, [other.head], SUBJECT_FORM))
    lowered = slice_text(parse, subject.first, subject.last, recased(parse, [subject.head], OBJECT_FORM))
    if opens_sentence(parse, subject.first):
        raised = raise_first(raised, parse.tokens[subject.first])
        lowered = lower_first(parse, subject.first, lowered)
    raised += "," * _has_afterthought(exchange)
    if parse.text[parse.end(other.last) :].startswith("."):
        lowered = lowered.removesuffix(".")
    return [Edit(parse.starts[place.first], parse.end(place.last), text) for place, text in ((subject, raised), (other, lowered))]


def _has_afterthought(exchange: Exchange) -> bool:
    """Tell whether the object ends in a clause or apposition after a comma, which a second comma has to part from the verb."""
    parse, other = exchange.tree.parse, exchange.object
    added = (place for place in exchange.tree.children(other.head, "acl", "appos", "advcl") if place > other.head)
    return any("," in parse.tokens[max(exchange.tree.first(place) - 1, 0) : place] for place in added)


def _switch_first(tree: Tree) -> str | None:
    """Exchange the first subject and the first object of a verb or preposition."""
    places = range(len(tree.parse))
    phrases = [
        next((_phrase(tree, place) for place in places if tree.parse.has_label(place, *labels)), None)
        for labels in (("nsubj", "csubj"), ("obj", "iobj", "obl", "nmod"))
    ]
    one, two = phrases
    if one is None or two is None or max(one.first, two.first) <= min(one.last, two.last):
        return None
    spans = [(tree.parse.starts[phrase.first], tree.parse.end(phrase.last)) for phrase in (one, two)]
    texts = [tree.parse.text[start:end] for start, end in reversed(spans)]
    return apply_edits(tree.parse.text, [Edit(start, end, text) for (start, end), text in zip(spans, texts, strict=True)])

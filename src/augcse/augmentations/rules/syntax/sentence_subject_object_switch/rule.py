"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import OBJECT_FORM, SUBJECT_FORM, agreeing_form, agrees, is_plural, recased
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.tree import Tree, is_finite, lower_first, raise_first, slice_text
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.exchange import tears
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.noun_phrase import NounPhrase, is_time, whole_phrase
from augcse.augmentations.text.edits import Edit, apply_edits

_CLAUSES = ("ROOT", "conj", "ccomp", "advcl", "parataxis")
_INTRANSITIVE = frozenset("go come die appear arrive happen exist occur live sit stand fall rise rank debut seem wait begin start".split())
# What A does to B with these, B does to A: the switch would leave the meaning as it is.
_SYMMETRIC = frozenset(
    "abut accompany adjoin approximate balance battle befriend border box coincide combat compete complement constitute contradict"
    " contrast converse correlate counterbalance cross date debate differ divorce duel embrace encounter engage equal face fight form"
    " hug intersect interact kiss marry match mean meet mirror neighbor neighbour oppose overlap parallel partner resemble rival share"
    " tie touch wed wrestle".split()
)
# Their object is the subject of the infinitive after it, even where the parser hangs that on the object.
_CAUSING = frozenset("allow enable cause force require ask tell permit help lead encourage want persuade order expect get".split())
# With these, two nouns in a row may be two objects: "granted Szczecin Magdeburg rights".
_GIVING = frozenset(
    "grant award offer give teach tell show sell send lend owe promise deny allow bring hand pay win earn name call".split()
)
# With these verbs a bare or possessive noun is half of the verb: "made his debut", "plays a role".
_LIGHT_VERBS = frozenset("make take have give do play hold put bear keep lay set get pay draw gain find lose".split())
_ABSTRACT = frozenset(
    "role part debut decision appearance attempt effort use effect impact influence contribution start career place progress sense"
    " visit return statement choice move change love class classes access interest difference mistake reference mention claim".split()
)
# "Place took the wedding", "three years lasted the war" are no sentences.
_MEASURING = frozenset("last weigh cost measure number total take stand span become remain be average".split())
_NEVER_EXCHANGED = frozenset({"last", "become", "remain", "be", "number", "total", "spend"})
_IDIOMS = frozenset(
    "place part care advantage account note charge effect precedence root aim shape sense way home rise fun use umbrage debut birth"
    " battle notice control possession credit heed issue office".split()
)
_MEASURES = frozenset(
    "year month week day hour minute second time decade century kilometre kilometer km metre meter m mile foot acre hectare percent"
    " % degree pound kg gram ton tonne season age way".split()
)
_REFLEXIVES = frozenset("myself yourself himself herself itself oneself ourselves yourselves themselves each another".split())


class _Roles(NamedTuple):
    """The heads of the subject and of the object, or in the passive of the agent."""

    subject: int
    other: int
    passive: bool


@augmentation(
    "SentenceSubjectObjectSwitch",
    family="syntax",
    meaning="alteration",
    condition="a clause with a subject and an object that can change places",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter subject_object_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("He has two old friends.", "Two old friends have him."),
)
def sentence_subject_object_switch(parse: Parse, rng: Random) -> str | None:
    """Exchange the subject and the object of a clause, so that who does what to whom is reversed.

    The main clause comes first, else the first subordinate one that has both; deterministic. Whole noun phrases move, with
    their relative clauses; pronouns change their case, the verb its number, the first word of the sentence its capital. In the
    passive, the agent after "by" is the object. Left alone: reflexives, symmetric verbs ("A met B"), measures ("lasted three
    years"), idioms ("took place"), questions, coordinations, and clauses whose parse leaves the phrases' bounds in doubt.
    """
    tree = Tree(parse)
    clauses = [index for index in range(len(parse)) if parse.has_label(index, *_CLAUSES)]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        edits = _switch(tree, clause)
        switched = apply_edits(parse.text, edits)
        if switched != parse.text:  # "it made it" is the same the other way round
            return switched
    return None


def _switch(tree: Tree, clause: int) -> list[Edit]:
    roles = _roles(tree, clause)
    if roles is None or _resists(tree, clause, roles):
        return []
    subject, other, passive = roles
    one, two = whole_phrase(tree, subject), whole_phrase(tree, other, after_preposition=passive)
    if one is None or two is None or not one.last < clause < two.first or tears(tree, clause, one, two):
        return []
    if _opens_sentence(tree.parse, one.first) and opening_case(tree.parse, one.first) == "doubt":
        return []
    verbs = _verb_edits(tree, clause, subject, other)
    return [] if verbs is None else [*verbs, *_exchange(tree, one, two)]


def _roles(tree: Tree, clause: int) -> _Roles | None:
    """Return who does what to whom; None for a clause that has not one of each."""
    subjects = tree.children(clause, "nsubj")
    if len(subjects) != 1 or tree.children(clause, "expl", "iobj", "cop") or not tree.parse.tags[clause].startswith("VB"):
        return None
    passive = tree.parse.deps[subjects[0]] == "nsubj:pass"
    objects = tree.children(clause, "obl:agent" if passive else "obj")
    if passive and not tree.children(clause, "aux:pass"):
        return None
    return _Roles(subjects[0], objects[0], passive) if len(objects) == 1 else None


def _resists(tree: Tree, clause: int, roles: _Roles) -> bool:
    """Tell whether the verb, alone or with its object, cannot be turned round."""
    parse, other = tree.parse, roles.other
    verb, noun = parse.lemmas[clause].lower(), parse.lemmas[other].lower()
    if verb in _INTRANSITIVE or verb in _NEVER_EXCHANGED or is_time(parse, other) or (verb in _CAUSING and tree.children(other, "acl")):
        return True
    if _is_symmetric(parse, clause, roles) or verb_lemma(parse.tokens[clause], parse.tags[clause], verb) is None:
        return True
    if noun in _MEASURES and (verb in _MEASURING or roles.passive):
        return True
    if noun in _IDIOMS and not tree.children(other, "det", "amod", "nmod:poss"):
        return True
    if (verb in _LIGHT_VERBS and _is_verbal_object(tree, other)) or (verb in _GIVING and _is_double_object(tree, other)):
        return True
    stretch = {token.lower() for token in parse.tokens[tree.first(clause) : tree.last(clause) + 1]}
    return bool(_REFLEXIVES & stretch) or "?" in stretch


def _is_symmetric(parse: Parse, clause: int, roles: _Roles) -> bool:
    """Tell whether the clause says the same of both: "A equals B", and "Australia played India" as no actor plays a part."""
    candidates = {parse.lemmas[clause].lower(), verb_lemma(parse.tokens[clause], parse.tags[clause], parse.lemmas[clause])}
    if candidates & _SYMMETRIC:
        return True
    return "play" in candidates and not roles.passive and parse.tokens[roles.other][0].isupper()


def _is_verbal_object(tree: Tree, other: int) -> bool:
    abstract = tree.parse.lemmas[other].lower() in _ABSTRACT
    bare = tree.parse.tags[other] in ("NN", "NNS") and not tree.children(other, "det", "nummod")
    return abstract or bare


def _is_double_object(tree: Tree, other: int) -> bool:
    first = tree.first(other)
    return first != other and tree.parse.tokens[first][0].isupper() and tree.parse.tags[other] in ("NN", "NNS")


def _verb_edits(tree: Tree, clause: int, subject: int, other: int) -> list[Edit] | None:
    """Return the edits that make the verbs agree with their new subject; None if one cannot be told."""
    parse = tree.parse
    plural = is_plural(tree, other)
    first_person = parse.tokens[other].lower() == "me"
    edits = []
    for verb in [clause, *(place for place in tree.children(clause, "conj") if not tree.children(place, "nsubj", "expl"))]:
        group = sorted([*tree.children(verb, "aux", "cop"), verb])
        finite = group[0]
        if verb == clause and (finite < subject or not is_finite(tree, finite)):
            return None
        if not agrees(tree, subject, finite):
            return None
        form = agreeing_form(parse, finite, plural, first_person)
        if form is None:
            return None
        if form != parse.tokens[finite]:
            edits.append(Edit(parse.starts[finite], parse.end(finite), form))
    return edits


def _exchange(tree: Tree, subject: NounPhrase, other: NounPhrase) -> list[Edit]:
    parse = tree.parse
    raised = slice_text(parse, other.first, other.last, recased(parse, [other.head], SUBJECT_FORM))
    lowered = slice_text(parse, subject.first, subject.last, recased(parse, [subject.head], OBJECT_FORM))
    if _opens_sentence(parse, subject.first):
        raised = raise_first(raised, parse.tokens[subject.first])
        lowered = lower_first(parse, subject.first, lowered)
    return [Edit(parse.starts[place.first], parse.end(place.last), text) for place, text in ((subject, raised), (other, lowered))]


def _opens_sentence(parse: Parse, index: int) -> bool:
    before = [token for token in parse.tokens[max(0, index - 2) : index] if token not in ('"', "“", "(", "'", "‘", "``")]
    return not before or before[-1] in (".", "!", "?", ":")

"""YodaPerturbation: the clauses of a sentence with what follows the verb in front."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, is_finite, is_semi_modal, runs_together, verbs_of
from augcse.augmentations.english.noun_kinds import noun_kinds
from augcse.augmentations.english.phrase import is_balanced, lower_first, opens_sentence, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.yoda_perturbation.bounds import OPENING, begins_whole, ends_sentence, ends_whole, leaves_clause
from augcse.augmentations.rules.syntax.yoda_perturbation.questions import REFUSALS as OF_QUESTIONS
from augcse.augmentations.rules.syntax.yoda_perturbation.questions import turned_question, up_to_verb
from augcse.augmentations.text.edits import Edit, capitalise, comma_in, edited

# What keeps its full stop: "at 9 a.m.", "Apple Inc."
_ABBREVIATION = re.compile(r"(?:\.[A-Za-z]|\b[A-Za-z][a-z]{1,3})\.\Z")
_SUBORDINATORS = frozenset("because when while as since if although after before so until unless whereas though once where".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as token indices: where the clause begins, its last verb word, and the stretch after it to be fronted."""

    start: int
    verb: int
    first: int
    last: int


def _keeps_one(parse: Parse, found: Mapping[int, Clause | None]) -> bool:
    """Tell whether some main clauses can be turned, and another cannot, or a request beside them."""
    turned = {head for head, clause in found.items() if clause is not None}
    for head in found.keys() - turned:
        is_request = parse.tags[verbs_of(parse, head)[0]] == "VB" and not parse.children(head, "mark")  # "Go", "Don't go"
        if is_request or parse.children(head, *SUBJECTS):
            return True
    return any(leaves_clause(parse, head, turned) for head in turned)


OF_STATEMENTS: tuple[Refusal[[Parse, Mapping[int, Clause | None]]], ...] = (
    Refusal("main clause or request that stays", "I laughed, and I was happy.", _keeps_one),
)


@augmentation(
    "YodaPerturbation",
    family="syntax",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter yoda_transform (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("You are strong, but you still have much to learn.", "Strong, you are, but much to learn, you still have."),
    refusals=(*OF_QUESTIONS, *OF_STATEMENTS),
)
def yoda_perturbation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Speak as Yoda: what follows the verb goes before the subject ("You are strong" -> "Strong, you are"); deterministic.

    After auxiliaries and copulas everything is fronted, after a plain verb its object if a mark or a clause follows that, else everything
    too. Each main clause of the text is turned, or none; subordinate clauses and quotations stay. Of a question, what
    follows the subject is fronted ("Find the ring, did he?"), of a request what follows the verb. `fidelity="original"` fronts all
    that follows the verb.
    """
    if not len(parse):
        return None
    if fidelity == "original":
        return _after_verb(parse)
    turned_text = turned_question(parse)
    if turned_text is not None or "?" in parse.tokens:
        return turned_text
    found = {head: _clause(parse, head) for head in sorted(_main_clauses(parse))}
    if refused(OF_STATEMENTS, parse, found):
        return None
    return edited(parse.text, [edit for clause in found.values() if clause is not None for edit in _edits(parse, clause)])


def _after_verb(parse: Parse) -> str | None:
    """Return the text with all that follows the verb of the first sentence in front."""
    verb = _last_verb_word(parse, parse.roots()[0])
    last = len(parse) - 1 - ends_sentence(parse, len(parse) - 1)
    if verb is None or verb >= last:
        return None
    front, before = slice_text(parse, verb + 1, last), slice_text(parse, 0, verb)
    return f"{capitalise(front)}, {before}{parse.text[parse.end(last) :]}"


def _main_clauses(parse: Parse) -> list[int]:
    """Return the heads of the main clauses: roots, and what is coordinated with them."""
    heads = parse.roots()
    for head in heads:
        if parse.tags[head].startswith("VB") or parse.children(head, "cop"):
            joined = parse.children(head, "conj", "parataxis")
            # With a comma alone the parser may have cut a list.
            heads.extend(child for child in joined if parse.children(child, "cc") or parse.tokens[parse.first(child)] in (";", ":"))
    return heads


def _clause(parse: Parse, head: int) -> Clause | None:
    """Return how a main clause is turned; None where it cannot be, or the parser may have cut it."""
    verb = _before_front(parse, head)
    subjects = [index for index in parse.children(head, *SUBJECTS) if verb is not None and index < verb]
    if verb is None or len(subjects) != 1 or is_semi_modal(parse, _verbs(parse, head)[0]):
        return None
    front = next((stretch for stretch in _fronted(parse, head, verb) if ends_whole(parse, head, *stretch)), None)
    if front is None or (parse.deps[subjects[0]] == "expl" and verb < head and parse.tags[front[0]] in ("RB", "IN")):
        return None  # "It was here that ..."
    if parse.word(subjects[0]) == "it" and parse.children(head, "cop") and "that" in parse.tokens[front[0] : front[1] + 1]:
        return None  # "It was the king that came."
    clause = Clause(_clause_start(parse, head, subjects[0]), verb, *front)
    halves = (slice_text(parse, *front), slice_text(parse, clause.start, verb))
    is_whole = all(map(is_balanced, halves)) and begins_whole(parse, head, clause.start, clause.first - 1)
    if parse.tags[clause.start] in ("IN", "TO", "WRB", "WP") or not is_whole:
        return None
    return None if opening_case(parse, clause.start) == "doubt" else clause


def _verbs(parse: Parse, head: int) -> list[int]:
    return parse.children(head, "aux", "cop") or [head]


def _last_verb_word(parse: Parse, head: int) -> int | None:
    """Return the last word of the verb that stays where it is: auxiliary, copula or particle, "not" after it, "me" of "asked me"."""
    verbs = _verbs(parse, head)
    if not is_finite(parse, verbs[0]) or "," in parse.tokens[verbs[0] : verbs[-1]] or runs_together(parse, verbs[-1]):
        return None
    last = verbs[-1]
    if last + 1 in parse.children(head, "compound:prt"):
        last += 1
    if parse.is_negation(last + 1) and parse.tag(last + 2) != "TO":  # "agrees not to go"
        last += 1
    return last + 1 if parse.tag(last + 1) == "PRP" and last + 1 in parse.children(head, "iobj") else last


def _before_front(parse: Parse, head: int) -> int | None:
    """Return the last verb word, or the particle after it that the parser takes for an adverb: "stood by"."""
    verb = _last_verb_word(parse, head)
    is_particle = verb == head and parse.word(verb + 1) in VERB_WORDS["PARTICLE"] and verb + 1 in parse.children(head, "advmod")
    return verb + 1 if verb is not None and is_particle else verb


def _fronted(parse: Parse, head: int, verb: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches that may be fronted: all that follows the verb, of a plain one its object before that."""
    first, end = verb + 1, _end(parse, head, verb)
    stretches = [(first, end)]
    if objects := parse.children(head, "obj", "ccomp") if verb >= head else []:
        shorter = (parse.first(objects[0]), min(end, parse.last(objects[0]) + 1))
        # "He followed this up": only a noun takes along what follows it.
        is_noun = parse.upos[objects[0]] in ("NOUN", "PROPN") and not parse.children(head, "compound:prt", "xcomp")
        stretches = [shorter, *(stretches if is_noun else [])]
    for opening, after in stretches:
        stretch = words_only(parse, opening, after - 1)
        if stretch is not None and stretch[0] == opening:
            yield stretch


def _end(parse: Parse, head: int, verb: int) -> int:
    """Return the index where the complements end: at a subordinate or coordinated clause, or the end of the sentence."""
    joined = parse.children(head, "conj") if verb >= head else []
    clauses = (parse.first(child) for child in parse.children(head) if child > head and (child in joined or _leaves(parse, child)))
    end = min([parse.last(head) + 1, *clauses])
    marks = (index for index in range(verb + 1, end) if ends_sentence(parse, index))
    return next(marks, end)


def _leaves(parse: Parse, clause: int) -> bool:
    """Tell whether a clause under the main one stays where it is."""
    opening = parse.first(clause)
    if parse.word(opening) == "when" and "noun.time" in noun_kinds(parse.word(opening - 1)):
        return False  # "a time when we sing"
    if parse.tags[clause] == "VBG" and parse.upos[parse.heads[clause]] == "NOUN":
        return False  # "a film about the war, refusing to take sides"
    if parse.has_label(clause, "advcl", "parataxis"):
        return "," in parse.tokens[opening - 1 : opening + 1] or parse.word(opening) in _SUBORDINATORS
    return parse.has_label(clause, "conj") and bool(parse.children(clause, *SUBJECTS))


def _clause_start(parse: Parse, head: int, subject: int) -> int:
    """Return the index of the fronted words: before the subject and the adverbs directly in front of it."""
    start = parse.first(subject)
    while parse.deps[start] in ("punct", "cc") and parse.tokens[start] not in OPENING:
        start += 1
    while start > parse.first(head) and parse.tokens[start - 1][0].isalnum():
        # A conjunction stays in front, and "so" and "then" in the sentence.
        if parse.has_label(start - 1, "cc") or (start > 1 and parse.word(start - 1) in ("so", "then", "yet")):
            break
        start -= 1
    return start


def _edits(parse: Parse, clause: Clause) -> list[Edit]:
    front = slice_text(parse, clause.first, clause.last)
    after = up_to_verb(parse, clause.start, clause.verb)
    if opens_sentence(parse, clause.start):
        front, after = raise_first(front, parse.text[parse.starts[clause.start] :]), lower_first(parse, clause.start, after)
    cut, end = parse.end(clause.first - 1), parse.end(clause.last)
    rest = parse.text[end:].lstrip()
    comma = comma_in(parse.text)
    # "Locked, it was, after I left": not "was after".
    stays = parse.upos[clause.verb] in ("AUX", "PART")
    parts = rest.startswith(("and ", "but ", "or ")) or (stays and parse.word(clause.last + 1) in _SUBORDINATORS)
    # The full stop of a last word that holds it: "in 3D."
    mark = comma if parts else "." * front.endswith(".")
    front = front if _ABBREVIATION.search(front) else front.removesuffix(mark)
    return [Edit(*parse.span(clause.start, clause.verb), f"{front}{comma} {after}"), Edit(cut, end, mark)]

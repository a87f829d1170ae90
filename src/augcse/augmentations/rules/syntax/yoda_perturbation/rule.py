"""YodaPerturbation: the clauses of a sentence with the words after the verb in front."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import may_open_with_name
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, first_verb, is_finite, is_semi_modal, runs_together
from augcse.augmentations.english.conjunctions import relation_at
from augcse.augmentations.english.marks import OPENING, asks, ends_clause, opens_sentence
from augcse.augmentations.english.noun_kinds import first_kind, noun_kinds
from augcse.augmentations.english.phrase import is_balanced, lower_first, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.yoda_perturbation.bounds import begins_whole, ends_whole, leaves_clause
from augcse.augmentations.rules.syntax.yoda_perturbation.questions import REFUSALS as OF_QUESTIONS
from augcse.augmentations.rules.syntax.yoda_perturbation.questions import turned_question, up_to_verb
from augcse.augmentations.text.edits import Edit, capitalise, comma_in, edited
from augcse.lexicon.open import bundled_lexicon

# The abbreviations, which keep their full stop: "at 9 a.m.", "Apple Inc."
_ABBREVIATION = re.compile(r"(?:\.[A-Za-z]|\b[A-Za-z][a-z]{1,3})\.\Z")
# What a clause that stays behind says of the rest.
_LEFT_BEHIND = ("time", "place", "manner", "reason", "result", "condition", "limit", "concession", "comparison")
# Verbs that take an object and a bare verb, and the kinds of nouns that may be this verb.
_BEFORE_BARE_VERB = frozenset({"feel", "hear", "help", "have", "let", "make", "notice", "see", "watch"})
_DEEDS = frozenset({"noun.act", "noun.communication", "noun.event", "noun.state", "noun.time"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as token indices: where it begins, its last verb word, and the first and last token to be fronted."""

    start: int
    verb: int
    first: int
    last: int


def _keeps_one(parse: Parse, clauses: Mapping[int, Clause | None]) -> bool:
    """Return whether a main clause or a request cannot be turned; `clauses` has None for it."""
    turned = {head for head, clause in clauses.items() if clause is not None}
    for head in clauses.keys() - turned:
        # A request has a bare verb: "Go", "Don't go".
        is_request = parse.tags[first_verb(parse, head)] == "VB" and not parse.children(head, "mark")
        if parse.children(head, *SUBJECTS) or (is_request and not _is_fronted_too(parse, head, clauses)):
            return True
    return any(leaves_clause(parse, head, turned) for head in turned)


def _is_fronted_too(parse: Parse, verb: int, clauses: Mapping[int, Clause | None]) -> bool:
    """Return whether a bare verb follows another that is fronted, with which it shares "can", "to" or the like: "can open and close it"."""
    is_joined = {parse.word(index) for index in parse.children(verb, "cc")} in ({"and"}, {"or"})  # not "cannot help but like it"
    fronts = (clause for clause in clauses.values() if clause is not None and verb <= clause.last)
    return is_joined and any("VB" in parse.tags[clause.first : verb] for clause in fronts)


def _has_deed_as_object(parse: Parse, clauses: Mapping[int, Clause | None]) -> bool:
    """Return whether an object may be somebody and a bare verb, of which the parser made one noun phrase: "I saw her leave"."""
    objects = (index for head in clauses if parse.lemmas[head] in _BEFORE_BARE_VERB for index in parse.children(head, "obj"))
    nouns = (parse.word(index) for index in objects if parse.tags[index] == "NN" and parse.word(index - 1) == "her")
    return any(first_kind(noun) in _DEEDS and bundled_lexicon().synsets(noun, "v") for noun in nouns)


OF_STATEMENTS: tuple[Refusal[[Parse, Mapping[int, Clause | None]]], ...] = (
    Refusal("main clause or request that stays", "I laughed, and I was happy.", _keeps_one),
    Refusal("object that may be a clause", "I saw her leave.", _has_deed_as_object),
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
    """Speak as Yoda: the words after the verb go before the subject ("You are strong" -> "Strong, you are"); deterministic.

    After auxiliaries and copulas all words are fronted; after another verb its object, if a mark or a clause follows that, else all words.
    Each main clause of the text is turned, or none; subordinate clauses and quotations stay. In a question the words after the subject
    are fronted ("Find the ring, did he?"), in a request those after the verb. `fidelity="original"` fronts all words after the verb.
    """
    if not len(parse):
        return None
    if fidelity == "original":
        return _after_verb(parse)
    turned_text = turned_question(parse)
    if turned_text is not None or asks(parse, 0):
        return turned_text
    clauses = {head: _turned_clause(parse, head) for head in sorted(_main_clauses(parse))}
    if refused(OF_STATEMENTS, parse, clauses):
        return None
    return edited(parse.text, [edit for clause in clauses.values() if clause is not None for edit in _clause_edits(parse, clause)])


def _after_verb(parse: Parse) -> str | None:
    """Return the text with all words after the verb of the first sentence in front; None if there are none."""
    verb = _last_verb_word(parse, parse.roots()[0])
    last = len(parse) - 2 if ends_clause(parse, len(parse) - 1) else len(parse) - 1
    if verb is None or verb >= last:
        return None
    return f"{capitalise(slice_text(parse, verb + 1, last))}, {slice_text(parse, 0, verb)}{parse.text[parse.end(last) :]}"


def _main_clauses(parse: Parse) -> list[int]:
    """Return the heads of the main clauses: the roots, and the clauses coordinated with them."""
    heads = parse.roots()
    for head in heads:
        if parse.tags[head].startswith("VB") or parse.children(head, "cop"):
            joined = parse.children(head, "conj", "parataxis")
            # With only a comma before it, it may be part of a list that the parser cut.
            heads.extend(child for child in joined if parse.children(child, "cc") or parse.tokens[parse.first(child)] in (";", ":"))
    return heads


def _turned_clause(parse: Parse, head: int) -> Clause | None:
    """Return how a main clause is turned; None if it cannot be, or the parser may have cut it."""
    verb = _before_front(parse, head)
    if verb is None or is_semi_modal(parse, first_verb(parse, head)):
        return None
    subjects = [index for index in parse.children(head, *SUBJECTS) if index < verb]
    fronts = [stretch for stretch in _fronted(parse, head, verb) if ends_whole(parse, head, *stretch)]
    if len(subjects) != 1 or not fronts:
        return None
    clause = Clause(_clause_start(parse, head, subjects[0]), verb, *fronts[0])
    if _is_cleft(parse, head, subjects[0], clause) or parse.tags[clause.start] in ("IN", "TO", "WRB", "WP"):
        return None
    halves = (slice_text(parse, clause.first, clause.last), slice_text(parse, clause.start, verb))
    is_whole = all(map(is_balanced, halves)) and begins_whole(parse, head, clause.start, clause.first)
    return None if not is_whole or may_open_with_name(parse, clause.start) else clause


def _is_cleft(parse: Parse, head: int, subject: int, clause: Clause) -> bool:
    """Return whether the clause only sets off one of its words: "It was the king that came", "It was here that he slept"."""
    if parse.deps[subject] == "expl" and clause.verb < head and parse.tags[clause.first] in ("RB", "IN"):
        return True
    return parse.word(subject) == "it" and bool(parse.children(head, "cop")) and "that" in parse.tokens[clause.first : clause.last + 1]


def _last_verb_word(parse: Parse, head: int) -> int | None:
    """Return the last verb word, or the particle, "not" or the like after it ("told me", "took place"); None if the verb is in doubt."""
    verbs = parse.children(head, "aux", "cop") or [head]
    if not is_finite(parse, verbs[0]) or "," in parse.tokens[verbs[0] : verbs[-1]] or runs_together(parse, verbs[-1]):
        return None
    last = verbs[-1]
    if last + 1 in parse.children(head, "compound:prt"):
        last += 1
    if parse.is_negation(last + 1) and parse.tag(last + 2) != "TO":  # this "not" belongs to the infinitive: "agrees not to go"
        last += 1
    expression = f"{parse.lemmas[head]} {parse.word(last + 1)}" if parse.tag(last + 1) == "NN" else ""
    is_idiom = last + 1 in parse.children(head, "obj") and bundled_lexicon().synsets(expression, "v")
    is_told = parse.tag(last + 1) == "PRP" and last + 1 in parse.children(head, "iobj")
    return last + 1 if is_idiom or is_told else last


def _before_front(parse: Parse, head: int) -> int | None:
    """Return the last verb word, or the particle after it that the parser took for an adverb ("stood by"); None if the verb is in doubt."""
    verb = _last_verb_word(parse, head)
    is_particle = verb == head and parse.word(verb + 1) in VERB_WORDS["PARTICLE"] and verb + 1 in parse.children(head, "advmod")
    return verb + 1 if verb is not None and is_particle else verb


def _fronted(parse: Parse, head: int, verb: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches that may be fronted, as first and last token: the object of a verb without auxiliary, then all words after it."""
    end = _front_end(parse, head, verb)
    stretches = [(verb + 1, end)]
    objects = parse.children(head, "obj", "ccomp") if verb >= head else []
    if objects and objects[0] > verb:
        object_only = (parse.first(objects[0]), min(end, parse.last(objects[0]) + 1))
        # Only a noun is fronted together with the words after it; not the "this" of "He followed this up".
        is_noun = parse.upos[objects[0]] in ("NOUN", "PROPN") and not parse.children(head, "compound:prt", "xcomp")
        stretches = [object_only, *stretches] if is_noun else [object_only]
    for first, after in stretches:
        stretch = words_only(parse, first, after - 1)
        if stretch is not None and stretch[0] == first:
            yield stretch


def _front_end(parse: Parse, head: int, verb: int) -> int:
    """Return the index after the words that may be fronted: of a subordinate or coordinated clause, or the end of the sentence."""
    joined = parse.children(head, "conj") if verb >= head else []
    clauses = (parse.first(child) for child in parse.children(head) if child > head and (child in joined or _is_left_behind(parse, child)))
    comments = (index - 1 for index in range(verb + 2, parse.last(head)) if _comments_on_clause(parse, head, index))
    end = min([parse.last(head) + 1, *clauses, *comments])
    marks = (index for index in range(verb + 1, end) if ends_clause(parse, index))
    return next(marks, end)


def _comments_on_clause(parse: Parse, head: int, index: int) -> bool:
    """Return whether a word is a participle after a comma whose clause ends the sentence: "It is small, suggesting that it is young"."""
    is_participle = parse.tags[index] == "VBG" and parse.deps[index] == "advcl" and parse.upos[parse.heads[index]] != "NOUN"
    is_last = parse.last(index) in (parse.last(head), parse.last(head) - 1) and not parse.children(index, "conj")
    return is_participle and is_last and parse.tokens[index - 1] == ","


def _is_left_behind(parse: Parse, clause: int) -> bool:
    """Return whether a subordinate clause is not fronted."""
    opening = parse.first(clause)
    opener = opening + (parse.tokens[opening] == ",")
    if parse.word(opener) == "where" and parse.pos(opener - 1 - (parse.tokens[opener - 1] == ",")) in ("NOUN", "PROPN"):
        return False  # a relative clause: "Greece, where it is 17"
    if parse.word(opening) == "when" and "noun.time" in noun_kinds(parse.word(opening - 1)):
        return False  # a relative clause: "a time when we sing"
    if parse.tags[clause] == "VBG" and parse.upos[parse.heads[clause]] == "NOUN":
        return False  # a clause that describes a noun: "a film about the war, refusing to take sides"
    if parse.has_label(clause, "advcl", "parataxis"):
        return "," in parse.tokens[opening - 1 : opening + 1] or relation_at(parse, opening) in _LEFT_BEHIND
    return parse.has_label(clause, "conj") and bool(parse.children(clause, *SUBJECTS))


def _clause_start(parse: Parse, head: int, subject: int) -> int:
    """Return the index of the first word that the front comes before: of the subject, or of the words directly in front of it."""
    start = parse.first(subject)
    while parse.deps[start] in ("punct", "cc") and parse.tokens[start] not in OPENING:
        start += 1
    while start > parse.first(head) and parse.tokens[start - 1][0].isalnum():
        # A conjunction stays in front, and so do "so", but not that of "so far", and "then" and "yet" inside the sentence.
        is_so = parse.word(start - 1) == "so" and parse.heads[start - 1] != start
        if parse.has_label(start - 1, "cc") or is_so or (start > 1 and parse.word(start - 1) in ("then", "yet")):
            break
        start -= 1
    return start


def _clause_edits(parse: Parse, clause: Clause) -> list[Edit]:
    """Return the edits that write the front before the subject, and delete it where it was."""
    front = slice_text(parse, clause.first, clause.last)
    after_front = up_to_verb(parse, clause.start, clause.verb)
    if opens_sentence(parse, clause.start):
        front = raise_first(front, parse.text[parse.starts[clause.start] :])
        after_front = lower_first(parse, clause.start, after_front)
    comma = comma_in(parse.text)
    full_stop = "." if front.endswith(".") else ""  # the last word may hold that of the sentence: "in 3D."
    end_mark = comma if _needs_comma_after(parse, clause) else full_stop
    if not _ABBREVIATION.search(front):
        front = front.removesuffix(end_mark)
    turned = Edit(*parse.span(clause.start, clause.verb), f"{front}{comma} {after_front}")
    if clause.start == 1 and parse.word(0) == "so":
        turned = Edit(parse.end(0), turned.end, f"{comma} {turned.replacement}")
    return [turned, Edit(parse.end(clause.first - 1), parse.end(clause.last), end_mark)]


def _needs_comma_after(parse: Parse, clause: Clause) -> bool:
    """Return whether a comma has to separate the verb from what follows the front: "Locked, it was, after I left", not "was after"."""
    is_subordinate = parse.upos[clause.verb] in ("AUX", "PART") and relation_at(parse, clause.last + 1) in _LEFT_BEHIND
    return is_subordinate or parse.text[parse.end(clause.last) :].lstrip().startswith(("and ", "but ", "or "))

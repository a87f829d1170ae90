"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random

from augcse.annotation.doubts import Doubts, doubt_at, parser_doubts
from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import agreement_edits
from augcse.augmentations.english.clause import sharing_conjuncts
from augcse.augmentations.english.marks import opens_sentence
from augcse.augmentations.english.phrase import lower_first, pronoun_at, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import OBJECT_FORM, REFUSALS, SUBJECT_FORM, Exchange, Phrase
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in

# Chosen on graded exchanges of the tuning split, from the table of scripts/measure_doubts.py.
MOST_DOUBT = 0.42
# Of a preposition that may be a particle, by reading.
MOST_DOUBT_OF_PREPOSITION = 0.15


def doubt_of(exchange: Exchange, doubts: Doubts) -> float:
    """Return how far the parser doubted the two phrases and their verbs: its doubt of all their tokens, by the root of their number.

    The sum alone would tell the length of the phrases too: much of the doubt of a long one concerns no word at its ends.
    """
    tokens = {*exchange.subject.indices, *exchange.object.indices, exchange.clause, exchange.verb}
    return doubt_at(exchange.parse, doubts, sorted(tokens)) / sqrt(len(tokens))


def _follows_particle(exchange: Exchange, doubts: Doubts) -> bool:
    """Return whether a pronoun would follow a particle, or what the parser took with doubt for a preposition: "handed in me"."""
    parse, before = exchange.parse, exchange.object.first - 1
    is_sure = parse.tags[before] in ("IN", "TO") and doubt_at(parse, doubts, [before]) <= MOST_DOUBT_OF_PREPOSITION
    return parse.tags[exchange.subject.head] == "PRP" and exchange.verb < before and not is_sure


AFTER_PARTICLE = Refusal("pronoun after a particle", "He will give up the town.", _follows_particle)
DOUBTED = Refusal(
    "doubtful reading", "The boy left at the farm was happy.", lambda exchange, doubts: doubt_of(exchange, doubts) > MOST_DOUBT
)


@augmentation(
    "SentenceSubjectObjectSwitch",
    family="syntax",
    meaning="alteration",
    condition="a clause with a subject and an object that can change places",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter subject_object_switch (Dhole et al. 2021)",
    needs=("parse",),
    batched=True,
    example=Example("He has two old friends.", "Two old friends have him."),
    refusals=(*REFUSALS, AFTER_PARTICLE, DOUBTED),
)
def sentence_subject_object_switch(
    parses: Sequence[Parse], rngs: Sequence[Random], *, fidelity: Fidelity = "grammatical"
) -> list[str | None]:
    """Exchange the subject and the object of a clause, so that who does what to whom is reversed.

    The main clause is tried first, then the subordinate ones in order; deterministic. The object is that of the verb, of the infinitive
    under it ("wants to see Mary"), of the preposition after it or of a verb joined to it ("came home and saw Mary"), or a passive's agent.
    Whole phrases move, as the parser has them; pronouns change their case, the verb its number, the first word its capital.
    The exchange is kept if the bundled parser was sure of the two phrases: see `augcse.annotation.doubts`.
    `fidelity="original"` exchanges the first subject with the first object of verb or preposition as the parser gives them.
    """
    if fidelity == "original":
        return [_switch_first(parse) for parse in parses]
    proposed = list(map(proposals, parses))
    doubts = parser_doubts(parse.text for parse, possible in zip(parses, proposed, strict=True) if possible)
    results: list[str | None] = []
    for possible in proposed:
        doubt = next(doubts) if possible else {}
        results.append(next((text for exchange, text in possible if not refused((AFTER_PARTICLE, DOUBTED), exchange, doubt)), None))
    return results


def proposals(parse: Parse) -> list[tuple[Exchange, str]]:
    """Return the exchanges that no refusal stops by the parse alone, each with its new sentence."""
    possible = []
    for exchange in _exchanges(parse):
        verb_edits = agreement_edits(parse, (exchange.clause, *exchange.joined), exchange.subject.head, exchange.object.head)
        if verb_edits is not None and not refused(REFUSALS, exchange):
            possible.append((exchange, apply_edits(parse.text, [*verb_edits, *_phrase_edits(exchange)])))
    return possible


def _exchanges(parse: Parse) -> Iterator[Exchange]:
    """Yield the pairs of a subject and an object, the main clause's first."""
    for clause in sorted(range(len(parse)), key=lambda index: (parse.deps[index] != "ROOT", index)):
        subjects = parse.children(clause, "nsubj")
        if len(subjects) != 1 or parse.deps[subjects[0]] == "nsubj:outer":
            continue  # no single subject, or one of a whole clause: "the aim is to see it"
        joined = sharing_conjuncts(parse, clause)
        for predicate in (clause, *(verb for verb in joined if parse.tags[verb] == parse.tags[clause])):
            verb, objects = _verb_and_objects(parse, predicate)
            phrases = list(filter(None, (_phrase(parse, head) for head in (*subjects, *objects))))
            if len(phrases) == 2 and phrases[0].last < clause <= verb < phrases[1].first:
                yield Exchange(parse, clause, joined, verb, *phrases)


def _verb_and_objects(parse: Parse, clause: int) -> tuple[int, list[int]]:
    """Return the verb whose object moves, that of the clause or the infinitive under it, and its objects.

    If it has none, these are the agent of a passive, or the nouns whose preposition comes right after the verb or adjective.
    """
    verb = clause
    while parse.tags[verb][0] == "V" and not parse.children(verb, "obj", "iobj", "obl"):
        infinitives = [index for index in parse.children(verb, "xcomp") if parse.tags[index] == "VB"]
        if not infinitives:
            break
        verb = infinitives[0]
    objects = parse.children(verb, "obj", "iobj")
    agents = [index for index in parse.children(clause, "obl") if "by" in map(parse.word, parse.children(index, "case"))]
    # The object of a relative clause is in front of it: "what he thought about the session".
    if objects or agents or parse.deps[clause] == "acl:relcl":
        return verb, objects or agents
    after = verb + 1
    while parse.tag(after) in ("RP", "RB"):
        after += 1
    return verb, [index for index in parse.children(verb, "obl") if after in parse.children(index, "case") and parse.tags[index] != "CD"]


def _phrase(parse: Parse, head: int) -> Phrase | None:
    """Return the noun phrase of a head without its preposition; None if no words are left."""
    prepositions = (index for index in parse.children(head, "case") if index < head)
    first = max(map(parse.last, prepositions), default=parse.first(head) - 1) + 1
    ends = words_only(parse, first, parse.last(head))
    return Phrase(head, *ends) if ends else None


def _phrase_edits(exchange: Exchange) -> list[Edit]:
    """Return the edits that write each phrase in the place of the other."""
    parse, subject, object_phrase = exchange.parse, exchange.subject, exchange.object
    new_subject, new_object = _in_other_case(parse, object_phrase), _in_other_case(parse, subject)
    if opens_sentence(parse, subject.first):
        new_subject = raise_first(new_subject, parse.text[parse.starts[subject.first] :])
        new_object = lower_first(parse, subject.first, new_object)
    if parse.text.startswith(".", parse.end(object_phrase.last)):
        new_object = new_object.removesuffix(".")
    elif new_subject.endswith(".") and object_phrase.last + 1 == len(parse):
        new_object += "."  # the full stop of an abbreviation ended the sentence too: "a subsidiary of Boeing Co."
    if _ends_with_aside(parse, object_phrase):
        new_subject += comma_in(parse.text)  # a second comma separates the aside from the verb
    return [Edit(*parse.span(phrase.first, phrase.last), text) for phrase, text in ((subject, new_subject), (object_phrase, new_object))]


def _ends_with_aside(parse: Parse, phrase: Phrase) -> bool:
    """Return whether a phrase ends with something after a comma that is not a conjunct: "the king, an old man"."""
    dependents = (index for index in range(phrase.head + 1, phrase.last + 1) if parse.deps[index] != "conj")
    final = (index for index in dependents if parse.last(index) >= phrase.last)
    return any("," in parse.tokens[max(parse.first(index) - 1, 0) : index] for index in final)


def _in_other_case(parse: Parse, phrase: Phrase) -> str:
    """Return the text of a phrase, a personal pronoun in its other case."""
    form = (SUBJECT_FORM | OBJECT_FORM).get(pronoun_at(parse, phrase.head))
    return slice_text(parse, phrase.first, phrase.last, [(phrase.head, form)] if form else [])


def _switch_first(parse: Parse) -> str | None:
    """Exchange the first subject and the first object of a verb or preposition."""
    subject, object_phrase = _first_phrase(parse, "nsubj", "csubj"), _first_phrase(parse, "obj", "iobj", "obl", "nmod")
    if subject is None or object_phrase is None or not set(subject.indices).isdisjoint(object_phrase.indices):
        return None
    spans = [parse.span(phrase.first, phrase.last) for phrase in (subject, object_phrase)]
    texts = [parse.text[start:end] for start, end in reversed(spans)]
    return apply_edits(parse.text, [Edit(start, end, text) for (start, end), text in zip(spans, texts, strict=True)])


def _first_phrase(parse: Parse, *labels: str) -> Phrase | None:
    return next((_phrase(parse, index) for index in range(len(parse)) if parse.has_label(index, *labels)), None)

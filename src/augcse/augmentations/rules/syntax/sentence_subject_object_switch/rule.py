"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from augcse.annotation.doubts import Doubts, doubt_at, parser_doubts
from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import OBJECT_FORM, SUBJECT_FORM, agreeing_form, agrees, is_plural
from augcse.augmentations.english.clause import is_finite, sharing_conjuncts, verbs_of
from augcse.augmentations.english.phrase import lower_first, opens_sentence, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import REFUSALS, Exchange, Phrase
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in

# Chosen on graded exchanges of the tuning split, from the table of scripts/measure_doubts.py.
MOST_DOUBT = 1.0


def doubt_of(exchange: Exchange, doubts: Doubts) -> float:
    """Return how far the parser doubted the two phrases and their verbs."""
    read = {*exchange.subject.indices, *exchange.object.indices, exchange.clause, exchange.verb}
    return doubt_at(exchange.parse, doubts, sorted(read))


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
    refusals=(*REFUSALS, DOUBTED),
)
def sentence_subject_object_switch(
    parses: Sequence[Parse], rngs: Sequence[Random], *, fidelity: Fidelity = "grammatical"
) -> list[str | None]:
    """Exchange the subject and the object of a clause, so that who does what to whom is reversed.

    The main clause comes first, else the first subordinate one that has both and is not refused; deterministic. The object is the
    verb's, that of the infinitive under it ("wants to see Mary"), the agent of a passive, or that of the preposition after the verb; or
    that of a verb joined to it ("came home and saw Mary").
    Whole phrases move, as the parser has them; pronouns change their case, the verb its number, the first word its capital.
    The exchange is kept if the bundled parser was sure of the two phrases: see `augcse.annotation.doubts`.
    `fidelity="original"` exchanges the first subject with the first object of verb or preposition as the parser gives them.
    """
    if fidelity == "original":
        return [_switch_first(parse) for parse in parses]
    proposed = list(map(proposals, parses))
    doubts = parser_doubts(parse.text for parse, found in zip(parses, proposed, strict=True) if found)
    return [_first_sure(found, next(doubts)) if found else None for found in proposed]


def _first_sure(proposed: Sequence[tuple[Exchange, str]], doubts: Doubts) -> str | None:
    return next((text for exchange, text in proposed if not refused((DOUBTED,), exchange, doubts)), None)


def proposals(parse: Parse) -> list[tuple[Exchange, str]]:
    """Return the exchanges that no refusal stops, with the sentences that they make."""
    found = []
    for exchange in _exchanges(parse):
        verbs = _verb_edits(exchange)
        if verbs is not None and not refused(REFUSALS, exchange):
            switched = apply_edits(parse.text, [*verbs, *_moves(exchange)])
            if switched != parse.text:  # "it made it" is the same the other way round
                found.append((exchange, switched))
    return found


def _exchanges(parse: Parse) -> Iterator[Exchange]:
    """Yield the pairs of a subject and an object, the main clause's first."""
    clauses = [index for index, tag in enumerate(parse.tags) if tag.startswith(("VB", "JJ")) and tag != "JJS"]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        if len(subjects := parse.children(clause, "nsubj")) == 1:
            found = (_exchange(parse, clause, first, subjects[0]) for first in (clause, *_joined_verbs(parse, clause)))
            yield from filter(None, found)


def _exchange(parse: Parse, clause: int, first: int, subject: int) -> Exchange | None:
    """Return the exchange of a clause's subject with the one object of `first`, its verb or one joined to that; None without one."""
    verb = _verb_with_object(parse, first)
    objects = _objects(parse, first, verb)
    if len(objects) != 1:
        return None
    one, two = _phrase(parse, subject), _phrase(parse, objects[0])
    if one is None or two is None or not one.last < clause <= verb < two.first:
        return None
    return Exchange(parse, clause, verb, one, two)


def _joined_verbs(parse: Parse, clause: int) -> list[int]:
    """Return the verbs of the same subject and form that a conjunction joins to the clause's; of a passive none, which may be one too."""
    if parse.children(clause, "aux:pass"):
        return []
    return [verb for verb in sharing_conjuncts(parse, clause) if parse.children(verb, "cc") and parse.tags[verb] == parse.tags[clause]]


def _verb_with_object(parse: Parse, clause: int) -> int:
    """Return the verb whose object moves: that of the clause, or the infinitive under it."""
    verb = clause
    while parse.tags[verb][0] == "V" and not parse.children(verb, "obj", "iobj", "obl"):
        infinitives = [index for index in parse.children(verb, "xcomp") if parse.tags[index] == "VB"]
        if not infinitives:
            return verb
        verb = infinitives[0]
    return verb


def _objects(parse: Parse, clause: int, verb: int) -> list[int]:
    """Return the objects of the verb; without one the person told, the agent, or what the preposition right after verb or adjective has."""
    after = verb + 1
    while parse.tag(after) in ("RP", "RB"):
        after += 1
    by = [index for index in parse.children(clause, "obl") if "by" in map(parse.word, parse.children(index, "case"))]
    agents = [index for index in by if parse.tags[index] != "CD"]  # not "by 1988"
    # "What he thought about the session": the object stands in front.
    bound = parse.deps[clause] != "acl:relcl" or any(parse.tags[index][0] == "W" for index in parse.children(clause, "advmod"))
    nouns = (index for index in parse.children(verb, "obl") if bound and parse.tags[index] != "CD")
    objects = parse.children(verb, "obj") or parse.children(verb, "iobj")
    return objects or agents or [index for index in nouns if after in parse.children(index, "case")]


def _phrase(parse: Parse, head: int) -> Phrase | None:
    """Return the stretch of a noun phrase without its preposition."""
    first = max((parse.last(index) for index in parse.children(head, "case") if index < head), default=parse.first(head) - 1) + 1
    stretch = words_only(parse, first, parse.last(head))
    return Phrase(head, *stretch) if stretch else None


def _verb_edits(exchange: Exchange) -> list[Edit] | None:
    """Return the edits that make the verbs agree with their new subject; None if one cannot be told."""
    parse, clause, subject, other = exchange.parse, exchange.clause, exchange.subject.head, exchange.object.head
    plural, first_person = is_plural(parse, other), parse.word(other) == "me"
    edits = []
    for verb in [clause, *sharing_conjuncts(parse, clause)]:
        finite = verbs_of(parse, verb)[0]
        if verb != clause and (parse.tags[verb] in ("NN", "NNS") or (parse.tags[verb], parse.tags[clause]) == ("VB", "VBP")):
            return None  # "and was a teacher"; "they protect it and suppress weeds", where the tagger takes the second verb for bare
        if (verb == clause and not is_finite(parse, finite)) or not agrees(parse, subject, finite):
            return None
        form = agreeing_form(parse, finite, plural, first_person)
        if form is None:
            return None
        edits.append(Edit(*parse.span(finite), form))
    return edits


def _moves(exchange: Exchange) -> list[Edit]:
    parse, subject, other = exchange.parse, exchange.subject, exchange.object
    raised = slice_text(parse, other.first, other.last, _recased(parse, other.head, SUBJECT_FORM))
    lowered = slice_text(parse, subject.first, subject.last, _recased(parse, subject.head, OBJECT_FORM))
    if opens_sentence(parse, subject.first):
        raised = raise_first(raised, parse.text[parse.starts[subject.first] :])
        lowered = lower_first(parse, subject.first, lowered)
    raised += comma_in(parse.text) * _has_afterthought(exchange)
    if parse.text.startswith(".", parse.end(other.last)):
        lowered = lowered.removesuffix(".")
    elif raised.endswith(".") and not parse.text[parse.end(other.last) :].strip() and not lowered.endswith("."):
        lowered += "."  # "a subsidiary of Boeing Co." ended the sentence too
    return [Edit(*parse.span(phrase.first, phrase.last), text) for phrase, text in ((subject, raised), (other, lowered))]


def _recased(parse: Parse, index: int, forms: dict[str, str]) -> list[tuple[int, str]]:
    """Return (token, new form) for a personal pronoun that changes with the case."""
    new = forms.get(parse.word(index)) if parse.tags[index] == "PRP" else None
    return [(index, new)] if new else []


def _has_afterthought(exchange: Exchange) -> bool:
    """Tell whether the object ends in more than a conjunct after a comma, which a second comma has to part from the verb."""
    parse, other = exchange.parse, exchange.object
    added = (index for index in exchange.within if parse.deps[index] != "conj" and parse.last(index) >= other.last)
    return any("," in parse.tokens[max(parse.first(index) - 1, 0) : index] for index in added)


def _switch_first(parse: Parse) -> str | None:
    """Exchange the first subject and the first object of a verb or preposition."""
    indices = range(len(parse))
    phrases = [
        next((_phrase(parse, index) for index in indices if parse.has_label(index, *labels)), None)
        for labels in (("nsubj", "csubj"), ("obj", "iobj", "obl", "nmod"))
    ]
    one, two = phrases
    if one is None or two is None or max(one.first, two.first) <= min(one.last, two.last):
        return None
    spans = [parse.span(phrase.first, phrase.last) for phrase in (one, two)]
    texts = [parse.text[start:end] for start, end in reversed(spans)]
    return apply_edits(parse.text, [Edit(start, end, text) for (start, end), text in zip(spans, texts, strict=True)])

"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from augcse.annotation.doubts import Doubts, doubt_at, parser_doubts
from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import BE_TENSES, agrees, finite_form, is_plural
from augcse.augmentations.english.clause import first_verb, is_finite, missed_present, sharing_conjuncts
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.phrase import lower_first, opens_sentence, pronoun_at, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import OBJECT_FORM, REFUSALS, SUBJECT_FORM, Exchange, Phrase
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in, match_case

# Chosen on graded exchanges of the tuning split, from the table of scripts/measure_doubts.py.
MOST_DOUBT = 1.0


def doubt_of(exchange: Exchange, doubts: Doubts) -> float:
    """Return how far the parser doubted the two phrases and their verbs."""
    tokens = {*exchange.subject.indices, *exchange.object.indices, exchange.clause, exchange.verb}
    return doubt_at(exchange.parse, doubts, sorted(tokens))


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
        results.append(next((text for exchange, text in possible if not refused((DOUBTED,), exchange, doubt)), None))
    return results


def proposals(parse: Parse) -> list[tuple[Exchange, str]]:
    """Return the exchanges that no refusal stops, each with its new sentence."""
    possible = []
    for exchange in _exchanges(parse):
        verb_edits = _verb_edits(exchange)
        if verb_edits is not None and not refused(REFUSALS, exchange):
            possible.append((exchange, apply_edits(parse.text, [*verb_edits, *_phrase_edits(exchange)])))
    return possible


def _exchanges(parse: Parse) -> Iterator[Exchange]:
    """Yield the pairs of a subject and an object, the main clause's first."""
    clauses = [index for index, tag in enumerate(parse.tags) if tag.startswith(("VB", "JJ"))]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        subjects = parse.children(clause, "nsubj")
        if len(subjects) != 1 or parse.deps[subjects[0]] == "nsubj:outer":
            continue  # no single subject, or one of a whole clause: "the aim is to see it"
        joined, is_passive = sharing_conjuncts(parse, clause), bool(parse.children(clause, "aux:pass"))
        # A verb joined to a passive may be a passive too.
        others = [verb for verb in joined if parse.tags[verb] == parse.tags[clause] and not is_passive]
        for first in (clause, *others):
            verb, objects = _verb_and_objects(parse, first)
            subject = _phrase(parse, subjects[0])
            object_phrase = _phrase(parse, objects[0]) if len(objects) == 1 else None
            if subject is not None and object_phrase is not None and subject.last < clause <= verb < object_phrase.first:
                yield Exchange(parse, clause, joined, is_passive, verb, subject, object_phrase, parse.word(object_phrase.first - 1))


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
    """Return a noun phrase without its preposition; None if no words are left."""
    first = max((parse.last(index) for index in parse.children(head, "case") if index < head), default=parse.first(head) - 1) + 1
    stretch = words_only(parse, first, parse.last(head))
    return Phrase(head, *stretch) if stretch else None


def _verb_edits(exchange: Exchange) -> list[Edit] | None:
    """Return the edits that make the verbs agree with their new subject; None if a form is unknown."""
    parse, subject, new_subject = exchange.parse, exchange.subject.head, exchange.object.head
    plural, first_person = is_plural(parse, new_subject), parse.word(new_subject) == "me"
    edits = []
    for verb in (exchange.clause, *exchange.joined):
        finite = first_verb(parse, verb)
        # A predicate noun of that verb would have to change its number too: "came and was a teacher".
        may_change = agrees(parse, subject, finite) and parse.tags[verb] not in ("NN", "NNS")
        form = _agreeing_form(parse, finite, plural, first_person) if may_change else None
        if form is None or (verb == exchange.clause and not is_finite(parse, finite)):
            return None
        edits.append(Edit(*parse.span(finite), form))
    return edits


def _agreeing_form(parse: Parse, index: int, plural: bool | None, first_person: bool) -> str | None:
    """Return the form of the finite word `index` with a subject of that number; None if it is unknown."""
    word, tag = parse.word(index), parse.tags[index]
    if word[0] in "'’":
        return None
    if word not in BE_TENSES and tag not in ("VBZ", "VBP") and index != missed_present(parse):
        return parse.tokens[index]
    lemma = "be" if word in BE_TENSES else verb_lemma(word, tag, parse.lemmas[index])
    form = finite_form(lemma, BE_TENSES.get(word, "present"), plural, first_person=first_person) if lemma else None
    return match_case(parse.tokens[index], form) if form else None


def _phrase_edits(exchange: Exchange) -> list[Edit]:
    """Return the edits that write each phrase in the place of the other."""
    parse, subject, object_phrase = exchange.parse, exchange.subject, exchange.object
    new_subject, new_object = _recased(parse, object_phrase, SUBJECT_FORM), _recased(parse, subject, OBJECT_FORM)
    if opens_sentence(parse, subject.first):
        new_subject = raise_first(new_subject, parse.text[parse.starts[subject.first] :])
        new_object = lower_first(parse, subject.first, new_object)
    if parse.text.startswith(".", parse.end(object_phrase.last)):
        new_object = new_object.removesuffix(".")
    elif new_subject.endswith(".") and object_phrase.last + 1 == len(parse) and not new_object.endswith("."):
        new_object += "."  # the full stop of an abbreviation ended the sentence too: "a subsidiary of Boeing Co."
    if _ends_with_aside(parse, object_phrase):
        new_subject += comma_in(parse.text)  # a second comma separates the aside from the verb
    return [Edit(*parse.span(phrase.first, phrase.last), text) for phrase, text in ((subject, new_subject), (object_phrase, new_object))]


def _ends_with_aside(parse: Parse, phrase: Phrase) -> bool:
    """Return whether a phrase ends with something after a comma that is not a conjunct: "the king, an old man"."""
    dependents = (index for index in range(phrase.head + 1, phrase.last + 1) if parse.deps[index] != "conj")
    final = (index for index in dependents if parse.last(index) >= phrase.last)
    return any("," in parse.tokens[max(parse.first(index) - 1, 0) : index] for index in final)


def _recased(parse: Parse, phrase: Phrase, forms: dict[str, str]) -> str:
    """Return the text of a phrase, a personal pronoun in its other case."""
    form = forms.get(pronoun_at(parse, phrase.head))
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

"""SentenceSubjectObjectSwitch: who does what to whom, the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from augcse.annotation.doubts import Doubts, doubt_at, parser_doubts
from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.agreement import BE_TENSES, agrees, finite_form, is_plural
from augcse.augmentations.english.clause import is_finite, missed_present, sharing_conjuncts, verbs_of
from augcse.augmentations.english.inflection import verb_lemma
from augcse.augmentations.english.phrase import lower_first, opens_sentence, raise_first, slice_text, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import OBJECT_FORM, REFUSALS, SUBJECT_FORM, Exchange, Phrase
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in, match_case

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
    results: list[str | None] = []
    for found in proposed:
        doubt = next(doubts) if found else {}
        results.append(next((text for exchange, text in found if not refused((DOUBTED,), exchange, doubt)), None))
    return results


def proposals(parse: Parse) -> list[tuple[Exchange, str]]:
    """Return the exchanges that no refusal stops, with the sentences that they make."""
    found = []
    for exchange in _exchanges(parse):
        verbs = _verb_edits(exchange)
        if verbs is not None and not refused(REFUSALS, exchange):
            found.append((exchange, apply_edits(parse.text, [*verbs, *_moves(exchange)])))
    return found


def _exchanges(parse: Parse) -> Iterator[Exchange]:
    """Yield the pairs of a subject and an object, the main clause's first."""
    words = [token.lower() for token in parse.tokens]
    clauses = [index for index, tag in enumerate(parse.tags) if tag.startswith(("VB", "JJ"))]
    for clause in sorted(clauses, key=lambda index: (parse.deps[index] != "ROOT", index)):
        subjects = parse.children(clause, "nsubj")
        if len(subjects) != 1 or parse.deps[subjects[0]] == "nsubj:outer":  # "the aim is to see it"
            continue
        joined, is_passive = sharing_conjuncts(parse, clause), bool(parse.children(clause, "aux:pass"))
        # What is joined to a passive may be one too.
        others = [verb for verb in joined if parse.tags[verb] == parse.tags[clause] and not is_passive]
        for first in (clause, *others):
            verb, objects = _verb_and_objects(parse, first)
            one, two = _phrase(parse, subjects[0]), _phrase(parse, objects[0]) if len(objects) == 1 else None
            if one is not None and two is not None and one.last < clause <= verb < two.first:
                yield Exchange(parse, words, clause, joined, is_passive, verb, one, two, words[two.first - 1])


def _verb_and_objects(parse: Parse, clause: int) -> tuple[int, list[int]]:
    """Return the verb whose object moves, that of the clause or the infinitive under it, and its objects.

    Without one these are the agent of a passive, or what the preposition right after verb or adjective has.
    """
    verb = clause
    while parse.tags[verb][0] == "V" and not parse.children(verb, "obj", "iobj", "obl"):
        infinitives = [index for index in parse.children(verb, "xcomp") if parse.tags[index] == "VB"]
        if not infinitives:
            break
        verb = infinitives[0]
    objects = parse.children(verb, "obj", "iobj")
    agents = [index for index in parse.children(clause, "obl") if "by" in map(parse.word, parse.children(index, "case"))]
    if objects or agents or parse.deps[clause] == "acl:relcl":  # "what he thought about the session": the object stands in front
        return verb, objects or agents
    after = verb + 1
    while parse.tag(after) in ("RP", "RB"):
        after += 1
    return verb, [index for index in parse.children(verb, "obl") if after in parse.children(index, "case") and parse.tags[index] != "CD"]


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
    for verb in (clause, *exchange.joined):
        finite = verbs_of(parse, verb)[0]
        is_changed = agrees(parse, subject, finite) and parse.tags[verb] not in ("NN", "NNS")  # "and was a teacher"
        form = _agreeing_form(parse, finite, plural, first_person) if is_changed else None
        if form is None or (verb == clause and not is_finite(parse, finite)):
            return None
        edits.append(Edit(*parse.span(finite), form))
    return edits


def _agreeing_form(parse: Parse, index: int, plural: bool | None, first_person: bool) -> str | None:
    """Return the finite word `index` as a subject of that number takes it; None if that cannot be told."""
    word, tag = parse.word(index), parse.tags[index]
    if word[0] in "'’":
        return None
    if word not in BE_TENSES and tag not in ("VBZ", "VBP") and index != missed_present(parse):
        return parse.tokens[index]
    lemma = "be" if word in BE_TENSES else verb_lemma(word, tag, parse.lemmas[index])
    form = finite_form(lemma, BE_TENSES.get(word, "present"), plural, first_person=first_person) if lemma else None
    return match_case(parse.tokens[index], form) if form else None


def _moves(exchange: Exchange) -> list[Edit]:
    parse, subject, other = exchange.parse, exchange.subject, exchange.object
    raised, lowered = _recased(parse, other, SUBJECT_FORM), _recased(parse, subject, OBJECT_FORM)
    if opens_sentence(parse, subject.first):
        raised = raise_first(raised, parse.text[parse.starts[subject.first] :])
        lowered = lower_first(parse, subject.first, lowered)
    # What ends the object after a comma, but for a conjunct, is parted from the verb by a second one.
    added = (index for index in range(other.head + 1, other.last + 1) if parse.deps[index] != "conj" and parse.last(index) >= other.last)
    has_afterthought = any("," in parse.tokens[max(parse.first(index) - 1, 0) : index] for index in added)
    if parse.text.startswith(".", parse.end(other.last)):
        lowered = lowered.removesuffix(".")
    elif raised.endswith(".") and other.last + 1 == len(parse) and not lowered.endswith("."):
        lowered += "."  # "a subsidiary of Boeing Co." ended the sentence too
    raised += comma_in(parse.text) * has_afterthought
    return [Edit(*parse.span(phrase.first, phrase.last), text) for phrase, text in ((subject, raised), (other, lowered))]


def _recased(parse: Parse, phrase: Phrase, forms: dict[str, str]) -> str:
    """Return the text of a phrase, a personal pronoun in its other case."""
    word = parse.word(phrase.head)
    return slice_text(parse, phrase.first, phrase.last, [(phrase.head, forms[word])] if word in forms else [])


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

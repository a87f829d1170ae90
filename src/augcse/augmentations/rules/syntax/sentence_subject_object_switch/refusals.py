"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import OBJECT_FORM, SUBJECT_FORM
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.clause import VERB_WORDS, sharing_conjuncts
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.phrase import is_balanced, opens_sentence, slice_text
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_WORDS["MEASURE"] |= VERB_WORDS["CALENDAR"]
NOUN_PREPOSITIONS = Path(__file__).with_name("noun_prepositions.txt")
_NOUNS = word_sets(NOUN_PREPOSITIONS)
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "CD", "DT", "PRP$"})
_OPENING_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "HYPH", "DT", "PRP$"})
_BEFORE_HALF = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "CD", "POS", "HYPH"})
_DETERMINING = frozenset({"DT", "PRP$", "PRP"})
_DESCRIBING = frozenset({"WDT", "WP", "WP$", "VBN"})
_RECIPROCALS = frozenset({("each", "other"), ("one", "another")})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase as a stretch of tokens, both ends included."""

    head: int
    first: int
    last: int

    @property
    def indices(self) -> range:
        """Its tokens."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A subject and an object that may change places: of `clause`, and of `verb`, which is the clause's or an infinitive's."""

    parse: Parse
    clause: int
    verb: int
    subject: Phrase
    object: Phrase

    def is_a(self, index: int, kind: str) -> bool:
        """Tell whether a word or its lemma is of a kind of words.txt."""
        return not _WORDS[kind].isdisjoint((self.parse.lemmas[index].lower(), self.parse.word(index)))

    @property
    def phrases(self) -> tuple[Phrase, Phrase]:
        """Subject and object."""
        return self.subject, self.object

    @property
    def within(self) -> range:
        """The tokens of the object after its head."""
        return range(self.object.head + 1, self.object.last + 1)


def _is_symmetric(exchange: Exchange) -> bool:
    return exchange.is_a(exchange.verb, "SYMMETRIC")


def _is_reflexive(exchange: Exchange) -> bool:
    parse, clause = exchange.parse, exchange.clause
    words = [parse.word(index) for index in range(parse.first(clause), parse.last(clause) + 1)]
    phrases = {*exchange.subject.indices, *exchange.object.indices}
    own = any(index not in phrases and parse.tags[index] == "JJ" for index in parse.indices_of("own"))  # "tried to bite his own ear"
    return own or not _WORDS["REFLEXIVE"].isdisjoint(words) or not _RECIPROCALS.isdisjoint(pairwise(words))


def _has_measure(exchange: Exchange) -> bool:
    parse = exchange.parse
    times = (index for index in exchange.within if parse.deps[index] == "nmod:unmarked")  # "sued the man yesterday"
    heads = (exchange.subject.head, exchange.object.head, *times)
    measured = any(exchange.is_a(index, "MEASURE") and parse.word(index + 1) != "of" for index in heads)
    by_then = parse.word(exchange.object.first - 1) == "by" and exchange.is_a(exchange.object.head, "MEASURE")  # "by the time of the war"
    return measured or by_then or parse.word(exchange.object.first - 1) in _WORDS["CIRCUMSTANCE"]


def _is_place(exchange: Exchange) -> bool:
    """Tell whether the phrase says where: of a passive ("was seen in the town"), or with a name, mostly a place's ("died in Paris")."""
    parse, noun = exchange.parse, exchange.object.head
    if parse.word(exchange.object.first - 1) not in _WORDS["WHERE"] or not parse.has_label(noun, "obl"):
        return False
    is_place = parse.tags[noun].startswith("NNP") or first_kind(parse.lemmas[noun].lower()) == "noun.location"
    return is_place or bool(parse.children(exchange.clause, "aux:pass"))


def _is_predicate(exchange: Exchange) -> bool:
    parse = exchange.parse
    is_infinitive = parse.tags[exchange.clause] == "VB" and parse.deps[exchange.subject.head] == "nsubj:outer"  # "the aim is to see it"
    return is_infinitive or any(exchange.is_a(verb, "UNEXCHANGEABLE") for verb in (exchange.clause, exchange.verb))


def _is_no_noun_phrase(exchange: Exchange) -> bool:
    parse = exchange.parse
    for phrase in exchange.phrases:
        paired = {parse.tags[index] for index in phrase.indices if index == phrase.head or parse.deps[index] == "conj"}
        foreign = parse.tags[phrase.head] not in _HEAD_TAGS or parse.word(phrase.head) == "that"
        # "who", "some of which", "and the women"
        ends = (parse.tags[phrase.first], parse.tags[phrase.last])
        opened = "W" in (ends[0][0], ends[1][0]) or ends[0] == "CC"
        if foreign or opened or (phrase.first < phrase.last and "PRP" in paired):  # "he or she", "Ann and I"
            return True
    if parse.word(exchange.subject.head) == "it" and parse.tags[exchange.clause][0] != "V":
        return True  # "it is hard on me"
    # "to him made me sick"
    return parse.word(exchange.subject.head) in SUBJECT_FORM or parse.word(exchange.object.head) in SUBJECT_FORM.values()


def _has_doubtful_preposition(exchange: Exchange) -> bool:
    """Tell whether a preposition, or an infinitive's "to", may belong to the verb and has been read with the object, or the reverse."""
    parse, other = exchange.parse, exchange.object
    if any(parse.word(index) in _WORDS["ANNOUNCING"] for index in other.indices):
        return True
    inner = [index for index in exchange.within if parse.tags[index] in ("IN", "TO") and parse.word(index) != "of"]
    if inner:
        return len(inner) > 1 or not _takes(exchange, inner[0])
    after = other.last + 1
    is_time = after < len(parse) and exchange.is_a(parse.heads[after], "MEASURE")  # "sold a farm in May"
    return not is_time and _takes(exchange, after)


def _takes(exchange: Exchange, preposition: int) -> bool:
    """Tell whether a noun of the object before a preposition is one that takes it: "a stake in", "the right to"."""
    parse = exchange.parse
    nouns = (index for index in exchange.object.indices if index < preposition and parse.tags[index] in ("NN", "NNS"))
    takers = _NOUNS.get(parse.word(preposition).upper(), frozenset())
    return any(parse.lemmas[index].lower() in takers for index in nouns)


def _is_idiom(exchange: Exchange) -> bool:
    """Tell whether a bare noun, or "it", is half of a verb or preposition: "plays a role", "make it to the final", "in favour of"."""
    parse, other = exchange.parse, exchange.object
    first = other.first + (parse.word(other.first) == "no")  # "makes no difference"
    bare = (parse.tags[other.head] in ("NN", "NNS") or parse.word(other.head) == "it") and first == other.head
    if bare and parse.tags[other.head] == "NN" and not parse.has_label(other.head, "obj"):
        return True
    return exchange.is_a(exchange.verb, "LIGHT") and ((bare and other.head == other.last) or exchange.is_a(other.head, "VERBAL"))


def _has_two_objects(exchange: Exchange) -> bool:
    """Tell whether the verb, or that above it, has another object; that of a passive is its subject."""
    parse, verb, other = exchange.parse, exchange.verb, exchange.object.head
    of_passive = parse.has_label(other, "obj", "iobj") and parse.children(verb, "aux:pass")
    indirect = {index for one in (exchange.clause, verb) for index in parse.children(one, "iobj")}
    return bool(of_passive) or not indirect <= {other}


def _is_doer_again(exchange: Exchange) -> bool:
    """Tell whether an adverbial clause or infinitive takes up the pronoun of the subject, or the sentence that of the object."""
    parse, doer = exchange.parse, exchange.subject.head
    below = [index for verb in (exchange.clause, exchange.verb) for index in parse.children(verb, "advcl", "xcomp")]
    subjects = {parse.word(index) for clause in below for index in parse.children(clause, "nsubj")}
    inner = {parse.word(index) for clause in below for index in range(parse.first(clause), parse.last(clause) + 1)}
    again = parse.word(doer) in subjects or OBJECT_FORM.get(parse.word(doer), parse.word(doer)) in inner
    object_again = len(parse.indices_of(parse.word(exchange.object.head))) > 1  # "called me and asked me"
    is_pronoun = parse.tags[exchange.object.head] == "PRP"
    taken_up = [index for verb in sharing_conjuncts(parse, exchange.clause) for index in parse.children(verb, "obj")]
    if any(parse.tags[index] == "PRP" for index in taken_up):
        return True  # "disliked this move and avoided it"
    return (parse.tags[doer] == "PRP" and again) or (is_pronoun and object_again)


def _is_causative(exchange: Exchange) -> bool:
    """Tell whether "have" or "get" makes something be done to the object."""
    parse, verb = exchange.parse, exchange.verb
    done = [*parse.children(exchange.object.head, "acl"), *parse.children(verb, "xcomp", "ccomp")]
    return parse.lemmas[verb].lower() in ("have", "get") and any(parse.tags[index] == "VBN" for index in done)


def _has_negative_polarity(exchange: Exchange) -> bool:
    """Tell whether a word stands there under a negation only ("no one ever saw it"), or "not" opens the subject: "Not everyone"."""
    parse, first = exchange.parse, exchange.subject.first
    words = {parse.word(index) for index in range(first, exchange.object.last + 1)}
    return "not" in (parse.word(first - 1), parse.word(first)) or not _WORDS["POLAR"].isdisjoint(words)


def _follows_particle(exchange: Exchange) -> bool:
    between = exchange.parse.tags[exchange.verb + 1 : exchange.object.first]
    return exchange.parse.tags[exchange.subject.head] == "PRP" and between[-1:] not in ((), ("IN",), ("TO",))


def _goes_on(exchange: Exchange) -> bool:
    """Tell whether a phrase is half of a compound, list, quotation or description, by what follows it and by its quotes and brackets."""
    parse = exchange.parse
    first = exchange.subject.first
    if parse.tag(first - 1) in _BEFORE_HALF and parse.tags[first] not in _DETERMINING:  # "the actor | Dennis Quaid"
        return True
    for phrase in exchange.phrases:
        after, comma = phrase.last + 1, parse.tag(phrase.last + 1) == ","
        is_listed = (comma or parse.tag(after) == "CC") and (phrase is exchange.subject or parse.tag(after + 1) in _NOMINAL_TAGS)
        is_time = after < len(parse) and any(parse.has_label(index, "obl") for index in (after, parse.heads[after]))
        is_compound = parse.tag(after) in _OPENING_TAGS and not is_time  # "called them | a fool"; not "saw them yesterday"
        is_described = parse.tag(after + comma) in _DESCRIBING  # "the king, who was old"
        if is_listed or is_compound or is_described or not is_balanced(slice_text(parse, phrase.first, phrase.last)):
            return True
    return False


def _may_be_name(exchange: Exchange) -> bool:
    parse, subject = exchange.parse, exchange.subject
    return opens_sentence(parse, subject.first) and opening_case(parse, subject.first) == "doubt"


REFUSALS: tuple[Refusal[[Exchange]], ...] = (
    Refusal("symmetric verb", "She met the old king.", _is_symmetric),
    Refusal("reflexive or reciprocal object", "The man washed himself.", _is_reflexive),
    Refusal("measure or predicate", "The book costs money.", lambda exchange: _has_measure(exchange) or _is_predicate(exchange)),
    Refusal("where it was", "He died in the town.", _is_place),
    Refusal("idiom of verb and noun", "Love plays a role.", _is_idiom),
    Refusal("two objects", "He gave her a book.", _has_two_objects),
    Refusal("clause of the same doer", "He likes the town if he sleeps.", _is_doer_again),
    Refusal("causative", "The king had the house painted.", _is_causative),
    Refusal("negative polarity", "Nobody had any proof.", _has_negative_polarity),
    Refusal("pronoun after a particle", "He will give up the town.", _follows_particle),
    Refusal("no noun phrase", "Who saw the man?", _is_no_noun_phrase),
    Refusal("half of a compound, list, quotation or description", "The king, who was old, saw the farmer.", _goes_on),
    Refusal("first word that may be a name", "Power entered the town.", _may_be_name),
    Refusal("preposition of the object or the verb", "They raised their stake in the company.", _has_doubtful_preposition),
)

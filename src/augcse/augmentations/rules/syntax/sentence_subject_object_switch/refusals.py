"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, verbs_of
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.phrase import is_balanced, opens_sentence, slice_text
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import word_sets

SUBJECT_FORM = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
OBJECT_FORM = {subject.lower(): other for other, subject in SUBJECT_FORM.items()}
_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_WORDS["MEASURE"] |= VERB_WORDS["CALENDAR"]
NOUN_PREPOSITIONS = Path(__file__).with_name("noun_prepositions.txt")
_NOUNS = word_sets(NOUN_PREPOSITIONS)
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_NO_ENDS = frozenset({"CC", "WDT", "WP", "WP$", "WRB"})
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
    """A subject and an object that may change places.

    `subject` is that of `clause`, and of the verbs `joined` to it; `object` that of `verb`: the clause's, one of the joined, or an
    infinitive under these. `words` are the tokens of the parse in small letters, `opener` is the word before the object.
    """

    parse: Parse
    words: list[str]
    clause: int
    joined: list[int]
    is_passive: bool
    verb: int
    subject: Phrase
    object: Phrase
    opener: str

    def is_a(self, index: int, kind: str) -> bool:
        """Tell whether a word or its lemma is of a kind of words.txt."""
        return not _WORDS[kind].isdisjoint((self.parse.lemmas[index].lower(), self.words[index]))


def _is_reflexive(exchange: Exchange) -> bool:
    parse, clause = exchange.parse, exchange.clause
    has_own = any(parse.tags[index] == "JJ" for index in parse.indices_of("own"))  # "tried to bite his own ear"
    words = exchange.words[parse.first(clause) : parse.last(clause) + 1]
    return has_own or not _WORDS["REFLEXIVE"].isdisjoint(words) or not _RECIPROCALS.isdisjoint(pairwise(words))


def _is_measure_or_predicate(exchange: Exchange) -> bool:
    parse, other = exchange.parse, exchange.object
    times = (index for index in range(other.head, other.last + 1) if parse.deps[index] == "nmod:unmarked")  # "sued the man yesterday"
    heads = (exchange.subject.head, other.head, *times)
    is_measured = any(exchange.is_a(index, "MEASURE") and parse.word(index + 1) != "of" for index in heads)
    time = other.last + 2  # "a pack | a day", not "the man | a day later"
    is_rate = parse.word(time - 1) in ("a", "an") and time < len(parse) and exchange.is_a(time, "MEASURE") and parse.heads[time] < time
    is_said = exchange.is_a(exchange.clause, "UNEXCHANGEABLE") or exchange.is_a(exchange.verb, "UNEXCHANGEABLE")
    return is_measured or is_rate or is_said or exchange.opener in _WORDS["CIRCUMSTANCE"]


def _is_place(exchange: Exchange) -> bool:
    """Tell whether the phrase says where: of a passive ("was seen in the town"), or with a name, mostly a place's ("died in Paris")."""
    parse, noun = exchange.parse, exchange.object.head
    is_place = parse.tags[noun].startswith("NNP") or first_kind(parse.lemmas[noun].lower()) == "noun.location"
    return exchange.opener in _WORDS["WHERE"] and (is_place or exchange.is_passive)


def _is_no_noun_phrase(exchange: Exchange) -> bool:
    parse, phrases = exchange.parse, (exchange.subject, exchange.object)
    ends = {parse.tags[index] for phrase in phrases for index in (phrase.first, phrase.last)}  # "and the women", "some of which"
    is_part = not ends.isdisjoint(_NO_ENDS) or not all(is_balanced(slice_text(parse, phrase.first, phrase.last)) for phrase in phrases)
    if is_part or any(parse.tags[phrase.head] not in _HEAD_TAGS or exchange.words[phrase.head] == "that" for phrase in phrases):
        return True
    one, two = (exchange.words[phrase.head] for phrase in phrases)
    is_impersonal = one == "it" and parse.tags[exchange.clause][0] != "V"  # "it is hard on me"
    has_wrong_case = one in SUBJECT_FORM or two in OBJECT_FORM  # "to him made me sick"
    return is_impersonal or has_wrong_case or any(_joins_pronoun(parse, phrase) for phrase in phrases)


def _joins_pronoun(parse: Parse, phrase: Phrase) -> bool:
    """Tell whether a phrase holds a pronoun and more: "he or she", "Ann and I"."""
    joined = (index for index in phrase.indices if index == phrase.head or parse.deps[index] == "conj")
    return phrase.first < phrase.last and any(parse.tags[index] == "PRP" for index in joined)


def _has_doubtful_preposition(exchange: Exchange) -> bool:
    """Tell whether a preposition, or an infinitive's "to", may belong to the verb and has been read with the object, or the reverse."""
    parse, other = exchange.parse, exchange.object
    if not _WORDS["ANNOUNCING"].isdisjoint(exchange.words[other.first : other.last + 1]):
        return True
    inner = [index for index in range(other.head, other.last + 1) if parse.tags[index] in ("IN", "TO")]
    if not exchange.is_a(exchange.verb, "OF"):  # "informed the king of it"
        inner = [index for index in inner if exchange.words[index] != "of"]
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
    first = other.first + (exchange.words[other.first] == "no")  # "makes no difference"
    bare = (parse.tags[other.head] in ("NN", "NNS") or exchange.words[other.head] == "it") and first == other.head
    if bare and parse.tags[other.head] == "NN" and not parse.has_label(other.head, "obj"):
        return True
    return exchange.is_a(exchange.verb, "LIGHT") and ((bare and other.head == other.last) or exchange.is_a(other.head, "VERBAL"))


def _is_taken_up(exchange: Exchange) -> bool:
    """Tell whether an adverbial clause or infinitive takes up the pronoun of the subject, or the sentence that of the object."""
    parse, doer, other = exchange.parse, exchange.subject.head, exchange.object.head
    below = {index for verb in (exchange.clause, exchange.verb) for index in parse.children(verb, "advcl", "xcomp")}
    subjects = {exchange.words[index] for clause in below for index in parse.children(clause, "nsubj")}
    inner = {word for clause in below for word in exchange.words[parse.first(clause) : parse.last(clause) + 1]}
    word = exchange.words[doer]
    if parse.tags[doer] == "PRP" and (word in subjects or OBJECT_FORM.get(word, word) in inner):
        return True
    if parse.tags[other] == "PRP" and exchange.words.count(exchange.words[other]) > 1:
        return True  # "called me and asked me"
    if any(_is_done_by_subject(exchange, clause) for clause in below):
        return True
    taken_up = (index for verb in exchange.joined for index in parse.children(verb, "obj"))
    return any(parse.tags[index] == "PRP" for index in taken_up)  # "disliked this move and avoided it"


def _is_done_by_subject(exchange: Exchange, clause: int) -> bool:
    """Tell whether a clause has "-ing" and no subject of its own: "before leaving"; not "accused me of lying"."""
    parse = exchange.parse
    has_opener = any(exchange.is_a(index, "BEFORE_DEED") for index in range(parse.first(clause), clause))
    return has_opener and parse.tags[verbs_of(parse, clause)[0]] == "VBG" and not parse.children(clause, *SUBJECTS)


def _is_causative(exchange: Exchange) -> bool:
    """Tell whether "have" or "get" makes something be done to the object."""
    parse, verb = exchange.parse, exchange.verb
    done = (*parse.children(exchange.object.head, "acl"), *parse.children(verb, "xcomp", "ccomp"))
    return parse.lemmas[verb].lower() in ("have", "get") and any(parse.tags[index] == "VBN" for index in done)


def _is_object_of_passive(exchange: Exchange) -> bool:
    parse = exchange.parse
    return parse.has_label(exchange.object.head, "obj", "iobj") and bool(parse.children(exchange.verb, "aux:pass"))


def _has_negative_polarity(exchange: Exchange) -> bool:
    """Tell whether a word stands there under a negation only ("no one ever saw it"), or "not" opens the subject, "no" the object."""
    words, first = exchange.words, exchange.subject.first
    is_denied = "not" in words[max(first - 1, 0) : first + 1] or words[exchange.object.first] == "no"  # "No language had the men"
    return is_denied or not _WORDS["POLAR"].isdisjoint(words[first : exchange.object.last + 1])


def _follows_particle(exchange: Exchange) -> bool:
    between = exchange.parse.tags[exchange.verb + 1 : exchange.object.first]
    return exchange.parse.tags[exchange.subject.head] == "PRP" and between[-1:] not in ((), ("IN",), ("TO",))


def _goes_on(exchange: Exchange) -> bool:
    """Tell whether a phrase is half of a compound, list or description, by what stands beside it."""
    parse, first = exchange.parse, exchange.subject.first
    if parse.tag(first - 1) in _BEFORE_HALF and parse.tags[first] not in _DETERMINING:  # "the actor | Dennis Quaid"
        return True
    for phrase in (exchange.subject, exchange.object):
        after, comma = phrase.last + 1, parse.tag(phrase.last + 1) == ","
        is_listed = (comma or parse.tag(after) == "CC") and (phrase is exchange.subject or parse.tag(after + 1) in _NOMINAL_TAGS)
        is_time = after < len(parse) and any(parse.has_label(index, "obl") for index in (after, parse.heads[after]))
        is_compound = parse.tag(after) in _OPENING_TAGS and not is_time  # "called them | a fool"; not "saw them yesterday"
        if is_listed or is_compound or parse.tag(after + comma) in _DESCRIBING:  # "the king, who was old"
            return True
    return False


def _may_be_name(exchange: Exchange) -> bool:
    parse, first = exchange.parse, exchange.subject.first
    return opens_sentence(parse, first) and opening_case(parse, first) == "doubt"


REFUSALS: tuple[Refusal[[Exchange]], ...] = (
    Refusal("symmetric verb", "She met the old king.", lambda exchange: exchange.is_a(exchange.verb, "SYMMETRIC")),
    Refusal("reflexive or reciprocal object", "The man washed himself.", _is_reflexive),
    Refusal("measure or predicate", "The book costs money.", _is_measure_or_predicate),
    Refusal("where it was", "He died in the town.", _is_place),
    Refusal("idiom of verb and noun", "Love plays a role.", _is_idiom),
    Refusal("clause of the same doer", "He likes the town if he sleeps.", _is_taken_up),
    Refusal("causative", "The king had the house painted.", _is_causative),
    Refusal("object of a passive", "The queen was given a book.", _is_object_of_passive),
    Refusal("negative polarity", "Nobody had any proof.", _has_negative_polarity),
    Refusal("pronoun after a particle", "He will give up the town.", _follows_particle),
    Refusal("no noun phrase", "Who saw the man?", _is_no_noun_phrase),
    Refusal("half of a compound, list or description", "The king, who was old, saw the farmer.", _goes_on),
    Refusal("first word that may be a name", "Power entered the town.", _may_be_name),
    Refusal("preposition of the object or the verb", "They raised their stake in the company.", _has_doubtful_preposition),
)

"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import may_open_with_name
from augcse.augmentations.english.clause import first_verb
from augcse.augmentations.english.marks import opens_sentence
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.phrase import is_balanced, pronoun_at, slice_text
from augcse.augmentations.english.tags import OPENS_NOUN_PHRASE
from augcse.augmentations.english.times import CALENDAR, is_year
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import bundled_lexicon

SUBJECT_FORM = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
OBJECT_FORM = {subject.lower(): object_form for object_form, subject in SUBJECT_FORM.items()}
_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_WORDS["MEASURE"] |= CALENDAR
NOUN_PREPOSITIONS = Path(__file__).with_name("noun_prepositions.txt")
_NOUNS = word_sets(NOUN_PREPOSITIONS)
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_EXCLUDED_ENDS = frozenset({"CC", "WDT", "WP", "WP$", "WRB"})
# A pronoun after a comma begins a clause.
_NEXT_ITEM = OPENS_NOUN_PHRASE - {"EX", "PRP"}
_OPENING_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "HYPH", "DT", "PRP$"})
_BEFORE_HALF = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "CD", "POS", "HYPH"})
_DETERMINING = frozenset({"DT", "PRP$", "PRP"})
_DESCRIBING = frozenset({"WDT", "WP", "WP$", "VBN"})
# What the verbs of a feeling or thought mean, by the lexicographer files of the lexicon.
_FELT = frozenset({"verb.emotion", "verb.cognition"})
_MAIN_SENSES = 2
_RECIPROCALS = frozenset({("each", "other"), ("one", "another")})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: the tokens `first` to `last`."""

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

    `subject` is the subject of `clause` and of the verbs `joined` to it; `object` is the object of `verb`, which is the clause's, one of
    the joined or an infinitive under these.
    """

    parse: Parse
    clause: int
    joined: list[int]
    verb: int
    subject: Phrase
    object: Phrase

    @property
    def is_passive(self) -> bool:
        """Whether the clause is passive."""
        return bool(self.parse.children(self.clause, "aux:pass"))

    def is_a(self, index: int, kind: str) -> bool:
        """Return whether a word or its lemma is of a kind of words.txt."""
        return not _WORDS[kind].isdisjoint((self.parse.lemmas[index].lower(), self.parse.word(index)))


def _is_reflexive(exchange: Exchange) -> bool:
    parse, clause = exchange.parse, exchange.clause
    # "Own" refers to the subject: "tried to bite his own ear".
    has_own = any(parse.tags[index] == "JJ" for index in parse.indices_of("own"))
    words = [parse.word(index) for index in range(parse.first(clause), parse.last(clause) + 1)]
    return has_own or not _WORDS["REFLEXIVE"].isdisjoint(words) or not _RECIPROCALS.isdisjoint(pairwise(words))


def _is_measure_or_predicate(exchange: Exchange) -> bool:
    parse, phrase = exchange.parse, exchange.object
    is_said = any(exchange.is_a(verb, "UNEXCHANGEABLE") for verb in (exchange.clause, exchange.verb))
    if is_said or parse.word(phrase.first - 1) in _WORDS["CIRCUMSTANCE"]:
        return True
    # A time that the parser attached to the object counts too: "sued the man yesterday".
    times = (index for index in range(phrase.head, phrase.last + 1) if parse.deps[index] == "nmod:unmarked")
    if any(_is_measure(exchange, index) and parse.word(index + 1) != "of" for index in (exchange.subject.head, phrase.head, *times)):
        return True
    # A rate follows the object: "a pack | a day", not "the man | a day later".
    article, time = phrase.last + 1, phrase.last + 2
    return parse.word(article) in ("a", "an") and time < len(parse) and _is_measure(exchange, time) and parse.heads[time] < time


def _is_measure(exchange: Exchange, index: int) -> bool:
    """Return whether a word means a time or measure."""
    return exchange.is_a(index, "MEASURE") or is_year(exchange.parse, index)


def _is_place(exchange: Exchange) -> bool:
    """Return whether the object says where: of a passive ("was seen in the town"), as a name or place noun ("died in Paris")."""
    parse, noun, before = exchange.parse, exchange.object.head, exchange.object.first - 1
    is_place = parse.tags[noun].startswith("NNP") or first_kind(parse.lemmas[noun].lower()) == "noun.location"
    # So does what follows an adverb, unless verb and preposition are one verb: "climbed down from it", not "relies heavily on it".
    is_one_verb = bool(bundled_lexicon().synsets(f"{parse.lemmas[exchange.verb].lower()} {parse.word(before)}", "v"))
    follows_adverb = "RB" in parse.tags[exchange.verb + 1 : before] and not is_one_verb
    return parse.word(before) in _WORDS["WHERE"] and (is_place or follows_adverb or exchange.is_passive)


def _is_not_noun_phrase(exchange: Exchange) -> bool:
    parse, phrases = exchange.parse, (exchange.subject, exchange.object)
    # A conjunction or relative pronoun at one end belongs to a longer phrase: "and the women", "some of which".
    ends = {parse.tags[index] for phrase in phrases for index in (phrase.first, phrase.last)}
    if not ends.isdisjoint(_EXCLUDED_ENDS) or not all(is_balanced(slice_text(parse, phrase.first, phrase.last)) for phrase in phrases):
        return True
    if any(parse.tags[phrase.head] not in _HEAD_TAGS or parse.word(phrase.head) == "that" for phrase in phrases):
        return True
    subject, object_word = (pronoun_at(parse, phrase.head) for phrase in phrases)
    has_wrong_case = subject in SUBJECT_FORM or object_word in OBJECT_FORM  # the parser chose the wrong word: "to him made me sick"
    return has_wrong_case or any(_joins_pronoun(parse, phrase) for phrase in phrases)


def _joins_pronoun(parse: Parse, phrase: Phrase) -> bool:
    """Return whether a phrase contains a pronoun and more: "he or she", "Ann and I", "you three"."""
    joined = (index for index in phrase.indices if index == phrase.head or parse.deps[index] == "conj")
    return phrase.first < phrase.last and any(parse.tags[index] == "PRP" for index in joined)


def _is_impersonal(exchange: Exchange) -> bool:
    """Return whether the subject "it" names nothing ("it is hard on me"), or what a later clause says: "it annoyed me to wait"."""
    parse, clause = exchange.parse, exchange.clause
    has_clause = parse.children(clause, "xcomp", "ccomp", "csubj") or parse.children(exchange.object.head, "acl")
    senses = bundled_lexicon().synsets(parse.lemmas[clause].lower(), "v")
    is_felt_or_said = exchange.is_passive or any(sense.category in _FELT for sense in senses[:_MAIN_SENSES])
    return parse.word(exchange.subject.head) == "it" and (parse.tags[clause][0] != "V" or (bool(has_clause) and is_felt_or_said))


def _has_doubtful_preposition(exchange: Exchange) -> bool:
    """Return whether the parser may have taken a preposition, or "to", of the verb for one of the object, or the reverse."""
    parse, phrase = exchange.parse, exchange.object
    if not _WORDS["ANNOUNCING"].isdisjoint(map(parse.word, phrase.indices)) or parse.tags[phrase.first - 1] == "TO":
        return True  # the tagger took "to" for that of an infinitive: "struggled to | clear warehouses"
    prepositions = [index for index in range(phrase.head, phrase.last + 1) if parse.tags[index] in ("IN", "TO")]
    prepositions = [index for index in prepositions if not _is_in_clause(parse, phrase, index)]
    if not exchange.is_a(exchange.verb, "OF"):  # with other verbs "of" is the object's; not so in "informed the king of it"
        prepositions = [index for index in prepositions if parse.word(index) != "of"]
    if prepositions:
        return not all(_is_taken_by_noun(exchange, index) for index in prepositions)
    after = phrase.last + 1
    is_time = after < len(parse) and _is_measure(exchange, parse.heads[after])  # a time is the verb's: "sold a farm in May"
    return not is_time and _is_taken_by_noun(exchange, after)


def _is_in_clause(parse: Parse, phrase: Phrase, index: int) -> bool:
    """Return whether a word follows the verb of a clause in the phrase, with no comma between: "an email sent by the king"."""
    clause = next((other for other in range(phrase.head, index) if parse.has_label(other, "acl")), index)
    return clause < index <= parse.last(clause) and "," not in parse.tags[clause:index]


def _is_taken_by_noun(exchange: Exchange, preposition: int) -> bool:
    """Return whether a noun of the object before a preposition is one that takes it: "a stake in", "the right to"."""
    parse = exchange.parse
    words = (parse.lemmas[index].lower() for index in exchange.object.indices if index < preposition)
    return not _NOUNS.get(parse.word(preposition).upper(), frozenset()).isdisjoint(words)


def _is_idiom(exchange: Exchange) -> bool:
    """Return whether a noun without article, or "it", forms an idiom with its verb or preposition: "make it to", "in favour of"."""
    parse, phrase = exchange.parse, exchange.object
    is_bare = (parse.tags[phrase.head] in ("NN", "NNS") or parse.word(phrase.head) == "it") and phrase.first == phrase.head
    is_uncounted = parse.tags[phrase.head] == "NN" or first_kind(parse.lemmas[phrase.head].lower()) == "noun.quantity"
    if is_bare and is_uncounted and not parse.has_label(phrase.head, "obj"):
        return True
    is_alone = is_bare and phrase.head == phrase.last
    return exchange.is_a(exchange.verb, "LIGHT") and (is_alone or exchange.is_a(phrase.head, "VERBAL"))


def _is_referred_to(exchange: Exchange) -> bool:
    """Return whether an adverbial clause or infinitive refers to the subject, or the rest of the sentence to a pronoun object."""
    parse, subject, object_head = exchange.parse, exchange.subject.head, exchange.object.head
    clauses = {index for verb in (exchange.clause, exchange.verb) for index in parse.children(verb, "advcl", "xcomp")}
    their_words = {word for clause in clauses for word in map(parse.word, range(parse.first(clause), parse.last(clause) + 1))}
    word = parse.word(subject)
    if parse.tags[subject] == "PRP" and not their_words.isdisjoint((word, OBJECT_FORM.get(word, word))):
        return True
    if parse.tags[object_head] == "PRP" and len(parse.indices_of(parse.word(object_head))) > 1:
        return True  # the pronoun comes again: "called me and asked me"
    if any(_is_done_by_subject(exchange, clause) for clause in clauses):
        return True
    # A role may be that of the subject ("As a boy, he") or one that it gives: "elected Rao as their fellow".
    roles = [role for role in parse.children(exchange.clause, "obl") if "as" in map(parse.word, parse.children(role, "case"))]
    is_own = any(first_kind(parse.lemmas[role].lower()) == "noun.person" for role in roles if role < subject)
    if is_own or any(parse.children(role, "nmod:poss") for role in roles):
        return True
    # The object of a joined verb may mean that of the first: "disliked this move and avoided it".
    other_objects = (index for verb in exchange.joined for index in parse.children(verb, "obj"))
    return any(parse.tags[index] == "PRP" for index in other_objects)


def _is_done_by_subject(exchange: Exchange, clause: int) -> bool:
    """Return whether a participle or adjective has no subject of its own: "before leaving", "Tired, she"; not "accused me of lying"."""
    parse = exchange.parse
    has_opener = any(exchange.is_a(index, "BEFORE_DEED") for index in range(parse.first(clause), clause))
    tags = ("VBG", "VBN", "JJ") if clause < exchange.subject.first else ("VBG",) if has_opener else ()
    return parse.tags[first_verb(parse, clause)] in tags


def _is_causative(exchange: Exchange) -> bool:
    """Return whether "have" or "get" causes that something is done to the object."""
    parse, verb = exchange.parse, exchange.verb
    done = (*parse.children(exchange.object.head, "acl"), *parse.children(verb, "xcomp", "ccomp"))
    return parse.lemmas[verb].lower() in ("have", "get") and any(parse.tags[index] == "VBN" for index in done)


def _is_object_of_passive(exchange: Exchange) -> bool:
    parse = exchange.parse
    return parse.has_label(exchange.object.head, "obj", "iobj") and bool(parse.children(exchange.verb, "aux:pass"))


def _has_negative_polarity(exchange: Exchange) -> bool:
    """Return whether there is a negative-polarity item ("no one ever saw it"), or "not" opens the subject or "no" the object."""
    parse, first = exchange.parse, exchange.subject.first
    # "*No language had the men"
    if "not" in (parse.word(first - 1), parse.word(first)) or parse.word(exchange.object.first) == "no":
        return True
    return not _WORDS["POLAR"].isdisjoint(map(parse.word, range(first, exchange.object.last + 1)))


def _is_part_of_longer_phrase(exchange: Exchange) -> bool:
    """Return whether the words next to a phrase belong to it: it is part of a compound, a list or a description."""
    parse, subject, after_object = exchange.parse, exchange.subject, exchange.object.last + 1
    if parse.tag(subject.first - 1) in _BEFORE_HALF and parse.tags[subject.first] not in _DETERMINING:
        return True  # a compound begins before it: "the actor | Dennis Quaid"
    is_object_listed = parse.tag(after_object) in (",", "CC") and parse.tag(after_object + 1) in _NEXT_ITEM
    if parse.tag(subject.last + 1) in (",", "CC") or is_object_listed:
        return True
    return any(_is_continued(parse, phrase.last + 1) for phrase in (subject, exchange.object))


def _is_continued(parse: Parse, after: int) -> bool:
    """Return whether `after` continues the phrase before it: "called them | a fool"; not "saw them | today"."""
    is_time = after < len(parse) and any(parse.has_label(index, "obl") for index in (after, parse.heads[after]))
    return parse.tag(after) in _DESCRIBING or (parse.tag(after) in _OPENING_TAGS and not is_time)


def _may_be_name(exchange: Exchange) -> bool:
    parse, first = exchange.parse, exchange.subject.first
    return opens_sentence(parse, first) and may_open_with_name(parse, first)


REFUSALS: tuple[Refusal[[Exchange]], ...] = (
    Refusal("symmetric verb", "She met the old king.", lambda exchange: exchange.is_a(exchange.verb, "SYMMETRIC")),
    Refusal("reflexive or reciprocal object", "The man washed himself.", _is_reflexive),
    Refusal("measure or predicate", "The book costs money.", _is_measure_or_predicate),
    Refusal("where it was", "He died in the town.", _is_place),
    Refusal("idiom of verb and noun", "Love plays a role.", _is_idiom),
    Refusal("clause of the same doer", "He likes the town if he sleeps.", _is_referred_to),
    Refusal("causative", "The king had the house painted.", _is_causative),
    Refusal("object of a passive", "The queen was given a book.", _is_object_of_passive),
    Refusal("negative polarity", "Nobody had any proof.", _has_negative_polarity),
    Refusal("no noun phrase", "Who saw the man?", _is_not_noun_phrase),
    Refusal("impersonal subject", "It annoyed the man to wait.", _is_impersonal),
    Refusal("half of a compound, list or description", "The king, who was old, saw the farmer.", _is_part_of_longer_phrase),
    Refusal("first word that may be a name", "Power entered the town.", _may_be_name),
    Refusal("preposition of the object or the verb", "They raised their stake in the company.", _has_doubtful_preposition),
)

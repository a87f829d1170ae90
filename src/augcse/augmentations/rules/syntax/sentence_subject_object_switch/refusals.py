"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import SUBJECT_FORM
from augcse.augmentations.english.capitals import may_be_name
from augcse.augmentations.english.clause import FINITE_TAGS, question_tag, verbs_of
from augcse.augmentations.english.phrase import is_balanced, is_two_objects, opens_sentence, slice_text
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.coherence import is_coherent
from augcse.augmentations.text.around import WordClass
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_DEEDS = WordClass(sorted(_WORDS["DEED"]))
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "DT", "PRP$", "POS", "$"})
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_RECIPROCALS = frozenset({("each", "other"), ("one", "another")})
_MARKS = frozenset({".", ";", ":", "!", "?", "...", "…", "—", "–", "--", "-", "`", "'"})
_PARTING = frozenset({":", ";"})
_UNFINISHED = frozenset({"CC", "TO", "HYPH", "IN"})
_RELATIVES = frozenset({"WP", "WDT", "WRB", "WP$"})
_JOINTS = ("-", "/", "'", "’")
_OPENERS = _PARTING | {'"', "“", "``", "(", "[", "why", "how", "that", "whether"}
_AFTER_DEGREE = frozenset({"JJ", "CD", "VBN", "JJR", "RB", "DT"})
# A clause's own constituents; after a comma also those of the second row.
_OWN = ("advmod", "advcl", "obl", "xcomp", "conj", "cc", "mark", "aux", "cop", "compound:prt")
_PARTED = ("parataxis", "ccomp", "discourse")
_TIMES = frozenset({"last", "next", "this", "that", "every", "each", "the"})
# Tags of words that go on with the phrase before them, or that the phrase after them goes on with.
_GOING_ON = {1: FINITE_TAGS | _NOMINAL_TAGS | {"VBN", "VBG", "WDT", "WP", "WP$", "PRP", "HYPH", "FW"}, -1: _NOMINAL_TAGS}


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
    return not _WORDS["REFLEXIVE"].isdisjoint(words) or not _RECIPROCALS.isdisjoint(pairwise(words))


def _has_measure(exchange: Exchange) -> bool:
    parse = exchange.parse
    times = (index for index in exchange.within if parse.deps[index] == "nmod:unmarked")  # "sued the man yesterday"
    heads = (exchange.subject.head, exchange.object.head, *times)
    if any(exchange.is_a(index, "MEASURE") and parse.word(index + 1) != "of" for index in heads):
        return True
    is_predicate = parse.tags[exchange.clause] == "VB" and parse.deps[exchange.subject.head] == "nsubj:outer"  # "the aim is to see it"
    return is_predicate or any(exchange.is_a(verb, "UNEXCHANGEABLE") for verb in (exchange.clause, exchange.verb))


def _is_no_noun_phrase(exchange: Exchange) -> bool:
    parse, subject, other = exchange.parse, exchange.subject.head, exchange.object.head
    for phrase in exchange.phrases:
        paired = {parse.tags[index] for index in phrase.indices if index == phrase.head or parse.deps[index] == "conj"}
        foreign = parse.tags[phrase.head] not in _HEAD_TAGS or parse.word(phrase.head) == "that" or parse.tags[phrase.first][0] == "W"
        if foreign or (phrase.first < phrase.last and "PRP" in paired):  # "he or she", "Ann and I"
            return True
    return parse.word(subject) in SUBJECT_FORM or parse.word(other) in SUBJECT_FORM.values()  # "to him made me sick"


def _is_circumstance(exchange: Exchange) -> bool:
    """Tell whether a preposition opens a circumstance: it is no passive's "by", nor one that an active verb governs."""
    parse, other = exchange.parse, exchange.object
    passive = bool(parse.children(exchange.clause, "nsubj:pass", "aux:pass"))
    if parse.has_label(other.head, "obj") or (passive and "by" in map(parse.word, parse.children(other.head, "case"))):
        return False
    preposition = parse.word(other.first - 1).upper()
    return passive or preposition not in _WORDS or not exchange.is_a(exchange.verb, preposition)


def _is_idiom(exchange: Exchange) -> bool:
    """Tell whether a bare noun, or "it", is half of a verb or preposition: "plays a role", "make it to the final", "in favour of"."""
    parse, other = exchange.parse, exchange.object
    first = other.first + (parse.word(other.first) == "no")  # "makes no difference"
    bare = (parse.tags[other.head] in ("NN", "NNS") or parse.word(other.head) == "it") and first == other.head
    if bare and parse.word(other.head + 1) == "of" and not parse.has_label(other.head, "obj"):
        return True
    if parse.word(other.head) == "it" and parse.tag(other.head + 1) in ("JJ", "JJR"):
        return True  # "thought it likely that"
    return exchange.is_a(exchange.verb, "LIGHT") and ((bare and other.head == other.last) or exchange.is_a(other.head, "VERBAL"))


def _has_two_objects(exchange: Exchange) -> bool:
    """Tell whether the verb has another object; that of a passive is its subject."""
    parse, verb, other = exchange.parse, exchange.verb, exchange.object
    of_passive = parse.has_label(other.head, "obj") and parse.children(verb, "aux:pass")
    fused = any(parse.deps[index - 1 : index + 1] == ("compound", "nummod") for index in other.indices[1:])  # "give the boy five stars"
    given = fused or is_two_objects(parse, other.first, other.last)
    return bool(of_passive) or given or any(parse.children(one, "iobj") for one in (exchange.clause, verb))


def _is_doer_again(exchange: Exchange) -> bool:
    """Tell whether the pronoun that is the subject is that of an adverbial clause too."""
    parse, doer = exchange.parse, exchange.subject.head
    below = (index for verb in (exchange.clause, exchange.verb) for index in parse.children(verb, "advcl"))
    again = {parse.word(index) for clause in below for index in parse.children(clause, "nsubj")}
    return parse.tags[doer] == "PRP" and parse.word(doer) in again


def _has_predicate(exchange: Exchange) -> bool:
    """Tell whether the object has an infinitive, or an "as" that says what it is seen as."""
    if any(exchange.parse.word(index) == "as" and exchange.parse.deps[index] == "case" for index in exchange.within):
        return True
    below = exchange.parse.children(exchange.object.head, "acl", "xcomp", "advcl")
    return any(exchange.parse.tags[index] == "VB" for index in below) and not exchange.is_a(exchange.object.head, "OF_INFINITIVE")


def _is_causative(exchange: Exchange) -> bool:
    """Tell whether "have" or "get" makes something be done to the object."""
    parse, verb = exchange.parse, exchange.verb
    done = [*parse.children(exchange.object.head, "acl"), *parse.children(verb, "xcomp", "ccomp")]
    return parse.lemmas[verb].lower() in ("have", "get") and any(parse.tags[index] == "VBN" for index in done)


def _has_negative_polarity(exchange: Exchange) -> bool:
    return any(exchange.parse.word(index) in _WORDS["POLAR"] for phrase in exchange.phrases for index in phrase.indices)


def _follows_particle(exchange: Exchange) -> bool:
    between = exchange.parse.tags[exchange.verb + 1 : exchange.object.first]
    return exchange.parse.tags[exchange.subject.head] == "PRP" and between[-1:] not in ((), ("IN",), ("TO",))


def _is_broken_in(exchange: Exchange) -> bool:
    """Tell whether tagger and parser contradict each other on a word of a phrase, or a mark stands in it."""
    parse = exchange.parse
    for phrase in exchange.phrases:
        others = (index for index in phrase.indices if index != phrase.head)
        # "U.S." holds a mark that parts nothing.
        marks = (index for index in others if parse.tokens[index] in _MARKS)
        parted = any(parse.tokens[index] in _PARTING or parse.text[parse.starts[index] - 1].isspace() for index in marks)
        if parted or not is_balanced(slice_text(parse, phrase.first, phrase.last)):
            return True
    return not all(is_coherent(parse, index) for phrase in exchange.phrases for index in phrase.indices)


def _is_cut_short(exchange: Exchange) -> bool:
    """Tell whether a phrase begins too late or ends too early, by the words and marks at its ends."""
    parse, other = exchange.parse, exchange.object
    if parse.tag(other.first - 1) in _NOMINAL_TAGS or parse.text[parse.end(other.last) :][:1].isalnum():
        return True
    for phrase in exchange.phrases:
        degree = parse.tags[phrase.first] == "RB" and parse.tag(phrase.first + 1) not in _AFTER_DEGREE  # "once more the pleasure"
        late = degree or parse.deps[phrase.first] == "cc" or parse.word(phrase.first - 1) in _WORDS["FOCUSING"]
        late |= parse.text.startswith("-", parse.end(phrase.head)) or parse.word(phrase.last + 1) in _WORDS["ELSE"]  # "eye-witnesses"
        joined = parse.text.startswith(_JOINTS, parse.end(phrase.last)) or parse.text.endswith(("-", "/"), 0, parse.starts[phrase.first])
        in_name = parse.tags[phrase.last] == parse.tag(phrase.last + 1) == "NNP"  # "they appointed Mary | Smith"
        if late or joined or in_name or parse.tags[phrase.last] in _UNFINISHED:
            return True
    return False


def _stands_amid(exchange: Exchange) -> bool:
    """Tell whether what stands before the subject or after the object may belong to it."""
    parse, before, after = exchange.parse, exchange.subject.first - 1, exchange.object.last + 1
    added = parse.tag(after) == "," and parse.word(after + 1) in _WORDS["OF_NOUN"] and parse.deps[after + 1] == "case"
    clausal = added or parse.word(after) in _OPENERS or (parse.tag(after) in (",", "IN") and parse.tag(after + 1) in _RELATIVES)
    nouns = (index for index in parse.children(exchange.clause, "obl", "dislocated") if index < before)
    loose = not all(is_coherent(parse, index) for index in nouns)  # "boys and girls like games", read as "boys" and a clause
    return clausal or loose or not (_is_parted(exchange, before, -1) and _is_parted(exchange, after, 1))


def _is_parted(exchange: Exchange, edge: int, step: int) -> bool:
    """Tell whether the word at the edge of a phrase, or beyond a comma there, is not the phrase's but the clause's, or one around it."""
    parse, above = exchange.parse, list(exchange.parse.path(exchange.verb))
    beside = edge + step * (parse.word(edge) == ",")
    if not 0 <= beside < len(parse) or parse.deps[beside] == "punct":
        return True
    part = next((index for index in parse.path(beside) if parse.heads[index] in above), beside)
    if beside != edge and parse.heads[part] not in (exchange.clause, exchange.verb):
        return parse.heads[part] != part or parse.tags[part][0] != "N"
    if beside in above:
        return parse.tags[beside] not in _NOMINAL_TAGS or (step < 0 and parse.tags[exchange.subject.first] in ("DT", "PRP", "PRP$"))
    is_complement = parse.has_label(part, "xcomp") and parse.has_label(exchange.object.head, "obj") and parse.upos[part] != "NOUN"
    if beside == edge and parse.tags[beside] in _GOING_ON[step] and not is_complement:
        return _is_time(exchange, part)
    return parse.has_label(part, *_OWN, *_PARTED[: beside != edge and 9]) and is_coherent(parse, part)


def _is_time(exchange: Exchange, head: int) -> bool:
    """Tell whether a noun without a preposition is a time: "last year", "30 minutes"."""
    parse, first = exchange.parse, exchange.parse.first(head)
    return exchange.is_a(head, "MEASURE") and (first == head or parse.word(first) in _TIMES or parse.tags[first] == "CD")


def _is_torn(exchange: Exchange) -> bool:
    """Tell whether a preposition or infinitive after the object belongs to it, though the parser hangs it on the verb."""
    parse, after, noun = exchange.parse, exchange.object.last + 1, exchange.object.head
    if parse.tag(after) == "TO" and parse.deps[after] == "mark":
        return _is_deed(parse, noun) or exchange.is_a(noun, "OF_INFINITIVE")
    is_preposition = parse.tag(after) in ("IN", "TO") and parse.deps[after] == "case"
    in_doubt = parse.word(after) in _WORDS["IN_DOUBT"] and parse.word(after + 1) != "well"
    return in_doubt or (is_preposition and _may_be_of_noun(parse, after, noun))


def _may_be_of_noun(parse: Parse, preposition: int, noun: int) -> bool:
    """Tell whether nouns may take the preposition; those for a deed or a state may take any."""
    is_preposition = parse.word(preposition) in _WORDS["OF_NOUN"]
    return parse.tags[noun] in ("NN", "NNS") and (is_preposition or _is_deed(parse, noun))


def _is_deed(parse: Parse, noun: int) -> bool:
    return parse.lemmas[noun].lower() in _DEEDS


def _holds_clause(exchange: Exchange) -> bool:
    """Tell whether a finite verb stands in a phrase that no relative word or pronoun lets in after its head."""
    parse = exchange.parse
    for phrase in exchange.phrases:
        finite = next((index for index in phrase.indices if parse.tags[index] in FINITE_TAGS), phrase.head)
        if finite != phrase.head and not any(parse.tags[index] in _RELATIVES | {"PRP"} for index in range(phrase.head, finite)):
            return True
    return False


def _may_be_name(exchange: Exchange) -> bool:
    parse, subject = exchange.parse, exchange.subject
    return opens_sentence(parse, subject.first) and may_be_name(parse, subject.first, subject.last)


def _is_parted_from_verb(exchange: Exchange) -> bool:
    """Tell whether more than adverbs stand between the phrases and the verbs."""
    tags, first_verb = exchange.parse.tags, verbs_of(exchange.parse, exchange.clause)[0]
    after = (tag for tag in tags[exchange.verb + 1 : exchange.object.first] if tag not in ("IN", "TO", "RP"))
    return not all(tag.startswith("RB") for tag in (*tags[exchange.subject.last + 1 : first_verb], *after))


REFUSALS: tuple[Refusal[[Exchange]], ...] = (
    Refusal("question tag", "You hate Tom, don't you?", lambda exchange: question_tag(exchange.parse) is not None),
    Refusal("symmetric verb", "She met the old king.", _is_symmetric),
    Refusal("reflexive or reciprocal object", "The man washed himself.", _is_reflexive),
    Refusal("measure or predicate", "Salt costs money.", _has_measure),
    Refusal("idiom of verb and noun", "Love plays a role.", _is_idiom),
    Refusal("two objects", "He gave her a book.", _has_two_objects),
    Refusal("clause of the same doer", "He likes the town if he sleeps.", _is_doer_again),
    Refusal("infinitive or predicate at the object", "The king has a house to sell.", _has_predicate),
    Refusal("causative", "The king had the house painted.", _is_causative),
    Refusal("negative polarity", "Nobody had any proof.", _has_negative_polarity),
    Refusal("pronoun after a particle", "He will give up the town.", _follows_particle),
    Refusal("no noun phrase", "Who saw the man?", _is_no_noun_phrase),
    Refusal("phrase that tagger and parser disagree on", "The king — the old one — saw the farmer.", _is_broken_in),
    Refusal("clause in a phrase", "He reads the book his father gave him.", _holds_clause),
    Refusal("phrase cut short", "Not everyone loves the king.", _is_cut_short),
    Refusal("word beside a phrase that may be its own", "The king saw in the town the farmer.", _stands_amid),
    Refusal("preposition of the object", "The committee ended the ban on weapons.", _is_torn),
    Refusal("first word that may be a name", "Power entered the town.", _may_be_name),
    Refusal("words between phrase and verb", "They all saw it.", _is_parted_from_verb),
    Refusal("preposition of a circumstance", "The people were released in the operation.", _is_circumstance),
)

"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.clause import FINITE_TAGS, is_finite_clause, verbs_of
from augcse.augmentations.english.phrase import is_balanced, is_two_objects, opens_sentence, slice_text
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.around import WordClass
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_DEEDS = WordClass(sorted(_WORDS["DEED"]))
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "DT", "PRP$", "POS", "$"})
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_RECIPROCALS = frozenset({("each", "other"), ("one", "another")})
_LOOSE_LABELS = frozenset({"dep", "list", "discourse", "vocative", "parataxis", "goeswith", "obl", "obl:unmarked", "obl:agent"})
_MARKS = frozenset({".", ";", ":", "!", "?", "...", "…", "—", "–", "--", "-", "`", "'"})
_UNFINISHED = frozenset({"VBD", "VB", "VBP", "MD", "CC", "TO", "HYPH", "IN"})
_RELATIVES = frozenset({"WP", "WDT", "WRB", "WP$"})
_JOINTS = ("-", "/", "'", "’")
_QUOTES = frozenset({'"', "“", "``", "(", "["})
_AFTER_DEGREE = frozenset({"JJ", "CD", "VBN", "JJR", "RB"})
_PREPOSITIONS = frozenset({"IN", "TO"})
_GOING_ON = FINITE_TAGS | _NOMINAL_TAGS | {"VBN", "VBG", "WDT", "WP", "WP$", "PRP", "HYPH", "FW"}


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
    measures = (phrase.head for phrase in exchange.phrases if exchange.is_a(phrase.head, "MEASURE"))
    if any(exchange.parse.word(index + 1) != "of" for index in measures):
        return True
    return any(exchange.is_a(verb, "UNEXCHANGEABLE") for verb in (exchange.clause, exchange.verb))


def _is_idiom(exchange: Exchange) -> bool:
    """Tell whether a verb that says little stands before a bare noun or "it": "plays a role", "make it to the final"."""
    other = exchange.object
    bare = (exchange.parse.tags[other.head] in ("NN", "NNS") or exchange.parse.word(other.head) == "it") and other.first == other.last
    return exchange.is_a(exchange.verb, "LIGHT") and (bare or exchange.is_a(other.head, "VERBAL"))


def _is_no_noun_phrase(exchange: Exchange) -> bool:
    parse = exchange.parse
    foreign = (parse.tags[phrase.head] not in _HEAD_TAGS or parse.word(phrase.head) == "that" for phrase in exchange.phrases)
    return any(foreign) or any(parse.tags[phrase.first][0] == "W" for phrase in exchange.phrases)


def _is_directed(exchange: Exchange) -> bool:
    """Tell whether the object ends in a phrase that may be the verb's: "removed the language from use"."""
    prepositions = (exchange.parse.word(index) for index in exchange.within if exchange.parse.tags[index] in _PREPOSITIONS)
    return exchange.is_a(exchange.verb, "DIRECTED") and any(word != "of" for word in prepositions)


def _has_two_objects(exchange: Exchange) -> bool:
    if is_two_objects(exchange.parse, exchange.object.first, exchange.object.last):
        return True
    return any(exchange.parse.children(verb, "iobj") for verb in (exchange.clause, exchange.verb))


def _has_infinitive(exchange: Exchange) -> bool:
    below = exchange.parse.children(exchange.object.head, "acl", "xcomp", "advcl")
    return any(exchange.parse.tags[index] == "VB" for index in below)


def _has_negative_polarity(exchange: Exchange) -> bool:
    return any(exchange.parse.word(index) in _WORDS["POLAR"] for phrase in exchange.phrases for index in phrase.indices)


def _follows_particle(exchange: Exchange) -> bool:
    between = exchange.parse.tags[exchange.verb + 1 : exchange.object.first]
    return exchange.parse.tags[exchange.subject.head] == "PRP" and not _PREPOSITIONS.issuperset(between)


def _is_broken_in(exchange: Exchange) -> bool:
    """Tell whether a mark or words that are none of the phrase's stand in it."""
    parse = exchange.parse
    for phrase in exchange.phrases:
        others = [index for index in phrase.indices if index != phrase.head]
        loose = (parse.deps[index] in _LOOSE_LABELS and not parse.tags[parse.heads[index]].startswith("V") for index in others)
        marks = (parse.tokens[index] in _MARKS and parse.text[parse.starts[index] - 1].isspace() for index in others)
        parted = "," in parse.tokens[phrase.first : phrase.last] and phrase == exchange.subject
        if any(loose) or any(marks) or parted or not is_balanced(slice_text(parse, phrase.first, phrase.last)):
            return True
    return False


def _holds_clause(exchange: Exchange) -> bool:
    """Tell whether a finite verb stands in a phrase that no relative word or pronoun lets in."""
    for phrase in exchange.phrases:
        finite = [index for index in phrase.indices if exchange.parse.tags[index] in FINITE_TAGS]
        if finite and not any(exchange.parse.tags[index] in _RELATIVES | {"PRP"} for index in range(phrase.head, finite[0])):
            return True
    return False


def _is_cut_short(exchange: Exchange) -> bool:
    """Tell whether a phrase begins too late or ends too early, by the tags and marks beside it."""
    return any(_begins_late(exchange.parse, phrase) or _ends_early(exchange.parse, phrase) for phrase in exchange.phrases)


def _begins_late(parse: Parse, phrase: Phrase) -> bool:
    if parse.tag(phrase.first - 1) in _NOMINAL_TAGS or parse.word(phrase.first - 1) in _WORDS["FOCUSING"]:
        return True
    return parse.tags[phrase.first] == "RB" and parse.tag(phrase.first + 1) not in _AFTER_DEGREE  # "once more the pleasure"


def _ends_early(parse: Parse, phrase: Phrase) -> bool:
    tags = parse.tags[phrase.first : phrase.last + 1]
    if tags[-1] == "RB" and not any(tag.startswith("V") for tag in tags):
        return True
    return tags[-1] in _UNFINISHED or parse.text.startswith(_JOINTS, parse.end(phrase.last))


def _goes_on(exchange: Exchange) -> bool:
    """Tell whether the words after the object belong to it."""
    parse, after = exchange.parse, exchange.object.last + 1
    if parse.word(after) in _QUOTES or (parse.tag(after + 1) in _RELATIVES and parse.tag(after) in (",", "IN")):
        return True
    free = after >= len(parse) or parse.has_label(after, "xcomp", "parataxis")
    return (parse.tag(after) in _GOING_ON and not free) or parse.word(after) in ("why", "how", "that", "whether")


def _is_torn(exchange: Exchange) -> bool:
    """Tell whether a preposition after the object belongs to it, though the parser hangs it on the verb."""
    parse, after, noun = exchange.parse, exchange.object.last + 1, exchange.object.head
    if parse.tag(after) not in _PREPOSITIONS or parse.deps[after] != "case" or parse.tags[noun] not in ("NN", "NNS"):
        return False
    return parse.word(after) in _WORDS["OF_NOUN"] or parse.lemmas[noun].lower() in _DEEDS


def _goes_on_after_preposition(exchange: Exchange) -> bool:
    """Tell whether more than a mark or a clause follows what is no object of a verb: it may be a part of it, or a second one."""
    parse, after = exchange.parse, exchange.object.last + 1
    if parse.has_label(exchange.object.head, "obj"):
        return False
    if any(parse.word(index) != "of" for index in exchange.within if parse.tags[index] == "IN"):
        return True
    if not parse.word(after).isalnum() or parse.tag(after) in ("RB", "WRB", "CC"):
        return False
    return parse.deps[after] != "mark" and parse.word(after) not in _WORDS["OF_CLAUSE"] and parse.tag(after + 1) != "CD"


def _holds_adverbial(exchange: Exchange) -> bool:
    """Tell whether the object holds a time or a circumstance of the clause."""
    parse = exchange.parse
    if any(parse.tags[index] == "VBG" for index in parse.children(exchange.object.head, "acl")):
        return True
    return any(parse.word(index) in _WORDS["OF_CLAUSE"] for index in exchange.within)


def _is_half_of_list(exchange: Exchange) -> bool:
    """Tell whether a phrase is coordinated with what it does not hold."""
    parse, after = exchange.parse, exchange.object.last + 1
    after += parse.word(after) == "," and parse.word(after + 1) != "but"
    cut = (parse.children(phrase.head, "conj") and "CC" not in parse.tags[phrase.first : phrase.last] for phrase in exchange.phrases)
    if any(cut) or parse.tags[exchange.subject.first] == "CC":
        return True
    return parse.tag(after) == "CC" and not is_finite_clause(parse, parse.heads[after])


def _follows_noun(exchange: Exchange) -> bool:
    """Tell whether a noun without a preposition stands before the subject, which may be its apposition or go on with it."""
    parse = exchange.parse
    before = [index for index in parse.children(exchange.clause, "obl", "dislocated") if index < exchange.subject.first]
    timed = (parse.children(index, "case") or parse.tags[index] == "CD" or exchange.is_a(index, "MEASURE") for index in before)
    return not all(timed)


def _announces(exchange: Exchange) -> bool:
    """Tell whether the subject "it" stands for a clause after the object."""
    parse, last = exchange.parse, exchange.object.last
    return parse.word(exchange.subject.head) == "it" and not {"to", "that"}.isdisjoint((parse.word(last + 1), parse.word(last + 2)))


def _may_be_name(exchange: Exchange) -> bool:
    first = exchange.subject.first
    return opens_sentence(exchange.parse, first) and opening_case(exchange.parse, first) == "doubt"


def _is_parted_from_verb(exchange: Exchange) -> bool:
    """Tell whether more than adverbs stand between the phrases and the verbs."""
    tags, first_verb = exchange.parse.tags, verbs_of(exchange.parse, exchange.clause)[0]
    after = (tag for tag in tags[exchange.verb + 1 : exchange.object.first] if tag not in ("IN", "TO", "RP"))
    return not all(tag.startswith("RB") for tag in (*tags[exchange.subject.last + 1 : first_verb], *after))


REFUSALS: tuple[Refusal[[Exchange]], ...] = (
    Refusal("symmetric verb", "She met the old king.", _is_symmetric),
    Refusal("reflexive or reciprocal object", "The man washed himself.", _is_reflexive),
    Refusal("measure or predicate", "Salt costs money.", _has_measure),
    Refusal("idiom of verb and noun", "Love plays a role.", _is_idiom),
    Refusal("phrase that the verb directs", "He removed the stone from the garden.", _is_directed),
    Refusal("two objects", "He gave her a book.", _has_two_objects),
    Refusal("infinitive at the object", "He asked for the right to vote.", _has_infinitive),
    Refusal("negative polarity", "Nobody had any proof.", _has_negative_polarity),
    Refusal("pronoun after a particle", "He will give up the town.", _follows_particle),
    Refusal("no noun phrase", "Who saw the man?", _is_no_noun_phrase),
    Refusal("phrase with marks or a stray part", "The king — the old one — saw the farmer.", _is_broken_in),
    Refusal("clause in a phrase", "He reads the book his father gave him.", _holds_clause),
    Refusal("phrase cut short", "Not everyone loves the king.", _is_cut_short),
    Refusal("object that goes on", "The king saw in the town the farmer.", _goes_on),
    Refusal("preposition of the object", "The committee ended the ban on weapons.", _is_torn),
    Refusal("preposition after a preposition", "She looked at the man with a smile.", _goes_on_after_preposition),
    Refusal("adverbial in the object", "The king saw the changes since the war.", _holds_adverbial),
    Refusal("half of a coordination", "The pictures showed the damage and possibly an upward tilt.", _is_half_of_list),
    Refusal("noun before the subject", "However, a small group, the Red Brigade attacked the town.", _follows_noun),
    Refusal("subject that stands for a clause", "It surprised the king to see the town.", _announces),
    Refusal("first word that may be a name", "Power entered the town.", _may_be_name),
    Refusal("words between phrase and verb", "They all saw it.", _is_parted_from_verb),
)

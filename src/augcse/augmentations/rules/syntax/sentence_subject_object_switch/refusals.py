"""When the subject and the object of a clause cannot change places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_balanced, opens_sentence, slice_text
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("verbs.txt"))
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "DT", "PRP$", "POS", "$"})
_HEAD_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
_REFLEXIVES = frozenset("myself yourself himself herself itself oneself ourselves yourselves themselves".split())
_RECIPROCALS = frozenset({("each", "other"), ("one", "another")})
_NEGATIVE_POLARITY = frozenset("any anybody anyone anything neither either nor".split())
_LOOSE_LABELS = frozenset({"dep", "list", "discourse", "vocative", "parataxis", "goeswith", "obl", "obl:unmarked", "obl:agent"})
_MARKS = frozenset({".", ";", ":", "!", "?", "...", "…", "—", "–", "--", "-", "`", "'"})
# A phrase of these hangs on the noun before it, whatever the parser says; one of the others too, on a noun for a deed or a state.
_OF_NOUNS = frozenset("of about between against among than as".split())
_UNFINISHED = frozenset({"VBD", "VB", "VBP", "MD", "CC", "TO", "HYPH", "IN"})
_OF_CLAUSES = frozenset("during since until till after before throughout despite by although because while if though when as".split())
_OPENERS = frozenset({"WP", "WDT", "WRB", "WP$", "PRP"})
_FOCUSING = frozenset("not only even just especially particularly mainly mostly almost nearly exactly merely both".split())
_SINGLE_QUOTES = frozenset({"`", "'", "‘"})
_JOINTS = ("-", "/", "'", "’")
_QUOTES = frozenset({'"', "“", "``", "(", "["})
_AFTER_DEGREE = frozenset({"JJ", "CD", "VBN", "JJR", "RB"})
_PREPOSITIONS = frozenset({"IN", "TO"})
_DEED = re.compile(
    r".*(?:tion|sion|ment|ance|ence|ship|ity|ure)|ban|bid|call|deal|attack|talk|plan|interest|hope|work|trip|visit|increase"
    r"|decrease|boost|access|approach|answer|return|threat|damage|end|right|bill|look|report|law|case|rise|fall|drop|gain|loss|cut"
)
_GOING_ON = FINITE_TAGS | _NOMINAL_TAGS | {"VBN", "VBG", "WDT", "WP", "WP$", "PRP", "HYPH", "FW"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase as a stretch of tokens, both ends included."""

    head: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A subject and an object that may change places: of `clause`, and of `verb`, which is the clause's or an infinitive's."""

    tree: Tree
    clause: int
    verb: int
    subject: Phrase
    object: Phrase

    def tag(self, place: int) -> str:
        """Return the tag of a word; beyond the text's ends that of a full stop."""
        return self.tree.parse.tags[place] if 0 <= place < len(self.tree.parse) else "."

    def word(self, place: int) -> str:
        """Return a word in small letters; beyond the text's ends none."""
        return self.tree.parse.tokens[place].lower() if 0 <= place < len(self.tree.parse) else ""

    def is_a(self, place: int, kind: str) -> bool:
        """Tell whether the lemma of a word is of a kind of verbs.txt."""
        return self.tree.parse.lemmas[place].lower() in _WORDS[kind] or self.word(place) in _WORDS[kind]

    @property
    def phrases(self) -> tuple[Phrase, Phrase]:
        """Subject and object."""
        return self.subject, self.object


def _is_symmetric(exchange: Exchange) -> bool:
    # "Australia played India", but an actor plays a part.
    played = exchange.tree.parse.lemmas[exchange.verb] == "play" and exchange.tag(exchange.object.head).startswith("NNP")
    return exchange.is_a(exchange.verb, "SYMMETRIC") or played


def _is_reflexive(exchange: Exchange) -> bool:
    first, last = exchange.tree.first(exchange.clause), exchange.tree.last(exchange.clause)
    words = [word.lower() for word in exchange.tree.parse.tokens[first : last + 1]]
    return not _REFLEXIVES.isdisjoint(words) or not _RECIPROCALS.isdisjoint(pairwise(words))


def _has_measure(exchange: Exchange) -> bool:
    verbs = (exchange.clause, exchange.verb)
    measures = (p.head for p in exchange.phrases if exchange.is_a(p.head, "MEASURE"))
    return any(exchange.is_a(verb, "UNEXCHANGEABLE") for verb in verbs) or any(exchange.word(place + 1) != "of" for place in measures)


def _is_idiom(exchange: Exchange) -> bool:
    other = exchange.object.head
    bare = exchange.tag(other) in ("NN", "NNS") and exchange.object.first == exchange.object.last
    return exchange.is_a(exchange.verb, "LIGHT") and (bare or exchange.is_a(other, "VERBAL"))


def _is_no_noun_phrase(exchange: Exchange) -> bool:
    phrases = exchange.phrases
    if any(exchange.tag(p.first) == "PRP" and p.first != p.last and exchange.tag(p.first + 1) != "CC" for p in phrases):
        return True  # "wish you good luck"
    foreign = (exchange.tag(p.head) not in _HEAD_TAGS or exchange.word(p.head) == "that" for p in phrases)
    return any(foreign) or any(exchange.tag(p.first)[0] == "W" for p in phrases)


def _is_directed(exchange: Exchange) -> bool:
    """Tell whether the object ends in a phrase that may be the verb's: "removed the language from use"."""
    places = range(exchange.object.head + 1, exchange.object.last)
    return exchange.is_a(exchange.verb, "DIRECTED") and any(exchange.tag(p) in ("IN", "TO") and exchange.word(p) != "of" for p in places)


def _has_two_objects(exchange: Exchange) -> bool:
    first, head = exchange.object.first, exchange.object.head
    named = first != head and exchange.tree.parse.tokens[first][0].isupper() and exchange.tag(head) in ("NN", "NNS")
    doubled = any(exchange.tree.children(verb, "iobj") for verb in (exchange.clause, exchange.verb))
    return doubled or (named and exchange.is_a(exchange.verb, "GIVING"))


def _has_infinitive(exchange: Exchange) -> bool:
    return any(exchange.tag(place) == "VB" for place in exchange.tree.children(exchange.object.head, "acl", "xcomp", "advcl"))


def _has_negative_polarity(exchange: Exchange) -> bool:
    words = exchange.tree.parse.tokens
    return any(words[place].lower() in _NEGATIVE_POLARITY for p in exchange.phrases for place in range(p.first, p.last + 1))


def _follows_particle(exchange: Exchange) -> bool:
    between = range(exchange.verb + 1, exchange.object.first)
    return exchange.tag(exchange.subject.head) == "PRP" and any(exchange.tag(place) not in _PREPOSITIONS for place in between)


def _is_broken_in(exchange: Exchange) -> bool:
    """Tell whether a mark or words that are none of the phrase's stand in it; the commas of a list are its own."""
    parse = exchange.tree.parse
    for phrase in exchange.phrases:
        places = [place for place in range(phrase.first, phrase.last + 1) if place != phrase.head]
        listed = sum(parse.deps[place] == "conj" for place in places)
        subject_commas = sum(parse.tokens[place] == "," for place in places) if phrase == exchange.subject else 0
        loose = (parse.deps[place] in _LOOSE_LABELS and not parse.tags[parse.heads[place]].startswith("V") for place in places)
        marks = (parse.tokens[place] in _MARKS and parse.text[parse.starts[place] - 1].isspace() for place in places)
        if any(loose) or any(marks) or subject_commas > listed or not is_balanced(slice_text(parse, phrase.first, phrase.last)):
            return True
    return False


def _holds_clause(exchange: Exchange) -> bool:
    """Tell whether a finite verb stands in a phrase that no relative word, conjunction or pronoun lets in."""
    tags = exchange.tree.parse.tags
    for phrase in exchange.phrases:
        finite = [place for place in range(phrase.first, phrase.last + 1) if tags[place] in FINITE_TAGS]
        if finite and not any(tags[place] in _OPENERS or exchange.word(place) == "that" for place in range(phrase.head, finite[0])):
            return True
    return False


def _is_cut_short(exchange: Exchange) -> bool:
    """Tell whether a phrase begins too late or ends too early, by the tags and marks beside it."""
    return any(_begins_late(exchange, phrase) or _ends_early(exchange, phrase) for phrase in exchange.phrases)


def _begins_late(exchange: Exchange, phrase: Phrase) -> bool:
    parse, before = exchange.tree.parse, exchange.word(phrase.first - 1)
    if exchange.tag(phrase.first - 1) in _NOMINAL_TAGS or before in _FOCUSING | _SINGLE_QUOTES:
        return True
    if exchange.tag(phrase.first) == "RB" and exchange.tag(phrase.first + 1) not in _AFTER_DEGREE:
        return True  # "once more the pleasure"
    abbreviated = before == "." and parse.tokens[max(phrase.first - 2, 0)].istitle()
    return abbreviated or parse.text[: parse.starts[phrase.first]].endswith(_JOINTS)


def _ends_early(exchange: Exchange, phrase: Phrase) -> bool:
    parse = exchange.tree.parse
    tags = parse.tags[phrase.first : phrase.last + 1]
    if tags[-1] in _UNFINISHED or (tags[-1] == "RB" and not any(tag.startswith("V") for tag in tags)):
        return True
    return exchange.word(phrase.last + 1) in _SINGLE_QUOTES or parse.text[parse.end(phrase.last) :].startswith(_JOINTS)


def _goes_on(exchange: Exchange) -> bool:
    """Tell whether the words after the object belong to it."""
    parse, after = exchange.tree.parse, exchange.object.last + 1
    if exchange.tag(after) == "IN" and exchange.tag(after + 1) in ("WDT", "WP", "WP$"):
        return True  # "a road by which he came"
    if exchange.word(after) in _QUOTES or (exchange.word(after) == "," and exchange.tag(after + 1) in _OPENERS - {"PRP"}):
        return True
    free = after >= len(parse) or parse.has_label(after, "xcomp", "parataxis")
    return (exchange.tag(after) in _GOING_ON and not free) or exchange.word(after) in ("why", "how", "that", "whether")


def _is_torn(exchange: Exchange) -> bool:
    """Tell whether a preposition after the object belongs to it, though the parser hangs it on the verb."""
    after, noun = exchange.object.last + 1, exchange.tree.parse.lemmas[exchange.object.head].lower()
    if exchange.tag(after) not in _PREPOSITIONS or exchange.tree.parse.deps[after] != "case":
        return False
    return exchange.tag(exchange.object.head) in ("NN", "NNS") and (exchange.word(after) in _OF_NOUNS or _DEED.fullmatch(noun) is not None)


def _goes_on_after_preposition(exchange: Exchange) -> bool:
    """Tell whether more than a mark or a clause follows what is no object of a verb: it may be a part of it, or a second one."""
    tree, after = exchange.tree, exchange.object.last + 1
    if tree.parse.has_label(exchange.object.head, "obj"):
        return False
    if any(exchange.word(place) != "of" for place in range(exchange.object.head, after) if exchange.tag(place) == "IN"):
        return True
    if not exchange.word(after).isalnum() or exchange.tag(after) in ("RB", "WRB", "CC"):
        return False
    timed = exchange.word(after) in _OF_CLAUSES or exchange.tag(after + 1) == "CD" or exchange.is_a(tree.parse.heads[after], "MEASURE")
    return tree.parse.deps[after] != "mark" and not timed


def _holds_adverbial(exchange: Exchange) -> bool:
    """Tell whether the object holds a time or a circumstance of the clause."""
    markers = [place for place in range(exchange.object.head + 1, exchange.object.last) if exchange.tag(place) == "IN"]
    parse, named = exchange.tree.parse, exchange.tag(exchange.object.head) in ("NNP", "PRP")
    if any(parse.tags[place] == "VBG" for place in exchange.tree.children(exchange.object.head, "acl")):
        return True
    return any(exchange.word(place) in _OF_CLAUSES or (named and exchange.word(place) == "that") for place in markers)


def _is_half_of_list(exchange: Exchange) -> bool:
    """Tell whether a phrase is coordinated with what it does not hold, or holds a coordination whose parts are unlike."""
    before, after = exchange.subject.first - 1, exchange.object.last + 1
    if exchange.tag(exchange.subject.first) == "CC":
        return True
    after += exchange.word(after) == "," and exchange.word(after + 1) != "but"
    if any(exchange.tree.children(p.head, "conj") and "CC" not in exchange.tree.parse.tags[p.first : p.last] for p in exchange.phrases):
        return True
    heads = [p.head for p in exchange.phrases]
    if any((exchange.tag(one) == "CD") != (exchange.tag(two) == "CD") for one in heads for two in exchange.tree.children(one, "conj")):
        return True
    opens = exchange.tag(before) == "CC" and before > 0 and not _joins_clause(exchange, before)
    return opens or (exchange.tag(after) == "CC" and not _joins_clause(exchange, after))


def _joins_clause(exchange: Exchange, joint: int) -> bool:
    tree, conjunct = exchange.tree, exchange.tree.parse.heads[joint]
    return any(exchange.tag(verb) in FINITE_TAGS for verb in (conjunct, *tree.children(conjunct, "aux", "cop")))


def _follows_noun(exchange: Exchange) -> bool:
    """Tell whether a noun without a preposition stands before the subject, which may be its apposition or go on with it."""
    tree = exchange.tree
    before = (place for place in tree.children(exchange.clause, "obl", "dislocated") if place < exchange.subject.first)
    return any(not tree.children(place, "case") and not exchange.is_a(place, "MEASURE") and exchange.tag(place) != "CD" for place in before)


def _announces(exchange: Exchange) -> bool:
    """Tell whether the subject "it" stands for a clause after the object."""
    after = range(exchange.object.last + 1, exchange.object.last + 3)
    return exchange.word(exchange.subject.head) == "it" and any(exchange.word(place) in ("to", "that") for place in after)


def _may_be_name(exchange: Exchange) -> bool:
    first = exchange.subject.first
    return opens_sentence(exchange.tree.parse, first) and opening_case(exchange.tree.parse, first) == "doubt"


def _is_parted_from_verb(exchange: Exchange) -> bool:
    """Tell whether more than adverbs stand between the phrases and the verbs."""
    first_verb = min([exchange.clause, *exchange.tree.children(exchange.clause, "aux", "cop")])
    before = range(exchange.subject.last + 1, max(first_verb, exchange.subject.last + 1))
    after = [place for place in range(exchange.verb + 1, exchange.object.first) if exchange.tag(place) not in ("IN", "TO", "RP")]
    return not all(exchange.tag(place).startswith("RB") for place in (*before, *after))


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

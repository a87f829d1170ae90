"""An adverbial at one end of a sentence moved to the other: "When the bell rang, we ran home." -> "We ran home when the bell rang."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import may_open_with_name
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS, clauses_beside
from augcse.augmentations.english.conjunctions import relation_at
from augcse.augmentations.english.connectives import opening_connective
from augcse.augmentations.english.function_words import DEFINITES
from augcse.augmentations.english.marks import DASHES, ENDS
from augcse.augmentations.english.noun_kinds import noun_kinds
from augcse.augmentations.english.phrase import lower_first, raise_first, slice_text
from augcse.augmentations.english.tags import OPENS_NOUN_PHRASE
from augcse.augmentations.english.times import CALENDAR, is_time_noun, is_year
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
# What a clause that may change its end says of the rest.
_MOVABLE = ("time", "reason", "condition", "concession", "comparison", "limit")
_COUNTING = CALENDAR | {"last", "next"}
# What opens a subject that is known already: other words may come between it and its verb.
_KNOWN_TAGS, _KNOWN_WORDS = frozenset({"PRP$", "NNP", "NNPS"}), DEFINITES | {"both", "all"}
_CLAUSES, _PHRASES = frozenset({"acl", "advcl"}), frozenset({"nmod", "obl"})
# Between the parts of a sentence that is too complex to move one of them.
_BETWEEN_PARTS = ENDS | DASHES | {";", ":", "but", "that", "not"}


@dataclass(frozen=True)
class Move:
    """An adverbial at one end of a sentence, and `main`, the rest without the comma between them and the end mark."""

    parse: Parse
    adverbial: range
    main: range

    @property
    def opener(self) -> str:
        """The first word of the adverbial."""
        return self.parse.word(self.adverbial.start)


def _depends_on_context(move: Move) -> bool:
    parse = move.parse
    words = {parse.word(index) for index in (*move.adverbial, move.main.start)}
    return bool(opening_connective(parse.text)) or not words.isdisjoint(_WORDS["LEANING"])


def _has_several_verbs(move: Move) -> bool:
    """Return whether the rest has a second verb, which the adverbial may belong to, or another time."""
    parse, main = move.parse, move.main
    tags = parse.tags[main.start : main.stop]
    # What is said is a clause even if the parser took it for something else: "says the screen flickers".
    if sum(tag in FINITE_TAGS for tag in tags) != 1 or "TO" in tags or "say" in parse.lemmas[main.start : main.stop]:
        return True
    # An adverbial moved to the end should not come after a comma or its own first word: "during the war during his speech".
    excluded = _BETWEEN_PARTS | {",", move.opener} if move.adverbial.start == 0 else _BETWEEN_PARTS
    return any(_is_time(parse, index) for index in main) or not excluded.isdisjoint(map(parse.word, main))


def _may_mean_another(move: Move) -> bool:
    """Return whether a pronoun of the rest may mean a noun of the adverbial; "he" only a person or a name."""
    parse = move.parse
    nouns = [index for index in move.adverbial if parse.tags[index][0] == "N" and not _is_time(parse, index)]
    has_person = any("noun.person" in noun_kinds(parse.word(index)) or parse.tags[index].startswith("NNP") for index in nouns)
    pronouns = {"ones"} | _WORDS["THING"] | (_WORDS["PERSON"] if has_person else set())
    return bool(nouns) and not pronouns.isdisjoint(map(parse.word, move.main))


def _is_place(move: Move) -> bool:
    """Return whether the adverbial is a place, which after a noun would describe that noun; a time would not."""
    is_time = (is_year(move.parse, index) or is_time_noun(move.parse.word(index)) for index in move.adverbial)
    return move.opener in _WORDS["BEFORE_PLACE"] and not any(is_time)


def _may_join_noun(move: Move) -> bool:
    """Return whether a phrase in front would describe the last noun, or a word within the last words, if it came after them."""
    parse, last = move.parse, move.main.stop - 1
    labels = [parse.deps[index].partition(":")[0] for index in parse.path(last)]
    # "due to the policy of the town", "known as a list", "the end of the war in Spain"
    is_nested = not _CLAUSES.isdisjoint(labels) or sum(label in _PHRASES for label in labels) > 1
    is_phrase = all(parse.tags[index][0] != "V" for index in move.adverbial)
    return move.adverbial.start == 0 and ((_is_place(move) and parse.tags[last][0] == "N") or (is_nested and is_phrase))


def _is_modified(move: Move) -> bool:
    """Return whether the last word of the rest may belong to the adverbial ("only when"), not to its verb: "came home", "passed away"."""
    parse, last = move.parse, move.main.stop - 1
    is_of_verb = parse.tags[last] == "RB" and parse.word(last) in VERB_WORDS["PARTICLE"] | _WORDS["AFTER_VERB"]
    return move.adverbial.start > 0 and not is_of_verb and parse.tags[last] in ("RB", "RBR", "IN", ",", "CC", "CD")


REFUSALS: tuple[Refusal[[Move]], ...] = (
    Refusal("adverbial that leans on a sentence before", "After this day, the king left.", _depends_on_context),
    Refusal("adverbial beside several verbs", "In May, he said that it was cold.", _has_several_verbs),
    Refusal(
        "adverbial cut by the parser",
        "In May, quickly the king left the town.",
        lambda move: move.parse.tags[move.main.start] not in OPENS_NOUN_PHRASE,
    ),
    Refusal("pronoun that a noun of the adverbial may explain", "When the king came, he slept in the town.", _may_mean_another),
    Refusal("adverbial that a word before it goes with", "The king came only when it was cold.", _is_modified),
    Refusal("first word that may be a name", "Rain fell in May.", lambda move: may_open_with_name(move.parse, 0)),
    Refusal("phrase that the last noun may take", "In the town, the king often saw a house.", _may_join_noun),
)


def moved_adverbial(parse: Parse) -> str | None:
    """Return the sentence with its adverbial at the other end, or after the subject; None if no adverbial can move."""
    if not len(parse) or parse.tokens[-1] not in (".", "!"):
        return None
    moves = (*_adverbial_in_front(parse), *_final_clauses(parse), *_final_times(parse))
    moved = (_moved(move) for move in moves if not refused(REFUSALS, move))
    return next(moved, None) or next(filter(None, map(_after_subject, _adverbial_in_front(parse))), None)


def _adverbial_in_front(parse: Parse) -> Iterator[Move]:
    """Yield the words before the first comma, or before the subject, if they are an adverbial by the first word."""
    root = parse.roots()[0]
    stop = next((index for index in parse.indices_of(",") if not _is_time(parse, index + 1)), 0)  # not that of "May 2, 1990"
    subject = min(map(parse.first, parse.children(root, "nsubj")), default=0)
    if not 0 < stop < subject and any((parse.first(index), parse.last(index) + 1) == (0, subject) for index in parse.children(root, "obl")):
        stop = subject
    finite = sum(tag in FINITE_TAGS for tag in parse.tags[:stop])
    may_move = relation_at(parse, 0) in _MOVABLE if finite else parse.word(0) in _WORDS["BEFORE_CIRCUMSTANCE"]
    if stop > 1 and may_move:
        yield Move(parse, range(stop), range(stop + (parse.tokens[stop] == ","), _end_of_first_clause(parse, root)))


def _end_of_first_clause(parse: Parse, root: int) -> int:
    """Return the index of the comma before a second main clause, or of the end mark."""
    second = min(map(parse.first, clauses_beside(parse, root)), default=0)
    return second if parse.token(second) == "," and parse.tag(second + 1) == "CC" else len(parse) - 1


def _final_clauses(parse: Parse) -> Iterator[Move]:
    """Yield the adverbial clauses, and the phrases with an event ("during the war"), that end the sentence."""
    root, end = parse.roots()[0], len(parse) - 1
    for head in parse.children(root, "advcl", "obl"):
        adverbial = range(parse.first(head), parse.last(head) + 1)
        is_clause, first = parse.has_label(head, "advcl"), adverbial.start
        may_move = relation_at(parse, first) in _MOVABLE if is_clause else parse.word(first) in _WORDS["BEFORE_EVENT"]
        if adverbial.stop == end and may_move:
            yield _final(parse, adverbial)


def _final_times(parse: Parse) -> Iterator[Move]:
    """Yield the time that ends the sentence, with its preposition, if there is one."""
    root, end = parse.roots()[0], len(parse) - 1
    start = end - 1
    while _may_be_in_time(parse, start):
        start -= 1
    if parse.word(start) not in _WORDS["BEFORE_TIME"]:
        start += 1
    adverbial = range(start, end)
    if parse.word(start) not in _WORDS["BEFORE_TIME"] or not any(_is_time(parse, index) for index in adverbial):
        return
    # It must belong to the main verb; not so in "a band formed in 1976", "was written and published in 1976".
    if all(parse.heads[index] in (*adverbial, root) and index != root for index in adverbial):
        yield _final(parse, adverbial)


def _final(parse: Parse, adverbial: range) -> Move:
    has_comma = parse.word(adverbial.start - 1) == ","
    return Move(parse, adverbial, range(adverbial.start - 1 if has_comma else adverbial.start))


def _may_be_in_time(parse: Parse, index: int) -> bool:
    """Return whether a word may be part of a time: "at | the end of September 1, 1939"."""
    is_modifier = parse.tags[index] in ("CD", "JJ", "DT", "PRP$") or parse.word(index) in ("of", "to", "and", ",")
    return is_modifier or _is_time(parse, index)


def _is_time(parse: Parse, index: int) -> bool:
    """Return whether a word is a year, the name of a month or day, or another noun for a time after an article, number or the like."""
    word = parse.word(index)
    if word in CALENDAR or is_year(parse, index):
        return parse.tags[index] != "MD"  # the verb "may"
    determiner = index - 2 if parse.tag(index - 1) == "JJ" else index - 1
    is_counted = parse.tag(determiner) in ("DT", "CD", "PRP$") or parse.word(index - 1) in _COUNTING
    return is_counted and is_time_noun(word)


def _after_subject(move: Move) -> str | None:
    """Return the sentence with the phrase in front moved after its subject ("The king, in 1990, left."); None if it cannot be."""
    parse, start = move.parse, move.main.start
    heads = [index for index in move.main if parse.has_label(index, "nsubj") and parse.first(index) == start]
    # The subject would be too far from its verb.
    is_long = any(parse.tags[index] in (*FINITE_TAGS, ",") for index in move.adverbial)
    if is_long or len(heads) != 1 or _depends_on_context(move):
        return None
    last = parse.last(heads[0])
    # The subject must be known already: "the king, in 1990, left", but not "a king, in 1990".
    is_known = parse.tags[start] in _KNOWN_TAGS or parse.word(start) in _KNOWN_WORDS
    is_plain = {"PRP", "DT", ","}.isdisjoint(parse.tags[heads[0] : last + 1])
    if not is_known or not is_plain or parse.tag(last + 1) not in FINITE_TAGS or _is_place(move) or not _says_enough(parse, last + 1):
        return None
    comma, adverbial = comma_in(parse.text), slice_text(parse, 0, move.adverbial.stop - 1)
    subject = raise_first(slice_text(parse, start, last), parse.text)
    return f"{subject}{comma} {lower_first(parse, 0, adverbial)}{comma}{parse.text[parse.end(last) :]}"


def _says_enough(parse: Parse, verb: int) -> bool:
    """Return whether a verb has words after it, and is no general statement: between it and its subject, these need no adverbial."""
    is_general = parse.tags[verb] in ("VBZ", "VBP") and parse.word(verb) not in VERB_WORDS["HAVE"]
    return not is_general and parse.tags[verb + 1] not in (",", ".", ":", "CC")


def _moved(move: Move) -> str:
    parse, end = move.parse, move.parse.end(max(move.adverbial.stop, move.main.stop) - 1)
    adverbial, main = (slice_text(parse, stretch.start, stretch.stop - 1) for stretch in (move.adverbial, move.main))
    comma = comma_in(parse.text)
    if move.adverbial.start > 0:
        moved = f"{adverbial}{comma} {lower_first(parse, 0, main)}"
    else:
        final_comma = comma if relation_at(parse, 0) == "concession" else ""
        moved = f"{main}{final_comma} {lower_first(parse, 0, adverbial)}"
    return apply_edits(parse.text, [Edit(parse.starts[0], end, raise_first(moved, parse.text))])

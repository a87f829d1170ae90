"""An adverbial at one end of a sentence moved to the other: "When the bell rang, we ran home." -> "We ran home when the bell rang."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, VERB_WORDS
from augcse.augmentations.english.connectives import opening_connective
from augcse.augmentations.english.function_words import DEFINITES
from augcse.augmentations.english.noun_kinds import first_kind, noun_kinds
from augcse.augmentations.english.phrase import lower_first, raise_first, slice_text
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_COUNTING = VERB_WORDS["CALENDAR"] | {"last", "next"}
_OPENS_SUBJECT = frozenset({"DT", "PDT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "EX"})
# What opens a subject that is known already, which other words may part from its verb.
_KNOWN_TAGS, _KNOWN_WORDS = frozenset({"PRP$", "NNP", "NNPS"}), DEFINITES | {"both", "all"}
_PARTS = frozenset({".", "!", ";", ":", "–", "—", "--", "?", "but", "that", "not"})


@dataclass(frozen=True)
class Move:
    """An adverbial, `part`, at one end of a sentence, and `main`, the rest without the comma between and the end mark."""

    parse: Parse
    part: range
    main: range

    @property
    def opener(self) -> str:
        """Its first word."""
        return self.parse.word(self.part.start)


def _leans(move: Move) -> bool:
    parse = move.parse
    words = {parse.word(index) for index in (*move.part, move.main.start)}
    return bool(opening_connective(parse.text)) or not words.isdisjoint(_WORDS["LEANING"])


def _has_parts(move: Move) -> bool:
    """Tell whether the rest has a second verb, on which the adverbial hangs or would come to hang, or another time."""
    parse, main = move.parse, move.main
    tags = parse.tags[main.start : main.stop]
    # What is said is a clause, whatever it was read as: "says the screen flickers".
    verbs = sum(tag in FINITE_TAGS for tag in tags) != 1 or "TO" in tags or "say" in parse.lemmas[main.start : main.stop]
    # "During the war during his speech", or a comma, to go beyond.
    beyond = {",", move.opener} if move.part.start == 0 else set()
    return verbs or any(_is_time(parse, index) for index in main) or not (_PARTS | beyond).isdisjoint(map(parse.word, main))


def _may_mean_another(move: Move) -> bool:
    """Tell whether a pronoun of the rest may stand for a noun of the adverbial; "he" for a person or a name only."""
    parse = move.parse
    nouns = [index for index in move.part if parse.tags[index][0] == "N" and not _is_time(parse, index)]
    has_person = any("noun.person" in noun_kinds(parse.word(index)) or parse.tags[index].startswith("NNP") for index in nouns)
    meant = {"ones"} | _WORDS["THING"] | (_WORDS["PERSON"] if has_person else set())
    return bool(nouns) and not meant.isdisjoint(map(parse.word, move.main))


def _may_join_noun(move: Move) -> bool:
    """Tell whether a place in front would say more of the last noun, were it put after it; a time would not."""
    parse, part = move.parse, move.part
    is_place = move.opener in _WORDS["BEFORE_PLACE"] and not any(_is_time(parse, index) for index in part)
    return is_place and parse.tags[move.main.stop - 1][0] == "N"


def _hangs_on_word(move: Move) -> bool:
    """Tell whether the last word of the rest goes with the adverbial: "only when"."""
    last = move.main.stop - 1
    is_particle = move.parse.tags[last] == "RB" and move.parse.word(last) in VERB_WORDS["PARTICLE"]  # "passed away"
    return move.part.start > 0 and not is_particle and move.parse.tags[last] in ("RB", "RBR", "IN", ",", "CC", "CD")


REFUSALS: tuple[Refusal[[Move]], ...] = (
    Refusal("adverbial that leans on a sentence before", "After this day, the king left.", _leans),
    Refusal("adverbial beside several verbs", "In May, he said that it was cold.", _has_parts),
    Refusal(
        "adverbial cut by the parser",
        "In May, quickly the king left the town.",
        lambda move: move.parse.tags[move.main.start] not in _OPENS_SUBJECT,
    ),
    Refusal("pronoun that a noun of the adverbial may explain", "When the king came, he slept in the town.", _may_mean_another),
    Refusal("adverbial that a word before it goes with", "The king came only when it was cold.", _hangs_on_word),
    Refusal("place that the last noun may take", "In the town, the king often saw a house.", _may_join_noun),
)


def moved_adverbial(parse: Parse) -> str | None:
    """Return the sentence with its adverbial at the other end; None where it has none that can move."""
    if not len(parse) or parse.tokens[-1] not in (".", "!"):
        return None
    moves = (*_in_front(parse), *_final_clauses(parse), *_final_times(parse))
    moved = (_moved(move) for move in moves if not refused(REFUSALS, move))
    return next(moved, None) or next(filter(None, map(_beside_subject, _in_front(parse))), None)


def _in_front(parse: Parse) -> Iterator[Move]:
    """Yield what stands before the first comma, a clause or a circumstance by its first word."""
    comma = parse.tokens.index(",") if "," in parse.tokens else 0
    finite = sum(tag in FINITE_TAGS for tag in parse.tags[:comma])
    openers = _WORDS["SUBORDINATOR" if finite else "BEFORE_CIRCUMSTANCE"]
    if comma > 1 and parse.word(0) in openers:
        yield Move(parse, range(comma), range(comma + 1, len(parse) - 1))


def _final_clauses(parse: Parse) -> Iterator[Move]:
    root, end = parse.roots()[0], len(parse) - 1
    for head in parse.children(root, "advcl", "obl"):
        part = range(parse.first(head), parse.last(head) + 1)
        openers = _WORDS["SUBORDINATOR" if parse.has_label(head, "advcl") else "BEFORE_EVENT"]
        if part.stop == end and parse.word(part.start) in openers:
            yield _final(parse, part)


def _final_times(parse: Parse) -> Iterator[Move]:
    root, end = parse.roots()[0], len(parse) - 1
    start = end - 1
    while _is_of_time(parse, start):
        start -= 1
    part = range(start + (parse.word(start) not in _WORDS["BEFORE_TIME"]), end)
    # "a band formed in 1976", "was written and published in 1976"
    if (
        parse.word(part.start) in _WORDS["BEFORE_TIME"]
        and any(_is_time(parse, index) for index in part)
        and all(parse.heads[index] in (*part, root) and index != root for index in part)
    ):
        yield _final(parse, part)


def _final(parse: Parse, part: range) -> Move:
    return Move(parse, part, range(part.start - (parse.word(part.start - 1) == ",")))


def _is_of_time(parse: Parse, index: int) -> bool:
    """Tell whether a word may stand in a time: "at | the end of September 1, 1939"."""
    is_inner = parse.tags[index] in ("CD", "JJ", "DT", "PRP$") or parse.word(index) in ("of", "to", "and", ",")
    return is_inner or parse.word(index + 1) == "of" or _is_time(parse, index)


def _is_time(parse: Parse, index: int) -> bool:
    """Tell whether a word is a year, a month or day by name, or another noun for a time with an article, number or the like."""
    word, tag = parse.word(index), parse.tags[index]
    if word in VERB_WORDS["CALENDAR"] or (len(word) == 4 and word.isdigit()):
        return tag != "MD"
    before = index - 1 - (parse.tag(index - 1) == "JJ")
    is_counted = parse.tag(before) in ("DT", "CD", "PRP$") or parse.word(index - 1) in _COUNTING
    return is_counted and first_kind(word) == "noun.time"


def _beside_subject(move: Move) -> str | None:
    """Return the sentence with a phrase that stood in front after its subject, where the end is too far: "The king, in 1990, left."."""
    parse, start = move.parse, move.main.start
    heads = [index for index in move.main if parse.has_label(index, "nsubj") and parse.first(index) == start]
    is_clause = any(parse.tags[index] in FINITE_TAGS for index in move.part)  # it would part the subject far from its verb
    if is_clause or len(heads) != 1 or _leans(move):
        return None
    last = parse.last(heads[0])
    # "The king, in 1990, left", but not "a king, in 1990".
    opens = parse.tags[start] in _KNOWN_TAGS or parse.word(start) in _KNOWN_WORDS
    is_plain = opens and {"PRP", "DT", ","}.isdisjoint(parse.tags[heads[0] : last + 1])
    if not is_plain or parse.tag(last + 1) not in FINITE_TAGS:
        return None
    comma, part = comma_in(parse.text), slice_text(parse, 0, move.part.stop - 1)
    subject = raise_first(slice_text(parse, start, last), parse.text)
    return f"{subject}{comma} {lower_first(parse, 0, part)}{comma}{parse.text[parse.end(last) :]}"


def _moved(move: Move) -> str:
    parse, part = move.parse, move.part
    front, rest = (slice_text(parse, stretch.start, stretch.stop - 1) for stretch in (part, move.main))
    comma = comma_in(parse.text)
    if part.start:
        new = f"{front}{comma} {lower_first(parse, 0, rest)}"
    else:
        new = f"{rest}{comma * (move.opener in _WORDS['AFTER_COMMA'])} {lower_first(parse, 0, front)}"
    new = new.removesuffix("." * parse.text.startswith(".", parse.end(len(parse) - 2)))
    return apply_edits(parse.text, [Edit(parse.starts[0], parse.end(len(parse) - 2), raise_first(new, parse.text))])

"""What an adjective is left alone for, whatever its antonym."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.lexical.antonyms.places import classes
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import bundled_lexicon

WORDS = word_sets(Path(__file__).with_name("words.txt"))
_NEGATIVE = ("un", "in", "im", "il", "ir", "non", "dis")


def _is_listed(parse: Parse, index: int) -> bool:
    """Tell whether the lexicon lists the adjective and its neighbours as one expression; "old man", not "my old man", is what it says."""
    word = Word(index, parse.word(index), "a", parse.tags[index])
    is_literal = parse.word(index + 1) in classes()["PERSON"] and parse.tag(index - 1) != "PRP$"
    return not is_literal and in_expression(parse, word, bundled_lexicon())


def _is_no_adjective(parse: Parse, index: int) -> bool:
    """Tell whether the word is none, whatever its tag: "caught a cold", "before dark"; a verb: "surprised me"."""
    has_parts = parse.children(index, "case", "obj") or parse.tag(index + 1) == "PRP"
    return parse.has_label(index, "nsubj", "obj", "obl", "nmod") or bool(has_parts)


def _is_adverb(parse: Parse, index: int) -> bool:
    """Tell whether the adjective is an adverb, whatever its tag: neither beside a noun nor said with a linking verb."""
    return parse.word(index) in WORDS["ALSO_ADVERBS"] and not parse.has_label(index, "amod") and not _is_linked(parse, index)


def _is_linked(parse: Parse, index: int) -> bool:
    """Tell whether the word is what a linking verb says of something: "is high", "remained high", "makes it harder"."""
    return bool(parse.children(index, "cop")) or parse.lemmas[parse.heads[index]] in WORDS["LINKING"]


def _has_measured_result(parse: Parse, index: int) -> bool:
    """Tell whether what follows says how much of it: "so small that few survived", "big enough"."""
    result = ("that", "to", "for") if parse.word(index - 1) in ("so", "too") else ("enough",)
    return parse.word(index + 1) in result


def _is_contradicted(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the antonym does not go with the words around: "closely unrelated", "not unclear"."""
    antonym, around = found[index], {token.lower() for token in parse.tokens[max(index - 4, 0) : index + 5]}
    denials = WORDS["DENIAL"].intersection(map(parse.word, range(max(index - 4, 0), index)))
    if antonym in around or (denials and antonym.endswith(parse.word(index))):
        return True
    is_graded = parse.tag(index - 1) in ("RB", "RBR", "RBS") and parse.word(index - 1).endswith("ly")
    return antonym.startswith(_NEGATIVE) and is_graded and parse.word(index - 1) not in WORDS["OF_SENTENCE"]


def _is_elsewhere(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the adjective or its antonym stays elsewhere ("the rich gave to the poor man"), or is compared with it."""
    compared = {other for than in parse.indices_of("than") for other in range(len(parse)) if (other < than) != (index < than)}
    staying = {parse.word(other) for other in range(len(parse)) if other not in found}
    is_paired = parse.word(index) in {found.get(other) for other in compared} or found[index] in map(parse.word, compared)
    return is_paired or not staying.isdisjoint((parse.word(index), found[index]))


def _is_joined(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the adjective is joined with one that stays, and mostly agrees with it: "wet and muddy", "a good phone, but slow"."""
    beside = {index + 2 * side for side in (-1, 1) if parse.tag(index + side) in ("CC", ",")}
    clauses = _coordinated(parse, parse.heads[index] if parse.has_label(index, "amod") else index)
    contrasted = any(parse.word(joint) == "but" for clause in clauses for joint in parse.children(clause, "cc"))
    across = [other for clause in clauses for other in (clause, *parse.children(clause, "amod")) if contrasted]
    return any(_may_agree(parse, place) and place not in found for place in {*_coordinated(parse, index), *beside, *across})


def _coordinated(parse: Parse, index: int) -> list[int]:
    first = parse.heads[index] if parse.deps[index] == "conj" else index
    return [first, *parse.children(first, "conj")]


def _may_agree(parse: Parse, index: int) -> bool:
    """Tell whether a word is an adjective, or a participle that stands for one: "weak and exhausted"."""
    tag = parse.tag(index)
    return tag.startswith("JJ") or (tag == "VBN" and not parse.children(index, "nsubj", "nsubj:pass", "aux:pass"))


REFUSALS: tuple[Refusal[[Parse, int]], ...] = (
    Refusal("no adjective", "We help the poor.", _is_no_adjective),
    Refusal("measure", "The man is five years old.", lambda parse, index: parse.word(index - 1) in WORDS["UNITS"]),
    Refusal("adverb in the form of an adjective", "The fever ran high.", _is_adverb),
    Refusal("expression that the lexicon lists", "He studies international law.", _is_listed),
    Refusal("so much that", "The box was so heavy that nobody could lift it.", _has_measured_result),
)
# Asked of every adjective that would be switched, with the antonyms of all of them.
BESIDE_OTHERS: tuple[Refusal[[Parse, int, Mapping[int, str]]], ...] = (
    Refusal("adjective or antonym that stays elsewhere", "An old man met an old friend.", _is_elsewhere),
    Refusal("antonym that does not go with the words around", "The weak and strong players met.", _is_contradicted),
    Refusal("joined with what stays", "The path was wet and muddy.", _is_joined),
)

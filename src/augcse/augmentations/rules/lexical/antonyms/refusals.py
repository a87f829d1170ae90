"""The reasons to leave an adjective alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conjunctions import links
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.lexical.antonyms.places import classes
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import bundled_lexicon

_NEGATIVE = ("un", "in", "im", "il", "ir", "non", "dis")
WORDS = word_sets(Path(__file__).with_name("words.txt"))


def _is_listed(parse: Parse, index: int) -> bool:
    """Return whether the lexicon lists adjective and neighbours as one expression; "old man", not "my old man", means what it says."""
    word = Word(index, parse.word(index), "a", parse.tags[index])
    is_literal = parse.word(index + 1) in classes()["PERSON"] and parse.tag(index - 1) != "PRP$"
    return not is_literal and in_expression(parse, word, bundled_lexicon())


def _is_no_adjective(parse: Parse, index: int) -> bool:
    """Return whether the word is not an adjective, whatever its tag: a noun ("caught a cold", "before dark") or a verb ("surprised me")."""
    # A noun, as its opposite is: "few of them"; not "much of a difference".
    is_quantity = parse.word(index) in ("many", "much") and parse.word(index + 1) == "of" and parse.word(index + 2) != "a"
    has_preposition_or_object = parse.children(index, "case", "obj") or parse.tag(index + 1) == "PRP"
    return not is_quantity and (parse.has_label(index, "nsubj", "obj", "obl", "nmod") or bool(has_preposition_or_object))


def _is_adverb(parse: Parse, index: int) -> bool:
    """Return whether the adjective is an adverb, whatever its tag: neither before a noun nor the complement of a linking verb."""
    is_linked = parse.children(index, "cop") or parse.lemmas[parse.heads[index]] in WORDS["LINKING"]
    return parse.word(index) in WORDS["ALSO_ADVERBS"] and not parse.has_label(index, "amod") and not is_linked


def _has_measured_result(parse: Parse, index: int) -> bool:
    """Return whether a result measures it: "so small that few survived", "big enough"."""
    openers = ("that", "to", "for") if parse.word(index - 1) in ("so", "too") else ("enough",)
    return parse.word(index + 1) in openers


def _is_reason(parse: Parse, index: int, antonym_of: Mapping[int, str]) -> bool:
    """Return whether the adjective is the predicate of a reason, while what follows from it stays: "left because it was cold"."""
    return parse.heads[index] not in antonym_of and any(parse.heads[link] == index for link in links(parse, "reason"))


def _is_contradicted(parse: Parse, index: int, antonym_of: Mapping[int, str]) -> bool:
    """Return whether the antonym stands there too, or denies the word ("unclear") where that is denied or graded: "closely unrelated"."""
    antonym = antonym_of[index]
    near = {parse.word(other) for other in range(index - 4, index + 5) if other != index}
    if antonym in near:
        return True
    if not (antonym.startswith(_NEGATIVE) and antonym.endswith(parse.word(index))):
        return False
    is_denied = not WORDS["DENIAL"].isdisjoint(map(parse.word, range(index - 4, index)))
    is_graded = parse.tag(index - 1) in ("RB", "RBR", "RBS") and parse.word(index - 1).endswith("ly")
    return is_denied or (is_graded and parse.word(index - 1) not in WORDS["OF_SENTENCE"])


def _is_elsewhere(parse: Parse, index: int, antonym_of: Mapping[int, str]) -> bool:
    """Return whether the adjective or its antonym stays elsewhere ("the rich gave to the poor man"), or is compared with it."""
    compared = {other for than in parse.indices_of("than") for other in range(len(parse)) if (other < than) != (index < than)}
    staying = {parse.word(other) for other in range(len(parse)) if other not in antonym_of}
    is_paired = parse.word(index) in {antonym_of.get(other) for other in compared} or antonym_of[index] in map(parse.word, compared)
    return is_paired or not staying.isdisjoint((parse.word(index), antonym_of[index]))


def _is_joined(parse: Parse, index: int, antonym_of: Mapping[int, str]) -> bool:
    """Return whether the adjective is joined with one that stays, and usually agrees with it: "wet and muddy", "a good phone, but slow"."""
    neighbours = {index + 2 * side for side in (-1, 1) if parse.tag(index + side) in ("CC", ",")}
    clauses = parse.conjuncts(parse.heads[index] if parse.has_label(index, "amod") else index)
    is_contrasted = any(parse.word(joint) == "but" for clause in clauses for joint in parse.children(clause, "cc"))
    across = [other for clause in clauses for other in (clause, *parse.children(clause, "amod")) if is_contrasted]
    joined = {*parse.conjuncts(index), *neighbours, *across}
    return any(_is_adjectival(parse, other) and other not in antonym_of for other in joined)


def _is_adjectival(parse: Parse, index: int) -> bool:
    """Return whether a word is an adjective, or a participle used as one: "weak and exhausted"."""
    return parse.tag(index)[:2] == "JJ" or (parse.tag(index) == "VBN" and not parse.children(index, "nsubj", "nsubj:pass", "aux:pass"))


REFUSALS: tuple[Refusal[[Parse, int]], ...] = (
    Refusal("no adjective", "We help the poor.", _is_no_adjective),
    Refusal("measure", "The man is five years old.", lambda parse, index: parse.word(index - 1) in WORDS["UNITS"]),
    Refusal("adverb in the form of an adjective", "The fever ran high.", _is_adverb),
    Refusal("expression that the lexicon lists", "He studies international law.", _is_listed),
    Refusal("so much that", "The box was so heavy that nobody could lift it.", _has_measured_result),
)
# Tested for every adjective that would be switched, with the antonyms of all of them.
BESIDE_OTHERS: tuple[Refusal[[Parse, int, Mapping[int, str]]], ...] = (
    Refusal("adjective or antonym that stays elsewhere", "An old man met an old friend.", _is_elsewhere),
    Refusal("antonym that does not go with the words around", "The weak and strong players met.", _is_contradicted),
    Refusal("reason for what stays", "We stayed at home because the streets were dangerous.", _is_reason),
    Refusal("joined with what stays", "The path was wet and muddy.", _is_joined),
)

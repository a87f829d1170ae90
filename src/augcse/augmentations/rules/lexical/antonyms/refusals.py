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
# What belongs to a noun or begins a clause, never to an adjective that is joined with another.
_OF_NOUN = ("det", "nmod:poss", "amod", "case", "cop", "nsubj")
_QUALITY, _SHORTEST_STEM = ("ity", "ness"), 3
_BEFORE_NOUN = ("NN", "JJ", "VBG", "VBN", "CC", "CD", "RB", ",", "``", "''", "HYPH", "FW", "-LRB-")


def _is_listed(parse: Parse, index: int) -> bool:
    """Tell whether the lexicon lists the adjective and its neighbours as one expression; "old man" it lists is what it says."""
    word = Word(index, parse.word(index), "a", parse.tags[index])
    return parse.word(index + 1) not in classes()["PERSON"] and in_expression(parse, word, bundled_lexicon())


def _is_no_adjective(parse: Parse, index: int) -> bool:
    """Tell whether the word is none, whatever its tag: "caught a cold", "before dark"; a verb: "surprised me", "men committed crimes"."""
    is_noun = parse.has_label(index, "nsubj", "obj", "obl", "nmod") and not _is_linked(parse, index)
    is_verb = parse.has_label(index, "amod") and parse.children(index, "nsubj")
    return bool(is_noun or is_verb or parse.children(index, "case", "obj")) or parse.tag(index + 1) == "PRP"


def _is_adverb(parse: Parse, index: int) -> bool:
    """Tell whether the adjective is an adverb, whatever its tag: neither before a noun nor said with a linking verb."""
    is_attributive = parse.has_label(index, "amod") and parse.tag(index + 1).startswith(_BEFORE_NOUN)
    return parse.word(index) in WORDS["ALSO_ADVERBS"] and not is_attributive and not _is_linked(parse, index)


def _is_linked(parse: Parse, index: int) -> bool:
    """Tell whether the word is what a linking verb says of something: "is high", "remained high", "makes it harder"."""
    return bool(parse.children(index, "cop")) or parse.lemmas[parse.heads[index]] in WORDS["LINKING"]


def _has_measured_result(parse: Parse, index: int) -> bool:
    """Tell whether what follows says how much of it: "so small that few survived", "big enough", "easy as pie"."""
    result = {"that", "to", "for"} if parse.word(index - 1) in ("so", "too") else {"enough"}
    return parse.word(index + 1) in result or (parse.word(index + 1) == "as" != parse.word(index - 1) and parse.tag(index + 2) == "NN")


def _is_contradicted(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the antonym does not go with the words around: "closely unrelated", "not unclear", "was unpaved in 1990"."""
    antonym, around = found[index], {token.lower() for token in parse.tokens[max(index - 4, 0) : index + 5]}
    denials = WORDS["DENIAL"].intersection(map(parse.word, range(max(index - 4, 0), index)))
    if antonym in around or (denials and antonym.endswith(parse.word(index))):
        return True
    if not antonym.startswith(_NEGATIVE):
        return False
    word, before = parse.word(index), parse.word(index - 1)
    is_denied_participle = antonym == f"un{word}" and word.endswith("ed") and word not in WORDS["PLAIN_PARTICIPLES"]
    if parse.tag(index - 1) in ("RB", "RBR", "RBS") and (before.endswith("ly") or is_denied_participle):
        return before not in WORDS["OF_SENTENCE"]
    return is_denied_participle and not (parse.has_label(index, "amod") and parse.heads[index] > index)


def _is_elsewhere(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the adjective, its antonym or its quality stays: "the rich gave to the poor man", "toxic ... toxicity"."""
    word, staying = parse.word(index), {parse.word(other) for other in range(len(parse)) if other not in found}
    stem = word[: max(len(word) - 2, _SHORTEST_STEM)]
    return not staying.isdisjoint((word, found[index])) or any(other.startswith(stem) and other.endswith(_QUALITY) for other in staying)


def _is_made_up_for(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether others give the meaning back: "many were unwilling" for "few were willing", "old dogs need less than young ones"."""
    others = found.keys() - {index}
    noun = index if parse.has_label(index, "nsubj") else parse.heads[index]
    if parse.word(index) in WORDS["QUANTITY"] and parse.has_label(noun, "nsubj") and parse.heads[noun] in others:
        return True
    than = next((place for place in range(index + 1, len(parse)) if parse.word(place) == "than"), None)
    if parse.tag(index) != "JJR" or than is None:
        return False
    subject = any(parse.has_label(parse.heads[other], "nsubj") and parse.has_label(other, "amod") for other in others if other < index)
    return subject and any(other > than for other in others)


def _is_joined(parse: Parse, index: int, found: Mapping[int, str]) -> bool:
    """Tell whether the adjective is joined with one that stays, and most often agrees with it: "wet and muddy"."""
    first = parse.heads[index] if parse.deps[index] == "conj" else index
    before, after = index - 1 - parse.tag(index - 1).startswith("RB"), index + 2 + parse.tag(index + 2).startswith("RB")  # "most", "very"
    sides = ((before - 1, before), (after, index + 1))
    beside = {place for place, joint in sides if parse.tag(joint) in ("CC", ",")}
    joined = {first, *parse.children(first, "conj"), *beside}
    return any(_may_agree(parse, place) and place not in found for place in joined)


def _may_agree(parse: Parse, index: int) -> bool:
    """Tell whether a word is an adjective, whatever its tag, or a participle that stands for one: "weak and exhausted"."""
    tag = parse.tag(index)
    if tag in ("NN", "NNP") and parse.tokens[index].islower() and not parse.children(index, *_OF_NOUN):
        return bool(bundled_lexicon().synsets(parse.word(index), "a"))
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
    Refusal("made up for by others", "Few houses were old and wooden.", _is_made_up_for),
    Refusal("joined with what stays", "The path was wet and muddy.", _is_joined),
)

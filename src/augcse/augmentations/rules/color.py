"""Colour words replaced by other colours of the W3C's list."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.article import indefinite_article
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits, match_case

_DATA = Path(__file__).parent.parent / "data"
_MAX_TOKENS = 4

# Hardly ever anything but a colour when adjectives; the other names of the list count only next to one of these.
_PLAIN = frozenset(
    """azure beige black blue brown crimson cyan gray green grey indigo magenta maroon orange pink purple red turquoise violet
    white yellow""".split()
)
# Next to a colour, these make one colour of the two: "jet black", "brown pink".
_COMPOSED_WITH = _PLAIN | {"jet", "pitch", "snow", "blood", "coal", "vermilion"}
_SHADES = frozenset("bright brilliant dark darker deep deeper dull faint light lighter neon pale paler rich soft vivid".split())
_SHADED = frozenset(("dark", "deep", "dim", "light", "medium", "pale"))
# Before a colour that is a noun: "painted in red", "shades of green".
_BEFORE_NOUN = frozenset(
    """and colored coloured in into of or painted shade shades to turn turned turning turns wear wearing wears with wore
    dyed""".split()
)
_RACES = frozenset(("black", "white", "brown"))
_ABOUT_RACE = frozenset(
    """african africans american americans apartheid hispanic latino men people race races racial racism racist segregation slave
    slavery slaves whites blacks women""".split()
)
_PERSONS = frozenset("he she they i we you who".split())


@lru_cache(maxsize=1)
def colors() -> dict[str, str]:
    """Return the value of every colour, by its name as it stands in a sentence, in lower case."""
    return {words.lower(): value for _, value, words in _rows("colors.tsv")}


def _rows(name: str) -> list[list[str]]:
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, set[str]]:
    """Return the nouns that no colour stands before, by the colour word; "any" holds those for people."""
    nouns: dict[str, set[str]] = defaultdict(set)
    for color, noun in _rows("color_phrases.tsv"):
        nouns[color].add(noun)
    nouns["grey"] = nouns["gray"]
    return nouns


@lru_cache(maxsize=2)
def _targets(shaded: bool) -> tuple[str, ...]:
    """Return the names that are put in: one per value, "gray" for both spellings; unshaded ones are of one word."""
    names: dict[str, str] = {}
    for keyword, value, words in _rows("colors.tsv"):
        if "grey" not in keyword and keyword not in ("aqua", "fuchsia"):
            names[value] = words
    return tuple(words for words in names.values() if not shaded or (" " not in words and "-" not in words))


@lru_cache(maxsize=1)
def _first_words() -> dict[str, int]:
    """Return the first words of colours, with the number of words of the longest that begins so."""
    longest: dict[str, int] = defaultdict(int)
    for words in colors():
        first = words.split()[0]
        longest[first] = max(longest[first], len(words.split()))
    return dict(longest)


@augmentation(
    "ColorTransformation",
    family="lexical",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter color_transformation; W3C CSS Color Module Level 3",
    example=Example("He has a red car and a white boat.", "He has a mint cream car and a lavender blush boat.", seed=1),
    needs=("parse",),
)
def color_transformation(parse: Parse, rng: Random) -> str | None:
    """Replace every colour of the sentence by a random other one of the 147 extended colour keywords of the W3C.

    One colour keeps one substitute throughout the sentence, two colours never get the same. "a" and "an" follow, and
    behind "dark", "bright" and the like only names of one word are put in.

    Deviations from NL-Augmenter, which replaces any word that is in the list: only adjectives, and nouns such as in
    "painted in red"; names that mean other things too (gold, lime, salmon, wheat) only next to a plain colour; no names,
    no people, no fixed expressions ("white wine", "black hole", "green energy", "black and white").
    """
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for first, last in _spans(parse):
        text = parse.text[parse.starts[first] : parse.end(last)]
        value = colors()[" ".join(text.lower().split())]
        shaded = first > 0 and parse.tokens[first - 1].lower() in _SHADES
        if value not in chosen:
            pool = [name for name in _targets(shaded) if colors()[name.lower()] != value and name not in chosen.values()]
            chosen[value] = rng.choice(pool)
        edits += _replace(parse, first, last, chosen[value])
    return apply_edits(parse.text, edits) if edits else None


def _replace(parse: Parse, first: int, last: int, name: str) -> list[Edit]:
    text = parse.text[parse.starts[first] : parse.end(last)]
    edits = [Edit(parse.starts[first], parse.end(last), match_case(text, name))]
    article = parse.tokens[first - 1] if first else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(name)) != article.lower():
        edits.append(Edit(parse.starts[first - 1], parse.end(first - 1), match_case(article, fitting)))
    return edits


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the first and last tokens of the colours that are replaced."""
    found = []
    index = 0
    while index < len(parse):
        last = _longest(parse, index) if parse.tokens[index].lower() in _first_words() else None
        if last is not None:
            found.append((index, last))
        index = index + 1 if last is None else last + 1
    plain = {index for first, last in found for index in (first, last) if parse.tokens[last].lower() in _PLAIN}
    return [(first, last) for first, last in found if _is_color(parse, first, last, plain)]


def _longest(parse: Parse, first: int) -> int | None:
    longest = _first_words()[parse.tokens[first].lower()]
    for last in range(min(first + longest, len(parse)) - 1, first - 1, -1):
        if " ".join(parse.tokens[first : last + 1]).lower() in colors():
            return last
    return None


def _is_color(parse: Parse, first: int, last: int, plain: set[int]) -> bool:
    word = parse.tokens[last].lower()
    if parse.tokens[first] != parse.tokens[first].lower() and not _opens_sentence(parse, first, last):
        return False
    if word not in _PLAIN and not _is_near(parse, first, last, plain):
        return False
    if _is_glued(parse, first, last) or _is_black_and_white(parse, first, last):
        return False
    if word in _RACES and any(token.lower() in _ABOUT_RACE for token in parse.tokens):
        return False
    return _is_adjective(parse, first, last) or _is_noun(parse, first, last)


def _opens_sentence(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the capital is the sentence's: "White flowers", not "Brown said"."""
    opens = first == 0 and parse.tokens[0].istitle() and last + 1 < len(parse) and parse.tokens[last + 1].islower()
    return opens and parse.has_label(last, "amod") and parse.heads[last] > last and parse.tags[last] == "JJ"


def _is_near(parse: Parse, first: int, last: int, plain: set[int]) -> bool:
    """Tell whether a plain colour stands next to it, at most "and", "or" or a comma between: "blue and gold"."""
    for step, near in ((-1, first - 1), (1, last + 1)):
        if 0 <= near < len(parse) and parse.tokens[near].lower() in ("and", "or", ",", "/", "with"):
            near += step
        if near in plain:
            return True
    return False


def _is_glued(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the word is part of a longer one: "red-haired", "blue-green", "white's"."""
    before = parse.text[parse.starts[first] - 1 : parse.starts[first]]
    after = parse.text[parse.end(last) : parse.end(last) + 2]
    if {*parse.tokens[max(0, first - 1) : first], *parse.tokens[last + 1 : last + 2]} & _COMPOSED_WITH:
        return True
    joined = after[:1] in tuple("-/–'’\"”") or (after[:1] == "." and after[1:2].isalnum())
    return joined or before in tuple("-/–'’\"“„#@.")


def _is_black_and_white(parse: Parse, first: int, last: int) -> bool:
    window = " ".join(parse.tokens[max(0, first - 2) : last + 3]).lower()
    return "black and white" in window or "black or white" in window or "black & white" in window


def _is_adjective(parse: Parse, first: int, last: int) -> bool:
    if parse.tags[last] != "JJ" and not (parse.upos[last] == "ADJ" or parse.has_label(last, "amod")):
        return False
    head = parse.heads[last]
    # "The blue is", "in the red", "the whites".
    before, after = parse.tokens[first - 1].lower() if first else "", parse.upos[last + 1] if last + 1 < len(parse) else ""
    if before in ("the", "his", "her", "their", "our", "my") and after not in ("NOUN", "ADJ", "CCONJ", "PUNCT", "NUM", "ADV", "VERB"):
        return False
    if parse.lemmas[head].lower() in ("feel", "feeling", "go", "run") or (head == last and before in ("felt", "feel", "feels")):
        return False
    # "the cabbage white butterfly": part of the noun.
    compounded = first > 0 and parse.has_label(first - 1, "compound") and parse.upos[first - 1] in ("NOUN", "PROPN")
    return not compounded and not _is_kind(parse, last)


def _is_kind(parse: Parse, last: int) -> bool:
    """Tell whether a word near it makes a name, an idiom or a word for people of the colour."""
    nouns = {parse.heads[last]} - {last}
    if last + 1 < len(parse) and parse.upos[last + 1] in ("NOUN", "ADJ", "PROPN", "VERB"):
        nouns |= {index for index in (last + 1, last + 2) if index < len(parse)}
    if any(parse.upos[index] == "PROPN" and index > last for index in nouns):
        return True
    fixed = _phrases()[parse.tokens[last].lower()] | _phrases()["any"]
    if any(_is_one_of(parse, index, fixed) for index in nouns):
        return True
    subjects = parse.children(last, "nsubj") + parse.children(parse.heads[last], "nsubj")
    return any(_is_one_of(parse, index, _phrases()["any"] | _PERSONS) for index in subjects)


def _is_one_of(parse: Parse, index: int, nouns: set[str]) -> bool:
    word, lemma = parse.tokens[index].lower(), parse.lemmas[index].lower()
    return not nouns.isdisjoint((word, lemma, word.removesuffix("s"))) or lemma.endswith(("man", "men", "woman"))


def _is_noun(parse: Parse, first: int, last: int) -> bool:
    if parse.tags[last] != "NN" or parse.has_label(last, "compound", "nsubj") or not first:
        return False
    following = parse.upos[last + 1] if last + 1 < len(parse) else "PUNCT"
    before = parse.tokens[first - 1].lower()
    return (before in _BEFORE_NOUN or before in _SHADES) and following not in ("NOUN", "PROPN", "ADJ", "NUM")

"""Colour words replaced by other colours of the W3C's list."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.rules.lexical.color_transformation.nouns import BODY_PART, is_creature, is_expression, is_surface, may_be_person
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.augmentations.text.tables import data_rows

_MAX_TOKENS = 4
Span = tuple[int, int]

# Hardly ever anything but a colour when adjectives; the other names of the list count only next to one of these.
_DATA = Path(__file__).parent
_PLAIN = frozenset(
    """azure beige black blue brown crimson cyan gray green grey indigo magenta maroon orange pink purple red turquoise violet
    white yellow""".split()
)
# Next to a colour, these make one colour of the two: "jet black", "brown pink", "cobalt blue".
_COMPOSED_WITH = _PLAIN | frozenset(
    """amber ash baby blood bottle brick bronze cherry chestnut coal cobalt copper cream creamy electric emerald forest
    hunter ink ivory jade jet kelly lemon milk milky mustard olive pea pearly pitch rose ruby rust sapphire scarlet silver
    silvery smoky snow straw sulfur ultramarine vermilion wine""".split()
)
_SHADES = frozenset("bright brilliant dark darker deep deeper dull faint cool light lighter neon pale paler rich soft vivid warm".split())
# After a shade, only colours that are at home there: hardly a "pale black".
_SHADED_TARGETS = frozenset("blue brown green orange pink purple red turquoise violet yellow".split())
# Put in are the names that end in one of these; all others are things as well (linen, orchid, snow, wheat).
_READ_AS_COLORS = _PLAIN | {"aquamarine", "khaki", "tan", "teal"}
_READ_AS_OTHERS = frozenset(("antique white", "Dodger blue", "floral white", "ghost white", "Indian red", "Navajo white", "misty rose"))
# Before a colour that is a noun or a complement: "painted in red", "dyed blue".
_BEFORE_COLOR = frozenset(
    """colored coloured dyed in into painted repainted shade stained tinted turn turned turning turns wear wearing wears with
    wore""".split()
)
_PAINT = frozenset("color colour dye paint repaint stain tint".split())
_BETWEEN = frozenset((",", "and", "or", "nor", "&", "/"))
_MODALS = frozenset("can could may might must shall should to will would".split())
_RACES = frozenset(("black", "white", "brown"))
_ABOUT_RACE = frozenset(
    """african africans american americans apartheid hispanic latino men people race races racial racism racist segregation slave
    slavery slaves whites blacks women""".split()
)
# Where colours are sides, pieces or charges, not how something looks.
_OTHER_SENSES = frozenset(
    """candidate candidates checkmate chess gluon gluons pawn quark quarks roulette snooker wavelength wavelengths""".split()
)
_ECOLOGY = re.compile(r"\b(?:bio-?degrad|climat|ecolog|emission|environment|renewab|sustainab)", re.IGNORECASE)
_SHORT_QUOTE = re.compile(r"[\"“][^\"“”]{1,40}[\"”]")
_PERSONS = frozenset("he she they i we you who".split())
_WITHOUT_NOUN = 3


class _Use(Enum):
    """What a colour word does in its sentence."""

    COLOR = "how something looks: replaced"
    NAME = "part of a name: no colour"
    KIND = "part of an expression or of the name of a kind: the sentence stays"
    UNSURE = "cannot be told: the sentence stays"


@lru_cache(maxsize=1)
def colors() -> dict[str, str]:
    """Return the value of every colour, by its name as it stands in a sentence, in lower case."""
    return {words.lower(): value for _, value, words in data_rows(_DATA / "colors.tsv")}


@lru_cache(maxsize=1)
def _phrases() -> dict[str, set[str]]:
    """Return the nouns that no colour stands before, by the colour word; "any" holds those of all colours."""
    nouns: dict[str, set[str]] = defaultdict(set)
    for color, noun in data_rows(_DATA / "color_phrases.tsv"):
        nouns[color].add(noun)
    nouns["grey"] = nouns["gray"]
    return nouns


@lru_cache(maxsize=2)
def _targets(shaded: bool) -> tuple[str, ...]:
    """Return the names that are put in: one per value, "gray" for both spellings; after a shade only plain ones."""
    names: dict[str, str] = {}
    for keyword, value, words in data_rows(_DATA / "colors.tsv"):
        last = re.split("[ -]", words)[-1]
        if "grey" not in keyword and last in _READ_AS_COLORS and words not in _READ_AS_OTHERS:
            names[value] = words
    return tuple(words for words in names.values() if not shaded or words in _SHADED_TARGETS)


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
    condition="a colour",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter color_transformation; W3C CSS Color Module Level 3",
    example=Example("He has a red car and a white boat.", "He has a light sky blue car and a forest green boat.", seed=1),
    needs=("parse",),
)
def color_transformation(parse: Parse, rng: Random) -> str | None:
    """Replace every colour of the sentence by a random other one of the extended colour keywords of the W3C.

    One colour keeps one substitute throughout the sentence, two colours never get the same. "a" and "an" follow, and
    after "dark", "bright" and the like only plain colours are put in.

    Deviations from NL-Augmenter, which replaces any word that is in the list: only adjectives of things with a surface
    (told by the lexicon), and nouns such as in "painted in red"; names that mean other things too (gold, lime, salmon,
    wheat) only next to a plain colour, and never put in; no names, no people, no animals and plants, no expressions
    ("white wine", "black hole", "black and white"). Where one colour of the sentence would stay, as part of an expression
    or because its sense cannot be told ("greenish yellow"), all stay, since colours are told in contrast.
    """
    spans = _spans(parse)
    runs = _runs(parse, spans)
    if not spans or any(token.lower() in _OTHER_SENSES for token in parse.tokens):
        return None
    uses = {span: _use(parse, span, run) for run in runs for span in run}
    torn = any(len({uses[span] for span in run}) > 1 for run in runs)
    if torn or _has_joined(parse, uses) or any(_stays(span, use) for span, use in uses.items()):
        return None
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for (first, last), use in uses.items():
        value = _value(parse, (first, last))
        if use is not _Use.COLOR:
            continue
        shaded = first > 0 and parse.tokens[first - 1].lower() in _SHADES
        if value not in chosen:
            pool = [name for name in _targets(shaded) if colors()[name.lower()] != value and name not in chosen.values()]
            if not pool:
                return None
            chosen[value] = rng.choice(pool)
        edits += _replace(parse, first, last, chosen[value])
    return apply_edits(parse.text, edits) if edits else None


def _value(parse: Parse, span: Span) -> str:
    return colors()[" ".join(parse.text[parse.starts[span[0]] : parse.end(span[1])].lower().split())]


def _replace(parse: Parse, first: int, last: int, name: str) -> list[Edit]:
    text = parse.text[parse.starts[first] : parse.end(last)]
    edits = [Edit(parse.starts[first], parse.end(last), match_case(text, name))]
    article = parse.tokens[first - 1] if first else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(name)) != article.lower():
        edits.append(Edit(parse.starts[first - 1], parse.end(first - 1), match_case(article, fitting)))
    return edits


def _spans(parse: Parse) -> list[Span]:
    """Return the first and last tokens of the plain colours, and of the others next to them."""
    found: list[Span] = []
    index = 0
    while index < len(parse):
        last = _longest(parse, index) if parse.tokens[index].lower() in _first_words() else None
        if last is not None:
            found.append((index, last))
        index = index + 1 if last is None else last + 1
    plain = {index for first, last in found for index in (first, last) if parse.tokens[last].lower() in _PLAIN}
    return [(first, last) for first, last in found if parse.tokens[last].lower() in _PLAIN or _is_near(parse, first, last, plain)]


def _runs(parse: Parse, spans: list[Span]) -> list[list[Span]]:
    """Return the colours that are listed together: "red, dark green and white"."""
    runs: list[list[Span]] = []
    for span in spans:
        between = parse.tokens[runs[-1][-1][1] + 1 : span[0]] if runs else ()
        if between and all(token.lower() in _BETWEEN | _SHADES for token in between):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs


def _longest(parse: Parse, first: int) -> int | None:
    longest = _first_words()[parse.tokens[first].lower()]
    for last in range(min(first + longest, len(parse)) - 1, first - 1, -1):
        if " ".join(parse.tokens[first : last + 1]).lower() in colors():
            return last
    return None


def _has_joined(parse: Parse, spans: Iterable[Span]) -> bool:
    """Tell whether a colour is part of a hyphenated word next to those that are changed: "yellowish-green", "all-red"."""
    inside = {index for first, last in spans for index in range(first, last + 1)}
    for index, token in enumerate(parse.tokens):
        if index not in inside and "-" in token and not _PLAIN.isdisjoint(re.split("[-–]", token)):
            return True
    return False


def _stays(span: Span, use: _Use) -> bool:
    """Tell whether a colour would stay beside those that change; a name does only where its capital may be the sentence's."""
    return use in (_Use.KIND, _Use.UNSURE) or (use is _Use.NAME and span[0] == 0)


def _use(parse: Parse, span: Span, run: list[Span]) -> _Use:
    first, last = span
    word = parse.tokens[last].lower()
    if parse.tokens[first] != parse.tokens[first].lower() and (first or not _opens_sentence(parse, span, run)):
        return _Use.UNSURE if first == 0 and parse.upos[first] != "PROPN" else _Use.NAME
    if _is_black_and_white(parse, first, last) or (word in _RACES and any(token.lower() in _ABOUT_RACE for token in parse.tokens)):
        return _Use.KIND
    if _is_glued(parse, first, last) or _is_composed(parse, first, last) or not _may_be_color(parse, first, last):
        return _Use.UNSURE
    if _is_said_of_other(parse, first, word):
        return _Use.UNSURE
    if _names_kind(parse, last):
        return _Use.KIND
    if len({_value(parse, member) for member in run}) >= _WITHOUT_NOUN or _follows_painting(parse, run):
        return _Use.COLOR
    noun = _noun(parse, run[-1][1])
    return _Use.COLOR if noun is not None and _has_surface(parse, noun) else _Use.UNSURE


def _opens_sentence(parse: Parse, span: Span, run: list[Span]) -> bool:
    """Tell whether the capital is the sentence's: "White flowers", "Red, green and blue", not "Brown said"."""
    last = span[1]
    if not parse.tokens[0].istitle() or last + 1 >= len(parse):
        return False
    if len(run) > 1:
        return all(parse.tokens[other].islower() for other, _ in run[1:])
    noun = parse.heads[last]
    lower = all(token.islower() or not token.isalpha() for token in parse.tokens[last + 1 : noun + 1])
    return noun > last and lower and parse.upos[noun] == "NOUN" and parse.has_label(last, "amod", "compound", "nmod")


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
    joined = after[:1] in tuple("-/–'’\"”") or (after[:1] == "." and after[1:2].isalnum())
    return joined or before in tuple("-/–'’\"“„#@.")


def _is_composed(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the neighbour makes another colour of it: "cobalt blue", "greenish yellow", "blue black"."""
    before = parse.tokens[first - 1].lower() if first else ""
    after = parse.tokens[last + 1].lower() if last + 1 < len(parse) else ""
    # "golden (yellow)" tells one colour by another.
    if before == "(" and after == ")":
        return True
    return before in _COMPOSED_WITH or after in _PLAIN or before.endswith("ish") or after.endswith("ish")


def _is_said_of_other(parse: Parse, first: int, word: str) -> bool:
    """Tell whether it is an ecologist's green, a player's side, or part of a term in quotation marks."""
    if word == "green" and _ECOLOGY.search(parse.text):
        return True
    if word in ("black", "white") and not {"Black", "White"}.isdisjoint(parse.tokens[1:]):
        return True
    start = parse.starts[first]
    return any(quote.start() < start < quote.end() for quote in _SHORT_QUOTE.finditer(parse.text))


def _is_black_and_white(parse: Parse, first: int, last: int) -> bool:
    window = " ".join(parse.tokens[max(0, first - 2) : last + 3]).lower()
    return "black and white" in window or "black or white" in window or "black & white" in window


def _may_be_color(parse: Parse, first: int, last: int) -> bool:
    """Tell whether it is an adjective or a noun that stands free: not "would yellow", "the blue", "cabbage white"."""
    if parse.upos[last] not in ("ADJ", "NOUN", "PROPN") or parse.tags[last] not in ("JJ", "NN", "NNP"):
        return False
    before, after = parse.tokens[first - 1].lower() if first else "", parse.upos[last + 1] if last + 1 < len(parse) else ""
    if before in _MODALS or before in ("felt", "feel", "feels"):
        return False
    if before in ("the", "his", "her", "their", "our", "my") and after not in ("NOUN", "ADJ", "CCONJ", "PUNCT", "NUM", "ADV", "VERB"):
        return False
    compounded = first > 0 and parse.has_label(first - 1, "compound") and parse.upos[first - 1] in ("NOUN", "PROPN")
    return not compounded or before in _SHADES


def _names_kind(parse: Parse, last: int) -> bool:
    """Tell whether it makes an expression, a name, a kind of animal or plant, or a word for people of what follows."""
    nouns = {parse.heads[last]} - {last}
    behind = range(last + 1, min(last + 3, len(parse)))
    if last + 1 < len(parse) and parse.upos[last + 1] in ("NOUN", "ADJ", "PROPN", "VERB"):
        nouns |= set(behind)
    if any(parse.upos[index] == "PROPN" and index > last for index in nouns):
        return True
    fixed = _phrases()[parse.tokens[last].lower()] | _phrases()["any"]
    if any(_is_one_of(parse, index, fixed) or BODY_PART.fullmatch(parse.tokens[index].lower()) for index in nouns):
        return True
    color = parse.tokens[last].lower()
    if color in _RACES and any(may_be_person(parse.lemmas[index].lower()) for index in nouns if index > last):
        return True
    if any(is_expression((color, *_words(parse, last + 1, end), parse.lemmas[end].lower())) for end in behind):
        return True
    return any(index > last and is_creature(parse.lemmas[index].lower()) for index in nouns)


def _words(parse: Parse, first: int, end: int) -> tuple[str, ...]:
    return tuple(token.lower() for token in parse.tokens[first:end])


def _is_one_of(parse: Parse, index: int, nouns: set[str]) -> bool:
    word, lemma = parse.tokens[index].lower(), parse.lemmas[index].lower()
    return not nouns.isdisjoint((word, lemma, word.removesuffix("s"))) or lemma.endswith(("man", "men", "woman"))


def _has_surface(parse: Parse, noun: int) -> bool:
    return parse.upos[noun] == "NOUN" and is_surface(parse.lemmas[noun].lower())


def _follows_painting(parse: Parse, run: list[Span]) -> bool:
    """Tell whether the colours follow "painted in", "wearing", "a shade of", and no noun follows them."""
    first, last = run[0][0], run[-1][1]
    while first > 0 and parse.tokens[first - 1].lower() in _SHADES:
        first -= 1
    following = parse.upos[last + 1] if last + 1 < len(parse) else "PUNCT"
    before = parse.tokens[first - 1].lower() if first else ""
    shade = before == "of" and first > 1 and parse.tokens[first - 2].lower() in ("color", "colour", "shade", "tint")
    painted = parse.lemmas[parse.heads[last]].lower() in _PAINT and parse.heads[last] < last
    return (shade or painted or before in _BEFORE_COLOR) and following not in ("NOUN", "PROPN", "ADJ", "NUM", "VERB")


def _noun(parse: Parse, last: int) -> int | None:
    """Return the noun that the colours describe: the one they stand before, or the subject of "is red"."""
    index = last
    for _ in range(_MAX_TOKENS):
        if parse.upos[index] == "NOUN" and index != last and index > last and parse.tokens[index].lower() not in _PLAIN:
            return index
        subjects = parse.children(index, "nsubj")
        if subjects and subjects[0] < last:
            return None if parse.tokens[subjects[0]].lower() in _PERSONS else subjects[0]
        if parse.heads[index] == index or not parse.has_label(index, "amod", "conj", "compound", "nmod", "acomp", "appos"):
            return None
        index = parse.heads[index]
    return None

"""Gendered words in senses that have no counterpart: "church fathers", "witch trial", "mankind's man", "man-made"."""

from __future__ import annotations

import re

from augcse.augmentations.rules.lexical.gender_swap.her import next_word, previous_word

# What only one of the sexes has, does or is: the other reads as nonsense, or leaves half of a pair behind.
_NO_COUNTERPART = (
    "abortion", "afterbirth", "bearded", "birth to", "breast cancer", "breast-fe", "breastfe", "castrat", "childbirth", "circumcis",
    "ejaculat", "eunuch", "gave birth", "give birth", "gives birth", "giving birth", "hysterectom", "impregnat", "lactat",
    "mastectom", "menstrua", "midwi", "miscarr", "moustache", "mustache", "nursing mother", "ovarian", "ovary", "placenta", "testis",
    "maternal death", "maternal health", "maternal mortality", "racemare", "broodmare", "filly", "fillies", "ovaries", "penis",
    "pregnan", "prostate", "sperm", "surrogate", "testes", "testicl", "uterine", "uterus", "vagina", "womb", "lesbian", "transgender",
    "trans man", "trans men", "trans wom", "maiden name", "man and wife", "best man", "best men", "ladies' man", "leading lad",
    "beauty queen", "queen mother", "queen dowager", "prince consort", "prince regent", "black widow", "suckl", "weaned", "weaning",
    "prince-bishop", "prince bishop", "prince-elector", "prince elector", "virgin mother", "in-waiting", "brothers in arms",
    "comfort wom", "maiden aunt", "sired", "birth sex", "feminine hygiene", "fetal", "fetus", "foetal", "foetus", "gestat",
)  # fmt: skip
# By the first letters of each one's longest word, so that few are looked for.
_BY_BEGINNING: dict[str, list[str]] = {}
for _stem in _NO_COUNTERPART:
    _BY_BEGINNING.setdefault(max(re.findall(r"[a-z]+", _stem), key=len)[:4], []).append(_stem)
# They bear given names.
_STORMS = frozenset("cyclone cyclones hurricane hurricanes storm storms typhoon typhoons".split())
_EGGS = re.compile(r"\beggs?\b.*\b(?:fe)?males?\b|\b(?:fe)?males?\b.*\beggs?\b")
_HEROES = re.compile(r"\b(?:Super|Bat|Cat|Aqua|Ice)(?:man|woman|girl|boy)\b|\b(?:[A-Z][a-z]+-|Wonder |Invisible )(?:Man|Woman|Girl|Boy)\b")

_HEROIC = frozenset(
    "aquaman batgirl batman batwoman boy catgirl catwoman girl iceman man superboy supergirl superman superwoman woman".split()
)
# Terms by the word after the noun.
_TERMS_BEFORE = {
    "sister": "channel chromatid chromatids cities city clade clades club companies company group groups label network newspaper paper"
    " project publication school series ship ships show site song species station stations taxa taxon team town towns",
    "daughter": "atom atoms card cell cells chromatid chromatids chromosome chromosomes church churches colonies colony companies company"
    " element elements isotope isotopes language languages lineage lineages nuclei nucleus nuclide nuclides particle particles product"
    " products species strand strands",
    "mother": "cell cells church churches colony company country earth goose house language liquor lode nature plant plants ship superior"
    " tongue tongues",
    "father": "christmas",
    "king": "clam cobra crab penguin post prawn salmon size vulture",
    "queen": "bee bees",
    "emperor": "butterfly gum moth penguin penguins tamarin",
    "monk": "fruit parakeet parakeets seal seals",
    "witch": "craft cult doctor doctors hazel hunt hunter hunters hunting hunts trial trials",
    "bride": "price prices wealth",
    "widow": "spider spiders",
    "hero": "shooter worship",
    "god": "forbid game games mode",
    "priest": "hole holes",
    "lady": "beetle beetles luck",
    "son": "et",
    "cowboy": "boot boots film films hat hats movie movies",
}
# Terms by the word before the noun.
_TERMS_AFTER = {
    "father": "founding heavenly holy pilgrim",
    "fathers": "apostolic church city desert early founder founding greek holy latin pilgrim",
    "actor": "nonstate non-state rational state threat",
    "actors": "armed civil corporate economic external global institutional international key legal local non-state nonstate political"
    " private public rational regional social societal society state strategic threat",
    "man": "con early fellow gag hey hit mortal point prehistoric primitive setup straight tank",
    "men": "con fellow hit point setup",
    "widow": "grass",
    "widows": "grass",
    "god": "a's my oh",
    "lady": "bag first our",
    "boys": "beach beastie",
}
_BEFORE, _AFTER = ({noun: frozenset(words.split()) for noun, words in terms.items()} for terms in (_TERMS_BEFORE, _TERMS_AFTER))
# After these, a bare "man" is mankind.
_BEFORE_MANKIND = frozenset(
    """about against and as before beneath between beyond but by for from gives in is makes nor of on or than that though to toward towards
    unto upon which with within""".split()
)
_COMPOUND_BARS = frozenset("au care handled in-the-moon iron king-making lion lord made making middle of port spider the to war".split())


def has_no_counterpart(sentence: str, words: list[str]) -> bool:
    """Tell whether the sentence, of these lower-case words, speaks of what only one sex has or is: no part of it can be swapped."""
    stems = [stem for word in words if word[:4] in _BY_BEGINNING for stem in _BY_BEGINNING[word[:4]]]
    if stems and any(stem in sentence.lower() for stem in stems):
        return True
    if not _STORMS.isdisjoint(words) and not {"named", "categories", "category", "cyclone", "landfall", "tropical"}.isdisjoint(words):
        return True
    if ("egg" in words or "eggs" in words) and _EGGS.search(sentence.lower()):
        return True
    return not _HEROIC.isdisjoint(words) and _HEROES.search(sentence) is not None


def is_fixed_term(word: re.Match[str]) -> bool:
    """Tell whether the neighbours give a gendered noun another sense: "church fathers", "sister ship", "the rights of man"."""
    lowered, after = word[0].lower(), next_word(word)[0].lower()
    if after in _BEFORE.get(lowered, ()):
        return True
    if lowered not in _AFTER:
        return False
    before = previous_word(word).lower()
    if before in _AFTER[lowered]:
        return True
    return lowered == "man" and before in _BEFORE_MANKIND


def bars_compound(parts: list[str]) -> bool:
    """Tell whether a hyphenated word with a gendered part is no such person: "man-made", "mother-of-pearl"."""
    return parts[0] == "man" or not _COMPOUND_BARS.isdisjoint(parts)

"""The augmentation sets of AugCSE, by name: "4-aug" to "16-aug", their variants without language models, and the rules alone.

AugCSE (Tang et al. 2022), Table 3. The marks of the table are partly lost in the texts that we have:

* 4-Aug is marked by asterisks, and 12-Aug is the list in the authors' training script: both are certain.
* 8-Aug is the first eight of that list: it has all of 4-Aug and exactly the two language-model augmentations that section 5.7 counts
  in it, and the list descends in the score of Figure 6 from the fourth member on.
* 16-Aug is 12-Aug and four more, of which section 5.7 says only that no language model is among them. Ours are a GUESS: the
  next rule-based ones by their score on STS-B in Figure 6: ColorTransformation, RandomCrop, RandomWordAugmentation and
  GeoNamesTransformation.

"-2" stands for the ablation of section 5.7 and Table 9 ("8-2-Aug"): the set without the two augmentations that run a language model,
DiverseParaphrase and Casual2Formal; "8-aug-2" has six members. 4-Aug has only the first of the two, so that "4-aug-2", which the paper
does not report, has three. "rule-based" is 12-Aug without them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from augcse.augmentations.composition import read_call
from augcse.errors import UserError
from augcse.files import reported_read

LANGUAGE_MODELS = ("DiverseParaphrase", "Casual2Formal")
# All that run on a checkpoint which has to be downloaded. Their cards say so too (`needs`), but to read those, every rule is imported.
PUBLISHED_CHECKPOINTS = (*LANGUAGE_MODELS, "Formal2Casual", "PegasusParaphrase", "BackTranslation", "MultilingualBackTranslation")

_FOUR = ("ContractionExpansions", "DiverseParaphrase", "TenseTransformation", "RandomSwap")
_EIGHT = (
    "ContractionExpansions",
    "DiverseParaphrase",
    "Casual2Formal",
    "SentenceAuxiliaryNegationRemoval",
    "TenseTransformation",
    "DiscourseMarkerSubstitution",
    "SentenceSubjectObjectSwitch",
    "RandomSwap",
)
_TWELVE = (*_EIGHT, "CityNamesTransformation", "SentenceAdjectivesAntonymsSwitch", "YodaPerturbation", "SentenceReordering")
_SIXTEEN = (*_TWELVE, "ColorTransformation", "RandomCrop", "RandomWordAugmentation", "GeoNamesTransformation")
_FULL = {"4-aug": _FOUR, "8-aug": _EIGHT, "12-aug": _TWELVE, "16-aug": _SIXTEEN}


def _without_language_models(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in LANGUAGE_MODELS)


SETS: dict[str, tuple[str, ...]] = {
    **_FULL,
    **{f"{name}-2": _without_language_models(members) for name, members in _FULL.items()},
    "rule-based": _without_language_models(_TWELVE),
}


def set_card(name: str) -> dict[str, Any]:
    """Return what `augcse list sets --json` prints for a set."""
    members = SETS[name]
    return {"name": name, "members": list(members), "downloads": [member for member in members if member in PUBLISHED_CHECKPOINTS]}


def expand(names: Iterable[str]) -> list[str]:
    """Replace the name of a set by the names of its members; other names stay, and duplicates are dropped.

    Set names are read in any case; a name that ends in .toml is a file with a list of `names`, as `augcse select` writes one. A member
    with options and the same member without are two: both stay. A set inside a composition is replaced too. Raises `UserError` for a file
    without such a list, and as `read_call` does.

    >>> expand(["4-aug-2", "RandomSwap", "RandomCrop"])
    ['ContractionExpansions', 'TenseTransformation', 'RandomSwap', 'RandomCrop']
    >>> expand(["one_of(4-aug-2,maybe(0.5,RandomCrop))"])
    ['one_of(ContractionExpansions, TenseTransformation, RandomSwap, maybe(0.5, RandomCrop))']
    """
    return list(dict.fromkeys(member for name in names for member in _members(name.strip())))


def _members(name: str, in_file: bool = False) -> tuple[str, ...]:
    """Return the names that one name expands to; `in_file`: whether a set's file names it, which may not name another file."""
    call = read_call(name)
    if call is not None:
        return (call.text([member for argument in call.members for member in _members(argument, in_file)]),)
    if name.endswith(".toml"):
        if in_file:
            raise UserError(f"{name} is named in another set's file; put its names there, or give both files side by side")
        return _members_of_file(Path(name))
    return SETS.get(name.lower(), (name,))


def _members_of_file(path: Path) -> tuple[str, ...]:
    """Return the names that a file lists: augmentations, compositions, or bundled sets."""
    try:
        with reported_read():
            names = tomllib.loads(path.expanduser().read_text("utf-8-sig")).get("names")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f'{path}: {error}; a set is a TOML file with a line like names = ["RandomSwap"]') from error
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise UserError(f'{path}: no list of names in it; give a line like names = ["RandomSwap", "RandomCrop:rate=0.1"]')
    return tuple(member for name in names for member in _members(name.strip(), in_file=True))

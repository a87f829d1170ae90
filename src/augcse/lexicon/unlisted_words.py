"""Forms and lemmas of words that no table lists: two small networks choose an inflection rule by a word's last eight letters.

The rules are those of the SPECIALIST Lexicon (its manual says where each applies), the networks those of LemmInflect.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

INFLECTION, LEMMA = "inflection", "lemma"
_REGULAR = "reg"
_CATEGORY = {"NOUN": 0, "PROPN": 0, "VERB": 1, "ADJ": 2, "ADV": 3}
# One row of the first layer's weights per position (the category, then the letters from the last) and letter.
_LETTERS = 28
_POSITIONS = 9
# (pattern of an ending, (letters to remove, letters to add) for each form).
_Rule = tuple[str, tuple[tuple[int, str], ...]]
_VERB: tuple[_Rule, ...] = (  # third person, past, gerund
    (r"(?:[szx]|ch|sh)$", ((0, "es"), (0, "ed"), (0, "ing"))),
    (r"ie$", ((0, "s"), (0, "d"), (2, "ying"))),
    (r"[eoy]e$", ((0, "s"), (0, "d"), (0, "ing"))),
    (r"[^aeiou]y$", ((1, "ies"), (1, "ied"), (1, "ying"))),
    (r"[^iyeo]e$", ((1, "es"), (1, "ed"), (1, "ing"))),
    (r"", ((0, "s"), (0, "ed"), (0, "ing"))),
)
_DEGREE: tuple[_Rule, ...] = (  # comparative, superlative
    (r"[^aeiou]y$", ((1, "ier"), (1, "iest"))),
    (r"[^aeiou]e$", ((0, "r"), (0, "st"))),
    (r"", ((0, "er"), (0, "est"))),
)
_PLURAL: tuple[_Rule, ...] = (
    (r"[^aeiou]y$", ((1, "ies"),)),
    (r"(?:[szx]|ch|sh)$", ((0, "es"),)),
    (r"", ((0, "s"),)),
)
_GREEK_OR_LATIN_PLURAL: tuple[_Rule, ...] = (
    (r"us$", ((2, "i"),)),
    (r"ma$", ((2, "mata"),)),
    (r"a$", ((1, "ae"),)),
    (r"(?:um|on)$", ((2, "a"),)),
    (r"sis$", ((3, "ses"),)),
    (r"is$", ((2, "ides"),)),
    (r"men$", ((3, "mina"),)),
    (r"ex$", ((2, "ices"),)),
    (r"x$", ((1, "ces"),)),
    *_PLURAL,
)


class UnlistedWords:
    """Inflects and lemmatises words by rule.

    Args:
        path: the networks, read on first use; per network `hidden.weight`, `hidden.bias`, `output.weight`, `output.bias`, and
            its classes, one per line, in the metadata.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def inflections(self, lemma: str, upos: str | None) -> dict[str, tuple[str, ...]]:
        """Return the forms of a lemma by Penn tag, in lower case; none for a part of speech that does not inflect."""
        if upos not in _CATEGORY:
            return {}
        is_regular = self._predicted_class(INFLECTION, lemma, upos) == _REGULAR
        lower = lemma.lower()
        if upos == "VERB":
            third, past, gerund = _forms_by_rule(_VERB, lower)
            if not is_regular:
                past, gerund = f"{lower}{lower[-1]}ed", f"{lower}{lower[-1]}ing"
            return {"VB": (lower,), "VBZ": (third,), "VBD": (past,), "VBN": (past,), "VBG": (gerund,)}
        if upos in ("ADJ", "ADV"):
            tag = "JJ" if upos == "ADJ" else "RB"
            comparative, superlative = _forms_by_rule(_DEGREE, lower) if is_regular else (f"{lower}{lower[-1]}er", f"{lower}{lower[-1]}est")
            return {tag: (lower,), f"{tag}R": (comparative,), f"{tag}S": (superlative,)}
        return {"NN": (lower,), "NNS": _forms_by_rule(_PLURAL if is_regular else _GREEK_OR_LATIN_PLURAL, lower)}

    def lemmas(self, word: str, upos: str) -> tuple[str, ...]:
        """Return the lemma of a word as a part of speech, in any case; () for a part of speech that does not inflect."""
        if upos not in _CATEGORY:
            return ()
        cut, added, doubled = self._predicted_class(LEMMA, word, upos).split(",")
        lemma = (word[: -len(cut)] if cut else word) + added
        return (lemma[:-1] if doubled == "True" else lemma,)

    def _predicted_class(self, network: str, word: str, upos: str) -> str:
        """Return the class that a network predicts for a word."""
        weights, classes = self._networks
        rows = [_CATEGORY[upos]]
        for position, letter in enumerate(word.lower()[:-_POSITIONS:-1], start=1):
            rows.append(position * _LETTERS + (ord(letter) - ord("a") + 2 if "a" <= letter <= "z" else 1))
        hidden = weights[f"{network}.hidden.weight"][rows].sum(0) + weights[f"{network}.hidden.bias"]
        scores = hidden.clip(min=0) @ weights[f"{network}.output.weight"] + weights[f"{network}.output.bias"]
        return classes[network][int(scores.argmax())]

    @cached_property
    def _networks(self) -> tuple[dict[str, NDArray[Any]], dict[str, list[str]]]:
        # Imported here, so that numpy is loaded only for an unlisted word.
        from safetensors import safe_open

        with safe_open(self._path, framework="numpy") as file:
            classes = {network: names.split("\n") for network, names in file.metadata().items()}
            return {name: file.get_tensor(name) for name in file.keys()}, classes  # noqa: SIM118 - not a mapping


def _forms_by_rule(rules: tuple[_Rule, ...], lower: str) -> tuple[str, ...]:
    """Return the forms by the first rule whose pattern matches; the last rule matches every word."""
    forms = next(forms for ending, forms in rules if re.search(ending, lower))
    return tuple(lower[: len(lower) - cut] + added for cut, added in forms)

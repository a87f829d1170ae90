"""WordNet's `morphy` (Miller et al.): from an inflected form to its possible lemmas, by detaching endings."""

from __future__ import annotations

from collections.abc import Callable

# (ending, replacement) per part of speech (WordNet manual, morphy(7WN)); adverbs have none.
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip


def base_forms(form: str, pos: str, irregular: tuple[str, ...], known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the lemmas of `form` that are `known`: the irregular ones, the form itself, then those by rule.

    Unlike in WordNet's code, the rules also apply to a form that is listed as irregular: "saws" and "lives" are both.

    >>> base_forms("churches", "n", (), {"church", "churche"}.__contains__)
    ('churche', 'church')
    """
    lower = form.lower()
    by_rule = [lower.removesuffix(ending) + stem for ending, stem in _ENDINGS[pos] if lower.endswith(ending) and lower != ending]
    candidates = [lemma for lemma in (form, *by_rule) if len(lemma) > 1 or lemma == form]
    return tuple(dict.fromkeys([*irregular, *filter(known, candidates)]))

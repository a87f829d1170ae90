"""FactiveVerbTransformation: the sentence as what somebody knows or says."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.names import GIVEN_NAMES
from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_balanced, is_finite, lower_first

Kind = Literal["factive", "non_factive", "both"]
# Who uses a factive verb takes what follows for true; with the others it may be false. General knowledge, compiled for augcse.
FACTIVE_VERBS = (
    "acknowledged", "admitted", "confirmed", "discovered", "found out", "forgot", "knew", "learned", "noted", "noticed",
    "observed", "realized", "recalled", "recognized", "remembered", "revealed", "saw", "showed", "understood", "verified",
)  # fmt: skip
NON_FACTIVE_VERBS = (
    "argued", "assumed", "believed", "claimed", "concluded", "expected", "felt", "guessed", "heard", "hoped",
    "imagined", "reported", "said", "stated", "supposed", "suspected", "thought", "wrote",
)  # fmt: skip
NAMES = (
    "Amina", "Andrew", "Anna", "Carlos", "Chen", "Clara", "Daniel", "David", "Elena", "Emma", "Fatima", "George", "Hannah", "Ivan",
    "James", "John", "Julia", "Karim", "Laura", "Lin", "Lucas", "Maria", "Mary", "Michael", "Nadia", "Oliver", "Omar", "Paul",
    "Peter", "Priya", "Rosa", "Samuel", "Sarah", "Sofia", "Susan", "Thomas", "Victor", "William", "Yuki", "Zoe",
)  # fmt: skip
_VERBS: dict[Kind, tuple[str, ...]] = {
    "factive": FACTIVE_VERBS,
    "non_factive": NON_FACTIVE_VERBS,
    "both": FACTIVE_VERBS + NON_FACTIVE_VERBS,
}
_FIRST_WORDS = frozenset("and but or so yet nor for yes no oh well please".split())
# Connectives tie the sentence to the one before, and do not stand after "that" ("realized that however, the size").
_CONNECTIVES = frozenset(
    """accordingly actually additionally admittedly afterward afterwards also alternatively anyway apparently besides
    consequently conversely finally first firstly fortunately further furthermore hence hopefully however importantly
    incidentally indeed instead interestingly lastly likewise meanwhile moreover namely nevertheless next nonetheless
    notably obviously otherwise overall perhaps presumably rather second secondly similarly specifically still
    subsequently surprisingly then third thirdly though thus therefore ultimately unfortunately""".split()
)
_CONNECTIVE_PHRASE = re.compile(
    r"(?:as (?:a|an) (?:result|consequence|example|alternative)|as such|as well as this|at the same time|after all|after that|"
    r"because of (?:this|that)|by contrast|by comparison|by the way|despite (?:this|that)|due to (?:this|that)|"
    r"even so|even then|for (?:example|instance|that reason|this reason|these reasons|one thing)|"
    r"in (?:addition|any case|brief|comparison|conclusion|consequence|contrast|fact|general|other words|particular|response|"
    r"return|short|sum|summary|that case|this case|this sense|this way|turn)|in spite of (?:this|that)|"
    r"of course|on the (?:contrary|other hand|one hand|other side)|that (?:being )?said|that is(?=,)|to this end|"
    r"to (?:begin with|conclude|sum up|summarize)|what is more)\b",
    re.IGNORECASE,
)
_ENDS = frozenset({".", "!", "?", "…", "..."})


@augmentation(
    "FactiveVerbTransformation",
    family="syntax",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter factive_verb_transformation (Dhole et al. 2021); Grissom and Miyao (2012)",
    needs=("parse",),
    example=Example("The report was published in May.", "Paul knew that the report was published in May.", seed=1),
)
def factive_verb_transformation(parse: Parse, rng: Random, *, kind: Kind = "factive") -> str | None:
    """Put the sentence under a verb of knowing: "It is late." becomes "Clara noticed that it is late.".

    Name and verb are drawn uniformly from lists of our own; `kind` takes verbs that vouch for the rest ("factive"), those that
    do not ("non_factive", which may alter the meaning), or both. A subject that is a common given name is who knows, and becomes a
    pronoun, as in A.2: "Peter published a paper." -> "Peter acknowledged that he published a paper." Only statements of one
    sentence with a subject are wrapped, and none that opens with a connective ("However, ..."). AugCSE's A.3 leaves the
    augmentation out, for the artefacts it repeats.
    """
    if not _is_statement(parse):
        return None
    name, verb, start = rng.choice(NAMES), rng.choice(_VERBS[kind]), parse.starts[0]
    pronoun = _pronoun_of_subject(parse)
    if pronoun:
        return f"{parse.text[: parse.end(0)]} {verb} that {pronoun}{parse.text[parse.end(0) :]}"
    return f"{parse.text[:start]}{name} {verb} that {lower_first(parse, 0, parse.text[start:])}"


def _pronoun_of_subject(parse: Parse) -> str | None:
    """Return "he" or "she" if the first word alone is the subject, and a given name."""
    alone = parse.has_label(0, "nsubj") and parse.heads[parse.heads[0]] == parse.heads[0] and 0 not in parse.heads
    follows = parse.tags[1] if len(parse) > 1 else "."
    if not alone or not (follows in FINITE_TAGS or follows == "RB"):
        return None
    return {"m": "he", "f": "she"}.get(_given_names().get(parse.tokens[0], ""))


@cache
def _given_names() -> dict[str, str]:
    lines = GIVEN_NAMES.read_text("utf-8").splitlines()
    return {name: gender for name, _, gender in (line.partition("\t") for line in lines if not line.startswith("#"))}


def _is_statement(parse: Parse) -> bool:
    roots = parse.roots()
    if len(roots) != 1 or not parse.tokens[0][0].isalnum() or parse.tokens[0].lower() in _FIRST_WORDS:
        return False
    if _opens_with_connective(parse):
        return False
    inner = parse.tokens[:-1]
    if parse.tokens[-1] in ("?", "!") or _ENDS & set(inner) or not is_balanced(parse.text):
        return False
    tree = Tree(parse)
    group = [roots[0], *tree.children(roots[0], "aux", "cop")]
    finite = [place for place in group if is_finite(tree, place)]
    subjects = tree.children(roots[0], "nsubj", "expl", "csubj")
    return bool(finite and subjects) and min(subjects) < min(finite)


def _opens_with_connective(parse: Parse) -> bool:
    """Tell whether the first words tie the sentence to what was said before it."""
    return parse.tokens[0].lower() in _CONNECTIVES or _CONNECTIVE_PHRASE.match(parse.text, parse.starts[0]) is not None

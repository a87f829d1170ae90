"""FactiveVerbTransformation: the sentence as what somebody knows or says."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.connectives import opens_with_connective
from augcse.augmentations.english.names import GIVEN_NAMES
from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_balanced, is_finite, lower_first
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused

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
_ENDS = frozenset({".", "!", "?", "…", "..."})
_MARKS = frozenset({":", "|"})


def _opens_with_connective(tree: Tree) -> bool:
    return opens_with_connective(tree.parse.text[tree.parse.starts[0] :])


def _is_no_statement(tree: Tree) -> bool:
    return tree.parse.tokens[-1] in ("?", "!") or tree.parse.tags[0][0] == "W"


def _holds_several(tree: Tree) -> bool:
    parse = tree.parse
    return (
        len(parse.roots()) != 1 or not _ENDS.isdisjoint(parse.tokens[:-1]) or not is_balanced(parse.text) or bool(_MARKS & {*parse.tokens})
    )


def _lacks_subject(tree: Tree) -> bool:
    """Tell whether the main clause has no finite verb after its subject."""
    root = tree.parse.roots()[0]
    finite = [index for index in (root, *tree.children(root, "aux", "cop")) if is_finite(tree, index)]
    subjects = tree.children(root, "nsubj", "expl", "csubj")
    return not (finite and subjects) or min(subjects) > min(finite)


def _is_title(tree: Tree) -> bool:
    """Tell whether most words have a capital, as in a headline."""
    words = [token for token in tree.parse.tokens[1:] if token.isalpha() and len(token) > 3]
    return len(words) > 2 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _has_doubtful_opening(tree: Tree) -> bool:
    return not tree.parse.tokens[0][0].isalnum() or opening_case(tree.parse, 0) == "doubt"


REFUSALS: tuple[Refusal[[Tree]], ...] = (
    Refusal("question, exclamation or request", "Is it shut?", _is_no_statement),
    Refusal("connective", "However, the size of the shop is small.", _opens_with_connective),
    Refusal("several sentences or parts", "The bell rang. We left.", _holds_several),
    Refusal("no subject before a finite verb", "A quiet place by the sea.", _lacks_subject),
    Refusal("title", "President Receives Foreign Minister", _is_title),
    Refusal("first word that may be a name", "Power entered the town.", _has_doubtful_opening),
)


@augmentation(
    "FactiveVerbTransformation",
    family="syntax",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter factive_verb_transformation (Dhole et al. 2021); Grissom and Miyao (2012)",
    needs=("parse",),
    condition="a statement with a subject and a finite verb",
    example=Example("The report was published in May.", "Paul knew that the report was published in May.", seed=1),
    refusals=REFUSALS,
)
def factive_verb_transformation(parse: Parse, rng: Random, *, kind: Kind = "factive", fidelity: Fidelity = "grammatical") -> str | None:
    """Put the sentence under a verb of knowing: "It is late." becomes "Clara noticed that it is late.".

    Name and verb are drawn uniformly from lists of our own; `kind` takes verbs that vouch for the rest ("factive"), those that
    do not ("non_factive", which may alter the meaning), or both. A subject that is a common given name is who knows, and becomes a
    pronoun, as in A.2: "Peter published a paper." -> "Peter acknowledged that he published a paper." `fidelity="original"` wraps every
    text as it is. AugCSE's A.3 leaves the augmentation out, for the artefacts it repeats.
    """
    if not len(parse):
        return None
    tree = Tree(parse)
    if fidelity == "grammatical" and refused(REFUSALS, tree):
        return None
    name, verb, start = rng.choice(NAMES), rng.choice(_VERBS[kind]), parse.starts[0]
    pronoun = _pronoun_of_subject(parse) if fidelity == "grammatical" else None
    if pronoun:
        return f"{parse.text[: parse.end(0)]} {verb} that {pronoun}{parse.text[parse.end(0) :]}"
    rest = parse.text[start:] if fidelity == "original" else lower_first(parse, 0, parse.text[start:])
    return f"{parse.text[:start]}{name} {verb} that {rest}"


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

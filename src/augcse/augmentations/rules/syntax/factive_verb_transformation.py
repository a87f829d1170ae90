"""FactiveVerbTransformation: the sentence as what somebody knows or says."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import may_open_with_name
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, clauses_beside, is_finite, said_before_speaker, verbs_of
from augcse.augmentations.english.connectives import opening_connective
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.marks import AFTER_LABEL, ENDS
from augcse.augmentations.english.names import Gender, common_names, given_names
from augcse.augmentations.english.phrase import is_balanced, lower_first
from augcse.augmentations.english.verb_group import is_reduced_passive
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import comma_in, last_mark

Kind = Literal["factive", "non_factive", "both"]
# A factive verb presupposes that what follows is true; with the others it may be false. General knowledge, compiled for augcse.
FACTIVE_VERBS = (
    "acknowledged", "admitted", "confirmed", "discovered", "found out", "forgot", "knew", "learned", "noted", "noticed",
    "observed", "realized", "recalled", "recognized", "remembered", "revealed", "saw", "showed", "understood", "verified",
)  # fmt: skip
NON_FACTIVE_VERBS = (
    "argued", "assumed", "believed", "claimed", "concluded", "expected", "felt", "guessed", "heard", "hoped",
    "imagined", "reported", "said", "stated", "supposed", "suspected", "thought", "wrote",
)  # fmt: skip
_VERBS = {"factive": FACTIVE_VERBS, "non_factive": NON_FACTIVE_VERBS, "both": FACTIVE_VERBS + NON_FACTIVE_VERBS}
_PRONOUNS: dict[Gender, frozenset[str]] = {"m": frozenset({"he", "him", "his"}), "f": frozenset({"she", "her", "hers"})}
# The tags of the first word and the head of an opening after which "that" takes a comma; a time or place ("in 1997") and a clause do not.
_ASIDE_TAGS = frozenset({"VBG", "VBN", "VB", "TO", "RB", "RBR", "RBS", "JJ"})
_PARTICIPLES = frozenset({"VBG", "VBN"})
_COMPARING = frozenset({"like", "unlike", "compared"})


def _has_several_parts(parse: Parse) -> bool:
    """Return whether the text has several sentences, a colon, or a dash before the main verb: "Singapore - More complaints are heard."."""
    marks = [index for index in range(len(parse) - 1) if parse.tokens[index] in AFTER_LABEL and parse.text[parse.end(index)] == " "]
    is_labelled = any(index < parse.roots()[0] or parse.tokens[index] in (":", "|") for index in marks)
    return is_labelled or not ENDS.isdisjoint(parse.tokens[:-1]) or not is_balanced(parse.text)


def _lacks_subject(parse: Parse) -> bool:
    """Return whether the main clause has no finite verb after its subject, or is a subordinate one: "if only I had gone"."""
    root = parse.roots()[0]
    finite = [index for index in verbs_of(parse, root) if is_finite(parse, index)]
    subjects = parse.children(root, *SUBJECTS)
    return not (finite and subjects) or min(subjects) > finite[0] or bool(parse.children(root, "mark"))


def _is_title(parse: Parse) -> bool:
    """Return whether most words have a capital, as in a headline."""
    words = [token for token in parse.tokens[1:] if token.isalpha() and len(token) > 3]
    return len(words) > 2 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _is_own_view(parse: Parse) -> bool:
    """Return whether the writer states a thought, hope or plan in the first person: nobody else can note that."""
    for head in (parse.roots()[0], *clauses_beside(parse, parse.roots()[0])):
        verbs = [parse.tags[index] for index in verbs_of(parse, head)]
        is_first_person = any(parse.word(index) in ("i", "we") for index in parse.children(head, "nsubj"))
        if is_first_person and ("MD" in verbs[:1] or ("VBP" in verbs and parse.children(head, "ccomp", "xcomp"))):
            return True
    return False


def _is_spoken(parse: Parse) -> bool:
    """Return whether an interjection opens or ends the text, or somebody is addressed: "I knew it haha", "He is proud of you, son"."""
    last = max((index for index, token in enumerate(parse.tokens) if token.isalpha()), default=0)
    appositions = (index for index in range(1, len(parse)) if parse.tokens[index - 1] == "," and parse.deps[index] == "appos")
    has_address = "vocative" in parse.deps or any(parse.tags[parse.heads[index]] == "PRP" for index in appositions)
    # "My lord, the guests have come", "My brother, he never came"
    is_addressed = parse.tags[0] == "PRP$" and bool(_tags_before_subject(parse)) and not _opens_with_aside(parse)
    return has_address or is_addressed or parse.deps[0] == "discourse" or parse.tags[last] == "UH"


def _is_headline(parse: Parse) -> bool:
    """Return whether there is no end mark, and perhaps no finite verb: "Motorists killed"."""
    if parse.tokens[-1] in ENDS:
        return False
    group = main_verb_group(parse)
    return group is None or is_reduced_passive(group)


REFUSALS: tuple[Refusal[[Parse]], ...] = (
    Refusal(
        "question, exclamation or request",
        "Is it shut?",
        lambda parse: last_mark(parse.text) in ("?", "!") or parse.tags[0].startswith("W"),
    ),
    Refusal("connective", "However, the shop is small.", lambda parse: bool(opening_connective(parse.text[parse.starts[0] :]))),
    Refusal("interjection or address", "Mary, I love you.", _is_spoken),
    Refusal("several sentences or parts", "The bell rang. We left.", _has_several_parts),
    Refusal("no subject before a finite verb", "A quiet place by the sea.", _lacks_subject),
    Refusal(
        "speaker at the end", "The price rose in May, the paper said.", lambda parse: bool(said_before_speaker(parse, parse.roots()[0]))
    ),
    Refusal("the writer's own view", "I hope that you will come.", _is_own_view),
    Refusal("consequence", "He was late, so we left.", lambda parse: (",", "so") in pairwise(parse.tokens)),
    Refusal("title", "The President Receives Foreign Minister", _is_title),
    Refusal("perhaps a headline", "Motorists killed after tunnel collapses", _is_headline),
    Refusal(
        "first word that may be a name",
        "Power entered the town.",
        lambda parse: not parse.tokens[0][0].isalnum() or may_open_with_name(parse, 0),
    ),
)


@augmentation(
    "FactiveVerbTransformation",
    family="syntax",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2 and A.3; NL-Augmenter factive_verb_transformation (Dhole et al. 2021); Grissom and Miyao (2012)",
    needs=("parse",),
    condition="a statement with a subject and a finite verb",
    example=Example("The report was published in May.", "Joan knew that the report was published in May.", seed=1),
    refusals=REFUSALS,
)
def factive_verb_transformation(parse: Parse, rng: Random, *, kind: Kind = "factive", fidelity: Fidelity = "grammatical") -> str | None:
    """Put the sentence under a verb of knowing: "It is late." becomes "Clara noticed that it is late.".

    Name and verb are drawn uniformly, the name from the common English given names: a woman's if "he" is in the sentence, and the
    reverse. `kind` takes verbs that presuppose that the rest is true ("factive"), those that do not ("non_factive", which may alter the
    meaning), or both. If the subject is such a name, that person knows, and it becomes a pronoun, as in A.2: "Peter published a paper." ->
    "Peter acknowledged that he published a paper." `fidelity="original"` wraps every text as it is. AugCSE's A.3 leaves the augmentation
    out, for the artefacts it repeats.
    """
    if not len(parse) or (fidelity == "grammatical" and refused(REFUSALS, parse)):
        return None
    names = _other_names(parse) if fidelity == "grammatical" else (*common_names("m"), *common_names("f"))
    name, verb, start = rng.choice(names), rng.choice(_VERBS[kind]), parse.starts[0]
    comma = comma_in(parse.text) if fidelity == "grammatical" and _opens_with_aside(parse) else ""
    pronoun = _pronoun_of_subject(parse) if fidelity == "grammatical" else None
    if pronoun:
        return f"{parse.text[: parse.end(0)]} {verb} that {pronoun}{parse.text[parse.end(0) :]}"
    statement = parse.text[start:] if fidelity == "original" else _after_that(parse)
    return f"{parse.text[:start]}{name} {verb} that{comma} {statement}"


def _after_that(parse: Parse) -> str:
    """Return the sentence as it is written after "that"; a demonstrative "that" in front becomes "the" or "it", as "that that" jars."""
    is_pronoun = parse.has_label(0, "nsubj") and not parse.children(0, "acl")
    plain = "the" if parse.has_label(0, "det") else "it" if is_pronoun else None
    if parse.word(0) == "that" and plain:
        return plain + parse.text[parse.end(0) :]
    return lower_first(parse, 0, parse.text[parse.starts[0] :])


def _tags_before_subject(parse: Parse) -> set[str]:
    """Return the tags of the words in front that the parser takes for a subject though a comma and the subject follow; none otherwise."""
    comma = min(parse.indices_of(","), default=0)
    clauses = {parse.first(index): parse.heads[index] for index in range(len(parse)) if parse.has_label(index, *SUBJECTS)}
    tags = set(parse.tags[:comma])
    if not {0, comma + 1} <= clauses.keys() or parse.tags[comma + 1][0] == "W" or not tags.isdisjoint(FINITE_TAGS):
        return set()
    return tags if clauses[0] in (*range(comma), clauses[comma + 1]) else set()


def _opens_with_aside(parse: Parse) -> bool:
    """Return whether the sentence opens with a participle, infinitive, adverb, adjective, apposition or comparison set off by a comma."""
    before_subject = _tags_before_subject(parse)
    if before_subject and (parse.word(0) in ("a", "an") or not _PARTICIPLES.isdisjoint(before_subject)):
        return True  # "A tall man, he stood out", "The rain having stopped, we left"
    opening = next((index for index in parse.children(parse.roots()[0]) if parse.first(index) == 0), 0)
    is_clause = parse.has_label(opening, *SUBJECTS) or any(parse.tags[index] in FINITE_TAGS for index in verbs_of(parse, opening))
    is_described = {parse.tags[0], parse.tags[opening]} <= _ASIDE_TAGS and not is_clause
    return (is_described or parse.word(0) in _COMPARING) and "," in parse.tokens[parse.last(opening) : parse.last(opening) + 2]


def _other_names(parse: Parse) -> tuple[str, ...]:
    """Return the given names that no pronoun of the sentence can refer to: "Ann noted that he left"."""
    words = set(parse.words)
    unmentioned = [gender for gender, pronouns in _PRONOUNS.items() if words.isdisjoint(pronouns)]
    return tuple(name for gender in unmentioned or _PRONOUNS for name in common_names(gender))


def _pronoun_of_subject(parse: Parse) -> str | None:
    """Return "he" or "she" if the first word is a given name that does not come again, and the whole subject; None otherwise."""
    known = given_names().get(parse.tokens[0])
    is_alone = parse.tag(1) in FINITE_TAGS | {"RB"} and len(parse.indices_of(parse.word(0))) == 1
    return {"m": "he", "f": "she"}[known.gender] if is_alone and known is not None and known.is_common else None

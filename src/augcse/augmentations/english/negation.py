"""A "not" after an auxiliary: whether it can be taken away, and the edits that do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import verb_form
from augcse.augmentations.text.edits import Edit, delete_word, match_case

if TYPE_CHECKING:
    from collections.abc import Iterator

DO_FORMS = {"do": "VB", "does": "VBZ", "did": "VBD"}
_FULL_FORM = {"wo": "will", "ca": "can", "sha": "shall"}
_AUXILIARIES = frozenset(
    "am is are was were be been being has have had do does did can could will would shall should may might must".split()
) | frozenset({"'s", "’s", "'m", "’m", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "'d", "’d", *_FULL_FORM})
_BETWEEN = frozenset("also still certainly probably really just often clearly simply definitely usually however".split())
# "not only ... but", "not until": the rest of the sentence depends on the "not".
_KEEPS_NOT = frozenset("only just merely simply solely until till so but to one any unless because".split())
# Anywhere after the "not".
_ALTERNATIVES = ("nor", "neither", "until", "till")
# As many words after the "not" as a set phrase can reach.
_FOLLOWING = 8
_SOME = {"any": "some", "anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere"}
_NEGATIVE_PAIRS = frozenset({("any", "more"), ("any", "longer"), ("any", "further"), ("at", "all")})
# What `_polarity_edits` adapts, or the first word of it.
_POLAR = sorted({*_SOME, *(first for first, _ in _NEGATIVE_PAIRS), "anymore", "ever", "yet", "either"})


def removable_from(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary that the "not" at `negation` can be taken from; None where it is no "not" or has to stay."""
    auxiliary = _negated_auxiliary(parse, negation) if parse.is_negation(negation) else None
    return auxiliary if auxiliary is not None and _removable(parse, auxiliary, negation) else None


def _negated_auxiliary(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary before the negation: adjacent, after an adverb, or after an inverted pronoun."""
    place = negation - 1
    while place >= 0 and parse.tokens[place].lower() in _BETWEEN:
        place -= 1
    pronoun = place > 0 and parse.has_label(place, "nsubj", "expl") and parse.tags[place] in ("PRP", "EX", "DT")
    if pronoun and _is_auxiliary(parse, place - 1) and "?" in parse.text[parse.end(negation) :]:
        place -= 1
    return place if place >= 0 and _is_auxiliary(parse, place) else None


def _is_auxiliary(parse: Parse, index: int) -> bool:
    tagged = parse.tags[index] == "MD" or parse.tags[index].startswith("VB")
    return tagged and parse.tokens[index].lower() in _AUXILIARIES


def _removable(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether the sentence stays grammatical without the negation ("was not a singer but a dancer" does not)."""
    word = parse.tokens[auxiliary]
    following = [token.lower() for token in parse.tokens[negation + 1 : negation + 1 + _FOLLOWING]] or ["."]
    if _is_set_phrase(parse, auxiliary, following) or following[0] in _KEEPS_NOT:
        return False
    if any(place > negation for place in parse.places_of(*_ALTERNATIVES)):
        return False
    # "He's not." -> "He's." is no English, and "Don't Look Now" is a title.
    if word[0] in "'’" and not following[0][0].isalnum():
        return False
    if word[0].isupper() and auxiliary > 0 and parse.tokens[auxiliary - 1][-1].isalpha():
        return False
    return not _contrasts(parse, negation) and not _in_fixed_phrase(following)


def _is_set_phrase(parse: Parse, auxiliary: int, following: list[str]) -> bool:
    """Tell whether the negation is half of "may or may not", or of a bidding in a title: "Brenda (Don't Put Me Down)"."""
    word = parse.tokens[auxiliary]
    if parse.tokens[max(auxiliary - 2, 0) : auxiliary] == (word, "or"):
        return True
    bidding = word[0].isupper() and auxiliary > 0 and not parse.children(parse.clause_head(auxiliary), "nsubj", "expl")
    return bidding or (following[0] == "as" and "as" not in following[2:8])


def _in_fixed_phrase(following: list[str]) -> bool:
    text = " ".join(following[:3])
    return text.startswith(("help ", "mind ", "care less", "even ", "much of", "that ", "necessarily", "all "))


def _contrasts(parse: Parse, negation: int) -> bool:
    for place in parse.places_of("but", "rather", "instead"):
        if place > negation:
            second = parse.heads[place]
            if not parse.children(second, "nsubj", "expl") or parse.tokens[place].lower() != "but":
                return True
    return False


def removal_edits(parse: Parse, auxiliary: int, negation: int, *, polarity: bool = True) -> list[Edit]:
    """Return the edits that take "not" from its auxiliary, with do-support undone; none if a form is in doubt.

    `polarity` adapts the words that live on the negation ("anything" -> "something").
    """
    head = parse.clause_head(auxiliary)
    if _is_inverted(parse, auxiliary, head):
        return without_not(parse, auxiliary, negation)
    verb = _bare_verb(parse, auxiliary, negation, head)
    if verb is None:
        return without_not(parse, auxiliary, negation) + (list(_polarity_edits(parse, negation, head)) if polarity else [])
    edits = _without_do(parse, auxiliary, negation, verb)
    return edits + (list(_polarity_edits(parse, negation, head)) if edits and polarity else [])


def _is_inverted(parse: Parse, auxiliary: int, head: int) -> bool:
    return any(subject > auxiliary for subject in parse.children(head, "nsubj", "expl")) and not any(
        subject < auxiliary for subject in parse.children(head, "nsubj", "expl")
    )


def without_not(parse: Parse, auxiliary: int, negation: int) -> list[Edit]:
    """Return the edits that take "not" from its auxiliary and leave all else, the auxiliary in its full form."""
    word = parse.tokens[auxiliary]
    full = _FULL_FORM.get(word.lower(), word)
    # "Aren't I?" has no affirmative of its own.
    if word.lower() == "are" and "I" in parse.tokens[negation + 1 : negation + 2]:
        full = "am"
    renamed = [Edit(parse.starts[auxiliary], parse.end(auxiliary), match_case(word, full))] if full != word else []
    return [*renamed, delete_word(parse.text, parse.starts[negation], parse.end(negation))]


def _bare_verb(parse: Parse, auxiliary: int, negation: int, head: int) -> int | None:
    """Return the bare verb that do-support carries; None if the auxiliary is another one, or stands alone."""
    if parse.tokens[auxiliary].lower() not in DO_FORMS or auxiliary == head:
        return None
    group = sorted({head, *parse.children(head, "aux", "cop")})
    return next((place for place in group if place > negation and parse.upos[place] in ("VERB", "AUX")), None)


def _without_do(parse: Parse, auxiliary: int, negation: int, verb: int) -> list[Edit]:
    """Return the edits for "did not go" -> "went"; none at all if a form is in doubt."""
    tag = DO_FORMS[parse.tokens[auxiliary].lower()]
    subjects = parse.children(parse.clause_head(auxiliary), "nsubj")
    if tag == "VB" and any(parse.tokens[subject].lower() in ("he", "she", "it") for subject in subjects):
        tag = "VBZ"
    verbs = [verb, *_bare_conjuncts(parse, verb)]
    forms = [_form_of_bare(parse, place, tag) for place in verbs]
    if None in forms or parse.tags[verb] not in ("VB", "VBP"):
        return []
    edits = {place: form for place, form in zip(verbs, forms, strict=True) if form}
    following = negation + 1
    first = edits.pop(following, parse.tokens[following])
    cut = Edit(parse.starts[auxiliary], parse.end(following), match_case(parse.tokens[auxiliary], first))
    if negation - auxiliary > 1:
        between = parse.text[parse.starts[auxiliary + 1] : parse.starts[negation]]
        cut = Edit(cut.start, cut.end, match_case(parse.tokens[auxiliary], between) + first)
    return [cut, *(Edit(parse.starts[place], parse.end(place), form) for place, form in edits.items())]


def _bare_conjuncts(parse: Parse, verb: int) -> list[int]:
    """Return the coordinated bare verbs under the same "did not"."""
    return [
        place
        for place in parse.children(verb, "conj")
        if parse.tags[place] == "VB" and not parse.children(place, "nsubj", "aux", "mark", "cop", "expl")
    ]


def _form_of_bare(parse: Parse, place: int, tag: str) -> str | None:
    return verb_form(parse.tokens[place].lower(), tag)


def _polarity_edits(parse: Parse, negation: int, head: int) -> Iterator[Edit]:
    """Adapt the words after the negation that live on it."""
    for place in parse.places_of(*_POLAR):
        if place <= negation or not parse.is_below(place, head):
            continue
        word = parse.tokens[place].lower()
        follower = parse.tokens[place + 1].lower() if place + 1 < len(parse) else "."
        at_end = not follower[0].isalnum()
        after = parse.tags[place + 2] if place + 2 < len(parse) else "."
        if (word, follower) == ("any", "more") and after.startswith(("N", "J")):
            yield delete_word(parse.text, parse.starts[place], parse.end(place))
        elif (word, follower) in _NEGATIVE_PAIRS:
            yield delete_word(parse.text, parse.starts[place], parse.end(place + 1))
        elif word == "anymore" or (word == "ever" and not at_end):
            yield delete_word(parse.text, parse.starts[place], parse.end(place))
        elif replacement := _affirmative(word, at_end, directly=place == negation + 1):
            yield Edit(parse.starts[place], parse.end(place), replacement)


def _affirmative(word: str, at_end: bool, directly: bool) -> str | None:
    if word == "yet" and (at_end or directly):
        return "already"
    return "too" if word == "either" and at_end else _SOME.get(word)

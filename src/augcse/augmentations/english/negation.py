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
# "not only ... but", "not until", "can't help but": the rest of the sentence depends on the "not".
_KEEPS_NOT = frozenset(
    "only just merely simply solely until till so but to one any unless because even that necessarily all help mind much".split()
)
# Anywhere after the "not".
_ALTERNATIVES = ("nor", "neither", "until", "till")
_SOME = {"any": "some", "anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere"}
_NEGATIVE_PAIRS = frozenset({("any", "more"), ("any", "longer"), ("any", "further"), ("at", "all")})
# What `_polarity_edits` adapts, or the first word of it.
_POLAR = sorted({*_SOME, *(first for first, _ in _NEGATIVE_PAIRS), "anymore", "ever", "yet", "either"})


def removable_from(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary that the "not" at `negation` can be taken from; None where it is no "not" or has to stay."""
    auxiliary = negated_auxiliary(parse, negation)
    if auxiliary is None or any(stays(parse, auxiliary, negation) for stays in (is_needed, is_contrasted, is_in_title)):
        return None
    return auxiliary


def negated_auxiliary(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary before the negation, if it is one: adjacent, before an adverb, or before the subject of a question."""
    if not parse.is_negation(negation):
        return None
    position = negation - 1
    while position >= 0 and parse.tokens[position].lower() in _BETWEEN:
        position -= 1
    if position >= 0 and not _is_auxiliary(parse, position) and "?" in parse.tokens[negation:]:
        position = _before_subject(parse, position)
    return position if position >= 0 and _is_auxiliary(parse, position) else None


def _before_subject(parse: Parse, last: int) -> int:
    """Return the auxiliary before the subject whose phrase ends at `last`: "do" of "why do people not come"; -1 if none ends there."""
    heads = [position for position in range(last + 1) if parse.has_label(position, "nsubj", "expl") and parse.subtree(position)[-1] == last]
    return max((position for position in range(heads[0]) if _is_auxiliary(parse, position)), default=-1) if heads else -1


def _is_auxiliary(parse: Parse, index: int) -> bool:
    tagged = parse.tags[index] == "MD" or parse.tags[index].startswith("VB")
    return tagged and parse.tokens[index].lower() in _AUXILIARIES


def is_needed(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether the words beside the "not" need it: "not only", "may or may not", "he's not" at the end of a clause."""
    following = [token.lower() for token in parse.tokens[negation + 1 : negation + 9]] or ["."]
    word = parse.tokens[auxiliary]
    is_stranded = word[0] in "'’" and not following[0][0].isalnum()
    is_alternative = parse.tokens[max(auxiliary - 2, 0) : auxiliary] == (word, "or")
    is_compared = following[0] == "as" and "as" not in following[2:]
    return is_stranded or is_alternative or is_compared or following[0] in _KEEPS_NOT or following[:2] == ["care", "less"]


def is_contrasted(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether what is denied stands beside what is not: "was not a singer but a dancer", "did not eat, nor drink"."""
    if any(position > negation for position in parse.places_of(*_ALTERNATIVES)):
        return True
    seconds = [position for position in parse.places_of("but", "rather", "instead") if position > negation]
    return any(
        parse.tokens[position].lower() != "but" or not parse.children(parse.heads[position], "nsubj", "expl") for position in seconds
    )


def is_in_title(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether the auxiliary has a capital amid the sentence: "Don't Look Now"."""
    return (
        parse.tokens[auxiliary][0].isupper()
        and auxiliary > 0
        and (parse.tokens[auxiliary - 1][-1].isalpha() or not parse.children(parse.clause_head(auxiliary), "nsubj", "expl"))
    )


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
    return next((position for position in group if position > negation and parse.upos[position] in ("VERB", "AUX")), None)


def _without_do(parse: Parse, auxiliary: int, negation: int, verb: int) -> list[Edit]:
    """Return the edits for "did not go" -> "went"; none at all if a form is in doubt."""
    tag = DO_FORMS[parse.tokens[auxiliary].lower()]
    subjects = parse.children(parse.clause_head(auxiliary), "nsubj")
    if tag == "VB" and any(parse.tokens[subject].lower() in ("he", "she", "it") for subject in subjects):
        tag = "VBZ"
    verbs = [verb, *_bare_conjuncts(parse, verb)]
    forms = [_form_of_bare(parse, position, tag) for position in verbs]
    if None in forms or parse.tags[verb] not in ("VB", "VBP"):
        return []
    edits = {position: form for position, form in zip(verbs, forms, strict=True) if form}
    following = negation + 1
    first = edits.pop(following, parse.tokens[following])
    cut = Edit(parse.starts[auxiliary], parse.end(following), match_case(parse.tokens[auxiliary], first))
    if negation - auxiliary > 1:
        between = parse.text[parse.starts[auxiliary + 1] : parse.starts[negation]]
        cut = Edit(cut.start, cut.end, match_case(parse.tokens[auxiliary], between) + first)
    return [cut, *(Edit(parse.starts[position], parse.end(position), form) for position, form in edits.items())]


def _bare_conjuncts(parse: Parse, verb: int) -> list[int]:
    """Return the coordinated bare verbs under the same "did not"."""
    return [
        position
        for position in parse.children(verb, "conj")
        if parse.tags[position] == "VB" and not parse.children(position, "nsubj", "aux", "mark", "cop", "expl")
    ]


def _form_of_bare(parse: Parse, position: int, tag: str) -> str | None:
    return verb_form(parse.tokens[position].lower(), tag)


def _polarity_edits(parse: Parse, negation: int, head: int) -> Iterator[Edit]:
    """Adapt the words after the negation that live on it."""
    for position in parse.places_of(*_POLAR):
        if position <= negation or not parse.is_below(position, head):
            continue
        word = parse.tokens[position].lower()
        follower = parse.tokens[position + 1].lower() if position + 1 < len(parse) else "."
        at_end = not follower[0].isalnum()
        after = parse.tags[position + 2] if position + 2 < len(parse) else "."
        if (word, follower) == ("any", "more") and after.startswith(("N", "J")):
            yield delete_word(parse.text, parse.starts[position], parse.end(position))
        elif (word, follower) in _NEGATIVE_PAIRS:
            yield delete_word(parse.text, parse.starts[position], parse.end(position + 1))
        elif word == "anymore" or (word == "ever" and not at_end):
            yield delete_word(parse.text, parse.starts[position], parse.end(position))
        elif replacement := _affirmative(word, at_end, directly=position == negation + 1):
            yield Edit(parse.starts[position], parse.end(position), replacement)


def _affirmative(word: str, at_end: bool, directly: bool) -> str | None:
    if word == "yet" and (at_end or directly):
        return "already"
    return "too" if word == "either" and at_end else _SOME.get(word)

"""Finite verbs that the tagger took for something else: a rule that shifts all finite verbs would leave them behind."""

from __future__ import annotations

from augcse.annotation.parse import Parse

# A bare verb is no finite one after these.
_BARE = frozenset({"MD", "TO"})
# Longer coordinations of verbs are no sentences; a parse of endless text must not take seconds.
_MAX_STEPS = 20
_DO = frozenset({"do", "does", "did"})


def misses_verb(parse: Parse) -> bool:
    """Tell whether a word of the sentence is a finite verb by its looks and not by its tag."""
    helped = {head for head, label in zip(parse.heads, parse.deps, strict=True) if label in ("cop", "aux", "aux:pass")}
    having_subject = {head for head, label in zip(parse.heads, parse.deps, strict=True) if label == "nsubj"}
    # "The players attempt to expand": a noun with a subject of its own and no copula.
    if any(parse.tags[index] in ("NN", "NNS") for index in having_subject - helped):
        return True
    return any(_is_missed(parse, index, tag) for index, tag in enumerate(parse.tags))


def _is_missed(parse: Parse, index: int, tag: str) -> bool:
    if tag == "VBN":
        return _is_past_form(parse, index)
    if tag == "VB":
        if parse.deps[index] in ("ccomp", "advcl"):
            return bool(parse.children(index, "nsubj")) and not parse.children(index, "aux", "mark")
        return parse.deps[index] == "conj" and not _has_base_context(parse, index)
    # "extends it and masks every ...": a noun has no object after it.
    return tag == "NNS" and parse.tags[index - 1] == "CC" and parse.tag(index + 1) in ("DT", "PRP$")


def _is_past_form(parse: Parse, index: int) -> bool:
    """Tell whether a participle looks like a past tense: with a subject of its own, or right after a noun."""
    if parse.has_label(index, "amod"):
        return parse.tag(index - 1).startswith("NN")
    return bool(parse.children(index, "nsubj")) and not parse.children(index, "aux", "cop")


def _has_base_context(parse: Parse, index: int) -> bool:
    """Tell whether a bare verb, or one it is coordinated with, stands under a modal, "to" or "do", or is no main verb."""
    for _ in range(_MAX_STEPS):
        helpers = parse.children(index, "aux", "mark")
        if any(parse.tags[index] in _BARE or parse.tokens[index].lower() in _DO for index in helpers):
            return True
        if parse.deps[index] != "conj" or parse.heads[index] == index:
            break
        index = parse.heads[index]
    return parse.tags[index] not in ("VBZ", "VBP", "VBD", "VBN") and not parse.children(index, "cop")

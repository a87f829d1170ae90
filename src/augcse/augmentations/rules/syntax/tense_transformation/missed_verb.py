"""Finite verbs that the tagger took for something else: a rule that shifts all finite verbs would leave them behind."""

from __future__ import annotations

from functools import lru_cache

from augcse.annotation.parse import Parse

_NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
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
    if tag == "VBD":
        return _is_participle(parse, index)
    if tag == "VB":
        if parse.deps[index] in ("ccomp", "advcl"):
            return bool(parse.children(index, "nsubj")) and not parse.children(index, "aux", "mark")
        return parse.deps[index] == "conj" and not _has_base_context(parse, index)
    # "extends it and masks every ...": a noun has no object after it.
    if tag == "NNS" and parse.tags[index - 1] == "CC" and parse.tags[(index + 1) % len(parse)] in ("DT", "PRP$"):
        return True
    word = parse.tokens[index]
    return tag == "NN" and word.islower() and index > 0 and parse.tags[index - 1] in ("CC", ",") and _is_only_verb(word)


def _is_past_form(parse: Parse, index: int) -> bool:
    """Tell whether a participle looks like a past tense: a root, with a subject of its own, or right after a noun."""
    if parse.has_label(index, "amod"):
        before = index - 1
        while before > 0 and parse.tags[before] == "RB":
            before -= 1
        return before >= 0 and parse.tags[before] in _NOUN_TAGS
    head = parse.heads[index]
    own = head == index or bool(parse.children(index, "nsubj"))
    # "Admired him and commissioned a statue."
    shared = parse.deps[index] == "conj" and parse.tags[head] in ("VBD", "VBZ", "VBP") and bool(parse.children(index, "obj"))
    return (own or shared) and not parse.children(index, "aux", "cop")


def _is_participle(parse: Parse, index: int) -> bool:
    """Tell whether a past tense may be a second participle of a passive: "was deemed significant and selected"."""
    if parse.deps[index] != "conj" or not parse.children(parse.heads[index], "aux:pass"):
        return False
    return not parse.children(index, "nsubj", "aux", "obj", "ccomp", "xcomp", "expl")


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


@lru_cache(maxsize=20_000)
def _is_only_verb(word: str) -> bool:
    """Tell whether the bundled lexicon has the word as a verb and as nothing else."""
    from augcse.lexicon.open import bundled_lexicon

    return {synset.pos for synset in bundled_lexicon().synsets(word)} == {"v"}

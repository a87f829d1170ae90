"""Whether tagger and parser agree on a word: each errs in its own way, so where they contradict each other the parse is not trusted."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.text.tables import data_rows

_TAGS: defaultdict[str, set[str]] = defaultdict(set)
for _labels, *_tags in (line.split() for [line] in data_rows(Path(__file__).with_name("labels.txt"))):
    for _label in _labels.split(","):
        _TAGS[_label].update(_tags)
_OF_VERB = ("nsubj", "obj", "iobj", "aux", "mark")
_NOT_OF_NOUN = ("obl", "parataxis", "discourse")
_PARTS_OF_NAME = ("compound", "amod", "nmod:desc", "flat")
_SINGULAR = frozenset({"this", "that", "each", "every"})


def is_coherent(parse: Parse, index: int) -> bool:
    """Return whether the tag of a word suits its label, and both the word that it hangs on."""
    label, head = parse.deps[index], parse.heads[index]
    if label == "punct":
        return True
    tags = _TAGS.get(label, _TAGS.get(label.split(":")[0], set()))
    suits = parse.tags[index] in tags or ("VBD" in tags and _is_predicate(parse, index))
    return (
        suits
        and _has_due_head(parse, index, head)
        and _has_due_case(parse, index)
        and (label != "conj" or _is_due_conjunct(parse, index, head))
    )


def _has_due_head(parse: Parse, index: int, head: int) -> bool:
    if parse.has_label(index, *_OF_VERB):
        return _is_predicate(parse, head)
    if parse.has_label(index, "case") and parse.has_label(head, *_PARTS_OF_NAME):
        return parse.tags[index] == "POS"
    if parse.has_label(index, *_NOT_OF_NOUN):
        return parse.tags[head][0] != "N" or _is_predicate(parse, head)
    return parse.word(index) not in _SINGULAR or parse.tags[head] not in ("NNS", "NNPS")


def _has_due_case(parse: Parse, index: int) -> bool:
    """Return whether an oblique noun has a preposition of its own, an owner its 's, and a subject or object neither."""
    has_case = bool(parse.children(index, "case", "mark"))
    if _is_predicate(parse, index) or parse.has_label(parse.heads[index], "prep"):
        return True
    if parse.deps[index] == "nmod:poss":
        return has_case or parse.tags[index] in ("PRP$", "WP$")
    return has_case if parse.deps[index] in ("nmod", "obl", "obl:agent", "advcl") else not (has_case and parse.has_label(index, *_OF_VERB))


def _is_due_conjunct(parse: Parse, index: int, head: int) -> bool:
    """Return whether coordinated words have a conjunction, and are no verbs or verbs of one form, if without subject or auxiliary."""
    tag = parse.tags[index]
    if not any(parse.children(one, "cc") for one in parse.children(head, "conj")):
        return tag in ("VBG", "VBN", "VBD") and not parse.children(index, "aux")  # "the show, opening in July"
    if not (_is_predicate(parse, index) and _is_predicate(parse, head)):
        return _is_predicate(parse, index) == _is_predicate(parse, head)
    pair = {tag, parse.tags[head]}
    return len(pair) == 1 or pair <= {"VBD", "VBZ", "VBP"} or pair == {"VBD", "VBN"} or bool(parse.children(index, "nsubj", "aux", "cop"))


def _is_predicate(parse: Parse, index: int) -> bool:
    return parse.tags[index][0] == "V" or bool(parse.children(index, "cop", "aux"))

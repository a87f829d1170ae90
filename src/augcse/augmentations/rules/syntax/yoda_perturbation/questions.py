"""Questions and requests with what follows the verb in front: "Find the ring, did he?", "Your room, clean."."""

from __future__ import annotations

from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_balanced, lower_first, slice_text
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise

_ENDS = frozenset({".", "!", "?"})
_PARTS = frozenset({",", ";", ":", "-", "--", "–", "—", "(", '"'})


def _has_parts(tree: Tree, first: int, last: int) -> bool:
    """Tell whether the words to be fronted, or those before them, are more than one part."""
    parse = tree.parse
    return not _PARTS.isdisjoint(parse.tokens) or not is_balanced(parse.text) or len(parse.roots()) > 1


def _holds_clause(tree: Tree, first: int, last: int) -> bool:
    tags = tree.parse.tags[first : last + 1]
    return not FINITE_TAGS.isdisjoint(tags) or "CC" in tags[:1] or tags[0].startswith("W")


REFUSALS: tuple[Refusal[[Tree, int, int]], ...] = (
    Refusal("question or request of several parts", "Is he strong, or is he old?", _has_parts),
    Refusal("clause in a question or request", "Do you know that he is old?", _holds_clause),
)


def turned_question(tree: Tree) -> str | None:
    """Return a question or request with its predicate, object or complement in front; None for what is neither, or is refused."""
    stretch = _after_subject(tree) if tree.parse.tokens[-1] == "?" else _after_request(tree)
    if stretch is None or stretch[0] > stretch[1] or refused(REFUSALS, tree, *stretch):
        return None
    parse, (first, last) = tree.parse, stretch
    front, before = slice_text(parse, first, last), lower_first(parse, 0, slice_text(parse, 0, first - 1))
    if parse.tokens[0][0].isupper():
        front, before = capitalise(front), before[0].lower() + before[1:]
    return apply_edits(parse.text, [Edit(parse.starts[0], parse.end(last), f"{front}, {before}")])


def _after_subject(tree: Tree) -> tuple[int, int] | None:
    """Return what follows the subject of a question that opens with an auxiliary, or with "how", "why", "when" or "where" before one."""
    parse, root = tree.parse, tree.parse.roots()[0]
    opened = int(parse.tags[0] == "WRB")
    subjects = tree.children(root, "nsubj", "expl")
    if opened not in tree.children(root, "aux", "cop") or len(subjects) != 1 or not tree.is_contiguous(subjects[0]):
        return None
    if tree.first(subjects[0]) != opened + 1 or parse.tags[opened] not in FINITE_TAGS or len(parse) < 2:
        return None
    return tree.last(subjects[0]) + 1, len(parse) - 2


def _after_request(tree: Tree) -> tuple[int, int] | None:
    """Return what follows the verb of a request that opens with it."""
    parse = tree.parse
    if parse.tags[0] != "VB" or parse.heads[0] != 0 or tree.children(0, "nsubj", "aux") or parse.tokens[-1] not in _ENDS:
        return None
    first = 1 + (parse.tags[1:2] == ("RP",))
    if parse.tokens[0].lower() == "let":
        return None
    objects = tree.children(0, "obj")
    if objects and tree.first(objects[0]) == first and tree.is_contiguous(objects[0]):
        return first, tree.last(objects[0])
    return (first, len(parse) - 2) if not objects else None

"""What a rule that moves whole phrases leaves alone: situations in which readers found the parser wrong too often."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.tree import FINITE_TAGS, Tree


def leaves_clause(tree: Tree, head: int, turned: set[int]) -> bool:
    """Tell whether a clause has a finite one beside it that is not turned too."""
    for child in tree.order:
        if not tree.first(head) <= child <= tree.last(head) or child in turned or child == head:
            continue
        loose = tree.parse.has_label(child, "conj", "parataxis") or (tree.parse.deps[child] == "ccomp" and not tree.children(child, "mark"))
        if loose and any(tree.parse.tags[verb] in FINITE_TAGS for verb in (child, *tree.children(child, "aux", "cop"))):
            return True
    return False


def tears_complement(tree: Tree, head: int, last: int) -> bool:
    """Tell whether a prepositional phrase or an infinitive goes on directly after the stretch that ends with `last`."""
    parse, place = tree.parse, last + 1
    if _holds_clause(parse, head, last):
        return True
    if place >= len(parse):
        return False
    if parse.tags[place] == "TO" or (parse.tags[place] == "IN" and parse.has_label(place, "case")):
        return True
    return any(child > last for child in tree.children(head, "xcomp"))


def _holds_clause(parse: Parse, head: int, last: int) -> bool:
    """Tell whether the words after the verb hold a coordinated finite verb, or an afterthought after a comma."""
    for place in range(head + 1, last + 1):
        before = parse.tags[place - 1]
        if parse.tags[place] in FINITE_TAGS and before in ("CC", "RB") and "CC" in parse.tags[max(head, place - 2) : place]:
            return True
        if before == "CC" and place < head + 4 and parse.tags[place].startswith("VB") and parse.tags[place - 2] == "RB":
            return True
        if before == "CC" and (parse.tokens[place - 2] == "," or parse.tags[place - 2] == "RB") and parse.tokens[head:last].count(",") < 2:
            return True
        if parse.tokens[place - 1] == "," and parse.tokens[place].lower() in ("but", "not", "whereby", "while", "whilst", "whereas"):
            return True
    return False

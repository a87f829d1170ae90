"""Whether a clause and what is fronted in it are whole, or cut by the parser; both ends are judged by the tags and marks beside them."""

from __future__ import annotations

from itertools import pairwise

from augcse.augmentations.english.agreement import agrees
from augcse.augmentations.english.tree import FINITE_TAGS, Tree

SUBJECTS = ("nsubj", "expl", "csubj")
_BEFORE_VERB_TAGS = frozenset({"RB", "RBR", "RBS", ",", "MD", "VBD", "VBZ", "VBP", "VB", "VBN", "-RRB-", ")", "''", "DT"})
_BORDERS = frozenset({",", ";", ":", ".", "!", "?", "…", "–", "—", "--", "-", ")", '"', "”", "''"})
_CLOSING = frozenset({")", "]", "”", '"', "''", "»"})
SENTENCE_ENDS = frozenset({".", "!", "?", "...", "…", ";", ":"})
_OPENING = frozenset({"(", "[", "“", '"', "``", "‘", "«"})


def leaves_clause(tree: Tree, head: int, turned: set[int]) -> bool:
    """Tell whether a clause has a finite one beside it that is not turned too."""
    for child in range(tree.first(head), tree.last(head) + 1):
        loose = tree.parse.has_label(child, "conj", "parataxis") or (tree.parse.deps[child] == "ccomp" and not tree.children(child, "mark"))
        if loose and child not in turned and child != head and _is_finite_clause(tree, child):
            return True
    return False


def _is_finite_clause(tree: Tree, head: int) -> bool:
    return any(tree.parse.tags[index] in FINITE_TAGS for index in (head, *tree.children(head, "aux", "cop")))


def ends_whole(tree: Tree, head: int, first: int, last: int) -> bool:
    """Tell whether the stretch to be fronted is a whole: it holds no clause but subordinate ones, and a mark or clause follows."""
    parse, after = tree.parse, last + 1
    words = [token.lower() for token in parse.tokens[first:after]]
    finite = [index for index in range(first, after) if parse.tags[index] in FINITE_TAGS]
    relatives = [index for index in range(first, after) if parse.tags[index].startswith("W")]
    if parse.tags[first] == "CC" or not all(_is_subordinate(tree, index) for index in finite):
        return False
    if relatives and not any(tag.startswith(("VB", "MD")) for tag in parse.tags[relatives[-1] : after]):
        return False
    if any(pair in ((",", "but"), (",", "not"), (",", "while"), (",", "whereas")) for pair in pairwise(words)):
        return False
    return after >= len(parse) or parse.tokens[after] in SENTENCE_ENDS | _CLOSING or _opens_part(tree, head, after)


def _opens_part(tree: Tree, head: int, index: int) -> bool:
    """Tell whether a clause begins at the token, or an adverbial after a comma, which may stay after the verb."""
    parse, comma = tree.parse, tree.parse.tokens[index] == ","
    opened = index + comma
    if opened >= len(parse) or parse.tags[opened] in ("WDT", "WP", "WP$") or (parse.tokens[opened].lower() in ("as", "than") and not comma):
        return False
    opened += parse.tags[opened] == "CC"
    clauses = [child for child in tree.children(head, "conj", "parataxis", "advcl") if _is_finite_clause(tree, child)]
    begins = {tree.first(child) + shift for child in clauses for shift in range(3)}
    asides = [child for child in tree.children(head, "obl", "advcl", "advmod") if comma and parse.tags[opened] in ("IN", "VBG")]
    return opened in begins or opened in {tree.first(child) + shift for child in asides for shift in range(2)}


def begins_whole(tree: Tree, head: int, start: int, before: int) -> bool:
    """Tell whether the words from `start` on are a subject and its verb, and nothing in front of them is a part of the subject."""
    parse, subject = tree.parse, tree.children(head, *SUBJECTS)[0]
    finite = [index for index in range(start, before + 1) if parse.tags[index] in FINITE_TAGS]
    adverbials = [index for index in tree.dependents[head] if index < start and not parse.has_label(index, "punct", "cc", "mark")]
    if any(not parse.has_label(index, "obl", "advmod", "advcl", "discourse") for index in adverbials):
        return False
    if any(parse.deps[index] == "mark" or (parse.tags[index].startswith("W")) for index in range(start, tree.first(subject))):
        return False
    if any(tag.startswith("W") for tag in parse.tags[start : start + 2]):
        return False
    if not _BEFORE_VERB_TAGS.issuperset(parse.tags[tree.last(subject) + 1 : before]):
        return False
    if finite and parse.deps[subject] != "csubj" and not agrees(tree, subject, finite[-1]):
        return False
    own = {head, *tree.children(head, "aux", "cop")}
    if any(index not in own and not _is_subordinate(tree, index) for index in finite):
        return False
    return start == 0 or _is_border(tree, head, start - 1)


def _is_border(tree: Tree, head: int, index: int) -> bool:
    """Tell whether the word before a clause parts it from the rest: a conjunction of its own, or a mark with a blank after it."""
    parse = tree.parse
    if parse.has_label(index, "cc"):
        return parse.heads[index] in (head, *tree.children(head, *SUBJECTS))
    blank = parse.text[parse.end(index) : parse.starts[index + 1]].isspace()
    return parse.tokens[index] in _OPENING or (blank and parse.tokens[index] in _BORDERS)


def _is_subordinate(tree: Tree, index: int) -> bool:
    return tree.parse.has_label(tree.parse.clause_head(index), "acl", "advcl", "ccomp", "csubj", "appos")

"""Whether a clause and its fronted words are complete, or cut by the parser; both ends are judged by the tags and marks next to them."""

from __future__ import annotations

from itertools import pairwise

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import agrees
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite_clause, missed_present
from augcse.augmentations.english.marks import CLOSING, DASHES, ENDS, OPENING, ends_clause

_BORDERS = ENDS | DASHES | OPENING | CLOSING | {",", ";", ":", "so"}


def leaves_clause(parse: Parse, head: int, turned: set[int]) -> bool:
    """Return whether a clause contains a coordinated or quoted clause, finite or with a subject, that is not turned."""
    for child in range(parse.first(head), parse.last(head) + 1):
        is_quoted = parse.deps[child] == "ccomp" and not parse.children(child, "mark")
        is_beside = parse.has_label(child, "conj", "parataxis")
        is_main = is_finite_clause(parse, child) if is_quoted else is_beside and _is_clause(parse, child)
        if is_main and child not in turned:
            return True
    return False


def _is_clause(parse: Parse, head: int) -> bool:
    """Return whether a part is a clause, of which the tagger may have missed the verb: "and both of them matter"."""
    return is_finite_clause(parse, head) or bool(parse.children(head, *SUBJECTS))


def ends_whole(parse: Parse, head: int, first: int, last: int) -> bool:
    """Return whether the tokens to be fronted are complete: their only clauses are subordinate ones, and a mark or clause follows."""
    after = last + 1
    words = parse.words[first:after]
    missed = missed_present(parse)
    finite = [index for index in range(first, after) if parse.tags[index] in FINITE_TAGS or index == missed]
    objects = [index for index in parse.children(head, "obj") if head < first <= index <= last]
    # Two objects cannot be fronted as one: "gave [the film] [five stars]".
    has_two_objects = any(parse.last(one) + 1 == parse.first(other) for one, other in pairwise(objects))
    opposes = any(pair in ((",", "but"), (",", "not"), (",", "while"), (",", "whereas")) for pair in pairwise(words))
    if opposes or has_two_objects or parse.token(after) == ":" or not all(_is_subordinate(parse, index) for index in finite):
        return False
    return ends_clause(parse, after) or parse.tokens[after] in CLOSING or _opens_part(parse, head, after)


def _opens_part(parse: Parse, head: int, index: int) -> bool:
    """Return whether a clause begins at the token, or an adverbial after a comma, which may stay after the verb."""
    is_comma = parse.tokens[index] == ","
    opener = index + 1 if is_comma else index
    if parse.tag(opener) in ("WDT", "WP", "WP$") or (parse.word(opener) in ("as", "than") and not is_comma):
        return False
    # A clause may have up to two marks or conjunctions before its opener, an adverbial the comma.
    clauses = [child for child in parse.children(head, "conj", "parataxis", "advcl") if is_finite_clause(parse, child)]
    if any(0 <= opener - parse.first(child) <= 2 for child in clauses):
        return True
    asides = parse.children(head, "obl", "advcl", "advmod") if is_comma and parse.tag(opener) == "IN" else []
    return (is_comma and parse.tag(opener) == "VBG") or any(0 <= opener - parse.first(child) <= 1 for child in asides)


def begins_whole(parse: Parse, head: int, start: int, end: int) -> bool:
    """Return whether the words from `start` to before `end` are a subject and its verb, and a mark or conjunction is in front of them."""
    finite = [index for index in range(start, end) if parse.tags[index] in FINITE_TAGS]
    disagrees = finite and not agrees(parse, parse.children(head, *SUBJECTS)[0], finite[-1])
    if disagrees or not all(_is_subordinate(parse, index) for index in finite[:-1]):
        return False
    if start and parse.has_label(start - 1, "cc"):
        return parse.heads[start - 1] in (head, *parse.children(head, *SUBJECTS))
    return start == 0 or parse.word(start - 1) in _BORDERS


def _is_subordinate(parse: Parse, index: int) -> bool:
    return parse.has_label(parse.clause_head(index), "acl", "advcl", "ccomp", "csubj", "appos")

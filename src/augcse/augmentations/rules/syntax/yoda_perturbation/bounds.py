"""Whether a clause and what is fronted in it are whole, or cut by the parser; both ends are judged by the tags and marks beside them."""

from __future__ import annotations

from itertools import pairwise

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import agrees
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite_clause, missed_present
from augcse.augmentations.english.phrase import abbreviates

_BORDERS = frozenset({",", ";", ":", ".", "!", "?", "…", "–", "—", "--", ")", '"', "”", "''"})
_CLOSING = frozenset({")", "]", "”", '"', "''", "»"})
_SENTENCE_ENDS = frozenset({".", "!", "?", "...", "…", ";", ":"})
OPENING = frozenset({"(", "[", "“", '"', "``", "‘", "«"})


def leaves_clause(parse: Parse, head: int, turned: set[int]) -> bool:
    """Tell whether a clause has a finite one beside it that is not turned too."""
    for child in range(parse.first(head), parse.last(head) + 1):
        loose = parse.has_label(child, "conj", "parataxis") or (parse.deps[child] == "ccomp" and not parse.children(child, "mark"))
        if loose and child not in turned and is_finite_clause(parse, child):
            return True
    return False


def ends_whole(parse: Parse, head: int, first: int, last: int) -> bool:
    """Tell whether the stretch to be fronted is a whole: it holds no clause but subordinate ones, and a mark or clause follows."""
    after = last + 1
    words = [token.lower() for token in parse.tokens[first:after]]
    missed = missed_present(parse)
    finite = [index for index in range(first, after) if parse.tags[index] in FINITE_TAGS or index == missed]
    objects = [index for index in parse.children(head, "obj") if head < first <= index <= last]
    has_two_objects = any(parse.last(one) + 1 == parse.first(other) for one, other in pairwise(objects))  # "gave [the film five stars]"
    opposes = any(pair in ((",", "but"), (",", "not"), (",", "while"), (",", "whereas")) for pair in pairwise(words))
    if opposes or has_two_objects or parse.token(after) == ":" or not all(_is_subordinate(parse, index) for index in finite):
        return False
    return after >= len(parse) or ends_sentence(parse, after) or parse.tokens[after] in _CLOSING or _opens_part(parse, head, after)


def ends_sentence(parse: Parse, index: int) -> bool:
    """Tell whether a mark ends a sentence or clause; not the full stop of "approx. 2 km"."""
    return parse.tokens[index] in _SENTENCE_ENDS and not abbreviates(parse, index)


def _opens_part(parse: Parse, head: int, index: int) -> bool:
    """Tell whether a clause begins at the token, or an adverbial after a comma, which may stay after the verb."""
    comma = parse.tokens[index] == ","
    opened = index + comma
    if parse.tag(opened) in ("WDT", "WP", "WP$") or (parse.word(opened) in ("as", "than") and not comma):
        return False
    clauses = [child for child in parse.children(head, "conj", "parataxis", "advcl") if is_finite_clause(parse, child)]
    begins = {parse.first(child) + shift for child in clauses for shift in range(3)}
    asides = [child for child in parse.children(head, "obl", "advcl", "advmod") if comma and parse.tag(opened) in ("IN", "VBG")]
    return opened in begins or opened in {parse.first(child) + shift for child in asides for shift in range(2)}


def begins_whole(parse: Parse, head: int, start: int, before: int) -> bool:
    """Tell whether the words from `start` on are a subject and its verb, and a border stands in front of them."""
    finite = [index for index in range(start, before + 1) if parse.tags[index] in FINITE_TAGS]
    disagrees = finite and not agrees(parse, parse.children(head, *SUBJECTS)[0], finite[-1])
    if disagrees or not all(_is_subordinate(parse, index) for index in finite[:-1]):
        return False
    if start and parse.has_label(start - 1, "cc"):
        return parse.heads[start - 1] in (head, *parse.children(head, *SUBJECTS))
    return start == 0 or parse.tokens[start - 1] in OPENING | _BORDERS


def _is_subordinate(parse: Parse, index: int) -> bool:
    return parse.has_label(parse.clause_head(index), "acl", "advcl", "ccomp", "csubj", "appos")

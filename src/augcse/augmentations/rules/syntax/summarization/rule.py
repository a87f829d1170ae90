"""Summarization: a sentence without the parts that it can do without."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite_clause
from augcse.augmentations.english.phrase import is_balanced, words_only
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.summarization.parts import (
    WORDS,
    can_drop_aside,
    can_drop_end,
    can_drop_opening,
    claims_more_without,
    is_second_clause,
)
from augcse.augmentations.text.edits import Edit, capitalise, last_mark

# What brackets may hold: their words hang on nothing outside as its object, its subject or the like.
_LOOSE = ("appos", "parataxis", "acl", "advcl", "nmod", "obl", "dep", "list", "conj", "discourse", "nummod", "punct", "advmod", "cc")
_SINGLE_QUOTES = frozenset({"'", "‘", "’", "`"})
_SENTENCE_ENDS = frozenset({"", ".", "!", "?", ";"})
_LEAST_WORDS_LEFT = 3
# With what a further part of a list, an apposition or a relative clause begins after an aside.
_NEXT_PART = ("NN", "CD", "JJ", "W", "VBG", "DT")
# What waits for what follows it: "turned to, and on, the king".
_GOVERNING = frozenset({"IN", "TO", "DT", "PRP$", "CC"})


def _has_several_parts(parse: Parse) -> bool:
    return not is_balanced(parse.text) or not WORDS["MARK"].isdisjoint(parse.tokens)


def _is_no_clause(parse: Parse) -> bool:
    return any(_lacks_subject_or_verb(parse, root) for root in parse.roots())


def _lacks_subject_or_verb(parse: Parse, root: int) -> bool:
    opened = parse.children(root, "mark") or any(parse.tags[index] == "WRB" for index in parse.children(root, "advmod"))
    return not parse.children(root, *SUBJECTS) or not is_finite_clause(parse, root) or bool(opened)


REFUSALS: tuple[Refusal[[Parse]], ...] = (
    Refusal("colon, dash or open bracket", "The bridge, an old one, fell: it rained.", _has_several_parts),
    Refusal("no subject with a finite verb", "A quiet place, by the sea.", _is_no_clause),
)


@augmentation(
    "Summarization",
    family="syntax",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter summarization_transformation (Dhole et al. 2021)",
    needs=("parse",),
    condition="a clause with something that it can do without",
    example=Example(
        "In 1920, the old bridge, which was built by monks, fell into the river (no one was hurt).",
        "The old bridge fell into the river.",
    ),
    refusals=REFUSALS,
)
def summarization(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Leave out what the main clause can do without; deterministic.

    That is: adverbials in front or between commas, clauses and appositions after a comma, brackets, reasons and times at the end, what is
    said more of a predicate ("is a village in Iran" -> "is a village"), and a second main clause after "and". Deviation from
    NL-Augmenter, which writes the head words of subject, verb and object and "!" for a negation: what is left is a sentence.
    `fidelity="original"` does as NL-Augmenter.
    """
    if fidelity == "original":
        return _head_words(parse)
    if not len(parse) or refused(REFUSALS, parse):
        return None
    text = apply_with_articles(parse.text, _disjoint([*_brackets(parse), *_units(parse)]))
    text = capitalise(text) if parse.text[:1].isupper() else text
    is_whole = len(text.split()) >= _LEAST_WORDS_LEFT and _end_mark(text) == _end_mark(parse.text)
    return text if is_whole and text != parse.text else None


def _end_mark(text: str) -> str:
    """Return the full stop or the like at the end of a text, inside quotes and brackets too; "" where there is none."""
    last = last_mark(text)
    return last if last in ".!?" else ""


def _head_words(parse: Parse) -> str | None:
    """Return subject, verb and object of every verb as single words, "!" before what is negated."""
    words = []
    for verb in (index for index, upos in enumerate(parse.upos) if upos in ("VERB", "AUX") and parse.children(index, *SUBJECTS)):
        negated = any(parse.is_negation(index) for index in parse.children(verb, "advmod"))
        parts = [*parse.children(verb, *SUBJECTS), verb, *parse.children(verb, "obj", "obl", "xcomp")]
        words += ["!" * (negated and index == verb) + parse.tokens[index] for index in parts]
    return " ".join(words) or None


def _disjoint(edits: list[Edit]) -> list[Edit]:
    """Return the edits without those inside of, or overlapping with, an earlier or longer one."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _brackets(parse: Parse) -> list[Edit]:
    """Return the edits that leave out the brackets with a blank before them; none where one of these has to stay, as the text had half."""
    opening = [index for index, token in enumerate(parse.tokens) if token == "(" and index and parse.starts[index] > parse.end(index - 1)]
    pairs = [(first, parse.tokens.index(")", first)) for first in opening if ")" in parse.tokens[first:]]
    loose = all(_is_loose_bracket(parse, first, last) for first, last in pairs)
    return [Edit(parse.end(first - 1), parse.end(last), "") for first, last in pairs] if loose else []


def _is_loose_bracket(parse: Parse, first: int, last: int) -> bool:
    """Tell whether the words between two brackets hold no main clause, and nothing outside waits for them: "The answer is (c)."."""
    inside = range(first + 1, last)
    is_needed = parse.tags[first - 1] in _GOVERNING or (parse.upos[first - 1] == "AUX" and not parse.tag(last + 1)[0].isalpha())
    if is_needed or "(" in parse.tokens[first + 1 : last]:
        return False
    tops = [index for index in inside if not first < parse.heads[index] < last]
    return all(parse.has_label(index, *_LOOSE) for index in tops) and parse.word(first + 1) not in WORDS["KEPT_BRACKET"]


def _units(parse: Parse) -> Iterator[Edit]:
    """Yield the edits that leave out one subtree each."""
    for index in range(len(parse)):
        unit = words_only(parse, parse.first(index), parse.last(index)) if parse.is_contiguous(index) else None
        cut = _cut(parse, index, *unit) if unit is not None and not claims_more_without(parse, *unit) else None
        if cut is not None and _holds_no_half(parse, cut):
            doubled = parse.text[: cut.start].endswith(".") and parse.text.startswith(".", cut.end)  # "in Md., on Monday."
            yield Edit(cut.start, cut.end + doubled, "")


def _holds_no_half(parse: Parse, cut: Edit) -> bool:
    """Tell whether no quotation or bracket begins or ends in what is left out."""
    inside = (index for index, start in enumerate(parse.starts) if cut.start <= start < cut.end)
    single = any(parse.tokens[index] in _SINGLE_QUOTES and parse.tags[index] != "POS" for index in inside)
    return not single and is_balanced(parse.text[cut.start : cut.end])


def _cut(parse: Parse, head: int, first: int, last: int) -> Edit | None:
    """Return the edit that leaves out the words `first` to `last`, which hang on `head`; None where they have to stay."""
    after = parse.tokens[last + 1] if last + 1 < len(parse) else ""
    goes_on = after == "," and last + 2 < len(parse)
    if first == 0:
        return Edit(0, parse.starts[last + 2], "") if goes_on and can_drop_opening(parse, head, last) else None
    if parse.tokens[-1] == "?":
        return None
    before, ends = parse.tokens[first - 1], after in _SENTENCE_ENDS
    if before == ",":
        is_parted = first > 1 and parse.tags[first - 2] not in _GOVERNING and (ends or goes_on)
        return _without_aside(parse, head, first, last) if is_parted and can_drop_aside(parse, head, last) else None
    governed = parse.tags[first - 1] in _GOVERNING  # "25 pct more than last year"
    if before[0].isalnum() and not governed and ends and can_drop_end(parse, head, first, last):
        return Edit(parse.end(first - 1), parse.end(last), "")
    return None


def _without_aside(parse: Parse, head: int, first: int, last: int) -> Edit | None:
    """Return the edit that leaves out an aside and its commas; one comma stays where it parts the words before and after it."""
    follows = last + 2
    if last + 1 >= len(parse) or parse.tokens[last + 1] != ",":
        return Edit(parse.end(first - 2), parse.end(last), "")
    is_before_subject = any(index > last for index in parse.children(parse.heads[head], *SUBJECTS))
    continues = parse.tags[follows] in (*FINITE_TAGS, "IN")
    if is_before_subject and not continues:
        return Edit(parse.end(first - 1), parse.end(last + 1), "")  # "Moreover, when he came, she left."
    joins, speaks = parse.tags[follows] == "CC", _begins_subject(parse, follows)
    ended = parse.heads[head] < first and parse.tags[parse.heads[head]].startswith(("V", "J"))  # "It fell, breaking the wall, he says."
    if (joins and not is_second_clause(parse, parse.heads[follows])) or (not speaks and parse.tags[follows].startswith(_NEXT_PART)):
        return None
    is_bound = continues or parse.tags[follows] == "TO"
    inside = parse.tokens[parse.heads[head] : first - 1] if parse.has_label(head, "appos", "acl") else ()
    parts = joins or "," in inside or ((ended or speaks) and not is_bound) or not parse.tokens[follows][0].isalnum()
    return Edit(parse.end(first - 2), parse.end(last + (not parts)), "")


def _begins_subject(parse: Parse, start: int) -> bool:
    """Tell whether a subject begins at a token, or at the comma before it."""
    subjects = (index for index in range(start, len(parse)) if parse.has_label(index, "nsubj"))
    return any(parse.first(index) in (start - 1, start) for index in subjects)

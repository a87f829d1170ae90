"""Summarization: a sentence without the parts that it can do without."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS
from augcse.augmentations.english.phrase import is_balanced, slice_text
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.summarization.parts import (
    WORDS,
    Part,
    Tree,
    can_drop_aside,
    can_drop_end,
    can_drop_opening,
    is_second_clause,
    parts_of,
    read,
)
from augcse.augmentations.text.edits import Edit, capitalise, last_mark

# What brackets may hold: their words hang on nothing outside as its object, its subject or the like.
_LOOSE = ("appos", "parataxis", "acl", "advcl", "nmod", "obl", "dep", "list", "conj", "discourse", "nummod", "punct", "advmod", "cc")
_SENTENCE_ENDS = frozenset({"", ".", "!", "?", ";"})
# With what a further part of a list, an apposition or a relative clause begins after an aside.
_NEXT_PART = ("NN", "CD", "JJ", "W", "VBG", "DT")
# What waits for what follows it: "turned to, and on, the king".
_GOVERNING = frozenset({"IN", "TO", "DT", "PRP$", "CC"})


def _is_no_clause(tree: Tree) -> bool:
    return any(root not in tree.finite or root not in tree.subjects or _is_opened(tree, root) for root in tree.parse.roots())


def _is_opened(tree: Tree, root: int) -> bool:
    """Tell whether a subordinating word opens what the parser takes for the main clause: "When he came, ten people left"."""
    return (root, "mark") in tree.below or any(tree.parse.tags[index] == "WRB" for index in tree.below.get((root, "advmod"), ()))


REFUSALS: tuple[Refusal[[Tree]], ...] = (
    Refusal(
        "colon, dash or open bracket",
        "The bridge, an old one, fell: it rained.",
        lambda tree: not (is_balanced(tree.parse.text) and WORDS["MARK"].isdisjoint(tree.words)),
    ),
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
    tree = read(parse)
    if refused(REFUSALS, tree):
        return None
    found = [*_brackets(tree), *filter(None, (_cut(tree, part) for part in parts_of(tree)))]
    cuts = list({cut.start: cut for cut in sorted(found)}.values())  # of those with one start the longest
    text = apply_with_articles(parse.text, cuts)
    text = capitalise(text) if parse.text[:1].isupper() else text
    end = last_mark(parse.text)
    return text if cuts and (end not in ".!?" or last_mark(text) == end) else None


def _head_words(parse: Parse) -> str | None:
    """Return subject, verb and object of every verb as single words, "!" before what is negated."""
    words = []
    for verb in (index for index, upos in enumerate(parse.upos) if upos in ("VERB", "AUX") and parse.children(index, *SUBJECTS)):
        negated = any(parse.is_negation(index) for index in parse.children(verb, "advmod"))
        parts = [*parse.children(verb, *SUBJECTS), verb, *parse.children(verb, "obj", "obl", "xcomp")]
        words += ["!" * (negated and index == verb) + parse.tokens[index] for index in parts]
    return " ".join(words) or None


def _brackets(tree: Tree) -> list[Edit]:
    """Return the edits that leave out the brackets with a blank before them; none where one of these has to stay, as the text had half."""
    parse, edits = tree.parse, []
    for first in range(1, len(parse)):
        if parse.tokens[first] != "(" or parse.starts[first] == parse.end(first - 1) or ")" not in parse.tokens[first:]:
            continue
        last = parse.tokens.index(")", first)
        if not is_balanced(slice_text(parse, first, last)):
            return []
        tops = [index for index in range(first + 1, last) if not first < parse.heads[index] < last]
        is_predicate = parse.upos[first - 1] == "AUX" and not parse.tag(last + 1)[0].isalpha()  # "The answer is (c)."
        is_needed = is_predicate or parse.tags[first - 1] in _GOVERNING or tree.words[first + 1] in WORDS["KEPT_BRACKET"]
        if is_needed or not all(tree.labels[index] in _LOOSE for index in tops):
            return []
        edits.append(Edit(parse.end(first - 1), parse.end(last), ""))
    return edits


def _cut(tree: Tree, part: Part) -> Edit | None:
    """Return the edit that leaves out a part; None where it has to stay."""
    parse, first, last = tree.parse, part.first, part.last
    before, after = parse.token(first - 1), parse.token(last + 1)
    goes_on, ends = after == "," and last + 2 < len(parse), after in _SENTENCE_ENDS
    cut = None
    if first == 0:
        cut = Edit(0, parse.starts[last + 2], "") if goes_on and can_drop_opening(tree, part) else None
    elif parse.tokens[-1] == "?":
        return None
    elif before == ",":
        is_parted = first > 1 and parse.tags[first - 2] not in _GOVERNING and (ends or goes_on)
        cut = _without_aside(tree, part) if is_parted and can_drop_aside(tree, part) else None
    elif before[0].isalnum() and ends and can_drop_end(tree, part):
        cut = Edit(parse.end(first - 1), parse.end(last), "")
    if cut is None or not is_balanced(parse.text[cut.start : cut.end]):
        return None
    is_doubled = parse.text[: cut.start].endswith(".") and parse.text.startswith(".", cut.end)  # "in Md., on Monday."
    return Edit(cut.start, cut.end + is_doubled, "")


def _without_aside(tree: Tree, part: Part) -> Edit | None:
    """Return the edit that leaves out an aside and its commas; one comma stays where it parts the words before and after it."""
    parse, first, last, follows = tree.parse, part.first, part.last, part.last + 2
    if parse.token(last + 1) != ",":
        return Edit(parse.end(first - 2), parse.end(last), "")
    tag = parse.tags[follows]
    continues = tag in (*FINITE_TAGS, "IN", "TO")
    if not continues and any(index > last for index in tree.subjects.get(part.whole, ())):
        return Edit(parse.end(first - 1), parse.end(last + 1), "")  # "Moreover, when he came, she left."
    joins = tag == "CC"
    speaks = any(parse.first(index) in (last + 1, follows) for subjects in tree.subjects.values() for index in subjects)
    if (joins and not is_second_clause(tree, parse.heads[follows])) or (not speaks and tag.startswith(_NEXT_PART)):
        return None
    ended = part.whole < first and parse.tags[part.whole].startswith(("V", "J"))  # "It fell, breaking the wall, he says."
    keeps_comma = joins or ((ended or speaks) and not continues) or not parse.tokens[follows][0].isalnum()
    return Edit(parse.end(first - 2), parse.end(last + (not keeps_comma)), "")

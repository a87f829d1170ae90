"""Summarization: a sentence without the parts that it can do without."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite_clause, verbs_of
from augcse.augmentations.english.phrase import is_balanced, words_only
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, capitalise
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import bundled_lexicon

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
# What brackets may hold: their words hang on nothing outside as its object, its subject or the like.
_LOOSE = ("appos", "parataxis", "acl", "advcl", "nmod", "obl", "dep", "list", "conj", "discourse", "nummod", "punct", "advmod", "cc")
_OPENING_TIME = frozenset({"IN", "DT", "NN", "NNP", "JJ", "CD"})
_SINGLE_QUOTES = frozenset({"'", "‘", "’", "`"})
# What may stand after the mark at the end of a sentence.
_CLOSING = " \"'”’)]"
_SENTENCE_ENDS = frozenset({"", ".", "!", "?", ";"})
_LEAST_WORDS_LEFT = 3
# What a word after an aside may be the next of a list with; after the end of the clause, an apposition too.
_LISTED = {False: ("NN", "CD", "JJ", "WP", "WD", "VBG"), True: ("NN", "CD", "JJ", "WP", "WD", "DT")}
# What stands before a comma and waits for what follows it: "turned to, and on, the king".
_GOVERNING = frozenset({"IN", "TO", "DT", "PRP$", "CC"})


def _has_several_parts(parse: Parse) -> bool:
    return not is_balanced(parse.text) or not _WORDS["MARK"].isdisjoint(parse.tokens)


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
    last = text.rstrip(_CLOSING)[-1:]
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


def _brackets(parse: Parse) -> Iterator[Edit]:
    """Yield the edits that leave out brackets with a blank before them and no main clause inside."""
    for index, token in enumerate(parse.tokens):
        if token == "(" and index and parse.starts[index] > parse.end(index - 1) and ")" in parse.tokens[index:]:
            last = parse.tokens.index(")", index)
            tops = [inner for inner in range(index + 1, last) if not index < parse.heads[inner] < last]
            loose = all(parse.has_label(inner, *_LOOSE) for inner in tops) and parse.word(index + 1) not in _WORDS["KEPT_BRACKET"]
            if loose and parse.tags[last - 1] != "POS" and "(" not in parse.tokens[index + 1 : last]:
                yield Edit(parse.end(index - 1), parse.end(last), "")


def _units(parse: Parse) -> Iterator[Edit]:
    """Yield the edits that leave out one subtree each."""
    for index in range(len(parse)):
        unit = words_only(parse, parse.first(index), parse.last(index)) if parse.is_contiguous(index) else None
        cut = _cut(parse, index, *unit) if unit is not None else None
        if cut is not None and _holds_no_half(parse, cut):
            yield cut


def _holds_no_half(parse: Parse, cut: Edit) -> bool:
    """Tell whether no quotation or bracket begins or ends in what is left out."""
    inside = (index for index, start in enumerate(parse.starts) if cut.start <= start < cut.end)
    single = any(parse.tokens[index] in _SINGLE_QUOTES and parse.tags[index] != "POS" for index in inside)
    return not single and is_balanced(parse.text[cut.start : cut.end])


def _cut(parse: Parse, head: int, first: int, last: int) -> Edit | None:
    """Return the edit that leaves out the words `first` to `last`, which hang on `head`; None where they have to stay."""
    before, after = parse.tokens[first - 1] if first else "", "".join(parse.tokens[last + 1 : last + 2])
    ends, asks = after in _SENTENCE_ENDS, parse.tokens[-1] == "?"
    follows = parse.tags[last + 2 : last + 3] if after == "," else ()
    if first == 0:
        return Edit(0, parse.starts[last + 2], "") if follows and _may_open(parse, head, last) else None
    if (
        before == ","
        and first > 1
        and parse.tags[first - 2] not in _GOVERNING
        and not asks
        and (ends or follows)
        and _stands_apart(parse, head, last)
    ):
        return _without_aside(parse, head, first, last)
    if before[0].isalnum() and not asks and ((ends and _stands_last(parse, head, first, last)) or _is_modifier(parse, head, first, last)):
        return Edit(parse.end(first - 1), parse.end(last), "")
    return None


def _without_aside(parse: Parse, head: int, first: int, last: int) -> Edit | None:
    """Return the edit that leaves out an aside and its commas; one comma stays where it parts the words before and after it."""
    follows = last + 2
    if last + 1 >= len(parse) or parse.tokens[last + 1] != ",":
        return Edit(parse.end(first - 2), parse.end(last), "")
    if any(index > last for index in parse.children(parse.heads[head], *SUBJECTS)) and parse.tags[follows] != "IN":
        return Edit(parse.end(first - 1), parse.end(last + 1), "")  # "Moreover, when he came, she left."
    joins = parse.tags[follows] == "CC"
    ended = parse.heads[head] < first and parse.tags[parse.heads[head]].startswith(("V", "J"))  # "It fell, breaking the wall, he says."
    if (joins and not _is_second_clause(parse, parse.heads[follows])) or parse.tags[follows].startswith(_LISTED[ended]):
        return None  # perhaps one of a list
    is_verb = parse.tags[follows] in FINITE_TAGS
    parts = joins or (ended and not is_verb and not parse.has_label(head, "advmod")) or not parse.tokens[follows][0].isalnum()
    return Edit(parse.end(first - 2), parse.end(last + (not parts)), "")


def _is_modifier(parse: Parse, head: int, first: int, last: int) -> bool:
    """Tell whether the words are an adjective between article and noun, or an adverb of manner before its verb, that may go."""
    whole = parse.heads[head]
    if not all(parse.tokens[index].isalpha() and parse.tokens[index].islower() for index in range(first, last + 1)):
        return False
    if any(parse.tokens[index] in _WORDS[kind] for index in range(first, last + 1) for kind in ("NEEDED", "TELLING")):
        return False
    if _is_negated(parse, head) or parse.tags[first - 1] == "CC":
        return False
    if parse.deps[head] == "advmod":
        return (
            parse.tokens[head].endswith("ly")
            and whole == last + 1
            and parse.tags[whole].startswith("V")
            and not parse.has_label(whole, "amod")
        )
    return parse.deps[head] == "amod" and parse.tags[head] == "JJ" and _is_plain_noun(parse, head, whole) and last < whole


def _is_negated(parse: Parse, index: int) -> bool:
    """Tell whether a word hangs below what is negated or restricted: there "not a good plan" would become "not a plan"."""
    while parse.heads[index] != index:
        index = parse.heads[index]
        if any(parse.is_negation(child) or parse.word(child) == "only" for child in parse.children(index, "advmod")):
            return True
    return False


def _is_plain_noun(parse: Parse, adjective: int, noun: int) -> bool:
    """Tell whether a noun stands as well without its adjective: it has "a" or "an", is no predicate, and makes no term with it."""
    determined = parse.tags[noun] == "NN" and any(parse.word(index) in ("a", "an") for index in parse.children(noun, "det"))
    compared = any(parse.word(index) in ("as", "like") for index in parse.children(noun, "case"))
    governed = compared or parse.lemmas[parse.heads[noun]].lower() in _WORDS["LIGHT"] or parse.children(noun, "cop")
    between = range(adjective + 1, noun)
    adjacent = all(parse.heads[index] == noun and parse.has_label(index, "amod", "compound") for index in between)
    term = in_expression(parse, Word(adjective, parse.tokens[adjective], "a", "JJ"), bundled_lexicon())
    return determined and not governed and adjacent and parse.lemmas[noun].lower() not in _WORDS["EMPTY"] and not term


def _may_open(parse: Parse, head: int, last: int) -> bool:
    """Tell whether an adverbial before the main clause may go: the clause must not need its condition, or the name it begins with."""
    opened = {token.lower() for token in parse.tokens[: min(last, 2) + 1]}
    if not parse.has_label(head, "obl", "advcl", "advmod", "discourse") or parse.deps[parse.heads[head]] != "ROOT":
        return False
    clause = parse.has_label(head, "advcl")
    if parse.has_label(head, "obl") and parse.word(0) in _WORDS["SCOPE"] and _holds_there_only(parse, parse.heads[head]):
        return False
    if not opened.isdisjoint(_WORDS["NEEDED"]) or (parse.tags[0].startswith("W") and not clause):
        return False
    if clause and (parse.tags[0] not in ("IN", "WRB", "VBG", "VBN", "TO", "RB") or _is_condition(parse, head, parse.word(0))):
        return False
    if parse.has_label(head, "obl") and not parse.children(head, "case") and parse.children(head, "acl"):
        return False  # "What he meant, he said."
    follows = parse.tags[last + 2]
    names = any(tag.startswith("NN") for tag in parse.tags[: last + 1])
    return follows in ("DT", "NNP", "NNS", "NN", "EX", "PRP", "PRP$", "JJ", "CD") and not (names and clause and follows.startswith("PRP"))


def _holds_there_only(parse: Parse, root: int) -> bool:
    """Tell whether a clause may be true only within its opening phrase: it is in the simple present, denied, or says what there is."""
    verbs = [parse.tags[index] for index in verbs_of(parse, root)]
    parts = {root, *parse.children(root, *SUBJECTS, "obj")}
    denied = any(parse.is_negation(index) and parse.heads[index] in parts for index in range(len(parse)))
    return denied or bool(parse.children(root, "expl")) or verbs in (["VBZ"], ["VBP"])


def _is_condition(parse: Parse, head: int, opened: str) -> bool:
    """Tell whether a clause with "when" says under which condition the main clause holds, or what is known: it tells no past event."""
    return opened == "when" and all(parse.tags[index] != "VBD" for index in verbs_of(parse, head))


def _stands_apart(parse: Parse, head: int, last: int) -> bool:
    """Tell whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    whole = parse.heads[head]
    subordinate = any(parse.deps[index] == "mark" or parse.tags[index][0] == "W" for index in range(parse.first(head), head + 1))
    if is_finite_clause(parse, head) and not subordinate and not parse.has_label(head, "conj"):
        return False
    opened = parse.tokens[parse.first(head) + (parse.tokens[parse.first(head)] == ",")].lower()
    if parse.has_label(head, "conj"):
        return last + 2 >= len(parse) and _is_added_clause(parse, head)
    clauses = [index for index in parse.children(whole, "advcl") if index > whole]
    listed = parse.children(whole, "conj") or parse.has_label(whole, "conj") or parse.children(head, "conj")
    if parse.has_label(head, "appos", "acl", "nmod"):
        return not listed and opened not in _WORDS["NEEDED"] - {"whose"}
    if (parse.has_label(head, "advcl") and (len(clauses) > 1 or _is_negated(parse, head))) or opened in ("and", "or", "but"):
        return False
    return parse.has_label(head, "advcl", "obl", "advmod") and opened not in _WORDS["NEEDED"] and parse.tags[last] not in ("JJ", "DT", "CD")


def _stands_last(parse: Parse, head: int, first: int, last: int) -> bool:
    """Tell whether words at the end of the sentence, with no comma before them, may go."""
    whole = parse.heads[head]
    opened = parse.tokens[first].lower()
    impersonal = any(parse.tokens[index].lower() in ("it", "there", "this", "that") for index in parse.children(whole, *SUBJECTS))
    if parse.has_label(head, "nmod"):
        return opened in _WORDS["PLACE"] and _is_indefinite_predicate(parse, whole)
    if parse.has_label(head, "conj"):
        return _is_added_clause(parse, head)
    if impersonal or _is_negated(parse, head) or not is_finite_clause(parse, whole):
        return False
    measured = parse.lemmas[first - 1] in _WORDS["TIME"]  # "two days before the war"
    if parse.has_label(head, "advcl"):
        return (
            not measured and opened in _WORDS["REASON"] and bool(parse.children(head, *SUBJECTS)) and not _is_condition(parse, head, opened)
        )
    nouns = [index for index in range(first, last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    named = all(parse.tags[index] == "CD" or parse.lemmas[index].lower() in _WORDS["TIME"] for index in nouns)
    timed = opened in _WORDS["CIRCUMSTANCE"] or (named and parse.tags[first] in _OPENING_TIME)
    says_more = parse.children(whole, "obj", "cop", "xcomp", "ccomp") or len(parse.children(whole, "obl")) > 1  # not "It was founded."
    light = parse.lemmas[whole].lower() in _WORDS["LIGHT"] or opened in ("till", "until", "to")  # "from morning till night"
    return parse.has_label(head, "obl", "advmod") and bool(nouns) and timed and bool(says_more) and not (light or measured)


def _is_second_clause(parse: Parse, head: int) -> bool:
    """Tell whether a coordinated clause has its own subject and verb, and is joined to the main one by "and" or "but"."""
    joints = {parse.tokens[index].lower() for index in parse.children(head, "cc")}
    own = is_finite_clause(parse, head) and bool(parse.children(head, "nsubj", "expl"))
    if ("not", "only") in pairwise(map(parse.word, range(head))):
        return False
    return own and parse.deps[parse.heads[head]] == "ROOT" and bool(joints & {"and", "but"})


def _is_added_clause(parse: Parse, head: int) -> bool:
    """Tell whether a second main clause only adds to the first; what follows "but" is what the sentence is said for."""
    return _is_second_clause(parse, head) and all(parse.word(index) != "but" for index in parse.children(head, "cc"))


def _is_indefinite_predicate(parse: Parse, noun: int) -> bool:
    """Tell whether a noun is a predicate with "a" or "an": "Tom is a man who sings"."""
    articles = {parse.word(index) for index in parse.children(noun, "det")}
    return bool(articles & {"a", "an"} and parse.children(noun, "nsubj"))

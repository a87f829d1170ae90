"""Which parts of a clause it can do without."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import SUBJECTS, is_finite_clause, verbs_of
from augcse.augmentations.text.tables import word_sets

WORDS = word_sets(Path(__file__).with_name("words.txt"))
_OPENING_TIME = frozenset({"IN", "DT", "NN", "NNP", "JJ", "CD"})


def _is_conditioned(parse: Parse, index: int) -> bool:
    """Tell whether a word hangs below a negation, restriction or condition: "He did not leave because it rained"."""
    while parse.heads[index] != index:
        index = parse.heads[index]
        if any(parse.word(child) in ("if", "unless") for child in parse.children(index, "mark")):
            return True
        if any(parse.is_negation(child) or parse.word(child) == "only" for child in parse.children(index, "advmod")):
            return True
    return False


def attributes(parse: Parse, first: int, last: int) -> bool:
    """Tell whether a part says whose view the rest is, or what it leaves out: without it, more would be claimed."""
    return any(parse.word(index) in WORDS["ATTRIBUTING"] for index in range(first, last + 1))


def may_open(parse: Parse, head: int, last: int) -> bool:
    """Tell whether an adverbial before the main clause may go: the clause must not need its condition, or the name it begins with."""
    opened = {token.lower() for token in parse.tokens[: min(last, 2) + 1]}
    if not parse.has_label(head, "obl", "advcl", "advmod", "discourse") or parse.deps[parse.heads[head]] != "ROOT":
        return False
    clause = parse.has_label(head, "advcl")
    if parse.has_label(head, "obl") and parse.word(0) in WORDS["SCOPE"] and _holds_there_only(parse, parse.heads[head]):
        return False
    if not opened.isdisjoint(WORDS["NEEDED"]) or (parse.tags[0].startswith("W") and not clause):
        return False
    if clause and (parse.tags[0] not in ("IN", "WRB", "VBG", "VBN", "TO", "RB") or _is_condition(parse, head, parse.word(0))):
        return False
    if parse.has_label(head, "obl") and not parse.children(head, "case") and parse.children(head, "acl"):
        return False  # "What he meant, he said."
    follows = parse.tags[last + 2]
    names = any(tag.startswith("NN") for tag in parse.tags[: last + 1])
    return follows in ("DT", "NNP", "NNS", "NN", "EX", "PRP", "PRP$", "JJ", "CD") and not (names and clause and follows.startswith("PRP"))


def _holds_there_only(parse: Parse, root: int) -> bool:
    """Tell whether a clause may be true only within its opening phrase: it is in the present, denied, or says what there is."""
    verbs = [parse.tags[index] for index in verbs_of(parse, root)]
    parts = {root, *parse.children(root, *SUBJECTS, "obj")}
    denied = any((parse.is_negation(index) or parse.word(index) == "only") and parse.heads[index] in parts for index in range(len(parse)))
    return denied or bool(parse.children(root, "expl")) or verbs[0] in ("VBZ", "VBP")


def _is_condition(parse: Parse, head: int, opened: str) -> bool:
    """Tell whether a clause with "when" says under which condition the main clause holds, or what is known: it tells no past event."""
    return opened == "when" and all(parse.tags[index] != "VBD" for index in verbs_of(parse, head))


def stands_apart(parse: Parse, head: int, last: int) -> bool:
    """Tell whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    whole = parse.heads[head]
    subordinate = any(parse.deps[index] == "mark" or parse.tags[index][0] == "W" for index in range(parse.first(head), head + 1))
    if is_finite_clause(parse, head) and not subordinate and not parse.has_label(head, "conj"):
        return False
    start = parse.first(head) + (parse.tokens[parse.first(head)] == ",")
    opened = parse.word(start)
    if parse.has_label(head, "conj"):
        return last + 2 >= len(parse) and _is_added_clause(parse, head)
    if opened == "that" or (opened == "to" and parse.tag(start - 2).startswith("NN")):
        return False  # "so great, that"; "the aim, to help them"
    clauses = [index for index in parse.children(whole, "advcl") if index > whole]
    listed = parse.children(whole, "conj") or parse.has_label(whole, "conj") or parse.children(head, "conj")
    if parse.has_label(head, "appos", "acl", "nmod"):
        list_marks = {",", "CC"} <= set(parse.tags[parse.first(head) : last])  # "dogs, a cat, and a horse"
        return not (listed or (list_marks and parse.has_label(head, "appos"))) and opened not in WORDS["NEEDED"] - {"whose"}
    if opened in ("and", "or", "but") or (parse.has_label(head, "advcl") and (len(clauses) > 1 or _is_conditioned(parse, head))):
        return False
    return parse.has_label(head, "advcl", "obl", "advmod") and opened not in WORDS["NEEDED"] and parse.tags[last] not in ("JJ", "DT", "CD")


def stands_last(parse: Parse, head: int, first: int, last: int) -> bool:
    """Tell whether words at the end of the sentence, with no comma before them, may go."""
    whole = parse.heads[head]
    opened = parse.tokens[first].lower()
    impersonal = any(parse.tokens[index].lower() in ("it", "there", "this", "that") for index in parse.children(whole, *SUBJECTS))
    if parse.has_label(head, "nmod"):
        return opened in WORDS["PLACE"] and _is_indefinite_predicate(parse, whole)
    if parse.has_label(head, "conj"):
        return _is_added_clause(parse, head)
    if impersonal or _is_conditioned(parse, head) or not is_finite_clause(parse, whole):
        return False
    measured = parse.lemmas[first - 1] in WORDS["TIME"]  # "two days before the war"
    if parse.has_label(head, "advcl"):
        aged = parse.tags[whole] == "CD" or parse.word(whole) == "old"  # "was 79 when he died"
        told = opened in WORDS["REASON"] and bool(parse.children(head, *SUBJECTS)) and not _is_condition(parse, head, opened)
        return told and not (measured or aged)
    nouns = [index for index in range(first, last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    named = all(parse.tags[index] == "CD" or parse.lemmas[index].lower() in WORDS["TIME"] for index in nouns)
    timed = opened in WORDS["CIRCUMSTANCE"] or (named and parse.tags[first] in _OPENING_TIME)
    says_more = parse.children(whole, "obj", "xcomp", "ccomp") or len(parse.children(whole, "obl")) > 1  # not "It was founded."
    light = parse.lemmas[whole].lower() in WORDS["LIGHT"] or opened in ("till", "until", "to")  # "from morning till night"
    return parse.has_label(head, "obl", "advmod") and bool(nouns) and timed and bool(says_more) and not (light or measured)


def is_second_clause(parse: Parse, head: int) -> bool:
    """Tell whether a coordinated clause has its own subject and verb, and is joined to the main one by "and" or "but"."""
    joints = {parse.tokens[index].lower() for index in parse.children(head, "cc")}
    own = is_finite_clause(parse, head) and bool(parse.children(head, "nsubj", "expl"))
    if ("not", "only") in pairwise(map(parse.word, range(head))):
        return False
    return own and parse.deps[parse.heads[head]] == "ROOT" and bool(joints & {"and", "but"})


def _is_added_clause(parse: Parse, head: int) -> bool:
    """Tell whether a second main clause only adds to the first: its "and" joins no list, and what follows "but" is the point."""
    listed = any(parse.has_label(index, "conj") and not parse.children(index, "cc") for index in range(head))
    adds = is_second_clause(parse, head) and all(parse.word(index) != "but" for index in parse.children(head, "cc"))
    return adds and not listed


def _is_indefinite_predicate(parse: Parse, noun: int) -> bool:
    """Tell whether a noun is a predicate with "a" or "an" that says what the subject's noun does not: "Tom is a man who sings"."""
    articles = {parse.word(index) for index in parse.children(noun, "det")}
    subjects = {parse.word(index) for index in parse.children(noun, "nsubj")}
    return bool(articles & {"a", "an"} and subjects) and parse.word(noun) not in subjects

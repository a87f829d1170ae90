"""Which parts of a clause it can do without."""

from __future__ import annotations

from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, belongs_to_conjunction, is_finite_clause, verbs_of
from augcse.augmentations.text.tables import word_sets

WORDS = word_sets(Path(__file__).with_name("words.txt"))
_TIMES = WORDS["TIME"] | VERB_WORDS["CALENDAR"]
# What a main clause opens with after an adverbial, and what an adverbial clause opens with.
_OPENING_MAIN = frozenset({"DT", "NNP", "NNS", "NN", "EX", "PRP", "PRP$", "JJ", "CD"})
_OPENING_CLAUSE = frozenset({"IN", "WRB", "VBG", "VBN", "TO", "RB"})
_IMPERSONAL = frozenset({"it", "there", "this", "that"})


def claims_more_without(parse: Parse, first: int, last: int) -> bool:
    """Tell whether a part says whose view the rest is, or what it leaves out."""
    return any(parse.word(index) in WORDS["ATTRIBUTING"] for index in range(first, last + 1))


def can_drop_opening(parse: Parse, head: int, last: int) -> bool:
    """Tell whether an adverbial before the main clause may go: the clause must not need its condition, or the name it begins with."""
    opened = map(parse.word, range(min(last, 2) + 1))
    if parse.deps[parse.heads[head]] != "ROOT" or parse.tags[last + 2] not in _OPENING_MAIN or not WORDS["NEEDED"].isdisjoint(opened):
        return False
    if parse.has_label(head, "advcl"):
        return _can_drop_opening_clause(parse, head, last)
    return _can_drop_opening_phrase(parse, head) if parse.has_label(head, "obl") else parse.has_label(head, "advmod", "discourse")


def _can_drop_opening_clause(parse: Parse, head: int, last: int) -> bool:
    """Tell whether a clause is no condition, and names nobody whom the pronoun after it may mean."""
    names = any(tag.startswith("NN") for tag in parse.tags[: last + 1])
    explains = names and parse.tags[last + 2].startswith("PRP")
    return parse.tags[0] in _OPENING_CLAUSE and not explains and not _is_condition(parse, head, parse.word(0))


def _can_drop_opening_phrase(parse: Parse, head: int) -> bool:
    """Tell whether the clause may be true without its opening phrase, within which alone what is in the present may hold."""
    tense = parse.tags[verbs_of(parse, parse.heads[head])[0]]
    holds_there_only = parse.word(0) in WORDS["SCOPE"] and tense in ("VBZ", "VBP")
    return not holds_there_only and parse.word(0) not in WORDS["ENDED"]


def _is_condition(parse: Parse, head: int, opened: str) -> bool:
    """Tell whether a clause with "when" says under which condition the main clause holds, or what is known: it tells no past event."""
    return opened == "when" and all(parse.tags[index] != "VBD" for index in verbs_of(parse, head))


def can_drop_aside(parse: Parse, head: int, last: int) -> bool:
    """Tell whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    if parse.has_label(head, "conj"):
        return last + 2 >= len(parse) and _is_added_clause(parse, head)
    start = parse.first(head) + (parse.tokens[parse.first(head)] == ",")
    opened = parse.word(start)
    if opened in ("that", "to") or _is_main_clause(parse, head):
        return False  # "so great, that"; "the aim, to help them"
    if parse.has_label(head, "appos", "acl", "nmod"):
        return opened not in WORDS["NEEDED"] - {"whose"} and not _is_listed(parse, head, last)
    if opened in WORDS["NEEDED"] | {"and", "or", "but"} or parse.tags[last] in ("JJ", "DT", "CD"):
        return False
    if not parse.has_label(head, "advcl"):
        return parse.has_label(head, "obl", "advmod")
    whole = parse.heads[head]
    others = [index for index in parse.children(whole, "advcl") if index > whole]
    return len(others) < 2 and not _is_denied(parse, head)


def _is_main_clause(parse: Parse, head: int) -> bool:
    """Tell whether a finite clause is opened by no subordinating or relative word."""
    opening = range(parse.first(head), head + 1)
    return is_finite_clause(parse, head) and not any(parse.deps[index] == "mark" or parse.tags[index][0] == "W" for index in opening)


def _is_listed(parse: Parse, head: int, last: int) -> bool:
    """Tell whether an attribute is one of a list, or an apposition holds one: "dogs, a cat, and a horse"."""
    whole = parse.heads[head]
    if parse.children(whole, "conj") or parse.has_label(whole, "conj") or parse.children(head, "conj"):
        return True
    return parse.has_label(head, "appos") and {",", "CC"} <= set(parse.tags[parse.first(head) : last])


def can_drop_end(parse: Parse, head: int, first: int, last: int) -> bool:
    """Tell whether words at the end of the sentence, with no comma before them, may go."""
    whole, opened = parse.heads[head], parse.word(first)
    if parse.has_label(head, "nmod"):
        return opened in WORDS["PLACE"] and _is_indefinite_predicate(parse, whole)
    if parse.has_label(head, "conj"):
        return _is_added_clause(parse, head)
    impersonal = not _IMPERSONAL.isdisjoint(map(parse.word, parse.children(whole, *SUBJECTS)))
    if impersonal or _is_denied(parse, head) or not is_finite_clause(parse, whole):
        return False
    if parse.lemmas[first - 1] in _TIMES or belongs_to_conjunction(parse, first - 1):
        return False  # "two days before the war", "back when we were young"
    if parse.has_label(head, "advcl"):
        return _is_loose_reason(parse, head, opened)
    return parse.has_label(head, "obl", "advmod") and _is_loose_time(parse, whole, first, last)


def _is_loose_reason(parse: Parse, head: int, opened: str) -> bool:
    """Tell whether a final clause gives a reason or a past time that the main clause does not wait for: not "was 79 when he died"."""
    aged = parse.tags[parse.heads[head]] == "CD"
    return opened in WORDS["REASON"] and bool(parse.children(head, *SUBJECTS)) and not aged and not _is_condition(parse, head, opened)


def _is_loose_time(parse: Parse, whole: int, first: int, last: int) -> bool:
    """Tell whether a final phrase is a time or circumstance beside which the verb says more: not "It was founded in May"."""
    opened = parse.word(first)
    nouns = [index for index in range(first, last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    timed = opened in WORDS["CIRCUMSTANCE"] or all(parse.tags[index] == "CD" or parse.lemmas[index].lower() in _TIMES for index in nouns)
    said = range(parse.first(whole), first)
    if any(parse.tags[index] in ("JJS", "RBS") or parse.word(index) == "first" for index in said):
        return False  # "their highest level since 2007", "for the first time since the war"
    says_more = bool(parse.children(whole, "obj", "xcomp", "ccomp")) or len(parse.children(whole, "obl")) > 1
    light = parse.lemmas[whole].lower() in WORDS["LIGHT"] or opened in ("till", "until", "to")  # "from morning till night"
    return bool(nouns) and timed and says_more and not light


def _is_denied(parse: Parse, index: int) -> bool:
    """Tell whether a word hangs below a negation: "He did not leave because it rained"."""
    _, *above = parse.path(index)
    return any(parse.is_negation(adverb) for head in above for adverb in parse.children(head, "advmod"))


def is_second_clause(parse: Parse, head: int) -> bool:
    """Tell whether a coordinated clause has its own subject and verb, and is joined to the main one by "and" or "but"."""
    joints = {parse.word(index) for index in parse.children(head, "cc")}
    own = is_finite_clause(parse, head) and bool(parse.children(head, "nsubj", "expl"))
    return own and parse.deps[parse.heads[head]] == "ROOT" and bool(joints & {"and", "but"})


def _is_added_clause(parse: Parse, head: int) -> bool:
    """Tell whether a second main clause only adds to the first: its "and" joins no list."""
    listed = any(parse.has_label(index, "conj", "parataxis") and not parse.children(index, "cc") for index in range(head))
    return is_second_clause(parse, head) and not listed


def _is_indefinite_predicate(parse: Parse, noun: int) -> bool:
    """Tell whether a noun is a predicate with "a" or "an" that says what the subject's noun does not: "Tom is a man who sings"."""
    articles = {parse.word(index) for index in parse.children(noun, "det")}
    subjects = {parse.word(index) for index in parse.children(noun, "nsubj")}
    return bool(articles & {"a", "an"} and subjects) and parse.word(noun) not in subjects

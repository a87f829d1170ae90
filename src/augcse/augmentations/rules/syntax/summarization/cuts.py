"""The parts that a sentence can do without, and the edits that leave them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite_clause, verbs_of
from augcse.augmentations.english.conjunctions import relation_at
from augcse.augmentations.english.marks import asks, ends_clause, is_balanced
from augcse.augmentations.english.phrase import words_only
from augcse.augmentations.english.tags import OPENS_NOUN_PHRASE
from augcse.augmentations.english.times import is_time_noun
from augcse.augmentations.text.edits import Edit
from augcse.augmentations.text.tables import word_sets

WORDS = word_sets(Path(__file__).with_name("words.txt"))
# What a clause at the end that a summary can do without says of the rest.
_ADDED = ("reason", "time", "concession", "comparison")
# The tags that an adverbial clause opens with.
_OPENING_CLAUSE = frozenset({"IN", "WRB", "VBG", "VBN", "TO", "RB"})
_IMPERSONAL = frozenset({"it", "there", "this", "that"})
# What brackets may contain: no object, subject or the like of a word outside.
_LOOSE = ("appos", "parataxis", "acl", "advcl", "nmod", "obl", "dep", "list", "conj", "discourse", "nummod", "punct", "advmod", "cc")
# The tags that another part of a list, an apposition or a relative clause begins with after an aside.
_NEXT_PART = ("NN", "CD", "JJ", "W", "VBG", "DT")
# Words that need what follows them: "turned to, and on, the king".
_GOVERNING = frozenset({"IN", "TO", "DT", "PRP$", "CC"})


@dataclass(frozen=True, slots=True)
class Part:
    """A word with its whole subtree, without the marks at both ends: the tokens `first` to `last`, of which `opener` is the first word."""

    head: int
    parent: int  # the word that the head depends on
    label: str
    first: int
    last: int
    opener: str


def cuts_of(parse: Parse) -> list[Edit]:
    """Return the edits that leave out what the sentence can do without; the longest of those with the same start."""
    cuts: dict[int, Edit] = {}  # by the head of the part that they leave out
    for part in filter(None, (_part_of(parse, head) for head in range(len(parse)))):
        cut = _cut(parse, part, cuts)
        if cut is not None:
            cuts[part.head] = cut
    return list({cut.start: cut for cut in sorted([*_brackets(parse), *cuts.values()])}.values())


def _brackets(parse: Parse) -> list[Edit]:
    """Return the edits that leave out all brackets with a space before them; none if one of the brackets has to stay."""
    edits = []
    for first in range(1, len(parse)):
        if parse.tokens[first] != "(" or parse.starts[first] == parse.end(first - 1) or ")" not in parse.tokens[first:]:
            continue
        last = parse.tokens.index(")", first)
        attached = [index for index in range(first + 1, last) if not first < parse.heads[index] < last]
        # What follows a final verb in brackets is its predicate: "The answer is (c)."
        is_predicate = parse.upos[first - 1] == "AUX" and not parse.tag(last + 1)[0].isalpha()
        is_needed = is_predicate or parse.tags[first - 1] in _GOVERNING or parse.word(first + 1) in WORDS["KEPT_BRACKET"]
        is_whole = is_balanced(parse.text[slice(*parse.span(first, last))])
        if is_needed or not is_whole or not all(parse.has_label(index, *_LOOSE) for index in attached):
            return []
        edits.append(Edit(parse.end(first - 1), parse.end(last), ""))
    return edits


def _cut(parse: Parse, part: Part, cuts: Mapping[int, Edit]) -> Edit | None:
    """Return the edit that leaves out a part; None if the part has to stay. `cuts` has the edits for earlier heads."""
    first, last = part.first, part.last
    before, is_last = parse.token(first - 1), ends_clause(parse, last + 1)
    ends_with_comma = parse.token(last + 1) == "," and last + 2 < len(parse)
    cut = None
    if first == 0:
        cut = Edit(0, parse.starts[last + 2], "") if ends_with_comma and _can_drop_opening(parse, part) else None
    elif asks(parse, last):
        return None
    elif before == ",":
        is_set_off = first > 1 and parse.tags[first - 2] not in _GOVERNING and (is_last or ends_with_comma)
        cut = _without_aside(parse, part, cuts) if is_set_off and _can_drop_aside(parse, part) else None
    elif before[0].isalnum() and is_last and _can_drop_end(parse, part):
        cut = Edit(parse.end(first - 1), parse.end(last), "")
    if cut is not None and parse.text[: cut.start].endswith(".") and parse.text.startswith(".", cut.end):
        return Edit(cut.start, cut.end + 1, "")  # one full stop of two is left: "in Md., on Monday."
    return cut


def _without_aside(parse: Parse, part: Part, cuts: Mapping[int, Edit]) -> Edit | None:
    """Return the edit that leaves out an aside and its commas, except for one that separates the words around it; None if it stays."""
    first, last, follows = part.first, part.last, part.last + 2
    if parse.token(last + 1) != ",":
        return Edit(parse.end(first - 2), parse.end(last), "")
    tag = parse.tags[follows]
    continues_clause = tag in (*FINITE_TAGS, "IN", "TO")
    if not continues_clause and any(index > last for index in parse.children(part.parent, *SUBJECTS)):
        return Edit(parse.end(first - 1), parse.end(last + 1), "")  # the first comma stays: "Moreover, when he came, she left."
    is_conjunction = tag == "CC"
    begins_clause = any(parse.has_label(index, *SUBJECTS) and parse.first(index) in (last + 1, follows) for index in range(len(parse)))
    joins_no_clause = is_conjunction and not _is_second_clause(parse, parse.heads[follows])
    if joins_no_clause or (not begins_clause and tag.startswith(_NEXT_PART)):
        return None
    # What the aside belongs to is over before it: "It fell, breaking the wall, he says."
    is_over = part.parent < first and parse.tags[part.parent].startswith(("V", "J"))
    is_separate = is_conjunction or ((is_over or begins_clause) and not continues_clause) or not parse.tokens[follows][0].isalnum()
    keeps_comma = is_separate or any(_stays_apart(parse, part, _part_of(parse, sibling), cuts) for sibling in parse.children(part.parent))
    return Edit(parse.end(first - 2), parse.end(last if keeps_comma else last + 1), "")


def _stays_apart(parse: Parse, part: Part, sibling: Part | None, cuts: Mapping[int, Edit]) -> bool:
    """Return whether an aside next to the one that is left out stays: "Ann, 84, of Rome, died"; one after it has to describe a noun."""
    if sibling is None or sibling.label in SUBJECTS or not parse.token(sibling.first - 1) == "," == parse.token(sibling.last + 1):
        return False
    comes_after = sibling.first == part.last + 2 and sibling.label in ("appos", "acl", "nmod")
    return comes_after or (sibling.last == part.first - 2 and sibling.head not in cuts)


def _part_of(parse: Parse, head: int) -> Part | None:
    """Return the part of a word; None without words, with half a pair of brackets, or with words that say whose view the rest is."""
    stretch = words_only(parse, parse.first(head), parse.last(head))
    if stretch is None or not is_balanced(parse.text[slice(*parse.span(*stretch))]):
        return None
    if not WORDS["ATTRIBUTING"].isdisjoint(map(parse.word, range(stretch[0], stretch[1] + 1))):
        return None
    return Part(head, parse.heads[head], parse.deps[head].partition(":")[0], *stretch, parse.word(stretch[0]))


def _can_drop_opening(parse: Parse, part: Part) -> bool:
    """Return whether the sentence can do without an adverbial before its main clause."""
    main = part.last + 2
    if parse.deps[part.parent] != "ROOT" or parse.tags[main] not in OPENS_NOUN_PHRASE:
        return False
    if not WORDS["NEEDED"].isdisjoint(map(parse.word, range(min(part.last, 2) + 1))):
        return False
    if part.label == "advcl":
        # The noun that the first pronoun of the main clause means has to stay.
        is_meant = parse.tags[main].startswith("PRP") and any(tag.startswith("NN") for tag in parse.tags[: part.last + 1])
        return parse.tags[0] in _OPENING_CLAUSE and not is_meant and not _is_condition(parse, part)
    if part.label == "obl":  # the present may hold there only ("In Japan, people eat rice"), what has ended until then only
        is_limited = part.opener in WORDS["SCOPE"] and parse.tags[verbs_of(parse, part.parent)[0]] in ("VBZ", "VBP")
        return not is_limited and part.opener not in WORDS["ENDED"]
    return part.label in ("advmod", "discourse")


def _can_drop_aside(parse: Parse, part: Part) -> bool:
    """Return whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    head, parent = part.head, part.parent
    if part.label == "conj":
        return part.last + 2 >= len(parse) and _is_added_clause(parse, head)
    is_subordinate = any(parse.has_label(index, "mark") or parse.tags[index][0] == "W" for index in range(part.first, head + 1))
    if part.opener in ("that", "to") or (is_finite_clause(parse, head) and not is_subordinate):
        return False  # a complement ("so great, that", "the aim, to help them") or a main clause
    if part.label in ("appos", "acl", "nmod"):
        is_joined = parse.has_label(parent, "conj") or bool(parse.children(parent, "conj") or parse.children(head, "conj"))
        is_list = part.label == "appos" and "CC" in parse.tags[part.first : part.last]  # the parser's mistake: "dogs, a cat, and a horse"
        return part.opener not in WORDS["NEEDED"] - {"whose"} and not is_joined and not is_list
    if part.opener in WORDS["NEEDED"] | {"and", "or", "but"} or parse.tags[part.last] in ("JJ", "DT", "CD"):
        return False
    if part.label == "advcl":
        return sum(index > parent for index in parse.children(parent, "advcl")) < 2 and not _is_denied(parse, head)
    return part.label in ("obl", "advmod")


def _can_drop_end(parse: Parse, part: Part) -> bool:
    """Return whether the sentence can do without words at its end that have no comma before them."""
    if part.label == "conj":
        return _is_added_clause(parse, part.head)
    subjects = set(map(parse.word, parse.children(part.parent, *SUBJECTS)))
    if part.label == "nmod":  # the place in a predicate: "is a village in Iran"
        articles = set(map(parse.word, parse.children(part.parent, "det")))
        return part.opener in WORDS["PLACE"] and bool(subjects) and not articles.isdisjoint({"a", "an"})
    if not subjects.isdisjoint(_IMPERSONAL) or not is_finite_clause(parse, part.parent) or _is_denied(parse, part.head):
        return False
    if parse.tags[part.first - 1] in ("NN", "NNS") and _is_time_noun(parse, part.first - 1):
        return False  # the time before it needs it: "two days before the war"
    if part.label == "advcl":
        is_measured = parse.tags[part.parent] == "CD"  # a number at some time: "was 79 when he died"
        is_reason = relation_at(parse, part.first) in _ADDED and bool(parse.children(part.head, *SUBJECTS))
        return is_reason and not is_measured and not _is_condition(parse, part)
    return part.label in ("obl", "advmod") and _is_time(parse, part) and not _needs_time(parse, part)


def _is_time_noun(parse: Parse, index: int) -> bool:
    return is_time_noun(parse.lemmas[index].lower())


def _is_time(parse: Parse, part: Part) -> bool:
    """Return whether a phrase is a time, by its nouns and numbers, or a circumstance, by its preposition."""
    nouns = [index for index in range(part.first, part.last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    are_times = all(parse.tags[index] == "CD" or _is_time_noun(parse, index) for index in nouns)
    return bool(nouns) and (are_times or part.opener in WORDS["CIRCUMSTANCE"])


def _needs_time(parse: Parse, part: Part) -> bool:
    """Return whether the verb says too little without its final time ("It was founded in May"), or words before the time need it."""
    verb = part.parent
    says_more = bool(parse.children(verb, "obj", "xcomp", "ccomp")) or len(parse.children(verb, "obl")) > 1
    # The time belongs to words before it: "from morning till night", "for the first time since the war".
    completes_time = part.opener in ("till", "until", "to") or "first" in map(parse.word, range(parse.first(verb), part.first))
    return not says_more or completes_time or parse.lemmas[verb].lower() in WORDS["LIGHT"]


def _is_condition(parse: Parse, part: Part) -> bool:
    """Return whether a clause with "when" is a condition of the main clause or part of what is known: it is not about a past event."""
    return part.opener == "when" and "VBD" not in (parse.tags[verb] for verb in verbs_of(parse, part.head))


def _is_denied(parse: Parse, index: int) -> bool:
    """Return whether a word depends on a negated one: "He did not leave because it rained"."""
    return any(parse.is_negation(child) for above in parse.path(parse.heads[index]) for child in parse.children(above))


def _is_second_clause(parse: Parse, head: int) -> bool:
    """Return whether a coordinated clause has a subject, and is joined to the main one by "and" or "but"."""
    is_joined = not {"and", "but"}.isdisjoint(map(parse.word, parse.children(head, "cc")))
    return is_joined and parse.deps[parse.heads[head]] == "ROOT" and bool(parse.children(head, *SUBJECTS))


def _is_added_clause(parse: Parse, head: int) -> bool:
    """Return whether a second main clause only adds to the first: its conjunction does not end a list."""
    earlier = (index for index in range(head) if parse.has_label(index, "conj", "parataxis"))
    return _is_second_clause(parse, head) and all(parse.children(index, "cc") for index in earlier)

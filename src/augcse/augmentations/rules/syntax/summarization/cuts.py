"""The parts that a sentence can do without, and the edits that leave them out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, is_finite
from augcse.augmentations.english.conjunctions import links
from augcse.augmentations.english.marks import asks, ends_clause
from augcse.augmentations.english.phrase import is_balanced, words_only
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
class Tree:
    """A parse with the properties of its words, collected in one pass; labels are without subtypes."""

    parse: Parse
    labels: Sequence[str]
    children: Mapping[tuple[int, str], list[int]]  # the dependents, by the head and the label
    subjects: Mapping[int, list[int]]
    verbs: Mapping[int, list[str]]  # the tags of the head of a clause and its auxiliaries, by the head
    finite: set[int]  # the heads of finite clauses
    negated: set[int]  # the words with a dependent "not"
    times: set[int]  # the nouns that mean a time
    adding: set[int]  # the conjunctions of what only adds to the rest
    ends: set[int]  # the tokens that a sentence or main clause ends before
    asks: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A word with its whole subtree, without the marks at both ends: the tokens `first` to `last`, of which `opener` is the first word."""

    head: int
    parent: int  # the word that the head depends on
    label: str
    first: int
    last: int
    opener: str


def tree_of(parse: Parse) -> Tree:
    """Collect the properties of the words of a parse."""
    labels = [label.partition(":")[0] for label in parse.deps]
    children: dict[tuple[int, str], list[int]] = defaultdict(list)
    subjects: dict[int, list[int]] = defaultdict(list)
    verbs: dict[int, list[str]] = defaultdict(list)
    finite, negated, times = set(), set(), set()
    for index, (head, label, tag) in enumerate(zip(parse.heads, labels, parse.tags, strict=True)):
        children[head, label].append(index)
        if label in SUBJECTS:
            subjects[head].append(index)
        if parse.is_negation(index):
            negated.add(head)
        clause = head if label in ("aux", "cop") else index
        verbs[clause].append(tag)
        if is_finite(parse, index):
            finite.add(clause)
        if is_time_noun(parse.lemmas[index].lower()):
            times.add(index)
    adding = set(links(parse, *_ADDED))
    ends = {index for index in range(len(parse) + 1) if ends_clause(parse, index)}
    is_question = len(parse) > 0 and asks(parse, len(parse) - 1)
    return Tree(parse, labels, dict(children), dict(subjects), dict(verbs), finite, negated, times, adding, ends, is_question)


def cuts_of(tree: Tree) -> list[Edit]:
    """Return the edits that leave out what the sentence can do without; the longest of those with the same start."""
    cuts: dict[int, Edit] = {}  # by the head of the part that they leave out
    for part in filter(None, (_part_of(tree, head) for head in range(len(tree.parse)))):
        cut = _cut(tree, part, cuts)
        if cut is not None:
            cuts[part.head] = cut
    return list({cut.start: cut for cut in sorted([*_brackets(tree), *cuts.values()])}.values())


def _brackets(tree: Tree) -> list[Edit]:
    """Return the edits that leave out all brackets with a space before them; none if one of the brackets has to stay."""
    parse, edits = tree.parse, []
    for first in range(1, len(parse)):
        if parse.tokens[first] != "(" or parse.starts[first] == parse.end(first - 1) or ")" not in parse.tokens[first:]:
            continue
        last = parse.tokens.index(")", first)
        attached = [index for index in range(first + 1, last) if not first < parse.heads[index] < last]
        # What follows a final verb in brackets is its predicate: "The answer is (c)."
        is_predicate = parse.upos[first - 1] == "AUX" and not parse.tag(last + 1)[0].isalpha()
        is_needed = is_predicate or parse.tags[first - 1] in _GOVERNING or tree.parse.words[first + 1] in WORDS["KEPT_BRACKET"]
        if is_needed or "(" in parse.tokens[first + 1 : last] or not all(tree.labels[index] in _LOOSE for index in attached):
            return []
        edits.append(Edit(parse.end(first - 1), parse.end(last), ""))
    return edits


def _cut(tree: Tree, part: Part, cuts: Mapping[int, Edit]) -> Edit | None:
    """Return the edit that leaves out a part; None if the part has to stay. `cuts` has the edits for earlier heads."""
    parse, first, last = tree.parse, part.first, part.last
    before, is_last = parse.token(first - 1), last + 1 in tree.ends
    ends_with_comma = parse.token(last + 1) == "," and last + 2 < len(parse)
    cut = None
    if first == 0:
        cut = Edit(0, parse.starts[last + 2], "") if ends_with_comma and _can_drop_opening(tree, part) else None
    elif tree.asks:
        return None
    elif before == ",":
        is_set_off = first > 1 and parse.tags[first - 2] not in _GOVERNING and (is_last or ends_with_comma)
        cut = _without_aside(tree, part, cuts) if is_set_off and _can_drop_aside(tree, part) else None
    elif before[0].isalnum() and is_last and _can_drop_end(tree, part):
        cut = Edit(parse.end(first - 1), parse.end(last), "")
    if cut is not None and parse.text[: cut.start].endswith(".") and parse.text.startswith(".", cut.end):
        return Edit(cut.start, cut.end + 1, "")  # one full stop of two is left: "in Md., on Monday."
    return cut


def _without_aside(tree: Tree, part: Part, cuts: Mapping[int, Edit]) -> Edit | None:
    """Return the edit that leaves out an aside and its commas, except for one that separates the words around it; None if it stays."""
    parse, first, last, follows = tree.parse, part.first, part.last, part.last + 2
    if parse.token(last + 1) != ",":
        return Edit(parse.end(first - 2), parse.end(last), "")
    tag = parse.tags[follows]
    continues_clause = tag in (*FINITE_TAGS, "IN", "TO")
    if not continues_clause and any(index > last for index in tree.subjects.get(part.parent, ())):
        return Edit(parse.end(first - 1), parse.end(last + 1), "")  # the first comma stays: "Moreover, when he came, she left."
    is_conjunction = tag == "CC"
    begins_clause = any(parse.first(index) in (last + 1, follows) for subjects in tree.subjects.values() for index in subjects)
    joins_no_clause = is_conjunction and not _is_second_clause(tree, parse.heads[follows])
    if joins_no_clause or (not begins_clause and tag.startswith(_NEXT_PART)):
        return None
    # What the aside belongs to is over before it: "It fell, breaking the wall, he says."
    is_over = part.parent < first and parse.tags[part.parent].startswith(("V", "J"))
    is_separate = is_conjunction or ((is_over or begins_clause) and not continues_clause) or not parse.tokens[follows][0].isalnum()
    keeps_comma = is_separate or any(_stays_apart(tree, part, _part_of(tree, sibling), cuts) for sibling in parse.children(part.parent))
    return Edit(parse.end(first - 2), parse.end(last if keeps_comma else last + 1), "")


def _stays_apart(tree: Tree, part: Part, sibling: Part | None, cuts: Mapping[int, Edit]) -> bool:
    """Return whether an aside next to the one that is left out stays: "Ann, 84, of Rome, died"; one after it has to describe a noun."""
    parse = tree.parse
    if sibling is None or sibling.label in SUBJECTS or not parse.token(sibling.first - 1) == "," == parse.token(sibling.last + 1):
        return False
    comes_after = sibling.first == part.last + 2 and sibling.label in ("appos", "acl", "nmod")
    return comes_after or (sibling.last == part.first - 2 and sibling.head not in cuts)


def _part_of(tree: Tree, head: int) -> Part | None:
    """Return the part of a word; None without words, with half a pair of brackets, or with words that say whose view the rest is."""
    parse = tree.parse
    stretch = words_only(parse, parse.first(head), parse.last(head))
    if stretch is None or not is_balanced(parse.text[slice(*parse.span(*stretch))]):
        return None
    if not WORDS["ATTRIBUTING"].isdisjoint(tree.parse.words[stretch[0] : stretch[1] + 1]):
        return None
    return Part(head, parse.heads[head], tree.labels[head], *stretch, tree.parse.words[stretch[0]])


def _can_drop_opening(tree: Tree, part: Part) -> bool:
    """Return whether the sentence can do without an adverbial before its main clause."""
    parse, main = tree.parse, part.last + 2
    if parse.deps[part.parent] != "ROOT" or parse.tags[main] not in OPENS_NOUN_PHRASE:
        return False
    if not WORDS["NEEDED"].isdisjoint(tree.parse.words[: min(part.last, 2) + 1]):
        return False
    if part.label == "advcl":
        # The noun that the first pronoun of the main clause means has to stay.
        is_meant = parse.tags[main].startswith("PRP") and any(tag.startswith("NN") for tag in parse.tags[: part.last + 1])
        return parse.tags[0] in _OPENING_CLAUSE and not is_meant and not _is_condition(tree, part)
    if part.label == "obl":  # the present may hold there only ("In Japan, people eat rice"), what has ended until then only
        is_limited = part.opener in WORDS["SCOPE"] and tree.verbs[part.parent][0] in ("VBZ", "VBP")
        return not is_limited and part.opener not in WORDS["ENDED"]
    return part.label in ("advmod", "discourse")


def _can_drop_aside(tree: Tree, part: Part) -> bool:
    """Return whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    parse, head, parent = tree.parse, part.head, part.parent
    if part.label == "conj":
        return part.last + 2 >= len(parse) and _is_added_clause(tree, head)
    is_subordinate = any(tree.labels[index] == "mark" or parse.tags[index][0] == "W" for index in range(part.first, head + 1))
    if part.opener in ("that", "to") or (head in tree.finite and not is_subordinate):
        return False  # a complement ("so great, that", "the aim, to help them") or a main clause
    if part.label in ("appos", "acl", "nmod"):
        if part.label == "appos" and not tree.finite.isdisjoint(range(parent + 1, part.first)):
            return False  # it may be the object of a verb in between: "wool that takes on, with age, a sheen"
        is_joined = tree.labels[parent] == "conj" or (parent, "conj") in tree.children or (head, "conj") in tree.children
        is_list = part.label == "appos" and "CC" in parse.tags[part.first : part.last]  # the parser's mistake: "dogs, a cat, and a horse"
        return part.opener not in WORDS["NEEDED"] - {"whose"} and not is_joined and not is_list
    if part.opener in WORDS["NEEDED"] | {"and", "or", "but"} or parse.tags[part.last] in ("JJ", "DT", "CD"):
        return False
    if part.label == "advcl":
        return sum(index > parent for index in tree.children[parent, "advcl"]) < 2 and not _is_denied(tree, head)
    return part.label in ("obl", "advmod")


def _can_drop_end(tree: Tree, part: Part) -> bool:
    """Return whether the sentence can do without words at its end that have no comma before them."""
    if part.label == "conj":
        return _is_added_clause(tree, part.head)
    subjects = {tree.parse.words[index] for index in tree.subjects.get(part.parent, ())}
    if part.label == "nmod":  # the place in a predicate: "is a village in Iran"
        articles = {tree.parse.words[index] for index in tree.children.get((part.parent, "det"), ())}
        return part.opener in WORDS["PLACE"] and bool(subjects) and not articles.isdisjoint({"a", "an"})
    if not subjects.isdisjoint(_IMPERSONAL) or part.parent not in tree.finite or _is_denied(tree, part.head):
        return False
    if tree.parse.tags[part.first - 1] in ("NN", "NNS") and part.first - 1 in tree.times:
        return False  # the time before it needs it: "two days before the war"
    if part.opener in ("a", "an") and (part.first - 1, "nummod") in tree.children:
        return False  # it says how fast or how often: "40 miles an hour"
    if part.label == "advcl":
        is_measured = tree.parse.tags[part.parent] == "CD"  # a number at some time: "was 79 when he died"
        is_reason = part.first in tree.adding and part.head in tree.subjects
        return is_reason and not is_measured and not _is_condition(tree, part)
    return part.label in ("obl", "advmod") and _is_time(tree, part) and not _needs_time(tree, part)


def _is_time(tree: Tree, part: Part) -> bool:
    """Return whether a phrase is a time, by its nouns and numbers, or a circumstance, by its preposition."""
    parse = tree.parse
    nouns = [index for index in range(part.first, part.last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    are_times = all(parse.tags[index] == "CD" or index in tree.times for index in nouns)
    return bool(nouns) and (are_times or part.opener in WORDS["CIRCUMSTANCE"])


def _needs_time(tree: Tree, part: Part) -> bool:
    """Return whether the verb says too little without its final time ("It was founded in May"), or words before the time need it."""
    parse, verb = tree.parse, part.parent
    says_more = any((verb, label) in tree.children for label in ("obj", "xcomp", "ccomp")) or len(tree.children.get((verb, "obl"), ())) > 1
    # The time belongs to words before it: "from morning till night", "for the first time since the war".
    completes_time = part.opener in ("till", "until", "to") or "first" in tree.parse.words[parse.first(verb) : part.first]
    return not says_more or completes_time or parse.lemmas[verb].lower() in WORDS["LIGHT"]


def _is_condition(tree: Tree, part: Part) -> bool:
    """Return whether a clause with "when" is a condition of the main clause or part of what is known: it is not about a past event."""
    return part.opener == "when" and "VBD" not in tree.verbs[part.head]


def _is_denied(tree: Tree, index: int) -> bool:
    """Return whether a word depends on a negated one: "He did not leave because it rained"."""
    return any(above in tree.negated for above in tree.parse.path(tree.parse.heads[index]))


def _is_second_clause(tree: Tree, head: int) -> bool:
    """Return whether a coordinated clause has a subject, and is joined to the main one by "and" or "but"."""
    conjunctions = {tree.parse.words[index] for index in tree.children.get((head, "cc"), ())}
    return head in tree.subjects and tree.labels[tree.parse.heads[head]] == "ROOT" and not conjunctions.isdisjoint({"and", "but"})


def _is_added_clause(tree: Tree, head: int) -> bool:
    """Return whether a second main clause only adds to the first: its conjunction does not end a list."""
    earlier = (index for index in range(head) if tree.labels[index] in ("conj", "parataxis"))
    return _is_second_clause(tree, head) and all((index, "cc") in tree.children for index in earlier)

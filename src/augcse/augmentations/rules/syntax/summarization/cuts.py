"""The parts of a sentence that it can do without, and how to leave them out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, VERB_WORDS, is_finite
from augcse.augmentations.english.phrase import is_balanced, words_only
from augcse.augmentations.text.edits import Edit
from augcse.augmentations.text.tables import word_sets

WORDS = word_sets(Path(__file__).with_name("words.txt"))
_TIMES = WORDS["TIME"] | VERB_WORDS["CALENDAR"]
# What a main clause opens with after an adverbial, and what an adverbial clause opens with.
_OPENING_MAIN = frozenset({"DT", "NNP", "NNS", "NN", "EX", "PRP", "PRP$", "JJ", "CD"})
_OPENING_CLAUSE = frozenset({"IN", "WRB", "VBG", "VBN", "TO", "RB"})
_IMPERSONAL = frozenset({"it", "there", "this", "that"})
# What brackets may hold: their words hang on nothing outside as its object, its subject or the like.
_LOOSE = ("appos", "parataxis", "acl", "advcl", "nmod", "obl", "dep", "list", "conj", "discourse", "nummod", "punct", "advmod", "cc")
_SENTENCE_ENDS = frozenset({"", ".", "!", "?", ";"})
# With what a further part of a list, an apposition or a relative clause begins after an aside.
_NEXT_PART = ("NN", "CD", "JJ", "W", "VBG", "DT")
# What waits for what follows it: "turned to, and on, the king".
_GOVERNING = frozenset({"IN", "TO", "DT", "PRP$", "CC"})


@dataclass(frozen=True, slots=True)
class Tree:
    """A parse with what is asked of its words, read in one pass; labels are without subtypes."""

    parse: Parse
    words: Sequence[str]  # in small letters
    labels: Sequence[str]
    below: Mapping[tuple[int, str], list[int]]  # the dependents of a word with a label
    subjects: Mapping[int, list[int]]
    verbs: Mapping[int, list[str]]  # the tags of the head of a clause and its auxiliaries, by the head
    finite: set[int]  # the heads of finite clauses
    negated: set[int]  # the words with "not" below them


@dataclass(frozen=True, slots=True)
class Part:
    """A word with all below it but the marks at both ends: the tokens `first` to `last`, of which `opener` is the first word."""

    head: int
    whole: int  # the word that the head hangs on
    label: str
    first: int
    last: int
    opener: str


def read(parse: Parse) -> Tree:
    """Collect what the steps ask of the words of a parse."""
    words, labels = [token.lower() for token in parse.tokens], [label.partition(":")[0] for label in parse.deps]
    below: dict[tuple[int, str], list[int]] = defaultdict(list)
    subjects: dict[int, list[int]] = defaultdict(list)
    verbs: dict[int, list[str]] = defaultdict(list)
    finite, negated = set(), set()
    for index, (head, label, tag) in enumerate(zip(parse.heads, labels, parse.tags, strict=True)):
        below[head, label].append(index)
        if label in SUBJECTS:
            subjects[head].append(index)
        if parse.is_negation(index):
            negated.add(head)
        clause = head if label in ("aux", "cop") else index
        verbs[clause].append(tag)
        if is_finite(parse, index):
            finite.add(clause)
    return Tree(parse, words, labels, dict(below), dict(subjects), dict(verbs), finite, negated)


def cuts_of(tree: Tree) -> list[Edit]:
    """Return the edits that leave out what the sentence can do without; of those with one start the longest."""
    text = tree.parse.text
    cuts: dict[int, Edit] = {}  # by the head of what they leave out
    for part in filter(None, (_part(tree, head) for head in range(len(tree.parse)))):
        cut = _cut(tree, part, cuts)
        if cut is not None and is_balanced(text[cut.start : cut.end]):
            cuts[part.head] = cut
    brackets = [cut for cut in _brackets(tree) if is_balanced(text[cut.start : cut.end])]
    return list({cut.start: cut for cut in sorted([*brackets, *cuts.values()])}.values())


def _brackets(tree: Tree) -> list[Edit]:
    """Return the edits that leave out the brackets with a blank before them; none where one of these has to stay, as the text had half."""
    parse, edits = tree.parse, []
    for first in range(1, len(parse)):
        if parse.tokens[first] != "(" or parse.starts[first] == parse.end(first - 1) or ")" not in parse.tokens[first:]:
            continue
        last = parse.tokens.index(")", first)
        tops = [index for index in range(first + 1, last) if not first < parse.heads[index] < last]
        is_predicate = parse.upos[first - 1] == "AUX" and not parse.tag(last + 1)[0].isalpha()  # "The answer is (c)."
        is_needed = is_predicate or parse.tags[first - 1] in _GOVERNING or tree.words[first + 1] in WORDS["KEPT_BRACKET"]
        is_nested = "(" in parse.tokens[first + 1 : last]
        if is_needed or is_nested or not all(tree.labels[index] in _LOOSE for index in tops):
            return []
        edits.append(Edit(parse.end(first - 1), parse.end(last), ""))
    return edits


def _cut(tree: Tree, part: Part, gone: Mapping[int, Edit]) -> Edit | None:
    """Return the edit that leaves out a part; None where it has to stay. `gone` has those for what is before it."""
    parse, first, last = tree.parse, part.first, part.last
    before, after = parse.token(first - 1), parse.token(last + 1)
    goes_on, ends = after == "," and last + 2 < len(parse), after in _SENTENCE_ENDS
    cut = None
    if first == 0:
        cut = Edit(0, parse.starts[last + 2], "") if goes_on and _can_drop_opening(tree, part) else None
    elif parse.tokens[-1] == "?":
        return None
    elif before == ",":
        is_parted = first > 1 and parse.tags[first - 2] not in _GOVERNING and (ends or goes_on)
        cut = _without_aside(tree, part, gone) if is_parted and _can_drop_aside(tree, part) else None
    elif before[0].isalnum() and ends and _can_drop_end(tree, part):
        cut = Edit(parse.end(first - 1), parse.end(last), "")
    if cut is None:
        return None
    is_doubled = parse.text[: cut.start].endswith(".") and parse.text.startswith(".", cut.end)  # "in Md., on Monday."
    return Edit(cut.start, cut.end + is_doubled, "")


def _without_aside(tree: Tree, part: Part, gone: Mapping[int, Edit]) -> Edit | None:
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
    if (joins and not _is_second_clause(tree, parse.heads[follows])) or (not speaks and tag.startswith(_NEXT_PART)):
        return None
    ended = part.whole < first and parse.tags[part.whole].startswith(("V", "J"))  # "It fell, breaking the wall, he says."
    is_apart = joins or ((ended or speaks) and not continues) or not parse.tokens[follows][0].isalnum()
    keeps_comma = is_apart or any(_stays_apart(tree, part, _part(tree, other), gone) for other in parse.children(part.whole))
    return Edit(parse.end(first - 2), parse.end(last + (not keeps_comma)), "")


def _stays_apart(tree: Tree, part: Part, other: Part | None, gone: Mapping[int, Edit]) -> bool:
    """Tell whether an aside beside another one stays: "Ann, 84, of Rome, died"; what comes after has to say more of a noun."""
    parse = tree.parse
    if other is None or other.label in SUBJECTS or not parse.token(other.first - 1) == "," == parse.token(other.last + 1):
        return False
    follows = other.first == part.last + 2 and other.label in ("appos", "acl", "nmod")
    return follows or (other.last == part.first - 2 and other.head not in gone)


def _part(tree: Tree, head: int) -> Part | None:
    """Return the part of a word; None for what says whose view the rest is, or what it leaves out."""
    parse = tree.parse
    stretch = words_only(parse, parse.first(head), parse.last(head))
    if stretch is None or not WORDS["ATTRIBUTING"].isdisjoint(tree.words[stretch[0] : stretch[1] + 1]):
        return None
    return Part(head, parse.heads[head], tree.labels[head], *stretch, tree.words[stretch[0]])


def _can_drop_opening(tree: Tree, part: Part) -> bool:
    """Tell whether an adverbial before the main clause may go: the clause must not need its condition, or the name it begins with."""
    parse, main = tree.parse, part.last + 2
    if parse.deps[part.whole] != "ROOT" or parse.tags[main] not in _OPENING_MAIN:
        return False
    if not WORDS["NEEDED"].isdisjoint(tree.words[: min(part.last, 2) + 1]):
        return False
    if part.label == "advcl":
        explains = parse.tags[main].startswith("PRP") and any(tag.startswith("NN") for tag in parse.tags[: part.last + 1])
        return parse.tags[0] in _OPENING_CLAUSE and not explains and not _is_condition(tree, part)
    if part.label == "obl":  # what is in the present may hold there only, what has ended until then only
        is_general = part.opener in WORDS["SCOPE"] and tree.verbs[part.whole][0] in ("VBZ", "VBP")
        return not is_general and part.opener not in WORDS["ENDED"]
    return part.label in ("advmod", "discourse")


def _can_drop_aside(tree: Tree, part: Part) -> bool:
    """Tell whether words between commas are an aside: an apposition, a relative or participle clause, an adverbial."""
    parse, head, whole = tree.parse, part.head, part.whole
    if part.label == "conj":
        return part.last + 2 >= len(parse) and _is_added_clause(tree, head)
    is_subordinate = any(tree.labels[index] == "mark" or parse.tags[index][0] == "W" for index in range(part.first, head + 1))
    if part.opener in ("that", "to") or (head in tree.finite and not is_subordinate):
        return False  # "so great, that"; "the aim, to help them"; a main clause
    if part.label in ("appos", "acl", "nmod"):
        is_joined = tree.labels[whole] == "conj" or (whole, "conj") in tree.below or (head, "conj") in tree.below
        is_list = part.label == "appos" and "CC" in parse.tags[part.first : part.last]  # "dogs, a cat, and a horse"
        return part.opener not in WORDS["NEEDED"] - {"whose"} and not is_joined and not is_list
    if part.opener in WORDS["NEEDED"] | {"and", "or", "but"} or parse.tags[part.last] in ("JJ", "DT", "CD"):
        return False
    if part.label == "advcl":
        return sum(index > whole for index in tree.below[whole, "advcl"]) < 2 and not _is_denied(tree, head)
    return part.label in ("obl", "advmod")


def _can_drop_end(tree: Tree, part: Part) -> bool:
    """Tell whether words at the end of the sentence, with no comma before them, may go."""
    if part.label == "conj":
        return _is_added_clause(tree, part.head)
    subjects = {tree.words[index] for index in tree.subjects.get(part.whole, ())}
    if part.label == "nmod":  # "is a village in Iran"
        articles = {tree.words[index] for index in tree.below.get((part.whole, "det"), ())}
        return part.opener in WORDS["PLACE"] and bool(subjects) and not articles.isdisjoint({"a", "an"})
    if not subjects.isdisjoint(_IMPERSONAL) or part.whole not in tree.finite or _is_denied(tree, part.head):
        return False
    if tree.parse.lemmas[part.first - 1] in _TIMES:
        return False  # "two days before the war"
    if part.label == "advcl":
        is_measured = tree.parse.tags[part.whole] == "CD"  # "was 79 when he died"
        is_reason = part.opener in WORDS["REASON"] and part.head in tree.subjects
        return is_reason and not is_measured and not _is_condition(tree, part)
    return part.label in ("obl", "advmod") and _is_loose_time(tree, part)


def _is_loose_time(tree: Tree, part: Part) -> bool:
    """Tell whether a final phrase is a time or circumstance beside which the verb says more: not "It was founded in May"."""
    parse, whole = tree.parse, part.whole
    nouns = [index for index in range(part.first, part.last + 1) if parse.tags[index][:2] in ("NN", "CD", "VB", "PR")]
    is_time = part.opener in WORDS["CIRCUMSTANCE"] or all(
        parse.tags[index] == "CD" or parse.lemmas[index].lower() in _TIMES for index in nouns
    )
    says_more = any((whole, label) in tree.below for label in ("obj", "xcomp", "ccomp")) or len(tree.below.get((whole, "obl"), ())) > 1
    # "from morning till night"; "for the first time since the war"
    is_needed = part.opener in ("till", "until", "to") or "first" in tree.words[parse.first(whole) : part.first]
    return bool(nouns) and is_time and says_more and not is_needed and parse.lemmas[whole].lower() not in WORDS["LIGHT"]


def _is_condition(tree: Tree, part: Part) -> bool:
    """Tell whether a clause with "when" says under which condition the main clause holds, or what is known: it tells no past event."""
    return part.opener == "when" and "VBD" not in tree.verbs[part.head]


def _is_denied(tree: Tree, index: int) -> bool:
    """Tell whether a word hangs below a negation: "He did not leave because it rained"."""
    return any(above in tree.negated for above in tree.parse.path(tree.parse.heads[index]))


def _is_second_clause(tree: Tree, head: int) -> bool:
    """Tell whether a coordinated clause has its own subject, and is joined to the main one by "and" or "but"."""
    joints = {tree.words[index] for index in tree.below.get((head, "cc"), ())}
    return head in tree.subjects and tree.labels[tree.parse.heads[head]] == "ROOT" and not joints.isdisjoint({"and", "but"})


def _is_added_clause(tree: Tree, head: int) -> bool:
    """Tell whether a second main clause only adds to the first: its "and" joins no list."""
    joined = (index for index in range(head) if tree.labels[index] in ("conj", "parataxis"))
    return _is_second_clause(tree, head) and all((index, "cc") in tree.below for index in joined)

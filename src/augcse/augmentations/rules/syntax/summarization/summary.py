"""The summary of a clause: subject, verb and object, each with the words it cannot do without, and where in the text they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from augcse.augmentations.english.tree import Tree, is_finite
from augcse.augmentations.rules.syntax.summarization.noun_span import is_named, noun_span, over_hyphens
from augcse.augmentations.text.tables import word_sets

WORDS = word_sets(Path(__file__).with_name("words.txt"))
SUBJECTS = ("nsubj", "csubj", "expl")
_DO = frozenset({"do", "does", "did"})
_FULL_FORM = {
    "wo": "will", "ca": "can", "sha": "shall", "'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "'re": "are", "’re": "are",
    "'m": "am", "’m": "am",
}  # fmt: skip
_PARTICLES = frozenset(
    "behind aside up down out off away back over in on apart together forward ahead along around about here there well".split()
)
# What opens a circumstance, not a complement.
_CIRCUMSTANTIAL = frozenset("after before during since until till while despite although because by without upon amid following".split())
_MAX_DEPTH = 3


@dataclass
class Summary:
    """The words of a summary, the tokens they stand for, and the heads of what is kept: of clauses, of phrases and their prepositions."""

    tree: Tree
    words: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    phrases: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The summary."""
        return " ".join(self.words).replace(" ,", ",")

    @cached_property
    def kept(self) -> frozenset[int]:
        """The tokens that are kept."""
        return frozenset(self.places)

    def add(self, places: list[int], text: str | None = None) -> None:
        """Add tokens, as they stand in the text unless `text` is given."""
        parse = self.tree.parse
        if places:
            self.places += places
            self.words.append(parse.text[parse.starts[places[0]] : parse.end(places[-1])] if text is None else text)

    def lemma(self, place: int) -> str:
        """Return the lemma of a word in small letters."""
        return self.tree.parse.lemmas[place].lower()

    def is_a(self, place: int, kind: str) -> bool:
        """Tell whether a word is of a kind of words.txt."""
        return self.lemma(place) in WORDS[kind] or self.tree.parse.tokens[place].lower() in WORDS[kind]

    def case(self, head: int) -> str:
        """Return the preposition of a phrase, in small letters; none for one that has none."""
        return "".join(self.tree.parse.tokens[place].lower() for place in self.tree.children(head, "case")[:1])

    def left_out(self, head: int, *labels: str) -> list[int]:
        """Return the dependents with one of the labels that are not kept."""
        return [place for place in self.tree.children(head, *labels) if place not in self.kept]


def summarize(tree: Tree, head: int) -> Summary:
    """Return the summary of the clause that `head` is the head of."""
    summary = Summary(tree)
    _add_clause(summary, head, 0)
    return summary


def is_clause(tree: Tree, head: int) -> bool:
    """Tell whether a word has a finite verb: it is one, or has an auxiliary or copula that is."""
    return any(is_finite(tree, place) for place in (head, *tree.children(head, "aux", "cop")))


def conjuncts(tree: Tree, head: int) -> list[int]:
    """Return the nouns, adjectives and bare verbs that a word is coordinated with, not what stands in brackets after it."""
    first, last = noun_span(tree.parse, head)
    found = (place for place in tree.children(head, "conj") if not is_clause(tree, place) and not first <= place <= last)
    return [place for place in found if tree.parse.tokens[tree.first(place)] != "(" and tree.parse.tokens[tree.first(place) - 1] != "("]


def _add_clause(summary: Summary, head: int, depth: int) -> None:
    tree = summary.tree
    summary.clauses.append(head)
    there = [place for place in tree.children(head, "expl") if tree.parse.tokens[place].lower() == "there"]
    subjects = [place for place in tree.children(head, *SUBJECTS) if place not in there]
    for place in there or subjects[:1]:
        _add_phrase(summary, place)
    _add_verb(summary, head)
    for place in subjects[:1] if there else []:
        _add_phrase(summary, place)
    if not there:
        _add_complements(summary, head, depth)
    for place in tree.children(head, "conj"):
        shared = tree.parse.tags[place] == tree.parse.tags[head] and tree.parse.tags[head].startswith("V")
        if depth < _MAX_DEPTH and (is_clause(tree, place) or shared):
            summary.add(tree.children(place, "cc")[:1])
            _add_clause(summary, place, depth + 1)


def _add_verb(summary: Summary, head: int) -> None:
    """Add auxiliaries and verb, without do-support, with "!" in front if they are negated."""
    tree, parse = summary.tree, summary.tree.parse
    negated = any(parse.is_negation(place) or parse.tokens[place].lower() == "never" for place in tree.dependents[head])
    helpers = [place for place in tree.children(head, "aux", "cop") if not negated or parse.tokens[place].lower() not in _DO]
    marks = [place for place in tree.children(head, "mark") if parse.tokens[place].lower() == "to"]
    particles = [place for place in tree.dependents[head] if parse.deps[place] == "compound:prt" or _is_particle(summary, head, place)]
    verbs = sorted([*helpers, *marks, *particles, *([] if tree.children(head, "cop") else [head])])
    to_first = len(marks) > 0 and verbs[:1] == marks[:1]
    words = [_full_form(summary, place) for place in verbs[to_first:]]
    summary.add(verbs, "to " * to_first + "!" * negated + " ".join(words))


def _is_particle(summary: Summary, head: int, place: int) -> bool:
    """Tell whether the word right after a verb belongs to it whatever its label: "calmed down"."""
    parse = summary.tree.parse
    free = place == head + 1 and parse.deps[place] not in ("case", "mark")
    return free and (parse.tags[place] == "RP" or parse.tokens[place].lower() in _PARTICLES)


def _full_form(summary: Summary, place: int) -> str:
    parse = summary.tree.parse
    word = parse.tokens[place].lower()
    if word in ("'s", "’s"):
        return "has" if parse.lemmas[place] == "have" else "is"
    first, last = over_hyphens(parse, place, place)
    return _FULL_FORM.get(word) or parse.text[parse.starts[first] : parse.end(last)]


def _add_complements(summary: Summary, head: int, depth: int) -> None:
    """Add the predicate, the objects, or where there are none the first complement after the verb with its preposition."""
    tree = summary.tree
    if tree.children(head, "cop"):
        _add_phrase(summary, head)
        if summary.is_a(head, "RELATIVE_ADJECTIVES") or tree.parse.tokens[head].endswith("ed"):
            _add_obliques(summary, head, 1)
    objects = [place for place in tree.children(head, "iobj", "obj") if place > head and tree.parse.tags[place][0] != "W"]
    for place in objects:
        _add_phrase(summary, place)
    if objects and (summary.is_a(head, "DIRECTED") or summary.is_a(head, "AS_VERBS")):
        _add_obliques(summary, head, 1)
    clauses = [place for place in tree.children(head, "xcomp", "ccomp") if place > head][:1]
    for place in clauses if depth < _MAX_DEPTH else []:
        _add_clausal(summary, place, depth)
    if not tree.children(head, "cop") and not clauses and not objects:
        _add_obliques(summary, head, 1)


def _add_clausal(summary: Summary, head: int, depth: int) -> None:
    """Add a clause, an infinitive, or an adjective or noun that is said of the object."""
    tree, parse = summary.tree, summary.tree.parse
    opened = [place for place in tree.children(head, "mark") if parse.tokens[place].lower() in ("that", "if", "whether")]
    summary.add(opened[:1])
    if parse.tags[head].startswith("V") or tree.children(head, "cop"):
        _add_clause(summary, head, depth + 1)
    else:
        _add_phrase(summary, head)


def _add_obliques(summary: Summary, head: int, count: int) -> None:
    """Add the first complements that have a preposition, the agent and what "as" says first; nouns of time are no complements."""
    tree, parse = summary.tree, summary.tree.parse
    after = [place for place in tree.children(head, "obl") if place > head and tree.children(place, "case")]
    after = [place for place in after if "," not in parse.tokens[head:place] and not _is_time(summary, place)]
    agents = tree.children(head, "aux:pass")
    after = [place for place in after if summary.case(place) not in _CIRCUMSTANTIAL or (agents and summary.case(place) == "by")]
    after.sort(key=lambda place: not (summary.is_a(head, "AS_VERBS") and summary.case(place) == "as"))
    if tree.children(head, "obj"):
        wanted = ("as",) if not summary.is_a(head, "DIRECTED") else ()
        after = [place for place in after if not wanted or summary.case(place) in wanted]
    for place in after[:count]:
        _add_phrase(summary, place)


def _is_time(summary: Summary, head: int) -> bool:
    tags = [summary.tree.parse.tags[place] for place in (head, *summary.tree.dependents[head])]
    return summary.is_a(head, "TIMES") and "CD" not in tags


def _add_phrase(summary: Summary, head: int) -> None:
    """Add the head word of a phrase with preposition, name, number or "no", what it is a quantity of, and what it is coordinated with."""
    tree, parse = summary.tree, summary.tree.parse
    summary.phrases.append(head)
    cases = [place for place in tree.children(head, "case") if place < head]
    summary.add([word for case in cases for word in (case, *tree.children(case, "fixed"))])
    summary.add([place for place in tree.children(head, "det") if parse.tokens[place].lower() == "no"])
    first, last = noun_span(parse, head)
    summary.add(list(range(first, last + 1)))
    if summary.is_a(head, "QUANTITIES") or (parse.tags[head] == "CD" and not is_named(parse, head)):
        for place in [place for place in tree.children(head, "nmod") if summary.case(place) == "of" and place > last][:1]:
            _add_phrase(summary, place)
    for place in conjuncts(tree, head):
        if place > last:
            joints = tree.children(place, "cc")
            summary.add(joints[:1], None if joints else ",")
            if not joints:
                summary.words.append(",")
            _add_phrase(summary, place)

"""The summary of a clause: subject, verb and object, each with the words it cannot do without, and where in the text they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from augcse.annotation.parse import Parse
from augcse.augmentations.english.tree import Tree, is_finite
from augcse.augmentations.rules.syntax.summarization.noun_words import noun_span, over_hyphens
from augcse.augmentations.rules.syntax.summarization.word_lists import AS_VERBS, NAMING, QUANTITIES, RELATIVE_ADJECTIVES

SUBJECTS = ("nsubj", "csubj", "expl")
_NEGATIONS = frozenset({"never", "longer"})
_DO = frozenset({"do", "does", "did"})
_FULL_FORM = {
    "wo": "will", "ca": "can", "sha": "shall", "'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "'re": "are", "’re": "are",
    "'m": "am", "’m": "am",
}  # fmt: skip
_MAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a summary: the text, the tokens it stands for, and the head of a noun phrase or, for verbs, of the clause."""

    text: str
    places: tuple[int, ...]
    head: int
    kind: str


@dataclass(frozen=True)
class Summary:
    """The pieces of a summary over the tree they were taken from. Words are asked for by place; beyond the text's end they are empty."""

    tree: Tree
    pieces: tuple[Piece, ...]
    places: frozenset[int]

    @property
    def text(self) -> str:
        """The summary."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def clauses(self) -> list[int]:
        """The heads of the clauses that are kept, the main one first."""
        return [piece.head for piece in self.pieces if piece.kind == "verb"]

    def tag(self, place: int) -> str:
        """Return the tag of a word."""
        return self.tree.parse.tags[place] if 0 <= place < len(self.tree.parse) else ""

    def word(self, place: int) -> str:
        """Return a word in small letters."""
        return self.tree.parse.tokens[place].lower() if 0 <= place < len(self.tree.parse) else ""

    def lemma(self, place: int) -> str:
        """Return the lemma of a word in small letters."""
        return self.tree.parse.lemmas[place].lower()

    def keeps_any(self, places: Iterable[int]) -> bool:
        """Tell whether one of the words is kept."""
        return any(place in self.places for place in places)

    def keeps_after(self, place: int) -> bool:
        """Tell whether a word after this one is kept."""
        return max(self.places) > place


def summarize(tree: Tree, head: int) -> Summary:
    """Return the summary of the clause that `head` is the head of."""
    pieces = tuple(_clause(tree, head))
    return Summary(tree, pieces, frozenset(place for piece in pieces for place in piece.places))


def is_clause(tree: Tree, head: int) -> bool:
    """Tell whether a word has a verb: it is one, or has a copula."""
    return tree.parse.tags[head].startswith("VB") or bool(tree.children(head, "cop"))


def has_finite_verb(tree: Tree, head: int) -> bool:
    """Tell whether the verb of a clause, an auxiliary or its copula is finite."""
    return any(is_finite(tree, place) for place in (head, *tree.children(head, "aux", "cop")))


def main_clauses(tree: Tree) -> list[int]:
    """Return the heads of the main clauses: roots that have a verb, and what is coordinated with them."""
    heads = [root for root in tree.parse.roots() if is_clause(tree, root) and has_finite_verb(tree, root)]
    for head in heads:
        coordinated = (child for child in tree.children(head, "conj", "parataxis") if not tree.children(child, "mark"))
        coordinated = (child for child in coordinated if is_clause(tree, child))
        heads.extend(child for child in coordinated if has_finite_verb(tree, child) or tree.parse.tags[child] == tree.parse.tags[head])
    return sorted(heads)


def _clause(tree: Tree, head: int, depth: int = 0) -> list[Piece]:
    """Return subject, verb and object of the clause, in this order."""
    expletives = [place for place in tree.children(head, "expl") if tree.parse.tokens[place].lower() == "there"]
    subjects = [_phrase(tree, place) for place in tree.children(head, *SUBJECTS)]
    if expletives:
        there = Piece(tree.parse.tokens[expletives[0]], (expletives[0],), expletives[0], "expletive")
        verb = _verb(tree, head)
        return [there, verb, *(piece for subject in subjects for piece in subject if piece.head != expletives[0])]
    return [piece for pieces in [*subjects[:1], [_verb(tree, head)], *_objects(tree, head, depth)] for piece in pieces]


def _verb(tree: Tree, head: int) -> Piece:
    """Return auxiliaries and verb, without do-support, with "!" in front if they are negated."""
    parse = tree.parse
    helpers = [place for place in tree.children(head, "aux", "cop") if parse.tokens[place].lower() not in _DO]
    negated = any(parse.is_negation(place) or parse.tokens[place].lower() in _NEGATIONS for place in tree.dependents[head])
    helpers = helpers if negated else tree.children(head, "aux", "cop")
    verbs = [*helpers, *([] if tree.children(head, "cop") else [head, *particles(tree, head)])]
    verbs += [place for place in tree.children(head, "mark") if helpers and parse.tokens[place] == "to" and min(helpers) < place < head]
    opening = [place for place in tree.children(head, "mark") if parse.tokens[place] == "to" and place < min(verbs, default=0)]
    infinitive = "to " if opening else ""
    words = [_full_form(parse, place) for place in sorted(verbs)]
    return Piece(infinitive + "!" * negated + " ".join(words), (*sorted(verbs), *opening), head, "verb")


def particles(tree: Tree, head: int) -> list[int]:
    """Return the particles of a verb; the one right after it whatever its label, and the "to" of "referred to as"."""
    parse = tree.parse
    found = [
        place for place in tree.dependents[head] if parse.deps[place] == "compound:prt" or (place == head + 1 and parse.tags[place] == "RP")
    ]
    if parse.tokens[head + 1 : head + 3] == ("to", "as"):
        found.append(head + 1)
    return found


def _full_form(parse: Parse, place: int) -> str:
    word = parse.tokens[place].lower()
    if word in ("'s", "’s"):
        return "has" if parse.lemmas[place] == "have" else "is"
    return _FULL_FORM.get(word) or _text(parse, *over_hyphens(parse, place, place))


def _objects(tree: Tree, head: int, depth: int) -> list[list[Piece]]:
    """Return the predicate, the objects, or where there are none the first complement after the verb with its preposition."""
    parse = tree.parse
    if tree.children(head, "cop"):
        return _predicate(tree, head, depth)
    objects = [_phrase(tree, place) for place in tree.children(head, "iobj", "obj") if not _is_stray(tree, head, place)]
    clauses = tree.children(head, "xcomp", "ccomp") if depth < _MAX_DEPTH else []
    objects += [_complement(tree, place, depth) for place in clauses[:1] if _is_complement(tree, head, place)]
    after = [place for place in tree.children(head, "obl") if place > head and "," not in parse.tokens[head:place]]
    if objects:
        named = [place for place in after if _opens_with(tree, place, "as")] if parse.lemmas[head].lower() in AS_VERBS else []
        return [*objects, *(_with_preposition(tree, place) for place in named[:1])]
    obliques = [place for place in after if tree.children(place, "case") or parse.deps[place] == "obl:unmarked"]
    agents = [place for place in obliques if parse.deps[place] == "obl:agent"]
    if tree.children(head, "aux:pass"):
        obliques = [place for place in obliques if tree.children(place, "case")]
        if parse.lemmas[head].lower() in AS_VERBS:
            agents = [place for place in obliques if _opens_with(tree, place, "as")] or agents
    return [_with_preposition(tree, place) for place in (agents or obliques)[:1]]


def _opens_with(tree: Tree, place: int, word: str) -> bool:
    return any(tree.parse.tokens[case] == word for case in tree.children(place, "case"))


def _predicate(tree: Tree, head: int, depth: int) -> list[list[Piece]]:
    """Return the predicate noun or adjective, and of an adjective what it is said of: "able to defend itself", "identical to it"."""
    parse = tree.parse
    predicate = [_with_preposition(tree, head)]
    if not parse.tags[head].startswith("JJ") or depth >= _MAX_DEPTH:
        return predicate
    clauses = [place for place in tree.children(head, "xcomp")[:1] if is_clause(tree, place)]
    if clauses:
        return [*predicate, *(_complement(tree, place, depth) for place in clauses)]
    said_of = [place for place in tree.children(head, "obl", "nmod") if any(case == head + 1 for case in tree.children(place, "case"))]
    related = parse.lemmas[head].lower() in RELATIVE_ADJECTIVES or parse.tokens[head + 1 : head + 2] == ("to",)
    related = related or parse.tokens[head].endswith("ed")  # "are organized into"
    return [*predicate, *(_with_preposition(tree, place) for place in said_of[:1] if related)]


def _is_stray(tree: Tree, head: int, place: int) -> bool:
    """Tell whether an object is none of the verb's: after a comma or a relative pronoun, or the conjunction "that"."""
    between = tree.parse.tags[head + 1 : tree.first(place)]
    return bool({"WDT", "WP", "WRB", ","} & set(between)) or tree.parse.tokens[place].lower() == "that"


def _is_complement(tree: Tree, head: int, place: int) -> bool:
    """Tell whether a clause or predicate belongs to the verb; the parser labels many a stray noun so."""
    parse = tree.parse
    return place > head and (is_clause(tree, place) or parse.tags[place].startswith("JJ") or parse.lemmas[head].lower() in NAMING)


def _complement(tree: Tree, head: int, depth: int) -> list[Piece]:
    if is_clause(tree, head):
        return _clause(tree, head, depth + 1)
    return [piece for pieces in _predicate(tree, head, depth) for piece in pieces]


def _with_preposition(tree: Tree, head: int) -> list[Piece]:
    cases = [place for place in tree.children(head, "case") if place < head]
    places = [place for case in cases for place in (case, *tree.children(case, "fixed"))]
    prepositions = " ".join(tree.parse.tokens[place] for place in places)
    return [*([Piece(prepositions, tuple(places), head, "preposition")] if places else []), *_phrase(tree, head)]


def _phrase(tree: Tree, head: int) -> list[Piece]:
    """Return the head word of a phrase with its name, number or "no", and of a quantity the noun after "of" too."""
    parse = tree.parse
    first, last = noun_span(parse, head)
    refused = [place for place in tree.children(head, "det") if parse.tokens[place].lower() == "no"]
    text = " ".join([*("no" for _ in refused[:1]), _text(parse, first, last)])
    noun = Piece(text, (*refused[:1], *range(first, last + 1)), head, "noun")
    quantity = parse.lemmas[head].lower() in QUANTITIES or parse.tokens[head].lower() in QUANTITIES
    if quantity or parse.tags[head] == "CD":
        whole = [place for place in tree.children(head, "nmod") if tree.children(place, "case") and place > last]
        whole = [place for place in whole if quantity or _opens_with(tree, place, "of")]
        return [noun, *(piece for place in whole[:1] for piece in _with_preposition(tree, place))]
    return [noun]


def _text(parse: Parse, first: int, last: int) -> str:
    return parse.text[parse.starts[first] : parse.end(last)]

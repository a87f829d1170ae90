"""What the rules that move or drop whole phrases leave alone: situations in which readers found the parser wrong too often."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.phrase import FINITE_TAGS, Tree

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INTRANSITIVE = frozenset("work live go come die appear arrive happen occur sit stand tour travel serve".split())
# Nouns of adverbials and fixed phrases: "toured three times", "side by side", "for instance".
_ADVERBIAL_NOUNS = frozenset("time times side mind instance example addition fact order turn way part hand manner fashion basis".split())
_ASKING = frozenset("what which who whom whose that how why".split())
# With these verbs a bare or possessive noun is half of the verb: "made his debut", "plays a role".
_LIGHT_VERBS = frozenset("make take have give do play hold put bear keep lay set get pay draw gain find lose".split())
_ABSTRACT = frozenset(
    "role part debut decision appearance attempt effort use effect impact influence contribution start career place progress sense"
    " visit return statement choice move change love class classes access interest difference mistake reference mention claim".split()
)
_COUNTLESS = frozenset({"dozens", "hundreds", "thousands", "millions"})
_LINKING = frozenset({"conj", "parataxis"})
_ABOUT = frozenset({"about", "nearly", "over", "around", "approximately"})


def resists_exchange(tree: Tree, clause: int, phrases: tuple[tuple[int, int, int], ...]) -> bool:
    """Tell whether one of the phrases (head, first, last) is coordinated, explained, quoted or the object of a light verb."""
    parse = tree.parse
    other = phrases[1][0]
    if parse.lemmas[clause].lower() in _LIGHT_VERBS and _is_verbal_object(tree, other):
        return True
    return any(_is_loose(parse, first, last) for _, first, last in phrases)


def _is_verbal_object(tree: Tree, other: int) -> bool:
    abstract = tree.parse.lemmas[other].lower() in _ABSTRACT
    bare = tree.parse.tags[other] in ("NN", "NNS") and not tree.children(other, "det", "nummod")
    return abstract or bare


def _is_loose(parse: Parse, first: int, last: int) -> bool:
    if any(parse.has_label(place, "conj", "appos", "parataxis") or parse.tokens[place] == "," for place in range(first, last + 1)):
        return True
    if parse.tokens[last + 1 : last + 2] == (",",) or (parse.tokens[last + 1 : last + 2] == (".",) and last + 3 < len(parse)):
        return True
    if any(quote in parse.text[: parse.starts[first]] for quote in ('"', "“", "(")):
        return True
    return first > 0 and parse.tags[first - 1] in _NOUN_TAGS


def leaves_clause(tree: Tree, head: int, turned: set[int]) -> bool:
    """Tell whether a clause has a finite one beside it that is not turned too."""
    for child in tree.order:
        if not tree.first(head) <= child <= tree.last(head) or child in turned or child == head:
            continue
        loose = tree.parse.has_label(child, "conj", "parataxis") or (tree.parse.deps[child] == "ccomp" and not tree.children(child, "mark"))
        if loose and any(tree.parse.tags[verb] in FINITE_TAGS for verb in (child, *tree.children(child, "aux", "cop"))):
            return True
    return False


def tears_complement(tree: Tree, head: int, last: int) -> bool:
    """Tell whether a prepositional phrase or an infinitive goes on directly behind the stretch that ends with `last`."""
    parse, place = tree.parse, last + 1
    if _holds_clause(parse, head, last):
        return True
    if place >= len(parse):
        return False
    if parse.tags[place] == "TO" or (parse.tags[place] == "IN" and parse.has_label(place, "case")):
        return True
    return any(child > last for child in tree.children(head, "xcomp"))


def _holds_clause(parse: Parse, head: int, last: int) -> bool:
    """Tell whether the words behind the verb hold a coordinated finite verb, or an afterthought behind a comma."""
    for place in range(head + 1, last + 1):
        before = parse.tags[place - 1]
        if parse.tags[place] in FINITE_TAGS and before in ("CC", "RB") and "CC" in parse.tags[max(head, place - 2) : place]:
            return True
        if before == "CC" and place < head + 4 and parse.tags[place].startswith("VB") and parse.tags[place - 2] == "RB":
            return True
        if before == "CC" and (parse.tokens[place - 2] == "," or parse.tags[place - 2] == "RB") and parse.tokens[head:last].count(",") < 2:
            return True
        if parse.tokens[place - 1] == "," and parse.tokens[place].lower() in ("but", "not", "whereby", "while", "whilst", "whereas"):
            return True
    return False

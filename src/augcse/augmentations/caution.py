"""What the rules that move or drop whole phrases leave alone: situations in which readers found the parser wrong too often."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.phrase import FINITE_TAGS, Tree

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INTRANSITIVE = frozenset("work live go come die appear arrive happen occur sit stand tour travel serve".split())
# Nouns of adverbials and fixed phrases: "toured three times", "side by side", "for instance".
_ADVERBIAL_NOUNS = frozenset("time times side mind instance example addition fact order turn way part hand manner fashion basis".split())
_ASKING = frozenset("what which who whom whose that how why".split())
_COUNTLESS = frozenset({"dozens", "hundreds", "thousands", "millions"})
_LINKING = frozenset({"conj", "parataxis"})
_ABOUT = frozenset({"about", "nearly", "over", "around", "approximately"})


def tears_summary(tree: Tree, heads: list[int], summary: str) -> bool:
    """Tell whether a telegram of these clauses would keep half of a coordination, a date, a number or a fixed phrase."""
    parse = tree.parse
    kept = set(summary.replace("!", "").replace(",", "").split())
    if len(heads) > 1 or kept & (_ASKING | _COUNTLESS) or '"' in parse.text:
        return True
    for place, token in enumerate(parse.tokens):
        if token in kept and (_is_joined(tree, place, kept) or (parse.tags[place] == "RB" and token.endswith("ly"))):
            return True
        following = place + 1
        counts = token in kept and parse.tags[place] in ("RB", "IN") and parse.tags[following : following + 1] == ("CD",)
        if counts and parse.tokens[following] not in kept and token.lower() in _ABOUT:
            return True
        if parse.tags[place] in FINITE_TAGS and parse.deps[parse.clause_head(place)] in _LINKING:
            return True
    return any(_is_partial(tree, head, place, kept) for head in heads for place in tree.children(head, "obj", "obl"))


def _is_joined(tree: Tree, place: int, kept: set[str]) -> bool:
    """Tell whether a word is coordinated; the words of one name, which the parser labels so at times, have no "and"."""
    return any(tree.children(child, "cc") or tree.parse.tokens[child] not in kept for child in tree.children(place, "conj"))


def _is_partial(tree: Tree, head: int, place: int, kept: set[str]) -> bool:
    """Tell whether a kept complement is a number, an adverbial or goes on behind its head."""
    parse = tree.parse
    token = parse.tokens[place]
    if token not in kept:
        return False
    following = parse.tags[place + 1] if place + 1 < len(parse) else "."
    if following in _NOUN_TAGS and parse.tokens[place + 1] not in kept:
        return True
    if parse.lemmas[place].lower() in _ADVERBIAL_NOUNS or parse.tokens[place + 1 : place + 3] in (("in", "mind"), ("by", token)):
        return True
    if parse.tags[place].startswith("JJ"):
        return True
    if parse.has_label(place, "obj"):
        return parse.tags[place] == "CD" or parse.lemmas[head].lower() in _INTRANSITIVE
    return not tree.children(place, "case")


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

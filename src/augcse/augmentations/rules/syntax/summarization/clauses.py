"""Whether the parser has understood the clauses of a sentence well enough that subject, verb and object can be cut out."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import agrees
from augcse.augmentations.english.tree import FINITE_TAGS, Tree, is_finite
from augcse.augmentations.rules.syntax.summarization.noun_words import is_named, noun_span
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, has_finite_verb, is_clause
from augcse.augmentations.rules.syntax.summarization.word_lists import CAUSING, QUANTITIES

_UNCERTAIN_MARKS = frozenset({":", "—", "–", "--", "?", "..."})


def is_sound(tree: Tree, head: int) -> bool:
    """Tell whether subject and verb agree, as they do where the parser has found the right subject."""
    subjects = tree.children(head, "nsubj")
    finite = [place for place in sorted((head, *tree.children(head, "aux", "cop"))) if is_finite(tree, place)]
    parse = tree.parse
    if any(tree.children(subject, "case") or parse.tags[subject].startswith(("JJ", "V")) for subject in subjects):
        return False
    if (parse.tags[head] == "VBN" and tree.children(head, "cop")) or len(tree.children(head, "obj")) > 1:
        return False
    if subjects and subjects[0] > head and not tree.children(head, "expl"):
        return False
    first = tree.first(subjects[0]) if subjects else 0
    if parse.deps[head] == "ROOT" and first > 1 and parse.tags[first - 1] == "CC":
        return False  # half of a coordinated subject
    return not subjects or not finite or agrees(tree, subjects[-1], finite[0])


def is_understood(tree: Tree, heads: list[int]) -> bool:
    """Tell whether the parser has told main and subordinate clauses apart: each clause opens as its label says."""
    parse = tree.parse
    if _UNCERTAIN_MARKS & set(parse.tokens) or len(parse.roots()) > 1 or _quotes_clause(parse):
        return False
    return all(_is_main(tree, head) for head in heads) and all(
        _is_main_or_subordinate(tree, parse.clause_head(place), frozenset(heads))
        for place in range(len(parse))
        if parse.tags[place] in FINITE_TAGS
    )


def _quotes_clause(parse: Parse) -> bool:
    """Tell whether a clause stands in quotation marks or brackets."""
    quoted = False
    for tag, token in zip(parse.tags, parse.tokens, strict=True):
        quoted = (quoted != (token == '"') or token in ("“", "(")) and token != ")"
        if quoted and tag in FINITE_TAGS:
            return True
    return False


def _is_main(tree: Tree, head: int) -> bool:
    parse = tree.parse
    below = tree.dependents[head]
    near = [*below, *(place for child in below if parse.has_label(child, *SUBJECTS, "obl") for place in tree.dependents[child])]
    subjects = tree.children(head, *SUBJECTS)
    first_verb = min([head, *tree.children(head, "aux", "cop")])
    inverted = not tree.children(head, "expl") and any(subject > first_verb for subject in tree.children(head, "nsubj"))
    # "Written a week later": a participle, or a past tense the tagger took for one.
    participle = parse.tags[first_verb] == "VBN" and not any(parse.tags[place].startswith("N") for place in tree.children(head, "obj"))
    if participle or inverted or (parse.lemmas[head].lower() in CAUSING and not tree.children(head, "xcomp")):
        return False
    if any(parse.tags[place].startswith("W") and place < head for place in near) or any(tree.children(place, "cop") for place in subjects):
        return False
    if len([place for place in subjects if not parse.has_label(place, "expl")]) > 1:
        return False
    named = [head, *(place for place in below if parse.has_label(place, *SUBJECTS, "obj", "iobj", "obl", "xcomp"))]
    if any(_is_misread(tree, place) for place in named) or any(_lacks_verb(tree, place) for place in tree.children(head, "ccomp")):
        return False
    # A noun coordinated with a verb is half of a list.
    coordinated = [child for child in tree.children(head, "conj") if not is_clause(tree, child)]
    return not any(not tree.children(head, "cop") or tree.children(child, "case") for child in coordinated)


def _is_misread(tree: Tree, head: int) -> bool:
    """Tell whether a noun goes on where the parser ends it, or is coordinated with what is no equal of its."""
    parse = tree.parse
    if parse.has_label(head, "obj") and parse.tags[head].startswith("JJ") and parse.tokens[head].lower() not in QUANTITIES | {"much"}:
        return True
    start, following = noun_span(parse, head) if is_named(parse, head) else (head, head)
    following += 1
    going_on = parse.tags[head].startswith(("NN", "JJ")) and following < len(parse) and parse.tags[following] in ("NN", "NNS", "VBG", "JJ")
    if going_on and (parse.heads[following] != head or parse.tags[following] == "NN"):
        return True
    if any(parse.tags[place] == "TO" or parse.tokens[place] == "than" for place in tree.children(head, "case")):
        return True
    if tree.children(head, "case") and tree.children(head, "cop") and parse.tags[head].startswith("JJ"):
        return True  # "is at once terrifying"
    if parse.tags[head] in ("RB", "$") or (parse.has_label(head, "obl") and parse.tags[head].startswith("JJ")):
        return True  # "is yet to be", "$ 5", "in early"
    if any(parse.tags[place] == "RB" and parse.has_label(place, "advmod") for place in tree.children(head) if place == head + 1):
        return True  # the noun goes on: "his England U20 debut"
    conjuncts = [child for child in tree.children(head, "conj") if not is_clause(tree, child) and not start <= child < following]
    joints = sum(len(tree.children(child, "cc")) for child in conjuncts)
    # None, or two: what is coordinated with what is in doubt.
    return (bool(conjuncts) and joints != 1) or any(_is_unequal(tree, head, child) for child in conjuncts)


def _is_unequal(tree: Tree, head: int, conjunct: int) -> bool:
    parse = tree.parse
    adjectives = [parse.tags[place].startswith(("JJ", "V")) for place in (head, conjunct)]
    unlike = adjectives[0] != adjectives[1] or bool(tree.children(conjunct, "case"))
    after = parse.tags[conjunct + 1] if conjunct + 1 < len(parse) and not parse.has_label(head, *SUBJECTS) else "."
    return unlike or after in FINITE_TAGS | {"VB"} or any(tag.startswith(("V", "W", "MD")) for tag in parse.tags[head + 1 : conjunct])


def _lacks_verb(tree: Tree, clause: int) -> bool:
    """Tell whether a clause begins with "that" and has no finite verb, or stands before its subject: the parser has lost it."""
    that = any(tree.parse.tokens[place].lower() == "that" for place in tree.dependents[clause])
    inverted = any(subject > min([clause, *tree.children(clause, "aux", "cop")]) for subject in tree.children(clause, "nsubj"))
    return inverted or (that and not has_finite_verb(tree, clause))


def _is_main_or_subordinate(tree: Tree, clause: int, heads: frozenset[int]) -> bool:
    """Tell whether a finite clause is a main one, or hangs on another as its first word says."""
    parse = tree.parse
    while clause not in heads and parse.deps[clause] == "conj" and parse.heads[clause] != clause:
        clause = parse.heads[clause]
    if clause in heads:
        return True
    label = parse.deps[clause]
    opened = bool(tree.children(clause, "mark")) or any(tag.startswith("W") for tag in parse.tags[tree.first(clause) : clause])
    between = parse.tokens[parse.heads[clause] + 1 : clause]
    if label == "acl:relcl":
        return opened or "," not in between
    if label == "ccomp":
        return not tree.children(clause, "cc") and parse.heads[clause] < clause and ";" not in between
    return label in ("advcl", "acl", "csubj") and opened

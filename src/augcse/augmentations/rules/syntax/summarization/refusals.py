"""When a summary would leave out what its words cannot do without, or the parse is in doubt."""

from __future__ import annotations

from itertools import pairwise

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import agrees
from augcse.augmentations.english.tree import FINITE_TAGS, is_finite
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.syntax.summarization.noun_span import noun_span
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, Summary, conjuncts, is_clause

_MARKS = frozenset({":", ";", "—", "–", "--", "?", "...", '"', "“", "``", "-", "'", "|", "»"})
_COMPARING = frozenset("as enough equally how least less more most too so than".split())
_ANNOUNCED = frozenset("as for how if that what when where whether who why to".split())
# Particles after the object: "leaves pets behind".
_SEPARATED = {("behind",), ("apart",), ("aside",), ("away",), ("back",), ("together",)}
_PARTICLES = {("off",), ("out",), ("up",), ("down",), ("over",), ("along",)}
_GOVERNING = frozenset({"VB", "MD", "IN", "TO", "CC"})
_MODIFIER_TAGS = frozenset({"DT", "PDT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "HYPH", "$", "NNP"})
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_PRONOUNS = frozenset({"PRP", "DT", "EX"})


def _has_marks(summary: Summary) -> bool:
    parse = summary.tree.parse
    spaced = (
        parse.tokens[place] for place in range(len(parse)) if parse.tokens[place] != "-" or parse.text[parse.starts[place] - 1] == " "
    )
    return not _MARKS.isdisjoint(spaced)


def _is_inverted(summary: Summary) -> bool:
    """Tell whether a kept clause has no subject before its verb where it needs one, or one that opens a question or a relative clause."""
    tree, tags = summary.tree, summary.tree.parse.tags
    for head in summary.clauses:
        subjects = tree.children(head, *SUBJECTS)
        first_verb = min([head, *tree.children(head, "aux", "cop")])
        if len(tree.children(head, "nsubj", "csubj")) > 1 or (subjects and min(subjects) > first_verb):
            return True
        if any(tags[place].startswith("W") for place in tree.dependents[head] if place < head):
            return True
    return bool(tree.children(summary.clauses[0], "mark"))


def _disagrees(summary: Summary) -> bool:
    """Tell whether subject and verb do not agree, or the subject is no noun: the parser has missed the true one."""
    tree, tags = summary.tree, summary.tree.parse.tags
    for head in summary.clauses:
        subjects = tree.children(head, "nsubj")
        finite = [place for place in sorted((head, *tree.children(head, "aux", "cop"))) if is_finite(tree, place)]
        if any(tree.children(place, "case") or tags[place].startswith(("JJ", "V", "RB")) for place in subjects):
            return True
        if subjects and finite and not agrees(tree, subjects[-1], finite[0]):
            return True
    return False


def _has_stray_clause(summary: Summary) -> bool:
    """Tell whether a finite verb is left out that hangs on nothing that may be left out."""
    tree = summary.tree
    for place, tag in enumerate(tree.parse.tags):
        clause = tree.parse.clause_head(place)
        if tag in FINITE_TAGS and clause not in summary.clauses and not tree.parse.has_label(clause, "acl", "advcl", "ccomp", "conj"):
            return True
        loose = tree.parse.has_label(clause, "conj", "ccomp") and tree.parse.heads[clause] in summary.clauses
        if tag in FINITE_TAGS and clause not in summary.clauses and loose:
            return True
    return False


def _announces(summary: Summary) -> bool:
    """Tell whether the subject "it" stands for a clause that would be left out: "it is unclear where", "it was the king that"."""
    parse, after = summary.tree.parse, max(summary.places) + 1
    cleft = summary.tree.children(summary.clauses[0], "cop") and {"that", "who", "which"} & set(parse.tokens[after:])
    if cleft and summary.words[0].lower() in ("it", "that", "this"):
        return True
    return summary.words[0].lower() == "it" and "".join(parse.tokens[after : after + 1]).lower() in _ANNOUNCED


def _lacks_object(summary: Summary) -> bool:
    """Tell whether a verb is left without any of its complements, and is one that needs one."""
    for head in summary.clauses:
        tree, last = summary.tree, max([head, *summary.tree.children(head, "aux", "cop", "compound")])
        kind = "REQUIRES_COMPLEMENT_IN_PASSIVE" if tree.children(head, "aux:pass") else "REQUIRES_COMPLEMENT"
        needs = summary.is_a(head, kind) and not tree.children(head, "cop")
        kept = any(place > last and place in summary.kept for place in tree.dependents[head])
        unmarked = [place for place in summary.left_out(head, "obl:unmarked") if tree.first(place) == last + 1]
        if (
            summary.is_a(head, "NEEDING_AS")
            and tree.children(head, "aux:pass")
            and not any(summary.case(p) == "as" for p in summary.phrases)
        ):
            return True
        if unmarked or summary.left_out(head, "obj", "iobj", "xcomp", "ccomp") or (needs and not kept):
            return True
    parse, after = summary.tree.parse, max(summary.places) + 1
    return _goes_on_after(parse, after) or any(summary.left_out(head, "obj", "xcomp", "ccomp") for head in summary.phrases)


def _goes_on_after(parse: Parse, after: int) -> bool:
    """Tell whether the words after the summary's last are a second complement: "leaves pets behind", "found it too long"."""
    tags, words = (*parse.tags[after : after + 2], ".", "."), parse.tokens[after : after + 2]
    if tags[0] in ("VB", "JJ", "RP") or words == ("to", "be") or words[:1] in _SEPARATED:
        return True
    if tags[0] in ("DT", "PRP$") or (words[:1] in _PARTICLES and tags[1] in (".", ",", "IN", "CC")):
        return True
    return parse.tags[after - 1].startswith("V") and tags[:2] == ("TO", "VB")


def _lacks_relation(summary: Summary) -> bool:
    """Tell whether a predicate says nothing alone, or lacks what it is said of."""
    for head in summary.clauses:
        if not summary.tree.children(head, "cop"):
            continue
        kept = any(place > head and place in summary.kept for place in summary.tree.dependents[head])
        if not kept and (summary.is_a(head, "ADJECTIVES_REQUIRING_COMPLEMENT") or summary.is_a(head, "EMPTY_PREDICATES")):
            return True
    return False


def _lacks_whole(summary: Summary) -> bool:
    """Tell whether a quantity stays without what it is one of, or a fixed phrase without its end: "on account"."""
    tree = summary.tree
    for head in summary.phrases:
        whole = any(place > head and place in summary.kept for place in tree.dependents[head])
        if summary.is_a(head, "QUANTITIES") and not whole:
            return True
        if summary.is_a(head, "PREPOSITIONAL_NOUNS") and tree.children(head, "case") and not whole:
            return True
    following = tree.parse.tokens[max(summary.places) + 1 :][:1]
    return following in (("to",), ("into",), ("until",)) and any(tree.parse.tokens[place] == "from" for place in summary.places)


def _changes_sense(summary: Summary) -> bool:
    """Tell whether a left out modifier turns the sense: "hardly", "former", "few", "more common than", "not" of another word."""
    parse = summary.tree.parse
    negations = (place for place in range(len(parse)) if parse.is_negation(place) and place not in summary.kept)
    kept = {*summary.clauses, *summary.phrases}
    if any(
        parse.heads[place] not in summary.clauses and {parse.heads[place], parse.heads[parse.heads[place]]} & kept for place in negations
    ):
        return True
    for head in (*summary.clauses, *summary.phrases):
        words = {summary.tree.parse.tokens[place].lower() for place in summary.left_out(head, "amod", "advmod", "det", "cc", "nummod")}
        if any(summary.is_a(place, kind) for place in summary.left_out(head) for kind in ("WEAKENING", "PRIVATIVE")):
            return True
        if summary.tree.parse.tags[head].startswith("JJ") and (words & _COMPARING or summary.tree.parse.tags[head] == "JJR"):
            return True
    return False


def _is_partial(summary: Summary) -> bool:
    """Tell whether a noun goes on beside what is kept of it, or is no head of a phrase, by the tags."""
    return any(_goes_on(summary, head) or _is_no_head(summary, head) for head in summary.phrases)


def _goes_on(summary: Summary, head: int) -> bool:
    parse = summary.tree.parse
    first, last = noun_span(parse, head)
    before = parse.tags[first - 1] if first > 0 and first - 1 not in summary.kept else "."
    after = parse.tags[last + 1] if last + 1 < len(parse) and last + 1 not in summary.kept else "."
    if before == "CC" and first > 1:
        return True
    if after == "CC":
        return not is_clause(summary.tree, parse.heads[last + 1])
    if last + 1 < len(parse) and parse.heads[last + 1] != head and summary.is_a(last + 1, "TIMES"):
        return False
    return after in _NOUN_TAGS | {"POS", "HYPH"} or (after == "CD" and parse.tokens[last].istitle())


def _is_no_head(summary: Summary, head: int) -> bool:
    tag = summary.tree.parse.tags[head]
    opened = any(summary.tree.parse.tokens[place] == "to" for place in summary.tree.children(head, "mark"))
    return opened or tag in ("RB", "$", "IN") or (summary.tree.parse.tokens[head].endswith("ly") and tag not in ("NNP", "JJ"))


def _skips_words(summary: Summary) -> bool:
    """Tell whether more than modifiers of the next kept word is left out after a kept verb or preposition: the parser has torn a phrase."""
    tags, kept = summary.tree.parse.tags, sorted(summary.kept)
    gaps = [(before, after) for before, after in pairwise(kept) if after > before + 1]
    gaps = [(before, after) for before, after in gaps if tags[before][:2] in _GOVERNING or tags[after] in ("VB", "VBG")]
    return any(not _modifies(summary, place, before, after) for before, after in gaps for place in range(before + 1, after))


def _modifies(summary: Summary, place: int, before: int, after: int) -> bool:
    parse = summary.tree.parse
    tag, head = parse.tags[place], parse.heads[place]
    inner = place < head <= after or (head > place and head in summary.kept)
    if tag.startswith("RB") or tag in _MODIFIER_TAGS:
        return True
    if parse.tags[before] in ("TO", "CC") and place == before + 1:
        return False  # "seeks to boost trade", "food and drug regulators"
    return inner and (tag.startswith(("NN", "VB")) or tag in (",", "CC", "UH", "-LRB-", "``", "''"))


def _is_torn(summary: Summary) -> bool:
    """Tell whether half of a coordination is kept, or words stand in another order than the text's."""
    order = summary.places
    tree, tags = summary.tree, summary.tree.parse.tags
    for head in (*summary.phrases, *summary.clauses):
        joined = conjuncts(tree, head)
        unlike = any(tags[place].startswith("N") != tags[head].startswith("N") for place in joined if tags[place] != "PRP")
        opened = any(tags[place].startswith(("V", "W", "MD")) for last in joined[-1:] for place in range(head + 1, last))
        loose = joined and not any(tree.children(place, "cc") for place in joined)
        if loose or unlike or (opened and head in summary.phrases) or any(place not in summary.kept for place in joined):
            return True
    return len(set(order)) < len(order) or order != sorted(order) or summary.text.count("(") != summary.text.count(")")


REFUSALS: tuple[Refusal[[Summary]], ...] = (
    Refusal("marks that join", "The king was old: he saw the farmer.", _has_marks),
    Refusal("subject that stands for a clause", "It is unclear where he lived in the winter.", _announces),
    Refusal("inverted or subordinate clause", "How nice the old king is.", _is_inverted),
    Refusal("subject that does not agree", "Critics of the old plan was there.", _disagrees),
    Refusal("finite verb that hangs loosely", "He saw the old farmer, I think.", _has_stray_clause),
    Refusal("verb without its complement", "The old method is viewed.", _lacks_object),
    Refusal("predicate that says little", "The old cities are identical.", _lacks_relation),
    Refusal("quantity without its whole", "He had a lot.", _lacks_whole),
    Refusal("modifier that turns the sense", "He hardly knew the old man.", _changes_sense),
    Refusal("noun cut short", "The king likes the farmer's.", _is_partial),
    Refusal("words skipped before a complement", "India seeks to boost construction.", _skips_words),
    Refusal("words in another order", "The king bought apples, pears in the town.", _is_torn),
)

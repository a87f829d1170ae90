"""The finite verb of an English main clause and what goes with it: "may have been transferred", with its subject and negation.

Works on both shapes of copular clauses (see `augcse.annotation.parse`): "was" as the dependent of the predicate, or as the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import inflections, verb_form, verb_lemma

Kind = Literal["modal", "be", "have", "do", "verb"]
_BE = frozenset("am is are was were be 's ’s 'm ’m 're ’re".split())
_HAVE = frozenset("have has had 've ’ve".split())
_DO = frozenset("do does did".split())
_PAST = frozenset("was were had did could".split())
_THIRD = frozenset("is was has does 's ’s".split())
_MODALS = frozenset("can ca could may might must shall sha should will wo would 'll ’ll 'd ’d".split())
_PLURAL_PRONOUNS = frozenset("i you we they these those many few several both some".split())
_SUBORDINATORS = frozenset("when while where because although though if unless since whether that which who until how why what".split())
_NEGATIONS = frozenset("not n't n’t never no nobody nothing none nowhere neither nor hardly scarcely barely rarely seldom cannot".split())


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The verbs of a main clause. `verbs` are token indices in order; the first is the finite one, `head` the clause's head."""

    parse: Parse
    head: int
    verbs: tuple[int, ...]
    subject: int
    kind: Kind
    past: bool
    third: bool

    @property
    def finite(self) -> int:
        """Return the index of the finite verb."""
        return self.verbs[0]

    @property
    def word(self) -> str:
        """Return the finite verb in lower case."""
        return self.parse.tokens[self.finite].lower()

    @property
    def lemma(self) -> str | None:
        """Return the base form of the finite verb; None for modals and unknown words."""
        if self.kind in ("be", "have", "do"):
            return self.kind
        token = self.parse.tokens[self.finite]
        # "Co-founded", "OKed": forms of such words are anybody's guess.
        if self.kind == "modal" or not token.isalpha() or not token.islower():
            return None
        tag = self.parse.tags[self.finite]
        return verb_lemma(token, "VBD" if tag == "VBN" else tag, self.parse.lemmas[self.finite])

    @property
    def past_participle(self) -> str | None:
        """Return the past participle of the finite verb."""
        if self.kind in ("be", "have"):
            return {"be": "been", "have": "had"}[self.kind]
        lemma = self.lemma
        if lemma is None:
            return None
        form = verb_form(lemma, "VBD")
        forms = inflections(lemma, "VBN")
        # The participle equals the past unless the verb is a strong one; the first one listed is then the usual one.
        return form if form in forms else (forms[0] if forms else None)


def main_verb_group(parse: Parse) -> VerbGroup | None:
    """Return the verb group of the first main clause; None for questions, inversions, imperatives and what has no finite verb."""
    if not len(parse):
        return None
    head = parse.roots()[0]
    subjects = parse.children(head, "nsubj", "csubj", "expl")
    verbs = sorted([*parse.children(head, "aux", "cop"), *([head] if parse.upos[head] in ("VERB", "AUX") else [])])
    verbs = [verb for verb in verbs if parse.tags[verb] == "MD" or parse.tags[verb].startswith("VB")]
    before = [subject for subject in subjects if verbs and subject < verbs[0]]
    if not before or parse.tokens[-1] == "?":
        return None
    kind = _kind(parse, verbs, head)
    if _is_subordinate(parse, head, before[-1], verbs[0]) or _is_inverted(parse, before[-1]):
        return None
    if kind is None or any(_breaks(parse, place) for place in range(before[-1] + 1, verbs[0])):
        return None
    word, tag = parse.tokens[verbs[0]].lower(), parse.tags[verbs[0]]
    third = word in _THIRD or tag == "VBZ" or (kind == "modal" and not _is_plural(parse, subjects[-1]))
    past = word in _PAST or (kind != "modal" and tag in ("VBD", "VBN"))
    return VerbGroup(parse, head, tuple(verbs), before[-1], kind, past, third)


def _is_subordinate(parse: Parse, head: int, subject: int, finite: int) -> bool:
    """Tell whether the parser took a subordinate clause for the main one: under "when", or after it with no comma between."""
    if any(parse.tokens[place].lower() in _SUBORDINATORS for place in parse.children(head) if place < finite):
        return True
    openers = [place for place in range(subject) if parse.tags[place] in ("WRB", "WP", "WDT") or parse.deps[place] == "mark"]
    return bool(openers) and parse.tags[subject] != "EX" and "," not in parse.tokens[openers[-1] : subject]


def _is_inverted(parse: Parse, subject: int) -> bool:
    """Tell whether the subject has a preposition: "In the church is a cycle of frescoes"."""
    return any(place < subject and parse.tags[place] == "IN" for place in parse.children(subject, "case"))


def _kind(parse: Parse, verbs: list[int], head: int) -> Kind | None:
    word, tag = parse.tokens[verbs[0]].lower(), parse.tags[verbs[0]]
    following = [parse.tags[verb] for verb in verbs[1:]]
    if tag == "MD":
        return "modal" if word in _MODALS and len(verbs) > 1 else None
    if tag == "VBN" and len(verbs) == 1:
        # The tagger's mistake if there is a subject and no auxiliary: "He established it."
        # "A person held to service" has no object.
        is_past = verbs[0] == head and bool(parse.children(head, "obj")) and ")" not in parse.tokens[head + 1 : head + 4]
        return "verb" if is_past and verb_lemma(word, "VBD", parse.lemmas[head]) else None
    if tag not in ("VBZ", "VBP", "VBD"):
        return None
    is_be = word in _BE and parse.lemmas[verbs[0]].lower() != "have"
    if is_be:
        # "is to go" has a bare verb, "'s gone" may be "has gone".
        return "be" if "VB" not in following[:1] and not (word in ("'s", "’s") and following) else None
    if len(verbs) == 1:
        return "verb" if verbs[0] == head and not _is_noun_before_verb(parse, head) else None
    if word in _HAVE and following[0] in ("VBN", "VBD"):
        return "have"
    return "do" if word in _DO and following[0] in ("VB", "VBP") else None


def _is_noun_before_verb(parse: Parse, verb: int) -> bool:
    """Tell whether the tagger took a plural for the verb: another past follows, "units attacked", "units counter-attacked"."""
    after = verb + 3 if parse.tokens[verb + 2 : verb + 3] == ("-",) else verb + 1
    return parse.tags[verb] == "VBZ" and parse.tags[after : after + 1] in (("VBD",), ("VBN",))


def _breaks(parse: Parse, place: int) -> bool:
    """Tell whether a colon or a semicolon stands between subject and verb: then the parser read a list as a clause."""
    return parse.tokens[place] in (":", ";")


def _is_plural(parse: Parse, subject: int) -> bool:
    if parse.tags[subject] in ("NNS", "NNPS") or parse.tokens[subject].lower() in _PLURAL_PRONOUNS:
        return True
    return any(place > subject for place in parse.children(subject, "conj") if parse.upos[place] in ("NOUN", "PROPN", "PRON"))


def is_negated(group: VerbGroup) -> bool:
    """Tell whether the group, its subject or its objects carry a negative word."""
    near = {*group.verbs, group.head, group.subject}
    return any(
        token.lower() in _NEGATIONS and (parse_head in near or parse_head in group.parse.children(group.head))
        for token, parse_head in zip(group.parse.tokens, group.parse.heads, strict=True)
    )


def negations(parse: Parse) -> list[int]:
    """Return the indices of all negative words."""
    return [index for index, token in enumerate(parse.tokens) if token.lower() in _NEGATIONS]


def spaced(parse: Parse, index: int, replacement: str) -> str:
    """Return the replacement with a blank before it if the word is an ending like "'s" that hangs on the word before."""
    hangs = index > 0 and parse.end(index - 1) == parse.starts[index] and parse.tokens[index - 1][-1].isalnum()
    return f" {replacement}" if hangs else replacement

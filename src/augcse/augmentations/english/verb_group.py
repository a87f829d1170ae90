"""The finite verb of an English main clause and what goes with it: "may have been transferred", with its subject and negation.

Works on both shapes of copular clauses (see `augcse.annotation.parse`): "was" as the dependent of the predicate, or as the root.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from augcse.annotation.parse import NEGATIONS, Parse
from augcse.augmentations.english.inflection import inflections, verb_form, verb_lemma
from augcse.augmentations.text.edits import Edit, match_case

Kind = Literal["modal", "be", "have", "do", "verb"]
# A question here is one whose finite verb stands before its subject; "Who left?" has the order of a statement.
Mood = Literal["statement", "question", "imperative"]
_BE = frozenset("am is are was were be 's ’s 'm ’m 're ’re".split())
_HAVE = frozenset("have has had 've ’ve".split())
_DO = frozenset("do does did".split())
_PAST = frozenset("was were had did could".split())
_THIRD = frozenset("is was has does 's ’s".split())
_MODALS = frozenset("can ca could may might must shall sha should will wo would 'll ’ll 'd ’d".split())
_PLURAL_PRONOUNS = frozenset("i you we they these those many few several both some".split())
_SUBORDINATORS = frozenset("when while where because although though if unless since whether that which who until how why what".split())
_NEGATIVE = NEGATIONS | frozenset("never no nobody nothing none nowhere neither nor hardly scarcely barely rarely seldom cannot".split())
# What may stand before the verb of an imperative, and verbs whose bare form opens a set phrase.
_BEFORE_IMPERATIVE = frozenset("please just always so then and but now first ``".split()) | {'"', "“", ","}
_NO_IMPERATIVES = frozenset("thank thanks welcome bless damn fuck let suppose say look see mind".split())
# Adverbs of the clause, which stand after "be" and before the rest: "are still marked".
_CLAUSE_ADVERBS = frozenset("still also often always now usually generally already then thus therefore probably once really".split())


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The verbs of a main clause.

    `verbs` are token indices in order, the first the finite one; `head` is the clause's head, `subject` the subject's (the verb itself
    where there is none), `third` whether a present verb takes "-s". `inner` is where words that follow finite verb and subject go: the
    second verb of a question, or what stands after its subject; of an imperative the verb.
    """

    parse: Parse
    head: int
    verbs: tuple[int, ...]
    subject: int
    kind: Kind
    past: bool
    third: bool
    mood: Mood = "statement"
    inner: int = 0

    @property
    def finite(self) -> int:
        """Return the index of the finite verb."""
        return self.verbs[0]

    @property
    def word(self) -> str:
        """Return the finite verb in lower case."""
        return self.parse.tokens[self.finite].lower()

    @property
    def asks(self) -> bool:
        """Whether the sentence ends with a question mark."""
        marks = (token for token in self.parse.tokens[self.finite :] if token in (".", "!", "?", ";"))
        return next(marks, "") == "?"

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
        return {"be": "been", "have": "had"}.get(self.kind) or (participle(self.lemma) if self.lemma else None)

    @property
    def do_form(self) -> str:
        """Return "do", "does" or "did", as the finite verb is."""
        return "did" if self.past else "does" if self.third else "do"

    def rewritten(self, finite: str, inner: str = "") -> list[Edit]:
        """Return the edits that put `finite` in the finite verb's position and `inner` after it, or after the subject of a question.

        An adverb of the clause stays before what follows a form of "be": "is still marked" -> "can still be marked".
        """
        parse, position = self.parse, self.finite
        start, end = parse.starts[position], parse.end(position)
        if self.mood == "question":
            return [Edit(start, end, match_case(parse.tokens[position], finite)), *([self.inserted(inner)] if inner else [])]
        if self.kind != "be" or not self._before_clause_adverb or not inner:
            return [Edit(start, end, spaced(parse, position, f"{finite} {inner}".rstrip()))]
        after = parse.end(position + 1)
        return [Edit(start, end, spaced(parse, position, finite)), Edit(after, after, f" {inner}")]

    def inserted(self, words: str) -> Edit:
        """Return the edit that puts words at `inner`."""
        parse, position = self.parse, self.inner
        if position < len(parse) and parse.tokens[position][0].isalnum():
            return Edit(parse.starts[position], parse.starts[position], f"{words} ")
        return Edit(parse.end(position - 1), parse.end(position - 1), f" {words}")

    @property
    def _before_clause_adverb(self) -> bool:
        """Whether an adverb of the clause follows the finite verb, and a word follows that."""
        parse, adverb = self.parse, self.finite + 1
        if adverb + 1 >= len(parse) or not parse.tokens[adverb + 1][0].isalnum():
            return False
        of_verb = parse.tags[adverb] == "RB" and parse.heads[adverb] == self.head and parse.upos[self.head] == "VERB"
        return parse.tokens[adverb].lower() in _CLAUSE_ADVERBS or (of_verb and not parse.is_negation(adverb))


def participle(lemma: str) -> str | None:
    """Return the past participle of a verb.

    >>> participle("walk"), participle("take"), participle("blorf")
    ('walked', 'taken', None)
    """
    form, forms = verb_form(lemma, "VBD"), inflections(lemma, "VBN")
    # The participle equals the past unless the verb is a strong one; the first one listed is then the usual one.
    return form if form in forms else (forms[0] if forms else None)


def main_verb_group(parse: Parse) -> VerbGroup | None:
    """Return the verb group of the first main clause; None for fragments and subordinate clauses that the parser took for one."""
    if not len(parse):
        return None
    head = parse.roots()[0]
    subjects = parse.children(head, "nsubj", "csubj", "expl")
    verbs = sorted([*parse.children(head, "aux", "cop"), *([head] if parse.upos[head] in ("VERB", "AUX") else [])])
    verbs = [verb for verb in verbs if parse.tags[verb] == "MD" or parse.tags[verb].startswith("VB")]
    if not verbs:
        return None
    if not subjects:
        return _imperative(parse, head, verbs)
    kind = _kind(parse, verbs, head)
    if kind is None:
        return None
    finite, word, tag = verbs[0], parse.tokens[verbs[0]].lower(), parse.tags[verbs[0]]
    past = word in _PAST or (kind != "modal" and tag in ("VBD", "VBN"))
    before = [subject for subject in subjects if subject < finite]
    subject = before[-1] if before else subjects[0]
    third = word in _THIRD or tag == "VBZ" or (kind == "modal" and not _is_plural(parse, subjects[-1]))
    group = VerbGroup(parse, head, tuple(verbs), subject, kind, past, third)
    if not before:
        return _question(group)
    return None if _is_misread(parse, head, subject, finite) else group


def _question(group: VerbGroup) -> VerbGroup | None:
    """Return the group as a question's, if its finite verb stands between what is asked for and the subject."""
    parse, finite = group.parse, group.finite
    if not group.asks or group.kind == "verb" or parse.tokens[0] in ('"', "“") or "," in parse.tokens[:finite]:
        return None
    if parse.tags[group.head] in ("WP", "WDT") and group.head < finite:
        # "What is the reason?": asked for by the subject, as far as order goes.
        return replace(group, subject=group.head)
    last = group.subject if parse.tags[group.subject] == "EX" else parse.subtree(group.subject)[-1]
    inner = group.verbs[1] if len(group.verbs) > 1 else last + 1
    while parse.tokens[inner - 1].lower() in _CLAUSE_ADVERBS and inner - 1 > group.subject:
        inner -= 1
    is_whole = finite < group.subject < inner <= max(group.head, group.subject + 1) and all(
        token[0].isalnum() for token in parse.tokens[finite:inner]
    )
    return replace(group, mood="question", inner=inner) if is_whole else None


def _imperative(parse: Parse, head: int, verbs: list[int]) -> VerbGroup | None:
    """Return the group of a verb in its base form that opens the sentence, alone or after "do", "don't" or "please"."""
    verb, first = verbs[-1], verbs[0]
    before = [token.lower() for token in parse.tokens[:first]]
    is_bare = parse.tags[verb] == "VB" and verb == head and (first == verb or parse.tokens[first].lower() == "do")
    is_bare = is_bare and verb_lemma(parse.tokens[verb], "VB", parse.lemmas[verb]) is not None
    if not is_bare or not set(before) <= _BEFORE_IMPERATIVE or parse.tokens[verb].lower() in _NO_IMPERATIVES:
        return None
    # A noun: "Rise of Russians in Israel", "cut - and - paste", "Press Release".
    following = parse.tokens[verb + 1 : verb + 2]
    is_title = following and following[0].istitle() and parse.tags[verb + 1] != "PRP" and not following[0].isupper()
    is_noun = is_title or parse.text.rstrip("\"'”’) ")[-1:] not in (".", "!") or following in (("-",), (":",), ("'s",))
    group = VerbGroup(parse, head, tuple(verbs), head, "do" if first != verb else "verb", False, False, "imperative", verb)
    return None if is_noun or (verb > 0 and parse.tokens[verb][0].isupper()) or group.asks else group


def _is_misread(parse: Parse, head: int, subject: int, finite: int) -> bool:
    """Return whether the parser took a subordinate clause or a list for the main clause, or the end of a phrase for its subject."""
    if any(parse.tokens[position].lower() in _SUBORDINATORS for position in parse.children(head) if position < finite):
        return parse.tokens[-1] != "?"
    openers = [position for position in range(subject) if parse.tags[position] in ("WRB", "WP", "WDT") or parse.deps[position] == "mark"]
    is_subordinate = bool(openers) and parse.tags[subject] != "EX" and "," not in parse.tokens[openers[-1] : subject]
    # "In the church is a cycle of frescoes", "Cast: Tom, who is".
    has_preposition = any(position < subject and parse.tags[position] == "IN" for position in parse.children(subject, "case"))
    breaks = {":", ";"} & set(parse.tokens[subject + 1 : finite])
    # The auxiliary of a question that hangs elsewhere: "Why does he have it?".
    is_doubled = parse.tokens[-1] == "?" and any(
        parse.tags[position] == "MD" or parse.tokens[position].lower() in _DO for position in range(subject)
    )
    return (is_subordinate and parse.tokens[-1] != "?") or has_preposition or bool(breaks) or is_doubled


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
    # "Don't you like it?": the tagger takes the auxiliary of some questions for a base form.
    if tag not in ("VBZ", "VBP", "VBD") and not (tag == "VB" and word in _DO and len(verbs) > 1):
        return None
    if word in _BE and parse.lemmas[verbs[0]].lower() != "have":
        # "is to go" has a bare verb, "'s gone" may be "has gone".
        return "be" if "VB" not in following[:1] and not (word in ("'s", "’s") and following) else None
    if len(verbs) == 1:
        return "verb" if verbs[0] == head and not _is_noun_before_verb(parse, head) else None
    if word in _HAVE and following[0] in ("VBN", "VBD"):
        return "have"
    return "do" if word in _DO and following[0] in ("VB", "VBP") else None


def _is_noun_before_verb(parse: Parse, verb: int) -> bool:
    """Return whether the tagger took a plural for the verb: another past follows, "units attacked", "units counter-attacked"."""
    after = verb + 3 if parse.tokens[verb + 2 : verb + 3] == ("-",) else verb + 1
    return parse.tags[verb] == "VBZ" and parse.tags[after : after + 1] in (("VBD",), ("VBN",))


def _is_plural(parse: Parse, subject: int) -> bool:
    if parse.tags[subject] in ("NNS", "NNPS") or parse.tokens[subject].lower() in _PLURAL_PRONOUNS:
        return True
    return any(position > subject for position in parse.children(subject, "conj") if parse.upos[position] in ("NOUN", "PROPN", "PRON"))


def is_reduced_passive(group: VerbGroup) -> bool:
    """Return whether the past of a headline may be a participle: "Motorists killed after tunnel collapses"."""
    parse, after = group.parse, group.finite + 1
    is_headline = group.kind == "verb" and group.past and parse.text.rstrip(" \"”'’)")[-1:] not in (".", "!", "?")
    alike = is_headline and group.past_participle == group.word and not parse.children(group.head, "obj", "ccomp", "xcomp")
    return alike and parse.tags[after : after + 1] not in (("RB",), ("RP",))


def is_negated(group: VerbGroup) -> bool:
    """Return whether the group, its subject or its objects carry a negative word."""
    near = {*group.verbs, group.head, group.subject, *group.parse.children(group.head)}
    return any(group.parse.heads[position] in near for position in negations(group.parse))


def negations(parse: Parse) -> list[int]:
    """Return the indices of all negative words."""
    return [index for index, token in enumerate(parse.tokens) if token.lower() in _NEGATIVE]


def spaced(parse: Parse, index: int, replacement: str) -> str:
    """Return the replacement with a blank before it if the word is an ending like "'s" that hangs on the word before."""
    hangs = index > 0 and parse.end(index - 1) == parse.starts[index] and parse.tokens[index - 1][-1].isalnum()
    return f" {replacement}" if hangs else replacement

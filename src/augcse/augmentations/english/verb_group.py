"""The verb groups of a sentence: for each finite clause its verbs ("may have been transferred"), its subject, and edits of the finite verb.

Works on both shapes of copular clauses (see `augcse.annotation.parse`): "was" as the dependent of the predicate, or as the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augcse.annotation.parse import NEGATIONS, Parse
from augcse.augmentations.english.agreement import takes_plural
from augcse.augmentations.english.clause import FINITE_TAGS, SUBJECTS, VERB_WORDS, before_adverbs, full_form, is_finite_clause, verbs_of
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.english.marks import asks
from augcse.augmentations.english.times import Tense
from augcse.augmentations.text.edits import Edit, last_mark, match_case

Kind = Literal["modal", "be", "have", "do", "verb"]
# A question here has its finite verb before its subject; "Who left?" has the order of a statement.
Mood = Literal["statement", "question", "imperative"]
TENSE_OF_TAG: dict[str, Tense] = {"VBD": "past", "VBZ": "present", "VBP": "present"}
_TENSE_OF_MODAL: dict[str, Tense] = {"will": "future", "can": "present", "could": "past"}
# With a "not" they are modals: "need not go".
_BARE_MODALS = frozenset({"need", "dare"})
CLAUSES = ("ROOT", "conj", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj")
_NEGATIVE = NEGATIONS | VERB_WORDS["NEGATIVE"]
_REQUESTING = frozenset({"can", "could", "may", "shall", "will", "would"})


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """A finite verb with its clause: the `verbs` in text order, the finite one first, the `head` of the clause and that of the `subject`.

    A coordinated verb has the subject of the one before it; a clause without any, as an imperative, has its head in its place.
    A published rule `leaves_adverbials` where they are: "will be finally seen".
    """

    parse: Parse
    head: int
    verbs: tuple[int, ...]
    subject: int
    is_imperative: bool = False
    leaves_adverbials: bool = False

    @property
    def finite(self) -> int:
        """Return the index of the finite verb."""
        return self.verbs[0]

    @property
    def word(self) -> str:
        """Return the finite verb in lower case, a contraction in full: "will" for "'ll"."""
        return full_form(self.parse, self.finite).lower()

    @property
    def kind(self) -> Kind:
        """Return what the finite verb is: an auxiliary or copula, or the only verb."""
        if self.parse.tags[self.finite] == "MD" or (self.word in _BARE_MODALS and self.parse.is_negation(self.finite + 1)):
            return "have" if self.word == "had" else "modal"  # "He'd broken it."
        if self.word in VERB_WORDS["BE"]:
            return "be"
        if self.finite == self.head and not (self.is_contracted or self.parse.is_negation(self.finite + 1)):
            return "verb"
        if self.word in VERB_WORDS["HAVE"]:
            return "have"
        return "do" if self.word in VERB_WORDS["DO"] else "verb"

    @property
    def is_contracted(self) -> bool:
        """Return whether the finite verb is written with its subject, as "'ve"."""
        return self.parse.tokens[self.finite][0] in "'’"

    @property
    def has_subject(self) -> bool:
        """Return whether the clause has a subject."""
        return self.subject != self.head or bool(self.parse.children(self.head, *SUBJECTS))

    @property
    def is_inverted(self) -> bool:
        """Return whether the subject follows the finite verb, as in a question."""
        return self.subject > self.finite

    @property
    def mood(self) -> Mood:
        """Return the mood of a main clause."""
        if self.is_imperative:
            return "imperative"
        return "question" if self.is_inverted else "statement"

    @property
    def past(self) -> bool:
        """Return whether the finite verb is a past tense."""
        return self.parse.tags[self.finite] in ("VBD", "VBN")

    @property
    def tense(self) -> Tense | None:
        """Return the tense; None for a modal without one."""
        return _TENSE_OF_MODAL.get(self.word) if self.kind == "modal" else TENSE_OF_TAG.get(self.parse.tags[self.finite])

    @property
    def plural(self) -> bool | None:
        """Return whether the verb is plural, by its form, or else by its subject; None if that is in doubt."""
        tag = self.parse.tags[self.finite]
        if self.kind == "be":
            return self.word in ("am", "are", "were")
        if tag in ("VB", "VBP", "VBZ") and self.kind != "modal":
            return tag != "VBZ"
        return self.subject_is_plural

    @property
    def subject_is_plural(self) -> bool | None:
        """Return whether the subject is plural; None if it is in doubt or there is none. A gerund is singular: "Getting it may be hard"."""
        parse, subject = self.parse, self.subject
        if not self.has_subject:
            return None
        if parse.tags[subject] == "EX":  # "There may be men"
            subject = max(parse.children(self.head, "nsubj"), default=subject)
        if parse.tags[subject] == "VBG" and not parse.children(subject, "conj", "det"):
            return False
        # The tagger takes some plurals for verbs: "All notices must be in writing".
        return parse.tags[subject] == "VBZ" or takes_plural(parse, subject)

    @property
    def asks(self) -> bool:
        """Return whether the first end mark or semicolon after the finite verb is a question mark."""
        return asks(self.parse, self.finite)

    @property
    def adverbs(self) -> dict[str, int]:
        """Return the adverbs of the verb with their indices: those next to it, and those from the subject to the word after the head."""
        parse = self.parse
        beside = [index for index in (self.finite - 1, self.finite + 1) if parse.tag(index) == "RB"]
        between = [index for index in parse.children(self.head, "advmod") if self.subject < index <= self.head + 1]
        return {parse.word(index): index for index in (*beside, *between)}

    @property
    def lemma(self) -> str | None:
        """Return the base form of the finite verb; None for modals and unknown words."""
        if self.kind in ("be", "have", "do"):
            return self.kind
        return verb_lemma(self.word, self.parse.tags[self.finite], self.parse.lemmas[self.finite])

    @property
    def past_participle(self) -> str | None:
        """Return the past participle of the finite verb."""
        return word_form(self.lemma, "VBN") if self.lemma else None

    @property
    def do_form(self) -> str:
        """Return the form of "do" that takes the place of the finite verb: "do", "does" or "did"."""
        if self.past:
            return "did"
        return "do" if self.plural else "does"

    @property
    def insertion(self) -> int:
        """Return the token that words go before: the second verb or the first word after the subject of a question, with its adverbs.

        In a statement, it is the first word after the adverbials of the clause that follow the finite verb ("is in fact still | marked").
        """
        parse = self.parse
        if self.is_inverted:
            last = self.head if self.subject == self.head else parse.last(self.subject)
            index = self.verbs[1] if len(self.verbs) > 1 else last + 1
            while parse.word(index - 1) in VERB_WORDS["CLAUSE"]:
                index -= 1
            return index
        index = self.finite + 1
        while (end := self._adverbial_end(index)) > index:
            index = end
        return index

    def _adverbial_end(self, first: int) -> int:
        """Return the token after the adverb, or phrase with a preposition, of the clause that begins at a token; the token if none does."""
        parse, word = self.parse, self.parse.word(first)
        early = frozenset() if self.leaves_adverbials or first == self.head else VERB_WORDS["EARLY"]
        is_predicate = first == self.head and parse.tags[first] == "JJ" and not self.leaves_adverbials  # "is likely to stay"
        if word in VERB_WORDS["CLAUSE"] | NEGATIONS | early and not is_predicate:
            return first if parse.word(first + 1) == "-" else first + 1
        nouns = (noun for noun in parse.children(self.head, "obl") if first in parse.children(noun, "case") and parse.upos[noun] == "NOUN")
        noun = next(nouns, self.head)
        return first if noun >= self.head or self.leaves_adverbials else parse.last(noun) + 1

    def rewritten(self, finite: str, after: str = "") -> list[Edit]:
        """Return the edits that put `finite` in place of the finite verb, and the words `after` it, in a question after the subject.

        An adverb of the clause stays before what follows "be" or a modal ("is still marked" -> "can still be marked"), or goes before a
        `finite` of several words ("still cannot but be marked"). Those before a main verb stay next to it: "duly came" -> "must duly come".
        """
        parse, position = self.parse, self.finite
        if self.kind == "verb":
            return self._before_main_verb(finite, after)
        if " " in finite and not self.is_inverted:
            adverbs = parse.tokens[position + 1 : self.insertion]
            words = " ".join(filter(None, (*adverbs, finite, after)))
            return [Edit(*parse.span(position, self.insertion - 1), spaced(parse, position, words))]
        finite_edit = replaced(parse, position, finite)
        return [finite_edit, self.inserted(after)] if after else [finite_edit]

    def _before_main_verb(self, finite: str, after: str) -> list[Edit]:
        """Return the edits that put an auxiliary before the main verb and its adverbs, and the words `after` it in place of the verb."""
        # Some adverbs stay before an auxiliary of several words: "He may often walk", but "he often has to walk".
        staying = VERB_WORDS["CLAUSE"] | VERB_WORDS["EARLY"] if " " in finite else frozenset()
        first = before_adverbs(self.parse, self.finite, staying) + 1
        start = self.parse.starts[first]
        if self.parse.word(first) in VERB_WORDS["CLAUSE"]:
            return [Edit(start, start, f"{finite} "), Edit(*self.parse.span(self.finite), after)]  # "could often have walked"
        *auxiliaries, verb = finite, *after.split()  # "could have quickly walked"
        return [Edit(start, start, " ".join([*auxiliaries, ""])), replaced(self.parse, self.finite, verb)]

    def inserted(self, words: str) -> Edit:
        """Return the edit that inserts words after the subject of a question, or after the finite verb and its adverbs."""
        end = self.parse.end(self.insertion - 1)
        return Edit(end, end, f" {words}")


def verb_groups(parse: Parse) -> list[VerbGroup]:
    """Return the finite verbs of the clauses with what belongs to them, in text order."""
    heads = (head for head in range(len(parse)) if parse.has_label(head, *CLAUSES))
    return sorted(filter(None, (finite_group(parse, head) for head in heads)), key=lambda group: group.finite)


def finite_group(parse: Parse, head: int) -> VerbGroup | None:
    """Return the group of the first finite verb of a clause; None without one."""
    verbs = verbs_of(parse, head)
    first = next((at for at, verb in enumerate(verbs) if _is_finite(parse, head, verb)), None)
    return None if first is None else VerbGroup(parse, head, tuple(verbs[first:]), _subject_of(parse, head, verbs[first]))


def _is_finite(parse: Parse, head: int, verb: int) -> bool:
    if parse.tags[verb] in FINITE_TAGS or parse.heads[head] != head:
        return parse.tags[verb] in FINITE_TAGS
    if parse.tags[verb] == "VBN":
        # A past tense that the tagger took for a participle, since it has a subject and no auxiliary: "He established it."
        return verbs_of(parse, head) == [verb] and bool(parse.children(head, "obj") and parse.children(head, *SUBJECTS))
    # The tagger takes the auxiliary of some questions for a base form: "Don't you like it?"
    return parse.tags[verb] == "VB" and parse.word(verb) in VERB_WORDS["DO"] | VERB_WORDS["HAVE"]


def _subject_of(parse: Parse, head: int, finite: int) -> int:
    """Return the subject of a finite verb: the last before it, or the first after it; the `head` if there is none."""
    if parse.tags[head] in ("DT", "PRP") and parse.word(head + 1) == "?" and parse.children(head, *SUBJECTS):
        return head  # the parser takes what a question asks for as its subject: "Whose book is this?"
    for clause in parse.path(head) if parse.deps[head] == "conj" else (head,):
        subjects = parse.children(clause, *SUBJECTS)
        if finite + 1 in subjects and parse.tags[finite + 1] == "PRP" and parse.has_label(finite + 1, "nsubj"):
            return finite + 1  # the parser may take a name for another: "Mary, was he late?"
        if subjects:
            return max((subject for subject in subjects if subject < finite), default=subjects[0])
    return head


def is_reduced_passive(group: VerbGroup) -> bool:
    """Return whether the past tense in a headline may be a participle: "Motorists killed after tunnel collapses"."""
    parse, head = group.parse, group.head
    if last_mark(parse.text) in (".", "!", "?") or group.past_participle != group.word or parse.children(head, "obj"):
        return False
    # Only an active verb has a clause as its object: "He believed she left", but "Singer believed killed in crash".
    return not any(is_finite_clause(parse, clause) for clause in parse.children(head, "ccomp"))


def asks_what_is(group: VerbGroup) -> bool:
    """Return whether a question asks what or where a thing is: "What is the reason?", but not "Why is it cold?"."""
    parse = group.parse
    return group.asks and group.kind == "be" and len(group.verbs) == 1 and parse.tags[0].startswith("W") and parse.word(0) != "why"


def is_request(group: VerbGroup) -> bool:
    """Return whether a question is a request or asks for permission: "Can you help?", "May I come in?"; not "Can you hear it?"."""
    parse = group.parse
    asks_for_action = parse.lemmas[group.head] not in VERB_WORDS["PERCEIVING"]
    return group.finite == 0 and group.word in _REQUESTING and parse.word(group.subject) in ("i", "we", "you") and asks_for_action


def asks_which(group: VerbGroup) -> bool:
    """Return whether a question offers a choice: "Should I go or wait?"."""
    return group.asks and bool(group.parse.indices_of("or"))


def negations(parse: Parse) -> list[int]:
    """Return the indices of all negative words."""
    return parse.indices_of(*_NEGATIVE)


def spaced(parse: Parse, index: int, replacement: str) -> str:
    """Return the replacement, with a space before it if the word is attached to the word before, like "'s"."""
    is_attached = parse.end(index - 1) == parse.starts[index] and parse.tokens[index - 1][-1].isalnum()
    return f" {replacement}" if is_attached else replacement


def replaced(parse: Parse, index: int, form: str) -> Edit:
    """Return the edit that writes another form of a verb in its place and case."""
    return Edit(*parse.span(index), spaced(parse, index, match_case(parse.tokens[index], form)))

"""The verb group of an English main clause: its verbs ("may have been transferred"), its subject, and edits of the finite verb.

Works on both shapes of copular clauses (see `augcse.annotation.parse`): "was" as the dependent of the predicate, or as the root.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from augcse.annotation.parse import NEGATIONS, Parse
from augcse.augmentations.english.agreement import takes_plural
from augcse.augmentations.english.clause import (
    FINITE_TAGS,
    SUBJECTS,
    VERB_WORDS,
    before_adverbs,
    full_form,
    is_finite_clause,
    is_misread,
    runs_together,
    said_before_speaker,
    verbs_of,
)
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.text.edits import Edit, last_mark, match_case

Kind = Literal["modal", "be", "have", "do", "verb"]
# A question here has its finite verb before its subject; "Who left?" has the order of a statement.
Mood = Literal["statement", "question", "imperative"]
_NEGATIVE = NEGATIONS | VERB_WORDS["NEGATIVE"]
_REQUESTING = frozenset({"can", "could", "may", "shall", "will", "would"})
# Tags of the words that continue a sentence after a parenthesis, or begin it after an opening.
_AFTER_PARENTHESIS = FINITE_TAGS | {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "EX"}
# The tags that an adverbial clause or phrase opens with.
_ADVERBIAL_OPENINGS = frozenset({"IN", "TO", "VBG", "VBN", "WRB"})
_QUOTES = frozenset({'"', "“", "”", "``", "''"})


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The verbs of a main clause: `verbs` in text order, the finite one first, and the `kind` of the finite one.

    `head` is the head of the clause and `subject` that of the subject, both the verb in an imperative. `takes_s` says whether a present
    verb takes "-s", None if that is in doubt. In a question, words are inserted before the token `insertion`: the second verb, or the
    first word after the subject.
    """

    parse: Parse
    head: int
    verbs: tuple[int, ...]
    subject: int
    kind: Kind
    past: bool
    takes_s: bool | None
    mood: Mood = "statement"
    insertion: int = 0

    @property
    def finite(self) -> int:
        """Return the index of the finite verb."""
        return self.verbs[0]

    @property
    def word(self) -> str:
        """Return the finite verb in lower case, a contraction in full: "will" for "'ll"."""
        return full_form(self.parse, self.finite).lower()

    @property
    def asks(self) -> bool:
        """Return whether the first end mark or semicolon after the finite verb is a question mark."""
        marks = (token for token in self.parse.tokens[self.finite :] if token in (".", "!", "?", ";"))
        return next(marks, "") == "?"

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
        token = self.parse.tokens[self.finite]
        # The forms of words with capitals are unpredictable: "OKed".
        return verb_lemma(token, self.parse.tags[self.finite], self.parse.lemmas[self.finite]) if token.islower() else None

    @property
    def past_participle(self) -> str | None:
        """Return the past participle of the finite verb."""
        return word_form(self.lemma, "VBN") if self.lemma else None

    @property
    def do_form(self) -> str:
        """Return the form of "do" that takes the place of the finite verb: "do", "does" or "did"."""
        if self.past:
            return "did"
        return "does" if self.takes_s else "do"

    def rewritten(self, finite: str, after: str = "") -> list[Edit]:
        """Return the edits that put `finite` in place of the finite verb, and the words `after` it, in a question after the subject.

        An adverb of the clause stays before what follows "be" or a modal ("is still marked" -> "can still be marked"), or goes before a
        `finite` of several words ("still cannot but be marked"). Those before a main verb stay next to it: "duly came" -> "must duly come".
        """
        parse, position = self.parse, self.finite
        if self.mood == "question":
            finite_edit = Edit(*parse.span(position), match_case(parse.tokens[position], finite))
            return [finite_edit, self.inserted(after)] if after else [finite_edit]
        if self.kind == "verb":
            return self._before_main_verb(finite, after)
        last, words = position, [finite, after]
        if self.kind != "have" and parse.word(position + 1) in VERB_WORDS["CLAUSE"]:
            last = position + 1
            words.insert(0 if " " in finite else 1, parse.tokens[last])
        return [Edit(*parse.span(position, last), spaced(parse, position, " ".join(filter(None, words))))]

    def _before_main_verb(self, finite: str, after: str) -> list[Edit]:
        """Return the edits that put an auxiliary before the main verb and its adverbs, and the words `after` it in place of the verb."""
        # Some adverbs stay before an auxiliary of several words: "He may often walk", but "he often has to walk".
        staying = VERB_WORDS["CLAUSE"] | VERB_WORDS["EARLY"] if " " in finite else frozenset()
        first = before_adverbs(self.parse, self.finite, staying) + 1
        start = self.parse.starts[first]
        if self.parse.word(first) in VERB_WORDS["CLAUSE"]:
            return [Edit(start, start, f"{finite} "), Edit(*self.parse.span(self.finite), after)]  # "could often have walked"
        *auxiliaries, verb = finite, *after.split()  # "could have quickly walked"
        return [Edit(start, start, " ".join([*auxiliaries, ""])), Edit(*self.parse.span(self.finite), verb)]

    def inserted(self, words: str) -> Edit:
        """Return the edit that inserts words after the subject of a question."""
        end = self.parse.end(self.insertion - 1)
        return Edit(end, end, f" {words}")


def main_verb_group(parse: Parse) -> VerbGroup | None:
    """Return the verb group of the first main clause; None for fragments and subordinate clauses that the parser took for one.

    For "It rained, he said" it is the group of "It rained".
    """
    if not len(parse):
        return None
    root = parse.roots()[0]
    said = said_before_speaker(parse, root)
    if not said and _follows_quotation(parse, root):
        return None  # the clause names the speaker, and the parser did not attach the quotation to it
    head = said[0] if said else root
    words = verbs_of(parse, head) if parse.upos[head] in ("VERB", "AUX") else parse.children(head, "aux", "cop")
    verbs = tuple(word for word in words if parse.tags[word] == "MD" or parse.tags[word].startswith("VB"))
    subjects = parse.children(head, *SUBJECTS)
    if not verbs or any(runs_together(parse, verb) for verb in verbs) or _is_parenthesis(parse, head, subjects):
        return None
    return _group_with_subject(parse, head, verbs, subjects) if subjects else _imperative(parse, head, verbs)


def _is_parenthesis(parse: Parse, head: int, subjects: list[int]) -> bool:
    """Return whether the clause is between commas or only an opening: "Vouchers, they argue, are a guise", "That is, he left"."""
    if parse.text.lower().startswith("that is,"):
        return True
    if parse.token(head + 1) != ",":
        return False
    start = parse.first(max(subjects, default=head))
    if start == 0:
        return parse.lemmas[head] in ("know", "mean", "see")
    return parse.token(start - 1) == "," and parse.tag(head + 2) in _AFTER_PARENTHESIS


def _follows_quotation(parse: Parse, verb: int) -> bool:
    """Return whether a comma and the end of a quotation come before the verb or its subject."""
    starts = (verb, *map(parse.first, parse.children(verb, "nsubj")))
    marks_before = ({*parse.tokens[max(0, start - 2) : start]} for start in starts)
    return parse.tokens[0] in _QUOTES and any("," in marks and marks & _QUOTES for marks in marks_before)


def _group_with_subject(parse: Parse, head: int, verbs: tuple[int, ...], subjects: list[int]) -> VerbGroup | None:
    """Return the group of a statement or a question; None if the verb is not finite, or the parser misread the clause."""
    kind = _finite_kind(parse, verbs, head)
    if kind is None:
        return None
    finite = verbs[0]
    tag = parse.tags[finite]
    plural = _takes_plural(parse, subjects[-1]) if kind == "modal" else tag != "VBZ"
    subject = max((subject for subject in subjects if subject < finite), default=subjects[0])
    group = VerbGroup(parse, head, verbs, subject, kind, past=tag in ("VBD", "VBN"), takes_s=None if plural is None else not plural)
    if subject > finite:
        return _question(group)
    return None if is_misread(parse, head, subject, finite) else group


def _takes_plural(parse: Parse, subject: int) -> bool | None:
    """Return whether the number of a subject is plural; None if in doubt. A gerund is singular: "Getting them may be hard"."""
    if parse.tags[subject] == "VBG" and not parse.children(subject, "conj", "det"):
        return False
    # The tagger takes some plurals for verbs: "All notices must be in writing".
    return parse.tags[subject] == "VBZ" or takes_plural(parse, subject)


def _question(group: VerbGroup) -> VerbGroup | None:
    """Return the group of a clause whose finite verb is before its subject; None if it is not a plain question."""
    parse, finite = group.parse, group.finite
    if not group.asks or parse.tokens[0] in ('"', "“") or "," in parse.tokens[:finite]:
        return None
    if parse.tags[group.head] in ("WP", "WDT") and group.head < finite:
        return replace(group, subject=group.head)  # "What is the reason?" has the order of a statement with the subject "What"
    insertion = group.verbs[1] if len(group.verbs) > 1 else parse.last(group.subject) + 1
    while parse.word(insertion - 1) in VERB_WORDS["CLAUSE"]:
        insertion -= 1
    has_no_marks = all(token[0].isalnum() for token in parse.tokens[finite:insertion])
    return replace(group, mood="question", insertion=insertion) if has_no_marks else None


def _imperative(parse: Parse, head: int, verbs: tuple[int, ...]) -> VerbGroup | None:
    """Return the group of a bare verb that opens the sentence, perhaps after "do", "please" or an adverbial; None if it does not."""
    verb, first = verbs[-1], verbs[0]
    if parse.tags[verb] != "VB" or verb != head or parse.word(verb) in VERB_WORDS["NO_IMPERATIVE"]:
        return None
    # Without an end mark it may be a noun: "Rise of Russians in Israel".
    if last_mark(parse.text) not in (".", "!"):
        return None
    # The opening of a letter: "Please find enclosed ...".
    if parse.word(verb) == "find" and not VERB_WORDS["ENCLOSED"].isdisjoint(map(parse.word, range(len(parse)))):
        return None
    opens = VERB_WORDS["BEFORE_IMPERATIVE"].issuperset(map(parse.word, range(first)))
    if not opens and (first == verb or parse.word(first) in VERB_WORDS["DO"]):
        opens = _follows_adverbial(parse, head, first)
    return VerbGroup(parse, head, verbs, head, "verb", past=False, takes_s=False, mood="imperative") if opens else None


def _follows_adverbial(parse: Parse, verb: int, first: int) -> bool:
    """Return whether only adverbials and a comma come before the `first` verb of an imperative: "When the oil is hot, please add it"."""
    front = [child for child in parse.children(verb) if child < first]
    while front and parse.word(front[-1]) in VERB_WORDS["BEFORE_IMPERATIVE"] - {","}:
        first = front.pop()
    if parse.token(first - 1) != "," or parse.first(verb) > 0 or not parse.tokens[verb].islower():
        return False
    openings = [parse.first(child) for child in front if not parse.has_label(child, "cc", "punct")]
    # Not "Now is the time, go".
    if not all(parse.tags[index] in _ADVERBIAL_OPENINGS or parse.tokens[index + 1] == "," for index in openings):
        return False
    return all(parse.has_label(child, "advcl", "advmod", "cc", "obl", "punct") for child in front)


def _finite_kind(parse: Parse, verbs: tuple[int, ...], head: int) -> Kind | None:
    """Return the kind of the first verb; None if it is not finite, or if it is in doubt which verb it is."""
    finite, *others = verbs
    word, tag = parse.word(finite), parse.tags[finite]
    if tag == "MD":
        if not others:
            return None
        return "have" if full_form(parse, finite) == "had" else "modal"  # "He'd broken it."
    if tag == "VBN":
        # A past tense that the tagger took for a participle, since it has a subject and no auxiliary: "He established it."
        return "verb" if parse.children(head, "obj") else None
    # The tagger takes the auxiliary of some questions for a base form: "Don't you like it?"
    if tag not in ("VBZ", "VBP", "VBD") and word not in VERB_WORDS["DO"] | VERB_WORDS["HAVE"]:
        return None
    if word in VERB_WORDS["BE"]:
        # An obligation, "is to go", or perhaps a perfect, "'s gone".
        is_other = bool(others) and (parse.tags[others[0]] == "VB" or word in ("'s", "’s"))
        return None if is_other else "be"
    if not others:
        return "verb" if finite == head else None
    if word in VERB_WORDS["HAVE"]:
        return "have"
    return "do" if word in VERB_WORDS["DO"] else None


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
    """Return whether a question is a request or asks for permission: "Can you help?", "May I come in?"."""
    return group.finite == 0 and group.word in _REQUESTING and group.parse.word(group.subject) in ("i", "we", "you")


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

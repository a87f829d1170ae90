"""The finite verb of an English main clause and what goes with it: "may have been transferred", with its subject and negation.

Works on both shapes of copular clauses (see `augcse.annotation.parse`): "was" as the dependent of the predicate, or as the root.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from augcse.annotation.parse import NEGATIONS, Parse
from augcse.augmentations.english.agreement import is_plural
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
# A question here is one whose finite verb stands before its subject; "Who left?" has the order of a statement.
Mood = Literal["statement", "question", "imperative"]
_NEGATIVE = NEGATIONS | VERB_WORDS["NEGATIVE"]
_REQUESTING = frozenset({"can", "could", "may", "shall", "will", "would"})
_AFTER_PARENTHESIS = FINITE_TAGS | {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "EX"}
# What an adverbial clause or phrase opens with.
_OPENING = frozenset({"IN", "TO", "VBG", "VBN", "WRB"})
_QUOTES = frozenset({'"', "“", "”", "``", "''"})


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
        """Return the finite verb in lower case, and in full: "will" for "'ll"."""
        return full_form(self.parse, self.finite).lower()

    @property
    def asks(self) -> bool:
        """Whether a question mark is the first end mark, or semicolon, after the finite verb."""
        marks = (token for token in self.parse.tokens[self.finite :] if token in (".", "!", "?", ";"))
        return next(marks, "") == "?"

    @property
    def lemma(self) -> str | None:
        """Return the base form of the finite verb; None for modals and unknown words."""
        if self.kind in ("be", "have", "do"):
            return self.kind
        token = self.parse.tokens[self.finite]
        # "OKed": forms of such words are anybody's guess.
        return verb_lemma(token, self.parse.tags[self.finite], self.parse.lemmas[self.finite]) if token.islower() else None

    @property
    def past_participle(self) -> str | None:
        """Return the past participle of the finite verb."""
        return word_form(self.lemma, "VBN") if self.lemma else None

    @property
    def do_form(self) -> str:
        """Return "do", "does" or "did", as the finite verb is."""
        return "did" if self.past else "does" if self.third else "do"

    def rewritten(self, finite: str, inner: str = "") -> list[Edit]:
        """Return the edits that put `finite` in the finite verb's position and `inner` after it, or after the subject of a question.

        An adverb of the clause stays before what follows "be" or a modal ("is still marked" -> "can still be marked"), or goes before a
        `finite` of several words ("still cannot but be marked"); those before a bare verb stay beside it ("duly came" -> "must duly come").
        """
        parse, position = self.parse, self.finite
        if self.mood == "question":
            asked = Edit(*parse.span(position), match_case(parse.tokens[position], finite))
            return [asked, self.inserted(inner)] if inner else [asked]
        if self.kind == "verb":
            return self._before_verb(finite, inner)
        has_adverb = self.kind != "have" and parse.word(position + 1) in VERB_WORDS["CLAUSE_ADVERB"]
        adverb = parse.token(position + 1) if has_adverb else ""
        words = (adverb, finite, inner) if " " in finite else (finite, adverb, inner)
        return [Edit(*parse.span(position, position + has_adverb), spaced(parse, position, " ".join(filter(None, words))))]

    def _before_verb(self, finite: str, inner: str) -> list[Edit]:
        # "He may often walk", but "he often has to walk".
        staying = VERB_WORDS["CLAUSE_ADVERB"] | VERB_WORDS["TIME_ADVERB"] if " " in finite else frozenset()
        first = before_adverbs(self.parse, self.finite, staying) + 1
        start = self.parse.starts[first]
        if self.parse.word(first) in VERB_WORDS["CLAUSE_ADVERB"]:
            return [Edit(start, start, f"{finite} "), Edit(*self.parse.span(self.finite), inner)]  # "could often have walked"
        *auxiliaries, verb = finite, *inner.split()  # "could have quickly walked"
        return [Edit(start, start, " ".join([*auxiliaries, ""])), Edit(*self.parse.span(self.finite), verb)]

    def inserted(self, words: str) -> Edit:
        """Return the edit that puts words at `inner`."""
        end = self.parse.end(self.inner - 1)
        return Edit(end, end, f" {words}")


def main_verb_group(parse: Parse) -> VerbGroup | None:
    """Return the verb group of the first main clause; None for fragments and subordinate clauses that the parser took for one.

    Of "It rained, he said" it is that of what is said.
    """
    if not len(parse):
        return None
    root = parse.roots()[0]
    said = said_before_speaker(parse, root)
    if not said and _follows_quotation(parse, root):
        return None  # a speaker, for whom the parser has nothing said
    head = said[0] if said else root
    words = verbs_of(parse, head) if parse.upos[head] in ("VERB", "AUX") else parse.children(head, "aux", "cop")
    verbs = tuple(word for word in words if parse.tags[word] == "MD" or parse.tags[word].startswith("VB"))
    subjects = parse.children(head, *SUBJECTS)
    if not verbs or any(runs_together(parse, verb) for verb in verbs) or _is_thrown_in(parse, head, subjects):
        return None
    return _with_subject(parse, head, verbs, subjects) if subjects else _imperative(parse, head, verbs)


def _is_thrown_in(parse: Parse, head: int, subjects: list[int]) -> bool:
    """Tell whether the clause stands between commas, or is but an opening: "Vouchers, they argue, are a guise", "That is, he left"."""
    before, after = parse.first(max(subjects, default=head)) - 1, parse.tag(head + 2)
    if parse.text.lower().startswith("that is,"):
        return True
    if parse.token(head + 1) != ",":
        return False
    if before < 0:
        return parse.lemmas[head] in ("know", "mean", "see")
    return parse.token(before) == "," and after in _AFTER_PARENTHESIS


def _follows_quotation(parse: Parse, verb: int) -> bool:
    """Tell whether a comma and the end of a quotation stand before the verb or its subject."""
    starts = (verb, *map(parse.first, parse.children(verb, "nsubj")))
    before = ({*parse.tokens[max(0, start - 2) : start]} for start in starts)
    return parse.tokens[0] in _QUOTES and any("," in marks and marks & _QUOTES for marks in before)


def _with_subject(parse: Parse, head: int, verbs: tuple[int, ...], subjects: list[int]) -> VerbGroup | None:
    kind, finite, tag = _kind(parse, verbs, head), verbs[0], parse.tags[verbs[0]]
    if kind is None:
        return None
    is_missed = parse.tags[subjects[-1]] == "VBZ"  # "All notices must be in writing": a plural that the tagger took for a verb
    third = tag == "VBZ" or (kind == "modal" and not is_missed and not is_plural(parse, subjects[-1]))
    subject = max((subject for subject in subjects if subject < finite), default=subjects[0])
    group = VerbGroup(parse, head, verbs, subject, kind, tag in ("VBD", "VBN"), third)
    if subject > finite:
        return _question(group)
    return None if is_misread(parse, head, subject, finite) else group


def _question(group: VerbGroup) -> VerbGroup | None:
    """Return the group as a question's, if its finite verb stands between what is asked for and the subject."""
    parse, finite = group.parse, group.finite
    if not group.asks or parse.tokens[0] in ('"', "“") or "," in parse.tokens[:finite]:
        return None
    if parse.tags[group.head] in ("WP", "WDT") and group.head < finite:
        return replace(group, subject=group.head)  # "What is the reason?": asked for by the subject, as far as order goes
    inner = group.verbs[1] if len(group.verbs) > 1 else parse.last(group.subject) + 1
    while parse.word(inner - 1) in VERB_WORDS["CLAUSE_ADVERB"]:
        inner -= 1
    is_whole = all(token[0].isalnum() for token in parse.tokens[finite:inner])
    return replace(group, mood="question", inner=inner) if is_whole else None


def _imperative(parse: Parse, head: int, verbs: tuple[int, ...]) -> VerbGroup | None:
    """Return the group of a verb in its base form that opens the sentence, alone or after "do", "please" or an adverbial and a comma."""
    verb, first = verbs[-1], verbs[0]
    is_bare = parse.tags[verb] == "VB" and verb == head
    opens = VERB_WORDS["BEFORE_IMPERATIVE"].issuperset(map(parse.word, range(first)))
    if not opens and (first == verb or parse.word(first) in VERB_WORDS["DO"]):
        opens = _follows_adverbial(parse, head, first)
    is_opener = parse.word(verb) == "find" and not VERB_WORDS["ENCLOSED"].isdisjoint(map(parse.word, range(len(parse))))
    # Without an end mark it is a noun: "Rise of Russians in Israel".
    if is_opener or not is_bare or not opens or parse.word(verb) in VERB_WORDS["NO_IMPERATIVE"] or last_mark(parse.text) not in (".", "!"):
        return None
    return VerbGroup(parse, head, verbs, head, "verb", False, False, "imperative", verb)


def _follows_adverbial(parse: Parse, verb: int, first: int) -> bool:
    """Tell whether nothing but what says when, where or how, and a comma, is before a verb: "When the oil is hot, please add it"."""
    front = [child for child in parse.children(verb) if child < first]
    while front and parse.word(front[-1]) in VERB_WORDS["BEFORE_IMPERATIVE"] - {","}:
        first = front.pop()
    opening = [parse.first(child) for child in front if not parse.has_label(child, "cc", "punct")]
    are_whole = all(parse.tags[index] in _OPENING or parse.tokens[index + 1] == "," for index in opening)  # not "Now is the time, go"
    is_parted = parse.token(first - 1) == "," and parse.first(verb) == 0 and parse.tokens[verb].islower()
    return is_parted and are_whole and all(parse.has_label(child, "advcl", "advmod", "cc", "obl", "punct") for child in front)


def _kind(parse: Parse, verbs: tuple[int, ...], head: int) -> Kind | None:
    word, tag = parse.word(verbs[0]), parse.tags[verbs[0]]
    following = [parse.tags[verb] for verb in verbs[1:]]
    if tag == "MD":
        return None if not following else "have" if full_form(parse, verbs[0]) == "had" else "modal"
    if tag == "VBN":
        # The tagger's mistake if there is a subject and no auxiliary: "He established it."
        return "verb" if parse.children(head, "obj") else None
    # "Don't you like it?": the tagger takes the auxiliary of some questions for a base form.
    if tag not in ("VBZ", "VBP", "VBD") and word not in VERB_WORDS["DO"]:
        return None
    if word in VERB_WORDS["BE"]:
        # "is to go" has a bare verb, "'s gone" may be "has gone".
        return "be" if "VB" not in following[:1] and not (word in ("'s", "’s") and following) else None
    if not following:
        return "verb" if verbs[0] == head else None
    if word in VERB_WORDS["HAVE"]:
        return "have"
    return "do" if word in VERB_WORDS["DO"] else None


def is_reduced_passive(group: VerbGroup) -> bool:
    """Return whether the past of a headline may be a participle: "Motorists killed after tunnel collapses"."""
    parse, head = group.parse, group.head
    if last_mark(parse.text) in (".", "!", "?") or group.past_participle != group.word or parse.children(head, "obj"):
        return False
    # "Singer believed killed in crash": no clause is believed.
    return not any(is_finite_clause(parse, believed) for believed in parse.children(head, "ccomp"))


def asks_what_is(group: VerbGroup) -> bool:
    """Return whether a question asks what or where a thing is: "What is the reason?"; not so "Why is it cold?"."""
    parse = group.parse
    return group.asks and group.kind == "be" and len(group.verbs) == 1 and parse.tags[0].startswith("W") and parse.word(0) != "why"


def is_request(group: VerbGroup) -> bool:
    """Return whether a question asks somebody to do a thing, or whether one may do it: "Can you help?", "May I come in?"."""
    return group.finite == 0 and group.word in _REQUESTING and group.parse.word(group.subject) in ("i", "we", "you")


def asks_which(group: VerbGroup) -> bool:
    """Return whether a question gives a choice: "Should I go or wait?"."""
    return group.asks and bool(group.parse.indices_of("or"))


def negations(parse: Parse) -> list[int]:
    """Return the indices of all negative words."""
    return parse.indices_of(*_NEGATIVE)


def spaced(parse: Parse, index: int, replacement: str) -> str:
    """Return the replacement with a blank before it if the word is an ending like "'s" that hangs on the word before."""
    hangs = parse.end(index - 1) == parse.starts[index] and parse.tokens[index - 1][-1].isalnum()
    return f" {replacement}" if hangs else replacement

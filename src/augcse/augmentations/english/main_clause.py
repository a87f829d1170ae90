"""The verb group of the main clause: a statement, question or imperative that the parser did not misread."""

from __future__ import annotations

from dataclasses import replace

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import (
    FINITE_TAGS,
    RELATIVES,
    SUBJECTS,
    VERB_WORDS,
    has_auxiliary_before,
    runs_together,
    said_before_speaker,
    verbs_of,
)
from augcse.augmentations.english.conjunctions import links
from augcse.augmentations.english.marks import QUOTES, asks
from augcse.augmentations.english.tags import OPENS_NOUN_PHRASE
from augcse.augmentations.english.verb_group import VerbGroup, finite_group
from augcse.augmentations.text.edits import last_mark

# Tags of the words that continue a sentence after a parenthesis, or begin it after an opening.
_AFTER_PARENTHESIS = FINITE_TAGS | OPENS_NOUN_PHRASE
# What opens a subordinate clause: conjunctions by what they say, and relative and interrogative words.
_SUBORDINATE = ("time", "place", "reason", "condition", "concession", "comparison", "limit", "question")
_PRONOUNS = RELATIVES | {"how", "why", "what"}
# The tags that an adverbial clause or phrase opens with.
_ADVERBIAL_OPENINGS = frozenset({"IN", "TO", "VBG", "VBN", "WRB"})


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
    verbs, subjects = verbs_of(parse, head), parse.children(head, *SUBJECTS)
    if not verbs or any(runs_together(parse, verb) for verb in verbs) or _is_parenthesis(parse, head, subjects):
        return None
    if not subjects:
        return _imperative(parse, head, tuple(verbs))
    group = finite_group(parse, head)
    if group is None or _has_doubtful_verb(group):
        return None
    if group.is_inverted:
        return _question(group)
    return None if _is_misread(parse, head, group.subject, group.finite) else group


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
    return parse.tokens[0] in QUOTES and any("," in marks and marks & QUOTES for marks in marks_before)


def _has_doubtful_verb(group: VerbGroup) -> bool:
    """Return whether it is in doubt which verb is finite, or what a contraction stands for."""
    parse, others = group.parse, group.verbs[1:]
    if group.kind == "be":
        # An obligation, "is to go", or perhaps a perfect, "'s gone".
        return bool(others) and (parse.tags[others[0]] == "VB" or parse.word(group.finite) in ("'s", "’s"))
    if others:
        return group.kind == "verb"
    # The forms of words with capitals are unpredictable: "OKed".
    return group.kind != "verb" or group.finite != group.head or not parse.tokens[group.finite].islower()


def _question(group: VerbGroup) -> VerbGroup | None:
    """Return the group of a clause whose finite verb is before its subject; None if it is not a plain question."""
    parse, finite = group.parse, group.finite
    if not group.asks or parse.tokens[0] in QUOTES or "," in parse.tokens[:finite]:
        return None
    if parse.tags[group.head] in ("WP", "WDT") and group.head < finite:
        return replace(group, subject=group.head)  # "What is the reason?" has the order of a statement with the subject "What"
    has_no_marks = all(token[0].isalnum() for token in parse.tokens[finite : group.insertion])
    return group if has_no_marks else None


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
    return VerbGroup(parse, head, verbs, head, is_imperative=True) if opens else None


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


def _is_misread(parse: Parse, head: int, subject: int, finite: int) -> bool:
    """Return whether the parser took a subordinate clause or a list for the main clause, or the end of a phrase for its subject."""
    is_question = asks(parse, finite)
    if _is_cut_off(parse, finite) or (is_question and has_auxiliary_before(parse, subject)):
        return True
    if not is_question and parse.tags[subject] in ("WDT", "WP"):
        return True  # a relative clause after a noun without a verb: "Our findings, which are new"
    # The verb precedes its real subject: "In the church is a cycle of frescoes", "From which language does it come?".
    opening = [subject, *(index for index in parse.children(head) if index + 1 == parse.first(subject) and parse.tags[index] == "WDT")]
    if any(parse.tags[index] == "IN" for word in opening for index in parse.children(word, "case")):
        return True
    openers = {*links(parse, *_SUBORDINATE), *parse.indices_of(*_PRONOUNS)}
    if any(index in openers for index in parse.children(head) if index < finite and index != subject):
        return not is_question
    return _is_subordinate(parse, subject, is_question)


def _is_cut_off(parse: Parse, finite: int) -> bool:
    """Return whether a single comma, or a "'s" that the tagger took for a genitive, separates a verb from its subject."""
    follows_single_comma = parse.tokens[finite - 1] == "," and "," not in parse.tokens[: finite - 1]  # "The men told to wait, left"
    return follows_single_comma or parse.tags[finite - 1] == "POS"  # "Tom's finished his lunch"


def _is_subordinate(parse: Parse, subject: int, is_question: bool) -> bool:
    """Return whether the subject belongs to a clause that a conjunction or a verb before it governs."""
    start = parse.first(subject)
    openers = [index for index in range(subject) if parse.tags[index] in ("WRB", "WP", "WDT") or parse.deps[index] == "mark"]
    # Each conjunction accounts for one verb; one more heads the sentence: "The study showed men are likely to come".
    earlier_verbs = sum(tag in FINITE_TAGS for tag in parse.tags[:start])
    has_open_clause = bool(openers) and "," not in parse.tokens[openers[-1] : subject]
    return (has_open_clause and not is_question) or earlier_verbs > len(openers)

"""The clause of a verb: its verbs and conjuncts, whether it is finite or inverted, and contracted auxiliaries."""

from __future__ import annotations

from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.inflection import is_verb_alone, verb_lemma
from augcse.augmentations.text.tables import word_sets, words_by_kind

FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
RELATIVES = frozenset({"that", "which", "who"})
SUBJECTS = ("nsubj", "expl", "csubj")
VERB_WORDS = word_sets(Path(__file__).with_name("verb_words.txt")) | words_by_kind(Path(__file__).with_name("adverbs.tsv"))
AUXILIARIES = VERB_WORDS["BE"] | VERB_WORDS["HAVE"] | VERB_WORDS["DO"] | VERB_WORDS["MODAL"]
_PREFERRING = frozenset({"had", "would", "'d", "’d"})
# Tags that the tagger gives to finite verbs coordinated with another; and what depends on a noun, on an infinitive or in another clause.
_MISTAKEN_TAGS = frozenset({"NN", "NNS", "JJ", "VB"})
_BESIDE_NO_CONJUNCT = ("acl", "amod", "aux", "case", "compound", "cop", "det", "mark", "nmod:poss", "nsubj", "nummod")
_FULL_FORMS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "wo": "will", "ca": "can", "sha": "shall"}


def verbs_of(parse: Parse, head: int) -> list[int]:
    """Return the verbs of a clause in text order: its head, if that is one, its auxiliaries and its copula."""
    words = sorted((head, *parse.children(head, "aux", "cop")))
    return [index for index in words if verb_tag(parse, index).startswith(("VB", "MD"))]


def first_verb(parse: Parse, head: int) -> int:
    """Return the first verb of a clause; the head of one without a verb."""
    return next(iter(verbs_of(parse, head)), head)


def verb_tag(parse: Parse, index: int) -> str:
    """Return the tag of a word; that of a verb for a noun or adjective coordinated with one, if it has the form: "sings and dances"."""
    tag = parse.tags[index]
    if tag not in _MISTAKEN_TAGS or parse.deps[index] != "conj" or parse.children(index, *_BESIDE_NO_CONJUNCT):
        return tag
    above = verb_tag(parse, parse.heads[index])
    tags = (above, "VBZ") if above in ("VB", "VBP", "VBZ") else ()
    return next((form for form in tags if verb_lemma(parse.word(index), form, "")), tag)


def is_finite(parse: Parse, index: int) -> bool:
    """Return whether a verb is finite; a participle with an active subject is a past tense that the tagger took for a participle."""
    is_past = parse.tags[index] == "VBN" and "nsubj" in (parse.deps[child] for child in parse.children(index))
    return is_past or verb_tag(parse, index) in FINITE_TAGS


def is_finite_clause(parse: Parse, head: int) -> bool:
    """Return whether one of the verbs of a clause is finite."""
    return any(is_finite(parse, index) for index in verbs_of(parse, head))


def missed_present(parse: Parse) -> int | None:
    """Return the present tense that the tagger took for a bare verb ("We have read it and regret to say"); None if there is none."""
    tags = list(enumerate(parse.tags))
    # Words that take a bare verb.
    governing = [*parse.indices_of(*VERB_WORDS["DO"]), *(index for index, tag in tags if tag in ("MD", "TO"))]
    bare = [index for index, tag in tags if tag == "VB" or (tag in ("JJ", "RB") and is_verb_alone(parse.word(index)))]
    first = min((*governing, *bare), default=0)
    before = before_adverbs(parse, first)
    is_joined = before > 0 and parse.tags[before] == "CC" and parse.tags[parse.heads[first]] != "VBP"
    is_participle = verb_lemma(parse.word(first), "VBN", "") is not None
    return first if is_joined and first in bare and not is_participle else None


def is_inverted(parse: Parse, head: int, finite: int) -> bool:
    """Return whether all subjects of a clause follow its finite verb, as in a question."""
    return min(parse.children(head, *SUBJECTS), default=-1) > finite


def runs_together(parse: Parse, verb: int) -> bool:
    """Return whether a verb is written as one word with its "to" ("gotta") or with a prefix ("co-directed")."""
    if parse.tags[verb][0] == "V" and parse.text[: parse.starts[verb]].endswith(("-", "‑")):
        return True
    return parse.word(verb + 1) in ("ta", "na")


def has_auxiliary_before(parse: Parse, subject: int) -> bool:
    """Return whether an auxiliary comes before a subject; in a question it is the one the parser missed: "Why does he have it?"."""
    return not AUXILIARIES.isdisjoint(map(parse.word, range(parse.first(subject))))


def question_tag(parse: Parse) -> int | None:
    """Return the auxiliary of the question tag at the end of the text: "You like it, don't you?"; None if there is none."""
    after_comma = max(parse.indices_of(","), default=len(parse)) + 1
    words = [index for index in range(after_comma, len(parse)) if parse.tokens[index][0].isalnum() and not parse.is_negation(index)]
    is_tag = len(words) == 2 and parse.word(words[0]) in AUXILIARIES and parse.tags[words[1]] in ("PRP", "EX")
    return words[0] if is_tag else None


def is_semi_modal(parse: Parse, finite: int) -> bool:
    """Return whether a verb and the word after it act as a modal: "used to", "has to", "had better", "would like", "have got"."""
    word, following = parse.word(finite), parse.word(finite + 1)
    if following == "to":
        return word in VERB_WORDS["SEMI_MODAL"]
    prefers = following in ("better", "rather", "like") and word in _PREFERRING
    return following == "got" or (prefers and parse.deps[finite + 1] != "amod")  # not "had better grades"


def said_before_speaker(parse: Parse, root: int) -> list[int]:
    """Return the clauses that come before the speaker who says them: "It rained, he said"."""
    speaker = min(parse.children(root, "nsubj"), default=0)
    return [said for said in parse.children(root, "ccomp", "parataxis") if said < speaker]


def sharing_conjuncts(parse: Parse, head: int) -> list[int]:
    """Return the words coordinated with the head of a clause that share its subject."""
    return [index for index in parse.children(head, "conj") if not parse.children(index, "nsubj", "expl")]


def clauses_beside(parse: Parse, head: int) -> list[int]:
    """Return the clauses joined to that of `head` that have their own subject: "It rained; we stayed"."""
    return [clause for clause in parse.children(head, "conj", "parataxis") if parse.children(clause, *SUBJECTS)]


def bare_conjuncts(parse: Parse, verb: int) -> list[int]:
    """Return the bare verbs coordinated with a verb, directly or through one another, under its auxiliary: "will come and stay"."""
    conjuncts = (index for index in parse.children(verb, "conj") if verb_tag(parse, index) == "VB")
    direct = [index for index in conjuncts if not parse.children(index, "nsubj", "aux")]
    return sorted({index for conjunct in direct for index in (conjunct, *bare_conjuncts(parse, conjunct))})


def before_adverbs(parse: Parse, index: int, excluded: frozenset[str] = frozenset()) -> int:
    """Return the token before a word and the adverbs right before it; an `excluded` adverb, or a noun's, counts as any other word."""
    before = index - 1
    while parse.tag(before) == "RB" and parse.word(before) not in excluded and not _describes_noun(parse, before):
        before -= 1
    return before


def _describes_noun(parse: Parse, adverb: int) -> bool:
    """Return whether an adverb belongs to the noun before it, as one of place does wherever it is attached: "the women upstairs sang"."""
    is_place = parse.word(adverb) in VERB_WORDS["PLACE"] and parse.tag(adverb - 1) not in ("CC", ",", ".")
    return is_place or (parse.heads[adverb] < adverb and parse.upos[parse.heads[adverb]] in ("NOUN", "PROPN"))


def full_form(parse: Parse, index: int) -> str:
    """Return a contracted auxiliary in full: "'s" and "'d" are "has" and "had" before a participle, "wo" is "will"; others unchanged."""
    word = parse.word(index).replace("’", "'")
    if word in ("'s", "'d"):
        after = index + 1
        while parse.tag(after).startswith("RB"):  # "it's never been easy"
            after += 1
        # The tagger takes some participles for base forms: "He'd broken it."
        is_participle = parse.tag(after) == "VBN" or (parse.tag(after) == "VB" and verb_lemma(parse.word(after), "VB", "") is None)
        is_perfect = parse.word(after) == "been" or (parse.deps[index] == "aux" and is_participle)
        if word == "'s":
            return "has" if is_perfect else "is"
        return "had" if is_perfect else "would"
    return _FULL_FORMS.get(word, parse.tokens[index])

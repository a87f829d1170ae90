"""DoubleNegation and SentenceNegation of SDA: the negation of the main clause toggled twice, or once."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.chinese import clause as chinese
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.negation import removable_from, removal_edits
from augcse.augmentations.english.verb_group import VerbGroup, main_verb_group, negations, spaced
from augcse.augmentations.text.edits import Edit, apply_edits, delete_word, match_case
from augcse.augmentations.text.language import ENGLISH

Fidelity = Literal["grammatical", "paper"]
Opening = Literal["any", "sentence", "not"]
_OPENINGS = ("It is not true that", "It is not the case that")
# How often `opening="any"` takes the bare "Not" of the paper's Table 1, which is no English before most subjects.
_BARE_NOT_SHARE = 0.05
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_DO = {"VBD": "did", "VBN": "did", "VBZ": "does", "VBP": "do"}
_FULL = {
    "'s": "is",
    "’s": "is",
    "'m": "am",
    "’m": "am",
    "'re": "are",
    "’re": "are",
    "'ve": "have",
    "’ve": "have",
    "'ll": "will",
    "’ll": "will",
}
# "Under no": what stands under another negation, and what stands for it in a plain sentence.
_UNDER_NEGATION = {"no": "any", "nobody": "anybody", "nothing": "anything", "nowhere": "anywhere", "none": "any", "never": "ever"}
_AFFIRMED = {"no": "some", "nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some"}
_CONNECTIVES = frozenset(
    "however therefore thus moreover furthermore nevertheless nonetheless additionally meanwhile hence similarly "
    "unfortunately fortunately consequently accordingly instead indeed also likewise overall".split()
)
_CONNECTIVE_PAIRS = frozenset({("for", "example"), ("for", "instance"), ("in", "addition"), ("in", "fact"), ("in", "particular")})
_BLOCKING = frozenset(
    "only just even merely almost nearly hardly barely scarcely seldom rarely but nor neither sometimes occasionally little".split()
)
# "Is probably not": adverbs that a "not" follows.
_BEFORE_NOT = frozenset("probably possibly likely certainly perhaps also still now then thus therefore".split())
_BEFORE_VERB = frozenset("really actually always often usually generally typically immediately".split())


@augmentation(
    "DoubleNegation",
    family="polarity",
    meaning="possible_alteration",
    source="SDA (Zhu et al. 2022), Algorithm 3",
    needs=("parse",),
    languages=("en", "zh"),
    example=Example(
        "A shareholder may transfer its Shares only with the prior written consent of the Company.",
        "Not A shareholder may not transfer its Shares only with the prior written consent of the Company.",
        seed=108,
    ),
)
def double_negation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", opening: Opening = "any") -> str | None:
    """Toggle the negation of a sentence exactly twice: "He can come" -> "It is not true that he cannot come".

    First toggle: a negative word of the main clause is taken out ("did not go" -> "went", "no" -> "any"), or "not" put
    after the auxiliary or the copula. Second: a denial before the sentence. `opening` says which: "sentence" for "It is not
    true that" and "It is not the case that", "not" for the bare "Not" of the paper's Table 1, "any" for the first two with
    one "Not" in twenty. A clause with a bare finite verb and no negative word stays as it is, as do questions, imperatives
    and coordinated main clauses. Chinese: 并非, 并不是 or 不是 before 不 or 没有; a negation that is there already becomes the denial.
    `fidelity="paper"` is Algorithm 3 as printed (English; Chinese has one form): one negative word deleted, "not" after
    every auxiliary ("to" included) and "do not" before a root verb (whatever its form), "Not" before the sentence for other
    roots, until there are two toggles. Deviation: the printed loop has no return for a count of two at its end; it is added.
    """
    if parse.language == "zh":
        return chinese.negate_twice(parse, rng)
    if fidelity == "paper":
        return _as_printed(parse)
    is_bare = opening == "not" or (opening == "any" and rng.random() < _BARE_NOT_SHARE)
    denial = "Not" if is_bare else rng.choice(_OPENINGS)
    group = main_verb_group(parse)
    if group is None or _is_coordinated(group) or _has_heading(group):
        return None
    first = _first_toggle(group)
    place = _opening_place(parse)
    if place == 0 and opening_case(parse, 0) == "doubt" and not is_bare:
        return None
    return None if place is None or not first else apply_edits(parse.text, _denied(parse, denial, place, first))


def _as_printed(parse: Parse) -> str | None:
    """Algorithm 3 to the letter."""
    edits: list[Edit] = []
    found = next((index for index, token in enumerate(parse.tokens) if token.lower() in ENGLISH.negators), None)
    if found is not None:
        edits.append(delete_word(parse.text, parse.starts[found], parse.end(found)))
    count = len(edits)
    for index, label in enumerate(parse.deps):
        if count == 2:
            break
        # spaCy's English labels, the paper's, call the "to" of an infinitive an auxiliary as well.
        is_auxiliary = label == "aux" or (label == "mark" and parse.tags[index] == "TO")
        if is_auxiliary and index != found:
            edits.append(Edit(parse.end(index), parse.end(index), " not"))
            count += 1
        if parse.heads[index] == index and index != found:
            is_verb = parse.upos[index] == "VERB"
            edits.append(Edit(parse.starts[index], parse.starts[index], "do not ") if is_verb else Edit(0, 0, "Not "))
            count += 1
    return apply_edits(parse.text, edits) if count == 2 else None


def _is_coordinated(group: VerbGroup) -> bool:
    """Tell whether a second main clause follows: a denial before the first would reach over both."""
    parse = group.parse
    clauses = [*parse.children(group.head, "conj", "parataxis"), *parse.roots()[1:]]
    opens_with_one = parse.tokens[0].lower() in ("not", "nor", "neither", "only")
    if opens_with_one or any(parse.children(clause, "nsubj", "expl", "cop") for clause in clauses):
        return True
    joined = False
    for place in range(group.finite + 1, len(parse)):
        if parse.tags[place] == "CC" or parse.tokens[place] == ";":
            joined = True
        elif parse.tags[place].startswith("W") or parse.deps[place] == "mark":
            joined = False
        elif joined and parse.tags[place] in _FINITE_TAGS:
            return True
    return False


def _has_heading(group: VerbGroup) -> bool:
    """Tell whether something else than an adverbial stands before the subject: "Short Films - The winner", "A boy, he"."""
    parse = group.parse
    front = parse.tokens[: group.subject]
    opens_with_noun = parse.tags[0] in ("DT", "JJ", "NN", "NNS", "NNP") and "," in front
    opens_with_noun = opens_with_noun and "," in front[: min(parse.subtree(group.subject))]
    apart = any(mark in front for mark in (":", "–", "—")) or " - " in parse.text[: parse.starts[group.subject]]
    return apart or opens_with_noun or (parse.tags[0] == "RB" and parse.tokens[0].endswith("ly") and parse.tokens[1] != ",")


def _first_toggle(group: VerbGroup) -> list[Edit]:
    parse = group.parse
    present = negations(parse)
    if present:
        return _without_negation(group, present[0], _UNDER_NEGATION) if len(present) == 1 else []
    if group.kind == "verb" and group.lemma != "be":
        return []
    return _with_not(group)


def _without_negation(group: VerbGroup, negation: int, instead: dict[str, str]) -> list[Edit]:
    """Return the edits that take the one negative word out of the main clause; none where it cannot be."""
    parse = group.parse
    word = parse.tokens[negation].lower()
    if parse.is_negation(negation):
        auxiliary = removable_from(parse, negation)
        return removal_edits(parse, auxiliary, negation, polarity=instead is _AFFIRMED) if auxiliary == group.finite else []
    if not _in_main_clause(parse, negation, group):
        return []
    if word == "never" and instead is _AFFIRMED:
        return [delete_word(parse.text, parse.starts[negation], parse.end(negation))]
    if word not in instead or parse.tokens[negation + 1 : negation + 2] in (
        ("longer",),
        ("more",),
        ("less",),
        ("later",),
        ("other",),
        ("one",),
    ):
        return []
    return [Edit(parse.starts[negation], parse.end(negation), match_case(parse.tokens[negation], instead[word]))]


def _in_main_clause(parse: Parse, negation: int, group: VerbGroup) -> bool:
    """Tell whether the word hangs on the main verb, or on a noun that does."""
    head = parse.heads[negation]
    if head == group.head:
        return True
    return (
        parse.heads[head] == group.head and parse.has_label(head, "obj", "nsubj", "obl", "attr") and parse.tokens[negation].lower() == "no"
    )


def _with_not(group: VerbGroup) -> list[Edit]:
    """Return the edits that put "not" after the finite auxiliary or copula, do-support included."""
    parse, finite = group.parse, group.finite
    following = parse.tokens[finite + 1].lower() if finite + 1 < len(parse) else "."
    before = parse.tokens[finite - 1].lower()
    if "only" in (token.lower() for token in parse.tokens[:finite]):
        return []
    if following in _BLOCKING or before in _BLOCKING or following == "better":
        return []
    if group.kind == "verb" and group.lemma != "be":
        return _with_do(group)
    word = parse.tokens[finite]
    full = _FULL.get(word.lower(), word)
    if following in _BEFORE_NOT:
        after = parse.end(finite + 1)
        renamed = [Edit(parse.starts[finite], parse.end(finite), spaced(parse, finite, full))] if full != word else []
        return [*renamed, Edit(after, after, " not")]
    negated = "cannot" if word.lower() == "can" else f"{spaced(parse, finite, full) if full != word else word} not"
    return [Edit(parse.starts[finite], parse.end(finite), negated)]


def _with_do(group: VerbGroup) -> list[Edit]:
    parse, finite, lemma = group.parse, group.finite, group.lemma
    support = _DO.get(parse.tags[finite])
    if lemma is None or support is None:
        return []
    place = finite
    while place > group.subject + 1 and _stands_before_verb(parse, place - 1):
        place -= 1
    start = parse.starts[place]
    return [Edit(start, start, f"{support} not "), Edit(parse.starts[finite], parse.end(finite), lemma)]


def _stands_before_verb(parse: Parse, place: int) -> bool:
    """Tell whether "not" goes before an adverb: "did not profoundly alter"."""
    word = parse.tokens[place].lower()
    return word in _BEFORE_VERB or (parse.tags[place] == "RB" and word.endswith("ly") and word != "only")


def _denied(parse: Parse, denial: str, place: int, first: list[Edit]) -> list[Edit]:
    """Return the edits of the first toggle with the denial before the token at `place`, which loses its capital."""
    start = parse.starts[place]
    if denial == "Not" and place == 0:
        return [Edit(start, start, "Not "), *first]
    opening = denial if place == 0 else denial[0].lower() + denial[1:]
    if _keeps_capital(parse, place):
        return [Edit(start, start, f"{opening} "), *first]
    # "Nobody" may be on its way to "Anybody" already.
    changed = [edit for edit in first if edit.start == start]
    recased = [Edit(edit.start, edit.end, edit.replacement[:1].lower() + edit.replacement[1:]) for edit in changed]
    lowered = recased or [Edit(start, start + 1, parse.text[start].lower())]
    return [Edit(start, start, f"{opening} "), *lowered, *(edit for edit in first if edit not in changed)]


def _opening_place(parse: Parse) -> int | None:
    words = [token.lower() for token in parse.tokens[:3]]
    if not any(character.isalnum() for character in words[0]) and parse.tokens[0] not in ('"', "“"):
        return None
    if len(words) > 1 and words[1] == ",":
        # "Eventually": an adverb of the clause, which has to stay under the denial.
        return 2 if words[0] in _CONNECTIVES else None
    if tuple(words[:2]) in _CONNECTIVE_PAIRS and words[2:] == [","]:
        return 3
    # "Both Horace and Lucilius": no conjunction of sentences.
    return 1 if parse.deps[0] == "cc" else 0


def _keeps_capital(parse: Parse, place: int) -> bool:
    word = parse.tokens[place]
    return word.startswith(("I'", "I’")) or not word[0].isupper() or opening_case(parse, place) != "lower"


@augmentation(
    "SentenceNegation",
    family="polarity",
    meaning="alteration",
    source="SDA (Zhu et al. 2024, arXiv v3), negation for hard negatives",
    needs=("parse",),
    example=Example("The old man walks to the harbour.", "The old man does not walk to the harbour."),
)
def sentence_negation(parse: Parse, rng: Random) -> str | None:
    """Toggle the negation of the main clause exactly once, so that the sentence says the opposite.

    A negative word of the main clause is taken out ("does not walk" -> "walks", "no" -> "some"); without one, "not" is put
    after the auxiliary or copula, with do-support before a bare verb ("walks" -> "does not walk"). Left alone: questions,
    imperatives, and sentences with two negative words. Deviation: the released code adds a bare "not" or "do not".
    """
    group = main_verb_group(parse)
    if group is None:
        return None
    present = negations(parse)
    if len(present) > 1:
        return None
    edits = _without_negation(group, present[0], _AFFIRMED) if present else _with_not(group)
    return apply_edits(parse.text, edits) if edits else None

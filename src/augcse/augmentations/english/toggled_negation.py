"""The negation of a main clause toggled: a statement, a question or an imperative negated, or freed of its one negative word."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.negation import removable_from, removal_edits
from augcse.augmentations.english.verb_group import VerbGroup, negations, spaced
from augcse.augmentations.text.edits import Edit, delete_word, match_case

_CONTRACTED = {"can": "can't", "will": "won't"}
# With "n't" these are dated or mean something else.
_UNCONTRACTED = frozenset("am may might shall must".split())
FULL_FORMS = {
    "'s": "is", "’s": "is", "'m": "am", "’m": "am", "'re": "are", "’re": "are", "'ve": "have", "’ve": "have", "'ll": "will", "’ll": "will",
}  # fmt: skip
# "Under no": what stands under another negation, and what stands for it in a plain sentence.
UNDER_NEGATION = {"no": "any", "nobody": "anybody", "nothing": "anything", "nowhere": "anywhere", "none": "any", "never": "ever"}
AFFIRMED = {"no": "some", "nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some"}
_RESTRICTING = frozenset(
    "better only just even merely almost nearly hardly barely scarcely seldom rarely but nor neither sometimes occasionally little".split()
)
# "Is probably not": adverbs that a "not" follows.
_BEFORE_NOT = frozenset("probably possibly likely certainly perhaps also still now then thus therefore".split())
_BEFORE_VERB = frozenset("really actually always often usually generally typically immediately".split())


def has_two_negations(group: VerbGroup) -> bool:
    """Return whether the sentence has more than one negative word."""
    return len(negations(group.parse)) > 1


def has_restriction(group: VerbGroup) -> bool:
    """Return whether a word beside the verb restricts it, which a "not" would turn around: "is only", "hardly knows", "had better"."""
    parse, finite = group.parse, group.finite
    near = {token.lower() for token in (*parse.tokens[max(finite - 1, 0) : finite], *parse.tokens[finite + 1 : finite + 2])}
    return bool(near & _RESTRICTING) or "only" in (token.lower() for token in parse.tokens[:finite])


def without_negation(group: VerbGroup, negation: int, instead: dict[str, str]) -> list[Edit]:
    """Return the edits that take the one negative word out of the main clause; none where it cannot be."""
    parse = group.parse
    word = parse.tokens[negation].lower()
    if parse.is_negation(negation):
        auxiliary = removable_from(parse, negation)
        return removal_edits(parse, auxiliary, negation, polarity=instead is AFFIRMED) if auxiliary == group.finite else []
    if not _in_main_clause(parse, negation, group):
        return []
    if word == "never" and instead is AFFIRMED:
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
    """Return whether the word hangs on the main verb, or on a noun that does."""
    head = parse.heads[negation]
    if head == group.head:
        return True
    return (
        parse.heads[head] == group.head and parse.has_label(head, "obj", "nsubj", "obl", "attr") and parse.tokens[negation].lower() == "no"
    )


def with_not(group: VerbGroup) -> list[Edit]:
    """Return the edits that put "not" after the finite auxiliary or copula, do-support included."""
    parse, finite = group.parse, group.finite
    word = parse.tokens[finite]
    if group.kind == "verb" and group.lemma != "be":
        return _with_do(group)
    full = FULL_FORMS.get(word.lower(), word)
    if parse.tokens[finite + 1 : finite + 2] and parse.tokens[finite + 1].lower() in _BEFORE_NOT:
        after = parse.end(finite + 1)
        renamed = [Edit(parse.starts[finite], parse.end(finite), spaced(parse, finite, full))] if full != word else []
        return [*renamed, Edit(after, after, " not")]
    negated = "cannot" if word.lower() == "can" else f"{spaced(parse, finite, full) if full != word else word} not"
    return [Edit(parse.starts[finite], parse.end(finite), negated)]


def _with_do(group: VerbGroup) -> list[Edit]:
    parse, finite, lemma = group.parse, group.finite, group.lemma
    if lemma is None:
        return []
    position = finite
    while position > group.subject + 1 and _stands_before_verb(parse, position - 1):
        position -= 1
    start = parse.starts[position]
    return [Edit(start, start, f"{group.do_form} not "), Edit(parse.starts[finite], parse.end(finite), lemma)]


def _stands_before_verb(parse: Parse, position: int) -> bool:
    """Return whether "not" goes before an adverb: "did not profoundly alter"."""
    word = parse.tokens[position].lower()
    return word in _BEFORE_VERB or (parse.tags[position] == "RB" and word.endswith("ly") and word != "only")


def not_in_question(group: VerbGroup) -> list[Edit]:
    """Return the edits for "Don't you like it?"; after a question word, "not" stands after the subject: "Why do you not like it?"."""
    word = group.word
    contracted = _CONTRACTED.get(word, f"{word}n't")
    if group.finite == 0 and word not in _UNCONTRACTED:
        return group.rewritten(contracted)
    return [group.inserted("not")]


def not_before_imperative(group: VerbGroup, words: str = "") -> list[Edit]:
    """Return the edits for "Do not close it", "Do not fail to close it"."""
    parse, verb = group.parse, group.inner
    if group.finite != verb:
        return [Edit(parse.end(group.finite), parse.end(group.finite), f" not {words}".rstrip())]
    word = parse.tokens[verb]
    return [Edit(parse.starts[verb], parse.end(verb), match_case(word[:1], "do not ") + words + word.lower())]

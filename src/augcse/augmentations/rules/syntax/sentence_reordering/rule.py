"""SentenceReordering: the sentences of a text in another order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.clause import verbs_of
from augcse.augmentations.english.connectives import opening_connective
from augcse.augmentations.english.marks import AFTER_LABEL, APOSTROPHES, CLOSING, ENDS, OPENING_QUOTES
from augcse.augmentations.english.phrase import is_balanced
from augcse.augmentations.english.tags import NAMES, NOUNS
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.sentence_reordering.adverbial import REFUSALS as OF_ADVERBIALS
from augcse.augmentations.rules.syntax.sentence_reordering.adverbial import moved_adverbial
from augcse.augmentations.text.edits import Edit, apply_edits, last_mark
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
# The most letters of a word with a capital that is taken for an abbreviation before a full stop: a title or a name, "Col.".
_SHORT = 3
_HEAD_WORDS = 4
_BARE = NOUNS | {"JJ"}


@dataclass(frozen=True)
class Text:
    """A text of several sentences, with the character span of each."""

    parse: Parse
    spans: tuple[tuple[int, int], ...]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences."""
        return [self.parse.text[start:end] for start, end in self.spans]

    @cached_property
    def tokens(self) -> list[range]:
        """The tokens of each sentence."""
        return [range(bisect_left(self.parse.starts, start), bisect_left(self.parse.starts, end)) for start, end in self.spans]

    @cached_property
    def blocks(self) -> list[list[str]]:
        """The sentences in groups that move together: each with those that depend on it, and those between them."""
        blocks: list[list[int]] = []
        for index in range(len(self.spans)):
            earliest = min(_supports(self, index), default=index)
            together = [index]
            while blocks and blocks[-1][-1] >= earliest:
                together = blocks.pop() + together
            blocks.append(together)
        return [[self.sentences[index] for index in block] for block in blocks]


def _is_quoted(text: Text) -> bool:
    """Return whether a quotation, or a forwarded message ("RT @tom: ..."), may contain several sentences."""
    return "RT" in text.parse.tokens or not all(map(is_balanced, text.sentences))


def _is_list(text: Text) -> bool:
    """Return whether a sentence does not begin with a word, or the text begins with a label: "#music", "2)", "NYTimes: ..."."""
    has_numbering = any(not sentence.lstrip("\"“‘'(«")[:1].isalpha() for sentence in text.sentences)
    return has_numbering or not AFTER_LABEL.isdisjoint(text.parse.tokens[: _HEAD_WORDS + 1])


def _has_fragment(text: Text) -> bool:
    """Return whether a sentence has no end mark, breaks off, or is a single word."""
    for sentence, tokens in zip(text.sentences, text.tokens, strict=True):
        body = sentence.rstrip("".join(CLOSING | APOSTROPHES))
        is_complete = body.endswith((".", "!", "?")) and not body.endswith(("...", "…."))
        if not is_complete or sum(text.parse.tokens[token][0].isalnum() for token in tokens) < 2:
            return True
    return False


REFUSALS: tuple[Refusal[[Text]], ...] = (
    Refusal("quotation over several sentences", "The king said, “Come here. Go home.” Rain fell.", _is_quoted),
    Refusal("list or label", "Mary: The bell rang. Rain fell.", _is_list),
    Refusal("fragment or no end mark", "The bell rang. Rain fell", _has_fragment),
    Refusal(
        "sentences that hang together",
        "The bell rang. It was late.",
        lambda text: _opens_with_connective(text.sentences[0]) or len({tuple(block) for block in text.blocks}) < 2,
    ),
)


@augmentation(
    "SentenceReordering",
    family="syntax",
    meaning="possible_alteration",
    condition="several sentences, or an adverbial at one end of its only one",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter sentence_reordering (Dhole et al. 2021); BART (Lewis et al. 2020)",
    needs=("parse",),
    example=Example("The bell rang. We ran home. Rain fell.", "We ran home. The bell rang. Rain fell.", seed=2),
    refusals=(*REFUSALS, *OF_ADVERBIALS),
)
def sentence_reordering(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Shuffle the sentences of a text that has more than one, never into their old order; of a single one, move an adverbial.

    A clause or time at one end of a single sentence goes to the other: "When the bell rang, we ran home." -> "We ran home when the bell
    rang.", "He came home in May." -> "In May, he came home."; if it cannot go to the end, it goes after the subject. The published code
    leaves such texts as they are.

    The white space between the sentences stays in place. A sentence that depends on an earlier one ("However", "This method", "They", "the
    king" after "a king", "Smith" after "Mary Smith", a question after a statement) moves with it. A.2 has pronouns resolved beforehand
    instead, which the published code has switched off. `fidelity="original"` shuffles every sentence by itself, joined by spaces.
    """
    text = Text(parse, tuple(_spans(parse)))
    if len(text.spans) == 1 and fidelity != "original":
        return moved_adverbial(parse)
    if len(set(text.sentences)) < 2:
        return None
    if fidelity == "original":
        return " ".join(_shuffled([[sentence] for sentence in text.sentences], rng))
    if refused(REFUSALS, text):
        return None
    moved = zip(text.spans, _shuffled(text.blocks, rng), strict=True)
    return apply_edits(parse.text, [Edit(*span, sentence) for span, sentence in moved])


def _shuffled(blocks: list[list[str]], rng: Random) -> list[str]:
    """Return the sentences with the blocks in another order."""
    order = list(blocks)
    while order == blocks:
        rng.shuffle(order)
    return [sentence for block in order for sentence in block]


def _supports(text: Text, index: int) -> Iterator[int]:
    """Yield the earlier sentences without which the sentence at `index` cannot be understood."""
    parse, sentence, tokens = text.parse, text.sentences[index], text.tokens[index]
    words = {parse.word(token) for token in tokens}
    has_known_subject = _names_or_generalises(text, index) or not _WORDS["SPEAKING"].isdisjoint(words)
    has_connective = _opens_with_connective(sentence) or not _WORDS["LEANING"].isdisjoint(words)
    if last_mark(sentence) == "?" or has_connective or not has_known_subject:
        yield index - 1
    for token in tokens:
        yield from _supports_of_word(text, index, token)


def _opens_with_connective(sentence: str) -> bool:
    """Return whether the first words of a sentence refer to one before it: "However", "This"."""
    opened = sentence.lstrip("\"“‘'")
    return bool(opening_connective(opened)) or opened.split()[0].rstrip(",").lower() in _WORDS["OPENS_LEANING"]


def _names_or_generalises(text: Text, index: int) -> bool:
    """Return whether the subject of a sentence contains a name, or the sentence is a general statement: "Labels are powerful"."""
    parse = text.parse
    for token in text.tokens[index]:
        if parse.has_label(token, "nsubj") and not parse.has_label(parse.heads[token], "acl", "advcl"):
            tags = {*parse.tags[parse.first(token) : parse.last(token) + 1]}
            verbs = {parse.tags[verb] for verb in verbs_of(parse, parse.heads[token])}
            return not tags.isdisjoint(NAMES) or (tags <= _BARE and not verbs.isdisjoint(("VBZ", "VBP")) and "VBN" not in verbs)
    return False


def _supports_of_word(text: Text, index: int, token: int) -> Iterator[int]:
    """Yield the earlier sentences that introduce what a pronoun, a noun with "the" or a surname alone means."""
    parse, word = text.parse, text.parse.word(token)
    if word in _WORDS["PERSON"] | _WORDS["THING"]:
        if (NAMES | NOUNS).isdisjoint(parse.tags[text.tokens[index].start : token]):
            yield index - 1
    elif "the" in map(parse.word, parse.children(token, "det")):
        introducing = _last_with(text, index, parse.lemmas, parse.lemmas[token])
        has_no_modifier = len(parse.children(token)) - len(parse.children(token, "case", "punct", "cop", "nsubj")) == 1
        if introducing is not None:
            yield introducing
        elif has_no_modifier and word not in _WORDS["KNOWN"] and parse.has_label(token, "nsubj", "obj", "obl"):
            yield 0  # any earlier sentence may introduce it: all of them stay together
    elif parse.tags[token] in NAMES:
        earlier = [other for other in range(1, text.tokens[index].start) if parse.word(other) == word]
        if any(parse.tags[other - 1] in NAMES and parse.tokens[other - 1] != parse.tokens[token - 1] for other in earlier):
            yield _last_with(text, index, parse.tokens, parse.tokens[token]) or 0


def _last_with(text: Text, index: int, column: tuple[str, ...], wanted: str) -> int | None:
    """Return the last sentence before `index` with a token whose entry in `column` is `wanted`; None if there is none."""
    return next((at for at in reversed(range(index)) if any(column[token] == wanted for token in text.tokens[at])), None)


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the character spans of the sentences."""
    if not len(parse):
        return []
    starts = [0]
    previous = 0  # the last token that is not a closing quotation mark or bracket
    for index in range(1, len(parse)):
        if parse.tokens[index - 1] not in CLOSING | APOSTROPHES:
            previous = index - 1
        if _begins_sentence(parse, index, previous):
            starts.append(index)
    ends = [*(start - 1 for start in starts[1:]), len(parse) - 1]
    return [parse.span(start, end) for start, end in zip(starts, ends, strict=True)]


def _begins_sentence(parse: Parse, index: int, previous: int) -> bool:
    """Return whether a sentence can begin at the token: after an end mark and a space, with neither a lower-case letter nor a bracket.

    `previous` is the token before it, except for closing quotation marks and brackets.
    """
    if previous <= 0 or parse.starts[index] == parse.end(index - 1) or parse.tokens[previous] not in ENDS:
        return False
    word = parse.tokens[previous - 1]
    is_initialism = "." in word and word[0].isalpha()
    if word.lower() in _WORDS["ABBREVIATION"] or is_initialism or (word.istitle() and len(word) <= _SHORT):
        return False
    first = index + 1 if parse.tokens[index] in OPENING_QUOTES | APOSTROPHES and index + 1 < len(parse) else index
    return not parse.tokens[first][0].islower() and parse.tokens[first][0] not in "([….`'\u2018-–—"

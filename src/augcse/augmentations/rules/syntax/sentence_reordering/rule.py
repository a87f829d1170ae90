"""SentenceReordering: the sentences of a text in another order."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.tree import Tree, is_balanced
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_ENDS = frozenset({".", "!", "?", "...", "…", "?!", "!!", "!!!", "??"})
# A short word in capitals before a full stop may be a title or a name cut short: "Hon.", "Univ.".
_SHORT = 3
_HEAD_WORDS = 4
_OPENING = frozenset({'"', "``", "“", "‘", "'", "«"})
_CLOSING = frozenset({'"', "''", "”", "’", "'", ")", "]", "»"})
_SINGLE_QUOTES = frozenset({"'", "‘", "’", "`"})


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
    def blocks(self) -> list[list[str]]:
        """The sentences, each with those that lean on it."""
        blocks: list[list[str]] = []
        for index, sentence in enumerate(self.sentences):
            if blocks and _leans(self, index):
                blocks[-1].append(sentence)
            else:
                blocks.append([sentence])
        return blocks

    def places(self, index: int) -> range:
        """Return the tokens of a sentence."""
        start, end = self.spans[index]
        return range(bisect_left(self.parse.starts, start), bisect_left(self.parse.starts, end))


def _is_quoted(text: Text) -> bool:
    single = any(text.parse.tokens[place] in _SINGLE_QUOTES and text.parse.tags[place] != "POS" for place in range(len(text.parse)))
    return single or not all(map(is_balanced, text.sentences))


def _is_list(text: Text) -> bool:
    """Tell whether a sentence opens with what is no word, or a label stands at its head: "#music", "2)", "NYTimes: ..."."""
    tokens = text.parse.tokens
    opened = (text.sentences[index].lstrip("\"“'‘(«")[:1] for index in range(len(text.sentences)))
    labelled = any(token in (":", "|", "-", "–", "—", "--") for token in tokens[: _HEAD_WORDS + 1])
    return labelled or not all(first.isalpha() for first in opened)


def _has_fragment(text: Text) -> bool:
    return any(_is_fragment(text, index) for index in range(len(text.sentences)))


def _is_fragment(text: Text, index: int) -> bool:
    """Tell whether a sentence has no end mark, or is a question without a verb: "Why?"."""
    sentence = text.sentences[index].rstrip("".join(_CLOSING))
    verbs = any(text.parse.tags[place].startswith(("VB", "MD")) for place in text.places(index))
    return not sentence.endswith((".", "!", "?", "…")) or (sentence.endswith("?") and not verbs)


def _hangs_together(text: Text) -> bool:
    return len({tuple(block) for block in text.blocks}) < 2


REFUSALS: tuple[Refusal[[Text]], ...] = (
    Refusal("quotation over several sentences", "The king said, “Come here. Go home.” Rain fell.", _is_quoted),
    Refusal("list or label", "Mary: The bell rang. Rain fell.", _is_list),
    Refusal("fragment or no end mark", "The bell rang. Rain fell", _has_fragment),
    Refusal("sentences that hang together", "The bell rang. It was late.", _hangs_together),
)


@augmentation(
    "SentenceReordering",
    family="syntax",
    meaning="possible_alteration",
    condition="several sentences",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter sentence_reordering (Dhole et al. 2021); BART (Lewis et al. 2020)",
    needs=("parse",),
    example=Example("The bell rang. We ran home. Rain fell.", "We ran home. The bell rang. Rain fell.", seed=2),
    refusals=REFUSALS,
)
def sentence_reordering(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Shuffle the sentences of a text that has more than one; never into their old order.

    The blanks between the sentences stay in place. A sentence that leans on the one before ("However", "This method", "They", a question
    after a statement) moves with it. A.2 has pronouns resolved beforehand instead, which the published code has switched off.
    `fidelity="original"` shuffles every sentence by itself, joined by blanks.
    """
    text = Text(parse, tuple(_spans(parse)))
    if len(set(text.sentences)) < 2:
        return None
    if fidelity == "original":
        return " ".join(_shuffled([[sentence] for sentence in text.sentences], rng))
    if refused(REFUSALS, text):
        return None
    pieces, position = [], 0
    for (start, end), sentence in zip(text.spans, _shuffled(text.blocks, rng), strict=True):
        pieces += [parse.text[position:start], sentence]
        position = end
    return "".join([*pieces, parse.text[position:]])


def _shuffled(blocks: list[list[str]], rng: Random) -> list[str]:
    """Return the sentences with the blocks in another order."""
    order = list(blocks)
    while order == blocks:
        rng.shuffle(order)
    return [sentence for block in order for sentence in block]


def _leans(text: Text, index: int) -> bool:
    """Tell whether a sentence can only be understood after the one before it."""
    parse, before = text.parse, text.sentences[index - 1]
    places = [place for place in text.places(index) if parse.tokens[place][0].isalpha()]
    words = [parse.tokens[place].lower() for place in places]
    nouns = (at for at, place in enumerate(places) if parse.tags[place].startswith("NN"))
    head = places[: max(next(nouns, len(places)), _HEAD_WORDS)]
    pronoun = any(parse.tags[place].startswith("PRP") and word in _WORDS["OPENS_LEANING"] for place, word in zip(head, words, strict=False))
    asks = text.sentences[index].endswith("?") and not before.endswith("?")
    attributes = before.endswith(('?"', '!"', "?”", "!”"))
    return pronoun or asks or attributes or not words or words[0] in _WORDS["OPENS_LEANING"] or not _WORDS["LEANING"].isdisjoint(words)


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the character spans of the sentences."""
    tree = Tree(parse)
    root = list(range(len(parse)))
    for index in tree.order:
        root[index] = root[parse.heads[index]]
    spans, start, words = [], 0, _words_before(parse)
    for place in range(1, len(parse)):
        if _begins(parse, place, words[place]) and (root[place] != root[place - 1] or _is_plain_end(parse, place)):
            spans.append((parse.starts[start], parse.end(place - 1)))
            start = place
    return [*spans, (parse.starts[start], parse.end(len(parse) - 1))] if len(parse) else []


def _words_before(parse: Parse) -> list[int]:
    """Return, for each token, the nearest one before it that closes no quotation or bracket (the first token, if all do)."""
    found = [0]
    for index, token in enumerate(parse.tokens[:-1]):
        found.append(found[index] if index and token in _CLOSING else index)
    return found


def _begins(parse: Parse, place: int, before: int) -> bool:
    """Tell whether a sentence can begin at the token: after a full stop and a blank, with neither small letter nor bracket.

    `before` is the token before it, closing quotation marks and brackets aside.
    """
    if before <= 0 or parse.starts[place] == parse.end(place - 1) or parse.tokens[before] not in _ENDS:
        return False
    word = parse.tokens[before - 1]
    if word.lower() == "etc" and before == place - 1:
        return parse.tokens[place][0].isupper()
    if word.lower() in _WORDS["ABBREVIATION"] or ("." in word and word[0].isalpha()) or (word.istitle() and len(word) <= _SHORT):
        return False
    first = place + 1 if parse.tokens[place] in _OPENING and place + 1 < len(parse) else place
    return not parse.tokens[first][0].islower() and parse.tokens[first][0] not in "([….`'\u2018-–—"


def _is_plain_end(parse: Parse, place: int) -> bool:
    """Tell whether the full stop stands after a small-letter word, so that it is no abbreviation's; the parser may have missed it."""
    word = parse.tokens[place - 2] if place > 1 else ""
    return len(word) > 3 and word.isalpha() and word.islower() and parse.tokens[place][0].isalpha()

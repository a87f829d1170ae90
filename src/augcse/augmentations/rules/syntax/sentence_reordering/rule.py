"""SentenceReordering: the sentences of a text in another order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.connectives import opening_connective
from augcse.augmentations.english.phrase import is_balanced
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.tables import word_sets

_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_ENDS = frozenset({".", "!", "?", "...", "…", "?!", "!!", "!!!", "??"})
# A short word in capitals before a full stop may be a title or a name cut short: "Hon.", "Univ.".
_SHORT = 3
_OPENING = frozenset({'"', "``", "“", "‘", "'", "«"})
_CLOSING = frozenset({'"', "''", "”", "’", "'", ")", "]", "»"})
# At the head of a sentence: no word ("#music"), or a label ("Mary: ...", "LONDON (Reuters) - ...").
_LABEL = re.compile(r"[\"“'‘(«]*(?:[^\w\"“'‘(«]|\S+(?:\s\S+){0,3}(?::|\s[|–—-]+)\s)")
_SINGLE_QUOTE = re.compile(r"(?<!\w)['‘’`]|['’](?!\w)")


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
    def first(self) -> dict[str, int]:
        """The first sentence with each word, and with each form of a lemma."""
        pairs = ((word, index) for index, tokens in enumerate(self.tokens) for token in tokens for word in self.forms(token))
        return {word: index for word, index in reversed(list(pairs))}

    def forms(self, token: int) -> tuple[str, str]:
        """A token in small letters, and its lemma."""
        return self.parse.word(token), self.parse.lemmas[token]

    @cached_property
    def blocks(self) -> list[list[str]]:
        """What stays in front; then the sentences that stand by themselves, each with those that lean on it."""
        blocks = [[-1]]
        for index in range(len(self.spans)):
            support, source = min(_supports(self, index), default=index), min(_sources(self, index), default=index)
            together = [index]
            while blocks and (blocks[-1][-1] >= support or (len(blocks) > 1 and blocks[-1][-1] >= source)):
                together = blocks.pop() + together
            blocks.append(together)
        return [[self.sentences[index] for index in block if index >= 0] for block in blocks]


def _is_list(text: Text) -> bool:
    return any(map(_LABEL.match, text.sentences))


def _lacks_end(text: Text) -> bool:
    ends = [sentence.rstrip("".join(_CLOSING)) for sentence in text.sentences]
    return any(end.endswith("...") or not end.endswith((".", "!", "?")) for end in ends)


def _is_open(text: str) -> bool:
    return not is_balanced(text) or len(_SINGLE_QUOTE.findall(text)) % 2 == 1


def _hangs_together(text: Text) -> bool:
    return len({tuple(block) for block in text.blocks[1:]}) < 2


REFUSALS: tuple[Refusal[[Text]], ...] = (
    Refusal("open quotation or bracket", "The king said, “Come here. Rain fell.", lambda text: _is_open(text.parse.text)),
    Refusal("list or label", "Mary: The bell rang. Rain fell.", _is_list),
    Refusal("no end mark", "The bell rang. Rain fell", _lacks_end),
    Refusal("sentences that hang together", "The bell rang. It was late.", _hangs_together),
)


@augmentation(
    "SentenceReordering",
    family="syntax",
    meaning="possible_alteration",
    condition="several sentences",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter sentence_reordering (Dhole et al. 2021); BART (Lewis et al. 2020)",
    needs=("parse",),
    example=Example("Bread is cheap. You are tired. Rain is wet.", "Bread is cheap. Rain is wet. You are tired."),
    refusals=REFUSALS,
)
def sentence_reordering(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Shuffle the sentences of a text that has more than one; never into their old order.

    The blanks between the sentences stay in place, and so does a first sentence that names what the text is about. Others move if they open
    with a subject of their own; those that lean on one before ("However", "This method", "They", an answer, a quotation, the next of two
    events) move with it, and what brings in a thing or a name ("a king", "Mary Smith") stays before "the king" and "Smith". A.2 resolves
    pronouns beforehand instead, which the published code has switched off. `fidelity="original"` shuffles every sentence by itself, joined
    by blanks.
    """
    text = Text(parse, tuple(_spans(parse)))
    if len(set(text.sentences)) < 2:
        return None
    if fidelity == "original":
        return " ".join(_shuffled([[sentence] for sentence in text.sentences], rng))
    if refused(REFUSALS, text):
        return None
    pieces, position = [], 0
    for (start, end), sentence in zip(text.spans, [*text.blocks[0], *_shuffled(text.blocks[1:], rng)], strict=True):
        pieces += [parse.text[position:start], sentence]
        position = end
    return "".join([*pieces, parse.text[position:]])


def _shuffled(blocks: list[list[str]], rng: Random) -> list[str]:
    """Return the sentences with the blocks in another order."""
    order = list(blocks)
    while order == blocks:
        rng.shuffle(order)
    return [sentence for block in order for sentence in block]


def _supports(text: Text, index: int) -> Iterator[int]:
    """Yield the earlier sentences from which on the sentence at `index` and all between stay together; -1 for the head of the text."""
    if not _opens(text, index) or _leans(text, index) or any(_points(text, index, token) for token in text.tokens[index]):
        yield index - 1
    if text.sentences[index].endswith("?"):
        yield 0


def _opens(text: Text, index: int) -> bool:
    """Tell whether a sentence opens with a subject of its own: "I" or "you", and but for the first sentence a name or another noun."""
    parse, tokens = text.parse, text.tokens[index]
    subjects = (token for token in tokens if parse.has_label(token, "nsubj") and parse.deps[parse.heads[token]] == "ROOT")
    subject = next(subjects, None)
    if subject is None or parse.first(subject) != tokens.start:
        return subject is None and parse.tags[tokens.start] == "VB"
    if index == 0:
        return parse.tags[subject] == "PRP"
    known = parse.tags[subject].startswith("NNP") or text.first[parse.lemmas[subject]] < index
    return known or parse.word(tokens.start) != "the"


def _leans(text: Text, index: int) -> bool:
    """Tell whether a sentence goes on with what the one before says."""
    parse, sentence, before = text.parse, text.sentences[index], text.sentences[index - 1] if index else ""
    words = [parse.word(token) for token in text.tokens[index] if parse.tokens[token][0].isalnum()]
    opened = opening_connective(sentence) or words[:1] == [] or words[0] in _WORDS["OPENS_LEANING"] or sentence[0].islower()
    quoted = sentence[0] in _OPENING or any(map(_is_open, (sentence, before, parse.text[: text.spans[index][0]])))
    compared = "than" not in words and any(parse.tags[token] in ("JJR", "RBR") for token in text.tokens[index])
    told = _tells_event(text, index - 1) and _tells_event(text, index)
    added = index > 0 and (not _WORDS["ADDING"].isdisjoint(words) or compared or told or before.rstrip("".join(_CLOSING)).endswith("?"))
    return bool(opened or not _WORDS["LEANING"].isdisjoint(words) or quoted or added)


def _tells_event(text: Text, index: int) -> bool:
    """Tell whether a sentence is a step of a narrative: its verb is in the past tense, and tells neither a state nor a speech."""
    parse = text.parse
    roots = (token for token in text.tokens[index] if parse.heads[token] == token)
    return any(parse.tags[root] == "VBD" and parse.lemmas[root] not in _WORDS["STATE"] for root in roots)


def _points(text: Text, index: int, token: int) -> bool:
    """Tell whether a word points at what was said: a pronoun, a word without its noun ("all came"), "this deal", "the two"."""
    parse, tag = text.parse, text.parse.tags[token]
    if tag == "DT" and parse.has_label(token, "det", "advmod", "cc"):
        pointing = parse.word(token) in _WORDS["POINTING"] and parse.word(parse.heads[token]) not in _WORDS["KNOWN"]
        return pointing or (parse.word(token) == "the" and bool(parse.children(parse.heads[token], "nummod")))
    if parse.word(token) in _WORDS["PERSON"] | _WORDS["THING"]:
        return not _is_bound(text, index, token)
    return tag == "DT" or (tag == "CD" and parse.has_label(token, "nsubj", "obj"))


def _is_bound(text: Text, index: int, token: int) -> bool:
    """Tell whether a pronoun can stand for a noun of its own sentence, the subject or one after it, or stands for nothing ("it rains")."""
    parse, word = text.parse, text.parse.word(token)
    first = next((other for other in text.tokens[index] if parse.has_label(other, "nsubj") and parse.tags[other].startswith("NN")), token)
    tags = {parse.tags[other] for other in range(first, token)}
    wanted = {"NNP"} if word in _WORDS["PERSON"] else {"NNS", "NNPS"} if word.startswith("th") else {"NN", "NNP"}
    return parse.deps[token] == "expl" or (parse.has_label(token, "nsubj", "nmod") and not wanted.isdisjoint(tags))


def _sources(text: Text, index: int) -> Iterator[int]:
    """Yield the sentences that bring in what the one at `index` takes as known: a noun with "the", a name said in full."""
    parse = text.parse
    for token in text.tokens[index]:
        at = min(text.first[form] for form in text.forms(token))
        definite = parse.tags[token].startswith("NN") and any(parse.word(child) == "the" for child in parse.children(token, "det"))
        if at < index and (definite or (parse.tags[token] == "NNP" and _says_more(text, at, token))):
            yield at


def _says_more(text: Text, index: int, token: int) -> bool:
    """Tell whether a sentence gives a fuller name, or a description with it: "Mary Smith", "Mr Smith, a doctor"."""
    parse = text.parse
    same = [other for other in text.tokens[index] if parse.word(other) == parse.word(token)]
    named = [name for other in same for name in (other, parse.heads[other]) if parse.tags[name] == "NNP"]
    beside = ((other + step, token + step) for other in same for step in (-1, 1) if parse.tag(other + step) == "NNP")
    return any(parse.word(old) != parse.word(new) for old, new in beside) or any(parse.children(name, "appos", "acl") for name in named)


def _spans(parse: Parse) -> list[tuple[int, int]]:
    """Return the character spans of the sentences."""
    if not len(parse):
        return []
    starts = [0]
    before = 0  # the last token that closes no quotation or bracket
    for index in range(1, len(parse)):
        if parse.tokens[index - 1] not in _CLOSING:
            before = index - 1
        if _begins(parse, index, before):
            starts.append(index)
    ends = [*(start - 1 for start in starts[1:]), len(parse) - 1]
    return [(parse.starts[start], parse.end(end)) for start, end in zip(starts, ends, strict=True)]


def _begins(parse: Parse, index: int, before: int) -> bool:
    """Tell whether a sentence can begin at the token: after a full stop and a blank, with neither small letter nor bracket.

    `before` is the token before it, closing quotation marks and brackets aside.
    """
    if before <= 0 or parse.starts[index] == parse.end(index - 1) or parse.tokens[before] not in _ENDS:
        return False
    word = parse.tokens[before - 1]
    if word.lower() in _WORDS["ABBREVIATION"] or ("." in word and word[0].isalpha()) or (word.istitle() and len(word) <= _SHORT):
        return False
    first = index + 1 if parse.tokens[index] in _OPENING and index + 1 < len(parse) else index
    return not parse.tokens[first][0].islower() and parse.tokens[first][0] not in "([….`'\u2018-–—"

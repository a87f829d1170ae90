"""SentenceReordering: the sentences of a text in another order."""

from __future__ import annotations

from bisect import bisect_left
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.tree import Tree, is_balanced

_ENDS = frozenset({".", "!", "?", "...", "…", "?!", "!!", "!!!", "??"})
# Abbreviations whose full stop the tokenizer parts from them.
_ABBREVIATIONS = frozenset(
    "no nos vs sgt vol vols approx op st mr mrs ms dr jr sr ca fig figs pp p ed eds lt col gen maj capt ft mt art prof cf"
    " al hon nr rev ch gov sen rep pres univ inc ltd co corp bros dept est messrs mme mlle sen supt adm cmdr cpl pvt jan feb mar apr jun"
    " jul aug sep sept oct nov dec eq sec chap".split()
)
# A short word in capitals before a full stop may be a title or a name cut short: "Hon.", "Univ.".
_SHORT = 3
# At the head of a sentence, these lean on the one before; the others do so wherever they stand.
_LEANING_HEADS = frozenset(
    "this these those that it its he his him she her they their them such both another other others all some one then so thus but and or"
    " nor yet also still hence meanwhile similarly likewise either neither here there".split()
)
_LEANING = frozenset(
    "this these such also too however instead therefore moreover further furthermore additionally nevertheless nonetheless consequently"
    " latter former thereby thereafter".split()
)
_HEAD_WORDS = 4
_OPENING = frozenset({'"', "``", "“", "‘", "'", "«"})
_DASHES = frozenset({"-", "--", "–", "—"})
_CLOSING = frozenset({'"', "''", "”", "’", "'", ")", "]", "»"})


@augmentation(
    "SentenceReordering",
    family="syntax",
    meaning="possible_alteration",
    condition="several sentences",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter sentence_reordering (Dhole et al. 2021); BART (Lewis et al. 2020)",
    needs=("parse",),
    example=Example("The bell rang. We ran home. Rain fell.", "We ran home. The bell rang. Rain fell.", seed=2),
)
def sentence_reordering(parse: Parse, rng: Random) -> str | None:
    """Shuffle the sentences of a text that has more than one; never into their old order.

    The blanks between the sentences stay in place. A sentence that leans on the one before ("However", "This method", "They") moves
    with it; a text of which all sentences hang together so stays. A.2 has pronouns resolved beforehand instead, which the published
    code has switched off.
    """
    spans = _sentences(parse)
    sentences = [parse.text[start:end] for start, end in spans]
    if len(set(sentences)) < 2 or not all(map(is_balanced, sentences)):
        return None
    blocks: list[list[str]] = []
    for (start, end), sentence in zip(spans, sentences, strict=True):
        if blocks and _leans(parse, start, end):
            blocks[-1].append(sentence)
        else:
            blocks.append([sentence])
    if len({tuple(block) for block in blocks}) < 2:
        return None
    shuffled = sentences
    while shuffled == sentences:
        rng.shuffle(blocks)
        shuffled = [sentence for block in blocks for sentence in block]
    pieces, position = [], 0
    for (start, end), sentence in zip(spans, shuffled, strict=True):
        pieces += [parse.text[position:start], sentence]
        position = end
    return "".join([*pieces, parse.text[position:]])


def _leans(parse: Parse, start: int, end: int) -> bool:
    """Tell whether the sentence between two characters can only be understood after the one before it."""
    inside = range(bisect_left(parse.starts, start), bisect_left(parse.starts, end))
    places = [place for place in inside if parse.tokens[place][0].isalpha()]
    words = [parse.tokens[place].lower() for place in places]
    subject = any(parse.tags[place] in ("PRP", "PRP$") and parse.tokens[place].lower() in _LEANING_HEADS for place in places[:_HEAD_WORDS])
    return subject or words[:1] == [] or words[0] in _LEANING_HEADS or not _LEANING.isdisjoint(words)


def _sentences(parse: Parse) -> list[tuple[int, int]]:
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
    if word.lower() in _ABBREVIATIONS or ("." in word and word[0].isalpha()) or (word.istitle() and len(word) <= _SHORT):
        return False
    if word.lower() == "etc" and before < place - 1:
        return False  # "etc.)"
    if parse.tokens[place] in _DASHES:
        return False
    first = place + 1 if parse.tokens[place] in _OPENING and place + 1 < len(parse) else place
    return not parse.tokens[first][0].islower() and parse.tokens[first][0] not in "([….`'\u2018"


def _is_plain_end(parse: Parse, place: int) -> bool:
    """Tell whether the full stop stands after a small-letter word, so that it is no abbreviation's; the parser may have missed it."""
    word = parse.tokens[place - 2] if place > 1 else ""
    return len(word) > 3 and word.isalpha() and word.islower() and parse.tokens[place][0].isalpha()

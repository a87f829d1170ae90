"""The conditions of the word tables, each on hand-made parses: where it holds, where it does not, what is refused."""

from __future__ import annotations

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.conditions import read_condition

# In the new way , he built houses .
_ROWS = [
    ("In", "ADP", "IN", 3, "case"),
    ("the", "DET", "DT", 3, "det"),
    ("new", "ADJ", "JJ", 3, "amod"),
    ("way", "NOUN", "NN", 6, "obl"),
    (",", "PUNCT", ",", 6, "punct"),
    ("he", "PRON", "PRP", 6, "nsubj"),
    ("built", "VERB", "VBD", 6, "ROOT"),
    ("houses", "NOUN", "NNS", 6, "obj"),
    (".", "PUNCT", ".", 6, "punct"),
]
WAY, BUILT, HOUSES = 3, 6, 7


def sentence() -> Parse:
    text = " ".join(row[0] for row in _ROWS)
    starts = [sum(len(row[0]) + 1 for row in _ROWS[:place]) for place in range(len(_ROWS))]
    rows = [(word, start, word.lower(), upos, tag, head, dep) for (word, upos, tag, head, dep), start in zip(_ROWS, starts, strict=True)]
    return parse_of_rows(text, rows)


@pytest.mark.parametrize(
    ("condition", "index", "holds"),
    [
        ("", WAY, True),
        ("+COMMA", WAY, True),
        ("-COMMA", WAY, False),
        ("+houses,homes", BUILT, True),
        ("-NNS", BUILT, False),
        ("<+new", WAY, True),
        ("<-JJ", WAY, False),
        ("<-old <+JJ", WAY, True),
        ("!he", WAY, False),
        ("!she", WAY, True),
        ("&in,at", BUILT, True),
        ("&at", BUILT, False),
        ("#NN", WAY, True),
        ("#NN", HOUSES, False),
        ("obj", BUILT, True),
        ("obj", WAY, False),
        ("det", WAY, True),
        ("det", HOUSES, True),
        ("in", WAY, True),
        ("in", HOUSES, False),
        ("nominal", HOUSES, True),
        ("nominal", BUILT, False),
        ("-STOP", HOUSES, False),
        ("written", HOUSES, True),
    ],
)
def test_condition_holds_where_it_says(condition: str, index: int, holds: bool) -> None:
    assert read_condition(condition)(sentence(), index) is holds


def test_a_singular_without_an_article_is_not_determined() -> None:
    parse = parse_of_rows("way", [("way", 0, "way", "NOUN", "NN", 0, "ROOT")])
    assert not read_condition("det")(parse, 0)
    assert not read_condition("in")(parse, 0)


def test_an_unknown_sign_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown condition"):
        read_condition("?x")

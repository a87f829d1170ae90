"""What the rule that moves phrases refuses: each refusal on a hand-made parse, beside a neighbour that is let through."""

from __future__ import annotations

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.syntax.yoda_perturbation.bounds import ends_whole, leaves_clause


def tree(words: str) -> Parse:
    """Build a parse from "token/TAG/head/label" words."""
    rows, start = [], 0
    for word in words.split():
        token, tag, head, label = word.rsplit("/", 3)
        rows.append((token, start, LEMMAS.get(token, token.lower()), "X", tag, int(head), label))
        start += len(token) + 1
    return parse_of_rows(" ".join(row[0] for row in rows), rows)


LEMMAS = {"built": "build", "rose": "rise", "said": "say"}

HE_BUILT_HOUSES = "He/PRP/1/nsubj built/VBD/1/ROOT houses/NNS/1/obj"


@pytest.mark.parametrize(
    ("words", "turned", "expected"),
    [
        (HE_BUILT_HOUSES, set(), False),
        (f"{HE_BUILT_HOUSES} and/CC/4/cc left/VBD/1/conj", set(), True),
        (f"{HE_BUILT_HOUSES} and/CC/4/cc left/VBD/1/conj", {4}, False),
        (f"{HE_BUILT_HOUSES} ;/:/5/punct she/PRP/5/nsubj left/VBD/1/parataxis", set(), True),
        # neither a noun nor an infinitive is a clause of its own
        (f"{HE_BUILT_HOUSES} and/CC/4/cc barns/NNS/2/conj", set(), False),
        # finite through its auxiliary
        (f"{HE_BUILT_HOUSES} and/CC/5/cc was/VBD/5/aux leaving/VBG/1/conj", set(), True),
        (f"{HE_BUILT_HOUSES} and/CC/4/cc leaving/VBG/1/conj", set(), False),
        # reported speech with and without "that"
        ("He/PRP/1/nsubj said/VBD/1/ROOT she/PRP/3/nsubj left/VBD/1/ccomp", set(), True),
        ("He/PRP/1/nsubj said/VBD/1/ROOT that/IN/4/mark she/PRP/4/nsubj left/VBD/1/ccomp", set(), False),
    ],
)
def test_clauses_beside_the_turned_one(words: str, turned: set[int], expected: bool) -> None:
    assert leaves_clause(tree(words), 1, turned) is expected


@pytest.mark.parametrize(
    ("words", "last", "expected"),
    [
        (HE_BUILT_HOUSES, 2, True),
        # what goes on directly after the stretch
        (f"{HE_BUILT_HOUSES} in/IN/4/case Rome/NNP/1/obl", 2, False),
        (f"{HE_BUILT_HOUSES} to/TO/4/mark live/VB/1/advcl", 2, False),
        (f"{HE_BUILT_HOUSES} in/IN/4/case Rome/NNP/1/obl", 4, True),
        # a clause after it, and an aside after a comma
        (f"{HE_BUILT_HOUSES} while/IN/5/mark he/PRP/5/nsubj slept/VBD/1/advcl", 2, True),
        (f"{HE_BUILT_HOUSES} and/CC/5/cc she/PRP/5/nsubj slept/VBD/1/conj", 2, True),
        (f"{HE_BUILT_HOUSES} ,/,/4/punct living/VBG/1/advcl", 2, True),
        (f"{HE_BUILT_HOUSES} ,/,/5/punct which/WDT/5/nsubj fell/VBD/2/acl:relcl", 2, False),
        # a coordinated verb within it, and an afterthought
        (f"{HE_BUILT_HOUSES} and/CC/4/cc left/VBD/1/conj", 4, False),
        (f"{HE_BUILT_HOUSES} and/CC/4/cc barns/NNS/2/conj", 4, True),
        (f"{HE_BUILT_HOUSES} ,/,/5/punct not/RB/5/advmod barns/NNS/2/conj", 5, False),
        (f"{HE_BUILT_HOUSES} that/WDT/4/nsubj fell/VBD/2/acl:relcl", 4, True),
    ],
)
def test_both_ends_of_what_is_fronted(words: str, last: int, expected: bool) -> None:
    assert ends_whole(tree(words), 1, 2, last) is expected

"""What the rules that move or drop phrases refuse: each refusal on a hand-made parse, beside a neighbour that is let through."""

from __future__ import annotations

import pytest

from augcse.annotation.parse import parse_of_rows
from augcse.augmentations.caution import leaves_clause, resists_exchange, tears_complement, tears_summary
from augcse.augmentations.phrase import Tree


def tree(words: str) -> Tree:
    """Build a tree from "token/TAG/head/label" words."""
    rows, start = [], 0
    for word in words.split():
        token, tag, head, label = word.rsplit("/", 3)
        rows.append((token, start, LEMMAS.get(token, token.lower()), "X", tag, int(head), label))
        start += len(token) + 1
    return Tree(parse_of_rows(" ".join(row[0] for row in rows), rows))


LEMMAS = {"toured": "tour", "times": "time", "made": "make", "built": "build", "worked": "work", "played": "play"}

HE_BUILT_HOUSES = "He/PRP/1/nsubj built/VBD/1/ROOT houses/NNS/1/obj"


@pytest.mark.parametrize(
    ("words", "summary", "expected"),
    [
        (HE_BUILT_HOUSES, "He built houses", False),
        (f"{HE_BUILT_HOUSES} \"/''/1/punct", "He built houses", True),
        ("He/PRP/1/nsubj asked/VBD/1/ROOT why/WRB/1/obj", "He asked why", True),
        ("He/PRP/1/nsubj built/VBD/1/ROOT dozens/NNS/1/obj", "He built dozens", True),
        # half of a coordination, and its neighbour: the words of one name
        (f"{HE_BUILT_HOUSES} and/CC/4/cc barns/NNS/2/conj", "He built houses", True),
        ("Parsley/NNP/2/nsubj Energy/NNP/0/conj grew/VBD/2/ROOT", "Parsley Energy grew", False),
        ("He/PRP/1/nsubj built/VBD/1/ROOT houses/NNS/1/obj slowly/RB/1/advmod", "He built houses slowly", True),
        ("He/PRP/1/nsubj built/VBD/1/ROOT houses/NNS/1/obj slowly/RB/1/advmod", "He built houses", False),
        # a number without what it counts
        ("He/PRP/1/nsubj built/VBD/1/ROOT about/RB/3/advmod 30/CD/4/nummod houses/NNS/1/obj", "He built about houses", True),
        ("He/PRP/1/nsubj built/VBD/1/ROOT about/RB/3/advmod 30/CD/4/nummod houses/NNS/1/obj", "He built houses", False),
        # a second clause
        (f"{HE_BUILT_HOUSES} and/CC/4/cc left/VBD/1/conj", "He built houses", True),
        # objects and adverbials of which the head alone tells too little
        ("He/PRP/1/nsubj built/VBD/1/ROOT stone/NN/1/obj houses/NNS/2/dep", "He built stone", True),
        ("He/PRP/1/nsubj toured/VBD/1/ROOT three/CD/3/nummod times/NNS/1/obl", "He toured times", True),
        ("He/PRP/1/nsubj kept/VBD/1/ROOT her/PRP/1/obj in/IN/4/case mind/NN/1/obl", "He kept her", True),
        ("He/PRP/1/nsubj kept/VBD/1/ROOT her/PRP/1/obj in/IN/4/case Rome/NNP/1/obl", "He kept her", False),
        ("He/PRP/1/nsubj built/VBD/1/ROOT old/JJ/1/obj", "He built old", True),
        ("He/PRP/1/nsubj built/VBD/1/ROOT 30/CD/1/obj", "He built 30", True),
        ("He/PRP/1/nsubj worked/VBD/1/ROOT years/NNS/1/obj", "He worked years", True),
        ("He/PRP/1/nsubj slept/VBD/1/ROOT Monday/NNP/1/obl", "He slept Monday", True),
        ("He/PRP/1/nsubj slept/VBD/1/ROOT in/IN/3/case Rome/NNP/1/obl", "He slept in Rome", False),
    ],
)
def test_a_summary_keeps_no_half(words: str, summary: str, expected: bool) -> None:
    assert tears_summary(tree(words), [1 if "Energy" not in words else 2], summary) is expected


def test_a_summary_of_two_clauses_is_refused() -> None:
    assert tears_summary(tree(f"{HE_BUILT_HOUSES} left/VBD/1/advcl"), [1, 3], "He built houses")


@pytest.mark.parametrize(
    ("words", "subject", "other", "expected"),
    [
        ("The/DT/1/det king/NN/2/nsubj built/VBD/2/ROOT the/DT/4/det house/NN/2/obj", (1, 0, 1), (4, 3, 4), False),
        # a light verb takes an abstract or a bare noun into its meaning
        ("The/DT/1/det king/NN/2/nsubj made/VBD/2/ROOT the/DT/4/det decision/NN/2/obj", (1, 0, 1), (4, 3, 4), True),
        ("The/DT/1/det king/NN/2/nsubj made/VBD/2/ROOT the/DT/4/det house/NN/2/obj", (1, 0, 1), (4, 3, 4), False),
        ("The/DT/1/det king/NN/2/nsubj made/VBD/2/ROOT money/NN/2/obj", (1, 0, 1), (3, 3, 3), True),
        ("The/DT/1/det king/NN/2/nsubj built/VBD/2/ROOT houses/NNS/2/obj", (1, 0, 1), (3, 3, 3), False),
        # coordinated, explained, or with a comma
        ("Kings/NNS/3/nsubj and/CC/2/cc lords/NNS/0/conj met/VBD/3/ROOT the/DT/5/det crowd/NN/3/obj", (0, 0, 2), (5, 4, 5), True),
        ("Kings/NNS/3/nsubj and/CC/2/cc lords/NNS/0/conj met/VBD/3/ROOT the/DT/5/det crowd/NN/3/obj", (0, 0, 0), (5, 4, 5), False),
        ("Kings/NNS/1/nsubj met/VBD/1/ROOT Ann/NNP/1/obj ,/,/2/punct queen/NN/2/appos", (0, 0, 0), (2, 2, 4), True),
        ("Kings/NNS/1/nsubj met/VBD/1/ROOT Ann/NNP/1/obj ,/,/1/punct too/RB/1/advmod", (0, 0, 0), (2, 2, 2), True),
        # an abbreviation's full stop amid the sentence, but not the last one
        ("Kings/NNS/1/nsubj met/VBD/1/ROOT Gen/NN/1/obj ././2/punct Lee/NNP/2/flat there/RB/1/advmod", (0, 0, 0), (2, 2, 2), True),
        ("Kings/NNS/1/nsubj met/VBD/1/ROOT Ann/NNP/1/obj ././1/punct", (0, 0, 0), (2, 2, 2), False),
        # quoted, or behind a noun that may belong to it
        ('"/``/2/punct Kings/NNS/2/nsubj met/VBD/2/ROOT Ann/NNP/2/obj', (1, 1, 1), (3, 3, 3), True),
        ("Today/NN/2/dep kings/NNS/2/nsubj met/VBD/2/ROOT Ann/NNP/2/obj", (1, 1, 1), (3, 3, 3), True),
    ],
)
def test_exchanges_that_are_resisted(words: str, subject: tuple[int, int, int], other: tuple[int, int, int], expected: bool) -> None:
    built = tree(words)
    assert resists_exchange(built, built.parse.roots()[0], (subject, other)) is expected


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
        (HE_BUILT_HOUSES, 2, False),
        # what goes on directly behind the stretch
        (f"{HE_BUILT_HOUSES} in/IN/4/case Rome/NNP/1/obl", 2, True),
        (f"{HE_BUILT_HOUSES} while/IN/4/mark sleeping/VBG/1/advcl", 2, False),
        (f"{HE_BUILT_HOUSES} to/TO/4/mark live/VB/1/advcl", 2, True),
        (f"{HE_BUILT_HOUSES} ,/,/4/punct living/VBG/1/xcomp", 2, True),
        (f"{HE_BUILT_HOUSES} ,/,/4/punct living/VBG/1/advcl", 2, False),
        (f"{HE_BUILT_HOUSES} in/IN/4/case Rome/NNP/1/obl", 4, False),
        # a coordinated verb within it
        (f"{HE_BUILT_HOUSES} and/CC/4/cc left/VBD/1/conj", 4, True),
        (f"{HE_BUILT_HOUSES} and/CC/5/cc then/RB/5/advmod left/VBD/1/conj", 5, True),
        (f"{HE_BUILT_HOUSES} and/CC/4/cc barns/NNS/2/conj", 4, False),
        ("He/PRP/1/nsubj rose/VBD/1/ROOT slowly/RB/1/advmod and/CC/4/cc sleeping/VBG/1/conj", 4, True),
        # an afterthought behind a comma
        (f"{HE_BUILT_HOUSES} ,/,/5/punct and/CC/5/cc barns/NNS/2/conj", 5, True),
        (f"{HE_BUILT_HOUSES} ,/,/4/punct barns/NNS/2/conj ,/,/7/punct and/CC/7/cc walls/NNS/2/conj", 7, False),
        (f"{HE_BUILT_HOUSES} ,/,/5/punct not/RB/5/advmod barns/NNS/2/conj", 5, True),
        (f"{HE_BUILT_HOUSES} ,/,/5/punct old/JJ/5/amod barns/NNS/2/appos", 5, False),
    ],
)
def test_complements_that_a_move_would_tear(words: str, last: int, expected: bool) -> None:
    assert tears_complement(tree(words), 1, last) is expected

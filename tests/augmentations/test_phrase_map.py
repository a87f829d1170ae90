"""The engine of phrase maps: conditions, first cell that holds, spellings of clitics, the word that moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from augcse.augmentations.text.around import Around, read_condition
from augcse.augmentations.text.edits import apply_edits
from augcse.augmentations.text.phrase_map import PhraseMap, read_phrase_map

CLASSES = {"PRONOUN": ["he", "she"], "PAST": ["*ed", "-need", "went"], "ADVERB": ["now"]}
# The last column of a block has no condition.
TABLE = """# a comment
=PRONOUN	he she
phrase	start comma	+PRONOUN
however	nevertheless|nonetheless	yet
phrase	asks +PRONOUN\t
isn't|isnt	is * not	is not
phrase	start\t
so	-	thus
"""


@pytest.fixture
def table(tmp_path: Path) -> PhraseMap:
    path = tmp_path / "table.tsv"
    path.write_text(TABLE, "utf-8")
    return read_phrase_map(path)


def first(table: PhraseMap, text: str, **options: bool) -> list[str]:
    return [apply_edits(text, [choice.edit(choice.replacements[0])]) for choice in table.choices(text, **options) if choice.replacements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("However, it rained.", ["Nevertheless, it rained."]),
        ("It rained; however he came.", ["It rained; yet he came."]),
        ("It rained, however.", []),
        ("Isn't he here?", ["Is he not here?"]),
        ("ISN'T HE HERE?", ["IS HE NOT HERE?"]),
        ("He isn’t here.", ["He is not here."]),
        ("he is n't here .", ["he is not here ."]),
        ("he isnt here", ["he is not here"]),
        ("So he left.", []),
        ("He so left.", ["He thus left."]),
        ("A so-called isn't-ness.", []),
    ],
)
def test_first_cell_whose_condition_holds_decides(table: PhraseMap, text: str, expected: list[str]) -> None:
    assert first(table, text) == expected


def test_without_conditions_the_last_column_holds(table: PhraseMap) -> None:
    assert first(table, "Isn't he here? So what.", always=True) == ["Is not he here? So what.", "Isn't he here? Thus what."]


@pytest.mark.parametrize(
    ("condition", "text", "holds"),
    [
        ("start", "X it", True),
        ("start", "Stop. X it", True),
        ("start", "a X it", False),
        ("front", "so, X it", True),
        ("comma", "X , it", True),
        ("<comma", "so , X", True),
        ("asks", "X it? No.", True),
        ("asks", "X it. No?", False),
        ("word", "X it", True),
        ("word", "X, it", False),
        ("+PRONOUN", "X she's", True),
        ("+PRONOUN", "X, she", False),
        ("-she", "X she", False),
        ("<+why", "Why X", True),
        ("<-why", "Why X", False),
        (">7+went", "X they both, too, went", True),
        (">7+went", "X they. He went", False),
        (">>-went", "X they, too, went", True),
        (">>-went", "X they went", False),
        ("<3-how", "how old he X", False),
        ("<3-how", "how old he and she X", True),
        ("<<-how", "how old he and she X", False),
        ("<<<-how", "how old, X", False),
        ("~+PAST", "X now walked", True),
        ("~+PAST", "X need", False),
        ("~+went ~~+to", "X now went to", True),
        ("start +he", "X she", False),
    ],
)
def test_conditions(condition: str, text: str, holds: bool) -> None:
    place = text.index("X")
    assert read_condition(condition, CLASSES)(Around(text, place, place + 1)) is holds


def test_a_condition_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown condition: begins"):
        read_condition("begins", {})

"""The tables of words in place of others: every row can be taken somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import augcse.augmentations.rules.lexical as lexical
import pair_grades
from augcse.augmentations.english.conditions import read_condition
from augcse.augmentations.english.words import inflect
from augcse.augmentations.text.tables import data_rows

FOLDER = Path(lexical.__file__).parent
NOUNS = [FOLDER / "hypernyms" / name for name in ("hypernyms.tsv", "hyponyms.tsv")]


def _listed(tests: list[str], sign: str) -> set[str]:
    return {word for test in tests if test.startswith(sign) for word in test.removeprefix(sign).split(",")}


@pytest.mark.parametrize("path", NOUNS, ids=lambda path: path.stem)
def test_no_row_asks_for_the_very_words_that_it_forbids(path: Path) -> None:
    for _, noun, _, condition in data_rows(path):
        tests = condition.split()
        for wanted, forbidden in (("+", "-"), ("<+", "<-"), ("&", "!")):
            for test in tests:
                if test.startswith(wanted):
                    assert not _listed([test], wanted) <= _listed(tests, forbidden), (noun, condition)


@pytest.mark.parametrize("path", [*NOUNS, FOLDER / "synonym_substitution" / "synonyms.tsv"], ids=lambda path: path.stem)
def test_every_condition_can_be_read(path: Path) -> None:
    for _, _, _, condition in data_rows(path):
        read_condition(condition)  # raises for one that cannot


@pytest.mark.parametrize("path", NOUNS, ids=lambda path: path.stem)
def test_no_row_forbids_the_noun_itself(path: Path) -> None:
    for _, noun, others, condition in data_rows(path):
        tests = condition.split()
        forms = _listed(tests, "#") or {"NN", "NNS"}
        assert not others or any(inflect(noun, tag) not in _listed(tests, "!") for tag in forms), (noun, condition)


@pytest.mark.parametrize("path", NOUNS, ids=lambda path: path.stem)
def test_no_list_of_a_condition_names_a_word_twice(path: Path) -> None:
    for _, noun, _, condition in data_rows(path):
        for test in condition.split():
            assert len(set(test.split(","))) == len(test.split(",")), (noun, test)


@pytest.mark.parametrize("path", NOUNS, ids=lambda path: path.stem)
def test_what_a_sentence_holds_is_asked_by_word(path: Path) -> None:
    """Tags stand for themselves beside the noun only; in these lists a capital would never be found."""
    for _, noun, _, condition in data_rows(path):
        assert all(test.islower() for test in condition.split() if test[0] in "!&"), (noun, condition)


@pytest.mark.parametrize("path", NOUNS, ids=lambda path: path.stem)
def test_no_row_stands_after_one_that_holds_wherever_it_does(path: Path) -> None:
    earlier: dict[str, list[set[str]]] = {}
    for _, noun, _, condition in data_rows(path):
        tests = set(condition.split())
        assert not any(other <= tests for other in earlier.get(noun, [])), (noun, condition)
        earlier.setdefault(noun, []).append(tests)


def test_no_reviewed_pair_is_left_that_readers_found_bad() -> None:
    for rule, replacement in pair_grades.RULES.items():
        table = replacement.table.read_text("utf-8")
        assert pair_grades.without(table, pair_grades.shares(rule)) == table, rule


def test_a_word_without_a_good_pair_stays_in_the_table_without_any() -> None:
    table = "# Head\nn\tcar\tauto|cart\t+of\nn\tcar\tcart\t-of\nn\thair\tlock\t+his\nn\tend\tclose\t\n"
    shares = {("n", "car", "cart"): 0.2, ("n", "hair", "lock"): 0.1, ("n", "end", "close"): 0.5}
    assert pair_grades.without(table, shares) == "# Head\nn\tcar\tauto\t+of\nn\thair\t\t\nn\tend\tclose\t\n"

"""`augcse.augment` of a table in pieces: row numbers key the streams, missing texts stay missing, other things are refused by index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch

from augcse.augmentations.run.apply import augment
from augcse.augmentations.run.augmenter import Augmenter
from augcse.errors import UserError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"
PROGRAM, _ = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
TEXTS = [f"The number {row} is one of very many in this table." for row in range(30)]


def run_program(batch_size: int, processes: int | None) -> list[str | None]:
    """Run the page's program with another batch size and number of processes; return the column that it made."""
    changed = PROGRAM.replace("batch_size=64, num_proc=None", f"batch_size={batch_size}, num_proc={processes}")
    names: dict[str, Any] = {}
    exec(compile(changed, str(PAGE), "exec"), names)
    return list(names["table"]["view"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("batch_size", "processes"), [(1, None), (7, None), (64, None), (7, 2)])
def test_the_pages_program_gives_the_same_for_any_batch_size_and_number_of_processes(batch_size: int, processes: int | None) -> None:
    assert "batch_size=64, num_proc=None" in PROGRAM
    texts = ["The mill was built in 1847.", None, "She does not like rain in April."] * 40
    assert run_program(batch_size, processes) == augment(texts, "chain(NumericToWord, RandomSwap:rate=0.2)", seed=1)


@pytest.mark.parametrize("name", ["RandomSwap", "RandomDeletion:rate=0.3", "SentenceReordering"])
def test_pieces_with_their_row_numbers_are_the_whole(name: str) -> None:
    whole = augment(TEXTS, name, seed=3)
    pieces = [augment([TEXTS[row]], name, seed=3, rows=[row])[0] for row in reversed(range(30))]
    assert pieces[::-1] == whole


def test_rows_of_a_piece_draw_apart_from_row_0() -> None:
    assert augment(TEXTS[:1] * 20, "RandomSwap", rows=range(20)) != augment(TEXTS[:1], "RandomSwap") * 20


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), np.nan])
def test_a_missing_text_gives_none_and_moves_no_other(missing: Any) -> None:
    texts = [TEXTS[0], missing, TEXTS[2]]
    assert augment(texts, "RandomSwap") == [augment(TEXTS, "RandomSwap")[0], None, augment(TEXTS, "RandomSwap")[2]]


def test_a_column_of_pandas_is_taken_as_it_is() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([TEXTS[0], pandas.NA, None, np.nan, TEXTS[4]], index=[9, 8, 7, 6, 5])
    results = augment(column, "RandomSwap")
    assert results == [augment(TEXTS, "RandomSwap")[0], None, None, None, augment(TEXTS, "RandomSwap")[4]]


def test_a_column_of_arrow_is_taken_as_a_list() -> None:
    texts, rows = [TEXTS[0], None, TEXTS[4]], [7, 8, 9]
    assert augment(pa.array(texts), "RandomSwap", rows=pa.array(rows)) == augment(texts, "RandomSwap", rows=rows)


def test_row_numbers_may_be_a_tensor() -> None:
    assert augment(TEXTS[3:5], "RandomSwap", rows=torch.tensor([3, 4])) == augment(TEXTS[3:5], "RandomSwap", rows=[3, 4])


def test_a_table_without_a_text_gives_nothing() -> None:
    assert augment([None, None], "ContractionExpansions") == [None, None]
    assert augment([], "PunctuationInsertion") == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, r"sentence 1 is not text but int \(5\)"),
        (b"bytes", r"sentence 1 is not text but bytes"),
        (["a", "b"], r"sentence 1 is not text but list"),
        (1.5, r"sentence 1 is not text but float \(1\.5\)"),
        ("He left \ud800 the house.", r"sentence 1 holds U\+D800, half a character"),
    ],
)
def test_what_is_no_text_is_named_by_its_index_and_type(value: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(["One.", value], "RandomSwap")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0], "rows has 1 numbers for 2 sentences"),
        ([0, 1, 2], "rows has 3 numbers for 2 sentences"),
        ([0, -1], r"rows\[1\] is -1"),
        ([0.0, 1.0], r"rows\[0\] is 0\.0"),
        ([False, True], r"rows\[0\] is False"),
    ],
)
def test_row_numbers_that_are_none_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(["One.", "Two."], "RandomSwap", rows=rows)


def test_a_corpus_may_miss_texts_and_holds_nothing_but_texts() -> None:
    assert augment(TEXTS, "UNA", corpus=[None, *TEXTS, float("nan")]) == augment(TEXTS, "UNA")  # type: ignore[list-item]
    with pytest.raises(UserError, match=r"sentence 1 of the corpus is not text but int"):
        augment(TEXTS, "UNA", corpus=["One.", 5])  # type: ignore[list-item]
    with pytest.raises(UserError, match=r"sentence 0 of the corpus holds U\+DFFF, half a character"):
        augment(TEXTS, "UNA", corpus=["One \udfff text."])
    with pytest.raises(UserError, match="corpus is str; give a list of texts"):
        augment(TEXTS, "UNA", corpus="One text.")


def test_statistics_of_a_piece_are_refused() -> None:
    with pytest.raises(UserError, match="give the whole text as corpus="):
        augment(TEXTS[:3], "UNA", rows=[0, 1, 2])
    whole = augment(TEXTS, "UNA")
    assert [augment([TEXTS[row]], "UNA", rows=[row], corpus=TEXTS)[0] for row in range(3)] == whole[:3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sentences": None}, "sentences is NoneType; give a list of texts"),
        ({"sentences": {"text": ["One."]}}, "sentences is dict"),
        ({"sentences": np.array("One.")}, "sentences is ndarray; give a list of texts"),
        ({"corpus": np.array("One.")}, "corpus is ndarray; give a list of texts"),
        ({"name": "RandomSwap", "parser": "nope"}, "no spaCy pipeline 'nope'"),
        ({"rows": 5}, "rows is int; give a list of numbers"),
        ({"keep_spans": 5}, "keep_spans is int"),
        ({"corpus": Path("c.txt")}, "corpus is .*Path"),
        ({"name": ["RandomSwap"]}, "is not the name of an augmentation"),
        ({"parser": None}, "parser is None"),
        ({"seed": "x"}, "augment: seed is 'x'"),
        ({"seed": True}, "augment: seed is true"),
        ({"seed": -1}, "augment: seed is -1"),
    ],
)
def test_arguments_of_another_kind_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        augment(**{"sentences": ["One."], "name": "UNA", **arguments})


def test_a_whole_table_is_refused() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    with pytest.raises(UserError, match="sentences is DataFrame; give a list of texts, or a column of a table"):
        augment(pandas.DataFrame({"text": ["He didn't come."]}), "ContractionExpansions")


def test_a_seed_of_numpy_is_one() -> None:
    numpy = pytest.importorskip("numpy")
    assert augment(TEXTS, "RandomSwap", seed=numpy.int64(3)) == augment(TEXTS, "RandomSwap", seed=3)


def test_an_augmenter_knows_its_augmentation_when_it_is_made() -> None:
    with pytest.raises(UserError, match="unknown augmentation 'RandomSwop'"):
        Augmenter("RandomSwop")

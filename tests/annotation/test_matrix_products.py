"""A pipeline's matrix products: what thinc computes, to rounding, and the same bits for a row whatever stands beside it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from thinc.api import Model, NumpyOps

from augcse.annotation import matrix_products
from augcse.annotation.matrix_products import BLOCK_ROWS, UNIT_ROWS, RowwiseOps, is_rowwise
from augcse.annotation.pipeline import BUNDLED_PARSER, load_pipeline, parse_sentence, parse_sentences

SHAPES = [(96, 50), (288, 288), (96, 3072)]


def _rows(count: int, inner: int) -> Any:
    return np.random.default_rng(count).standard_normal((count, inner), np.float32)


@pytest.mark.parametrize(("inner", "columns"), SHAPES)
@pytest.mark.parametrize("rows", [1, UNIT_ROWS, BLOCK_ROWS + 7])
@pytest.mark.parametrize("transposed", [False, True])
def test_a_product_is_that_of_thinc_to_rounding(rows: int, inner: int, columns: int, transposed: bool) -> None:
    x, y = _rows(rows, inner), _rows(columns, inner)
    y = y if transposed else np.ascontiguousarray(y.T)
    expected = x.astype(np.float64) @ (y.T if transposed else y).astype(np.float64)
    out = np.empty((rows, columns), np.float32)
    product = RowwiseOps().gemm(x, y, out=out, trans2=transposed)
    np.testing.assert_allclose(product, expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(out, product)


@pytest.mark.parametrize(("inner", "columns"), SHAPES)
def test_a_row_has_the_same_bits_whatever_stands_beside_it(inner: int, columns: int) -> None:
    x, weights = _rows(3 * BLOCK_ROWS, inner), _rows(columns, inner)
    whole = RowwiseOps().gemm(x, weights, trans2=True)
    for start, count in ((0, 1), (5, 1), (17, 30), (100, UNIT_ROWS), (3, BLOCK_ROWS + 1), (1, 3 * BLOCK_ROWS - 1)):
        part = RowwiseOps().gemm(np.ascontiguousarray(x[start : start + count]), weights, trans2=True)
        np.testing.assert_array_equal(part, whole[start : start + count])


def test_thinc_multiplies_what_numpy_would_round_by_place(monkeypatch: pytest.MonkeyPatch) -> None:
    x, weights = _rows(100, 96), _rows(50, 96)
    monkeypatch.setattr(matrix_products, "is_rowwise", lambda *shape: False)
    np.testing.assert_array_equal(RowwiseOps().gemm(x, weights, trans2=True), NumpyOps().gemm(x, weights, trans2=True))


def test_a_product_that_rounds_by_place_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class ByPlace(np.ndarray):  # type: ignore[type-arg]
        def __matmul__(self, other: Any) -> Any:
            product = np.asarray(self) @ np.asarray(other)
            product[1::2] = np.nextafter(product[1::2], np.inf, dtype=np.float32)
            return product

    tile = np.tile
    monkeypatch.setattr(np, "tile", lambda row, shape: tile(row, shape).view(ByPlace))
    assert not is_rowwise.__wrapped__(96, 50, True)


def test_all_models_of_the_bundled_parser_multiply_so() -> None:
    pipeline = load_pipeline(BUNDLED_PARSER)
    models = [model for _, part in pipeline.pipeline if isinstance(model := getattr(part, "model", None), Model)]
    assert {type(node.ops) for model in models for node in model.walk()} == {RowwiseOps}
    assert isinstance(pickle.loads(pickle.dumps(models[0].ops)), RowwiseOps)


def test_a_sentence_is_parsed_alone_as_among_others(sentences: list[str]) -> None:
    together = list(parse_sentences(sentences[:60]))
    assert [parse_sentence(sentence) for sentence in sentences[:60]] == together

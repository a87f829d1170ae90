"""Matrix products of a spaCy pipeline by numpy, where numpy gives a row the same bits whatever the other rows are.

thinc multiplies with BLIS, which takes its generic kernel on processors that it does not know (AMD's Zen 4), and is slower there than
numpy's OpenBLAS (docs/results/parses.json: a parse by both). But a parse must not depend on the sentences that are parsed with it, and
OpenBLAS may round a row's product by the place of the row in the matrix. So rows are multiplied in blocks whose sizes are multiples of
`UNIT_ROWS`, filled up with zeros, and every shape of weights is tried once: if two equal rows of such a block get different bits, thinc
continues to multiply that shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.language import Language
from thinc.api import Model, NumpyOps
from threadpoolctl import ThreadpoolController

Array = npt.NDArray[Any]
# What the kernels of OpenBLAS take at a time (4, 6, 8, 12, 16, 24 rows) divides it.
UNIT_ROWS = 48
# The largest block: larger ones leave the cache.
BLOCK_ROWS = 4 * UNIT_ROWS


class RowwiseOps(NumpyOps):  # type: ignore[misc] # a class of Cython, without types
    """thinc's operations, with matrix products by numpy on one thread where they are `is_rowwise`."""

    def gemm(self, x: Array, y: Array, *, out: Array | None = None, trans1: bool = False, trans2: bool = False) -> Array:
        """Return x @ y, each transposed first if asked. Shapes: (rows, inner), (inner, columns) -> (rows, columns)."""
        if trans1 or x.dtype != np.float32 or y.dtype != np.float32 or not is_rowwise(*(y.T if trans2 else y).shape, trans2):
            product: Array = super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
            return product
        weights = y.T if trans2 else y
        out = np.empty((len(x), weights.shape[1]), np.float32) if out is None else out
        with _libraries().limit(limits=1, user_api="blas"):
            for rows in _blocks(len(x)):
                out[rows] = _padded_product(x[rows], weights)
        return out


def multiply_by_numpy(pipeline: Language) -> None:
    """Let the models of a pipeline that compute on the processor multiply by `RowwiseOps`."""
    operations = RowwiseOps()
    for _, component in pipeline.pipeline:
        model = getattr(component, "model", None)
        if isinstance(model, Model):
            for node in _nodes(model):
                if type(node.ops) is NumpyOps:
                    node.ops = operations


@lru_cache(maxsize=1024)
def is_rowwise(inner: int, columns: int, transposed: bool) -> bool:
    """Return whether numpy gives equal rows of blocks of all sizes the same bits, with weights (inner, columns) of such a layout."""
    generator = np.random.default_rng(0)
    weights = generator.standard_normal((columns, inner) if transposed else (inner, columns), np.float32)
    weights = weights.T if transposed else weights
    block = np.tile(generator.standard_normal(inner, np.float32), (BLOCK_ROWS, 1))
    with _libraries().limit(limits=1, user_api="blas"):
        products = [block[:rows] @ weights for rows in range(UNIT_ROWS, BLOCK_ROWS + 1, UNIT_ROWS)]
    return all(np.array_equal(product, np.broadcast_to(products[0][0], product.shape)) for product in products)


def _padded_product(block: Array, weights: Array) -> Array:
    """Return block @ weights, computed with rows of zeros up to a multiple of `UNIT_ROWS`."""
    missing = -len(block) % UNIT_ROWS
    padded = np.concatenate((block, np.zeros((missing, block.shape[1]), block.dtype))) if missing else block
    product: Array = padded @ weights
    return product[: len(block)]


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK_ROWS, rows)) for start in range(0, rows, BLOCK_ROWS))


def _nodes(model: Model[Any, Any]) -> Iterator[Model[Any, Any]]:
    """Return a model and all models that it contains or refers to, directly or indirectly, each once."""
    seen: dict[int, Model[Any, Any]] = {}
    pending = [model]
    while pending:
        node = pending.pop()
        if node.id not in seen:
            seen[node.id] = node
            references = (node.maybe_get_ref(name) for name in node.ref_names)
            pending += [*node.layers, *(reference for reference in references if reference is not None)]
    return iter(seen.values())


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    """Return a controller of the threads of the loaded libraries; it is kept, since finding them takes a millisecond."""
    return ThreadpoolController()

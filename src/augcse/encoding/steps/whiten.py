"""Whitening as a stock `Dense` module after the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from augcse.encoding.step import step

if TYPE_CHECKING:
    from augcse.encoding.fitting import Fitting

Exponent = Annotated[float, Field(ge=0, le=1)]
Dimensions = Annotated[int, Field(ge=1, le=1_000_000)]


@step("whiten", source="Su et al. 2021, arXiv 2103.15316; shrinkage: Chen et al. 2010, arXiv 0907.4698")
def whiten(
    fitting: Fitting,
    *,
    exponent: Exponent = 1.0,
    dim: Dimensions | None = None,
    shrinkage: Literal["oas", "none"] = "oas",
) -> dict[str, Any]:
    """Centre embeddings, turn them to the directions of largest variance, and make the variances equal.

    Figures: the dimensions kept, and the share of the identity in the covariance.
    """
    from augcse.encoding.affine import dense
    from augcse.encoding.whitening import oracle_approximating_shrinkage, whitening_transform

    embeddings = fitting.embeddings()
    share = oracle_approximating_shrinkage(embeddings) if shrinkage == "oas" else 0.0
    fitting.append(dense(*whitening_transform(embeddings, dim, exponent, share)))
    return {"dim": fitting.model.get_embedding_dimension(), "shrinkage": round(share, 6)}

"""Removal of shared components as a stock `Dense` module after the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.encoding.step import step

if TYPE_CHECKING:
    from augcse.encoding.fitting import Fitting

Components = Annotated[int, Field(ge=1, le=1_000_000)]


@step("remove-components", source="Arora et al. 2017 (after sif); centred: Mu and Viswanath 2018, arXiv 1702.01417")
def remove_components(fitting: Fitting, *, k: Components = 1, centre: bool = False) -> dict[str, Any]:
    """Take the first k directions that all sentences share out of the embeddings.

    Figures: the share of the sum of squares that lay along them.
    """
    from augcse.encoding.affine import dense
    from augcse.encoding.components import component_removal

    weight, bias, share = component_removal(fitting.embeddings(), k, centre)
    fitting.append(dense(weight, bias))
    return {"removed_share": round(share, 4)}

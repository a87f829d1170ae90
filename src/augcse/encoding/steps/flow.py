"""A flow after the last module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.encoding.step import step
from augcse.options import Seed

if TYPE_CHECKING:
    from augcse.encoding.fitting import Fitting

FlowSteps = Annotated[int, Field(ge=1, le=64)]
Width = Annotated[int, Field(ge=1, le=4096)]
Epochs = Annotated[int, Field(ge=0, le=1000)]


@step("flow", source="BERT-flow (Li et al. 2020, arXiv 2011.05864)")
def flow(fitting: Fitting, *, steps: FlowSteps = 4, hidden_dim: Width = 128, epochs: Epochs = 5, seed: Seed = 0) -> dict[str, Any]:
    """Map embeddings to a standard Gaussian by an invertible network; its module is augcse's own.

    Figures: the negative log-likelihood per dimension, in nats, before training and after it.
    """
    import torch

    from augcse.encoding.flow import fit_flow

    embeddings = torch.from_numpy(fitting.embeddings()).float()
    generator = torch.Generator().manual_seed(seed)
    fitted = fit_flow(embeddings, generator, steps=steps, hidden_dim=hidden_dim, epochs=epochs)
    fitting.append(fitted.flow)
    return {"nats_before": round(fitted.likelihoods[0], 4), "nats_after": round(fitted.likelihoods[-1], 4)}

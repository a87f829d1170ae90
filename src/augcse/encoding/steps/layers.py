"""A mean of two hidden states as a stock `WeightedLayerPooling` module before the pooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.encoding.step import step
from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.encoding.fitting import Fitting

Layer = Annotated[int, Field(ge=0, le=1000)]
Share = Annotated[float, Field(ge=0, le=1)]


@step("layers", source="Li et al. 2020 (BERT-flow) average a first and the last layer alike; the share is ours", reads="layers")
def layers(fitting: Fitting, *, first: Layer = 0, last_share: Share = 0.2) -> dict[str, Any]:
    """Average hidden state `first` (0: the embedding output) and the last one, the latter with weight `last_share` of 1.

    Figures: how many layers the model has.
    """
    import torch
    from sentence_transformers.sentence_transformer.modules import WeightedLayerPooling, WordWeights

    fitting.pooling()
    modules = list(fitting.model.children())
    if any(isinstance(module, WordWeights) for module in modules):
        raise UserError("layers are averaged before tokens are weighted, and the model weights them already; give layers before sif")
    config: Any = getattr(getattr(fitting.model[0], "auto_model", None), "config", None)
    number = getattr(config, "num_hidden_layers", 0)
    if not number or any(isinstance(module, WeightedLayerPooling) for module in modules):
        raise UserError("layers are averaged of a transformer that averages none yet; leave the step out, or take another model")
    if first >= number:
        raise UserError(f"layers:first={first}: the model has {number} layers; give less than {number}")
    config.output_hidden_states = True
    weights = torch.zeros(number + 1 - first)
    weights[0], weights[-1] = 1.0 - last_share, last_share
    averaged = WeightedLayerPooling(
        fitting.model[0].get_embedding_dimension(),
        num_hidden_layers=number,
        layer_start=first,
        layer_weights=torch.nn.Parameter(weights, requires_grad=False),
    )
    fitting.put_before_pooling(averaged.to(fitting.model.device))
    return {"layers": number}

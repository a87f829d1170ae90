"""Model soup: the mean of the weights of models of one architecture, e.g. runs with different seeds.

Wortsman et al. 2022, "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing inference time"
(arXiv 2203.05482), the uniform soup; the greedy soup, which selects models by development scores, is not implemented. The models must be
fine-tuned from the same initial weights; averaging others gives no useful model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.encoding.postprocess import Built, model_names
from augcse.errors import UserError
from augcse.files import check_is_absent, whole_folder
from augcse.model_folder import local_model_folder

if TYPE_CHECKING:
    from torch import Tensor


def soup(models: Sequence[str | Path], *, output: str | Path) -> Built:
    """Write the model whose weights are the mean of those of `models` to `output`, an ordinary sentence-transformers folder.

    Args:
        models: two or more folders or hub names, of the same modules with weights of the same names and shapes.
        output: the new model's folder, which must not exist.

    Raises:
        UserError: invalid input.
    """
    folder = Path(output).expanduser()
    if len(models) < 2:
        raise UserError("a soup is made of two models or more; give another")
    for model in models:
        local_model_folder(str(model))
    if len({str(Path(model).expanduser().resolve()) for model in models}) < len(models):
        raise UserError("a model is named twice, which would count it twice; name each once")
    check_is_absent(folder)

    # These import torch, which takes seconds; the input is checked before.
    from augcse.encoding.card import soup_card
    from augcse.encoding.front_matter import origin_of
    from augcse.encoding.mixing import float32_state
    from augcse.encoding.model import load_sound_encoder
    from augcse.encoding.own_modules import own_modules_file
    from augcse.encoding.saving import EncoderSaver

    names = model_names(models)
    first = load_sound_encoder(str(models[0]), None, "cpu").float()
    saver = EncoderSaver(first, own_modules_file(str(models[0])))
    states = [float32_state(first)]
    for model, name in zip(models[1:], names[1:], strict=True):
        other = load_sound_encoder(str(model), None, "cpu")
        check_alike(states[0], other.state_dict(), names[0], name)
        states.append(float32_state(other))
    first.load_state_dict(mean_state(states))
    record: dict[str, Any] = {"models": names, "dim": first.get_embedding_dimension()}
    with whole_folder(folder) as partial:
        saver.save(partial)
        card = soup_card(record, first, [origin_of(str(model)) for model in models])
        (partial / "README.md").write_text(card, "utf-8", errors="backslashreplace")
    return Built(folder, record)


def mean_state(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of each floating-point tensor, computed in float64, in float32; other tensors are the first model's."""
    import torch

    return {
        name: torch.stack([state[name].double() for state in states]).mean(dim=0).float() if value.is_floating_point() else value
        for name, value in states[0].items()
    }


def check_alike(first: Mapping[str, Tensor], other: Mapping[str, Tensor], name: str, other_name: str) -> None:
    """Raise `UserError` with the first differing weight unless both have weights of the same names and shapes."""
    for key in [*first, *(key for key in other if key not in first)]:
        shapes = [tuple(state[key].shape) if key in state else None for state in (first, other)]
        if shapes[0] != shapes[1]:
            described = " and ".join("none" if shape is None else " x ".join(map(str, shape)) or "one number" for shape in shapes)
            raise UserError(f"{name} and {other_name} are not of one architecture: {key} is {described}; give models of one recipe")

"""Several encoders concatenated into one, with weights given or chosen on graded pairs."""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field

from augcse.arguments import BatchSize, FileOrName, FilePath, ModelNames, Notify
from augcse.encoding.postprocess import Built, model_names
from augcse.errors import UserError
from augcse.evaluation.base import EvaluationOptions, LoadedTask, load_task
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.own_names import files_of
from augcse.evaluation.selection import NOTHING, ModelSelection, read_selection
from augcse.files import check_is_absent, file_sha256, whole_folder
from augcse.library_output import quiet_transformers
from augcse.model_folder import local_model_folder
from augcse.options import checks_arguments

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from sentence_transformers import SentenceTransformer

_log = logging.getLogger(__name__)
# For each part except the first, whose weight is 1.
GRID = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
# `_check_models_and_weights` refuses infinity and NaN as it does numbers below 0.
_Number = Annotated[float, Field(allow_inf_nan=True)]
if TYPE_CHECKING:
    PartWeights: TypeAlias = Sequence[float] | npt.NDArray[np.floating[Any]]
else:
    # `options.plain` makes a list of an array, without importing numpy.
    PartWeights = Sequence[_Number]
# More parts would mean over a thousand combinations.
MOST_SEARCHED = 4


@dataclass(frozen=True)
class Tried:
    """Weights and their score x 100: the Spearman correlation on graded pairs."""

    weights: tuple[float, ...]
    score: float


@checks_arguments
def hybrid(
    models: ModelNames,
    *,
    output: FilePath,
    weights: PartWeights | None = None,
    dev: FileOrName = NOTHING,
    data: FilePath | None = None,
    batch_size: BatchSize = 128,
    note: Notify = _log.info,
) -> Built:
    """Combine several encoders and write them to `output`: their unit-length embeddings, weighted and concatenated.

    Args:
        models: two or more folders, bundled or hub names.
        output: the new model's folder, which must not exist; `load_encoder` loads it.
        weights: one for each model; None is 1 for all, or the weights that `dev` chooses.
        dev: chooses the weights on a grid: "stsb" (STS-B's development pairs), or your own file of graded pairs or labels; "none"
            does not.
        data: evaluation data folder of "stsb"; if None, that of `AUGCSE_DATA`.
        batch_size: of encoding the pairs.
        note: receives a line before each long part of the work; by default the log does.

    Raises:
        UserError: anything the user can fix, detected before torch is imported wherever possible.
    """
    folder, dev = Path(output).expanduser(), str(dev)
    given = None if weights is None else [float(weight) for weight in weights]
    _check_models_and_weights(models, given, dev)
    selection = read_selection(dev)
    _check_selection(selection, dev, len(models))
    data_folder = find_data(data)
    check_is_absent(folder)

    # These import torch, which takes seconds; the input is checked before.
    from augcse.encoding.card import hybrid_card
    from augcse.encoding.front_matter import origin_of
    from augcse.encoding.hybrid import hybrid_model
    from augcse.encoding.model import load_sound_encoder

    task = _load_dev_task(selection, data_folder)
    parts = [load_sound_encoder(str(model)) for model in models]
    tried: list[Tried] = []
    if task is not None:
        note(f"choosing the weights among {len(GRID) ** (len(parts) - 1):,} on {len(set(task.sentences())):,} sentences of --dev")
        tried = try_weights(parts, task, batch_size)
    if tried:
        chosen, weights_from = best(tried).weights, "dev"
    elif given:
        chosen, weights_from = tuple(given), "given"
    else:
        chosen, weights_from = (1.0,) * len(parts), "default"
    model = hybrid_model(parts, chosen)
    _check_embeddings(model)
    record: dict[str, Any] = {
        "models": model_names(models),
        "weights": list(chosen),
        "weights_from": weights_from,
        "dev": _described_dev(selection) if tried else None,
        "grid": [{"weights": list(one.weights), "score": one.score} for one in tried],
        "dims": [part.get_embedding_dimension() for part in parts],
        "dim": model.get_embedding_dimension(),
    }
    with whole_folder(folder) as partial:
        with quiet_transformers():
            model.save_pretrained(str(partial), create_model_card=False)
        card = hybrid_card(record, model, [origin_of(str(name)) for name in models])
        (partial / "README.md").write_text(card, "utf-8", errors="backslashreplace")
    return Built(folder, record)


def try_weights(parts: Sequence[SentenceTransformer], task: LoadedTask, batch_size: int = 128) -> list[Tried]:
    """Score every combination of the grid; each part encodes once.

    Raises:
        UserError: a part gives embeddings that are not finite.
    """
    import torch

    from augcse.encoding.hybrid import joined
    from augcse.encoding.model import encode_distinct

    sentences = task.sentences()
    encoded = [encode_distinct(part, sentences, batch_size) for part in parts]
    embeddings = [torch.from_numpy(rows) for rows, _ in encoded]
    row_of = encoded[0][1]
    tried = []
    for others in itertools.product(GRID, repeat=len(parts) - 1):
        weights = (1.0, *others)
        tried.append(Tried(weights, round(task.score(joined(embeddings, weights).numpy(), row_of), 2)))
    return tried


def best(tried: Sequence[Tried]) -> Tried:
    """Return the weights with the highest score; among ties those closest to equal weights."""
    return max(tried, key=lambda one: (one.score, -sum(abs(math.log(weight)) for weight in one.weights)))


def _check_models_and_weights(models: Sequence[str | Path], weights: Sequence[float] | None, dev: str) -> None:
    """Raise `UserError` unless there are two models or more and, if weights are given, a positive one for each and no `dev`."""
    if len(models) < 2:
        raise UserError("a hybrid is made of two models or more; give another")
    for model in models:
        local_model_folder(str(model))
    if weights is None:
        return
    if dev != NOTHING:
        raise UserError("--weights says what --dev would choose; give one of the two")
    if len(weights) != len(models):
        raise UserError(f"--weights has {len(weights)} numbers for {len(models)} models; give one for each, e.g. 1,0.5")
    for weight in weights:
        if not (math.isfinite(weight) and weight > 0):
            raise UserError(f"--weights: {weight:g} is no weight; give numbers above 0, e.g. 1,0.5")


def _check_selection(selection: ModelSelection, dev: str, models: int) -> None:
    if selection.weights or selection.by_probe:
        raise UserError(f"--dev {dev!r}: weights are chosen by one score on pairs or labels; give stsb, or a file of your own")
    if models > MOST_SEARCHED and dev != NOTHING:
        raise UserError(f"the weights of {models} models are too many combinations to try; give --weights, or {MOST_SEARCHED} models")
    selection.check()


def _load_dev_task(selection: ModelSelection, data: Path | None) -> LoadedTask | None:
    """Return the task that chooses the weights, None if nothing does."""
    if selection.in_stsb:
        return load_task("STSB-dev", data)
    if selection.file is not None:
        return load_task(selection.file, data, EvaluationOptions(protocol="dev"))
    return None


def _described_dev(selection: ModelSelection) -> dict[str, Any]:
    """Return what the weights were chosen on, without parent folders."""
    if selection.file is None:
        return {"task": "STSB-dev"}
    return {"files": [{"name": path.name, "sha256": file_sha256(path)} for path in files_of(selection.file)]}


def _check_embeddings(model: SentenceTransformer) -> None:
    from augcse.encoding.fitting import check_finite

    check_finite(model.encode(["One sentence."], show_progress_bar=False))

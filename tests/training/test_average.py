"""A running average of the weights: against a loop, scored and kept in their place, the same after a resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import TrainerCallback

from augcse import evaluate, train
from augcse.errors import UserError
from augcse.training.average import WeightAverage, decay_at
from augcse.training.record import Run
from augcse.training.watcher import Watcher

STEPS = 6
SETTINGS: dict[str, Any] = {
    "batch_size": 40, "max_steps": STEPS, "training.precision": "fp32", "checkpoint_every_steps": 2, "training.average_decay": 0.4,
    "training.learning_rate": 1e-3,
}  # fmt: skip
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))


def _train(output: Path, corpus: Path, backbone: Path, **more: Any) -> Run:
    return train("simcse-mini", corpus=corpus, output=output, model=str(backbone), workers=1, **{**SETTINGS, **more})


class Killed(Exception):
    """Stands in for SIGKILL."""


class Remember(TrainerCallback):  # type: ignore[misc]
    """Keeps the weights after each step."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Tensor]] = []

    def on_train_begin(self, args: Any, state: Any, control: Any, model: nn.Module, **others: Any) -> None:
        self.seen.append({name: value.detach().clone() for name, value in model.named_parameters()})

    def on_step_end(self, args: Any, state: Any, control: Any, model: nn.Module, **others: Any) -> None:
        self.seen.append({name: value.detach().clone() for name, value in model.named_parameters()})


def _naive(values: list[float], decay: float) -> float:
    mean = values[0]
    for step, value in enumerate(values[1:], start=1):
        kept = min(decay, (1 + step) / (10 + step))
        mean = kept * mean + (1 - kept) * value
    return mean


def test_it_is_what_a_loop_computes() -> None:
    model = nn.Linear(1, 1, bias=False).double()
    values = [0.5, 2.0, -1.0, 3.0, 0.25]
    model.weight.data.fill_(values[0])
    average = WeightAverage(model, 0.25)
    for step, value in enumerate(values[1:], start=1):
        model.weight.data.fill_(value)
        average.follow(step)
    assert average.weights["weight"].item() == pytest.approx(_naive(values, 0.25), rel=1e-12)


def test_the_decay_rises_to_what_is_asked_for() -> None:
    found = [decay_at(step, 0.9) for step in range(1, 200)]
    assert found == sorted(found)
    assert found[-1] == 0.9


def test_the_trained_weights_come_back_to_the_last_bit() -> None:
    torch.manual_seed(0)
    model = nn.Linear(5, 5)
    average = WeightAverage(model, 0.9)
    model.weight.data.mul_(1.7)
    before = model.weight.detach().clone()
    with average.swapped_in():
        assert torch.equal(model.weight, average.weights["weight"])
        assert not torch.equal(model.weight, before)
    assert torch.equal(model.weight, before)


def test_the_average_of_the_steps_is_kept_and_training_goes_on_from_the_weights(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    remember, plain = Remember(), Remember()
    run = _train(tmp_path / "run", corpus, tiny_backbone, callbacks=[remember])
    _train(tmp_path / "plain", corpus, tiny_backbone, callbacks=[plain], **{"training.average_decay": None})
    # The steps are those of a training without it.
    assert all(torch.equal(one[name], other[name]) for one, other in zip(remember.seen, plain.seen, strict=True) for name in one)
    saved = load_file(run.model / "model.safetensors")
    name = next(name for name in remember.seen[0] if name.endswith("layer.1.attention.self.query.weight"))
    [stored] = [value for key, value in saved.items() if name.endswith(key)]
    expected = remember.seen[0][name].double()
    for step, weights in enumerate(remember.seen[1:], start=1):
        kept = min(0.4, (1 + step) / (10 + step))
        expected = kept * expected + (1 - kept) * weights[name].double()
    torch.testing.assert_close(stored.double(), expected, rtol=1e-5, atol=1e-7)
    assert not torch.allclose(stored, remember.seen[-1][name])


def test_what_is_scored_is_what_is_kept(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(PAIRS, "utf-8")
    scored = _train(tmp_path / "scored", corpus, tiny_backbone, dev=str(pairs), **{"evaluation.baselines": False})
    kept = _train(tmp_path / "kept", corpus, tiny_backbone)
    [score] = scored.record["last"]["dev"].values()
    [found, *_] = evaluate(str(kept.model), [str(pairs)]).as_json()["scores"].values()
    assert found == pytest.approx(score, abs=1e-4)


def test_a_resumed_run_keeps_the_same_average(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    def kill(done: int, figures: Any) -> None:
        if stages[-1] == "training" and done == 3 and not figures:
            raise Killed

    stages: list[str] = []
    whole = _train(tmp_path / "whole", corpus, tiny_backbone)
    with pytest.raises(Killed):
        _train(tmp_path / "killed", corpus, tiny_backbone, watcher=Watcher(start=lambda stage, total: stages.append(stage), advance=kill))
    resumed = _train(tmp_path / "killed", corpus, tiny_backbone, resume=True)
    files = [(run.model / "model.safetensors").read_bytes() for run in (whole, resumed)]
    assert files[0] == files[1]
    with pytest.raises(UserError, match="average_decay"):
        _train(tmp_path / "killed", corpus, tiny_backbone, resume=True, **{"training.average_decay": 0.5})


def test_mixes_and_averages_are_not_asked_for_together(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="leave one of them out"):
        _train(tmp_path / "run", corpus, tiny_backbone, **{"interpolation.weights": [0.5]})

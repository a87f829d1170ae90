"""The collapse monitor: its figure, its patience, and a training that it stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse import train
from augcse.errors import UserError
from augcse.training.monitor import CollapseMonitor, separation


@settings(max_examples=40)
@given(rows=st.integers(2, 7), dim=st.integers(2, 5), seed=st.integers(0, 999))
def test_separation_is_that_of_all_pairs(rows: int, dim: int, seed: int) -> None:
    first, second = torch.randn(2, rows, dim, generator=torch.Generator().manual_seed(seed))
    cosines = [[torch.cosine_similarity(first[i], second[j], dim=0).item() for j in range(rows)] for i in range(rows)]
    own = sum(cosines[i][i] for i in range(rows)) / rows
    other = sum(cosines[i][j] for i in range(rows) for j in range(rows) if i != j) / (rows * (rows - 1))
    value, mean = separation(first, second)
    assert mean.item() == pytest.approx(other, abs=1e-5)
    assert value.item() == pytest.approx((own - other) / (1 - other), abs=1e-3)


class _Encoder(torch.nn.Module):
    def forward(self, values: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": values}


EYE, POINT = torch.eye(4), torch.ones(4, 4)
SOUND, COLLAPSED = torch.cat([EYE, EYE]), torch.cat([POINT, POINT])


def _watch(steps: list[torch.Tensor], window: int = 3) -> CollapseMonitor:
    encoder = _Encoder()
    monitor = CollapseMonitor(encoder, window_steps=window)
    for number, values in enumerate(steps, start=1):
        encoder(values)
        monitor.check(number, rows=4)
    return monitor


def test_a_window_of_collapsed_steps_stops_the_training() -> None:
    with pytest.raises(UserError, match=r"in the 3 steps up to 4 .* \(mean cosine 1\.000\); lower training\.learning_rate"):
        _watch([SOUND, COLLAPSED, COLLAPSED, COLLAPSED])


def test_noise_around_one_point_is_a_collapse_too() -> None:
    generator = torch.Generator().manual_seed(0)
    noisy = [torch.randn(8, 64, generator=generator) * 0.3 + 1 for _ in range(100)]
    with pytest.raises(UserError, match="have collapsed"):
        _watch(noisy, window=100)


def test_a_narrow_cone_is_none() -> None:
    cone = torch.ones(4, 4) + 0.001 * torch.eye(4)
    _watch([torch.cat([cone, cone])] * 10)


def test_views_pushed_apart_are_none() -> None:
    _watch([torch.cat([EYE, -EYE])] * 10)


def test_one_sound_step_in_the_window_is_enough() -> None:
    _watch([COLLAPSED, COLLAPSED, SOUND, COLLAPSED, COLLAPSED, SOUND])


def test_evaluation_single_rows_and_single_views_are_not_judged() -> None:
    encoder = _Encoder()
    monitor = CollapseMonitor(encoder, window_steps=1)
    encoder.eval()
    encoder(COLLAPSED)
    assert monitor.check(1, rows=4) == {}
    encoder.train()
    encoder(POINT)
    assert monitor.check(2, rows=4) == {}
    encoder(POINT[:2])
    assert monitor.check(3, rows=1) == {}


def test_two_passes_count_as_two_views_and_a_third_is_ignored() -> None:
    encoder = _Encoder()
    monitor = CollapseMonitor(encoder)
    for values in (EYE.bfloat16(), EYE.bfloat16(), POINT.bfloat16()):
        encoder(values)
    assert monitor.check(1, rows=4)["separation"].item() == pytest.approx(1.0)


def _train(corpus: Path, backbone: Path, output: Path, **options: Any) -> Any:
    return train("simcse-mini", corpus=corpus, output=output, model=str(backbone), batch_size=20, max_steps=8, log_every_steps=2, **options)


def test_a_training_is_stopped(corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.training.monitor.CollapseMonitor.__init__.__defaults__", (2.0, 5))
    with pytest.raises(UserError, match="the embeddings have collapsed: in the 5 steps up to 5"):
        _train(corpus, tiny_backbone, tmp_path / "run")
    assert not (tmp_path / "run" / "model").exists()


def test_the_figures_are_logged(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    run = _train(corpus, tiny_backbone, tmp_path / "run")
    figures = [(entry["separation"], entry["mean_cosine"]) for entry in run.record["curves"] if "separation" in entry]
    assert len(figures) == 4
    assert all(-1 <= value <= 1 and -1 <= cosine <= 1 for value, cosine in figures)

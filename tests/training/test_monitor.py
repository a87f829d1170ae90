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
from augcse.training.monitor import CollapseMonitor, mean_cosine


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(2, 7), dim=st.integers(2, 5), seed=st.integers(0, 999))
def test_mean_cosine_is_that_of_all_pairs(rows: int, dim: int, seed: int) -> None:
    values = torch.randn(rows, dim, generator=torch.Generator().manual_seed(seed))
    pairs = [torch.cosine_similarity(values[i], values[j], dim=0) for i in range(rows) for j in range(rows) if i != j]
    assert mean_cosine(values).item() == pytest.approx(torch.stack(pairs).mean().item(), abs=1e-5)


class _Encoder(torch.nn.Module):
    def forward(self, values: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": values}


SPREAD, POINT = torch.eye(4), torch.ones(4, 4)


def _watch(steps: list[torch.Tensor], patience: int = 3) -> CollapseMonitor:
    encoder = _Encoder()
    monitor = CollapseMonitor(encoder, patience_steps=patience)
    for number, values in enumerate(steps, start=1):
        encoder(values)
        monitor.check(number)
    return monitor


def test_so_many_collapsed_steps_in_a_row_stop_the_training() -> None:
    with pytest.raises(UserError, match=r"at step 4 the mean cosine between different sentences is 1\.0000.*lower training.learning_rate"):
        _watch([SPREAD, POINT, POINT, POINT])


def test_a_step_that_spreads_starts_the_count_afresh() -> None:
    assert _watch([POINT, POINT, SPREAD, POINT, POINT]).collapsed_steps == 2


def test_bf16_and_single_rows_are_no_alarm() -> None:
    assert _watch([POINT.bfloat16(), torch.ones(1, 4), SPREAD]).collapsed_steps == 0


def test_evaluation_is_not_watched() -> None:
    encoder = _Encoder().eval()
    monitor = CollapseMonitor(encoder)
    encoder(POINT)
    assert monitor.check(1) == {}


def test_only_the_first_pass_of_a_step_counts() -> None:
    encoder = _Encoder()
    monitor = CollapseMonitor(encoder)
    encoder(SPREAD)
    encoder(POINT)
    assert monitor.check(1)["mean_cosine"].item() == 0.0


def _train(corpus: Path, backbone: Path, output: Path, **options: Any) -> Any:
    return train("simcse-mini", corpus=corpus, output=output, model=str(backbone), batch_size=20, max_steps=8, log_every_steps=2, **options)


def test_a_training_is_stopped(corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.training.monitor.CollapseMonitor.__init__.__defaults__", (-1.0, 5))
    with pytest.raises(UserError, match="the embeddings have collapsed: at step 5"):
        _train(corpus, tiny_backbone, tmp_path / "run")
    assert not (tmp_path / "run" / "model").exists()


def test_the_figure_is_logged(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    run = _train(corpus, tiny_backbone, tmp_path / "run")
    figures = [entry["mean_cosine"] for entry in run.record["curves"] if "mean_cosine" in entry]
    assert len(figures) == 4
    assert all(-1 <= figure <= 1 for figure in figures)

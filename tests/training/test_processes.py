"""Several processes or devices: what is refused, who is who, and that one process never drives two devices."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from sentence_transformers import SentenceTransformerTrainingArguments

from augcse import train
from augcse.cli import console
from augcse.errors import UserError
from augcse.library_output import quiet_distributed
from augcse.objectives.sentence_loss import Traits
from augcse.sections import TrainingSection
from augcse.training.fit import total_steps
from augcse.training.processes import check_gathers, first_process_first, is_first_process, seed_per_process, wait_for_all
from augcse.training.store.size import check_batch_size


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that a launcher started this process as the second of four."""
    for name, value in (("WORLD_SIZE", "4"), ("RANK", "1")):
        monkeypatch.setenv(name, value)


def test_an_objective_that_was_not_made_for_several_processes_is_refused_there(monkeypatch: pytest.MonkeyPatch) -> None:
    gathering, alone = (SimpleNamespace(traits=Traits(gathers=gathers)) for gathers in (True, False))
    check_gathers(alone)  # type: ignore[arg-type]
    monkeypatch.setenv("WORLD_SIZE", "2")
    check_gathers(gathering)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="compares the rows of one process only; start one,"):
        check_gathers(alone)  # type: ignore[arg-type]


@pytest.mark.usefixtures("launched")
@pytest.mark.parametrize(
    ("batch_size", "rows", "message"),
    [
        (2, 7, "4 processes were started for 7 sentences; each needs 2 at least, start 3 or fewer"),
        (3, 11, "batch_size is 3 in each of 4 processes, the corpus has 11 sentences; set training.batch_size to 2 or less"),
    ],
)
def test_more_processes_than_rows_are_refused(batch_size: int, rows: int, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        check_batch_size(batch_size, rows)
    assert "\n" not in str(caught.value)
    check_batch_size(batch_size, 12)


@pytest.mark.usefixtures("launched")
def test_a_step_takes_a_batch_in_each_process() -> None:
    assert total_steps(100, TrainingSection(learning_rate=1e-4, batch_size=5, epochs=2)) == 10
    assert not is_first_process()


@pytest.mark.parametrize(("rank", "printed"), [("0", "a line\n{}\n3\n"), ("1", "")])
def test_the_first_process_prints_for_all_and_each_of_them_warns(
    rank: str, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", rank)
    # Set in a whole pod, without a launcher: every command prints.
    console.print_line("before")
    assert capsys.readouterr().out == "before\n"
    monkeypatch.setenv("LOCAL_RANK", rank)
    console.print_line("a line")
    console.print_json({})
    console.print_table([], [["3"]])
    console.warn("careful")
    console.print_error("wrong")
    with console.training_watcher(8) as watcher:
        watcher.start("training", 3)
        watcher.warn("slow")
    out, err = capsys.readouterr()
    assert out == printed
    assert err.splitlines()[:2] == ["augcse: warning: careful", "augcse: error: wrong"]
    assert ("training: 3 steps" in err) == (rank == "0")
    assert "augcse: warning: slow" in err


def test_a_warning_of_torch_on_an_argument_of_transformers_is_not_shown(recwarn: pytest.WarningsRecorder) -> None:
    with quiet_distributed():
        warnings.warn("`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead.", FutureWarning, stacklevel=1)
    assert not recwarn.list
    with quiet_distributed(), pytest.warns(FutureWarning, match="another"):
        warnings.warn("another", FutureWarning, stacklevel=1)


def test_alone_nobody_waits_and_the_seed_stays() -> None:
    assert is_first_process()
    before = torch.random.get_rng_state()
    with first_process_first():
        wait_for_all()
    seed_per_process(1)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_one_process_never_drives_several_devices(
    corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = SentenceTransformerTrainingArguments.__post_init__

    def see_two_devices(self: Any) -> None:
        finish(self)
        self._n_gpu = 2

    class Refused(torch.nn.Module):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            raise AssertionError("the model was wrapped in DataParallel")

    monkeypatch.setattr(SentenceTransformerTrainingArguments, "__post_init__", see_two_devices)
    monkeypatch.setattr(torch.nn, "DataParallel", Refused)
    run = train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), batch_size=100, epochs=1)
    # Two devices would also have doubled the batch.
    assert run.record["steps"] == 4

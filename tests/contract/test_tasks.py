"""One contract for every registered task, on data made up to its card's size."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from augcse.errors import UserError
from augcse.evaluation.base import TASKS, EvaluationOptions, Task, TaskCard, WarningTask, expand_suites
from augcse.evaluation.labelled import LabelledFile
from augcse.evaluation.remarks import embedding_warnings
from augcse.evaluation.tasks.cases import ANLITask, CoLATask
from augcse.evaluation.tasks.transfer import TransferTask
from made_up_tasks import gold_embeddings, labelled_files, small_copy

EVERY = [pytest.param(task, id=task.name) for task in TASKS]
LABELLED = [pytest.param(task, id=task.name) for task in TASKS if isinstance(task, (TransferTask, CoLATask, ANLITask))]
MEMBERS = [pytest.param(task, id=task.name) for task in TASKS if task.card()["score"] == "Spearman x 100"]


def write_data(folder: Path, task: Task) -> None:
    """Write as many made-up pairs as the task's card says, spread over its files."""
    card = task.card()
    files = card["files"]
    for place, file in enumerate(files):
        rows = range(place, card["pairs"], len(files))
        path = folder / card["folder"] / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{row % 11 / 2}\tleft {row}\tright {row}\n" for row in rows), "utf-8")


@pytest.mark.parametrize("task", EVERY)
def test_card_is_complete(task: Task) -> None:
    card = task.card()
    assert set(card) >= {"name", "suites", "score", "files", "hub", "pairs", "description"}
    assert set(card) <= set(TaskCard.__annotations__)
    assert card["name"] == task.name
    assert card["suites"] == list(task.suites)
    assert card["pairs"] > 0
    assert card["files"]


@pytest.mark.parametrize("task", MEMBERS)
def test_gold_encoder_scores_100_and_constant_encoder_0(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    loaded = task.load(tmp_path)
    row_of = {sentence: row for row, sentence in enumerate(loaded.sentences())}
    constant = np.ones((len(row_of), 3))
    assert loaded.score(constant, row_of) == 0.0
    assert loaded.measured(constant, row_of).figures["tied_pairs"] == task.card()["pairs"]
    assert [warning.kind for warning in embedding_warnings(constant)] == ["constant"]
    constant[0] = 0
    assert loaded.measured(constant, row_of).figures["zero_vectors"] == 1
    assert [warning.kind for warning in embedding_warnings(constant)] == ["zero_vectors"]
    constant[0] = np.nan
    with pytest.raises(UserError, match="not finite"):
        loaded.score(constant, row_of)
    # Unit vectors at an angle that falls with the score: their cosine orders the pairs exactly as the grades do.
    gold = np.zeros((len(row_of), 2))
    for sentence, row in row_of.items():
        side, number = sentence.split()
        angle = 0.0 if side == "left" else 1.5 - (int(number) % 11) / 10
        gold[row] = np.cos(angle), np.sin(angle)
    assert loaded.score(gold, row_of) == pytest.approx(100.0)


@pytest.mark.parametrize("task", MEMBERS)
def test_wrong_number_of_pairs_is_refused(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    path = tmp_path / task.card()["folder"] / task.card()["files"][0]
    path.write_text(path.read_text("utf-8") + "1.0\tone\tmore\n", "utf-8")
    with pytest.raises(UserError, match="the score would not compare"):
        task.load(tmp_path)


@pytest.mark.parametrize("task", MEMBERS)
def test_missing_file_is_named(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    missing = tmp_path / task.card()["folder"] / task.card()["files"][-1]
    missing.unlink()
    with pytest.raises(UserError, match=str(missing)):
        task.load(tmp_path)


@pytest.mark.parametrize("task", EVERY)
def test_every_file_that_is_read_is_named(task: Task, tmp_path: Path) -> None:
    if isinstance(task, (TransferTask, CoLATask, ANLITask)):
        task = small_copy(task, tmp_path)
    else:
        write_data(tmp_path, task)
    # The folder holds what the task needs alone.
    assert sorted(task.data_files(tmp_path)) == sorted(path for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("task", MEMBERS)
def test_real_data_has_the_canonical_size_and_content(task: Task, data_folder: Path) -> None:
    loaded = task.load(data_folder)
    assert len(loaded.sentences()) == 2 * task.card()["pairs"]
    assert isinstance(loaded, WarningTask)
    assert loaded.warnings() == ()


def test_pairs_without_a_checksum_are_taken_as_they_are(tmp_path: Path) -> None:
    task = replace(TASKS.get("CNSD-STSB"), name="own", files=("own/test.tsv",))
    write_data(tmp_path, task)
    assert task.load(tmp_path).warnings() == ()
    assert task.card()["sha256"] == {"own/test.tsv": None}


@pytest.mark.parametrize("task", MEMBERS)
def test_other_pairs_in_the_right_number_are_said(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    loaded = task.load(tmp_path)
    assert isinstance(loaded, WarningTask)
    (warning,) = loaded.warnings()
    card = task.card()
    assert (warning.kind, warning.count) == ("other_content", len(card["files"]))
    assert all(f"{card['folder']}/{file}" in warning.message for file in card["files"])


@pytest.mark.parametrize("task", EVERY)
def test_without_a_network_the_hub_is_refused_in_one_line(task: Task) -> None:
    with pytest.raises(UserError, match="--data DIR"):
        task.load(None)


def test_sts_is_the_seven_tasks_in_the_papers_order() -> None:
    assert expand_suites(["sts"]) == {"sts": ["STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR"]}


def test_transfer_is_the_seven_tasks_in_the_papers_order() -> None:
    assert expand_suites(["transfer"]) == {"transfer": ["MR", "CR", "SUBJ", "MPQA", "SST2", "TREC", "MRPC"]}


def test_cases_are_the_two_of_the_paper() -> None:
    assert expand_suites(["cases"]) == {"cases": ["CoLA", "ANLI"]}


# Labelled tasks, on small made-up files with the counts and checksums of their own.


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_gold_encoder_scores_100(task: Task, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).load(tmp_path)
    embeddings, row_of = gold_embeddings(task, loaded)
    assert loaded.score(embeddings, row_of) == pytest.approx(100.0)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_constant_encoder_scores_chance(task: Task, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).load(tmp_path)
    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(loaded.sentences()))}
    # Every made-up split has its classes in equal numbers; an ordering of equal similarities is a coin's.
    chance = 100 / 6 if task.name == "TREC" else 50.0
    assert loaded.score(np.ones((len(row_of), 3), np.float32), row_of) == pytest.approx(chance, abs=0.01)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_zero_vectors_are_scored_as_any_other(task: Task, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).load(tmp_path)
    embeddings, row_of = gold_embeddings(task, loaded)
    embeddings[::2] = 0
    figures = loaded.measured(embeddings, row_of).figures
    assert 0 < next(iter(figures.values())) < 100
    # ANLI alone compares similarities one by one, so that it alone has ties.
    assert ("tied_pairs" in figures) == (task.name == "ANLI")
    assert [warning.kind for warning in embedding_warnings(embeddings)] == ["zero_vectors"]


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_main_score_comes_first(task: Task, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).load(tmp_path)
    embeddings, row_of = gold_embeddings(task, loaded)
    figures = loaded.measured(embeddings, row_of).figures
    assert next(iter(figures.values())) == loaded.score(embeddings, row_of)
    assert len(figures) > 1


@pytest.mark.parametrize("task", LABELLED)
@pytest.mark.parametrize("protocol", ["fast", "dev"])
def test_labelled_scores_are_compared_by_what_they_are_computed_from(task: Task, protocol: str, tmp_path: Path) -> None:
    small = small_copy(task, tmp_path)
    if isinstance(small, TransferTask):
        small = small.configured(EvaluationOptions(protocol=protocol))  # type: ignore[arg-type]
    loaded = small.load(tmp_path)
    gold, row_of = gold_embeddings(task, loaded)
    noise = np.random.default_rng(0).normal(size=gold.shape)
    poor, good = (loaded.measured(gold / 50 + scale * noise, row_of) for scale in (2.0, 0.0))
    difference, draws = poor.sample.differences(good.sample, np.random.default_rng(1), 500)
    # Scores of folds are means of means, of folds that differ by a row.
    assert difference == pytest.approx(good.score - poor.score, abs=0.3)
    assert difference > 3
    assert draws.mean() == pytest.approx(difference, abs=2)
    low, high = np.quantile(poor.sample.draws(np.random.default_rng(1), 500), [0.025, 0.975])
    assert low < poor.score < high


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_embeddings_that_are_not_finite_are_refused(task: Task, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).load(tmp_path)
    embeddings, row_of = gold_embeddings(task, loaded)
    embeddings[0, 0] = np.nan
    with pytest.raises(UserError, match="not finite"):
        loaded.score(embeddings, row_of)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_truncated_data_is_refused_with_file_and_counts(task: Task, tmp_path: Path) -> None:
    small = small_copy(task, tmp_path)
    file, path = _first_file(small, tmp_path)
    lines = file._lines(path, path.read_bytes())
    _write(path, lines[:-1])
    with pytest.raises(UserError, match=rf"{path}: {file.rows - 1} rows, not {file.rows}"):
        small.load(tmp_path)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_changed_word_is_refused(task: Task, tmp_path: Path) -> None:
    small = small_copy(task, tmp_path)
    file, path = _first_file(small, tmp_path)
    lines = file._lines(path, path.read_bytes())
    _write(path, [*lines[:-1], lines[-1].replace("number", "numbers")])
    with pytest.raises(UserError, match=rf"{path}: .*SHA-256"):
        small.load(tmp_path)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_white_space_does_not_matter(task: Task, tmp_path: Path) -> None:
    small = small_copy(task, tmp_path)
    expected = small.load(tmp_path).sentences()
    file, path = _first_file(small, tmp_path)
    _write(path, [line.replace(" ", "  ") + " " for line in file._lines(path, path.read_bytes())])
    assert small.load(tmp_path).sentences() == expected


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_missing_file_is_named(task: Task, tmp_path: Path) -> None:
    small = small_copy(task, tmp_path)
    _, path = _first_file(small, tmp_path)
    path.unlink()
    with pytest.raises(UserError, match=f"no file {path}"):
        small.load(tmp_path)


@pytest.mark.parametrize("task", LABELLED)
def test_labelled_real_data_passes_its_checksums(task: Task, data_folder: Path) -> None:
    for file in labelled_files(task):
        assert len(file.read(data_folder)) == file.rows


@pytest.mark.parametrize("task", [param for param in LABELLED if isinstance(param.values[0], TransferTask)])
def test_transfer_takes_the_options(task: TransferTask, tmp_path: Path) -> None:
    loaded = small_copy(task, tmp_path).configured(EvaluationOptions("senteval", "fast")).load(tmp_path)
    embeddings, row_of = gold_embeddings(task, loaded)
    assert loaded.score(embeddings, row_of) == pytest.approx(100.0)


def _first_file(task: Task, folder: Path) -> tuple[LabelledFile, Path]:
    file = labelled_files(task)[0]
    return file, folder / file.path


def _write(path: Path, lines: list[str]) -> None:
    content = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)

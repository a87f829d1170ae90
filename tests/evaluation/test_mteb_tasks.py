"""MTEB on local data where it is installed; a clear refusal where it is not."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from augcse import evaluate, train
from augcse.encoding.model import load_encoder
from augcse.errors import MissingDependencyError, UserError
from augcse.evaluation.mteb_tasks import LOCAL, KeptResults, evaluate_mteb, local_pairs, mteb_encoder, split_names

needs_mteb = pytest.mark.skipif(importlib.util.find_spec("mteb") is None, reason="no MTEB (pip install mteb)")


def test_names_with_the_prefix_are_mtebs() -> None:
    assert split_names(["sts", "mteb:STS12", "CR", "mteb:SICK-R"]) == (["sts", "CR"], ["STS12", "SICK-R"])


def test_without_mteb_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tiny_backbone: Path) -> None:
    monkeypatch.setitem(sys.modules, "mteb", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'augcse\[mteb\]'"):
        evaluate_mteb(load_encoder(str(tiny_backbone)), ["STS12"], None)


@pytest.mark.parametrize("name", LOCAL)
def test_local_pairs_are_as_many_as_mteb_has(name: str, data_folder: Path) -> None:
    published = {"STS12": 3108, "STS13": 1500, "STS14": 3750, "STS15": 3000, "STS16": 1186, "STSBenchmark": 1379, "STSB": 1361}
    assert len(local_pairs(name, data_folder)) == {**published, "SICK-R": 9927}[name]


def test_a_short_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sts" / "SICK"
    folder.mkdir(parents=True)
    for file in ("train", "trial", "test"):
        (folder / f"{file}.tsv").write_text("1\ta\tb\n2\tc\td\n", "utf-8")
    with pytest.raises(UserError, match="6 pairs, not 9,927"):
        local_pairs("SICK-R", tmp_path)


@needs_mteb
@pytest.mark.filterwarnings("ignore")
def test_mteb_scores_what_we_score_and_names_what_it_cannot_run(tiny_backbone: Path, data_folder: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    found = evaluate_mteb(model, ["STS16"], data_folder)
    assert found == {"mteb:STS16": pytest.approx(evaluate(model, "STS16", data_folder).scores["STS16"], abs=0.01)}
    with pytest.raises(UserError, match="did you mean STS1"):
        evaluate_mteb(model, ["STS16x"], data_folder)
    with pytest.raises(UserError, match="local data exist for: STS12"):
        evaluate_mteb(model, ["STS16"], None)


def test_results_are_kept_under_a_name_and_the_content(tiny_backbone: Path, tmp_path: Path) -> None:
    kept = KeptResults.of(tmp_path, str(tiny_backbone))
    assert kept.name == f"local/{tiny_backbone.name}"
    assert len(kept.revision) >= 32
    assert KeptResults.of(tmp_path, "mini-bert").name == "local/mini-bert"
    assert KeptResults.of(tmp_path, "mini-bert").revision != kept.revision


def test_results_without_a_task_of_mtebs_are_refused(tiny_backbone: Path, tmp_path: Path) -> None:
    for model, tasks in ((str(tiny_backbone), ["STS16"]), (load_encoder(str(tiny_backbone)), ["mteb:STS16"])):
        with pytest.raises(UserError, match="give --tasks mteb:NAME and a model by its folder or hub name"):
            evaluate(model, tasks, mteb_results=tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


@needs_mteb
@pytest.mark.filterwarnings("ignore")
def test_mteb_reads_the_results_that_are_kept(tiny_backbone: Path, data_folder: Path, tmp_path: Path) -> None:
    import mteb

    for _ in range(2):
        found = evaluate(tiny_backbone, "mteb:STS16", data_folder, mteb_results=tmp_path).scores["mteb:STS16"]
    [file] = tmp_path.rglob("STS16.json")
    result = mteb.TaskResult.from_disk(file)
    assert 100 * result.get_score() == pytest.approx(found, abs=1e-4)
    kept = KeptResults.of(tmp_path, str(tiny_backbone))
    meta = json.loads((file.parent / "model_meta.json").read_text("utf-8"))
    assert (meta["name"], meta["revision"], meta["embed_dim"]) == (kept.name, kept.revision, 32)
    assert str(tiny_backbone.parent) not in (file.parent / "model_meta.json").read_text("utf-8")
    again = mteb.ResultCache(tmp_path).load_results(models=[kept.name], tasks=["STS16"], include_remote=False)
    assert [one.task_name for model in again.model_results for one in model.task_results] == ["STS16"]


@needs_mteb
@pytest.mark.filterwarnings("ignore")
def test_a_trained_model_passes_mtebs_mock_run(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    import mteb

    run = train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), workers=1, batch_size=40, max_steps=2)
    if not hasattr(mteb, "mock_run"):
        pytest.skip("this MTEB has no mock_run")
    found = mteb.mock_run(mteb_encoder(load_encoder(str(run.model)), "local/run", "none"))
    failed = {name: status for name, status in found.items() if status is not None and not isinstance(status, mteb.TaskResult)}
    assert failed == {}
    assert sum(isinstance(status, mteb.TaskResult) for _, status in found.items()) >= 10

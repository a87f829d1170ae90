"""MTEB on local data where it is installed; a clear refusal where it is not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from augcse import evaluate
from augcse.encoding.model import load_encoder
from augcse.errors import MissingDependencyError, UserError
from augcse.evaluation.mteb_tasks import LOCAL, evaluate_mteb, local_pairs, split_names

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

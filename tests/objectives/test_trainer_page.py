"""The programs of docs/trainer.md run as they stand, in sentence-transformers' own trainer; weights in half precision are trained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MatryoshkaLoss, MultipleNegativesRankingLoss
from transformers import AutoModelForMaskedLM, AutoTokenizer

from augcse.errors import UserError
from augcse.objectives import SimCSELoss
from augcse.objectives.base import OBJECTIVES
from augcse.objectives.sentence_loss import train_in_float32

PAGE = Path(__file__).resolve().parents[2] / "docs" / "trainer.md"
PROGRAMS = dict(re.findall(r"^## (\S+)\n.*?^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def half_backbone(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny backbone with its weights in float16, as mini-bert's are."""
    folder = tmp_path_factory.mktemp("half")
    AutoModelForMaskedLM.from_pretrained(tiny_backbone).half().save_pretrained(folder)
    AutoTokenizer.from_pretrained(tiny_backbone).save_pretrained(folder)
    return folder


def run(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a program of the page in a folder of its own, on the processor."""
    monkeypatch.chdir(folder)
    quiet = program.replace('report_to="none"', 'report_to="none", use_cpu=True, save_strategy="no", disable_tqdm=True, logging_steps=1')
    assert quiet != program
    names: dict[str, Any] = {}
    exec(compile(quiet, str(PAGE), "exec"), names)
    return names


def test_there_is_a_program_for_every_objective() -> None:
    assert list(PROGRAMS) == OBJECTIVES.names()


@pytest.mark.filterwarnings("ignore")
def test_the_program_of_the_labelled_task_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8").partition("## A labelled task")[2], re.MULTILINE | re.DOTALL)
    names = run(program, tmp_path, monkeypatch)
    assert any("supervised" in entry for entry in names["trainer"].state.log_history)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_its_program_trains_weights_stored_in_half_precision(
    name: str, half_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.resources.MINI_BERT", half_backbone)
    names = run(PROGRAMS[name], tmp_path, monkeypatch)
    before = SentenceTransformer(str(half_backbone)).float().state_dict()
    after = names["model"].state_dict()
    assert names["trainer"].state.global_step == 2
    assert all(torch.isfinite(value).all() for value in after.values())
    assert any(not torch.equal(before[key], value) for key, value in after.items())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [card.name for card in OBJECTIVES if card.trains_static])
def test_its_program_trains_a_static_encoder_if_it_is_said_to(
    name: str, static_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.resources.MINI_BERT", static_folder)
    trained = run(PROGRAMS[name], tmp_path, monkeypatch)["model"][0].embedding.weight
    assert torch.isfinite(trained).all()
    assert not torch.equal(SentenceTransformer(str(static_folder))[0].embedding.weight, trained)


@pytest.mark.filterwarnings("ignore")
def test_the_bundled_backbone_trains_as_a_newcomer_loads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run(PROGRAMS["augcse"], tmp_path, monkeypatch)
    assert {parameter.dtype for parameter in names["model"].parameters()} == {torch.float32}
    assert all(torch.isfinite(parameter).all() for parameter in names["model"].parameters())


def test_inside_matryoshka_stands_another_loss_of_the_same_value(tiny_backbone: Path, sentences: list[str]) -> None:
    model = SentenceTransformer(str(tiny_backbone)).eval()
    features = model.preprocess(sentences[:8])
    ranking = MatryoshkaLoss(model, MultipleNegativesRankingLoss(model), [32])
    found = ranking([dict(features), dict(features)], None)
    expected = SimCSELoss(model, projection="none")([dict(features)])["contrastive"]
    assert torch.allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_a_loss_turns_half_precision_into_float32_and_says_so(
    kind: torch.dtype, tiny_backbone: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = SentenceTransformer(str(tiny_backbone)).to(kind)
    SimCSELoss(model)
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    assert "trained in float32" in caplog.text


def test_frozen_weights_in_half_precision_stay() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2).half().requires_grad_(False), torch.nn.Linear(2, 2))
    train_in_float32(model)
    assert [parameter.dtype for parameter in model.parameters()] == [torch.float16] * 2 + [torch.float32] * 2


MISFITS = {
    "no label": (
        "augcse",
        '    "label": [0, 0, 1, 2],\n',
        "",
        "no whole numbers as labels; give AugCSELoss a column label of whole numbers from 0 to 2",
    ),
    "grades": ("augcse", "[0, 0, 1, 2]", "[0.5, 0.0, 1.0, 2.0]", "no whole numbers as labels"),
    "a high label": ("augcse", "[0, 0, 1, 2]", "[0, 0, 1, 5]", "the label 5; give AugCSELoss"),
    "a negative label": ("sncse", "[0, 0, 1, 2]", "[0, -1, 1, 2]", "the label -1; give SNCSELoss"),
    "one text": (
        "augcse",
        '    "augmented"',
        '    # "augmented"',
        "one text column; give AugCSELoss 2, in this order: original, augmented",
    ),
    "one text for a pair": ("denosent", '    "augmented"', '    # "augmented"', "one text column; give DenoSentLoss 2"),
    "one text for the next": ("documents", '    "next"', '    # "next"', "one text column; give DocumentsLoss 2"),
    "no negative": ("simcse-supervised", '    "negative"', '    # "negative"', "2 text columns; give SupervisedSimCSELoss 3"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("misfit", MISFITS)
def test_columns_that_do_not_fit_are_refused_in_a_line(
    misfit: str, half_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.resources.MINI_BERT", half_backbone)
    name, written, instead, said = MISFITS[misfit]
    assert written in PROGRAMS[name]
    with pytest.raises(UserError, match=said):
        run(PROGRAMS[name].replace(written, instead), tmp_path, monkeypatch)

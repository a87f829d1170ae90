"""The mean of models: weights by a naive loop, order of the models without effect, a folder that loads as any other."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

from augcse.cli.app import app
from augcse.encoding.front_matter import origin_of
from augcse.encoding.model import load_encoder
from augcse.encoding.soup import mean_state, soup
from augcse.errors import UserError

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory, tiny_backbone: Path) -> list[Path]:
    """Three models of one architecture, with other weights each."""
    folder = tmp_path_factory.mktemp("soup")
    load_encoder(str(tiny_backbone), "mean", "cpu").save_pretrained(str(folder / "0"), create_model_card=False)
    for number in (1, 2):
        shutil.copytree(folder / "0", folder / str(number))
        path = folder / str(number) / WEIGHTS
        generator = torch.Generator().manual_seed(number)
        save_file(
            {name: value + torch.randn(value.shape, generator=generator) for name, value in load_file(path).items()},
            path,
            metadata={"format": "pt"},
        )
    return [folder / str(number) for number in range(3)]


def test_every_weight_is_the_mean(models: list[Path], tmp_path: Path) -> None:
    built = soup(models, output=tmp_path / "out")
    made, parts = load_file(tmp_path / "out" / WEIGHTS), [load_file(model / WEIGHTS) for model in models]
    assert made.keys() == parts[0].keys()
    for name, value in made.items():
        expected = np.zeros(value.shape)
        for part in parts:
            expected += part[name].double().numpy() / len(parts)
        np.testing.assert_allclose(value.numpy(), expected, rtol=1e-6, atol=1e-7)
    assert built.record == {"models": ["0", "1", "2"], "dim": 32}
    assert load_encoder(str(tmp_path / "out")).encode(["One sentence."]).shape == (1, 32)
    assert "The mean of 3 models" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_its_card_states_the_licence_that_all_models_have(models: list[Path], tmp_path: Path) -> None:
    for model in models[:2]:
        shutil.copytree(model, tmp_path / model.name)
        (tmp_path / model.name / "README.md").write_text("---\nlicense: mit\n---\n", "utf-8")
    both, one = [tmp_path / model.name for model in models[:2]], [tmp_path / models[0].name, models[1]]
    assert origin_of(str(soup(both, output=tmp_path / "out").folder)).licence == "mit"
    assert origin_of(str(soup(one, output=tmp_path / "other").folder)).licence is None


def test_one_model_and_its_copy_are_that_model(models: list[Path], tmp_path: Path) -> None:
    shutil.copytree(models[1], tmp_path / "copy")
    soup([models[1], tmp_path / "copy"], output=tmp_path / "out")
    made, own = load_file(tmp_path / "out" / WEIGHTS), load_file(models[1] / WEIGHTS)
    assert all(torch.equal(made[name], own[name]) for name in own)


def test_counts_are_the_first_models() -> None:
    states = [{"weight": torch.tensor([1.0]), "steps": torch.tensor(3)}, {"weight": torch.tensor([2.0]), "steps": torch.tensor(9)}]
    assert mean_state(states) == {"weight": torch.tensor([1.5]), "steps": torch.tensor(3)}


def test_another_architecture_is_refused_by_the_weight(models: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"0 and mini-bert are not of one architecture: .* is .* and "):
        soup([models[0], "mini-bert"], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_prints_one_document(models: list[Path], tmp_path: Path) -> None:
    arguments = ["soup", *map(str, models), "--output", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert '"models": [' in done.stdout

"""What cannot work is refused before the first step, in one line; a disk that fills up leaves nothing half-written."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import pytest
import torch

from augcse import adapt, train
from augcse.config import load_recipe
from augcse.errors import UserError
from augcse.hardware import has_bf16
from augcse.sections import TrainingSection
from augcse.training import precision
from augcse.training.fit import total_steps
from augcse.training.precision import resolve_precision
from augcse.training.store.size import check_batch_size


def _train(corpus: Path, backbone: Path, output: Path, recipe: str = "augcse-mini", **options: Any) -> None:
    settings: dict[str, Any] = {"batch_size": 40, "max_steps": 2, **options}
    train(recipe, corpus=corpus, output=output, model=str(backbone), workers=1, **settings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 401}, "training.batch_size is 401, the corpus has 400 sentences"),
        ({"augmentation.names": ["RandomSwop"]}, "did you mean RandomSwap"),
        ({"augmentation.names": []}, "needs augmentations"),
        ({"objective.margin": 1}, "unknown option of objective augcse 'margin'"),
        ({"data": "/no/data"}, "no data folder /no/data"),
        ({"dev": "/no/pairs.tsv"}, "no file /no/pairs.tsv"),
        ({"model.backbone": "/no/model"}, "no model folder /no/model"),
        ({"batch_size": 1}, "a batch of one has no other sentence to contrast with"),
        ({"recipe": "pca-jitter-mini", "training.mini_batch_size": 8}, "set training.mini_batch_size to 0"),
        ({"recipe": "diffcse-mini", "objective.generator": "mini-bert"}, "has another vocabulary .* with the same tokeniser"),
    ],
)
def test_refused_with_the_reason(options: dict[str, Any], message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    backbone = Path(options.pop("model.backbone", tiny_backbone))
    with pytest.raises(UserError, match=message) as caught:
        _train(corpus, backbone, tmp_path / "run", **options)
    assert "\n" not in str(caught.value)
    assert list((tmp_path / "run").glob("*")) == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch_size": 401}, "training.batch_size is 401, the corpus has 400 sentences"),
        ({"no_such_key": 1}, "unknown key 'no_such_key'"),
        ({"model": "/no/model"}, "no model folder /no/model"),
    ],
)
def test_settings_beside_a_resolved_recipe_count(
    settings: dict[str, Any], message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    recipe = load_recipe("simcse-mini", {"model.backbone": str(tiny_backbone)})
    with pytest.raises(UserError, match=message):
        train(recipe, corpus=corpus, output=tmp_path / "run", dev="none", workers=1, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"batch_size": 401}, "training.batch_size is 401, the corpus has 400 sentences"), ({"no_such_key": 1}, "unknown key 'no_such_key'")],
)
def test_settings_among_the_arguments_of_adapt_count(
    settings: dict[str, Any], message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        adapt(corpus, model=str(tiny_backbone), output=tmp_path / "run", dev="none", workers=1, **settings)


def test_a_refused_run_does_not_block_its_folder(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="batch_size is 401"):
        _train(corpus, tiny_backbone, tmp_path / "run", batch_size=401)
    _train(corpus, tiny_backbone, tmp_path / "run")
    assert (tmp_path / "run" / "run.json").exists()


def test_a_folder_of_something_else_is_refused(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious", "utf-8")
    with pytest.raises(UserError, match="is not empty"):
        _train(corpus, tiny_backbone, tmp_path)


def test_a_loss_that_is_not_finite_stops_with_a_remedy(
    corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    infinite = torch.tensor(float("inf"))
    monkeypatch.setattr("augcse.training.trainer.SentenceTransformerTrainer.compute_loss", lambda *_, **options: infinite)
    with pytest.raises(UserError, match=r"the loss is (nan|inf).*lower training.learning_rate"):
        _train(corpus, tiny_backbone, tmp_path / "run")


def test_a_full_disk_while_saving_a_checkpoint(corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("augcse.training.trainer.save_file", no_space)
    with pytest.raises(UserError, match="checkpoint-2: No space left on device; free some space"):
        _train(corpus, tiny_backbone, tmp_path / "run")
    assert not list((tmp_path / "run" / "checkpoints").iterdir())
    assert not (tmp_path / "run" / "model").exists()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("augcse.training.store.files.write_manifest", "cannot write .*prepared: No space left on device; free some space"),
        ("augcse.training.trainer.write_manifest", "cannot write .*best: No space left on device; free some space"),
        ("augcse.training.run.shutil.copytree", "cannot write .*model: No space left on device; free some space"),
        ("augcse.pipeline.write_json", "cannot write .*run.json: No space left on device; free some space"),
    ],
    ids=["preparing", "in the best model", "in the model", "in the record"],
)
def test_a_disk_that_fills_up_is_one_line_and_the_run_goes_on_when_there_is_space(
    target: str, message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from augcse.files import cannot_write

    def no_space(path: Path, *arguments: object, **options: object) -> None:
        error = OSError(28, "No space left on device")
        raise cannot_write(path, error) if target.endswith("write_json") else error

    dev = tmp_path / "pairs.tsv"
    dev.write_text("".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat sat on {grade % 4}.\n" for grade in range(12)), "utf-8")
    with monkeypatch.context() as full:
        full.setattr(target, no_space)
        with pytest.raises(UserError, match=message) as caught:
            _train(corpus, tiny_backbone, tmp_path / "run", recipe="simcse-mini", dev=str(dev))
    assert "\n" not in str(caught.value)
    assert not [path for path in (tmp_path / "run").rglob("*") if path.name.endswith(".partial")]
    _train(corpus, tiny_backbone, tmp_path / "run", recipe="simcse-mini", dev=str(dev), resume=True)
    assert (tmp_path / "run" / "run.json").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("file", "is a file, not a folder; choose another --output"),
        ("file/run", "which is a file; choose another"),
        ("x" * 300, "cannot write"),
    ],
    ids=["a file", "below a file", "too long"],
)
def test_an_output_that_cannot_be_written_is_one_line(name: str, reason: str, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious", "utf-8")
    with pytest.raises(UserError, match=reason) as caught:
        _train(corpus, tiny_backbone, tmp_path / name, recipe="simcse-mini")
    assert "\n" not in str(caught.value)
    assert (tmp_path / "file").read_text("utf-8") == "precious"


def test_bf16_is_taken_where_the_hardware_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "has_bf16", lambda: True)
    assert resolve_precision("auto") == resolve_precision("bf16") == "bf16"
    assert resolve_precision("fp32") == "fp32"


def test_bf16_is_not_emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "has_bf16", lambda: False)
    assert resolve_precision("auto") == "fp32"
    with pytest.raises(UserError, match=r"set training\.precision to fp32"):
        resolve_precision("bf16")


@pytest.mark.parametrize(
    ("machine", "onednn", "processor", "expected"),
    [
        ("x86_64", True, True, True),
        ("x86_64", True, False, False),  # AVX-512 without bf16 instructions: oneDNN emulates
        ("x86_64", False, True, False),  # ONEDNN_MAX_CPU_ISA=AVX2
        ("aarch64", True, False, True),
    ],
)
def test_bf16_needs_processor_and_onednn(
    machine: str, onednn: bool, processor: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set_processor(monkeypatch, machine, onednn, processor)
    assert has_bf16() is expected


def test_auto_is_fp32_in_tests_whatever_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    _set_processor(monkeypatch, "x86_64", True, True)
    assert resolve_precision("auto") == "fp32"


def _set_processor(monkeypatch: pytest.MonkeyPatch, machine: str, onednn: bool, processor: bool) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: onednn)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: processor)


@pytest.mark.parametrize(
    ("rows", "settings", "steps"),
    [(100, {}, 10), (109, {}, 10), (100, {"epochs": 2.5}, 25), (100, {"max_steps": 4}, 4), (100, {"max_steps": 40}, 10), (9, {}, 1)],
)
def test_epochs_decide_and_max_steps_bounds(rows: int, settings: dict[str, Any], steps: int) -> None:
    assert total_steps(rows, TrainingSection(learning_rate=1e-4, batch_size=10, **settings)) == steps


def test_batch_as_large_as_the_corpus_is_fine() -> None:
    check_batch_size(4, 4)


def test_training_in_bf16_runs_where_asked(corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.training.run.resolve_precision", lambda wanted: "bf16")
    _train(corpus, tiny_backbone, tmp_path / "run", recipe="augcse-mini")
    assert (tmp_path / "run" / "model" / "model.safetensors").exists()


PIGLATIN = ["PigLatin"]


@pytest.mark.parametrize(
    ("recipe", "settings", "message"),
    [
        (
            "simcse-mini",
            {"augmentation.positives": PIGLATIN},
            r"augmentation.positives is .*PigLatin.*, and objective simcse .*\(.*contrastive.*sda",
        ),
        (
            "simcse-mini",
            {"names": ["4-aug-2"]},
            r"augmentation.names is .*ContractionExpansions.*, and objective simcse .*\(augcse.*objective.discriminator\]",
        ),
        (
            "sda-pi-mini",
            {"augmentation.negatives": PIGLATIN},
            "augmentation.negatives is .*PigLatin.*, and objective sda with these settings draws no",
        ),
        ("sda-pi-mini", {"corpus.columns": {"original": "a", "positive": "b"}}, "the view positive is read from a column"),
        ("augcse-mini", {"augmentation.neutral": PIGLATIN}, "augcse draws from augmentation.names alone where that is set too"),
        ("contrastive-mini", {"objective.losses": "triplet", "sampling": "by_role", "names": PIGLATIN}, "augmentation.names is .*PigLatin"),
        (
            "contrastive-mini",
            {"objective.losses": "triplet", "sampling": "by_role", "negatives": PIGLATIN},
            r"augmentation.negatives is .*PigLatin.*take an objective that draws from it \((?!.*\bcontrastive\b).*simcse-supervised",
        ),
    ],
)
def test_augmentations_that_nothing_draws_from_are_refused(
    recipe: str, settings: dict[str, Any], message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        _train(corpus, tiny_backbone, tmp_path / "run", recipe, dev="none", **settings)
    assert not (tmp_path / "run").exists()


OWN = """
from augcse.objectives.base import objective
from augcse.objectives.sentence_loss import SentenceLoss

@objective("own", paper="", equation="", views=("original",))
class Own(SentenceLoss):
    def __init__(self, model, temperature=0.1, projection="none"):
        super().__init__(model)
"""


def test_augmentations_that_an_own_objective_does_not_draw_from_are_refused(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, "utf-8")
    settings: dict[str, Any] = {"objective.name": f"{tmp_path / 'own.py'}:Own", "augmentation.positives": PIGLATIN}
    with pytest.raises(
        UserError, match=r"augmentation.positives is .*PigLatin.*, and objective .*own.py:Own with these settings draws nothing"
    ):
        _train(corpus, tiny_backbone, tmp_path / "run", "simcse-mini", dev="none", **settings)

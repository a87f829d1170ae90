"""Adapting an encoder: the mix of start and trained weights, its choice, what is kept and said, and what a run of it can survive."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from typer.testing import CliRunner

from augcse import adapt
from augcse.adaptation import adapt_recipe
from augcse.analysis.probe.held_out import hold_out, hold_out_of_run
from augcse.cli.app import app
from augcse.corpus.files import Corpus
from augcse.encoding.mixing import float32_state, mixed_state
from augcse.encoding.model import load_encoder
from augcse.encoding.static.training import RowTokenizer, drop_tokens, read_padded_rows
from augcse.errors import UserError
from augcse.evaluation.interpolation import choose
from augcse.evaluation.metrics import spearman
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.samples import Measured, PairSample
from augcse.objectives.base import OBJECTIVES
from augcse.resources import DEMO_PAIRS
from augcse.sections import InterpolationSection
from augcse.training.encoder import build_encoder
from augcse.training.moments import patience_exhausted
from augcse.training.store.files import TokenStore
from augcse.training.watcher import Watcher

WEIGHTS = [0.0, 0.5, 1.0]
SETTINGS: dict[str, Any] = {
    "training.batch_size": 40,
    "training.max_steps": 6,
    "training.precision": "fp32",
    "training.learning_rate": 1e-3,
    "training.eval_every_steps": 2,
    "training.checkpoint_every_steps": 2,
    "interpolation.weights": WEIGHTS,
}


@pytest.fixture(scope="module")
def finished(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder with a pooling of its own."""
    folder = tmp_path_factory.mktemp("finished") / "encoder"
    load_encoder(str(tiny_backbone), "mean", "cpu").save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture(scope="module")
def grades(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Demo pairs graded by the start's own cosines, which nothing can beat, and by their opposite, which everything beats."""
    pairs, encoder = read_pairs(DEMO_PAIRS), load_encoder(str(finished))
    left, right = (torch.tensor(encoder.encode(side[:60])) for side in (pairs.first, pairs.second))
    cosines = torch.nn.functional.cosine_similarity(left, right).tolist()
    folder, found = tmp_path_factory.mktemp("grades"), {}
    for name, sign in (("own", 1), ("opposite", -1)):
        lines = [f"{sign * cosine:.8f}\t{a}\t{b}" for cosine, a, b in zip(cosines, pairs.first, pairs.second, strict=False)]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
        found[name] = str(folder / f"{name}.tsv")
    return found


def _adapt(folder: Path, corpus: Path, model: Path, dev: str, **more: Any) -> dict[str, Any]:
    settings = {**SETTINGS, **more.pop("settings", {})}
    return adapt(corpus, model=str(model), output=folder, dev=dev, test="none", workers=1, settings=settings, **more).record


@pytest.fixture(scope="module")
def gained(tmp_path_factory: pytest.TempPathFactory, corpus: Path, finished: Path, grades: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("gained") / "run"
    notes: list[str] = []
    record = _adapt(folder, corpus, finished, grades["opposite"], watcher=Watcher(note=notes.append))
    assert record["steps"] == SETTINGS["training.max_steps"]
    assert not any("stopped early" in line for line in notes)
    return folder


def _tensors(folder: Path) -> dict[str, torch.Tensor]:
    return dict(load_file(folder / "model.safetensors"))


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_a_mix_is_the_weighted_mean_and_exact_at_its_ends(weight: float) -> None:
    generator = torch.Generator().manual_seed(0)
    start, trained = torch.nn.Linear(5, 3), torch.nn.Linear(5, 3)
    torch.nn.init.normal_(trained.weight, generator=generator)
    ends = float32_state(start), float32_state(trained)
    mixed = mixed_state(*ends, weight)
    for name in mixed:
        expected = (1 - weight) * ends[0][name].double() + weight * ends[1][name].double()
        assert torch.allclose(mixed[name].double(), expected, atol=1e-6)
    if weight in (0.0, 1.0):
        assert all(torch.equal(mixed[name], ends[int(weight)][name]) for name in mixed)


def _measured(noise: float, pairs: int = 200) -> Measured:
    """Cosines of a model that grades so well: the noise beside the grades."""
    generator = np.random.default_rng(0)
    gold, error = generator.normal(size=pairs), generator.normal(size=pairs)
    sample = PairSample(gold + noise * error, gold)
    return Measured({"dev": float(100 * np.corrcoef(sample.cosines, gold)[0, 1])}, sample)


@pytest.mark.parametrize(
    ("noises", "kept"),
    [([1.0, 1.0, 1.0], 0), ([1.0, 1.5, 2.0], 0), ([1.0, 0.999999, 1.0], 0), ([1.0, 0.9, 0.8], 2), ([1.0, 0.5, 0.4999999, 0.6], 1)],
    ids=["all alike", "all worse", "no clear gain", "each clearly better", "the smaller of two alike"],
)
def test_the_smallest_weight_that_is_not_clearly_below_the_best_is_kept(noises: list[float], kept: int) -> None:
    assert choose(len(noises), [_measured(noise) for noise in noises].__getitem__, section=InterpolationSection(search="all")) == kept


class _Scored(set[int]):
    """Which models were asked for."""

    def of(self, models: list[Measured]) -> Callable[[int], Measured]:
        def measured(index: int) -> Measured:
            self.add(index)
            return models[index]

        return measured


def _curve_of(top: int, noise: float) -> list[Measured]:
    """Eleven models, graded the better the nearer they are to one of them, and the more clearly so the larger the noise is."""
    generator = np.random.default_rng(0)
    gold, error = generator.normal(size=300), generator.normal(size=300)
    samples = [PairSample(gold + (0.5 + noise * abs(index - top)) * error, gold) for index in range(11)]
    return [Measured({"dev": 100 * spearman(sample.cosines, gold)}, sample) for sample in samples]


@pytest.mark.parametrize("top", range(11))
@pytest.mark.parametrize("noise", [0.0, 0.002, 0.05])
def test_the_search_finds_what_scoring_all_finds(top: int, noise: float) -> None:
    models, scored = _curve_of(top, noise), _Scored()
    found = choose(11, scored.of(models))
    whole = choose(11, models.__getitem__, section=InterpolationSection(search="all"))
    # The top is known to a quarter of the way, so that the first that is not clearly below it may be one nearer to the start.
    assert abs(found - whole) <= 1
    assert len(scored) <= 8


def test_of_eleven_weights_three_or_four_are_scored_where_the_start_stays() -> None:
    scored = _Scored()
    assert choose(11, scored.of([_measured(noise) for noise in np.linspace(1.0, 1.2, 11)])) == 0
    assert scored == {0, 2, 5, 10}


def test_the_best_may_be_asked_for() -> None:
    found = [_measured(noise) for noise in (1.0, 0.999999, 1.0)]
    assert choose(3, found.__getitem__, section=InterpolationSection(choice="best")) == 1


def test_of_equally_good_ones_the_first_is_the_best() -> None:
    found = [_measured(noise) for noise in (1.0, 0.5, 0.5, 0.8)]
    assert choose(4, found.__getitem__, section=InterpolationSection(choice="best", search="all")) == 1


@pytest.mark.parametrize(
    ("scores", "patience", "stops"),
    [([5, 4, 3], 2, True), ([5, 4, 6], 2, False), ([5, 4], 2, False), ([5, 5, 5], 2, True), ([5, 4, 3], 0, False), ([4, 5, 4], 2, False)],
)
def test_a_training_stops_after_scores_that_are_not_above_the_best(scores: list[int], patience: int, stops: bool) -> None:
    assert patience_exhausted([{"eval_dev": score, "eval_other": 9} for score in scores], patience) is stops


def test_the_kept_model_is_the_mix_and_the_record_has_the_curve(gained: Path, finished: Path) -> None:
    record = json.loads((gained / "run.json").read_text("utf-8"))
    kept, curve = record["kept"], record["interpolation"]["curve"]
    assert [mix["weight"] for mix in curve] == WEIGHTS
    assert kept["weight"] > 0
    assert kept["dev"] == next(mix["dev"] for mix in curve if mix["weight"] == kept["weight"])
    assert curve[0]["dev"] == record["before"]["dev"]
    assert curve[-1]["dev"] == record["best"]["dev"]
    assert kept["dev"]["opposite"] > record["before"]["dev"]["opposite"]
    start, trained, mixed = (_tensors(folder) for folder in (finished, gained / "checkpoints" / "best", gained / "model"))
    expected = {name: torch.lerp(start[name], trained[name], kept["weight"]) for name in start}
    assert all(torch.equal(mixed[name], expected[name]) for name in expected)
    assert (gained / "model" / "modules.json").read_bytes() == (finished / "modules.json").read_bytes()
    assert SentenceTransformer(str(gained / "model")).encode(["One sentence."]).shape == (1, 32)
    card = (gained / "model" / "README.md").read_text("utf-8")
    assert "| weight of the trained model | opposite | above the start | 95 % interval |" in card
    from_start = next(mix["from_start"] for mix in curve if mix["weight"] == kept["weight"])
    assert record["gain"] == {"name": "opposite", **from_start}
    assert f"{kept['weight']:g} times those after step {kept['step']}" in card


def test_where_nothing_helps_the_start_is_kept_and_that_is_said(
    corpus: Path, finished: Path, grades: dict[str, str], tmp_path: Path
) -> None:
    said: list[str] = []
    record = _adapt(tmp_path / "run", corpus, finished, grades["own"], watcher=Watcher(warn=said.append))
    assert (record["kept"]["weight"], record["kept_step"], record["gain"]) == (0.0, 0, None)
    start, kept = _tensors(finished), _tensors(tmp_path / "run" / "model")
    assert all(torch.equal(kept[name], start[name]) for name in start)
    [line] = [line for line in said if "adapting did not help" in line]
    assert "model/ holds the model as it was given" in line
    assert "The model as it was given: no mix" in (tmp_path / "run" / "model" / "README.md").read_text("utf-8")


def test_an_early_stop_is_a_whole_run_that_resumes_to_the_same_bytes(
    corpus: Path, finished: Path, grades: dict[str, str], tmp_path: Path
) -> None:
    arguments = (corpus, finished, grades["own"])
    settings = {"training.patience_scores": 1}
    notes: list[str] = []
    record = _adapt(tmp_path / "run", *arguments, settings=settings, watcher=Watcher(note=notes.append))
    assert record["steps"] == 2
    why = "the last score is not above the best before it (training.patience_scores=1)"
    assert [line for line in notes if "stopped" in line] == [f"stopped early, after step 2 of {SETTINGS['training.max_steps']}: {why}"]
    whole = _bytes(tmp_path / "run" / "model")
    (tmp_path / "run" / "run.json").unlink()
    shutil.rmtree(tmp_path / "run" / "model")
    again = _adapt(tmp_path / "run", *arguments, settings=settings, resume=True, watcher=Watcher(note=notes.append))
    assert sum("stopped early" in line for line in notes) == 2
    assert (again["steps"], _bytes(tmp_path / "run" / "model")) == (2, whole)


def test_a_kill_while_the_mixes_are_scored_leaves_no_model_and_resumes_to_the_same_bytes(
    gained: Path, corpus: Path, finished: Path, grades: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("augcse.evaluation.interpolation.choose", killed)
        with pytest.raises(KeyboardInterrupt):
            _adapt(tmp_path / "run", corpus, finished, grades["opposite"])
    assert not (tmp_path / "run" / "model").exists()
    assert not (tmp_path / "run" / "run.json").exists()
    _adapt(tmp_path / "run", corpus, finished, grades["opposite"], resume=True)
    assert _bytes(tmp_path / "run" / "model") == _bytes(gained / "model")


def test_a_pooler_that_the_backbone_lacks_is_the_same_after_a_resume(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    def kill_at_interpolation(stage: str, total: int | None) -> None:
        if stage == "interpolating":
            raise KeyboardInterrupt

    # At weight 1 the pooler would be that of the checkpoint.
    settings = {"interpolation.weights": [0.5], "training.max_steps": 2}
    _adapt(tmp_path / "whole", corpus, tiny_backbone, "none", settings=settings)
    with pytest.raises(KeyboardInterrupt):
        _adapt(tmp_path / "run", corpus, tiny_backbone, "none", settings=settings, watcher=Watcher(start=kill_at_interpolation))
    _adapt(tmp_path / "run", corpus, tiny_backbone, "none", settings=settings, resume=True)
    assert "pooler.dense.weight" in _tensors(tmp_path / "run" / "model")
    assert _bytes(tmp_path / "run" / "model") == _bytes(tmp_path / "whole" / "model")


def test_the_last_layers_alone_are_trained(corpus: Path, finished: Path, grades: dict[str, str], tmp_path: Path) -> None:
    _adapt(tmp_path / "run", corpus, finished, grades["opposite"], last_layers=1, settings={"interpolation.weights": [1.0]})
    start, trained = _tensors(finished), _tensors(tmp_path / "run" / "checkpoints" / "best")
    changed = {name for name in start if not torch.equal(start[name], trained[name])}
    assert changed
    assert all("layer.1." in name for name in changed)


def test_without_labels_held_out_sentences_choose(corpus: Path, finished: Path, tmp_path: Path) -> None:
    record = _adapt(tmp_path / "run", corpus, finished, "auto", settings={"training.max_steps": 2})
    assert record["dev"] == "probe"
    assert list(record["kept"]["dev"]) == ["probe"]
    lines = corpus.read_text("utf-8").splitlines()
    held_out = hold_out(lambda: lines, 250, parser="en_ewt", seed=42).sentences
    # A fifth of 400.
    assert len(held_out) == 80
    assert len(TokenStore.open(tmp_path / "run" / "prepared")) == sum(line not in held_out for line in lines)


def test_held_out_sentences_are_followed_by_none_of_the_next_file(sentences: list[str], finished: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file, lines in zip(files, (sentences[:30], sentences[30:60]), strict=True):
        file.write_text("\n".join(lines), "utf-8")
    sample = hold_out_of_run(adapt_recipe(str(finished)), Corpus.of(files)).prepared.sample
    followers = dict(zip(sample.sentences, sample.following, strict=True))
    assert len(followers) == 50
    assert followers.get(sentences[29]) is None
    assert sentences[30] not in followers.values()


def test_nothing_scored_is_said(corpus: Path, finished: Path, tmp_path: Path) -> None:
    said: list[str] = []
    settings = {"interpolation.weights": [0.5], "training.max_steps": 2}
    record = _adapt(tmp_path / "run", corpus, finished, "none", settings=settings, watcher=Watcher(warn=said.append))
    assert record["kept"]["weight"] == 0.5
    [line] = [line for line in said if line.startswith("nothing was scored: it is unknown")]
    assert "--dev takes a file of your own pairs or labels, or probe" in line
    assert "learning_rate" not in line


def test_the_command_prints_curve_and_outcome(corpus: Path, finished: Path, grades: dict[str, str], tmp_path: Path) -> None:
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    words = ["adapt", str(corpus), "--model", str(finished), "--output", str(tmp_path / "run"), "--dev", grades["opposite"], *settings]
    result = CliRunner().invoke(app, [*words, "--test", "none"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split() == "weight of the trained model opposite above the start 95 % interval".split()
    assert lines[-1].startswith("opposite (dev)")
    assert "kept (weight" in lines[-2]


def test_a_static_encoder_embeds_padded_rows_as_it_embeds_sentences(static_folder: Path, sentences: list[str]) -> None:
    model = load_encoder(str(static_folder))
    expected = model.encode(sentences[:20])
    rows = RowTokenizer(model)(sentences[:20], max_length=1000)["input_ids"]
    length = max(map(len, rows))
    ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
    read_padded_rows(model, 0.5)
    found = model.eval()({"input_ids": ids, "attention_mask": mask})["sentence_embedding"].detach().numpy()
    assert np.allclose(found, expected, atol=1e-6)
    assert np.allclose(model.encode(sentences[:20]), expected)
    model.train()
    one, other = (model({"input_ids": ids, "attention_mask": mask})["sentence_embedding"] for _ in range(2))
    assert not torch.equal(one, other)


def test_dropped_tokens_leave_no_row_empty_and_padding_alone() -> None:
    torch.manual_seed(0)
    mask = torch.arange(10)[None] < torch.randint(1, 11, (500, 1))
    kept = drop_tokens(mask, 0.7)
    assert not (kept & ~mask).any()
    assert kept.any(dim=1).all()
    long = mask.sum(dim=1) == 10
    assert float(kept[long].float().mean()) == pytest.approx(0.3, abs=0.06)


def test_a_static_encoder_is_adapted_and_stays_one(static_folder: Path, corpus: Path, tmp_path: Path) -> None:
    settings = {"interpolation.weights": [1.0], "training.learning_rate": 0.1, "training.max_steps": 3}
    record = _adapt(tmp_path / "run", corpus, static_folder, "none", settings=settings)
    assert record["recipe"]["name"] == "adapt-static"
    model = SentenceTransformer(str(tmp_path / "run" / "model"))
    assert [type(module) for module in model] == [StaticEmbedding]
    before, after = (_tensors(folder)["embedding.weight"] for folder in (static_folder, tmp_path / "run" / "model"))
    moved = (after - before).abs()
    # Of the order of rate x root mean square per step.
    assert 0.01 < float(moved.max()) < 1


@pytest.mark.parametrize("objective", [card.name for card in OBJECTIVES if card.trains_static])
def test_every_objective_that_static_encoders_are_promised_trains_them(
    objective: str, static_folder: Path, sentences: list[str], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus.txt"
    lines = [line.replace('"', "") for line in sentences]
    if objective == "simcse-supervised":
        corpus = corpus.with_suffix(".tsv")
        lines = ["sent0\tsent1\thard_neg", *(f"{line}\t{line}!\t{line[::-1]}" for line in lines)]
    elif objective == "documents":
        lines = [f"{line}\n" if number % 8 == 7 else line for number, line in enumerate(lines)]
    corpus.write_text("\n".join(lines) + "\n", "utf-8")
    settings = {"interpolation.weights": [1.0], "training.max_steps": 2}
    _adapt(tmp_path / "run", corpus, static_folder, "none", objective={"sda": "sda-aa"}.get(objective, objective), settings=settings)
    before, after = (_tensors(folder)["embedding.weight"] for folder in (static_folder, tmp_path / "run" / "model"))
    assert not torch.equal(before, after)


def test_another_objective_brings_its_augmentations_and_no_head() -> None:
    recipe = adapt_recipe("mini-bert", objective="augcse")
    assert (recipe.name, recipe.objective.name, recipe.objective.options()["projection"]) == ("adapt", "augcse", "none")
    assert recipe.augmentation.names
    assert recipe.training.learning_rate == adapt_recipe("mini-bert").training.learning_rate == 2e-5


def test_another_pooling_is_no_mix_of_the_start(finished: Path) -> None:
    with pytest.raises(UserError, match=r"interpolation\.weights interpolate .* leave model\.pooling out"):
        build_encoder(adapt_recipe(str(finished), settings={"model.pooling": "cls"}))


def test_the_report_says_what_is_kept(gained: Path) -> None:
    from augcse.report.record import load_record
    from augcse.report.runs import ReportedRun
    from augcse.report.words import _kept_sentence

    record = load_record(gained)
    kept = record["kept"]
    assert _kept_sentence(ReportedRun("run", gained, record, {})).startswith(f"{kept['weight']:.3g} of step {kept['step']} and")
    start = {**record, "kept": {**kept, "weight": 0.0}}
    assert "so the model as it was given is kept" in _kept_sentence(ReportedRun("run", gained, start, {}))

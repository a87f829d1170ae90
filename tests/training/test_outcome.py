"""Before, best and last: what a run says of itself, and that the start is kept where nothing is better."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

from augcse import evaluate, train
from augcse.cli.app import app
from augcse.config import load_recipe
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.samples import bootstrap_generator, compared
from augcse.evaluation.selection import read_selection
from augcse.evaluation.tasks.sts import LoadedPairs
from augcse.report.page import runs_page
from augcse.report.runs import load_runs
from augcse.resources import DEMO_PAIRS
from augcse.training.outcome import describe_gain, interpolation_rows, outcome_of, outcome_rows, with_test_scores
from augcse.training.run_warnings import warnings_of
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {"batch_size": 40, "max_steps": 10, "training.precision": "fp32", "learning_rate": 1e-3}
CURVES = [
    {"step": 0, "eval_pairs": 45.0, "eval_other": 1.0},
    {"step": 10, "loss": 2.0},
    {"step": 10, "eval_pairs": 50.0, "eval_other": 2.0},
    {"step": 20, "eval_pairs": 44.0, "eval_other": 3.0},
]


def _pairs(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def cosines(tiny_backbone: Path) -> list[tuple[float, str, str]]:
    """Pairs of the demo, each with the untrained model's own cosine."""
    encoder, pairs = load_encoder(str(tiny_backbone), "cls"), read_pairs(DEMO_PAIRS)
    left, right = (torch.tensor(encoder.encode(side[:60])) for side in (pairs.first, pairs.second))
    values = torch.nn.functional.cosine_similarity(left, right).tolist()
    return list(zip(values, pairs.first[:60], pairs.second[:60], strict=True))


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory, cosines: list[tuple[float, str, str]]) -> str:
    """Pairs graded by the opposite of the start's cosines: it has -100, and whatever training does is better."""
    lines = [f"{1 - cosine:.8f}\t{first}\t{second}" for cosine, first, second in cosines]
    return _pairs(tmp_path_factory.mktemp("dev") / "mine.tsv", lines)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Path:
    folder = tmp_path_factory.mktemp("scored") / "run"
    train("simcse-mini", corpus=corpus, output=folder, model=str(tiny_backbone), dev=dev, workers=1, **SETTINGS)
    return folder


@pytest.fixture(scope="module")
def perfect_start(tmp_path_factory: pytest.TempPathFactory, cosines: list[tuple[float, str, str]]) -> str:
    """Pairs graded by the start's own cosines: it has 100, and nothing can score above it."""
    lines = [f"{cosine:.8f}\t{first}\t{second}" for cosine, first, second in cosines]
    return _pairs(tmp_path_factory.mktemp("perfect") / "own.tsv", lines)


def _record(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


def test_the_start_is_scored_as_it_was_given(run: Path, tiny_backbone: Path, dev: str) -> None:
    pairs = LoadedPairs(read_pairs(Path(dev)))
    expected = pairs.score(*encode_distinct(load_encoder(str(tiny_backbone), "cls"), pairs.sentences()))
    # But for ties in the grades' last digit.
    assert expected == pytest.approx(-100.0, abs=0.5)
    assert _record(run)["before"] == {"step": 0, "dev": {"mine": pytest.approx(expected, abs=1e-6)}, "test": {}}


def test_the_curve_begins_at_0_and_holds_what_the_record_says(run: Path) -> None:
    record = _record(run)
    curve = {entry["step"]: entry["eval_mine"] for entry in record["curves"] if "eval_mine" in entry}
    assert list(curve) == [0, 2, 3, 4, 5, 7, 8, 9, 10]
    best = max(curve, key=lambda step: (curve[step], -step))
    assert record["best"] == {"step": best, "dev": {"mine": curve[best]}, "test": {}}
    assert record["last"] == {"step": 10, "dev": {"mine": curve[10]}, "test": {}}
    assert record["kept_step"] == best


def test_the_gain_of_the_kept_step_has_a_paired_interval(run: Path, tiny_backbone: Path, dev: str) -> None:
    record = _record(run)
    pairs = LoadedPairs(read_pairs(Path(dev)))
    first, second = (
        pairs.measured(*encode_distinct(model, pairs.sentences())).sample
        for model in (load_encoder(str(tiny_backbone), "cls"), load_encoder(str(run / "model")))
    )
    expected = compared(first, second, bootstrap_generator(record["recipe"]["training"]["seed"], "gain"), 1000)
    gain = record["gain"]
    assert gain["name"] == "mine"
    assert gain["difference"] == pytest.approx(expected.difference)
    assert gain["difference"] == pytest.approx(record["best"]["dev"]["mine"] - record["before"]["dev"]["mine"], abs=1e-3)
    assert gain["interval"] == pytest.approx(asdict(expected.interval))
    words = describe_gain(record)
    assert words.startswith(f"mine: {gain['difference']:+.2f} over the start, 95 % interval")
    assert words in (run / "model" / "README.md").read_text("utf-8")
    assert f"which chose it, {record['before']['dev']['mine']:.2f} became" in runs_page(load_runs([run]))
    assert "a clear gain" in runs_page(load_runs([run]))


def test_a_difference_that_rounds_to_0_has_no_sign() -> None:
    interval = {"low": -0.004, "high": 0.004, "level": 0.95, "resamples": 1000}
    mix = {"weight": 0.05, "dev": {"pairs": 50.0}, "from_start": {"difference": -0.001, "interval": interval}}
    _, rows = interpolation_rows({"interpolation": {"curve": [mix]}})
    assert rows == [["0.05", "50.00", "0.00", "0.00 to 0.00"]]
    gain = {"name": "pairs", "difference": -0.001, "interval": {**interval, "high": 1.0}}
    assert describe_gain({"gain": gain}).startswith("pairs: 0.00 over the start, 95 % interval 0.00 to +1.00")


@pytest.mark.parametrize(
    ("kept_low", "best_low", "said"), [(-0.13, 0.11, True), (0.01, 0.11, False), (-0.13, -0.01, False)], ids=["said", "both", "neither"]
)
def test_a_best_mix_that_is_clearly_better_where_the_kept_one_is_not_is_named(kept_low: float, best_low: float, said: bool) -> None:
    def above(difference: float, low: float, high: float) -> dict[str, Any]:
        return {"difference": difference, "interval": {"low": low, "high": high, "level": 0.95, "resamples": 1000}, "p_value": 0.1}

    kept, best = above(0.29, kept_low, 1.05), above(1.34, best_low, 2.71)
    curve = [
        {"weight": weight, "dev": {"pairs": 50 + difference}, "from_start": compared}
        for weight, difference, compared in ((0.0, 0, None), (0.2, 0.29, kept), (1.0, 1.34, best))
    ]
    words = describe_gain({"gain": {"name": "pairs", **kept}, "interpolation": {"weight": 0.2, "curve": curve}})
    sentence = (
        ". Weight 1 is clearly better than the start, +1.34, 95 % interval +0.11 to +2.71; interpolation.choice=best keeps the best mix"
    )
    assert words.endswith(sentence) == said
    assert ("interpolation.choice" in words) == said


@pytest.mark.parametrize(("low", "chance"), [(0.1, False), (-0.1, True)])
def test_a_gain_that_may_be_chance_is_called_so(low: float, chance: bool) -> None:
    gain = {"name": "pairs", "difference": 1.0, "interval": {"low": low, "high": 2.0, "level": 0.95, "resamples": 1000}, "p_value": 0.1}
    assert ("which may be chance" in describe_gain({"gain": gain})) == chance
    assert describe_gain({"gain": None}) == describe_gain({}) == ""


def test_the_card_names_the_step_that_is_kept(run: Path) -> None:
    record = _record(run)
    card = (run / "model" / "README.md").read_text("utf-8")
    assert record["kept_step"] > 0
    assert f"Step {record['kept_step']} of 10, the best on mine." in card
    assert f"| mine (dev) | {record['before']['dev']['mine']:.2f} | {record['best']['dev']['mine']:.2f} |" in card


def test_the_report_says_it_and_draws_the_users_own_scores(run: Path) -> None:
    record = _record(run)
    text = runs_page(load_runs([run]))
    assert "mine while training, x 100" in text
    cells = [
        f'<td data-label="{moment}"><span>{record[moment]["dev"]["mine"]:.2f}<small>step {record[moment]["step"]}</small></span></td>'
        for moment in ("before", "best")
    ]
    assert "".join(cells) in text


def test_where_nothing_is_better_the_start_is_kept_and_that_is_said(
    perfect_start: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    warnings: list[str] = []
    train(
        "simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), dev=perfect_start, workers=1,
        watcher=Watcher(warn=warnings.append), **SETTINGS,
    )  # fmt: skip
    record = _record(tmp_path / "run")
    assert record["kept_step"] == record["best"]["step"] == 0
    start = record["before"]["dev"]["own"]
    assert start == record["best"]["dev"]["own"] == pytest.approx(100.0, abs=0.5)
    assert record["last"]["dev"]["own"] < start
    load_encoder(str(tiny_backbone), "cls").save_pretrained(str(tmp_path / "start"), create_model_card=False)
    kept, given = (load_file(tmp_path / name / "model.safetensors") for name in ("run/model", "start"))
    # The file has no pooler, which nothing reads.
    assert [name for name, value in given.items() if "pooler" not in name and not torch.equal(kept[name], value)] == []
    assert "none of the 10 steps scored above it on own" in (tmp_path / "run" / "model" / "README.md").read_text("utf-8")
    [warning] = [warning for warning in warnings if "training did not help" in warning]
    assert f"no step scored above the start's {start:.2f} on own" in warning
    assert "try 0.0001" in warning


def test_the_command_prints_before_best_and_last(corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    arguments = ["train", "simcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--dev", dev, "--output", tmp_path / "run"]
    result = CliRunner().invoke(app, [*map(str, arguments), "--set", "batch_size=40", "--set", "max_steps=2", "--workers", "1"])
    assert result.exit_code == 0
    record = _record(tmp_path / "run")
    header, row, other_header, other_row = (line.split() for line in result.stdout.splitlines() if line)
    assert header == f"score x 100 before (step 0) best (step {record['kept_step']}) last (step 2)".split()
    assert row == ["mine", "(dev)", *(f"{record[moment]['dev']['mine']:.2f}" for moment in ("before", "best", "last"))]
    assert other_header == "training-free baseline mean sif whitened static hybrid".split()
    assert other_row == ["mine", "(dev)", *(f"{found['dev']['mine']:.2f}" for found in record["baselines"].values())]
    assert "static: a static encoder of its word embeddings" in result.stderr
    assert f"step {record['kept_step']} of 2 is kept" in result.stderr
    assert (describe_gain(record) in result.stderr) == (record["kept_step"] > 0)


def test_test_scores_stand_beside_those_of_the_start_which_are_kept_for_the_next_run(
    data_folder: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    settings = {**SETTINGS, "max_steps": 2}

    def once(name: str) -> dict[str, Any]:
        run = train(
            "simcse-mini", corpus=corpus, output=tmp_path / name, model=str(tiny_backbone), data=data_folder, dev="none",
            test="STSB-dev", workers=1, **settings,
        )  # fmt: skip
        return run.record

    first = once("first")
    expected = evaluate(str(tiny_backbone), ["STSB-dev"], data_folder, pooling="cls").scores
    assert first["before"] == {"step": 0, "dev": {}, "test": pytest.approx(expected)}
    assert first["best"] is None
    assert first["last"]["test"] == first["scores"]
    assert first["kept_step"] == 2
    with monkeypatch.context() as patch:
        patch.setattr("augcse.evaluation.run_scores._score_start", lambda *given: pytest.fail("the start was scored again"))
        assert once("second")["before"] == first["before"]


def test_outcome_takes_every_score_of_a_step() -> None:
    outcome = with_test_scores(outcome_of(CURVES, 20, 10), {"STSB": 1.0}, {"STSB": 2.0})
    assert outcome == {
        "before": {"step": 0, "dev": {"pairs": 45.0, "other": 1.0}, "test": {"STSB": 1.0}},
        "best": {"step": 10, "dev": {"pairs": 50.0, "other": 2.0}, "test": {"STSB": 2.0}},
        "last": {"step": 20, "dev": {"pairs": 44.0, "other": 3.0}, "test": {}},
        "kept_step": 10,
    }
    header, rows = outcome_rows(outcome)
    assert header == ["score x 100", "before (step 0)", "best (step 10)", "last (step 20)"]
    assert rows[0] == ["pairs (dev)", "45.00", "50.00", "44.00"]
    assert rows[2] == ["STSB", "1.00", "2.00", "-"]


def test_nothing_scored_is_no_row() -> None:
    outcome = with_test_scores(outcome_of([{"step": 10, "loss": 1.0}], 10, None), {}, {})
    assert outcome_rows(outcome) == (["score x 100", "before (step 0)", "last (step 10)"], [])
    assert outcome["best"] is None
    assert outcome["kept_step"] == 10


@pytest.mark.parametrize(
    ("best_step", "test", "messages"),
    [
        (10, {}, ["the score on pairs fell after step 10: 50.00 there, 44.00 after the last step, 20; model/ holds step 10."]),
        (0, {}, ["training did not help: no step scored above the start's 45.00 on pairs (the last, 20, has 44.00)"]),
        (20, {}, []),
        (20, {"avg": 59.0}, ["training made the model worse on the test tasks: avg 60.00 before, 59.00 after step 20."]),
        (20, {"avg": 60.0}, []),
        (None, {"avg": 59.0}, ["training made the model worse on the test tasks: avg 60.00 before, 59.00 after step 20."]),
    ],
)
def test_what_went_wrong_is_said_with_what_to_change(best_step: int | None, test: dict[str, float], messages: list[str]) -> None:
    outcome = with_test_scores(outcome_of(CURVES, 20, best_step), {"avg": 60.0} if test else {}, test)
    warnings = warnings_of(outcome, load_recipe("simcse-mini"))
    assert len(warnings) == len(messages)
    for warning, message in zip(warnings, messages, strict=True):
        assert warning.startswith(message)
        assert "Try a lower training.learning_rate (now 0.0003; try 3e-05)" in warning


@pytest.mark.parametrize(("dev", "fell"), [("none", True), ("a=1,b=0.5", True), ("a=1,b=4.9", True), ("a=1,b=5", False)])
def test_a_fall_is_clear_by_a_point_of_the_scores_that_are_summed(dev: str, fell: bool) -> None:
    weight = read_selection(dev).total_weight
    warnings = warnings_of(outcome_of(CURVES, 20, 10), load_recipe("simcse-mini"), dev_weight=weight)
    assert any("fell after step 10" in warning for warning in warnings) == fell


def test_a_run_tells_its_warnings_the_weights_of_its_score(
    corpus: Path, tiny_backbone: Path, dev: str, perfect_start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    monkeypatch.setattr("augcse.pipeline.warnings_of", lambda *arguments, dev_weight: given.append(dev_weight) or [])
    settings = {**SETTINGS, "max_steps": 1}
    train(
        "simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), dev=f"{dev}=2,{perfect_start}=0.5", workers=1,
        **settings,
    )  # fmt: skip
    assert given == [2.5]


def test_a_finished_encoder_is_not_told_to_take_another_pooling_than_its_own() -> None:
    outcome = outcome_of(CURVES, 20, 0)
    [own] = warnings_of(outcome, load_recipe("simcse-mini"), own_modules=True)
    [changed] = warnings_of(outcome, load_recipe("simcse-mini", {"pooling": "cls"}), own_modules=True)
    [bare] = warnings_of(outcome, load_recipe("simcse-mini"))
    assert "pooling" not in own
    assert "model.pooling=own, now cls" in changed
    assert "model.pooling=mean" in bare


def test_a_run_that_ended_with_nothing_but_the_start_can_be_begun_anew(
    perfect_start: str, dev: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    class Killed(Exception):
        pass

    def kill(step: int, figures: object) -> None:
        if step == 1:
            raise Killed

    arguments: dict[str, Any] = {"corpus": corpus, "output": tmp_path / "run", "model": str(tiny_backbone), "workers": 1, **SETTINGS}
    with pytest.raises(Killed):
        train("simcse-mini", dev=perfect_start, watcher=Watcher(advance=kill), **arguments)
    assert (tmp_path / "run" / "checkpoints" / "best").exists()
    # The start's score of 100 on other pairs is gone with it.
    assert train("simcse-mini", dev=dev, **arguments).record["kept_step"] > 0

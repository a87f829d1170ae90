"""Which runs are seeds of one another, what they are called, and what their differences are to."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augcse.errors import UserError
from augcse.files import names_by_folder
from augcse.report.curves import discriminator_figure
from augcse.report.local_files import local_backbone
from augcse.report.outcome import outcome_section
from augcse.report.page import runs_page
from augcse.report.runs import ReportedRun, differing_settings, group_name, groups, load_runs
from augcse.report.scores import difference, scored_rows
from augcse.report.words import leading_run
from augcse.resources import MINI_BERT
from augcse.training.inputs import write_inputs

RECORD: dict[str, Any] = {
    "recipe": {
        "name": "augcse-mini",
        "model": {"backbone": "mini-bert", "pooling": "own"},
        "objective": {"name": "augcse", "alpha": -1.0},
        "augmentation": {"names": ["RandomSwap"]},
        "training": {"seed": 1, "learning_rate": 1e-4},
    },
    "corpus": [{"path": "a/text.txt", "sha256": "0" * 64}],
    "data": {"folder": "data", "sha256": {"sts/STSB/test.tsv": "1"}},
    "dev": "stsb",
    "scores": {"STSB": 60.0, "mine": 42.0},
    "curves": [{"step": 0, "eval_stsb_dev": 58.0}, {"step": 5, "contrastive": 1.0}, {"step": 5, "eval_stsb_dev": 61.0}],
    "steps": 5,
    "precision": "fp32",
    "wall_time_s": 1.0,
    "peak_memory_mb": 2.0,
    "hardware": {"processor": "one"},
    "before": {"step": 0, "dev": {"stsb_dev": 58.0}, "test": {"STSB": 55.0, "mine": 40.0}},
    "best": {"step": 5, "dev": {"stsb_dev": 61.0}, "test": {"STSB": 60.0, "mine": 42.0}},
    "last": {"step": 5, "dev": {"stsb_dev": 61.0}, "test": {"STSB": 60.0, "mine": 42.0}},
    "kept_step": 5,
}


def _run(name: str, change: Callable[[dict[str, Any]], None] = lambda record: None, models: dict[str, str] | None = None) -> ReportedRun:
    record = copy.deepcopy(RECORD)
    change(record)
    return ReportedRun(name, Path(name), record, models or {})


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        target: Any = record
        for part in parents:
            target = target[int(part) if part.isdigit() else part]
        target[last] = value

    return change


CHANGES = {
    "model": _set("recipe.model.backbone", "other"),
    "pooling": _set("recipe.model.pooling", "mean"),
    "corpus": _set("corpus.0.sha256", "2" * 64),
    "data": _set("data.sha256", {"sts/STSB/test.tsv": "2"}),
    "augmentations": _set("recipe.augmentation.names", ["RandomCrop"]),
    "objective": _set("recipe.objective.alpha", 1.0),
    "learning rate": _set("recipe.training.learning_rate", 2e-4),
    "dev": _set("dev", "mine.tsv"),
    "precision": _set("precision", "bf16"),
}
SAME = {
    "seed": _set("recipe.training.seed", 2),
    "the corpus's path": _set("corpus.0.path", "b/moved.txt"),
    "the data's path": _set("data.folder", "elsewhere"),
    "no data read": _set("data", None),
    "data that only one has": _set("data.sha256", {"sts/STSB/test.tsv": "1", "sts/STS12/test.tsv": "2"}),
    "scores": _set("scores.STSB", 1.0),
    "time": _set("wall_time_s", 9.0),
}


@pytest.mark.parametrize("what", list(CHANGES))
def test_runs_that_differ_are_not_seeds_of_one_setting(what: str) -> None:
    runs = [_run("one"), _run("two", CHANGES[what])]
    assert groups(runs) == [[runs[0]], [runs[1]]]
    assert "Over seeds" not in runs_page(runs)
    assert len(differing_settings(runs)) == 1


@pytest.mark.parametrize("what", list(SAME))
def test_runs_that_differ_in_nothing_that_decides_are_seeds(what: str) -> None:
    runs = [_run("one"), _run("two", SAME[what])]
    assert groups(runs) == [runs]
    assert differing_settings(runs) == {}
    assert "Over seeds" in runs_page(runs)


def test_a_model_folder_of_other_content_is_another_model() -> None:
    runs = [_run("one", models={"model.backbone": "a"}), _run("two", models={"model.backbone": "b"})]
    assert len(groups(runs)) == 2
    assert len({scored.name for scored in scored_rows(runs).rows if scored.kind == "before"}) == 2


def test_models_are_read_of_the_inputs_and_damaged_ones_are_done_without(tmp_path: Path) -> None:
    for name in ("one", "two", "none"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(json.dumps(RECORD), "utf-8")
    write_inputs(tmp_path / "one", {"models": {"model.backbone": "a"}})
    (tmp_path / "two" / "inputs.json").write_text("{}", "utf-8")
    runs = load_runs([tmp_path / "one", tmp_path / "two", tmp_path / "none"])
    assert [dict(run.models) for run in runs] == [{"model.backbone": "a"}, {}, {}]
    assert [run.name for run in runs] == ["one", "two", "none"]


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (["/runs/a"], ["a"]),
        (["/runs/a", "/runs/b"], ["a", "b"]),
        (["/x/runs/a", "/y/runs/a"], ["x/runs/a", "y/runs/a"]),
        (["/x/a", "/y/a", "/y/b"], ["x/a", "y/a", "b"]),
        (["/a", "/x/a"], ["//a", "x/a"]),
        (["/"], ["/"]),
    ],
    ids=lambda value: "-".join(value),
)
def test_runs_are_named_by_folder(folders: list[str], names: list[str]) -> None:
    assert names_by_folder([Path(folder) for folder in folders]) == names


def test_of_many_seeds_the_first_are_named() -> None:
    assert group_name([_run(str(number)) for number in range(5)]) == "0, 1, 2 and 2 more"


def test_differing_settings_say_which_run_has_which() -> None:
    runs = [_run("one"), _run("two", CHANGES["learning rate"]), _run("three")]
    assert differing_settings(runs) == {"training.learning_rate": {"0.0001": ["one", "three"], "0.0002": ["two"]}}


def _difference(name: str, baseline: str, task: str = "STSB") -> float | None:
    runs = [_run("one"), _run("two", _set("scores.STSB", 64.0))]
    beside = [("static", {"model": "static-model", "scores": {"STSB": 66.0}})]
    scored = scored_rows(runs, beside, baseline)
    return difference(next(row for row in scored.rows if row.name == name), task, scored)


@pytest.mark.parametrize(
    ("baseline", "name", "expected"),
    [
        ("before", "one", 5.0),
        ("before", "two", 9.0),
        ("before", "static", 11.0),
        ("before", "before training: mini-bert", None),
        ("one", "one", None),
        ("one", "two", 4.0),
        ("one", "before training: mini-bert", -5.0),
        ("one/", "two", 4.0),
        ("static", "two", -2.0),
        ("static-model", "two", -2.0),
    ],
)
def test_a_difference_is_the_score_minus_the_baselines(baseline: str, name: str, expected: float | None) -> None:
    assert _difference(name, baseline) == expected


def test_a_task_that_one_of_them_lacks_has_no_difference() -> None:
    assert _difference("two", "static", "mine") is None


def test_runs_of_other_starts_are_compared_to_their_own() -> None:
    runs = [_run("one"), _run("two", lambda record: (CHANGES["model"](record), _set("before.test", {"STSB": 50.0})(record)))]  # type: ignore[arg-type, return-value]
    scored = scored_rows(runs)
    assert [row.name for row in scored.rows] == ["before training: mini-bert", "before training: other", "one", "two"]
    assert [difference(row, "STSB", scored) for row in scored.rows] == [None, None, 5.0, 10.0]


@pytest.mark.parametrize(
    ("scores", "starts"),
    [
        ({"STSB": 55.0}, 1),
        ({"STSB": 55.0, "SICKR": 30.0}, 1),
        ({"STSB": 54.9, "SICKR": 30.0}, 2),
        # Nothing says whether the other length changes the start.
        ({"SICKR": 30.0}, 2),
    ],
)
def test_runs_that_began_with_one_model_have_one_start(scores: dict[str, float], starts: int) -> None:
    def change(record: dict[str, Any]) -> None:
        record["recipe"]["model"]["max_len_tokens"] = 64
        record["before"]["test"] = scores

    found = [row for row in scored_rows([_run("one"), _run("two", change)]).rows if row.kind == "before"]
    assert len(found) == starts
    assert [row.scores for row in found] == (
        [{"STSB": 55.0, "mine": 40.0} | scores] if starts == 1 else [{"STSB": 55.0, "mine": 40.0}, scores]
    )


@pytest.mark.parametrize(
    ("backbone", "start", "name"),
    [
        ("mini-bert", None, "mini-bert"),
        ("mini-bert", {"steps": ["whiten"]}, "the start built of mini-bert"),
        ("google-bert/bert-base-uncased", None, "bert-base-uncased"),
        # The last part of a run's model is that of every run.
        ("runs/best/model", None, "best/model"),
        ("/home/me/best/model/", {"steps": ["whiten"]}, "the start built of best/model"),
        ("model", None, "model"),
    ],
)
def test_a_start_is_called_what_it_is(backbone: str, start: dict[str, Any] | None, name: str) -> None:
    def change(record: dict[str, Any]) -> None:
        record["recipe"].update(model={"backbone": backbone}, start=start)

    run = _run("one", change)
    assert [row.name for row in scored_rows([run]).rows] == [f"before training: {name}", "one"]
    assert f"augcse-mini trained {name} on text.txt" in runs_page([run])


def test_an_unknown_baseline_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="--baseline three: no row of that name; known: before, before training: mini-bert, one"):
        scored_rows([_run("one")], baseline="three")


def test_what_has_no_score_before_training_says_so() -> None:
    text = runs_page([_run("one", lambda record: record.pop("before"))])
    assert "test scores before training of one: the record does not hold them; train again" in text


def test_the_time_of_a_resumed_run_counts_from_its_last_resume() -> None:
    text = runs_page([_run("one", lambda record: record.update(resumed_from_steps=[2, 4], wall_time_s=7.0))])
    assert "5 steps, 7 seconds since the resume at step 4." in text
    assert ">7 since the resume at step 4</td>" in text
    assert "5 steps in 1 seconds." in runs_page([_run("one")])


def test_the_summary_leads_with_the_run_of_the_best_dev_score() -> None:
    better = _run("two", _set("best.dev", {"stsb_dev": 63.0}))
    text = runs_page([_run("one"), better])
    assert "Above: <b>two</b>, the best by its dev score, stsb_dev" in text
    assert "Above: <b>one</b>, the first of 2 with the best dev score, stsb_dev" in runs_page([_run("one"), _run("two")])
    other = _run("two", _set("best.dev", {"mine_dev": 63.0}))
    assert "Above: <b>one</b>, the first given" in runs_page([_run("one"), other])


def _mixed(weight: float) -> Callable[[dict[str, Any]], None]:
    """A run whose kept model is a mix; with weight 0 the start."""
    dev = {0.0: 58.0, 0.3: 63.0, 1.0: 61.0}
    step = 5 if weight else 0
    kept = {"step": step, "weight": weight, "dev": {"stsb_dev": dev[weight]}, "test": {"STSB": 57.0 if weight else 55.0, "mine": 41.0}}
    curve = [{"weight": mix, "dev": {"stsb_dev": score}} for mix, score in dev.items()]
    return lambda record: record.update(
        kept=kept, kept_step=step, scores=kept["test"], interpolation={"trained_step": 5, "weight": weight, "curve": curve}
    )


def test_the_model_that_is_kept_is_told_from_the_best_step_where_weights_were_mixed() -> None:
    text = runs_page([_run("plain"), _run("mixed", _mixed(0.3)), _run("given", _mixed(0.0))])
    assert text.count("Before, best, last</h2>") == 1
    assert "kept</th>" in text.split("Runs</h2>")[0]
    assert "63.00<small>weight 0.3 of step 5</small>" in text
    assert "58.00<small>the start</small>" in text
    # It leads by what is kept of it: 63 against the other's 61.
    assert "STSB after step 5, 0.3 of it and 0.7 of the start" in text
    assert "Kept is the best" in text
    alone = runs_page([_run("plain")])
    assert "STSB after step 5" in alone
    assert "kept</th>" not in alone.split("Runs</h2>")[0]
    start = runs_page([_run("given", _mixed(0.0))])
    assert "STSB of the start, which is kept" in start
    assert "<span>change" in alone
    assert "<span>change" not in start


def test_a_best_mix_that_is_clearly_better_where_the_kept_one_is_not_is_named() -> None:
    def unsure(record: dict[str, Any]) -> None:
        _mixed(0.3)(record)
        interval = {"low": -0.1, "high": 2.0, "level": 0.95, "resamples": 1000}
        kept, best = {"difference": 1.0, "interval": interval}, {"difference": 3.0, "interval": {**interval, "low": 1.0}}
        for mix, compared in zip(record["interpolation"]["curve"], (None, kept, best), strict=True):
            mix["from_start"] = compared
        record["interpolation"]["curve"][2]["dev"] = {"stsb_dev": 64.0}
        record["gain"] = {"name": "stsb_dev", **kept}

    sentence = (
        "Weight 1 is clearly better than the start, +3.00, 95 % interval +1.00 to +2.00; interpolation.choice=best keeps the best mix."
    )
    assert sentence in runs_page([_run("mixed", unsure)])
    assert "interpolation.choice" not in runs_page([_run("mixed", _mixed(0.3))])


def _averaged(record: dict[str, Any]) -> None:
    for scores in (record["scores"], *(record[moment]["test"] for moment in ("before", "best", "last"))):
        scores["avg"] = 50.0


def test_of_many_runs_the_averages_stand_before_best_and_last() -> None:
    few, many = (outcome_section([_run(f"run-{number}", _averaged) for number in range(count)]) for count in (3, 4))
    assert few is not None
    assert many is not None
    assert "<small>STSB</small>" in few.parts[0]
    assert "<small>STSB</small>" not in many.parts[0]
    assert many.parts[0].count("<small>avg</small>") == many.parts[0].count("<small>stsb_dev (dev)</small>") == 4
    assert "the scores of each test are above" in many.text


def test_what_costs_nothing_is_shown_once_for_runs_that_share_it() -> None:
    def beside(static: float, hybrid: float) -> Callable[[dict[str, Any]], None]:
        scores = {name: {"dev": {"stsb_dev": value}, "test": {"STSB": value}} for name, value in (("static", static), ("hybrid", hybrid))}
        return _set("baselines", scores)

    section = outcome_section([_run("one", beside(68.0, 66.0)), _run("two", beside(68.0, 67.0)), _run("other", beside(65.0, 66.0))])
    assert section is not None
    shown = "".join(section.parts)
    assert "one and 1 more: training-free baselines" in shown
    assert "other: training-free baselines" in shown
    # Each run's own hybrid is there.
    own = shown.split(">hybrid</th>")[1].split("</table>")[0]
    assert own.index("one") < own.index("66.00") < own.index("two") < own.index("67.00")
    assert [value in own for value in ("66.00", "67.00", "68.00")] == [True, True, False]


def test_a_run_without_baselines_is_no_other_run_s(tmp_path: Path) -> None:
    hybrid = _set("baselines", {"hybrid": {"dev": {"stsb_dev": 66.0}, "test": {"STSB": 66.0}}})
    section = outcome_section([_run("none"), _run("own", hybrid)])
    assert section is not None
    assert "own: training-free baselines" in "".join(section.parts)


def test_old_and_new_runs_together_are_drawn_by_the_figure_that_both_have() -> None:
    old = _set("curves", [{"step": 5, "discriminator_accuracy": 0.4}])
    new = _set("curves", [{"step": 5, "discriminator_accuracy": 0.4, "discriminator_balanced_accuracy": 0.3, "discriminator_chance": 0.2}])
    assert discriminator_figure([_run("old", old).record, _run("new", new).record]) == "discriminator_accuracy"
    assert discriminator_figure([_run("none").record, _run("new", new).record]) == "discriminator_balanced_accuracy"


def _selected_by(path: str, sha256: str) -> dict[str, Any]:
    return {"weights": {}, "files": {"mine": [{"path": path, "sha256": sha256}]}}


def _with_inputs(folder: Path, name: str, path: str, sha256: str, dev_score: float = 61.0) -> Path:
    """A run's folder that says what its model was selected by."""
    run = folder / name
    run.mkdir()
    moment = {"step": 5, "dev": {"mine": dev_score}, "test": {}}
    (run / "run.json").write_text(json.dumps(RECORD | {"dev": path, "best": moment, "last": moment}), "utf-8")
    write_inputs(run, {"dev": _selected_by(path, sha256)})
    return run


def test_runs_are_selected_by_the_same_where_the_content_is(tmp_path: Path) -> None:
    folders = [_with_inputs(tmp_path, name, f"{name}/mine.tsv", "a" * 64) for name in ("one", "two")]
    runs = load_runs(folders)
    assert len(groups(runs)) == 1
    assert differing_settings(runs) == {}


def test_scores_by_files_of_one_name_and_other_content_are_not_ranked(tmp_path: Path) -> None:
    folders = [_with_inputs(tmp_path, "one", "mine.tsv", "a" * 64), _with_inputs(tmp_path, "two", "mine.tsv", "b" * 64, 99.0)]
    runs = load_runs(folders)
    assert leading_run(runs).name == "one"
    assert "the first given" in runs_page(runs)
    assert [value.startswith("mine.tsv (") for value in differing_settings(runs)["dev"]] == [True, True]
    alike = load_runs([folders[0], _with_inputs(tmp_path, "three", "mine.tsv", "a" * 64, 99.0)])
    assert leading_run(alike).name == "three"


def test_a_run_without_a_dev_score_does_not_lead_and_does_not_keep_another_from_leading() -> None:
    unscored = _run("unscored", lambda record: record.update(dev="none", best=None, last={"step": 5, "dev": {}, "test": {}}))
    better = _run("better", lambda record: record["best"]["dev"].update(stsb_dev=70.0))
    runs = [unscored, _run("scored"), better]
    assert leading_run(runs).name == "better"
    assert "the best by its dev score" in runs_page(runs)
    assert leading_run([unscored]).name == "unscored"


@pytest.mark.parametrize("holds", [False, True], ids=["a run", "another model"])
def test_a_folder_that_is_called_as_a_bundled_model_is_not_taken_for_it(
    holds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mini-bert"
    folder.mkdir()
    (folder / ("config.json" if holds else "run.json")).write_text("{}", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert local_backbone(_run("mini-bert")) == MINI_BERT


def test_a_start_that_is_kept_is_said() -> None:
    text = runs_page([_run("one", lambda record: record.update(kept_step=0, best={**record["before"]}, scores=record["before"]["test"]))])
    assert "No step scored above the start, so the model as it was given is kept." in text


def test_a_start_that_the_recipe_built_is_not_called_the_given_model() -> None:
    def keep_the_start(record: dict[str, Any]) -> None:
        record["recipe"]["start"] = {"steps": ["whiten"]}
        record.update(kept_step=0, best={**record["before"]}, scores=record["before"]["test"])

    built = _run("built", keep_the_start)
    text = runs_page([built])
    assert "No step scored above the start, so the start that the recipe built of mini-bert is kept." in text
    assert "Before training the start that the recipe built of mini-bert; the step with the best dev score" in text
    assert "as it was given" not in text
    assert "Before training the start of each run; the step" in runs_page([built, _run("given")])


def test_a_bare_backbone_is_named_with_the_pooling_that_the_recipe_gave_it() -> None:
    def keep_the_start(record: dict[str, Any]) -> None:
        record["recipe"]["model"] |= {"pooling": "own", "bare_pooling": "cls"}
        record.update(own_modules=False, kept_step=0, best={**record["before"]}, scores=record["before"]["test"])

    text = runs_page([_run("bare", keep_the_start)])
    assert "so the untouched mini-bert with cls pooling is kept." in text
    assert "before training: mini-bert (cls pooling)" in text
    assert "as it was given" not in text


@pytest.mark.parametrize(("score", "is_said"), [(101.0, True), (-101.0, False)])
def test_a_baseline_that_is_better_than_the_kept_model_is_said_in_words(score: float, is_said: bool) -> None:
    def with_mean(record: dict[str, Any]) -> None:
        [name, *_] = record["best"]["dev"]
        record["baselines"] = {"mean": {"dev": {name: score}, "test": {}}}

    text = runs_page([_run("one", with_mean)])
    assert ("Better, and trained no further: the untouched backbone&#x27;s mean of tokens" in text) == is_said


def test_fifty_runs_stay_small() -> None:
    def long(seed: int) -> Callable[[dict[str, Any]], None]:
        def change(record: dict[str, Any]) -> None:
            record["recipe"]["training"] = {"seed": seed % 5, "learning_rate": seed * 1e-5}
            record["curves"] = [{"step": step, "contrastive": 1 / (step + 1), "eval_stsb_dev": 50 + step / 1e4} for step in range(5000)]
            record["scores"] = {f"task {number}": 50.0 + number for number in range(20)}

        return change

    page = runs_page([_run(f"run-{seed}", long(seed)) for seed in range(50)])
    assert len(page.encode()) < 10_000_000
    assert page.count('data-label="model">run-') == 50

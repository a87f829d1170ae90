"""Grids, rows, cells and seeds: every combination once, refusals by name, folders that are unique."""

from __future__ import annotations

import itertools
import re
import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.cli.sweep import named_files
from augcse.config import load_recipe
from augcse.errors import UserError
from augcse.pipeline import check_names
from augcse.recipe_toml import to_toml
from augcse.sweeping.cost import Rate, cost_of, duration, needed_sentences, rate_key, steps_of
from augcse.sweeping.file import has_published, plan_of_file, read_plan, sweep_names
from augcse.sweeping.grid import combinations, number_of_cells, parse_grid
from augcse.sweeping.plan import Published, SweepPlan, SweepRow, cells_of, check_values, folder_name, parse_seeds
from augcse.sweeping.request import SweepRequest
from augcse.training.store.used_roles import check_used_roles

FILE = """# Two objectives.
seeds = [1, 2]
corpora = ["wiki", "mixed"]
dev = "none"
test = []

[settings]
"training.max_steps" = 7

[[row]]
recipe = "simcse-mini"
grid = { temperature = [0.05, 0.1] }

[[row]]
name = "random batches"
recipe = "simcse-mini"
corpora = ["mixed"]
settings = { batches = "random" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(FILE, "utf-8")
    return path


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.integers(), min_size=1, max_size=3, unique=True)))
def test_every_combination_is_there_once(grid: dict[str, list[int]]) -> None:
    found = [tuple(sorted(settings.items())) for settings in combinations(grid)]
    assert len(set(found)) == len(found) == number_of_cells(grid)
    assert all(settings[key] in grid[key] for settings in map(dict, found) for key in grid)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("k=1,2", [1, 2]),
        ("k=0.1", [0.1]),
        ("k=cls,mean", ["cls", "mean"]),
        ("k=true,false", [True, False]),
        ("k=1,mean", [1, "mean"]),
        ('k=["a", "b"],["c"]', [["a", "b"], ["c"]]),
        ('k="a,b","c"', ["a,b", "c"]),
    ],
)
def test_values_are_toml_or_texts(text: str, values: list[object]) -> None:
    assert parse_grid([text]) == {"k": values}


@pytest.mark.parametrize("text", ["k", "=1", "k=", " = "])
def test_what_is_no_grid_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="write key=value,value"):
        parse_grid([text])


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"temprature": [1]}, "--grid temprature=1: .*did you mean objective.temperature"),
        ({"batch_size": ["many"]}, "--grid batch_size=many: .*training.batch_size is 'many'"),
        ({"batch_size": [64, 64]}, "--grid batch_size: 64 is given twice"),
        ({"training.seed": [1]}, "--grid training.seed: the seeds are not part of a grid"),
        ({"batch_size": []}, "--grid batch_size: no value"),
        ({"objective.alpha": [1.0]}, "--grid objective.alpha=1: .*alpha"),
    ],
)
def test_a_value_is_refused_before_combinations_are_made(grid: dict[str, list[object]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        check_values(SweepPlan("s", (SweepRow("s", "simcse-mini", grid=grid),)), {})


@pytest.mark.parametrize(
    ("grid", "overrides"),
    [
        ({"temperature": [0.1, 0.2]}, {"objective.temperature": 0.5}),
        ({"objective.temperature": [0.1, 0.2]}, {"temperature": 0.5}),
        ({"batch_size": [8, 16], "training.batch_size": [32, 64]}, {}),
    ],
)
def test_a_key_given_twice_is_refused_however_it_is_spelt(grid: dict[str, list[object]], overrides: dict[str, object]) -> None:
    key = list(grid)[-1]
    with pytest.raises(UserError, match=f"--grid {key} is among the settings or in the grid too.*; give it once"):
        check_values(SweepPlan("s", (SweepRow("s", "simcse-mini", grid=grid),)), overrides)


@pytest.mark.parametrize("key", ["max_steps", "training.max_steps"])
def test_the_command_line_beats_the_row_and_the_row_the_file_however_a_key_is_spelt(key: str, file: Path) -> None:
    file.write_text(FILE.replace('batches = "random"', 'batches = "random", max_steps = 9'), "utf-8")
    plan = plan_of_file(file)
    assert [cell.recipe.training.max_steps for cell in cells_of(plan, {})] == [7, 7, 7, 7, 9]
    assert {cell.recipe.training.max_steps for cell in cells_of(plan, {key: 3})} == {3}


def test_a_setting_of_the_objective_that_an_earlier_one_names_is_found() -> None:
    settings = ({"objective.name": "augcse", "augmentation.names": ["RandomSwap"]}, {"alpha": 0.5})
    (cell,) = cells_of(SweepPlan("s", (SweepRow("s", "simcse-mini", settings),)), {"objective.alpha": 1.5})
    assert cell.recipe.objective.options()["alpha"] == 1.5


def test_values_that_agree_in_six_digits_are_cells_of_their_own() -> None:
    row = SweepRow("s", "simcse-mini", grid={"learning_rate": [0.0001000001, 0.0001000002, 1e-4]})
    cells = cells_of(SweepPlan("s", (row,)), {})
    assert [cell.name for cell in cells] == [f"s, learning_rate={value}" for value in ("0.0001000001", "0.0001000002", "0.0001")]


def test_the_same_cell_twice_is_refused() -> None:
    rows = (SweepRow("one", "simcse-mini"), SweepRow("two", "simcse-mini", settings=({"objective.temperature": 0.1},)))
    with pytest.raises(UserError, match="one and two are the same setting"):
        cells_of(SweepPlan("s", rows), {})


def test_a_file_is_rows_times_grid_times_texts(file: Path) -> None:
    cells = cells_of(plan_of_file(file), {})
    assert [cell.name for cell in cells] == [
        "simcse-mini, temperature=0.05, wiki",
        "simcse-mini, temperature=0.05, mixed",
        "simcse-mini, temperature=0.1, wiki",
        "simcse-mini, temperature=0.1, mixed",
        "random batches, mixed",
    ]
    assert {cell.recipe.training.max_steps for cell in cells} == {7}
    assert [cell.recipe.training.batches for cell in cells][-2:] == ["equal-length", "random"]
    assert {cell.seeds for cell in cells} == {(1, 2)}
    assert plan_of_file(file).header == "Two objectives."


def test_a_row_alone_has_the_cells_of_the_whole(file: Path) -> None:
    alone = read_plan(str(file), {}, ["random batches"])
    assert cells_of(alone, {}) == cells_of(plan_of_file(file), {})[-1:]
    assert alone.corpora == ("mixed",)


@pytest.mark.parametrize("given", [["wiki=w.txt", "mixed=m.txt"], ["mixed=m.txt"], ["m.txt"]])
def test_a_row_alone_takes_the_texts_of_the_whole_command(given: list[str], file: Path) -> None:
    found = named_files(str(file), ["random batches"], given)
    assert found["mixed"] == [Path("m.txt")]


def test_a_row_of_the_published_recipes_alone_is_found_with_published() -> None:
    with pytest.raises(UserError, match="unknown row 'AugCSE, RoBERTa'"):
        named_files("augcse-table5", ["AugCSE, RoBERTa"], ["m.txt"])
    assert named_files("augcse-table5", ["AugCSE, RoBERTa"], ["m.txt"], published=True) == [Path("m.txt")]


def test_a_file_without_a_name_is_refused_where_the_rows_have_several_texts(file: Path) -> None:
    with pytest.raises(UserError, match=r"trains on wiki, mixed; write NAME=FILE, e\.g\. --corpus wiki=m\.txt"):
        named_files(str(file), [], ["m.txt"])


def test_a_grid_of_the_command_line_is_laid_over_every_row(file: Path) -> None:
    plan = read_plan(str(file), {"batch_size": [16, 32]})
    assert plan.number_of_cells == len(cells_of(plan, {})) == 10
    with pytest.raises(UserError, match=r"--grid temperature: .*row 1: of .*study.toml has it already"):
        read_plan(str(file), {"temperature": [0.2]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seeds = [1, 2]", "seeds = [1, 1]"), "seeds: 1 is given twice"),
        (("seeds = [1, 2]", "seeds = []"), "seeds: no seed"),
        (("dev =", "dve ="), "unknown key 'dve'; did you mean dev"),
        (('recipe = "simcse-mini"\ngrid', 'recpie = "x"\ngrid'), "row.1.recpie: unknown key 'recpie'; did you mean recipe"),
        (('corpora = ["mixed"]', 'corpora = ["mixt"]'), "row 2: unknown corpus 'mixt'; did you mean mixed"),
        (("test = []", 'test = "sts"'), "test is 'sts'"),
    ],
)
def test_a_file_is_refused_by_key(file: Path, change: tuple[str, str], message: str) -> None:
    file.write_text(FILE.replace(*change), "utf-8")
    with pytest.raises(UserError, match=f"study.toml: {message}|study.toml: .*{message}"):
        plan_of_file(file)


@pytest.mark.parametrize("tests", ['test = ["sts"]', ""], ids=["of the file", "of the recipe"])
def test_without_data_tests_that_were_asked_for_are_refused_and_stated_ones_left_out(tests: str, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(f'{tests}\n[[row]]\nrecipe = "simcse-mini"\n', "utf-8")
    stated = SweepRequest(read_plan(str(path), {}), {})
    assert stated.evaluation(stated.cells[0]).tests == ()
    asked = SweepRequest(read_plan(str(path), {}), {}, test=("sts",))
    with pytest.raises(UserError, match="--test sts needs --data"):
        asked.evaluation(asked.cells[0])


def test_settings_are_values_of_every_recipe_which_keywords_replace() -> None:
    stated = {"training.max_steps": 5, "temperature": 0.5}
    (cell,) = SweepRequest.of("simcse-mini", settings=stated, max_steps=7).cells
    assert cell.recipe.training.max_steps == 7
    assert cell.recipe.objective.options()["temperature"] == 0.5


def test_one_text_in_a_grid_is_one_value() -> None:
    request = SweepRequest.of("augcse-mini", grid={"names": "4-aug-2", "pooling": "cls", "batch_size": (16, 32)})
    assert [cell.name.partition(", ")[2] for cell in request.cells] == [
        f"names=4-aug-2, pooling=cls, batch_size={size}" for size in (16, 32)
    ]


def test_a_misspelt_name_is_neither_recipe_nor_sweep() -> None:
    with pytest.raises(UserError, match="unknown recipe or sweep 'benchmark-mni'; did you mean benchmark-mini"):
        read_plan("benchmark-mni", {})


def test_seeds_come_from_the_command_the_file_or_the_recipe(tmp_path: Path, file: Path) -> None:
    plan = plan_of_file(file)
    assert {cell.seeds for cell in cells_of(plan, {}, (5,))} == {(5,)}
    recipe = tmp_path / "mine.toml"
    text = to_toml(load_recipe("simcse-mini"))
    recipe.write_text(f"seeds = [3, 4]\n{text}", "utf-8")
    (cell,) = cells_of(read_plan(str(recipe), {}), {})
    assert cell.seeds == (3, 4)
    assert cells_of(read_plan("simcse-mini", {}), {})[0].seeds == (42,)
    # A run knows its own seed alone.
    assert "seeds" not in to_toml(cell.recipe_of(3))
    assert cell.recipe_of(3).training.seed == 3
    assert "seeds" not in cell.recipe.model_dump()


@pytest.mark.parametrize(("cells", "refused"), [(500, False), (501, True)])
def test_the_limit_of_runs_counts_the_seeds_of_a_recipe(cells: int, refused: bool, tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text(f"seeds = [3, 4]\n{to_toml(load_recipe('simcse-mini'))}", "utf-8")
    request = SweepRequest(read_plan(str(recipe), {"batch_size": range(2, 2 + cells)}), {})
    with pytest.raises(UserError, match=r"501 cells with their seeds are 1,002 runs.*--yes") if refused else nullcontext():
        request.check_size()


@pytest.mark.parametrize("text", ["", "1,,2", "-1", "1.5", "one", "1,1", "9" * 21, "4294967296"])
def test_what_is_no_list_of_seeds_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--seeds"):
        parse_seeds(text)


@given(st.text(min_size=1, max_size=300))
def test_folders_have_plain_short_names(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._=+-]{1,100}", folder_name(name))
    assert not folder_name(name).startswith(".")


def test_a_section_that_is_missing_is_told_with_the_keys_that_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[objective]\nname = "simcse"\n[training]\nlearning_rate = 1e-4\nbatch_size = 8\n', "utf-8")
    with pytest.raises(
        UserError, match="model is missing; give a table with backbone; optional: pooling, bare_pooling, max_len_tokens, dr"
    ):
        load_recipe(str(path))


@pytest.mark.parametrize(
    ("seeds", "message"),
    [("[1, 1]", "1 is given twice"), ('["a"]', "'a' is not a seed; give"), ("3", "3 is not a list of seeds")],
)
def test_seeds_of_a_recipe_are_checked_like_those_of_a_sweep(seeds: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"seeds = {seeds}\n{to_toml(load_recipe('simcse-mini'))}", "utf-8")
    with pytest.raises(UserError, match=rf"mine.toml: seeds: {message}"):
        load_recipe(str(path))
    with pytest.raises(UserError, match=message):
        load_recipe("simcse-mini", {"seeds": tomllib.loads(f"seeds = {seeds}")["seeds"]})


def test_an_empty_list_of_seeds_in_a_recipe_is_its_one_seed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"seeds = []\n{to_toml(load_recipe('simcse-mini'))}", "utf-8")
    assert cells_of(read_plan(str(path), {}), {})[0].seeds == (42,)
    assert load_recipe("simcse-mini", {"seeds": []}).seeds == ()


@pytest.mark.parametrize("name", sweep_names())
def test_the_bundled_sweeps_are_whole_and_are_no_recipes(name: str) -> None:
    from augcse.config import recipe_names

    for published in (False, True)[: 1 + has_published(name)]:
        plan = read_plan(name, {}, published=published)
        check_values(plan, {})
        # Refuses two cells that are the same.
        cells = cells_of(plan, {})
        assert len(cells) == plan.number_of_cells
        for recipe in {cell.recipe.augmentation: cell.recipe for cell in cells}.values():
            check_names(recipe)
        for cell in cells:
            check_used_roles(cell.recipe)
        assert plan.header
    assert name not in recipe_names()


@pytest.mark.parametrize("name", [name for name in sweep_names() if has_published(name)])
def test_a_table_of_a_paper_names_it_and_its_figures(name: str) -> None:
    assert ": " in read_plan(name, {}).header.split("\n")[0]
    for published in (False, True):
        for row in read_plan(name, {}, published=published).rows:
            # A search has no figures of its cells.
            assert (row.published is None) == bool(row.grid)
            figures = row.published.figures.values() if row.published else ()
            assert all(-100 <= figure <= 100 for figure in figures)


def test_sweeps_are_listed_in_the_order_of_the_tables() -> None:
    names = sweep_names()
    assert names.index("augcse-table2-14") < names.index("augcse-table10-11")


PAPER = """recipe = "simcse-mini"
settings = { temperature = 0.05 }
published_recipe = "simcse-bert"
published_settings = { batch_size = 32 }
published_of = "A, Table 1, BERT-base"

[[row]]
name = "wide"
settings = { learning_rate = 1e-5 }
published_settings = { batch_size = 16 }
published = { "STS avg" = 70.5, loss = -3 }

[[row]]
name = "large"
recipe = "augcse-mini"

[[row]]
name = "learning rates"
grid = { learning_rate = [1e-4, 1e-3] }
"""


def test_published_recipes_stand_in_for_the_bundled_ones(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(PAPER, "utf-8")
    small, full = cells_of(read_plan(str(path), {}), {}), cells_of(read_plan(str(path), {}, published=True), {})
    assert [cell.recipe.name for cell in small] == ["simcse-mini", "augcse-mini", "simcse-mini", "simcse-mini"]
    assert [cell.recipe.name for cell in full] == ["simcse-bert"] * 4
    assert [cell.recipe.training.batch_size for cell in full] == [16, 32, 32, 32]
    assert small[0].recipe.objective.options()["temperature"] == 0.05
    assert {cell.recipe.training.learning_rate for cell in (small[0], full[0])} == {1e-5}
    assert small[0].published == full[0].published == Published("A, Table 1, BERT-base", {"STS avg": 70.5, "loss": -3.0})
    assert small[1].published is None


def test_a_row_without_the_recipe_asked_for_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[row]]\npublished_recipe = "simcse-bert"\n[[row]]\nrecipe = "simcse-mini"\n', "utf-8")
    assert [row.recipe for row in read_plan(str(path), {}).rows] == ["simcse-mini"]
    assert [row.recipe for row in read_plan(str(path), {}, published=True).rows] == ["simcse-bert"]


def test_the_cost_is_that_of_all_runs_by_the_rate_of_their_kind() -> None:
    plan = SweepPlan("s", (SweepRow("s", "simcse-mini", ({"max_steps": 100},), {"batch_size": [32, 64]}),), (1, 2, 3))
    cells = cells_of(plan, {})
    rates = {rate_key(cells[0].recipe): Rate(0.5, 10.0), rate_key(cells[1].recipe): Rate(1.0, 20.0)}
    cost = cost_of(cells, {cell.name: 10_000 for cell in cells}, rates, 2)
    assert (cost.runs, cost.steps, cost.seconds) == (6, 600, (3 * (50 + 10) + 3 * (100 + 20)) / 2)
    # Two runs are resumed, one of them after its last step.
    done = {cells[0].run_name(1): 60, cells[1].run_name(3): 100}
    resumed = cost_of(cells, {cell.name: 10_000 for cell in cells}, rates, 2, done)
    assert (resumed.runs, resumed.steps, resumed.seconds) == (6, 440, (240 * 0.5 + 3 * 10 + 200 * 1.0 + 3 * 20) / 2)
    # A short text has fewer steps.
    assert cost_of(cells, {cell.name: 640 for cell in cells}, rates, 1).steps == 3 * (20 + 10)
    # No rate and no size that was measured: no time.
    other = cells_of(SweepPlan("s", (SweepRow("s", "simcse-bert", ({"backbone": "other/model"},)),)), {})
    assert cost_of(other, {"s": 6_400}, {}, 1).seconds is None
    assert cost_of(other, {}, {}, 1).steps is None
    # BERT-base by a measured step of 64 sentences: 100 of them.
    bert = cells_of(SweepPlan("s", (SweepRow("s", "simcse-bert"),)), {})
    assert 2_000 < (cost_of(bert, {"s": 6_400}, {}, 1).seconds or 0) < 4_000


@pytest.mark.parametrize(("epochs", "max_steps", "rows"), itertools.product([0.5, 1, 3], [-1, 1, 10], [64, 100, 5_000]))
def test_a_text_is_counted_as_far_as_its_steps_need(epochs: float, max_steps: int, rows: int) -> None:
    training = load_recipe("simcse-mini", {"epochs": epochs, "max_steps": max_steps, "batch_size": 32}).training
    needed = needed_sentences(training)
    seen = rows if needed is None else min(rows, needed)
    assert steps_of(training, seen) == steps_of(training, rows)


def test_durations_have_units() -> None:
    assert [duration(seconds) for seconds in (1, 600, 36_000, 1e6)] == ["1 s", "10 min", "10.0 h", "11.6 days"]

"""The pages of the objectives: cards, results after 200 steps, and programs for your own trainer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from augcse.config import load_recipe, recipe_names
from augcse.encoding.static.training import DROPOUT_RATE
from augcse.objectives.base import OBJECTIVES, ObjectiveCard
from augcse.report.record import load_record
from augcse.report.runs import curve
from augcse.report.table import Table
from docs_pages.layout import DOCS, NOTE, RESULTS, option_lines

TESTS = DOCS.parent / "tests" / "objectives"
# Four rows for the programs of trainer.md; the last augmented text is its original.
EXAMPLE_TEXTS = {
    "original": ["The mill was built in 1847.", "She does not like rain.", "They sold three old cars.", "The choir sings on Sundays."],
    "augmented": [
        "The mill was erected in 1847.",
        "She doesn't like rain.",
        "They three sold old cars.",
        "The choir sings on Sundays.",
    ],
    "positive": ["The mill dates from 1847.", "She dislikes rain.", "Three old cars were sold.", "On Sundays the choir sings."],
    "negative": ["The mill burnt down in 1847.", "She likes rain.", "They bought three old cars.", "The choir never sings."],
    "next": ["It still grinds flour.", "She stays at home then.", "Nobody wanted the fourth.", "Everyone may join."],
}


def objectives() -> str:
    header = ["objective", "paper", "equation", "recipes", "test"]
    rows = []
    for card in OBJECTIVES:
        of_name = [recipe for recipe in recipe_names() if load_recipe(recipe).objective.name == card.name]
        rows.append([f"[{card.name}](#{card.name})", card.paper, card.equation, ", ".join(of_name), _test_of(card.class_name)])
    sections = "\n".join(map(_objective, OBJECTIVES))
    intro = (
        "# Objectives\n\nEach is a loss for `SentenceTransformerTrainer` too: `from augcse.objectives import SimCSELoss`"
        " ([a program for each](trainer.md)).\n\n"
    )
    return NOTE + intro + Table(header, rows).markdown() + "\n\n" + _objective_runs() + "\n" + sections


def _test_of(class_name: str) -> str:
    """Return a link to the test file that names the class most often."""
    mentions = {path.name: path.read_text("utf-8").count(class_name) for path in sorted(TESTS.glob("test_*.py"))}
    best = max(mentions, key=lambda file: mentions[file])
    return f"[{best}](../tests/objectives/{best})" if mentions[best] else "-"


def _objective(card: ObjectiveCard) -> str:
    return (
        f"## {card.name}\n\n{card.description}\n\n- class: `augcse.objectives.{card.class_name}`\n"
        f"- views: {', '.join(card.views)}\n" + option_lines(card.options)
    )


def _objective_runs() -> str:
    """The records of scripts/objective_runs.py as a table: STS-B dev of the untrained encoder and of the trained ones."""
    untrained = json.loads((RESULTS / "objectives" / "untrained" / "evaluation.json").read_text("utf-8"))["scores"]["STSB-dev"]
    rows, rates = [], set()
    for path in sorted(RESULTS.glob("objectives/*/run.json")):
        record = load_record(path)
        rates.add(f"{record['recipe']['model']['dropout_rate']:g}")
        points = curve(record, "eval_stsb_dev")
        # Records of before a run scored its own start are all of recipes that pool the first token, as the untrained one is.
        before = record.get("before", {}).get("dev", {}).get("stsb_dev", untrained)
        step, last = points[-1]
        best_step, best = max(points, key=lambda point: point[1])
        scores = [f"{before:.2f}", f"{last:.2f}", f"{best:.2f} ({best_step})"]
        rows.append([record["recipe"]["name"], record["recipe"]["objective"]["name"], f"{step:,}", *scores])
    text = (
        "## After 200 steps\n\nSTS-B dev (Spearman x 100) before and after 200 steps on mini-bert, one seed, on 20,000 Wikipedia sentences;"
        " for the recipes that read the next sentence, as many in document order; for those with labelled rows, NLI triplets"
        " (`scripts/objective_runs.py`; the records are in [results/objectives](results/objectives)). It shows that each objective"
        " learns, not which is better, as one seed and 12,800 sentences rank nothing; for that, see"
        " [the benchmark](results/benchmark-mini.md). Dropout rate of these runs:"
        f" {', '.join(sorted(rates))}; what the recipes have now, they say.\n\n"
    )
    return (
        text
        + Table(["recipe", "objective", "steps", "before", "after", "best (step)"], rows).markdown()
        + "\n"
        + _mixed_runs()
        + _not_run(rows)
    )


def _not_run(rows: list[list[str]]) -> str:
    """Name the objectives that have no record yet, so that nobody takes them for measured."""
    mixed = {load_record(path)["recipe"]["objective"]["name"] for path in RESULTS.glob("objectives-mixed/*/run.json")}
    absent = sorted({card.name for card in OBJECTIVES} - {row[1] for row in rows} - mixed)
    return f"\nNot run yet, so nothing is said of what they are worth: {', '.join(absent)}.\n" if absent else ""


def _mixed_runs() -> str:
    """The records on mixed text as a table, SimCSE's with the same settings above."""
    records = sorted(map(load_record, RESULTS.glob("objectives-mixed/*/run.json")), key=lambda record: record["recipe"]["name"])
    if not records:
        return ""
    records.sort(key=lambda record: record["recipe"]["name"] != "simcse-mini")
    rows = []
    for record in records:
        points = curve(record, "eval_stsb_dev")
        best_step, best = max(points, key=lambda point: point[1])
        scores = [f"{points[0][1]:.2f}", f"{points[-1][1]:.2f}", f"{best:.2f} ({best_step})"]
        rows.append([record["recipe"]["name"], record["recipe"]["objective"]["name"], f"{record['steps']:,}", *scores])
    text = (
        "\nOn 28,000 sentences of mixed text, with the temperature, projection, dropout and learning rate of simcse-mini, so that a row"
        " differs from it in its own terms alone; one seed, STS-B dev, no test score (`scripts/objective_runs.py mixed.txt --results"
        " docs/results/objectives-mixed`):\n\n"
    )
    return text + Table(["recipe", "objective", "steps", "before", "after", "best (step)"], rows).markdown() + "\n"


def trainer() -> str:
    """Return the page of the losses in sentence-transformers' own trainer: per objective its columns and a program that runs."""
    intro = (
        "# The losses in a trainer of your own\n\nEvery objective is a loss for sentence-transformers' `SentenceTransformerTrainer`. It"
        " takes the text columns in their order, whatever they are called, and a column `label` where one is named below. Its heads and"
        " discriminators are trained with the encoder and are not saved with it. Weights that a folder stores in half precision, as"
        " `mini-bert`'s are, are trained in float32: the loss turns the model into it. Each program here is run by a test"
        " (`tests/objectives/test_trainer_page.py`); more rows, and batches of 64 rather than 4, are what makes one useful.\n\n"
        f"[Static encoders](static.md) can be trained with {_static_names()}; the other losses work inside a transformer and refuse them. A"
        f" static encoder has no dropout: in train mode the loss leaves out {DROPOUT_RATE:.0%} of a text's tokens at random, as `augcse"
        " adapt` does, so that two passes of a text differ.\n\n"
        "What a stock trainer leaves out and `augcse train` does: it keeps heads and discriminators in checkpoints, and parses and"
        " augments the corpus before it trains. To make augmented columns: `augcse.augment`, or [`datasets.map`](datasets.md).\n\n"
        "With `gradient_checkpointing=True` each of them computes the same numbers as without. TSDAE's decoder, a second pass through the"
        " encoder's layers, is left out of it and keeps its hidden states, so that TSDAE saves less memory than the others.\n\n"
        "`MatryoshkaLoss` can wrap none of them: it needs one number in place of named terms, and no head, since a head has a fixed width."
        " Let it wrap sentence-transformers' `MultipleNegativesRankingLoss` instead, which is SimCSE's loss without a head if a text column"
        " is given twice, and SDA's if its augmentations are the second column.\n"
    )
    return NOTE + intro + "".join(map(_trainer_example, OBJECTIVES)) + _task_example()


def _static_names() -> str:
    *names, last = (card.name for card in OBJECTIVES if card.trains_static)
    return f"{', '.join(names)} and {last}"


def _trainer_example(card: ObjectiveCard) -> str:
    columns: dict[str, list[Any]] = {view: EXAMPLE_TEXTS[view] for view in card.views}
    if card.takes_labels:
        # Every row's augmentation is one of two here: 0 for the first, 1 for the second, 2 for "unchanged".
        columns["label"] = [0, 0, 1, 2]
    loss = f"{card.class_name}({'model, num_augmentations=2' if card.takes_labels else 'model'})"
    return f"\n## {card.name}\n\n{card.description}\n\nColumns: {card.inputs}\n\n" + _program(card.class_name, columns, loss)


def _task_example() -> str:
    """Return the section of the loss that no recipe names, since a recipe's section [task] adds it."""
    text = (
        "\n## A labelled task beside the loss\n\n`JointSupervisedLoss(loss, num_labels)` adds to any of them a linear layer on the first"
        " column's embedding: cross entropy over `num_labels` classes, or mean squared error with `num_labels=1`. With `pair=True` it reads"
        " the embeddings of the first two columns, and the loss gets the columns without the second. `weight` is the task's factor. The"
        " layer is not saved with the encoder. `augcse train` does the same by a recipe's section `[task]` ([labelled"
        " data](labelled.md)).\n\n"
        "Columns: those of the loss, and a column `label`: whole numbers from 0 to `num_labels - 1`, or any numbers with `num_labels=1`."
        " Where the loss needs a label too, each row's label is a list of both, the task's first.\n\n"
    )
    columns: dict[str, list[Any]] = {"original": EXAMPLE_TEXTS["original"], "label": [0, 1, 0, 1]}
    return text + _program("JointSupervisedLoss, SimCSELoss", columns, "JointSupervisedLoss(SimCSELoss(model), num_labels=2)")


def _program(imported: str, columns: Mapping[str, list[Any]], loss: str) -> str:
    """Return a program that trains with a loss on four rows."""
    lines = [
        "from datasets import Dataset",
        "from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments",
        "",
        f"from augcse.objectives import {imported}",
        "from augcse.resources import MINI_BERT",
        "",
        "model = SentenceTransformer(str(MINI_BERT))",
        "columns = {",
        *(f'    "{name}": {json.dumps(values)},' for name, values in columns.items()),
        "}",
        "rows = Dataset.from_dict(columns)",
        "arguments = SentenceTransformerTrainingArguments(",
        '    "my-model", per_device_train_batch_size=4, max_steps=2, learning_rate=1e-4, report_to="none"',
        ")",
        f"loss = {loss}",
        "trainer = SentenceTransformerTrainer(model=model, args=arguments, train_dataset=rows, loss=loss)",
        "trainer.train()",
    ]
    return "```python\n" + "\n".join(lines) + "\n```\n"

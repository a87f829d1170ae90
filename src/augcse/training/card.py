"""The model card: what a stranger must know of the model, from the run's record."""

from __future__ import annotations

from typing import Any

from augcse.training.outcome import outcome_rows

_ROLES = {
    "names": "Augmentations",
    "positives": "Augmentations as positives",
    "negatives": "Augmentations as negatives",
    "neutral": "Augmentations as either, judged row by row",
}


def model_card(record: dict[str, Any]) -> str:
    """Return the README.md of the model folder, with the metadata that the Hugging Face hub reads."""
    recipe = record["recipe"]
    lines = [
        "---",
        "library_name: sentence-transformers",
        "pipeline_tag: sentence-similarity",
        "tags: [sentence-transformers, sentence-similarity, feature-extraction, augcse]",
        "---",
        "",
        f"# {recipe['name']}",
        "",
        f"A sentence encoder trained with augcse {record['versions']['augcse']} from {_source(recipe)}:"
        f" objective {recipe['objective']['name']}, backbone {recipe['model']['backbone']}; modules: {'; '.join(record['modules'])}.",
        "",
        "```python",
        "from sentence_transformers import SentenceTransformer",
        "",
        'model = SentenceTransformer("path/to/this/folder")',
        'embeddings = model.encode(["One sentence.", "Another one."])',
        "```",
        "",
        f"{_kept(record)} Steps of {recipe['training']['batch_size']} sentences, learning rate"
        f" {recipe['training']['learning_rate']}, seed {recipe['training']['seed']}, {record['precision']}.",
    ]
    for role, title in _ROLES.items():
        if recipe["augmentation"][role]:
            lines += ["", f"{title}: {', '.join(recipe['augmentation'][role])}."]
    header, rows = outcome_rows(record)
    if rows:
        lines += ["", "Before training, of this model, and of the last step (STS: Spearman, SimCSE's protocol):", ""]
        lines += [_row(header), _row(["---", *["---:"] * (len(header) - 1)]), *map(_row, rows)]
    return "\n".join(lines) + "\n"


def _source(recipe: dict[str, Any]) -> str:
    """Say what it was trained on: plain text, rows of several sentences, a labelled task."""
    columns, task = recipe["corpus"]["columns"], recipe["task"]
    if not columns and not task:
        return "plain text, without labels"
    rows = "a table" + (f" ({', '.join(f'{view}: {column}' for view, column in columns.items())})" if columns else "")
    return rows + (f" with a {task['kind']} of column {task['label']} beside the objective" if task else "")


def _kept(record: dict[str, Any]) -> str:
    """Say which step the model is of."""
    kept, steps, best = record["kept_step"], record["steps"], record["best"]
    if best is None:
        return f"Trained for {steps} steps."
    by = next(iter(best["dev"]), "dev")
    if kept == 0:
        return f"The model as it was given: none of the {steps} steps scored above it on {by}."
    return f"Step {kept} of {steps}, the best on {by}."


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"

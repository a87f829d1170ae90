"""The model card: what a stranger must know of the model, from the run's record."""

from __future__ import annotations

from typing import Any

_ROLES = {
    "names": "Augmentations",
    "positives": "Augmentations as positives",
    "negatives": "Augmentations as negatives",
    "neutral": "Augmentations as either, judged row by row",
}


def model_card(record: dict[str, Any]) -> str:
    """Return the README.md of the model folder, with the metadata that the Hugging Face hub reads."""
    recipe = record["recipe"]
    scores = record["scores"]
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
        f" objective {recipe['objective']['name']}, backbone {recipe['model']['backbone']}, pooling {recipe['model']['pooling']}.",
        "",
        "```python",
        "from sentence_transformers import SentenceTransformer",
        "",
        'model = SentenceTransformer("path/to/this/folder")',
        'embeddings = model.encode(["One sentence.", "Another one."])',
        "```",
        "",
        f"{record['steps']} steps of {recipe['training']['batch_size']} sentences, learning rate {recipe['training']['learning_rate']},"
        f" seed {recipe['training']['seed']}, {record['precision']}.",
    ]
    for role, title in _ROLES.items():
        if recipe["augmentation"][role]:
            lines += ["", f"{title}: {', '.join(recipe['augmentation'][role])}."]
    if scores:
        lines += ["", "Scores x 100 (STS: Spearman, SimCSE's protocol):", "", "| task | score |", "| --- | ---: |"]
        lines += [f"| {task} | {score:.2f} |" for task, score in scores.items()]
    return "\n".join(lines) + "\n"


def _source(recipe: dict[str, Any]) -> str:
    """Say what it was trained on: plain text, rows of several sentences, a labelled task."""
    columns, task = recipe["corpus"]["columns"], recipe["task"]
    if not columns and not task:
        return "plain text, without labels"
    rows = "a table" + (f" ({', '.join(f'{view}: {column}' for view, column in columns.items())})" if columns else "")
    return rows + (f" with a {task['kind']} of column {task['label']} beside the objective" if task else "")

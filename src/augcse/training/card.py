"""The model card of a trained encoder: that of sentence-transformers, with a section on the training, from the run's record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import indent
from typing import TYPE_CHECKING, Any

from augcse.encoding.card import loading_lines
from augcse.encoding.front_matter import ModelOrigin, front_matter, origin_of, shown_name, shown_setting, without_front_matter
from augcse.foreign_code import OUR_MODULES
from augcse.objectives.base import ObjectiveCard, find_objective
from augcse.training.outcome import (
    baseline_rows,
    describe_baselines,
    describe_gain,
    interpolation_rows,
    kept_moment,
    outcome_rows,
    started_from,
)

if TYPE_CHECKING:
    from huggingface_hub import EvalResult
    from sentence_transformers import SentenceTransformer

    from augcse.objectives.sentence_loss import SentenceLoss

_ROLES = {
    "names": "Augmentations",
    "positives": "Augmentations as positives",
    "negatives": "Augmentations as negatives",
    "neutral": "Augmentations as either, judged row by row",
}
# The heading of sentence-transformers' description of the model, before which the section on the training is inserted.
_DETAILS = "## Model Details"
# The hub's names of task and metric, by the ending of a measure's name.
_METRICS = {"Spearman x 100": ("semantic-similarity", "spearman"), "accuracy x 100": ("text-classification", "accuracy")}
_OTHER_METRIC = ("sentence-similarity", "score")
# The selection that needs no labels, and the name of a weighted sum of scores (`augcse.evaluation.selection`).
_PROBE = "probe"
_SUM = "selection"
# A module's lists and tables with more entries are shown by their number.
_SHOWN_ENTRIES = 20


def model_card(record: dict[str, Any], model: SentenceTransformer, measures: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return the README.md of the model folder.

    Args:
        record: the record of the run.
        model: the trained encoder.
        measures: "dev" or "test" -> name of a score -> what it measures, e.g. "Spearman x 100".
    """
    recipe = record["recipe"]
    origin = origin_of(recipe["model"]["backbone"])
    objective = find_objective(recipe["objective"]["name"])
    head = front_matter(
        name=recipe["name"],
        tags=[f"loss:{objective.class_name}", f"dataset_size:{_distinct_rows(record)}"],
        licence=origin.licence,
        languages=origin.languages,
        base_models=[origin.hub_name] if origin.hub_name else [],
        results=_results(record, measures or {}),
    )
    introduction, heading, details = _stock_card(record, model, origin, objective).partition(_DETAILS)
    return head + introduction + "\n".join([*_training_section(record, model, origin), "", ""]) + heading + details


def _stock_card(record: dict[str, Any], model: SentenceTransformer, origin: ModelOrigin, objective: ObjectiveCard) -> str:
    """Return the model card that sentence-transformers generates, without its front matter."""
    from sentence_transformers.base.model_card import generate_model_card
    from sentence_transformers.sentence_transformer.model_card import SentenceTransformerModelCardData

    recipe = record["recipe"]
    options = json.dumps(shown_setting(recipe["objective"]), indent=4, ensure_ascii=False)
    corpus = {
        "name": ", ".join(shown_name(file["path"]) for file in record["corpus"]),
        "size": _distinct_rows(record),
        "columns": [f"<code>{shown_name(view)}</code>" for view in record["prepared"]["views"]],
        "loss": {"fullname": objective.full_name, "config_code": indent(f"```json\n{options}\n```", "  ")},
    }
    data = SentenceTransformerModelCardData(
        language=list(origin.languages),
        license=origin.licence,
        model_name=shown_name(recipe["name"]),
        train_datasets=[corpus],
        # No request to the hub, which shows what it knows of the base model anyway.
        local_files_only=True,
        generate_widget_examples=False,
    )
    data.base_model = origin.hub_name
    # Sets the citation of sentence-transformers itself.
    data.set_losses([])
    data.citations |= _citations(recipe, objective)
    data.register_model(model)
    model.model_card_data = data
    return _with_short_modules(without_front_matter(generate_model_card(model)), model)


def _with_short_modules(card: str, model: SentenceTransformer) -> str:
    """Return the card without the long settings of modules: token weights state each word of a vocabulary, twice."""
    from sentence_transformers.base.modules import Module

    for module in model.modules():
        if isinstance(module, Module):
            shown = ", ".join(f"{key!r}: {_short_value(value)}" for key, value in module.get_config_dict().items())
            card = card.replace(f"{type(module).__name__}({module.get_config_dict()})", f"{type(module).__name__}({{{shown}}})")
    return card


def _short_value(value: object) -> str:
    if isinstance(value, (list, tuple, dict)) and len(value) > _SHOWN_ENTRIES:
        return f"<{len(value):,} entries>"
    return repr(value)


def _citations(recipe: dict[str, Any], objective: ObjectiveCard) -> dict[str, str]:
    """Return the papers of the objective and of what the recipe adds to it, in BibTeX, each by the names of its classes."""
    from augcse.objectives.discriminated import DiscriminatedLoss
    from augcse.objectives.joint import JointSupervisedLoss

    losses: list[type[SentenceLoss]] = [objective.load()]
    if recipe["objective"].get("discriminator") is not None:
        losses.append(DiscriminatedLoss)
    if recipe["task"] is not None:
        losses.append(JointSupervisedLoss)
    names: dict[str, list[str]] = {}
    for loss in losses:
        names.setdefault(loss.traits.citation, []).append(loss.__name__)
    return {", ".join(of_paper): citation for citation, of_paper in names.items()}


def _training_section(record: dict[str, Any], model: SentenceTransformer, origin: ModelOrigin) -> list[str]:
    """Return the lines of the section on training and scores."""
    recipe = record["recipe"]
    lines = [
        "## How it was made",
        "",
        f"A sentence encoder trained with augcse {record['versions']['augcse']} from {_describe_source(record)}:"
        f" objective {recipe['objective']['name']}, backbone {origin.name}; modules: {'; '.join(record['modules'])}.",
        *_describe_start(record),
        "",
        f"{_describe_kept(record)} Steps of {recipe['training']['batch_size']} sentences, learning rate"
        f" {recipe['training']['learning_rate']}, seed {recipe['training']['seed']}, {record['precision']}.",
    ]
    lines += _describe_augmentations(record)
    header, rows = outcome_rows(record)
    if rows:
        lines += ["", "Before training, of this model, and of the last step (STS: Spearman, SimCSE's protocol):", ""]
        lines += [_markdown_row(header), _markdown_row(["---", *["---:"] * (len(header) - 1)]), *map(_markdown_row, rows)]
    if words := describe_gain(record):
        lines += ["", f"On {words}."]
    header, rows = baseline_rows(record)
    if rows:
        lines += ["", f"Training-free baselines, by the same scores ({describe_baselines(record)}):", ""]
        lines += [_markdown_row(header), _markdown_row(["---", *["---:"] * (len(header) - 1)]), *map(_markdown_row, rows)]
    header, rows = interpolation_rows(record)
    if rows:
        lines += ["", f"Mixes of the weights of {started_from(record)} and of the trained one:", ""]
        lines += [_markdown_row(header), _markdown_row(["---:"] * len(header)), *map(_markdown_row, rows)]
    files = [f"- {shown_name(file['path'])}, SHA-256 {file['sha256']}" for file in record["corpus"]]
    lines += ["", "Corpus:", "", *files, "", f"Licence: that of {origin.name} and of the text; this folder adds no terms of its own."]
    if {f"{type(module).__module__}.{type(module).__name__}" for module in model.children()} & set(OUR_MODULES):
        lines += ["", *loading_lines(model)]
    return lines


def _describe_augmentations(record: dict[str, Any]) -> list[str]:
    """Return the lines on the augmentations that the rows were drawn from, by role; [] without one."""
    prepared = record["prepared"]
    drawn = {name for counts in (prepared["label_counts"], *prepared["view_counts"].values()) for name in counts}
    lines = []
    for role, title in _ROLES.items():
        if names := [name for name in record["recipe"]["augmentation"][role] if name in drawn]:
            lines += ["", f"{title}: {', '.join(shown_setting(names))}."]
    return lines


def _describe_start(record: dict[str, Any]) -> list[str]:
    """Return the lines on the post-processing of the backbone before training; [] without one."""
    if not record.get("start"):
        return []
    steps = ", then ".join(record["recipe"]["start"]["steps"])
    return ["", f"Training began with the backbone post-processed on the same text: {steps}."]


def _results(record: dict[str, Any], measures: Mapping[str, Mapping[str, str]]) -> list[EvalResult]:
    """Return the test and dev scores of the saved model as entries of the hub's model-index."""
    from huggingface_hub import EvalResult

    scores = [("test", record["scores"]), ("dev", kept_moment(record).get("dev", {}))]
    results = []
    for split, scores_of_split in scores:
        for name, value in scores_of_split.items():
            measure = measures.get(split, {}).get(name, "score x 100")
            task, metric = next((pair for end, pair in _METRICS.items() if measure.endswith(end)), _OTHER_METRIC)
            results.append(
                EvalResult(
                    task_type=task,
                    task_name=task.replace("-", " ").title(),
                    dataset_type=shown_name(name),
                    dataset_name=shown_name(name),
                    dataset_split=split,
                    metric_type=metric,
                    metric_name=measure,
                    metric_value=round(float(value), 4),
                )
            )
    return results


def _distinct_rows(record: dict[str, Any]) -> int:
    return int(record["prepared"]["distinct"])


def _describe_source(record: dict[str, Any]) -> str:
    """Describe the training data: plain text, rows of several sentences, a labelled task; for plain text, whose labels chose the model."""
    columns, task = record["recipe"]["corpus"]["columns"], record["recipe"]["task"]
    if not columns and not task:
        chosen_by = [] if record["dev"] == _PROBE else [name for name in kept_moment(record).get("dev", {}) if name != _SUM]
        labels = f" (those of {', '.join(map(shown_name, chosen_by))} chose what is kept)" if chosen_by else ""
        return f"plain text, without labels{labels}"
    rows = "a table" + (f" ({', '.join(f'{view}: {column}' for view, column in columns.items())})" if columns else "")
    return rows + (f" with a {task['kind']} of column {task['label']} in addition to the objective" if task else "")


def _describe_kept(record: dict[str, Any]) -> str:
    """Describe which step the saved model is from, or which weights it interpolates."""
    if "kept" in record:
        return _describe_mix(record)
    kept, steps, best = record["kept_step"], record["steps"], record["best"]
    if best is None:
        return f"Trained for {steps} steps."
    by = next(iter(best["dev"]), "dev")
    if kept == 0:
        return f"{_capitalized(started_from(record))}: none of the {steps} steps scored above it on {by}."
    return f"Step {kept} of {steps}, the best on {by}."


def _describe_mix(record: dict[str, Any]) -> str:
    """Describe the weights that the saved model interpolates."""
    weight, interpolation = record["kept"]["weight"], record["interpolation"]
    start = started_from(record)
    after_step = f"after step {interpolation['trained_step']} of {record['steps']}"
    if weight == 0:
        return f"{_capitalized(start)}: no mix of it and of what it was {after_step} scored clearly above it."
    mix = f"{1 - weight:g} times the weights of {start} and {weight:g} times those {after_step}"
    if not interpolation["curve"]:
        return f"{mix}; nothing was scored."
    clear = record["recipe"]["interpolation"]["choice"] == "clear"
    return f"{mix}, {'the smallest weight that is not clearly below the best' if clear else 'the best weight'}."


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _markdown_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"

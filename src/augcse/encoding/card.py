"""The cards of models that were built and not trained: what a user who did not make them must know, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from augcse import __version__
from augcse.encoding.front_matter import ModelOrigin, front_matter
from augcse.foreign_code import OUR_MODULES

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_LICENCE = "Licence: that of {models}{text}; this folder adds no terms of its own."


def postprocess_card(record: dict[str, Any], model: SentenceTransformer, origins: Sequence[ModelOrigin]) -> str:
    """Return the README.md of a post-processed model; `origins`: the model that it was made from, if it has a name."""
    steps = " + ".join(step["name"] for step in record["steps"]) or "pooling"
    pooling = f" with {record['pooling']} pooling" if record["pooling"] else ""
    lines = [
        _front_matter(origins),
        f"# {record['model']}, {steps}",
        "",
        f"The sentence encoder {record['model']}{pooling}, made with augcse {__version__}; no weight of it was trained.",
        f"Embeddings have {record['dim']} dimensions ({record['dim_before']} before).",
        "",
        *loading_lines(model),
        *_step_table_lines(record),
        _LICENCE.format(models=record["model"], text=" and of the text" if record["text"] else ""),
    ]
    return "\n".join(lines) + "\n"


def _front_matter(origins: Sequence[ModelOrigin]) -> str:
    """Return the front matter, with the licence and the languages that all models share."""
    licences = {origin.licence for origin in origins}
    languages = {origin.languages for origin in origins}
    return front_matter(licence=licences.pop() if len(licences) == 1 else None, languages=languages.pop() if len(languages) == 1 else ())


def loading_lines(model: SentenceTransformer) -> list[str]:
    """Return how the folder is loaded: by sentence-transformers alone if every module is its own."""
    types = {f"{type(module).__module__}.{type(module).__name__}" for module in model.children()}
    if not types & set(OUR_MODULES):
        load = ["from sentence_transformers import SentenceTransformer", "", 'model = SentenceTransformer("path/to/this/folder")']
        remark = []
    else:
        load = ["from augcse.encoding.model import load_encoder", "", 'model = load_encoder("path/to/this/folder")']
        named = ", ".join(sorted(name.rpartition(".")[2] for name in types & set(OUR_MODULES)))
        remark = [f"It holds a module of augcse ({named}), which sentence-transformers alone refuses; with augcse installed:", ""]
    return [*remark, "```python", *load, 'embeddings = model.encode(["One sentence.", "Another one."])', "```", ""]


def _step_table_lines(record: dict[str, Any]) -> list[str]:
    """Return the table of steps and the files that they were fitted on; [] without steps."""
    if not record["steps"]:
        return []
    text = record["text"]
    lines = [
        "| step | options | figures |",
        "| --- | --- | --- |",
        *(f"| {step['name']} | {_name_value_pairs(step['options'])} | {_name_value_pairs(step['figures'])} |" for step in record["steps"]),
        "",
        f"Fitted on {text['distinct']:,} distinct sentences of the {text['read']:,} in:",
        "",
        *(f"- {file['name']}, SHA-256 {file['sha256']}" for file in text["files"]),
        "",
    ]
    return lines


def _name_value_pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {'none' if value is None else value}" for name, value in values.items())


def hybrid_card(record: dict[str, Any], model: SentenceTransformer, origins: Sequence[ModelOrigin]) -> str:
    """Return the README.md of a hybrid; `origins`: its parts."""
    names = " + ".join(record["models"])
    dev = record["dev"] or {}
    read = [dev.get("task", ""), *(f"{file['name']} (SHA-256 {file['sha256']})" for file in dev.get("files", []))]
    chosen = {
        "dev": f"chosen among {len(record['grid'])} on {' and '.join(filter(None, read))}",
        "given": "as given",
        "default": "all equal, by default",
    }[record["weights_from"]]
    lines = [
        _front_matter(origins),
        f"# {names}",
        "",
        f"{len(record['models'])} sentence encoders as one, made with augcse {__version__}: their embeddings, each of unit length, scaled"
        f" and put side by side, {record['dim']} dimensions. Weights {chosen}.",
        "",
        *loading_lines(model),
        "| folder | model | weight | dimensions |",
        "| --- | --- | ---: | ---: |",
        *(
            f"| 0_Hybrid/part-{number} | {name} | {weight:g} | {dim} |"
            for number, (name, weight, dim) in enumerate(zip(record["models"], record["weights"], record["dims"], strict=True), start=1)
        ),
        "",
        _LICENCE.format(models=f"each of {', '.join(record['models'])}", text=""),
    ]
    return "\n".join(lines) + "\n"


def soup_card(record: dict[str, Any], model: SentenceTransformer, origins: Sequence[ModelOrigin]) -> str:
    """Return the README.md of a soup; `origins`: the models that it is the mean of."""
    lines = [
        _front_matter(origins),
        f"# The mean of {len(record['models'])} models",
        "",
        f"A sentence encoder whose weights are the mean of those of {', '.join(record['models'])}, made with augcse {__version__};"
        f" nothing was trained. Embeddings have {record['dim']} dimensions.",
        "",
        *loading_lines(model),
        _LICENCE.format(models=f"each of {', '.join(record['models'])}", text=""),
    ]
    return "\n".join(lines) + "\n"

"""The model card of a static encoder: what a user who did not make it must know, from its record."""

from __future__ import annotations

from typing import Any

from augcse.encoding.front_matter import front_matter

_STOCK = ("from sentence_transformers import SentenceTransformer", 'SentenceTransformer("path/to/this/folder")')
_OURS = ("from augcse.encoding.model import load_encoder", 'load_encoder("path/to/this/folder")')
_MADE_OF = {
    "cooccurrence": "the tokens' co-occurrence in the corpus",
    "backbone": "the embedding table of {backbone_name}",
    "both": "the embedding table of {backbone_name} and the tokens' co-occurrence in the corpus, side by side",
}

_SAID_ELSEWHERE = ("backbone_name", "tokenizer_name", "rows", "dim", "precision")


def static_card(record: dict[str, Any]) -> str:
    """Return the README.md of the model folder, with the metadata that the Hugging Face hub reads."""
    settings = record["settings"]
    lines = [
        front_matter(
            tags=["static-embeddings"],
            licence=record["licence"].lower() if record["licence"].startswith("CC-") else None,
        ),
        "# A static sentence encoder",
        "",
        f"Made with augcse {record['augcse']} from plain text, without labels: the embedding of a sentence is the mean of its tokens'"
        f" vectors, {record['dim']} numbers each. They come from {_MADE_OF[settings['rows']].format(**settings)}"
        + (", and the tokens' letters" if settings["letters_dim"] else "")
        + ", weighted by frequency and whitened."
        + (" Words are drawn to their synonyms in Open English WordNet (CC BY 4.0)." if settings["synonym_share"] else ""),
        "",
        "```python",
        *_program_lines(settings),
        'embeddings = model.encode(["One sentence.", "Another one."])',
        "model.similarity(embeddings, embeddings)",
        "```",
        "",
        *_loading_lines(settings),
        "| | |",
        "| --- | --- |",
        *(f"| {name} | {value} |" for name, value in _table_of_facts(record).items()),
        "",
        f"Licence: {record['licence']}.",
    ]
    return "\n".join(lines) + "\n"


def _program_lines(settings: dict[str, Any]) -> list[str]:
    """Return the lines that load the model; stored in half precision, it also computes in it, where normalising a zero vector gives NaN."""
    imported, loaded = _OURS if settings["tokens_once"] else _STOCK
    if settings["precision"] == "fp32":
        return [imported, "", f"model = {loaded}"]
    return [
        imported,
        "",
        "# In half precision, as its vectors are stored, a text without known tokens would give NaN.",
        f"model = {loaded}.float()",
    ]


def _loading_lines(settings: dict[str, Any]) -> list[str]:
    """Return the warning about a folder that needs augcse to load; [] for other folders."""
    if not settings["tokens_once"]:
        return []
    return [
        "It counts each token of a sentence once, in a module of augcse: sentence-transformers alone refuses this folder. Made without"
        " `--tokens-once` it loads anywhere, at a cost of 0.1 to 0.3 in Spearman x 100 on STS-B dev (docs/results/static.md of augcse).",
        "",
    ]


def _table_of_facts(record: dict[str, Any]) -> dict[str, str]:
    """Return the rows of the card's table: what the model was made from, and how."""
    settings = record["settings"]
    of = f" of {_listed_files(record['whitened_on'])}" if "whitened_on" in record else ""
    facts = {
        "corpus": _listed_files(record["corpus"]),
        "sentences": f"{record['sentences']:,}",
        "tokens": f"{record['tokens']:,}, {record['unknown_share']:.2%} of them unknown",
        "vocabulary": f"{record['vocabulary']:,}, {record['tokens_seen']:,} of them in the corpus",
        "tokenizer": _tokenizer(settings),
        "dimensions": f"{record['dim']}, {settings['precision']}, {record['megabytes']} MB",
        "whitened on": f"{record['whitening_sentences']:,} sentences{of}",
    }
    values = {name: value for name, value in settings.items() if name not in _SAID_ELSEWHERE}
    return facts | {"settings": ", ".join(f"{name} {value}" for name, value in values.items())}


def _tokenizer(settings: dict[str, Any]) -> str:
    name = settings["tokenizer_name"] or settings["backbone_name"]
    return f"of {name}" if name else "trained on the corpus"


def _listed_files(files: list[dict[str, str]]) -> str:
    return ", ".join(f"`{file['name']}` (SHA-256 `{file['sha256']}`)" for file in files)

"""Build and score the training-free models that trained ones are compared with.

    python scripts/free_models.py --data DIR --wiki FILE --mixed FILE [--models NAME ...] [--trained FOLDER]

`--wiki` is the first 300,000 Wikipedia sentences, `--mixed` the output of scripts/mixed_text.py, `--trained` the model folder of a run
of simcse-mini, of which hybrids are made. Each model is made by the command that its entry in MODELS shows, and scored on STS-B dev, the
STS tasks and, with `--transfer`, the transfer tasks. Its record goes to docs/results/free/NAME.json: the command, the texts' hashes,
dimensions, size, seconds, scores. A suite that a record has is not scored again, so that the command can be stopped and repeated.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "free"
# Texts and models, by the words that stand for them in the commands.
WIKI, MIXED, TRAINED, DATA = "wiki.txt", "mixed.txt", "simcse", "DATA"
STATIC, STATIC_ONCE, SYNONYMS_ONCE = "static", "static-once", "static-once-synonyms"
DEV = "STSB-dev"
MODELS: dict[str, str] = {
    "untrained-cls": "postprocess mini-bert --pooling cls",
    "untrained-mean": "postprocess mini-bert",
    "whitened": f"postprocess mini-bert {MIXED} --pooling first-last-1 --with whiten",
    "sif": f"postprocess mini-bert {MIXED} --with sif:a=0.0003",
    "sif-whitened": f"postprocess mini-bert {MIXED} --with sif:a=0.0003 --with whiten",
    # On STS-B dev a last_share of 0 is better by 0.3, and reads no context (docs/results/choice/contextual.jsonl).
    "layers-whitened": f"postprocess mini-bert {MIXED} --with layers:last_share=0.2 --with sif:a=0.001 --with whiten",
    "static-from-zero": f"static {WIKI}",
    STATIC: f"static {WIKI} --backbone mini-bert --whiten-on {MIXED}",
    "static-256": f"static {WIKI} --backbone mini-bert --whiten-on {MIXED} --dim 256",
    # What words in common bring: the same without the vectors from letters.
    "static-no-letters": f"static {WIKI} --backbone mini-bert --whiten-on {MIXED} --set letters_dim=0",
    STATIC_ONCE: f"static {WIKI} --backbone mini-bert --whiten-on {MIXED} --tokens-once",
    # The share was chosen by STS-B dev (docs/results/choice/synonyms.jsonl).
    "static-synonyms": f"static {WIKI} --backbone mini-bert --whiten-on {MIXED} --set synonym_share=0.7",
    SYNONYMS_ONCE: f"static {WIKI} --backbone mini-bert --whiten-on {MIXED} --tokens-once --set synonym_share=0.7",
    # A copy, so that what was trained is scored on the same tasks as what was not.
    "trained": f"postprocess {TRAINED}",
    "hybrid-synonyms": f"hybrid {SYNONYMS_ONCE} {TRAINED} --dev stsb --data {DATA}",
    "hybrid": f"hybrid {STATIC_ONCE} {TRAINED} --dev stsb --data {DATA}",
}


def main() -> None:
    arguments = _arguments()
    texts = {WIKI: arguments.wiki, MIXED: arguments.mixed, TRAINED: arguments.trained, DATA: arguments.data}
    for name in arguments.models or MODELS:
        make(name, texts, arguments)


def make(name: str, texts: Mapping[str, Path | None], arguments: argparse.Namespace) -> None:
    """Build a model and its parts, score it and write its record, unless the record is complete."""
    from augcse.evaluation.evaluate import evaluate
    from augcse.files import file_sha256, write_json

    record = RESULTS / f"{name}.json"
    known = _read(record) if record.exists() else {}
    scores: dict[str, float] = dict(known.get("scores", {}))
    missing = [suite for suite in ("sts", *(["transfer"] if arguments.transfer else [])) if _average(suite) not in scores]
    if not missing:
        return
    built = build(name, texts, arguments.work) or {key: known[key] for key in ("seconds", "weights") if key in known}
    for suite in missing:
        new_scores = evaluate(arguments.work / name, [suite, *([DEV] if suite == "sts" else [])], arguments.data).as_json()["scores"]
        scores |= {_average(suite) if task == "avg" else task: score for task, score in new_scores.items()}
    used = {word: file_sha256(path) for word in MODELS[name].split() if (path := texts.get(word)) is not None and path.is_file()}
    RESULTS.mkdir(parents=True, exist_ok=True)
    write_json(record, {"command": MODELS[name], "sha256": used, **_size(arguments.work / name), **built, "scores": scores})
    print(name, {task: round(score, 2) for task, score in scores.items()}, file=sys.stderr, flush=True)


def build(name: str, texts: Mapping[str, Path | None], work: Path) -> dict[str, Any]:
    """Build a model and the models in its command into `work`, where they are not there yet.

    Return the seconds of the last, and a hybrid's weights; {} where it was there.
    """
    from augcse.cli.app import run

    words = MODELS[name].split()
    for other in set(words[1:]) & set(MODELS):
        build(other, texts, work)
    if (work / name).exists():
        return {}
    known = {**texts, **{other: work / other for other in MODELS}}
    missing = [word for word in words[1:] if word in known and known[word] is None]
    if missing:
        sys.exit(f"{name} needs {', '.join(missing)}; see --help")
    started = time.perf_counter()
    # The first word is the command, of which two are called like a model.
    with redirect_stdout(io.StringIO()) as printed:
        code = run([words[0], *(str(known.get(word, word)) for word in words[1:]), "--output", str(work / name), "--quiet", "--json"])
    if code:
        sys.exit(code)
    weights = json.loads(printed.getvalue()).get("weights")
    return {"seconds": round(time.perf_counter() - started, 1)} | ({"weights": weights} if weights else {})


def _average(suite: str) -> str:
    return "avg" if suite == "sts" else f"{suite}_avg"


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def _size(folder: Path) -> dict[str, Any]:
    from augcse.encoding.model import load_encoder

    megabytes = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    return {"dim": load_encoder(str(folder)).get_embedding_dimension(), "megabytes": round(megabytes, 1)}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wiki", type=Path)
    parser.add_argument("--mixed", type=Path)
    parser.add_argument("--trained", type=Path)
    parser.add_argument("--models", nargs="+", choices=MODELS)
    parser.add_argument("--transfer", action="store_true")
    parser.add_argument("--work", type=Path, default=Path("build/free"))
    return parser.parse_args()


if __name__ == "__main__":
    main()

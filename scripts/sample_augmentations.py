"""Measure every augmentation on real text and dump what it does for a person to read.

    python scripts/sample_augmentations.py CORPUS [--rows 10000] [--names A,B] [--workers 2] [--shares-alone]

Writes docs/samples/NAME.md (50 random changed rows each) and the package's measured.json (shares of changed rows). Rules that change
fewer than 50 of the rows are given the rest of the corpus, until each has 50. What the reading found
is kept by hand in docs/samples/readings.toml; `--shares-alone` leaves the pages as they were read. Of a name with options and of a
composition there is a page, and no share in measured.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.composition import split_names
from augcse.augmentations.measured import MEASURED, measured_shares
from augcse.augmentations.run.apply import Job, Request, fit_all
from augcse.augmentations.run.engines import apply_stream
from augcse.augmentations.spec import parse_specs
from augcse.corpus.read import read_sentences
from augcse.files import file_sha256, write_json, write_text
from augcse.rng import stream

SAMPLES = Path(__file__).resolve().parents[1] / "docs" / "samples"
SHOWN = 50
SEED = 0
# Published checkpoints are not in the package; a sample of a random model would be nonsense.
WITHOUT_MODEL = ("seq2seq",)


def main() -> None:
    arguments = _arguments()
    corpus = read_sentences([arguments.corpus])
    sentences = list(islice(corpus, arguments.rows))
    names = [spec.text for spec in parse_specs(split_names(arguments.names))] if arguments.names else _rule_names()
    job = Job(SEED, fitted=fit_all(names, lambda: iter(sentences), arguments.cache))
    changed, read = _changed(names, enumerate(sentences), job, arguments.workers)
    counts = {name: len(rows) for name, rows in changed.items()}
    if arguments.shares_alone:
        _record(arguments.corpus, read, counts)
        return
    rare = [name for name in names if counts[name] < SHOWN]
    more, read_on = _changed(rare, enumerate(corpus, start=read), job, arguments.workers, enough=SHOWN)
    for name, rows in changed.items():
        write_text(SAMPLES / f"{name}.md", _page(name, rows + more.get(name, []), read + (read_on if name in more else 0)))
    _record(arguments.corpus, read, counts)


def _changed(
    names: Sequence[str], rows: Iterable[tuple[int, str]], job: Job, workers: int, enough: int | None = None
) -> tuple[dict[str, list[tuple[int, str, str]]], int]:
    """Apply all names to the rows, or to as many as it takes to change `enough` by each name.

    Returns name -> (row, sentence, changed sentence), and the number of rows read.
    """
    changed: dict[str, list[tuple[int, str, str]]] = {name: [] for name in names}
    requests = (Request(row, sentence, tuple(names)) for row, sentence in rows) if names else ()
    read = 0
    for request, results in apply_stream(requests, job, workers):
        read += 1
        for name, text in zip(names, results, strict=True):
            if text is not None:
                changed[name].append((request.row, request.sentence, text))
        if enough is not None and all(len(found) >= enough for found in changed.values()):
            break
    return changed, read


def _rule_names() -> list[str]:
    return [member.name for member in AUGMENTATIONS if not set(member.needs) & set(WITHOUT_MODEL) and "en" in member.languages]


def _page(name: str, rows: Sequence[tuple[int, str, str]], total: int) -> str:
    shown = sorted(stream(SEED, "samples", name).sample(list(rows), min(SHOWN, len(rows))))
    parts = [
        f"# {name}: {len(shown)} random changed sentences\n",
        f"{len(rows):,} of {total:,} Wikipedia sentences changed ({len(rows) / total:.1%}). Text: English Wikipedia, CC BY-SA 3.0.\n",
    ]
    parts += [f"{number}. (row {row}) {old}\n   → {new}\n" for number, (row, old, new) in enumerate(shown, start=1)]
    return "\n".join(parts)


def _record(corpus: Path, rows: int, counts: dict[str, int]) -> None:
    measured = measured_shares()
    source = {"file": corpus.name, "sha256": file_sha256(corpus), "rows": rows}
    shares = measured.get("changed", {}) if measured.get("corpus") == source else {}
    shares |= {name: round(count / rows, 4) for name, count in counts.items() if name in AUGMENTATIONS}
    write_json(MEASURED, {"corpus": source, "seed": SEED, "changed": dict(sorted(shares.items()))})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--names", help="comma-separated, compositions too; default: every one that needs no published checkpoint")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shares-alone", action="store_true", help="write measured.json and no page")
    parser.add_argument("--cache", type=Path, default=Path("build/fitted"), help="where corpus statistics are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()

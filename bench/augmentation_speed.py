"""How fast augmentations are: the string-only ones per core, a list of rules against one parse of the same text, memory at a million lines.

    python bench/augmentation_speed.py CORPUS [--sentences 5000] [--rounds 3] [--json]
    python bench/augmentation_speed.py CORPUS --pipeline [NAME ...]
    python bench/augmentation_speed.py CORPUS --memory [NAME ...] [--lines 1000000] [--seconds 50]

The first counts processor time, which other processes disturb least, from the sentence and its row number to the result: making and
seeding each row's random stream is part of it. The second counts wall time of two workers, start included, one process after the other
in one run, rounds alternating. The third repeats the corpus up to `--lines`, runs `augcse augment` with two workers for at most
`--seconds`, and reports each process's peak of resident memory (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Kept parses of one round would serve the next.
os.environ["AUGCSE_CACHE"] = "off"
WORKERS = 2
EVERY_S = 0.25


def main() -> None:
    arguments = _arguments()
    if arguments.pipeline is not None:
        result = time_pipeline(arguments)
    elif arguments.memory is not None:
        result = measure_memory(arguments)
    else:
        result = time_strings(arguments)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for key, value in result.items():
        print(f"{key:32} {value if not isinstance(value, dict) else '  '.join(f'{name} {found}' for name, found in value.items())}")


def time_strings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Sentences per second of processor time, of every registered augmentation that needs nothing but the string."""
    from augcse.augmentations.base import AUGMENTATIONS

    sentences = _sentences(arguments)
    members = [member for member in AUGMENTATIONS if not member.needs and member.fitted is None]
    rates: dict[str, list[float]] = {member.name: [] for member in members}
    for member in members:
        _augment_all(member.name, sentences[:10])  # its tables are read, its patterns compiled
    for _ in range(arguments.rounds):
        for member in members:
            started = time.process_time()
            _augment_all(member.name, sentences)
            rates[member.name].append(len(sentences) / (time.process_time() - started))
    return {name: {"median": round(statistics.median(values)), "max": round(max(values))} for name, values in rates.items()}


def _augment_all(name: str, sentences: list[str]) -> None:
    """As `apply_requests` does, chunk by chunk."""
    from augcse.augmentations.base import AUGMENTATIONS, row_stream
    from augcse.augmentations.run.engines import CHUNK_ROWS

    member = AUGMENTATIONS.get(name)
    for first in range(0, len(sentences), CHUNK_ROWS):
        chunk = sentences[first : first + CHUNK_ROWS]
        member.apply_all(chunk, [row_stream(0, name, first + row) for row in range(len(chunk))])


def time_pipeline(arguments: argparse.Namespace) -> dict[str, Any]:
    """Seconds of all named rules by two workers, of one parse by spaCy as it comes in two processes, and their ratio."""
    import spacy

    from augcse.augmentations.run.apply import Job, Request
    from augcse.augmentations.run.engines import apply_stream
    from augcse.augmentations.sets import expand
    from augcse.resources import PARSER

    names = tuple(expand(arguments.pipeline or ["rule-based"]))
    requests = [Request(row, sentence, names) for row, sentence in enumerate(_sentences(arguments))]
    seconds: dict[str, list[float]] = {"augment": [], "parse": []}
    for _ in range(arguments.rounds):
        started = time.perf_counter()
        _exhaust(apply_stream(requests, Job(), WORKERS))
        seconds["augment"].append(time.perf_counter() - started)
        started = time.perf_counter()
        _exhaust(spacy.load(PARSER).pipe([request.sentence for request in requests], n_process=WORKERS, batch_size=128))
        seconds["parse"].append(time.perf_counter() - started)
    ratios = [augment / parse for augment, parse in zip(seconds["augment"], seconds["parse"], strict=True)]
    return {
        "augmentations": ", ".join(names),
        "sentences": len(requests),
        "seconds": {name: round(statistics.median(times), 2) for name, times in seconds.items()},
        "augment / parse": {"median": round(statistics.median(ratios), 2), "min": round(min(ratios), 2), "max": round(max(ratios), 2)},
    }


def _exhaust(results: Iterator[Any]) -> None:
    for _ in results:
        pass


def measure_memory(arguments: argparse.Namespace) -> dict[str, Any]:
    """Peak resident memory in MiB of `augcse augment` and of its workers."""
    names = arguments.memory or ["RandomSwap", "NumericToWord"]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        corpus.write_text("".join(sentence + "\n" for sentence in islice(cycle(_sentences(arguments)), arguments.lines)), "utf-8")
        command = [sys.executable, "-m", "augcse", "augment", str(corpus), "--with", ",".join(names)]
        command += ["--output", str(Path(folder) / "output"), "--workers", str(WORKERS)]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peaks: dict[int, int] = {}
        while process.poll() is None and time.perf_counter() - started < arguments.seconds:
            for pid in (process.pid, *_children(process.pid)):
                peaks[pid] = max(peaks.get(pid, 0), _peak_kib(pid))
            time.sleep(EVERY_S)
        finished = process.poll() == 0
        process.terminate()
        process.wait()
        shards = len(list((Path(folder) / "output").glob("part-*.parquet")))
    workers = sorted((peak for pid, peak in peaks.items() if pid != process.pid), reverse=True)[:WORKERS]
    return {
        "augmentations": ", ".join(names),
        "lines": arguments.lines,
        "finished": finished,
        "whole shards": shards,
        "seconds": round(time.perf_counter() - started, 1),
        "peak_mib": {"main": peaks.get(process.pid, 0) >> 10, "workers": [peak >> 10 for peak in workers]},
    }


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def _peak_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has ended meanwhile
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def _sentences(arguments: argparse.Namespace) -> list[str]:
    from augcse.corpus.read import read_sentences

    return list(islice(read_sentences([arguments.corpus]), arguments.sentences))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sentences", type=int, default=5000, help="first N of the corpus")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pipeline", nargs="*", metavar="NAME", help="augmentations and sets; default: the rule-based set")
    parser.add_argument("--memory", nargs="*", metavar="NAME", help="default: RandomSwap NumericToWord")
    parser.add_argument("--lines", type=int, default=1_000_000, help="of --memory")
    parser.add_argument("--seconds", type=float, default=50.0, help="limit of --memory")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

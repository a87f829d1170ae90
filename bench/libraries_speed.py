"""Our augmentations beside those of nlpaug, TextAttack and glitchlings that do the same: sentences/s, and what share they change.

    python bench/libraries_speed.py CORPUS [--operations "delete words" ...] [--rounds 3] [--json]

Processor time of one process with one thread. Rounds alternate: in each every library does an operation once, on the same sentences of
the corpus, those of a round from their own place in it; a slow library does the first of them, as many as take it about `--seconds`.
Models, vectors, lexicons and statistics are loaded before, and some sentences done. A library that is not installed is left out and named.
Words changed are those (runs of letters and digits, in lower case) that are replaced, put in or taken out, so that neither new spacing nor
lower case nor doing nothing counts as work.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import statistics
import sys
import tempfile
import warnings
from difflib import SequenceMatcher
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from libraries import LIBRARIES, MODULES, OPERATIONS, Contender, Resources, Texts, Work, work_of
from measuring import timed

LEAST = 4
MOST = 2_000
# TextAttack and nlpaug fail on some very short ones.
LEAST_WORDS = 8
PACKAGES = ("nltk", "spacy", "torch", "transformers", "numpy", "gensim")
_WORD = re.compile(r"\w+")


def main() -> None:
    arguments = _arguments()
    # Read when numpy, torch and the others are loaded, by what is timed.
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {"TOKENIZERS_PARALLELISM": "false"}
    warnings.simplefilter("ignore")
    sentences = _sentences(arguments.corpus, (arguments.rounds + 1) * MOST)
    present = [library for library in LIBRARIES if library not in MODULES or importlib.util.find_spec(MODULES[library].split(".")[0])]
    operations = {}
    with tempfile.TemporaryDirectory() as folder:
        resources = Resources(Path(folder), sentences)
        for operation in arguments.operations:
            contenders = [contender for contender in OPERATIONS[operation] if contender.library in present]
            operations[operation] = compare(contenders, resources, arguments.rounds, arguments.seconds)
            _show(operation, operations[operation])
    result = {
        "rounds": arguments.rounds,
        "least_words": LEAST_WORDS,
        "versions": {"python": platform.python_version()} | {package: _version(package) for package in (*present, *PACKAGES)},
        "missing": [library for library in LIBRARIES if library not in present],
        "operations": operations,
    }
    if arguments.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))


def compare(contenders: list[Contender], resources: Resources, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Return one row per contender: its rates, one per round, the median ratio to the first's, and what it changed."""
    contenders, works, failed = _ready(contenders, resources)
    counts = [_count(work, list(resources.sentences[rounds * MOST :]), seconds) for work in works]
    rates: list[list[float]] = [[] for _ in works]
    changes: list[list[tuple[int, int]]] = [[] for _ in works]
    for start in range(0, rounds * MOST, MOST):
        for index, (work, count) in enumerate(zip(works, counts, strict=True)):
            texts = list(resources.sentences[start : start + count])
            spent, augmented = timed(partial(work, texts))
            rates[index].append(len(texts) / spent["cpu_s"])
            changes[index] += [changed_words(old, new) for old, new in zip(texts, augmented, strict=True)]
    return [
        {
            "library": contender.library + (", in batches" if contender.batched else ""),
            "call": contender.call,
            "sentences": count,
            "per_s": [round(rate, 1) for rate in own],
            "ratio": statistics.median(rate / first for rate, first in zip(own, rates[0], strict=True)),
            "changed": sum(words > 0 for words, _ in changed) / len(changed),
            "words_changed": sum(words for words, _ in changed) / sum(length for _, length in changed),
        }
        for contender, count, own, changed in zip(contenders, counts, rates, changes, strict=True)
    ] + failed


def _ready(contenders: list[Contender], resources: Resources) -> tuple[list[Contender], list[Work], list[dict[str, Any]]]:
    """Return the contenders that can be loaded, and the reasons for the others, such as a missing file or download."""
    works, failed = {}, []
    for contender in contenders:
        try:
            works[contender.library, contender.call, contender.batched] = contender, work_of(contender, resources)
        except (OSError, LookupError, ImportError) as error:
            failed.append({"library": contender.library, "call": contender.call, "error": f"{type(error).__name__}: {_reason(error)}"})
    return [contender for contender, _ in works.values()], [work for _, work in works.values()], failed


def _reason(error: Exception) -> str:
    """Return an error's message; for a missing file, only its name."""
    path = getattr(error, "filename", None)
    return f"no {Path(path).name}" if path else str(error).strip().splitlines()[0]


def _count(work: Work, texts: Texts, seconds: float) -> int:
    """Return the number of texts that take about `seconds` after warm-up, measured on texts that no round uses."""
    work(texts[:LEAST])
    count = LEAST
    while count < min(MOST, len(texts)):
        spent, _ = timed(partial(work, texts[:count]))
        if spent["cpu_s"] > seconds / 4:
            return max(LEAST, min(MOST, int(count * seconds / spent["cpu_s"])))
        count *= 4
    return MOST


def changed_words(old: str, new: str) -> tuple[int, int]:
    """Return the number of changed words, insertions included, and the original number.

    >>> changed_words("He saw the dog.", "He saw dog ."), changed_words("He saw.", "He  saw .")
    ((1, 4), (0, 2))
    """
    before, after = _WORD.findall(old.casefold()), _WORD.findall(new.casefold())
    if before == after:
        return 0, len(before)
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(end - start, last - first) for kind, start, end, first, last in steps if kind != "equal"), len(before)


def _show(operation: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if "error" in row:
            print(f"{operation:46} {row['library']:24} {row['error']} {row['call']}", file=sys.stderr, flush=True)
            continue
        rate = f"{statistics.median(row['per_s']):10,.1f}/s {row['ratio']:8.4f}"
        changed = f"{row['changed']:6.1%} {row['words_changed']:6.1%}"
        print(f"{operation:46} {row['library']:24} {rate} {changed} {row['call']}", file=sys.stderr, flush=True)


def _version(package: str) -> str:
    try:
        return version(package.lower())
    except PackageNotFoundError:
        from augcse import __version__

        return __version__ if package == "augcse" else "not installed"


def _sentences(corpus: Path, number: int) -> list[str]:
    from augcse.corpus.read import read_sentences

    long_enough = (sentence for sentence in read_sentences([corpus]) if len(_WORD.findall(sentence)) >= LEAST_WORDS)
    return list(islice(long_enough, number))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--operations", nargs="+", choices=list(OPERATIONS), default=list(OPERATIONS), metavar="OPERATION")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

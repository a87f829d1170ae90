"""How often a context has to occur: `augcse static` of the first sentences of a text, by STS-B dev.

    python scripts/static_contexts.py TEXT --data DIR

The record is docs/results/static_contexts.json, of which `make docs` makes a table of docs/results/static.md.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "static_contexts.json"
DEV = "STSB-dev"
SIZES = (1_000, 10_000)
# 5 is what every context had to have before.
OCCURRENCES = (5, 50)
LETTERS = (0, 512)


def main() -> None:
    from augcse.files import file_sha256, write_json
    from static_choice.built import score

    arguments = _arguments()
    lines = arguments.text.read_text("utf-8").splitlines()
    tries = []
    for size, letters, occurrences in itertools.product(SIZES, LETTERS, OCCURRENCES):
        settings = {"context_occurrences": occurrences, "letters_dim": letters}
        tries.append({"sentences": size, "settings": settings, **score(lines[:size], settings, [DEV], arguments.data)})
        print(tries[-1], file=sys.stderr, flush=True)
    write_json(RECORD, {"text": {"name": arguments.text.name, "sha256": file_sha256(arguments.text)}, "tries": tries})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, help="one sentence per line, as scripts/free_models.py --wiki")
    parser.add_argument("--data", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()

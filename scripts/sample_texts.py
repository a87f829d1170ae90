"""Write up to ten changed sentences of each rule for each text, for readers to grade.

    python scripts/sample_texts.py docs/samples/genres/*.txt --output pages

docs/samples/genres holds sentences of many genres that language models wrote before they saw any rule, docs/samples/genres.toml the grades.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path
from random import Random

import augcse

SAMPLES = Path(__file__).resolve().parents[1] / "docs" / "samples"
SEED, READ = 7, 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help="one sentence per line")
    parser.add_argument("--output", type=Path, default=Path("pages"))
    arguments = parser.parse_args()
    rules = sorted(tomllib.loads((SAMPLES / "holdout.toml").read_text("utf-8")))
    arguments.output.mkdir(parents=True, exist_ok=True)
    for path in arguments.texts:
        rows = [row.strip() for row in path.read_text("utf-8").splitlines() if row.strip()]
        (arguments.output / f"{path.stem}.md").write_text(page(rows, rules), "utf-8")


def page(rows: Sequence[str], rules: Sequence[str]) -> str:
    """Return the changed sentences, below their originals, by rule."""
    rng, parts = Random(1), []
    for rule in rules:
        outputs = augcse.augment(rows, rule, seed=SEED)
        changed = [(row, new) for row, new in zip(rows, outputs, strict=True) if new is not None and new != row]
        drawn = rng.sample(changed, min(READ, len(changed)))
        items = "".join(f"{number}. {row}\n   → {new}\n" for number, (row, new) in enumerate(drawn, 1))
        parts.append(f"\n## {rule}: changed {len(changed)} of {len(rows)}\n{items}")
    return "".join(parts)


if __name__ == "__main__":
    main()

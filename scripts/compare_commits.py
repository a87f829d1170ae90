"""Write pages on which the rules of two commits differ, for a reader who does not know whose sentence is whose.

    python scripts/compare_commits.py DATA --commits OLD NEW --rows wiki:17300:500 [--rows ...] --output DIR [--read 30] [--seed 5]

`--rows DOMAIN:SKIP:ROWS` are rows of the hold-out as scripts/sample_domains.py draws them. Per rule that reads a parse, DIR/NAME.md holds
up to `--read` sentences of either commit from the rows on which the two write something else, shuffled; DIR/key.json says whose each is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from augcse.augmentations.base import AUGMENTATIONS
from augcse.files import write_json, write_text
from changed_outputs import outputs_of
from sample_domains import DOMAINS, FURTHER_DOMAINS, split_of


def main() -> None:
    arguments = _arguments()
    rows = [text for part in arguments.rows for text in held_out_rows(arguments.data, part)]
    names = [member.name for member in AUGMENTATIONS if "parse" in member.needs and "en" in member.languages]
    old, new = (outputs_of(commit, names, rows) for commit in arguments.commits)
    rng, key = Random(arguments.seed), {}
    for name in names:
        drawn = draw(old[name], new[name], arguments.read, rng)
        key[name] = [side for side, _, _ in drawn]
        items = (f"{number}. {rows[row]}\n   → {text}\n" for number, (_, row, text) in enumerate(drawn, start=1))
        write_text(arguments.output / f"{name}.md", "\n".join(items))
    write_json(arguments.output / "key.json", key)


def held_out_rows(data: Path, part: str) -> Iterator[str]:
    """Yield the rows of the hold-out that DOMAIN:SKIP:ROWS names."""
    domain, skip, rows = part.split(":")
    texts = {**DOMAINS, **FURTHER_DOMAINS}[domain](data)
    return islice((text for text in texts if split_of(text) == "hold-out"), int(skip), int(skip) + int(rows))


def draw(old: Sequence[str | None], new: Sequence[str | None], count: int, rng: Random) -> list[tuple[str, int, str]]:
    """Return (side, row, sentence) of rows where the sides differ, up to `count` of each side, shuffled."""
    found = []
    for side, texts in (("old", old), ("new", new)):
        changed = [(side, row, text) for row, text in enumerate(texts) if text and old[row] != new[row]]
        found += rng.sample(changed, min(count, len(changed)))
    rng.shuffle(found)
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--commits", nargs=2, required=True, metavar=("OLD", "NEW"))
    parser.add_argument("--rows", action="append", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--read", type=int, default=30)
    parser.add_argument("--seed", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Measure what the parser's doubt tells of an exchange of subject and object, on graded exchanges.

    python scripts/measure_doubts.py DATA

scripts/exchange_grades.tsv holds what was graded; the sentences are read from DATA. Printed, and written to docs/results/doubts.json, is
for each bound on the doubt how many of the exchanges that no refusal stops are below it, and how many of those are good. `MOST_DOUBT` of
the rule was chosen from this table.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from augcse.annotation.doubts import parser_doubts
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.rule import MOST_DOUBT, doubt_of, proposals
from augcse.augmentations.text.tables import data_rows
from augcse.files import write_json
from sample_domains import tuning_rows

GRADES = Path(__file__).with_name("exchange_grades.tsv")
RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "doubts.json"
BOUNDS = (0.1, 0.2, 0.3, 0.36, 0.42, 0.48, 0.6, 0.8, 1.2, float("inf"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of texts that scripts/sample_domains.py reads")
    graded = list(_graded(parser.parse_args().data))
    rows = []
    for bound in BOUNDS:
        grades = [grade for doubt, grade in graded if doubt <= bound]
        rows.append({"most_doubt": str(bound), "exchanges": len(grades), "good": sum(grades)})
        print(f"doubt <= {bound:4}: {len(grades):5} exchanges, {sum(grades) / max(len(grades), 1):.1%} good")
    write_json(RECORD, {"chosen": MOST_DOUBT, "bounds": rows})


def _graded(data: Path) -> Iterator[tuple[float, int]]:
    """Yield doubt and grade of each graded exchange that no refusal stops."""
    grades: dict[tuple[str, int], dict[tuple[int, int], int]] = defaultdict(dict)
    for domain, row, subject, other, grade in data_rows(GRADES):
        grades[domain, int(row)][int(subject), int(other)] = int(grade)
    keys = sorted(grades)
    domains = sorted({domain for domain, _ in keys})
    texts = [text for domain in domains for text in tuning_rows(data, domain, [row for name, row in keys if name == domain])]
    in_order = [grades[place] for place in keys]
    for found, parse, doubts in zip(in_order, parse_sentences(texts), parser_doubts(texts), strict=True):
        for exchange, _ in proposals(parse):
            heads = exchange.subject.head, exchange.object.head
            if heads in found:
                yield doubt_of(exchange, doubts), found[heads]


if __name__ == "__main__":
    main()

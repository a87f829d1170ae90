"""The tables of our augmentations beside other libraries', from the record of bench/libraries_speed.py."""

from __future__ import annotations

import json
import statistics
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS

Record = dict[str, Any]
_OURS = "augcse"

_TEXT = """# Augmentations beside other libraries

Operations that nlpaug, TextAttack or glitchlings have as well, timed in one run: processor time of one process with one thread, libraries
in turn on the same sentences, {rounds} rounds. Sentences of {least_words} words or more; models, lexicons, vectors and statistics are
loaded before the clock starts. The rate is the median of the rounds, with their least and most; "times" is the median of the rounds' ratios
to the operation's first row.

How to read it: no two libraries mean the same by a rate, so each row has what it did: the share of sentences that changed, and of their
words. A row that changes less has less to do. What the columns do not show:

- Ours keep punctuation, spacing and capitals in order, leave alone what a rule refuses, and draw from a stream of their own for each row,
  so that a row's result does not depend on the rows beside it. nlpaug takes punctuation apart and joins it by its own rules; glitchlings
  (written in Rust) gives all rows of a batch the same draws; TextAttack makes every possible change of a sentence, one word at a time, and
  draws one, since it is made for attacks.
- SynonymSubstitution and AntonymsSubstitute parse every sentence, ColorTransformation those with a colour; of the others, beside the masked
  models, only nlpaug's synonyms and antonyms look at the sentence at all, with a tagger. glitchlings' synonyms are a short list of its own,
  the same for every sense; its colours are all words that can be one ("ash", "cloud"), ours those that are nothing else.
- nlpaug's crop fails where one word is to go, so it was asked for two at least.
- Left out, for want of a counterpart: keyboard slips, OCR errors, homophones, misspellings and noise within words, which the others have
  and augcse has not; rules of grammar, names, numbers and polarity, which augcse has. Back-translation and paraphrase are the time of a
  model that could not be had here.
- Not measured: NL-Augmenter, which is not on PyPI.
"""


def libraries_speed() -> str:
    """Return docs/results/libraries-speed.md."""
    record = json.loads((RESULTS / "speed" / "libraries.json").read_text("utf-8"))
    result = record["result"]
    versions = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
    about = (
        f"`{record['command']}` with [these packages](../../bench/libraries_requirements.txt): {versions}. {record['date']}, commit"
        f" {record['commit']}, {record['corpus']['file']} (SHA-256 {record['corpus']['sha256'][:12]}), {record['hardware']['processor']},"
        f" load {record['load_before']:g} at the start. {record.get('note', '')}"
    ).rstrip()
    tables = [f"## {operation.capitalize()}\n\n{_table(rows)}" for operation, rows in result["operations"].items()]
    text = _TEXT.format(rounds=result["rounds"], least_words=result["least_words"])
    return NOTE + "\n\n".join([text + f"\n{about}", *tables]) + "\n"


def _table(rows: list[Record]) -> str:
    cells = [
        [
            row["library"],
            f"`{row['call']}`",
            *(
                [f"fails: {row['error']}", "-", "-", "-", "-"]
                if "error" in row
                else [
                    _rate(statistics.median(row["per_s"])),
                    f"{_rate(min(row['per_s']))} to {_rate(max(row['per_s']))}",
                    _times(row["ratio"]),
                    f"{100 * row['changed']:.0f} %",
                    f"{100 * row['words_changed']:.0f} %",
                ]
            ),
        ]
        for row in rows
    ]
    return Table(["library", "asked", "sentences/s", "rounds", "times", "sentences changed", "words changed"], cells).markdown()


def fastest_table(result: Record) -> str:
    """Return one line per operation: our first row's rate, and the best of each other library's with its ratio to ours."""
    others = [library for library in result["versions"] if library in ("nlpaug", "TextAttack", "glitchlings")]
    rows = []
    for operation, measured in result["operations"].items():
        ours = measured[0]
        cells = [f"{_rate(statistics.median(ours['per_s']))}, {ours['call'].partition('(')[0]}"]
        for library in others:
            rows_of_library = [row for row in measured if row["library"].partition(",")[0] == library and "error" not in row]
            best = max(rows_of_library, key=lambda row: row["ratio"], default=None)
            cells.append("-" if best is None else f"{_rate(statistics.median(best['per_s']))} ({_times(best['ratio'])})")
        rows.append([operation, *cells])
    return Table(["operation", _OURS, *others], rows).markdown()


def _rate(per_s: float) -> str:
    """Return a rate in as many digits as say something.

    >>> _rate(0.512), _rate(25.83), _rate(40781.6)
    ('0.5', '26', '40,800')
    """
    return f"{per_s:.1f}" if per_s < 10 else f"{per_s:.0f}" if per_s < 1_000 else f"{round(per_s, -2):,.0f}"


def _times(ratio: float) -> str:
    """Return a ratio in two digits, more of them only before the point.

    >>> _times(0.0042), _times(0.35), _times(1.333), _times(67.1)
    ('0.004', '0.35', '1.3', '67')
    """
    return f"{ratio:.1f}" if 1 <= ratio < 10 else f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"

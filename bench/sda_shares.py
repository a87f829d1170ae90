"""How many sentences SDA's three rules change, and by which sub-rule, in both fidelities: the tables of docs/sda.md.

Each sentence is parsed once; every row has its own random stream, so the figures do not depend on the order.

    python bench/sda_shares.py CORPUS [--parser en_ewt] [--sentences 100000] [--json]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import BUNDLED_PARSER, parse_sentences
from augcse.augmentations.base import AUGMENTATIONS, row_stream
from augcse.augmentations.english.auxiliary import is_negated
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.verb_group import negations
from augcse.augmentations.rules.polarity.double_negation import PUBLISHED_NEGATORS
from augcse.corpus.read import read_sentences
from augcse.report.table import Table

PAPER = {"PunctuationInsertion": 62.61, "AffirmativeAuxiliary": 77.91, "DoubleNegation": 46.66}
FIDELITIES = ("grammatical", "paper")
PUNCTUATION_RULES = ("clause", "subject", "mark", "end")


class FixedFirstChoice(Random):
    """A stream whose first choice is given: it draws one of the four punctuation rules."""

    def __init__(self, index: int, seed: int) -> None:
        super().__init__(seed)
        self.index: int | None = index

    def choice(self, seq: Any) -> Any:
        if self.index is None:
            return super().choice(seq)
        index, self.index = self.index, None
        return seq[index]


def main() -> None:
    arguments = _arguments()
    sentences = list(islice(read_sentences([arguments.corpus]), arguments.sentences))
    counts: Counter[str] = Counter()
    for row, parse in enumerate(parse_sentences(sentences, arguments.parser)):
        counts.update(tally(parse, row))
    shares = {key: 100 * value / len(sentences) for key, value in sorted(counts.items())}
    if arguments.json:
        print(json.dumps({"sentences": len(sentences), "parser": arguments.parser, "percent": shares}, indent=2))
        return
    rows = [[name, *(f"{shares[f'{name} {kind}']:.2f}" for kind in FIDELITIES), f"{PAPER[name]:.2f}"] for name in PAPER]
    print(Table(["rule", *FIDELITIES, "paper"], rows).markdown())
    parts = [[key.removeprefix("part "), f"{share:.2f}"] for key, share in shares.items() if key.startswith("part ")]
    print(Table(["sub-rule", "% of sentences"], parts).markdown())


def tally(parse: Parse, row: int) -> list[str]:
    """Return the counts that one sentence adds one to."""
    keys = [
        f"{name} {kind}"
        for name in PAPER
        for kind in FIDELITIES
        if AUGMENTATIONS.get(name).apply(parse, row_stream(0, name, row), fidelity=kind) is not None
    ]
    keys += [f"part {part}" for part in (*_punctuation(parse, row), _auxiliary(parse), _negation(parse), *_printed(parse))]
    return keys


def _punctuation(parse: Parse, row: int) -> list[str]:
    rule = AUGMENTATIONS.get("PunctuationInsertion")
    drawn = enumerate(PUNCTUATION_RULES)
    return [
        f"PunctuationInsertion {kind}: {name} applies"
        for index, name in drawn
        for kind in FIDELITIES
        if rule.apply(parse, FixedFirstChoice(index, row), fidelity=kind, mode="random") is not None
    ]


def _auxiliary(parse: Parse) -> str:
    group = main_verb_group(parse)
    if group is None:
        return "AffirmativeAuxiliary: no finite main verb behind its subject"
    return f"AffirmativeAuxiliary: {'negated' if is_negated(group) else f'finite {group.kind}'}"


def _negation(parse: Parse) -> str:
    group = main_verb_group(parse)
    if group is None:
        return "DoubleNegation: no finite main verb behind its subject"
    if negations(parse):
        return "DoubleNegation: negative word"
    return f"DoubleNegation: finite {group.kind}"


def _printed(parse: Parse) -> list[str]:
    """What the printed algorithms look for."""
    conditions = {
        "a form of be": "be" in map(str.lower, parse.lemmas),
        "a verb as root": any(parse.upos[root] == "VERB" for root in parse.roots()),
        "a negative word": any(token.lower() in PUBLISHED_NEGATORS for token in parse.tokens),
        "aux": "aux" in parse.deps,
        "aux or the to of an infinitive": "aux" in parse.deps or "TO" in parse.tags,
        "several roots": len(parse.roots()) > 1,
    }
    return [f"as printed: {name}" for name, holds in conditions.items() if holds]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--parser", default=BUNDLED_PARSER)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""The page of Chinese from zero, from the record of scripts/static_chinese.py."""

from __future__ import annotations

import json
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import NOTE, RESULTS
from static_chinese import CHOSEN, DEV, OVERLAP, PIECES, SIZES, TEST, UNIGRAM, WHOLE

RECORD = RESULTS / "static_chinese.json"
_NAMES = {
    CHOSEN: "each ideograph a token (the default)",
    PIECES: "byte-pair encoding of runs of characters (the default before)",
}
_TEXT = """# Chinese from zero

`augcse static` of up to {sentences:,} Chinese sentences (`zh/unlabelled_zh.txt.xz` of the data folder), its tokenizer trained on them,
nothing else: Spearman x 100 on CNSD STS-B, the translation of STS-B. From [static_chinese.json](static_chinese.json)
(`scripts/static_chinese.py`); settings were chosen by the development pairs. A twelfth of the text are the training sentences of CNSD
STS-B, without their grades: "without CNSD" leaves them out.

## Tokenizers and settings

{tries}

The share of characters in common (Dice), which needs no text at all, has {overlap:.2f}.

## How much text

The first so many sentences of the same text.

{curve}
"""
_TEST = """
## Test pairs

Read once, after the choice.

{test}
"""


def languages() -> str:
    record = json.loads(RECORD.read_text("utf-8"))
    text = _TEXT.format(sentences=WHOLE, tries=_tries(record["tries"]), overlap=record[OVERLAP], curve=_curve(record["tries"]))
    return NOTE + text + (_TEST.format(test=_tested(record["test"])) if record["test"] else "")


def _tries(tries: dict[str, Any]) -> str:
    rows = [
        [_shown(name), f"{tried['vocabulary']:,}", f"{tried['dim']:,}", f"{tried['megabytes']:.1f}", f"{tried['scores'][DEV]:.2f}"]
        for name, tried in tries.items()
        if "text" not in tried["settings"]
    ]
    return Table(["tried", "vocabulary", "dims", "MB", "dev"], rows).markdown()


def _curve(tries: dict[str, Any]) -> str:
    rows = []
    for size in SIZES:
        settings = {} if size == WHOLE else {"text": size}
        by_kind = [
            next((one for one in tries.values() if one["settings"] == settings | more), None)
            for more in ({}, {"made": PIECES}, {"made": UNIGRAM})
        ]
        cells = ["" if one is None else f"{one['scores'][DEV]:.2f}" for one in by_kind]
        rows.append([f"{size:,}", *cells])
    return Table(["sentences", "each ideograph a token", "byte-pair encoding of runs", "unigram pieces of runs"], rows).markdown()


def _tested(scores: dict[str, float]) -> str:
    names = {**{name: _shown(name) for name in scores}, OVERLAP: "share of characters in common"}
    return Table(["model", TEST], [[names[name], f"{score:.2f}"] for name, score in scores.items()]).markdown()


def _shown(name: str) -> str:
    return _NAMES.get(name, name.replace("characters, ", ""))

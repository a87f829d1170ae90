"""The pages of the augmentations: what each is, and what reading its samples found."""

from __future__ import annotations

import tomllib
from typing import Any

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.measured import measured_shares
from augcse.report.table import Table
from docs_pages.layout import DOCS, NOTE, option_lines

SAMPLES = DOCS / "samples"


def augmentations() -> str:
    measured = measured_shares()
    cards = [member.card() for member in AUGMENTATIONS]
    header = ["augmentation", "family", "meaning", "needs", "languages", "changes"]
    rows = [
        [
            f"[{card['name']}](#{card['name'].lower()})",
            card["family"],
            card["meaning"].replace("_", " "),
            ", ".join(card["needs"]) or "-",
            ", ".join(card["languages"]),
            _share(measured["changed"].get(card["name"])),
        ]
        for card in cards
    ]
    intro = (
        "# Augmentations\n\nNamed on the command line, in recipes and in `augcse.augment` by these names, with options after colons"
        " (`RandomDeletion:rate=0.1`), by sets (`4-aug`, `8-aug`, `12-aug`, `16-aug`, each also with `-2`: without language models; and"
        f' `rule-based`), or your own ([how](your-own.md)). "changes": the share of {measured["corpus"]["rows"]:,} English Wikipedia'
        " sentences that it changes; what it does to them is in [samples](samples/README.md).\n\n"
    )
    return NOTE + intro + Table(header, rows).markdown() + "\n\n" + "\n".join(map(_augmentation, cards))


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _augmentation(card: dict[str, Any]) -> str:
    example = card["example"]
    origin = ", written by hand: it needs a published checkpoint" if example.get("written_by_hand") else f", seed {example['seed']}"
    return (
        f"## {card['name']}\n\n{card['description']}\n\n"
        f"- source: {card['source']}\n"
        f"- example{origin}: {example['sentence']} → {example['augmented']}\n" + option_lines(AUGMENTATIONS.get(card["name"]).options)
    )


def samples() -> str:
    """Return the overview of what reading the samples found, from readings.toml."""
    measured = measured_shares()["changed"]
    readings = tomllib.loads((SAMPLES / "readings.toml").read_text("utf-8"))
    rows, notes = [], []
    for name in measured:
        reading = readings.get(name, {})
        good = f"{reading['good']} of {reading['read']}" if reading else "not read"
        rows.append([f"[{name}]({name}.md)", f"{measured[name]:.1%}", good])
        if reading.get("failures"):
            notes.append(f"**{name}**: " + "; ".join(reading["failures"]) + ".")
    text = (
        "# Samples\n\nFifty random changed sentences of Wikipedia per augmentation (`python scripts/sample_augmentations.py CORPUS`)."
        " They were graded by language models, not by people: one reader per page, who had not written the rule, once, with the failures"
        " listed below so that anyone can disagree. Most rules were also tuned on text of this kind, so that other text reads worse."
        " Good: grammatical where the original is, and it does what the label says. For noise (random words, spelling) good means that"
        " spacing, marks and capitals are right. Numbers in the notes are those of the sample's page.\n\n"
    )
    return NOTE + text + Table(["augmentation", "changes", "good"], rows).markdown() + "\n\n## Failures\n\n" + "\n\n".join(notes) + "\n"

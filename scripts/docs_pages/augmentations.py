"""The pages of the augmentations: their cards, and the grading of their samples."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from augcse.augmentations.base import AUGMENTATIONS
from augcse.augmentations.measured import measured_shares
from augcse.report.table import Table
from docs_pages.layout import DOCS, NOTE, RESULTS, option_lines

SAMPLES = DOCS / "samples"
YIELD = RESULTS / "yield"


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
        f"- example{origin}: {example['sentence']} → {example['augmented']}\n"
        + option_lines(AUGMENTATIONS.get(card["name"]).options)
        + _refusal_lines(card["refusals"])
    )


def _refusal_lines(refusals: list[dict[str, str]]) -> str:
    """Return what the rule leaves alone, with a sentence each."""
    return "- left alone:\n" + "".join(f"    - {each['name']}: {each['example']}\n" for each in refusals) if refusals else ""


def samples() -> str:
    """Return what reading found: on text that nobody tuned on (holdout.toml), and in the samples of Wikipedia (readings.toml)."""
    measured = measured_shares()["changed"]
    held_out, readings = (_readings(name) for name in ("holdout", "readings"))
    rows = [[f"[{name}]({name}.md)", f"{measured[name]:.1%}", _good(readings.get(name))] for name in measured]
    return NOTE + "\n\n".join([
        f"# Samples\n\n{_HELD_OUT}", _held_out(held_out), f"## Samples of Wikipedia\n\n{_WIKIPEDIA}",
        Table(["augmentation", "changes", "good"], rows).markdown(), "## Failures", "### On held-out text", *_failures(held_out),
        "### In the samples of Wikipedia", *_failures(readings),
    ]) + "\n"  # fmt: skip


_HELD_OUT = (
    "Two tables: what rules do to sentences that nobody read while they were written, and samples of Wikipedia to look at.\n\n"
    "`python scripts/sample_domains.py DATA --split hold-out` draws from an encyclopedia, film reviews, headlines, questions, short "
    "sentences, news and fiction, with `--further` from letters and talk, newswire, captions, product reviews and plots (both "
    "tokenised and in small letters), claims and more. Rules were written by other sentences of these kinds (`--split tuning`) and by"
    " what earlier readings of the hold-out failed; the rows that were read here nobody had read before. The texts are not ours to "
    "ship: the command writes the pages. Up to 40 changed sentences of each rule were graded, each rule by one of several language "
    "models, not by people, that had not written the rules and did not see their source. Good: about as grammatical as the original, "
    "and it does what the rule says; of rules that keep the meaning, it is kept. Sensible: and one might say it. Where one figure "
    "stands, it is of both at once; of the rules that are meant to say what is strange the second was graded on its own. "
    "The failures are listed below, so that anyone can disagree; holdout.toml says which rows they were. Shares: "
    "the mean over the ten further kinds, the least and the most changed of them (`--split hold-out --further --record`), and the "
    "encyclopedia's (`--split hold-out --record`)."
)
_WIKIPEDIA = (
    "Fifty random changed sentences of Wikipedia per augmentation (`python scripts/sample_augmentations.py CORPUS`), the share of 10,000"
    " that it changes now, and for those whose rule has not changed since, how many of fifty a language model that had not written it found"
    " good. For noise (random words, spelling) good means that spacing, marks and capitals are right."
)


def _readings(name: str) -> dict[str, Any]:
    return tomllib.loads((SAMPLES / f"{name}.toml").read_text("utf-8"))


def _held_out(readings: dict[str, Any]) -> str:
    further, record = (json.loads((YIELD / f"{name}.json").read_text("utf-8")) for name in ("hold-out-further", "hold-out"))
    rows = []
    for name, reading in sorted(readings.items()):
        shares = further["changed"][name]
        least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        spread = (f"{sum(shares.values()) / len(shares):.1%}", f"{least} {shares[least]:.1%}", f"{most} {shares[most]:.1%}")
        rows.append([name, _good(reading), reading.get("sensible", ""), *spread, f"{record['changed'][name]['wiki']:.1%}"])
    good, read = (sum(reading[key] for reading in readings.values()) for key in ("good", "read"))
    rows.append(["all", f"{good} of {read}, {good / read:.1%}", "", "", "", "", ""])
    draws = ", ".join(f"{name} {share:.1%}" for name, share in record["set_draw_on_wiki"].items())
    table = Table(["augmentation", "good", "sensible", "mean", "least", "most", "encyclopedia"], rows).markdown()
    return f"{table}\n\nOf the encyclopedia's rows, a draw from a set changes (the mean of its members' shares): {draws}."


def _good(reading: dict[str, Any] | None) -> str:
    return f"{reading['good']} of {reading['read']}" if reading else "-"


def _failures(readings: dict[str, Any]) -> list[str]:
    return [f"**{name}**: " + "; ".join(reading["failures"]) + "." for name, reading in readings.items() if reading.get("failures")]

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
        "# Augmentations\n\nThe command line, recipes and `augcse.augment` take these names, with options after colons"
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
    held_out, new_kinds, last, genres, readings = (_readings(name) for name in ("holdout", "fresh", "last", "genres", "readings"))
    rows = [[f"[{name}]({name}.md)", f"{measured[name]:.1%}", _good(readings.get(name))] for name in measured]
    return NOTE + "\n\n".join([
        f"# Samples\n\n{_HELD_OUT}", _held_out(held_out, new_kinds, last, genres), f"## Samples of Wikipedia\n\n{_WIKIPEDIA}",
        Table(["augmentation", "changes", "good"], rows).markdown(), "## Failures", "### On held-out text", *_failures(held_out),
        "### On the six new kinds of text", *_failures(new_kinds), "### On a magazine and more of the encyclopedia", *_failures(last),
        "### On twenty genres", *_failures(genres),
        "### In the samples of Wikipedia", *_failures(readings),
    ]) + "\n"  # fmt: skip


_HELD_OUT = (
    "Two tables: the quality of each rule on held-out text, and samples from Wikipedia.\n\n"
    "`python scripts/sample_domains.py DATA --split hold-out` samples an encyclopedia, film reviews, headlines, questions, short "
    "sentences, news and fiction; `--further` samples letters and talk, newswire, captions, product reviews and plots (both tokenised "
    "and in lower case), claims and more; `--fresh` samples tweets, editorials, speeches, manuals, essays and sayings, which "
    "`scripts/fresh_text.py` fetches. The rules were developed on other sentences of the first twenty kinds (`--split tuning`) and on "
    "failures found by earlier readings; the rows graded here had not been read before. The texts have licences of their own and are "
    "not in the repository: the command writes the pages. Some 40 changed sentences of each rule, of two rules more, were graded by "
    "several language models (not people) that had not written the rules and did not see their source. Good: the sentence is about as "
    "grammatical as the original, the rule did what its description says and, for rules that preserve the meaning, the meaning is "
    "preserved. Sensible: one could also say it. A single figure covers both; for rules that are meant to produce strange sentences "
    "the second was graded separately. New kinds: changed sentences of `--fresh` alone; fresh.toml says whose pages were graded "
    "twice, and why one rule is missing. Last: of `--last`, a magazine and a part of the encyclopedia that nobody had read, and of what "
    "was opened after it: later parts of the encyclopedia and new rows of `--fresh`. Genres: 880 sentences of twenty genres that "
    "language models wrote before they saw any rule, in docs/samples/genres; `python scripts/sample_texts.py` writes their pages. All "
    "failures are listed below; holdout.toml, fresh.toml, last.toml and genres.toml state the rows. A star: the rule has changed since "
    "it was graded. Shares of changed rows: the mean over the sixteen kinds of `--further` and `--fresh`, the least and the most "
    "changed of them (`--split hold-out --record` with either), and the encyclopedia's (`--split hold-out --record`)."
)
_WIKIPEDIA = (
    "Fifty random changed sentences from Wikipedia per augmentation (`python scripts/sample_augmentations.py CORPUS`), the share of 10,000"
    " sentences that it changes and, if the rule has not changed since it was graded, how many of fifty were good according to a language"
    " model that had not written it. For noise (random words, spelling), good means that spacing, punctuation and capitals are correct."
)


def _readings(name: str) -> dict[str, Any]:
    return tomllib.loads((SAMPLES / f"{name}.toml").read_text("utf-8"))


def _held_out(readings: dict[str, Any], *later: dict[str, Any]) -> str:
    names = ("hold-out-further", "hold-out-fresh", "hold-out")
    further, fresh, record = (json.loads((YIELD / f"{name}.json").read_text("utf-8")) for name in names)
    rows = []
    for name, reading in sorted(readings.items()):
        shares = further["changed"][name] | fresh["changed"][name]
        least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        spread = (f"{sum(shares.values()) / len(shares):.1%}", f"{least} {shares[least]:.1%}", f"{most} {shares[most]:.1%}")
        graded = [_good(reading), reading.get("sensible", ""), *(_good(other.get(name)) for other in later)]
        rows.append([name, *graded, *spread, f"{record['changed'][name]['wiki']:.1%}"])
    rows.append(["all", _all(readings), "", *map(_all, later), "", "", "", ""])
    draws = ", ".join(f"{name} {share:.1%}" for name, share in record["set_draw_on_wiki"].items())
    header = ["augmentation", "good", "sensible", "good, new kinds", "good, last", "good, genres", "mean", "least", "most", "encyclopedia"]
    table = Table(header, rows).markdown()
    return f"{table}\n\nOf the encyclopedia's rows, a draw from a set changes (the mean of its members' shares): {draws}."


def _all(readings: dict[str, Any]) -> str:
    """Return the counts of all rules together, and the mean over the rules."""
    good, read = (sum(reading[key] for reading in readings.values()) for key in ("good", "read"))
    mean = sum(reading["good"] / reading["read"] for reading in readings.values()) / len(readings)
    return f"{good} of {read}; mean of the rules {mean:.1%}"


def _good(reading: dict[str, Any] | None) -> str:
    return f"{reading['good']} of {reading['read']}{'*' * reading.get('changed_since', False)}" if reading else "-"


def _failures(readings: dict[str, Any]) -> list[str]:
    return [f"**{name}**: " + "; ".join(reading["failures"]) + "." for name, reading in readings.items() if reading.get("failures")]

"""Measure every augmentation on ten kinds of text, split into text to tune on and text that nobody reads while tuning.

    python scripts/sample_domains.py DATA --split tuning [--names A,B] [--rows 300] [--read 40] [--output DIR]
    python scripts/sample_domains.py DATA --split hold-out [--further] ... --record
    python scripts/sample_domains.py --fresh DIR --split hold-out ... --record

A sentence whose SHA-256 begins with an even byte is for tuning. The others were held out: those whose second byte is even are spent
("hold-out-1": pages were drawn from them and their failures printed), those whose second byte is odd are the hold-out now. Per
augmentation, DIR/NAME.md holds `--read` changed sentences, as many of each domain as of any other where there are enough;
DIR/shares.json the share of each domain's rows that are changed, and how often each refusal decided. With `--record` the shares of the
named rules go to docs/results/yield/SPLIT.json, which the pages are made from; those of the others stay there. `--further` takes ten
kinds of text that no rule was tuned on, and records SPLIT-further.json; `--fresh DIR` the six of scripts/fresh_text.py, fetched when all
rules had been read on the others, and records SPLIT-fresh.json; `--last` two that were opened after these, and records SPLIT-last.json.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.base import AUGMENTATIONS, row_stream
from augcse.augmentations.composition import split_names
from augcse.augmentations.refusals import noting
from augcse.augmentations.run.composed import Parses, apply_spec
from augcse.augmentations.sets import SETS
from augcse.augmentations.spec import parse_specs
from augcse.files import write_json, write_text
from augcse.rng import stream

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "yield"
SEED = 0
SPLITS = ("tuning", "hold-out-1", "hold-out")
# The domain that the shares of whole sets are given for.
WIKI = "wiki"
Changed = tuple[int, str, str]


@dataclass
class Found:
    """The results of one augmentation on one domain."""

    rows: int = 0
    changed: list[Changed] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)


def main() -> None:
    arguments = _arguments()
    names = [spec.text for spec in parse_specs(split_names(arguments.names))] if arguments.names else _offline_rules()
    domains = _domains(arguments)
    found = {domain: _measure(read(arguments.fresh or arguments.data), names, arguments) for domain, read in domains.items()}
    for name in names:
        write_text(arguments.output / f"{name}.md", _page(name, {domain: of[name] for domain, of in found.items()}, arguments))
    record = _record(names, found, arguments)
    write_json(arguments.output / "shares.json", record)
    if arguments.record:
        kinds = "fresh" if arguments.fresh else arguments.kinds
        path = RESULTS / f"{arguments.split}{f'-{kinds}' if kinds else ''}.json"
        write_json(path, joined(json.loads(path.read_text("utf-8")), record) if path.exists() else record)


def _domains(arguments: argparse.Namespace) -> dict[str, Callable[[Path], Iterator[str]]]:
    if arguments.fresh:
        return fresh_domains(arguments.fresh)
    return {"": DOMAINS, "further": FURTHER_DOMAINS, "last": LAST_DOMAINS}[arguments.kinds]


def split_of(sentence: str) -> str:
    """Return the split a sentence belongs to, by its own bytes: the same in every corpus, order and session."""
    first, second, *_ = sha256(sentence.encode()).digest()
    return "tuning" if first % 2 == 0 else "hold-out-1" if second % 2 == 0 else "hold-out"


def tuning_rows(data: Path, domain: str, rows: Sequence[int]) -> list[str]:
    """Return some rows of a domain's tuning split, by their numbers in ascending order."""
    read = {**DOMAINS, **FURTHER_DOMAINS}[domain]
    tuning = list(islice((text for text in read(data) if split_of(text) == "tuning"), rows[-1] + 1))
    return [tuning[row] for row in rows]


def _measure(sentences: Iterator[str], names: Sequence[str], arguments: argparse.Namespace) -> dict[str, Found]:
    wanted = (sentence for sentence in sentences if split_of(sentence) == arguments.split)
    rows = list(islice(wanted, arguments.skip, arguments.skip + arguments.rows))
    parses = Parses(parse_sentences)
    parses.of(rows)  # together: one by one takes several times as long
    found = {name: Found(len(rows)) for name in names}
    for spec in parse_specs(names):
        for row, sentence in enumerate(rows):
            with noting() as refusals:
                [text] = apply_spec(spec, [sentence], [row_stream(SEED, spec.text, row)], parses, fitted={})
            found[spec.text].refusals.update(set(refusals))
            if text is not None:
                found[spec.text].changed.append((row, sentence, text))
    return found


def _page(name: str, found: dict[str, Found], arguments: argparse.Namespace) -> str:
    queues = [[(domain, *changed) for changed in _shuffled(of.changed, name, domain)] for domain, of in found.items()]
    drawn = [item for round_ in zip_longest(*queues) for item in round_ if item is not None][: arguments.read]
    shares = ", ".join(f"{domain} {len(of.changed) / max(of.rows, 1):.1%}" for domain, of in found.items())
    lines = [f"{number}. ({domain}) {old}\n   → {new}\n" for number, (domain, _, old, new) in enumerate(sorted(drawn), start=1)]
    return "\n".join([f"# {name}: {len(drawn)} changed sentences of the {arguments.split} split\n", f"Changed: {shares}.\n", *lines])


def _shuffled(changed: list[Changed], name: str, domain: str) -> list[Changed]:
    order = list(changed)
    stream(SEED, "domains", name, domain).shuffle(order)
    return order


def _record(names: Sequence[str], found: dict[str, dict[str, Found]], arguments: argparse.Namespace) -> dict[str, object]:
    shares = {name: {domain: round(len(of[name].changed) / max(of[name].rows, 1), 4) for domain, of in found.items()} for name in names}
    refusals = {name: dict(sum((of[name].refusals for of in found.values()), Counter[str]()).most_common()) for name in names}
    rows = {domain: next(iter(of.values())).rows for domain, of in found.items()}
    head = {"split": arguments.split, "seed": SEED, "rows": rows}
    return {**head, "changed": shares, "refusals": refusals, "set_draw_on_wiki": _set_draws(shares)}


def _set_draws(shares: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the share of Wikipedia's rows that a draw from each set changes, where all of its members were measured."""
    return {
        name: round(sum(shares[member][WIKI] for member in members) / len(members), 4)
        for name, members in SETS.items()
        if shares.keys() >= set(members) and all(WIKI in shares[member] for member in members)
    }


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the new record with the rules that only the old one has; ValueError where the two were drawn from other rows."""
    if any(old[key] != new[key] for key in ("split", "seed", "rows")):
        raise ValueError(f"the record holds {old['rows']} rows, this run drew {new['rows']}: give --rows as before, or draw all rules")
    both = {key: dict(sorted({**old[key], **new[key]}.items())) for key in ("changed", "refusals")}
    return {**new, **both, "set_draw_on_wiki": _set_draws(both["changed"])}


def _offline_rules() -> list[str]:
    """Return the rules that need neither a language model nor a whole corpus."""
    return [member.name for member in AUGMENTATIONS if set(member.needs) <= {"parse"} and "en" in member.languages]


def _lines(path: Path, column: int = 0) -> Iterator[str]:
    """Yield one cell per line of a text or table, each text once, spread evenly over the file."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        lines = list(dict.fromkeys(cells[column].strip() for line in file if len(cells := line.rstrip("\n").split("\t")) > column))
    texts = [line for line in lines if len(line.split()) >= 3]
    step = max(len(texts) // 4000, 1)
    for start in range(step):
        yield from texts[start::step]


def _chain(*parts: tuple[str, int]) -> Callable[[Path], Iterator[str]]:
    """Return what reads several files below the data folder in turn, a line of each."""

    def read(data: Path) -> Iterator[str]:
        for row in zip_longest(*(_lines(data / path, column) for path, column in parts)):
            yield from (text for text in row if text is not None)

    return read


DOMAINS: dict[str, Callable[[Path], Iterator[str]]] = {
    WIKI: _chain(("corpora/wiki_sent/wiki_sent_07.txt.xz", 0)),
    "reviews": _chain(("corpora/movie_reviews.txt.xz", 0)),
    "tokenised": _chain(("transfer/SST2/sentiment-dev", 0), ("transfer/SST2/sentiment-test", 0)),
    "forum": _chain(("sts/STS15/answers-forums.tsv", 1), ("sts/STS15/belief.tsv", 1), ("sts/STS14/deft-forum.tsv", 1)),
    "tweets": _chain(("sts/STS14/tweet-news.tsv", 1), ("sts/STS14/tweet-news.tsv", 2)),
    "headlines": _chain(("sts/STS15/headlines.tsv", 1), ("sts/STS14/headlines.tsv", 1), ("corpora/abc_news.txt.xz", 0)),
    "questions": _chain(("pairs/QQP_positive/train.tsv.xz", 0)),
    "tatoeba": _chain(("corpora/tatoeba_en.txt.xz", 0)),
    "news": _chain(("corpora/bbc_news.txt.xz", 0), ("corpora/agnews_test.txt.xz", 0)),
    "fiction": _chain(("corpora/brown.txt.xz", 0)),
}
# Read for the first time when all rules had been written.
FURTHER_DOMAINS: dict[str, Callable[[Path], Iterator[str]]] = {
    "letters and talk": _chain(("corpora/masc.txt.xz", 0)),
    "newswire": _chain(("corpora/reuters.txt.xz", 0)),
    "captions": _chain(("sts/SICK/train.tsv", 1)),
    "products": _chain(("transfer/CR/custrev.pos", 0), ("transfer/CR/custrev.neg", 0)),
    "plots": _chain(("transfer/SUBJ/subj.objective", 0)),
    "claims": _chain(("nli/ANLI/R1_dev.tsv.xz", 2), ("nli/ANLI/R2_dev.tsv.xz", 2), ("nli/ANLI/R3_dev.tsv.xz", 2)),
    "answers": _chain(("sts/STS16/answer-answer.tsv", 1), ("sts/STS16/answer-answer.tsv", 2)),
    "how-to questions": _chain(("sts/STS16/question-question.tsv", 1), ("sts/STS16/question-question.tsv", 2)),
    "parliament": _chain(("sts/STS12/SMTeuroparl.tsv", 1), ("sts/STS12/SMTeuroparl.tsv", 2)),
    "press": _chain(("transfer/MRPC/msr_paraphrase_test.txt", 3)),
}


# Read for the first time when the rules had been read on all of the others.
LAST_DOMAINS: dict[str, Callable[[Path], Iterator[str]]] = {
    "encyclopedia": _chain(("corpora/wiki_sent/wiki_sent_08.txt.xz", 0)),
    "magazine": _chain(("nli/LingNLI/train.tsv.xz", 1)),
}


def fresh_domains(folder: Path) -> dict[str, Callable[[Path], Iterator[str]]]:
    """Return what reads the texts of scripts/fresh_text.py."""
    return {path.stem: _chain((path.name, 0)) for path in sorted(folder.glob("*.txt"))}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=120))
    parser.add_argument(
        "data", type=Path, nargs="?", help="the folder of texts, with corpora/, sts/, transfer/ and pairs/; none with --fresh"
    )
    parser.add_argument("--split", choices=SPLITS, default="tuning")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--further", dest="kinds", action="store_const", const="further", default="", help="the ten further kinds of text")
    kinds.add_argument("--last", dest="kinds", action="store_const", const="last", help="a magazine and a later part of the encyclopedia")
    kinds.add_argument("--fresh", type=Path, metavar="DIR", help="the texts that scripts/fresh_text.py put into this folder")
    parser.add_argument("--names", help="comma-separated, compositions too; default: every rule that needs no model and no corpus")
    parser.add_argument("--rows", type=int, default=300, help="of each domain")
    parser.add_argument("--skip", type=int, default=0, help="rows of each domain to leave out: those that an earlier page was drawn from")
    parser.add_argument("--read", type=int, default=40, help="changed sentences on a page")
    parser.add_argument("--output", type=Path, default=Path("samples"))
    parser.add_argument("--record", action="store_true", help="write docs/results/yield/SPLIT.json")
    arguments = parser.parse_args()
    if arguments.data is None and arguments.fresh is None:
        parser.error("give DATA, the folder of texts, or --fresh DIR")
    return arguments


if __name__ == "__main__":
    main()

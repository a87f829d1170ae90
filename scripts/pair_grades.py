"""Show where the reviewed words of a rule stand, and take out of its table those that read badly where they stand.

    python scripts/pair_grades.py pages DATA --rule SynonymSubstitution --output DIR [--pairs 300] [--places 6] [--page 200]
    python scripts/pair_grades.py drop

`pages` writes DIR/NUMBER.md for readers and DIR/items.json: sentences of the tuning split of scripts/sample_domains.py with one word
replaced, so many places of each of the pairs that a rule writes most often. scripts/pair_grades.tsv holds what readers made of them: rule,
part of speech, word, the word in its place, in how many places it was good, of how many. `drop` takes the pairs under `LEAST_GOOD` out of
the tables; a word of which none is left stays in its table without any, so that nobody is asked about it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.english.words import free_words, replace_word
from augcse.augmentations.judge.judge import open_judge
from augcse.augmentations.judge.replacement import Replacement
from augcse.augmentations.rules.lexical.hypernyms.rule import HYPERNYMS, HYPONYMS
from augcse.augmentations.rules.lexical.synonym_substitution.rule import SYNONYMS
from augcse.augmentations.text.edits import apply_edits
from augcse.augmentations.text.tables import data_rows
from augcse.files import write_json, write_text
from augcse.lexicon.open import bundled_lexicon
from sample_domains import DOMAINS, FURTHER_DOMAINS, split_of

GRADES = Path(__file__).with_name("pair_grades.tsv")
RULES = {"SynonymSubstitution": SYNONYMS, "ReplaceHypernyms": HYPERNYMS, "ReplaceHyponyms": HYPONYMS}
# Of each kind of text; the encyclopedia has the most.
ROWS = {"wiki": 9000, "letters and talk": 2500, "newswire": 2500, "reviews": 2000, "fiction": 2000, "news": 1500}
OTHER_ROWS = 1000
# A pair is kept whose share of good places is this, drawn towards `USUAL` by one place.
LEAST_GOOD, USUAL = 0.5, 0.72
# (sentence, the word that is replaced, the sentence with the new one)
Place = tuple[str, str, str]
Grades = dict[tuple[str, str, str], float]


def main() -> None:
    arguments = _arguments()
    if arguments.command == "drop":
        for rule, replacement in RULES.items():
            write_text(replacement.table, without(replacement.table.read_text("utf-8"), shares(rule)))
    else:
        write_pages(arguments)


def shares(rule: str) -> Grades:
    """Return the share of good places of each pair (part of speech, word, other) that was read."""
    rows = (row for row in data_rows(GRADES) if row[0] == rule)
    return {(pos, word, other): (int(good) + USUAL) / (int(read) + 1) for _, pos, word, other, good, read in rows}


def without(table: str, found: Grades) -> str:
    """Return a table of reviewed words without the pairs that read badly; a word keeps one row without others where no other is left."""
    lines = [line if line.startswith("#") else _kept(line, found) for line in table.splitlines(keepends=True)]
    filled = {_word(line) for line in lines if not line.startswith("#") and line.split("\t")[2]}
    return "".join(dict.fromkeys(line for line in lines if line.startswith("#") or line.split("\t")[2] or _word(line) not in filled))


def _kept(line: str, found: Grades) -> str:
    pos, word, others, condition = line.rstrip("\n").split("\t")
    kept = [other for other in others.split("|") if found.get((pos, word, other), 1.0) >= LEAST_GOOD]
    return "\t".join((pos, word, "|".join(kept), condition if any(kept) else "")) + "\n"


def _word(line: str) -> tuple[str, str]:
    pos, word, *_ = line.split("\t")
    return pos, word


def write_pages(arguments: argparse.Namespace) -> None:
    """Write what readers read, most frequent pairs first, shuffled."""
    rng = Random(arguments.seed)
    found = places(arguments.data, RULES[arguments.rule])
    often = sorted(found, key=lambda pair: (-len(found[pair]), pair))[: arguments.pairs]
    items = [(*pair, *place) for pair in often for place in rng.sample(found[pair], min(arguments.places, len(found[pair])))]
    rng.shuffle(items)
    write_json(arguments.output / "items.json", items)
    for page in range(-(-len(items) // arguments.page)):
        rows = islice(enumerate(items), page * arguments.page, (page + 1) * arguments.page)
        text = "\n".join(f"{number}. {old}\n   [{word}] → {new}\n" for number, (*_, old, word, new) in rows)
        write_text(arguments.output / f"{page}.md", text)


def places(data: Path, replacement: Replacement) -> dict[tuple[str, str, str], list[Place]]:
    """Return where the rule may write a reviewed word, by part of speech, word and new word."""
    lexicon = bundled_lexicon()
    found: dict[tuple[str, str, str], list[Place]] = defaultdict(list)
    for parses in _parses(data):
        for parse, ways in zip(parses, replacement.ways(parses, lexicon, open_judge()), strict=True):
            for word in free_words(parse, lexicon, replacement.pos):
                listed = {other for others, _ in replacement.reviewed.get((word.pos, word.lemma), []) for other in others}
                for other in sorted(listed):
                    edits = replace_word(parse, word, other)
                    if edits in ways.get(word.index, []):
                        found[word.pos, word.lemma, other].append((parse.text, parse.word(word.index), apply_edits(parse.text, edits)))
    return found


def _parses(data: Path) -> Iterator[list[Parse]]:
    for domain, read in {**DOMAINS, **FURTHER_DOMAINS}.items():
        tuning = (text for text in read(data) if split_of(text) == "tuning")
        yield list(parse_sentences(islice(tuning, ROWS.get(domain, OTHER_ROWS))))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("drop")
    pages = commands.add_parser("pages")
    pages.add_argument("data", type=Path)
    pages.add_argument("--rule", choices=RULES, required=True)
    pages.add_argument("--output", type=Path, required=True)
    pages.add_argument("--pairs", type=int, default=300)
    pages.add_argument("--places", type=int, default=6)
    pages.add_argument("--page", type=int, default=200)
    pages.add_argument("--seed", type=int, default=12)
    return parser.parse_args()


if __name__ == "__main__":
    main()

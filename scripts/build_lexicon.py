"""Build the bundled lexicon from Open English WordNet, as two tables.

    python scripts/build_lexicon.py oewn_senses.tsv[.xz] oewn_synsets.tsv[.xz] src/augcse/resources/lexicon/oewn.lexicon

Senses: lemma, part of speech, rank, sense key, synset, relations (`kind:target,target;...`), irregular forms (comma-separated).
Synsets: id, part of speech, lexicographer file, members (|-separated), definition, examples, relations.
Definitions and examples are counted, to tell common words from rare ones, and left out. The same tables give the same bytes.
"""

from __future__ import annotations

import argparse
import lzma
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from augcse.lexicon.layout import SECTIONS, Sections, pack
from augcse.lexicon.morphology import base_forms

POS_ORDER = "nvar"
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
Row = list[str]


def read_table(path: Path) -> list[Row]:
    """Return the rows of a tab-separated table; the file may be xz-compressed."""
    content = path.read_bytes()
    text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")
    return [line.split("\t") for line in text.split("\n") if line]


def part_of_speech(label: str) -> str:
    """Return n, v, a or r: satellites are adjectives, "n-1" and "n-2" homographs that are pronounced differently."""
    return label[0].replace("s", "a")


def relation(column: str, kind: str) -> list[str]:
    """Return the targets of one kind in a relations column."""
    parts = (part.partition(":") for part in column.split(";") if part)
    return [target for name, _, targets in parts if name == kind for target in targets.split(",")]


def build(senses: list[Row], synsets: list[Row]) -> Sections:
    """Return the arrays of the file."""
    synset_number = {row[0]: number for number, row in enumerate(synsets)}
    senses = sorted(senses, key=lambda row: (row[0].lower(), row[0], POS_ORDER.index(part_of_speech(row[1])), int(row[2]), row[1]))
    words = list(dict.fromkeys(row[0] for row in senses))
    lemma_number = {word: number for number, word in enumerate(words)}
    per_lemma = Counter(row[0] for row in senses)
    categories = sorted({row[2] for row in synsets})
    hypernyms = [[synset_number[target] for target in relation(row[6], "hypernym") if target in synset_number] for row in synsets]
    members = [[lemma_number[word] for word in row[3].split("|")] for row in synsets]
    antonyms = antonym_pairs(senses, lemma_number)
    forms = irregular_forms(senses)
    counts = word_counts(synsets, words, senses, forms)
    arrays = {
        "lemma_text": _bytes("".join(words)),
        "lemma_bytes": [len(word.encode()) for word in words],
        "lemma_senses": [per_lemma[word] for word in words],
        "lemma_common": [min(255, round(12 * math.log2(1 + counts[word]))) for word in words],
        "sense_synset": [synset_number[row[4]] for row in senses],
        "synset_members": [len(lemmas) for lemmas in members],
        "member_lemma": [lemma for lemmas in members for lemma in lemmas],
        "synset_category": [categories.index(row[2]) for row in synsets],
        "synset_hypernyms": [len(targets) for targets in hypernyms],
        "hypernym": [target for targets in hypernyms for target in targets],
        "antonym_sense": [sense for sense, _ in antonyms],
        "antonym_lemma": [lemma for _, lemma in antonyms],
        "categories": _bytes("\n".join(categories)),
        "irregular": _bytes("".join(f"{form}\t{pos}\t{lemma}\n" for form, pos, lemma in forms)),
    }
    return {name: np.asarray(array, dtype=SECTIONS[name]) for name, array in arrays.items()}


def antonym_pairs(senses: list[Row], lemma_number: dict[str, int]) -> list[tuple[int, int]]:
    """Return (number of the sense, number of the antonym's lemma), rising by sense."""
    lemma_of_key = {row[3]: row[0] for row in senses}
    return [
        (sense, lemma_number[lemma_of_key[target]])
        for sense, row in enumerate(senses)
        for target in relation(row[5], "antonym")
        if target in lemma_of_key
    ]


def irregular_forms(senses: Iterable[Row]) -> list[tuple[str, str, str]]:
    """Return (form, part of speech, lemma), sorted."""
    rows = ((form.strip().lower(), part_of_speech(row[1]), row[0]) for row in senses for form in row[6].split(",") if row[6])
    return sorted({row for row in rows if row[0]})


def word_counts(synsets: list[Row], words: list[str], senses: list[Row], forms: list[tuple[str, str, str]]) -> Counter[str]:
    """Return how often each lemma, in whatever form, is used in definitions and examples."""
    tokens = Counter(token.lower() for row in synsets for token in _TOKEN.findall(f"{row[4]} {row[5]}"))
    known: dict[str, set[str]] = defaultdict(set)
    for row in senses:
        known[part_of_speech(row[1])].add(row[0])
    irregular: dict[tuple[str, str], list[str]] = defaultdict(list)
    for form, pos, lemma in forms:
        irregular[form, pos].append(lemma)
    plain = {word for word in words if word.islower()}
    counts: Counter[str] = Counter()
    for token, number in tokens.items():
        for lemma in {
            lemma for pos in POS_ORDER for lemma in base_forms(token, pos, tuple(irregular[token, pos]), known[pos].__contains__)
        } & plain:
            counts[lemma] += number
    return counts


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def main() -> None:
    """Read the tables, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("senses", type=Path)
    parser.add_argument("synsets", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    content = pack(build(read_table(arguments.senses), read_table(arguments.synsets)))
    arguments.output.write_bytes(content)
    print(f"{arguments.output}: {len(content):,} bytes")


if __name__ == "__main__":
    main()

"""Build the adjective antonyms of SentenceAdjectivesAntonymsSwitch from Open English WordNet.

    python scripts/build_adjective_antonyms.py oewn_senses.tsv[.xz] src/augcse/augmentations/rules/lexical/antonyms/adjective_antonyms.tsv

The senses file has the columns lemma, pos, rank, sense key, synset, relations; relations are `kind:target,target;...`.
adjective_antonyms.txt beside this script says which words are left out, and which antonyms are preferred.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterable
from pathlib import Path

from augcse.augmentations.text.tables import word_sets

HEADER = """\
# Adjective antonyms: adjective TAB antonym.
# Source: Open English WordNet (https://en-word.net), CC BY 4.0, (c) the Open English WordNet team,
# derived from Princeton WordNet 3.1, (c) 2006 Princeton University (WordNet licence).
# Built by scripts/build_adjective_antonyms.py: the antonym of the most frequent sense that has one, if that is the
# first or second sense; multi-word and capitalised words, "non-" antonyms, and a list of pairs that read as nonsense
# left out; antonyms that suit the everyday sense better chosen by hand (PREFERRED in adjective_antonyms.txt beside it).
"""
MAX_RANK = 1
WORDS = word_sets(Path(__file__).with_name("adjective_antonyms.txt"))
PREFERRED = dict(pair.split(":") for pair in sorted(WORDS["PREFERRED"]))


def read_senses(path: Path) -> list[tuple[str, str, int, str, str]]:
    """Return (lemma, part of speech, rank, key, relations) rows; the file may be xz-compressed."""
    content = path.read_bytes()
    text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")
    rows = (line.split("\t") for line in text.split("\n") if line)
    return [(row[0], row[1], int(row[2]), row[3], row[5]) for row in rows if row[2].isdigit()]


def antonyms(senses: Iterable[tuple[str, str, int, str, str]]) -> dict[str, str]:
    """Return the chosen antonym of every adjective that keeps one."""
    senses = list(senses)
    lemma_of = {key: lemma for lemma, _, _, key, _ in senses}
    best: dict[str, tuple[int, str]] = {}
    for lemma, part, rank, _, relations in senses:
        if part in ("a", "s") and rank <= MAX_RANK and is_plain(lemma) and lemma not in WORDS["BLOCKED"]:
            for target in targets_of(relations):
                antonym = lemma_of.get(target, "")
                if is_acceptable(antonym) and (lemma not in best or rank < best[lemma][0]):
                    best[lemma] = (rank, antonym)
    return {lemma: chosen for lemma, (_, chosen) in best.items()} | PREFERRED


def targets_of(relations: str) -> list[str]:
    """Return the sense keys that a relations column names as antonyms."""
    pairs = (relation.split(":", 1) for relation in relations.split(";") if relation)
    return [target for kind, targets in pairs if kind == "antonym" for target in targets.split(",")]


def is_plain(word: str) -> bool:
    """Tell whether a word is one lower-case word of letters."""
    return word.isalpha() and word.islower() and len(word) > 1


def is_acceptable(antonym: str) -> bool:
    """Tell whether a word may stand as an antonym."""
    unwanted = antonym in WORDS["BLOCKED_ANTONYM"] or (antonym.startswith("non") and antonym not in WORDS["ALLOWED_NON"])
    return is_plain(antonym) and not unwanted


def main() -> None:
    """Read the senses, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("senses", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    pairs = antonyms(read_senses(arguments.senses))
    lines = "".join(f"{adjective}\t{antonym}\n" for adjective, antonym in sorted(pairs.items()))
    arguments.output.write_text(HEADER + lines, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Count which prepositions nouns take, and write those that are theirs: "a stake in", "an attempt to".

    python scripts/build_noun_prepositions.py DATA [--least-count 3] [--least-share 0.02]

Counted are the subjects before their verb in Wikipedia's sentences of the tuning split: whatever stands between a noun and its verb
belongs to the noun, while what follows an object may belong to the verb. (Hindle and Rooth 1993, "Structural ambiguity and lexical
relations", begin with such unambiguous places too.) Parsing them takes 20 minutes of a core. A line of the table is a preposition, or
"TO" of an infinitive, and nouns (lemmas) that it follows in at least the share of their places.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import parse_sentences
from augcse.augmentations.rules.syntax.sentence_subject_object_switch.refusals import NOUN_PREPOSITIONS
from augcse.files import write_text
from sample_domains import split_of

_HEAD = """\
# Nouns (lemmas) by the preposition, or "to" of an infinitive, that they take: "a stake IN". Written by scripts/build_noun_prepositions.py
# from Wikipedia's text (CC BY-SA 3.0): noun and preposition of {count} or more subjects, {share:.0%} of the noun's subjects at least.
"""
_WIDTH = 140


def main() -> None:
    arguments = _arguments()
    nouns, pairs = counted(parse_sentences(_sentences(arguments.data)))
    write_text(NOUN_PREPOSITIONS, written(nouns, pairs, arguments.least_count, arguments.least_share))


def written(nouns: Counter[str], pairs: Counter[tuple[str, str]], least_count: int, least_share: float) -> str:
    """Return the table: a preposition and the nouns that take it on each line; "of" is left out, as it always goes with the noun."""
    found: dict[str, list[str]] = defaultdict(list)
    for (noun, preposition), count in sorted(pairs.items()):
        if preposition.isalpha() and preposition != "of" and count >= max(least_count, least_share * nouns[noun]):
            found[preposition.upper()].append(noun)
    lines = [f"{preposition} {line}" for preposition, some in sorted(found.items()) for line in wrap(" ".join(some), _WIDTH)]
    return _HEAD.format(count=least_count, share=least_share) + "\n".join(lines) + "\n"


def counted(parses: Iterable[Parse]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Return how often each noun is a subject before its verb, and how often with each preposition between the two."""
    nouns: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for parse in parses:
        for index in range(len(parse)):
            if parse.tags[index] in ("NN", "NNS") and parse.has_label(index, "nsubj") and parse.heads[index] > index:
                noun = parse.lemmas[index].lower()
                nouns[noun] += 1
                pairs.update({(noun, preposition) for preposition in _prepositions(parse, index)})
    return nouns, pairs


def _prepositions(parse: Parse, noun: int) -> Iterator[str]:
    """Yield the prepositions, and the "to" of infinitives, that stand between a noun and its verb and belong to the noun."""
    for below in parse.children(noun, "nmod", "acl"):
        if noun < below < parse.heads[noun]:
            yield from (parse.word(index) for index in parse.children(below, "case", "mark") if noun < index < below)


def _sentences(data: Path) -> Iterator[str]:
    for path in sorted((data / "corpora" / "wiki_sent").glob("*.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            yield from (line for line in map(str.strip, lines) if split_of(line) == "tuning")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--least-count", type=int, default=3)
    parser.add_argument("--least-share", type=float, default=0.02)
    return parser.parse_args()


if __name__ == "__main__":
    main()

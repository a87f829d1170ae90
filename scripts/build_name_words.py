"""Count which words and phrases are written with a capital inside sentences, for english/name_words.py.

    python scripts/build_name_words.py TEXT...

A word is told by how often it has a capital where none opens a sentence. A phrase is two words, with up to two small ones between them
("men in black"), that both have capitals in most places, where one of them alone would not tell. A capital inside counts as one
("iPhone"); lines that are mostly capitals are left out. The bundled table was counted in the English Wikipedia (dump of 2019-07-20),
without the part that the rules are measured on. Writes src/augcse/augmentations/english/name_words.txt. Same text, same bytes.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "src" / "augcse" / "augmentations" / "english" / "name_words.txt"
HEADER = """\
# Words and phrases that mostly have a capital inside a sentence. Built by scripts/build_name_words.py.
# Source: English Wikipedia, dump of 2019-07-20, CC BY-SA 3.0.
# NAME: words that have one in 90 percent of their occurrences or more; PHRASE: two words, with small ones between them, that both have one
# in 60 percent.
"""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\S")
_SMALL = frozenset("a an and at by de for from in la of on the to with".split())
_OPENING = frozenset(".!?:;\"“”('‘–—-/[«=")
_MOSTLY_CAPITALS = 0.6
# A phrase of two everyday words needs few: nothing else tells that it is a name.
_LEAST_TIMES = {"word": 8, "phrase": 8, "everyday phrase": 4}
_LEAST_SHARE = {"NAME": 0.9, "PHRASE": 0.6}
# Rare phrases are forgotten when there are so many.
_MOST_PHRASES = 7_000_000


@dataclass
class Counts:
    """How often words and phrases were seen, and how often with capitals."""

    words: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)
    phrases: Counter[str] = field(default_factory=Counter)
    capital_phrases: Counter[str] = field(default_factory=Counter)

    def add(self, tokens: Sequence[str]) -> None:
        """Count the words and phrases of a line."""
        lower = [token.lower() for token in tokens]
        raised = [token != small for token, small in zip(tokens, lower, strict=True)]
        for index, word in enumerate(lower):
            if not word[0].isalpha():
                continue
            if index and tokens[index - 1] not in _OPENING:
                self.words[word] += 1
                self.capital[word] += raised[index]
            last = _end_of_phrase(lower, raised, index)
            if last:
                phrase = "_".join(lower[index : last + 1])
                self.phrases[phrase] += 1
                self.capital_phrases[phrase] += raised[index] and raised[last]

    def forget_rare_phrases(self) -> None:
        """Keep memory in bounds."""
        if len(self.phrases) > _MOST_PHRASES:
            for phrase in [phrase for phrase, times in self.phrases.items() if times == 1]:
                del self.phrases[phrase], self.capital_phrases[phrase]

    def share(self, word: str) -> float:
        """Return the share of a word's occurrences that have a capital."""
        return self.capital[word] / max(self.words[word], 1)


def _end_of_phrase(lower: Sequence[str], raised: Sequence[bool], first: int) -> int:
    """Return the last word of the phrase that begins with the first; 0 for none."""
    last = first + 1
    while last < min(first + 3, len(lower)) and lower[last] in _SMALL and not raised[last]:
        last += 1
    ends = last < len(lower) and lower[last][0].isalpha() and lower[last] not in _SMALL
    return last if ends and lower[first] not in _SMALL else 0


def rows_of(counts: Counts) -> Iterator[str]:
    """Yield the rows of the table."""
    kinds: dict[str, list[str]] = {"NAME": [], "PHRASE": []}
    for word, times in sorted(counts.words.items()):
        if times >= _LEAST_TIMES["word"] and counts.share(word) >= _LEAST_SHARE["NAME"]:
            kinds["NAME"].append(word)
    for phrase, times in sorted(counts.phrases.items()):
        first, *_, last = phrase.split("_")
        low, high = sorted((counts.share(first), counts.share(last)))
        least = _LEAST_TIMES["phrase" if high >= _LEAST_SHARE["NAME"] else "everyday phrase"]
        if times >= least and low < _LEAST_SHARE["NAME"] and counts.capital_phrases[phrase] >= _LEAST_SHARE["PHRASE"] * times:
            kinds["PHRASE"].append(phrase)
    return (f"{kind} {' '.join(words)}\n" for kind, words in kinds.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help=".xz, a sentence or a paragraph per line")
    counts = Counts()
    for path in parser.parse_args().texts:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for tokens in map(_TOKEN.findall, lines):
                letters = sum(token[0].isalpha() for token in tokens)
                if sum(token[0].isupper() for token in tokens) < _MOSTLY_CAPITALS * letters:
                    counts.add(tokens)
        counts.forget_rare_phrases()
    TARGET.write_text(HEADER + "".join(rows_of(counts)), "utf-8")


if __name__ == "__main__":
    main()

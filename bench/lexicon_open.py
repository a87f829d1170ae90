"""Opening time and lookups per second of the bundled lexicon.

python bench/lexicon_open.py [--lexicon bundled|wndb:FOLDER] [--words 20000]
"""

from __future__ import annotations

import argparse
import random
import time

from augcse.lexicon.open import bundled_lexicon, open_lexicon


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lexicon", default="bundled")
    parser.add_argument("--words", type=int, default=20_000)
    arguments = parser.parse_args()
    started = time.perf_counter()
    lexicon = open_lexicon(arguments.lexicon)
    print(f"open: {1000 * (time.perf_counter() - started):.1f} ms")
    words = _words(arguments.words)
    for name in ("first lookup", "cached lookup"):
        started = time.perf_counter()
        known = sum(bool(lexicon.synsets(word)) for word in words)
        print(f"{name}: {len(words) / (time.perf_counter() - started):,.0f} words/s ({known:,} of {len(words):,} found)")
    started = time.perf_counter()
    narrower = sum(len(lexicon.hyponyms(synset)) for word in words[:2_000] for synset in lexicon.synsets(word, "n"))
    print(f"hyponyms of 2,000 words: {1000 * (time.perf_counter() - started):.0f} ms ({narrower:,})")


def _words(number: int) -> list[str]:
    """Draw lemmas of the bundled lexicon, half of them made unknown."""
    lexicon = bundled_lexicon()
    draw = random.Random(0)
    drawn = [draw.choice(lexicon.synset(draw.randrange(100_000)).lemmas) for _ in range(number)]
    return [word if index % 2 else word + "x" for index, word in enumerate(drawn)]


if __name__ == "__main__":
    main()

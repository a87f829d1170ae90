"""Tell which word pieces of the bundled mini-bert's vocabulary are beginnings of words ("earthqu") and no words themselves.

A piece counts as a word when it stands alone in the bundled corpus, or when it has at least four letters and is among the strings of the
bundled parser, unless those strings hold it as a botched lemma ("includ": it is a word with an "e" after it). Nothing but what the
package ships goes in. Writes src/augcse/augmentations/neural/mini_bert_fragments.txt; run it again when the bundled model changes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from augcse.augmentations.neural.wordpiece import WORD, kind_of, load_vocabulary
from augcse.resources import DEMO_CORPUS, PARSER

TARGET = Path(__file__).resolve().parents[1] / "src" / "augcse" / "augmentations" / "neural" / "mini_bert_fragments.txt"
HEADER = "# Pieces of mini-bert's vocabulary that only begin words. Built by scripts/build_word_fragments.py from bundled parts.\n"


def main() -> None:
    words = sorted(piece for piece in load_vocabulary("mini-bert").pieces if kind_of(piece) == WORD)
    seen = set(re.findall(r"[^\W\d_]+", DEMO_CORPUS.read_text("utf-8").lower()))
    strings = set(json.loads((PARSER / "vocab" / "strings.json").read_text("utf-8")))
    listed = {word for word in words if len(word) > 3 and word in strings and word + "e" not in strings}
    fragments = [word for word in words if word not in seen and word not in listed]
    TARGET.write_text(HEADER + "".join(f"{word}\n" for word in fragments), "utf-8")
    print(f"{len(fragments)} fragments among {len(words)} pieces")


if __name__ == "__main__":
    main()

"""Write the mixed text of the small benchmarks: sentences of six open collections, checked by their hashes.

    python scripts/mixed_text.py DATA > mixed.txt

The list is docs/results/mixed_text.json: file, SHA-256 of the file, sentences taken, evenly spaced. DATA holds the files; none of them
is shipped. A file of another content, or a result of another content, ends the command with a line that names it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "docs" / "results" / "mixed_text.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    text = "".join(f"{sentence}\n" for sentence in mixed_sentences(parser.parse_args().data)).encode()
    _check("the mixed text", hashlib.sha256(text).hexdigest(), json.loads(LIST.read_text("utf-8"))["sha256"])
    sys.stdout.buffer.write(text)


def mixed_sentences(data: Path) -> Iterator[str]:
    """Give the sentences of the list's files in order, each file checked before it is read."""
    from augcse.corpus.read import read_sentences
    from augcse.files import file_sha256

    for part in json.loads(LIST.read_text("utf-8"))["parts"]:
        path = data / part["file"]
        _check(str(path), file_sha256(path) if path.is_file() else "no such file", part["sha256"])
        sentences = list(read_sentences([path]))
        for index in range(part["sentences"]):
            yield sentences[index * len(sentences) // part["sentences"]]


def _check(name: str, found: str, expected: str) -> None:
    if found != expected:
        sys.exit(f"{name}: SHA-256 {found}, not {expected}; take the data of the list")


if __name__ == "__main__":
    main()

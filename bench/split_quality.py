"""How well documents are cut into sentences, and how fast, on Universal Dependencies' English-EWT: `augcse split` and its alternatives.

python bench/split_quality.py --data ../shared/data [--part dev] [--record docs/results/split.json]

A paragraph of the treebank is put together from its sentences as it was, white space included. Counted are the places inside paragraphs
where a sentence ends and another begins. The end of a paragraph is given, and counts for nothing.
Beside it: what training would cut of a corpus of news, one paragraph per line, before and after.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from augcse.annotation.segment import sentence_ends
from augcse.training.record import hardware

_MARKED = re.compile(r"[.!?…][\"'”’)\]]*$")
NEWS = "bbc_news.txt.xz"
LIMIT_TOKENS = 32
Splitter = Callable[[str], Iterable[str]]


def paragraphs(path: Path) -> Iterator[list[str]]:
    """Yield the sentences of each paragraph of a treebank, in order."""
    sentences: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(("# newpar", "# newdoc")) and sentences:
                yield sentences
                sentences = []
            if line.startswith("# text = "):
                sentences.append(line.removeprefix("# text = ").strip())
    if sentences:
        yield sentences


def ends(sentences: Iterable[str]) -> set[int]:
    """Return where sentences end, counted in characters without white space, the last one left out."""
    return set(list(itertools.accumulate(len("".join(sentence.split())) for sentence in sentences))[:-1])


def every_mark(text: str) -> list[str]:
    """Cut after every full stop, question and exclamation mark that a space follows."""
    return re.split(r"(?<=[.!?])\s+", text)


def spacy_splitters() -> dict[str, Splitter]:
    """Return spaCy's rule-based sentencizer."""
    import spacy

    rules = spacy.blank("en")
    rules.add_pipe("sentencizer")
    return {"spaCy's sentencizer": lambda text: [sentence.text for sentence in rules(text).sents]}


def measure(split: Splitter, texts: list[list[str]]) -> dict[str, Any]:
    """Return precision, recall and F1 of the ends that a splitter finds, in per cent, and characters per second of processor time."""
    joined = [" ".join(sentences) for sentences in texts]
    started = time.process_time()
    predicted = [ends(split(text)) for text in joined]
    seconds = time.process_time() - started
    expected = [ends(sentences) for sentences in texts]
    correct = sum(len(predicted_ends & expected_ends) for predicted_ends, expected_ends in zip(predicted, expected, strict=True))
    precision, recall = correct / sum(map(len, predicted)), correct / sum(map(len, expected))
    return {
        "precision": round(100 * precision, 2),
        "recall": round(100 * recall, 2),
        "f1": round(200 * precision * recall / (precision + recall), 2),
        "characters_per_s": round(sum(map(len, joined)) / seconds),
    }


def beyond_limit(lines: list[str]) -> dict[str, Any]:
    """Return what training would cut: the share of lines with more tokens than `LIMIT_TOKENS`, and of the tokens beyond it."""
    from tokenizers import Tokenizer

    from augcse.resources import MINI_BERT

    tokenizer = Tokenizer.from_file(str(MINI_BERT / "tokenizer.json"))
    tokenizer.no_truncation()
    lengths = [len(row.ids) for row in tokenizer.encode_batch(lines)]
    beyond = [max(0, length - LIMIT_TOKENS) for length in lengths]
    return {
        "lines": len(lines),
        "lines_cut_percent": round(100 * sum(map(bool, beyond)) / len(lines), 1),
        "tokens_lost_percent": round(100 * sum(beyond) / sum(lengths), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=["train", "dev", "test"], default="dev")
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    texts = list(paragraphs(arguments.data / "ud" / f"en_ewt-ud-{arguments.part}.conllu.xz"))
    splitters: dict[str, Splitter] = {
        "every . ! ? before a space": every_mark,
        "augcse split": sentence_ends("en").split,
        **spacy_splitters(),
    }
    for splitter in splitters.values():
        list(splitter("A first text. It warms up."))
    with lzma.open(arguments.data / "corpora" / NEWS, "rt", encoding="utf-8") as file:
        news = [line.strip() for line in file if line.strip()]
    record = {
        "part": arguments.part,
        "paragraphs": len(texts),
        "ends_within_paragraphs": sum(len(sentences) - 1 for sentences in texts),
        "ends_without_a_mark": sum(not _MARKED.search(sentence) for sentences in texts for sentence in sentences[:-1]),
        "hardware": hardware(),
        "news": {
            "file": NEWS,
            "before": beyond_limit(news),
            "after": beyond_limit([sentence for line in news for sentence in sentence_ends("en").split(line)]),
        },
        "splitters": {name: measure(splitter, texts) for name, splitter in splitters.items()},
    }
    print(json.dumps(record, indent=2))
    if arguments.record:
        arguments.record.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

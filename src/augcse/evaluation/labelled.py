"""Labelled sentences and pairs as SentEval reads them: white space normalised, labels in a fixed order, content verified."""

from __future__ import annotations

import hashlib
import io
import lzma
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.errors import UserError
from augcse.evaluation.senteval_files import SentEvalFiles, SentEvalFolder

TREC_LABELS = ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")
NLI_LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True, slots=True)
class LabelledExample:
    """A class and its one or two sentences."""

    label: int
    texts: tuple[str, ...]


Parse = Callable[[str], LabelledExample]


@dataclass(frozen=True)
class LabelledFile:
    """A file and its required content.

    Args:
        path: below the data folder, e.g. `transfer/MR/rt-polarity.pos`; a path ending in .xz is decompressed.
        parse: one line -> one example; raises `ValueError` with what was expected.
        rows: how many examples it must hold.
        sha256: of the parsed content (`content_sha256`), so that it depends on every word, but not on white space and line ends.
        senteval: the path of the same file in SentEval's data folder; "" if SentEval has none.
        encoding: as SentEval reads it.
        header: whether the first line is a header.
    """

    path: str
    parse: Parse
    rows: int
    sha256: str
    senteval: str = ""
    encoding: str = "utf-8"
    header: bool = False

    def read(self, data: Path) -> list[LabelledExample]:
        """Read and verify.

        Raises:
            UserError: a missing file, a malformed line, another number of examples, or other content than the canonical file's.
        """
        path = self.path_in(data)
        if not path.is_file():
            other = ", or SentEval's own data folder" if self.senteval else ""
            raise UserError(f"no file {path}; --data takes a folder with {self.path}{other}")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UserError(f"cannot read {path}: {error}; give the published file") from error
        return self._verified_examples(path, content)

    def path_in(self, data: Path) -> Path:
        """Return the path of the file that is read from a data folder: SentEval's own if ours is missing."""
        path, folder = data / self.path, SentEvalFolder(data)
        return folder.path / self.senteval if not path.is_file() and self.senteval and self.senteval in folder else path

    def read_from(self, files: SentEvalFiles) -> list[LabelledExample]:
        """Read from SentEval's own files and verify; raises as `read`."""
        return self._verified_examples(files.path / self.senteval, files.read(self.senteval))

    def _verified_examples(self, path: Path, content: bytes) -> list[LabelledExample]:
        """Parse the content, and raise `UserError` unless the number of rows and the checksum are right."""
        lines = enumerate(self._lines(path, content), start=1)
        examples = [self._parsed_example(path, number, line) for number, line in lines if number > self.header]
        if len(examples) != self.rows:
            raise UserError(f"{path}: {len(examples):,} rows, not {self.rows:,}; the score would not compare; give the whole file")
        if content_sha256(examples) != self.sha256:
            raise UserError(f"{path}: {self.rows:,} rows, but not the canonical file's content (SHA-256); the score would not compare")
        return examples

    def _lines(self, path: Path, content: bytes) -> list[str]:
        """Return the lines of a file, decompressed and decoded."""
        try:
            if path.suffix == ".xz":
                content = lzma.decompress(content)
            # Universal newlines only: a sentence may contain U+0085 or U+2028.
            return [line.rstrip("\n") for line in io.TextIOWrapper(io.BytesIO(content), encoding=self.encoding)]
        except UnicodeDecodeError as error:
            raise UserError(
                f"{path}: not {self.encoding.upper()}: {error.reason} at byte {error.start}; give the published file"
            ) from error
        except lzma.LZMAError as error:
            raise UserError(f"cannot read {path}: {error}; give the published file") from error

    def _parsed_example(self, path: Path, number: int, line: str) -> LabelledExample:
        try:
            return self.parse(line)
        except ValueError as error:
            raise UserError(f"{path}, line {number}: {error}") from error


def content_sha256(examples: Iterable[LabelledExample]) -> str:
    """Return the SHA-256 of label TAB text (TAB text) LF, in UTF-8, over the examples in file order."""
    digest = hashlib.sha256()
    for example in examples:
        digest.update("\t".join([str(example.label), *example.texts]).encode() + b"\n")
    return digest.hexdigest()


def senteval_order(examples: Sequence[LabelledExample]) -> list[LabelledExample]:
    """Sort as SentEval does before encoding (words per text, then label; stable): its folds and batches depend on this order."""
    return sorted(examples, key=lambda example: (*[len(text.split()) for text in example.texts], example.label))


def all_of(label: int) -> Parse:
    """Parse files with the sentences of one class, one per line; an empty line is an empty sentence, as in SentEval."""

    def parse(line: str) -> LabelledExample:
        return LabelledExample(label, (_normalised(line),))

    return parse


def sentence_then_label(line: str) -> LabelledExample:
    """Parse sentence TAB 0|1 (SST2)."""
    text, label = _split_columns(line, 2, "sentence TAB label")
    return LabelledExample(_binary_label(label), (_normalised(text),))


def trec_question(line: str) -> LabelledExample:
    """Parse COARSE:fine question (TREC); the coarse class counts."""
    coarse, _, fine_and_question = line.strip().partition(":")
    if coarse not in TREC_LABELS or " " not in fine_and_question:
        raise ValueError(f"expected CLASS:kind question, the class one of {', '.join(TREC_LABELS)}")
    return LabelledExample(TREC_LABELS.index(coarse), (_normalised(fine_and_question.split(" ", 1)[1]),))


def paraphrase_pair(line: str) -> LabelledExample:
    """Parse quality TAB id TAB id TAB sentence TAB sentence (MRPC)."""
    label, _, _, first, second = _split_columns(line, 5, "0|1 TAB id TAB id TAB sentence TAB sentence")
    return LabelledExample(_binary_label(label), (_normalised(first), _normalised(second)))


def acceptability(line: str) -> LabelledExample:
    """Parse source TAB 0|1 TAB mark TAB sentence (CoLA)."""
    _, label, _, text = _split_columns(line, 4, "source TAB 0|1 TAB mark TAB sentence")
    return LabelledExample(_binary_label(label), (_normalised(text),))


def inference_pair(line: str) -> LabelledExample:
    """Parse label TAB premise TAB hypothesis (ANLI)."""
    label, premise, hypothesis = _split_columns(line, 3, "label TAB premise TAB hypothesis")
    if label not in NLI_LABELS:
        raise ValueError(f"the label {label!r} is none of {', '.join(NLI_LABELS)}")
    return LabelledExample(NLI_LABELS.index(label), (_normalised(premise), _normalised(hypothesis)))


def _split_columns(line: str, count: int, expected: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) < count:
        raise ValueError(f"{len(columns)} columns; expected {expected}")
    return columns[:count]


def _binary_label(label: str) -> int:
    if label.strip() not in ("0", "1"):
        raise ValueError(f"the label {label!r} is neither 0 nor 1")
    return int(label)


def _normalised(text: str) -> str:
    return " ".join(text.split())

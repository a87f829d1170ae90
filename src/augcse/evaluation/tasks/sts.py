"""Semantic textual similarity as SimCSE's SentEval fork scores it.

One Spearman correlation between cosines and human scores over the concatenation of all subsets ("all"); STS Benchmark and SICK on
their test splits, without a regression on top. Gao et al. 2021, appendix B; Conneau and Kiela 2018 (SentEval).

The English tasks read raw text (`sts/`, as today's papers do). Each has a twin ending in `-moses` that reads the same pairs tokenised and
lower-cased as SentEval ships them (`sts_moses/`, or SentEval's own files, from a folder or the hub's archive). The Chinese STS Benchmark
is the CNSD translation: 1,458 and 1,361 pairs, not 1,500 and 1,379, and whole-number grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import ForeignFailure, MissingDependencyError, UserError
from augcse.evaluation.base import TASKS, TaskCard
from augcse.evaluation.pair_files import CONTENT_SHA256
from augcse.evaluation.pairs import Pairs, pairs_sha256, read_pairs, read_senteval_pairs, senteval_pair_files
from augcse.evaluation.remarks import ScoreWarning, other_content_warning
from augcse.evaluation.senteval_files import FILE, REPOSITORY, SentEvalArchive, SentEvalFolder, other_sources

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.samples import Measured


@dataclass(frozen=True)
class HubSource:
    """A data set on the hub, pinned to a revision."""

    repository: str
    revision: str
    split: str = "test"


@dataclass(frozen=True)
class STSTask:
    """One STS task: its files under `folder`, their number of pairs, and their location on the hub and in SentEval's own data."""

    name: str
    files: tuple[str, ...]
    expected_pairs: int
    hub: HubSource | None
    suites: tuple[str, ...] = ("sts",)
    folder: str = "sts"
    senteval: tuple[str, ...] = ()

    def load(self, data: Path | None) -> LoadedPairs:
        """Load and count the pairs.

        Raises:
            UserError: a missing file, a malformed line, or a number of pairs that is not the canonical one.
        """
        loaded = self._from_folder(data) if data is not None else self._from_hub()
        if len(loaded.pairs) != self.expected_pairs:
            raise UserError(
                f"{self.name} in {data or 'the hub'} has {len(loaded.pairs):,} pairs, not {self.expected_pairs:,};"
                " the score would not compare, give the whole files"
            )
        return loaded

    def data_files(self, data: Path) -> list[Path]:
        """Return the files that `load` reads from a data folder: ours, or SentEval's."""
        senteval = self._senteval_folder(data)
        if senteval is not None:
            return [senteval.path / file for name in self.senteval for file in senteval_pair_files(name)]
        return [data / self.folder / file for file in self.files]

    def card(self) -> TaskCard:
        """Return the task's card."""
        return {
            "name": self.name,
            "suites": list(self.suites),
            "score": "Spearman x 100",
            "pairs": self.expected_pairs,
            "folder": self.folder,
            "files": list(self.files),
            "sha256": {file: CONTENT_SHA256.get(f"{self.folder}/{file}") for file in self.files},
            "hub": self._hub_location(),
            "description": f"{self.name}: Spearman of cosine and human score over {self.expected_pairs:,} pairs.",
        }

    def _hub_location(self) -> str | None:
        """Return where the hub has the pairs: a data set, or SentEval's archive; None if it has neither."""
        if self.hub is not None:
            return f"{self.hub.repository}@{self.hub.revision}"
        return f"{REPOSITORY}/{FILE}" if self.senteval else None

    def _senteval_folder(self, data: Path) -> SentEvalFolder | None:
        """Return SentEval's own folder if the pairs are read from there."""
        folder = SentEvalFolder(data)
        is_read = not (data / self.folder).is_dir() and self.senteval and self.senteval[0] in folder
        return folder if is_read else None

    def _from_folder(self, data: Path) -> LoadedPairs:
        """Read the pairs from our layout of a data folder, or else from SentEval's."""
        folder, senteval = data / self.folder, self._senteval_folder(data)
        if folder.is_dir():
            parts = [read_pairs(folder / file) for file in self.files]
            paths = [f"{self.folder}/{file}" for file in self.files]
            checked = [(path, part) for path, part in zip(paths, parts, strict=True) if path in CONTENT_SHA256]
            return self._joined_pairs(parts, tuple(path for path, part in checked if pairs_sha256(part) != CONTENT_SHA256[path]))
        if senteval is not None:
            return self._joined_pairs([read_senteval_pairs(senteval, name) for name in self.senteval])
        other = ", or SentEval's own data folder" if self.senteval else ""
        if not self.senteval and (SentEvalFolder(data).path / "STS").is_dir():
            other = "; that of SentEval has the tokenised text: --tasks sts_moses"
        raise UserError(f"{data} has no folder {self.folder}; --data takes a folder with {self.folder}/{self.files[0]} and so on{other}")

    def _joined_pairs(self, parts: Sequence[Pairs], changed: tuple[str, ...] = ()) -> LoadedPairs:
        """Return the subsets as one task; a single subset is not listed."""
        pairs = Pairs(
            [score for part in parts for score in part.scores],
            [text for part in parts for text in part.first],
            [text for part in parts for text in part.second],
        )
        subsets = tuple((Path(file).stem, len(part)) for file, part in zip(self.files, parts, strict=True))
        return LoadedPairs(pairs, subsets if len(subsets) > 1 else (), changed)

    def _from_hub(self) -> LoadedPairs:
        """Read the pairs from SentEval's archive, or else from the task's data set."""
        if self.senteval:
            try:
                archive = SentEvalArchive.fetch()
                return self._joined_pairs([read_senteval_pairs(archive, name) for name in self.senteval])
            except UserError as error:
                raise UserError(f"{self.name}: {error}; {other_sources(f'{self.folder}/{self.files[0]}')}") from error
        if self.hub is None:
            files = f"{self.folder}/{self.files[0]}"
            raise UserError(
                f"{self.name}: no data set on the hub holds its official split; give --data DIR with {files} in it,"
                f" {self.expected_pairs:,} lines of score, sentence, sentence, by tabs"
            )
        try:
            from datasets import load_dataset
        except ImportError as error:
            raise MissingDependencyError("data from the hub needs: pip install datasets") from error
        with ForeignFailure(self._not_available):
            rows = load_dataset(self.hub.repository, revision=self.hub.revision, split=self.hub.split)
        pairs = Pairs(
            [float(score) for score in rows["score"]],
            [" ".join(text.split()) for text in rows["sentence1"]],
            [" ".join(text.split()) for text in rows["sentence2"]],
        )
        return LoadedPairs(pairs)

    def _not_available(self, error: BaseException) -> str:
        reason = (str(error).strip() or type(error).__name__).split("\n")[0]
        repository = self.hub.repository if self.hub else ""
        return f"{self.name}: cannot load {repository} from the hub ({reason}); give --data DIR"


@dataclass(frozen=True)
class LoadedPairs:
    """Graded pairs as a task: Spearman between cosine and grade.

    Attributes:
        pairs: all pairs, subset after subset.
        subsets: name and number of pairs of each subset, in order; empty if there is one file, or the hub has them in one piece.
        changed_files: those with the right number of pairs, but other scores or words.
        remarks: other warnings about the data that a reader of the score must know.
    """

    pairs: Pairs
    subsets: tuple[tuple[str, int], ...] = ()
    changed_files: tuple[str, ...] = ()
    remarks: tuple[ScoreWarning, ...] = ()

    def sentences(self) -> list[str]:
        """Return all sentences of the pairs."""
        return self.pairs.sentences()

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return remarks: files that differ from those of this project's scores, and others."""
        return (*((other_content_warning(self.changed_files),) if self.changed_files else ()), *self.remarks)

    def cosines(self, embeddings: np.ndarray, row_of: dict[str, int]) -> np.ndarray:
        """Return the cosine of each pair, 0 if a vector is zero. embeddings (distinct, dim) -> (pairs,).

        Raises:
            UserError: an embedding that is not finite.
        """
        import numpy as np

        from augcse.evaluation.metrics import row_cosines

        first = embeddings[[row_of[text] for text in self.pairs.first]]
        second = embeddings[[row_of[text] for text in self.pairs.second]]
        if not (np.isfinite(first).all() and np.isfinite(second).all()):
            raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored, give another")
        return row_cosines(first, second)

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return Spearman x 100. embeddings: (distinct, dim)."""
        import numpy as np

        from augcse.evaluation.metrics import spearman

        return 100 * spearman(self.cosines(embeddings, row_of), np.asarray(self.pairs.scores))

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> dict[str, float]:
        """Return Spearman, Pearson, and Spearman per subset, x 100.

        If there are any, also the number of sentences with a zero vector, and of pairs with a cosine that another pair has too.
        """
        import numpy as np

        from augcse.evaluation.metrics import pearson, spearman, tied

        cosines, gold = self.cosines(embeddings, row_of), np.asarray(self.pairs.scores)
        figures = {"spearman": 100 * spearman(cosines, gold), "pearson": 100 * pearson(cosines, gold)}
        figures |= {name: 100 * spearman(cosines[part], gold[part]) for name, part in self.slices().items()}
        counts = {"zero_vectors": self.zero_vectors(embeddings, row_of), "tied_pairs": tied(cosines)}
        return figures | {name: count for name, count in counts.items() if count}

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the metrics of `measure`, and the cosines with the grades."""
        import numpy as np

        from augcse.evaluation.samples import Measured, PairSample

        return Measured(self.measure(embeddings, row_of), PairSample(self.cosines(embeddings, row_of), np.asarray(self.pairs.scores)))

    def slices(self) -> dict[str, slice]:
        """Return the range of each subset within the pairs."""
        ends = [sum(pairs for _, pairs in self.subsets[: index + 1]) for index in range(len(self.subsets))]
        return {name: slice(end - pairs, end) for (name, pairs), end in zip(self.subsets, ends, strict=True)}

    def zero_vectors(self, embeddings: np.ndarray, row_of: dict[str, int]) -> int:
        """Count the distinct sentences with a zero vector, whose cosines count as 0."""
        rows = [row_of[sentence] for sentence in dict.fromkeys(self.sentences())]
        return int((~embeddings[rows].any(axis=1)).sum())


def _subset_files(year: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{year}/{name}.tsv" for name in names)


_ENGLISH = (
    STSTask(
        "STS12",
        _subset_files("STS12", "MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews"),
        3108,
        HubSource("mteb/sts12-sts", "a0d554a64d88156834ff5ae9920b964011b16384"),
    ),
    STSTask(
        "STS13",
        _subset_files("STS13", "FNWN", "headlines", "OnWN"),
        1500,
        HubSource("mteb/sts13-sts", "7e90230a92c190f1bf69ae9002b8cea547a64cca"),
    ),
    STSTask(
        "STS14",
        _subset_files("STS14", "deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"),
        3750,
        HubSource("mteb/sts14-sts", "6031580fec1f6af667f0bd2da0a551cf4f0b2375"),
    ),
    STSTask(
        "STS15",
        _subset_files("STS15", "answers-forums", "answers-students", "belief", "headlines", "images"),
        3000,
        HubSource("mteb/sts15-sts", "ae752c7c21bf194d8b67fd573edf7ae58183cbe3"),
    ),
    STSTask(
        "STS16",
        _subset_files("STS16", "answer-answer", "headlines", "plagiarism", "postediting", "question-question"),
        1186,
        HubSource("mteb/sts16-sts", "4d8694f8f0e0100860b497b999b3dbed754a0513"),
    ),
    STSTask(
        "STSB",
        ("STSB/test.tsv",),
        1379,
        HubSource("mteb/stsbenchmark-sts", "b0fddb56ed78048fa8b90373c8a3cfc37b684831"),
    ),
    STSTask(
        "STSB-dev",
        ("STSB/dev.tsv",),
        1500,
        HubSource("mteb/stsbenchmark-sts", "b0fddb56ed78048fa8b90373c8a3cfc37b684831", "validation"),
        suites=(),
    ),
    STSTask(
        "SICKR",
        ("SICK/test.tsv",),
        4927,
        # mteb/sickr-sts mixes all splits (9,927 pairs), and the set called "sick" lacks 21 pairs of the test split.
        None,
    ),
    STSTask("SICKR-trial", ("SICK/trial.tsv",), 500, None, suites=()),
)


def _senteval_name(file: str) -> str:
    """Return SentEval's file for the pairs of `STS12/MSRpar.tsv` and so on."""
    task, subset = file.removesuffix(".tsv").split("/")
    if task == "STSB":
        return f"STS/STSBenchmark/sts-{subset}.csv"
    if task == "SICK":
        return f"SICK/SICK_{'test_annotated' if subset == 'test' else subset}.txt"
    surprise = "surprise." if file in ("STS12/OnWN.tsv", "STS12/SMTnews.tsv") else ""
    return f"STS/{task}-en-test/STS.input.{surprise}{subset}.txt"


_MOSES = tuple(
    replace(
        task,
        name=f"{task.name}-moses",
        folder="sts_moses",
        hub=None,
        suites=tuple(f"{suite}_moses" for suite in task.suites),
        senteval=tuple(map(_senteval_name, task.files)),
    )
    for task in _ENGLISH
)
_CHINESE = (
    STSTask("CNSD-STSB", ("CNSD-STSB/test.tsv",), 1361, None, suites=(), folder="zh"),
    STSTask("CNSD-STSB-dev", ("CNSD-STSB/dev.tsv",), 1458, None, suites=(), folder="zh"),
)
for _task in (*_ENGLISH, *_MOSES, *_CHINESE):
    TASKS.add(_task.name, _task, __name__)

"""SentEval's transfer tasks: the accuracy of a linear classifier on frozen embeddings.

MR, CR, SUBJ, MPQA, SST2, TREC, MRPC (Conneau and Kiela 2018; Gao et al. 2021, appendix E; AugCSE, Table 3), test accuracy x 100. The
data is read from a folder, or from the archive of SentEval's data that SimCSE's authors keep on the hub. That archive could not be
checked when this was written: if its content does not match the checksums, the task is refused, not scored. The checksums are of
the copy described in the project's data notes: SentEval's own files for SST2, SentEval's recipe applied to the original texts for MR,
CR, SUBJ, MPQA, TREC, and the original MRPC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from augcse.errors import UserError
from augcse.evaluation.base import TASKS, EvaluationOptions, TaskCard, check_finite
from augcse.evaluation.labelled import (
    LabelledExample,
    LabelledFile,
    all_of,
    paraphrase_pair,
    sentence_then_label,
    senteval_order,
    trec_question,
)
from augcse.evaluation.senteval_files import FILE, REPOSITORY, SentEvalArchive, other_sources

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.classifier import Classifier, Development, Outcome
    from augcse.evaluation.samples import Measured

Scheme = Literal["nested folds", "folds, test split", "dev split, test split"]
FOLDS = {"test": 10, "fast": 5, "dev": 5}


@dataclass(frozen=True)
class TransferTask:
    """One transfer task.

    Args:
        name: as SentEval calls it.
        files: split -> its files. Without a test split, every row is tested on once.
        scheme: how the penalty is chosen and what is tested on.
        options: which classifier, which protocol.
    """

    name: str
    files: Mapping[str, tuple[LabelledFile, ...]]
    scheme: Scheme
    suites: tuple[str, ...] = ("transfer",)
    options: EvaluationOptions = field(default=EvaluationOptions())

    def configured(self, options: EvaluationOptions) -> TransferTask:
        """Return the task under these options."""
        return replace(self, options=options)

    def load(self, data: Path | None) -> LoadedTransfer:
        """Load and verify every file, for the protocol "dev" without the test split. `data` None means the hub.

        Raises:
            UserError: no hub, a missing file, a malformed line, another number of rows, or other content than the canonical file's.
        """
        if data is not None:
            return self._load_splits(partial(LabelledFile.read, data=data))
        try:
            return self._load_splits(partial(LabelledFile.read_from, files=SentEvalArchive.fetch()))
        except UserError as error:
            raise UserError(f"{self.name}: {error}; {other_sources(next(iter(self.files.values()))[0].path)}") from error

    def data_files(self, data: Path) -> list[Path]:
        """Return the files that `load` reads from a data folder."""
        return [file.path_in(data) for files in self._files_to_read().values() for file in files]

    def _files_to_read(self) -> dict[str, tuple[LabelledFile, ...]]:
        return {split: files for split, files in self.files.items() if split != "test" or self.options.protocol != "dev"}

    def _load_splits(self, read: Callable[[LabelledFile], list[LabelledExample]]) -> LoadedTransfer:
        wanted = self._files_to_read()
        splits = {split: senteval_order([example for file in files for example in read(file)]) for split, files in wanted.items()}
        return LoadedTransfer(splits, self.scheme, self.options)

    def card(self) -> TaskCard:
        """Return the task's card."""
        files = [file for members in self.files.values() for file in members]
        rows = {split: sum(file.rows for file in members) for split, members in self.files.items()}
        return {
            "name": self.name,
            "suites": list(self.suites),
            "score": f"{'dev' if self.options.protocol == 'dev' else 'test'} accuracy x 100",
            "pairs": sum(rows.values()),
            "files": [file.path for file in files],
            "hub": f"{REPOSITORY}/{FILE}",
            "rows": rows,
            "sha256": {file.path: file.sha256 for file in files},
            "scheme": self.scheme,
            "description": f"{self.name}: accuracy of logistic regression on the embeddings ({self.scheme}).",
        }


@dataclass(frozen=True)
class LoadedTransfer:
    """A transfer task with its data, in SentEval's order; `folds` None means the protocol's number."""

    splits: dict[str, list[LabelledExample]]
    scheme: Scheme
    options: EvaluationOptions
    folds: int | None = None

    def sentences(self) -> list[str]:
        """Return all sentences, repeated ones included."""
        return [text for example in self._examples() for text in example.texts]

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the test accuracy x 100, or the development accuracy under the protocol "dev". embeddings: (distinct, dim)."""
        return next(iter(self.measure(embeddings, row_of).values()))

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> dict[str, float]:
        """Return test accuracy, development accuracy and, for pairs, F1 on the test rows, x 100; for "dev" the second alone."""
        return dict(self.measured(embeddings, row_of).figures)

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the metrics of `measure`, and which test rows were correct; for "dev" which held-out rows, without reading test rows."""
        from augcse.evaluation.classifier import f1
        from augcse.evaluation.samples import MeanSample, Measured, RowSample

        features, labels = self.features(embeddings, row_of), self.labels()
        if self.options.protocol == "dev":
            development = self._dev_results(_classifier_of(self.options), features, labels)
            return Measured({"dev accuracy": development.accuracy}, MeanSample(development.right))
        outcome = self._run_protocol(_classifier_of(self.options), features, labels)
        tested = labels[-len(outcome.predicted) :]
        figures = {"accuracy": outcome.test, "dev accuracy": outcome.dev}
        if self._are_pairs() and labels.max() == 1:
            figures["F1"] = round(f1(outcome.predicted, tested), 2)
        return Measured(figures, RowSample(outcome.predicted == tested))

    def _run_protocol(self, classifier: Classifier, features: np.ndarray, labels: np.ndarray) -> Outcome:
        """Train and test by the protocol of the task's scheme."""
        from augcse.evaluation.classifier import Split, nested_folds, train_and_test, train_dev_and_test

        count = self.folds or FOLDS[self.options.protocol]
        if self.scheme == "nested folds":
            return nested_folds(classifier, features, labels, count)
        train, *dev, test = self.rows().values()
        if dev:
            return train_dev_and_test(classifier, features, labels, Split(train, test), dev[0])
        return train_and_test(classifier, features, labels, Split(train, test), count)

    def _dev_results(self, classifier: Classifier, features: np.ndarray, labels: np.ndarray) -> Development:
        """Return the development results by the same scheme, without test rows."""
        from augcse.evaluation.classifier import Split, dev_rows, nested_folds_dev, train_and_dev

        count = self.folds or FOLDS["dev"]
        if self.scheme == "nested folds":
            return nested_folds_dev(classifier, features, labels, count)
        if self.scheme == "folds, test split":
            return train_and_dev(classifier, features, labels, count)
        train, dev = self.rows().values()
        return dev_rows(classifier, features, labels, Split(train, dev))

    def labels(self) -> np.ndarray:
        """Return the class of every row, in order of the splits: (rows,)."""
        import numpy as np

        return np.array([example.label for example in self._examples()])

    def rows(self) -> dict[str, np.ndarray]:
        """Return the range of each split within all rows."""
        import numpy as np

        ends = np.cumsum([len(split) for split in self.splits.values()])
        return dict(zip(self.splits, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))

    def features(self, embeddings: np.ndarray, row_of: dict[str, int]) -> np.ndarray:
        """Return u for sentences, (|u - v|, u * v) for pairs: (rows, dim) or (rows, 2 dim)."""
        import numpy as np

        check_finite(embeddings)
        first = embeddings[[row_of[example.texts[0]] for example in self._examples()]]
        if not self._are_pairs():
            return first
        second = embeddings[[row_of[example.texts[1]] for example in self._examples()]]
        return np.hstack([np.abs(first - second), first * second])

    def _examples(self) -> list[LabelledExample]:
        return [example for split in self.splits.values() for example in split]

    def _are_pairs(self) -> bool:
        return len(self._examples()[0].texts) == 2


def _classifier_of(options: EvaluationOptions) -> Classifier:
    """Return the classifier that the options name."""
    if options.classifier == "senteval":
        from augcse.evaluation.classifier_senteval import SentEvalClassifier

        return SentEvalClassifier(options.protocol)
    from augcse.evaluation.classifier_lbfgs import LbfgsClassifier

    return LbfgsClassifier()


def _one_class(path: str, label: int, rows: int, sha256: str) -> LabelledFile:
    return LabelledFile(f"transfer/{path}", all_of(label), rows, sha256, senteval=path, encoding="latin-1")


for _task in (
    TransferTask(
        "MR",
        {
            "all": (
                _one_class("MR/rt-polarity.pos", 1, 5331, "c308dac4d647e3b5b3e0b14ab1ed6f43b98fbaf97b4edca3b4bd58fa9ebe8dfe"),
                _one_class("MR/rt-polarity.neg", 0, 5331, "fafc097222335e906814d1d63f97bb08c2a3b5b1648d02499d3e31842f082ea3"),
            )
        },
        "nested folds",
    ),
    TransferTask(
        "CR",
        {
            "all": (
                _one_class("CR/custrev.pos", 1, 2407, "ee7d112d3866ff5e9e00fe9b75a62bddaf13c32400574d3265f2b7cf391345b5"),
                _one_class("CR/custrev.neg", 0, 1368, "206030d025f419a393fc0826507b8f229421a33b3758bf73a81aae456c442c8b"),
            )
        },
        "nested folds",
    ),
    TransferTask(
        "SUBJ",
        {
            "all": (
                _one_class("SUBJ/subj.objective", 1, 5000, "93ee3c8ac6765426ae51b6b64f915a078064b82d89f67dd40238a9ad4a9a90d1"),
                _one_class("SUBJ/subj.subjective", 0, 5000, "0d790e828363b6bfe786e0f91fc549acc7596b5de5c40452a4b32f429a81dd73"),
            )
        },
        "nested folds",
    ),
    TransferTask(
        "MPQA",
        {
            "all": (
                _one_class("MPQA/mpqa.pos", 1, 3312, "5f7c1cbc275ea14aab60c665f55554f93bb37c6833360953996fb4414207451f"),
                _one_class("MPQA/mpqa.neg", 0, 7294, "648382660640734ac70068173e1b0f4d9e18d63e83bed7c037a57aa41360baa1"),
            )
        },
        "nested folds",
    ),
    TransferTask(
        "SST2",
        {
            split: (LabelledFile(f"transfer/SST2/sentiment-{split}", sentence_then_label, rows, sha256, f"SST/binary/sentiment-{split}"),)
            for split, rows, sha256 in (
                ("train", 67349, "d6d6db63b0850e9de8afa74e4a044a056185b1f6b3939e4ac29bb6fd438c7478"),
                ("dev", 872, "671af978780e8f3c0fc0352ca77fe594b29b0b96b0dc4f9595b602be49f3707f"),
                ("test", 1821, "24fe0334c0525377de39e44f63938c217305c94954d3175d84260f3d0baef710"),
            )
        },
        "dev split, test split",
    ),
    TransferTask(
        "TREC",
        {
            split: (LabelledFile(f"transfer/{path}", trec_question, rows, sha256, senteval=path, encoding="latin-1"),)
            for split, path, rows, sha256 in (
                ("train", "TREC/train_5500.label", 5452, "40421e693c571ab6636809638eec357f4aac68e23f3492963e428f911fe02f49"),
                ("test", "TREC/TREC_10.label", 500, "dc6743e70a70677010f182055d0255f6ad6fbfdf2793f2b30bd32ed3d92502d8"),
            )
        },
        "folds, test split",
    ),
    TransferTask(
        "MRPC",
        {
            split: (LabelledFile(f"transfer/{path}", paraphrase_pair, rows, sha256, senteval=path, header=True),)
            for split, path, rows, sha256 in (
                ("train", "MRPC/msr_paraphrase_train.txt", 4076, "b76c0c7ecf70270e291237ad63ff792c14561d816fcce135bb4ad8bd3f8e7aa3"),
                ("test", "MRPC/msr_paraphrase_test.txt", 1725, "3ed991cedc02a2f8ce45f4cf8700bb676e052e25385b310e4ff5d7efc00a9480"),
            )
        },
        "folds, test split",
    ),
):
    TASKS.add(_task.name, _task, __name__)

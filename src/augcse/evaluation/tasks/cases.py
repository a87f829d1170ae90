"""The two case studies of AugCSE (section 3): linguistic acceptability, and entailment against contradiction.

CoLA: accuracy of logistic regression (Warstadt et al. 2018). ANLI: how often an entailed sentence is nearer to its premise than a
contradicting one (Nie et al. 2020). Both need `--data DIR`; no copy on the hub was verified, so none is pinned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import UserError
from augcse.evaluation.base import TASKS, TaskCard, check_finite
from augcse.evaluation.labelled import NLI_LABELS, LabelledExample, LabelledFile, acceptability, inference_pair

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.samples import Measured

ENTAILMENT, NEUTRAL, CONTRADICTION = range(len(NLI_LABELS))


@dataclass(frozen=True)
class CoLATask:
    """Accuracy on GLUE's validation rows (in-domain and out-of-domain development sets; the test labels are not public).

    The classifier is the repository's: scikit-learn's multinomial LogisticRegression with C = 1 on the training embeddings, no
    standardisation, bias not penalised. Deviation: solved to the optimum, where the repository stops after 1,000 iterations. With C = 1
    the sum of losses + 1/2 |W|^2 over both classes' weights is, per row, the mean loss + (1 / rows) / 2 |W|^2.
    """

    files: Mapping[str, LabelledFile]
    name: str = "CoLA"
    origin: str = "acceptability_corpus/cola_public/raw of github.com/nyu-mll/CoLA-baselines"
    suites: tuple[str, ...] = ("cases",)

    def load(self, data: Path | None) -> LoadedCoLA:
        """Load and verify the three files; raises `UserError` as the transfer tasks do."""
        folder = _data_folder(self, data)
        return LoadedCoLA({split: file.read(folder) for split, file in self.files.items()})

    def data_files(self, data: Path) -> list[Path]:
        """Return the files that `load` reads from a data folder."""
        return [file.path_in(data) for file in self.files.values()]

    def card(self) -> TaskCard:
        """Return the task's card."""
        return _task_card(self, "validation accuracy x 100", "accuracy of logistic regression on the validation sentences")


@dataclass(frozen=True)
class LoadedCoLA:
    """CoLA with its sentences: train, in-domain, out-of-domain."""

    splits: dict[str, list[LabelledExample]]

    def sentences(self) -> list[str]:
        """Return all sentences."""
        return [example.texts[0] for split in self.splits.values() for example in split]

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the accuracy x 100 over both development sets."""
        return self.measure(embeddings, row_of)["accuracy"]

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> dict[str, float]:
        """Return the accuracy x 100 over both development sets, and of each."""
        return dict(self.measured(embeddings, row_of).figures)

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the metrics of `measure`, and which development rows were correct."""
        from augcse.evaluation.samples import Measured, RowSample

        right = self._right_rows(embeddings, row_of)
        inside = len(list(self.splits.values())[1])
        shares = {"accuracy": right, "in-domain": right[:inside], "out-of-domain": right[inside:]}
        return Measured({name: 100 * float(rows.mean()) for name, rows in shares.items()}, RowSample(right))

    def _right_rows(self, embeddings: np.ndarray, row_of: dict[str, int]) -> np.ndarray:
        """Return whether each development row was classified correctly: (rows,)."""
        import numpy as np

        from augcse.evaluation.classifier_lbfgs import Problem

        check_finite(embeddings)
        features = embeddings[[row_of[sentence] for sentence in self.sentences()]]
        labels = np.array([example.label for split in self.splits.values() for example in split])
        train = len(next(iter(self.splits.values())))
        problem = Problem(features, labels, penalise_bias=False)
        weights = problem.path([np.arange(train)], (1 / train,))[1 / train]
        right: np.ndarray = problem.classes(weights)[train:, 0] == labels[train:]
        return right


@dataclass(frozen=True)
class ANLITask:
    """How often sim(premise, entailed) > sim(premise, contradicting), over all such pairs of hypotheses of one premise, x 100.

    The paper's words: cosine, contradictions only; this is the main score. The repository's variant, by dot product and with neutral
    hypotheses in addition to the contradictions, is among the details, as is each round. Two equal similarities count one half, so that an
    encoder that distinguishes nothing scores 50 (the repository counts them as wrong; real embeddings have no ties).

    Deviation: the paper does not say which split, the repository takes the training set of round 1. Here it is the development sets of
    rounds 1 to 3, in which few premises have both kinds of hypotheses: one pair weighs nearly a point, and the figure is not
    comparable with the paper's 53.80.
    """

    files: Mapping[str, LabelledFile]
    name: str = "ANLI"
    origin: str = "the R?/dev.jsonl of anli_v1.0 (github.com/facebookresearch/anli): label, premise, hypothesis, by tabs, xz"
    suites: tuple[str, ...] = ("cases",)

    def load(self, data: Path | None) -> LoadedANLI:
        """Load and verify the three rounds; raises `UserError` as the transfer tasks do."""
        folder = _data_folder(self, data)
        return LoadedANLI({split: file.read(folder) for split, file in self.files.items()})

    def data_files(self, data: Path) -> list[Path]:
        """Return the files that `load` reads from a data folder."""
        return [file.path_in(data) for file in self.files.values()]

    def card(self) -> TaskCard:
        """Return the task's card."""
        return _task_card(
            self, "ordered pairs x 100", "how often the entailed sentence is nearer to its premise than the contradicting one"
        )


@dataclass(frozen=True)
class LoadedANLI:
    """Premises with their hypotheses, by round."""

    rounds: dict[str, list[LabelledExample]]

    def sentences(self) -> list[str]:
        """Return the sentences of the premises that have pairs to compare."""
        return [sentence for rows in self.rounds.values() for triple in _triples(rows, (NEUTRAL, CONTRADICTION)) for sentence in triple]

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the share of ordered pairs x 100, contradictions only, by cosine."""
        return self.measure(embeddings, row_of)["cosine, contradiction"]

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> dict[str, float]:
        """Return the shares of ordered pairs x 100: the paper's, the repository's, the paper's per round; and the paper's ties, if any."""
        return dict(self.measured(embeddings, row_of).figures)

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the figures of `measure`, and which of the pairs are ordered."""
        from augcse.evaluation.metrics import row_cosines
        from augcse.evaluation.samples import MeanSample, Measured

        check_finite(embeddings)

        def differences(rounds: Iterable[list[LabelledExample]], others: tuple[int, ...], cosine: bool) -> np.ndarray:
            triples = [triple for rows in rounds for triple in _triples(rows, others)]
            premise, entailed, other = (
                embeddings[[row_of[sentence] for sentence in column]].astype("float64") for column in zip(*triples, strict=True)
            )
            similarity = row_cosines if cosine else lambda left, right: (left * right).sum(1)
            result: np.ndarray = similarity(premise, entailed) - similarity(premise, other)
            return result

        by_cosine = differences(self.rounds.values(), (CONTRADICTION,), True)
        figures = {
            "cosine, contradiction": _ordered_share(by_cosine),
            "dot product, contradiction or neutral": _ordered_share(differences(self.rounds.values(), (NEUTRAL, CONTRADICTION), False)),
        } | {name: _ordered_share(differences([rows], (CONTRADICTION,), True)) for name, rows in self.rounds.items()}
        ties = int((by_cosine == 0).sum())
        return Measured(figures | ({"tied_pairs": ties} if ties else {}), MeanSample(_order_scores(by_cosine)))


def _order_scores(differences: np.ndarray) -> np.ndarray:
    """Return 1 for a positive difference, one half for a tie, 0 for a negative one."""
    ordered: np.ndarray = (differences > 0) + 0.5 * (differences == 0)
    return ordered


def _ordered_share(differences: np.ndarray) -> float:
    """Share of positive differences x 100, a tie counting one half."""
    return 100 * float(_order_scores(differences).mean())


def _triples(rows: list[LabelledExample], others: tuple[int, ...]) -> list[tuple[str, str, str]]:
    """Return (premise, entailed, other) for every pair of an entailed hypothesis and one of the other labels of one premise."""
    hypotheses: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for example in rows:
        premise, hypothesis = example.texts
        hypotheses[premise][example.label].append(hypothesis)
    return [
        (premise, entailed, other)
        for premise, by_label in hypotheses.items()
        for entailed in by_label[ENTAILMENT]
        for label in others
        for other in by_label[label]
    ]


def _data_folder(task: CoLATask | ANLITask, data: Path | None) -> Path:
    if data is None:
        files = ", ".join(file.path for file in task.files.values())
        raise UserError(f"{task.name}: no data set on the hub was verified; give --data DIR with {files} in it, made from {task.origin}")
    return data


def _task_card(task: CoLATask | ANLITask, score: str, description: str) -> TaskCard:
    """Return the card of a task whose data set is not on the hub."""
    return {
        "name": task.name,
        "suites": list(task.suites),
        "score": score,
        "pairs": sum(file.rows for file in task.files.values()),
        "files": [file.path for file in task.files.values()],
        "hub": None,
        "rows": {split: file.rows for split, file in task.files.items()},
        "sha256": {file.path: file.sha256 for file in task.files.values()},
        "description": f"{task.name}: {description}.",
    }


TASKS.add(
    "CoLA",
    CoLATask(
        {
            split: LabelledFile(f"transfer/CoLA/{split}.tsv", acceptability, rows, sha256)
            for split, rows, sha256 in (
                ("in_domain_train", 8551, "4596374e1c1ee1cc41e6bf1b6da6c614feb258a3010b876f153fc7a5a5e7e852"),
                ("in_domain_dev", 527, "f983d9aa974fa57a44cd2ae8b261754aca7e52254cb4fc72b32b5b56276245a8"),
                ("out_of_domain_dev", 516, "68f9669593830d65ebe8c83819743827e7bee68ad1bd0dd50476b90640b695e4"),
            )
        }
    ),
    __name__,
)
TASKS.add(
    "ANLI",
    ANLITask(
        {
            name: LabelledFile(f"nli/ANLI/{name}_dev.tsv.xz", inference_pair, rows, sha256)
            for name, rows, sha256 in (
                ("R1", 1000, "6f4f0b6d96ba92ef151a22e97d78cf548614bb8aceae10b394c08f8a1b000b0a"),
                ("R2", 1000, "aa34f3344bf6759bfd06b444e815b40a9a405bc60786b493c8bdd217dba2e2e1"),
                ("R3", 1200, "3dc54ff70d7083c3992624ff685edde9a12a51bd9a4a29fb0343ff6d3851a54a"),
            )
        }
    ),
    __name__,
)

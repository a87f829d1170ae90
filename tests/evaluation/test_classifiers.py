"""The two classifiers against a plain loop, scipy and scikit-learn; folds against scikit-learn; nothing global is drawn from."""

from __future__ import annotations

import copy
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression

from augcse.errors import UserError
from augcse.evaluation.classifier import (
    PENALTIES,
    Array,
    Classifier,
    Fit,
    Split,
    dev_rows,
    f1,
    folds,
    nested_folds,
    nested_folds_dev,
    train_and_test,
    train_dev_and_test,
)
from augcse.evaluation.classifier_lbfgs import LbfgsClassifier, Problem
from augcse.evaluation.classifier_senteval import SETTINGS, SentEvalClassifier, Settings


def made_up(rows: int, dim: int, classes: int, seed: int = 0, noise: float = 2.0) -> tuple[Array, Array]:
    """Features of unequal scale and labels that depend on them, with noise."""
    generator = np.random.default_rng(seed)
    features = (generator.normal(size=(rows, dim)) * np.geomspace(1, 0.1, dim)).astype(np.float32)
    labels = (features @ generator.normal(size=(dim, classes)) + noise * generator.gumbel(size=(rows, classes))).argmax(1)
    labels[:classes] = np.arange(classes)
    return features, labels


@contextmanager
def global_seeds(seed: int) -> Iterator[None]:
    """Seed the process as SentEval does, and put everything back."""
    numpy_state = np.random.get_state()  # noqa: NPY002
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        yield
    np.random.set_state(numpy_state)  # noqa: NPY002


def naive_senteval(
    features: Array, labels: Array, validation: Split | None, penalty: float, protocol: str
) -> tuple[float, torch.nn.Linear]:
    """SentEval's loop in torch's own words: a module, a loss, autograd, the process's seeds."""
    chosen = SETTINGS[protocol]  # type: ignore[index]
    with global_seeds(1111):
        if validation is None:
            order = np.random.permutation(len(features))  # noqa: NPY002
            cut = int(0.05 * len(features))
            validation = Split(order[cut:], order[:cut])
        x, y = torch.tensor(features), torch.tensor(labels)
        train_x, train_y = x[validation.train], y[validation.train]
        dev_x, dev_y = x[validation.held_out], y[validation.held_out]
        model = torch.nn.Linear(features.shape[1], int(labels.max()) + 1)
        loss_of = torch.nn.CrossEntropyLoss()
        optimiser = chosen.optimiser(model.parameters())  # type: ignore[call-arg]
        optimiser.param_groups[0]["weight_decay"] = penalty
        best, kept, count, passes, stop = -1.0, model, 0, 0, False
        while not stop and passes <= 200:
            for _ in range(chosen.epoch_size):
                order = np.random.permutation(len(train_x))  # noqa: NPY002
                for start in range(0, len(order), chosen.batch_size):
                    rows = order[start : start + chosen.batch_size]
                    optimiser.zero_grad()
                    loss_of(model(train_x[rows]), train_y[rows]).backward()
                    optimiser.step()
            passes += chosen.epoch_size
            accuracy = (model(dev_x).argmax(1) == dev_y).double().mean().item()
            if accuracy > best:
                best, kept = accuracy, copy.deepcopy(model)
            else:
                if count >= chosen.tenacity:
                    stop = True
                count += 1
    return best, kept


def softmax_objective(flat: Array, features: Array, labels: Array, penalty: float) -> tuple[float, Array]:
    """SentEval's regularised problem as it is written: both classes have weights, the bias is penalised."""
    x = np.hstack([features.astype(np.float64), np.ones((len(features), 1))])
    weights = flat.reshape(x.shape[1], -1)
    logits = x @ weights
    value = -log_softmax(logits, axis=1)[np.arange(len(labels)), labels].mean() + penalty / 2 * (flat @ flat)
    residual = softmax(logits, axis=1)
    residual[np.arange(len(labels)), labels] -= 1
    return value, (x.T @ residual / len(labels) + penalty * weights).ravel()


def as_softmax_weights(fitted: torch.Tensor) -> Array:
    """(dim + 1, columns) of ours -> (dim + 1, classes): the log-odds of two classes shared evenly."""
    weights = fitted.numpy()
    return np.hstack([-weights / 2, weights / 2]) if weights.shape[1] == 1 else weights


# Folds


@pytest.mark.parametrize(("rows", "classes", "count"), [(60, 2, 5), (997, 2, 10), (700, 6, 10)])
def test_every_row_is_held_out_once_and_classes_are_spread(rows: int, classes: int, count: int) -> None:
    labels = np.random.default_rng(rows).integers(0, classes, rows)
    splits = folds(labels, count)
    assert sorted(np.concatenate([split.held_out for split in splits]).tolist()) == list(range(rows))
    for split in splits:
        assert not set(split.train.tolist()) & set(split.held_out.tolist())
        shares = np.bincount(labels[split.held_out], minlength=classes) * count
        assert np.all(np.abs(shares - np.bincount(labels, minlength=classes)) <= count)


def test_folds_are_those_of_the_process_seeded_as_senteval_does() -> None:
    # Written out from scikit-learn's definition: rows are dealt to folds by sorted label, then shuffled within each class.
    labels = np.random.default_rng(3).integers(0, 3, 101)
    generator = np.random.RandomState(1111)
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    codes = np.argsort(np.argsort(first))[codes]  # classes are numbered by first appearance
    dealt = np.sort(codes)
    fold_of = np.empty(101, dtype=int)
    for code in range(3):
        sizes = [int(np.sum(dealt[fold::4] == code)) for fold in range(4)]
        members = np.repeat(np.arange(4), sizes)
        generator.shuffle(members)
        fold_of[codes == code] = members
    assert [split.held_out.tolist() for split in folds(labels, 4)] == [np.flatnonzero(fold_of == fold).tolist() for fold in range(4)]


def test_folds_of_a_given_order_never_change() -> None:
    # Guards published scores against another scikit-learn.
    held_out = np.concatenate([split.held_out for split in folds(np.arange(500) % 2, 10)]).astype("<i8")
    assert hashlib.sha256(held_out.tobytes()).hexdigest()[:16] == "1c8148c536f7b591"


# SentEval's loop


@pytest.mark.parametrize("protocol", ["test", "fast"])
@pytest.mark.parametrize(("classes", "penalty"), [(2, 1e-5), (2, 1e-2), (4, 1e-3)])
def test_senteval_with_validation_rows_is_the_plain_loop(protocol: str, classes: int, penalty: float) -> None:
    features, labels = made_up(230, 12, classes)
    split = Split(np.arange(150), np.arange(150, 200))
    best, model = naive_senteval(features, labels, split, penalty, protocol)
    classifier = SentEvalClassifier(protocol)  # type: ignore[arg-type]
    (right,) = classifier.validate(features, labels, [split])
    assert right[PENALTIES.index(penalty)].mean() == pytest.approx(best)
    (predicted,) = classifier.predict(features, labels, [Fit(Split(split.train, np.arange(200, 230)), penalty, split.held_out)])
    assert predicted.tolist() == model(torch.tensor(features[200:])).argmax(1).tolist()


@pytest.mark.parametrize("protocol", ["test", "fast"])
def test_senteval_without_validation_rows_puts_5_percent_aside(protocol: str) -> None:
    features, labels = made_up(230, 12, 3)
    _, model = naive_senteval(features[:200], labels[:200], None, 1e-4, protocol)
    classifier = SentEvalClassifier(protocol)  # type: ignore[arg-type]
    (predicted,) = classifier.predict(features, labels, [Fit(Split(np.arange(200), np.arange(200, 230)), 1e-4)])
    assert predicted.tolist() == model(torch.tensor(features[200:])).argmax(1).tolist()


@pytest.mark.parametrize("rows", [10, 19])
def test_senteval_of_few_rows_puts_the_first_of_the_permutation_aside(rows: int) -> None:
    features, labels = made_up(rows + 30, 12, 2)
    order = np.random.RandomState(1111).permutation(rows)
    split, rest = Split(np.arange(rows), np.arange(rows, rows + 30)), order[1:]
    settings = Settings(torch.optim.Adam, batch_size=64, tenacity=5, epoch_size=4)
    (predicted,) = SentEvalClassifier(settings=settings).predict(features, labels, [Fit(split, 1e-4)])
    # All rest in one batch, whose order plays no part.
    (given,) = SentEvalClassifier(settings=settings).predict(features, labels, [Fit(Split(rest, split.held_out), 1e-4, order[:1])])
    assert predicted.tolist() == given.tolist()


def test_the_count_of_fruitless_rounds_is_never_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    # Better every second round: six fruitless rounds come with six fruitful ones between them, never two in a row.
    from augcse.evaluation import classifier_senteval

    rounds: list[bool] = []

    def alternate(model: object, *_: object) -> bool:
        rounds.append(len(rounds) % 2 == 0)
        return rounds[-1]

    monkeypatch.setattr(classifier_senteval._Model, "keep_if_better", alternate)
    features, labels = made_up(20, 3, 2)
    SentEvalClassifier("test").predict(features, labels, [Fit(Split(np.arange(20), np.arange(20)), 1e-5, np.arange(20))])
    assert rounds.count(False) == 6
    assert len(rounds) == 12


def test_the_pass_limit_ends_a_training_that_always_improves(monkeypatch: pytest.MonkeyPatch) -> None:
    from augcse.evaluation import classifier_senteval

    rounds: list[int] = []

    def better(*_: object) -> bool:
        rounds.append(1)
        return True

    monkeypatch.setattr(classifier_senteval._Model, "keep_if_better", better)
    features, labels = made_up(20, 3, 2)
    SentEvalClassifier("test").predict(features, labels, [Fit(Split(np.arange(20), np.arange(20)), 1e-5, np.arange(20))])
    assert len(rounds) == 51  # 51 rounds of 4 passes: the limit of 200 is passed, not met


def test_without_early_stopping_the_loop_goes_on_to_the_optimum() -> None:
    features, labels = made_up(400, 6, 3)
    # With validation rows given, both train on the same 300.
    fit = Fit(Split(np.arange(300), np.arange(300, 400)), 1e-2, np.arange(300, 400))
    (stopped,), (gone_on,), (optimum,) = (
        classifier.predict(features, labels, [fit])
        for classifier in (
            SentEvalClassifier(settings=Settings(torch.optim.Adam, 64, tenacity=0, epoch_size=1, max_passes=0)),
            SentEvalClassifier(settings=Settings(torch.optim.Adam, 64, tenacity=0, epoch_size=400, max_passes=0)),
            LbfgsClassifier(),
        )
    )
    assert np.mean(stopped != optimum) > 0.1
    assert np.mean(gone_on != optimum) <= 0.02


# The optimum


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize(("classes", "most_unknowns"), [(2, 3000), (6, 3000), (6, 1)])
def test_lbfgs_is_the_optimum_of_sentevals_problem(
    classes: int, most_unknowns: int, penalty: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.evaluation.classifier_lbfgs._MOST_UNKNOWNS", most_unknowns)
    features, labels = made_up(400, 30, classes)
    rows = np.arange(300)
    fitted = Problem(features, labels).path([rows, np.arange(100, 400)], PENALTIES)[penalty]
    weights = as_softmax_weights(fitted[:, 0])
    value, gradient = softmax_objective(weights.ravel(), features[rows], labels[rows], penalty)
    assert np.linalg.norm(gradient) < 1e-6
    found = minimize(
        softmax_objective,
        np.zeros(weights.size),
        (features[rows], labels[rows], penalty),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20_000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-9},
    )
    assert value <= found.fun + 1e-9
    # The penalty makes the optimum unique: |difference| <= gradient norm / penalty.
    assert np.linalg.norm(weights.ravel() - found.x) <= (np.linalg.norm(found.jac) + np.linalg.norm(gradient)) / penalty + 1e-6


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 5), st.floats(-3, 3))
def test_lbfgs_converges_whatever_the_scale(seed: int, classes: int, exponent: float) -> None:
    features, labels = made_up(80, 15, classes, seed=seed)
    scale = 10.0**exponent
    fitted = Problem(features * scale, labels).path([np.arange(60)], (1e-4,))[1e-4]
    _, gradient = softmax_objective(as_softmax_weights(fitted[:, 0]).ravel(), features[:60] * scale, labels[:60], 1e-4)
    assert np.linalg.norm(gradient) < 1e-6 * max(1.0, scale)


@pytest.mark.parametrize(("classes", "most_unknowns"), [(2, 3000), (6, 3000), (6, 1)])
def test_lbfgs_on_separable_rows_with_more_dimensions_than_rows(classes: int, most_unknowns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.evaluation.classifier_lbfgs._MOST_UNKNOWNS", most_unknowns)
    features, labels = made_up(40, 200, classes, noise=0.0)
    fitted = Problem(features, labels).path([np.arange(30)], (1e-5,))[1e-5]
    _, gradient = softmax_objective(as_softmax_weights(fitted[:, 0]).ravel(), features[:30], labels[:30], 1e-5)
    assert np.linalg.norm(gradient) < 1e-6


def test_folds_solved_together_are_folds_solved_alone() -> None:
    features, labels = made_up(300, 20, 3)
    sets = [split.train for split in folds(labels, 5)]
    together = Problem(features, labels).path(sets, PENALTIES)
    for column, rows in enumerate(sets):
        alone = Problem(features[rows], labels[rows]).path([np.arange(len(rows))], (1e-3,))[1e-3]
        assert torch.allclose(together[1e-3][:, column], alone[:, 0], atol=1e-4)


def test_an_unpenalised_bias_is_scikit_learns() -> None:
    # C = 1 over two columns of weights is C = 2 over their difference.
    features, labels = made_up(200, 10, 2)
    problem = Problem(features, labels, penalise_bias=False)
    fitted = problem.path([np.arange(150)], (1 / 150,))[1 / 150][:, 0, 0].numpy()
    theirs = LogisticRegression(C=2.0, tol=1e-10, max_iter=10_000).fit(features[:150].astype(np.float64), labels[:150])
    assert fitted[:-1] == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert fitted[-1] == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_what_does_not_converge_is_refused_and_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.evaluation.classifier_lbfgs._PATIENCE", 1)
    monkeypatch.setattr("augcse.evaluation.classifier_lbfgs._MAX_RENEWALS", 2)
    features, labels = made_up(50, 5, 2)
    with pytest.raises(UserError, match="did not converge"):
        LbfgsClassifier().validate(features, labels, [Split(np.arange(40), np.arange(40, 50))])


# Both, in all three ways


BOTH = [pytest.param(LbfgsClassifier, id="lbfgs"), pytest.param(lambda: SentEvalClassifier("fast"), id="senteval")]


@pytest.mark.parametrize("make", BOTH)
def test_gold_features_score_100_and_constant_ones_the_largest_class(make: type[Classifier]) -> None:
    labels = np.repeat([0, 1], [60, 40])
    gold = 8 * np.eye(2, dtype=np.float32)[labels]
    constant = np.ones((100, 2), dtype=np.float32)
    split, dev = Split(np.arange(0, 100, 2), np.arange(1, 100, 4)), np.arange(3, 100, 4)
    for features, expected in ((gold, 100.0), (constant, 60.0)):
        assert nested_folds(make(), features, labels, 4).test == pytest.approx(expected)
        assert train_and_test(make(), features, labels, split, 5).test == pytest.approx(expected)
        assert train_dev_and_test(make(), features, labels, split, dev).test == pytest.approx(expected)


@pytest.mark.parametrize("make", BOTH)
def test_no_global_generator_moves(make: type[Classifier]) -> None:
    features, labels = made_up(60, 4, 2)
    before = (torch.get_rng_state(), np.random.get_state()[1].tolist())  # type: ignore[union-attr] # noqa: NPY002
    first = nested_folds(make(), features, labels, 3)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == np.random.get_state()[1].tolist()  # type: ignore[union-attr] # noqa: NPY002
    again = nested_folds(make(), features, labels, 3)
    assert (again.dev, again.test, again.predicted.tolist()) == (first.dev, first.test, first.predicted.tolist())


def test_the_classifiers_agree_on_easy_data() -> None:
    features, labels = made_up(1000, 8, 2, noise=0.5)
    lbfgs, senteval = (nested_folds(make, features, labels, 3) for make in (LbfgsClassifier(), SentEvalClassifier("fast")))
    assert abs(lbfgs.test - senteval.test) < 2


def halves() -> tuple[Array, Array]:
    """Features with 45 rows of either class, so that three folds, and three within the others, are of 30 and 20 rows."""
    features, _ = made_up(90, 4, 2)
    noisy = features[:, 0] + np.random.default_rng(1).normal(size=90)
    return features, (noisy > np.median(noisy)).astype(np.int64)


class Recording:
    """A classifier that is best at a penalty by decree, and says which was used."""

    def __init__(self, best: float) -> None:
        self.best, self.used = best, []

    def validate(self, features: Array, labels: Array, splits: list[Split]) -> list[Array]:
        return [np.array([np.arange(len(split.held_out)) % 10 < 5 + (penalty == self.best) for penalty in PENALTIES]) for split in splits]

    def predict(self, features: Array, labels: Array, fits: list[Fit]) -> list[Array]:
        self.used += [fit.penalty for fit in fits]
        return [labels[fit.split.held_out] for fit in fits]


@pytest.mark.parametrize("best", PENALTIES)
def test_the_best_penalty_is_used_and_its_accuracy_is_dev(best: float) -> None:
    features, labels = halves()
    classifier = Recording(best)
    outcome = nested_folds(classifier, features, labels, 3)
    assert (outcome.dev, outcome.test, classifier.used) == (60.0, 100.0, [best] * 3)


def naive_right(features: Array, labels: Array, count: int) -> tuple[float, dict[int, list[bool]]]:
    """SentEval's nested development accuracy, and what became of each row whenever it was held out by a best penalty, one fit at a time."""
    best_accuracies, right = [], defaultdict(list)
    for outer in folds(labels, count):
        inner = [(outer.train[split.train], outer.train[split.held_out]) for split in folds(labels[outer.train], count)]
        found = {}
        for penalty in PENALTIES:
            fits = [Fit(Split(*rows), penalty) for rows in inner]
            predicted = [LbfgsClassifier().predict(features, labels, [fit])[0] for fit in fits]
            found[penalty] = [part == labels[rows] for part, (_, rows) in zip(predicted, inner, strict=True)]
        means = {penalty: round(100 * float(np.mean([part.mean() for part in parts])), 2) for penalty, parts in found.items()}
        best = max(PENALTIES, key=lambda penalty: means[penalty])
        best_accuracies.append(means[best])
        for part, (_, rows) in zip(found[best], inner, strict=True):
            for row, was_right in zip(rows, part, strict=True):
                right[int(row)].append(bool(was_right))
    return round(float(np.mean(best_accuracies)), 2), right


def test_development_is_the_loop_and_its_rows_have_its_mean() -> None:
    features, labels = halves()
    accuracy, right = naive_right(features, labels, 3)
    found = nested_folds_dev(LbfgsClassifier(), features, labels, 3)
    assert found.accuracy == pytest.approx(accuracy)
    assert found.right == pytest.approx([np.mean(right[row]) for row in range(90)])
    assert {len(times) for times in right.values()} == {2}
    # Both round each outer fold's accuracy, and the folds are of one size.
    assert 100 * found.right.mean() == pytest.approx(found.accuracy, abs=0.011)


def test_rows_that_are_never_held_out_are_not_among_those_of_development() -> None:
    features, labels = made_up(60, 4, 2, noise=1.5)
    split = Split(np.arange(40), np.arange(40, 60))
    found = dev_rows(LbfgsClassifier(), features, labels, split)
    assert found.right.shape == (20,)
    assert 100 * found.right.mean() == pytest.approx(found.accuracy, abs=0.006)


def test_of_equal_penalties_the_weakest_is_used() -> None:
    features, labels = made_up(60, 4, 2)
    classifier = Recording(0.0)
    train_and_test(classifier, features, labels, Split(np.arange(40), np.arange(40, 60)), 3)
    assert classifier.used == [1e-5]


def test_f1_by_hand() -> None:
    # Two hits among three claims, three true: 2 * 2 / (3 + 3).
    assert f1(np.array([1, 1, 1, 0, 0]), np.array([1, 1, 0, 1, 0])) == pytest.approx(100 * 2 / 3)
    assert f1(np.zeros(3), np.zeros(3)) == 0.0

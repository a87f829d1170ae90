"""`augcse demo`: train SimCSE and AugCSE on bundled data without a network, build a static encoder, compare and plot."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.files import check_is_new, reported_write, write_text
from augcse.report.html import Section, figure, page
from augcse.report.runs import curve, smoothed
from augcse.report.svg import line_chart, scatter
from augcse.report.table import Table
from augcse.resources import DEMO_CORPUS, DEMO_PAIRS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.analysis.projection import Array
    from augcse.encoding.static.progress import Progress
    from augcse.training.record import Run
    from augcse.training.watcher import Watcher

# 1,640 sentences: both objectives in under five minutes on two cores; fp32, so that all processors give the same table.
OVERRIDES: dict[str, Any] = {"epochs": 3, "batch_size": 32, "learning_rate": 2e-4, "log_every_steps": 5, "precision": "fp32"}
PICTURE_SENTENCES = 60
# Not None: AUGCSE_DATA would then add an evaluation that the demo does not need.
NO_DATA = ""
REPORT = "report.html"


@dataclass(frozen=True)
class DemoResult:
    """The table of scores, the path of the report, the two runs, and the folder of the static encoder."""

    table: Table
    report: Path
    runs: tuple[Run, Run]
    static: Path


def run_demo(output: Path, watcher: Watcher | None = None) -> DemoResult:
    """Train both recipes on the demo corpus, build a static encoder from it, score all on the graded pairs, and write the report.

    Raises:
        UserError: `output` is not empty.
    """
    from augcse.encoding.model import load_encoder
    from augcse.encoding.static.build import static
    from augcse.pipeline import train

    check_is_new(output)
    with reported_write(output):
        output.mkdir(parents=True, exist_ok=True)
    untrained = load_encoder("mini-bert", "cls")
    started = time.monotonic()
    counted = static(DEMO_CORPUS, output=output / "static", backbone="mini-bert", rows="backbone", progress=_progress(watcher))
    static_s = time.monotonic() - started
    runs = []
    for recipe in ("simcse-mini", "augcse-mini"):
        run = train(recipe, corpus=DEMO_CORPUS, output=output / recipe, dev="none", data=NO_DATA, watcher=watcher, **OVERRIDES)
        runs.append(run)
    simcse, augcse = runs
    models = {"SimCSE": load_encoder(str(simcse.model)), "AugCSE": load_encoder(str(augcse.model))}
    rows = [
        _score_row("untrained, [CLS]", untrained, 0),
        _score_row("untrained, mean of tokens", load_encoder("mini-bert", "mean"), 0),
        _score_row("static, trained on nothing", load_encoder(str(counted.folder)), static_s),
        _score_row("SimCSE", models["SimCSE"], simcse.record["wall_time_s"]),
        _score_row("AugCSE", models["AugCSE"], augcse.record["wall_time_s"]),
    ]
    table = Table(["model", "Spearman x 100 on the graded pairs", "training time (s)"], rows)
    report = output / REPORT
    write_text(report, demo_page(table, augcse, untrained, models["AugCSE"]))
    return DemoResult(table, report, (simcse, augcse), counted.folder)


def demo_page(table: Table, augcse: Run, before: SentenceTransformer, after: SentenceTransformer) -> str:
    """Return the HTML report: table, discriminator curve, plots of originals and augmentations before and after training."""
    accuracy = {"AugCSE, alpha = -1": smoothed(curve(augcse.record, "discriminator_accuracy"))}
    unchanged = smoothed(curve(augcse.record, "unchanged_share"))
    accuracy['share of rows labelled "no augmentation"'] = unchanged
    groups = picture_groups(augcse.record["recipe"]["augmentation"]["names"])
    return page(
        "augcse demo",
        [
            Section(
                "Scores",
                "Rank correlation of cosine similarity with human grades on the bundled pairs, after training on the bundled"
                " sentences. One seed, a very small corpus: a demonstration that the parts work, not a result. The static encoder is"
                " not trained: mini-bert's token embeddings and hashed letter n-grams, weighted, whitened and averaged. A third of these"
                " pairs differ in meaning but hardly in words (a negation, swapped roles, another number), which no average of word"
                " vectors can distinguish.",
                [table.html()],
            ),
            Section(
                "The discriminator",
                "How often it predicts the augmentation (or its absence) from the two embeddings. The encoder is trained against it.",
                [figure(line_chart(accuracy, title="Discriminator accuracy", x_label="step", y_label="share"))],
            ),
            Section(
                "Originals and augmentations",
                "The same sentences and their augmentations, first two principal components of the unit vectors, before and after"
                " training. Below each picture: how far an augmented sentence lies from its original, in units of the distance"
                " between two originals.",
                [_projection_figure("before training", before, groups), _projection_figure("after AugCSE", after, groups)],
            ),
        ],
    )


def picture_groups(names: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return, by augmentation, (original, augmented) pairs of the sentences of the demo corpus that it changed."""
    from augcse.augmentations.run.apply import augment
    from augcse.corpus.read import read_sentences

    sentences = list(read_sentences([DEMO_CORPUS]))[:: max(1, 1640 // (PICTURE_SENTENCES * 6))]
    groups = {}
    for name in names:
        augmented = augment(sentences, name)
        changed = [(text, new) for text, new in zip(sentences, augmented, strict=True) if new is not None]
        if changed:
            groups[name] = changed[:PICTURE_SENTENCES]
    return groups


def _projection_figure(title: str, model: SentenceTransformer, groups: dict[str, list[tuple[str, str]]]) -> str:
    """Return a figure with the projected embeddings of originals and augmentations; `groups` are those of `picture_groups`."""
    from augcse.analysis.projection import mean_pair_distance, project_groups
    from augcse.encoding.model import encode_distinct

    pairs = list(chain.from_iterable(groups.values()))
    embeddings, row_of = encode_distinct(model, list(chain.from_iterable(pairs)))

    def embeddings_of(texts: Iterable[str]) -> Array:
        return embeddings[[row_of[text] for text in texts]]

    embedded = {"original": embeddings_of(dict.fromkeys(original for original, _ in pairs))}
    for name, group in groups.items():
        embedded[name] = embeddings_of(augmented for _, augmented in group)
    points = {name: [(float(x), float(y)) for x, y in projected] for name, projected in project_groups(embedded).items()}
    distance = mean_pair_distance(embeddings_of(original for original, _ in pairs), embeddings_of(augmented for _, augmented in pairs))
    return figure(scatter(points, title=title), f"distance to the original: {distance:.2f}")


def _progress(watcher: Watcher | None) -> Progress:
    """Return the progress callbacks of the static encoder, which report to `watcher`."""
    from augcse.encoding.static.progress import Progress

    if watcher is None:
        return Progress()
    advance = watcher.advance
    return Progress(watcher.start, lambda count: advance(count, {}), watcher.warn)


def _score_row(name: str, model: SentenceTransformer, time_s: float) -> list[str]:
    """Return the cells of a model: name, score on the graded pairs, training time."""
    from augcse.encoding.model import encode_distinct
    from augcse.evaluation.pairs import read_pairs
    from augcse.evaluation.tasks.sts import LoadedPairs

    pairs = LoadedPairs(read_pairs(DEMO_PAIRS))
    score = pairs.score(*encode_distinct(model, pairs.sentences()))
    return [name, f"{score:.2f}", f"{time_s:.0f}"]

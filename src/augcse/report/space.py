"""Embeddings of the corpus before and after training: nearest neighbours, a map, and cosines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.geometry import anisotropy, uniformity
from augcse.analysis.neighbours import Neighbour, nearest
from augcse.analysis.projection import align_to, mean_pair_distance, project_groups
from augcse.augmentations.run.apply import draw_names
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError
from augcse.report.html import MAP, Section, figure, folded, grid, legend
from augcse.report.local_files import kept_model, start_model
from augcse.report.runs import ReportedRun, group_name, groups, start_groups
from augcse.report.svg import MapPoint, histogram, point_map
from augcse.report.table import Table
from augcse.report.texts import Texts
from augcse.report.words import leading_run

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
BEFORE = "before training"
MIN_SENTENCES = 10
# The leading run, and one run of another setting.
_SHOWN_RUNS = 2
_QUERIES = 5
_OPEN_QUERIES = 2
_NEIGHBOURS = 3
_BINS = 40
_SHOWN_CHARACTERS = 160
_POINT_KINDS = ("original", "augmented")


@dataclass(frozen=True)
class Space:
    """One model's embeddings of the same texts.

    Args:
        originals: (sentences, dim).
        augmented: (edits, dim).
    """

    originals: Array
    augmented: Array


@dataclass(frozen=True)
class AugmentedRows:
    """One augmentation per sentence: rows of the originals, their new texts, and the names of the augmentations."""

    rows: Sequence[int]
    texts: Sequence[str]
    names: Sequence[str]


def space_sections(
    texts: Texts, runs: Sequence[ReportedRun], left_out: list[str], notify: Callable[[str], None] = lambda line: None
) -> list[Section]:
    """Return the sections; models that are not on this machine are left out.

    Args:
        texts: the sentences and their augmentations.
        runs: of the report.
        left_out: receives a line about each part that is left out.
        notify: receives a line about each step.
    """
    if len(texts.sentences) < MIN_SENTENCES:
        left_out.append(f"map and neighbours: the corpus has {len(texts.sentences)} distinct sentences; they need {MIN_SENTENCES}")
        return []
    edits = draw_edits(texts)
    starts = runs_by_start(_shown_runs(runs))
    spaces = {}
    for name, load in _model_loaders(starts).items():
        notify(f"encoding {len(texts.sentences) + len(edits.texts):,} texts: {name}")
        try:
            spaces[name] = encode_space(load(), texts.sentences, edits)
        except UserError as error:
            left_out.append(f"map and neighbours of {name}: {error}")
    if not spaces:
        return []
    return [
        _neighbours_section(texts.sentences, spaces, starts),
        _map_section(texts.sentences, edits, spaces),
        _cosines_section(edits, spaces),
    ]


def runs_by_start(runs: Sequence[ReportedRun]) -> dict[str, list[ReportedRun]]:
    """Return the runs by the name of the model before training that they share, whose name includes theirs if there are several."""
    starts = start_groups(runs)
    return {BEFORE if len(starts) == 1 else f"before {group_name(members)}": members for members in starts}


def _shown_runs(runs: Sequence[ReportedRun]) -> list[ReportedRun]:
    leading = leading_run(runs)
    others = [group[0] for group in groups(runs) if leading not in group]
    return [leading, *others][:_SHOWN_RUNS]


def _model_loaders(starts: Mapping[str, Sequence[ReportedRun]]) -> dict[str, Callable[[], SentenceTransformer]]:
    """Return loaders of each model before training, followed by those of its runs' models."""
    models: dict[str, Callable[[], SentenceTransformer]] = {}
    for name, runs in starts.items():
        models[name] = partial(start_model, runs[0])
        models.update({run.name: partial(kept_model, run) for run in runs})
    return models


def draw_edits(texts: Texts) -> AugmentedRows:
    """Draw one augmentation per sentence, as in training; those that do not change the sentence are left out."""
    names = list(texts.augmented)
    if not names:
        return AugmentedRows([], [], [])
    count = len(texts.augmented[names[0]])
    drawn_names = draw_names(names, range(count), texts.run.seed)
    candidates = [(row, texts.augmented[name][row], name) for row, name in enumerate(drawn_names)]
    edits = [(row, new, name) for row, new, name in candidates if new is not None and new != texts.sentences[row]]
    return AugmentedRows([row for row, _, _ in edits], [new for _, new, _ in edits], [name for _, _, name in edits])


def encode_space(model: SentenceTransformer, sentences: Sequence[str], edits: AugmentedRows) -> Space:
    """Encode sentences and their augmentations. Raises `UserError` for vectors that are zero or not finite."""
    from augcse.encoding.model import encode_distinct

    embeddings, row_of = encode_distinct(model, [*sentences, *edits.texts])
    if not np.isfinite(embeddings).all() or not np.linalg.norm(embeddings, axis=1).all():
        raise UserError("it gives embeddings that are zero or not finite; leave the run out")
    dim = embeddings.shape[1]
    originals = embeddings[[row_of[text] for text in sentences]]
    augmented = embeddings[[row_of[text] for text in edits.texts]]
    return Space(originals.reshape(-1, dim), augmented.reshape(-1, dim))


def _neighbours_section(sentences: Sequence[str], spaces: Mapping[str, Space], starts: Mapping[str, Sequence[ReportedRun]]) -> Section:
    neighbours_by_model = {name: _neighbours(sentences, space) for name, space in spaces.items()}
    parts = []
    for query in range(_QUERIES):
        columns = [
            f"<div><small>{escape(name)}</small>{_neighbour_list(lists[query])}</div>" for name, lists in neighbours_by_model.items()
        ]
        parts.append(f"<h3>{escape(_shortened(sentences[query]))}</h3>{grid(columns)}")
    parts = [*parts[:_OPEN_QUERIES], folded(f"{_QUERIES - _OPEN_QUERIES} more", "".join(parts[_OPEN_QUERIES:]))]
    text = f"Of {_QUERIES} sentences of the corpus the {_NEIGHBOURS} nearest among {len(sentences):,}, with their cosine."
    pairs = [(run.name, start) for start, runs in starts.items() for run in runs if {run.name, start} <= spaces.keys()]
    overlaps = [_neighbour_overlap(name, start, neighbours_by_model) for name, start in pairs]
    return Section("Nearest neighbours", " ".join([text, *overlaps]), parts)


def _neighbours(sentences: Sequence[str], space: Space) -> list[list[Neighbour]]:
    unit = unit_rows(space.originals)
    return [nearest(sentence, unit @ unit[row], sentences, _NEIGHBOURS) for row, sentence in enumerate(sentences)]


def _neighbour_list(neighbours: Sequence[Neighbour]) -> str:
    items = "".join(f"<li>{escape(_shortened(neighbour.sentence))} <small>{neighbour.cosine:.2f}</small></li>" for neighbour in neighbours)
    return f"<ol>{items}</ol>"


def _neighbour_overlap(name: str, start: str, neighbours_by_model: Mapping[str, list[list[Neighbour]]]) -> str:
    """Return a sentence about the share of neighbours that a run's model has in common with the model that it started from."""
    common = [
        len({neighbour.sentence for neighbour in after} & {neighbour.sentence for neighbour in before})
        for after, before in zip(neighbours_by_model[name], neighbours_by_model[start], strict=True)
    ]
    return f"{name} keeps {sum(common) / (len(common) * _NEIGHBOURS):.0%} of the neighbours of “{start}”."


def _map_section(sentences: Sequence[str], edits: AugmentedRows, spaces: Mapping[str, Space]) -> Section:
    kinds = _POINT_KINDS if edits.rows else _POINT_KINDS[:1]
    maps, target = [], None
    for name, space in spaces.items():
        embeddings = dict(zip(_POINT_KINDS, (space.originals, space.augmented), strict=True))
        planes = project_groups({kind: rows for kind, rows in embeddings.items() if len(rows)})
        points = np.concatenate(list(planes.values()))
        target = points if target is None else target
        maps.append(figure(point_map(_map_points(align_to(points, target), sentences, edits), title=name)))
    text = (
        f"{len(sentences):,} sentences"
        + (f" and one augmentation of {len(edits.rows):,} of them" if edits.rows else "")
        + ": first two principal components of each model's unit vectors, turned alike. Point at one, or touch it, to read it in every map."
    )
    hint = '<p class="told" aria-live="polite">Point at a map.</p>'
    return Section("Map", text, [f"<div {MAP}>{legend(kinds)}{hint}{grid(maps)}</div>"])


def _map_points(positions: Array, sentences: Sequence[str], edits: AugmentedRows) -> list[MapPoint]:
    """Return a point with its text for each sentence, then for each augmentation, which has the row of its sentence."""
    tooltips = [
        *((_shortened(text), row) for row, text in enumerate(sentences)),
        *(
            (f"{_shortened(text)} ({name}: {_shortened(sentences[row])})", row)
            for row, text, name in zip(edits.rows, edits.texts, edits.names, strict=True)
        ),
    ]
    return [
        MapPoint(float(x), float(y), text, row, colour=1 if index >= len(sentences) else 0)
        for index, ((text, row), (x, y)) in enumerate(zip(tooltips, positions, strict=True))
    ]


def _cosines_section(edits: AugmentedRows, spaces: Mapping[str, Space]) -> Section:
    cosines = {name: _cosines(space, edits) for name, space in spaces.items()}
    lowest = min(float(values.min()) for by_kind in cosines.values() for values in by_kind.values())
    edges = np.linspace(min(lowest, 0.0), 1.0, _BINS + 1)
    charts, rows = [], []
    for name, by_kind in cosines.items():
        shares = {kind: (np.histogram(np.minimum(values, 1.0), edges)[0] / len(values)).tolist() for kind, values in by_kind.items()}
        charts.append(figure(histogram(shares, edges.tolist(), title=name, x_label="cosine")))
        rows.append([name, *_space_figures(spaces[name], edits)])
    header = ["model", "mean cosine", "uniformity", *(["distance of an augmentation"] if edits.rows else [])]
    text = (
        "How alike two different sentences are, and a sentence and its augmentation if there are any. Below: the mean cosine of two"
        " different sentences (0: directions cancel), uniformity (the lower, the more evenly spread), and how far an augmentation lies from"
        " its original, in units of the distance of two sentences."
    )
    return Section("Cosines", text, [legend(list(next(iter(cosines.values())))), grid(charts), Table(header, rows).html()])


def _cosines(space: Space, edits: AugmentedRows) -> dict[str, Array]:
    unit = unit_rows(space.originals)
    cosines = {"two sentences": (unit @ unit.T)[np.triu_indices(len(unit), 1)]}
    if edits.rows:
        cosines["a sentence and its augmentation"] = (unit[list(edits.rows)] * unit_rows(space.augmented)).sum(axis=1)
    return cosines


def _space_figures(space: Space, edits: AugmentedRows) -> list[str]:
    """Return the cells of a model; the last one, "-" for a single augmentation, is left out if there is none."""
    cells = [f"{anisotropy(space.originals):.3f}", f"{uniformity(space.originals):.2f}"]
    if len(edits.rows) > 1:
        cells.append(f"{mean_pair_distance(space.originals[list(edits.rows)], space.augmented):.2f}")
    elif edits.rows:
        cells.append("-")
    return cells


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."

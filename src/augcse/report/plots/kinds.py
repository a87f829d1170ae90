"""`augcse.plot` and its kinds of plots, listed in `KINDS`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from augcse.arguments import FilePath, FilePaths, listed
from augcse.errors import UserError, unknown_name
from augcse.files import write_text
from augcse.options import Seed, checks_arguments
from augcse.report.record import run_folders
from augcse.report.runs import ReportedRun, load_runs

Method = Literal["pca", "tsne"]
# Name -> module with a function `draw(PlotRequest) -> str`, and what it shows.
KINDS: dict[str, tuple[str, str]] = {
    "curves": ("augcse.report.plots.curves", "a figure over the steps of runs: dev score, losses (--figure)"),
    "discriminator": (
        "augcse.report.plots.discriminator",
        "how well the discriminator distinguishes augmentations, over the steps (AugCSE, 5)",
    ),
    "map": ("augcse.report.plots.map", "sentences and their augmentations by type, before training and after each run (AugCSE, 2 to 4)"),
    "scores": ("augcse.report.plots.scores", "scores of runs, median and spread over seeds, with training-free baselines (AugCSE, 6)"),
    "correlation": ("augcse.report.plots.correlation", "scores of runs of one augmentation each, by a figure of augcse score (AugCSE, 7)"),
    "ratings": ("augcse.report.plots.ratings", "cosines of STS-B's pairs by human rating, of models (DiffCSE, 2)"),
}
_LEAST_SENTENCES, _MOST_SENTENCES = 10, 5000


@dataclass(frozen=True)
class PlotRequest:
    """The arguments of `plot`, except kind and output."""

    sources: tuple[str, ...]
    figure: str | None = None
    corpus: tuple[Path, ...] = ()
    data: Path | None = None
    sample: int = 300
    method: Method = "pca"
    seed: int = 0

    def runs(self, first: int = 0) -> list[ReportedRun]:
        """Load the sources from index `first` on as runs; a sweep's folder counts as all its finished runs."""
        folders = [folder for source in self.sources[first:] for folder in run_folders(Path(source).expanduser())]
        if not folders:
            raise UserError("no run named; give run folders, or that of a sweep")
        return load_runs(folders)


@checks_arguments
def plot(
    kind: str,
    sources: FilePaths,
    *,
    output: FilePath | None = None,
    figure: str | None = None,
    corpus: FilePaths = (),
    data: FilePath | None = None,
    sample: int = 300,
    method: Method = "pca",
    seed: Seed = 0,
) -> str:
    """Draw a picture of finished runs, or of models, and return it as SVG.

    Args:
        kind: a name of `KINDS`.
        sources: run folders, or a sweep's; for "ratings" models; for "correlation" the output of `augcse score --output`, then runs.
        output: the file to write; None writes none.
        figure: which curve, score or figure of `augcse score`; None: what selects the model, the average, similarity.
        corpus: for "map": the text, if it is not where the records say.
        data: for "ratings": the data folder.
        sample: for "map": the number of sentences.
        method: for "map": "pca", or "tsne" (van der Maaten and Hinton 2008).
        seed: for "map" with "tsne".

    Raises:
        UserError: an unknown kind or figure, a source of the wrong kind, or nothing to draw.
    """
    if kind not in KINDS:
        raise unknown_name("kind of picture", kind, KINDS)
    source_names = tuple(map(str, listed(sources)))
    if not source_names:
        raise UserError("nothing to draw: name run folders")
    if not _LEAST_SENTENCES <= sample <= _MOST_SENTENCES:
        raise UserError(f"a sample of {sample}; give {_LEAST_SENTENCES} to {_MOST_SENTENCES:,} sentences")
    draw: Callable[[PlotRequest], str] = importlib.import_module(KINDS[kind][0]).draw
    folder = None if data is None else Path(data).expanduser()
    files = tuple(Path(path).expanduser() for path in listed(corpus))
    drawn = draw(PlotRequest(source_names, figure, files, folder, sample, method, seed))
    if output is not None:
        write_text(Path(output).expanduser(), drawn + "\n")
    return drawn

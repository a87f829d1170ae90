"""Generate the pages under docs/ that come from the registries and the run records.

python scripts/generate_docs.py [--check]     --check fails when a committed page is stale
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from docs_pages.adapt import adapt
from docs_pages.augmentations import augmentations, samples
from docs_pages.choosing import choosing
from docs_pages.cost import cost
from docs_pages.discriminator import discriminator
from docs_pages.evaluation import evaluation
from docs_pages.figures import figures
from docs_pages.languages import languages
from docs_pages.layout import DOCS
from docs_pages.libraries_speed import libraries_speed
from docs_pages.nli_shapes import nli_shapes
from docs_pages.objectives import objectives, trainer
from docs_pages.papers import papers
from docs_pages.postprocess import postprocess
from docs_pages.probe import figure, probe
from docs_pages.reference import command_line, recipes, tasks
from docs_pages.results import readme, results
from docs_pages.scoring import scoring
from docs_pages.speed import speed
from docs_pages.splitting import splitting
from docs_pages.static_settings import static_settings
from docs_pages.static_speed import static_speed
from docs_pages.sweeps import benchmark_mini, kept_sweeps

PAGES: dict[str, Callable[[], str]] = {
    "augmentations.md": augmentations,
    "samples/README.md": samples,
    "objectives.md": objectives,
    "discriminator.md": discriminator,
    "trainer.md": trainer,
    "tasks.md": tasks,
    "recipes.md": recipes,
    "command-line.md": command_line,
    "postprocess.md": postprocess,
    "splitting.md": splitting,
    "choosing.md": choosing,
    "cost.md": cost,
    "speed.md": speed,
    "probe.md": probe,
    "adapt.md": adapt,
    "papers.md": papers,
    "images/probe.svg": figure,
    "results/README.md": results,
    "results/evaluation.md": evaluation,
    "results/static.md": static_settings,
    "results/static-speed.md": static_speed,
    "results/libraries-speed.md": libraries_speed,
    "results/languages.md": languages,
    "results/scoring.md": scoring,
    "results/augcse-table15.md": nli_shapes,
    "results/benchmark-mini.md": benchmark_mini,
    **kept_sweeps(),
    **figures(),
    "../README.md": readme,
}


def is_stale(name: str) -> bool:
    """Whether a page is absent, or differs from what would be generated now."""
    path = DOCS / name
    return not path.exists() or path.read_text("utf-8") != PAGES[name]()


def main() -> int:
    if "--check" in sys.argv:
        stale = list(filter(is_stale, PAGES))
        if stale:
            print(f"stale: {', '.join(stale)}; run: make docs")
        return 1 if stale else 0
    for name, make in PAGES.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

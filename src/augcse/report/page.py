"""The report page: summary, scores, curves and settings of finished runs, and sections that need their models and corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from augcse.report.curves import curves_section
from augcse.report.html import Section, page
from augcse.report.outcome import outcome_section
from augcse.report.runs import ReportedRun, differing_settings
from augcse.report.scores import Comparisons, Scored, scored_rows, scores_section
from augcse.report.table import Table
from augcse.report.words import summary
from augcse.training.record import since_resume

TITLE = "augcse runs"


@dataclass(frozen=True)
class Further:
    """Parts of the page that need more than the records: models and texts.

    Args:
        comparisons: paired, by row and task.
        sections: sections about texts and embeddings.
        left_out: what is missing, why, and how to get it, one line each.
        first: sections before all others.
    """

    comparisons: Comparisons = field(default_factory=dict)
    sections: Sequence[Section] = ()
    left_out: Sequence[str] = ()
    first: Sequence[Section] = ()


def runs_page(runs: Sequence[ReportedRun], title: str = TITLE, scored: Scored | None = None, further: Further | None = None) -> str:
    """Return the HTML page.

    Args:
        runs: one or more.
        title: the heading.
        scored: the rows of scores; None for the runs and their starts.
        further: parts computed from models and texts.
    """
    scored = scored or scored_rows(runs)
    further = further or Further()
    sections = [
        *further.first,
        scores_section(scored, runs, further.comparisons),
        outcome_section(runs),
        curves_section(runs),
        *further.sections,
        _settings_section(runs),
        Section("Runs", "", [_runs_table(runs).html()]),
        _left_out_section([*missing_starts(scored, runs), *further.left_out]),
    ]
    return page(title, [section for section in sections if section is not None], summary(runs, scored, further.comparisons))


def missing_starts(scored: Scored, runs: Sequence[ReportedRun]) -> list[str]:
    """Return a line about runs without test scores before training, if there are any."""
    names = [run.name for run in runs if run.record["scores"] and run.name not in scored.starts]
    return [f"the test scores before training of {', '.join(names)}: the record does not hold them; train again"] if names else []


def _settings_section(runs: Sequence[ReportedRun]) -> Section | None:
    differing = differing_settings(runs)
    if not differing:
        return None
    rows = [[key, "; ".join(f"{value}: {', '.join(names)}" for value, names in by.items())] for key, by in differing.items()]
    others = "All other settings that decide the models are the same in all runs; what they are tested on may differ."
    return Section("Settings that differ", others, [Table(["setting", "value: runs"], rows).html()])


def _runs_table(runs: Sequence[ReportedRun]) -> Table:
    header = ["run", "recipe", "seed", "steps", "kept", "precision", "wall time (s)", "peak memory (MB)", "processor"]
    return Table(header, [_run_cells(run) for run in runs])


def _run_cells(run: ReportedRun) -> list[str]:
    record = run.record
    return [
        run.name,
        record["recipe"]["name"],
        str(run.seed),
        f"{record['steps']:,}",
        f"{run.kept_step:,}",
        record["precision"],
        f"{record['wall_time_s']:,.0f}{since_resume(record)}",
        f"{record['peak_memory_mb']:,.0f}",
        record["hardware"]["processor"],
    ]


def _left_out_section(lines: Sequence[str]) -> Section | None:
    if not lines:
        return None
    return Section("Left out", "", ["<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"])

"""The summary of a report in sentences: what was trained, on what, scores before and after, and their significance."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from augcse.evaluation.bootstrap import Interval
from augcse.report.html import Html, escaped, paragraph
from augcse.report.runs import ReportedRun, groups
from augcse.report.scores import Comparisons, Scored, change_html, difference, interval_of
from augcse.training.outcome import BASELINES, better_baselines, describe_better_mix, is_average, main_score
from augcse.training.record import since_resume

# With more runs than this, only the first ones have a paragraph.
_DESCRIBED_RUNS = 6
_TESTS_IN_WORDS = 4


def summary(runs: Sequence[ReportedRun], scored: Scored, comparisons: Comparisons) -> Html:
    """Return the lead of the page: the scores of the leading run, and a paragraph per run."""
    leading = leading_run(runs)
    shown = [leading, *(run for run in runs if run is not leading)][:_DESCRIBED_RUNS]
    parts = [_tiles(leading, scored, comparisons)]
    if len(runs) > 1:
        parts.append(paragraph(_runs_overview(runs, leading)))
    parts += [paragraph(_run_paragraph(run, scored, comparisons)) for run in shown]
    if len(runs) > len(shown):
        parts.append(paragraph(f"The other {len(runs) - len(shown)} runs are in the tables.", "note"))
    parts += [paragraph(text) for text in [_better_models(scored, leading)] if text]
    parts.append(paragraph(_interval_note(runs), "note"))
    return Html(f'<div class="lead">{"".join(parts)}</div>')


def leading_run(runs: Sequence[ReportedRun]) -> ReportedRun:
    """Return the run with the best dev score, if those that have one have it on the same dev data, else the first."""
    scored = _dev_scores(runs)
    return max(scored, key=lambda entry: entry[2])[0] if scored else runs[0]


def _dev_scores(runs: Sequence[ReportedRun]) -> list[tuple[ReportedRun, str, float]]:
    """Return the runs that have a dev score, with its name and value; [] if the scores are not of the same dev data."""
    scored = []
    for run in runs:
        score = main_score(run.kept.get("dev", {}))
        if score is not None:
            scored.append((run, *score))
    dev_data = {(name, run.chosen_by) for run, name, _ in scored}
    return scored if len(dev_data) == 1 else []


def _tiles(run: ReportedRun, scored: Scored, comparisons: Comparisons) -> str:
    """Return the leading run's main test score before and after training in large figures, or its dev score without tests."""
    after = main_score(run.record["scores"])
    figures = _dev_figures(run) if after is None else _test_figures(run, *after, scored, comparisons)
    items = "".join(f"<li><b>{escaped(value)}</b><span>{escape(text)}</span></li>" for value, text in figures)
    return f'<ul class="tiles">{items}</ul>' if items else ""


def _test_figures(run: ReportedRun, task: str, after: float, scored: Scored, comparisons: Comparisons) -> list[tuple[str, str]]:
    """Return (figure, words) of a test score before and after training, and of the change unless the start is kept."""
    before = run.before.get(task)
    row = next(row for row in scored.rows if row.run is run and row.kind == "run")
    change = difference(row, task, scored)
    figures = [(f"{before:.2f}", f"{task} before training")] if before is not None and run.kept_step else []
    figures.append((f"{after:.2f}", f"{task} {run.kept_in_words}"))
    if change is not None and run.kept_step:
        other = scored.compared_to(row)
        interval = interval_of(comparisons, run.name, task)
        against = "change" if other is None or other.kind == "before" else f"beside {other.name}"
        figures.append((change_html(change, interval, ends=False), f"{against}, {verdict(interval)}"))
    return figures


def _dev_figures(run: ReportedRun) -> list[tuple[str, str]]:
    """Return (figure, words) of the main dev score before training and of the kept model; [] without a dev score."""
    kept = main_score(run.kept.get("dev", {}))
    if kept is None:
        return []
    task, after = kept
    before = (run.record.get("before") or {}).get("dev", {}).get(task)
    figures = [(f"{before:.2f}", f"{task} (dev) before training")] if before is not None and run.kept_step else []
    return [*figures, (f"{after:.2f}", f"{task} (dev) {run.kept_in_words}")]


def _runs_overview(runs: Sequence[ReportedRun], leading: ReportedRun) -> Html:
    settings = len(groups(runs))
    count = f"{len(runs)} runs"
    if settings < len(runs):
        count += f" of {settings} {'setting' if settings == 1 else 'settings'}"
    return Html(f"{count}. Above: <b>{escape(leading.name)}</b>, {leading_reason(runs)}.")


def leading_reason(runs: Sequence[ReportedRun]) -> str:
    """Return why the leading run comes first."""
    scored = _dev_scores(runs)
    if not scored:
        return "the first given"
    _, name, most = max(scored, key=lambda entry: entry[2])
    tied = sum(value == most for *_, value in scored)
    if tied > 1:
        return f"the first of {tied} with the best dev score, {escape(name)}"
    return f"the best by its dev score, {escape(name)}"


def _run_paragraph(run: ReportedRun, scored: Scored, comparisons: Comparisons) -> Html:
    return Html(
        f"<b>{escape(run.name)}</b>: {_training_sentence(run)} {_kept_sentence(run)} {_test_sentences(run, scored, comparisons)}"
        f" {_baselines_sentence(run)}".strip()
    )


def _training_sentence(run: ReportedRun) -> str:
    record = run.record
    recipe = record["recipe"]
    files = ", ".join(Path(file["path"]).name for file in record.get("corpus", []))
    distinct = (record.get("prepared") or {}).get("distinct")
    sentences = f" ({distinct:,} distinct sentences)" if distinct is not None else ""
    names = (recipe.get("augmentation") or {}).get("names") or []
    edits = f" with {len(names)} augmentation{'s' if len(names) > 1 else ''}" if names else ""
    seconds = record["wall_time_s"]
    time = f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"
    since = since_resume(record)
    took = f", {time}{since}" if since else f" in {time}"
    corpus = f" on {files}{sentences}" if files else ""
    steps = "1 step" if record["steps"] == 1 else f"{record['steps']:,} steps"
    return escape(f"{recipe['name']} trained {run.start_name}{corpus}{edits}, {steps}{took}.")


def _kept_sentence(run: ReportedRun) -> str:
    """Return a sentence about which model is kept; "" for an older record, which does not say."""
    if run.record.get("kept") is not None:
        return _kept_mix(run)
    best, steps = run.record.get("best"), run.record["steps"]
    if best is None:
        return "Nothing was scored while training; the last step is kept." if "best" in run.record else ""
    if run.kept_step == 0:
        return f'<span class="bad">No step scored above the start, so {escape(run.start_in_words)} is kept.</span>'
    kept_step = "The last step" if run.kept_step == steps else f"Step {run.kept_step:,}"
    return f"{kept_step} was the best and is kept.{_dev_change(run)}"


def _kept_mix(run: ReportedRun) -> str:
    """Return a sentence about the interpolation weight of the kept model."""
    kept = run.kept
    if kept["weight"] == 0:
        return f'<span class="bad">No mix with the start was clearly better than it, so {escape(run.start_in_words)} is kept.</span>'
    mix = f"{kept['weight']:.3g} of step {kept['step']:,} and {1 - kept['weight']:.3g} of the start are kept."
    better = describe_better_mix(run.record)
    return mix + _dev_change(run) + (f" {escape(better)}." if better else "")


def _dev_change(run: ReportedRun) -> str:
    """Return a sentence about the change of the selection score, with its significance if recorded; "" without both scores."""
    before, after = main_score((run.record.get("before") or {}).get("dev", {})), main_score(run.kept.get("dev", {}))
    if before is None or after is None:
        return ""
    gain = run.record.get("gain")
    significance = ""
    if gain is not None:
        interval = Interval(*(gain["interval"][key] for key in ("low", "high", "level", "resamples")))
        significance = f", {change_html(gain['difference'], interval)}, {verdict(interval)}"
    return f" On {escape(after[0])} (dev), which chose it, {before[1]:.2f} became {after[1]:.2f}{significance}."


def _test_sentences(run: ReportedRun, scored: Scored, comparisons: Comparisons) -> str:
    """Return sentences about the test scores compared to the baseline; "" without a baseline, or if the start is kept."""
    row = next((row for row in scored.rows if row.run is run and row.kind == "run"), None)
    if row is None:
        return "It was scored on no test."
    other = scored.compared_to(row)
    if other is None or run.kept_step == 0:
        return ""
    averages = [task for task in row.scores if is_average(task)]
    tasks = list(dict.fromkeys([*averages, *row.scores]))[:_TESTS_IN_WORDS]
    sentences = []
    for task in tasks:
        change = difference(row, task, scored)
        if change is not None:
            interval = interval_of(comparisons, row.name, task)
            from_to = f"{other.scores[task]:.2f} → {row.scores[task]:.2f}"
            sentences.append(f"{escape(task)}: {from_to}, {change_html(change, interval)}, {verdict(interval)}.")
    against = "" if other.kind == "before" else f"Compared to {escape(other.name)}: "
    return against + " ".join(sentences)


def _baselines_sentence(run: ReportedRun) -> str:
    """Return a sentence about the training-free baselines that are better than the kept model; "" if there are none."""
    better = [f"{BASELINES[name].words} ({scores})" for name, scores in better_baselines(run.record).items()]
    return f'<span class="bad">Better, and trained no further: {escape("; ".join(better))}.</span>' if better else ""


def verdict(interval: Interval | None) -> str:
    """Return in words whether a difference is significant, by its bootstrap interval.

    >>> verdict(None)
    'not tested for chance'
    """
    if interval is None:
        return "not tested for chance"
    if interval.low > 0:
        return "a clear gain"
    return "a clear loss" if interval.high < 0 else "which may be chance"


def _better_models(scored: Scored, leading: ReportedRun) -> str:
    """Return a sentence about further models that score at least as well as the leading run; "" if there are none."""
    main = main_score(leading.record["scores"])
    if main is None:
        return ""
    task, value = main
    better = [row for row in scored.rows if row.kind == "beside" and row.scores.get(task, -1e9) >= value]
    if not better:
        return ""
    names = ", ".join(f"{row.name} ({row.scores[task]:.2f})" for row in better)
    return f"On {task}, {names} {'is' if len(better) == 1 else 'are'} as good or better, given in addition to the runs."


def _interval_note(runs: Sequence[ReportedRun]) -> str:
    """Return a note on what the intervals measure and what they do not."""
    several = max(len(group) for group in groups(runs)) > 1
    seeds = "the spread over seeds is below" if several else "one seed per setting says nothing of that"
    return (
        "Clear: the 95 % interval of the difference, both models on the same resampled pairs or rows, is on one side of 0. It says what"
        f" another choice of pairs may do, not what another training seed does: {seeds}. Dev scores flatter the model that they chose."
    )

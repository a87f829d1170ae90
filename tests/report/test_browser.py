"""The page in a real browser: no message on its console, no request, nothing out of view, on a screen and a phone, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_runs import RECORD

from augcse.report.html import Section
from augcse.report.page import Further, runs_page
from augcse.report.runs import ReportedRun
from augcse.report.scores import scored_rows
from augcse.report.space import AugmentedRows, Space, _cosines_section, _map_section, _neighbours_section
from augcse.report.texts import Texts, texts_sections

HOSTILE = "<script>document.title = 'broken'</script><img src='http://example.org/x.png'> & \"quoted\""
LONG = "a-name-without-any-place-to-break-" * 6
# What stands further right than the window, but for what is cut off inside a box of its own.
OUT_OF_VIEW = """() => [...document.body.querySelectorAll("*")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of runs with long and hostile names, many tasks, and something left out."""
    scores = {f"STS{number}": 50.0 + number for number in range(12, 17)} | {"STSB": 70.0, "SICKR": 60.0, LONG[:80]: 40.0, "avg": 61.0}
    record = RECORD | {"scores": scores, "intervals": {task: {"low": value - 3, "high": value + 3} for task, value in scores.items()}}
    record |= {"before": {"step": 0, "dev": {}, "test": {task: value - 2 for task, value in scores.items()}}}
    runs = [ReportedRun(name, Path("run"), record, {}) for name in ("simcse", LONG, HOSTILE)]
    scored = scored_rows(runs, [("static", {"model": "static-model", "scores": scores})])
    further = Further(sections=_sections(tmp_path_factory.mktemp("corpus") / "text.txt", runs), left_out=[HOSTILE])
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(runs_page(runs, HOSTILE, scored, further), "utf-8")
    return path


def _sections(corpus: Path, runs: list[ReportedRun]) -> list[Section]:
    """All that comes of a corpus, with hostile and long sentences in it."""
    sentences = [f"{HOSTILE if row % 2 else LONG} {row}" for row in range(20)]
    corpus.write_text("\n".join(sentences), "utf-8")
    edits = AugmentedRows([3, 8], [f"{HOSTILE} edited", "short"], [HOSTILE, LONG])
    generator = np.random.default_rng(0)
    spaces = {name: Space(generator.normal(size=(20, 4)), generator.normal(size=(2, 4))) for name in ("before", LONG, HOSTILE)}
    augmented = {HOSTILE: [f"{sentence} again" for sentence in sentences], LONG: [None] * 20}
    return [
        _neighbours_section(sentences, spaces),
        _map_section(sentences, edits, spaces),
        _cosines_section(edits, spaces),
        *texts_sections(Texts(runs[0], [corpus], sentences, augmented, [HOSTILE]), runs),
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_quiet_and_in_view(width: int, scheme: str, browser: Any, page_file: Path) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    messages: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_file.as_uri())
    page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    assert messages == []
    assert requests == [page_file.as_uri()]
    assert page.title() == HOSTILE
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUT_OF_VIEW) == []
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    page.close()


def test_a_script_that_is_not_ours_is_refused(browser: Any, page_file: Path, tmp_path: Path) -> None:
    """The page's own policy, should text ever get past the escaping."""
    broken = tmp_path / "broken.html"
    broken.write_text(page_file.read_text("utf-8").replace("</body>", "<script>document.title = 'broken'</script></body>"), "utf-8")
    page = browser.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(broken.as_uri())
    assert page.title() == HOSTILE
    assert any("Content Security Policy" in message for message in messages)
    page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_point_of_a_map_is_told_in_every_map(width: int, browser: Any, page_file: Path) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, has_touch=True)
    page.goto(page_file.as_uri())
    told = page.locator(".told")
    assert told.inner_text() == "Point at a map."
    edited = page.locator("[data-map] figure:nth-child(2) circle").nth(20)
    edited.scroll_into_view_if_needed()
    edited.hover(force=True)
    assert told.inner_text().startswith(f"{HOSTILE} edited ({HOSTILE}")
    assert page.locator("[data-map] circle.on").count() == 3 * 2
    assert len(set(page.locator("[data-map] line").evaluate_all("lines => lines.map((line) => line.getAttribute('x2'))"))) == 3
    first = page.locator("[data-map] figure:nth-child(1) circle").nth(0)
    # Not below what is told, which stays at the top.
    first.evaluate("point => point.scrollIntoView({block: 'end'})")
    first.tap(force=True)
    assert told.inner_text().startswith(LONG[:100])
    page.close()

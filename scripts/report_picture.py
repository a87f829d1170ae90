"""Make the README's picture of a report, of runs on bundled parts alone: train, score, report, and open it in a headless Chromium.

python scripts/report_picture.py build/report docs/images/report.png   # needs playwright and Chromium; minutes on two cores

Every other one of the bundled pairs selects, the rest test. The records are kept in docs/results/report.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from augcse.cli.app import run
from augcse.encoding.static.build import static
from augcse.evaluation.evaluate import evaluate
from augcse.files import write_json
from augcse.pipeline import train
from augcse.resources import DEMO_CORPUS, DEMO_PAIRS
from kept_record import without_folders

RECORDS = Path(__file__).resolve().parents[1] / "docs" / "results" / "report"
SETTINGS: dict[str, Any] = {"batch_size": 32, "max_steps": 80, "seed": 1}
WIDTH, HEIGHT = 1000, 900


def halves(folder: Path) -> tuple[str, str]:
    """Write every other one of the bundled pairs into dev.tsv, and the rest into test.tsv."""
    header, *rows = DEMO_PAIRS.read_text("utf-8").splitlines(keepends=True)
    for name, part in (("dev.tsv", rows[::2]), ("test.tsv", rows[1::2])):
        (folder / name).write_text("".join([header, *part]), "utf-8")
    return str(folder / "dev.tsv"), str(folder / "test.tsv")


def main() -> None:
    from playwright.sync_api import sync_playwright

    folder, picture = map(Path, sys.argv[1:3])
    folder.mkdir(parents=True)
    dev, test = halves(folder)
    for recipe in ("simcse-mini", "augcse-mini"):
        train(recipe, corpus=DEMO_CORPUS, output=folder / recipe, data="", dev=dev, test=test, workers=1, **SETTINGS)
    static(DEMO_CORPUS, output=folder / "static", backbone="mini-bert", rows="backbone")
    scores = evaluate(folder / "static", [test], "").as_json()
    (folder / "static" / "score.json").write_text(json.dumps(scores, indent=2), "utf-8")
    for name in ("simcse-mini", "augcse-mini", "static"):
        (RECORDS / name).mkdir(parents=True, exist_ok=True)
        record = "score.json" if name == "static" else "run.json"
        write_json(RECORDS / name / record, without_folders(json.loads((folder / name / record).read_text("utf-8"))))
    page = folder / "report.html"
    if run(["report", *(str(folder / name) for name in ("simcse-mini", "augcse-mini", "static")), "--output", str(page)]):
        sys.exit(1)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        window.goto(page.resolve().as_uri())
        window.screenshot(path=str(picture))
        browser.close()


if __name__ == "__main__":
    main()

"""Make the screenshot of docs/play.md: the page of `augcse play` with the bundled model, opened in a headless Chromium.

python scripts/play_picture.py docs/images/play.png   # needs Gradio (make test-play), playwright and Chromium
"""

from __future__ import annotations

import shutil
import subprocess
import sys

COMMAND = [sys.executable, "-m", "augcse", "play", "mini-bert", "--quiet"]
WIDTH, HEIGHT = 1000, 860


def picture(address: str, path: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        window.goto(address)
        window.locator(".answer td").first.wait_for()
        window.screenshot(path=path)
        browser.close()


def main() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as page:
        try:
            # Its first line is the address.
            picture(next(iter(page.stdout or ())).strip(), sys.argv[1])
        finally:
            page.terminate()


if __name__ == "__main__":
    main()

"""The page of `augcse play` in a real browser: it answers, is quiet, in view and readable, and nothing leaves this machine."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="no Gradio here; make test-play installs it (pip install 'augcse[play]')")

# Runs the command and writes down every other machine that it asks for, and every process that it starts.
WATCHED = """
import sys
HERE = ("127.0.0.1", "localhost", "::1", None, "")
log = open(sys.argv.pop(1), "a", buffering=1)

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        if isinstance(arguments[1], tuple) and arguments[1][0] not in HERE:
            log.write(f"{event} {arguments[1]}\\n")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        if arguments[0] not in HERE:
            log.write(f"{event} {arguments[0]}\\n")
    elif event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.system"):
        log.write(f"{event} {arguments[:2]}\\n")

sys.addaudithook(watch)
from augcse.cli.app import main
main()
"""
HOSTILE = "<script>document.title = 'broken'</script> I didn't see ${1 + 1} {{cars}} & \"cats\"."
# The least contrast of text with what lies behind it, per element; colours are read as they are painted.
CONTRASTS = """selector => {
  const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const paint = (colours) => {
    context.globalCompositeOperation = "copy"; context.fillStyle = "white"; context.fillRect(0, 0, 1, 1);
    context.globalCompositeOperation = "source-over";
    for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((value) => value / 255)
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  return [...document.querySelectorAll(selector)].map((element) => {
    const behind = [];
    for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const [one, other] = [light(paint(behind)), light(paint([...behind, getComputedStyle(element).color]))];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}"""
OUT_OF_VIEW = """() => [...document.querySelectorAll(".answer *")]
  .filter((element) => !element.closest(".wide") && element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 120))"""

# Over when what the page has begun is done and drawn.
A_MOMENT = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))"


@dataclass(frozen=True)
class Served:
    """A running command, where it can be opened, and what it asked of others."""

    process: subprocess.Popen[str]
    address: str
    log: Path


@contextmanager
def served(log: Path, *arguments: str) -> Iterator[Served]:
    """Run `augcse play` until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", WATCHED, str(log), "play", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), process.communicate()[1]
        yield Served(process, address, log)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def page_of_two(tmp_path_factory: pytest.TempPathFactory, sentences: list[str], tiny_backbone: Path) -> Iterator[Served]:
    """The page of mini-bert beside another model, with a small corpus."""
    folder = tmp_path_factory.mktemp("play")
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join([*sentences[:30], HOSTILE]), "utf-8")
    with served(folder / "asked.txt", "mini-bert", str(corpus), "--beside", str(tiny_backbone)) as running:
        yield running


@dataclass
class Window:
    """An open page, and what it said and asked for."""

    page: Any
    messages: list[str]
    requests: list[str]

    def answer(self) -> Any:
        """The answer that is shown."""
        return self.page.get_by_role("tabpanel").filter(visible=True).locator(".answer")

    def ask(self, tab: str, label: str, text: str) -> Any:
        """Go to a tab, type, press its button, and return the answer."""
        self.page.get_by_role("tab", name=tab).click()
        self.type(label, text)
        self.page.get_by_role("button", name=tab).click()
        return self.answer()

    def type(self, label: str, text: str) -> None:
        """Type into a box until the text stays: Gradio gives a box its first value again while it makes the page."""
        box = self.page.get_by_label(label)
        for _ in range(20):
            box.fill(text)
            self.page.evaluate(A_MOMENT)
            if box.input_value() == text:
                return
        raise AssertionError(f"{label!r} does not keep what is typed into it")


@contextmanager
def opened(browser: Any, address: str, width: int, scheme: str) -> Iterator[Window]:
    """Open the page and wait until it shows its first answer."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    # A busy machine is slow now and then.
    page.set_default_timeout(120_000)
    window = Window(page, [], [])
    page.on("console", lambda message: window.messages.append(message.text))
    page.on("pageerror", lambda error: window.messages.append(str(error)))
    page.on("request", lambda request: window.requests.append(request.url))
    page.goto(address)
    page.locator(".answer").first.wait_for()
    # Until then Gradio makes parts of the page.
    page.wait_for_load_state("networkidle")
    try:
        yield window
    finally:
        page.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")])
def test_the_page_answers_and_is_quiet_in_view_and_readable(width: int, scheme: str, browser: Any, page_of_two: Served) -> None:
    with opened(browser, page_of_two.address, width, scheme) as window:
        augmented = window.ask("Augment", "A sentence", "She didn't buy 3 old cars.")
        augmented.get_by_text("did not").wait_for()
        assert augmented.locator("del").get_by_text("didn't", exact=True).count() >= 1
        _check_looks(window, width, ["del", "ins", "th", "td", "small", "summary"])
        found = window.ask("Search", "Search 31 sentences of corpus.txt", "Where is the old house?")
        found.locator("ol").nth(1).wait_for()
        assert [found.locator("ol").nth(index).locator("li").count() for index in (0, 1)] == [10, 10]
        _check_looks(window, width, ["li", "li b", "h3"])
        compared = window.ask("Compare", "Sentences, one per line", "A cat sat.\nA cat was sitting.\nIt rains.")
        compared.locator("table").nth(1).get_by_text("It rains.").wait_for()
        assert compared.locator("td.figure").count() == 2 * 9
        assert {compared.locator("td.figure").nth(index).inner_text() for index in (0, 4, 8)} == {"1.000"}
        _check_looks(window, width, [".figure", "th"])
        background = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (background == "rgb(255, 255, 255)") == (scheme == "light")
        assert window.messages == []
        assert [url for url in window.requests if not url.startswith((page_of_two.address, "data:", "blob:"))] == []


def _check_looks(window: Window, width: int, selectors: list[str]) -> None:
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    assert window.page.evaluate(OUT_OF_VIEW) == []
    for selector in ("button.primary", *(f".answer {selector}" for selector in selectors)):
        contrasts = window.page.evaluate(CONTRASTS, selector)
        assert contrasts
        assert min(contrasts) >= 4.5, selector


def test_text_from_outside_stays_text(browser: Any, page_of_two: Served) -> None:
    with opened(browser, page_of_two.address, 1280, "light") as window:
        window.ask("Augment", "A sentence", HOSTILE).locator("td").get_by_text("${1 + 1} {{cars}}").first.wait_for()
        window.ask("Search", "Search 31", HOSTILE).get_by_text(HOSTILE).first.wait_for()
        window.ask("Compare", "Sentences, one", f"{HOSTILE}\n{HOSTILE}").get_by_text(HOSTILE).first.wait_for()
        assert window.page.title() == "augcse play"
        assert window.messages == []


def test_what_cannot_be_answered_is_a_line(browser: Any, page_of_two: Served) -> None:
    with opened(browser, page_of_two.address, 1280, "light") as window:
        window.ask("Augment", "A sentence", " ").get_by_text("give a sentence").wait_for()
        window.ask("Compare", "Sentences, one", "Alone.").get_by_text("give 2 to 40 sentences, one per line; here are 1").wait_for()


def test_another_host_is_refused(browser: Any, page_of_two: Served) -> None:
    """A page elsewhere may give its own name this machine's address."""
    with opened(browser, page_of_two.address, 1280, "light") as window:
        answers = [window.page.request.get(page_of_two.address, headers={"Host": host}) for host in ("localhost", "example.org")]
        assert [answer.status for answer in answers] == [200, 400]


def test_the_command_asks_nothing_of_other_machines_and_starts_no_process(browser: Any, page_of_two: Served) -> None:
    with opened(browser, page_of_two.address, 1280, "light"):
        assert page_of_two.log.read_text("utf-8") == ""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_a_page_is_open(ending: signal.Signals, browser: Any, tiny_backbone: Path, tmp_path: Path) -> None:
    call = served(tmp_path / "asked.txt", str(tiny_backbone), "--quiet")
    with call as running, opened(browser, running.address, 1280, "light") as window:
        window.page.get_by_role("tab", name="Search").click()
        window.page.get_by_text("There is no corpus to search.").wait_for()
        running.process.send_signal(ending)
        shown, said = running.process.communicate(timeout=60)
        assert (running.process.returncode, shown, said) == (0, "", "")


def test_a_port_in_use_is_refused(page_of_two: Served, tiny_backbone: Path) -> None:
    port = page_of_two.address.rstrip("/").rpartition(":")[2]
    command = [sys.executable, "-m", "augcse", "play", str(tiny_backbone), "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"augcse: error: cannot use port {port}: Address already in use; give another --port")

"""One self-contained, responsive HTML page with light and dark mode and no external resources.

Its content security policy allows only our own script, by its hash, and no network requests.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from augcse.report.svg import COLOURS
from augcse.resources import PAGE_SCRIPT, PAGE_STYLE

# Identifies a file as one of our pages.
GENERATOR = '<meta name="generator" content="augcse">'
# The attribute that needs the script.
MAP = "data-map"
_LINKED_SECTIONS = 5


class Html(str):
    """Safe HTML; any other text is escaped when it is put into a page."""


@dataclass(frozen=True)
class Section:
    """A heading, a sentence or two, and HTML parts (tables, SVG)."""

    heading: str
    text: str
    parts: Sequence[str] = ()

    @property
    def anchor(self) -> str:
        """Its anchor for links."""
        return re.sub(r"\W+", "-", self.heading.lower()).strip("-")


def page(title: str, sections: Sequence[Section], lead: str = "") -> str:
    """Return the whole page. `lead`: HTML before the first section."""
    body = "".join(map(_section, sections))
    script = PAGE_SCRIPT.read_text("utf-8") if MAP in body else ""
    text = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{GENERATOR}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{_security_policy(script)}'
        f"<style>{PAGE_STYLE.read_text('utf-8')}</style></head>"
        f"<body><h1>{escape(title)}</h1>{lead}{_section_links(sections)}{body}"
        + (f"<script>{script}</script>" if script else "")
        + "</body></html>\n"
    )
    # Lone surrogates, which JSON allows and UTF-8 does not, become escapes.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def figure(svg: str, caption: str = "") -> str:
    """Return a picture with its caption."""
    note = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{note}</figure>"


def grid(parts: Sequence[str]) -> str:
    """Return parts side by side, as many as fit."""
    return f'<div class="grid">{"".join(parts)}</div>'


def paragraph(text: str, kind: str = "") -> str:
    """Return a paragraph; `kind` is its class."""
    return f"<p{_class_attribute(kind)}>{escaped(text)}</p>"


def legend(names: Sequence[str]) -> str:
    """Return a legend with the colours of `svg.line_chart`."""
    items = "".join(
        f'<li><span class="swatch" style="background:{COLOURS[index % len(COLOURS)]}"></span>{escape(name)}</li>'
        for index, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'


def folded(summary: str, body: str) -> str:
    """Return a collapsible element, closed at first."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def escaped(text: str) -> str:
    """Escape text for HTML content and attributes; `Html` is returned unchanged."""
    return text if isinstance(text, Html) else escape(text)


def _class_attribute(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _section(section: Section) -> str:
    text = paragraph(section.text, "note") if section.text else ""
    return f'<section><h2 id="{escape(section.anchor)}">{escape(section.heading)}</h2>{text}{"".join(section.parts)}</section>'


def _section_links(sections: Sequence[Section]) -> str:
    """Return links to the sections; "" if there are few."""
    if len(sections) < _LINKED_SECTIONS:
        return ""
    return "<nav>" + "".join(f'<a href="#{escape(part.anchor)}">{escape(part.heading)}</a>' for part in sections) + "</nav>"


def _security_policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"'sha256-{digest}'" if script else "'none'"
    return f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}\">"

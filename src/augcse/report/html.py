"""One self-contained HTML page: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

# By which a page of ours is known from another file.
GENERATOR = '<meta name="generator" content="augcse">'
_STYLE = """
body { font-family: system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; color: #222; line-height: 1.45; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #ddd; padding-bottom: .2rem; }
table { border-collapse: collapse; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #e5e5e5; text-align: right; }
th:first-child, td:first-child { text-align: left; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top; } figcaption { font-size: .85rem; color: #555; }
.note { color: #555; font-size: .9rem; }
"""


@dataclass(frozen=True)
class Section:
    """A heading, a sentence or two, and ready-made HTML parts (tables, SVG)."""

    heading: str
    text: str
    parts: Sequence[str] = ()


def page(title: str, sections: Sequence[Section]) -> str:
    """Return the whole page."""
    body = "".join(_section(section) for section in sections)
    text = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{GENERATOR}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )
    # Half a surrogate pair, which JSON can hold and UTF-8 cannot.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def figure(svg: str, caption: str = "") -> str:
    """Return a picture with its caption."""
    note = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{note}</figure>"


def _section(section: Section) -> str:
    return f"<h2>{escape(section.heading)}</h2><p>{escape(section.text)}</p>{''.join(section.parts)}"

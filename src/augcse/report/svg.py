"""Line charts, scatter plots and histograms as SVG text, without libraries or scripts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]
# Okabe and Ito's palette, suitable for colour-blind readers, and further colours.
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#7f7f7f",
    "#8c564b",
    "#bcbd22",
    "#17becf",
    "#b2182b",
    "#9467bd",
    "#aec7e8",
)
# Points of longer lines, such as a loss at every step, have no tooltips.
_TOOLTIP_POINTS = 60
# Pixels of a wide character.
_TITLE_CHARACTER = 9
_MARGIN_LEFT, _MARGIN_RIGHT, _MARGIN_TOP, _MARGIN_BOTTOM = 58, 16, 34, 44


@dataclass(frozen=True)
class Frame:
    """The plot's size in pixels and the data range it shows."""

    width: int
    height: int
    x_range: Point
    y_range: Point
    legend_width: int = 0

    @property
    def right(self) -> int:
        """The pixel column where the plot ends and the legend begins."""
        return self.width - _MARGIN_RIGHT - self.legend_width

    def x(self, value: float) -> float:
        """Return the pixel column of a data value."""
        low, high = self.x_range
        return round(_MARGIN_LEFT + (value - low) / (high - low) * (self.right - _MARGIN_LEFT), 1)

    def y(self, value: float) -> float:
        """Return the pixel row of a data value."""
        low, high = self.y_range
        plot_height = self.height - _MARGIN_TOP - _MARGIN_BOTTOM
        return round(_MARGIN_TOP + (1 - (value - low) / (high - low)) * plot_height, 1)


def line_chart(
    series: Mapping[str, Sequence[Point]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    width: int = 760,
    height: int = 340,
    legend: bool = True,
    marks: Mapping[str, Point] | None = None,
    from_zero: bool = False,
    levels: Mapping[str, float] | None = None,
) -> str:
    """Return a chart with one line per series; non-finite points are left out, and a chart without points says so.

    Tooltips show the name of a line and, for lines with few points, their values.

    Args:
        series: name -> points.
        title: above the chart.
        x_label: below the x axis.
        y_label: next to the y axis.
        width: in pixels.
        height: in pixels.
        legend: whether to draw a legend.
        marks: a point of a series to mark with a ring.
        from_zero: whether the x axis includes 0.
        levels: name -> height of a dashed line.
    """
    shown = {name: [p for p in points if all(map(math.isfinite, p))] for name, points in series.items()}
    points = [point for line in shown.values() for point in line]
    if not points:
        return picture(width, height, title, [label(width / 2, height / 2, "nothing to draw", "middle")])
    levels = levels or {}
    columns = [x for x, _ in points]
    if from_zero:
        columns.append(0.0)
    x_range = value_range(columns)
    y_range = value_range([*(y for _, y in points), *levels.values()])
    frame = Frame(width, height, x_range, y_range, legend_width(list(shown)) if legend else 0)
    lines = [
        f'<polyline fill="none" stroke="{colour(index)}" stroke-width="1.8" points="'
        + " ".join(f"{frame.x(x)},{frame.y(y)}" for x, y in line)
        + f'"><title>{escape(name)}</title></polyline>'
        for index, (name, line) in enumerate(shown.items())
        if line
    ]
    spots = [
        f'<circle cx="{frame.x(x)}" cy="{frame.y(y)}" r="5" fill-opacity="0"><title>{escape(name)}: {x:g}, {y:.4g}</title></circle>'
        for name, line in shown.items()
        if len(line) <= _TOOLTIP_POINTS
        for x, y in line
    ]
    rings = [
        f'<circle cx="{frame.x(x)}" cy="{frame.y(y)}" r="5" fill="none" stroke="{colour(list(shown).index(name))}" stroke-width="2"/>'
        for name, (x, y) in (marks or {}).items()
    ]
    names = _legend(frame, list(shown)) if legend else []
    dashed = [part for name, value in levels.items() for part in _level_line(frame, name, value)]
    return picture(width, height, title, [*axes(frame, x_label, y_label), *dashed, *lines, *rings, *spots, *names])


def scatter(
    groups: Mapping[str, Sequence[Point]],
    *,
    title: str,
    x_label: str = "",
    y_label: str = "",
    width: int = 580,
    height: int = 400,
    legend: bool = True,
    tooltips: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return a scatter plot with one colour per group; the first group is drawn last and larger, so that it stays visible.

    Axes are drawn if they have labels; those of a projection have no meaning. `tooltips`: one per point, by group.
    """
    points = [point for group in groups.values() for point in group]
    if not points:
        return picture(width, height, title, [label(width / 2, height / 2, "nothing to draw", "middle")])
    legend_pixels = legend_width(list(groups)) if legend else 0
    frame = Frame(width, height, value_range(x for x, _ in points), value_range(y for _, y in points), legend_pixels)
    marks = [
        f'<circle cx="{frame.x(x)}" cy="{frame.y(y)}" r="{3.2 if index == 0 else 2.4}" fill="{colour(index)}" fill-opacity="0.65"'
        + (f"><title>{escape(tooltip)}</title></circle>" if tooltip else "/>")
        for index, (name, group) in reversed(list(enumerate(groups.items())))
        for (x, y), tooltip in zip(group, (tooltips or {}).get(name) or [""] * len(group), strict=True)
    ]
    axis_parts = axes(frame, x_label, y_label) if x_label or y_label else []
    names = _legend(frame, list(groups)) if legend else []
    return picture(width, height, title, [*axis_parts, *marks, *names])


@dataclass(frozen=True)
class MapPoint:
    """A point of a map: position, tooltip, row of its sentence, and index of its colour."""

    x: float
    y: float
    tooltip: str
    row: int
    colour: int


def point_map(points: Sequence[MapPoint], *, title: str, width: int = 460, height: int = 400) -> str:
    """Return a map without axes, with tooltips, and with an empty line element that the page's script moves."""
    frame = Frame(width, height, value_range(point.x for point in points), value_range(point.y for point in points))
    marks = [
        f'<circle cx="{frame.x(point.x)}" cy="{frame.y(point.y)}" r="3.4" fill="{colour(point.colour)}" fill-opacity="0.6"'
        f' data-row="{point.row}"><title>{escape(point.tooltip)}</title></circle>'
        for point in points
    ]
    return picture(width, height, title, ['<line stroke="currentColor" stroke-opacity="0.6"/>', *marks])


def histogram(
    series: Mapping[str, Sequence[float]], edges: Sequence[float], *, title: str, x_label: str, width: int = 460, height: int = 260
) -> str:
    """Return shares per bin as filled steps, one colour per series. series: name -> shares, one less than `edges`."""
    highest = max((share for shares in series.values() for share in shares), default=1.0)
    frame = Frame(width, height, (edges[0], edges[-1]), (0.0, highest * 1.08 or 1.0))
    parts = []
    for index, shares in enumerate(series.values()):
        corners = [f"{frame.x(edges[0])},{frame.y(0)}"]
        for low, high, share in zip(edges, edges[1:], shares, strict=False):
            corners += [f"{frame.x(low)},{frame.y(share)}", f"{frame.x(high)},{frame.y(share)}"]
        corners.append(f"{frame.x(edges[-1])},{frame.y(0)}")
        drawn = colour(index)
        parts.append(f'<polygon points="{" ".join(corners)}" fill="{drawn}" fill-opacity="0.35" stroke="{drawn}" stroke-width="1.2"/>')
    return picture(width, height, title, [*axes(frame, x_label, ""), *parts])


def picture(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """Return the parts as one SVG element with a title."""
    heading = (
        f'<text x="{width / 2}" y="20" text-anchor="middle" font-size="14" font-weight="600">{escape(_fit_title(title, width))}</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="11" fill="currentColor">'
        + "".join([heading, *parts])
        + "</svg>"
    )


def _level_line(frame: Frame, name: str, value: float) -> list[str]:
    """Return a dashed horizontal line and its name."""
    y = frame.y(value)
    line = f'<line x1="{_MARGIN_LEFT}" y1="{y}" x2="{frame.right}" y2="{y}" stroke="currentColor" stroke-dasharray="4 3"/>'
    return [line, label(frame.right - 4, y - 4, name, "end")]


def _fit_title(title: str, width: int) -> str:
    """Return a title shortened to the width; the picture's label has the full one."""
    characters = width // _TITLE_CHARACTER
    return title if len(title) <= characters else f"{title[: characters - 1]}…"


def axes(frame: Frame, x_label: str, y_label: str, *, y_ticks: bool = True) -> list[str]:
    """Return ticks, lines and labels of both axes."""
    left, right = _MARGIN_LEFT, frame.right
    bottom = frame.height - _MARGIN_BOTTOM
    parts = []
    for tick in ticks(*frame.x_range):
        parts.append(label(frame.x(tick), bottom + 16, _number(tick), "middle"))
    for tick in ticks(*frame.y_range) if y_ticks else ():
        y = frame.y(tick)
        parts.append(f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" stroke="currentColor" stroke-opacity="0.15"/>')
        parts.append(label(left - 6, y + 4, _number(tick), "end"))
    parts.append(f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}" stroke="currentColor" stroke-opacity="0.5"/>')
    parts.append(label((left + right) / 2, frame.height - 8, x_label, "middle"))
    middle = (_MARGIN_TOP + bottom) / 2
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(y_label)}</text>')
    return parts


def legend_width(names: Sequence[str]) -> int:
    """Return the width of a legend in pixels."""
    return 22 + 6 * max(map(len, names), default=0)


def _legend(frame: Frame, names: Sequence[str]) -> list[str]:
    x = frame.right + 12
    parts = []
    for index, name in enumerate(names):
        y = _MARGIN_TOP + 8 + 14 * index
        parts.append(f'<rect x="{x}" y="{y - 8}" width="9" height="9" fill="{colour(index)}"/>')
        parts.append(label(x + 13, y, name, "start"))
    return parts


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round tick positions inside [low, high].

    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    step = 10 ** math.floor(math.log10((high - low) / count))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= count:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def value_range(values: Iterable[float]) -> Point:
    """Return the range of the values with a small margin."""
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    # Values that differ only by rounding count as equal: there would be no room for ticks between them.
    is_constant = high - low <= 1e-9 * max(abs(low), abs(high), 1e-9)
    margin = 0.5 if is_constant else (high - low) * 0.04
    return low - margin, high + margin


def label(x: float, y: float, text: str, anchor: str) -> str:
    """Return a text; `anchor` is SVG's: start, middle, or end."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:g}"


def colour(index: int) -> str:
    """Return the colour of a series."""
    return COLOURS[index % len(COLOURS)]

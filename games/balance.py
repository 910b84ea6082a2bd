"""The picture of `manage.py simulate --picture`: who made which share of all points, a bar each, beside what an equal
share would be. Standard library: the picture is SVG, readable on paper and on a dark screen alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, NAMES, FIGURES = 960, 250, 70
ROW, HEAD, GAP, TOP = 20, 34, 26, 64
LONGEST = WIDTH - NAMES - FIGURES
TEXT, DISPLAY = "Source Sans 3, system-ui, sans-serif", "EB Garamond, Georgia, serif"
INK, FAINT, LINE, PAPER, BAR = "#2b2419", "#6b5f4b", "#1d5566", "#fbf8ef", "#b9a47c"


class Bar(NamedTuple):
    """A share of what its kind made: 0 to 1."""

    name: str
    share: float


class Chart(NamedTuple):
    """The bars of one kind, in the order of the rules."""

    name: str
    bars: Sequence[Bar]

    @property
    def equal(self) -> float:
        """What each would have if all had the same."""
        return 1 / len(self.bars)


def charts(made: Mapping[str, float], labels: Mapping[str, str], names: Mapping[str, str]) -> list[Chart]:
    """The shares by kind: of `kind-key`; `names` has the kinds' own."""
    found: dict[str, list[Bar]] = {}
    for key in labels:
        kind, dash, _rest = key.partition("-")
        if dash and key in made:
            found.setdefault(kind, []).append(Bar(labels[key], made[key]))
    return [Chart(names.get(kind, kind), bars) for kind, bars in found.items()]


def svg(title: str, note: str, drawn: Sequence[Chart]) -> str:
    """The charts one below the other, each with its own scale and a line where an equal share lies."""
    height = TOP + sum(HEAD + ROW * len(chart.bars) + GAP for chart in drawn)
    label = escape(title, {'"': "&quot;"})
    head = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{label}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {head} font-family="{TEXT}" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        f'<text x="16" y="30" font-size="20" font-family="{DISPLAY}" fill="{INK}">{escape(title)}</text>',
        f'<text x="16" y="50" fill="{FAINT}">{escape(note)}</text>',
    ]
    y = TOP
    for chart in drawn:
        parts += _chart(chart, y)
        y += HEAD + ROW * len(chart.bars) + GAP
    return "\n".join([*parts, "</svg>\n"])


def _chart(chart: Chart, y: int) -> list[str]:
    most = max([bar.share for bar in chart.bars] + [chart.equal])
    at = NAMES + LONGEST * chart.equal / most
    bottom = y + HEAD + ROW * len(chart.bars)
    parts = [
        f'<text x="16" y="{y + 20}" font-size="16" font-family="{DISPLAY}" fill="{INK}">{escape(chart.name)}</text>',
        f'<text x="{at:.1f}" y="{y + 22}" text-anchor="middle" fill="{LINE}">{chart.equal:.1%}</text>',
    ]
    for n, bar in enumerate(chart.bars):
        top = y + HEAD + ROW * n
        wide = LONGEST * bar.share / most
        parts.append(f'<text x="{NAMES - 8}" y="{top + 14}" text-anchor="end" fill="{INK}">{escape(bar.name)}</text>')
        parts.append(f'<rect x="{NAMES}" y="{top + 3}" width="{wide:.1f}" height="{ROW - 6}" rx="2" fill="{BAR}"/>')
        parts.append(f'<text x="{NAMES + wide + 6:.1f}" y="{top + 14}" fill="{FAINT}">{bar.share:.1%}</text>')
    line = f'x1="{at:.1f}" y1="{y + HEAD - 4}" x2="{at:.1f}" y2="{bottom}"'
    return [*parts, f'<line {line} stroke="{LINE}" stroke-width="1.5" stroke-dasharray="4 3"/>']


def table(drawn: Sequence[Chart]) -> list[str]:
    """The same as lines of text: each share, and how many times an equal one it is."""
    lines = []
    for chart in drawn:
        lines += ["", f"{chart.name:<32}{'share':>9}{'of equal':>10}"]
        lines += [f"{bar.name:<32}{bar.share:>9.1%}{bar.share / chart.equal:>10.2f}" for bar in chart.bars]
    return lines

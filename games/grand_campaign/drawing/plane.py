"""The plane that shows the winner by the routed shares of two armies (9.1).

The attacker's share is on the horizontal axis, the defender's on the vertical. Every region of the
rule is drawn, and a result as a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from engine.language import gettext as _
from engine.language import pgettext, sentence
from games.grand_campaign.drawing.atlas import brief
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.verdicts import Pair, Share, verdict, written

WIDTH, LEFT, TOP, FOOT = 280, 40, 8, 42
SIDE = WIDTH - LEFT - 12
SVG = '<svg class="plane" viewBox="0 0 {} {}" role="img" aria-label="{}">'
REGIONS = '<g data-nation="{}">'
BOX = '<rect class="plane__{}" x="{}" y="{}" width="{}" height="{}"/>'
CROSS = (
    '<path class="plane__cross" d="M{x} {foot}V{y}M{left} {y}H{x}"/><circle class="plane__dot"'
    ' cx="{x}" cy="{y}" r="5.5"/>'
)
MARK = (
    '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
    '<text class="plane__t" x="{}" y="{}" text-anchor="end">{}</text>'
)
ACROSS = '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
UPWARD = (
    '<text class="plane__t" transform="translate(11 {}) rotate(-90)" text-anchor="middle">{}</text>'
)
LABEL = '<text class="plane__l" x="{}" y="{}">{}</text>'
UPRIGHT = '<text class="plane__l" transform="translate({} {}) rotate(-90)">{}</text>'
MUTED = '<text class="plane__l is-muted" x="{}" y="{}">{}</text>'


@dataclass(frozen=True, slots=True)
class Plane:
    """The geometry of the plane: the thresholds of 9.1, and `top`, the greatest share drawn."""

    decisive: float
    early: float
    most_own: float
    top: float

    def across(self, value: float) -> float:
        return LEFT + SIDE * value / self.top

    def upward(self, value: float) -> float:
        return TOP + SIDE * (1 - value / self.top)

    def x(self, value: float) -> str:
        return f"{self.across(value):.1f}"

    def y(self, value: float, shift: float = 0) -> str:
        """Return a vertical place; `shift` moves the line of a text below it."""
        place = f"{self.upward(value):.1f}"
        return f"{float(place) + shift:.1f}" if shift else place

    def box(self, css: str, left: float, right: float, low: float, high: float) -> str:
        width, height = (SIDE * max(0.0, size) / self.top for size in (right - left, high - low))
        return filled(BOX, css, self.x(left), self.y(high), f"{width:.1f}", f"{height:.1f}")


def empty_plane(scenario: Scenario, shares: tuple[Share, Share] | None) -> Plane:
    """Return the plane of a scenario; a share beyond its edge widens it to 100."""
    rout = scenario.rules.rout
    decisive = float(rout["decisive"])
    top = min(100.0, max(60.0, decisive + 15))
    if shares is not None and max(shares) > top:
        top = 100.0
    return Plane(
        decisive=decisive,
        early=float(rout["early"]),
        most_own=float(rout["early_own_losses"]),
        top=top,
    )


def plane(
    scenario: Scenario, nations: Pair, names: Pair, shares: tuple[Share, Share] | None
) -> str:
    """Return the picture.

    `nations` decide the colours, and `shares` are a result that is shown as a point.
    """
    sheet = empty_plane(scenario, shares)
    short = (brief(names[0]), brief(names[1]))
    parts = [_regions(sheet, nations), _marks(sheet), _labels(sheet, short)]
    if shares is not None:
        across, upward = sheet.x(float(shares[0])), sheet.y(float(shares[1]))
        parts.append(filled(CROSS, x=across, y=upward, foot=sheet.y(0), left=sheet.x(0)))
    parts.append(_axes(short))
    head = filled(SVG, WIDTH, TOP + SIDE + FOOT, _description(scenario, names, shares))
    return f"{head}{''.join(parts)}</svg>"


def filled(template: str, *values: object, **named: object) -> str:
    """Return a template of SVG filled with these values, which are escaped."""
    return template.format(
        *(escape(str(value)) for value in values),
        **{key: escape(str(value)) for key, value in named.items()},
    )


def _regions(sheet: Plane, nations: Pair) -> str:
    decisive, top = sheet.decisive, sheet.top
    corner, most_own = min(sheet.early, decisive), min(sheet.most_own, decisive)
    regions = [
        sheet.box("draw", 0, top, 0, top),
        filled(REGIONS, nations[0]),
        sheet.box("win", 0, decisive, decisive, top),
        sheet.box("win", 0, most_own, corner, decisive),
        "</g>",
        filled(REGIONS, nations[1]),
        sheet.box("win", decisive, top, 0, decisive),
        sheet.box("win", corner, decisive, 0, most_own),
        "</g>",
        sheet.box("tie", decisive, top, decisive, top),
    ]
    return "".join(regions)


def _marks(sheet: Plane) -> str:
    """Return the numbers along both axes."""
    values = sorted({0.0, sheet.most_own, sheet.early, sheet.decisive, sheet.top})
    rows = [
        (
            sheet.x(value),
            f"{TOP + SIDE + 15}",
            f"{value:g}",
            f"{LEFT - 6}",
            sheet.y(value, 4),
            f"{value:g}",
        )
        for value in values
    ]
    return "".join(filled(MARK, *row) for row in rows)


def _labels(sheet: Plane, names: Pair) -> str:
    """Return the names of the regions."""
    half, beyond = sheet.decisive / 2, (sheet.decisive + sheet.top) / 2
    wins = [sentence(_("{side} {side:win|wins}"), side=name) for name in names]
    labels = [
        filled(LABEL, sheet.x(half), sheet.y(beyond, 5), wins[0]),
        filled(UPRIGHT, f"{float(sheet.x(beyond)) + 4:.1f}", sheet.y(half), wins[1]),
        filled(MUTED, sheet.x(half), sheet.y(half), _("draw")),
        filled(MUTED, sheet.x(beyond), sheet.y(beyond, 5), _("tie")),
    ]
    return "".join(labels)


def _axes(names: Pair) -> str:
    axes = [sentence(_("{side} routed, %"), side=name) for name in names]
    across = filled(ACROSS, f"{LEFT + SIDE / 2:.1f}", f"{TOP + SIDE + 34}", axes[0])
    return across + filled(UPWARD, f"{TOP + SIDE / 2:.1f}", axes[1])


def _description(scenario: Scenario, names: Pair, shares: tuple[Share, Share] | None) -> str:
    """Return the content of the picture for readers who cannot see it."""
    if shares is None:
        text = _("Outcomes by the routed shares of {attacker} and {defender} (9.1)")
        return sentence(text, attacker=names[0], defender=names[1])
    outcome = verdict(scenario, shares[0], shares[1], names)
    if outcome.winner == "draw":
        winner_text = _("a tie") if outcome.tie else pgettext("plane", "a draw")
    else:
        winner = names[0 if outcome.winner == "attacker" else 1]
        winner_text = sentence(_("{side} {side:win|wins}"), side=winner)
    return sentence(
        _("Routed {attacker} and {defender} per cent: {who}"),
        attacker=written(shares[0]),
        defender=written(shares[1]),
        who=winner_text,
    )

"""The shares of two armies that are routed: who won by them (9.1), and the plane that shows it.

The plane has the attacker's share across and the defender's upward. Every region of the rule is
drawn, and a result as a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.language import Name, sentence
from games.grand_campaign.drawing.atlas import brief
from games.grand_campaign.rules.attacks import winner_by_shares
from games.grand_campaign.rules.scenario import Scenario

Share = int | Decimal
Pair = tuple[str, str]
"""Something of the attacker and of the defender."""
MOST_DIGITS = 6

WIDTH, LEFT, TOP, FOOT = 280, 40, 8, 42
SIDE = WIDTH - LEFT - 12
SVG = '<svg class="plane" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
REGIONS = '<g data-nation="{}">{}{}</g>'
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


class Verdict(NamedTuple):
    """What two shares mean: attacker, defender or draw; whether both routed; why, by 9.1."""

    winner: str
    tie: bool
    why: str

    def sentence(self, names: Pair) -> str:
        if self.winner == "draw":
            return _("A tie.") if self.tie else _("A draw.")
        name = names[0] if self.winner == "attacker" else names[1]
        if isinstance(name, Name):
            return sentence(_("{nation:The} {nation:win|wins}."), nation=name)
        # Insurgents and independents have only a word.
        return sentence(_("{side} win."), side=name)


def share(text: str) -> Share | None:
    """Return a share as people type it ("45", "45.5", "45,5", "46 %"); None if it is none."""
    try:
        value = Decimal(text.strip().removesuffix("%").strip().replace(",", "."))
    except InvalidOperation:
        return None
    if not value.is_finite() or not 0 <= value <= 100:
        return None
    return None if len(value.as_tuple().digits) > MOST_DIGITS else whole_if_possible(value)


def whole_if_possible(value: Decimal) -> Share:
    return int(value) if value == value.to_integral_value() else value


def written(value: Share) -> str:
    """Return a share without needless zeros."""
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, Decimal) else str(value)


def verdict(scenario: Scenario, own: Share, enemy: Share, names: Pair) -> Verdict:
    """Return who won by the routed shares of attacker and defender, and the clause that says so."""
    rules: Any = scenario  # only its rules are asked
    rout, winner = scenario.rules.rout, winner_by_shares(rules, own, enemy)
    decisive, early, most = rout["decisive"], rout["early"], rout["early_own_losses"]
    if winner == "draw":
        tie = own >= decisive and enemy >= decisive
        both = sentence(_("both {share}% or more"), share=decisive)
        return Verdict("draw", tie, both if tie else _("neither has routed the other"))
    won, lost = (0, 1) if winner == "attacker" else (1, 0)
    if (own, enemy)[lost] >= decisive:
        why = sentence(_("{loser} {share}% or more"), loser=names[lost], share=decisive)
        return Verdict(winner, False, why)
    text = _("{loser} {share}% or more, {winner} {own}% or less")
    why = sentence(text, loser=names[lost], share=early, winner=names[won], own=most)
    return Verdict(winner, False, why)


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
        """Return a height; `shift` sets the line of a text below it."""
        place = f"{self.upward(value):.1f}"
        return f"{float(place) + shift:.1f}" if shift else place

    def box(self, css: str, left: float, right: float, low: float, high: float) -> SafeString:
        width, height = (SIDE * max(0.0, size) / self.top for size in (right - left, high - low))
        return format_html(BOX, css, self.x(left), self.y(high), f"{width:.1f}", f"{height:.1f}")


def empty_plane(scenario: Scenario, shares: tuple[Share, Share] | None) -> Plane:
    """Return the plane of a scenario. A share beyond its edge widens it to 100."""
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
) -> SafeString:
    """Return the picture. `nations` give the colours; `shares` are a result, shown as a point."""
    sheet = empty_plane(scenario, shares)
    short = (brief(names[0]), brief(names[1]))
    parts = [_regions(sheet, nations), _marks(sheet), _labels(sheet, short)]
    if shares is not None:
        across, upward = sheet.x(float(shares[0])), sheet.y(float(shares[1]))
        parts.append(format_html(CROSS, x=across, y=upward, foot=sheet.y(0), left=sheet.x(0)))
    parts.append(_axes(short))
    whole = SafeString("".join(parts))
    return format_html(SVG, WIDTH, TOP + SIDE + FOOT, _description(scenario, names, shares), whole)


def _regions(sheet: Plane, nations: Pair) -> SafeString:
    decisive, top = sheet.decisive, sheet.top
    corner, most_own = min(sheet.early, decisive), min(sheet.most_own, decisive)
    regions = [
        sheet.box("draw", 0, top, 0, top),
        format_html(
            REGIONS,
            nations[0],
            sheet.box("win", 0, decisive, decisive, top),
            sheet.box("win", 0, most_own, corner, decisive),
        ),
        format_html(
            REGIONS,
            nations[1],
            sheet.box("win", decisive, top, 0, decisive),
            sheet.box("win", corner, decisive, 0, most_own),
        ),
        sheet.box("tie", decisive, top, decisive, top),
    ]
    return SafeString("".join(regions))


def _marks(sheet: Plane) -> SafeString:
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
    return format_html_join("", MARK, rows)


def _labels(sheet: Plane, names: Pair) -> SafeString:
    """Return the names of the regions."""
    half, beyond = sheet.decisive / 2, (sheet.decisive + sheet.top) / 2
    wins = [sentence(_("{side} {side:win|wins}"), side=name) for name in names]
    labels = [
        format_html(LABEL, sheet.x(half), sheet.y(beyond, 5), wins[0]),
        format_html(UPRIGHT, f"{float(sheet.x(beyond)) + 4:.1f}", sheet.y(half), wins[1]),
        format_html(MUTED, sheet.x(half), sheet.y(half), _("draw")),
        format_html(MUTED, sheet.x(beyond), sheet.y(beyond, 5), _("tie")),
    ]
    return SafeString("".join(labels))


def _axes(names: Pair) -> SafeString:
    axes = [sentence(_("{side} routed, %"), side=name) for name in names]
    across = format_html(ACROSS, f"{LEFT + SIDE / 2:.1f}", f"{TOP + SIDE + 34}", axes[0])
    return SafeString(across + format_html(UPWARD, f"{TOP + SIDE / 2:.1f}", axes[1]))


def _description(scenario: Scenario, names: Pair, shares: tuple[Share, Share] | None) -> str:
    """Return what the picture shows, for readers who do not see it."""
    if shares is None:
        text = _("The outcomes of 9.1 by the shares routed of {attacker} and {defender}")
        return sentence(text, attacker=names[0], defender=names[1])
    outcome = verdict(scenario, shares[0], shares[1], names)
    if outcome.winner == "draw":
        winner_text = _("a tie") if outcome.tie else _("a draw")
    else:
        winner = names[0 if outcome.winner == "attacker" else 1]
        winner_text = sentence(_("{side} {side:win|wins}"), side=winner)
    return sentence(
        _("Routed {attacker} and {defender} per cent: {who}"),
        attacker=written(shares[0]),
        defender=written(shares[1]),
        who=winner_text,
    )

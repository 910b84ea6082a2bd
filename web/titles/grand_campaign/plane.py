"""The plane of 9.1: the attacker's routed share across, the defender's up, every region drawn, a result as a point."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.language import sentence
from games.grand_campaign.rules.battles import winner_by_shares
from games.grand_campaign.rules.scenario import Scenario
from web.titles.grand_campaign.atlas import brief

Share = int | Decimal
WIDTH, LEFT, TOP, FOOT = 280, 40, 8, 42
SIDE = WIDTH - LEFT - 12
CROSS = '<path class="plane__cross" d="M{x} {foot}V{y}M{left} {y}H{x}"/><circle class="plane__dot" cx="{x}" cy="{y}" r="5.5"/>'
ACROSS = '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
UPWARD = '<text class="plane__t" transform="translate(11 {}) rotate(-90)" text-anchor="middle">{}</text>'


class Verdict(NamedTuple):
    """What two shares mean: attacker, defender or draw; whether it is a tie of two routs; why, by 9.1."""

    winner: str
    tie: bool
    why: str


def share(text: str) -> Share | None:
    """A share as people type it ("45", "45.5", "45,5", "46 %"), None if it is none."""
    try:
        value = Decimal(text.strip().removesuffix("%").strip().replace(",", "."))
    except InvalidOperation:
        return None
    if not value.is_finite() or not 0 <= value <= 100 or len(value.as_tuple().digits) > 6:
        return None
    return int(value) if value == value.to_integral_value() else value


def written(value: Share) -> str:
    """A share without needless zeros."""
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, Decimal) else str(value)


def verdict(scenario: Scenario, own: Share, enemy: Share, names: tuple[str, str]) -> Verdict:
    """Who won, from the routed shares of attacker and defender, and the clause that says so."""
    rules: Any = scenario  # only its rules are asked
    rout, winner = scenario.rules.rout, winner_by_shares(rules, own, enemy)
    decisive, early, most = rout["decisive"], rout["early"], rout["early_own_losses"]
    if winner == "draw":
        tie = own >= decisive and enemy >= decisive
        both = sentence(_("both {share}% or more"), share=decisive)
        return Verdict("draw", tie, both if tie else _("neither has routed the other"))
    won, lost = (0, 1) if winner == "attacker" else (1, 0)
    if (own, enemy)[lost] >= decisive:
        return Verdict(winner, False, sentence(_("{loser} {share}% or more"), loser=names[lost], share=decisive))
    text = _("{loser} {share}% or more, {winner} {own}% or less")
    return Verdict(winner, False, sentence(text, loser=names[lost], share=early, winner=names[won], own=most))


def plane(scenario: Scenario, nations: tuple[str, str], names: tuple[str, str], at: tuple[Share, Share] | None) -> SafeString:
    """The picture. `nations` give the colours; a share beyond the sheet widens it to 100."""
    rout = scenario.rules.rout
    decisive, early, most = (float(rout[key]) for key in ("decisive", "early", "early_own_losses"))
    top = min(100.0, max(60.0, decisive + 15))
    if at is not None and max(at) > top:
        top = 100.0

    def x(value: float) -> str:
        return f"{LEFT + SIDE * value / top:.1f}"

    def y(value: float) -> str:
        return f"{TOP + SIDE * (1 - value / top):.1f}"

    def box(css: str, x0: float, x1: float, y0: float, y1: float) -> SafeString:
        size = (f"{SIDE * max(0.0, x1 - x0) / top:.1f}", f"{SIDE * max(0.0, y1 - y0) / top:.1f}")
        return format_html('<rect class="plane__{}" x="{}" y="{}" width="{}" height="{}"/>', css, x(x0), y(y1), *size)

    parts = [box("draw", 0, top, 0, top)]
    corner = min(early, decisive)
    parts.append(format_html('<g data-nation="{}">{}{}</g>', nations[0], box("win", 0, decisive, decisive, top),
                             box("win", 0, min(most, decisive), corner, decisive)))  # fmt: skip
    parts.append(format_html('<g data-nation="{}">{}{}</g>', nations[1], box("win", decisive, top, 0, decisive),
                             box("win", corner, decisive, 0, min(most, decisive))))  # fmt: skip
    parts.append(box("tie", decisive, top, decisive, top))
    marks = sorted({0.0, most, early, decisive, top})
    parts.append(format_html_join("", '<text class="plane__t" x="{}" y="{}" text-anchor="middle">{}</text>'
                                  '<text class="plane__t" x="{}" y="{}" text-anchor="end">{}</text>',
                                  [(x(v), f"{TOP + SIDE + 15}", f"{v:g}", f"{LEFT - 6}", f"{float(y(v)) + 4:.1f}", f"{v:g}")
                                   for v in marks]))  # fmt: skip
    short = (brief(names[0]), brief(names[1]))
    half, over = decisive / 2, (decisive + top) / 2
    wins = [sentence(_("{side} {side:win|wins}"), side=name) for name in short]
    parts.append(format_html('<text class="plane__l" x="{}" y="{}">{}</text>', x(half), f"{float(y(over)) + 5:.1f}", wins[0]))
    parts.append(format_html('<text class="plane__l" transform="translate({} {}) rotate(-90)">{}</text>',
                             f"{float(x(over)) + 4:.1f}", y(half), wins[1]))  # fmt: skip
    muted = '<text class="plane__l is-muted" x="{}" y="{}">{}</text>'
    parts.append(format_html(muted, x(half), y(half), _("draw")))
    parts.append(format_html(muted, x(over), f"{float(y(over)) + 5:.1f}", _("tie")))
    if at is not None:
        parts.append(format_html(CROSS, x=x(float(at[0])), y=y(float(at[1])), foot=y(0), left=x(0)))
    axes = [sentence(_("{side} routed, %"), side=name) for name in short]
    parts.append(format_html(ACROSS, f"{LEFT + SIDE / 2:.1f}", f"{TOP + SIDE + 34}", axes[0]))
    parts.append(format_html(UPWARD, f"{TOP + SIDE / 2:.1f}", axes[1]))
    size, label = TOP + SIDE + FOOT, _label(scenario, names, at)
    head = '<svg class="plane" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    return format_html(head, WIDTH, size, label, SafeString("".join(parts)))


def _label(scenario: Scenario, names: tuple[str, str], at: tuple[Share, Share] | None) -> str:
    if at is None:
        return sentence(
            _("The outcomes of 9.1 by the shares routed of {attacker} and {defender}"), attacker=names[0], defender=names[1]
        )
    outcome = verdict(scenario, at[0], at[1], names)
    if outcome.winner == "draw":
        who = _("a tie") if outcome.tie else _("a draw")
    else:
        who = sentence(_("{side} {side:win|wins}"), side=names[0 if outcome.winner == "attacker" else 1])
    shares = {"attacker": written(at[0]), "defender": written(at[1])}
    return sentence(_("Routed {attacker} and {defender} per cent: {who}"), **shares, who=who)

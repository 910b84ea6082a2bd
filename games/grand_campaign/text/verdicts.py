"""The routed shares of two armies as people type them, and the winner by these shares (9.1)."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from engine.language import Name, sentence
from engine.language import gettext as _
from games.grand_campaign.rules.attacks import winner_by_shares
from games.grand_campaign.rules.scenario import Scenario

Share = int | Decimal
Pair = tuple[str, str]
"""A text for the attacker and a text for the defender."""
MOST_DIGITS = 6


class Verdict(NamedTuple):
    """The result of two shares by 9.1.

    `winner` is the attacker, the defender or a draw; `tie` says whether both armies routed; `why`
    is the reason.
    """

    winner: str
    tie: bool
    why: str

    def sentence(self, names: Pair) -> str:
        if self.winner == "draw":
            return _("A tie.") if self.tie else _("A draw.")
        name = names[0] if self.winner == "attacker" else names[1]
        if isinstance(name, Name):
            return sentence(_("{nation:The} {nation:win|wins}."), nation=name)
        # Only insurgents attack, and only independents defend, without the name of a nation.
        if self.winner == "attacker":
            return _("The insurgents win.")
        return _("The independents win.")


def share(text: str) -> Share | None:
    """Return a typed share ("45", "45.5", "45,5", "46 %"), or None if it is not a share."""
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
    """Return a share without trailing zeros."""
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, Decimal) else str(value)


def verdict(scenario: Scenario, own: Share, enemy: Share, names: Pair) -> Verdict:
    """Return the winner by the routed shares of attacker and defender, with the reason."""
    rules: Any = scenario  # Only the scenario's rules are used.
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

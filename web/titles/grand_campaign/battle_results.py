"""Results of battles (9.1): the form to enter, claim or judge a result, and results in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import pgettext

from campaign.models import GAME_MASTER
from engine.language import sentence
from games.contract.battles import ResultInWords
from games.contract.plain import Known, RawMove
from games.grand_campaign.drawing.plane import plane
from games.grand_campaign.rules.attacks import HEAD, encounter_due
from games.grand_campaign.text import battles as words
from games.grand_campaign.text.results import names_of_sides, result_in_words
from games.grand_campaign.text.verdicts import Pair, Share, Verdict, share, verdict
from web.battles.contract import BattleRecord, FormValues, RuleText
from web.frame.table import TableContext
from web.titles.grand_campaign.battle_answer import refusal_of

SHARES, WINNER, CALLED_OFF, AT_SEA, FORFEIT = "shares", "winner", "called-off", "naval", "forfeit"
KINDS = {
    SHARES: noop("Shares routed"),
    WINNER: noop("Winner"),
    CALLED_OFF: noop("Called off"),
    AT_SEA: noop("Naval battle"),
    FORFEIT: noop("Forfeit"),
}
SIDES = ("attacker", "defender")


# A result in record form


def result_move(number: int, form_values: FormValues) -> dict[str, Any] | None:
    """Return the game master's move that enters a result, or None if something is missing."""
    kind, side = form_values.get("by", ""), form_values.get("side", "")
    report: dict[str, Any] = {"by": GAME_MASTER, "move": "report", "attack": number}
    if kind == SHARES:
        shares = shares_of(form_values)
        return (
            None if shares is None else {**report, "routed": dict(zip(SIDES, shares, strict=True))}
        )
    if kind == CALLED_OFF:
        return {**report, "called_off": True}
    if kind in (WINNER, AT_SEA) and side in (*SIDES, "draw"):
        return {**report, kind: side}
    if kind == FORFEIT and side in SIDES:
        return {"by": GAME_MASTER, "move": "forfeit", "attack": number, "side": side}
    return None


def missing(form_values: FormValues) -> RuleText:
    """Return what is missing from a result."""
    if form_values.get("by") == SHARES:
        text = _("Give two shares, each from 0 to 100 per cent of that side’s own army.")
        return RuleText(text, "9.1")
    return RuleText(_("Choose the winner. Without a winner there is no result."), "")


def takes_shares(known: Known) -> bool:
    """Return whether the result may be two shares, as in every battle but Remove the Head (9.1)."""
    return bool(known["battle"] != HEAD)


def shares_of(form_values: FormValues) -> tuple[Share, Share] | None:
    own, enemy = (share(form_values.get(side, "")) for side in SIDES)
    return None if own is None or enemy is None else (own, enemy)


# A result in words


def colours_of_sides(known: Known) -> Pair:
    return words.side_nation(known, "attacker"), words.side_nation(known, "defender")


def claimed(table: TableContext, known: Known, raw: RawMove) -> ResultInWords:
    """Return a claimed result in words, with its plane if it is two shares."""
    result = result_in_words(table.scenario, known, raw)
    if "routed" not in raw:
        return result
    own, enemy = (share(str(raw["routed"][side])) for side in SIDES)
    assert own is not None
    assert enemy is not None
    names = names_of_sides(table.scenario, known)
    picture = plane(table.scenario, colours_of_sides(known), names, (own, enemy))
    return replace(result, plane=SafeString(picture))  # `plane` escapes names.


# The form


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to enter the result; `why` is the reason if this battle does not have it."""

    key: str
    name: str
    why: str = ""
    rule: str = ""
    is_open: bool = False

    @property
    def explains_itself(self) -> bool:
        """Return whether the page explains why this way of entering a result is not possible.

        Two ways are so rare that they are explained only when the reader asks for them.
        """
        return bool(self.why) and (self.is_open or self.key not in (AT_SEA, CALLED_OFF))


@dataclass(frozen=True, slots=True)
class SideField:
    """A side in the form; its key is the name of the field with its share."""

    key: str
    name: str
    role: str
    typed_text: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ResultSheet:
    """The form of results.

    `mode` is "enter" or "judge" for the game master and "claim" for a player; `claim` is the entry
    of the claim that is judged. `form_values` has the typed fields, if any. `needs_reason` means
    that the game master enters a battle at sea to which the players have not agreed.
    """

    mode: str
    is_solo: bool
    claim: int | None
    kind: str
    kinds: list[Kind]
    sides: list[SideField]
    form_values: dict[str, str]
    line: str
    is_draw_chosen: bool
    verdict: Verdict | None
    sentence: str
    plane: str
    notes: list[RuleText]
    is_unagreed: bool

    @property
    def is_claim(self) -> bool:
        return self.mode == "claim"

    @property
    def is_judgement(self) -> bool:
        return self.mode == "judge"

    @property
    def is_shares(self) -> bool:
        return self.kind == SHARES

    @property
    def is_called_off(self) -> bool:
        return self.kind == CALLED_OFF

    @property
    def can_be_draw(self) -> bool:
        return self.kind != FORFEIT

    @property
    def needs_reason(self) -> bool:
        return self.mode == "enter" and self.is_unagreed

    @property
    def has_wide_foot(self) -> bool:
        """Return whether there is a field beside the button."""
        return self.mode != "enter" or self.kind == AT_SEA

    @property
    def title(self) -> str:
        if self.is_claim:
            return pgettext("heading", "Claim the result")
        return (
            pgettext("heading", "Enter a different result")
            if self.is_judgement
            else pgettext("heading", "Enter the result")
        )

    @property
    def note(self) -> str:
        if not self.is_claim:
            return pgettext("battle results", "as game master")
        return _("the game master judges it") if self.is_solo else _("the other side confirms it")

    @property
    def question(self) -> RuleText:
        """Return the meaning of the choice of a side."""
        if self.kind == FORFEIT:
            return RuleText(_("Side that loses"), "10")
        if self.kind == AT_SEA:
            return RuleText(_("Winner of the naval battle"), "8.2")
        return RuleText(_("Winner as reported by the game"), "9.1")

    @property
    def verb(self) -> str:
        if self.needs_reason:
            return _("Enter it without agreement")
        return (
            pgettext("button", "Award by forfeit")
            if self.kind == FORFEIT
            else pgettext("button", "Confirm the result")
        )


def result_sheet(
    table: TableContext, known: Known, form_values: FormValues, record: BattleRecord
) -> ResultSheet | None:
    """Return the form of results of a running battle.

    Return None for a reader who can neither enter nor claim a result.
    """
    claim = record.claim_that_waits
    if not record.may_enter or (claim is not None and not table.game_master):
        return None
    kinds = _kinds(table, known, record)
    if all(kind.why for kind in kinds):
        return None
    asked = form_values.get("by", "")
    key = _open_kind(kinds, asked)
    given = {name: form_values.get(name, "") for name in (*SIDES, "side", "line")} if asked else {}
    shares = shares_of(given) if asked == SHARES else None
    names, has_plane = names_of_sides(table.scenario, known), key == SHARES and takes_shares(known)
    outcome = verdict(table.scenario, *shares, names) if has_plane and shares else None
    colours = colours_of_sides(known)
    picture = plane(table.scenario, colours, names, shares) if has_plane else ""
    return ResultSheet(
        mode=_mode(table, record),
        is_solo=record.is_solo,
        claim=claim.entry.number if claim is not None else None,
        kind=key,
        kinds=[_opened(kind, key) for kind in kinds],
        sides=_side_fields(names, given),
        form_values=given,
        line=given.get("line", ""),
        is_draw_chosen=given.get("side") == "draw",
        verdict=outcome,
        sentence=outcome.sentence(names) if outcome is not None else "",
        plane=SafeString(picture),
        notes=_notes(table, known, key),
        is_unagreed=key == AT_SEA and not record.agreed,
    )


def _open_kind(kinds: Sequence[Kind], asked: str) -> str:
    """Return the way that is asked for, or the first possible way."""
    if asked in [kind.key for kind in kinds]:
        return asked
    return next(kind.key for kind in kinds if not kind.why)


def _mode(table: TableContext, record: BattleRecord) -> str:
    if not table.game_master:
        return "claim"
    return "enter" if record.claim_that_waits is None else "judge"


def _opened(kind: Kind, key: str) -> Kind:
    return Kind(kind.key, kind.name, kind.why, kind.rule, is_open=kind.key == key)


def _side_fields(names: Pair, given: Mapping[str, str]) -> list[SideField]:
    return [
        SideField(
            key=key,
            name=name,
            role=words.role_word(key),
            typed_text=given.get(key, ""),
            is_chosen=given.get("side") == key,
        )
        for key, name in zip(SIDES, names, strict=True)
    ]


def _kinds(table: TableContext, known: Known, record: BattleRecord) -> list[Kind]:
    """Return the ways to enter this result; only the game master attributes a battle (10)."""
    keys = [
        key
        for key in KINDS
        if (key != AT_SEA or known["kind"] == "amphibious")
        and (key != FORFEIT or table.game_master)
    ]
    kinds = []
    for key in keys:
        why, rule = _why_not(table, known, key, record) or RuleText("", "")
        kinds.append(Kind(key, _(KINDS[key]), why, rule))
    return kinds


def _why_not(table: TableContext, known: Known, key: str, record: BattleRecord) -> RuleText | None:
    """Return why a result cannot be entered in this way, or None if it can."""
    if not takes_shares(known) and key in (SHARES, CALLED_OFF):
        text = _("{module} has no house rule. Enter the winner that the game reported.")
        return RuleText(sentence(text, module=words.module_word(known)), "9.1")
    if key == AT_SEA:
        return _why_not_at_sea(table, known, record)
    if not table.game_master and known["status"] == "challenged":
        return RuleText(_("The challenge has not been answered yet."), "7.8")
    return None


def _why_not_at_sea(table: TableContext, known: Known, record: BattleRecord) -> RuleText | None:
    if not words.naval_possible(known):
        raw = {"by": GAME_MASTER, "move": "report", "attack": known["id"], "naval": "draw"}
        return refusal_of(table, raw)
    if not table.game_master and not record.agreed:
        return RuleText(_("Both players must agree to it first."), "8.2")
    return None


def _notes(table: TableContext, known: Known, key: str) -> list[RuleText]:
    """Return the consequences of a result for a challenge that has not been answered."""
    if known["status"] != "challenged" or key in (AT_SEA, FORFEIT):
        return []
    text = _("The challenge has not been answered. If you enter a result, it counts as accepted.")
    notes = [RuleText(text, "9.1")]
    if encounter_due(table.position, table.position.attacks[known["id"] - 1]):
        text = _(
            "The encounter at sea is rolled first. If it ends the attack, no result is entered."
        )
        notes.append(RuleText(text, "8.1"))
    return notes

"""The moves of each nation in a turn, in a line, and the net changes of its accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.contract.report import ReportEntry, Span, Spans
from games.grand_campaign.rules.position import ACCOUNTS, Position
from games.grand_campaign.text import words
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import fill_spans, join_spans, with_stop
from games.grand_campaign.text.turn_facts import TurnFacts, event_names
from games.grand_campaign.text.turn_names import TurnNames

PLAIN_MOVES = ("siege-train", "barracks", "tax-increase", "tax-exemption", "provincial-levy")
"""The moves whose phrase names nothing else."""
NET = ("victory_points", *(name for name in ACCOUNTS if name not in ("victory_points", "actions")))


def nation_line(names: TurnNames, facts: TurnFacts, key: str) -> Spans:
    """Return the moves of a nation in a line."""
    items = nation_items(names, facts, key) or [_item("idle")]
    player = names.people.get(key)
    head = (names.nation(key), Span(f" ({player}): " if player else ": "))
    return with_stop((*head, *join_spans(items, ", ")))


def nation_items(names: TurnNames, facts: TurnFacts, key: str) -> list[Spans]:
    """Return the moves of a nation as phrases that follow its name."""
    lines = facts.moves.get(key, ())
    events = event_names(facts, key)
    items = [_item("event", event=", ".join(events))] if events else []
    built = [words.structure_name(move["structure"]) for move in _moves(lines, "build")]
    items += _listed("built", built)
    for kind in ("fortify", "fleet"):
        provinces = [str(names.province(move["province"]).text) for move in _moves(lines, kind)]
        items += _listed(_place_key(kind, len(provinces)), provinces)
    items += [_item(kind) for kind in PLAIN_MOVES for _ in _moves(lines, kind)]
    items += [card_item(names, line) for line in lines if line.move["move"] in CARD_MOVES]
    for kind, own in (("attack", True), ("covert", False)):
        attacks = _moves(lines, "attack")
        targets = [m["target"] for m in attacks if (m["kind"] != "independent") is own]
        items += _listed(kind, [str(names.province(target).text) for target in targets])
    nation = facts.after.nations[key]
    return [*items, (Span(words.fall_text(nation)),)] if nation.fell == facts.turn else items


def _place_key(kind: str, number: int) -> str:
    """Return the key of the phrase about what a nation built in a number of provinces."""
    if kind == "fortify":
        return "fortified"
    return "fleet" if number == 1 else "fleets"


def _moves(lines: Sequence[ReportEntry], name: str) -> list[Mapping[str, Any]]:
    return [line.move for line in lines if line.move["move"] == name]


def _item(key: str, **named: Span | Spans | str) -> Spans:
    return fill_spans(str(REPORT.read()["nation"][key]), **named)


def _listed(key: str, names: Sequence[str]) -> list[Spans]:
    return [_item(key, names=words.listed_all(names))] if names else []


CARD_MOVES = ("play", "offer", "take", "keep")


def card_item(names: TurnNames, line: ReportEntry) -> Spans:
    """Return a move with a card as a phrase."""
    move = line.move
    match move["move"]:
        case "offer":
            return _item("offer", card=words.card_name(move["card"]))
        case "take":
            nation = names.nation(move["from"])
            return _item("take", card=words.card_name(move["card"]), nation=nation)
        case "keep":
            return _item("keep" if move["value"] else "guard")
    return PLAYS.get(move["card"], _plain)(names, line)


def _plain(names: TurnNames, line: ReportEntry) -> Spans:
    return _item("play", card=words.card_name(line.move["card"]))


def _assassin(names: TurnNames, line: ReportEntry) -> Spans:
    nation = names.nation(line.move["target"])
    return _item(assassin_key(line), nation=nation, card=words.card_name(line.move["destroy"]))


def assassin_key(line: ReportEntry) -> str:
    """Return the key of the public outcome of an Assassin (4.10).

    With hidden hands, only two seats know whether the named card or a Bodyguard was lost.
    """
    causes = {effect.cause.id for effect in line.effects if effect.audience is None}
    if "bodyguard-spent" in causes:
        return "assassin-stopped"
    return "assassin" if "assassinated" in causes else "assassin-unseen"


def _diplomat(names: TurnNames, line: ReportEntry) -> Spans:
    if "province" in line.move:
        return _item("diplomat-province", province=names.province(line.move["province"]))
    return _item("diplomat-truce", nation=names.nation(line.move["truce"]))


def _spy(names: TurnNames, line: ReportEntry) -> Spans:
    nation = names.nation(line.move["target"])
    if "steal" not in line.move:
        return _item("spy", nation=nation)
    return _item("spy-card", nation=nation, card=words.card_name(line.move["steal"]))


def _insurrection(names: TurnNames, line: ReportEntry) -> Spans:
    return _item("insurrection", province=names.province(line.move["province"]))


def _traitor(names: TurnNames, line: ReportEntry) -> Spans:
    return _item("traitor", province=names.province(line.move["province"]))


PLAYS: Mapping[str, Callable[[TurnNames, ReportEntry], Spans]] = {
    "assassin": _assassin,
    "diplomat": _diplomat,
    "spy": _spy,
    "local-insurrection": _insurrection,
    "traitor": _traitor,
}
"""Functions that put the play of a card into words; `_plain` does it for the other cards."""


def net_changes(names: TurnNames, key: str, before: Position, after: Position) -> Spans:
    """Return the changes of a nation's accounts over the turn in a short line."""
    texts, labels = REPORT.read()["net"], words.book()["accounts"]
    changes = []
    for account in NET:
        old = getattr(before.nations[key], account)
        new = getattr(after.nations[key], account)
        if new != old:
            changes.append(f"{labels[account]} {words.signed(new - old)}")
    what = ", ".join(changes) or str(texts["none"])
    return fill_spans(str(texts["line"]), nation=names.nation(key), changes=what)

"""The running battles on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from battles import projection
from battles.models import Battle, Claim
from campaign.models import GAME_MASTER
from campaign.practice import model_decides
from engine.language import sentence
from games.contract.battles import WithBattles
from games.contract.plain import Known
from games.kit.move_words import move_words
from web.frame import awaited_people
from web.frame.deadlines import Due, deadline_of_battle
from web.frame.name_lists import list_names
from web.frame.table import TableContext
from web.frame.waiting_lines import running
from web.moves.chances import OwnChance, chance_reader


@dataclass(frozen=True, slots=True)
class BattleText:
    """A title's words for a battle.

    If `defender` is empty, the defending seat is shown.
    """

    where: str
    kind: str
    state: str
    tone: str
    defender: str = ""
    defender_name: str = ""


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A running battle: its sides, its place, its state, and the people it waits for."""

    number: int
    url: str
    attacker: str
    attacker_name: str
    defender: str
    defender_name: str
    place_and_kind: str
    state: str
    tone: str
    waits_for_reader: bool
    unanswered: bool
    people: str
    since: datetime | None
    due: Due | None
    chance: OwnChance | None
    """The chances of the reader's side if a model decides the battle."""

    @property
    def chip(self) -> str:
        """Return the tone of the chip with the state."""
        return "mine" if self.waits_for_reader else self.tone


@dataclass(frozen=True, slots=True)
class RunningBattles:
    """The unresolved battles, with their number in words."""

    count: str
    rows: Sequence[BattleRow]


def battles_on_table(table: TableContext) -> RunningBattles | None:
    """Return the running battles; None if the campaign has ended without any."""
    contests = {number: facts for number, facts in table.rows.contests.items() if running(facts)}
    if not contests and table.campaign.ended:
        return None
    battles = {battle.number: battle for battle in table.running_battles} if contests else {}
    claims = table.live_claims if contests else {}
    rows = [
        battle_row(table, number, facts, battles.get(number), claims.get(number))
        for number, facts in contests.items()
    ]
    rows.sort(key=lambda row: (not row.waits_for_reader, not row.unanswered, row.number))
    count = npgettext("table", "%(n)s unresolved", "%(n)s unresolved", len(rows)) % {"n": len(rows)}
    return RunningBattles(count=count, rows=rows)


def battle_row(
    table: TableContext,
    number: int,
    facts: Known,
    battle: Battle | None,
    claim: Claim | None,
) -> BattleRow:
    """Return the row of a running battle."""
    seats = [wait.seat for wait in table.waited_for if wait.contest == number]
    ready = battle is not None and projection.ready(battle)
    by_model = model_decides(table.campaign)
    is_modelled = by_model and facts["status"] == "fighting"
    words = battle_text(table, {**facts, "ready": ready, "by_model": by_model})
    return BattleRow(
        number=number,
        url=table.url("battle", number),
        attacker=facts["attacker"],
        attacker_name=table.name_of(facts["attacker"]),
        defender=words.defender or facts["defender"] or "",
        defender_name=words.defender_name or table.name_of(facts["defender"] or ""),
        place_and_kind=f"{words.where}, {words.kind}" if words.where else words.kind,
        state=claim.get_state_display() if claim is not None else words.state,
        tone="warn" if claim is not None else words.tone,
        waits_for_reader=any(awaited_people.for_reader(table, seat, number) for seat in seats),
        unanswered=facts["status"] == "challenged",
        people="" if is_modelled else people_waited_for(table, seats, number),
        since=battle.launched_at if battle is not None and not is_modelled else None,
        due=deadline_of_battle(table, number) if seats != [GAME_MASTER] else None,
        chance=own_chance(table, number, facts),
    )


def own_chance(table: TableContext, number: int, facts: Known) -> OwnChance | None:
    """Return the chances of the reader's side; None if they do not take part or people decide."""
    sides = (facts["attacker"], facts["defender"], facts["leader"])
    seat = next((seat for seat in sides if seat in table.own_seats), None)
    if seat is None:
        return None
    words = move_words(table.title, table.scenario, table.position)
    chances = chance_reader(table, words, seat)
    return chances.of_contest(table.position, number) if chances is not None else None


def battle_text(table: TableContext, known: Known) -> BattleText:
    """Return the title's words for a battle, by default the keys of its state and kind."""
    title = table.title
    if not isinstance(title, WithBattles):
        return BattleText(where="", kind=known["kind"], state=known["status"], tone="")
    words = title.battle_words
    where, kind = words.where(table.scenario, known), words.kind_word(known)
    if known["leader"]:
        leader = listed(table.holders(known["leader"])) or table.name_of(known["leader"])
        kind = sentence(_("{kind}, defence led by {who}"), kind=kind, who=leader)
    state, tone = words.state_word(table.scenario, known)
    text = BattleText(where=where, kind=kind, state=state, tone=tone)
    if known["defender"]:
        return text
    place = where.rpartition(" → ")[2]
    return replace(text, defender=words.side_nation(known, "defender"), defender_name=place)


def listed(names: Sequence[str]) -> str:
    return list_names(names)


def people_waited_for(table: TableContext, seats: Sequence[str], number: int) -> str:
    """Return the people for whom a battle waits; a seat's name if the seat is free."""
    people = [
        name
        for seat in seats
        for name in awaited_people.people(table, seat, number) or [table.name_of(seat)]
    ]
    return listed(list(dict.fromkeys(people)))

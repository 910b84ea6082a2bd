"""The course of a campaign: start, turns, random events and the end of slots (1.2, 1.3, 3.2).

The module also has the moves that take over a running campaign from elsewhere and that change the
rules in play (RECORD, Later additions).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules.construction import build_free, destroy
from games.grand_campaign.rules.form import (
    MasterMove,
    Reader,
    SlotMove,
    a_nation,
    a_province,
    bad,
    judged,
    reason,
    register,
    whole_number,
)
from games.grand_campaign.rules.numbers import MOST, amended_rules, table
from games.grand_campaign.rules.position import Nation, Position, Truce
from games.grand_campaign.text import sheet

DRAWS, LAPSE, SLOT_ENDS = (
    Phrase("draws", "4"),
    Phrase("actions-lapse", "3.2"),
    Phrase("slot-ends", "3.2"),
)


def order_of_play(position: Position, turn: int) -> list[str]:
    """Return the nations that have not fallen in their order of that turn (1.2).

    Fallen nations keep their place in the rotation.
    """
    circle = position.scenario.order
    first = (position.opener + turn - 2) % len(circle)
    return [k for k in circle[first:] + circle[:first] if not position.nations[k].fallen]


def open_turn(position: Position, dice: Dice) -> None:
    """Open the next turn: order of play, cards, and random events in event turns (1.2, 1.3)."""
    position.turn += 1
    turn = position.turn
    position.order = order_of_play(position, turn)
    position.place, position.slot, position.phase = 0, None, "slots"
    position.attacked.clear()
    position.sources.clear()
    position.truces = [truce for truce in position.truces if truce.until >= turn]
    for nation in position.nations.values():
        nation.raided_before, nation.raided = nation.raided, ()
        nation.own_attack = nation.covert_attack = 0
        nation.spies = nation.event_actions = 0
        nation.event = ""
    position.note(
        "turn",
        None,
        "opened",
        Phrase("turn-opens", "1.2", {"turn": turn}),
        order=list(position.order),
    )
    rules = position.rules
    for key in position.order:
        audience = position.private(key)
        for n in range(1, rules.cards_per_turn + 1):
            roll = dice.roll(
                f"turn-{turn}/card/{key}" if n == 1 else f"turn-{turn}/card/{key}/{n}",
                rules.die,
                turn,
                audience,
            )
            position.gain_card(key, rules.card(roll), DRAWS, audience)
    if turn in rules.event_turns:
        for key in position.order:
            random_event(position, key, dice.roll(f"turn-{turn}/event/{key}", rules.die, turn))


@register("start")
class Start(MasterMove):
    """The start of the campaign: it rolls for the nation that opens turn 1, and opens it (1.2)."""

    phases: ClassVar[tuple[str, ...]] = ("setup",)

    def apply(self, position: Position, dice: Dice) -> None:
        position.opener = dice.roll("start", len(position.scenario.order), 0)
        open_turn(position, dice)


@register("open-turn")
class OpenTurn(MasterMove):
    """The opening of the next turn after a turn has closed (1.3)."""

    phases: ClassVar[tuple[str, ...]] = ("closed",)

    def apply(self, position: Position, dice: Dice) -> None:
        open_turn(position, dice)


@register("end-slot")
class EndSlot(SlotMove):
    """The end of a slot; unused actions lapse (3.2)."""

    def apply(self, position: Position, dice: Dice) -> None:
        nation = position.nations[self.seat]
        if nation.actions:
            position.change(self.seat, "actions", -nation.actions, LAPSE)
        position.note("slot", self.seat, "ended", SLOT_ENDS)
        position.slot = None
        position.place += 1


# Random events, by default of turns 2, 4 and 6 (5).


def random_event(position: Position, seat: str, roll: int) -> None:
    """Apply the event of the roll at once.

    Actions that it gains or loses count when the nation's slot opens (3.2).
    """
    event = position.rules.event(roll)
    nation = position.nations[seat]
    nation.event = event
    cause = Phrase(f"event-{event}", "5")
    position.note("event", seat, event, cause, roll=roll)
    if event == "earthquake":
        standing = [
            s
            for s in position.rules.track(_culture(position, seat), "religious")
            if s.name in nation.structures
        ]
        if standing:
            destroy(position, seat, standing[-1], cause)
    elif event == "commercial-efforts":
        missing = [
            s
            for s in position.rules.track(_culture(position, seat), "commercial")
            if s.name not in nation.structures
        ]
        if missing:
            build_free(position, seat, missing[0], cause)
    else:
        account, amount = table("effects")["events"][event]
        if type(amount) is str:
            talents = position.rules.talents[amount.removeprefix("-")]
            amount = -talents if amount.startswith("-") else talents
        if account == "actions":
            nation.event_actions = amount
        else:
            position.change(seat, account, amount, cause)


def _culture(position: Position, seat: str) -> str:
    return position.scenario.nations[seat].culture


# A running campaign taken over from elsewhere, and rules that change in play (RECORD, Later
# additions).


LEVELS = ("stability", "prestige", "income", "army", "victory_points")
SHEET = {
    "hand": [],
    "table": [],
    "structures": [],
    "barracks": False,
    "siege_trains": 0,
    "fallen": False,
}
"""The parts of a nation's sheet that may be missing, with their defaults."""
PROVINCE = {"owner", "fortification", "fleet"}


def an_object(value: Any, argument: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise bad("not-an-object", key=argument)
    return value


def a_list(value: Any, argument: str) -> list[Any]:
    if type(value) is not list:
        raise bad("not-a-list-of", key=argument)
    return value


def with_keys(raw: Any, argument: str, known: set[str], needed: set[str]) -> dict[str, Any]:
    """Return an object within the move, with all `needed` and only `known` keys."""
    for key in an_object(raw, argument):
        if key not in known:
            raise bad("unknown-argument", key=key[:40], move=argument)
    for key in sorted(needed):
        if key not in raw:
            raise bad("argument-missing", key=f"{argument}.{key}")
    return dict(raw)


def a_played_province(position: Position, value: Any) -> str:
    """Read a province that is not external."""
    province = a_province(position, value)
    if province in position.scenario.external:
        raise bad("external-named", province=province)
    return province


def a_turn(position: Position, value: Any) -> int:
    turn = whole_number(position, value)
    if not 1 <= turn < position.scenario.turns:
        raise bad("turn-off", last=position.scenario.turns - 1)
    return turn


def nations(position: Position, value: Any) -> dict[str, Any]:
    """Read a sheet for each nation."""
    given = an_object(value, "nations")
    for key in given:
        a_nation(position, key)
    for key, nation in position.scenario.nations.items():
        if key not in given:
            raise bad("nation-missing", nation=key)
        where = f"nations.{key}"
        entry = with_keys(given[key], where, {*LEVELS, *SHEET}, set(LEVELS))
        fallen = judged(sheet.flag, f"{where}.fallen", entry.get("fallen", False))
        for level in LEVELS:
            judged(sheet.level, f"{where}.{level}", entry[level], level, fallen)
        judged(sheet.assets, where, entry, position.rules, nation.culture)
        if fallen and (entry.get("hand") or entry.get("table")):
            raise bad("fallen-holds-cards", nation=key)
    return given


def provinces(position: Position, value: Any) -> dict[str, Any]:
    """Read the provinces that differ from the scenario."""
    given = an_object(value, "provinces")
    for key in given:
        a_played_province(position, key)
        where = f"provinces.{key}"
        entry = with_keys(given[key], where, PROVINCE, {"owner"})
        owner = None if entry["owner"] is None else a_nation(position, entry["owner"])
        judged(
            sheet.defences,
            where,
            entry,
            position.rules,
            owner,
            position.scenario.provinces[key].maritime,
        )
    return given


def truces(position: Position, value: Any) -> list[Any]:
    """Read truces of two different nations, at most one for each pair."""
    pairs = set()
    for n, raw in enumerate(a_list(value, "truces")):
        where = f"truces.{n}"
        entry = with_keys(raw, where, {"nations", "until"}, {"nations", "until"})
        pair = [
            a_nation(position, nation) for nation in a_list(entry["nations"], f"{where}.nations")
        ]
        if len(pair) != 2 or pair[0] == pair[1]:
            raise bad("truce-of-two")
        if frozenset(pair) in pairs:
            raise bad("truce-twice")
        pairs.add(frozenset(pair))
        if not -MOST < whole_number(position, entry["until"]) < MOST:
            raise bad("truce-until", turn=position.scenario.turns)
    return list(value)


def targets(position: Position, value: Any) -> dict[str, Any]:
    """Read the provinces that each nation attacked in the turn that has closed (7.6)."""
    given = an_object(value, "targets")
    for key, named in given.items():
        a_nation(position, key)
        attacked = [
            a_played_province(position, province) for province in a_list(named, f"targets.{key}")
        ]
        if len(set(attacked)) != len(attacked):
            raise bad("target-twice", nation=key)
    return given


@register("resume")
class Resume(MasterMove):
    """The takeover of a campaign that runs elsewhere, as it is after a turn; it replaces `start`.

    It rolls no dice, and no threshold fires.
    """

    form: ClassVar[dict[str, Reader]] = {
        "turn": a_turn,
        "first": a_nation,
        "reason": reason,
        "nations": nations,
        "provinces": provinces,
        "truces": truces,
        "targets": targets,
        "appointed": a_nation,
    }
    phases: ClassVar[tuple[str, ...]] = ("setup",)
    turn: int
    first: str
    reason: str
    nations: Mapping[str, Any]
    provinces: Mapping[str, Any]
    truces: list[Any] | tuple[()] = ()
    targets: Mapping[str, Any] | None = None
    appointed: str | None = None

    def contradictions(self, position: Position) -> Iterator[tuple[str, IllegalMove]]:
        """Yield contradictions between the parts, each with its place in the move."""
        owners = {
            **position.owner,
            **{key: given["owner"] for key, given in self.provinces.items()},
        }
        for key, given in self.nations.items():
            if given.get("fallen", False) and key in owners.values():
                yield f"nations.{key}.fallen", bad("fallen-holds-province", nation=key)
            if not given.get("fallen", False) and key not in owners.values():
                yield f"nations.{key}.fallen", bad("stands-without-province", nation=key)
        for n, truce in enumerate(self.truces, 1):
            if truce["until"] < self.turn:
                yield f"truces.{n}", bad("truce-until", turn=self.turn)

    def admit(self, position: Position) -> None:
        for _place, refusal in self.contradictions(position):
            raise refusal
        MasterMove.admit(self, position)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("taken-over", "1.2", {"reason": self.reason, "turn": self.turn})
        position.turn, position.phase = self.turn, "closed"
        position.opener = position.scenario.order.index(self.first) + 1
        for key, given in self.nations.items():
            _nation(position, position.nations[key], {**SHEET, **given}, cause)
        for province, given in self.provinces.items():
            _province(position, province, given, cause)
        for province in position.fleets:
            position.fleets[province] = self.turn
        for key, attacked in (self.targets or {}).items():
            position.nations[key].raided = tuple(attacked)
        position.truces = [Truce(_pair(truce["nations"]), truce["until"]) for truce in self.truces]
        position.led_last = self.appointed
        position.order = order_of_play(position, self.turn)
        position.place = len(position.order)
        position.note("turn", None, "closed", cause)


def _pair(named: list[str]) -> tuple[str, str]:
    first, second = sorted(named)
    return first, second


def _nation(position: Position, nation: Nation, given: Mapping[str, Any], cause: Phrase) -> None:
    """Set the nation's sheet.

    The accounts are set, not changed, so no threshold fires.
    """
    key = nation.key
    for level in LEVELS:
        change = given[level] - getattr(nation, level)
        if change:
            setattr(nation, level, given[level])
            position.effects.append(Effect("account", key, level, cause, change, given[level]))
    for card in list(nation.hand):
        position.lose_card(key, card, cause, position.private(key))
    for card in given["hand"]:
        position.gain_card(key, card, cause, position.private(key))
    for card in given["table"]:
        position.gain_card(key, card, cause, None, "table")
    before = (list(nation.structures), nation.barracks, nation.siege_trains)
    nation.structures, nation.barracks = list(given["structures"]), given["barracks"]
    nation.siege_trains, nation.fallen = given["siege_trains"], given["fallen"]
    if before != (nation.structures, nation.barracks, nation.siege_trains):
        position.note("sheet", key, "sheet", cause)
    if nation.fallen:
        position.note("seat", key, "fallen", cause)


def _province(position: Position, province: str, given: Mapping[str, Any], cause: Phrase) -> None:
    owner, level = (
        given["owner"],
        sheet.fortification("", given.get("fortification"), position.rules),
    )
    previous = position.owner[province]
    position.owner[province] = owner
    position.fortification.pop(province, None)
    position.fleets.pop(province, None)
    if level:
        position.fortification[province] = level
    if given.get("fleet", False):
        position.fleets[province] = position.turn
    facts = {"was": previous, "owner": owner, "fortification_lost": 0, "fleet_lost": False}
    position.note("holding", owner, province, cause, **facts)


def an_amendment(position: Position, value: Any) -> dict[str, Any]:
    """Read a non-empty set of rules that a scenario could have, without the die."""
    given = an_object(value, "rules")
    if not given:
        raise bad("no-rules")
    if "die" in given:
        raise bad("die-stays")
    judged(amended_rules, position.rules, given)
    return given


@register("amend")
class Amend(MasterMove):
    """A change of the rules in force from now on; what has already been built remains."""

    form: ClassVar[dict[str, Reader]] = {"rules": an_amendment, "reason": reason}
    phases: ClassVar[tuple[str, ...]] = ("setup", "closed")
    rules: Mapping[str, Any]
    reason: str

    def check(self, position: Position) -> None:
        built: dict[str, set[str]] = {}
        for key, nation in position.nations.items():
            built.setdefault(position.scenario.nations[key].culture, set()).update(
                nation.structures
            )
        highest = max(position.fortification.values(), default=0)
        judged(
            sheet.check_kept_rows,
            amended_rules(position.rules, self.rules),
            position.rules,
            built,
            highest,
        )

    def apply(self, position: Position, dice: Dice) -> None:
        position.rules = amended_rules(position.rules, self.rules)
        position.amendments = (*position.amendments, (position.turn + 1, position.rules))
        position.note(
            "rules", None, "amended", Phrase("rules-amended", "13", {"reason": self.reason})
        )

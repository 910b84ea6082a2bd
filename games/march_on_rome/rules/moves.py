"""The moves of the player (RULES, Moves), the course of a year (3) and its events (6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.kit.records import GM, FormMove, bad, register
from games.kit.records import decode as decode_move
from games.march_on_rome.rules import battle
from games.march_on_rome.rules import position as rules_position
from games.march_on_rome.rules.position import (
    BARBARIANS,
    CORE,
    INVASIONS,
    LOST,
    NUMBERED,
    PC,
    PROVINCES,
    RING,
    SENATE,
    TABLES,
    Position,
    npc,
    row,
)

# The events of a year (6).


D6, D8, D20 = 6, 8, 20
RULES = {
    "assassination": "6.2",
    "new_general": "6.3",
    "epidemic": "6.4",
    "prosperity": "6.5",
    "rebellion": "6.6",
    "invasion": "6.7",
}
CROWDED = 2
"""With more living generals than this, no new one appears (6.3)."""


def play_event(position: Position, dice: Dice) -> None:
    """Carry out the next event of the year."""
    assert position.events_left is not None
    position.event_no += 1
    position.events_left -= 1
    rolled = dice.roll(_purpose(position, ""), D20, position.turn)
    EVENTS[str(row("events", rolled)["event"])](position, dice)


def _purpose(position: Position, what: str) -> str:
    return f"turn-{position.turn}/event-{position.event_no}{what}"


def _note(
    position: Position, event: str, holder: str | None, province: str = "", **facts: Any
) -> None:
    position.note(
        "event",
        holder,
        province,
        RULES[event],
        no=position.event_no,
        event=event,
        province=province,
        holder=holder,
        **facts,
    )


def _province(
    position: Position, dice: Dice, what: str, sides: int, wanted: Callable[[str], bool]
) -> str:
    """Roll a province by its number; roll again if the number has none or it is not wanted."""
    again = 0
    while True:
        mark = f"/reroll-{again}" if again else ""
        province = NUMBERED.get(
            dice.roll(_purpose(position, f"/{what}{mark}"), sides, position.turn)
        )
        if province is not None and wanted(province):
            return province
        again += 1


def assassination(position: Position, dice: Dice) -> None:
    """Kill a living general; a rival's provinces go to procurators without legions (R13)."""
    living = position.generals()
    victim = living[0]
    if len(living) > 1:
        victim = living[
            dice.roll_within(_purpose(position, "/victim"), len(living), position.turn) - 1
        ]
    _note(position, "assassination", victim, victim=victim)
    cause = Phrase("assassinated", "6.2", {"general": victim})
    if victim != PC:
        for province in position.lands(victim):
            position.set_owner(province, SENATE, cause)
    position.remove(victim, cause)


def new_general(position: Position, dice: Dice) -> None:
    """Let another general declare themselves, if few generals live and a province is free."""
    if len(position.legions) > CROWDED or all(
        owner in position.legions for owner in position.owner.values()
    ):
        _note(position, "new_general", None, nothing=True)
        return
    legions = int(TABLES["setup"]["new_general"]["legions"]["base"])
    legions += dice.roll(_purpose(position, "/legions"), D6, position.turn)

    def free(province: str) -> bool:
        return position.owner[province] not in position.legions

    if any(free(key) for key in CORE):
        province = _province(position, dice, "core", D8, free)
    else:
        province = _province(position, dice, "province", D20, free)
    position.npc_seq += 1
    who, joined = npc(position.npc_seq), position.garrison.get(province, 0)
    _note(position, "new_general", who, province, legions=legions, garrison=joined)
    cause = Phrase("declares", "6.3", {"general": who, "province": province})
    position.legions[who] = 0
    position.set_owner(province, who, cause)
    position.change_legions(who, legions + joined, cause)
    position.note(
        "new_general",
        who,
        province,
        "6.3",
        general=who,
        province=province,
        legions=legions + joined,
    )


def _struck(position: Position, dice: Dice, event: str, change: int) -> str | None:
    """Change the legions of the owner of a rolled province.

    Return the province, or None if it is not in the Empire.
    """
    province = _province(position, dice, "province", D20, PROVINCES.__contains__)
    holder = position.owner[province]
    if holder == LOST:
        _note(position, event, holder, province, nothing=True)
        return None
    own = position.garrison[province] if holder == SENATE else position.legions[holder]
    change = max(change, -own)
    _note(position, event, holder, province, change=change, was=own, now=own + change)
    cause = Phrase(event, RULES[event], {"province": province})
    if holder == SENATE:
        position.change_garrison(province, change, cause)
    else:
        position.change_legions(holder, change, cause)
    return province


def epidemic(position: Position, dice: Dice) -> None:
    """Take a legion from an owner, who keeps the province."""
    _struck(position, dice, "epidemic", -1)


def prosperity(position: Position, dice: Dice) -> None:
    """Give an owner a legion."""
    _struck(position, dice, "prosperity", 1)


def rebellion(position: Position, dice: Dice) -> None:
    """Take a legion from an owner; with none left the province is lost too (R14)."""
    province = _struck(position, dice, "rebellion", -1)
    if province is None:
        return
    holder = position.owner[province]
    if (position.garrison[province] if holder == SENATE else position.legions[holder]) == 0:
        position.set_owner(
            province, LOST, Phrase("province_lost", "6.6", {"by": "rebellion", "holder": holder})
        )
        if holder != SENATE and not position.lands(holder):
            position.remove(holder, Phrase("no_province", "4.9", {"general": holder}))


def invasion(position: Position, dice: Dice) -> None:
    """Let a people attack the first province in the Empire on its route."""
    people = INVASIONS[dice.roll(_purpose(position, "/invader"), D8, position.turn)]
    target = next((key for key in people.route if position.owner[key] != LOST), None)
    if target is None:
        _note(position, "invasion", None, invader=people.key, nothing=True)
        return
    horde = int(TABLES["barbarians"]["base"]) + dice.roll(
        _purpose(position, "/strength"), D6, position.turn
    )
    _note(position, "invasion", position.owner[target], target, invader=people.key, horde=horde)
    battle.begin(position, dice, BARBARIANS, target, battle.INVASION, horde)


EVENTS: dict[str, Callable[[Position, Dice], None]] = {
    "assassination": assassination,
    "new_general": new_general,
    "epidemic": epidemic,
    "prosperity": prosperity,
    "rebellion": rebellion,
    "invasion": invasion,
}


# The course of a year: the rivals' acts, recruiting, events, its end (3).

D6, D20 = 6, 20
TO_WIN = 3
"""How many provinces the player needs to win (3.5)."""


def go_on(position: Position, dice: Dice) -> None:
    """Carry out the next step of the year, for the move `continue`."""
    if position.phase == "npc" and position.queue is None:
        set_order(position, dice)
    elif position.phase == "npc":
        npc_acts(position, dice)
    elif position.phase == "recruit":
        recruit(position)
    elif position.events_left is None:
        position.events_left = dice.roll(f"turn-{position.turn}/events", D6, position.turn)
        position.note("events", None, "", "3.4", events=position.events_left)
    else:
        if position.events_left:
            play_event(position, dice)
        advance(position)


def advance(position: Position) -> None:
    """Begin the next phase if this one is complete (3).

    It is called after an act or an event with all its consequences.
    """
    if position.pending is not None or position.phase == "over":
        return
    if position.phase == "pc":
        position.phase = "npc"
    elif position.phase == "npc" and not position.queue:
        position.phase = "recruit"
    elif position.phase == "events" and not position.events_left:
        close_year(position)


def set_order(position: Position, dice: Dice) -> None:
    """Set the order of the rivals: the lowest d20 first (3.2a).

    Rivals that tie roll again for the places they share.
    """
    rivals = position.npcs()
    if not rivals:
        position.phase = "recruit"
        return
    position.queue = _sorted(position, dice, rivals, 0)
    position.note("order", None, "", "3.2", queue=list(position.queue))


def _sorted(position: Position, dice: Dice, tied: list[str], again: int) -> list[str]:
    turn, mark = position.turn, f"/reroll-{again}" if again else ""
    rolled = {who: dice.roll(f"turn-{turn}/npc-order/{who}{mark}", D20, turn) for who in tied}
    placed: list[str] = []
    for value in sorted(set(rolled.values())):
        same = [who for who in tied if rolled[who] == value]
        placed += same if len(same) == 1 else _sorted(position, dice, same, again + 1)
    return placed


def npc_acts(position: Position, dice: Dice) -> None:
    """Carry out the action of the next living rival in the queue, by their dice (3.2b to 3.2e)."""
    queue = [who for who in position.queue or () if position.lands(who)]
    position.queue = queue[1:]
    if queue:
        _act(position, dice, queue[0])
    advance(position)


def _act(position: Position, dice: Dice, who: str) -> None:
    turn = position.turn
    action = str(row("npc_action", dice.roll(f"turn-{turn}/{who}/action", D6, turn))["action"])
    if action == "nothing" or (action == "attack" and not position.legions[who]):
        position.note(
            "idle",
            who,
            who,
            "3.2",
            general=who,
            why="rest" if action == "nothing" else "no-legions",
        )
        return
    lands = position.lands(who)
    home = lands[0]
    if len(lands) > 1:
        home = lands[dice.roll_within(f"turn-{turn}/{who}/home", len(lands), turn) - 1]
    counted = dice.roll(f"turn-{turn}/{who}/neighbour", D6, turn) - 1
    ring = RING[home]
    round_from = [ring[(counted + step) % len(ring)] for step in range(len(ring))]
    target = next((key for key in round_from if position.owner[key] != who), None)
    if target is None:
        position.note("idle", who, home, "3.2", general=who, why="all-own", home=home)
        return
    position.note(
        "marches",
        who,
        target,
        "3.2",
        general=who,
        action=action,
        home=home,
        counted=round_from[0],
        target=target,
    )
    if action == "attack":
        battle.begin(position, dice, who, target, "attack")
    else:
        battle.offer(position, dice, who, target)


def recruit(position: Position) -> None:
    """Give every general a legion for each province (3.3)."""
    for who in position.generals():
        gain = len(position.lands(who))
        position.note("recruited", who, who, "3.3", general=who, legions=gain)
        position.change_legions(who, gain, Phrase("recruited", "3.3", {"general": who}))
    position.phase = "events"


def close_year(position: Position) -> None:
    """End the year: the player has won, or another year begins (3.5).

    The strengths of barbarians are forgotten.
    """
    for province, known in position.barbarians.items():
        position.change_barbarians(
            province, -known, Phrase("forgotten", "3.5", {"province": province})
        )
    position.barbarians = {}
    if len(position.lands(PC)) >= TO_WIN and not position.npcs():
        position.end("won", "no-rivals")
        return
    position.turn += 1
    position.phase = "pc"
    position.queue = None
    position.events_left = None
    position.event_no = 0
    position.battle_no = 0
    position.note("year", None, "", "3.5", turn=position.turn)


# The moves of the player, a class for each move (RULES, Moves).


MOVES: dict[str, type[MarchMove]] = {}


class MarchMove(FormMove):
    """A move of the player.

    `form` gives the type of each argument. `admit` checks in the order of RULES: whether the game
    is over, whether another decision (or none) is pending, the phase.
    """

    __slots__ = ()
    form: ClassVar[dict[str, type]] = {}
    phases: ClassVar[tuple[str, ...]] = ("pc",)
    answers: ClassVar[str] = ""

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "7.1", f"game-over-{position.result}")
        pending = position.pending
        if pending is not None and pending["kind"] != self.answers:
            raise IllegalMove(
                "pending-decision",
                "4.5" if pending["kind"] == "devote" else "5.5",
                f"pending-{pending['kind']}",
            )
        if pending is None and self.answers:
            raise IllegalMove("nothing-pending", "4.5" if self.answers == "devote" else "5.5")
        if pending is None and position.phase not in self.phases:
            raise IllegalMove("wrong-phase", "3", f"wrong-phase-{position.phase}", move=self.name)

    @classmethod
    def probe(cls, position: Position, by: str) -> None:
        """Check that the player might make a move of this kind now, with the right arguments.

        Raises:
            IllegalMove: They might not.
        """
        # Any arguments will do: `admit` does not use them, and `check` gets arguments that are
        # allowed.
        cls(by=by, seat=PC, **{key: wanted() for key, wanted in cls.form.items()}).admit(position)

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: object) -> tuple[str, str]:
        by = raw.get("by", PC)
        if by not in (PC, GM) or ("for" in raw) != (by == GM) or raw.get("for", PC) != PC:
            raise bad("not-a-voice")
        return by, PC

    @classmethod
    def read_argument(cls, key: str, raw: Mapping[str, Any]) -> Any:
        wanted = cls.form[key]
        if key not in raw:
            raise bad("argument-missing", key=key)
        if type(raw[key]) is not wanted:
            raise bad(f"not-{wanted.__name__}", key=key)
        return raw[key]


def decode(raw: object, position: object = None) -> MarchMove:
    """Read a move of a record.

    Raises:
        IllegalMove: The form of the move is wrong.
    """
    return decode_move(raw, MOVES, position)


@register(MOVES, "begin")
class Begin(MarchMove):
    """The set-up of the board (2)."""

    phases: ClassVar[tuple[str, ...]] = ("setup",)

    def apply(self, position: Position, dice: Dice) -> None:
        rules_position.begin(position, dice)


@register(MOVES, "pass")
class Pass(MarchMove):
    """A year without action (3.1)."""

    def apply(self, position: Position, dice: Dice) -> None:
        position.note("idle", PC, PC, "3.1", general=PC, why="pass")
        advance(position)


class TargetedMove(MarchMove):
    """A move against the holder of a neighbouring province."""

    __slots__ = ()
    form: ClassVar[dict[str, type]] = {"target": str}
    target: str

    @classmethod
    def probe(cls, position: Position, by: str) -> None:
        super().probe(position, by)
        # If every province is the player's, there is no target left.
        move_class: Any = cls
        move_class(
            by=by, seat=PC, target=[*position.targets(), *position.lands(PC), *PROVINCES][0]
        ).check(position)

    def check(self, position: Position) -> None:
        if self.target not in PROVINCES:
            raise IllegalMove("unknown-province", "1.1", name=self.target[:40])
        if position.owner[self.target] == PC:
            raise IllegalMove("own-province", "3.1", province=self.target)
        if not position.neighbours_pc(self.target):
            raise IllegalMove("not-adjacent", "3.1", province=self.target)


@register(MOVES, "attack")
class Attack(TargetedMove):
    """An attack on a neighbouring province (3.1, 4)."""

    target: str

    def check(self, position: Position) -> None:
        TargetedMove.check(self, position)
        if position.legions[PC] < 1:
            raise IllegalMove("no-legions", "3.1", province=self.target)

    def apply(self, position: Position, dice: Dice) -> None:
        battle.begin(position, dice, PC, self.target, "attack")
        advance(position)


@register(MOVES, "ally")
class Ally(TargetedMove):
    """An offer of alliance to the holder of a neighbouring province (3.1, 5)."""

    target: str

    def apply(self, position: Position, dice: Dice) -> None:
        battle.offer(position, dice, PC, self.target)
        advance(position)


@register(MOVES, "devote")
class Devote(MarchMove):
    """The commitment of legions to the battle (4.5)."""

    form: ClassVar[dict[str, type]] = {"legions": int}
    answers: ClassVar[str] = "devote"
    legions: int

    def check(self, position: Position) -> None:
        least, most = bounds(position)
        if not least <= self.legions <= most:
            raise IllegalMove("bad-number", "4.5", least=least, most=most)

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        side = position.pending["side"]
        position.pending = None
        battle.devote(position, side, self.legions)
        if self.legions:
            battle.commit(position, dice)
        else:
            # Without dice (4.5): a rival who has not devoted legions yet no longer has to.
            others = battle.running(position)["devoted"]["attacker"] or 0
            battle.settle(position, "attacker", {"attacker": others, "defender": 0}, conceded=True)
        advance(position)


@register(MOVES, "answer")
class Answer(MarchMove):
    """The answer to a stronger rival's offer; YES is the end of the reign (5.5)."""

    form: ClassVar[dict[str, type]] = {"accept": bool}
    answers: ClassVar[str] = "answer"
    accept: bool

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        general, target = position.pending["from"], position.pending["target"]
        position.pending = None
        if self.accept:
            battle.merge(position, general, PC, target)
        else:
            battle.refuse(position, dice, general, target)
        advance(position)


@register(MOVES, "continue")
class Continue(MarchMove):
    """The next step of the year (3.2 to 3.5)."""

    phases: ClassVar[tuple[str, ...]] = ("npc", "recruit", "events")

    def apply(self, position: Position, dice: Dice) -> None:
        go_on(position, dice)


def bounds(position: Position) -> tuple[int, int]:
    """Return the least and the most legions that the player may devote now (4.5)."""
    assert position.pending is not None
    return (1 if position.pending["side"] == "attacker" else 0), position.legions[PC]

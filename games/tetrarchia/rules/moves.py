"""The moves: their form, the seat that makes them, when they are possible (RULES, Moves).

The module also has the set-up: the first threats, and the fleets (3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.kit.records import GM, FormMove, read_voice, register
from games.kit.records import decode as decode_move
from games.tetrarchia.rules import barbarians, battle
from games.tetrarchia.rules.position import (
    ADJACENT,
    BORDER,
    EMPERORS,
    FIRST,
    IMPERIUM,
    NUMBERED,
    OUTER,
    OUTSIDE,
    PATRES,
    REVOLT,
    ROMA,
    SPACES,
    UNREST,
    ZONES,
    Position,
)

D6 = 6


def begin(position: Position, dice: Dice) -> None:
    """Place the Revolts of every outer region and of the level, and its armies (3.2 to 3.4)."""
    _, _, extra, armies = position.options.level
    for region in OUTER:
        _revolt(position, NUMBERED[region, _first(dice, region)], "3.2")
    for number in range(1, extra + 1):
        _revolt(position, _free(position, dice, number), "3.3")
    for number in range(1, armies + 1):
        position.add_army(_outside(position, dice, number), "invaders", "3.4")
    position.phase = "fleets"
    position.note("begun", None, "", "3.2", level=position.options.digits)


def place_fleets(position: Position, zones: tuple[str, ...]) -> None:
    """Place the fleets in their zones, and begin Diocletian's first turn (3.5, 3.6)."""
    position.set_fleets(list(zones))
    position.note("fleets", None, "", "3.5", zones=list(position.fleets))
    position.open_turn(FIRST)


def reroll_suffix(number: int) -> str:
    """Return the end of the purpose of a repeated roll."""
    return f"/reroll-{number}" if number else ""


def _revolt(position: Position, space: str, rule: str) -> None:
    position.strike(space, REVOLT, Phrase("revolt", rule, {"space": space}))
    position.note("revolt", None, space, rule, space=space)


def _first(dice: Dice, region: str) -> int:
    tries = 0
    while (number := dice.roll(f"setup/revolt/{region}{reroll_suffix(tries)}", D6, 0)) == 1:
        tries += 1
    return number


def _free(position: Position, dice: Dice, extra: int) -> str:
    tries = 0
    while True:
        region = OUTER[dice.roll(f"setup/extra-{extra}/region{reroll_suffix(tries)}", D6, 0) - 1]
        space = NUMBERED[
            region, dice.roll(f"setup/extra-{extra}/number{reroll_suffix(tries)}", D6, 0)
        ]
        if space not in position.tokens:
            return space
        tries += 1


def _outside(position: Position, dice: Dice, army: int) -> str:
    tries = 0
    while True:
        space = BORDER[OUTER[dice.roll(f"setup/barbarian-{army}{reroll_suffix(tries)}", D6, 0) - 1]]
        if space not in position.barbarians:
            return space
        tries += 1


# The form of a move: the seat that makes it, its arguments, when it is possible (RULES, Moves).

MOVES: dict[str, type[TetrarchyMove]] = {}


class TetrarchyMove(FormMove):
    """A move of a player.

    `admit` checks in this order: whether the game is over, the phase, whose turn it is, the
    variant, whether the Emperor must enter or is off the board (`needed`), whether they share ROMA
    (`alone`, 8.11).
    """

    __slots__ = ()
    phase: ClassVar[str] = "roman"
    variant: ClassVar[str] = ""
    needed: ClassVar[bool] = True
    alone: ClassVar[bool] = False

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "6", f"game-over-{position.result}")
        if position.phase != self.phase:
            raise IllegalMove("wrong-phase", "4", f"wrong-phase-{position.phase}")
        self.admit_speaker(position)
        if self.variant and not position.has_variant(self.variant):
            raise IllegalMove("variant-off", "7", variant=self.variant)
        if self.phase == "roman":
            self.admit_place(position)

    def admit_speaker(self, position: Position) -> None:
        """Check that it is the turn of the Emperor or the seat that moves (2.1)."""
        other = (
            self.by in EMPERORS
            and self.by not in position.options.seats
            and self.by != position.emperor
        )
        if other or self.seat != position.options.player(position.emperor):
            raise IllegalMove("not-your-turn", "4", emperor=position.emperor)

    def admit_place(self, position: Position) -> None:
        emperor = position.emperor
        if position.can_enter:
            raise IllegalMove("must-enter", "4.1", emperor=emperor)
        if self.needed and position.at is None:
            raise IllegalMove("off-board", "5.5", emperor=emperor)
        if self.alone and position.sharing():
            raise IllegalMove("sharing", "8.11", emperor=emperor)

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: Position) -> tuple[str, str]:
        """Return the seat that makes the move, and the seat that it is made for.

        Without `by` it is the seat whose turn it is; for the beginning of a game of several
        players, the game master.
        """
        options = position.options
        setup = cls.phase == "setup"
        speaker = GM if setup and options.players > 1 else options.player(position.emperor)
        # The only player owns their campaign: `gm` may begin there too.
        led = (GM, *options.seats) if setup else options.seats
        by, seat = read_voice(raw, speaker, (*options.seats, *EMPERORS), led)
        return by, options.player(by) if by != GM and by not in options.seats else seat


def decode(raw: object, position: Position) -> TetrarchyMove:
    """Read a move of a record.

    Raises:
        IllegalMove: The form of the move is wrong.
    """
    return decode_move(raw, MOVES, position)


# The moves of the players, a class for each move (RULES, Moves).

# The cost of these moves (4.2).
SAIL, SECURE, SECURE_BORDER, CALM = 1, 1, 2, 1
REMOVE = {UNREST: 1, REVOLT: 2}
"""The cost of removing these tokens (4.2)."""
GAIN = {"diocletian": 1, "constantius": -1}
"""The points that an Emperor gains from the colleague's turn, or gives to it (7.4)."""


@register(MOVES, "begin")
class Begin(TetrarchyMove):
    """The roll of the first threats (3.2 to 3.4).

    In a game of several players the game master makes this move.
    """

    phase: ClassVar[str] = "setup"

    def admit_speaker(self, position: Position) -> None:
        if self.seat != GM and position.options.players > 1:
            raise IllegalMove("not-allowed", "3.2", "not-the-owner")

    def apply(self, position: Position, dice: Dice) -> None:
        begin(position, dice)


@register(MOVES, "place_fleets")
class PlaceFleets(TetrarchyMove):
    """The placing of the fleets of the level in different zones (3.5)."""

    phase: ClassVar[str] = "fleets"
    form: ClassVar[dict[str, str]] = {"zones": "texts"}
    zones: tuple[str, ...]

    def check(self, position: Position) -> None:
        fleets = position.options.level[1]
        if (
            len(self.zones) != fleets
            or len(set(self.zones)) != fleets
            or not set(self.zones) <= set(ZONES)
        ):
            raise IllegalMove("bad-zones", "3.5", fleets=fleets)

    def apply(self, position: Position, dice: Dice) -> None:
        place_fleets(position, self.zones)


@register(MOVES, "enter")
class Enter(TetrarchyMove):
    """The entry of an Emperor who is off the board, in ROMA or in the capital (4.1)."""

    form: ClassVar[dict[str, str]] = {"at": "text"}
    at: str

    def admit_place(self, position: Position) -> None:
        if not position.can_enter:
            raise IllegalMove("cannot-enter", "4.1", emperor=position.emperor)

    def check(self, position: Position) -> None:
        capital = EMPERORS[position.emperor].capital
        if self.at not in (ROMA, capital):
            raise IllegalMove("bad-entry", "4.1", emperor=position.emperor, space=capital)
        if self.at != ROMA and (
            self.at in position.tokens
            or self.at in position.barbarians
            or position.standing(self.at)
        ):
            raise IllegalMove("entry-blocked", "4.1", space=self.at)

    def apply(self, position: Position, dice: Dice) -> None:
        position.can_enter = False
        position.move_figure(position.emperor, self.at)
        position.note(
            "entered", position.emperor, self.at, "4.1", emperor=position.emperor, space=self.at
        )


class Paid(TetrarchyMove):
    """A move that costs Imperium Points.

    `cost` is checked last, after everything that concerns the place.
    """

    __slots__ = ()

    def cost(self, position: Position) -> int:
        """Return the cost of the move here.

        Raises:
            IllegalMove: The move is not possible in this place.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cost")

    def check(self, position: Position) -> None:
        cost = self.cost(position)
        if cost > position.ip:
            raise IllegalMove("not-enough-ip", "4.2", cost=cost, ip=position.ip)

    def pay(self, position: Position) -> int:
        """Subtract the cost from the Emperor's points, and return it."""
        cost = self.cost(position)
        position.change_ip(
            position.emperor,
            -cost,
            Phrase(f"pays-{self.name}", "4.2", {"emperor": position.emperor}),
        )
        return cost


def check_known(space: str) -> None:
    if space not in SPACES:
        raise IllegalMove("unknown-province", "1.1", name=space[:40])


@register(MOVES, "move")
class March(Paid):
    """A march along a path, over land and sea (4.2a)."""

    form: ClassVar[dict[str, str]] = {"path": "texts"}
    filled: ClassVar[tuple[str, ...]] = ("path",)
    path: tuple[str, ...]

    def cost(self, position: Position) -> int:
        if position.at is None:
            raise IllegalMove("off-board", "5.5", emperor=position.emperor)
        here, total = position.at, 0
        for to in self.path:
            check_known(to)
            price = battle.step(position, here, to)
            if price is None:
                raise IllegalMove("not-linked", "4.2", space=here, to=to)
            if to in position.barbarians:
                raise IllegalMove("barbarian-there", "4.2", space=to)
            total += price
            here = to
        if any(emperor != position.emperor for emperor in position.standing(here)):
            raise IllegalMove("occupied", "4.2", space=here)
        return total

    def apply(self, position: Position, dice: Dice) -> None:
        start, cost = position.at, self.pay(position)
        position.move_figure(position.emperor, self.path[-1])
        position.note(
            "moved",
            position.emperor,
            self.path[-1],
            "4.2",
            emperor=position.emperor,
            space=start,
            to=self.path[-1],
            path=list(self.path),
            cost=cost,
        )


@register(MOVES, "sail")
class Sail(Paid):
    """The voyage of a fleet to the next zone (4.2b)."""

    form: ClassVar[dict[str, str]] = {"from": "text", "to": "text"}
    source: str
    to: str

    def cost(self, position: Position) -> int:
        if self.source not in position.fleets:
            raise IllegalMove("no-fleet", "4.2", zone=self.source[:40])
        if self.to not in ADJACENT[self.source]:
            raise IllegalMove("not-adjacent", "4.2", zone=self.source, to_zone=self.to[:40])
        if self.to in position.fleets:
            raise IllegalMove("zone-taken", "4.2", zone=self.to)
        return SAIL

    def apply(self, position: Position, dice: Dice) -> None:
        self.pay(position)
        position.set_fleets([self.to, *(zone for zone in position.fleets if zone != self.source)])
        position.note(
            "sailed",
            position.emperor,
            self.to,
            "4.2",
            emperor=position.emperor,
            zone=self.source,
            to_zone=self.to,
        )


@register(MOVES, "secure")
class Secure(Paid):
    """The placing of a token on the Emperor's space (4.2c).

    On an outside space it secures the border.
    """

    alone: ClassVar[bool] = True

    def cost(self, position: Position) -> int:
        at = str(position.at)
        if position.covered(at):
            raise IllegalMove("token-there", "4.2", space=at)
        if not position.supply[position.emperor]:
            raise IllegalMove("no-tokens", "4.2", emperor=position.emperor)
        if not SPACES[at].outside:
            return SECURE
        if position.region_in_revolt(at):
            raise IllegalMove("region-in-revolt", "4.2", region=SPACES[at].region)
        return SECURE_BORDER

    def apply(self, position: Position, dice: Dice) -> None:
        at, emperor = str(position.at), position.emperor
        self.pay(position)
        border = SPACES[at].outside
        position.set_token(at, emperor, Phrase("secured", "4.2", {"emperor": emperor, "space": at}))
        position.note(
            "secured",
            emperor,
            at,
            "4.2",
            emperor=emperor,
            space=at,
            border=border,
            secured=len(position.secured()),
        )
        if border:
            battle.regain(position, emperor)
            if len(position.secured()) == len(OUTSIDE):
                position.end("won", None)


@register(MOVES, "subdue")
class Subdue(Paid):
    """The removal of Unrest or Revolt from the Emperor's space, or the calming of Revolt (4.2d)."""

    alone: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"how": "text"}
    ways: ClassVar[dict[str, tuple[str, ...]]] = {"how": ("remove", "calm")}
    how: str

    def cost(self, position: Position) -> int:
        token = position.tokens.get(str(position.at))
        if token not in (UNREST, REVOLT) or (self.how == "calm" and token != REVOLT):
            raise IllegalMove(
                "nothing-to-subdue", "4.2", f"nothing-to-{self.how}", space=position.at
            )
        if self.how == "calm" and not position.reserve[UNREST]:
            raise IllegalMove("no-unrest-tokens", "4.2")
        return REMOVE[token] if self.how == "remove" else CALM

    def apply(self, position: Position, dice: Dice) -> None:
        at, emperor = str(position.at), position.emperor
        was = position.tokens[at]
        self.pay(position)
        facts = {"emperor": emperor, "space": at, "how": self.how, "was": was}
        position.set_token(
            at, UNREST if self.how == "calm" else None, Phrase("subdued", "4.2", facts)
        )
        position.note("subdued", emperor, at, "4.2", **facts)


@register(MOVES, "attack")
class Attack(Paid):
    """An attack on an army in a linked space (4.2e, 5)."""

    alone: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"target": "text"}
    target: str

    def cost(self, position: Position) -> int:
        check_known(self.target)
        price = battle.attack_cost(position, str(position.at), self.target)
        if price is None:
            raise IllegalMove("not-linked", "4.2", space=position.at, to=self.target)
        if self.target not in position.barbarians:
            raise IllegalMove("no-barbarian", "4.2", space=self.target)
        return price

    def apply(self, position: Position, dice: Dice) -> None:
        self.pay(position)
        position.attack_no += 1
        purpose = barbarians.purpose_of(position, f"attack-{position.attack_no}")
        battle.fight(position, dice, position.emperor, self.target, purpose, True)


@register(MOVES, "imperium")
class Imperium(TetrarchyMove):
    """The exchange of tokens of the supply for as many Imperium Points (7.1)."""

    variant: ClassVar[str] = IMPERIUM
    alone: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"tokens": "number"}
    tokens: int

    def check(self, position: Position) -> None:
        if self.tokens > position.supply[position.emperor]:
            raise IllegalMove(
                "no-tokens",
                "7.1",
                "not-so-many",
                emperor=position.emperor,
                n=position.supply[position.emperor],
            )

    def apply(self, position: Position, dice: Dice) -> None:
        emperor = position.emperor
        cause = Phrase("imperium", "7.1", {"emperor": emperor, "n": self.tokens})
        position.change_supply(emperor, -self.tokens, cause)
        position.account(emperor, "removed", position.removed, emperor, self.tokens, cause)
        position.removed_now += self.tokens
        position.change_ip(emperor, self.tokens, cause)


@register(MOVES, "patres")
class Patres(TetrarchyMove):
    """The transfer of a point between colleagues (7.4).

    Diocletian takes it from Galerius' coming turn, Constantius gives it to Maximian's.
    """

    variant: ClassVar[str] = PATRES
    alone: ClassVar[bool] = True

    def check(self, position: Position) -> None:
        emperor = position.emperor
        if emperor not in GAIN:
            raise IllegalMove("not-allowed", "7.4", "no-father", emperor=emperor)
        if emperor in position.patres_done:
            raise IllegalMove("not-allowed", "7.4", "once-a-round", emperor=emperor)
        if position.ip + GAIN[emperor] < 0:
            raise IllegalMove("not-enough-ip", "7.4", cost=1, ip=position.ip)

    def apply(self, position: Position, dice: Dice) -> None:
        emperor = position.emperor
        other = EMPERORS[emperor].colleague
        position.patres_done.append(emperor)
        position.ip_mod[other] -= GAIN[emperor]
        position.change_ip(
            emperor,
            GAIN[emperor],
            Phrase(f"patres-{emperor}", "7.4", {"emperor": emperor, "other": other}),
        )
        position.note(
            "patres", emperor, other, "7.4", emperor=emperor, other=other, change=-GAIN[emperor]
        )


@register(MOVES, "end_turn")
class EndTurn(TetrarchyMove):
    """The end of a turn: the barbarian phase, then the next Emperor's turn (4.3)."""

    needed: ClassVar[bool] = False

    def apply(self, position: Position, dice: Dice) -> None:
        position.note(
            "ended",
            position.emperor,
            position.emperor,
            "4.3",
            emperor=position.emperor,
            round=position.round,
        )
        barbarians.run_phase(position, dice)

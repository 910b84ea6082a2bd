"""The board, the scenario and options, and the whole state of a game.

Rules 1, 2, 3.1, 4.4, 7; RULES, State.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.effects import Effect, Phrase
from engine.errors import MalformedRecord
from engine.strict_json import check_keys
from games.kit.records import STANDARD as STANDARD
from games.kit.records import BoardPosition, read_standard
from games.kit.records import Scenario as Scenario
from games.tetrarchia.text.english import FAULTS

# The board, read from its file: spaces, links, seas, Emperors, the paths of the barbarians (1,
# 4.4).

HERE = Path(__file__).parent.parent
UNREST = "unrest"
REVOLT = "revolt"
ARMIES = "barbarians"
RESERVE = "reserve"
ROMA = "roma"
ITALIA = "italia"
BARBARIANS = 3
"""The number of armies (1.4)."""
TOKENS = 21
"""The number of Unrest tokens, and of Revolt tokens (1.4)."""
IP = 6
"""The Imperium Points of a turn (4.2)."""


class Space(NamedTuple):
    """A province, or with `outside` the land beyond a border.

    `n` is its number in the region, 7 outside. `zone` is its sea zone or "".
    """

    key: str
    name: str
    region: str
    n: int
    coord: str
    zone: str
    outside: bool


class Emperor(NamedTuple):
    """An Emperor.

    `rank` is `augustus` or `caesar`, `half` is `east` or `west`, which is shared with the
    `colleague`.
    """

    key: str
    name: str
    rank: str
    half: str
    colleague: str
    colour: str
    capital: str


@cache
def data(name: str) -> Any:
    """Return the content of a data file of this folder; it must not be changed."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def _spaces() -> dict[str, Space]:
    board = data("board")
    inside = [
        Space(p["key"], p["name"], p["region"], p["n"], p["coord"], p["zone"] or "", False)
        for p in board["provinces"]
    ]
    return {s.key: s for s in inside} | {
        o["key"]: Space(o["key"], o["name"], o["region"], 7, o["coord"], "", True)
        for o in board["outside"]
    }


SPACES = _spaces()
"""The spaces by key, in board order: regions I to VI, ITALIA, numbers; then the outside spaces."""
ORDER = {key: at for at, key in enumerate(SPACES)}
PROVINCES = tuple(key for key, space in SPACES.items() if not space.outside)
OUTSIDE = tuple(key for key, space in SPACES.items() if space.outside)
REGIONS: dict[str, str] = {r["key"]: r["name"] for r in data("board")["regions"]}
"""The names of regions by key: I to VI, then ITALIA."""
REGION_NUMERALS: dict[str, str] = {r["key"]: r["numeral"] for r in data("board")["regions"]}
OUTER = tuple(key for key in REGIONS if key != ITALIA)
BORDER: dict[str, str] = {r["key"]: r["outside"] for r in data("board")["regions"] if r["outside"]}
"""The outside space of each outer region."""
NUMBERED = {(s.region, s.n): s.key for s in SPACES.values()}
OF_REGION = {
    region: tuple(key for key in PROVINCES if SPACES[key].region == region) for region in REGIONS
}


def _links() -> dict[str, dict[str, bool]]:
    links: dict[str, dict[str, bool]] = {key: {} for key in SPACES}
    for link in data("board")["links"]:
        links[link["a"]][link["b"]] = links[link["b"]][link["a"]] = link["broken"]
    return {
        key: dict(sorted(links_of_space.items(), key=lambda near: ORDER[near[0]]))
        for key, links_of_space in links.items()
    }


LINKS = _links()
"""The linked spaces of a space in board order, and whether the link is broken (1.2)."""
ZONES: dict[str, str] = {zone["key"]: zone["name"] for zone in data("board")["sea_zones"]}
ADJACENT: dict[str, tuple[str, ...]] = {
    zone["key"]: tuple(zone["adjacent"]) for zone in data("board")["sea_zones"]
}
COASTS = {zone: tuple(key for key, space in SPACES.items() if space.zone == zone) for zone in ZONES}
EMPERORS = {
    e["key"]: Emperor(
        e["key"], e["name"], e["rank"], e["half"], e["colleague"], e["colour"], e["capital"]
    )
    for name in data("board")["turn_order"]
    for e in data("board")["emperors"]
    if e["key"] == name
}
"""The Emperors by key, in the order of their turns."""
PRINTED: Mapping[str, frozenset[str]] = {
    e.capital: frozenset({e.key}) for e in EMPERORS.values()
} | {ROMA: frozenset(EMPERORS)}
"""The Emperors whose token is printed on a space (1.6)."""
DIGITS: dict[str, list[int]] = {
    key: data("board")["difficulty"][key] for key in data("board")["difficulty"]["order"]
}
"""The four digits of a level with their possible values, the easiest first (3.1)."""
VARIANTS: tuple[str, ...] = tuple(data("board")["variants"])
OPTIONS: tuple[str, ...] = tuple(data("board")["options"])


def _step_tables() -> tuple[dict[str, str], dict[str, int]]:
    onward: dict[str, str] = {}
    left = {ROMA: 0}
    for path in data("board")["barbarian_paths"].values():
        for at, space in enumerate(path[:-1]):
            onward[space], left[space] = path[at + 1], len(path) - 1 - at
    # No path leads through the other spaces. An army that a partial state puts there takes the
    # shortest way to a path.
    while len(left) < len(SPACES):
        for key in SPACES:
            near = [other for other in LINKS[key] if other in left]
            if key not in left and near:
                onward[key] = min(near, key=lambda other: (left[other], ORDER[other]))
                left[key] = left[onward[key]] + 1
    return onward, left


# The next space of an army, and the number of its steps to ROMA (4.4).
ONWARD, TO_ROME = _step_tables()


def next_emperor(emperor: str) -> str | None:
    """Return the Emperor who moves next in the same round; None after the last."""
    keys = list(EMPERORS)
    at = keys.index(emperor) + 1
    return keys[at] if at < len(keys) else None


def ordered(spaces: Any) -> list[str]:
    """Return spaces in board order."""
    return sorted(spaces, key=ORDER.__getitem__)


# The pieces on the board, computed from the effects alone, for the chronicle and the reports.

COMES = frozenset({"entered", "moved", "moved_in"})


class World(NamedTuple):
    """The board after an entry: tokens, figures, armies and fleets; never changed in place."""

    tokens: dict[str, str] = {}
    figures: dict[str, str | None] = dict.fromkeys(EMPERORS)
    armies: tuple[str, ...] = ()
    fleets: tuple[str, ...] = ()

    def after(self, effects: Iterable[Effect]) -> World:
        """Return the board after these effects."""
        tokens, figures = dict(self.tokens), dict(self.figures)
        armies, fleets = list(self.armies), list(self.fleets)
        for effect in effects:
            kind, facts = effect.kind, effect.facts
            if kind == "holding":
                if effect.holder is None:
                    del tokens[effect.subject]
                else:
                    tokens[effect.subject] = effect.holder
            elif kind in COMES:
                figures[str(effect.holder)] = effect.subject
            elif kind == "emperor_removed":
                figures[str(effect.holder)] = None
            elif kind == "invaders":
                armies.append(effect.subject)
            elif kind in ("advance", "army_removed"):
                armies.remove(str(facts["space"]))
                armies += [effect.subject] if kind == "advance" else []
            elif kind == "fleets":
                fleets = list(facts["zones"])
            elif kind == "sailed":
                fleets.remove(facts["zone"])
                fleets.append(facts["to_zone"])
        return World(tokens, figures, tuple(armies), tuple(fleets))


# Scenario and options: the number of players, the level, the variants (2, 3.1, 7).


NORMAL = (4, 2, 1, 1)
LEVEL = re.compile(r"[0-9]{4}", re.ASCII)
CAESARS = tuple(e.key for e in EMPERORS.values() if e.rank == "caesar")
AMPHIBIOUS, IMPERIUM, MARE, DIARCHIA, PATRES, GREAT = (
    "amphibious",
    "imperium",
    "mare_nostrum",
    "diarchia",
    "patres_patriae",
    "the_great",
)
SEATS: dict[int, tuple[str, ...]] = {1: ("tetrarchy",), 2: ("east", "west"), 4: tuple(EMPERORS)}


class Options(NamedTuple):
    """The options of a game.

    - players: 1 to 4
    - caesar: with three players, the Caesar of player C
    - level: its digits: tokens, fleets, extra revolts, armies
    - variants: the variants that are on
    - extras: the site's additional options that are on
    """

    players: int = 1
    caesar: str = ""
    level: tuple[int, int, int, int] = NORMAL
    variants: frozenset[str] = frozenset()
    extras: frozenset[str] = frozenset()

    @property
    def digits(self) -> str:
        """Return the level as text: 4211."""
        return "".join(map(str, self.level))

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the players' seats (2.1)."""
        return ("diocletian", "maximian", self.caesar) if self.players == 3 else SEATS[self.players]

    def player(self, emperor: str) -> str:
        """Return the seat that makes an Emperor's moves (2.1).

        With three players, a Caesar without a player belongs to their Augustus.
        """
        if self.players == 1:
            return SEATS[1][0]
        if self.players == 2:
            return EMPERORS[emperor].half
        return emperor if emperor in self.seats else EMPERORS[emperor].colleague

    def emperors(self, seat: str) -> list[str]:
        """Return the Emperors whose moves a seat makes."""
        return [emperor for emperor in EMPERORS if self.player(emperor) == seat]


def read_scenario(raw: object) -> Scenario:
    read_standard(raw)
    return Scenario()


def read_options(raw: object) -> Options:
    """Return the options of a record.

    Raises:
        MalformedRecord: The options are malformed.
    """
    parts = check_keys(
        "options", raw, {"players", "caesar", "level", "variants", "options", *OPTIONS}
    )
    players = parts.get("players", 1)
    if type(players) is not int or not 1 <= players <= 4:
        raise MalformedRecord("options.players", "whole", least=1, most=4)
    if ("caesar" in parts) != (players == 3):
        raise Fault("options.caesar", "caesar")
    caesar = parts.get("caesar", "")
    if players == 3 and caesar not in CAESARS:
        raise MalformedRecord("options.caesar", "one-of", values=CAESARS)
    variants = chosen("options.variants", parts.get("variants", []), VARIANTS)
    if GREAT in variants and players == 3:
        raise Fault("options.variants", "great")
    level = read_level("options.level", parts.get("level", list(NORMAL)))
    extras = chosen("options.options", parts.get("options", []), OPTIONS)
    for name in OPTIONS:
        on = parts.get(name, name in extras)
        if type(on) is not bool or (name in extras and not on):
            raise Fault(f"options.{name}", "boolean-and-list")
        extras |= {name} if on else set()
    return Options(players, caesar, level, variants, extras)


def read_level(where: str, raw: object) -> tuple[int, int, int, int]:
    """Return a level that is given as text or as four numbers (3.1)."""
    digits = [int(digit) for digit in raw] if type(raw) is str and LEVEL.fullmatch(raw) else raw
    if (
        type(digits) is list
        and len(digits) == len(DIGITS)
        and all(type(digit) is int for digit in digits)
    ):
        a, b, c, d = digits
        if all(digit in allowed for digit, allowed in zip(digits, DIGITS.values(), strict=True)):
            return a, b, c, d
    raise Fault(where, "level")


def chosen(where: str, raw: object, allowed: tuple[str, ...]) -> frozenset[str]:
    """Return a list of allowed names without repetitions, as a set."""
    if type(raw) is not list or len(raw) != len({str(name) for name in raw}):
        raise Fault(where, "names-once")
    for name in raw:
        if name not in allowed:
            raise Fault(where, "of", values=allowed)
    return frozenset(raw)


# Faults of a record, its options or a position of this title.


class Fault(MalformedRecord):
    """A fault in a record of this title.

    Its sentence is in FAULTS, unless all titles share it.
    """

    BOOK = FAULTS


# The whole state at one point of the log, and the few methods that change it (RULES, State).

FIRST = next(iter(EMPERORS))
COUNTED = (UNREST, REVOLT, ARMIES)
"""The kinds of pieces in the reserve."""
WHY_LOST = {UNREST: "no_unrest", REVOLT: "no_revolt"}


class Position(BoardPosition):
    """The state of RULES under the same names.

    `level`, `variants` and `options` of RULES are in `options`.
    """

    def __init__(self, scenario: Scenario, options: Options) -> None:
        self.scenario = scenario
        self.options = options
        self.effects: list[Effect] = []
        self.phase = "setup"
        self.round = 1
        self.emperor = FIRST
        self.ip = 0
        self.figures: dict[str, str | None] = dict.fromkeys(EMPERORS)
        self.tokens: dict[str, str] = {}
        self.barbarians: list[str] = []
        self.fleets: list[str] = []
        self.supply = dict.fromkeys(EMPERORS, options.level[0])
        self.reserve = {UNREST: TOKENS, REVOLT: TOKENS, ARMIES: BARBARIANS}
        self.attack_no = 0
        self.can_enter = False
        self.ip_mod = dict.fromkeys(EMPERORS, 0)
        self.patres_done: list[str] = []
        self.removed = dict.fromkeys(EMPERORS, 0)
        self.removed_now = 0
        self.glory = dict.fromkeys(EMPERORS, 0)
        self.result: str | None = None
        self.reason: str | None = None

    def encode(self) -> dict[str, Any]:
        """Return the state as RULES writes it."""
        return {
            "phase": self.phase,
            "round": self.round,
            "emperor": self.emperor,
            "ip": self.ip,
            "level": list(self.options.level),
            "variants": [name for name in VARIANTS if name in self.options.variants],
            "options": [name for name in OPTIONS if name in self.options.extras],
            "figures": self.figures.copy(),
            "tokens": {space: self.tokens[space] for space in ordered(self.tokens)},
            "barbarians": self.barbarians.copy(),
            "fleets": self.fleets.copy(),
            "supply": self.supply.copy(),
            "reserve": self.reserve.copy(),
            "attack_no": self.attack_no,
            "can_enter": self.can_enter,
            "ip_mod": self.ip_mod.copy(),
            "patres_done": self.patres_done.copy(),
            "removed": self.removed.copy(),
            "removed_now": self.removed_now,
            "glory": self.glory.copy(),
            "result": self.result,
            "reason": self.reason,
        }

    # Queries --------------------------------------------------------------------------------------

    @property
    def at(self) -> str | None:
        """Return the space of the Emperor whose turn it is; None off the board."""
        return self.figures[self.emperor]

    def has_variant(self, variant: str) -> bool:
        return variant in self.options.variants

    def standing(self, space: str) -> list[str]:
        """Return the Emperors in a space; only in ROMA there may be two (4.1)."""
        return [emperor for emperor, where in self.figures.items() if where == space]

    def sharing(self) -> bool:
        """Return whether the Emperor whose turn it is shares ROMA with another (8.11)."""
        return self.at is not None and len(self.standing(self.at)) > 1

    def counts(self, space: str, emperor: str) -> bool:
        """Return whether the token in a space is this Emperor's (1.6).

        Without a token the printed one counts.
        """
        token = self.tokens.get(space)
        return emperor in PRINTED.get(space, ()) if token is None else token == emperor

    def supports(self, space: str, emperor: str) -> bool:
        """Return whether the token in a space supports this Emperor (5.2, 7.3)."""
        return self.counts(space, emperor) or (
            DIARCHIA in self.options.variants and self.counts(space, EMPERORS[emperor].colleague)
        )

    def covered(self, space: str) -> bool:
        """Return whether a space has a token, placed or printed (1.6)."""
        return space in self.tokens or space in PRINTED

    def secured(self) -> list[str]:
        """Return the borders that are secured (4.2c)."""
        return [space for space in OUTSIDE if self.tokens.get(space) in EMPERORS]

    # Changes --------------------------------------------------------------------------------------

    def account(
        self, holder: str, account: str, book: dict[str, int], key: str, change: int, cause: Phrase
    ) -> None:
        """Change an account that `book` has under `key`."""
        if change:
            book[key] += change
            self.effects.append(Effect("account", holder, account, cause, change, book[key]))

    def change_ip(self, emperor: str, change: int, cause: Phrase) -> None:
        """Change the Imperium Points, which are those of the Emperor whose turn it is."""
        if change:
            self.ip += change
            self.effects.append(Effect("account", emperor, "ip", cause, change, self.ip))

    def change_supply(self, emperor: str, change: int, cause: Phrase) -> None:
        self.account(emperor, "supply", self.supply, emperor, change, cause)

    def change_reserve(self, what: str, change: int, cause: Phrase) -> None:
        self.account(RESERVE, what, self.reserve, what, change, cause)

    def set_token(self, space: str, token: str | None, cause: Phrase) -> None:
        """Change the token on a space; None removes it.

        The old token goes back to its supply or the reserve, the new one comes from there.
        """
        was = self.tokens.get(space)
        if was == token:
            return
        facts = {"space": space, "from": was, "to": token}
        cause = cause._replace(facts={**cause.facts, **facts})
        for piece, change in ((was, 1), (token, -1)):
            if piece in EMPERORS:
                self.change_supply(str(piece), change, cause)
            elif piece is not None:
                self.change_reserve(piece, change, cause)
        if token is None:
            del self.tokens[space]
        else:
            self.tokens[space] = token
        self.effects.append(Effect("holding", token, space, cause, 0, 0, facts))

    def strike(self, space: str, token: str, cause: Phrase) -> bool:
        """Place Unrest or Revolt, as the rules demand; return False if that loses the game (6.2).

        The game is lost if none is left in the reserve.
        """
        if self.tokens.get(space) == token:
            return True
        if not self.reserve[token]:
            self.end("lost", WHY_LOST[token])
            return False
        self.set_token(space, token, cause)
        return True

    def move_figure(self, emperor: str, space: str) -> None:
        self.figures[emperor] = space

    def remove_figure(self, emperor: str, why: str, rule: str) -> None:
        """Remove an Emperor from the board.

        `why` is `revolt`, `defeat`, or `sharing` (of ROMA).
        """
        was = self.figures[emperor]
        self.figures[emperor] = None
        self.note("emperor_removed", emperor, str(was), rule, emperor=emperor, space=was, why=why)

    def add_army(self, space: str, kind: str, rule: str) -> None:
        """Place an army of the reserve outside a region."""
        self.barbarians = ordered([*self.barbarians, space])
        self.change_reserve(ARMIES, -1, Phrase(kind, rule, {"space": space}))
        self.note(kind, None, space, rule, space=space)

    def move_army(self, space: str, to: str) -> None:
        self.barbarians = ordered([to, *(other for other in self.barbarians if other != space)])
        self.note("advance", None, to, "4.3", space=space, to=to)

    def remove_army(self, space: str, cause: Phrase) -> None:
        """Remove a beaten army from the board with the token of its space (5.5, 5.6)."""
        self.barbarians = [other for other in self.barbarians if other != space]
        self.change_reserve(ARMIES, 1, cause)
        self.note("army_removed", None, space, cause.rule, space=space)
        self.set_token(space, None, cause)

    def set_fleets(self, fleets: list[str]) -> None:
        self.fleets = sorted(fleets, key=list(ZONES).index)

    def open_turn(self, emperor: str) -> None:
        """Begin an Emperor's turn with 6 Imperium Points and those of the colleague (4.2, 7.4)."""
        self.phase = "roman"
        self.emperor = emperor
        mod = self.ip_mod[emperor]
        self.ip, self.attack_no, self.removed_now = 0, 0, 0
        self.ip_mod[emperor] = 0
        self.can_enter = self.at is None
        self.note("turn", emperor, emperor, "4", emperor=emperor, round=self.round, ip=IP + mod)
        self.change_ip(emperor, IP + mod, Phrase("allowance", "4.2", {"emperor": emperor}))

    def close_turn(self) -> None:
        """Begin the next Emperor's turn, after the last a new round (4.3)."""
        self.change_ip(self.emperor, -self.ip, Phrase("lapsed", "4.2", {"emperor": self.emperor}))
        following = next_emperor(self.emperor)
        if following is None:
            self.round += 1
            self.patres_done = []
        self.open_turn(following or FIRST)

    def end(self, result: str, why: str | None) -> None:
        """End the game (6)."""
        self.phase = "over"
        self.result = result
        self.reason = why
        self.note(
            result,
            None,
            ROMA,
            "6.1" if result == "won" else "6.2",
            round=self.round,
            why=why,
            secured=len(self.secured()),
        )

    def region_in_revolt(self, space: str) -> bool:
        """Return whether the region of an outside space has a Revolt token (4.2c)."""
        region = SPACES[space].region
        return any(
            token == REVOLT and SPACES[key].region == region for key, token in self.tokens.items()
        )

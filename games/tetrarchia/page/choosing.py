"""What the Emperor whose turn it is may do, with its price, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from engine.effects import Effect, Roll
from engine.errors import IllegalMove
from games.contract.pages import Reader, Told
from games.kit.records import GM, make_move
from games.tetrarchia.drawing.map import Leg, space_text
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.battle import Odds, Value, Way
from games.tetrarchia.rules.moves import MOVES, REMOVE, SECURE, SECURE_BORDER
from games.tetrarchia.rules.position import (
    ADJACENT,
    EMPERORS,
    IMPERIUM,
    LINKS,
    PATRES,
    PRINTED,
    REVOLT,
    ROMA,
    SPACES,
    UNREST,
    ZONES,
    Position,
    data,
)
from games.tetrarchia.rules.view import mover
from games.tetrarchia.text.words import (
    chain,
    counted_phrase,
    effect_line,
    emperor,
    page_book,
    phrase_text,
    roll_line,
    space,
    zone_name,
)
from games.tetrarchia.text.words import refusal as sentence

Deed = dict[str, Any]


def offered_move(position: Position, name: str, **given: Any) -> Deed:
    """A move as the page offers it: what its form says, its price, or the rule that forbids it."""
    seat = position.options.player(position.emperor)
    move = make_move(MOVES[name], seat, seat, given)
    deed: Deed = {"do": name, "fields": fields(given), "refused": "", "rule": "", "cost": None}
    try:
        move.admit(position)
        move.check(position)
    except IllegalMove as refused:
        deed |= {"refused": sentence(position.scenario, refused), "rule": refused.rule}
    cost = getattr(move, "cost", None)
    if cost is not None:
        try:
            deed["cost"] = cost(position)
        except IllegalMove:
            deed["cost"] = None
    return deed


def fields(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (key, "-".join(value) if isinstance(value, list) else str(value))
        for key, value in given.items()
    ]


def goals(position: Position) -> dict[str, battle.Way]:
    """Where the Emperor can go with what he has: space -> the cheapest way there."""
    if position.phase != "roman" or position.at is None:
        return {}
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    return {
        key: way
        for key, way in battle.reach(position, position.at, position.ip).items()
        if way.path and key not in taken
    }


def legs(position: Position, path: tuple[str, ...]) -> list[Leg]:
    """The steps of a way with the price of each."""
    here, travelled = str(position.at), []
    for to in path:
        travelled.append(Leg(here, to, battle.step(position, here, to) or 0))
        here = to
    return travelled


def entries(position: Position) -> list[Deed]:
    """ROMA and his capital, for one who is off the board."""
    return [
        offered_move(position, "enter", at=key) | {"name": space(key), "rome": key == ROMA}
        for key in (ROMA, EMPERORS[position.emperor].capital)
    ]


def moves_in_place(position: Position) -> list[Deed]:
    """What he may do where he stands: secure, subdue."""
    at = position.at
    if at is None:
        return []
    token, deeds = position.tokens.get(at), []
    if token in (UNREST, REVOLT):
        deeds.append(
            offered_move(position, "subdue", how="remove")
            | {"text": phrase_text(f"remove-{token}", space=space(at))}
        )
    if token == REVOLT:
        deeds.append(
            offered_move(position, "subdue", how="calm")
            | {"text": phrase_text("calm", space=space(at))}
        )
    if token is None and at not in PRINTED:
        border = SPACES[at].outside
        deeds.append(
            offered_move(position, "secure")
            | {"text": phrase_text("secure-border" if border else "secure", space=space(at))}
        )
    return deeds


def sails(position: Position) -> list[Deed]:
    """The voyages of the fleets that are possible."""
    return [
        offered_move(position, "sail", **{"from": zone, "to": other})
        | {"text": phrase_text("sail", zone=ZONES[zone], to=ZONES[other])}
        for zone in position.fleets
        for other in ADJACENT[zone]
        if other not in position.fleets
    ]


def attacks(position: Position) -> list[dict[str, Any]]:
    """The armies on the board: those within reach of an attack first, each with its chance from
    where he stands.
    """
    rows = []
    for army in position.barbarians:
        one: dict[str, Any] = {"key": army, "name": space(army), "linked": False}
        if position.at is not None and battle.attack_cost(position, position.at, army) is not None:
            odds = battle.against(position, position.emperor, position.at, army)
            one |= offered_move(position, "attack", target=army) | {
                "linked": True,
                "chance": chance(odds.won),
            }
        rows.append(one)
    return sorted(rows, key=lambda one: not one["linked"])


def chance(pairs: int) -> dict[str, str]:
    """A chance as a page shows it."""
    return {"text": battle.percent(pairs), "share": battle.share(pairs)}


def attack(position: Position, army: str) -> dict[str, Any]:
    """An attack on an army explained: where from, value term by term, all pairs of dice, and what
    would change it.
    """
    ways = origins(position, army)
    at = (
        position.at
        if any(one["key"] == position.at for one in ways)
        else ways[0]["key"]
        if ways
        else None
    )
    if at is None:
        return {"key": army, "name": space(army), "from": [], "odds": None}
    odds = battle.against(position, position.emperor, at, army)
    return {
        "key": army,
        "name": space(army),
        "emperor": position.emperor,
        "who": emperor(position.emperor),
        "at": at,
        "at_name": space(at),
        "stands": at == position.at,
        "odds": side_row(odds),
        "from": ways,
        "ours": side(odds.ours, [emperor(one) for one in odds.ours.helpers], "chain"),
        "theirs": side(odds.theirs, [space(one) for one in odds.theirs.helpers], "revolts"),
        "what_if": what_if(odds),
        "deed": offered_move(position, "attack", target=army) if at == position.at else None,
    }


def side(value: Value, helpers: list[str], key: str) -> dict[str, Any]:
    """One side of the sum."""
    group = (
        counted_phrase(key, len(value.group), chain=chain(value.group))
        if value.group
        else phrase_text(f"{key}-none")
    )
    return {
        "support": value.support,
        "group": group,
        "helpers": helpers,
        "times": value.times,
        "least": value.value_with(1),
        "most": value.value_with(6),
    }


def side_row(odds: Odds) -> dict[str, Any]:
    """Return the table of both dice, and the three chances in whole per cent, which add up
    to 100.
    """
    won, level, lost = battle.percents((odds.won, odds.level, odds.lost))
    rows = [
        [
            {"ours": a, "theirs": b, "is": "won" if a > b else "level" if a == b else "lost"}
            for a, b in row
        ]
        for row in odds.rows
    ]
    return {
        "rows": list(zip(("I", "II", "III", "IV", "V", "VI"), rows, strict=True)),
        "won": odds.won,
        "level": odds.level,
        "lost": odds.lost,
        "won_text": won,
        "level_text": level,
        "lost_text": lost,
        "held": battle.share(battle.PAIRS - odds.won),
    }


def origins(position: Position, army: str) -> list[dict[str, Any]]:
    """The spaces from which the army can be attacked, with the price of going there and attacking,
    the cheapest first.
    """
    if position.at is None:
        return []
    taken = {where for who, where in position.figures.items() if who != position.emperor}
    ways = battle.reach(position, position.at, 12)
    rows = []
    for key in LINKS[army]:
        if key in taken or key in position.barbarians or key not in ways:
            continue
        price = battle.attack_cost(position, key, army)
        cost = ways[key].cost + (price or 0)
        won = battle.against(position, position.emperor, key, army)
        rows.append(
            {
                "key": key,
                "name": space(key),
                "cost": cost,
                "far": cost > position.ip,
                "support": won.ours.support,
                "won": battle.percent(won.won),
                "pairs": won.won,
                "here": key == position.at,
            }
        )
    return sorted(rows, key=lambda one: (one["far"], -one["pairs"], one["cost"], one["name"]))


def what_if(odds: Odds) -> list[dict[str, str]]:
    """How the chance would change: one token more, each helper away, one Revolt less."""
    cases: list[tuple[str, Value, Value]] = [
        (phrase_text("if-token"), odds.ours._replace(support=odds.ours.support + 1), odds.theirs)
    ]
    for one in odds.ours.helpers:
        rest = tuple(other for other in odds.ours.helpers if other != one)
        cases.append(
            (
                phrase_text("if-away", name=emperor(one)),
                odds.ours._replace(helpers=rest),
                odds.theirs,
            )
        )
    if odds.theirs.support > 1:
        cases.append(
            (
                phrase_text("if-revolt"),
                odds.ours,
                odds.theirs._replace(support=odds.theirs.support - 1),
            )
        )
    was = battle.percent(odds.won)
    return [
        {
            "text": what,
            "was": was,
            "now": battle.percent(battle.between(ours, theirs).won),
            "ours": value(ours),
            "theirs": value(theirs),
        }
        for what, ours, theirs in cases
    ]


def value(one: Value) -> str:
    """A side's value as a formula: "(d + 3) × 2"."""
    return f"(d + {one.support}) × {one.times}" if one.times > 1 else f"d + {one.support}"


def spot(position: Position, key: str, reach: dict[str, battle.Way]) -> dict[str, Any]:
    """A space that was chosen on the board: what it would cost to go, or why he cannot go there."""
    row: dict[str, Any] = {
        "key": key,
        "name": space(key),
        "coord": SPACES[key].coord,
        "way": None,
        "why": None,
    }
    if key in reach:
        way = reach[key]
        row["way"] = offered_move(position, "move", path=list(way.path)) | {
            "cost": way.cost,
            "steps": [space(one) for one in way.path],
            "left": counted_phrase("points-left", position.ip - way.cost),
        }
    elif key != position.at:
        far = (
            battle.reach(position, position.at, battle.FAR).get(key)
            if position.at is not None
            else None
        )
        row["why"] = offered_move(position, "move", path=list(far.path) if far else [key])
    return row


# What happened, read back from the log: the moves of the turn with their price, and the last
# barbarian phase step by step.

STEPS = ("status", "leave", "threat", "uprising", "advance", "next")
"""The steps of the barbarian phase (4.3)."""
STEP_OF = {
    "status_revolt": "status",
    "threat": "threat",
    "unrest": "threat",
    "revolt": "threat",
    "uprising": "uprising",
    "invaders": "uprising",
    "echo": "uprising",
    "advance": "advance",
    "blocked": "advance",
    "devastation": "advance",
    "attack": "advance",
    "victory": "advance",
    "defeat": "advance",
    "draw": "advance",
    "army_removed": "advance",
    "turn": "next",
    "won": "next",
    "lost": "next",
}
SILENT = frozenset({"ended", "account", "holding", "attack", "moved_in"})
"""Effects that another tells better, or none has to."""
GONE = "emperor_removed"
OPENING = frozenset({"end_turn", "place_fleets"})


def spent(position: Position, log: Sequence[Told]) -> list[dict[str, Any]]:
    """The moves of the turn that is being played, oldest first, with Imperium Points before and
    after each.
    """
    rows: list[dict[str, Any]] = []
    for one in reversed(log):
        name = str(one.move["move"])
        if name in OPENING or name == "begin":
            break
        change = sum(
            effect.change
            for effect in one.effects
            if effect.kind == "account" and effect.subject == "ip"
        )
        thrown = bool(one.rolls)
        rows.append(
            {
                "do": name,
                "what": goal(one),
                "number": one.number,
                "change": change,
                "dice": thrown,
                "note": outcome(one),
            }
        )
    balance = position.ip - sum(one["change"] for one in rows)
    for one in reversed(rows):
        one["was"], balance = balance, balance + one["change"]
        one["now"], one["cost"] = balance, max(0, -one["change"])
        one["pips"] = range(one["cost"])
    return rows[::-1]


def goal(one: Told) -> str:
    """Where a move leads."""
    move = one.move
    match move["move"]:
        case "enter":
            return space(str(move["at"]))
        case "move":
            return space(str(move["path"][-1]))
        case "attack":
            return space(str(move["target"]))
        case "imperium":
            return counted_phrase("tokens", int(move["tokens"]))
        case "sail":
            return phrase_text("fleet")
    subject = next(
        (effect.subject for effect in one.effects if effect.kind in ("secured", "subdued")), ""
    )
    return space(subject) if subject else ""


def outcome(one: Told) -> str:
    """How an attack of this turn ended; empty for all else."""
    return next(
        (
            phrase_text(f"was-{effect.kind}")
            for effect in one.effects
            if effect.kind in ("victory", "defeat", "draw")
        ),
        "",
    )


def fought(scenario: Any, one: Told) -> list[str]:
    """A battle in sentences."""
    return [
        effect_line(scenario, effect)
        for effect in one.effects
        if effect.kind in ("attack", "victory", "defeat", "draw")
    ]


def last_phase(position: Position, log: Sequence[Told]) -> dict[str, Any] | None:
    """The last barbarian phase: its steps with notes and dice; None before the first."""
    one = next((one for one in reversed(log) if one.move["move"] == "end_turn"), None)
    return None if one is None else phase(position, one)


def phase(position: Position, one: Told) -> dict[str, Any]:
    """A barbarian phase step by step."""
    steps: dict[str, dict[str, Any]] = {
        key: {"key": key, "notes": [], "rolls": []} for key in STEPS
    }
    after_threat = False
    for effect in one.effects:
        step = place(effect, after_threat)
        if step is None:
            continue
        after_threat = after_threat or effect.kind == "uprising"
        steps[step]["notes"].append(effect_line(position.scenario, effect))
    for roll in one.rolls:
        steps[of_roll(roll)]["rolls"].append(
            {"label": roll_line(position.scenario, roll), "value": roll.value}
        )
    who = next((str(effect.holder) for effect in one.effects if effect.kind == "ended"), "")
    rows = [
        {"n": n, **step, "name": phrase_text(f"step-{step['key']}"), "dice": len(step["rolls"])}
        for n, step in enumerate(steps.values(), start=1)
    ]
    return {
        "after": emperor(who) if who else "",
        "number": one.number,
        "steps": rows,
        "dice": len(one.rolls),
    }


def place(effect: Effect, uprisen: bool) -> str | None:
    """The step an effect belongs to; None where it is not told here."""
    if effect.kind in SILENT and effect.kind != "attack":
        return None
    if effect.kind == GONE:
        return {"revolt": "leave", "sharing": "leave"}.get(str(effect.facts.get("why")), "advance")
    if effect.kind == "not_linked":
        return str(effect.facts["step"])
    if uprisen and effect.kind == "revolt":
        return "uprising"
    return STEP_OF.get(effect.kind)


def of_roll(roll: Roll) -> str:
    """The step a die was thrown in."""
    what = roll.purpose.split("/")[2].partition("-")[0]
    return {"status": "status", "threat": "threat", "uprising": "uprising", "echo": "uprising"}.get(
        what, "advance"
    )


def legs_travelled(position: Position, log: Sequence[Told]) -> list[Leg]:
    """The ways gone in the turn that is being played, without their prices."""
    travelled: list[Leg] = []
    for one in reversed(log):
        if str(one.move["move"]) in OPENING or one.move["move"] == "begin":
            break
        for effect in reversed(one.effects):
            if effect.kind == "moved":
                stops = [str(effect.facts["space"]), *map(str, effect.facts["path"])]
                travelled += reversed([Leg(a, b, 0) for a, b in pairwise(stops)])
            elif effect.kind == "moved_in":
                travelled.append(
                    Leg(str(effect.facts["space"]), str(effect.facts["to"]), 0, attack=True)
                )
    return travelled[::-1]


# The board as one composes on it: every act that is possible now, with its price, its words and its
# moves in record form.
#
# The page judges nothing: it shows what stands here, and asks again after each act what is possible
# then (`web.announcements`).

Act = dict[str, Any]


def document(position: Position, reader: Reader) -> dict[str, Any]:
    """What the script of the page needs: the pieces, and what may be done with them, if it is the
    reader's move.
    """
    speaker = mover(position) or GM
    mine = reader.plays and (speaker in reader.seats or GM in reader.seats)
    created: dict[str, Any] = {
        "stage": position.phase,
        "mine": mine,
        "emperor": position.emperor,
        "ip": position.ip,
        "at": position.at,
        "figures": position.figures,
        "tokens": position.tokens,
        "armies": position.barbarians,
        "fleets": position.fleets,
        "names": {key: emperor(key) for key in EMPERORS},
        "spaces": drawn(),
        "zones": zones(),
        "labels": {key: space_text(position, key, page_book()["board"]) for key in SPACES},
        "title": title(position),
        "hint": hint(position, mine),
        "handle": handle(position),
    }
    if mine and position.phase == "roman":
        created |= Acts(position, speaker).all()
    elif mine and position.phase == "fleets":
        created["place"] = place_fleets(position, speaker)
    elif mine and position.phase == "setup":
        created["stand"] = [
            act(
                phrase_text("do-begin"),
                "",
                phrase_text("do-begin"),
                0,
                [{"by": speaker, "move": "begin"}],
                main=True,
            )
        ]
    return created


@cache
def drawn() -> dict[str, dict[str, Any]]:
    """Where every space lies, and what never changes of it."""
    capitals = {one.capital: key for key, one in EMPERORS.items()}
    places = data("drawing")["spaces"]
    return {
        key: {
            "x": places[key]["circle"][0],
            "y": places[key]["circle"][1],
            "name": one.name,
            "region": one.region,
            "n": one.n,
            **({"capital": capitals[key]} if key in capitals else {}),
            **({"printed": True} if key in PRINTED else {}),
        }
        for key, one in SPACES.items()
    }


def zones() -> dict[str, dict[str, Any]]:
    fleets = data("drawing")["sea_zones"]
    return {
        key: {"x": fleets[key]["fleet"][0], "y": fleets[key]["fleet"][1], "name": zone_name(key)}
        for key in ZONES
    }


def title(position: Position) -> str:
    """What the bar says before anything is chosen."""
    if position.phase != "roman":
        return phrase_text(f"bar-{position.phase}")
    name = emperor(position.emperor)
    if position.at is None:
        return phrase_text("bar-off" if position.can_enter else "bar-gone", name=name)
    return phrase_text("bar-turn", name=name, space=space(position.at), left=price(position.ip))


def hint(position: Position, mine: bool) -> str:
    if not mine:
        return phrase_text("hint-watch")
    if position.phase != "roman":
        return phrase_text(f"hint-{position.phase}")
    if position.can_enter:
        return phrase_text("hint-enter")
    if position.at is None:
        return phrase_text("hint-gone")
    if position.sharing():
        return phrase_text("hint-sharing")
    return phrase_text("hint-turn" if position.ip else "hint-spent")


def handle(position: Position) -> str:
    """What the drawer of a phone is called."""
    return (
        phrase_text("drawer", left=price(position.ip))
        if position.phase == "roman"
        else phrase_text("drawer-plain")
    )


def price(points: int) -> str:
    return counted_phrase("ip", points)


def act(
    head: str, sub: str, do: str, cost: int, moves: Sequence[dict[str, Any]], /, **more: Any
) -> Act:
    """Something one may do: how the bar names it, what it adds, the words on its button, its price,
    its moves.
    """
    return {"title": head, "sub": sub, "do": do, "cost": cost, "moves": list(moves), **more}


def place_fleets(position: Position, speaker: str) -> dict[str, Any]:
    """How the fleets are placed: how many, where they stand at first, and the move without its
    zones.
    """
    need = position.options.level[1]
    return {
        "need": need,
        "first": list(ZONES)[:need],
        "do": phrase_text("do-fleets"),
        "move": {"by": speaker, "move": "place_fleets"},
    }


class Acts:
    """What the Emperor whose turn it is may do now."""

    def __init__(self, position: Position, speaker: str) -> None:
        self.position, self.speaker = position, speaker
        self.taken = {
            where
            for who, where in position.figures.items()
            if who != position.emperor and where is not None
        }
        self.far = (
            battle.reach(position, position.at, battle.FAR) if position.at is not None else {}
        )
        self.near = {key: way for key, way in self.far.items() if way.cost <= position.ip}

    def move(self, name: str, **given: Any) -> dict[str, Any]:
        return {"by": self.speaker, "move": name, **given}

    def all(self) -> dict[str, Any]:
        if self.position.can_enter:
            return {"go": self.entries(), "off": {}}
        go: dict[str, Act] = {} if self.position.at is None else self.marches()
        fights, off = ({}, {}) if self.position.at is None or not self.near else self.attacks()
        return {
            "go": go,
            "attack": fights,
            "off": {**self.why_not(go), **off},
            "stand": self.stand(),
            "sail": self.sails(),
            "end": act(
                phrase_text("do-end"),
                "",
                phrase_text("do-end"),
                0,
                [self.move("end_turn")],
                main=not self.position.ip or not self.position.at,
            ),
        }

    # Where he goes --------------------------------------------------------------------------------

    def entries(self) -> dict[str, Act]:
        free = {one["fields"][0][1]: one for one in entries(self.position) if not one["refused"]}
        created = {}
        for key, one in free.items():
            words = phrase_text("do-enter", space=one["name"])
            main = not one["rome"] or len(free) == 1
            created[key] = act(
                words,
                phrase_text("hint-enter"),
                words,
                0,
                [self.move("enter", at=key)],
                legs=[],
                main=main,
            )
        return created

    def marches(self) -> dict[str, Act]:
        return {
            key: act(
                phrase_text("march", space=space(key), price=price(way.cost)),
                phrase_text(
                    "march-sub",
                    way=self.by_way(way),
                    left=price(self.position.ip - way.cost),
                    there=self.there(key),
                ),
                phrase_text("do-march", space=space(key)),
                way.cost,
                [self.move("move", path=list(way.path))],
                legs=self.legs(way),
            )
            for key, way in self.near.items()
            if way.path and key not in self.taken
        }

    def legs(self, way: Way) -> list[list[Any]]:
        """From, to, price, over the sea?"""
        here, steps = str(self.position.at), []
        for to in way.path:
            cost = battle.step(self.position, here, to) or 0
            land = LINKS[here].get(to)
            over_land = battle.FAR if land is None else battle.BROKEN if land else battle.NORMAL
            steps.append(
                [
                    here,
                    to,
                    cost,
                    over_land > battle.SEA and battle.sea_linked(self.position, here, to),
                ]
            )
            here = to
        return steps

    def by_way(self, way: Way) -> str:
        text = ", ".join(
            phrase_text("by-sea", space=space(to)) if sea else space(to)
            for _a, to, _cost, sea in self.legs(way)
        )
        return text[:1].upper() + text[1:]

    def there(self, key: str) -> str:
        """What waits there, and what it costs."""
        token = self.position.tokens.get(key)
        if token in (UNREST, REVOLT):
            return phrase_text(f"there-{token}", price=price(REMOVE[str(token)]))
        if token is not None:
            return phrase_text("there-token", name=emperor(token))
        if key in PRINTED:
            return phrase_text("there-printed")
        if SPACES[key].outside:
            return phrase_text("there-border", price=price(SECURE_BORDER))
        return phrase_text("there-open", price=price(SECURE))

    def why_not(self, go: dict[str, Act]) -> dict[str, str]:
        """Of every space where he cannot go the sentence that says why."""
        left = price(self.position.ip)
        texts = {}
        for key in SPACES:
            if key in go or key == self.position.at or key in self.position.barbarians:
                continue
            if key in self.near and key in self.taken:
                who = next(emperor(one) for one in self.position.standing(key))
                texts[key] = phrase_text("off-taken", name=who, space=space(key))
            elif key in self.far:
                texts[key] = phrase_text(
                    "off-far", space=space(key), price=price(self.far[key].cost), left=left
                )
            else:
                texts[key] = phrase_text("off-closed", space=space(key))
        return texts

    # Whom he fights -------------------------------------------------------------------------------

    def attacks(self) -> tuple[dict[str, Act], dict[str, str]]:
        """The armies he can attack with what he has, from the cheapest space, the better chance
        first; the others with why.
        """
        fights, off = {}, {}
        for army in self.position.barbarians:
            best = min(
                self.origins(army),
                key=lambda one: (one[0] > self.position.ip, one[0], -one[3].won),
                default=None,
            )
            if best is None or best[0] > self.position.ip:
                off[army] = phrase_text(
                    "off-attack", space=space(army), left=price(self.position.ip)
                )
            else:
                fights[army] = self.fight(army, *best)
        return fights, off

    def origins(self, army: str) -> list[tuple[int, int, str, Odds]]:
        """Price with the way, price of the blow, space, chances."""
        rows = []
        for key in SPACES:
            way, blow = self.far.get(key), battle.attack_cost(self.position, key, army)
            if way is None or blow is None or key in self.taken or key in self.position.barbarians:
                continue
            if key == self.position.at and self.position.sharing():
                continue
            rows.append(
                (
                    way.cost + blow,
                    blow,
                    key,
                    battle.against(self.position, self.position.emperor, key, army),
                )
            )
        return rows

    def fight(self, army: str, cost: int, blow: int, at: str, odds: Odds) -> Act:
        way = self.far[at]
        ends = {"won": odds.won, "level": odds.level, "lost": odds.lost}
        chances = {
            name: {
                "n": n,
                "text": text,
                "share": battle.share(n),
                "name": phrase_text(f"odds-{name}"),
            }
            for (name, n), text in zip(ends.items(), battle.percents([*ends.values()]), strict=True)
        }
        before = phrase_text("march-first", space=space(at)) + " " if way.path else ""
        shown = {name: one["text"] for name, one in chances.items()}
        moves = [self.move("move", path=list(way.path))] if way.path else []
        return act(
            phrase_text("attack", space=space(army), price=price(cost)),
            before + phrase_text("attack-sub", **shown),
            phrase_text("do-attack", space=space(army)),
            cost,
            [*moves, self.move("attack", target=army)],
            legs=self.legs(way),
            blow=[at, army, blow],
            odds=chances,
            group=list(odds.ours.group),
            foes=list(odds.theirs.group),
            rows=self.sums(odds),
            head=phrase_text("do-attack", space=space(army)),
            note=phrase_text("attack-note"),
            exact=phrase_text("odds-exact", won=odds.won, level=odds.level, lost=odds.lost),
        )

    def sums(self, odds: Odds) -> list[list[str]]:
        """How the values are put together: text, number, is it a sum?"""
        rows = []
        for side, value in (("ours", odds.ours), ("theirs", odds.theirs)):
            names = ", ".join(map(space, value.group)) or phrase_text("none")
            rows.append([phrase_text(f"sum-{side}", spaces=names), f"+{value.support}", ""])
            if value.helpers:
                helpers = ", ".join(
                    emperor(one) if side == "ours" else space(one) for one in value.helpers
                )
                rows.append(
                    [phrase_text(f"sum-{side}-helped", names=helpers), f"×{value.times}", ""]
                )
            rows.append(
                [
                    phrase_text(f"sum-{side}-all"),
                    f"{value.value_with(1)}–{value.value_with(6)}",
                    "sum",
                ]
            )
        return rows

    # What he does where he stands -----------------------------------------------------------------

    def stand(self) -> list[Act]:
        position = self.position
        if position.at is None:
            return []
        here = []
        for one in moves_in_place(position):
            if one["refused"] or one["cost"] is None or one["cost"] > position.ip:
                continue
            given = dict(one["fields"])
            name = (
                f"do-{given['how']}-{position.tokens[position.at]}"
                if one["do"] == "subdue"
                else "do-secure"
            )
            if one["do"] == "secure" and SPACES[position.at].outside:
                name = "do-secure-border"
            words = phrase_text(name, space=space(position.at))
            here.append(
                act(
                    f"{words}, {price(one['cost'])}",
                    "",
                    f"{words}, {price(one['cost'])}",
                    one["cost"],
                    [self.move(one["do"], **given)],
                )
            )
        if position.on(PATRES) and not offered_move(position, "patres")["refused"]:
            words = phrase_text(f"patres-{position.emperor}")
            here.append(act(words, "", words, 0, [self.move("patres")]))
        if position.on(IMPERIUM) and position.supply[position.emperor] and not position.sharing():
            words = phrase_text("do-imperium")
            here.append(act(words, "", words, 0, [self.move("imperium", tokens=1)]))
        return here

    def sails(self) -> dict[str, list[Act]]:
        """By the zone where a fleet is: the voyages it can make."""
        voyages: dict[str, list[Act]] = {zone: [] for zone in self.position.fleets}
        if self.position.at is None:
            return voyages
        for one in sails(self.position):
            given = dict(one["fields"])
            if not one["refused"]:
                words = phrase_text(
                    "do-sail", zone=zone_name(given["to"]), price=price(one["cost"])
                )
                voyages[given["from"]].append(
                    act(
                        phrase_text("fleet-in", zone=zone_name(given["from"])),
                        phrase_text("sail-sub"),
                        words,
                        one["cost"],
                        [self.move("sail", **given)],
                    )
                )
        return voyages

"""The page of a reign: one address at all its moments (games.contract.pages.Pages)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.errors import IllegalMove, MalformedRecord
from engine.language import pointed
from games.contract.pages import Fame, Frame, Page, PastPage, Picture, Question, Reader, Told
from games.kit.records import bad
from games.kit.title import BoardFounding
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.drawing.map import Arrow, Standard, draw, legend, paint
from games.march_on_rome.page import composing
from games.march_on_rome.page.shown import MarchBoard, PastMarch
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.moves import MOVES, TO_WIN
from games.march_on_rome.rules.odds import ally
from games.march_on_rome.rules.position import (
    GENERAL,
    LONGEST,
    LOST,
    OTHER,
    PC,
    PROVINCES,
    RING,
    SENATE,
    STANDARD,
    TABLES,
    Options,
    Position,
    Scenario,
    World,
    devotes,
    is_general,
    read_scenario,
)
from games.march_on_rome.text import report as chronicle
from games.march_on_rome.text.english import FOUNDING
from games.march_on_rome.text.telling import (
    Fight,
    Step,
    holder_with_paint,
    phrase_text,
    segments_shown,
    steps,
    unit_of,
)
from games.march_on_rome.text.words import general_name, holder_name, province_name, side_name


class MarchPages:
    """`games.contract.pages.Pages` of March on Rome."""

    styles: Sequence[str] = ("css/march.css", "css/board.css", "css/film.css")

    def page(
        self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]
    ) -> Page[MarchBoard]:
        shown = steps(position.scenario, log)
        cursor = read_cursor(shown, reader.asked.get("told", ""))
        if cursor is not None and position.pending is not None and cursor == end(shown):
            cursor = None  # all is told, and somebody asks: that is what the page is about
        stage = self.stage(position, cursor)
        now = World().after(effect for one in log for effect in one.effects)
        moment = getattr(self, f"_{stage}")(position, shown, cursor, reader, now)
        if stage == "over":
            moment |= {"ending": ending(position, log, shown), "hall": [fame(one) for one in hall]}
        own = MarchBoard(
            stage=stage,
            plays=reader.plays,
            typed=dict(reader.typed),
            general=holder_with_paint(position.scenario, PC),
            lands=len(position.lands(PC)),
            won_with=TO_WIN,
            chronicle=chronicle.years(
                position.scenario, log if cursor is None else log[: cursor.at]
            ),
            board=self.board(position, reader),
            **({"year": position.turn} | moment),
        )
        template = "end.html" if stage == "over" else "march.html"
        return Page(template, own, self.title(position, own))

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastMarch]:
        """See `games.contract.pages.Remembering`."""
        world = World(position.owner, position.garrison, position.legions)
        scene = self.picture(position, world, lit=tuple(changed))
        own = PastMarch(
            map=Picture(scene["map"].svg),
            legend=scene["legend"],
            holders=scene["holders"],
            won_with=TO_WIN,
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return province_name(key)

    def film(self, before: Position, log: Sequence[Told]) -> Sequence[Frame]:
        """See `games.contract.pages.Filming`."""
        return composing.film(before, log)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """See `games.contract.pages.Composing`."""
        asked: dict[str, Any] = {}
        if reader.plays and position.pending is not None:
            if position.pending["kind"] == "answer":
                asked["answer"] = answer(position)
            elif position.battle is not None:
                asked["commitment"] = commitment(position, composing.running(position))
        elif reader.plays and position.phase == "pc":
            asked["targets"] = targets(position)
        return composing.document(position, reader, asked)

    @staticmethod
    def stage(position: Position, cursor: Cursor | None) -> str:
        """What the page is about: `setup`, `choose`, `devote`, `answer`, `year` or `over`."""
        if cursor is not None:
            return "year"
        if position.pending is not None:
            return position.pending["kind"]
        return {"setup": "setup", "pc": "choose", "over": "over"}.get(position.phase, "year")

    @staticmethod
    def title(position: Position, own: MarchBoard) -> str:
        key = f"title-over-{position.result}" if own.stage == "over" else f"title-{own.stage}"
        asked = own.asked or {}
        name = asked["who"]["name"] if own.stage == "answer" else ""
        return phrase_text(key, year=own.year, land=asked.get("name", ""), name=name)

    # The moments ----------------------------------------------------------------------------------

    def _setup(
        self, position: Position, shown: list[Step], cursor: None, reader: Reader, now: World
    ) -> dict[str, Any]:
        return self.picture(position, now) | {"ribbon": []}

    def _choose(
        self, position: Position, shown: list[Step], cursor: None, reader: Reader, now: World
    ) -> dict[str, Any]:
        """The year's action: the neighbours, what was told of the year before."""
        opened = reader.typed.get("target") or reader.asked.get("target", "")
        rows = targets(position, opened)
        chosen = opened if any(one["key"] == opened for one in rows) else None
        last = position.turn - 1
        return self.picture(
            position, now, lit=[one["key"] for one in rows], selected=chosen, links=True
        ) | {
            "targets": rows,
            "chosen": chosen,
            "told": step_lines(position.scenario, shown, last) if last else [],
            "told_year": last,
            "dice": dice_of(shown, last),
            "ribbon": ribbon(position.scenario, now, shown, position.turn, "pc"),
        }

    def _devote(
        self, position: Position, shown: list[Step], cursor: None, reader: Reader, now: World
    ) -> dict[str, Any]:
        """A battle waits for the player's number."""
        fight = next(step.fight for step in reversed(shown) if step.fight is not None)
        asked = commitment(position, fight, reader.typed.get("legions", ""))
        source = next(
            (
                step.arrow
                for step in reversed(shown)
                if step.arrow is not None and step.year == position.turn
            ),
            None,
        )
        arrow = None
        if source is not None and source[1] == fight.target and source[2] == fight.attacker:
            arrow = Arrow(*source)
        context = self.picture(position, now, selected=fight.target, arrow=arrow)
        return context | {
            "asked": asked,
            "sides": self.sides(position, fight),
            "source": province_name(arrow.source) if arrow else "",
            "told": step_lines(position.scenario, shown, position.turn, running=True),
            "told_year": position.turn,
            "ribbon": ribbon(
                position.scenario, now, shown, position.turn, position.phase, fight.attacker
            ),
        }

    def _answer(
        self, position: Position, shown: list[Step], cursor: None, reader: Reader, now: World
    ) -> dict[str, Any]:
        """A stronger rival's offer waits for yes or no."""
        asked = answer(position)
        arrow = Arrow(asked["source"], asked["target"], asked["rival"]) if asked["source"] else None
        return self.picture(position, now, selected=asked["target"], arrow=arrow) | {
            "asked": asked,
            "told_year": position.turn,
            "told": step_lines(position.scenario, shown, position.turn, running=True),
            "ribbon": ribbon(position.scenario, now, shown, position.turn, "npc", asked["rival"]),
        }

    def _year(
        self,
        position: Position,
        steps_told: list[Step],
        cursor: Cursor | None,
        reader: Reader,
        now: World,
    ) -> dict[str, Any]:
        """Return the year up to the cursor, or up to the end of the log."""
        at = cursor.at if cursor else len(steps_told) - 1
        here, following = steps_told[at], at + 1
        fights_on = cursor is not None and cursor.segment < here.segments
        year = here.year if cursor else position.turn
        world = world_shown(steps_told, following, now, here if fights_on else None)
        arrow = Arrow(*here.arrow) if here.arrow is not None and fights_on else None
        phase = here.phase if cursor else position.phase
        acting = acting_general(position, here, cursor)
        upto = steps_told[:following]
        return self.picture(position, world, selected=here.place or None, arrow=arrow) | {
            "told": step_lines(position.scenario, steps_told, year, cursor, running=True),
            "told_year": year,
            "year": year,
            "step": here,
            "segment": cursor.segment if cursor else 0,
            "next_url": next_address(steps_told, cursor) if cursor else "",
            "goes_on": position.phase in ("npc", "recruit", "events") and not position.pending,
            "told_all": following >= len(steps_told) and not fights_on,
            "ahead": self.ahead(here if cursor else None, position),
            "where": here.fight if fights_on else None,
            "left": self.left(here, cursor),
            "ribbon": ribbon(position.scenario, world, upto, year, phase, acting, sealed=fights_on),
        }

    def _over(
        self, position: Position, shown: list[Step], cursor: None, reader: Reader, now: World
    ) -> dict[str, Any]:
        return self.picture(position, now) | {
            "told": step_lines(position.scenario, shown, position.turn),
            "told_year": position.turn,
            "dice": sum(dice_of(shown, year) for year in range(1, position.turn + 1)),
            "ribbon": [],
        }

    # Parts ----------------------------------------------------------------------------------------

    def picture(
        self,
        position: Position,
        world: World,
        *,
        lit: Sequence[str] = (),
        selected: str | None = None,
        arrow: Arrow | None = None,
        links: bool = False,
    ) -> dict[str, Any]:
        """Return map, legend and holders at one moment: fields of `MarchBoard`."""
        scenario = position.scenario
        standards = [
            Standard(one, general_name(scenario, one), world.legions[one])
            for one in world.generals()
        ]
        picture = draw(
            world.owner,
            world.garrison,
            standards,
            lambda owner, key: holder_name(scenario, owner, key),
            lit=lit,
            selected=selected,
            arrow=arrow,
            links=(lambda key: f"?target={key}#t-{key}") if links else None,
            title=phrase_text("map"),
        )
        return {
            "map": Picture(picture, lit=bool(lit)),
            "legend": legend(standards),
            "holders": holders(position, world),
        }

    @staticmethod
    def sides(position: Position, fight: Fight) -> list[dict[str, Any]]:
        """Attacker and defender of the battle that waits."""
        rows = []
        for place, side in enumerate(("attacker", "defender")):
            holder = fight.holder_of(side)
            rows.append(
                {
                    "side": side_name(side),
                    "who": holder_with_paint(position.scenario, holder, fight.target),
                    "paint": paint(holder),
                    "lands": len(position.lands(holder)) if holder in position.legions else None,
                    "total": fight.totals[side],
                    "army": unit_of(holder) == "army",
                    "stand": range(min(fight.totals[side], 60)),
                    "dice": [pair[place] for pair in fight.initiative],
                    "first": fight.first == side,
                }
            )
        return rows

    @staticmethod
    def ahead(step: Step | None, position: Position) -> list[str]:
        """The phases still to come in the year told."""
        at = PHASES.index(step.phase if step is not None else position.phase)
        return [phase for phase in PHASES[1:] if PHASES.index(phase) > at]

    @staticmethod
    def left(step: Step, cursor: Cursor | None) -> tuple[int, int] | None:
        """Attacker's and defender's legions after the segments told."""
        if cursor is None or step.fight is None or not step.segments:
            return None
        left = (
            step.fight.segments[cursor.segment - 1]["left"]
            if cursor.segment
            else step.fight.devoted
        )
        return left["attacker"], left["defender"]

    # What the page's forms say --------------------------------------------------------------------

    def asked(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise bad("choose-one")
        raw: dict[str, Any] = {"move": name}
        for key, kind in MOVES[name].form.items():
            typed = form.get(key, "").strip()
            if kind is int:
                if not (typed.isascii() and typed.isdigit() and len(typed) < 10):
                    raise bad("not-int", key=key)
                raw[key] = int(typed)
            elif kind is bool:
                if typed not in ("yes", "no"):
                    raise bad("not-bool", key=key)
                raw[key] = typed == "yes"
            else:
                raw[key] = typed[:80]
        if name == "ally" and form.get("sure") != "yes" and ends_reign(position, raw["target"]):
            raise IllegalMove(
                "bad-arguments", "5.6", "not-sure", general=position.owner[raw["target"]]
            )
        return raw

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        if position.phase == "setup":
            return {"move": "begin"}
        if position.pending is not None or position.phase not in ("npc", "recruit", "events"):
            return None
        return {"move": "continue"}

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)

    def proposed(self, position: Position) -> Mapping[str, Any] | None:
        """See `games.contract.pages.Answering`: decline every offer, devote enough legions to every
        battle.
        """
        if position.pending is None:
            return None
        if position.pending["kind"] == "answer":
            return {"move": "answer", "accept": False}
        return {"move": "devote", "legions": odds.advised(position)}


def ends_reign(position: Position, target: str) -> bool:
    """Would the holder of a target be asked, who rules and says YES (5.6)?"""
    chooses = position.phase == "pc" and position.pending is None
    return chooses and target in position.targets() and ally(position, target).absorbed


def holders(position: Position, world: World) -> list[dict[str, Any]]:
    """Return who holds provinces: generals by strength, then the Senate, then what is lost."""
    common = {"mine": False, "rules": "", "senate": False, "lost": False}
    rows = []
    mine = (world.legions.get(PC, 0), len(world.lands(PC)))
    for one in sorted(world.generals(), key=lambda one: -world.legions[one]):
        lands = world.lands(one)
        # Equal in both, who is asked rules (R10).
        rules = "" if one == PC else "he" if (world.legions[one], len(lands)) >= mine else "you"
        rows.append(
            {
                **common,
                "who": holder_with_paint(position.scenario, one),
                "mine": one == PC,
                "legions": world.legions[one],
                "lands": len(lands),
                "gain": len(lands),
                "rules": rules,
                "names": [province_name(key) for key in lands],
            }
        )
    senate, lost = world.lands(SENATE), world.lands(LOST)
    rows.append(
        {
            **common,
            "who": holder_with_paint(position.scenario, SENATE),
            "legions": world.strength(SENATE),
            "lands": len(senate),
            "gain": 0,
            "names": [province_name(key) for key in senate],
            "senate": True,
        }
    )
    rows.append(
        {
            **common,
            "who": holder_with_paint(position.scenario, LOST),
            "legions": None,
            "lands": len(lost),
            "gain": None,
            "lost": True,
            "names": [province_name(key) for key in lost],
        }
    )
    return rows


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {"player": one.player, "url": one.url, "ended": one.ended, **one.facts}


# A reign that is over: how it ended, and who held what year by year.


def ending(position: Position, log: Sequence[Told], steps: Sequence[Step]) -> dict[str, Any]:
    """Result and cause, numbers of the reign, its mosaic."""
    over = next(
        (e for move in reversed(log) for e in move.effects if e.kind in ("won", "lost")), None
    )
    outlived = {
        e.subject
        for move in log
        for e in move.effects
        if e.kind == "general_out" and e.subject != PC
    }
    last = steps[-1] if steps else None
    worlds = years(steps, World().after(e for move in log for e in move.effects))
    peak = max((len(world.lands(PC)) for world in worlds), default=0)
    return {
        "result": position.result,
        "why": str(over.facts["why"]) if over is not None else "",
        "year": position.turn,
        "provinces": len(position.lands(PC)),
        "legions": position.legions.get(PC, 0),
        "outlived": len(outlived),
        "peak": peak,
        "last": last,
        "by": _by(position, over is not None and position.result == "lost", log),
        "mosaic": mosaic(position, worlds),
    }


def _by(position: Position, lost: bool, log: Sequence[Told]) -> str:
    """Who took the last province or absorbed the player; empty where nobody did."""
    if not lost or not log:
        return ""
    for effect in reversed(log[-1].effects):
        if effect.kind == "holding" and effect.facts["from"] == PC:
            return str(
                holder_with_paint(position.scenario, str(effect.facts["to"]), effect.subject)[
                    "name"
                ]
            )
    return ""


def years(steps: Sequence[Step], now: World) -> list[World]:
    """The board at the beginning and at the end of each year."""
    worlds, year = [], 0
    for step in steps:
        if step.year > year and step.kind != "begin":
            worlds.append(step.before)
            year = step.year
    return [*worlds, now]


def mosaic(position: Position, worlds: Sequence[World]) -> dict[str, Any]:
    """A stone a province and year: those that were the player's at the end first, then by when they
    became the player's.
    """

    def order(key: str) -> tuple[bool, int, int]:
        first = next((n for n, world in enumerate(worlds) if world.owner[key] == PC), len(worlds))
        return worlds[-1].owner[key] != PC, first, PROVINCES[key].n

    rows = [
        {
            "name": province_name(key),
            "stones": [_stone(position, world.owner[key], key) for world in worlds],
        }
        for key in sorted(PROVINCES, key=order)
    ]
    seen = {owner for world in worlds for owner in world.owner.values()}
    holders = sorted((one for one in seen if one != LOST), key=lambda one: (one != PC, one))
    return {
        "years": ["", *range(1, len(worlds))],
        "rows": rows,
        "legions": [world.legions.get(PC, 0) for world in worlds],
        "key": [holder_with_paint(position.scenario, one) for one in holders],
    }


def _stone(position: Position, owner: str, key: str) -> dict[str, Any]:
    return {"holder": paint(owner), "name": holder_with_paint(position.scenario, owner)["name"]}


# Where the telling of a year stands: its steps up to a cursor, what is still sealed, the ribbon of
# the year's phases.

PHASES = ("pc", "npc", "recruit", "events")


class Cursor(NamedTuple):
    """A place in the telling: the step's place in the list, and how many segments of its battle are
    told.
    """

    at: int
    segment: int


def read_cursor(steps: Sequence[Step], asked: str) -> Cursor | None:
    """The cursor of an address ("14" or "14.3"); None where there is no such entry, or nothing to
    be told of it.
    """
    entry, _, segment = asked.partition(".")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 10):
        return None
    at = next((n for n, step in enumerate(steps) if step.entry == int(entry)), None)
    if at is None or steps[at].kind == "begin":
        return None
    shown = int(segment) if segment.isascii() and segment.isdigit() and len(segment) < 10 else 0
    return Cursor(at, min(shown, steps[at].segments))


def end(steps: Sequence[Step]) -> Cursor | None:
    """The cursor of somebody to whom all is told."""
    return Cursor(len(steps) - 1, steps[-1].segments) if steps else None


def next_address(steps: Sequence[Step], cursor: Cursor) -> str:
    """The address of what is told next; empty at the end of the log."""
    step = steps[cursor.at]
    if cursor.segment < step.segments:
        return f"?told={step.entry}.{cursor.segment + 1}"
    return f"?told={steps[cursor.at + 1].entry}" if cursor.at + 1 < len(steps) else ""


def step_lines(
    scenario: Scenario,
    steps: Sequence[Step],
    year: int,
    cursor: Cursor | None = None,
    running: bool = False,
) -> list[dict[str, Any]]:
    """The steps of a year for the page, up to the cursor; the step at it (or the last one, if the
    year is `running`) is open.
    """
    shown = [
        step
        for n, step in enumerate(steps)
        if step.year == year and (cursor is None or n <= cursor.at)
    ]
    now = steps[cursor.at] if cursor else shown[-1] if shown and running else None
    rows = []
    for number, step in enumerate((step for step in shown if step.kind != "begin"), 1):
        upto = cursor.segment if cursor and step is now and cursor.segment < step.segments else None
        fight = (
            segments_shown(scenario, step.fight, upto)
            if step.fight is not None and step.clashed
            else None
        )
        rows.append(
            {
                "no": number,
                "entry": step.entry,
                "line": step.line,
                "rolls": step.rolls,
                "now": step is now,
                "fight": fight,
                "sums": step.sums if upto is None else [],
                "changes": step.changes,
                "kind": step.kind,
            }
        )
    return rows


def world_shown(steps: Sequence[Step], following: int, now: World, fighting: Step | None) -> World:
    """Return the board after the steps that are shown.

    `following` is the place of the next step; `fighting` is the last step if its battle goes on.
    """
    if fighting is not None:
        return fighting.before
    return steps[following].before if following < len(steps) else now


def acting_general(position: Position, here: Step, cursor: Cursor | None) -> str:
    """Return who acts at the step that is shown, or now if the page shows the end of the log."""
    if cursor is None:
        return next(iter(position.queue or ()), "")
    if here.fight is not None and here.clashed:
        return here.fight.attacker
    return here.actor


def dice_of(steps: Sequence[Step], year: int) -> int:
    """How many dice a year took."""
    rolled = sum(len(roll["dice"]) for step in steps if step.year == year for roll in step.rolls)
    fought = [
        step.fight
        for step in steps
        if step.year == year and step.clashed and step.fight is not None
    ]
    return (
        rolled
        + sum(
            len(dice)
            for fight in fought
            for one in fight.segments
            for dice in one["rolls"].values()
        )
        + len(fought)
    )


def ribbon(
    scenario: Scenario,
    world: World,
    steps: Sequence[Step],
    year: int,
    phase: str,
    acting: str = "",
    *,
    sealed: bool = False,
) -> list[dict[str, Any]]:
    """Return the year's phases, each with what was done or is to be done.

    `steps` are those that are shown, `world` the board then, `phase` the phase of the year, and
    `acting` the rival who acts. With `sealed` the end of the last step's battle is not shown yet.
    """
    shown = [step for step in steps if step.year == year]
    does = deeds_of_year(shown, sealed=sealed)
    at = PHASES.index(phase) if phase in PHASES else len(PHASES)
    queue = next((step.queue for step in shown if step.kind == "order"), ())
    action = does.get(PC, phrase_text("ribbon-action"))
    slots = [_slot(PC, holder_title(scenario, PC), action, _is(0, at))]
    for rival in queue if at else ():
        state = _rival_is(rival, at, acting=acting, has_acted=rival in does)
        name = holder_title(scenario, rival)
        slots.append(_slot(paint(rival), name, does.get(rival, ""), state))
    if not at or not queue:
        slots.append(_slot_of_rivals(scenario, world, at))
    gain = phrase_text("ribbon-gain", n=len(world.lands(PC)))
    slots.append(_slot("gm", phrase_text("ribbon-recruit"), gain, _is(2, at)))
    slots.append(_slot("gm", phrase_text("ribbon-events"), events_text(shown), _is(3, at)))
    return slots


def deeds_of_year(shown: Sequence[Step], *, sealed: bool) -> dict[str, str]:
    """Return in short what each general did in the steps of a year.

    With `sealed` the end of the last step is left out.
    """
    deeds: dict[str, str] = {}
    for step in shown:
        if step.short:
            deeds[step.actor] = step.short
        if not (sealed and step is shown[-1]):
            deeds |= step.ends
    return deeds


def holder_title(scenario: Scenario, holder: str) -> str:
    """Return the name of a holder on the ribbon."""
    return str(holder_with_paint(scenario, holder)["name"])


def events_text(shown: Sequence[Step]) -> str:
    """Return how many of the year's events have happened."""
    number = next((step.rolls[0]["dice"][0] for step in shown if step.kind == "events"), 0)
    if not number:
        return phrase_text("ribbon-events-unknown")
    happened = sum(step.kind == "event" for step in shown)
    return phrase_text("ribbon-events-told", n=happened, of=number)


def _slot_of_rivals(scenario: Scenario, world: World, at: int) -> dict[str, Any]:
    """Return the slot of all rivals, before their order is known."""
    rivals = [rival for rival in world.generals() if rival != PC]
    names = ", ".join(holder_title(scenario, rival) for rival in rivals)
    text = names or phrase_text("ribbon-none")
    return _slot("npc-1", phrase_text("ribbon-rivals"), text, _is(1, at))


def _rival_is(rival: str, at: int, *, acting: str, has_acted: bool) -> str:
    """Return the state of a rival's slot: `done`, `now` or `next`."""
    if at == 1 and rival == acting:
        return "now"
    return "done" if at > 1 or has_acted else "next"


def _is(place: int, at: int) -> str:
    return (
        "done" if place < at else "now" if place == at else "next" if place == at + 1 else "later"
    )


def _slot(key: str, name: str, state: str, now: str) -> dict[str, Any]:
    short = name if len(name) <= 7 else name[:3]
    return {"key": key, "name": name, "short": short, "state": state, "is": now}


# The two questions the player is asked in the middle of things: how many legions, and yes or no
# (4.5, 5.5).

MOST_ROWS = 24
"""More numbers than this are not listed one by one; any may be typed."""


def commitment(position: Position, fight: Fight, typed: str = "") -> dict[str, Any]:
    """How many legions go: each number with its chances, the rival's die, who comes home, what
    follows.
    """
    asked, pending, battle = odds.question(position), position.pending, position.battle
    assert pending is not None
    assert battle is not None
    side = pending["side"]
    foe_side = OTHER[side]
    foe, target = fight.holder_of(foe_side), battle["target"]
    rows, best = odds.pending(position), odds.advised(position)
    chosen = (
        int(typed)
        if typed.isascii() and typed.isdigit() and asked.least <= int(typed) <= asked.mine
        else best
    )
    spread = next(one for one in rows if one.legions == best)
    splits = (
        [{"brings": one.brings, "dice": span(one.dice)} for one in spread.splits]
        if len(spread.splits) > 1
        else []
    )
    won, lost = won_and_lost(spread.win)
    return {
        "no": battle["no"],
        "year": position.turn,
        "target": target,
        "name": province_name(target),
        "side": side,
        "cause": battle["cause"],
        "foe": holder_with_paint(position.scenario, foe, target),
        "general": is_general(foe),
        "mine": asked.mine,
        "his": asked.foe.total,
        "least": asked.least,
        "best": best,
        "chosen": chosen,
        "first": asked.first,
        "known": asked.known,
        "doomed": asked.doomed,
        "initiative": fight.initiative,
        "splits": splits,
        "rows": numbers_listed(rows, best, chosen, len(splits)),
        "all_rows": len(rows) <= MOST_ROWS,
        "die": [] if asked.known is not None or not is_general(foe) else die(asked),
        "spread": home(spread),
        "won": won,
        "lost": lost,
        "follows": follows(position, side, foe, target),
    }


def span(dice: tuple[int, ...]) -> str:
    """The faces of a die in a word: 3, or 3–4."""
    return str(dice[0]) if len(dice) == 1 else f"{dice[0]}–{dice[-1]}" if dice else ""


def numbers_listed(
    rows: list[odds.Commitment], best: int, chosen: int, splits: int
) -> list[dict[str, Any]]:
    """The numbers worth a row: all of them, or those near the best and a few beside, where there
    are many.
    """
    if len(rows) > MOST_ROWS:
        step = max(1, len(rows) // 12)
        rows = [
            one
            for one in rows
            if abs(one.legions - best) <= 4 or one.legions % step == 0 or one.legions in (chosen, 1)
        ]
    return [
        {
            "legions": one.legions,
            "win": chance(one.win),
            "is_best": one.legions == best,
            "is_chosen": one.legions == chosen,
            "splits": [chance(part.win)["text"] for part in one.splits][:splits],
            "x": (
                phrase_text("or").join(str(x) for x in sorted({part.x for part in one.splits}))
                or "–"
            ),
            "kept_won": tenths(one.kept_won),
            "kept_lost": tenths(one.kept_lost),
            "nothing": not one.legions,
        }
        for one in rows
    ]


def die(asked: odds.Question) -> list[dict[str, Any]]:
    """The rival's table: for each face what they devote (4.5)."""
    column = (
        "equal"
        if asked.foe.total == asked.mine
        else "stronger"
        if asked.mine > asked.foe.total
        else "weaker"
    )
    return [
        {
            "faces": range(row["from"], row["to"] + 1),
            "percent": row[column],
            "bare": devotes(row["from"], asked.foe.total, asked.mine, False),
            "first": devotes(row["from"], asked.foe.total, asked.mine, True),
        }
        for row in TABLES["devote"]
    ]


def home(best: odds.Commitment) -> list[dict[str, Any]]:
    """Who comes home if the number that is enough goes: chances of each number left, victory and
    defeat apart.
    """
    legions = sorted({left for left, _ in best.spread}, reverse=True)
    none = Fraction(0)
    both = {
        n: (best.spread.get((n, True), none), best.spread.get((n, False), none)) for n in legions
    }
    top = max(won + lost for won, lost in both.values())
    texts = odds.percents([won + lost for won, lost in both.values()])
    return [
        {
            "legions": n,
            "won": f"{float(won / top * 100):.1f}",
            "lost": f"{float(lost / top * 100):.1f}",
            "text": text,
        }
        for (n, (won, lost)), text in zip(both.items(), texts, strict=True)
    ]


def follows(position: Position, side: str, foe: str, target: str) -> dict[str, Any]:
    """What the province means to both: whose it will be, who recruits what, what is left to the
    loser.
    """
    mine, his = position.lands(PC), position.lands(foe) if is_general(foe) else []
    gain = 1 if side == "attacker" else -1
    left = mine if side == "defender" else his
    return {
        "attacking": side == "attacker",
        "mine": len(mine),
        "mine_then": len(mine) + gain,
        "his": len(his),
        "his_then": len(his) - gain,
        "is_general": is_general(foe),
        "rest": [province_name(one) for one in left if one != target],
        "winner": holder_with_paint(position.scenario, PC),
        "loser": holder_with_paint(position.scenario, foe, target),
    }


def answer(position: Position) -> dict[str, Any]:
    """A stronger rival's offer: who, for what, what NO leads to (5.5)."""
    pending = position.pending
    assert pending is not None
    rival, target = pending["from"], pending["target"]
    battle = odds.defence(position, rival)
    return {
        "who": holder_with_paint(position.scenario, rival),
        "rival": rival,
        "target": target,
        "name": province_name(target),
        "his": position.legions[rival],
        "mine": position.legions[PC],
        "his_lands": len(position.lands(rival)),
        "mine_lands": len(position.lands(PC)),
        "last": len(position.lands(PC)) == 1,
        "hold": chance(battle.win),
        "walkover": battle.walkover,
        "kept_won": tenths(battle.kept_won),
        "kept_lost": tenths(battle.kept_lost),
        "source": next((one for one in RING[target] if position.owner[one] == rival), None),
    }


# What the player may do in a year, each neighbour with its chances before it is dealt with (3.1).

FIRST_HOLDERS = {SENATE: 1, LOST: 2}
"""Generals stand first, then procurators, then peoples."""


def chance(value: Fraction) -> dict[str, Any]:
    """A chance as a page shows it: a word, the length of its bar, whether it is certain."""
    sure = "sure" if value == 1 else "none" if value == 0 else ""
    return {
        "text": phrase_text(sure) if sure else odds.percent(value),
        "share": f"{float(value * 100):.1f}",
        "sure": value == 1,
    }


def won_and_lost(win: Fraction) -> list[dict[str, Any]]:
    """Return the chances of victory and defeat. If neither is certain, the numbers that are shown
    add up to 100.
    """
    both = [win, 1 - win]
    if win in (0, 1):
        return [chance(value) for value in both]
    return [
        chance(value) | {"text": text}
        for value, text in zip(both, odds.percents(both), strict=True)
    ]


def targets(position: Position, open_one: str = "") -> list[dict[str, Any]]:
    """The neighbours: generals first, the likeliest attack of each kind on top."""
    rows = [target(position, key, key == open_one) for key in position.targets()]
    rows.sort(
        key=lambda one: (
            FIRST_HOLDERS.get(one["owner"], 0),
            -one["odds"].win,
            PROVINCES[one["key"]].n,
        )
    )
    return rows


def target(position: Position, key: str, opened: bool) -> dict[str, Any]:
    """One neighbour: who holds it, what an attack and an offer may bring."""
    owner, mine = position.owner[key], position.legions[PC]
    battle, offer = odds.attack(position, key), odds.ally(position, key)
    facts: dict[str, Any] = {
        "key": key,
        "name": province_name(key),
        "owner": owner,
        "who": holder_with_paint(position.scenario, owner),
        "open": opened,
        "kind": "general" if is_general(owner) else owner,
        "odds": battle,
        "mine": mine,
        "do_attack": phrase_text("do-attack", land=province_name(key)),
        "do_ally": phrase_text("do-ally", land=province_name(key)),
        "can_attack": mine > 0,
        "attack": chance(battle.win),
        "first": chance(battle.first),
        "second": chance(battle.second),
        "walkover": battle.walkover,
        "kept_won": rounded(battle.kept_won),
        "kept_lost": rounded(battle.kept_lost),
        "yearly": len(position.lands(PC)) + 1,
        "absorbed": offer.absorbed,
        "ally": chance(offer.win),
        "yes": chance(offer.yes),
        "new": [
            province_name(one)
            for one in RING[key]
            if position.owner[one] != PC and not position.neighbours_pc(one)
        ],
    }
    if owner == SENATE:
        facts["legions"] = position.garrison[key]
    elif owner == LOST:
        facts["legions"] = position.barbarians.get(key)
    else:
        legions = position.legions[owner]
        brings = sorted(
            {devotes(die, legions, mine, first) for die in range(1, 7) for first in (False, True)}
        )
        facts |= {
            "legions": legions,
            "least": brings[0],
            "most": brings[-1],
            "also": [province_name(one) for one in position.lands(owner) if one != key],
            "lands": len(position.lands(owner)),
        }
    return facts


def rounded(value: Fraction | None) -> str:
    """Legions on the average, to a whole one; empty where it never comes to that."""
    return "" if value is None else str(int(value + Fraction(1, 2)))


def tenths(value: Fraction | None) -> str:
    """Legions on the average, to a tenth."""
    return "–" if value is None else pointed(f"{float(value):.1f}")


# How March on Rome is offered and founded: the general's name, the one option, what stands in the
# hall of fame.


class MarchFounding(BoardFounding):
    """`games.contract.pages.Founding` of March on Rome."""

    catalogue = FOUNDING
    picture = "pictures/march_on_rome.jpg"
    together = False

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        return (
            Question("general", texts["general"], "text", texts["general_help"], GENERAL, LONGEST),
            Question(
                "barbarian_initiative", texts["initiative"], "flag", texts["initiative_help"], "1"
            ),
        )

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        raw = {"key": STANDARD, "general": answers.get("general", "").strip()}
        try:
            scenario = read_scenario(raw)
        except MalformedRecord:
            raise MalformedRecord("general", FOUNDING.text("must_be")) from None
        return scenario.raw, {"barbarian_initiative": bool(answers.get("barbarian_initiative"))}

    def called(self, answers: Mapping[str, str]) -> str:
        return FOUNDING.text("called", general=answers.get("general", "").strip() or GENERAL)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text(str(facts["result"]), general=scenario.general, **facts)

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        initiative = texts["rule_on" if options.barbarian_initiative else "rule_off"]
        return ((texts["general"], scenario.general), (texts["rule"], initiative))

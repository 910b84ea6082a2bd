"""The page of a reign: one address at all its moments (engine.pages.Pages)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from engine.pages import Fame, Page, Reader, Told
from games.march_on_rome import chronicle, course
from games.march_on_rome.board import LOST, PC, SENATE
from games.march_on_rome.choosing import targets
from games.march_on_rome.course import Cursor
from games.march_on_rome.deciding import answer, commitment
from games.march_on_rome.ending import ending
from games.march_on_rome.fights import Fight
from games.march_on_rome.map import Arrow, Standard, draw, legend, paint
from games.march_on_rome.moves import MOVES, bad
from games.march_on_rome.odds import ally
from games.march_on_rome.phrases import text, unit_of, who
from games.march_on_rome.players import sensible
from games.march_on_rome.position import Position
from games.march_on_rome.telling import Step, steps
from games.march_on_rome.words import general_name, holder_name, province_name, side_name
from games.march_on_rome.world import World
from games.march_on_rome.year import TO_WIN


class MarchPages:
    """`engine.pages.Pages` of March on Rome."""

    styles: Sequence[str] = ("css/march.css",)

    def page(self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]) -> Page:
        told = steps(position.scenario, log)
        cursor = course.read_cursor(told, reader.asked.get("told", ""))
        if cursor is not None and position.pending is not None and cursor == course.end(told):
            cursor = None  # all is told, and somebody asks: that is what the page is about
        stage = self.stage(position, cursor)
        now = World().after(effect for one in log for effect in one.effects)
        context = getattr(self, f"_{stage}")(position, told, cursor, reader, now)
        context |= {
            "stage": stage, "year": context.get("year", position.turn), "general": who(position.scenario, PC),
            "plays": reader.plays, "won_with": TO_WIN, "legions": position.legions.get(PC, 0), "lands": len(position.lands(PC)),
            "chronicle": chronicle.years(position.scenario, log if cursor is None else log[: cursor.at]),
        }  # fmt: skip
        if stage == "over":
            context |= {"ending": ending(position, log, told), "hall": [fame(one) for one in hall]}
        return Page(
            {"devote": "battle.html", "over": "end.html"}.get(stage, "march.html"), context, self.title(position, stage, context)
        )

    def past(self, position: Position, changed: Collection[str]) -> Page:
        """See `engine.pages.Remembering`."""
        world = World(position.owner, position.garrison, position.legions)
        return Page("past.html", self.board(position, world, lit=tuple(changed)) | {"lit": False, "won_with": TO_WIN})

    def place(self, key: str) -> str:
        return province_name(key)

    @staticmethod
    def stage(position: Position, cursor: Cursor | None) -> str:
        """What the page is about: `setup`, `choose`, `devote`, `answer`, `year` or `over`."""
        if cursor is not None:
            return "year"
        if position.pending is not None:
            return position.pending["kind"]
        return {"setup": "setup", "pc": "choose", "over": "over"}.get(position.phase, "year")

    @staticmethod
    def title(position: Position, stage: str, context: Mapping[str, Any]) -> str:
        key = f"title-over-{position.result}" if stage == "over" else f"title-{stage}"
        asked = context.get("asked", {})
        name = asked.get("who", {}).get("name", "") if stage == "answer" else ""
        return text(key, year=context["year"], land=asked.get("name", ""), name=name)

    # The moments -------------------------------------------------------------------------------------------------

    def _setup(self, position: Position, told: list[Step], cursor: None, reader: Reader, now: World) -> dict[str, Any]:
        return self.board(position, now) | {"ribbon": []}

    def _choose(self, position: Position, told: list[Step], cursor: None, reader: Reader, now: World) -> dict[str, Any]:
        """The year's action: the neighbours, what was told of the year before."""
        opened = reader.typed.get("target") or reader.asked.get("target", "")
        found = targets(position, opened)
        chosen = opened if any(one["key"] == opened for one in found) else None
        last = position.turn - 1
        return self.board(position, now, lit=[one["key"] for one in found], selected=chosen, links=True) | {
            "targets": found, "chosen": chosen, "typed": dict(reader.typed),
            "told": course.lines(position.scenario, told, last) if last else [], "told_year": last,
            "dice": course.dice_of(told, last), "ribbon": course.ribbon(position.scenario, now, told, position.turn, "pc"),
        }  # fmt: skip

    def _devote(self, position: Position, told: list[Step], cursor: None, reader: Reader, now: World) -> dict[str, Any]:
        """A battle waits for the player's number."""
        fight = next(step.fight for step in reversed(told) if step.fight is not None)
        asked = commitment(position, fight, reader.typed.get("legions", ""))
        source = next((step.arrow for step in reversed(told) if step.arrow is not None and step.year == position.turn), None)
        arrow = None
        if source is not None and source[1] == fight.target and source[2] == fight.attacker:
            arrow = Arrow(*source)
        context = self.board(position, now, selected=fight.target, arrow=arrow)
        return context | {
            "asked": asked, "sides": self.sides(position, fight), "typed": dict(reader.typed),
            "source": province_name(arrow.source) if arrow else "",
            "told": course.lines(position.scenario, told, position.turn, running=True), "told_year": position.turn,
            "ribbon": course.ribbon(position.scenario, now, told, position.turn, position.phase, fight.attacker),
        }  # fmt: skip

    def _answer(self, position: Position, told: list[Step], cursor: None, reader: Reader, now: World) -> dict[str, Any]:
        """A stronger rival's offer waits for yes or no."""
        asked = answer(position)
        arrow = Arrow(asked["source"], asked["target"], asked["rival"]) if asked["source"] else None
        return self.board(position, now, selected=asked["target"], arrow=arrow) | {
            "asked": asked, "told_year": position.turn,
            "told": course.lines(position.scenario, told, position.turn, running=True),
            "ribbon": course.ribbon(position.scenario, now, told, position.turn, "npc", asked["rival"]),
        }  # fmt: skip

    def _year(self, position: Position, told: list[Step], cursor: Cursor | None, reader: Reader, now: World) -> dict[str, Any]:
        """The year goes on: told up to the cursor, or to the end of the log."""
        here = told[cursor.at] if cursor else told[-1]
        year = here.year if cursor else position.turn
        open_fight = cursor is not None and cursor.segment < here.segments
        following = cursor.at + 1 if cursor else len(told)
        world = here.before if open_fight else told[following].before if following < len(told) else now
        arrow = Arrow(*here.arrow) if here.arrow is not None and open_fight else None
        shown = course.lines(position.scenario, told, year, cursor, running=True)
        upto = told[:following]
        phase = here.phase if cursor else position.phase
        acting = here.actor if cursor else next(iter(position.queue or ()), "")
        if here.fight is not None and here.clashed and cursor:
            acting = here.fight.attacker
        at_end = following >= len(told)
        return self.board(position, world, selected=here.place or None, arrow=arrow) | {
            "told": shown, "told_year": year, "year": year, "step": here, "segment": cursor.segment if cursor else 0,
            "next_url": course.onward(told, cursor) if cursor else "",
            "goes_on": position.phase in ("npc", "recruit", "events") and not position.pending,
            "told_all": at_end and not open_fight, "ahead": self.ahead(here if cursor else None, position),
            "where": here.fight if open_fight else None, "left": self.left(here, cursor),
            "ribbon": course.ribbon(position.scenario, world, upto, year, phase, acting, sealed=open_fight),
        }  # fmt: skip

    def _over(self, position: Position, told: list[Step], cursor: None, reader: Reader, now: World) -> dict[str, Any]:
        return self.board(position, now) | {
            "told": course.lines(position.scenario, told, position.turn), "told_year": position.turn,
            "dice": sum(course.dice_of(told, year) for year in range(1, position.turn + 1)), "ribbon": [],
        }  # fmt: skip

    # Parts -----------------------------------------------------------------------------------------------------------

    def board(
        self,
        position: Position,
        world: World,
        *,
        lit: Sequence[str] = (),
        selected: str | None = None,
        arrow: Arrow | None = None,
        links: bool = False,
    ) -> dict[str, Any]:
        """Map and table of holders at one moment."""
        scenario = position.scenario
        standards = [Standard(one, general_name(scenario, one), world.legions[one]) for one in world.generals()]
        picture = draw(
            world.owner, world.garrison, standards, lambda owner, key: holder_name(scenario, owner, key),
            lit=lit, selected=selected, arrow=arrow, links=(lambda key: f"?target={key}#t-{key}") if links else None,
            title=text("map"),
        )  # fmt: skip
        return {"map": {"svg": picture}, "legend": legend(standards), "lit": bool(lit), "holders": holders(position, world)}

    @staticmethod
    def sides(position: Position, fight: Fight) -> list[dict[str, Any]]:
        """Attacker and defender of the battle that waits."""
        made = []
        for place, side in enumerate(("attacker", "defender")):
            holder = fight.of(side)
            made.append(
                {
                    "side": side_name(side), "who": who(position.scenario, holder, fight.target), "paint": paint(holder),
                    "lands": len(position.lands(holder)) if holder in position.legions else None,
                    "total": fight.totals[side], "army": unit_of(holder) == "army",
                    "stand": range(min(fight.totals[side], 60)), "dice": [pair[place] for pair in fight.initiative],
                    "first": fight.first == side,
                }
            )  # fmt: skip
        return made

    @staticmethod
    def ahead(step: Step | None, position: Position) -> list[str]:
        """The phases still to come in the year told."""
        at = course.PHASES.index(step.phase if step is not None else position.phase)
        return [phase for phase in course.PHASES[1:] if course.PHASES.index(phase) > at]

    @staticmethod
    def left(step: Step, cursor: Cursor | None) -> tuple[int, int] | None:
        """Attacker's and defender's legions after the segments told."""
        if cursor is None or step.fight is None or not step.segments:
            return None
        left = step.fight.segments[cursor.segment - 1]["left"] if cursor.segment else step.fight.devoted
        return left["attacker"], left["defender"]

    # What the page's forms say -----------------------------------------------------------------------------------------

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
            raise IllegalMove("bad-arguments", "5.6", "not-sure", general=position.owner[raw["target"]])
        return raw

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        if position.phase == "setup":
            return {"move": "begin"}
        if position.pending is not None or position.phase not in ("npc", "recruit", "events"):
            return None
        return {"move": "continue"}

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)


def ends_reign(position: Position, target: str) -> bool:
    """Would the holder of a target be asked, who rules and says YES (5.6)?"""
    chooses = position.phase == "pc" and position.pending is None
    return chooses and target in position.targets() and ally(position, target).absorbed


def holders(position: Position, world: World) -> list[dict[str, Any]]:
    """Everybody who holds something: generals by strength, then the Senate, then what is lost."""
    made = []
    mine = (world.legions.get(PC, 0), len(world.lands(PC)))
    for one in sorted(world.generals(), key=lambda one: -world.legions[one]):
        lands = world.lands(one)
        # Equal in both, who is asked rules (R10).
        rules = "" if one == PC else "he" if (world.legions[one], len(lands)) >= mine else "you"
        made.append(
            {"who": who(position.scenario, one), "mine": one == PC, "legions": world.legions[one], "lands": len(lands),
             "gain": len(lands), "rules": rules, "names": [province_name(key) for key in lands]}
        )  # fmt: skip
    senate, lost = world.lands(SENATE), world.lands(LOST)
    made.append(
        {"who": who(position.scenario, SENATE), "legions": world.strength(SENATE), "lands": len(senate), "gain": 0,
         "names": [province_name(key) for key in senate], "senate": True}
    )  # fmt: skip
    made.append(
        {"who": who(position.scenario, LOST), "legions": None, "lands": len(lost), "gain": None, "lost": True,
         "names": [province_name(key) for key in lost]}
    )  # fmt: skip
    return made


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {"player": one.player, "url": one.url, "ended": one.ended, **one.facts}

"""The page of a reign: one address at all its moments (`games.contract.pages.Pages`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from games.contract.pages import Fame, Frame, Page, PastPage, Picture, Reader, Told
from games.kit.records import bad
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.drawing.map import Arrow, Standard, draw, legend, paint
from games.march_on_rome.page import composing, film
from games.march_on_rome.page.board import MarchBoard, PastMarch
from games.march_on_rome.page.ending import ending, fame
from games.march_on_rome.page.questions import answer, commitment
from games.march_on_rome.page.targets import targets
from games.march_on_rome.page.year import (
    PHASES,
    Cursor,
    acting_general,
    dice_of,
    end,
    next_address,
    read_cursor,
    ribbon,
    step_lines,
    world_shown,
)
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.moves import MOVES, TO_WIN
from games.march_on_rome.rules.odds import ally
from games.march_on_rome.rules.position import LOST, PC, SENATE, Position, World
from games.march_on_rome.text import report as chronicle
from games.march_on_rome.text.telling import (
    Fight,
    Step,
    holder_with_paint,
    phrase_text,
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
        return film.film(before, log)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """See `games.contract.pages.Composing`."""
        asked: dict[str, Any] = {}
        if reader.plays and position.pending is not None:
            if position.pending["kind"] == "answer":
                asked["answer"] = answer(position)
            elif position.battle is not None:
                asked["commitment"] = commitment(position, film.running(position))
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

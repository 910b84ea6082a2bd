"""The page of a reign, with the same address at all its stages (`games.contract.pages.Pages`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from games.contract.pages import Fame, Frame, LoggedMove, Page, PastPage, Picture, Reader
from games.kit.records import bad
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.page import composing, film
from games.march_on_rome.page.board import MarchBoard, PastMarch
from games.march_on_rome.page.moments import (
    Moment,
    Reign,
    battle_moment,
    choice_moment,
    end_moment,
    offer_moment,
    year_moment,
)
from games.march_on_rome.page.questions import commitment, offer
from games.march_on_rome.page.scene import scene
from games.march_on_rome.page.targets import targets
from games.march_on_rome.page.year import Cursor, end, read_cursor
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.moves import MOVES, TO_WIN
from games.march_on_rome.rules.odds import alliance
from games.march_on_rome.rules.position import PC, Position, World
from games.march_on_rome.text import report as chronicle
from games.march_on_rome.text.digest import year_line
from games.march_on_rome.text.phrases import holder_with_paint, phrase_text
from games.march_on_rome.text.steps import steps
from games.march_on_rome.text.words import province_name


class MarchPages:
    """The pages of March on Rome; implements `games.contract.pages.Pages`."""

    styles: Sequence[str] = ("css/march.css", "css/board.css", "css/film.css")

    def page(
        self, position: Position, log: Sequence[LoggedMove], reader: Reader, hall: Sequence[Fame]
    ) -> Page[MarchBoard]:
        shown = steps(position.scenario, log)
        cursor = read_cursor(shown, reader.query.get("told", ""))
        if cursor is not None and position.pending is not None and cursor == end(shown):
            cursor = None  # all steps are shown and a question is open: the page shows the question
        stage = self.stage(position, cursor)
        now = World().after(effect for move in log for effect in move.effects)
        reign = Reign(position, shown, log, now)
        moment = self.moment(stage, reign, cursor, reader, hall)
        own = MarchBoard(
            stage=stage,
            plays=reader.plays,
            form_values=dict(reader.form_values),
            general=holder_with_paint(position.scenario, PC),
            lands=len(position.lands(PC)),
            won_with=TO_WIN,
            chronicle=chronicle.years(
                position.scenario, log if cursor is None else log[: cursor.at]
            ),
            board=with_past_year(self.board(position, reader), reign, stage),
            map=moment.scene.map,
            legend=moment.scene.legend,
            holders=moment.scene.holders,
            moment=moment,
        )
        template = "end.html" if stage == "over" else "march.html"
        return Page(template, own, self.title(position, own))

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastMarch]:
        """Return the page of an earlier position; see `games.contract.pages.WithPastPages`."""
        world = World(position.owner, position.garrison, position.legions)
        shown = scene(position, world, lit=tuple(changed))
        own = PastMarch(
            map=Picture(shown.map.svg),
            legend=shown.legend,
            holders=shown.holders,
            won_with=TO_WIN,
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return province_name(key)

    def film(self, before: Position, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        """Return the film of these entries; see `games.contract.pages.WithMoveFilm`."""
        return film.film(before, log)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """Return the data for the script; see `games.contract.pages.WithBoardData`."""
        return composing.document(position, reader, self.asked_now(position, reader))

    @staticmethod
    def asked_now(position: Position, reader: Reader) -> composing.Asked:
        """Return the choices that the player has now."""
        if not reader.plays:
            return composing.Asked()
        if position.pending is None:
            rows = targets(position) if position.phase == "pc" else ()
            return composing.Asked(targets=rows)
        if position.pending["kind"] == "answer":
            return composing.Asked(offer=offer(position))
        if position.battle is None:
            return composing.Asked()
        return composing.Asked(commitment=commitment(position, film.running_fight(position)))

    @staticmethod
    def stage(position: Position, cursor: Cursor | None) -> str:
        """Return the stage: `setup`, `choose`, `devote`, `answer`, `year` or `over`."""
        if cursor is not None:
            return "year"
        if position.pending is not None:
            return position.pending["kind"]
        return {"setup": "setup", "pc": "choose", "over": "over"}.get(position.phase, "year")

    @staticmethod
    def title(position: Position, own: MarchBoard) -> str:
        key = f"title-over-{position.result}" if own.stage == "over" else f"title-{own.stage}"
        question, rival = own.moment.commitment, own.moment.offer
        land = question.name if question else rival.name if rival else ""
        name = rival.who.name if rival else ""
        return phrase_text(key, year=own.moment.year, land=land, name=name)

    def moment(
        self, stage: str, reign: Reign, cursor: Cursor | None, reader: Reader, hall: Sequence[Fame]
    ) -> Moment:
        """Return the content of the page at this stage."""
        match stage:
            case "setup":
                return Moment(scene=scene(reign.position, reign.now), year=reign.position.turn)
            case "choose":
                return choice_moment(reign, reader)
            case "devote":
                return battle_moment(reign, reader)
            case "answer":
                return offer_moment(reign)
            case "over":
                return end_moment(reign, hall)
        return year_moment(reign, cursor)

    # The page's forms -----------------------------------------------------------------------------

    def read_move(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
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

    def automatic_move(self, position: Position) -> Mapping[str, Any] | None:
        if position.phase == "setup":
            return {"move": "begin"}
        if position.pending is not None or position.phase not in ("npc", "recruit", "events"):
            return None
        return {"move": "continue"}

    def program_move(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)

    def proposed(self, position: Position) -> Mapping[str, Any] | None:
        """Return a move that declines every offer and devotes enough legions to every battle.

        See `games.contract.pages.WithProposedMoves`.
        """
        if position.pending is None:
            return None
        if position.pending["kind"] == "answer":
            return {"move": "answer", "accept": False}
        return {"move": "devote", "legions": odds.advised_commitment(position)}


def with_past_year(board: Mapping[str, Any], reign: Reign, stage: str) -> Mapping[str, Any]:
    """Return the data for the script with the year before the decision in one line."""
    position = reign.position
    if not board["mine"] or stage not in ("choose", "devote", "answer"):
        return board
    year, key = (
        (position.turn - 1, "told-year") if stage == "choose" else (position.turn, "told-so-far")
    )
    line = year_line(position.scenario, reign.steps, reign.log, year, key)
    return {**board, "told": line}


def ends_reign(position: Position, target: str) -> bool:
    """Return whether an offer to the holder of this province would end the reign (5.6).

    Its holder would rule, and says YES.
    """
    chooses = position.phase == "pc" and position.pending is None
    return chooses and target in position.targets() and alliance(position, target).absorbed

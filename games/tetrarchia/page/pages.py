"""The page of a game, with the same address at all its stages (`games.contract.pages.Pages`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.errors import IllegalMove
from games.contract.pages import Fame, Frame, LoggedMove, NamedSeat, Page, PastPage, Picture, Reader
from games.tetrarchia.bots.players import sensible
from games.tetrarchia.drawing.map import BoardTexts, Leg, draw, space_text
from games.tetrarchia.page import choosing, composing, history
from games.tetrarchia.page.board import EmperorsTurn, PastTetrarchy, TetrarchyBoard
from games.tetrarchia.page.ending import ending, famous_game
from games.tetrarchia.page.film import film
from games.tetrarchia.page.outlook import outlook, tokens_of
from games.tetrarchia.page.tables import (
    fleets,
    may_move,
    moving_seat,
    named_emperor,
    own_names,
    ribbon,
    seat_name,
    shared,
    supply,
    variants,
)
from games.tetrarchia.page.threats import spaces, threats
from games.tetrarchia.rules.battle import Way
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import IMPERIUM, PATRES, SPACES, Position
from games.tetrarchia.rules.view import mover
from games.tetrarchia.text.words import emperor, page_book, phrase_text, space


class TetrarchyPages:
    """The pages of Tetrarchia; implements `games.contract.pages.Pages`."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css", "css/board.css", "css/film.css")

    def page(
        self, position: Position, log: Sequence[LoggedMove], reader: Reader, hall: Sequence[Fame]
    ) -> Page[TetrarchyBoard]:
        mine = reader.plays and may_move(position, reader)
        acts_for = (
            seat_name(position) if mine and mover(position) not in (None, *reader.seats) else ""
        )
        space = reader.form_values.get("at") or reader.query.get("at", "")
        chosen = space if space in SPACES else None
        reach = choosing.goals(position)
        turn = self.turn(position, log, mine) if position.phase == "roman" else None
        travelled = history.legs_travelled(position, log) if turn else []
        spot = (
            choosing.spot(position, chosen, reach) if chosen and position.phase == "roman" else None
        )
        target = self.target(position, chosen)
        is_over = position.phase == "over"
        seat = NamedSeat(mover(position) or "", seat_name(position))
        own = TetrarchyBoard(
            stage=position.phase,
            mine=mine,
            plays=reader.plays,
            form_values=dict(reader.form_values),
            ribbon=ribbon(position),
            emperor=named_emperor(position.emperor),
            seat=seat,
            own_names=own_names(position, reader),
            acts_for=acts_for,
            shared=shared(position),
            variants=variants(position),
            board=self.board(position, reader),
            map=self.picture(position, chosen, reach, travelled, target),
            spaces=spaces(position),
            supply=supply(position),
            threats=threats(position),
            phase=history.last_phase(position, log),
            turn=turn,
            spot=spot,
            attack=choosing.attack(position, target) if target else None,
            outlook=outlook(position),
            fleets=fleets(position) if position.phase == "fleets" else (),
            ending=ending(position, log) if is_over else None,
            hall=[famous_game(finished) for finished in hall] if is_over else (),
        )
        template = "end.html" if is_over else "tetrarchia.html"
        return Page(template, own, self.title(position), seat)

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastTetrarchy]:
        """Return the page of an earlier position; see `games.contract.pages.WithPastPages`."""
        words = page_book()["board"]
        picture = draw(
            position,
            BoardTexts(words["title"], lambda key: space_text(position, key, words)),
            lit=changed,
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )
        own = PastTetrarchy(
            map=Picture(picture),
            spaces=spaces(position),
            supply=supply(position),
            variants=variants(position),
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return space(key)

    def film(self, before: Position, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        """Return the film of these entries; see `games.contract.pages.WithMoveFilm`."""
        return film(before.scenario, log)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """Return the data for the script; see `games.contract.pages.WithBoardData`."""
        return composing.document(position, reader)

    @staticmethod
    def title(position: Position) -> str:
        key = f"title-{position.result}" if position.phase == "over" else f"title-{position.phase}"
        return phrase_text(key, name=emperor(position.emperor), round=position.round)

    # Parts ----------------------------------------------------------------------------------------

    @staticmethod
    def picture(
        position: Position,
        chosen: str | None,
        reach: Mapping[str, Way],
        gone: Sequence[Leg],
        target: str | None,
    ) -> Picture:
        """Return the board with its highlights: goals, armies in reach, the way to a space."""
        words = page_book()["board"]
        legs = list(gone)
        if chosen in reach:
            legs += choosing.legs(position, reach[str(chosen)].path)
        elif target is not None and position.at is not None:
            price = choosing.linked_armies(position).get(target)
            if price is not None:
                legs.append(Leg(position.at, target, price, attack=True))
        armies = choosing.linked_armies(position) if position.phase == "roman" else {}
        picture = draw(
            position,
            BoardTexts(words["title"], lambda key: space_text(position, key, words)),
            lit=[*reach, *armies],
            selected=chosen,
            legs=legs,
            links=lambda key: f"?at={key}#h-turn",
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )
        return Picture(picture, lit=bool(reach or armies))

    @staticmethod
    def turn(position: Position, log: Sequence[LoggedMove], mine: bool) -> EmperorsTurn:
        """Return the current turn: its past moves, the points left, and the possible moves."""
        done = history.spent_moves(position, log)
        most = position.supply[position.emperor] if position.has_variant(IMPERIUM) else 0
        goals = sorted(
            choosing.goals(position).items(), key=lambda goal: (goal[1].cost, space(goal[0]))
        )
        return EmperorsTurn(
            done=done,
            left=position.ip,
            pips=range(position.ip),
            of=max(position.ip + sum(move.cost for move in done), 1),
            undo=bool(done) and mine,
            at=space(position.at) if position.at else "",
            tokens=tokens_of(position, position.emperor),
            enter=choosing.entries(position) if position.can_enter else [],
            gone=position.at is None and not position.can_enter,
            here=choosing.moves_in_place(position),
            sails=choosing.sails(position) if position.at or not position.can_enter else [],
            goals=[
                replace(
                    choosing.offered_move(position, "move", path=list(way.path)), name=space(key)
                )
                for key, way in goals
            ],
            imperium=range(1, most + 1),
            patres=choosing.offered_move(position, "patres")
            if position.has_variant(PATRES)
            else None,
            patres_text=(
                phrase_text(f"patres-{position.emperor}")
                if position.emperor in ("diocletian", "constantius")
                else ""
            ),
            sharing=position.sharing(),
        )

    @staticmethod
    def target(position: Position, chosen: str | None) -> str | None:
        """Return the army whose attack is explained: the chosen one, or one in reach."""
        if position.phase != "roman" or position.at is None:
            return None
        if chosen in position.barbarians:
            return chosen
        if chosen is not None:
            return None
        return next(iter(choosing.linked_armies(position)), None)

    # The page's forms -----------------------------------------------------------------------------

    def read_move(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("bad-arguments", "4.2", "choose-one")
        raw: dict[str, Any] = {"by": moving_seat(position), "move": name}
        for key, kind in MOVES[name].form.items():
            typed = form.get(key, "").strip()[:400]
            if kind == "number":
                if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
                    raise IllegalMove("bad-arguments", "4.2", "not-number", key=key)
                raw[key] = int(typed)
            else:
                raw[key] = [part for part in typed.split("-") if part] if kind == "texts" else typed
        return raw

    def automatic_move(self, position: Position) -> Mapping[str, Any] | None:
        return None

    def program_move(self, position: Position) -> Mapping[str, Any] | None:
        move = sensible(position)
        return None if move is None else {"by": moving_seat(position), **move}

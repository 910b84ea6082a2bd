"""The page of a game, with the same address at all its stages (`games.contract.pages.Pages`).

Of counters and cards, a context contains only what `view.knows` and the reader's seats allow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from games.contract.pages import Fame, Frame, LoggedMove, NamedSeat, Page, PastPage, Picture, Reader
from games.kit.records import GM
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.drawing.map import BoardTexts, draw, land_text
from games.roman_empire.page import deciding, listing, placing, preparing
from games.roman_empire.page.board import EmpireBoard, Hand, PastEmpire, TurnOfSeat
from games.roman_empire.page.composing import document, wanted
from games.roman_empire.page.ending import CITY, phase_end
from games.roman_empire.page.film import film
from games.roman_empire.page.history import end, last_phases
from games.roman_empire.page.reader import (
    chosen_land,
    makes_next_move,
    may_move,
    named,
    stage_of,
    visible_seats,
)
from games.roman_empire.page.tables import (
    areas,
    chart,
    counters,
    lands,
    scores,
    seats_line,
    spot,
)
from games.roman_empire.rules import view
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.position import DONE, Position
from games.roman_empire.text.words import (
    card_name,
    counted_phrase,
    group_name,
    land,
    numeral,
    phrase_text,
    seat_name,
)

LONGEST = 400


class EmpirePages:
    """The pages of History of the Roman Empire; implements `games.contract.pages.Pages`."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css", "css/roman_empire.css")

    def page(
        self, position: Position, log: Sequence[LoggedMove], reader: Reader, hall: Sequence[Fame]
    ) -> Page[EmpireBoard]:
        is_over, stage = position.phase == "over", stage_of(position)
        mover, mine = view.mover(position), makes_next_move(position, reader)
        seen = visible_seats(position, reader)
        shown = [seat for seat in position.seats if seat in seen and stage != "setup"]
        rows, chosen = counters(position, seen), chosen_land(reader)
        turn = self.turn(position, reader, chosen)
        own = EmpireBoard(
            stage=stage,
            mine=mine,
            plays=reader.plays,
            form_values=dict(reader.form_values),
            period=numeral(position.period),
            going=view.automatic(position),
            dealing=deciding.dealing(position, seen),
            hands=[self.hand(position, seat) for seat in shown],
            scores=scores(position),
            counters=rows,
            own_counters=[
                row
                for row in rows
                if row.key in reader.seats and (row.has_people or row.has_emperor)
            ],
            areas=areas(position),
            chart=chart(position, seen),
            lands=lands(position),
            last_phases=last_phases(position, log),
            variants=variants(position),
            line=seats_line(position),
            own_names=[row.name for row in rows if row.key in reader.seats],
            board_data=document(position, mine, sees_hand=mover in seen),
            seat=named(position, mover) if mover else None,
            deputed=reader.plays and not mine and mover in reader.deputes,
            acts_for=seat_name(mover) if mine and mover not in reader.seats else "",
            map=self.picture(position, chosen, lit_lands(position, turn)),
            turn=turn,
            end=end(position, log) if is_over else None,
            hall=hall if is_over else (),
        )
        winner = own.end.winner if own.end else own.seat
        seat = NamedSeat(winner.key, winner.seat_name) if winner else None
        name = "end.html" if is_over else "roman_empire.html"
        return Page(name, own, title(position), seat)

    @staticmethod
    def turn(position: Position, reader: Reader, chosen: str | None) -> TurnOfSeat:
        """Return the possible moves of the seat that moves."""
        seat, acts = str(view.mover(position)), stage_of(position) == "act"
        ways = placing.places(position, seat) if acts else []
        sees_hand = seat in visible_seats(position, reader)
        return TurnOfSeat(
            act=deciding.acting_group(position) if position.current else None,
            ways=ways,
            here=[way for way in ways if way.land == chosen],
            before=preparing.before(position, seat) if acts else [],
            spot=spot(position, chosen) if chosen else None,
            decision=deciding.decision(position),
            ending=(phase_end(position, seat, reader.query, sees_hand=sees_hand) if acts else None),
            listing=planned(position, reader, mine=makes_next_move(position, reader)),
        )

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastEmpire]:
        """Return the public page of an earlier position (`games.contract.pages.WithPastPages`)."""
        picture = draw(
            position,
            BoardTexts(phrase_text("board-title"), lambda key: land_text(position, key)),
            lit=changed,
        )
        own = PastEmpire(
            map=Picture(picture),
            period=numeral(position.period),
            scores=scores(position),
            areas=areas(position),
            lands=lands(position),
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return land(key)

    def item(self, key: str) -> str:
        return card_name(key)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """Return the data for the script; see `games.contract.pages.WithBoardData`."""
        mine, seen = reader.plays and may_move(position, reader), visible_seats(position, reader)
        return document(position, mine, sees_hand=view.mover(position) in seen)

    @staticmethod
    def picture(position: Position, chosen: str | None, lit: Collection[str]) -> Picture:
        fought = position.combat.land if position.combat is not None else None
        picture = draw(
            position,
            BoardTexts(phrase_text("board-title"), lambda key: land_text(position, key)),
            lit=sorted(lit),
            selected=chosen,
            fought=fought,
            links=lambda key: f"?at={key}#h-turn",
        )
        return Picture(picture, lit=bool(lit))

    @staticmethod
    def hand(position: Position, seat: str) -> Hand:
        """Return the cards of a seat."""
        left = 2 - sum(position.played[seat].values())
        cards = preparing.cards_of_seat(position, seat)
        return Hand(
            key=seat,
            seat_name=seat_name(seat),
            cards=cards,
            left=counted_phrase("cards-left", left),
            ready=any(card.play for card in cards),
        )

    # The page's forms -----------------------------------------------------------------------------

    def read_move(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("unknown-move", "4", name=name[:40])
        if MOVES[name].automatic:
            return {"by": GM, "move": name}
        raw: dict[str, Any] = {"by": view.mover(position) or GM, "move": name}
        for key, kind in MOVES[name].form.items():
            raw[key] = read_argument(form, key, kind, optional=key in MOVES[name].optional)
        return {key: value for key, value in raw.items() if value is not None}

    def announcer(self, position: Position) -> str | None:
        return listing.announcer(position)

    def listed(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        if form.get("do") != listing.PLACE:
            raise IllegalMove("bad-arguments", "", "not-listed")
        return {**self.read_move(position, form), "by": listing.announcer(position)}

    def stops(self) -> Collection[str]:
        return listing.STOPS

    def stopped(self, before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
        return listing.stopped(before, after, seat, chosen)

    def film(self, before: Position, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        return film(before, log)

    def wanted(self, position: Position, condition: Mapping[str, Any]) -> bool:
        return wanted(position, condition)

    def automatic_move(self, position: Position) -> Mapping[str, Any] | None:
        """Return the next automatic move; None if there is none.

        The game master makes the first move of a game.
        """
        going = view.automatic(position)
        return None if going in (None, "begin") else {"move": going}

    def program_move(self, position: Position) -> Mapping[str, Any] | None:
        return sensible(position)


def read_argument(form: Mapping[str, str], key: str, kind: str, *, optional: bool) -> Any:
    """Return a typed argument of a move; None if it was left out."""
    typed = form.get(key, "").strip()[:LONGEST]
    if key == "lands":
        return typed.split(",") if typed else None
    if kind == "texts":
        chosen = [name for name in form if name.startswith(CITY)]
        return [name.removeprefix(CITY)[:LONGEST] for name in chosen][:LONGEST] or None
    if kind == "flag":
        return typed == "1" if typed or not optional else None
    if kind == "number":
        if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
            raise IllegalMove("bad-arguments", "4", "not-number", key=key)
        return int(typed)
    return typed or None


def planned(position: Position, reader: Reader, *, mine: bool) -> listing.PlacementList | None:
    """Return the list of planned moves, for readers who may have one now."""
    may_plan = mine or position.pending is not None
    if reader.plan is None or not may_plan or not reader.plays:
        return None
    return listing.listing(position, reader.plan, reader.query.get("stops"))


def lit_lands(position: Position, turn: TurnOfSeat) -> set[str]:
    """Return the lands that may be chosen now."""
    starts = {
        dict(move.fields)["land"]
        for group in turn.before
        if group.key == "choose_start"
        for move in group.moves
    }
    asked = set(position.pending.to) if position.pending else set()
    return {way.land for way in turn.ways} | starts | asked


def title(position: Position) -> str:
    period = numeral(position.period)
    match stage_of(position):
        case "setup":
            return phrase_text("title-setup")
        case "over":
            return phrase_text(
                "title-over", seat=seat_name(position.result["winner"]) if position.result else ""
            )
        case "draw":
            return phrase_text("title-draw", period=period)
    if position.current is None or position.step == DONE:
        return phrase_text("title-go", period=period)
    return phrase_text("title-act", group=group_name(position.current), period=period)


def variants(position: Position) -> list[str]:
    return [phrase_text(f"variant-{flag}") for flag in sorted(position.options.flags)]

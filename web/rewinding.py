"""What an undo or a restoration would change, listed before it is said (`campaign.rewinds`): for the pages that ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import selectors
from campaign.clocks import foreseen as clocks
from campaign.clocks.models import Clock
from campaign.rewinds import OWN, Rewind
from forum import foreseen as posts
from forum.models import Post
from notices import foreseen as notices
from web.otherwise import Fight, Otherwise, otherwise
from web.titles import contest, extras
from web.views.common import GAME_MASTER
from web.views.lines import Row, Thrown, rows, thrown
from web.views.moment import stood

if TYPE_CHECKING:
    from web.views.common import TableContext

SHOWN = 12
"""So many of the newest moves stand open; those before them are folded."""


class Die(NamedTuple):
    """The dice of one move that are known: of which seat's choice they hang, and as they would fall again."""

    number: int | None
    url: str
    seat: str
    name: str
    rolls: Sequence[Thrown]


class Battle(NamedTuple):
    """A battle that vanishes, comes back, is opened or closed again; with the claims that lose their ground, or have it again."""

    number: int
    url: str
    how: str
    text: str
    claims: Sequence[str]
    """As the log has them."""


class Due(NamedTuple):
    """A deadline that ends or runs again."""

    what: str
    kind: str
    whose: str
    url: str
    at: datetime | None
    held: bool


class Told(NamedTuple):
    """A post: its number, what it is called, where it stands; `url` leads to its page, for who may see that."""

    number: int
    subject: str
    permalink: str
    url: str


class Order(NamedTuple):
    """A standing order that has spoken among these moves: whose, and whether its question falls, so that it may speak again."""

    seat: str
    name: str
    text: str
    again: bool


class Listing:
    """The sections of the page; each is worked out when it is asked for, from the rows and the two positions."""

    def __init__(self, table: TableContext, rewind: Rewind, now: datetime | None = None) -> None:
        self.table, self.rewind, self.now = table, rewind, now or timezone.now()

    @cached_property
    def lines(self) -> list[selectors.Line]:
        """The moves that the reader may see, the newest first."""
        return selectors.lines(self.table.campaign, self.table.access, reversed(self.rewind.moves), bare=True)

    @cached_property
    def rows(self) -> list[Row]:
        return rows(self.table, self.lines)

    @property
    def shown(self) -> list[Row]:
        return self.rows[:SHOWN]

    @property
    def older(self) -> list[Row]:
        return self.rows[SHOWN:]

    @property
    def count(self) -> int:
        return len(self.rewind.moves)

    @property
    def hidden(self) -> int:
        """How many of the moves the reader may not see, for a game master, who counts them."""
        return self.count - len(self.lines)

    @cached_property
    def then(self) -> TableContext:
        return stood(self.table, self.rewind.position)

    @cached_property
    def otherwise(self) -> Otherwise:
        return otherwise(self.table, self.then)

    @cached_property
    def battles(self) -> list[Battle]:
        fights = self.otherwise.fights
        if not fights:
            return []
        claims = [line for line in self._said if line.entry.act == "claim"]
        return [
            Battle(
                fight.number, self._battle_url(fight), fight.how, self._fight(fight),
                [line.text for line in claims if fight.how in ("gone", "new") and line.entry.said.get("battle") == fight.number],
            )
            for fight in fights
        ]  # fmt: skip

    @cached_property
    def _said(self) -> list[selectors.Line]:
        """The acts about these moves that the reader may see."""
        told = [one for one in self.rewind.acts if one.act in ("claim", "standing")]
        return selectors.lines(self.table.campaign, self.table.access, told, bare=True)

    def _battle_url(self, fight: Fight) -> str:
        here = self.table.pages is None and fight.number in self.table.rows.contests
        return self.table.url("battle", fight.number) if here else ""

    def _fight(self, fight: Fight) -> str:
        said = extras(self.table.campaign.title, "battle") or contest
        sides = [self._side(said, fight, side) for side in ("attacker", "defender")]
        where = said.where(self.table.scenario, fight.facts)
        facts = {"attacker": sides[0], "defender": sides[1], "where": where}
        return (_("%(attacker)s – %(defender)s, %(where)s") if where else _("%(attacker)s – %(defender)s")) % facts

    def _side(self, said: Any, fight: Fight, side: str) -> str:
        key = fight.facts.get(side)
        return self.table.name_of(key) if key in self.table.names else str(said.side_name(self.table.scenario, fight.facts, side))

    # Told elsewhere ------------------------------------------------------------------------------------------------------

    @cached_property
    def posts(self) -> dict[str, list[Told]]:
        """What stands in threads is everybody's; what waits to be sent is the game masters'."""
        found = posts.foresee(self.rewind)
        made = {"corrected": self._told(found.corrected), "later": self._told(found.later)}
        if self.table.host:
            made |= {"dropped": self._told(found.dropped), "drafted": self._told(found.drafted)}
        return {key: told for key, told in made.items() if told}

    def _told(self, found: Sequence[Post]) -> list[Told]:
        host = self.table.host
        return [
            Told(one.number, one.subject or one.report, one.permalink, self.table.url("post", one.number) if host else "")
            for one in found
        ]

    @cached_property
    def told(self) -> notices.Foreseen:
        seats = [seat.key for seat in self.table.seats]
        return notices.foresee(self.rewind, seats, self.table.places, self.table.user)

    @property
    def people(self) -> list[dict[str, Any]]:
        """Who is told: his name, as whom, and how soon something leaves for him."""
        return [
            {"name": one.name, "seats": [(seat, self.table.name_of(seat)) for seat in one.seats], "abroad": one.abroad}
            for one in self.told.people
        ]

    # Deadlines, dice, orders ---------------------------------------------------------------------------------------------

    @cached_property
    def deadlines(self) -> list[Due]:
        if self.table.solo:
            return []
        return [self._due(one) for one in clocks.foresee(self.rewind, self.now)]

    def _due(self, one: clocks.Foreseen) -> Due:
        table = self.table
        there = one.contest is not None and table.pages is None and one.contest in table.rows.contests
        url = table.url("battle", one.contest) if there else ""
        whose = _("battle %(number)s") % {"number": one.contest} if one.contest is not None else ""
        seat = table.name_of(one.seat) if one.seat else ""
        return Due(one.what, str(Clock.Kind(one.kind).label), ", ".join(filter(None, (seat, whose))), url, one.due_at, one.held)

    @cached_property
    def dice(self) -> list[Die]:
        """The dice that these moves threw, each purpose once, as far as the reader knows them; none where they come back."""
        made, seen = [], set[str]()
        for line in reversed(self.lines if not self.rewind.back else []):
            new = [roll for roll in line.rolls if roll.purpose not in seen]
            seen |= {roll.purpose for roll in new}
            if new:
                seat = line.entry.seat
                url = self.table.url("entry", line.number) if line.number is not None else ""
                name = self.table.name_of(seat) if seat else self.table.name_of(GAME_MASTER)
                made.append(Die(line.number, url, seat, name, thrown(self.table, new)))
        return made

    @property
    def choosers(self) -> list[tuple[str, str]]:
        """Whose choice these dice hung on: he may choose otherwise now, knowing them."""
        return list(dict.fromkeys((die.seat, die.name) for die in self.dice))

    @cached_property
    def orders(self) -> list[Order]:
        """What the log says of standing orders that spoke."""
        rows, made = set(self.rewind.rows), []
        for line in [line for line in self._said if line.entry.act == "standing"]:
            seat = line.entry.seat
            made.append(Order(seat, self.table.name_of(seat), line.text, line.entry.target_id in rows))
        return made

    @property
    def own(self) -> bool:
        return self.rewind.how == OWN

    @property
    def back(self) -> bool:
        return self.rewind.back

"""The members that the turn waits for, with reminders and the game master's possible acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from battles import projection as battles_projection
from battles.models import Battle
from campaign.clocks.selectors import SLOT
from campaign.models import GAME_MASTER
from engine.effects import Phrase
from games.contract.title import Waiting, WithLapses
from notices import selectors as notice_selectors
from notices import services as notice_services
from notices.models import Service
from notices.selectors import LastRequest, Matter
from web.battles.page import battle_summary
from web.frame import awaited_people as table_waiting
from web.frame.absences import absence_chips
from web.frame.deadlines import Due
from web.frame.name_lists import list_names
from web.frame.table import TableContext
from web.frame.waiting_lines import due_of
from web.moves.offers import SeatOffers


class Seat(NamedTuple):
    key: str
    name: str


class Help(NamedTuple):
    """A possible act of the game master: a link, or a form with hidden fields that makes a move."""

    verb: str
    url: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reminder:
    """The button that reminds players, and the last reminder.

    `next_at` is when the next reminder may be sent; None if that is now.
    """

    matter: str
    sent_at: datetime | None = None
    sent_by: str = ""
    channel: str = ""
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A matter that the turn waits for, however many people it concerns.

    `mine` is true if the matter waits for the game master, `own` if it waits for a seat that the
    game master holds.
    """

    seats: list[Seat]
    people: str
    text: str
    contest: int | None
    where: str
    url: str
    since: datetime | None
    due: Due | None
    helps: list[Help]
    absent: list[str]
    remind: Reminder | None
    mine: bool
    own: bool

    @property
    def title(self) -> str:
        return self.text if self.contest is None else f"{self.text} #{self.contest}"

    @property
    def slot_of(self) -> str:
        """Return the name of the seat whose slot it is; empty for a battle."""
        return self.seats[0].name if self.contest is None else ""

    @property
    def people_and_contest(self) -> str:
        return self.people if self.contest is None else f"{self.people} #{self.contest}"

    @property
    def recipients(self) -> str:
        return self.people if self.contest is None else f"{self.people} (#{self.contest})"

    @property
    def can_be_reminded(self) -> bool:
        return self.remind is not None and self.remind.next_at is None

    @property
    def is_overdue(self) -> bool:
        return self.due is not None and self.due.over

    @property
    def is_due_today(self) -> bool:
        return self.due is not None and not self.due.over and is_today(self.due.at)


@dataclass(frozen=True, slots=True)
class NextPlayers:
    """The players after the open slot."""

    seat: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WaitingList:
    """The sheet "Waiting for players".

    `recipients` are the people whom the button for all would remind; empty unless the reader asked
    for it.
    """

    rows: list[WaitingRow]
    next_players: NextPlayers | None
    count: str
    overdue: str
    remindable: int
    recipients: str
    offers_all: bool


def waiting_list(table: TableContext, rows: Sequence[WaitingRow], *, asks_all: bool) -> WaitingList:
    """Return the sheet of all matters that wait for others than the game master."""
    others = [row for row in rows if not row.mine and not row.own]
    remindable = [row for row in others if row.can_be_reminded]
    overdue = sum(row.is_overdue for row in others)
    return WaitingList(
        rows=others,
        next_players=next_players(table),
        count=count_of(others),
        overdue=ngettext("%(n)s overdue", "%(n)s overdue", overdue) % {"n": overdue}
        if overdue
        else "",
        remindable=len(remindable),
        recipients=", ".join(row.recipients for row in remindable) if asks_all else "",
        offers_all=len(remindable) > 1 and not asks_all,
    )


def count_of(rows: Sequence[WaitingRow]) -> str:
    """Return the number of rows, and how many of them are due today, in words."""
    count = npgettext("desk", "%(n)s task", "%(n)s tasks", len(rows)) % {"n": len(rows)}
    today = sum(row.is_due_today for row in rows)
    if today:
        count += ", " + ngettext("%(n)s due today", "%(n)s due today", today) % {"n": today}
    return count


def is_today(moment: datetime) -> bool:
    return timezone.localdate(moment) == timezone.localdate()


def waiting_rows(table: TableContext, battles: Sequence[Battle]) -> list[WaitingRow]:
    """Return all matters that the turn waits for, including those of the game master."""
    by_number: dict[int | None, Battle] = {battle.number: battle for battle in battles}
    groups: dict[tuple[str, int | str], list[Waiting]] = {}
    for wait in table.waited_for:
        together = wait.seat if wait.contest is None else wait.contest
        groups.setdefault((wait.what.id, together), []).append(wait)
    matters = {
        key: matter_of(table, group[0], [wait.seat for wait in group])
        for key, group in groups.items()
    }
    sent = notice_selectors.last_sent(
        table.campaign, [matter for matter in matters.values() if matter is not None]
    )
    rows = []
    for key, group in groups.items():
        matter, battle = matters[key], by_number.get(group[0].contest)
        reminder = reminder_for(table, matter, sent.get(matter.key)) if matter else None
        since = waits_since(table, group[0], battle)
        rows.append(waiting_row(table, group, battle, since, reminder))
    return rows


def waiting_row(
    table: TableContext,
    group: Sequence[Waiting],
    battle: Battle | None,
    since: datetime | None,
    reminder: Reminder | None,
) -> WaitingRow:
    """Return the row of a matter in which the turn waits for a group of seats."""
    first, keys = group[0], [wait.seat for wait in group]
    due = due_of(table, first)
    return WaitingRow(
        seats=[Seat(key, table.name_of(key)) for key in keys],
        people=list_names(people_of(table, group)),
        text=table.sentence(first.what),
        contest=first.contest,
        where=battle_summary(table, battle).where if battle is not None else "",
        url=table.url("battle", first.contest) if first.contest is not None else "",
        since=since,
        due=due,
        helps=helps_for(table, first, due),
        absent=absence_chips(table, *keys),
        remind=reminder,
        mine=first.seat == GAME_MASTER,
        own=all(key in table.own_seats for key in keys),
    )


def people_of(table: TableContext, group: Sequence[Waiting]) -> list[str]:
    """Return the names of the players and substitutes, each once; without any, the seat's name."""
    names = [
        name
        for wait in group
        for name in table_waiting.people(table, wait.seat, wait.contest)
        or [table.name_of(wait.seat)]
    ]
    return list(dict.fromkeys(names))


def waits_since(table: TableContext, wait: Waiting, battle: Battle | None) -> datetime | None:
    """Return since when the table has been waiting for this."""
    times = table.turn_times
    if wait.contest is not None:
        claim = table.live_claims.get(wait.contest)
        if claim is not None:
            return claim.last_act.at
        known = (
            battle.launched_at if battle else None,
            times.contests.get(str(wait.contest)),
        )
        return max((moment for moment in known if moment is not None), default=None)
    if wait.seat == GAME_MASTER:
        return times.last or table.campaign.founded_at
    return times.opened.get(wait.seat) or times.last


# The next players
# -----------------------------------------------------------------------------------


def seats_to_come(table: TableContext) -> list[str]:
    """Return the seats whose slots are still to come, without the open slot."""
    order, active = list(table.view.get("order") or ()), table.campaign.active_seat
    return order[order.index(active) + 1 :] if active in order else []


def next_players(table: TableContext) -> NextPlayers | None:
    """Return the player after the open slot, and those after them."""
    keys = seats_to_come(table)
    if not keys:
        return None
    first, *others = (", ".join(table.holders(key)) or table.name_of(key) for key in keys)
    text = pgettext("player", "next to play")
    if others:
        text = _("next to play; then %(names)s") % {"names": ", ".join(others)}
    return NextPlayers(keys[0], first, text)


# Reminders ----------------------------------------------------------------------------------------


def matter_of(table: TableContext, wait: Waiting, seats: Sequence[str]) -> Matter | None:
    """Return the matter of which others can be reminded; None if there is nothing to remind of.

    The game master's own seats are not reminded, nor is anyone while play is not possible.
    """
    campaign = table.campaign
    others = any(place.seat in seats and place.user_id != table.user.pk for place in table.places)
    plays = campaign.playable and campaign.started and not campaign.stopped
    if GAME_MASTER in seats or not others or not plays:
        return None
    return Matter(task_of(table, wait), tuple(seats), wait.contest)


def task_of(table: TableContext, wait: Waiting) -> str:
    """Return the kind of a matter: `slot`, `answer`, `battle` or `claim`."""
    if wait.contest is None:
        return "slot"
    if wait.what.id == battles_projection.TO_CONFIRM:
        return "claim"
    status = table.rows.contests.get(wait.contest, {}).get("status")
    return "answer" if status == "challenged" else "battle"


def matters_by_key(table: TableContext) -> dict[str, Matter]:
    """Return every matter of which players can be reminded."""
    waits, matters = table.waited_for, {}
    for wait in waits:
        together = [
            other.seat
            for other in waits
            if (other.what.id, other.contest) == (wait.what.id, wait.contest)
        ]
        matter = matter_of(table, wait, together if wait.contest is not None else [wait.seat])
        if matter is not None:
            matters[matter.key] = matter
    return matters


def reached_by(table: TableContext, matter: Matter) -> list[str]:
    """Return the names of the recipients: holders of the seats, and substitutes in its battle."""
    substitutes = table.substitutes
    names: list[str] = []
    for seat in matter.seats:
        substitute = substitutes.get((matter.contest, seat))
        names += [*table.holders(seat), *([substitute] if substitute else [])]
    return [name for name in names if name != table.user.username]


def reminder_for(table: TableContext, matter: Matter, sent: LastRequest | None) -> Reminder:
    """Return the reminder of a matter, with the last one that was sent."""
    if sent is None:
        return Reminder(matter.key)
    channel = str(Service(sent.service).label) if sent.service else _("Notice")
    if sent.by is None:
        return Reminder(matter.key, sent.at, _("automatic"), channel)
    again = sent.at + notice_services.REMINDER_INTERVAL
    return Reminder(
        matter=matter.key,
        sent_at=sent.at,
        sent_by=reminded_by(table, sent.by),
        channel=channel,
        next_at=again if again > timezone.now() else None,
    )


def reminded_by(table: TableContext, user: int) -> str:
    if user == table.user.pk:
        return pgettext("reminder", "by you")
    name = next(
        (place.user.username for place in table.places if place.user_id == user),
        _("a game master"),
    )
    return pgettext("reminder", "by %(name)s") % {"name": name}


# Acts of the game master
# ----------------------------------------------------------------------------


def helps_for(table: TableContext, wait: Waiting, due: Due | None) -> list[Help]:
    """Return the acts that end the waiting: play for the seat, decide, end the slot, extend."""
    if not table.campaign.playable:
        return []
    play = help_to_play(table, wait.what, wait.contest, wait.seat)
    helps = [play] if play is not None else []
    if due is None:
        return helps
    overdue_slot = due.over and due.kind == SLOT and wait.seat not in table.own_seats
    if overdue_slot and (end := help_to_end_slot(table, wait)) is not None:
        helps = [end]
    if not due.held:
        helps.append(help_to_extend(table, due.clock.pk))
    return helps


def help_to_extend(table: TableContext, clock: int) -> Help:
    """Return the link to the form that extends a deadline."""
    return Help(
        pgettext("desk", "Extend…"), f"{table.url('clocks')}?extend={clock}&back=desk#extend"
    )


def help_to_end_slot(table: TableContext, wait: Waiting) -> Help | None:
    """Return the form that ends an overdue slot, if the title has such a move without fields."""
    title = table.title
    raw = title.lapse(table.position, wait) if isinstance(title, WithLapses) else None
    if raw is None:
        return None
    page = SeatOffers(table, wait.seat)
    page.by = GAME_MASTER
    for offer in page.offers:
        if offer.move == raw["move"] and offer.refusal is None and not offer.fields:
            fields = tuple(page.hidden(offer, table.url("desk")))
            return Help(_("End their turn"), fields=fields)
    return None


def help_to_play(table: TableContext, what: Phrase, contest: int | None, seat: str) -> Help | None:
    """Return the link to the page where the game master plays for a seat or enters a result."""
    if seat == GAME_MASTER:
        return None
    if contest is None:
        verb = pgettext("button", "Play your turn") if seat in table.own_seats else _("Play…")
        return Help(verb, table.url("nation", seat))
    battle = table.url("battle", contest)
    if what.id == battles_projection.TO_CONFIRM:
        return Help(_("Judge…"), f"{battle}#claim")
    if what.id == "wait-answer":
        return Help(pgettext("desk", "Answer…"), f"{battle}?answer=1#answer")
    return Help(_("Result…"), f"{battle}#report")

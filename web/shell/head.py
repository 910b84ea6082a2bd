"""The head of a campaign's pages: the order of play as a ribbon, the rooms as tabs, whom the table waits for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from battles.projection import CONFIRM, JUDGE
from campaign import rulebook
from campaign.clocks.selectors import SLOT, TURN
from campaign.log import positions
from campaign.models import Campaign, LogEntry
from campaign.prepared import Prepared
from games.contract.title import Account, Waiting
from games.registry import word, words
from web import titles, waiting
from web.seats import absences
from web.shell import page_cache
from web.shell.campaign_page import GAME_MASTER
from web.templatetags.tabula import MINUS, half
from web.titles import draws
from web.waiting import live_claims, waited_for

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def accounts_by_key(table: TableContext) -> dict[str, Account]:
    """The title's accounts by their keys."""
    return table.once("accounts", lambda: {account.key: account for account in table.title.accounts})


def talks(table: TableContext) -> bool:
    """Does the reader take part in the talk of this table?"""
    return (bool(table.own_seats) or table.host) and not table.solo and not table.campaign.programs and not table.user.guest


def handed(table: TableContext) -> dict[str, str] | None:
    """The reader's seat whose hand-over page waits for them, on the pages that lead there; another nation's does not."""
    seat, match = table.notes.handed, table.request.resolver_match
    here = match.kwargs.get("seat", seat) if match else None
    return {"name": table.name_of(seat), "url": table.url("handover", seat)} if seat and seat == here else None


def last_own(table: TableContext) -> int | None:
    """In practice the reader's last move, from which the film of the others' begins; None before it, and for others."""
    if not table.campaign.programs or not table.own_seats:
        return None
    own = table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat__in=list(table.own_seats), struck_by=None)
    return table.once("last own", lambda: own.order_by("-number").values_list("number", flat=True).first())


def turn_moves(table: TableContext) -> list[LogEntry]:
    """The moves in force of this turn, hidden ones too, oldest first."""
    return table.once(TURN_MOVES, lambda: list(_moves_of_turn(table.campaign.entries.all(), table.campaign.turn)))


def slot_moves(table: TableContext) -> list[LogEntry]:
    """Those of them that everybody sees and that open or end a slot."""
    if table.has(TURN_MOVES):
        return [move for move in turn_moves(table) if move.audience is None and move.slot]
    return list(_slots.rows(table.campaign.pk, table.campaign.turn))


def _moves_of_turn(entries: QuerySet[LogEntry], turn: int) -> QuerySet[LogEntry]:
    return entries.filter(turn=turn, kind=LogEntry.Kind.MOVE, struck_by=None).order_by("sequence")


def _slots_of_turn(campaign: int, turn: int) -> QuerySet[LogEntry]:
    moves = _moves_of_turn(LogEntry.objects.filter(campaign=campaign, audience=None, slot=True), turn)
    return moves.only("campaign", "at", "effects")


_slots = Prepared(_slots_of_turn, int, int)
TURN_MOVES = "turn moves"


def amount(account: Account | None, value: int) -> str:
    """A balance as read: ½ for half-actions, the unit behind it, a true minus."""
    if account is None:
        return str(value).replace("-", MINUS)
    number = half(value) if account.scale == 2 else str(value).replace("-", MINUS)
    return number + account.unit


def change(account: Account | None, value: int) -> str:
    """A change of a balance with its sign."""
    return ("+" if value > 0 else "") + amount(account, value)


def head(table: TableContext, here: str) -> dict[str, Any]:
    return {
        "ribbon": ribbon(table),
        "tabs": tabs(table, here),
        "here": here,
        "state": state_line(table),
        "chip": chip(table.campaign),
        "stopped": stopped(table),
        "words": words(table.campaign.title),
        "until": waiting.deadline_of(table, TURN),
        "slots": slots(table),
        "handed": handed(table),
        "game_masters": ", ".join(table.holders(GAME_MASTER)),
    }


def state_line(table: TableContext) -> str:
    """Where the campaign stands, in two or three words."""
    if not table.campaign.started:
        return _("not started")
    if table.campaign.ended:
        return _("finished")
    turns = table.view.get("turns")
    facts = {"turn": word(table.campaign.title, "turn"), "number": table.campaign.turn, "turns": turns}
    return (_("%(turn)s %(number)s of %(turns)s") if turns else _("%(turn)s %(number)s")) % facts


def slots(table: TableContext) -> list[dict[str, Any]]:
    """Until when each open slot may take, where the title's own page draws the order of play: whose, its deadline, and whether
    who is waited for is away."""
    open_now = [clock for clock in waiting.clocks(table) if clock.kind == SLOT] if table.pages is not None else []
    return [
        {
            "seat": one.seat,
            "name": table.name_of(one.seat),
            "due": waiting.read_deadline(one),
            "absent": absences.absence_chips(table, one.seat),
        }
        for one in open_now
    ]


CHIPS = {
    Campaign.Status.DRAFT: (gettext_lazy("Not started"), ""),
    Campaign.Status.SEATING: (gettext_lazy("Seats open"), "mine"),
    Campaign.Status.RUNNING: (gettext_lazy("Running"), "good"),
    Campaign.Status.PAUSED: (gettext_lazy("Paused"), "warn"),
    Campaign.Status.FINISHED: (gettext_lazy("Finished"), ""),
    Campaign.Status.ABANDONED: (gettext_lazy("Abandoned"), "bad"),
    Campaign.Status.ARCHIVED: (gettext_lazy("Archived"), ""),
    Campaign.Status.SUSPENDED: (gettext_lazy("Suspended"), "bad"),
}


def chip(campaign: Campaign) -> tuple[Any, str]:
    """The campaign's state as a chip: its word, its tone."""
    return CHIPS[Campaign.Status(campaign.status)]


def stopped(table: TableContext) -> str:
    """Why no moves are made at present and what ends that; empty where they are."""
    if table.campaign.archived:
        return _("This campaign is in the archive. Everything can be read; no moves are made.")
    if table.campaign.abandoned:
        return _("This campaign is abandoned. Everything can be read; the game master can resume it.")
    if table.campaign.paused:
        return _("This campaign is paused. Nobody moves until the game master resumes it; nothing is lost meanwhile.")
    return ""


def slot_times(table: TableContext) -> dict[tuple[str, str], datetime]:
    """When the slots of this turn opened and ended: (seat, "opened" or "ended") -> the moment."""
    if not table.campaign.started:
        return {}

    def find_times() -> dict[tuple[str, str], datetime]:
        return {
            (effect.holder, effect.subject): entry.at
            for entry in slot_moves(table)
            for effect in entry.all_effects
            if effect.kind == "slot" and effect.holder
        }

    times: dict[tuple[str, str], datetime] = page_cache.of_log(table, "slot times", find_times)
    return times


def ribbon(table: TableContext) -> list[dict[str, Any]]:
    """The order of play of this turn, a slot a seat: `is` is done, now, next, later or idle. A title's own page has its own."""
    if table.pages is not None:
        return []
    keys = [key for key in table.view.get("order") or table.names if key in table.names and key != GAME_MASTER]
    now = table.campaign.active_seat
    at = keys.index(now) if now in keys else None
    purse = accounts_by_key(table).get("actions")
    times = slot_times(table) if not table.campaign.ended else {}
    slots = []
    for place, key in enumerate(keys):
        name = table.name_of(key)
        kind, state, when, until = "idle", "", None, None
        if not table.campaign.started:
            state = ", ".join(table.holders(key)) or pgettext("seat", "free")
        elif table.campaign.ended:
            state = ""
        elif at is None or place < at:
            kind, when = "done", times.get((key, "ended"))
            state = pgettext("slot", "ended")
        elif place == at:
            kind, state, due = "now", pgettext("slot", "playing"), waiting.of_slot(table, key)
            until = None if due is None else {"at": due.at, "over": due.over}
            if purse is not None:
                left = table.rows.accounts.get((key, purse.key), 0)
                one = 0 < left <= purse.scale  # half an action and a whole one are said as one
                state = ngettext("%(left)s action left", "%(left)s actions left", 1 if one else 2) % {"left": amount(purse, left)}
        else:
            kind = "next" if place == at + 1 else "later"
            state = pgettext("slot", "next") if place == at + 1 else pgettext("slot", "then")
        slots.append({
            "key": key, "name": name, "short": name[:3], "is": kind, "state": state, "at": when, "until": until,
            "url": "" if not table.campaign.started else table.url("nation", key),
        })  # fmt: skip
    return slots


FOLD = 4
"""So many lines of whom the table waits for stand open on the map; of more, the reader's own and the next deadline."""


def fold(lines: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The lines of `waits` that stand `open`, and the `others`, the earliest deadline first."""
    if len(lines) <= FOLD:
        return {"open": lines, "others": []}
    mine = [line for line in lines if line["mine"]]
    later = sorted(
        (line for line in lines if not line["mine"]),
        key=lambda line: (line["due"] is None, line["due"].at.timestamp() if line["due"] is not None else 0.0),
    )
    first = [*mine[:2], *later[:1]]
    return {"open": first, "others": [*mine[2:], *later[1:]]}


MOST_ROOMS = 7
SHOWN_ROOMS = 5
"""Of a phone's width: more stand under More."""


def tabs(table: TableContext, here: str) -> list[dict[str, Any]]:
    """The rooms of the campaign, at most `MOST_ROOMS`; `inner` are the pages of a room that has several, itself first.

    `wide` ones stand under More on a phone; `mine` counts wait for the reader.
    """
    rooms: list[dict[str, Any]] = []

    def room(
        key: str,
        name: str,
        icon: str,
        url: str,
        *pages: tuple[str, str, str],
        count: int = 0,
        mine: bool = False,
        wide: bool = False,
    ) -> None:
        inner = [{"key": one, "name": called, "url": where, "here": one == here} for one, called, where in pages]
        if inner:
            inner.insert(0, {"key": key, "name": name, "url": url, "here": key == here})
        rooms.append({
            "key": key, "name": name, "icon": icon, "url": url, "count": count, "mine": mine, "wide": wide, "inner": inner,
            "here": key == here or any(page["here"] for page in inner), "exact": key == here,
        })  # fmt: skip

    posts = table.host and not table.solo and not table.user.guest
    room("table", _("Table"), "map", table.url("table"))
    if table.game_master and table.pages is None:
        room("desk", _("Desk"), "glass", table.url("desk"), count=len(things(table)), mine=True)
    seats = table.own_seats if table.campaign.started and table.pages is None else ()
    for seat in seats[:1]:
        others = [(f"nation-{other}", table.name_of(other), table.url("nation", other)) for other in seats[1:]]
        waits = sum(1 for one in waited_for(table) if one.seat in seats)
        room(f"nation-{seat}", table.name_of(seat), "shield", table.url("nation", seat), *others, count=waits, mine=True)
    if table.pages is None:
        contests = {number for number, facts in table.rows.contests.items() if running(facts)}
        room("battles", _("Battles"), "swords", table.url("battles"), count=len(contests))
    press = [("press", _("Press"), table.url("press"))] if not table.solo and not table.campaign.programs else []
    if talks(table):
        room("talk", _("Talk"), "talk", table.url("talk"), *press, count=table.notes.talk_new, mine=True)
    past = [("story", _("Story"), table.url("story"))] if table.pages is None else []
    past += [("history", _("History"), table.url("history"))] if titles.remembers(table) else []
    past.append(("charts", _("Charts"), table.url("charts")))
    crowded = len(rooms) + 3 > MOST_ROOMS  # a game master who plays: the outbox stands beside the log
    if crowded:
        past.append(("reports", _("Outbox"), table.url("posts")) if posts else ("reports", _("Reports"), table.url("reports")))
    room("log", _("Log"), "clock", table.url("log"), *past, wide=posts or talks(table))
    if crowded:
        pass
    elif posts:
        room("reports", _("Outbox"), "mail", table.url("posts"), wide=len(rooms) > SHOWN_ROOMS)
    else:
        room("reports", _("Reports"), "scroll", table.url("reports"), *(() if talks(table) else press), wide=True)
    rules = bool(rulebook.rules_text(table.campaign.title))
    about = [("rules", _("Rules") if rules else _("Rulings"), table.url("campaign_rules" if rules else "rulings"))]
    about += [("seats", _("Seats"), table.url("seats"))] if table.host and not table.solo else []
    about += [("clocks", _("Deadlines"), table.url("clocks"))] if not table.solo else []
    about += [("lobby", _("Lobby"), table.url("lobby"))] if table.campaign.lobby_open else []
    if len(rooms) + 2 <= MOST_ROOMS:
        room("dice", _("Dice"), "die", table.url("dice"), wide=True)
    else:
        about.append(("dice", _("Dice"), table.url("dice")))
    room("about", _("About"), "info", table.url("about"), *about, wide=True)
    return page_cache.Listed(rooms)


def running(contest: Mapping[str, Any]) -> bool:
    """Is this contest of `Rows` still open?"""
    return contest.get("status") != "resolved"


VERBS = {CONFIRM: gettext_lazy("Review and confirm"), JUDGE: gettext_lazy("Judge")}
"""What one does where the table waits by its own acts."""


def claimed_at(table: TableContext, contest: int | None) -> datetime | None:
    """Since when a claim waits for an answer or a judgment."""
    claim = live_claims(table).get(contest) if contest is not None else None
    return claim.last.at if claim is not None else None


def due_of(table: TableContext, one: Waiting) -> waiting.Due | None:
    """Until when somebody is waited for; the game master has no deadline."""
    if one.seat == GAME_MASTER:
        return None
    return waiting.of_contest(table, one.contest) if one.contest is not None else waiting.of_slot(table, one.seat)


def things(table: TableContext) -> set[tuple[str, int | str]]:
    """What the table waits for, each thing once: a battle that two are to play is one."""
    return {(one.what.id, one.contest if one.contest is not None else one.seat) for one in waited_for(table)}


def waits(table: TableContext) -> list[dict[str, Any]]:
    """Whom the table waits for, the reader first; both sides of a battle are one line.

    `who` are the people, `mine` whether the reader is one, `seats` their keys and names, `text` what for, `since` since when.
    """
    times = slot_times(table)
    lines: dict[tuple[str, int | None, str], dict[str, Any]] = {}
    for one in waited_for(table):
        key = (one.what.id, one.contest, "" if one.contest is not None else one.seat)
        line = lines.setdefault(
            key,
            {
                "what": one.what.id, "text": table.sentence(one.what), "contest": one.contest, "seats": [], "who": [],
                "mine": False, "since": claimed_at(table, one.contest)
                if one.contest is not None else times.get((one.seat, "opened")), "url": "", "due": due_of(table, one),
            },
        )  # fmt: skip
        line["seats"].append({"key": one.seat, "name": table.name_of(one.seat)})
        if table.is_mine(one.seat):
            line["mine"] = True
        else:
            line["who"] += [name for name in table.holders(one.seat) if name not in line["who"]] or [table.name_of(one.seat)]
        own = one.seat if one.seat != GAME_MASTER else ""
        if one.contest is not None:
            line["url"] = table.url("battle", one.contest) + ("#claim" if one.what.id in VERBS else "")
        elif own:
            line["url"] = line["url"] or table.url("nation", own)
        elif table.game_master:
            line["url"] = table.url("desk")
    for line in lines.values():
        line["absent"] = absences.absence_chips(table, *(seat["key"] for seat in line["seats"]))
        played = line["seats"][0]["key"] != GAME_MASTER
        plain = _("View") if line["contest"] is not None else _("Play") if played else pgettext("turn", "Open")
        line["verb"] = VERBS.get(line["what"], plain)
    return sorted(lines.values(), key=lambda line: not line["mine"])


# What a page says of itself to whoever shows a link to it elsewhere: title, sentence, picture, one address.


class Share(NamedTuple):
    """`url` and `picture` are absolute; a picture is 1600 pixels wide, or there is none."""

    title: str
    text: str
    url: str
    picture: str = ""
    alt: str = ""


def share(table: TableContext, state: str) -> Share | None:
    """Of a campaign's page, the same for every reader; nothing of a campaign that is for its members only."""
    campaign = table.campaign
    if campaign.visibility == Campaign.Visibility.MEMBERS:
        return None
    request, picture, alt = table.request, "", ""
    if draws(campaign):
        picture = request.build_absolute_uri(table.url("map_picture"))
        alt = _("Map of {campaign}").format(campaign=campaign.name)
    text = _("{title}: {state}. Map, standings and battles as they are now, and the story so far.")
    return Share(campaign.name, text.format(title=positions.plays(campaign), state=state), own_address(request), picture, alt)


def own_address(request: HttpRequest) -> str:
    """Where a page is, whatever was asked of it."""
    return request.build_absolute_uri(request.path)

"""What the desk says of whom the table waits for: on whom, since when, until when, and what the game master can do."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from battles import selectors as battle_selectors
from campaign.clocks.terms import SLOT
from engine.effects import Say
from engine.title import Lapsing, Waiting
from web import absent
from web.due import Due, span
from web.views import nation
from web.views.common import GAME_MASTER, TableContext
from web.views.head import due_of


class Help(NamedTuple):
    """What the game master can do for whom the table waits for: a verb and where it leads, or the fields of a form that
    announces it."""

    verb: str
    url: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def waits(table: TableContext, contests: list[Any]) -> list[dict[str, Any]]:
    """What the turn waits for, on whom, since and until when, and what the game master can do about it."""
    since, launched = moments(table), {battle.number: battle.launched_at for battle in contests}
    lines: dict[tuple[str, Any], dict[str, Any]] = {}
    for one in table.waiting:
        key = (one.what.id, one.contest if one.contest is not None else one.seat)
        line = lines.setdefault(key, {"seats": [], "people": [], "one": one})
        line["seats"].append(one.seat)
        line["people"] += [name for name in table.holders(one.seat) or [table.name_of(one.seat)] if name not in line["people"]]
    made = []
    for line in lines.values():
        one, seat = line["one"], line["seats"][0]
        contest = one.contest
        if contest is not None:
            claim = table.claimed.get(contest)
            at = max(filter(None, (launched.get(contest), since.get(("attack", str(contest))))), default=None)
            at = claim.last.at if claim is not None else at
        elif seat == GAME_MASTER:
            at = since.get(("last", "")) or table.campaign.founded_at
        else:
            at = since.get(("slot", seat)) or since.get(("last", ""))
        due = due_of(table, one)
        made.append({
            "seat": seat, "name": table.name_of(seat), "people": _(" and ").join(line["people"]), "text": table.say(one.what),
            "contest": contest, "url": table.url("battle", contest) if contest is not None else "", "since": at, "ago": ago(at),
            "mine": seat == GAME_MASTER, "due": due, "helps": helps(table, one, due),
            "absent": absent.beside(table, *line["seats"]),
        })  # fmt: skip
    return made


def helps(table: TableContext, one: Waiting, due: Due | None) -> list[Help]:
    """What the game master can do for whom the table waits for; once it is overdue, what ends the waiting comes first."""
    if not table.playable:
        return []
    made = [first] if (first := help_with(table, one.what, one.contest, one.seat)) else []
    if due is not None and due.over and due.kind == SLOT and (end := lapse(table, one)):
        made = [end]
    if due is not None and not due.held:
        made.append(Help(_("Extend…"), f"{table.url('clocks')}?extend={due.clock.pk}&back=desk#extend"))
    return made


def lapse(table: TableContext, one: Waiting) -> Help | None:
    """What the title says where nobody plays on: the form that announces it for him, if it asks for nothing more."""
    raw = table.title.lapse(table.position, one) if isinstance(table.title, Lapsing) else None
    if raw is None:
        return None
    page = nation.Desk(table, one.seat)
    page.by = GAME_MASTER
    found = (offer for offer in page.offers if offer.move == raw["move"] and offer.refusal is None and not offer.fields)
    offer = next(found, None)
    if offer is None:
        return None
    verb = _("End your slot") if one.seat in table.own_seats else _("End his slot")
    return Help(verb, fields=tuple(page.hidden(offer, table.url("desk"))))


def help_with(table: TableContext, what: Say, contest: int | None, seat: str) -> Help | None:
    """What the game master can do for whom the table waits for, or by himself where it waits for his own seat."""
    own = seat in table.own_seats
    if seat == GAME_MASTER:
        return Help(_("Judge"), f"{table.url('battle', contest)}#claim") if contest is not None else None
    if contest is None:
        return Help(_("Play your slot") if own else _("Play his slot"), table.url("nation", seat))
    if what.id == battle_selectors.CONFIRM:
        return Help(_("Judge"), f"{table.url('battle', contest)}#claim")
    if what.id == "wait-answer":
        return Help(_("Answer it") if own else _("Answer for him"), f"{table.url('battle', contest)}?answer=1#answer")
    return Help(_("Enter the result"), f"{table.url('battle', contest)}#report")


def moments(table: TableContext) -> dict[tuple[str, str], datetime]:
    """The last entry in force of each battle, of each slot's opening, and of all."""
    found: dict[tuple[str, str], datetime] = {}
    for entry in table.turn_moves:
        found["last", ""] = entry.at
        for effect in entry.all_effects:
            if effect.kind == "attack":
                found["attack", effect.subject] = entry.at
            elif effect.kind == "slot" and effect.subject == "opened":
                found["slot", effect.holder or ""] = entry.at
    return found


def ago(at: datetime | None) -> str:
    """How long somebody has been waited for."""
    return "" if at is None else span(timezone.now() - at)


def order(table: TableContext) -> list[str]:
    """The seats whose slots are still to come, in the order of play, the open one not among them."""
    keys, now = list(table.view.get("order") or ()), table.campaign.active_seat
    return keys[keys.index(now) + 1 :] if now in keys else []


def then(table: TableContext) -> list[dict[str, str]]:
    """Who plays next, in their order."""
    return [{"key": key, "name": table.name_of(key), "people": ", ".join(table.holders(key))} for key in order(table)]

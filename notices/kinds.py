"""What is told of any title's moves and of the table's acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaign.audience import GAME_MASTER
from campaign.models import Membership
from engine.title import Coursed
from notices.models import Notice
from notices.registry import MASTERS, SEAT, TABLE, Happening, Kind, To, register, to_masters
from notices.words import LIFE

PURSE = "actions"
FOUGHT = "fighting"
TAKEN_BACK = "taken-back"


def slot_opened(h: Happening) -> bool:
    return h.was is not None and bool(h.now.active_seat) and (h.was.turn, h.was.active_seat) != (h.now.turn, h.now.active_seat)


def open_slot(h: Happening) -> Iterator[To]:
    if slot_opened(h):
        seat = h.now.active_seat
        left = h.campaign.game.rows(h.after).accounts.get((seat, PURSE))
        facts: dict[str, Any] = {"seat": seat, "turn": h.now.turn, "actions": left}
        if left is None:
            asked = next((one.what for one in h.campaign.game.waiting(h.after) if one.seat == seat), None)
            facts |= {"asked": [asked.id, dict(asked.facts)]} if asked is not None else {}
        yield To(seat, facts=facts)


def slot_over(notice: Notice) -> bool:
    """Is it another's slot by now than when this was told? `other` has it before who is next."""
    facts, now = notice.known, notice.campaign
    return (now.turn, now.active_seat) != (facts["turn"], facts.get("other", facts["seat"]))


def next_one(h: Happening) -> Iterator[To]:
    if slot_opened(h) and (seat := _following(h)):
        yield To(seat, facts={"seat": seat, "other": h.now.active_seat, "turn": h.now.turn})


def _following(h: Happening) -> str:
    """Whose slot comes after the one that opens, another's; empty where it is the last, or nobody can know."""
    game, now = h.campaign.game, h.now.active_seat
    if isinstance(game, Coursed):
        later = [one.seats for one in game.course(h.after) if not one.open and one.seats != (now,)]
        return later[0][0] if later and len(later[0]) == 1 else ""
    if now not in h.order or "order" not in game.view(h.after, None):
        return ""
    return next(iter(h.order[h.order.index(now) + 1 :]), "")


def _contest(number: int, facts: Any, **more: Any) -> dict[str, Any]:
    return {"contest": number, "other": facts.get("attacker") or "", **more}


def challenged(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if was is None and facts["status"] == "challenged" and facts.get("defender"):
            yield To(facts["defender"], about=str(number), facts=_contest(number, facts))


def attacked(h: Happening) -> Iterator[To]:
    """One that needs no answer, or that this nation leads the defence of."""
    for number, (was, facts) in h.contests.items():
        if was is None and facts["status"] != "resolved":
            seat = facts.get("leader") or (facts.get("defender") if facts["status"] != "challenged" else None)
            if seat:
                yield To(seat, about=str(number), facts=_contest(number, facts))


def may_start(h: Happening) -> Iterator[To]:
    """A challenge is accepted: both fight it out."""
    for number, (was, facts) in h.contests.items():
        if was is not None and was["status"] == "challenged" and facts["status"] == FOUGHT:
            for side in dict.fromkeys((facts.get("attacker"), facts.get("defender"), facts.get("leader"))):
                if side:
                    yield To(side, about=str(number), facts={"contest": number})


def set_up(h: Happening) -> Iterator[To]:
    """A player says that a battle stands ready in the game, to who fights it with him."""
    if h.act == "set-up":
        facts = {"contest": h.said["battle"], "other": h.entry.seat}
        for seat in _sides(h):
            yield To(seat, about=str(h.said["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def answered(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if was is not None and was["status"] == "challenged" and facts["status"] != "challenged" and facts.get("attacker"):
            other = facts.get("defender") or ""
            yield To(facts["attacker"], about=str(number), facts={**_contest(number, facts), "other": other})


def result(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if (was is None or was["status"] == FOUGHT) and facts["status"] == "resolved":
            for side in dict.fromkeys((facts.get("attacker"), facts.get("defender"), facts.get("leader"))):
                if side:
                    yield To(side, about=str(number), facts={"contest": number})


def _sides(h: Happening) -> list[str]:
    """Who has a part in the battle that an act is about, but for who said it."""
    facts = h.campaign.game.rows(h.after).contests.get(h.said["battle"], {})
    sides = dict.fromkeys(facts.get(side) for side in ("attacker", "defender", "leader"))
    return [seat for seat in sides if seat and seat != h.entry.seat]


def _substitutes(h: Happening, facts: Mapping[str, Any]) -> Iterator[To]:
    """Who stands in at the battle that an act is about, but for the side that said it."""
    held = Membership.objects.filter(launch=h.entry.target, contest=h.said["battle"], until=None)
    for person in held.exclude(seat=h.entry.seat).values_list("user_id", flat=True):
        yield To(person=person, about=str(h.said["battle"]), facts=facts)


def claimed(h: Happening) -> Iterator[To]:
    if h.act == "claim":
        facts = {"contest": h.said["battle"], "other": h.entry.seat}
        for seat in _sides(h):
            yield To(seat, about=str(h.said["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def disputed(h: Happening) -> Iterator[To]:
    if h.act == "dispute":
        facts = {"contest": h.said["battle"], "other": h.entry.seat, "reason": h.said["reason"]}
        for seat in (*_sides(h), GAME_MASTER):
            yield To(seat, about=str(h.said["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def turn_opened(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.turn > h.was.turn:
        for seat in h.seats:
            yield To(seat, facts={"turn": h.now.turn})


def turn_closed(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.phase == "closed" != h.was.phase:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts={"turn": h.now.turn})


def finished(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.finished and not h.was.finished:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat)


def card_lost(h: Happening) -> Iterator[To]:
    """A card gone by another seat's move: stolen, or taken in trade. What only comes back to one's own hand is none."""
    if not h.entry.is_move or h.entry.seat not in h.seats:
        return
    cards = [effect for effect in h.effects if effect.kind == "card"]
    mine = {effect.cause.id for effect in cards if effect.holder == h.entry.seat}
    for seat in h.seats:
        known = [effect for effect in cards if effect.holder == seat != h.entry.seat and h.seen(effect, seat)]
        lost: Counter[str] = Counter()
        for effect in known:
            lost[effect.subject] -= effect.change
        if any(effect.change < 0 and (lost[effect.subject] > 0 or effect.cause.id in mine) for effect in known):
            yield To(seat, facts={"seat": seat, "other": h.entry.seat})


def correction(h: Happening) -> Iterator[To]:
    """A game master's own move with a reason, to all whom it changed to their knowledge."""
    if h.entry.is_move and h.entry.seat == GAME_MASTER and "reason" in h.said:
        for seat in h.seats:
            if any(effect.holder == seat and h.seen(effect, seat) for effect in h.effects):
                yield To(seat)


def undone(h: Happening) -> Iterator[To]:
    if h.act == "undo" and not h.said.get("own"):
        for seat in h.touched():
            yield To(seat, facts={"after": h.said["after"], "reason": h.said["reason"]})


def taken_back(h: Happening) -> Iterator[To]:
    """A seat took back what others had been told of: what they were told is so no more."""
    if h.act == "undo" and h.said.get("own") and h.entry.number is not None:
        told = set(Notice.objects.filter(entry__in=h.struck).values_list("seat", flat=True)) - {"", h.entry.seat}
        for seat in sorted(told):
            yield To(seat, facts={"seat": h.entry.seat})


def restored(h: Happening) -> Iterator[To]:
    if h.act == "restore":
        for seat in h.touched():
            yield To(seat, facts={"undo": h.said["undo"], "reason": h.said["reason"]})


SITS = ("taken", "given", "drawn", "seated")
"""How a seat comes to somebody: by a link, from its holder, by the draw, from the reserve."""


def seat_taken(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.said.get("how") in SITS:
        yield to_masters(seat=h.said["seat"], user=h.said["user"])


def seat_left(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.said.get("how") == "left":
        yield to_masters(seat=h.said["seat"], user=h.said["user"])


def seat_given(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.said.get("how") in SITS:
        yield To(person=h.said["user"], facts={"seat": h.said["seat"], "how": h.said["how"]})


def offered(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("master", "offered"):
        yield To(person=h.said["user"], facts={"user": h.entry.actor_id})


def seat_offered(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("seat", "offered"):
        yield To(person=h.said["user"], facts={"seat": h.said["seat"], "user": h.entry.actor_id})


def seat_freed(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.said.get("how") == "left":
        yield To(person=h.said["user"], facts={"seat": h.said["seat"]})
    elif h.act == "seat" and h.said.get("from") is not None:
        yield To(person=h.said["from"], facts={"seat": h.said["seat"]})


def _standing_in(h: Happening) -> dict[str, Any]:
    return {"contest": h.said["battle"], "seat": h.entry.seat, "user": h.said["user"]}


def stands_in(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("substitute", "named"):
        yield To(person=h.said["user"], facts=_standing_in(h))


def stood_for(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("substitute", "named"):
        yield To(h.entry.seat, facts=_standing_in(h))


def stands_in_ended(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("substitute", "ended"):
        yield To(person=h.said["user"], facts=_standing_in(h))
        yield To(h.entry.seat, facts=_standing_in(h))


def countersigner(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("countersigner", "named"):
        yield To(person=h.said["user"])


def die_awaited(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("die", "parked"):
        yield to_masters(purpose=h.said["purpose"])


def applied(h: Happening) -> Iterator[To]:
    if (h.act, h.said.get("how")) == ("lobby", "applied"):
        yield to_masters(user=h.entry.actor_id)


def life(h: Happening) -> Iterator[To]:
    """Paused, resumed, abandoned …"""
    if h.act in ("life", "host") and h.said["how"] in LIFE:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts={"how": h.said["how"], "reason": h.said.get("reason", "")})


def _all(h: Happening, facts: Mapping[str, Any]) -> Iterator[To]:
    for seat in (*h.seats, GAME_MASTER):
        yield To(seat, facts=facts)


def taken_over(h: Happening) -> Iterator[To]:
    """To all, and to who was game master, whom the seats do not tell."""
    if h.act == "master" and h.said.get("how") in ("took-over", "placed"):
        facts = {"user": h.said["user"], "reason": h.said.get("reason", "")}
        yield from _all(h, facts)
        yield To(person=h.said["from"], facts=facts)


def master_asked(h: Happening) -> Iterator[To]:
    """To all, and so to the game master who is not seen."""
    if (h.act, h.said.get("how")) == ("new-master", "asked"):
        yield from _all(h, {"seat": h.entry.seat, "days": h.said["days"]})


def ruled(h: Happening) -> Iterator[To]:
    if h.act == "ruling":
        for seat in h.seats:
            yield To(seat, facts={"ruling": h.said["ruling"], "rule": h.said["rule"]})


register(
    Kind("slot-open", gettext_noop("Your slot is open"), SEAT, ("nation", "seat"), open_slot, urgent=True, overtaken=slot_over)
)
register(Kind("next", gettext_noop("You are next"), SEAT, ("nation", "seat"), next_one, overtaken=slot_over))
register(Kind("challenged", gettext_noop("You are challenged"), SEAT, ("battle", "contest"), challenged, urgent=True))
register(Kind("attacked", gettext_noop("You are attacked"), SEAT, ("battle", "contest"), attacked, urgent=True))
register(Kind("may-start", gettext_noop("A battle may start"), SEAT, ("battle", "contest"), may_start, urgent=True))
register(Kind("set-up", gettext_noop("A battle is set up"), SEAT, ("battle", "contest"), set_up, urgent=True))
register(Kind("answered", gettext_noop("Your challenge is answered"), SEAT, ("battle", "contest"), answered))
register(Kind("result", gettext_noop("A battle of yours is decided"), SEAT, ("battle", "contest"), result))
register(Kind("claimed", gettext_noop("A result is claimed"), SEAT, ("battle", "contest"), claimed, urgent=True))
register(Kind("disputed", gettext_noop("A result is disputed"), SEAT, ("battle", "contest"), disputed, urgent=True))
register(Kind("turn-opened", gettext_noop("A turn opens"), TABLE, ("table",), turn_opened, public=True))
register(Kind("turn-closed", gettext_noop("A turn closes"), TABLE, ("reports",), turn_closed, public=True))
register(Kind("finished", gettext_noop("The campaign is over"), TABLE, ("table",), finished, public=True))
register(Kind("card-lost", gettext_noop("A card leaves your hand"), SEAT, ("nation", "seat"), card_lost))
register(Kind("correction", gettext_noop("A correction touches you"), SEAT, ("entry",), correction))
register(Kind("undone", gettext_noop("An undo touches you"), SEAT, ("entry",), undone))
register(Kind(TAKEN_BACK, gettext_noop("A move you were told of is taken back"), SEAT, ("entry",), taken_back))
register(Kind("restored", gettext_noop("A restoration touches you"), SEAT, ("entry",), restored))
register(Kind("seat-taken", gettext_noop("A seat is taken"), MASTERS, ("seats",), seat_taken))
register(Kind("seat-left", gettext_noop("A seat is free again"), MASTERS, ("seats",), seat_left))
register(Kind("seat-given", gettext_noop("A seat is yours"), SEAT, ("handover", "seat"), seat_given))
register(Kind("offered", gettext_noop("The campaign is offered to you"), TABLE, ("about",), offered, urgent=True))
register(Kind("seat-offered", gettext_noop("A seat is offered to you"), TABLE, ("about",), seat_offered, urgent=True))
register(Kind("seat-freed", gettext_noop("Your seat is taken from you"), SEAT, ("table",), seat_freed))
register(Kind("stands-in", gettext_noop("You stand in for somebody"), TABLE, ("battle", "contest"), stands_in, urgent=True))
register(Kind("stood-for", gettext_noop("Somebody stands in for you"), SEAT, ("battle", "contest"), stood_for))
register(Kind("stands-in-ended", gettext_noop("A substitute’s part ends early"), SEAT, ("battle", "contest"), stands_in_ended))
register(Kind("countersigner", gettext_noop("You are named countersigner"), TABLE, ("about",), countersigner))
register(Kind("die-awaited", gettext_noop("A die is waited for"), MASTERS, ("dice",), die_awaited, urgent=True))
register(Kind("applied", gettext_noop("Somebody applies for a seat"), MASTERS, ("table",), applied))
register(Kind("life", gettext_noop("The campaign is paused, resumed or ended"), TABLE, ("table",), life, public=True))
register(Kind("taken-over", gettext_noop("The campaign has another game master"), TABLE, ("about",), taken_over))
register(Kind("master-asked", gettext_noop("A new game master is asked for"), TABLE, ("about",), master_asked))
register(Kind("ruling", gettext_noop("The game master rules"), TABLE, ("rulings",), ruled, public=True))

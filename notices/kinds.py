"""What is told of any title's moves and of the table's acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop

from campaign import access, review
from campaign.clocks import selectors as clock_terms
from campaign.dice import selectors as dice_selectors
from campaign.log import positions
from campaign.log.acts.dice import MIX
from campaign.log.acts.rulings import COUNTERSIGN, OBJECT, OWN_ACCOUNT
from campaign.models import (
    ACTED,
    GAME_MASTER,
    MISSED,
    MOVED,
    SOON,
    TODAY,
    WORTH_TELLING,
    Campaign,
    Clock,
    LogEntry,
    Membership,
    StandingOrderResult,
)
from engine.strict_json import canonical, read
from games.contract.title import Coursed
from notices import texts
from notices.models import Notice
from notices.registry import MASTERS, SEAT, TABLE, Happening, Kind, To, register, to_masters, write
from notices.texts import LIFE

PURSE = "actions"
FOUGHT = "fighting"
TAKEN_BACK = "taken-back"


def slot_opened(h: Happening) -> bool:
    return (
        h.was is not None
        and bool(h.now.active_seat)
        and (h.was.turn, h.was.active_seat) != (h.now.turn, h.now.active_seat)
    )


def open_slot(h: Happening) -> Iterator[To]:
    if slot_opened(h):
        seat = h.now.active_seat
        left = h.campaign.game.rows(h.after).accounts.get((seat, PURSE))
        facts: dict[str, Any] = {"seat": seat, "turn": h.now.turn, "actions": left}
        if left is None:
            asked = next(
                (one.what for one in h.campaign.game.waiting(h.after) if one.seat == seat), None
            )
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
    """Whose slot comes after the one that opens, another's; empty where it is the last, or nobody
    can know.
    """
    game, now = h.campaign.game, h.now.active_seat
    if isinstance(game, Coursed):
        later = [one.seats for one in game.course(h.after) if not one.open and one.seats != (now,)]
        return later[0][0] if later and len(later[0]) == 1 else ""
    if now not in h.order or "order" not in game.view(h.after, None):
        return ""
    holders = game.rows(h.after).holders
    to_come = h.order[h.order.index(now) + 1 :]
    return next((seat for seat in to_come if not holders.get(seat, {}).get("fallen")), "")


CHALLENGED = "challenged"
RESULT = "result"


def _contest(number: int, facts: Any, **more: Any) -> dict[str, Any]:
    return {"contest": number, "other": facts.get("attacker") or "", **more}


def challenged(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if was is None and facts["status"] == "challenged" and facts.get("defender"):
            yield To(
                facts["defender"],
                about=str(number),
                facts=_contest(number, facts, target=facts.get("target") or ""),
            )


def attacked(h: Happening) -> Iterator[To]:
    """Yield notices of attacks that need no answer, and of defences that a nation leads, also in
    another's place.
    """
    for number, (was, facts) in h.contests.items():
        if facts["status"] == "resolved":
            continue
        leader = facts.get("leader")
        if leader and (was is None or was.get("leader") != leader):
            known = _contest(number, facts, target=facts.get("target") or "", leads=True)
            yield To(leader, about=str(number), facts=known)
        elif was is None and facts["status"] != "challenged" and facts.get("defender"):
            yield To(facts["defender"], about=str(number), facts=_contest(number, facts))


def may_start(h: Happening) -> Iterator[To]:
    """A challenge is accepted: both fight it out."""
    for number, (was, facts) in h.contests.items():
        if was is not None and was["status"] == "challenged" and facts["status"] == FOUGHT:
            for side in dict.fromkeys(
                (facts.get("attacker"), facts.get("defender"), facts.get("leader"))
            ):
                if side:
                    yield To(side, about=str(number), facts={"contest": number})
            yield from _stand_ins(h, number)


def _stand_ins(h: Happening, number: int) -> Iterator[To]:
    """Yield notices to the substitutes at a battle that a move changes."""
    held = Membership.objects.filter(
        campaign=h.campaign, role=Membership.Role.SUBSTITUTE, contest=number, until=None
    )
    for person in held.filter(launch__struck_by=None).values_list("user_id", flat=True):
        yield To(person=person, about=str(number), facts={"contest": number})


def set_up(h: Happening) -> Iterator[To]:
    """A player says that a battle stands ready in the game, to whoever fights it with them."""
    if h.act == "set-up":
        facts = {"contest": h.content["battle"], "other": h.entry.seat}
        for seat in _sides(h):
            yield To(seat, about=str(h.content["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def answered(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if (
            was is not None
            and was["status"] == "challenged"
            and facts["status"] != "challenged"
            and facts.get("attacker")
        ):
            other = facts.get("defender") or ""
            yield To(
                facts["attacker"],
                about=str(number),
                facts={**_contest(number, facts), "other": other},
            )


def result(h: Happening) -> Iterator[To]:
    for number, (was, facts) in h.contests.items():
        if (was is None or was["status"] == FOUGHT) and facts["status"] == "resolved":
            for side in dict.fromkeys(
                (facts.get("attacker"), facts.get("defender"), facts.get("leader"))
            ):
                if side:
                    yield To(side, about=str(number), facts={"contest": number})
            yield from _stand_ins(h, number)


def _sides(h: Happening) -> list[str]:
    """Who has a part in the battle that an act is about, but for who said it."""
    facts = h.campaign.game.rows(h.after).contests.get(h.content["battle"], {})
    sides = dict.fromkeys(facts.get(side) for side in ("attacker", "defender", "leader"))
    return [seat for seat in sides if seat and seat != h.entry.seat]


def _substitutes(h: Happening, facts: Mapping[str, Any]) -> Iterator[To]:
    """Who stands in at the battle that an act is about, but for the side that said it."""
    held = Membership.objects.filter(launch=h.entry.target, contest=h.content["battle"], until=None)
    for person in held.exclude(seat=h.entry.seat).values_list("user_id", flat=True):
        yield To(person=person, about=str(h.content["battle"]), facts=facts)


def claimed(h: Happening) -> Iterator[To]:
    if h.act == "claim":
        facts = {"contest": h.content["battle"], "other": h.entry.seat}
        for seat in _sides(h):
            yield To(seat, about=str(h.content["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def disputed(h: Happening) -> Iterator[To]:
    if h.act == "dispute":
        facts = {
            "contest": h.content["battle"],
            "other": h.entry.seat,
            "reason": h.content["reason"],
        }
        for seat in (*_sides(h), GAME_MASTER):
            yield To(seat, about=str(h.content["battle"]), facts=facts)
        yield from _substitutes(h, facts)


def turn_opened(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.turn > h.was.turn:
        for seat in h.seats:
            yield To(seat, facts={"turn": h.now.turn})


def fell(h: Happening) -> Iterator[To]:
    """Notify the seat whose nation falls by a move."""
    if h.before is None or not h.entry.is_move:
        return
    rows = h.campaign.game.rows
    was, now = rows(h.before).holders, rows(h.after).holders
    for seat in h.seats:
        if now.get(seat, {}).get("fallen") and not was.get(seat, {}).get("fallen"):
            yield To(seat, facts={"seat": seat, "turn": h.now.turn})


def turn_closed(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.phase == "closed" != h.was.phase:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts={"turn": h.now.turn})


def words_wanted(h: Happening) -> Iterator[To]:
    """When a turn has closed, and when a draw is named before which the words close: to each seat
    that has added none.
    """
    closed = h.was is not None and h.now.phase == "closed" != h.was.phase
    if not h.campaign.chance or not (closed or (h.act == MIX.name and h.content["how"] == "named")):
        return
    stage = dice_selectors.next_stage(h.campaign, h.now.turn, h.now.phase)
    if stage is not None and stage.takes_words(h.entry.at):
        for seat in clock_terms.words_missing(h.campaign, stage, h.after):
            yield To(seat, facts={"turn": stage.link})


def draw_named(h: Happening) -> Iterator[To]:
    """To each seat: who looks before the draw takes place knows that it was named before."""
    if h.act == MIX.name and h.content["how"] == "named":
        for seat in h.seats:
            yield To(seat, facts={"turn": h.content["turn"]})


def draw_entered(h: Happening) -> Iterator[To]:
    if h.act == MIX.name and h.content["how"] == "drawn":
        for seat in h.seats:
            yield To(seat, facts={"turn": h.content["turn"], "text": h.content["text"]})


def draw_refuted(h: Happening) -> Iterator[To]:
    """Notify everyone that dice were thrown with a typed drand value that is false."""
    if h.act == MIX.name and h.content["how"] == "refuted":
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts={"turn": h.content["turn"], "text": h.content["text"]})


def dice_ready(h: Happening) -> Iterator[To]:
    """The turn can open: the words have closed by themselves, and nothing else is waited for."""
    if h.act == MIX.name and h.content["how"] == "closed":
        stage = dice_selectors.stage(h.campaign, h.content["chain"], h.content["turn"])
        if stage.done and h.entry.actor is None:
            yield To(GAME_MASTER, facts={"turn": stage.link})


def nobody_told(h: Happening) -> Iterator[To]:
    """No entry tells of it: the draw's hour does (`notify_draw_fallen`)."""
    yield from ()


def finished(h: Happening) -> Iterator[To]:
    if h.was is not None and h.now.finished and not h.was.finished:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat)


def card_lost(h: Happening) -> Iterator[To]:
    """A card gone by another seat's move: stolen, or taken in trade. What only comes back to one's
    own hand is none.
    """
    if not h.entry.is_move or h.entry.seat not in h.seats:
        return
    cards = [effect for effect in h.effects if effect.kind == "card"]
    mine = {effect.cause.id for effect in cards if effect.holder == h.entry.seat}
    for seat in h.seats:
        known = [
            effect
            for effect in cards
            if effect.holder == seat != h.entry.seat and h.seen(effect, seat)
        ]
        lost: Counter[str] = Counter()
        for effect in known:
            lost[effect.subject] -= effect.change
        if any(
            effect.change < 0 and (lost[effect.subject] > 0 or effect.cause.id in mine)
            for effect in known
        ):
            yield To(seat, facts={"seat": seat, "other": h.entry.seat})


def correction(h: Happening) -> Iterator[To]:
    """A game master's own move with a reason, to all whom it changed to their knowledge."""
    if h.entry.is_move and h.entry.seat == GAME_MASTER and "reason" in h.content:
        for seat in h.seats:
            if any(effect.holder == seat and h.seen(effect, seat) for effect in h.effects):
                yield To(seat)


def undo_recipients(h: Happening) -> Iterator[To]:
    if h.act == "undo" and not h.content.get("own"):
        for seat in h.touched():
            yield To(seat, facts={"after": h.content["after"], "reason": h.content["reason"]})


def taken_back(h: Happening) -> Iterator[To]:
    """A seat took back what others had been told of: what they were told is so no more."""
    if h.act == "undo" and h.content.get("own") and h.entry.number is not None:
        seats = set(Notice.objects.filter(entry__in=h.struck).values_list("seat", flat=True)) - {
            "",
            h.entry.seat,
        }
        for seat in sorted(seats):
            yield To(seat, facts={"seat": h.entry.seat})


def restored(h: Happening) -> Iterator[To]:
    if h.act == "restore":
        for seat in h.touched():
            yield To(seat, facts={"undo": h.content["undo"], "reason": h.content["reason"]})


SITS = ("taken", "given", "drawn", "seated")
"""How a seat comes to somebody: by a link, from its holder, by the draw, from the reserve."""


def seat_taken(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.content.get("how") in SITS:
        yield to_masters(seat=h.content["seat"], user=h.content["user"])


def seat_left(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.content.get("how") == "left":
        yield to_masters(seat=h.content["seat"], user=h.content["user"])


def seat_given(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.content.get("how") in SITS:
        yield To(
            person=h.content["user"], facts={"seat": h.content["seat"], "how": h.content["how"]}
        )


def offered(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("master", "offered"):
        yield To(person=h.content["user"], facts={"user": h.entry.actor_id})


def seat_offered(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("seat", "offered"):
        yield To(
            person=h.content["user"], facts={"seat": h.content["seat"], "user": h.entry.actor_id}
        )


def seat_freed(h: Happening) -> Iterator[To]:
    if h.act == "seat" and h.content.get("how") == "left":
        yield To(person=h.content["user"], facts={"seat": h.content["seat"]})
    elif h.act == "seat" and h.content.get("from") is not None:
        yield To(person=h.content["from"], facts={"seat": h.content["seat"]})


def _standing_in(h: Happening) -> dict[str, Any]:
    return {"contest": h.content["battle"], "seat": h.entry.seat, "user": h.content["user"]}


def stands_in(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("substitute", "named"):
        yield To(person=h.content["user"], facts=_standing_in(h))


def stood_for(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("substitute", "named"):
        yield To(h.entry.seat, facts=_standing_in(h))


def stands_in_ended(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("substitute", "ended"):
        yield To(person=h.content["user"], facts=_standing_in(h))
        yield To(h.entry.seat, facts=_standing_in(h))


def countersigner(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("countersigner", "named"):
        yield To(person=h.content["user"])


def die_awaited(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("die", "parked"):
        yield to_masters(purpose=h.content["purpose"])


def applied(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("lobby", "applied"):
        yield to_masters(user=h.entry.actor_id)


def life(h: Happening) -> Iterator[To]:
    """Paused, resumed, abandoned …"""
    if h.act in ("life", "host") and h.content["how"] in LIFE:
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts={"how": h.content["how"], "reason": h.content.get("reason", "")})


def _all(h: Happening, facts: Mapping[str, Any]) -> Iterator[To]:
    for seat in (*h.seats, GAME_MASTER):
        yield To(seat, facts=facts)


def taken_over(h: Happening) -> Iterator[To]:
    """To all, and to who was game master, whom the seats do not tell."""
    if h.act == "master" and h.content.get("how") in ("took-over", "placed"):
        facts = {"user": h.content["user"], "reason": h.content.get("reason", "")}
        yield from _all(h, facts)
        yield To(person=h.content["from"], facts=facts)


def master_asked(h: Happening) -> Iterator[To]:
    """To all, and so to the game master who is not seen."""
    if (h.act, h.content.get("how")) == ("new-master", "asked"):
        yield from _all(h, {"seat": h.entry.seat, "days": h.content["days"]})


def ruled(h: Happening) -> Iterator[To]:
    if h.act == "ruling":
        for seat in h.seats:
            yield To(seat, facts={"ruling": h.content["ruling"], "rule": h.content["rule"]})


def amendment_proposed(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) == ("amendment", "proposed"):
        for seat in h.seats:
            facts = {"amendment": h.content["amendment"], "turn": h.content["turn"]}
            yield To(
                seat, about=str(h.entry.number), facts={**facts, "reason": h.content["reason"]}
            )


def amendment_answered(h: Happening) -> Iterator[To]:
    if (h.act, h.content.get("how")) in (("amendment", "agreed"), ("amendment", "refused")):
        facts = {
            "amendment": h.content["amendment"],
            "how": h.content["how"],
            "seat": h.entry.seat,
            "reason": h.content.get("reason", ""),
        }
        yield To(GAME_MASTER, about=str(h.entry.number), facts=facts)


register(
    Kind(
        "slot-open",
        gettext_noop("Your slot is open"),
        SEAT,
        ("nation", "seat"),
        open_slot,
        urgent=True,
        overtaken=slot_over,
    )
)
register(
    Kind(
        "next",
        gettext_noop("You are next"),
        SEAT,
        ("nation", "seat"),
        next_one,
        overtaken=slot_over,
    )
)
register(
    Kind(
        CHALLENGED,
        gettext_noop("You are challenged"),
        SEAT,
        ("battle", "contest"),
        challenged,
        urgent=True,
    )
)
register(
    Kind(
        "attacked",
        gettext_noop("You are attacked"),
        SEAT,
        ("battle", "contest"),
        attacked,
        urgent=True,
    )
)
register(
    Kind(
        "may-start",
        gettext_noop("A battle may start"),
        SEAT,
        ("battle", "contest"),
        may_start,
        urgent=True,
    )
)
register(
    Kind(
        "set-up",
        gettext_noop("A battle is set up"),
        SEAT,
        ("battle", "contest"),
        set_up,
        urgent=True,
    )
)
register(
    Kind(
        "answered",
        gettext_noop("Your challenge is answered"),
        SEAT,
        ("battle", "contest"),
        answered,
    )
)
register(
    Kind(RESULT, gettext_noop("A battle of yours is decided"), SEAT, ("battle", "contest"), result)
)
register(
    Kind(
        "claimed",
        gettext_noop("A result is claimed"),
        SEAT,
        ("battle", "contest"),
        claimed,
        urgent=True,
    )
)
register(
    Kind(
        "disputed",
        gettext_noop("A result is disputed"),
        SEAT,
        ("battle", "contest"),
        disputed,
        urgent=True,
    )
)
register(Kind("fell", gettext_noop("Your nation falls"), SEAT, ("nation", "seat"), fell))
register(
    Kind("turn-opened", gettext_noop("A turn opens"), TABLE, ("table",), turn_opened, public=True)
)
register(
    Kind(
        "turn-closed", gettext_noop("A turn closes"), TABLE, ("reports",), turn_closed, public=True
    )
)
register(
    Kind("finished", gettext_noop("The campaign is over"), TABLE, ("table",), finished, public=True)
)
register(
    Kind("card-lost", gettext_noop("A card leaves your hand"), SEAT, ("nation", "seat"), card_lost)
)
register(Kind("correction", gettext_noop("A correction touches you"), SEAT, ("entry",), correction))
register(Kind("undone", gettext_noop("An undo touches you"), SEAT, ("entry",), undo_recipients))
register(
    Kind(
        TAKEN_BACK,
        gettext_noop("A move in one of your notices is taken back"),
        SEAT,
        ("entry",),
        taken_back,
    )
)
register(Kind("restored", gettext_noop("A restoration touches you"), SEAT, ("entry",), restored))
register(Kind("seat-taken", gettext_noop("A seat is taken"), MASTERS, ("seats",), seat_taken))
register(Kind("seat-left", gettext_noop("A seat is free again"), MASTERS, ("seats",), seat_left))
register(
    Kind("seat-given", gettext_noop("A seat is yours"), SEAT, ("handover", "seat"), seat_given)
)
register(
    Kind(
        "offered",
        gettext_noop("The campaign is offered to you"),
        TABLE,
        ("about",),
        offered,
        urgent=True,
    )
)
register(
    Kind(
        "seat-offered",
        gettext_noop("A seat is offered to you"),
        TABLE,
        ("about",),
        seat_offered,
        urgent=True,
    )
)
register(
    Kind("seat-freed", gettext_noop("Your seat is taken from you"), SEAT, ("table",), seat_freed)
)
register(
    Kind(
        "stands-in",
        gettext_noop("You are a substitute"),
        TABLE,
        ("battle", "contest"),
        stands_in,
        urgent=True,
    )
)
register(
    Kind(
        "stood-for",
        gettext_noop("Somebody is your substitute"),
        SEAT,
        ("battle", "contest"),
        stood_for,
    )
)
register(
    Kind(
        "stands-in-ended",
        gettext_noop("A substitute’s part ends early"),
        SEAT,
        ("battle", "contest"),
        stands_in_ended,
    )
)
register(
    Kind(
        "countersigner",
        gettext_noop("You are named countersigner"),
        TABLE,
        ("about",),
        countersigner,
    )
)
register(
    Kind(
        "die-awaited",
        gettext_noop("The table waits for a die"),
        MASTERS,
        ("dice",),
        die_awaited,
        urgent=True,
    )
)
register(
    Kind(
        "words-wanted",
        gettext_noop("Words for the dice are asked of you"),
        SEAT,
        ("dice",),
        words_wanted,
        urgent=True,
    )
)
register(Kind("draw-named", gettext_noop("A public draw is named"), TABLE, ("dice",), draw_named))
register(
    Kind("draw-entered", gettext_noop("A public draw is entered"), TABLE, ("dice",), draw_entered)
)
register(
    Kind(
        "draw-refuted",
        gettext_noop("A false public draw has been entered"),
        TABLE,
        ("dice",),
        draw_refuted,
    )
)
register(
    Kind(
        "dice-ready",
        gettext_noop("The next dice are mixed"),
        MASTERS,
        ("dice",),
        dice_ready,
        urgent=True,
    )
)
register(
    Kind(
        "draw-fallen",
        gettext_noop("A public draw has taken place"),
        MASTERS,
        ("dice",),
        nobody_told,
        urgent=True,
    )
)
register(Kind("applied", gettext_noop("Somebody applies for a seat"), MASTERS, ("table",), applied))
register(
    Kind(
        "life",
        gettext_noop("The campaign is paused, resumed or ended"),
        TABLE,
        ("table",),
        life,
        public=True,
    )
)
register(
    Kind(
        "taken-over",
        gettext_noop("The campaign has another game master"),
        TABLE,
        ("about",),
        taken_over,
    )
)
register(
    Kind(
        "master-asked",
        gettext_noop("A new game master is asked for"),
        TABLE,
        ("about",),
        master_asked,
    )
)
register(
    Kind("ruling", gettext_noop("The game master rules"), TABLE, ("rulings",), ruled, public=True)
)
register(
    Kind(
        "amendment",
        gettext_noop("A change of the rules is proposed"),
        SEAT,
        ("amendments",),
        amendment_proposed,
        urgent=True,
    )
)
register(
    Kind(
        "amendment-answer",
        gettext_noop("A proposal of yours is answered"),
        MASTERS,
        ("amendments",),
        amendment_answered,
    )
)


# Notices of absence: to the game masters, and to those whose open battles are against who is away;
# of standing orders.


def absent(h: Happening) -> Iterator[To]:
    if h.act == "absence":
        yield To(
            GAME_MASTER, facts={key: h.content[key] for key in ("how", "user", "first", "last")}
        )


def opponent_absent(h: Happening) -> Iterator[To]:
    """Each seat that stands against one of theirs in a battle that runs, once a battle."""
    if h.act != "absence":
        return
    held = Membership.objects.filter(
        campaign=h.campaign, user=h.content["user"], role=Membership.Role.SEAT, until=None
    )
    own = set(held.values_list("seat", flat=True))
    facts = {key: h.content[key] for key in ("how", "user", "first", "last")}
    for number, known in h.campaign.game.rows(h.after).contests.items():
        sides = [
            side
            for side in (known.get("attacker"), known.get("defender") or known.get("leader"))
            if side
        ]
        if known["status"] != "resolved" and own & set(sides):
            for seat in sides:
                if seat not in own:
                    yield To(seat, about=str(number), facts={**facts, "contest": number})


def order_spoke(h: Happening) -> Iterator[To]:
    """To the seat's holder, who is away perhaps; what was said stands in the log."""
    if h.act == "standing":
        yield To(h.entry.seat, facts={"seat": h.entry.seat, "contest": h.content.get("battle")})


def played_solo(h: Happening) -> Iterator[To]:
    """To both sides: who is away, and who plays on alone."""
    if h.act == "solo":
        how = f"{h.content['how']}-program" if "level" in h.content else h.content["how"]
        known = h.campaign.game.rows(h.after).contests.get(h.content["battle"], {})
        for seat in (known.get("attacker"), known.get("defender") or known.get("leader")):
            if seat:
                yield To(
                    seat,
                    about=str(h.content["battle"]),
                    facts={"contest": h.content["battle"], "seat": h.entry.seat, "how": how},
                )


def program_at_seat(h: Happening) -> Iterator[To]:
    """To all: a program holds a seat from now on, or leaves it."""
    if h.act == "program":
        facts = {
            "seat": h.entry.seat,
            "how": h.content["how"],
            "level": h.content["level"],
            "reason": h.content.get("reason", ""),
        }
        yield from _all(h, facts)


def nobody(h: Happening) -> Iterator[To]:
    """No entry tells of it: `notices.kinds` does."""
    yield from ()


register(Kind("absence", gettext_noop("Somebody is away"), MASTERS, ("seats",), absent))
register(
    Kind(
        "opponent-absent",
        gettext_noop("Your opponent is away"),
        SEAT,
        ("battle", "contest"),
        opponent_absent,
    )
)
register(
    Kind(
        "order-spoke",
        gettext_noop("Your standing order acts"),
        SEAT,
        ("standing", "seat"),
        order_spoke,
    )
)
register(
    Kind(
        "order-skipped",
        gettext_noop("Your standing order was skipped"),
        SEAT,
        ("standing", "seat"),
        nobody,
        urgent=True,
    )
)
register(
    Kind(
        "program",
        gettext_noop("A program holds a seat, or leaves it"),
        TABLE,
        ("nation", "seat"),
        program_at_seat,
    )
)
register(
    Kind(
        "solo",
        gettext_noop("A battle of yours is played solo"),
        SEAT,
        ("battle", "contest"),
        played_solo,
    )
)


# Notices of countersignatures: to those who are asked, to the game masters when somebody has
# looked, to everybody when somebody objects.


def to_countersign(h: Happening) -> Iterator[To]:
    """What concerns the game master's own seat is told by the act that asks: once is enough."""
    if review.may_be_countersigned(h.entry) and not _master_seats_concerned(h):
        held = Membership.objects.filter(
            campaign=h.campaign, role=Membership.Role.COUNTERSIGNER, until=None
        )
        for person in held.values_list("user_id", flat=True):
            yield To(
                person=person,
                facts={"entry": h.entry.number, "reason": h.content.get("reason", "")},
            )


def _master_seats_concerned(h: Happening) -> frozenset[str]:
    """Those of the game master's own seats that the entry concerns."""
    seats = review.own_seats(h.campaign, h.entry.actor, access.access_of(h.campaign, h.entry.actor))
    if not seats:
        return frozenset()
    if h.entry.is_move:
        return review.of_move(h.campaign, h.content, h.effects, seats, h.before, h.after)
    if "battle" in h.content:
        return review.of_contest(h.campaign, h.content["battle"], seats, h.after)
    return review.of_struck(h.struck, seats)


def own_account(h: Happening) -> Iterator[To]:
    if h.act == OWN_ACCOUNT.name and h.entry.target is not None:
        facts = {"entry": h.content["entry"], "reason": h.entry.target.content.get("reason", "")}
        for one in review.seats_to_countersign(
            access.places(h.campaign), h.entry.actor_id, h.content["seats"]
        ):
            yield To(person=one.user_id, facts=facts)


def settled(notice: Notice) -> bool:
    """Is what may be countersigned undone by now, or has somebody signed?"""
    target = notice.entry.target
    if target is None or target.struck_by_id is not None:
        return True
    return review.marks_under(notice.campaign, [target.pk], (COUNTERSIGN.name,)).exists()


def was_countersigned(h: Happening) -> Iterator[To]:
    if h.act == COUNTERSIGN.name:
        yield to_masters(entry=h.content["entry"], user=h.entry.actor_id)


def objected(h: Happening) -> Iterator[To]:
    """To all, and to who is asked beside them."""
    if h.act == OBJECT.name:
        facts = {
            "entry": h.content["entry"],
            "user": h.entry.actor_id,
            "reason": h.content["reason"],
        }
        for seat in (*h.seats, GAME_MASTER):
            yield To(seat, facts=facts)
        named = Membership.objects.filter(
            campaign=h.campaign, role=Membership.Role.COUNTERSIGNER, until=None
        )
        for person in named.exclude(user=h.entry.actor).values_list("user_id", flat=True):
            yield To(person=person, facts=facts)


register(
    Kind(
        "to-countersign",
        gettext_noop("A correction, undo or judgment may be countersigned"),
        TABLE,
        ("entry",),
        to_countersign,
    )
)
OWN_NAME = gettext_noop("You are asked to countersign what concerns the game master’s own nation")
register(Kind("own-account", OWN_NAME, TABLE, ("entry", "entry"), own_account, overtaken=settled))
register(
    Kind(
        "countersigned",
        gettext_noop("An entry is countersigned"),
        MASTERS,
        ("entry", "entry"),
        was_countersigned,
    )
)
register(
    Kind(
        "objected",
        gettext_noop("Somebody objects to an act of the game master"),
        TABLE,
        ("entry", "entry"),
        objected,
    )
)


# The notices about clocks: `notify_of_clock` is `hooks.clock_event`.


def nobody_yet(happening: Happening) -> Iterator[To]:
    """No entry tells of it by itself: the clock does."""
    yield from ()


def overtaken(notice: Notice) -> bool:
    """Was what is due done meanwhile, or the deadline moved?"""
    facts = notice.known
    clock = Clock.objects.filter(pk=facts["clock"]).first()
    if clock is None or clock.ended_at is not None or clock.held:
        return True
    return abs(clock.due_at - datetime.fromisoformat(facts["due"])) >= WORTH_TELLING


KINDS = {
    SOON: Kind(
        "clock-soon",
        gettext_noop("A deadline comes near"),
        SEAT,
        ("deadline",),
        nobody_yet,
        urgent=True,
        overtaken=overtaken,
    ),
    TODAY: Kind(
        "clock-today",
        gettext_noop("A deadline is today"),
        SEAT,
        ("deadline",),
        nobody_yet,
        urgent=True,
        overtaken=overtaken,
    ),
    MOVED: Kind(
        "clock-moved",
        gettext_noop("A deadline is moved"),
        SEAT,
        ("deadline",),
        nobody_yet,
        urgent=True,
        overtaken=overtaken,
    ),
    ACTED: Kind(
        "clock-acted",
        gettext_noop("The clock has acted"),
        SEAT,
        ("entry",),
        nobody_yet,
        urgent=True,
    ),
    MISSED: Kind(
        "clock-missed",
        gettext_noop("A deadline has passed"),
        MASTERS,
        ("desk",),
        nobody_yet,
        urgent=True,
        overtaken=overtaken,
    ),
}
for _kind in KINDS.values():
    register(_kind)


def notify_of_clock(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    """Write to each whom it concerns, once for each deadline: `about` holds it, so a moved one is
    told anew.
    """
    kind = KINDS.get(what)
    if kind is None or not _is_told(clock, what):
        return
    entry: LogEntry = facts.get("entry") or clock.entry
    known = texts.facts_of(clock)
    if what == MOVED:
        known |= {"was": facts["was"].isoformat(), "reason": facts.get("reason") or ""}
    text = canonical(known)
    about = f"{clock.pk}/{clock.due_at:%Y%m%dT%H%M%SZ}"
    write(
        [
            Notice(
                user_id=user,
                campaign_id=clock.campaign_id,
                entry=entry,
                kind=kind.key,
                about=about,
                seat=seat,
                facts=text,
                at=at,
            )
            for user, seat in sorted(_whom(clock, what))
            if what != MOVED or user != entry.actor_id
        ]
    )


def _is_told(clock: Clock, what: str) -> bool:
    """Do the campaign's terms want this of such a clock?"""
    terms = clock_terms.terms_of(clock.campaign)[clock.kind]
    if terms is None:
        return True
    if what == MISSED:
        return terms.asks
    if what == SOON:
        return terms.reminds == clock_terms.BOTH
    return what != TODAY or terms.reminds != clock_terms.SILENT


def notify_draw_fallen(campaign: Campaign, named: LogEntry, turn: int, at: datetime) -> None:
    """To the game masters: a public draw has fallen, which they named and now enter.
    `hooks.draw_fallen`.
    """
    masters = Membership.objects.filter(campaign=campaign, role__in=Membership.MASTERS, until=None)
    write(
        [
            Notice(
                user_id=user,
                campaign=campaign,
                entry=named,
                kind="draw-fallen",
                seat=GAME_MASTER,
                at=at,
                facts=canonical({"turn": turn}),
            )
            for user in masters.values_list("user_id", flat=True)
        ]
    )


def _whom(clock: Clock, what: str) -> set[tuple[int, str]]:
    """User ids, and as which seat each is told: who is waited for, for a turn who sits there, the
    game masters of what was missed, moved or done by the clock.
    """
    role = Membership.Role
    held = Membership.objects.filter(campaign_id=clock.campaign_id, until=None)
    asked = Q(pk=None)
    if what != MISSED:
        seats = Q(role=role.SEAT)
        asked |= seats if clock.kind == Clock.Kind.TURN else seats & Q(seat__in=clock.seats)
        if clock.contest is not None:
            asked |= Q(role=role.SUBSTITUTE, contest=clock.contest, seat__in=clock.seats)
    if what in (MISSED, ACTED, MOVED) or clock.kind == Clock.Kind.TURN:
        asked |= Q(role__in=Membership.MASTERS)
    people: dict[int, str] = {}
    for user, as_what, seat in (
        held.filter(asked).order_by("pk").values_list("user_id", "role", "seat")
    ):
        mine = (
            GAME_MASTER if as_what in Membership.MASTERS else seat if as_what == role.SEAT else ""
        )
        people[user] = mine if user not in people or mine != GAME_MASTER else people[user]
    return set(people.items())


# What seats write to each other (`talk.services`), and what they proclaim. No notice has anything
# of a message's text.

MESSAGE = "message"


def proclaimed(h: Happening) -> Iterator[To]:
    """To everybody but who published it."""
    if h.act == "press":
        facts = {"seat": h.entry.seat, "headline": h.content["headline"]}
        for seat in (*h.seats, GAME_MASTER):
            if seat != h.entry.seat:
                yield To(seat, facts=facts)


def sight_changed(h: Happening) -> Iterator[To]:
    if h.act == "sight":
        yield from _all(h, {"sight": h.content["how"]})


def read_meanwhile(notice: Notice) -> bool:
    """Was the thread opened since?"""
    return Notice.objects.filter(pk=notice.pk, read_at__isnull=False).exists()


register(
    Kind(
        MESSAGE,
        gettext_noop("Somebody writes to you"),
        SEAT,
        ("talk_thread", "thread"),
        nobody_yet,
        overtaken=read_meanwhile,
    )
)
register(
    Kind(
        "press",
        gettext_noop("A seat publishes a proclamation"),
        TABLE,
        ("press",),
        proclaimed,
        public=True,
    )
)
register(
    Kind(
        "sight",
        gettext_noop("The rule about messages changes"),
        TABLE,
        ("talk",),
        sight_changed,
        urgent=True,
    )
)


def notify_of_message(
    campaign: Campaign, people: Mapping[int, str], facts: Mapping[str, Any], at: datetime
) -> None:
    """One unread notice a thread at most: who has not looked yet is not told again.
    `hooks.message_posted`.
    """
    kind, about = MESSAGE, f"{facts['thread']}/"
    waiting = Notice.objects.filter(
        campaign=campaign, kind=kind, about__startswith=about, read_at=None, user__in=list(people)
    )
    told_already = set(waiting.values_list("user_id", flat=True))
    entry = campaign.entries.earliest(
        "sequence"
    )  # a notice is of some entry: of the first, which nobody strikes
    text = canonical({"thread": facts["thread"], "seat": facts["seat"]})
    about += f"{at:%Y%m%dT%H%M%S%fZ}"
    write(
        [
            Notice(
                user_id=user,
                campaign=campaign,
                entry=entry,
                kind=kind,
                about=about,
                seat=seat,
                facts=text,
                at=at,
            )
            for user, seat in sorted(people.items())
            if user not in told_already
        ]
    )


# What people report, and what moderators do about it (`moderation.services`): no entry tells of it.

REPORTED, SETTLED, TEXT_REMOVED, WARNED = (
    "message-reported",
    "report-settled",
    "text-removed",
    "warned",
)
register(Kind(REPORTED, gettext_noop("A text is reported"), MASTERS, ("reported",), nobody_yet))
register(Kind(SETTLED, gettext_noop("Your report is looked at"), SEAT, ("about",), nobody_yet))
register(
    Kind(
        TEXT_REMOVED,
        gettext_noop("A moderator removes a text of yours"),
        SEAT,
        ("about",),
        nobody_yet,
        urgent=True,
    )
)
register(
    Kind(WARNED, gettext_noop("A moderator warns you"), SEAT, ("about",), nobody_yet, urgent=True)
)


# A reminder that a game master sends by hand (`notices.services.remind`): no entry tells of it.

REMINDED = "reminded"


def no_longer_waited_for(notice: Notice) -> bool:
    """Was what the reminder asks for done meanwhile?"""
    facts, campaign = notice.known, notice.campaign
    if "clock" in facts:
        return not Clock.objects.filter(pk=facts["clock"], ended_at=None).exists()
    waiting = campaign.game.waiting(positions.current(campaign))
    return not any(
        (one.seat, one.contest) == (notice.seat or one.seat, facts.get("contest"))
        for one in waiting
    )


REMINDED_NAME = gettext_noop("The game master reminds you")
register(
    Kind(
        REMINDED,
        REMINDED_NAME,
        SEAT,
        ("deadline",),
        nobody_yet,
        urgent=True,
        overtaken=no_longer_waited_for,
    )
)


# The notices of what was switched off since nothing arrived there any more: of a channel on the
# bell of who set it up, of a webhook to the campaign's game masters.

CHANNEL_OFF = "channel-off"
WEBHOOK_OFF = "webhook-off"
"""It names no address: that goes with who set it up."""
register(
    Kind(
        WEBHOOK_OFF,
        gettext_noop("A webhook is switched off"),
        MASTERS,
        ("webhooks",),
        nobody_yet,
        urgent=True,
    )
)
register(
    Kind(
        CHANNEL_OFF,
        gettext_noop("A channel is switched off"),
        TABLE,
        ("channels",),
        nobody_yet,
        urgent=True,
    )
)


# The kinds in the order in which one chooses among them.

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        gettext_noop("Your turn to act"),
        (
            "slot-open",
            "next",
            "challenged",
            "attacked",
            "claimed",
            "may-start",
            "set-up",
            "stands-in",
            "die-awaited",
            "words-wanted",
            "draw-fallen",
            "dice-ready",
            "seat-offered",
            "offered",
            "own-account",
        ),
    ),
    (
        gettext_noop("Deadlines"),
        ("clock-soon", "clock-today", "reminded", "clock-moved", "clock-acted", "clock-missed"),
    ),
    (
        gettext_noop("Battles"),
        (
            "answered",
            "result",
            "disputed",
            "stood-for",
            "stands-in-ended",
            "opponent-absent",
            "solo",
        ),
    ),
    (
        gettext_noop("What touches you"),
        (
            "message",
            "fell",
            "card-lost",
            "correction",
            "undone",
            "taken-back",
            "restored",
            "order-spoke",
            "order-skipped",
            "seat-given",
            "seat-freed",
            "report-settled",
            "text-removed",
            "warned",
        ),
    ),
    (
        gettext_noop("The table"),
        (
            "turn-opened",
            "turn-closed",
            "draw-named",
            "draw-entered",
            "draw-refuted",
            "finished",
            "life",
            "program",
            "ruling",
            "press",
            "sight",
            "countersigner",
            "to-countersign",
            "objected",
        ),
    ),
    (
        gettext_noop("For game masters"),
        (
            "seat-taken",
            "seat-left",
            "applied",
            "countersigned",
            "absence",
            "post-failed",
            "post-doubtful",
            "thread-locked",
            "webhook-off",
            "message-reported",
        ),
    ),
)
"""Each kind stands in one of them; one that stands in none comes in the last (`of`)."""


def kinds_by_group(kinds: list[str]) -> list[tuple[str, list[str]]]:
    """These kinds by group, in order; a group without any is left out."""
    known = {key for _name, keys in GROUPS for key in keys}
    rest = [key for key in kinds if key not in known]
    groups = [(name, [key for key in keys if key in kinds]) for name, keys in GROUPS]
    groups[-1] = (groups[-1][0], groups[-1][1] + rest)
    return [(name, keys) for name, keys in groups if keys]


# To the game masters, when what leaves for them has failed or waits for one: `tell` is
# `forum.hooks.post_in_trouble`.

for _post_kind in (
    Kind(
        "post-failed",
        gettext_noop("A post has failed"),
        MASTERS,
        ("post", "post"),
        nobody_yet,
        urgent=True,
    ),
    Kind(
        "post-doubtful",
        gettext_noop("A post may or may not be there"),
        MASTERS,
        ("post", "post"),
        nobody_yet,
        urgent=True,
    ),
    Kind(
        "thread-locked",
        gettext_noop("A place refuses to let us post"),
        MASTERS,
        ("posts",),
        nobody_yet,
        urgent=True,
    ),
):
    register(_post_kind)


def notify_post_trouble(
    campaign: Campaign,
    entry: LogEntry,
    what: str,
    about: str,
    facts: Mapping[str, Any],
    at: datetime,
) -> None:
    """Write it to each of them."""
    held = Membership.objects.filter(campaign=campaign, until=None, role__in=Membership.MASTERS)
    text = canonical(facts)
    write(
        [
            Notice(
                user_id=user,
                campaign=campaign,
                entry=entry,
                kind=what,
                about=about,
                seat=GAME_MASTER,
                facts=text,
                at=at,
            )
            for user in sorted(set(held.values_list("user_id", flat=True)))
        ]
    )


# A standing order that the rules forbade, told to who gave it and to nobody else:
# `hooks.order_refused`.

SKIPPED = "order-skipped"


def notify_refused_order(note: StandingOrderResult, at: datetime) -> None:
    """Write it to the holder, once an order and question."""
    kept = note.orders
    facts = {
        "seat": kept.seat,
        "contest": note.contest,
        "refusal": read(note.refusal),
        "order": read(note.content),
    }
    row = Notice(
        user_id=kept.user_id,
        campaign_id=kept.campaign_id,
        entry=note.entry,
        kind=SKIPPED,
        seat=kept.seat,
        about=f"{note.question[:40]}/{kept.version}/{note.place}",
        facts=canonical(facts),
        at=at,
    )
    write([row])

"""Dice thrown elsewhere: the mode, and the die entered, with which what waited for it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.dice import selectors as dice_selectors
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.log import entries, moving, positions
from campaign.log.moving import Said, announce, must_not_wait
from campaign.log.talk import address
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.review import selectors, services
from campaign.seats import standing_orders
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import clean_text
from games import registry

LONGEST = 200


@transaction.atomic
def throw_by(campaign: Campaign, user: Any, by_hand: bool, *, now: datetime | None = None) -> Campaign:
    """From now on every new die is thrown elsewhere, or again by the program. Known ones stay as they are."""
    table = entries.lock(campaign)
    _must_be_master(table, user)
    if by_hand == table.by_hand:
        raise NotNow("not-now", _("The dice are thrown this way already."))
    if by_hand:
        _must_be_open(table)
    if not by_hand:
        must_not_wait(table)
    entries.append_act(table, user, {"act": dice_selectors.ACT, "how": "by-hand" if by_hand else "by-program"}, now=now)
    return table


@transaction.atomic
def give_die(
    campaign: Campaign, user: Any, purpose: str, value: object, url: str = "", *, now: datetime | None = None
) -> tuple[LogEntry, ...]:
    """Enter a die that was thrown elsewhere: the one that an announcement waits for, which is then played, or one that
    nobody has thrown yet. Everybody reads that it was entered by hand, and where to see it.

    Tells the entries: the die's own, and those of the announcement. Raises `Refused` where the value is not on the die,
    the purpose is none, or its die has fallen already, and where no die is entered by hand.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_master(table, user)
    _must_be_open(table)
    waits = dice_selectors.awaited(table)
    purpose = purpose.strip()
    if not clean_text(purpose, LONGEST) or not purpose:
        raise Refused("no-purpose", _("Name the purpose of the die as the dice page writes it, for example turn-2/card/huns."))
    if purpose in dice_selectors.entered_dice(table) or DiceRoll.objects.filter(entry__campaign=table, purpose=purpose).exists():
        raise Refused("thrown", _("This die was thrown already: a purpose is thrown once."))
    sides = waits.sides if waits is not None and waits.purpose == purpose else 0
    if type(value) is not int or (sides and not 1 <= value <= sides):
        raise Refused("off-the-die", _("The value is a whole number from 1 to %(sides)s.") % {"sides": sides or "…"})
    if not sides:
        if not _is_on(table, purpose, 1):
            raise Refused(
                "no-such-die", _("No die has this purpose. Name it as the dice page writes it, for example turn-2/card/huns.")
            )
        if not _is_on(table, purpose, value):
            raise Refused("off-the-die", _("This die has no side %(value)s.") % {"value": value})
    what = {"act": dice_selectors.ACT, "how": "given", "purpose": purpose, "value": value, "url": address(url)}
    entry = entries.append_act(table, user, what, now=at)
    if waits is None or waits.purpose != purpose:
        # Whom a die will favour that is known beforehand, nobody can tell.
        services.ask(table, user, entry, lambda seats: seats, at)
        return (entry,)
    parked = table.entries.filter(kind=LogEntry.Kind.TABLE, act=dice_selectors.ACT, how="parked").order_by("sequence").last()
    before = positions.current(table)
    written = _resume(table, parked.actor if parked else None, waits, at)
    services.ask(table, user, entry, partial(_favours, table, waits.move, written, before), at)
    return (entry, *written)


@transaction.atomic
def give_dice(
    campaign: Campaign, user: Any, values: Mapping[str, object], url: str = "", *, now: datetime | None = None
) -> tuple[LogEntry, ...]:
    """Enter the dice that the parked announcement waits for, one after the other, as far as they are among these: a die may
    decide that another is not thrown at all. Raises as `give_die` does; then none is entered."""
    table = entries.lock(campaign)
    written: list[LogEntry] = []
    while (waits := dice_selectors.awaited(table)) is not None and waits.purpose in values:
        written += give_die(table, user, waits.purpose, values[waits.purpose], url, now=now)
        table = entries.lock(table)
    if not written:
        raise Refused("no-die", _("Enter the die that the announcement waits for."))
    return tuple(written)


def _favours(
    table: Campaign, raw: Mapping[str, Any], written: Sequence[LogEntry], before: Any, seats: frozenset[str]
) -> frozenset[str]:
    """Those of the seats whose move waited for a die, or whom it touched once the die was there."""
    after, effects = positions.current(table), [one for entry in written for one in entry.all_effects]
    contests = table.game.rows(before).contests, table.game.rows(after).contests
    speaker = seats & {str(raw.get("for", raw["by"]))}
    return speaker | selectors.by_effects(effects, seats) | selectors.by_contests(*contests, seats)


def _resume(table: Campaign, actor: Any, waits: dice_selectors.Awaited, at: datetime) -> tuple[LogEntry, ...]:
    """Play what was parked, now that its die is there; where the rules have come to forbid it, or what is left of it, say so
    and let that go."""
    position = positions.current(table)
    try:
        move = moving.decoded(table, position, waits.move)
    except IllegalMove as refusal:
        announced = Said(position, refused=refusal)
    else:
        announced = announce(table, actor, position, move, positions.dice(table, new=True), at)
    moving.save_campaign(table, announced.position)
    written = list(announced.entries)
    if announced.refused is not None:
        drop = {"act": dice_selectors.ACT, "how": "dropped", "reason": ""}
        written.append(entries.append_act(table, None, drop, seat=str(waits.move.get("for", waits.move["by"])), now=at))
    if announced.receipts:
        standing_orders.at_once(table, announced.entries[len(announced.receipts) - 1], position, at)
    return tuple(written)


@transaction.atomic
def drop(campaign: Campaign, user: Any, reason: str = "", *, now: datetime | None = None) -> LogEntry:
    """Take a parked announcement back: who holds its seat, or the game master."""
    table = entries.lock(campaign)
    waits = dice_selectors.awaited(table)
    if waits is None:
        raise NotNow("not-now", _("No announcement waits for a die."))
    who = access.access_of(table, user)
    seat = str(waits.move.get("for", waits.move["by"]))
    if seat not in who.seats and not who.game_master:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    entries.must_be_seen(reason, _("Reason"))
    if reason and not clean_text(reason, 1000):
        raise Refused("bad-reason", _("A reason has up to 1,000 characters, all of which can be shown."))
    return entries.append_act(
        table, user, {"act": dice_selectors.ACT, "how": "dropped", "reason": reason.strip()}, seat=seat, now=now
    )


def _is_on(table: Campaign, purpose: str, value: int) -> bool:
    """May the die of this purpose show this value? Every die shows 1."""
    try:
        table.game.check_roll(positions.scenario(table), positions.options(table), purpose, value)
    except MalformedRecord:
        return False
    return True


def _must_be_open(table: Campaign) -> None:
    """Everybody reads a die that is entered: none is where hands are hidden, nor where the rules throw several at once."""
    if table.title in registry.PAGES or table.game.hides(positions.options(table)):
        raise Refused(
            "no-hand",
            _("Dice are entered by hand where every die is open and thrown alone: not with hidden hands, not in this game."),
        )


def _must_be_master(table: Campaign, user: Any) -> None:
    access.must_be_host(table, user)
    if not access.access_of(table, user).game_master:
        raise NotAllowed("plays", _("A game master who plays hidden hands enters no dice."))

"""Dice thrown elsewhere: the mode, and the die entered, with which what waited for it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import RENEW
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.lifecycle import status
from campaign.log import entries, positions
from campaign.log.entries import Said, announce, must_not_wait
from campaign.log.talk import address
from campaign.models import Campaign, DiceRenewal, DiceRoll, LogEntry
from campaign.review import selectors as review_selectors
from campaign.review import services
from campaign.seats import standing_orders
from engine.dice import commitment
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
    return speaker | review_selectors.by_effects(effects, seats) | review_selectors.by_contests(*contests, seats)


def _resume(table: Campaign, actor: Any, waits: dice_selectors.Awaited, at: datetime) -> tuple[LogEntry, ...]:
    """Play what was parked, now that its die is there; where the rules have come to forbid it, or what is left of it, say so
    and let that go."""
    position = positions.current(table)
    try:
        move = entries.decoded(table, position, waits.move)
    except IllegalMove as refusal:
        announced = Said(position, refused=refusal)
    else:
        announced = announce(table, actor, position, move, positions.dice(table, new=True), at)
    entries.save_campaign(table, announced.position)
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


# New dice in the course of a campaign (RECORD, Renewed dice).
#
# Dice that nobody has thrown yet must be known to nobody. They are renewed by an undo behind a published link, by the import of
# a record that has not finished, whose seed somebody may know, and by the game master in public. What was thrown keeps its value
# and its chain for good, struck or not.

IMPORT = "import"


class Fresh(NamedTuple):
    """A chain that nobody has seen: its seed, and what is published of it."""

    seed: str
    commitment: str


def fresh(table: Campaign) -> Fresh:
    seed = keys.new_secret()
    return Fresh(seed, commitment(seed, table.game.last_link(positions.scenario(table))))


def promise(table: Campaign, new: Fresh, user: Any, reason: str, position: Any, at: datetime, how: str = "") -> LogEntry:
    """The public entry that holds the commitment, where no undo's own entry does."""
    what = {"act": RENEW, "commitment": new.commitment, **({"how": how} if how else {}), **({"reason": reason} if reason else {})}
    return entries.append(table, what, position, actor=user, at=at)


def begin(table: Campaign, new: Fresh, entry: LogEntry, published: int) -> None:
    """From this entry on every purpose that was not thrown before comes from the new chain. `published` links of the chains
    before it were published; they stay so. Asks for a transaction that holds the row; the caller saves `Campaign.COPIES`."""
    table.dice_renewals.update(links_published=Greatest(F("links_published"), published))
    table.links_published = max(table.links_published, published)
    table.renewals += 1
    DiceRenewal.objects.create(
        campaign=table, number=table.renewals, entry=entry, seed_sealed=keys.seal(new.seed), commitment=new.commitment
    )


def on_import(table: Campaign, position: Any, at: datetime) -> None:
    """The dice of a record that has not finished: whoever brought it may know its seed."""
    new = fresh(table)
    begin(table, new, promise(table, new, None, "", position, at, IMPORT), table.game.links_due(position))
    table.save(update_fields=Campaign.COPIES)


@transaction.atomic
def renew_dice(campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None) -> LogEntry:
    """The game master renews the dice in public, between turns: after a leak, or where somebody doubts them.

    Raises `NotNow` in a slot, while an announcement waits for a die, before the start and after the end.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    reason = entries.a_reason(reason)
    if not may_renew(table):
        raise NotNow(
            "not-now", _("Dice are renewed between turns: wait until no slot is open and no announcement waits for a die.")
        )
    position, new = positions.current(table), fresh(table)
    entry = promise(table, new, user, reason, position, at)
    begin(table, new, entry, table.game.links_due(position))
    table.save(update_fields=Campaign.COPIES)
    return entry


def may_renew(campaign: Campaign) -> bool:
    """Between turns; in titles with a page of their own, where every die falls within a move, at any time."""
    if not campaign.started or campaign.ended or campaign.parked:
        return False
    return not campaign.active_seat or campaign.title in registry.PAGES

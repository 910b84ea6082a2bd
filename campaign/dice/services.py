"""What is done to the dice: thrown elsewhere and entered, renewed, mixed with the words of seats
and with public draws.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import access, hooks, keys, pulse, review, status
from campaign.clocks import services as clock_services
from campaign.clocks.selectors import words_missing
from campaign.dice import drand, selectors
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Stage
from campaign.errors import NotAllowed, NotNow, Refused, TableError
from campaign.log import entries, positions
from campaign.log.acts.dice import DIE, MIX, RENEW
from campaign.log.entries import Said, announce, must_not_wait
from campaign.log.talk import address
from campaign.models import Campaign, Clock, DiceRenewal, DiceRoll, LogEntry
from campaign.seats import standing_orders
from engine.dice import commitment
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import clean_text
from games import registry
from outgoing.client import Client, OutsideError

# Dice thrown elsewhere: the mode, and the die entered, with which what waited for it is played.


LOG = logging.getLogger(__name__)
LONGEST = 200
LONGEST_DRAW = 2000
"""The most characters of a typed draw."""


@transaction.atomic
def throw_by(
    campaign: Campaign, user: Any, by_hand: bool, *, now: datetime | None = None
) -> Campaign:
    """From now on every new die is thrown elsewhere, or again by the program. Known ones stay as
    they are.
    """
    table = entries.lock(campaign)
    _must_be_master(table, user)
    if by_hand == table.by_hand:
        raise NotNow("not-now", _("The dice are thrown this way already."))
    if by_hand:
        _must_be_open(table)
    if not by_hand:
        must_not_wait(table)
    entries.append_act(
        table,
        user,
        {"act": DIE.name, "how": "by-hand" if by_hand else "by-program"},
        now=now,
    )
    return table


@transaction.atomic
def give_die(
    campaign: Campaign,
    user: Any,
    purpose: str,
    value: object,
    url: str = "",
    *,
    now: datetime | None = None,
) -> tuple[LogEntry, ...]:
    """Enter a die that was thrown elsewhere: the one that an announcement waits for, which is then
    played, or one that nobody has thrown yet. Everybody reads that it was entered by hand, and
    where to see it.

    Tells the entries: the die's own, and those of the announcement. Raises `Refused` where the
    value is not on the die, the purpose is none, or its die has fallen already, and where no die is
    entered by hand.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_master(table, user)
    _must_be_open(table)
    waits = dice_selectors.awaited(table)
    purpose = purpose.strip()
    if not clean_text(purpose, LONGEST) or not purpose:
        raise Refused(
            "no-purpose",
            _(
                "Name the purpose of the die as the dice page writes it, for example"
                " turn-2/card/huns."
            ),
        )
    if (
        purpose in table.entered_dice
        or DiceRoll.objects.filter(entry__campaign=table, purpose=purpose).exists()
    ):
        raise Refused("thrown", _("This die was thrown already: a purpose is thrown once."))
    sides = waits.sides if waits is not None and waits.purpose == purpose else 0
    if type(value) is not int or (sides and not 1 <= value <= sides):
        raise Refused(
            "off-the-die",
            _("The value is a whole number from 1 to %(sides)s.") % {"sides": sides or "…"},
        )
    if not sides:
        if not _is_on(table, purpose, 1):
            raise Refused(
                "no-such-die",
                _(
                    "No die has this purpose. Name it as the dice page writes it, for example"
                    " turn-2/card/huns."
                ),
            )
        if not _is_on(table, purpose, value):
            raise Refused("off-the-die", _("This die has no side %(value)s.") % {"value": value})
    what = {
        "act": DIE.name,
        "how": "given",
        "purpose": purpose,
        "value": value,
        "url": address(url),
    }
    entry = entries.append_act(table, user, what, now=at)
    if waits is None or waits.purpose != purpose:
        # Whom a die will favour that is known beforehand, nobody can tell.
        review.ask(table, user, entry, lambda seats: seats, at)
        return (entry,)
    parked = (
        table.entries.filter(kind=LogEntry.Kind.TABLE, act=DIE.name, how="parked")
        .order_by("sequence")
        .last()
    )
    before = positions.current(table)
    written = _resume(table, parked.actor if parked else None, waits, at)
    review.ask(table, user, entry, partial(_favours, table, waits.move, written, before), at)
    return (entry, *written)


@transaction.atomic
def give_dice(
    campaign: Campaign,
    user: Any,
    values: Mapping[str, object],
    url: str = "",
    *,
    now: datetime | None = None,
) -> tuple[LogEntry, ...]:
    """Enter the dice that the parked announcement waits for, one after the other, as far as they
    are among these: a die may decide that another is not thrown at all. Raises as `give_die` does;
    then none is entered.
    """
    table = entries.lock(campaign)
    written: list[LogEntry] = []
    while (waits := dice_selectors.awaited(table)) is not None and waits.purpose in values:
        written += give_die(table, user, waits.purpose, values[waits.purpose], url, now=now)
        table = entries.lock(table)
    if not written:
        raise Refused("no-die", _("Enter the die that the announcement waits for."))
    return tuple(written)


def _favours(
    table: Campaign,
    raw: Mapping[str, Any],
    written: Sequence[LogEntry],
    before: Any,
    seats: frozenset[str],
) -> frozenset[str]:
    """Those of the seats whose move waited for a die, or whom it touched once the die was there."""
    after, effects = (
        positions.current(table),
        [one for entry in written for one in entry.all_effects],
    )
    contests = table.game.rows(before).contests, table.game.rows(after).contests
    speaker = seats & {str(raw.get("for", raw["by"]))}
    return speaker | review.by_effects(effects, seats) | review.by_contests(*contests, seats)


def _resume(
    table: Campaign, actor: Any, waits: dice_selectors.Awaited, at: datetime
) -> tuple[LogEntry, ...]:
    """Play what was parked, now that its die is there; where the rules have come to forbid it, or
    what is left of it, say so and let that go.
    """
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
        drop = {"act": DIE.name, "how": "dropped", "reason": ""}
        written.append(
            entries.append_act(
                table, None, drop, seat=str(waits.move.get("for", waits.move["by"])), now=at
            )
        )
    if announced.receipts:
        standing_orders.at_once(table, announced.entries[len(announced.receipts) - 1], position, at)
    return tuple(written)


@transaction.atomic
def drop(
    campaign: Campaign, user: Any, reason: str = "", *, now: datetime | None = None
) -> LogEntry:
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
        raise Refused(
            "bad-reason", _("A reason has up to 1,000 characters, all of which can be shown.")
        )
    return entries.append_act(
        table,
        user,
        {"act": DIE.name, "how": "dropped", "reason": reason.strip()},
        seat=seat,
        now=now,
    )


def _is_on(table: Campaign, purpose: str, value: int) -> bool:
    """May the die of this purpose show this value? Every die shows 1."""
    try:
        table.game.check_roll(positions.scenario(table), positions.options(table), purpose, value)
    except MalformedRecord:
        return False
    return True


def _must_be_open(table: Campaign) -> None:
    """Everybody reads a die that is entered: none is where hands are hidden, nor where the rules
    throw several at once.
    """
    if registry.has_board(table.title) or table.game.hides(positions.options(table)):
        raise Refused(
            "no-hand",
            _(
                "Dice are entered by hand where every die is open and thrown alone: not with hidden"
                " hands, not in this game."
            ),
        )


def _must_be_master(table: Campaign, user: Any) -> None:
    access.must_be_host(table, user)
    if not access.access_of(table, user).game_master:
        raise NotAllowed("plays", _("A game master who plays hidden hands enters no dice."))


# New dice in the course of a campaign (RECORD, Renewed dice).
#
# Dice that nobody has thrown yet must be known to nobody. They are renewed by an undo behind a
# published link, by the import of a record that has not finished, whose seed somebody may know, and
# by the game master in public. What was thrown keeps its value and its chain for good, struck or
# not.

IMPORT = "import"


class Fresh(NamedTuple):
    """A chain that nobody has seen: its seed, and what is published of it."""

    seed: str
    commitment: str


def fresh(table: Campaign) -> Fresh:
    seed = keys.new_secret()
    return Fresh(seed, commitment(seed, table.game.last_link(positions.scenario(table))))


def promise(
    table: Campaign, new: Fresh, user: Any, reason: str, position: Any, at: datetime, how: str = ""
) -> LogEntry:
    """The public entry that holds the commitment, where no undo's own entry does."""
    what = {
        "act": RENEW.name,
        "commitment": new.commitment,
        **({"how": how} if how else {}),
        **({"reason": reason} if reason else {}),
    }
    return entries.append(table, what, position, actor=user, at=at)


def begin(table: Campaign, new: Fresh, entry: LogEntry, published: int, position: Any) -> None:
    """From this entry on every purpose that was not thrown before comes from the new chain.
    `published` links of the chains before it were published; they stay so. Asks for a transaction
    that holds the row; the caller saves `Campaign.COPIES`.
    """
    table.dice_renewals.update(links_published=Greatest(F("links_published"), published))
    table.links_published = max(table.links_published, published)
    table.renewals += 1
    DiceRenewal.objects.create(
        campaign=table,
        number=table.renewals,
        entry=entry,
        seed_sealed=keys.seal(new.seed),
        commitment=new.commitment,
    )
    clock_services.reconcile_renewal(table, entry, position)


def on_import(table: Campaign, position: Any, at: datetime) -> None:
    """The dice of a record that has not finished: whoever brought it may know its seed."""
    new = fresh(table)
    begin(
        table,
        new,
        promise(table, new, None, "", position, at, IMPORT),
        table.game.links_due(position),
        position,
    )
    table.save(update_fields=Campaign.COPIES)


@transaction.atomic
def renew_dice(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """The game master renews the dice in public, between turns: after a leak, or where somebody
    doubts them.

    Raises `NotNow` in a slot, while an announcement waits for a die, before the start and after the
    end.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    reason = entries.a_reason(reason)
    if not may_renew(table):
        raise NotNow(
            "not-now",
            _(
                "Dice are renewed between turns: wait until no slot is open and no announcement"
                " waits for a die."
            ),
        )
    one = selectors.next_stage(table)
    if one is not None and not one.without and has_fallen(one, at):
        raise NotNow(
            "draw-fallen",
            _(
                "The public draw for the next dice has taken place, so no one can decline it. Open"
                " the turn first."
            ),
        )
    position, new = positions.current(table), fresh(table)
    entry = promise(table, new, user, reason, position, at)
    begin(table, new, entry, table.game.links_due(position), position)
    table.save(update_fields=Campaign.COPIES)
    return entry


def may_renew(campaign: Campaign) -> bool:
    """Between turns; in titles with a page of their own, where every die falls within a move, at
    any time.
    """
    if not campaign.started or campaign.ended or campaign.parked:
        return False
    return not campaign.active_seat or registry.has_board(campaign.title)


# Mixed dice: words of the seats and public draws, added to the dice of a turn before its first roll
# (RECORD, Mixed dice).
#
# Whoever runs the server knows the links. What is mixed in takes that knowledge away: words, as
# soon as one seat keeps theirs from the server's host; a public draw, as soon as it is named before
# it falls. So words close before the draw falls, a draw is named before it falls, and neither is
# changed once it counts.


LONGEST_WORDS = 200
"""Code points of words, and of a drawn number (RECORD)."""
LOTTO, DRAND, OTHER = "lotto", "drand", "other"
SOURCES = (LOTTO, DRAND, OTHER)
WHEELS = (
    "Bari",
    "Cagliari",
    "Firenze",
    "Genova",
    "Milano",
    "Napoli",
    "Palermo",
    "Roma",
    "Torino",
    "Venezia",
    "Nazionale",
)
"""The wheels of the Italian lottery, as its drawings print them."""
MOST_WHEELS = 8
"""More would not fit into the text of a draw."""
FARTHEST = timedelta(days=60)
RETRY = timedelta(minutes=10)
"""How long the worker waits before it asks drand again."""
PATIENCE = timedelta(days=30)
"""How long after a round the worker stops asking for it."""
MOST_NUMBERS = 20
LONG_HEX = re.compile(r"(?:0x)?(?=[0-9]*[a-f])[0-9a-f]{32,}", re.IGNORECASE)
"""A hash, such as that of a block: a number with hexadecimal digits."""


def _stage(table: Campaign) -> Stage:
    """What the next dice wait for. Raises `NotNow` where nothing is mixed in."""
    one = selectors.next_stage(table)
    if one is None:
        raise NotNow("not-mixed", _("Nothing is mixed into the dice of this campaign now."))
    return one


def _is_line(text: str) -> bool:
    """1 to 200 characters on one line, all of which can be shown."""
    return clean_text(text, LONGEST_WORDS) and text.splitlines() == [text]


def _append(
    table: Campaign, user: Any, one: Stage, how: str, at: datetime, **facts: Any
) -> LogEntry:
    """`facts` may name a seat, which is then the entry's."""
    what = {"act": MIX.name, "how": how, "chain": one.chain, "turn": one.link, **facts}
    return entries.append_act(table, user, what, seat=facts.get("seat", ""), now=at)


@transaction.atomic
def add_words(
    campaign: Campaign, user: Any, seat: str, text: str, *, now: datetime | None = None
) -> LogEntry:
    """A seat's words for the next turn; before the start for the start and turn 1. Everybody reads
    them at once, and they stay.

    Raises `NotNow` after the words have closed or where the seat has given its words, `Refused` for
    a text that is none.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    if seat not in access.access_of(table, user).seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    _must_go_on(table)
    one, text = _stage(table), text.strip()
    if not one.needs_words:
        raise NotNow("no-words", _("No words are mixed into the dice of this campaign."))
    if not one.takes_words(at):
        raise NotNow(
            "words-closed", _("The words for this turn have closed. Add yours for the next one.")
        )
    if seat in one.words:
        raise NotNow("words-given", _("These words are in the log already and cannot change."))
    entries.must_be_seen(text, _("Your words"))
    if not _is_line(text):
        raise Refused(
            "bad-words", _("Words are 1 to 200 characters on one line, all of which can be shown.")
        )
    entry = _append(table, user, one, "words", at, seat=seat, text=text)
    after = selectors.stage(table, one.chain, one.link)
    if not words_missing(table, after) and table.started:
        close(table, None, after, at)
    return entry


def close(table: Campaign, user: Any, one: Stage, at: datetime) -> LogEntry:
    """No more words for this turn: who is late is left out, and the log says so. Asks for a
    transaction with the row held.
    """
    return _append(table, user, one, "closed", at, late=words_missing(table, one))


@transaction.atomic
def close_words(campaign: Campaign, user: Any, *, now: datetime | None = None) -> LogEntry:
    """The game master closes the words before their deadline, or where no clock runs."""
    table, at = _by_master(campaign, user), entries.moment(now)
    one = _stage(table)
    if not one.needs_words or one.closed:
        raise NotNow("words-closed", _("The words have closed already."))
    return close(table, user, one, at)


@transaction.atomic
def name_draw(
    campaign: Campaign,
    user: Any,
    source: str,
    falls: datetime,
    name: str = "",
    wheels: Mapping[str, str] | None = None,
    numbers: int | None = None,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Name the public draw that is mixed into the next turn's dice, before it falls.

    The game master can name another draw until this one falls.

    Args: source: One of SOURCES. falls: The instant of the draw. name: Where everyone can read the
        numbers of another source. wheels: Nations by wheel of the Italian lottery. numbers: How
        many numbers another source draws, so that none can be added or left out later. Another
        source needs it.

    Raises:
        NotNow: The named draw has already fallen.
        Refused: A value is not valid.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    one = _must_need_draw(_stage(table))
    if one.falls_at is not None and one.falls_at <= at:
        raise NotNow("draw-fallen", _("The named draw has taken place, so it counts. Enter it."))
    if source not in SOURCES:
        raise Refused(
            "unknown-source",
            _("A draw comes from the Italian lottery, from drand, or from another public place."),
        )
    falls = falls.astimezone(UTC).replace(microsecond=0)
    if not at < falls <= at + FARTHEST:
        raise Refused(
            "bad-date", _("A draw is named before it takes place, and takes place within 60 days.")
        )
    facts: dict[str, Any] = {
        "source": source,
        "name": "",
        "falls": falls.isoformat(timespec="seconds"),
    }
    if source == DRAND:
        facts["round"] = drand.round_at(falls)
        facts["falls"] = drand.time_of(facts["round"]).isoformat(timespec="seconds")
    elif source == LOTTO:
        facts["wheels"] = _wheels(table, wheels or {})
    else:
        entries.must_be_seen(name, _("Which draw"))
        if not _is_line(name.strip()):
            raise Refused(
                "no-name",
                _(
                    "Write which number it will be and where everybody can read it, in up to 200"
                    " characters."
                ),
            )
        facts["name"] = name.strip()
        if numbers is None:  # otherwise the game master could leave some of them out
            raise Refused("no-numbers", _("Enter how many numbers are drawn."))
        if not 1 <= numbers <= MOST_NUMBERS:
            raise Refused(
                "bad-numbers", _("A draw has 1 to %(most)s numbers.") % {"most": MOST_NUMBERS}
            )
        facts["numbers"] = numbers
    _await(table, datetime.fromisoformat(facts["falls"]))
    return _append(table, user, one, "named", at, **facts)


def _await(table: Campaign, falls: datetime | None) -> None:
    """When the program looks after the draw (`tick`)."""
    table.draw_due = falls
    table.save(update_fields=["draw_due"])


def _wheels(table: Campaign, wheels: Mapping[str, str]) -> dict[str, str]:
    known = {wheel: seat for wheel, seat in wheels.items() if seat}
    if not known or len(known) > MOST_WHEELS or not set(known) <= set(WHEELS):
        raise Refused("bad-wheels", _("Choose 1 to 8 wheels, each for a nation."))
    if not set(known.values()) <= set(positions.seats(table)) or len(set(known.values())) < len(
        known
    ):
        raise Refused("bad-wheels", _("Each wheel goes to another nation of this campaign."))
    return known


@transaction.atomic
def enter_draw(
    campaign: Campaign, user: Any, text: str, url: str = "", *, now: datetime | None = None
) -> LogEntry:
    """Enter the drawn numbers as the game master: as they are printed, or the 64 hexadecimal digits
    of drand.

    The numbers are mixed in one form, however they were typed. After an objection the game master
    can enter them again until the first die of the turn is thrown; the log then names both values.
    The worker confirms a typed drand value by the round's signature.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    one = _must_have_fallen(_stage(table), at)
    assert one.named is not None
    entries.must_be_seen(text, _("What was drawn"))
    if one.named["source"] == DRAND:
        if one.signature:
            raise NotNow(
                "draw-verified",
                _(
                    "The server has fetched the round, and its signature is valid. You cannot"
                    " change it."
                ),
            )
        text, facts = drand_text(text), {"typed": True}
    elif one.named["source"] == LOTTO:
        text, facts = lottery_text(text, one.named["wheels"]), {}
    else:
        text, facts = numbers_text(text, one.named.get("numbers")), {}
    entry = _draw(table, user, one, text, address(url), at, **facts)
    if facts:
        _await(table, at)
        pulse.soon("draws")
    return entry


def _draw(
    table: Campaign, user: Any, one: Stage, text: str, url: str, at: datetime, **facts: Any
) -> LogEntry:
    if text == one.drawn:
        raise Refused("no-change", _("This draw is entered already."))
    if one.needs_words and not one.closed:
        close(table, None, one, at)
    if one.drawn:
        facts["instead"] = one.drawn
    entry = _append(table, user, one, "drawn", at, text=text, url=url, **facts)
    _await(table, _due(table, at))
    return entry


def _due(table: Campaign, at: datetime) -> datetime | None:
    """Return when the worker has to check the draws of this campaign again; None if nothing is left
    to do.
    """
    one, due = selectors.next_stage(table), []
    if (
        one is not None
        and one.needs_draw
        and one.falls_at is not None
        and not (one.drawn or one.without)
    ):
        if one.falls_at > at:
            due.append(one.falls_at)
        elif _is_fetched(one) and at < one.falls_at + PATIENCE:
            due.append(at + RETRY)
    due += [
        at + RETRY
        for other in _unconfirmed(table)
        if other.falls_at and at < other.falls_at + PATIENCE
    ]
    return min(due, default=None)


def _unconfirmed(table: Campaign) -> list[Stage]:
    return [one for one in selectors.stages(table) if one.unconfirmed]


def _is_fetched(one: Stage) -> bool:
    """Return whether the worker fetches this draw."""
    return one.named is not None and one.named["source"] == DRAND


def lottery_text(printed: str, wheels: Mapping[str, str]) -> str:
    """Return the numbers of the assigned wheels, out of a drawing as it is printed, in one form.

    The drawing has each wheel's name and its five numbers from 1 to 90, in any order. Raises
    `Refused`, which names the wheel that is missing or wrong.
    """
    lines = []
    for wheel in WHEELS:
        if wheel not in wheels:
            continue
        match = re.search(
            rf"\b{wheel}\b((?:[^\w]+\d{{1,2}}){{5}})(?![^\w]*\d)", printed, re.IGNORECASE
        )
        numbers = sorted(int(digits) for digits in re.findall(r"\d+", match[1])) if match else []
        if len(set(numbers)) != 5 or not all(1 <= one <= 90 for one in numbers):
            text = _(
                "%(wheel)s: write the wheel's name and its five numbers from 1 to 90, as the"
                " drawing prints them."
            )
            raise Refused("bad-draw", text % {"wheel": wheel})
        lines.append(" ".join([wheel, *map(str, numbers)]))
    return ", ".join(lines)


def numbers_text(typed: str, count: int | None) -> str:
    """Return the numbers of another draw in one form: whole numbers, ascending, with one blank
    between them.

    Signs between the numbers, leading zeros and the order make no difference, so no one can choose
    among spellings. If the draw has one number, signs within it make no difference either; it may
    be a hash in hexadecimal digits.
    """
    typed = typed.strip()
    if count in (None, 1) and LONG_HEX.fullmatch(typed):
        return format(int(typed, 16), "x")[:LONGEST_WORDS]
    if any(sign.isalpha() for sign in typed):
        raise Refused("bad-draw", _("Enter only the numbers, without words."))
    groups = re.findall(r"\d+", typed[:LONGEST_DRAW])
    if count == 1:
        groups = ["".join(groups)] if groups else []
    numbers = " ".join(map(str, sorted(map(int, groups))))
    if not groups or (count is not None and len(groups) != count):
        text = ngettext(
            "Enter the number that was drawn.",
            "Enter the %(n)s numbers that were drawn.",
            count or 1,
        )
        raise Refused("bad-draw", text % {"n": count})
    if len(numbers) > LONGEST_WORDS:
        raise Refused("bad-draw", _("Enter numbers with at most 200 digits in total."))
    return numbers


def drand_text(typed: str) -> str:
    """Return the random number of a drand round as it was typed, in one form: 64 lower-case
    hexadecimal digits.
    """
    digits = "".join(typed.split())
    if not re.fullmatch(r"[0-9a-fA-F]{64}", digits):
        raise Refused(
            "bad-draw",
            _("Enter the random number of the round: 64 hexadecimal digits (0 to 9, a to f)."),
        )
    return digits.lower()


@transaction.atomic
def fetch_draw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Ask the worker, as the game master, to fetch the named drand round. The worker also fetches
    it unasked.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    one = _must_have_fallen(_stage(table), at)
    if not _is_fetched(one):
        raise Refused("no-fetch", _("Only a round of drand is fetched. Enter the number drawn."))
    if one.signature:
        raise NotNow(
            "draw-verified",
            _(
                "The server has fetched the round, and its signature is valid. You cannot"
                " change it."
            ),
        )
    _await(table, at)
    pulse.soon("draws")


def _fetch(campaign: Campaign, one: Stage, at: datetime, client: Callable[[], Client]) -> bool:
    """Fetch and verify the round of this stage, then enter it or compare it with the typed value.
    Return whether it came.

    No row is locked while drand answers.
    """
    assert one.named is not None
    try:
        fetched = drand.fetch(one.named["round"], client)
    except (OutsideError, ValueError, TypeError) as error:
        LOG.warning("Round %s of drand did not come: %s", one.named["round"], type(error).__name__)
        return False
    with transaction.atomic():
        table = entries.lock(campaign)
        now = selectors.stage(table, one.chain, one.link)
        if now.named != one.named or now.signature or now.without:
            return True
        _settle(table, now, fetched, at)
    return True


def _settle(table: Campaign, one: Stage, fetched: drand.Round, at: datetime) -> None:
    """Enter a verified round. It confirms a typed value, corrects it before the first roll, or
    refutes it afterwards.
    """
    assert one.named is not None
    if one.drawn == fetched.random:
        _append(table, None, one, "confirmed", at, signature=fetched.signature)
    elif one.drawn and selectors.thrown_from(table, one):
        _append(table, None, one, "refuted", at, text=fetched.random, signature=fetched.signature)
    else:
        url = drand.address(one.named["round"])
        _draw(table, None, one, fetched.random, url, at, signature=fetched.signature)


@transaction.atomic
def go_without(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Open the turn with the links and the words alone, as the game master. Everyone reads why.

    No one can decline a draw that has taken place: a person who knows it could choose between two
    sets of dice.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    one = _must_need_draw(_stage(table))
    if one.drawn or one.without:
        raise NotNow("not-now", _("Nothing is awaited: the draw is entered, or was given up."))
    if has_fallen(one, at):
        raise NotNow(
            "draw-fallen",
            _(
                "The named draw has taken place, so no one can decline it. Enter it. If it was"
                " cancelled, enter the next draw from the same place, with its link."
            ),
        )
    reason = entries.a_reason(reason)
    if one.needs_words and not one.closed:
        close(table, user, one, at)
    _await(table, None)
    return _append(table, user, one, "without", at, reason=reason)


def has_fallen(one: Stage, at: datetime) -> bool:
    """Return whether the named draw has taken place."""
    return one.falls_at is not None and one.falls_at <= at


@transaction.atomic
def object_to_draw(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Who holds a seat says that what was entered is not what was drawn. The turn is not stopped;
    the game master enters the draw anew, or opens the turn, and everybody has read the objection.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    if not who.seats:
        raise NotAllowed("no-seat", _("People who hold a seat at this table may object."))
    one = _stage(table)
    if not one.drawn:
        raise NotNow("not-now", _("No draw has been entered yet."))
    return _append(
        table, user, one, "objected", at, reason=entries.a_reason(reason), seat=who.seats[0]
    )


# What stands in the way.


def _by_master(campaign: Campaign, user: Any) -> Campaign:
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    _must_go_on(table, by_master=True)
    return table


def _must_go_on(table: Campaign, by_master: bool = False) -> None:
    if table.started:
        status.must_be_played(table, by_master=by_master)
    elif table.abandoned or table.archived or table.suspended:
        raise NotNow("not-now", _("This campaign is not being played."))


def _must_need_draw(one: Stage) -> Stage:
    if not one.needs_draw:
        raise NotNow("no-draw", _("No public draw is mixed into the dice of this campaign."))
    return one


def _must_have_fallen(one: Stage, at: datetime) -> Stage:
    _must_need_draw(one)
    if one.falls_at is None:
        raise NotNow("no-draw", _("No draw is named. A draw must be named before it takes place."))
    if at < one.falls_at:
        raise NotNow("draw-ahead", _("The draw has not taken place yet."))
    if one.without:
        raise NotNow("not-now", _("The table goes on without this draw."))
    return one


# The clock of words: it runs between turns, and where the game master has switched that on it
# closes them by itself.


def close_when_due(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """What the clock of words does by itself."""
    one = selectors.next_stage(table)
    if one is None or one.closed or clock.followup_key != f"{one.chain}/{one.link}":
        return None
    return close(table, None, one, at)


# What the program does when a draw falls: it fetches a round of drand, and tells the game masters
# of any other.


def tick(now: datetime, limit: int, client: Callable[[], Client] = Client) -> int:
    """Check at most `limit` campaigns whose draws have fallen or are unconfirmed. Return how many
    were checked.

    The worker fetches rounds of drand and verifies their signatures, and repeats this until they
    come. It notifies the game masters once of a draw that they have to enter.
    """
    due = Campaign.objects.filter(
        draw_due__lte=now, archived=False, abandoned=False, suspended=False
    )
    done = 0
    for campaign in due.order_by("draw_due", "pk")[:limit]:
        with suppress(TableError):
            _look_after(campaign, now, client)
        done += 1
    return done


def _look_after(campaign: Campaign, now: datetime, client: Callable[[], Client]) -> None:
    one, first = selectors.next_stage(campaign), campaign.draw_due
    waits = (
        one is not None
        and one.needs_draw
        and has_fallen(one, now)
        and not one.drawn
        and not one.without
    )
    fetched = [one] if one is not None and waits and _is_fetched(one) else []
    for stage in [*fetched, *_unconfirmed(campaign)]:
        _fetch(campaign, stage, now, client)
    with transaction.atomic():
        table = entries.lock(campaign)
        one = selectors.next_stage(table)
        named = table.entries.filter(act=MIX.name, how="named").order_by("sequence").last()
        if (
            waits
            and named is not None
            and one is not None
            and not one.done
            and one.falls_at == first
        ):
            hooks.draw_fallen(table, named, one.link, now)
        if table.draw_due is not None and table.draw_due <= now:
            _await(table, _due(table, now))

"""Services for the dice: entering dice thrown elsewhere, renewing them, mixing them."""

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
from django.utils.translation import ngettext, pgettext

from campaign import access, hooks, keys, pulse, review, status
from campaign.clocks import services as clock_services
from campaign.clocks.selectors import words_missing
from campaign.dice import drand, selectors
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Stage
from campaign.errors import NotAllowed, NotNow, Refused, TableError
from campaign.log import entries, positions
from campaign.log.acts.dice import DIE, MIX, RENEW
from campaign.log.entries import AnnouncedMove, announce, must_not_wait
from campaign.log.talk import address
from campaign.models import Campaign, Clock, DiceRenewal, DiceRoll, LogEntry
from campaign.seats import standing_orders
from engine.dice import commitment
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import is_clean_text
from games import registry
from outgoing.client import Client, OutsideError

# Dice thrown elsewhere: the mode, and the entering of a die, after which the waiting move is
# played.


LOG = logging.getLogger(__name__)
LONGEST = 200
LONGEST_DRAW = 2000
"""The maximum number of characters in a typed draw."""


@transaction.atomic
def set_manual_dice(
    campaign: Campaign, user: Any, by_hand: bool, *, now: datetime | None = None
) -> Campaign:
    """Switch between dice thrown elsewhere and dice thrown by the program.

    Known dice do not change.
    """
    table = entries.lock(campaign)
    _must_be_master(table, user)
    if by_hand == table.by_hand:
        raise NotNow("not-now", _("The dice are already thrown this way."))
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
    """Enter a die that was thrown elsewhere.

    It is the die that a move waits for, which is then played, or a die that has not been thrown
    yet. Everyone reads that it was entered by hand, and where to see it.

    Returns:
        The entry of the die, and those of the move that waited for it.

    Raises:
        Refused: The value is not on the die, no die has this purpose, it has been thrown already,
            or dice cannot be entered by hand in this campaign.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_master(table, user)
    _must_be_open(table)
    waits = dice_selectors.awaited_die(table)
    purpose = purpose.strip()
    if not is_clean_text(purpose, LONGEST) or not purpose:
        raise Refused(
            "no-purpose",
            _(
                "Enter the purpose of the die as the Dice page shows it, for example "
                "turn-2/card/huns."
            ),
        )
    if (
        purpose in table.entered_dice
        or DiceRoll.objects.filter(entry__campaign=table, purpose=purpose).exists()
    ):
        raise Refused(
            "thrown",
            _("This die has already been thrown. A die is thrown only once for each purpose."),
        )
    sides = waits.sides if waits is not None and waits.purpose == purpose else 0
    if type(value) is not int or (sides and not 1 <= value <= sides):
        raise Refused(
            "off-the-die",
            _("The value must be a whole number from 1 to %(sides)s.") % {"sides": sides or "…"},
        )
    if not sides:
        if not _is_on(table, purpose, 1):
            raise Refused(
                "no-such-die",
                _(
                    "No die has this purpose. Enter the purpose as the Dice page shows it, for "
                    "example turn-2/card/huns."
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
        # It is unknown beforehand which seat such a die will favour.
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
    """Enter the dice that the parked move waits for, in the order in which it needs them.

    Values that it does not need are ignored, because a die may decide that another is not thrown.
    Raises as `give_die` does; then no die is entered.
    """
    table = entries.lock(campaign)
    written: list[LogEntry] = []
    while (waits := dice_selectors.awaited_die(table)) is not None and waits.purpose in values:
        written += give_die(table, user, waits.purpose, values[waits.purpose], url, now=now)
        table = entries.lock(table)
    if not written:
        raise Refused("no-die", _("Enter the die that the announced move is waiting for."))
    return tuple(written)


def _favours(
    table: Campaign,
    raw: Mapping[str, Any],
    written: Sequence[LogEntry],
    before: Any,
    seats: frozenset[str],
) -> frozenset[str]:
    """Return the seats whose move waited for a die, or that the move affected."""
    after, effects = (
        positions.current(table),
        [effect for entry in written for effect in entry.all_effects],
    )
    contests = table.game.rows(before).contests, table.game.rows(after).contests
    speaker = seats & {str(raw.get("for", raw["by"]))}
    return speaker | review.by_effects(effects, seats) | review.by_contests(*contests, seats)


def _resume(
    table: Campaign, actor: Any, waits: dice_selectors.AwaitedDie, at: datetime
) -> tuple[LogEntry, ...]:
    """Play the parked move now that its die has been entered.

    If the rules forbid it or its rest by now, log that and drop it.
    """
    position = positions.current(table)
    try:
        move = entries.reread_move(table, position, waits.move)
    except IllegalMove as refusal:
        announced = AnnouncedMove(position, refused=refusal)
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
        standing_orders.carry_out_at_once(
            table, announced.entries[len(announced.receipts) - 1], position, at
        )
    return tuple(written)


@transaction.atomic
def drop_parked_move(
    campaign: Campaign, user: Any, reason: str = "", *, now: datetime | None = None
) -> LogEntry:
    """Take a parked move back, as the holder of its seat or the game master."""
    table = entries.lock(campaign)
    waits = dice_selectors.awaited_die(table)
    if waits is None:
        raise NotNow("not-now", _("No announced move is waiting for a die."))
    who = access.access_of(table, user)
    seat = str(waits.move.get("for", waits.move["by"]))
    if seat not in who.seats and not who.game_master:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    entries.must_be_visible(reason, pgettext("field", "Reason"))
    if reason and not is_clean_text(reason, 1000):
        raise Refused(
            "bad-reason", _("A reason can have up to 1,000 characters, all of them printable.")
        )
    return entries.append_act(
        table,
        user,
        {"act": DIE.name, "how": "dropped", "reason": reason.strip()},
        seat=seat,
        now=now,
    )


def _is_on(table: Campaign, purpose: str, value: int) -> bool:
    """Return whether the die of this purpose can show this value.

    With the value 1, which every die can show, this shows whether there is such a die.
    """
    try:
        table.game.check_roll(positions.scenario(table), positions.options(table), purpose, value)
    except MalformedRecord:
        return False
    return True


def _must_be_open(table: Campaign) -> None:
    """Raise `Refused` if dice cannot be entered by hand in this campaign.

    An entered die is public, so this is not possible where hands are hidden. Nor is it possible
    in titles with a board, where the rules throw several dice at once.
    """
    if registry.has_board(table.title) or table.game.hides(positions.options(table)):
        raise Refused(
            "no-hand",
            _(
                "Dice cannot be entered by hand in this campaign: that needs a game in which "
                "every die is open and thrown singly."
            ),
        )


def _must_be_master(table: Campaign, user: Any) -> None:
    """Raise `NotAllowed` unless the user is a game master who sees everything."""
    access.must_be_host(table, user)
    if not access.access_of(table, user).game_master:
        raise NotAllowed(
            "plays", _("A game master who plays in a campaign with hidden hands cannot enter dice.")
        )


# New dice in the course of a campaign (RECORD, Renewed dice).
#
# Dice that have not been thrown must be unknown to everyone. They are renewed by an undo beyond a
# published link, by the import of an unfinished record, whose seed someone may know, and by the
# game master in public. Dice that were thrown keep their value and their chain for good, even if
# struck.

IMPORT = "import"


class NewChain(NamedTuple):
    """A chain that no one has seen: its seed, and the commitment that is published."""

    seed: str
    commitment: str


def new_chain(table: Campaign) -> NewChain:
    """Return a new chain with a random seed."""
    seed = keys.new_secret()
    return NewChain(seed, commitment(seed, table.game.last_link(positions.scenario(table))))


def publish_commitment(
    table: Campaign,
    new: NewChain,
    user: Any,
    reason: str,
    position: Any,
    at: datetime,
    how: str = "",
) -> LogEntry:
    """Log the public entry with the commitment, for renewals without an undo that contains it."""
    what = {
        "act": RENEW.name,
        "commitment": new.commitment,
        **({"how": how} if how else {}),
        **({"reason": reason} if reason else {}),
    }
    return entries.append(table, what, position, actor=user, at=at)


def use_chain(
    table: Campaign, new: NewChain, entry: LogEntry, published: int, position: Any
) -> None:
    """Use the new chain for every purpose that was not thrown before this entry.

    `published` links of the earlier chains have been published and remain so. The caller holds the
    row in a transaction and saves `Campaign.COPIES`.
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


def renew_imported(table: Campaign, position: Any, at: datetime) -> None:
    """Renew the dice of an imported, unfinished record, because its uploader may know the seed."""
    new = new_chain(table)
    use_chain(
        table,
        new,
        publish_commitment(table, new, None, "", position, at, IMPORT),
        table.game.links_due(position),
        position,
    )
    table.save(update_fields=Campaign.COPIES)


@transaction.atomic
def renew_dice(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Renew the dice in public, between turns, as the game master.

    This is for use after a leak, or when someone doubts the dice. Raises `NotNow` in a slot, while
    a move waits for a die, before the start and after the end.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    reason = entries.checked_reason(reason)
    if not may_renew(table):
        raise NotNow(
            "not-now",
            _(
                "Dice can be renewed only between turns. Wait until no nation’s turn is open and "
                "no announced move is waiting for a die."
            ),
        )
    stage = selectors.next_stage(table)
    if stage is not None and not stage.without and has_fallen(stage, at):
        raise NotNow(
            "draw-fallen",
            _(
                "The public draw for the next dice has taken place, so no one can decline it. Open"
                " the turn first."
            ),
        )
    position, new = positions.current(table), new_chain(table)
    entry = publish_commitment(table, new, user, reason, position, at)
    use_chain(table, new, entry, table.game.links_due(position), position)
    table.save(update_fields=Campaign.COPIES)
    return entry


def may_renew(campaign: Campaign) -> bool:
    """Return whether the dice can be renewed now: between turns.

    In titles with their own board, where every die falls within a move, this is possible at any
    time.
    """
    if not campaign.started or campaign.ended or campaign.parked:
        return False
    return not campaign.active_seat or registry.has_board(campaign.title)


# Mixed dice: words of the seats and public draws, added to the dice of a turn before its first roll
# (RECORD, Mixed dice).
#
# The operator of the server knows the links. The mixture makes that knowledge useless: words, as
# soon as one seat keeps theirs from the operator; a public draw, as soon as it is named before it
# falls. So words close before the draw falls, a draw is named before it falls, and neither changes
# once it counts.


LONGEST_WORDS = 200
"""The maximum number of code points in words, and in a drawn number (RECORD)."""
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
"""More wheels would not fit into the text of a draw."""
FARTHEST = timedelta(days=60)
RETRY = timedelta(minutes=10)
"""How long the worker waits before it asks drand again."""
PATIENCE = timedelta(days=30)
"""How long after a round the worker stops asking for it."""
MOST_NUMBERS = 20
LONG_HEX = re.compile(r"(?:0x)?(?=[0-9]*[a-f])[0-9a-f]{32,}", re.IGNORECASE)
"""A hash, such as that of a block: a number with hexadecimal digits."""


def _stage(table: Campaign) -> Stage:
    """Return the stage of the next dice. Raises `NotNow` if nothing is mixed into them."""
    stage = selectors.next_stage(table)
    if stage is None:
        raise NotNow(
            "not-mixed", _("Nothing can be mixed into the dice of this campaign at present.")
        )
    return stage


def _is_line(text: str) -> bool:
    """Return whether a text has 1 to 200 characters on one line, all of which can be shown."""
    return is_clean_text(text, LONGEST_WORDS) and text.splitlines() == [text]


def _append(
    table: Campaign, user: Any, stage: Stage, how: str, at: datetime, **facts: Any
) -> LogEntry:
    """Log an act `mix`. `facts` may name a seat, which is then the entry's."""
    what = {"act": MIX.name, "how": how, "chain": stage.chain, "turn": stage.link, **facts}
    return entries.append_act(table, user, what, seat=facts.get("seat", ""), now=at)


@transaction.atomic
def add_words(
    campaign: Campaign, user: Any, seat: str, text: str, *, now: datetime | None = None
) -> LogEntry:
    """Add a seat's words to the dice of the next turn.

    Before the start the words serve the start and turn 1. Everyone reads them at once, and they
    cannot be changed. Raises `NotNow` if the words have closed or the seat has given its words,
    `Refused` if the text is invalid.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    if seat not in access.access_of(table, user).seats:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    _must_be_running(table)
    stage, text = _stage(table), text.strip()
    if not stage.needs_words:
        raise NotNow("no-words", _("No words are mixed into the dice of this campaign."))
    if not stage.takes_words(at):
        raise NotNow(
            "words-closed",
            _("It is too late to add words for this turn. Add yours for the next one."),
        )
    if seat in stage.words:
        raise NotNow(
            "words-given", _("These words are already in the log and can no longer be changed.")
        )
    entries.must_be_visible(text, pgettext("field", "Your words"))
    if not _is_line(text):
        raise Refused(
            "bad-words", _("Your words must be 1 to 200 printable characters on one line.")
        )
    entry = _append(table, user, stage, "words", at, seat=seat, text=text)
    after = selectors.stage(table, stage.chain, stage.link)
    if not words_missing(table, after) and table.started:
        close(table, None, after, at)
    return entry


def close(table: Campaign, user: Any, stage: Stage, at: datetime) -> LogEntry:
    """Close the words of this turn; the log names the seats that gave none.

    The caller holds the row in a transaction.
    """
    return _append(table, user, stage, "closed", at, late=words_missing(table, stage))


@transaction.atomic
def close_words(campaign: Campaign, user: Any, *, now: datetime | None = None) -> LogEntry:
    """Close the words before their deadline, or without one, as the game master."""
    table, at = _by_master(campaign, user), entries.moment(now)
    stage = _stage(table)
    if not stage.needs_words or stage.closed:
        raise NotNow("words-closed", _("It is too late to add words."))
    return close(table, user, stage, at)


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

    Args:
        campaign: The campaign.
        user: The game master.
        source: One of SOURCES.
        falls: The instant of the draw.
        name: Where everyone can read the numbers of another source.
        wheels: Nations by wheel of the Italian lottery.
        numbers: How many numbers another source draws, so that none can be added or left out later.
            Another source needs it.
        now: The time of the entry, for tests.

    Raises:
        NotNow: The named draw has already fallen.
        Refused: A value is not valid.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    stage = _must_need_draw(_stage(table))
    if stage.falls_at is not None and stage.falls_at <= at:
        raise NotNow(
            "draw-fallen", _("The named draw has taken place, so it counts. Enter its result.")
        )
    if source not in SOURCES:
        raise Refused(
            "unknown-source",
            _(
                "A draw must come from the Italian lottery, from drand, or from another public "
                "source."
            ),
        )
    falls = falls.astimezone(UTC).replace(microsecond=0)
    if not at < falls <= at + FARTHEST:
        raise Refused(
            "bad-date",
            _("A draw must be named before it takes place, and must take place within 60 days."),
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
        entries.must_be_visible(name, _("Which draw"))
        if not _is_line(name.strip()):
            raise Refused(
                "no-name",
                _(
                    "Say which number it will be and where everyone can read it, in up to 200 "
                    "characters."
                ),
            )
        facts["name"] = name.strip()
        if numbers is None:  # Without the count, the game master could leave some numbers out.
            raise Refused("no-numbers", _("Enter how many numbers are drawn."))
        if not 1 <= numbers <= MOST_NUMBERS:
            raise Refused(
                "bad-numbers", _("A draw has 1 to %(most)s numbers.") % {"most": MOST_NUMBERS}
            )
        facts["numbers"] = numbers
    _await(table, datetime.fromisoformat(facts["falls"]))
    return _append(table, user, stage, "named", at, **facts)


def _await(table: Campaign, falls: datetime | None) -> None:
    """Set when `tick` looks for the draw."""
    table.draw_due = falls
    table.save(update_fields=["draw_due"])


def _wheels(table: Campaign, wheels: Mapping[str, str]) -> dict[str, str]:
    """Return the seats by wheel, without empty choices.

    Raises `Refused` if they are invalid.
    """
    known = {wheel: seat for wheel, seat in wheels.items() if seat}
    if not known or len(known) > MOST_WHEELS or not set(known) <= set(WHEELS):
        raise Refused("bad-wheels", _("Choose 1 to 8 wheels and a nation for each."))
    if not set(known.values()) <= set(positions.seats(table)) or len(set(known.values())) < len(
        known
    ):
        raise Refused(
            "bad-wheels", _("Each wheel must belong to a different nation of this campaign.")
        )
    return known


@transaction.atomic
def enter_draw(
    campaign: Campaign, user: Any, text: str, url: str = "", *, now: datetime | None = None
) -> LogEntry:
    """Enter the drawn numbers, as the game master.

    They are typed as they are printed; for drand as 64 hexadecimal digits. The numbers are mixed in
    one form, however they were typed. After an objection the game master can enter them again until
    the first die of the turn is thrown; the log then names both values. The worker confirms a typed
    drand value by the round's signature.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    stage = _must_have_fallen(_stage(table), at)
    assert stage.named is not None
    entries.must_be_visible(text, pgettext("field", "Result of the draw"))
    if stage.named["source"] == DRAND:
        if stage.signature:
            raise NotNow(
                "draw-verified",
                _(
                    "The server has fetched the round, and its signature is valid. You cannot"
                    " change it."
                ),
            )
        text, facts = drand_text(text), {"typed": True}
    elif stage.named["source"] == LOTTO:
        text, facts = lottery_text(text, stage.named["wheels"]), {}
    else:
        text, facts = numbers_text(text, stage.named.get("numbers")), {}
    entry = _draw(table, user, stage, text, address(url), at, **facts)
    if facts:
        _await(table, at)
        pulse.soon("draws")
    return entry


def _draw(
    table: Campaign, user: Any, stage: Stage, text: str, url: str, at: datetime, **facts: Any
) -> LogEntry:
    """Log the drawn text, after closing the words if they are still open."""
    if text == stage.drawn:
        raise Refused("no-change", _("This draw has already been entered."))
    if stage.needs_words and not stage.closed:
        close(table, None, stage, at)
    if stage.drawn:
        facts["instead"] = stage.drawn
    entry = _append(table, user, stage, "drawn", at, text=text, url=url, **facts)
    _await(table, _due(table, at))
    return entry


def _due(table: Campaign, at: datetime) -> datetime | None:
    """Return when the worker has to check this campaign's draws again; None if never."""
    stage, due = selectors.next_stage(table), []
    if (
        stage is not None
        and stage.needs_draw
        and stage.falls_at is not None
        and not (stage.drawn or stage.without)
    ):
        if stage.falls_at > at:
            due.append(stage.falls_at)
        elif _is_fetched(stage) and at < stage.falls_at + PATIENCE:
            due.append(at + RETRY)
    due += [
        at + RETRY
        for other in _unconfirmed(table)
        if other.falls_at and at < other.falls_at + PATIENCE
    ]
    return min(due, default=None)


def _unconfirmed(table: Campaign) -> list[Stage]:
    """Return the stages whose typed value the worker has yet to confirm."""
    return [stage for stage in selectors.stages(table) if stage.unconfirmed]


def _is_fetched(stage: Stage) -> bool:
    """Return whether the worker fetches this draw."""
    return stage.named is not None and stage.named["source"] == DRAND


def lottery_text(printed: str, wheels: Mapping[str, str]) -> str:
    """Return the numbers of the assigned wheels, out of a printed drawing, in one form.

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
        if len(set(numbers)) != 5 or not all(1 <= number <= 90 for number in numbers):
            text = _(
                "%(wheel)s: enter the wheel’s name and its five numbers from 1 to 90, as the "
                "lottery publishes them."
            )
            raise Refused("bad-draw", text % {"wheel": wheel})
        lines.append(" ".join([wheel, *map(str, numbers)]))
    return ", ".join(lines)


def numbers_text(typed_text: str, count: int | None) -> str:
    """Return the numbers of another draw in one form: ascending whole numbers, separated by blanks.

    Signs between the numbers, leading zeros and the order make no difference, so no one can choose
    among spellings. If the draw has one number, signs within it make no difference either; it may
    be a hash in hexadecimal digits.
    """
    typed_text = typed_text.strip()
    if count in (None, 1) and LONG_HEX.fullmatch(typed_text):
        return format(int(typed_text, 16), "x")[:LONGEST_WORDS]
    if any(sign.isalpha() for sign in typed_text):
        raise Refused("bad-draw", _("Enter only the numbers, without words."))
    groups = re.findall(r"\d+", typed_text[:LONGEST_DRAW])
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


def drand_text(typed_text: str) -> str:
    """Return a typed random number of a drand round as 64 lower-case hexadecimal digits."""
    digits = "".join(typed_text.split())
    if not re.fullmatch(r"[0-9a-fA-F]{64}", digits):
        raise Refused(
            "bad-draw",
            _("Enter the random number of the round: 64 hexadecimal digits (0 to 9, a to f)."),
        )
    return digits.lower()


@transaction.atomic
def fetch_draw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Ask the worker, as the game master, to fetch the named drand round now.

    The worker also fetches it unasked.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    stage = _must_have_fallen(_stage(table), at)
    if not _is_fetched(stage):
        raise Refused(
            "no-fetch",
            _("The server can fetch only rounds of drand. Enter the number that was drawn."),
        )
    if stage.signature:
        raise NotNow(
            "draw-verified",
            _(
                "The server has fetched the round, and its signature is valid. You cannot"
                " change it."
            ),
        )
    _await(table, at)
    pulse.soon("draws")


def _fetch(campaign: Campaign, stage: Stage, at: datetime, client: Callable[[], Client]) -> bool:
    """Fetch and verify the round of this stage, then enter it or compare it with the typed value.

    Returns whether the round was available. No row is locked while drand answers.
    """
    assert stage.named is not None
    try:
        fetched = drand.fetch(stage.named["round"], client)
    except (OutsideError, ValueError, TypeError) as error:
        LOG.warning(
            "Round %s of drand did not come: %s", stage.named["round"], type(error).__name__
        )
        return False
    with transaction.atomic():
        table = entries.lock(campaign)
        current = selectors.stage(table, stage.chain, stage.link)
        if current.named != stage.named or current.signature or current.without:
            return True
        _settle(table, current, fetched, at)
    return True


def _settle(table: Campaign, stage: Stage, fetched: drand.Round, at: datetime) -> None:
    """Enter a verified round.

    It confirms a typed value, corrects it before the first roll, or refutes it afterwards.
    """
    assert stage.named is not None
    if stage.drawn == fetched.random:
        _append(table, None, stage, "confirmed", at, signature=fetched.signature)
    elif stage.drawn and selectors.has_rolls(table, stage):
        _append(table, None, stage, "refuted", at, text=fetched.random, signature=fetched.signature)
    else:
        url = drand.address(stage.named["round"])
        _draw(table, None, stage, fetched.random, url, at, signature=fetched.signature)


@transaction.atomic
def skip_draw(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Open the turn with the links and the words alone, as the game master.

    Everyone reads the reason. A draw that has taken place cannot be declined: a person who knows it
    could choose between two sets of dice.
    """
    table, at = _by_master(campaign, user), entries.moment(now)
    stage = _must_need_draw(_stage(table))
    if stage.drawn or stage.without:
        raise NotNow(
            "not-now", _("There is nothing to wait for: the draw has been entered or dropped.")
        )
    if has_fallen(stage, at):
        raise NotNow(
            "draw-fallen",
            _(
                "The named draw has taken place, so no one can decline it. Enter it. If it was"
                " cancelled, enter the next draw from the same place, with its link."
            ),
        )
    reason = entries.checked_reason(reason)
    if stage.needs_words and not stage.closed:
        close(table, user, stage, at)
    _await(table, None)
    return _append(table, user, stage, "without", at, reason=reason)


def has_fallen(stage: Stage, at: datetime) -> bool:
    """Return whether the named draw has taken place."""
    return stage.falls_at is not None and stage.falls_at <= at


@transaction.atomic
def object_to_draw(
    campaign: Campaign, user: Any, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Object to the entered draw, as the holder of a seat.

    The turn is not stopped. The game master enters the draw again or opens the turn; everyone has
    read the objection by then.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    if not who.seats:
        raise NotAllowed("no-seat", _("Only people who hold a seat at this table may object."))
    stage = _stage(table)
    if not stage.drawn:
        raise NotNow("not-now", _("No draw has been entered yet."))
    return _append(
        table, user, stage, "objected", at, reason=entries.checked_reason(reason), seat=who.seats[0]
    )


# Conditions.


def _by_master(campaign: Campaign, user: Any) -> Campaign:
    """Lock the campaign and check that the user is its game master and that it is played."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    _must_be_running(table, by_master=True)
    return table


def _must_be_running(table: Campaign, by_master: bool = False) -> None:
    """Raise `NotNow` if the campaign has ended, is paused or is not played."""
    if table.started:
        status.must_be_played(table, by_master=by_master)
    elif table.abandoned or table.archived or table.suspended:
        raise NotNow("not-now", _("This campaign is not being played at present."))


def _must_need_draw(stage: Stage) -> Stage:
    """Return the stage if a public draw is mixed into it. Raises `NotNow`."""
    if not stage.needs_draw:
        raise NotNow("no-draw", _("No public draw is mixed into the dice of this campaign."))
    return stage


def _must_have_fallen(stage: Stage, at: datetime) -> Stage:
    """Return the stage if its draw has taken place and has not been declined.

    Raises `NotNow`.
    """
    _must_need_draw(stage)
    if stage.falls_at is None:
        raise NotNow(
            "no-draw", _("No draw has been named. A draw must be named before it takes place.")
        )
    if at < stage.falls_at:
        raise NotNow("draw-ahead", _("The draw has not taken place yet."))
    if stage.without:
        raise NotNow("not-now", _("This draw has been dropped: the dice are thrown without it."))
    return stage


# The clock of words runs between turns. It closes the words if the game master has switched that
# on.


def close_when_due(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """Close the words when their clock is due; None if this clock is of another stage."""
    stage = selectors.next_stage(table)
    if stage is None or stage.closed or clock.followup_key != f"{stage.chain}/{stage.link}":
        return None
    return close(table, None, stage, at)


# Draws that have fallen: the worker fetches rounds of drand and notifies the game masters of
# others.


def tick(now: datetime, limit: int, client: Callable[[], Client] = Client) -> int:
    """Check at most `limit` campaigns whose draws have fallen or are unconfirmed.

    Returns how many were checked. The worker fetches rounds of drand and verifies their signatures,
    and repeats this until they come. It notifies the game masters once of a draw that they have to
    enter.
    """
    due = Campaign.objects.filter(
        draw_due__lte=now, archived=False, abandoned=False, suspended=False
    )
    done = 0
    for campaign in due.order_by("draw_due", "pk")[:limit]:
        with suppress(TableError):
            _check_draws(campaign, now, client)
        done += 1
    return done


def _check_draws(campaign: Campaign, now: datetime, client: Callable[[], Client]) -> None:
    """Fetch the rounds that this campaign waits for, and notify of a draw that has fallen."""
    upcoming, first = selectors.next_stage(campaign), campaign.draw_due
    waits = (
        upcoming is not None
        and upcoming.needs_draw
        and has_fallen(upcoming, now)
        and not upcoming.drawn
        and not upcoming.without
    )
    fetched = [upcoming] if upcoming is not None and waits and _is_fetched(upcoming) else []
    for stage in [*fetched, *_unconfirmed(campaign)]:
        _fetch(campaign, stage, now, client)
    with transaction.atomic():
        table = entries.lock(campaign)
        upcoming = selectors.next_stage(table)
        named = table.entries.filter(act=MIX.name, how="named").order_by("sequence").last()
        if (
            waits
            and named is not None
            and upcoming is not None
            and not upcoming.done
            and upcoming.falls_at == first
        ):
            hooks.draw_fallen(table, named, upcoming.link, now)
        if table.draw_due is not None and table.draw_due <= now:
            _await(table, _due(table, now))

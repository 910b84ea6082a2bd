"""What was made for one reader of one state of a campaign is made once, for all who read it
alike.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from datetime import date
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from campaign.log import history, positions, selectors
from campaign.models import Campaign, Membership

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


PLAIN = frozenset({str, int, type(None)})  # in a key 1, 1.0 and True would be the same


class Kept:
    """The last things made, by all that they were made of. They live as long as the process, and
    nobody changes one.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()
        self.made_so_far = 0
        """How often something was made: what it is measured by (`script/measure`)."""

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        value = make()  # not under the lock: two who want it at once make it twice
        with self._lock:
            self._made[key] = value
            self.made_so_far += 1
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return value

    def known(self, key: Hashable) -> Any:
        """What was made of this; None where nothing was."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
            return self._made.get(key)

    def put(self, key: Hashable, value: Any) -> None:
        """Keeps this, whatever was kept of it before."""
        with self._lock:
            self._made[key] = value
            self._made.move_to_end(key)

    def forget(self, key: Hashable) -> None:
        with self._lock:
            self._made.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._made.clear()


kept = Kept(2048)
drawn = Kept(512)
"""Large ones apart: a map has 60 kB."""
fragments = Kept(16_384)
"""Pieces of pages by all that they were made of (`content`): a line of the log, a row of a
table.
"""


class Listed(list[Any]):
    """A list of plain data that nobody changes any more: what it is known by is worked out once,
    however often it is asked.
    """

    @cached_property
    def content(self) -> Hashable:
        return content(list(self))


def content(value: Any) -> Hashable:
    """What a piece is known by: two values have the same one if every page writes them the same.
    Plain data only: of an object from the database nobody knows what a template would read of it.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Listed:
        known: Hashable = value.content
        return known
    if kind is dict:
        return "{", *value, *[one if type(one) in PLAIN else content(one) for one in value.values()]
    if isinstance(value, tuple | list):
        return "[", kind.__name__, *[one if type(one) in PLAIN else content(one) for one in value]
    if isinstance(value, bool | int | float | date):
        return kind.__name__, repr(value)
    if isinstance(
        value, str
    ):  # what is escaped already, or how a name is spoken, is not the same as its letters
        return kind.__name__, str(value), repr(vars(value)) if hasattr(value, "__dict__") else ""
    if isinstance(value, Promise):
        return str(value)
    raise TypeError(f"A piece of a page is made of plain data, not of {kind.__name__}.")


def here_and_now() -> str:
    """Return the language, time zone and day in which a page is written."""
    return f"{get_language()} {timezone.get_current_timezone_name()} {timezone.localdate()}"


def pieces(kind: Hashable, given: Iterable[Hashable], make: Callable[[Any], str]) -> SafeString:
    """Many pieces one after the other, each made of plain values that stand in a tuple."""
    before = kind, here_and_now()
    return SafeString(
        "".join(fragments.get((before, one), lambda one=one: make(one)) for one in given)  # type: ignore[misc]
    )


def of_log(table: TableContext, what: Hashable, make: Callable[[], Any]) -> Any:
    """What follows from the log as this reader may see it and from nothing else, in their
    language.
    """
    campaign = table.campaign
    who = table.access.voices, table.access.sight
    return kept.get(
        (what, campaign.pk, campaign.slug, campaign.last_hash, who, get_language()), make
    )


def of_position(table: TableContext, what: Hashable, make: Callable[[], Any]) -> Any:
    """What follows from the position, of now or of the past, as this reader may see it and from
    nothing else, in their language.
    """
    campaign = table.campaign
    mark = table.mark if table.past else campaign.standing_hash
    if not mark:
        return make()
    who = table.viewer, table.access.sight
    return drawn.get(
        (what, campaign.pk, campaign.slug, campaign.drawing_id, mark, who, get_language()), make
    )


def of_change(campaign: Campaign, what: Hashable, make: Callable[[], Any]) -> Any:
    """What the database knows of a campaign until something changes, the same for every reader:
    nobody shows all of it.
    """
    return kept.get((what, campaign.pk, campaign.changes, campaign.last_hash), make)


def rules_of(table: TableContext) -> str:
    """Which rules are in force, for what is said by them: those that the campaign began with, which
    may be others until its first move, or those of a position.
    """
    campaign = table.campaign
    if table.scenario is positions.scenario(campaign):
        return f"{hash(campaign.scenario)} {campaign.drawing_id}"
    return str(table.mark if table.past else campaign.standing_hash)


def spoken(table: TableContext, text: Hashable, make: Callable[[], Any]) -> Any:
    """What a text of the log says, by this campaign's rules in force, in the language of now."""
    campaign, rules = table.campaign, rules_of(table)
    if not rules:  # a position that no entry made
        return make()
    return fragments.get(
        ("spoken", campaign.pk, campaign.address, rules, get_language(), text), make
    )


def shared(table: TableContext, what: Hashable, given: Hashable, make: Callable[[], Any]) -> Any:
    """A large piece that follows from what is `given` (its `content`), of this campaign and its
    rules in force, and from nothing else: it is made once for all readers who are given the same.
    """
    campaign, rules = table.campaign, rules_of(table)
    if not rules:  # a position that no entry made
        return make()
    return drawn.get(
        (what, campaign.pk, campaign.public_id, campaign.slug, rules, get_language(), given), make
    )


QUARTER = 900
"""Seconds. Absences begin and end at midnights, which everywhere fall on a quarter of an hour."""


FEW = 10
"""Among more entries than this there is likely an act of the table."""


class KnownActs(NamedTuple):
    """The state of the campaign that was looked at last, and the one before it since which nothing
    but moves were made.
    """

    changes: int
    sequence: int
    hash: str
    mark: tuple[int, str]


def of_acts(campaign: Campaign, what: Hashable, make: Callable[[], Any]) -> Any:
    """What the database knows of a campaign and a move leaves as it is, the same for every reader:
    nobody shows all of it. Each entry counts one of `Campaign.changes`, and so does each change
    beside the log.
    """
    key = "acts", campaign.pk, campaign.public_id
    known: KnownActs | None = kept.known(key)
    if known is None or (known.changes, known.hash) != (campaign.changes, campaign.last_hash):
        mark = campaign.changes, campaign.last_hash
        entries = campaign.last_sequence - known.sequence if known else 0
        moved = (
            known is not None and 0 < entries <= FEW and entries == campaign.changes - known.changes
        )
        if known is not None and moved and history.only_moved(campaign, known.sequence, known.hash):
            mark = known.mark
        known = KnownActs(campaign.changes, campaign.last_sequence, campaign.last_hash, mark)
        kept.put(key, known)
    return kept.get((what, *key, known.mark), make)


def places(campaign: Campaign) -> list[Membership]:
    """Who has a place now, with their people and absences: asked again where more than moves were
    made. Nobody changes one.
    """
    held: list[Membership] = of_acts(
        campaign,
        ("places", _quarter()),
        lambda: [one for one in memberships(campaign) if one.until is None],
    )
    return held


def memberships(campaign: Campaign) -> list[Membership]:
    """The same of everybody who has a place or ever had one."""
    ever: list[Membership] = of_acts(
        campaign, ("memberships", _quarter()), lambda: selectors.memberships(campaign)
    )
    return ever


def _quarter() -> int:
    return int(timezone.now().timestamp()) // QUARTER


def all_public(campaign: Campaign) -> bool:
    """Does every entry have a number, so that everybody sees it?"""
    return bool(campaign.last_number == campaign.last_sequence)


def seen(table: TableContext) -> int:
    """The place, from 0, of the last entry that the reader may see, none later than the campaign's
    row as it was read.
    """
    last = int(table.campaign.last_sequence)
    if table.game_master or all_public(table.campaign):  # who sees all has seen the last
        return last

    def count() -> int:
        return selectors.entries(table.campaign, table.access).filter(sequence__lte=last).count()

    return int(of_log(table, "seen", count)) - 1

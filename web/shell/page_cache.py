"""What was made for one reader of one state of a campaign is made once, for all who read it alike."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language

from campaign.log import selectors

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


class Kept:
    """The last things made, by all that they were made of. They live as long as the process, and nobody changes one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        value = make()  # not under the lock: two who want it at once make it twice
        with self._lock:
            self._made[key] = value
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return value

    def forget(self, key: Hashable) -> None:
        with self._lock:
            self._made.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._made.clear()


kept = Kept(256)
drawn = Kept(96)
"""Large ones apart: a map has 200 kB."""


def of_log(table: TableContext, what: Hashable, make: Callable[[], Any]) -> Any:
    """What follows from the log as this reader may see it and from nothing else, in his language."""
    campaign = table.campaign
    who = table.access.voices, table.access.sight
    return kept.get((what, campaign.pk, campaign.slug, campaign.last_hash, who, get_language()), make)


def of_position(table: TableContext, what: Hashable, make: Callable[[], Any]) -> Any:
    """What follows from the position as this reader may see it and from nothing else, in his language."""
    campaign = table.campaign
    if table.past:
        return make()
    who = table.viewer, table.access.sight
    return drawn.get((what, campaign.pk, campaign.slug, campaign.standing_hash, who, get_language()), make)


def seen(table: TableContext) -> int:
    """The place, from 0, of the last entry that the reader may see, none later than the campaign's row as it was read."""
    last = int(table.campaign.last_sequence)
    if table.game_master or table.all_public:  # who sees all has seen the last
        return last

    def count() -> int:
        return selectors.entries(table.campaign, table.access).filter(sequence__lte=last).count()

    return int(of_log(table, "seen", count)) - 1

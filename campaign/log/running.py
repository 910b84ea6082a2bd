"""What is read of a log from its first entry on, kept, and carried on by the entries that have come since.

So it costs what is new, whatever lies before it. Of each reading the last states are kept as long as the process lives, each
by the hash of the entry it ends with: the chain says that nothing before it is otherwise. What strikes entries, puts them back
or removes their texts changes what was read; after it the log is read from its beginning.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

from campaign.log.texts import HOST
from campaign.models import Campaign, LogEntry
from campaign.prepared import Prepared

State = TypeVar("State")
ANEW = frozenset({"genesis", "undo", "restore", HOST})
"""The acts after which entries before them are read otherwise."""
BEFORE_ALL = -1


class Kept(NamedTuple):
    """What was read up to the entry of a sequence and a hash."""

    sequence: int
    hash: str
    state: Any


class Running(Generic[State]):
    """`read(campaign, state, after, *who)` gives the state with the entries behind `after` in it, none later than the campaign's
    row as it was read; the state is None and `after` BEFORE_ALL where there is none yet. Nobody may change a state."""

    def __init__(self, read: Callable[..., State], most: int = 64) -> None:
        self._read, self._most = read, most
        self._kept: OrderedDict[Hashable, tuple[Kept, ...]] = OrderedDict()
        self._lock = Lock()

    def of_log(self, campaign: Campaign, *who: Hashable) -> State:
        """The state at the end of the log, as this row of it was read."""
        key = (campaign.pk, *who)
        with self._lock:
            kept = self._kept.get(key, ())
            if kept:
                self._kept.move_to_end(key)
        for one in kept:
            if one.hash == campaign.last_hash:
                state: State = one.state
                return state
        earlier = next((one for one in kept if one.sequence < campaign.last_sequence), None)
        if earlier is not None and not only_added(campaign, earlier.sequence, earlier.hash):
            earlier = None
        before, after = (None, BEFORE_ALL) if earlier is None else (earlier.state, earlier.sequence)
        state = self._read(campaign, before, after, *who)
        new = Kept(campaign.last_sequence, campaign.last_hash, state)
        with self._lock:
            if not kept or kept[0].sequence < new.sequence or earlier is None:
                self._kept[key] = (new, *kept[:1])  # one before it: for whoever has read the row a moment earlier
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return state

    def cache_clear(self) -> None:
        with self._lock:
            self._kept.clear()


def only_added(campaign: Campaign, sequence: int, mark: str) -> bool:
    """Is what was read up to this entry still as it was, and has the log only grown? Asked once for a row of the campaign."""
    known: dict[Any, bool] = vars(campaign).setdefault("_only_added", {})
    key = (sequence, mark, campaign.last_hash)
    if key not in known:
        rows = _since.rows(campaign.pk, sequence, campaign.last_sequence)
        added = not any(kind == LogEntry.Kind.TABLE and act in ANEW for _mark, kind, act in rows[1:])
        known[key] = added and bool(rows) and rows[0][0] == mark
    return known[key]


def _rows_since(campaign: int, first: int, last: int) -> QuerySet[LogEntry, Any]:
    rows = LogEntry.objects.filter(campaign=campaign, sequence__gte=first, sequence__lte=last)
    return rows.order_by("sequence").values_list("hash", "kind", "act")


_since = Prepared(_rows_since, int, int, int)

"""The clocks against the log: which should run, since which entry, and until when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from campaign.clocks import terms
from campaign.clocks.lengths import add
from campaign.clocks.models import Clock
from campaign.clocks.running import frozen, openers, wanted
from campaign.models import Campaign, LogEntry
from campaign.positions import History


def differences(campaign: Campaign, entries: Sequence[LogEntry], history: History) -> Iterator[str]:
    """Clocks that the log does not want, or wants and has not; deadlines that terms, extensions and pauses do not give.

    How long an undone clock was out of force only its row knows: `spared` is believed.
    """
    expected = wanted(campaign, history.after)
    opened = openers(campaign, history, [key for key, one in expected.items() if one.entry is None])
    extended = {}
    for entry in entries:
        if entry.act == terms.EXTEND:
            act = entry.said
            extended[entry.target_id, act["kind"], entry.seat, act.get("contest")] = entry
    switched = {entry.at for entry in entries if entry.act == terms.ACT}
    for clock in Clock.objects.filter(campaign=campaign).select_related("entry", "acted").order_by("pk"):
        name = f"clock {clock.kind} {clock.seat or clock.contest or ''}".strip()
        if clock.acted is not None and clock.acted.actor_id is not None:
            yield f"{name}: what it did was said by somebody"
        if clock.ended_at is not None:
            if clock.next_at is not None:
                yield f"{name}: it has ended, and is due"
            continue
        key = (clock.kind, clock.seat, clock.contest, clock.mark)
        want = expected.pop(key, None)
        if want is None:
            yield f"{name} should not run"
            continue
        since = want.entry or (opened[key].pk if key in opened else None)
        if clock.entry_id != since:
            yield f"{name}: opened by entry {clock.entry.sequence}, the log says otherwise"
        elif clock.started_at != clock.entry.at and clock.started_at not in switched:
            yield f"{name}: it did not begin with its entry"
        if clock.held != frozen(campaign):
            yield f"{name}: it {'stands still' if clock.held else 'runs'}, the campaign does not"
        if not _fits(clock, extended.get((clock.entry_id, *key[:3]))):
            yield f"{name}: its deadline is not what the log gives"
    for key in expected:
        yield f"clock {' '.join(str(part) for part in key[:3] if part)} is missing"


def _fits(clock: Clock, extension: LogEntry | None) -> bool:
    if clock.first_due_at != add(clock.started_at, clock.length, clock.zone) + clock.spared:
        return False
    if extension is None:
        return clock.due_at == clock.first_due_at
    to = datetime.fromisoformat(extension.said["to"])
    return timedelta(0) <= clock.due_at - to < clock.spared + timedelta(seconds=1)

"""The differences between two positions of a campaign that a reader may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.language import capitalize, plain_name
from games.contract.history import Agreement, ChangedLevel, ChangedPlace, WithComparisons
from games.contract.pages import WithItemNames
from games.contract.plain import Known
from games.contract.title import Rows
from games.registry import words
from web.frame.amounts import amount
from web.frame.table import TableContext
from web.history.earlier_table import changed_places, place_name

RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Zone:
    """The items that were added to and removed from a zone of a holder, such as a hand."""

    label: str
    texts: list[str]


@dataclass(frozen=True, slots=True)
class HolderDiff:
    """The differences of a seat or another holder in the second position."""

    key: str
    name: str
    levels: list[ChangedLevel]
    zones: list[Zone]


@dataclass(frozen=True, slots=True)
class BattleDiff:
    """A battle that exists in only one position, or has another state.

    `change` is `gone`, `new`, `reopened` or `closed`; `changed` for a battle that runs in both.
    """

    number: int
    change: str
    facts: Known


@dataclass(frozen=True, slots=True)
class PositionDiff:
    """All differences of the second position from the first."""

    state: list[ChangedLevel]
    """The turn, and the seats that the table waits for."""
    holders: list[HolderDiff]
    places: list[ChangedPlace]
    more_places: list[str]
    """Names of places with other differences."""
    agreements: Sequence[Agreement]
    battles: list[BattleDiff]

    @property
    def is_empty(self) -> bool:
        return not (
            self.state
            or self.holders
            or self.places
            or self.more_places
            or self.agreements
            or self.battles
        )

    @property
    def more_places_text(self) -> str:
        return ", ".join(self.more_places)


def compare(now: TableContext, then: TableContext) -> PositionDiff:
    """Return the differences of `then`, which is the same campaign for the same reader."""
    title = now.title
    places = changed_places(then, now)
    return PositionDiff(
        state=state_diff(now, then),
        holders=holder_diffs(now, then),
        places=places,
        more_places=more_places(now, then, {place.key for place in places}),
        agreements=title.changed_agreements(now.position, then.position)
        if isinstance(title, WithComparisons)
        else (),
        battles=battle_diffs(now.rows, then.rows),
    )


def more_places(now: TableContext, then: TableContext, listed: set[str]) -> list[str]:
    """Return the names of changed places that are not listed."""
    old = now.rows.holdings
    return [
        place_name(now, key)
        for key, facts in then.rows.holdings.items()
        if key not in listed and dict(facts) != dict(old.get(key, {}))
    ]


def state_diff(now: TableContext, then: TableContext) -> list[ChangedLevel]:
    levels = [
        ChangedLevel(
            capitalize(words(now.campaign.title)["turn"]), turn_text(now), turn_text(then)
        ),
        ChangedLevel(_("Waits for"), waiting_text(now), waiting_text(then)),
    ]
    return [level for level in levels if level.now != level.then]


def turn_text(table: TableContext) -> str:
    return str(table.view.get("turn") or "") or pgettext("history", "before the start")


def waiting_text(table: TableContext) -> str:
    """Return the names of the seats that the table waits for by the rules."""
    if table.title.score(table.position) is not None:
        return _("no one: the game has ended")
    seats = dict.fromkeys(waiting.seat for waiting in table.title.waiting(table.position))
    return ", ".join(table.name_of(seat) for seat in seats) or pgettext("history", "no one")


# Holders


def holder_diffs(now: TableContext, then: TableContext) -> list[HolderDiff]:
    old, new = now.rows, then.rows
    keys = [*now.names, *(holder for holder, _account in (*old.accounts, *new.accounts))]
    diffs = [holder_diff(now, then, key) for key in dict.fromkeys(keys)]
    return [diff for diff in diffs if diff.levels or diff.zones]


def holder_diff(now: TableContext, then: TableContext, key: str) -> HolderDiff:
    title, old, new = now.title, now.rows, then.rows
    return HolderDiff(
        key=key,
        name=now.name_of(key),
        levels=[
            *account_levels(now, old, new, key),
            *place_levels(now, old, new, key),
            *(
                title.changed_levels(now.position, then.position, key)
                if isinstance(title, WithComparisons)
                else ()
            ),
        ],
        zones=zone_diffs(now, old, new, key),
    )


def account_levels(now: TableContext, old: Rows, new: Rows, key: str) -> list[ChangedLevel]:
    accounts, levels = now.accounts_by_key, []
    held = (account for holder, account in (*old.accounts, *new.accounts) if holder == key)
    for subject in dict.fromkeys((*accounts, *held)):
        was, will = old.accounts.get((key, subject)), new.accounts.get((key, subject))
        if was == will:
            continue
        account = accounts.get(subject)
        label = account.label if account else plain_name(subject)
        levels.append(ChangedLevel(label, amount(account, was or 0), amount(account, will or 0)))
    return levels


def place_levels(now: TableContext, old: Rows, new: Rows, key: str) -> list[ChangedLevel]:
    """Return the change of a holder's place, in titles whose holders are in a place."""
    was, will = old.holders.get(key, {}), new.holders.get(key, {})
    return [
        ChangedLevel(_("Location"), place_name(now, was[fact]), place_name(now, value))
        for fact, value in will.items()
        if value != was.get(fact) and is_place(new, value) and is_place(new, was.get(fact))
    ]


def is_place(rows: Rows, value: object) -> bool:
    return isinstance(value, str) and value in rows.holdings


def zone_diffs(now: TableContext, old: Rows, new: Rows, key: str) -> list[Zone]:
    """Return the changes of a holder's zones.

    Of a hand that the reader may not see, only the number of cards is shown: every title that hides
    hands shows it on the table.
    """
    keys = {zone for holder, zone, _item in (*old.items, *new.items) if holder == key}
    zones = [Zone(zone_name(zone), zone_texts(now, old, new, (key, zone))) for zone in sorted(keys)]
    return sorted((zone for zone in zones if zone.texts), key=lambda zone: zone.label.lower())


def zone_texts(now: TableContext, old: Rows, new: Rows, zone: tuple[str, str]) -> list[str]:
    was, will = items_of(old, zone), items_of(new, zone)
    viewers = new.private.get(zone)
    if viewers is not None and not now.access.sees(viewers):
        before, after = was.total(), will.total()
        if before == after:
            return []
        cards = ngettext("%(n)s card", "%(n)s cards", after) % {"n": after}
        return [f"{before} → {cards}"]
    gained, lost = sorted((will - was).items()), sorted((was - will).items())
    return [
        *(f"+\u00a0{item_text(now, item, count)}" for item, count in gained),
        *(f"−\u00a0{item_text(now, item, count)}" for item, count in lost),
    ]


def item_text(table: TableContext, item: str, count: int) -> str:
    if isinstance(table.title, WithComparisons):
        name = table.title.item_name(item)
    elif isinstance(table.pages, WithItemNames):
        name = table.pages.item(item)
    else:
        name = plain_name(item)
    return f"{name} × {count}" if count > 1 else name


def zone_name(zone: str) -> str:
    return {"hand": pgettext("history", "Hand"), "table": pgettext("history", "On the table")}.get(
        zone
    ) or plain_name(zone)


def items_of(rows: Rows, zone: tuple[str, str]) -> Counter[str]:
    return Counter(
        {
            item: count
            for (holder, where, item), count in rows.items.items()
            if (holder, where) == zone
        }
    )


# Battles


def battle_diffs(old: Rows, new: Rows) -> list[BattleDiff]:
    diffs = []
    for number in sorted({*old.contests, *new.contests}):
        was, will = old.contests.get(number), new.contests.get(number)
        change = how_battle_differs(was, will)
        if change:
            diffs.append(BattleDiff(number, change, was or will or {}))
    return diffs


def how_battle_differs(was: Known | None, will: Known | None) -> str:
    """Return the key of the difference; empty if the battle has the same state in both."""
    if will is None:
        return "gone"
    if was is None:
        return "new"
    if was["status"] == will["status"]:
        return ""
    if was["status"] == RESOLVED:
        return "reopened"
    return "closed" if will["status"] == RESOLVED else "changed"

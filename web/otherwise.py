"""Two positions of a campaign beside each other as one reader may know them: what is otherwise in the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.pages import Naming
from engine.title import Rows
from games.registry import words
from web.titles import extras
from web.titles.talk import capital, plain_name
from web.views.head import amount
from web.views.moment import Changed, changed, place_name

if TYPE_CHECKING:
    from web.views.common import TableContext

RESOLVED = "resolved"


class Level(NamedTuple):
    """Something of which there is an amount or a name, in the one position and in the other."""

    label: str
    now: str
    then: str


class Holder(NamedTuple):
    """What a seat, or somebody else who holds something, has otherwise: levels, then notes ("+ Spy", "− Spy")."""

    key: str
    name: str
    levels: Sequence[Level]
    notes: Sequence[Level]


class Fight(NamedTuple):
    """A contest that is in one position only, or stands otherwise there. `how`: `gone`, `new`, `reopened`, `closed`, or `changed`
    where it runs in both."""

    number: int
    how: str
    facts: dict[str, Any]


class Otherwise(NamedTuple):
    """All of it. `state` tells of turn, phase and whose slot it is; `places` of owners and what stands there."""

    state: Sequence[Level]
    holders: Sequence[Holder]
    places: Sequence[Changed]
    more_places: Sequence[str]
    agreements: Sequence[tuple[str, bool]]
    """What was agreed, and whether it holds in the second position: it does in one of them only."""
    fights: Sequence[Fight]

    def __bool__(self) -> bool:
        return any(self)


def otherwise(now: TableContext, then: TableContext) -> Otherwise:
    """What is otherwise in `then`, which is the same campaign for the same reader."""
    own = extras(now.campaign.title, "otherwise")
    places = changed(then, now)
    told = {one.key for one in places}
    old, new = now.rows.holdings, then.rows.holdings
    more = [place_name(now, key) for key, facts in new.items() if key not in told and dict(facts) != dict(old.get(key, {}))]
    agreements: Sequence[tuple[str, bool]] = own.agreements(now, then) if own else ()
    return Otherwise(_state(now, then), _holders(now, then), places, more, agreements, _fights(now.rows, then.rows))


def _state(now: TableContext, then: TableContext) -> list[Level]:
    said, made = words(now.campaign.title), []
    turns = [str(one.view.get("turn") or "") or _("before the start") for one in (now, then)]
    if turns[0] != turns[1]:
        made.append(Level(capital(said["turn"]), *turns))
    slots = [_slot(one) for one in (now, then)]
    if slots[0] != slots[1]:
        made.append(Level(_("Waits for"), *slots))
    return made


def _slot(table: TableContext) -> str:
    """Whom the table waits for, by the rules, in words."""
    if table.title.score(table.position) is not None:
        return _("nobody: it is over")
    seats = dict.fromkeys(one.seat for one in table.title.waiting(table.position))
    return ", ".join(table.name_of(seat) for seat in seats) or _("nobody")


def _holders(now: TableContext, then: TableContext) -> list[Holder]:
    own, made = extras(now.campaign.title, "otherwise"), []
    old, new = now.rows, then.rows
    keys = [*now.names, *dict.fromkeys(who for who, _account in (*old.accounts, *new.accounts))]
    for key in dict.fromkeys(keys):
        levels = []
        for subject in dict.fromkeys(
            (*now.accounts, *(account for who, account in (*old.accounts, *new.accounts) if who == key))
        ):
            was, will = old.accounts.get((key, subject)), new.accounts.get((key, subject))
            if was != will:
                account = now.accounts.get(subject)
                label = account.label if account else plain_name(subject)
                levels.append(Level(label, amount(account, was or 0), amount(account, will or 0)))
        levels += _facts(now, old, new, key)
        levels += own.levels(now, then, key) if own else []
        notes = [Level(zone, "", text) for zone, text in _cards(now, old, new, key)]
        if levels or notes:
            made.append(Holder(key, now.name_of(key), levels, notes))
    return made


def _facts(now: TableContext, old: Rows, new: Rows, key: str) -> list[Level]:
    """Where a holder stands, for titles whose holders stand in a place."""
    was, will = old.holders.get(key, {}), new.holders.get(key, {})
    made = []
    for fact, value in will.items():
        before = was.get(fact)
        if value != before and isinstance(value, str) and isinstance(before, str) and {value, before} <= new.holdings.keys():
            made.append(Level(_("stands in"), place_name(now, before), place_name(now, value)))
    return made


def _cards(now: TableContext, old: Rows, new: Rows, key: str) -> Iterator[tuple[str, str]]:
    """What comes into a holder's zones and what leaves them; of a hand that the reader does not see, how many: that is on
    the table in every title that hides one."""
    own = extras(now.campaign.title, "otherwise")
    named = own.item if own else now.pages.item if isinstance(now.pages, Naming) else plain_name
    for zone in sorted({zone for who, zone, _item in (*old.items, *new.items) if who == key}):
        was, will = (_zone(rows, key, zone) for rows in (old, new))
        if was == will:
            continue
        label = _("Hand") if zone == "hand" else _("On the table") if zone == "table" else plain_name(zone)
        may = new.private.get((key, zone))
        if may is not None and not now.access.sees(may):
            if was.total() != will.total():
                n = will.total()
                yield label, f"{was.total()} → " + ngettext("%(n)s card", "%(n)s cards", n) % {"n": n}
            continue
        for item, n in sorted((will - was).items()):
            yield label, f"+\u00a0{named(item)}" + (f" × {n}" if n > 1 else "")
        for item, n in sorted((was - will).items()):
            yield label, f"−\u00a0{named(item)}" + (f" × {n}" if n > 1 else "")


def _zone(rows: Rows, key: str, zone: str) -> Counter[str]:
    return Counter({item: n for (who, where, item), n in rows.items.items() if (who, where) == (key, zone)})


def _fights(old: Rows, new: Rows) -> list[Fight]:
    made = []
    for number in sorted({*old.contests, *new.contests}):
        was, will = old.contests.get(number), new.contests.get(number)
        if will is None or was is None:
            made.append(Fight(number, "gone" if will is None else "new", dict(was or will or {})))
        elif (was["status"] == RESOLVED) != (will["status"] == RESOLVED):
            made.append(Fight(number, "reopened" if was["status"] == RESOLVED else "closed", dict(was)))
        elif was["status"] != will["status"]:
            made.append(Fight(number, "changed", dict(was)))
    return made

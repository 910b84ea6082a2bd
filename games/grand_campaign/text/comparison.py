"""The differences between two positions: provinces, sheets of nations, truces."""

from __future__ import annotations

from collections.abc import Iterator

from engine.language import gettext as _
from engine.language import pgettext
from games.contract.history import Agreement, ChangedLevel, ChangedPlace, Owner
from games.grand_campaign.rules.position import Nation, Position
from games.grand_campaign.text import words


def changed_places(before: Position, after: Position) -> list[ChangedPlace]:
    """Return the provinces with another owner, fortification or fleet, by name."""
    provinces = after.scenario.provinces
    changed = [key for key in provinces if works(before, key) != works(after, key)]
    changed.sort(key=lambda key: (provinces[key].name.casefold(), key))
    return [changed_place(before, after, key) for key in changed]


def works(position: Position, province: str) -> tuple[str | None, int, bool]:
    """Return owner, level of fortification and fleet of a province."""
    level = position.fortification.get(province, 0)
    return position.owner[province], level, province in position.fleets


def changed_place(before: Position, after: Position, province: str) -> ChangedPlace:
    notes = []
    was, now = fortification(before, province), fortification(after, province)
    if before.fortification.get(province, 0) != after.fortification.get(province, 0):
        notes.append((was, now))
    if (province in before.fleets) != (province in after.fleets):
        fleet = pgettext("comparison", "Fleet")
        notes.append(("", fleet) if province in after.fleets else (fleet, ""))
    return ChangedPlace(
        key=province,
        name=after.scenario.provinces[province].name,
        was=owner_of(before, province),
        now=owner_of(after, province),
        notes=tuple(notes),
    )


def fortification(position: Position, province: str) -> str:
    """Return the name of a fortification, empty if there is none."""
    level = position.fortification.get(province, 0)
    return words.fortification_name(position.rules.fortifications[level - 1].name) if level else ""


def owner_of(position: Position, province: str) -> Owner:
    """Return the nation that owns a province, or the kind of land that no nation owns."""
    owner = position.owner[province]
    if owner:
        return Owner(owner, words.nation_name(position.scenario, owner))
    if position.scenario.provinces[province].kind == "external":
        return Owner("external", pgettext("comparison", "external"))
    return Owner("independent", pgettext("comparison", "independent"))


def changed_levels(before: Position, after: Position, nation: str) -> Iterator[ChangedLevel]:
    """Yield the differences of a nation's structures, barracks, siege trains and fall."""
    if nation not in before.nations:
        return
    sheets = (sheet_texts(position.nations[nation]) for position in (before, after))
    for (label, was), (_label, now) in zip(*sheets, strict=True):
        if was != now:
            yield ChangedLevel(label, was, now)


def sheet_texts(nation: Nation) -> list[tuple[str, str]]:
    """Return the names and texts of a nation that are compared."""
    structures = ", ".join(words.structure_name(key) for key in nation.structures)
    return [
        (_("structures"), structures or "–"),
        (words.structure_name("barracks"), yes_or_no(nation.barracks)),
        (_("siege trains"), str(nation.siege_trains)),
        (pgettext("comparison", "fallen"), yes_or_no(nation.fallen)),
    ]


def yes_or_no(value: object) -> str:
    return pgettext("comparison", "yes") if value else pgettext("comparison", "no")


def changed_agreements(before: Position, after: Position) -> list[Agreement]:
    """Return the truces that only one of the positions has, or whose last turn differs."""
    was, now = truce_texts(before), truce_texts(after)
    return [
        *(Agreement(text, holds=False) for text in was if text not in now),
        *(Agreement(text, holds=True) for text in now if text not in was),
    ]


def truce_texts(position: Position) -> list[str]:
    text = _("Truce %(names)s, to the end of turn %(until)s")
    return [
        text
        % {
            "names": " – ".join(words.nation_name(position.scenario, key) for key in truce.nations),
            "until": truce.until,
        }
        for truce in position.truces
    ]

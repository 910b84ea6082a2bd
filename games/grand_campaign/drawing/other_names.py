"""Other names of provinces and nations, by which users call them when they type moves.

A drawing has them as `other_names` in the rows of its provinces and nations: "Thrace" and
"Thrakien" for Thracia. Each name means one province or nation only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.strict_json import is_printable
from games.grand_campaign.drawing.parts import Facts, as_list
from games.grand_campaign.rules.numbers import Fault
from games.kit.reading.tokens import tokenize, words_and_numbers

FIELD = "other_names"
TABLES = ("provinces", "nations")
LONGEST = 60
MOST = 24
"""The maximum number of other names of a province or nation."""

Place = tuple[str, str]
"""A table of the drawing, and a key in it."""


def as_other_names(value: object, at: str) -> list[str]:
    """Return the other names of a province or nation, each once, without double spaces."""
    typed = as_list(value, at)
    if len(typed) > MOST:
        raise Fault(at, "too-many-entries", most=MOST)
    names = [as_name(name, f"{at}.{i}") for i, name in enumerate(typed)]
    return list({comparable(name): name for name in reversed(names)}.values())[::-1]


def as_name(value: object, at: str) -> str:
    """Return a name that has a letter and is short and printable."""
    is_name = isinstance(value, str) and len(value) <= LONGEST and is_printable(value)
    if not isinstance(value, str) or not is_name or not any(map(str.isalpha, value)):
        raise Fault(at, "printable-name", most=LONGEST)
    return " ".join(value.split())


def comparable(name: str) -> str:
    """Return a name as it is compared: its words without case and accents."""
    return " ".join(words_and_numbers(tokenize(name)))


def own_names(known: Facts) -> dict[str, Place]:
    """Return the provinces and nations of a scenario by their names, as they are compared."""
    provinces = {comparable(row[0]): ("provinces", key) for key, row in known.provinces.items()}
    nations = {comparable(row[0]): ("nations", key) for key, row in known.nations.items()}
    return {**provinces, **nations}


def other_names(drawing: Mapping[str, object]) -> Iterator[tuple[Place, Sequence[str]]]:
    """Yield the other names of each province and nation of a drawing in our own form."""
    for table in TABLES:
        rows = drawing.get(table)
        for key, row in rows.items() if isinstance(rows, Mapping) else ():
            if isinstance(row, Mapping) and isinstance(row.get(FIELD), list | tuple):
                yield (table, str(key)), row[FIELD]


def twice_used(drawing: Mapping[str, object], taken: Mapping[str, Place]) -> list[Fault]:
    """Return a fault for each other name that means something else too.

    `taken` has names that have a meaning already, as they are compared.
    """
    meanings, faults = dict(taken), list[Fault]()
    for place, names in other_names(drawing):
        for i, name in enumerate(names):
            meaning = meanings.setdefault(comparable(name), place)
            if meaning != place:
                at = f"{place[0]}.{place[1]}.{FIELD}.{i}"
                faults.append(Fault(at, "name-twice", name=name, other=meaning[1]))
    return faults


def clashes(
    place: Place, names: Sequence[str], drawing: Mapping[str, object], known: Facts
) -> list[Fault]:
    """Return a fault for each new name of a province or nation that means something else."""
    rows = ((other, row) for other, row in other_names(drawing) if other != place)
    taken = {comparable(name): other for other, row in rows for name in row}
    table, key = place
    return twice_used({table: {key: {FIELD: names}}}, {**taken, **own_names(known)})


def without_twice_used(drawing: Mapping[str, object], known: Facts) -> dict[str, object]:
    """Return a drawing without other names that are names of something else in this scenario."""
    taken, pruned = own_names(known), dict(drawing)
    for table in TABLES:
        rows = drawing.get(table)
        if isinstance(rows, Mapping):
            pruned[table] = {
                key: pruned_row(row, (table, str(key)), taken) for key, row in rows.items()
            }
    return pruned


def pruned_row(row: object, place: Place, taken: Mapping[str, Place]) -> object:
    """Return a row without other names that already mean something else."""
    if not isinstance(row, Mapping) or not isinstance(row.get(FIELD), list | tuple):
        return row
    return {**row, FIELD: apart(row[FIELD], place, taken)}


def apart(names: Sequence[object], place: Place, taken: Mapping[str, Place]) -> list[object]:
    """Return the names that mean nothing else."""
    return [name for name in names if taken.get(comparable(str(name)), place) == place]

"""Lists of placements that are announced at once.

The tests cover what stops a list, what remains of it, and that only its owner sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import plans
from campaign.log import positions, selectors
from campaign.models import Plan
from games.roman_empire.page import listing, placing
from games.roman_empire.page.placing import OfferedMove, Way
from tests.roman_empire.table import at, held, peoples, place
from tests.roman_empire.test_web import Table, seated

BOARD = {
    "lugdunensis": held("galli"),
    "belgica": held("blue", 2, city="whole"),
    "aquitania": held("blue"),
}
ATTACK, ENTER = place("belgica", "lugdunensis"), place("frisia", "belgica")


def changed(**more: Any) -> tuple[Any, Any]:
    return at(**peoples("galli", BOARD)), at(
        **peoples("galli", BOARD | more.pop("lands", {}), **more)
    )


@pytest.mark.parametrize(
    ("more", "chosen", "content"),
    [
        ({"in_hand": 2}, {"lost"}, "an army was lost"),
        ({"in_hand": 2}, {"taken", "looted"}, ""),
        (
            {"lands": {"belgica": held("galli", city="whole")}, "in_hand": 2},
            {"taken"},
            "Belgica was taken",
        ),
        ({"lands": {"belgica": held("galli", city="whole")}, "in_hand": 2}, {"lost", "looted"}, ""),
        (
            {"lands": {"belgica": held("galli", city="looted")}, "in_hand": 2},
            {"looted"},
            "the City of Belgica was looted",
        ),
        (
            {"lands": {"lugdunensis": held("galli", 2)}, "in_hand": 2},
            {"lost", "taken", "looted"},
            "",
        ),
        ({"lands": {"frisia": held("galli")}, "in_hand": 2}, {"lost", "taken", "looted"}, ""),
        ({"step": "done"}, set(), "no longer this seat’s turn"),
        (
            {
                "combat": {"land": "belgica", "no": 1, "round": 1},
                "pending": {"kind": "retreat", "seat": "B", "land": "belgica"},
            },
            set(),
            "seat B must decide first",
        ),
        (
            {
                "combat": {"land": "belgica", "no": 1},
                "pending": {"kind": "answer", "seat": "A", "land": "belgica", "amount": 2},
            },
            set(),
            "you have to decide",
        ),
    ],
)
def test_a_list_gives_the_reason_why_it_stops(
    more: dict[str, Any], chosen: set[str], content: str
) -> None:
    before, after = changed(**more)
    result = listing.stopped(before, after, "A", chosen)
    assert content in result
    assert bool(content) == bool(result)


def test_each_placement_is_previewed_as_if_earlier_fights_were_won() -> None:
    position = at(**peoples("galli", BOARD))
    rows, end = listing.forecast_placements(
        position, [ATTACK, ENTER, place("italia", "belgica"), ENTER]
    )
    assert [row.state for row in rows] == ["die", "certain", "refused", "beyond"]
    assert rows[0].line == "Place an army in Belgica from Lugdunensis"
    assert (end.lands["frisia"].who, end.lands["belgica"].who, end.in_hand) == ("galli", "galli", 1)
    assert (position.lands["belgica"].who, position.in_hand) == ("blue", 3)
    shown = listing.listing(position, [ATTACK], None)
    assert ("frisia", "belgica") in [tuple(dict(way.fields).values()) for way in shown.more]
    assert [stop.key for stop in shown.stops if stop.chosen] == ["taken"]


# At the table -------------------------------------------------------------------------------------


@pytest.fixture
def table(person: Callable[..., Any]) -> Table:
    """Return a table at which a People has just appeared.

    It has armies in hand; the clients are those of A, B and C.
    """
    created = seated(person)
    created.until(
        lambda p: (
            p.phase == "people" and p.in_hand > 3 and p.on_map(p.current) > 1 and p.pending is None
        )
    )
    return created


def put(table: Table, way: Way | OfferedMove, **more: str) -> Any:
    return table.post(
        str(table.position.active).lower(), "list/", do="place", **dict(way.fields), **more
    )


def kept(table: Table) -> Plan:
    who = str(table.position.active)
    return plans.plan_of_user(table.campaign, table.people[who.lower()], who)


def ways(table: Table, *kinds: str) -> list[Way]:
    position = table.position
    return [place for place in placing.places(position, str(position.active)) if place.way in kinds]


def fights(position: Any) -> bool:
    return any(place.way == "attack" for place in placing.places(position, str(position.active)))


def moves(table: Table) -> list[str]:
    return [
        entry.content["move"]
        for entry in table.campaign.entries.filter(kind="move").order_by("sequence")
    ]


@pytest.mark.django_db
def test_a_list_may_repeat_a_move_is_ordered_and_private(
    table: Table,
) -> None:
    who = str(table.position.active).lower()
    before = {reader: table.text(reader) for reader in ("gm", "nobody", *"abc") if reader != who}
    first, second = ways(table, "vacant", "attack")[:2]
    assert put(table, first, times="3")["Location"] == f"{table.home}#h-list"
    assert put(table, second).status_code == 303
    assert [move["land"] for move in kept(table).moves] == [first.land] * 3 + [second.land]
    table.post(who, "list/", list="earlier", at="3", version=str(kept(table).version))
    assert [move["land"] for move in kept(table).moves][2] == second.land
    table.post(who, "list/", list="remove", at="0", version=str(kept(table).version))
    page = table.text(who)
    assert (kept(table).size, page.count('value="remove"')) == (3, 3)
    assert table.post(who, "list/", list="remove", at="0", version="0").status_code == 409
    assert [reader for reader in before if 'value="remove"' in table.text(reader)] == []
    assert [
        table.post(reader, "list/", list="empty").status_code
        for reader in before
        if reader != "nobody"
    ] == [403] * 3
    assert kept(table).size == 3
    table.post(who, "list/", list="empty", version=str(kept(table).version))
    assert "Put several placements on the list" in table.text(who)
    assert table.campaign.entries.filter(content_json__contains="plan").count() == 0


@pytest.mark.django_db
def test_placements_are_announced_until_one_is_refused(table: Table) -> None:
    who, way = str(table.position.active).lower(), ways(table, "strengthen")[0]
    armies = table.position.lands[way.land].n
    put(table, way, times="3")
    before = len(moves(table))
    answer = table.post(
        who, "list/", list="announce", version=str(kept(table).version), stop="lost"
    )
    assert answer["Location"].endswith("&stops=lost")
    page = table.text(who, answer["Location"].removeprefix(table.home))
    assert moves(table)[before:] == ["place"] * (3 - armies)
    assert kept(table).size == armies
    assert "The next move was refused" in page
    assert (
        'value="lost" checked' not in page
    )  # the first placement is impossible: there is nothing to announce
    assert "The first placement cannot be made at present" in page


@pytest.mark.django_db
def test_a_double_click_announces_a_list_once(table: Table) -> None:
    """The second request finds that the table has changed, and announces nothing."""
    who, way = str(table.position.active).lower(), ways(table, "vacant", "strengthen")[0]
    put(table, way, times="2")
    put(table, way)
    before, seen = len(moves(table)), str(selectors.seen(table.campaign, table.people[who]))
    form = {"list": "first", "version": str(kept(table).version), "seen": seen}
    assert [table.clients[who].post(f"{table.home}list/", form).status_code for _ in range(2)] == [
        303,
        409,
    ]
    assert moves(table)[before:] == ["place"]
    assert kept(table).size == 2


@pytest.mark.django_db
def test_a_list_continues_after_dice_until_the_chosen_stop(table: Table) -> None:
    table.until(
        lambda p: (
            listing.announcer(p) is not None and p.pending is None and p.in_hand > 2 and fights(p)
        )
    )
    who, way = str(table.position.active).lower(), ways(table, "attack")[0]
    put(table, way, times="9")
    start, before = table.position, len(moves(table))
    answer = table.post(
        who, "list/", list="announce", version=str(kept(table).version), stop="taken"
    )
    page = table.text(who, answer["Location"].removeprefix(table.home))
    stands, content = table.position, len(moves(table)) - before
    assert moves(table)[before:] == ["place"] * content
    assert kept(table).size == 9 - content
    assert (content, start.lands[way.land].n) == (
        2,
        1,
    ), "the first army was lost, which was no stop; the second took it"
    assert (stands.lands[way.land].who, stands.in_hand) == (start.current, start.in_hand - 2)
    assert "The list stopped: Moesia was taken." in page
    assert 'value="taken" checked' in page
    assert 'value="lost" checked' not in page
    assert Plan.objects.count() == 1


@pytest.mark.long
@pytest.mark.django_db
def test_invalid_forms_are_refused_and_the_page_makes_few_queries(table: Table) -> None:
    who = str(table.position.active).lower()
    for data in (
        {"do": "end_phase"},
        {"do": "place"},
        {"do": "place", "land": "<b>", "from": "x" * 900},
        {"list": "announce"},
        {"list": "earlier", "at": "x"},
        {"list": "remove", "at": "-1", "version": "0"},
        {"list": "nothing"},
        {},
    ):
        assert table.post(who, "list/", **data).status_code in (303, 409, 422, 400)
    assert (kept(table).size, table.clients[who].get(f"{table.home}list/").status_code) == (
        1,
        302,
    )  # its form was valid
    table.text(who)  # the notices of the bell are read
    positions.memory.clear()
    with CaptureQueriesContext(connection) as asked:
        table.text(who)
    assert len(asked) <= 12, [query["sql"] for query in asked]


@pytest.mark.django_db
def test_a_changed_list_changes_the_page_of_its_holder_only(table: Table) -> None:
    who = str(table.position.active).lower()
    other = next(reader for reader in "abc" if reader != who)
    for reader in (who, other):
        table.clients[reader].get(table.home)  # this request sets cookies and marks notices as read
    tags = {reader: table.clients[reader].get(table.home)["ETag"] for reader in (who, other)}
    put(table, ways(table, "vacant", "strengthen")[0])
    again = {
        reader: table.clients[reader].get(table.home, headers={"If-None-Match": tag}).status_code
        for reader, tag in tags.items()
    }
    assert again == {who: 200, other: 304}
    assert 'value="remove"' in table.text(who)


@pytest.mark.long
@pytest.mark.django_db
def test_a_list_waits_for_a_decision_unless_a_standing_order_makes_it(
    table: Table,
) -> None:
    asked = table.until(lambda p: p.pending is not None and p.pending.kind == "retreat")
    seat, who, land = asked.pending.seat, str(asked.active), asked.combat.land
    attack = placing.offered_move("place", "", land=land, **{"from": asked.combat.source})
    assert put(table, attack, times="2").status_code == 303
    assert "The list waits until the decision has been made." in table.text(who.lower())
    answer = table.post(who.lower(), "list/", list="announce", version=str(kept(table).version))
    assert (answer.status_code, kept(table).size) == (422, 2)
    given = {"do": "order", "kind": "hold", "when": "at-once", "version": "0"}
    assert (
        table.clients[seat.lower()].post(f"{table.home}n/{seat}/standing/", given).status_code
        == 303
    )
    assert table.position.pending is None
    assert "The list waits" not in table.text(who.lower())

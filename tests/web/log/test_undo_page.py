"""What an undo or a restoration would change is told before it is confirmed, and so it comes;
struck branches are looked at.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.hosting.audit import differences
from campaign.log import selectors
from notices.models import Notice
from tests.web.five import Five, draft, five, new_campaign
from tests.web.timed import challenged
from tests.web.titles.test_table import plain

__all__ = ["challenged", "draft", "five", "new_campaign"]
pytestmark = pytest.mark.django_db
REASON = "The post of 4 March says so."


def last(table: Five) -> int:
    table.campaign.refresh_from_db()
    return int(table.campaign.last_number)


def section(page: str, ident: str) -> str:
    """The words of one sheet of the page; empty where it is not there."""
    match = re.search(rf'<section class="sheet[^"]*" id="{ident}".*?</section>', page, re.S)
    return plain(match[0]) if match else ""


def do(table: Five, **typed: str) -> Any:
    return table.post("gm", "rewind/", reason=REASON, seen=str(table.seen("gm")), **typed)


def test_it_lists_what_falls_and_changes_and_so_it_comes(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    stays = last(five)
    five.play("huns", "build", structure="shrines")
    five.play("huns", "end-slot")
    page = five.text("gm", "rewind/", entry=str(stays))
    assert f"Undo to entry {stays}?" in plain(page)
    moves = section(page, "moves")
    assert moves.index("end the slot") < moves.index("build Shrines")
    assert "build Hamlets" not in moves
    changes = section(page, "changes")
    assert "Huns stability 7 → 6" in changes
    assert "structures Hamlets, Shrines → Hamlets" in changes
    assert "Waits for" in changes
    refused = five.post("gm", "rewind/", entry=str(stays), seen=str(five.seen("gm")))
    assert refused.status_code == 422
    assert "Give the reason, in up to 1,000 characters" in plain(refused.content.decode())
    answer = do(five, entry=str(stays))
    undo = last(five)
    assert (answer.status_code, answer["Location"]) == (302, f"{five.home}e/{undo}/undone/")
    five.campaign.refresh_from_db()
    assert selectors.position(five.campaign).nations["huns"].structures == ["hamlets"]
    back = section(five.text("gm", "rewind/", undo=str(undo)), "changes")
    assert "Huns stability 6 → 7" in back
    assert "structures Hamlets → Hamlets, Shrines" in back
    assert do(five, undo=str(undo)).status_code == 302
    five.campaign.refresh_from_db()
    assert list(differences(five.campaign)) == []


def test_after_an_undo_one_sees_what_stands_what_is_struck_and_what_to_do(challenged: Five) -> None:
    """The Huns have launched #1 in their slot; the game master strikes the launch."""
    five = challenged
    launch = last(five)
    answer = five.post(
        "gm",
        "rewind/",
        reason=REASON,
        seen=str(five.seen("gm")),
        entry=str(launch - 1),
        follow=True,
    )
    undo, path = last(five), f"e/{last(five)}/undone/"
    assert answer.redirect_chain == [(f"{five.home}{path}", 302)]
    page = five.text("gm", path)
    text = plain(page)
    assert (
        f"Undone. The table is now in the position after entry {launch - 1}. Entry {launch} is"
        " struck: 1 move of" in text
    )
    assert f'href="{five.home}rewind/?undo={undo}">Restore the move…</a>' in page
    assert re.search(
        r"What you may want to do next Ingrid play the slot, until .*: .* Remind Ingrid The reason,"
        r" for all to read",
        text,
    )
    assert f"“{REASON}” Entry {undo}" in text
    assert f"{launch} struck" in text or "struck, show them" in text
    assert "Huns – Romans, Pannonia → Dalmatia: vanishes." in text
    assert re.search(r"Deadlines Slot, Huns .*, as before Turn .*, as before", text)
    assert (
        "They stay readable in the log, marked. Everyone whom the undo concerns has been notified."
        in text
    )
    undone = Notice.objects.filter(kind="undone", entry__number=undo)
    assert set(undone.values_list("user__username", flat=True)) == {"Ingrid", "Benedetto"}
    remind = {"do": "remind", "matter": "slot/huns", "back": f"{five.home}{path}"}
    assert five.post("gm", "desk/", **remind)["Location"] == f"{five.home}{path}"
    assert Notice.objects.filter(kind="reminded").count() == 1
    assert five.statuses(path) == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    with CaptureQueriesContext(connection) as queries:
        five.get("gm", path)
    assert len(queries) <= 12, [one["sql"][:120] for one in queries]
    five.play("huns", "build", structure="hamlets")
    assert five.get("gm", path)["Location"] == f"{five.home}e/{undo}/branch/", "somebody has moved"


def test_the_branch_is_looked_at_by_all_and_restored_by_the_game_master(five: Five) -> None:
    stays = last(five)
    five.play("huns", "build", structure="hamlets")
    five.play("huns", "build", structure="shrines")
    do(five, entry=str(stays))
    undo = last(five)
    page = five.text("nobody", f"e/{undo}/branch/")
    assert "A struck branch: nothing on this page is in force" in plain(page)
    assert f"Standings after entry {stays + 2}" in plain(page)
    assert "structures – → Hamlets, Shrines" in section(page, "changes")
    assert f"Standings after entry {stays + 1}" in plain(
        five.text("nobody", f"e/{undo}/branch/", at=str(stays + 1))
    )
    assert "What would restoring it change?" not in page
    assert f'rewind/?undo={undo}">What would restoring it change?' in five.text(
        "gm", f"e/{undo}/branch/"
    )
    assert f'/e/{undo}/branch/"' in five.text("nobody", "log/"), "the log leads there"
    for path in (
        f"e/{undo}/branch/?at={undo}",
        f"e/{undo}/branch/?at=x",
        f"e/{undo}/branch/?stop=9",
        f"e/{stays}/branch/",
    ):
        assert five.get("nobody", path).status_code == 404


def test_what_was_played_since_is_undone_first_as_a_chain_says(five: Five) -> None:
    stays = last(five)
    five.play("huns", "build", structure="hamlets")
    do(five, entry=str(stays))
    undo = last(five)
    five.play("huns", "build", structure="shrines")
    page = five.text("gm", f"e/{undo}/branch/")
    text = plain(page)
    assert "1 move was played since and prevents it." in text
    assert f"1 Undo to entry {undo}, 1 move 2 Restore what entry {undo} undid, 1 move" in text
    assert f'href="{five.home}rewind/?entry={undo}"' in page
    assert "The campaign has gone on since." in plain(five.text("gm", "rewind/", undo=str(undo)))
    do(five, entry=str(undo))
    do(five, undo=str(undo))
    five.campaign.refresh_from_db()
    assert selectors.position(five.campaign).nations["huns"].structures == ["hamlets"]
    assert list(differences(five.campaign)) == []


def test_of_what_is_abandoned_the_desk_and_the_page_say_why_nothing_is_undone(five: Five) -> None:
    stays = last(five)
    five.play("huns", "build", structure="hamlets")
    services.live(five.campaign, five.people["gm"], "abandoned", "Nobody writes any more.")
    why, before = (
        "This campaign has been abandoned. The game master can take that back; then moves go on.",
        last(five),
    )
    for page in (
        five.text("gm", "rewind/"),
        five.text("gm", "rewind/", entry=str(stays)),
        five.text("gm", "desk/", fix="undo"),
    ):
        assert why in plain(page)
        assert "What would it change?" not in page
    refused = do(five, entry=str(stays))
    assert (refused.status_code, why in plain(refused.content.decode())) == (422, True)
    assert last(five) == before


@pytest.mark.parametrize(
    "query", [{"entry": "x"}, {"entry": "4000"}, {"undo": "1"}, {"undo": "9" * 30}, {"entry": ""}]
)
def test_nonsense_lists_and_strikes_nothing(five: Five, query: dict[str, str]) -> None:
    before = last(five)
    assert five.get("gm", "rewind/", **query).status_code in (200, 404)
    assert do(five, **query).status_code in (404, 422)
    assert last(five) == before


def test_a_battle_and_its_deadline_are_listed_in_few_queries(challenged: Five) -> None:
    """Of a challenge that falls: the battle and the deadline of the answer. Both players get a
    notice of the undo.
    """
    five = challenged
    launch = last(five)
    page = five.text("gm", "rewind/", entry=str(launch - 1))
    assert "Huns – Romans, Pannonia → Dalmatia: vanishes." in section(page, "battles")
    deadlines = section(page, "deadlines")
    assert "Answer to a challenge, Romans, battle 1 : ends" in deadlines
    with CaptureQueriesContext(connection) as queries:
        five.get("gm", "rewind/", entry=str(launch - 1))
    assert len(queries) <= 12
    do(five, entry=str(launch - 1))
    undo = last(five)
    assert "Huns – Romans, Pannonia → Dalmatia: is there again." in section(
        five.text("gm", "rewind/", undo=str(undo)), "battles"
    )
    for path in (f"rewind/?undo={undo}", f"e/{undo}/branch/"):
        five.get("gm", path)
        with CaptureQueriesContext(connection) as queries:
            five.get("gm", path)
        assert len(queries) <= 14, path
    shown = [
        one.user.username for one in Notice.objects.filter(kind="undone").order_by("user__username")
    ]
    assert shown == ["Benedetto", "Ingrid"]


def test_a_seat_takes_several_moves_back_and_is_told_what_it_changes(five: Five) -> None:
    first = (
        five.play("gm", "adjust", nation="huns", account="army", change=1, reason="x")
        .entries[0]
        .number
    )
    for structure in ("hamlets", "shrines"):
        raw = {"by": "huns", "move": "build", "structure": structure}
        five.campaign = services.play(
            five.campaign, five.people["hun"], raw, five.seen("hun")
        ).campaign
    page = five.text("hun", "undo/")
    assert f'<a href="?to={first + 1}">' in page
    assert f"?to={first}" not in page, "the game master's move is not theirs"
    listed = five.text("hun", "undo/", to=str(first + 1))
    assert "Take back these 2 moves?" in plain(listed)
    assert "structures Hamlets, Shrines → –" in section(listed, "changes")
    with CaptureQueriesContext(connection) as queries:
        five.get("hun", "undo/", to=str(first + 1))
    assert len(queries) <= 12
    assert five.get("hun", "undo/", to=str(first)).status_code == 302
    answer = five.post("hun", "undo/", to=str(first + 1), seen=str(five.seen("hun")))
    assert answer.status_code == 303
    five.campaign.refresh_from_db()
    assert selectors.position(five.campaign).nations["huns"].structures == []
    assert "Huns: 2 moves are taken back." in plain(five.text("nobody", "log/"))
    assert list(differences(five.campaign)) == []

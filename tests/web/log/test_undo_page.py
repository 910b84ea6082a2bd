"""The page of an undo or a restoration: the list of all changes, and struck branches."""

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
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.timed import challenged
from tests.web.titles.test_table import visible_text

__all__ = ["challenged", "draft", "grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
REASON = "The post of 4 March says so."


def last(table: GrandTable) -> int:
    table.campaign.refresh_from_db()
    return int(table.campaign.last_number)


def section(page: str, ident: str) -> str:
    """Return the text of one section of the page; empty if it is missing."""
    match = re.search(rf'<section class="sheet[^"]*" id="{ident}".*?</section>', page, re.S)
    return visible_text(match[0]) if match else ""


def do(table: GrandTable, **typed: str) -> Any:
    return table.post("gm", "rewind/", reason=REASON, seen=str(table.seen("gm")), **typed)


def test_the_page_lists_all_changes_and_the_undo_makes_them(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    stays = last(grand_table)
    grand_table.play("huns", "build", structure="shrines")
    grand_table.play("huns", "end-slot")
    page = grand_table.text("gm", "rewind/", entry=str(stays))
    assert f"Undo to entry {stays}?" in visible_text(page)
    moves = section(page, "moves")
    assert moves.index("end their turn") < moves.index("build Shrines")
    assert "build Hamlets" not in moves
    changes = section(page, "changes")
    assert "Huns stability 7 → 6" in changes
    assert "structures Hamlets, Shrines → Hamlets" in changes
    assert "Waits for" in changes
    refused = grand_table.post("gm", "rewind/", entry=str(stays), seen=str(grand_table.seen("gm")))
    assert refused.status_code == 422
    assert "Give a reason in up to 1,000 characters" in visible_text(refused.content.decode())
    answer = do(grand_table, entry=str(stays))
    undo = last(grand_table)
    assert (answer.status_code, answer["Location"]) == (302, f"{grand_table.home}e/{undo}/undone/")
    grand_table.campaign.refresh_from_db()
    assert selectors.position(grand_table.campaign).nations["huns"].structures == ["hamlets"]
    back = section(grand_table.text("gm", "rewind/", undo=str(undo)), "changes")
    assert "Huns stability 6 → 7" in back
    assert "structures Hamlets → Hamlets, Shrines" in back
    assert do(grand_table, undo=str(undo)).status_code == 302
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []


def test_after_an_undo_pages_show_the_rest_the_struck_moves_and_the_next_step(
    challenged: GrandTable,
) -> None:
    """The Huns have launched #1 in their slot; the game master strikes the launch."""
    grand_table = challenged
    launch = last(grand_table)
    answer = grand_table.post(
        "gm",
        "rewind/",
        reason=REASON,
        seen=str(grand_table.seen("gm")),
        entry=str(launch - 1),
        follow=True,
    )
    undo, path = last(grand_table), f"e/{last(grand_table)}/undone/"
    assert answer.redirect_chain == [(f"{grand_table.home}{path}", 302)]
    page = grand_table.text("gm", path)
    text = visible_text(page)
    assert (
        f"Undone. The table is now in the position after entry {launch - 1}. Entry {launch} is"
        " struck: 1 move (" in text
    )
    assert f'href="{grand_table.home}rewind/?undo={undo}">Restore the move…</a>' in page
    assert re.search(
        (
            "What you may want to do next Ingrid play the turn, until .*: .* Remind Ingrid The "
            "reason, visible to everyone"
        ),
        text,
    )
    assert f"“{REASON}” Entry {undo}" in text
    assert f"{launch} struck" in text or "struck, show them" in text
    assert "Huns – Romans, Pannonia → Dalmatia: vanishes." in text
    assert re.search(r"Deadlines Player’s turn, Huns .*, as before Turn .*, as before", text)
    assert (
        "They stay readable in the log, marked as struck. Everyone whom the undo concerns has "
        "been notified."
    ) in text
    undone = Notice.objects.filter(kind="undone", entry__number=undo)
    assert set(undone.values_list("user__username", flat=True)) == {"Ingrid", "Benedetto"}
    remind = {"do": "remind", "matter": "slot/huns", "back": f"{grand_table.home}{path}"}
    assert grand_table.post("gm", "desk/", **remind)["Location"] == f"{grand_table.home}{path}"
    assert Notice.objects.filter(kind="reminded").count() == 1
    assert grand_table.statuses(path) == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("gm", path)
    assert len(queries) <= 12, [query["sql"][:120] for query in queries]
    grand_table.play("huns", "build", structure="hamlets")
    assert grand_table.get("gm", path)["Location"] == f"{grand_table.home}e/{undo}/branch/", (
        "somebody has moved"
    )


def test_all_readers_see_a_struck_branch_and_the_game_master_restores_it(
    grand_table: GrandTable,
) -> None:
    stays = last(grand_table)
    grand_table.play("huns", "build", structure="hamlets")
    grand_table.play("huns", "build", structure="shrines")
    do(grand_table, entry=str(stays))
    undo = last(grand_table)
    page = grand_table.text("nobody", f"e/{undo}/branch/")
    assert "A struck branch: nothing on this page is in force" in visible_text(page)
    assert f"Standings after entry {stays + 2}" in visible_text(page)
    assert "structures – → Hamlets, Shrines" in section(page, "changes")
    assert f"Standings after entry {stays + 1}" in visible_text(
        grand_table.text("nobody", f"e/{undo}/branch/", at=str(stays + 1))
    )
    assert "What would restoring it change?" not in page
    assert f'rewind/?undo={undo}">What would restoring it change?' in grand_table.text(
        "gm", f"e/{undo}/branch/"
    )
    assert f'/e/{undo}/branch/"' in grand_table.text("nobody", "log/"), "the log leads there"
    for path in (
        f"e/{undo}/branch/?at={undo}",
        f"e/{undo}/branch/?at=x",
        f"e/{undo}/branch/?stop=9",
        f"e/{stays}/branch/",
    ):
        assert grand_table.get("nobody", path).status_code == 404


def test_later_moves_are_undone_first_as_the_page_explains(grand_table: GrandTable) -> None:
    stays = last(grand_table)
    grand_table.play("huns", "build", structure="hamlets")
    do(grand_table, entry=str(stays))
    undo = last(grand_table)
    grand_table.play("huns", "build", structure="shrines")
    page = grand_table.text("gm", f"e/{undo}/branch/")
    text = visible_text(page)
    assert "1 move has been played since and prevents it." in text
    assert f"1 Undo to entry {undo} (1 move) 2 Restore what entry {undo} undid (1 move)" in text
    assert f'href="{grand_table.home}rewind/?entry={undo}"' in page
    assert "The campaign has moved on since then." in visible_text(
        grand_table.text("gm", "rewind/", undo=str(undo))
    )
    do(grand_table, entry=str(undo))
    do(grand_table, undo=str(undo))
    grand_table.campaign.refresh_from_db()
    assert selectors.position(grand_table.campaign).nations["huns"].structures == ["hamlets"]
    assert list(differences(grand_table.campaign)) == []


def test_in_an_abandoned_campaign_desk_and_page_say_why_undo_is_refused(
    grand_table: GrandTable,
) -> None:
    stays = last(grand_table)
    grand_table.play("huns", "build", structure="hamlets")
    services.change_life(
        grand_table.campaign, grand_table.people["gm"], "abandoned", "Nobody writes any more."
    )
    why, before = (
        "This campaign has been abandoned. You can move again if the game master resumes it.",
        last(grand_table),
    )
    for page in (
        grand_table.text("gm", "rewind/"),
        grand_table.text("gm", "rewind/", entry=str(stays)),
        grand_table.text("gm", "desk/", fix="undo"),
    ):
        assert why in visible_text(page)
        assert "What would it change?" not in page
    refused = do(grand_table, entry=str(stays))
    assert (refused.status_code, why in visible_text(refused.content.decode())) == (422, True)
    assert last(grand_table) == before


@pytest.mark.parametrize(
    "query", [{"entry": "x"}, {"entry": "4000"}, {"undo": "1"}, {"undo": "9" * 30}, {"entry": ""}]
)
def test_an_invalid_request_lists_and_strikes_nothing(
    grand_table: GrandTable, query: dict[str, str]
) -> None:
    before = last(grand_table)
    assert grand_table.get("gm", "rewind/", **query).status_code in (200, 404)
    assert do(grand_table, **query).status_code in (404, 422)
    assert last(grand_table) == before


def test_a_battle_and_its_deadline_are_listed_in_few_queries(challenged: GrandTable) -> None:
    """The undo strikes a challenge, its battle and the deadline of the answer.

    Both players get a notice.
    """
    grand_table = challenged
    launch = last(grand_table)
    page = grand_table.text("gm", "rewind/", entry=str(launch - 1))
    assert "Huns – Romans, Pannonia → Dalmatia: vanishes." in section(page, "battles")
    deadlines = section(page, "deadlines")
    assert "Answer to a challenge, Romans, battle 1 : ends" in deadlines
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("gm", "rewind/", entry=str(launch - 1))
    assert len(queries) <= 12
    do(grand_table, entry=str(launch - 1))
    undo = last(grand_table)
    assert "Huns – Romans, Pannonia → Dalmatia: returns." in section(
        grand_table.text("gm", "rewind/", undo=str(undo)), "battles"
    )
    for path in (f"rewind/?undo={undo}", f"e/{undo}/branch/"):
        grand_table.get("gm", path)
        with CaptureQueriesContext(connection) as queries:
            grand_table.get("gm", path)
        assert len(queries) <= 14, path
    shown = [
        notice.user.username
        for notice in Notice.objects.filter(kind="undone").order_by("user__username")
    ]
    assert shown == ["Benedetto", "Ingrid"]


def test_a_player_takes_several_moves_back_after_seeing_the_changes(
    grand_table: GrandTable,
) -> None:
    first = (
        grand_table.play("gm", "adjust", nation="huns", account="army", change=1, reason="x")
        .entries[0]
        .number
    )
    for structure in ("hamlets", "shrines"):
        raw = {"by": "huns", "move": "build", "structure": structure}
        grand_table.campaign = services.play(
            grand_table.campaign, grand_table.people["hun"], raw, grand_table.seen("hun")
        ).campaign
    page = grand_table.text("hun", "undo/")
    assert f'<a href="?to={first + 1}">' in page
    assert f"?to={first}" not in page, "the game master's move is not theirs"
    listed = grand_table.text("hun", "undo/", to=str(first + 1))
    assert "Take back these 2 moves?" in visible_text(listed)
    assert "structures Hamlets, Shrines → –" in section(listed, "changes")
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("hun", "undo/", to=str(first + 1))
    assert len(queries) <= 12
    assert grand_table.get("hun", "undo/", to=str(first)).status_code == 302
    answer = grand_table.post("hun", "undo/", to=str(first + 1), seen=str(grand_table.seen("hun")))
    assert answer.status_code == 303
    grand_table.campaign.refresh_from_db()
    assert selectors.position(grand_table.campaign).nations["huns"].structures == []
    assert "Huns: 2 moves are taken back." in visible_text(grand_table.text("nobody", "log/"))
    assert list(differences(grand_table.campaign)) == []

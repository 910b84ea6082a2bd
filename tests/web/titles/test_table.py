"""The table: access, awaited players, standings, battles, provinces, start and end."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign

__all__ = ["draft", "grand_table", "new_campaign", "people", "running", "table", "toy"]


def visible_text(html: str) -> str:
    """Return the visible text, without markup and pictures."""
    text = re.sub(r"<(svg|style|script)\b.*?</\1>", " ", html, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


# access -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("visibility", ["listed", "unlisted"])
def test_all_readers_with_the_address_see_the_table(
    new_campaign: Callable[..., GrandTable], visibility: str
) -> None:
    assert new_campaign(visibility).statuses("") == dict.fromkeys(WHO, 200)


def test_a_table_for_members_is_not_there_for_others(
    new_campaign: Callable[..., GrandTable],
) -> None:
    seen = {"gm": 200, "hun": 200, "roman": 200, "stranger": 404, "nobody": 404}
    assert new_campaign("members").statuses("") == seen


def test_a_wrong_slug_leads_to_the_right_one(grand_table: GrandTable) -> None:
    key = grand_table.campaign.public_id
    for wrong in (key, f"{key}-", f"{key}-another-name"):
        answer = grand_table.get("nobody", f"/c/{wrong}/", province="asia")
        assert answer.status_code == 301
        # an earlier name may be used again
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer["Location"] == f"{grand_table.home}?province=asia"


@pytest.mark.parametrize(
    "ref", ["aaaaaaaa", "AAAAAAAA-x", "short", "aaaaaaaa'; drop", "%00aaaaaaa", "a" * 200]
)
def test_no_such_campaign(grand_table: GrandTable, ref: str) -> None:
    assert grand_table.get("gm", f"/c/{ref}/").status_code == 404


# awaited players ----------------------------------------------------------------------------------
def test_the_ribbon_shows_the_order_of_play(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.text("stranger"))
    assert re.search(
        r"Sassanids Sas ended \d+ \w+ Vandals Van ended \d+ \w+ Hephtalites Hep ended", text
    )
    assert re.search(
        r"Huns Hun 2½ actions left until \d+ \w+( \d{4})? \d\d:\d\d Kushans Kus next Romans Rom"
        r" then",
        text,
    )
    assert grand_table.text("stranger").count('aria-current="step"') == 1


def test_you_are_named_first(grand_table: GrandTable) -> None:
    assert "Waiting for You : play the turn Huns since today" in visible_text(
        grand_table.text("hun")
    )
    assert "Waiting for Ingrid : play the turn Huns since today" in visible_text(
        grand_table.text("roman")
    )
    assert f'href="{grand_table.home}n/huns/"' in grand_table.text("hun")


def test_a_free_seat_is_named_by_its_nation(grand_table: GrandTable) -> None:
    grand_table.slot_to("kushans")
    assert "Waiting for Kushans : play the turn" in visible_text(grand_table.text("hun"))


def test_a_player_who_must_answer_is_asked_to(grand_table: GrandTable) -> None:
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    text = visible_text(grand_table.text("roman"))
    assert "Waiting for You : answer the attack on Dalmatia #1 Romans" in text
    assert "Ingrid : play the turn" in text
    assert (
        "#1 Huns against Romans Pannonia → Dalmatia, land attack Answer awaited Benedetto, due "
        in text
    )
    assert (
        f'<a class="button button--small button--primary" href="{grand_table.home}b/1/">View</a>'
        in grand_table.text("roman")
    )


def test_both_sides_of_a_battle_are_one_line(grand_table: GrandTable) -> None:
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    grand_table.play("romans", "respond", attack=1, choice="accept")
    assert "You and Benedetto : play the battle of Dalmatia #1 Huns Romans" in visible_text(
        grand_table.text("hun")
    )
    assert "Ingrid and Benedetto : play the battle of Dalmatia #1" in visible_text(
        grand_table.text("stranger")
    )


def test_the_tabs_of_each(grand_table: GrandTable) -> None:
    rooms = {}
    for who in WHO:
        nav = re.search(r'<nav class="tabs".*?</nav>', grand_table.text(who), re.S)
        assert nav
        rooms[who] = visible_text(nav[0]).split()
    rest = ["About", "More"]
    assert rooms["nobody"] == ["Table", "Battles", "Log", "Reports", "Dice", *rest]
    assert rooms["hun"] == ["Table", "Huns", "1", "Battles", "Messages", "Log", "Reports", *rest]
    assert rooms["roman"] == ["Table", "Romans", "Battles", "Messages", "Log", "Reports", *rest]
    assert rooms["gm"] == ["Table", "Desk", "Battles", "Messages", "Log", "Outbox", *rest]


def test_a_room_of_several_pages_shows_them_and_a_game_master_who_plays_has_seven_rooms(
    grand_table: GrandTable,
) -> None:
    pages = {}
    for path in ("log/", "about/"):
        nav = re.search(r'<nav class="subtabs rooms".*?</nav>', grand_table.text("gm", path), re.S)
        assert nav
        pages[path] = visible_text(nav[0]).split()
    about = ["About", "Rules", "Seats", "Deadlines", "Dice"]
    assert pages == {"log/": ["Log", "Story", "History", "Charts"], "about/": about}
    _, token = services.invite(grand_table.campaign, grand_table.people["gm"], "vandals")
    services.take_seat(grand_table.people["gm"], token)
    nav = re.search(r'<nav class="tabs".*?</nav>', grand_table.text("gm"), re.S)
    assert nav
    assert len(re.findall("<a ", nav[0])) == 8, "seven rooms, and More on a phone"


@pytest.mark.parametrize("path", ["", "log/", "e/0/", "dice/"])
def test_pages_without_forms_accept_no_post(grand_table: GrandTable, path: str) -> None:
    assert grand_table.post("gm", path).status_code == 405


# standings, map, provinces ------------------------------------------------------------------------
def test_standings(grand_table: GrandTable) -> None:
    grand_table.play(
        "gm", "adjust", nation="romans", account="victory_points", change=3, reason="As ruled."
    )
    grand_table.play(
        "gm", "adjust", nation="huns", account="stability", change=-2, reason="As ruled."
    )
    text = visible_text(grand_table.text("stranger"))
    assert (
        "Nation VP ▾ Stability Prestige Income Army Provinces Cards Romans Benedetto 3 6 6 450t"
        " 1600 9 1" in text
    )
    assert (
        "Huns Ingrid 0 One more loss costs prestige and forbids covert attacks (2.1): 4 6 450t "
        "1600 7 1"
    ) in text


def test_the_map_shows_owners_and_attacks(grand_table: GrandTable) -> None:
    before = grand_table.text("hun")
    assert 'aria-label="Dalmatia, Romans"' in before
    assert 'href="?province=dalmatia#province"' in before
    assert 'data-kind="land" data-nation' not in before.split("map__key")[0]
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    drawn = grand_table.text("hun").split('class="map__key"')[0]
    assert (
        drawn.count('<polygon class="arrow__head"')
        == before.split('class="map__key"')[0].count("arrow__head") + 1
    )


def test_a_province(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans")
    grand_table.play("romans", "fortify", province="dalmatia")
    text = visible_text(grand_table.text("nobody", province="dalmatia"))
    assert (
        "Dalmatia Salonae Romans Close Army list Roman 425-492 AD Fortification Ramparts: a siege"
        " fails on 1–30 §9.7" in text
    )
    assert (
        "By land Italia Annonaria , Macedonia , Moesia Prima , Pannonia By sea Italia Suburbicaria"
        in text
    )
    assert re.search(r"History \d+ Ramparts in Dalmatia On the table", text)


def test_a_province_under_attack(grand_table: GrandTable) -> None:
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    assert "Under attack by the Huns Pannonia → Dalmatia, #1" in visible_text(
        grand_table.text("nobody", province="dalmatia")
    )
    assert "An attack started here this turn" in visible_text(
        grand_table.text("nobody", province="pannonia")
    )


@pytest.mark.parametrize("province", ["", "atlantis", "<script>", "é" * 500])
def test_no_such_province(grand_table: GrandTable, province: str) -> None:
    answer = grand_table.get("nobody", province=province)
    assert answer.status_code == 200
    assert "Choose a province on the map or here." in answer.content.decode()
    assert "<script>" not in answer.content.decode()


def test_the_table_of_provinces_says_all_that_the_map_says(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans")
    grand_table.play("romans", "fleet", province="sicilia")
    text = visible_text(grand_table.text("nobody"))
    assert "Provinces as a table 90 provinces on the map" in text
    assert "Sicilia Romans Roman 425-492 AD fleet" in text
    assert "Hunnia ★ capital Huns Hunnic Western 376-454 AD" in text
    assert "Hibernia external" in text


def test_cards_on_the_table_and_truces(grand_table: GrandTable) -> None:
    grand_table.play("huns", "offer", card="spy")
    grand_table.slot_to("kushans")
    grand_table.play("kushans", "play", card="diplomat", truce="romans")
    text = visible_text(grand_table.text("stranger"))
    assert "Spy offered by Huns until their next turn" in text
    assert "Kushans and Romans : truce to the end of turn 2 §4.8" in text


# before the start ---------------------------------------------------------------------------------
def test_the_game_masters_next_step_is_to_invite(draft: GrandTable) -> None:
    text = visible_text(draft.text("gm"))
    assert (
        "Before the start 6 seats, 4 free 4 seats are free. Create an invitation link for each, "
        "and send them."
    ) in text
    assert (
        f'<a class="button button--primary" href="{draft.home}seats/">Invite people</a>'
        in draft.text("gm")
    )
    assert draft.campaign.commitment in text
    assert "Romans Benedetto civilized, Roman 425-492 AD" in text


def test_then_to_start(draft: GrandTable, person: Callable[..., Any]) -> None:
    for n in range(4):
        _, token = services.invite(draft.campaign, draft.people["gm"])
        services.take_seat(person(f"Guest {n}"), token)
    assert "Everyone has a seat." in visible_text(draft.text("gm"))
    assert (
        f'<a class="button button--primary" href="{draft.home}desk/">Start the campaign…</a>'
        in draft.text("gm")
    )
    assert "You have your seat. All seats are taken. Marozia starts the campaign." in visible_text(
        draft.text("hun")
    )


def test_the_table_for_other_readers_before_the_start(draft: GrandTable) -> None:
    assert (
        "You have your seat. Not all seats are taken. Marozia decides when the campaign starts."
        in visible_text(draft.text("hun"))
    )
    for who in ("stranger", "nobody"):
        text = visible_text(draft.text(who))
        assert "Seats are taken by invitation. Ask Marozia for a link, or wait for a seat ." in text
        assert "Invite people" not in text


# the end ------------------------------------------------------------------------------------------
def test_final_standings(grand_table: GrandTable) -> None:
    grand_table.play(
        "gm", "adjust", nation="huns", account="victory_points", change=9, reason="As ruled."
    )
    while grand_table.campaign.status != "finished":
        if grand_table.campaign.phase == "closed":
            grand_table.play("gm", "open-turn")
        else:
            grand_table.play(grand_table.campaign.active_seat, "end-slot")
    text = visible_text(grand_table.text("stranger"))
    assert "Final standings" in text
    assert re.search(r"Place 1 Huns Ingrid winner \d+ points Provinces: 7 at the start", text)
    assert "The Huns have won" in text
    assert "Waiting for" not in text
    assert "420 AD Grand Campaign finished game master: Marozia" in text


# secrets, hostility, cost -------------------------------------------------------------------------
def test_hidden_hands_are_counts(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(hands="hidden")
    table.open_hands()
    table.play("gm", "start")
    for who, cards in (("hun", ["Spy"]), ("roman", ["Traitor"]), ("stranger", []), ("nobody", [])):
        log = visible_text(table.text(who)).split("On the table")[0]
        drawn = re.findall(r"draw (Spy|Naval Technology|Assassin|Diplomat|Traitor)", log)
        assert drawn == cards, who
    assert visible_text(table.text("gm")).count(" draw ") == 6


def test_names_of_people_are_escaped(
    new_campaign: Callable[..., GrandTable], person: Callable[..., Any]
) -> None:
    table = new_campaign(name="<script>alert(1)</script> & “co”")
    user = person("O'<b>Neill")
    _, token = services.invite(table.campaign, table.people["gm"], "vandals")
    services.take_seat(user, token)
    for path in ("", "log/", "dice/", "seats/", "e/1/", "/"):
        html = table.text("gm", path)
        assert "<script>alert" not in html
        assert "O'<b>" not in html
        if path != "dice/":
            assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “co”" in html


@pytest.mark.parametrize("who", ["gm", "hun", "stranger", "nobody"])
def test_queries_of_the_table(grand_table: GrandTable, who: str) -> None:
    """The first look after a move asks at most 12 queries."""
    for n in range(12):
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1 + n, reason="As ruled."
        )
    grand_table.get(who)
    with CaptureQueriesContext(connection) as queries:
        grand_table.get(who)
    assert len(queries) <= 12


# another title ------------------------------------------------------------------------------------
def test_a_title_without_pages_of_its_own(running: Any, client: Any) -> None:
    running.play("bee", "add", stones=2)
    address = f"/c/{running.reload().address}/"
    client.force_login(running.people["bee"])
    html = client.get(address).content.decode()
    text = visible_text(html)
    assert "Waiting for You : wait The Bee" in text
    assert "Seat stones ▾ The Bee Bee 2 The Ant Ant 0" in text
    assert "The Bee bee: add" in text
    assert 'data-nation="bee"]{ --fill:#ddaa00;' in html
    assert "Provinces" not in text
    assert "/rules/heap/" not in html
    for path in ("log/", "e/0/", "dice/"):
        assert client.get(address + path).status_code == 200


def test_the_toys_draft(table: Any, client: Any) -> None:
    client.force_login(table.gm)
    assert "Everyone has a seat." in client.get(f"/c/{table.campaign.address}/").content.decode()


# size ---------------------------------------------------------------------------------------------
def test_the_page_weighs_less_than_120_kb(grand_table: GrandTable) -> None:
    """Sizes are compressed: the page, and the page with styles and scripts.

    The outlines of the provinces are a separate file that never changes.
    """
    for n in range(30):
        grand_table.play(
            "gm",
            "adjust",
            nation="huns",
            account="income",
            change=1 + n % 5,
            reason="As ruled, and told at length.",
        )
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    for who, path in (("hun", ""), ("nobody", ""), ("gm", "?province=dalmatia")):
        page = grand_table.text(who, path)
        files = set(re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js|svg))"', page))
        assert {"css/base.css", "js/app.js", "js/map.js", "js/live.js"} <= files
        (outlines,) = set(re.findall(r'href="(/maps/[0-9a-f]{20}\.svg)#o-asia"', page))
        shapes = grand_table.clients[who].get(outlines)
        assert shapes["Cache-Control"] == "public, max-age=31536000, immutable"
        small = grand_table.clients[who].get(outlines, headers={"accept-encoding": "gzip, br"})
        assert brotli.decompress(small.content) == shapes.content
        assert "Accept-Encoding" in small["Vary"]
        assert len(small.content) < 23_000
        assert len(re.findall(r'<path id="o-[a-z]', shapes.content.decode())) == 90
        result = [Path(str(finders.find(name))).read_bytes() for name in files]
        assert len(gzip.compress(page.encode())) < 25_000
        assert 50_000 < sum(len(gzip.compress(text)) for text in (page.encode(), *result)) < 120_000

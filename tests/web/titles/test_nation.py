"""The page of a nation: its state, its moves, their consequences; five readers.

A title without extras.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.log import selectors
from games.grand_campaign.text.words import card_name
from tests.table import Table, people, running, table, toy
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from tests.web.plain import find_form, parse_forms, submit_form

__all__ = ["grand_table", "new_campaign", "people", "running", "table", "toy"]

HOSTILE = "<script>alert(1)</script> & Sons"


def words(html: str) -> str:
    """Return the text of a page without tags and repeated spaces."""
    text = re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", " ", html, flags=re.DOTALL))
    return re.sub(r" ([,.:)])", r"\1", re.sub(r"\s+", " ", unescape(text))).replace("( ", "(")


def test_the_page_shows_whose_slot_is_open(grand_table: GrandTable) -> None:
    assert "Your turn is open until" in words(grand_table.text("hun", "n/huns/"))
    for who in ("gm", "roman", "stranger", "nobody"):
        text = words(grand_table.text(who, "n/huns/"))
        assert "Your turn" not in text, who
        assert "The turn has been open since" in text, who


def test_the_sheet(grand_table: GrandTable) -> None:
    text = words(grand_table.text("hun", "n/huns/"))
    assert "Huns Ingrid · capital Hunnia · Hunnic Western 376-454 AD · " in text
    assert "Stability 6 3 above the threshold of 3 §2.1" in text
    assert "Prestige 6 from 11 on, covert attacks on this nation cost 1 action §2.7" in text
    assert "Income 450 t gives 2½ actions next turn; 100t more gives 3 §3.1" in text
    assert "Army 1600 full at 1600 §2.8" in text
    assert "Victory points 0 1st; 12 if scored now §12" in text
    assert "2½ of 2½ actions left Unused actions lapse. §3.2" in text


def test_the_offers(grand_table: GrandTable) -> None:
    text = words(grand_table.text("hun", "n/huns/"))
    assert "Fiscal 2 moves Tax exemption stability 6 → 7" in text
    assert "Tax increase stability 6 → 5, actions 2½ → 3 free Announce" in text
    assert "Bridges Commercial Structures 1 of 4 income 450t → 550t, 3 actions next turn" in text
    assert "Covert attack on the Romans You border the Romans" in text
    assert "Provincial levy You need barracks to levy troops. §3.11" in text
    for group in ("Fiscal", "Construction", "Military", "Covert", "Trade"):
        assert f" {group} " in text


def test_a_threshold_is_near(grand_table: GrandTable) -> None:
    grand_table.play("gm", "adjust", nation="huns", account="stability", change=-2, reason="-")
    html = grand_table.text("hun", "n/huns/")
    text = words(html)
    assert "account--warn" in html
    assert "1 above the threshold of 3 §2.1" in text
    assert (
        "Tax increase stability 4 → 3, no covert attacks, actions 2½ → 3 ↳ prestige 6 → 5:"
        " stability at 3 or less §2.1" in text
    )
    assert "Announce…: Tax increase" in text


def test_an_attack_opened(grand_table: GrandTable) -> None:
    html = grand_table.text("hun", "n/huns/", open="attack-land")
    text = words(html)
    assert (
        "If you win stability 6 → 7, prestige 6 → 7, VP 0 → 3, army 1600 → 1630, income 450t → 500t"
        in text
    )
    assert "If you lose stability 6 → 5, prestige 6 → 5, army 1600 → 1570" in text
    assert "If it is a draw income 450t → 475t" in text
    assert "No answer is needed. §7.9" in text
    assert 'class="map map--crop' in html
    form = find_form(html, "o-attack-land")
    assert form.choices["battle"] == ["open", "flank-march", "remove-the-head"]


def test_targets_depend_on_the_starting_point(grand_table: GrandTable) -> None:
    first = find_form(grand_table.text("hun", "n/huns/", open="attack-land"), "o-attack-land")
    for source in first.choices["from"]:
        html = grand_table.text("hun", "n/huns/", open="attack-land", **{"from": source})
        form = find_form(html, "o-attack-land")
        assert form.value("from") == source
        land = next(o for o in _offers(grand_table, "huns") if o.key == "attack-land")
        assert form.choices["target"] == list(land.values("target", {"from": source}))
        first.action = f"{grand_table.home}preview/"
        same = submit_form(grand_table.clients["hun"], first, from_=source)
        assert (
            find_form(same.content.decode(), "o-attack-land").choices["target"]
            == form.choices["target"]
        )


def _offers(grand_table: GrandTable, seat: str) -> Any:
    return grand_table.campaign.game.offers(selectors.position(grand_table.campaign), seat, seat)


def test_a_player_outside_their_slot_has_no_offers(grand_table: GrandTable) -> None:
    text = words(grand_table.text("roman", "n/romans/"))
    assert "It is not the turn of the Romans; the Huns are playing. §1.3" in text
    assert "Announce" not in text
    assert "End turn" not in text


def test_others_look_on(grand_table: GrandTable) -> None:
    for who in ("roman", "stranger", "nobody"):
        html = grand_table.text(who, "n/huns/")
        assert "Your moves" not in html
        assert "/move/" not in html
        assert "Structures" in html
        assert 'id="ledger"' in html


def test_five_people(grand_table: GrandTable) -> None:
    everybody = {"gm": 200, "hun": 200, "roman": 200, "stranger": 200, "nobody": 200}
    assert grand_table.statuses("n/huns/") == everybody
    for path in ("n/gm/", "n/nobody/", "n/%3Cscript%3E/"):
        assert set(grand_table.statuses(path).values()) == {404}
    assert (
        grand_table.get("hun", f"/c/{grand_table.campaign.public_id}-wrong/n/huns/?open=fleet")[
            "Location"
        ]
        == f"{grand_table.home}n/huns/?open=fleet"
    )


def test_members_only(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(visibility="members")
    want = {"gm": 200, "hun": 200, "roman": 200, "stranger": 404, "nobody": 404}
    assert grand_table.statuses("n/huns/") == want
    for path in ("move/", "preview/", "undo/"):
        assert grand_table.post("stranger", path).status_code == 404
        assert grand_table.post("nobody", path).status_code == 404


def test_before_the_start_there_is_nothing_to_announce(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign()
    text = grand_table.text("hun", "n/huns/")
    assert "Your moves" not in text
    assert "Stability" in text


def test_hidden_hands_are_counted(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.open_hands()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    own, gm = words(grand_table.text("hun", "n/huns/")), words(grand_table.text("gm", "n/huns/"))
    card = next(iter(_hand(grand_table)))
    assert card in own
    assert card in gm
    for who in ("roman", "stranger", "nobody"):
        text = words(grand_table.text(who, "n/huns/"))
        assert "1 card, which only the Huns and the game master can see." in text
        assert card not in text


def _hand(grand_table: GrandTable) -> list[str]:
    hand = selectors.position(grand_table.campaign).nations["huns"].hand
    return [card_name(card) for card in hand]


def test_the_ledger(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="shrines")
    grand_table.play("gm", "adjust", nation="huns", account="income", change=-25, reason=HOSTILE)
    html = grand_table.text("roman", "n/huns/")
    text = words(html)
    assert "Turn 1" in text
    assert "Stability Shrines §3.4 +1 7" in text
    assert f"Income Correction: {HOSTILE} §13 −25t 425t" in text
    assert HOSTILE not in html
    only = words(grand_table.text("roman", "n/huns/", account="actions")).split("Ledger")[-1]
    assert "Shrines §3.4 −½ 2" in only
    assert "Stability Shrines" not in only
    assert "Income of 450t §3.1 +2½ 2½" in only


def test_hostile_names_are_escaped(
    new_campaign: Callable[..., GrandTable], person: Callable[..., Any]
) -> None:
    grand_table = new_campaign(name=HOSTILE)
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    for path in ("n/huns/", "n/romans/"):
        html = grand_table.text("hun", path)
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons" in html
    answer = grand_table.post(
        "hun",
        "move/",
        offer=HOSTILE,
        move=HOSTILE,
        seat="huns",
        seen="999",
        back="https://evil.example/",
    )
    assert "<script>alert" not in answer.content.decode()


def test_answers_are_first_with_their_consequences(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans")
    position = _position(grand_table)
    land = next(
        o
        for o in grand_table.campaign.game.offers(position, "romans", "gm")
        if o.key == "attack-land"
    )
    way = next(
        (a, b)
        for a in land.values("from")
        for b in land.values("target", {"from": a})
        if position.owner[b] == "huns"
    )
    grand_table.play("romans", "attack", kind="land", **{"from": way[0], "target": way[1]})
    html = grand_table.text("hun", "n/huns/")
    text = words(html)
    assert html.index('id="answer-1"') < html.index('id="h-nat"')
    assert f"The Romans attack {position.scenario.provinces[way[1]].name}" in text
    assert "waits for you" in text
    assert "Accept If you win stability 6 → 7, prestige 6 → 7, VP 0 → 1, army 1600 → 1630" in text
    assert "Withdraw income 450t → 400t (2 actions next turn)" in text
    assert "escort forced, about 33%" in text
    assert "no escort, about 67%" in text
    assert "waits for the Huns" in words(grand_table.text("gm", "n/huns/"))
    assert "waits for" not in words(grand_table.text("roman", "n/huns/"))


def _position(grand_table: GrandTable) -> Any:
    return selectors.position(grand_table.campaign)


def test_queries(grand_table: GrandTable) -> None:
    grand_table.get("hun", "n/huns/")
    counts = {}
    for who in ("hun", "roman", "nobody"):
        with CaptureQueriesContext(connection) as queries:
            grand_table.get(who, "n/huns/")
        counts[who] = len(queries)
    most = {
        "hun": 9,
        "roman": 11,
        "nobody": 6,
    }  # one less if an earlier test has filled the caches of the process
    assert all(0 <= most[who] - count <= 1 for who, count in counts.items()), counts


# A title that knows nothing of nations ------------------------------------------------------------


@pytest.fixture
def ant(running: Table) -> Client:
    client = Client()
    client.force_login(running.people["bee"])
    return client


def test_the_toys_page(running: Table, ant: Client) -> None:
    home = f"/c/{running.campaign.address}/"
    html = ant.get(f"{home}n/bee/").content.decode()
    text = words(html)
    assert "The Bee Bee" in text
    assert "Your moves" in text
    assert "Stones 0" in text
    answer = submit_form(
        ant, find_form(ant.get(f"{home}n/bee/?open=add").content.decode(), "o-add"), stones="3"
    )
    assert answer.status_code == 303
    assert running.reload().entries.order_by("sequence").last().content == {
        "by": "bee",
        "move": "add",
        "stones": 3,
    }
    dig = submit_form(ant, find_form(ant.get(f"{home}n/bee/").content.decode(), "o-dig"))
    assert "Dice are thrown at once" in dig.content.decode()
    sure = next(form for form in parse_forms(dig.content.decode()) if ("sure", "1") in form.fields)
    assert submit_form(ant, sure).status_code == 303
    hide = submit_form(
        ant, find_form(ant.get(f"{home}n/bee/?open=hide").content.decode(), "o-hide"), secret="7"
    )
    if hide.status_code == 200:
        hide = submit_form(
            ant,
            next(
                form for form in parse_forms(hide.content.decode()) if ("sure", "1") in form.fields
            ),
        )
    assert hide.status_code == 303
    assert Client().get(f"{home}n/bee/").status_code == 200

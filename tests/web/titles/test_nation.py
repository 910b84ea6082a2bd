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
from tests.web.five import Five, five, new_campaign
from tests.web.plain import find_form, parse_forms, submit_form

__all__ = ["five", "new_campaign", "people", "running", "table", "toy"]

HOSTILE = "<script>alert(1)</script> & Sons"


def words(html: str) -> str:
    """Return the text of a page without tags and repeated spaces."""
    text = re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", " ", html, flags=re.DOTALL))
    return re.sub(r" ([,.:)])", r"\1", re.sub(r"\s+", " ", unescape(text))).replace("( ", "(")


def test_the_page_shows_whose_slot_is_open(five: Five) -> None:
    assert "Your turn is open until" in words(five.text("hun", "n/huns/"))
    for who in ("gm", "roman", "stranger", "nobody"):
        text = words(five.text(who, "n/huns/"))
        assert "Your turn" not in text, who
        assert "The turn has been open since" in text, who


def test_the_sheet(five: Five) -> None:
    text = words(five.text("hun", "n/huns/"))
    assert "Huns Ingrid · capital Hunnia · Hunnic Western 376-454 AD · " in text
    assert "Stability 6 3 above the threshold of 3 §2.1" in text
    assert "Prestige 6 from 11 on, covert attacks on this nation cost 1 action §2.7" in text
    assert "Income 450 t gives 2½ actions next turn; 100t more gives 3 §3.1" in text
    assert "Army 1600 full at 1600 §2.8" in text
    assert "Victory points 0 1st; 12 if scored now §12" in text
    assert "2½ of 2½ actions left Unused actions lapse. §3.2" in text


def test_the_offers(five: Five) -> None:
    text = words(five.text("hun", "n/huns/"))
    assert "Fiscal 2 moves Tax exemption stability 6 → 7" in text
    assert "Tax increase stability 6 → 5, actions 2½ → 3 free Announce" in text
    assert "Bridges Commercial Structures 1 of 4 income 450t → 550t, 3 actions next turn" in text
    assert "Covert attack on the Romans You border the Romans" in text
    assert "Provincial levy You need barracks to levy troops. §3.11" in text
    for group in ("Fiscal", "Construction", "Military", "Covert", "Trade"):
        assert f" {group} " in text


def test_a_threshold_is_near(five: Five) -> None:
    five.play("gm", "adjust", nation="huns", account="stability", change=-2, reason="-")
    html = five.text("hun", "n/huns/")
    text = words(html)
    assert "account--warn" in html
    assert "1 above the threshold of 3 §2.1" in text
    assert (
        "Tax increase stability 4 → 3, no covert attacks, actions 2½ → 3 ↳ prestige 6 → 5:"
        " stability at 3 or less §2.1" in text
    )
    assert "Announce… Tax increase" in text


def test_an_attack_opened(five: Five) -> None:
    html = five.text("hun", "n/huns/", open="attack-land")
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


def test_targets_depend_on_the_starting_point(five: Five) -> None:
    first = find_form(five.text("hun", "n/huns/", open="attack-land"), "o-attack-land")
    for source in first.choices["from"]:
        html = five.text("hun", "n/huns/", open="attack-land", **{"from": source})
        form = find_form(html, "o-attack-land")
        assert form.value("from") == source
        land = next(o for o in _offers(five, "huns") if o.key == "attack-land")
        assert form.choices["target"] == list(land.values("target", {"from": source}))
        first.action = f"{five.home}preview/"
        same = submit_form(five.clients["hun"], first, from_=source)
        assert (
            find_form(same.content.decode(), "o-attack-land").choices["target"]
            == form.choices["target"]
        )


def _offers(five: Five, seat: str) -> Any:
    return five.campaign.game.offers(selectors.position(five.campaign), seat, seat)


def test_a_player_outside_their_slot_has_no_offers(five: Five) -> None:
    text = words(five.text("roman", "n/romans/"))
    assert "It is not the turn of the Romans; the Huns are playing. §1.3" in text
    assert "Announce" not in text
    assert "End turn" not in text


def test_others_look_on(five: Five) -> None:
    for who in ("roman", "stranger", "nobody"):
        html = five.text(who, "n/huns/")
        assert "Your moves" not in html
        assert "/move/" not in html
        assert "Structures" in html
        assert 'id="ledger"' in html


def test_five_people(five: Five) -> None:
    everybody = {"gm": 200, "hun": 200, "roman": 200, "stranger": 200, "nobody": 200}
    assert five.statuses("n/huns/") == everybody
    for path in ("n/gm/", "n/nobody/", "n/%3Cscript%3E/"):
        assert set(five.statuses(path).values()) == {404}
    assert (
        five.get("hun", f"/c/{five.campaign.public_id}-wrong/n/huns/?open=fleet")["Location"]
        == f"{five.home}n/huns/?open=fleet"
    )


def test_members_only(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign(visibility="members")
    want = {"gm": 200, "hun": 200, "roman": 200, "stranger": 404, "nobody": 404}
    assert five.statuses("n/huns/") == want
    for path in ("move/", "preview/", "undo/"):
        assert five.post("stranger", path).status_code == 404
        assert five.post("nobody", path).status_code == 404


def test_before_the_start_there_is_nothing_to_announce(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign()
    text = five.text("hun", "n/huns/")
    assert "Your moves" not in text
    assert "Stability" in text


def test_hidden_hands_are_counted(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign(hands="hidden")
    five.open_hands()
    five.play("gm", "start")
    five.slot_to("huns")
    own, gm = words(five.text("hun", "n/huns/")), words(five.text("gm", "n/huns/"))
    card = next(iter(_hand(five)))
    assert card in own
    assert card in gm
    for who in ("roman", "stranger", "nobody"):
        text = words(five.text(who, "n/huns/"))
        assert "1 card, which only the Huns and the game master can see." in text
        assert card not in text


def _hand(five: Five) -> list[str]:
    hand = selectors.position(five.campaign).nations["huns"].hand
    return [card_name(card) for card in hand]


def test_the_ledger(five: Five) -> None:
    five.play("huns", "build", structure="shrines")
    five.play("gm", "adjust", nation="huns", account="income", change=-25, reason=HOSTILE)
    html = five.text("roman", "n/huns/")
    text = words(html)
    assert "Turn 1" in text
    assert "Stability Shrines §3.4 +1 7" in text
    assert f"Income Correction: {HOSTILE} §13 −25t 425t" in text
    assert HOSTILE not in html
    only = words(five.text("roman", "n/huns/", account="actions")).split("Ledger")[-1]
    assert "Shrines §3.4 −½ 2" in only
    assert "Stability Shrines" not in only
    assert "Income of 450t §3.1 +2½ 2½" in only


def test_hostile_names_are_escaped(
    new_campaign: Callable[..., Five], person: Callable[..., Any]
) -> None:
    five = new_campaign(name=HOSTILE)
    five.play("gm", "start")
    five.slot_to("huns")
    for path in ("n/huns/", "n/romans/"):
        html = five.text("hun", path)
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons" in html
    answer = five.post(
        "hun",
        "move/",
        offer=HOSTILE,
        move=HOSTILE,
        seat="huns",
        seen="999",
        back="https://evil.example/",
    )
    assert "<script>alert" not in answer.content.decode()


def test_answers_are_first_with_their_consequences(five: Five) -> None:
    five.slot_to("romans")
    position = _position(five)
    land = next(
        o for o in five.campaign.game.offers(position, "romans", "gm") if o.key == "attack-land"
    )
    way = next(
        (a, b)
        for a in land.values("from")
        for b in land.values("target", {"from": a})
        if position.owner[b] == "huns"
    )
    five.play("romans", "attack", kind="land", **{"from": way[0], "target": way[1]})
    html = five.text("hun", "n/huns/")
    text = words(html)
    assert html.index('id="answer-1"') < html.index('id="h-nat"')
    assert f"The Romans attack {position.scenario.provinces[way[1]].name}" in text
    assert "waits for you" in text
    assert "Accept If you win stability 6 → 7, prestige 6 → 7, VP 0 → 1, army 1600 → 1630" in text
    assert "Withdraw income 450t → 400t (2 actions next turn)" in text
    assert "escort forced, about 33%" in text
    assert "no escort, about 67%" in text
    assert "waits for the Huns" in words(five.text("gm", "n/huns/"))
    assert "waits for" not in words(five.text("roman", "n/huns/"))


def _position(five: Five) -> Any:
    return selectors.position(five.campaign)


def test_queries(five: Five) -> None:
    five.get("hun", "n/huns/")
    counts = {}
    for who in ("hun", "roman", "nobody"):
        with CaptureQueriesContext(connection) as queries:
            five.get(who, "n/huns/")
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

"""The sheet of a province with its moves; the map beside a form, with a link for each target."""

from __future__ import annotations

import re
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.web.five import Five, five, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["five", "new_campaign"]


def sheet(five: Five, who: str, province: str) -> str:
    """Return the sheet alone, as the page's script requests it."""
    answer = five.clients[who].get(
        five.home, {"province": province}, headers={"HX-Request": "true", "HX-Target": "province"}
    )
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert "HX-Target" in answer["Vary"]
    return str(answer.content.decode())


def links(html: str, inside: str) -> dict[str, str]:
    """Return the links of one list: addresses by text."""
    part = re.search(rf'class="{inside}".*?</(?:ul|g)>', html, re.S)
    return {
        visible_text(text): unescape(href)
        for href, text in re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', part[0] if part else "")
    }


# a province ---------------------------------------------------------------------------------------
def test_the_sheet_alone_is_the_sheet_of_the_page(five: Five) -> None:
    alone = sheet(five, "hun", "dalmatia")
    assert alone.strip() in five.text("hun", province="dalmatia")
    assert len(alone) < 5000
    assert "Choose a province on the map or here." in sheet(five, "hun", "<script>")


def test_another_part_is_the_whole_page(five: Five) -> None:
    answer = five.clients["hun"].get(five.home, headers={"HX-Request": "true", "HX-Target": "body"})
    assert "<html" in answer.content.decode()
    assert "HX-Target" in answer["Vary"]


def test_the_huns_moves_in_an_own_and_a_neighbouring_province(five: Five) -> None:
    nation = f"{five.home}n/huns/"
    assert links(sheet(five, "hun", "pannonia"), "province__do") == {
        "Land attack from here": f"{nation}?open=attack-land&from=pannonia#o-attack-land",
        "Ramparts": f"{nation}?open=fortify-ramparts&province=pannonia#o-fortify-ramparts",
    }
    target = links(sheet(five, "hun", "dalmatia"), "province__do")
    assert (
        target["Land attack"]
        == f"{nation}?open=attack-land&from=pannonia&target=dalmatia#o-attack-land"
    )


def test_the_link_opens_the_form_filled_in(five: Five) -> None:
    address = links(sheet(five, "hun", "dalmatia"), "province__do")["Land attack"]
    html = five.get("hun", address).content.decode()
    assert re.search(r'<option value="dalmatia" selected>', html)
    assert re.search(r'<option value="pannonia" selected>', html)


def test_readers_without_moves_see_a_sentence_or_nothing(five: Five) -> None:
    assert "What you may do here Nothing now." in visible_text(sheet(five, "roman", "dalmatia"))
    for who in ("stranger", "nobody"):
        assert "What you may do here" not in sheet(five, who, "dalmatia")
    assert "What you may do here Land attack from here Huns, 1 Ramparts Huns, ½" in visible_text(
        sheet(five, "gm", "pannonia")
    )


def test_a_province_under_attack_offers_nothing(five: Five) -> None:
    five.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    assert "Nothing now." in sheet(five, "hun", "dalmatia")


def test_queries_of_the_sheet(five: Five) -> None:
    counts = {}
    for who in ("hun", "gm", "nobody"):
        sheet(five, who, "dalmatia")
        with CaptureQueriesContext(connection) as queries:
            sheet(five, who, "dalmatia")
        counts[who] = len(queries)
    assert all(count <= 12 for count in counts.values()), counts


# the map beside a form ----------------------------------------------------------------------------
def test_the_targets_of_a_move_are_lit_and_linked(five: Five) -> None:
    html = five.text(
        "hun", "n/huns/", open="attack-land", **{"from": "pannonia", "target": "moesia-prima"}
    )
    lit = set(re.findall(r'<use href="[^"]*#o-([^"]+)" class="m-lit[^"]*"/>', html))
    options = re.search(r'<select[^>]*id="f-attack-land-target".*?</select>', html, re.S)
    assert options
    assert lit == set(re.findall(r'<option value="([^"]+)"', options[0]))
    assert '.svg#o-moesia-prima" class="m-lit is-target"/>' in html
    (hits,) = re.findall(
        r'<g data-now="owners" class="m-hits">(.*?)<g class="m-rivers">', html, re.S
    )
    goal = unescape(
        re.search(
            r'<a href="([^"]*)" data-field="f-attack-land-target" data-value="dalmatia"', hits
        )[1]
    )  # type: ignore[index]
    assert (
        goal
        == f"{five.home}n/huns/?open=attack-land&from=pannonia&target=dalmatia&battle=open#o-attack-land"  # noqa: E501
    )
    start = unescape(
        re.search(r'<a href="([^"]*)" data-field="f-attack-land-from" data-value="gothia"', hits)[1]
    )  # type: ignore[index]
    assert start == f"{five.home}n/huns/?open=attack-land&from=gothia&battle=open#o-attack-land"
    assert '.svg#o-gothia" class="m-start"/>' in html


def test_a_move_of_one_province_frames_the_one_chosen(five: Five) -> None:
    html = five.text("hun", "n/huns/", open="fortify-ramparts", province="gothia")
    assert '.svg#o-gothia" class="m-lit is-target"/>' in html
    assert "m-start" not in html


def test_a_move_about_no_province_has_no_map(five: Five) -> None:
    assert "map__svg" not in five.text("hun", "n/huns/", open="end-slot")

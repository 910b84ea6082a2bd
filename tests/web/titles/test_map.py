"""The sheet of a province with its moves; the map beside a form, with a link for each target."""

from __future__ import annotations

import re
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.web.grand_table import GrandTable, grand_table, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["grand_table", "new_campaign"]


def sheet(grand_table: GrandTable, who: str, province: str) -> str:
    """Return the sheet alone, as the page's script requests it."""
    answer = grand_table.clients[who].get(
        grand_table.home,
        {"province": province},
        headers={"HX-Request": "true", "HX-Target": "province"},
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
def test_the_sheet_alone_is_the_sheet_of_the_page(grand_table: GrandTable) -> None:
    alone = sheet(grand_table, "hun", "dalmatia")
    assert alone.strip() in grand_table.text("hun", province="dalmatia")
    assert len(alone) < 5000
    assert "Choose a province on the map or here." in sheet(grand_table, "hun", "<script>")


def test_another_part_is_the_whole_page(grand_table: GrandTable) -> None:
    answer = grand_table.clients["hun"].get(
        grand_table.home, headers={"HX-Request": "true", "HX-Target": "body"}
    )
    assert "<html" in answer.content.decode()
    assert "HX-Target" in answer["Vary"]


def test_the_huns_moves_in_an_own_and_a_neighbouring_province(grand_table: GrandTable) -> None:
    nation = f"{grand_table.home}n/huns/"
    assert links(sheet(grand_table, "hun", "pannonia"), "province__do") == {
        "Land attack from here": f"{nation}?open=attack-land&from=pannonia#o-attack-land",
        "Ramparts": f"{nation}?open=fortify-ramparts&province=pannonia#o-fortify-ramparts",
    }
    target = links(sheet(grand_table, "hun", "dalmatia"), "province__do")
    assert (
        target["Land attack"]
        == f"{nation}?open=attack-land&from=pannonia&target=dalmatia#o-attack-land"
    )


def test_the_link_opens_the_form_filled_in(grand_table: GrandTable) -> None:
    address = links(sheet(grand_table, "hun", "dalmatia"), "province__do")["Land attack"]
    html = grand_table.get("hun", address).content.decode()
    assert re.search(r'<option value="dalmatia" selected>', html)
    assert re.search(r'<option value="pannonia" selected>', html)


def test_readers_without_moves_see_a_sentence_or_nothing(grand_table: GrandTable) -> None:
    assert "What you may do here Nothing now." in visible_text(
        sheet(grand_table, "roman", "dalmatia")
    )
    for who in ("stranger", "nobody"):
        assert "What you may do here" not in sheet(grand_table, who, "dalmatia")
    assert "What you may do here Land attack from here Huns, 1 Ramparts Huns, ½" in visible_text(
        sheet(grand_table, "gm", "pannonia")
    )


def test_a_province_under_attack_offers_nothing(grand_table: GrandTable) -> None:
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    assert "Nothing now." in sheet(grand_table, "hun", "dalmatia")


def test_queries_of_the_sheet(grand_table: GrandTable) -> None:
    counts = {}
    for who in ("hun", "gm", "nobody"):
        sheet(grand_table, who, "dalmatia")
        with CaptureQueriesContext(connection) as queries:
            sheet(grand_table, who, "dalmatia")
        counts[who] = len(queries)
    assert all(count <= 12 for count in counts.values()), counts


# the map beside a form ----------------------------------------------------------------------------
def test_the_targets_of_a_move_are_lit_and_linked(grand_table: GrandTable) -> None:
    html = grand_table.text(
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
        == f"{grand_table.home}n/huns/?open=attack-land&from=pannonia&target=dalmatia&battle=open#o-attack-land"  # noqa: E501
    )
    start = unescape(
        re.search(r'<a href="([^"]*)" data-field="f-attack-land-from" data-value="gothia"', hits)[1]
    )  # type: ignore[index]
    assert (
        start == f"{grand_table.home}n/huns/?open=attack-land&from=gothia&battle=open#o-attack-land"
    )
    assert '.svg#o-gothia" class="m-start"/>' in html


def test_a_move_of_one_province_frames_the_one_chosen(grand_table: GrandTable) -> None:
    html = grand_table.text("hun", "n/huns/", open="fortify-ramparts", province="gothia")
    assert '.svg#o-gothia" class="m-lit is-target"/>' in html
    assert "m-start" not in html


def test_a_move_about_no_province_has_no_map(grand_table: GrandTable) -> None:
    assert "map__svg" not in grand_table.text("hun", "n/huns/", open="end-slot")

"""The map: provinces drawn and linked, owners coloured, armies named, user texts escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree
from zlib import compress

import pytest

from games.march_on_rome.drawing.map import Arrow, Standard, draw, paint
from games.march_on_rome.rules.position import PROVINCES

OWNER = dict.fromkeys(PROVINCES, "lost") | {
    "asia": "pc",
    "achaia": "pc",
    "italy": "npc-1",
    "gaul": "npc-7",
    "spain": "senate",
    "syria": "senate",
}
NAMES = {
    "pc": "Albinus",
    "npc-1": "Galba",
    "npc-7": "Niger",
    "senate": "procurator",
    "lost": "its people",
}


def drawn(**more: Any) -> str:
    standards = more.pop(
        "standards", [Standard("pc", "Albinus", 10), Standard("npc-1", "Galba", 11)]
    )
    name = more.pop("name", lambda owner, province: NAMES[owner])
    return draw(
        more.pop("owner", OWNER),
        {"spain": 0, "syria": 12},
        standards,
        name,
        title="The map",
        **more,
    )


def nodes(text: str, css: str) -> list[ElementTree.Element]:
    return [
        node
        for node in ElementTree.fromstring(text).iter()
        if css in (node.get("class") or "").split()
    ]


def painted(text: str) -> Mapping[str, str]:
    """Return the owner whose colour each province has."""
    return {
        str(node.get("href"))[3:]: str(node.get("data-nation")) for node in nodes(text, "m-prov")
    }


def test_every_province_is_painted_by_its_owner() -> None:
    assert painted(drawn()) == OWNER | {
        "gaul": "npc-1"
    }  # the seventh rival gets the colour of the first


@pytest.mark.parametrize(
    ("holder", "key"),
    [
        ("pc", "pc"),
        ("npc-6", "npc-6"),
        ("npc-7", "npc-1"),
        ("npc-12", "npc-6"),
        ("senate", "senate"),
        ("lost", "lost"),
        ("barbarians", "barbarians"),
    ],
)
def test_paints(holder: str, key: str) -> None:
    assert paint(holder) == key


def test_every_province_is_a_link_that_names_it_and_its_holder() -> None:
    text = drawn(links=lambda key: f"?target={key}&x=1")
    links = [
        node
        for node in ElementTree.fromstring(text).iter()
        if node.tag.endswith("}a") or node.tag == "a"
    ]
    assert [node.get("href") for node in links] == [f"?target={key}&x=1" for key in PROVINCES]
    by_province = dict(zip(PROVINCES, [node.get("aria-label") for node in links], strict=True))
    assert (by_province["asia"], by_province["spain"]) == ("Asia, Albinus", "Spain, procurator")
    assert by_province["britannia"] == "Britannia, its people"


def test_without_links_the_map_is_one_picture() -> None:
    text = drawn()
    assert "<a " not in text
    assert ElementTree.fromstring(text).get("role") == "img"


def test_armies_stand_on_their_land_and_garrisons_in_squares() -> None:
    texts = ["".join(node.itertext()) for node in nodes(drawn(), "m-std")]
    assert texts == ["Albinus 10", "Galba 11", "0", "12"]


def test_a_player_without_provinces_has_no_standard() -> None:
    text = drawn(standards=[Standard("npc-2", "Otho", 4)])
    assert ["".join(node.itertext()) for node in nodes(text, "m-std")] == ["0", "12"]


def test_a_name_typed_by_a_user_is_escaped_and_cut() -> None:
    text = drawn(
        standards=[Standard("pc", '<b onload="x">&' + "w" * 40, 3)],
        name=lambda owner, province: '"><script>',
        links=lambda key: '"><script>',
    )
    assert "<script" not in text
    assert "<b onload" not in text
    (albinus,) = ["".join(node.itertext()) for node in nodes(text, "m-std")][:1]
    assert albinus == '<b onload="x"… 3'


def test_highlights_selection_and_marches_are_drawn() -> None:
    text = drawn(lit=["thrace", "syria"], selected="syria", arrow=Arrow("asia", "syria", "pc"))
    assert [node.get("href") for node in nodes(text, "m-lit")] == ["#m-thrace", "#m-syria"]
    assert [node.get("href") for node in nodes(text, "m-selected")] == ["#m-syria"]
    assert [node.get("data-nation") for node in nodes(text, "arrow")] == ["pc"]
    assert not nodes(drawn(), "arrow")


@pytest.mark.parametrize(
    ("source", "target"), [("asia", "syria"), ("spain", "mauretania"), ("italy", "africa")]
)
def test_an_arrow_has_a_length_and_a_head(source: str, target: str) -> None:
    (head,) = nodes(drawn(arrow=Arrow(source, target, "pc")), "arrow__head")
    assert len(re.findall(r"-?\d+\.\d,-?\d+\.\d", str(head.get("points")))) == 4


def test_two_maps_of_a_page_share_no_id() -> None:
    one, other = (set(re.findall(r' id="([^"]+)"', drawn(uid=uid))) for uid in ("m", "s"))
    assert one
    assert not one & other


def test_frontiers_lie_between_owners_only() -> None:
    nobody = drawn(owner=dict.fromkeys(PROVINCES, "lost"), standards=[])
    (line,) = nodes(nobody, "m-frontier")
    assert line.get("d") == ""
    (line,) = nodes(drawn(), "m-frontier")
    assert str(line.get("d")).startswith("M")


def test_the_compressed_map_is_small() -> None:
    assert len(compress(drawn(links=str).encode())) < 60_000

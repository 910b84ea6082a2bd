"""Nine nations with own tables and drawing: every page for three readers, exports and imports."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from campaign import access, services
from campaign.hosting import audit
from campaign.imports import check_record, import_record
from campaign.log import selectors
from campaign.models import Campaign
from campaign.pictures import images
from tests.web import nine
from tests.web.frame.test_who_may import PAGES
from web.exports.pack_contents import Pack
from web.imports.record_files import record_of

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
MOVES = 130
SEATED = "carthago"
NOT_HERE = {"plan", "seat_notes", "handover", "standing", "remedies"}
"""Addresses that exist only for seats of the shipped scenario."""


@pytest.fixture
def readers(person: Callable[..., Any]) -> dict[str, Any]:
    return {"gm": person("Marozia"), "player": person("Hanno")}


@pytest.fixture
def campaign(readers: dict[str, Any]) -> Campaign:
    created = nine.import_played_campaign(readers["gm"], MOVES)
    _, token = services.invite(created, readers["gm"], SEATED)
    services.take_seat(readers["player"], token)
    created.refresh_from_db()
    return created


def addresses(campaign: Campaign) -> list[str]:
    """Return every address of a campaign that the table of readers knows.

    Seats, entries, battles and provinces are those of this campaign.
    """
    battles = selectors.view(campaign, None)["attacks"]
    created = [
        path
        for name, (path, _) in PAGES.items()
        if name not in NOT_HERE and not path.startswith("/")
    ]
    created = [path.replace("n/romans", f"n/{SEATED}") for path in created]
    created += [f"n/{nation}/" for nation in nine.NATIONS] + [
        f"n/{SEATED}/{tail}" for tail in ("plan/", "notes/", "standing/")
    ]
    created += [f"b/{attack['id']}/" for attack in battles]
    created += [f"?province={nine.province_key(cell)}" for cell in nine.CELLS[:6]] + [
        "history/?at=20",
        "history/?at=60&by=turns",
    ]
    created += [f"n/{SEATED}/?open={offer}" for offer in ("attack-land", "build")]
    return list(dict.fromkeys(created))


@pytest.mark.long
@pytest.mark.parametrize(
    "who", ["player", *(pytest.param(who, marks=pytest.mark.nightly) for who in ("gm", ""))]
)
def test_every_page_of_it(campaign: Campaign, readers: dict[str, Any], who: str) -> None:
    assert campaign.turn >= 2
    home, wrong, looked = f"/c/{campaign.address}/", [], 0
    client = Client(raise_request_exception=False)
    if who:
        client.force_login(readers[who])
    for path in addresses(campaign):
        answer = client.get(home + path)
        if answer.status_code >= 500:
            wrong.append(f"{who} {path}: {answer.status_code}")
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        page, looked = answer.content.decode(), looked + 1
        wrong += [f"{who} {path}: {fault}" for fault in lacks(page)]
    assert wrong == []
    assert looked > 45


def lacks(page: str) -> list[str]:
    """Return the faults of a page.

    Names that open tags, unresolved ids, nations without a colour.
    """
    result = [
        text
        for text in ("<em>", "Caput <b>", "None</", "KeyError", "{{", "&lt;Say", "&amp;amp;")
        if text in page
    ]
    styled = set(re.findall(r'\[data-nation="([a-z-]+)"\]\{ --fill', page))
    shown = set(re.findall(r'data-nation="([a-z-]+)"', page)) & set(nine.NATIONS)
    if "<!doctype html>" in page:  # parts of pages use the colours of their page
        result += [
            f"{nation} has no colour"
            for nation in sorted(shown - styled)
            if f'data-nation="{nation}" style="--fill' not in page
        ]
    return result


def test_its_own_map_everywhere(campaign: Campaign, readers: dict[str, Any]) -> None:
    client, home = Client(), f"/c/{campaign.address}/"
    client.force_login(readers["player"])
    assert campaign.drawing is not None
    outline = re.search(r'"d":"(M[^"]{30,})"', campaign.drawing.text)
    assert outline is not None
    for path in ("", "history/", "story/"):
        page = client.get(home + path).content.decode()
        drawn = re.search(r"(/c/[\w-]+/maps/[0-9a-f]{20}\.svg)#", page)
        assert drawn is not None, path
        # The file has fewer points than the drawing; the corners of the first province are in it.
        assert 'd="M317.5 45l-15 227.5-227.5' in client.get(drawn[1]).content.decode(), path
        assert "map__svg--laid" not in page
    at = images.place(campaign)
    assert at is not None
    assert outline[1] in images.svg(campaign, at)
    assert len(
        {re.sub("var.*", "", colour) for colour in colours(client.get(home).content.decode())}
    ) == len(nine.NATIONS)


def colours(page: str) -> list[str]:
    return re.findall(r'\[data-nation="[a-z]+"\]\{ (--fill:[^;]+)', page)


@pytest.mark.long
def test_an_exported_campaign_can_be_founded_again(
    campaign: Campaign, readers: dict[str, Any]
) -> None:
    """The audit pack contains the drawing.

    A campaign founded from it draws the same map and has the same position.
    """
    packed = io.BytesIO()
    Pack(campaign, access.access_of(campaign, readers["gm"])).write(packed)
    with zipfile.ZipFile(packed) as pack:
        drawing = pack.read("drawing.json")
        assert any(name.startswith("maps/") for name in pack.namelist())
    assert (
        sha256(drawing).hexdigest()
        == campaign.drawing_id
        == campaign.entries.get(sequence=0).content["drawing"]
    )
    packed.seek(0)
    judged = check_record(record_of(packed, len(packed.getvalue())))
    assert judged.faults == []
    again = import_record(readers["gm"], judged, "Again", "UTC", "unlisted")
    assert (
        again.drawing == campaign.drawing == services.copy_campaign(campaign, readers["gm"]).drawing
    )
    assert selectors.view(again, "gm") == selectors.view(campaign, "gm")
    assert [list(audit.differences(played)) for played in (campaign, again)] == [[], []]
    assert (
        check_record(
            b'{"drawing":{"viewBox":"0 0 9 9","provinces":{},"x":1},"record":'
            + bytes_of(packed)
            + b"}"
        ).faults[0]
        == "drawing.x: is not known."
    )


def bytes_of(packed: io.BytesIO) -> bytes:
    with zipfile.ZipFile(packed) as pack:
        return pack.read("record.json")

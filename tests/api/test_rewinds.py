"""Previews of undos and restorations, which come true, and struck branches as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import Program
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db

Api = Callable[..., Program]


def accounts(api: Api, who: str) -> dict[tuple[str, str], int]:
    nations = api(who).get("nations/").json()["results"]
    return {
        (nation["key"], account): amount
        for nation in nations
        for account, amount in nation["accounts"].items()
    }


def test_a_preview_of_an_undo_comes_true(grand_table: GrandTable, api: Api) -> None:
    gm, hun, stays = api("gm"), api("hun"), grand_table.campaign.last_number
    for content in (
        {"move": "build", "structure": "hamlets"},
        {"move": "attack", "kind": "land", "from": "pannonia", "target": "dalmatia"},
    ):
        assert (
            hun.post(
                "moves/", {"move": {"by": "huns", **content}, "seen": grand_table.seen("hun")}
            ).status_code
            == 201
        )
        grand_table.campaign.refresh_from_db()
    own = hun.get("rewind/").json()
    assert (own["how"], own["moves"], own["battles"][0]["then"]) == ("own", [stays + 2], None)
    assert hun.get(f"rewind/?first={stays + 1}").json()["moves"] == [stays + 1, stays + 2]
    assert hun.get("rewind/?first=1").json()["code"] == "not-so-far"
    with CaptureQueriesContext(connection) as caught:
        shown = gm.get(f"rewind/?after={stays}").json()
    assert len(caught) <= 12
    assert (shown["how"], shown["entry"], shown["moves"], shown["hidden"]) == (
        "undo",
        stays,
        [stays + 1, stays + 2],
        0,
    )
    assert [(battle["number"], battle["now"], battle["then"]) for battle in shown["battles"]] == [
        (1, "challenged", None)
    ]
    assert [holder["holder"] for holder in shown["holders"]] == ["huns"]
    assert "ends" in {clock["what"] for clock in shown["clocks"]}
    before = accounts(api, "gm")
    undo = gm.post(
        "undo/", {"after": stays, "reason": "A slip", "seen": grand_table.seen("gm")}
    ).json()["seen"]
    after = accounts(api, "gm")
    changed = {
        (account["holder"], account["account"]): (account["now"], account["then"])
        for account in shown["accounts"]
    }
    assert changed == {
        key: (before[key], after[key]) for key in before if before[key] != after[key]
    }
    assert gm.get("position/").json()["state"] == shown["state"]
    back = gm.get(f"rewind/?undo={undo}").json()
    assert (back["how"], back["moves"], back["state"]) == (
        "restore",
        shown["moves"],
        gm.get(f"branches/{undo}/").json()["state"],
    )
    assert gm.get(f"rewind/?after={undo}").json()["code"] == "nothing-to-undo"
    assert gm.get(f"rewind/?undo={stays}").status_code == 404
    assert gm.get("rewind/?undo=1&after=1").status_code == 400


def test_a_struck_branch_as_it_stood(grand_table: GrandTable, api: Api) -> None:
    stays = grand_table.campaign.last_number
    grand_table.play("huns", "build", structure="hamlets")
    grand_table.play("huns", "build", structure="shrines")
    api("gm").post("undo/", {"after": stays, "reason": "A slip", "seen": grand_table.seen("gm")})
    undo, nobody = stays + 3, api("nobody")

    def built(more: str = "") -> Any:
        return nobody.get(f"branches/{undo}/{more}").json()["state"]["nations"]["huns"][
            "structures"
        ]

    one = nobody.get(f"branches/{undo}/").json()
    assert (one["entries"], one["moves"]) == ([stays, stays + 1, stays + 2], [stays + 1, stays + 2])
    assert one["way_back"] == [{"restores": True, "entry": undo, "moves": 2}]
    assert [built(f"?at={number}") for number in one["entries"]] == [
        [],
        ["hamlets"],
        ["hamlets", "shrines"],
    ]
    assert built() == ["hamlets", "shrines"]
    assert [
        nobody.get(f"branches/{path}").status_code for path in (f"{undo}/?at={undo}", f"{stays}/")
    ] == [404, 404]
    api("gm").post("restore/", {"entry": undo, "reason": "No", "seen": grand_table.seen("gm")})
    one = nobody.get(f"branches/{undo}/").json()
    assert (one["way_back"], one["restored_by"]) == ([], undo + 1)

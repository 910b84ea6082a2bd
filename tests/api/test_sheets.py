"""A campaign leaves by its sheet, and another is taken over from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.conftest import Program
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db


def closed_turn(grand_table: GrandTable) -> None:
    while grand_table.campaign.phase == "slots":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")


def test_a_campaign_goes_on_in_another_just_as_it_stood(
    grand_table: GrandTable,
    new_campaign: Callable[..., GrandTable],
    programs: Callable[[GrandTable], Callable[..., Program]],
) -> None:
    closed_turn(grand_table)
    here = programs(grand_table)
    sheet = here("nobody").get("sheet/").json()
    assert (sheet["turn"], sheet["phase"]) == (1, "closed")
    assert sheet["csv"].splitlines()[0] == "Turn that has closed,1"
    stood = here("gm").get("position/").json()
    for sent in ({"csv": sheet["csv"]}, {"move": sheet["move"]}):
        other = new_campaign(name="Elsewhere")
        gm = programs(other)("gm")
        checked = gm.post("sheet/check/", sent).json()
        assert checked["faults"] == []
        assert (checked["stands"]["turn"], checked["stands"]["phase"]) == (1, "closed")
        assert checked["order"] == [*stood["state"]["order"][1:], stood["state"]["order"][0]]
        created = gm.post(
            "sheet/", {**sent, "reason": "From the old thread.", "seen": other.seen("gm")}
        )
        assert created.status_code == 201, created.json()
        assert (created.json()["turn"], created.json()["phase"]) == (1, "closed")
        (entry,) = (
            entry for entry in created.json()["entries"] if entry["said"]["move"] == "resume"
        )
        assert entry["said"]["reason"] == "From the old thread."
        stands = gm.get("position/").json()["state"]
        for nation in (*stands["nations"].values(), *stood["state"]["nations"].values()):
            nation.pop("opening_stability", None)  # of the slot that was played
        for part in ("nations", "provinces", "truces", "order"):
            assert stands[part] == stood["state"][part], part


def test_all_faults_are_told_at_once_with_their_places(
    new_campaign: Callable[..., GrandTable],
    programs: Callable[[GrandTable], Callable[..., Program]],
) -> None:
    grand_table = new_campaign()
    gm = programs(grand_table)("gm")
    table = (
        "Turn that has closed,2\nReason,The old"
        " thread\n\nNation,Stability,Hand,Army\nHuns,1,Spi,1600\nRomans,6,,many"
    )
    shown = gm.post("sheet/check/", {"csv": table}).json()
    assert shown["stands"] is None
    assert [fault["place"] for fault in shown["faults"]] == [
        "nations.huns.hand",
        "nations.romans.army",
        "nations.huns.stability",
    ]
    assert shown["faults"][0]["text"] == "“Spi” is not a card. Did you mean Spy?"
    move = dict(gm.get("sheet/").json()["move"])
    move |= {
        "turn": 9,
        "truces": [{"nations": ["huns", "huns"], "until": 3}],
        "targets": {"huns": ["nowhere"]},
    }
    move["provinces"] = {"dalmatia": {"owner": None, "fleet": True}, "atlantis": {"owner": "huns"}}
    shown = gm.post("sheet/check/", {"move": move}).json()
    assert [fault["place"] for fault in shown["faults"]] == [
        "turn",
        "provinces.dalmatia",
        "provinces.atlantis",
        "targets.huns",
        "truces.1",
    ]
    refused = gm.post("sheet/", {"move": move, "seen": grand_table.seen("gm")})
    assert (refused.status_code, refused.json()["code"], len(refused.json()["faults"])) == (
        422,
        "bad-sheet",
        5,
    )
    move = dict(gm.get("sheet/").json()["move"]) | {"turn": 2}
    move["nations"]["huns"] |= {"fallen": True, "hand": []}
    shown = gm.post("sheet/check/", {"move": move, "reason": "Fallen."}).json()
    assert [fault["place"] for fault in shown["faults"]] == ["nations.huns.fallen"]
    assert gm.post("sheet/check/", {}).status_code == 400


def test_hidden_hands_are_in_the_sheet_of_who_may_see_them(
    new_campaign: Callable[..., GrandTable],
    programs: Callable[[GrandTable], Callable[..., Program]],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    api = programs(grand_table)

    def hands(who: str, path: str = "sheet/") -> set[str]:
        nations: dict[str, Any] = api(who).get(path).json()["move"]["nations"]
        return {key for key, given in nations.items() if "hand" in given}

    assert hands("nobody") == set()
    assert hands("gm") == {
        "hephtalites",
        "kushans",
        "sassanids",
        "vandals",
    }  # no one holds these seats
    assert hands("hun") == {"huns"}
    assert len(hands("gm", "sheet/?hands=open")) == 6

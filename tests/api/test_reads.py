"""Reading by program in every title: permissions, number of queries, and content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api import urls
from campaign import access, review, scenarios, services
from campaign.log import record, selectors
from engine.dice import work_out_roll
from games import registry
from nations import projection as nations
from tests.api.conftest import Program
from tests.web.contests import attack_dalmatia
from tests.web.grand_table import WHO, GrandTable

pytestmark = pytest.mark.django_db

# gm, hun, roman, stranger, anonymous
SEEN = (200, 200, 200, 200, 200)
READS: dict[str, tuple[str, tuple[int, ...], int]] = {
    "terms": ("terms/", SEEN, 3),
    "position": ("position/", SEEN, 3),
    "standings": ("standings/", SEEN, 4),
    "forecast": ("forecast/", SEEN, 3),
    "people": ("people/", SEEN, 4),
    "absences": ("absences/", SEEN, 5),
    "clocks": ("clocks/", SEEN, 5),
    "log": ("log/", SEEN, 6),
    "entry": ("log/2/", SEEN, 5),
    "branches": ("branches/", SEEN, 9),
    "branch": ("branches/8/", SEEN, 10),
    "rewind": ("rewind/?after=2", (200, 403, 403, 403, 401), 3),
    "nations": ("nations/", SEEN, 5),
    "nation": ("nations/huns/", SEEN, 5),
    "provinces": ("provinces/", SEEN, 3),
    "ledger": ("ledger/", SEEN, 5),
    "actions": ("actions/", SEEN, 5),
    "battles": ("battles/", SEEN, 5),
    "battle": ("battles/1/", SEEN, 8),
    "evidence": ("battles/1/evidence/1/", (404,) * 5, 5),
    "lobby": ("lobby/", SEEN, 6),
    "lobbies": ("/api/v1/lobbies/", SEEN, 3),
    "dice": ("dice/", SEEN, 3),
    "rolls": ("rolls/", SEEN, 5),
    "orders": ("seats/huns/orders/", (200, 200, 403, 403, 401), 5),
    "plan": ("seats/huns/plan/", (403, 200, 403, 403, 401), 5),
    "plan_announce": ("seats/huns/plan/announce/", (405, 405, 405, 405, 401), 4),
    "looks": ("seats/huns/looks/", (200, 200, 403, 403, 401), 6),
    "notes": ("seats/huns/notes/", (403, 200, 403, 403, 401), 6),
    "reports": ("reports/", SEEN, 4),
    "report": ("reports/turn-1/", SEEN, 10),
    "threads": ("threads/", (200, 403, 403, 403, 401), 3),
    "posts": ("posts/", (200, 403, 403, 403, 401), 3),
    "post": ("posts/1/", (404, 403, 403, 403, 401), 3),
    "post_acts": ("posts/1/acts/", (405, 403, 403, 403, 401), 3),
    "heard": ("heard/", (200, 200, 200, 403, 401), 5),
    "record": ("record/", SEEN, 7),
    "files": ("files/", SEEN, 3),
    "ratings": ("/api/v1/ratings/", SEEN, 2),
    "deadlines": ("/api/v1/deadlines/", (200, 200, 200, 200, 401), 2),
    "notices": ("/api/v1/notices/", (200, 200, 200, 200, 401), 4),
    "unread": ("/api/v1/notices/unread/", (200, 200, 200, 200, 401), 2),
    "notices_read": ("/api/v1/notices/read/", (405, 405, 405, 405, 401), 1),
    "scenarios": ("/api/v1/scenarios/", SEEN, 3),
    "shelved": ("/api/v1/scenarios/zzzzzzzz/", (404,) * 5, 2),
    "titles": ("/api/v1/titles/", SEEN, 1),
    "title": ("/api/v1/titles/grand_campaign/", SEEN, 1),
    "scenario": ("/api/v1/titles/grand_campaign/scenarios/420ad/", SEEN, 1),
    "rulebook": ("/api/v1/titles/grand_campaign/rules/", SEEN, 1),
    "rule": ("/api/v1/titles/grand_campaign/rules/7.8/", SEEN, 1),
    "hall": ("/api/v1/titles/grand_campaign/hall/", SEEN, 2),
}
"""The address, the statuses for the five users, and the number of queries of the Hun's request."""

Api = Callable[..., Program]


@pytest.fixture
def fought(grand_table: GrandTable) -> GrandTable:
    """Return a campaign in which the Huns attack Dalmatia in turn 1.

    A move was played and undone.
    """
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        grand_table.campaign.last_number - 1,
        "A slip",
        grand_table.seen("gm"),
    )
    grand_table.campaign.refresh_from_db()
    attack_dalmatia(grand_table)
    return grand_table


@pytest.mark.long
def test_who_may_read_and_what_it_costs(fought: GrandTable, api: Api) -> None:
    assert {pattern.name for pattern in (*urls.reading, *urls.elsewhere)} == set(READS)
    people = {who: api(who) for who in WHO}
    result, asked = {}, {}
    for name, (path, _expected, _count) in READS.items():
        people["hun"].get(path)
        with CaptureQueriesContext(connection) as caught:
            people["hun"].get(path)
        asked[name] = len(caught)
        result[name] = tuple(people[who].get(path).status_code for who in WHO)
    assert result == {name: expected for name, (_path, expected, _count) in READS.items()}
    assert asked == {name: count for name, (_path, _expected, count) in READS.items()}
    assert max(asked.values()) <= 13


def test_the_position_now_and_then(fought: GrandTable, api: Api) -> None:
    hun = api("hun")
    now = hun.get("position/").json()
    assert (now["turn"], now["slot"], now["now"]) == (1, "huns", True)
    assert now["state"]["attacks"][0]["target"] == "dalmatia"
    before = hun.get(f"position/?at={now['entry'] - 1}").json()
    assert (before["now"], before["state"]["attacks"]) == (False, [])
    assert hun.get(f"position/?at={now['entry']}").json() == {**now, "now": False}
    struck = hun.get("branches/").json()["results"][0]
    assert hun.get(f"position/?at={struck['moves'][0]}").status_code == 404
    assert hun.get("position/?at=many").status_code == 400
    assert (struck["own"], struck["restored_by"], struck["undo"]["said"]["reason"]) == (
        False,
        None,
        "A slip",
    )


def test_the_log_page_by_page_in_the_language_asked_for(fought: GrandTable, api: Api) -> None:
    hun, result = api("hun"), []
    address: str | None = "log/?limit=3"
    while address:
        answer = hun.get(address).json()
        assert len(answer["results"]) <= 3
        result += answer["results"]
        address = answer["next"] and answer["next"].removeprefix("http://testserver")
    assert [entry["number"] for entry in result] == list(range(fought.campaign.last_number, -1, -1))
    assert result[0]["said"] == {
        "by": "gm",
        "for": "huns",
        "move": "attack",
        "kind": "land",
        "from": "pannonia",
        "target": "dalmatia",
    }
    built = next(entry for entry in result if entry["said"].get("structure") == "hamlets")
    assert (built["struck"], built["struck_by"]) == (True, result[1]["number"])
    assert hun.get(built["url"]).json() == built
    assert "Hamlets" in built["text"]
    assert hun.get(built["url"], accept_language="it").json()["text"] != built["text"]
    assert {entry["kind"] for entry in hun.get("log/?kind=table").json()["results"]} == {"table"}
    assert hun.get("log/?kind=else").status_code == 400
    assert hun.get("log/999999/").status_code == 404


def test_ledgers_add_up_to_the_accounts(fought: GrandTable, api: Api) -> None:
    hun = api("hun")
    one = hun.get("nations/huns/").json()
    lines = hun.get(f"{one['ledger']}&limit=200").json()["results"]
    for account, amount in one["accounts"].items():
        assert sum(line["change"] for line in lines if line["account"] == account) == amount
    whole = hun.get("nations/").json()["results"]
    assert one in whole
    assert nations.balances(fought.campaign) == {
        nation["key"]: nation["accounts"] for nation in whole if nation["accounts"]
    }
    places = hun.get("provinces/?owner=huns").json()["results"]
    assert [place["place"] for place in places] == one["places"]


def test_a_battle_and_what_is_claimed_of_it(fought: GrandTable, api: Api) -> None:
    line = api("nobody").get("battles/").json()["results"][0]
    assert (line["attacker"], line["target"], line["status"], line["resolved_at"]) == (
        "huns",
        "dalmatia",
        "challenged",
        None,
    )
    whole = api("roman").get(line["url"]).json()
    assert [(side["seat"], side["person"]) for side in whole["sides"]] == [
        ("huns", "Ingrid"),
        ("romans", "Benedetto"),
    ]
    assert (whole["claims"], whole["evidence"]) == ([], [])
    waits = api("roman").get("standings/").json()
    assert (waits["results"], {seat["seat"] for seat in waits["waiting"]}) == (
        None,
        {"huns", "romans"},
    )
    assert {clock["kind"] for clock in api("nobody").get("clocks/").json()["results"]} >= {
        "turn",
        "answer",
    }
    due = api("roman").get("/api/v1/deadlines/").json()["results"]
    assert [(clock["campaign"], clock["kind"], clock["waits"]) for clock in due] == [
        (fought.campaign.address, "answer", ["romans"])
    ]


def test_dice_are_checked_by_what_is_answered(grand_table: GrandTable, api: Api) -> None:
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")
    nobody = api("nobody")
    links, rolls = (
        nobody.get("dice/").json()["links"],
        nobody.get("rolls/?limit=200").json()["results"],
    )
    assert links == record.published_links(grand_table.campaign)
    proven = [roll for roll in rolls if roll["proof"]]
    assert len(proven) > 5
    for roll in proven:
        attempt, mac, number = work_out_roll(links[roll["link"]], roll["purpose"], roll["sides"])
        assert roll["proof"] == {
            "message": f"{roll['purpose']}#{attempt}",
            "mac": mac.hex(),
            "number": str(number),
        }
        assert roll["value"] == number % roll["sides"] + 1


def test_a_plan_is_made_and_announced(grand_table: GrandTable, api: Api) -> None:
    hun = api("hun")

    def change(**content: Any) -> Any:
        return hun.post("seats/huns/plan/", content)

    for structure in ("hamlets", "shrines", "palace"):
        created = change(act="add", move={"by": "huns", "move": "build", "structure": structure})
    assert created.status_code == 422  # there is no palace
    plan = hun.get("seats/huns/plan/").json()
    assert [move["move"]["structure"] for move in plan["moves"]] == ["hamlets", "shrines"]
    assert all(move["certain"] and move["refusal"] is None for move in plan["moves"])
    turned = change(act="earlier", at=1, version=plan["version"]).json()
    assert [move["move"]["structure"] for move in turned["moves"]] == ["shrines", "hamlets"]
    assert change(act="clear", version=plan["version"]).status_code == 409
    assert change(act="take-out").json()["fields"] == {"version": ["This act needs this field."]}
    assert api("hun", "read").post("seats/huns/plan/", {"act": "clear"}).status_code == 403
    assert api("gm").post("seats/huns/plan/", {"act": "clear", "version": 0}).status_code == 403
    assert "shrines" not in api("gm").get("log/").content.decode()
    assert (
        api("gm").get("seats/gm/plan/").status_code
        == api("gm").get("seats/none/plan/").status_code
        == 404
    )
    content = hun.post(
        "seats/huns/plan/announce/",
        {"version": turned["version"], "seen": grand_table.seen("hun"), "most": 1},
    )
    assert (
        content.status_code,
        [entry["said"]["structure"] for entry in content.json()["entries"]],
    ) == (201, ["shrines"])
    left = hun.get("seats/huns/plan/").json()
    assert [move["move"]["structure"] for move in left["moves"]] == ["hamlets"]
    late = {"version": left["version"], "seen": grand_table.seen("hun")}
    grand_table.play(
        "gm", "adjust", nation="huns", account="prestige", change=1, reason="As ruled."
    )
    assert hun.post("seats/huns/plan/announce/", late).status_code == 409


def test_notes_go_over_with_the_seat(grand_table: GrandTable, api: Api) -> None:
    hun, campaign, stranger = (
        grand_table.people["hun"],
        grand_table.campaign,
        grand_table.people["stranger"],
    )
    services.write_note(campaign, hun, "huns", "Mind the Vandals", left=True, version=0)
    assert api("hun").get("seats/huns/notes/").json() == {
        "seat": "huns",
        "text": "Mind the Vandals",
        "left": True,
        "version": 1,
        "handed": None,
    }
    assert api("hun").post("seats/huns/notes/", {"text": "x", "version": 0}).status_code == 409
    written = api("hun").post(
        "seats/huns/notes/", {"text": "Mind the Romans", "left": True, "version": 1}
    )
    assert (written.json()["text"], written.json()["version"]) == ("Mind the Romans", 2)
    services.vacate(campaign, hun, "huns")
    services.take_seat(stranger, services.invite(campaign, grand_table.people["gm"], "huns")[1])
    shown = api("stranger").get("seats/huns/notes/").json()
    assert (shown["text"], shown["handed"]["person"], shown["handed"]["text"]) == (
        "",
        "Ingrid",
        "Mind the Romans",
    )
    assert shown["handed"]["orders"] == []
    assert api("hun").get("seats/huns/notes/").status_code == 403


def test_standing_orders_are_given_and_taken_back(grand_table: GrandTable, api: Api) -> None:
    roman = api("roman")
    orders = roman.get("seats/romans/orders/").json()
    kind = next(kind for kind in orders["kinds"] if kind["parts"])
    order = {
        "kind": kind["key"],
        **{
            part["key"]: [] if part["several"] else next(iter(part["values"]))
            for part in kind["parts"]
        },
    }
    given = roman.post(
        "seats/romans/orders/", {"act": "give", "order": order, "version": orders["version"]}
    )
    assert (given.status_code, len(given.json()["results"])) == (200, 1)
    assert api("gm").get("seats/romans/orders/").json()["results"] == given.json()["results"]
    assert (
        api("hun").post("seats/romans/orders/", {"act": "clear", "version": 1}).status_code == 403
    )
    taken = roman.post(
        "seats/romans/orders/", {"act": "take-out", "at": 0, "version": given.json()["version"]}
    )
    assert taken.json()["results"] == []


def test_reports_in_every_dialect_and_language(fought: GrandTable, api: Api) -> None:
    nobody = api("nobody")
    listed = nobody.get("reports/").json()
    line = listed["results"][0]
    shown = {
        dialect["key"]: nobody.get(f"{line['url']}?dialect={dialect['key']}&language=it").json()
        for dialect in listed["dialects"]
    }
    assert "[b]" in shown["phpbb"]["posts"][0]["text"]
    assert "[b]" not in shown["markdown"]["posts"][0]["text"]
    assert len({str(text["blocks"]) for text in shown.values()}) == 1
    assert shown["plain"]["blocks"][0]["kind"] == "heading"
    assert nobody.get(line["url"]).json()["language"] == "en"
    assert nobody.get(f"{line['url']}?dialect=else").status_code == 400
    assert nobody.get("reports/nothing/").status_code == 404


def test_notices_are_ones_own_and_marked_by_tokens_that_play(fought: GrandTable, api: Api) -> None:
    roman = api("roman")
    result = roman.get("/api/v1/notices/?unread=true").json()["results"]
    count = roman.get("/api/v1/notices/unread/").json()["unread"]
    assert count == len(result) > 0
    assert "attack" in result[0]["kind"] or result[0]["entry"] is not None
    assert api("roman", "read").post("/api/v1/notices/read/", {}).status_code == 403
    one = roman.post("/api/v1/notices/read/", {"notices": [result[0]["id"]]})
    assert one.json() == {"unread": count - 1}
    assert roman.post("/api/v1/notices/read/", {"campaign": fought.campaign.address}).json() == {
        "unread": 0
    }
    assert (
        api("hun").get("/api/v1/notices/").json()["results"]
        != roman.get("/api/v1/notices/").json()["results"]
    )


def test_scenarios_as_far_as_they_are_shared(grand_table: GrandTable, api: Api) -> None:
    raw = dict(registry.TITLES["grand_campaign"].scenarios()["420ad"])
    row = scenarios.save_scenario(
        grand_table.people["hun"], "grand_campaign", {**raw, "name": "Mine"}
    )
    listed, one = "/api/v1/scenarios/", f"/api/v1/scenarios/{row.public_id}/"
    assert [line["name"] for line in api("hun").get(f"{listed}?mine=true").json()["results"]] == [
        "Mine"
    ]
    assert (api("roman").get(one).status_code, api("hun").get(one).json()["scenario"]["name"]) == (
        404,
        "Mine",
    )
    scenarios.share(grand_table.people["hun"], row.public_id, "public")
    line = api("nobody").get(listed).json()["results"][0]
    assert (line["owner"], line["drawn"], api("nobody").get(line["url"]).json()["drawing"]) == (
        "Ingrid",
        False,
        None,
    )
    assert api("nobody").get(f"{listed}?mine=true").status_code == 401


def test_a_shipped_scenario_has_its_drawing(api: Api) -> None:
    shipped = "/api/v1/titles/grand_campaign/scenarios/420ad/"
    assert set(api("nobody").get(shipped).json()["drawing"]) >= {"provinces"}


def test_rules_by_their_numbers(api: Api) -> None:
    nobody = api("nobody")
    book = nobody.get("/api/v1/titles/grand_campaign/rules/").json()
    every = [
        paragraph["number"]
        for chapter in book["chapters"]
        for paragraph in chapter["paragraphs"]
        if paragraph["number"]
    ]
    assert len(every) == 68
    rule = nobody.get("/api/v1/titles/grand_campaign/rules/7.8/").json()
    assert rule["text"]
    assert "<" not in rule["text"]
    assert nobody.get("/api/v1/titles/grand_campaign/rules/99.9/").status_code == 404
    assert nobody.get("/api/v1/titles/chess/").status_code == 404


@pytest.fixture
def hidden(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Hands are hidden; the Roman has a Spy, the slot is the Huns'."""
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    table.slot_to("huns")
    table.play("gm", "give-card", nation="romans", card="spy", reason="Owed")
    return table


def test_hidden_hands_are_told_to_their_holders(hidden: GrandTable, programs: Any) -> None:
    ask = programs(hidden)

    def sees(who: str, how: str = "") -> tuple[bool, bool]:
        cards = ask(who).get(f"nations/romans/{how}").json()["cards"]
        return bool(cards), "spy" in ask(who).get(f"log/{how or '?'}&limit=3").content.decode()

    assert {who: sees(who) for who in WHO if who != "gm"} == {
        "hun": (False, False),
        "roman": (True, True),
        "stranger": (False, False),
        "nobody": (False, False),
    }
    assert sees("hun", "?hands=open") == sees("gm") == (False, False)
    assert ask("hun").get("position/").json()["state"]["nations"]["romans"]["hand"] is None
    assert [ask(who).get("record/").status_code for who in WHO] == [200, 403, 403, 403, 401]


def test_what_a_game_masters_program_opens_is_kept_for_its_holder(
    hidden: GrandTable, programs: Any
) -> None:
    """As on the pages (docs/decisions/0027)."""
    gm, campaign, roman = programs(hidden)("gm"), hidden.campaign, hidden.people["roman"]

    def kept() -> list[str]:
        return [
            row.ways
            for row in review.looks_at_seat(
                campaign, roman.pk, access.access_of(campaign, roman), "romans"
            )
        ]

    for path in ("", "position/", "nations/", "log/", "offers/?seat=gm"):
        assert gm.get(path).status_code == 200
    assert gm.get("offers/?seat=romans").json()["code"] == "closed-hand"
    assert kept() == []
    assert {"zone": "hand", "item": "spy", "count": 1} in gm.get(
        "nations/romans/?hands=open"
    ).json()["cards"]
    assert gm.get("offers/?seat=romans&hands=open").status_code == 200
    assert kept() == ["api"]
    for path in ("log/", "position/", "ledger/", "rolls/"):
        with CaptureQueriesContext(connection) as caught:
            assert gm.get(f"{path}?hands=open").status_code == 200
        assert len(caught) <= 12
    gm.get("record/")
    gm.post("preview/", {"move": {"by": "gm", "for": "romans", "move": "end-slot"}})
    assert kept() == ["api,move,record"]
    shown = programs(hidden)("roman").get("seats/romans/looks/").json()["results"]
    assert [(row["person"], row["ways"]) for row in shown] == [
        ("Marozia", ["api", "move", "record"])
    ]
    assert programs(hidden)("hun").get("seats/romans/looks/").status_code == 403


@pytest.mark.parametrize("title", [key for key in registry.TITLES if registry.has_board(key)])
def test_every_title_is_read(title: str, person: Callable[..., Any], client: Client) -> None:
    user = person("Ada")
    scenario = next(iter(registry.TITLES[title].scenarios()))
    founder = user if registry.solo(registry.TITLES[title]) else person("Bo")
    campaign = services.found_campaign(
        founder, title, "Alone", scenario, {}, visibility="listed", seed="0" * 64
    )
    seats = selectors.seats(campaign)
    own = seats[0].key
    for seat in seats if founder != user else ():
        services.take_seat(user, services.invite(campaign, founder, seat.key)[1])
    for _ in range(6):
        pages, position = registry.TITLES[title].pages, selectors.position(campaign)
        raw = {"by": own, **(pages.automatic_move(position) or pages.program_move(position) or {})}
        campaign = services.play(campaign, user, raw, selectors.seen(campaign, user)).campaign
    home = f"/api/v1/campaigns/{campaign.address}/"
    closed = {"posts": 401, "threads": 401, "heard": 401, "rewind": 401}
    if registry.solo(registry.TITLES[title]):
        closed["lobby"] = 404
    if record.keeps_secrets(campaign):
        closed["record"] = 401
    for pattern in urls.reading:
        if str(pattern.pattern).count("<") == 1:
            answer = client.get(home + str(pattern.pattern).partition("<str:ref>/")[2])
            assert (pattern.name, answer.status_code) == (
                pattern.name,
                closed.get(pattern.name, 200),
            )
    report = client.get(f"{home}reports/").json()["results"][0]
    assert client.get(report["url"]).json()["posts"]
    assert (
        client.get(f"{home}position/").json()["state"]
        == client.get(f"{home}position/?at={campaign.last_number}").json()["state"]
    )
    assert client.get(f"/api/v1/titles/{title}/rules/1.1/").status_code == 200

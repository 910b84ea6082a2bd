"""Moves by program: offered, previewed, made once, refused with a sentence, taken back.

They use the same service as the pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from campaign import services
from games import registry
from people import tokens
from tests.api.conftest import Program
from tests.conftest import confirm
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db
Api = Callable[..., Program]


def offer(program: Program, key: str, seat: str = "huns") -> dict[str, Any]:
    result = program.get(f"offers/?seat={seat}").json()["offers"]
    return next(offer for offer in result if offer["key"] == key)


def play_move(program: Program, move: dict[str, Any], seen: int, **headers: str) -> Any:
    return program.post("moves/", {"move": move, "seen": seen}, **headers)


def test_offers_are_those_of_the_page(api: Api, grand_table: GrandTable) -> None:
    result = api("hun").get("offers/").json()
    assert (result["seat"], result["by"], result["seen"]) == (
        "huns",
        "huns",
        grand_table.seen("hun"),
    )
    refused = next(offer for offer in result["offers"] if offer["refusal"])
    assert refused["refusal"]["rule"]
    assert refused["refusal"]["text"].endswith(".")
    assert api("gm").get("offers/?seat=huns").json()["by"] == "gm"
    assert [
        api(who).get("offers/?seat=huns").status_code for who in ("roman", "stranger", "nobody")
    ] == [403, 403, 401]
    assert api("hun").get("offers/?seat=gm").status_code == 403
    assert api("hun").get("offers/?seat=gauls").status_code == 404


def test_a_fields_values_wait_for_what_they_depend_on(api: Api) -> None:
    hun = api("hun")
    attack = next(
        offer
        for offer in hun.get("offers/").json()["offers"]
        if any(field["depends"] for field in offer["fields"])
    )
    first, second = (
        attack["fields"][0],
        next(field for field in attack["fields"] if field["depends"]),
    )
    assert first["values"]
    assert second["values"] is None
    chosen = hun.get(f"offers/?offer={attack['key']}&{first['key']}={first['values'][0]}").json()[
        "offers"
    ]
    assert [offer["key"] for offer in chosen] == [attack["key"]]
    assert chosen[0]["fields"][0]["chosen"] == first["values"][0]
    assert next(field for field in chosen[0]["fields"] if field["key"] == second["key"])["values"]


def test_offers_say_what_they_are_called(api: Api) -> None:
    def land(**headers: str) -> Any:
        return (
            api("hun").get("offers/?offer=attack-land&from=pannonia", **headers).json()["offers"][0]
        )

    assert (land()["name"], [field["name"] for field in land()["fields"]][:2]) == (
        "Land attack",
        ["From", "Target"],
    )
    target = land()["fields"][1]
    assert (
        dict(zip(target["values"], target["names"], strict=True))["moesia-prima"] == "Moesia Prima"
    )
    assert land(Accept_Language="it")["name"] == "Attacco terrestre"


def test_a_key_belongs_to_one_user(api: Api, grand_table: GrandTable) -> None:
    """The same key, address and body from another user is another request.

    No one reads another user's answer.
    """
    hun, seen = api("hun"), grand_table.seen("hun")
    sent = {"move": offer(hun, "end-slot")["raw"], "seen": seen}
    assert hun.post("moves/", sent, Idempotency_Key="one").status_code == 201
    other = api("roman").post("moves/", sent, Idempotency_Key="one")
    assert "Idempotency-Replayed" not in other
    assert (other.status_code, other.json()["code"]) == (403, "not-your-seat")


def test_said_once_whatever_is_lost(api: Api, grand_table: GrandTable) -> None:
    hun, seen = api("hun"), grand_table.seen("hun")
    move = offer(hun, "end-slot")["raw"]
    looked = hun.post("preview/", {"move": move}).json()
    assert [way["chance"] for way in looked["ways"]] == [{"favourable": 1, "of": 1}]
    first = play_move(hun, move, seen)
    assert (first.status_code, first.json()["parked"]) == (201, False)
    created = first.json()["entries"][0]
    assert (created["seat"], created["person"]) == ("huns", "Ingrid")
    assert created["effects"] == looked["ways"][0]["effects"]
    again = play_move(hun, move, seen)
    assert (again.status_code, again["Idempotency-Replayed"]) == (200, "true")
    assert again.json()["entries"] == first.json()["entries"]
    assert first.json()["seen"] == again.json()["seen"] == grand_table.seen("hun") == seen + 1
    late = play_move(hun, {"by": "huns", "move": "tax-exemption"}, seen)
    assert (late.status_code, late.json()["code"], late.json()["seen"]) == (
        409,
        "table-moved-on",
        seen + 1,
    )
    assert [entry["number"] for entry in late.json()["entries"]] == [created["number"]]
    assert play_move(hun, move, 9999).json()["code"] == "seen-ahead"


def test_a_key_makes_a_request_happen_once(api: Api, grand_table: GrandTable) -> None:
    gm, seen = api("gm"), grand_table.seen("gm")
    move = {
        "by": "gm",
        "move": "adjust",
        "nation": "huns",
        "account": "army",
        "change": 1,
        "reason": "A.",
    }
    first = play_move(gm, move, seen, idempotency_key="one")
    grand_table.play("huns", "end-slot")
    again = play_move(gm, move, seen, idempotency_key="one")
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (
        201,
        201,
        "true",
    )
    assert first.json() == again.json()
    other = play_move(gm, {**move, "change": 2}, seen, idempotency_key="one")
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")


def test_the_same_key_twice_at_once(
    api: Api, grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request comes during the first; both get the answer to the first."""
    gm, seen, between = api("gm"), grand_table.seen("gm"), []
    move = {
        "by": "gm",
        "move": "adjust",
        "nation": "huns",
        "account": "army",
        "change": 1,
        "reason": "A.",
    }
    play = services.play

    def slow(*given: Any) -> Any:
        between.append(play_move(gm, move, seen, idempotency_key="one"))
        return play(*given)

    monkeypatch.setattr(services, "play", slow)
    first = play_move(gm, move, seen, idempotency_key="one")
    (second,) = between
    assert (second.status_code, second.json()["code"], second["Retry-After"]) == (
        409,
        "in-progress",
        "1",
    )
    assert (first.status_code, grand_table.seen("gm")) == (201, seen + 1)
    assert play_move(gm, move, seen, idempotency_key="one").json() == first.json()


def test_what_the_rules_forbid(api: Api, grand_table: GrandTable) -> None:
    seen = grand_table.seen("roman")
    late = play_move(api("roman"), {"by": "romans", "move": "end-slot"}, seen)
    assert (late.status_code, late["Content-Type"]) == (422, "application/problem+json")
    assert late.json()["code"]
    assert late.json()["rule"]
    assert (
        api("roman").post("preview/", {"move": {"by": "romans", "move": "end-slot"}}).json()["rule"]
        == late.json()["rule"]
    )
    for body, status in (
        ({"move": {"by": "huns", "move": "end-slot"}, "seen": seen}, 403),
        ({"move": [], "seen": 1}, 400),
        ({"seen": 1}, 400),
        ({"move": {"by": "romans", "move": "nonsense"}, "seen": seen}, 422),
        ({"move": {"by": "romans"}, "seen": True}, 400),
        ([], 400),
        ({"move": {"by": "romans", "move": {"a": [1.5]}}, "seen": seen}, 422),
    ):
        assert api("roman").post("moves/", body).status_code == status, body
    client, home, headers = api("roman").client, api("roman").home, api("roman").headers
    raw = client.post(home + "moves/", b'{"seen": NaN}', "application/json", headers=headers)
    assert (raw.status_code, raw.json()["code"]) == (400, "malformed")
    assert (
        client.post(
            home + "moves/", b" " * 300_000, "application/json", headers=headers
        ).status_code
        == 413
    )
    form = client.post(home + "moves/", {"a": 1}, headers=headers)
    assert form.status_code == 415


def test_a_token_that_reads_writes_nothing(api: Api, grand_table: GrandTable) -> None:
    reads, seen = api("hun", "read"), grand_table.seen("hun")
    for path in ("moves/", "undo/", "restore/"):
        answer = reads.post(path, {"move": {"by": "huns", "move": "end-slot"}, "seen": seen})
        assert (answer.status_code, answer.json()["code"]) == (403, "scope"), path
    assert reads.post("preview/", {"move": {"by": "huns", "move": "end-slot"}}).status_code == 200
    assert api("nobody").post("moves/", {"move": {}, "seen": 1}).status_code == 401
    assert (
        api("stranger")
        .post("moves/", {"move": {"by": "huns", "move": "end-slot"}, "seen": seen})
        .status_code
        == 403
    )
    assert grand_table.seen("hun") == seen


def test_a_refusal_uses_up_no_key(api: Api, grand_table: GrandTable) -> None:
    """Only successful requests are remembered.

    A number that cannot be stored is refused and is no internal error.
    """
    gm, move = (
        api("gm"),
        {
            "by": "gm",
            "move": "adjust",
            "nation": "huns",
            "account": "prestige",
            "change": 1,
            "reason": "A slip",
        },
    )
    before = grand_table.seen("gm")
    grand_table.play("gm", "adjust", nation="huns", account="prestige", change=2, reason="Post 12")
    assert play_move(gm, move, before, idempotency_key="one").status_code == 409
    assert (
        play_move(
            gm, {**move, "account": "gold"}, grand_table.seen("gm"), idempotency_key="one"
        ).status_code
        == 422
    )
    assert play_move(gm, move, grand_table.seen("gm"), idempotency_key="one").status_code == 201
    headers = {**gm.headers, "Idempotency-Key": "two"}
    huge = gm.client.post(
        gm.at("moves/"), b'{"move":{"n":1e999999999},"seen":1}', "application/json", headers=headers
    )
    assert (huge.status_code, huge.json()["code"]) == (400, "malformed")


def test_taken_back_and_put_in_force_again(api: Api, grand_table: GrandTable) -> None:
    hun, gm = api("hun"), api("gm")
    assert hun.get("undo/").json()["refusal"]["code"]
    play_move(hun, {"by": "huns", "move": "end-slot"}, grand_table.seen("hun"))
    own = hun.get("undo/").json()
    assert [entry["seat"] for entry in own["entries"]] == ["huns"]
    undone = hun.post("undo/", {"seen": own["seen"]})
    assert (undone.status_code, undone.json()["active_seat"]) == (201, "huns")
    after = grand_table.play("huns", "end-slot").campaign.active_seat
    seen = grand_table.seen("gm")
    assert hun.post("undo/", {"after": 1, "reason": "A slip", "seen": seen}).status_code == 403
    assert gm.post("undo/", {"after": 1, "seen": seen}).json()["code"] == "no-reason"
    struck = gm.post("undo/", {"after": 1, "reason": "A slip", "seen": seen}).json()
    back = gm.post(
        "restore/",
        {
            "entry": struck["entries"][0]["number"],
            "reason": "I want to keep it after all.",
            "seen": struck["seen"],
        },
    )
    assert (back.status_code, back.json()["active_seat"]) == (201, after)


def test_a_die_that_is_thrown_elsewhere(
    new_campaign: Callable[..., GrandTable], programs: Any
) -> None:
    """202: the announcement waits, and asked again it waits still."""
    grand_table = new_campaign()
    services.set_manual_dice(grand_table.campaign, grand_table.people["gm"], True)
    gm, seen, start = (
        programs(grand_table)("gm"),
        grand_table.seen("gm"),
        {"by": "gm", "move": "start"},
    )
    sent = {"move": start, "seen": seen, "confirm": ["unposted-announcement"]}
    first, again = gm.post("moves/", sent), gm.post("moves/", sent)
    assert [(answer.status_code, answer.json()["parked"]) for answer in (first, again)] == [
        (202, True),
        (202, True),
    ]
    assert again.json()["entries"] == first.json()["entries"]
    assert (
        play_move(gm, {**start, "move": "open-turn"}, first.json()["seen"]).json()["code"]
        == "awaits-die"
    )


def test_a_start_without_the_announcement_must_be_confirmed(
    new_campaign: Callable[..., GrandTable], programs: Any
) -> None:
    grand_table = new_campaign()
    gm, sent = (
        programs(grand_table)("gm"),
        {"move": {"by": "gm", "move": "start"}, "seen": grand_table.seen("gm")},
    )
    asked = gm.post("moves/", sent)
    assert (asked.status_code, asked.json()["code"], asked.json()["confirm"]) == (
        409,
        "unposted-announcement",
        ["unposted-announcement"],
    )
    assert (
        asked.json()["detail"]
        == "The announcement with the commitment of the dice has not been posted. Post it first, or"
        " send "
        '"confirm": ["unposted-announcement"] to start without it.'
    )
    grand_table.campaign.refresh_from_db()
    assert not grand_table.campaign.started
    wrong = gm.post("moves/", {**sent, "confirm": ["everything"]})
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["confirm"])
    assert (
        programs(grand_table)("hun").post("moves/", sent).json()["code"] != "unposted-announcement"
    ), "only who may start is asked"
    assert gm.post("moves/", {**sent, "confirm": ["unposted-announcement"]}).status_code == 201
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.started


@pytest.mark.parametrize("title", [key for key in registry.TITLES if registry.has_board(key)])
def test_every_title_is_played_by_its_offers(title: str, person: Any) -> None:
    """A program makes a dozen moves from the start.

    Each is the first complete offer.
    """
    user = person("Solange")
    founding = registry.TITLES[title].founding
    scenario, options = founding.terms(
        {question.key: question.default for question in founding.questions}
    )
    campaign = services.found_campaign(
        user, title, "By program", scenario, options, seed="5eed" * 16
    )
    program = Program(
        tokens.make_token(confirm(user), "bot", "play", timezone.now())[1],
        f"/api/v1/campaigns/{campaign.address}/",
    )
    seen, content = program.get().json()["seen"], 0
    while content < 12 and (waiting := program.get().json()["waiting"]):
        offered = program.get(f"offers/?seat={waiting[0]['seat']}").json()
        move = (
            offered["onward"]
            or next(
                (
                    offer["raw"]
                    for offer in offered["offers"]
                    if not offer["refusal"] and not offer["fields"]
                ),
                None,
            )
            or complete(program, waiting[0]["seat"], offered["offers"])
        )
        looked = program.post("preview/", {"move": move})
        assert looked.status_code == 200, looked.json()
        answer = play_move(program, move, offered["seen"])
        assert answer.status_code == 201, (move, answer.json())
        assert answer.json()["seen"] > seen
        seen, content = answer.json()["seen"], content + 1
    now = program.get().json()
    assert (now["seen"], content == 12 or now["status"] == "finished") == (seen, True)
    assert content > 5


def complete(program: Program, seat: str, offers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first offer whose fields can be completed by the first value of each."""
    for offer in offers:
        if offer["refusal"]:
            continue
        chosen: dict[str, Any] = {}
        for _ in offer["fields"]:
            query = "&".join(
                f"{key}={'!nobody' if value is None else value}" for key, value in chosen.items()
            )
            now = program.get(f"offers/?seat={seat}&offer={offer['key']}&{query}").json()["offers"][
                0
            ]
            left = next(
                (
                    field
                    for field in now["fields"]
                    if field["key"] not in chosen and field["values"]
                ),
                None,
            )
            if left is None:
                break
            chosen[left["key"]] = left["values"][0]
        if all(field["optional"] or field["key"] in chosen for field in offer["fields"]):
            return {**offer["raw"], **chosen}
    raise AssertionError(offers)

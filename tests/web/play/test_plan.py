"""A player's plan on its page.

Predicted in order, rearranged, announced, visible to no one else.

Numbers are those of RULES.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles import services as battles_services
from campaign import plans, services
from campaign.log import selectors
from campaign.models import LogEntry, Plan
from tests.table import Table, people, running, table, toy
from tests.web.contests import attack_independents, visible_text
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign
from tests.web.plain import find_form, parse_forms, submit_form

__all__ = ["grand_table", "new_campaign", "people", "running", "table", "toy"]

HUNS = "n/huns/plan/"


def build(structure: str) -> dict[str, Any]:
    return {"by": "huns", "move": "build", "structure": structure}


SHRINES, TEMPLES, HAMLETS, VILLAGES = (
    build(building) for building in ("shrines", "temples", "hamlets", "villages")
)
SPY = {"by": "huns", "move": "play", "card": "spy", "target": "romans"}


def plan(one: GrandTable, *moves: dict[str, Any]) -> Plan:
    for move in moves:
        services.plan_move(one.campaign, one.people["hun"], "huns", move)
    return plans.plan_of_user(one.campaign, one.people["hun"], "huns")


def steps(text: str) -> list[str]:
    """Return the text of each planned move on the page."""
    ordered = text.partition('<ol class="plan')[2].partition("</ol>")[0]
    return [
        visible_text('<li class="' + step).strip()
        for step in ordered.split('<li class="plan__step')[1:]
    ]


def post(table: GrandTable, /, do: str = "", **more: Any) -> Any:
    """Send a form of the page with the current values, unless `more` has others."""
    kept = plans.plan_of_user(table.campaign, table.people["hun"], "huns")
    data = {"do": do, "version": str(kept.version), "seen": str(table.seen("hun")), **more}
    return table.post("hun", HUNS, **{key: str(value) for key, value in data.items()})


def announced(table: GrandTable) -> list[dict[str, Any]]:
    """Return the moves of the Huns in the log."""
    return [
        entry.content
        for entry in table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="huns").order_by(
            "sequence"
        )
    ]


def test_an_empty_plan_explains_its_purpose(grand_table: GrandTable) -> None:
    words = visible_text(grand_table.text("hun", HUNS))
    assert "Nothing is planned." in words
    assert "Only you can see your plan." in words
    assert "Announce all" not in words
    assert "Your moves" in words


def test_three_moves_with_their_running_costs(grand_table: GrandTable) -> None:
    """450t give 2½ actions (3.1).

    Shrines cost ½, stability +1; Temples 1, +2 (3.4); Hamlets ½, prestige +1 (3.3).
    """
    plan(grand_table, SHRINES, TEMPLES, HAMLETS)
    text = grand_table.text("hun", HUNS)
    first, second, third = steps(text)
    assert first.startswith("1 Build Shrines stability 6 → 7 Shrines: built §3.4 2 left")
    assert second.startswith("2 Build Temples stability 7 → 9 Temples: built §3.4 1 left")
    assert third.startswith("3 Build Hamlets prestige 6 → 7 Hamlets: built §3.3 ½ left")
    words = visible_text(text)
    assert "Actions 2½ → ½ Stability 6 → 9 Prestige 6 → 7 Announce the first Announce all" in words
    assert "Huns · only you can see it" in words
    assert "What may follow" in words
    assert (
        "Sanctuaries Religious Buildings 3 of 4 This costs 1½ actions, but you have only ½."
        in words
    )
    assert announced(grand_table) == []


def test_another_order_has_other_consequences(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES, TEMPLES, HAMLETS)
    assert post(grand_table, "earlier", at=1).status_code == 303
    text = grand_table.text("hun", HUNS)
    first, second, third = steps(text)
    assert first.startswith("1 Build Temples")
    assert "§3.4" in first
    assert "not reached" not in first
    assert second.startswith("2 Build Shrines not reached")
    assert third.startswith("3 Build Hamlets not reached")
    words = visible_text(text)
    assert "Nothing can be announced at present; the plan is kept." in words
    assert "Move 1 is refused at present." in words
    assert post(grand_table, "later", at=0).status_code == 303
    assert plan(grand_table).moves == [SHRINES, TEMPLES, HAMLETS]
    assert post(grand_table, "later", at=2).status_code == 303
    assert plan(grand_table).moves == [SHRINES, TEMPLES, HAMLETS], "the last stays the last"


def test_a_refusal_in_the_middle(grand_table: GrandTable) -> None:
    """Villages come after Hamlets (3.3)."""
    plan(grand_table, SHRINES, HAMLETS, build("oppida"), TEMPLES)
    text = grand_table.text("hun", HUNS)
    assert steps(text)[1].startswith("2 Build Hamlets prestige 6 → 7 Hamlets: built §3.3 1½ left")
    assert "§3.3" in steps(text)[2]
    assert steps(text)[3].startswith("4 Build Temples not reached")
    assert "Only as far as possible: move 3 is refused at present." in visible_text(text)
    assert "Announce the first 2" in visible_text(text)
    assert post(grand_table, "all").status_code == 303
    assert announced(grand_table) == [SHRINES, HAMLETS]
    assert plan(grand_table).moves == [build("oppida"), TEMPLES]
    words = visible_text(grand_table.text("hun", HUNS))
    assert "2 moves announced." in words
    assert "The next move of the plan was refused: " in words
    assert post(grand_table, "all").status_code == 422
    assert announced(grand_table) == [SHRINES, HAMLETS]


def test_each_announced_move_is_an_entry_like_any_other(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES, TEMPLES, HAMLETS)
    before = grand_table.campaign.last_number
    answer = post(grand_table, "first")
    assert (answer.status_code, answer["Location"]) == (303, grand_table.home + HUNS)
    assert "Shrines announced: stability 7." in visible_text(grand_table.text("hun", HUNS))
    answer = post(grand_table, "all")
    assert (answer.status_code, answer["Location"]) == (303, grand_table.home + "n/huns/")
    assert "2 moves announced." in visible_text(grand_table.text("hun", "n/huns/"))
    grand_table.campaign.refresh_from_db()
    newest = selectors.log(grand_table.campaign, grand_table.people["stranger"], limit=3)[::-1]
    assert [(line.number, line.text, line.entry.actor.username) for line in newest] == [
        (before + 1, "build Shrines", "Ingrid"),
        (before + 2, "build Temples", "Ingrid"),
        (before + 3, "build Hamlets", "Ingrid"),
    ]
    assert plan(grand_table).moves == []


def test_a_die(new_campaign: Callable[..., GrandTable]) -> None:
    """In hidden hands the Spy steals at random (4.6)."""
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="scouts", reason="-")
    grand_table.play("gm", "give-card", nation="huns", card="spy", reason="-")
    plan(grand_table, SHRINES, SPY, HAMLETS)
    text = grand_table.text("hun", HUNS)
    assert "A die is thrown here, so what follows cannot be predicted." in steps(text)[1]
    assert steps(text)[2].startswith("3 Build Hamlets not reached")
    assert "A die is thrown at move 2. What may follow is shown after the throw." in visible_text(
        text
    )
    asked = post(grand_table, "all")
    assert asked.status_code == 200
    assert "Announce these 2 moves?" in visible_text(asked)
    assert "Dice are thrown at once" in visible_text(asked)
    assert announced(grand_table) == []
    sure = next(
        form for form in parse_forms(asked.content.decode()) if ("sure", "1") in form.fields
    )
    assert submit_form(grand_table.clients["hun"], sure, do="all").status_code == 303
    assert announced(grand_table) == [SHRINES, SPY]
    assert plan(grand_table).moves == [HAMLETS]
    assert "A die was thrown. Look at the result before you announce the rest." in visible_text(
        grand_table.text("hun", HUNS)
    )


def test_a_stale_page_announces_nothing_and_loses_nothing(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES, TEMPLES)
    seen = grand_table.seen("hun")
    grand_table.play(
        "gm", "adjust", nation="huns", account="stability", change=-1, reason="Post 12"
    )
    for do in ("first", "all"):
        answer = post(grand_table, do, seen=seen, sure=1)
        words = visible_text(answer)
        assert answer.status_code == 409
        assert "Nothing was announced, and your plan is kept." in words
        assert "changes the stability of the Huns by −1: “Post 12”" in words
        assert "1 Build Shrines stability 5 → 6" in words
    assert (announced(grand_table), plan(grand_table).moves) == ([], [SHRINES, TEMPLES])
    assert post(grand_table, "all", seen=10**6).status_code == 409
    assert post(grand_table, "all").status_code == 303


def test_two_windows(grand_table: GrandTable) -> None:
    kept = plan(grand_table, SHRINES, TEMPLES, HAMLETS)
    assert post(grand_table, "remove", at=2).status_code == 303
    for do in ("earlier", "later", "remove", "replace", "empty", "first", "all"):
        offered = {"offer": "build-religious", "structure": "shrines"} if do == "replace" else {}
        answer = post(grand_table, do, at=1, version=kept.version, **offered)
        assert answer.status_code == 409, do
        assert (
            "The plan was changed in another window. This is the current plan; nothing is lost."
            in visible_text(answer)
        )
        assert [step[:12] for step in steps(answer.content.decode())] == [
            "1 Build Shri",
            "2 Build Temp",
        ]
    assert (announced(grand_table), plan(grand_table).moves) == ([], [SHRINES, TEMPLES])


def test_moves_are_added_from_their_forms(grand_table: GrandTable) -> None:
    """From the nation's page as from the plan's, where Temples are offered behind Shrines."""
    form = find_form(grand_table.text("hun", "n/huns/"), "o-build-religious")
    answer = grand_table.clients["hun"].post(
        grand_table.home + HUNS, {**dict(form.fields), "do": "add"}
    )
    assert (answer.status_code, answer["Location"]) == (303, f"{grand_table.home}n/huns/")
    assert "1 Build Shrines ½" in visible_text(grand_table.text("hun", "n/huns/")), (
        "the plan is beside the moves"
    )
    again = find_form(grand_table.text("hun", HUNS), "o-build-religious")
    assert again.button == "Add Temples"
    assert submit_form(grand_table.clients["hun"], again, do="add").status_code == 303
    assert plan(grand_table).moves == [SHRINES, TEMPLES]
    attack = find_form(grand_table.text("hun", HUNS, open="attack-land"), "o-attack-land")
    assert attack.button.endswith("Add to the plan")
    assert (
        submit_form(
            grand_table.clients["hun"], attack, do="add", from_="pannonia", target="dalmatia"
        ).status_code
        == 303
    )
    assert plan(grand_table).moves[2] == {
        "by": "huns",
        "move": "attack",
        "kind": "land",
        "from": "pannonia",
        "target": "dalmatia",
    }
    page = grand_table.text("hun", "n/huns/", open="attack-land")
    assert f'formaction="{grand_table.home}{HUNS}"' in page
    assert "Plan (3)" in visible_text(page)
    assert announced(grand_table) == []


def test_a_planned_move_is_changed(grand_table: GrandTable) -> None:
    plan(
        grand_table,
        SHRINES,
        {"by": "huns", "move": "attack", "kind": "land", "from": "pannonia", "target": "dalmatia"},
        HAMLETS,
    )
    text = grand_table.text("hun", HUNS)
    assert text.count(">Change…<") == 1, "of what is built nothing can be chosen"
    form = next(
        form
        for form in parse_forms(grand_table.text("hun", HUNS, change="1"))
        if "Leave the move as it is" in form.button
    )
    assert (form.value("from"), form.value("target"), form.value("at")) == (
        "pannonia",
        "dalmatia",
        "1",
    )
    looked = submit_form(grand_table.clients["hun"], form, do="look", battle="flank-march")
    assert looked.status_code == 200
    form = next(
        form
        for form in parse_forms(looked.content.decode())
        if "Leave the move as it is" in form.button
    )
    assert form.value("battle") == "flank-march"
    assert submit_form(grand_table.clients["hun"], form, do="replace").status_code == 303
    assert plan(grand_table).moves[1]["battle"] == "flank-march"
    assert [move["move"] for move in plan(grand_table).moves] == ["build", "attack", "build"]
    lacking = submit_form(
        grand_table.clients["hun"],
        form,
        do="replace",
        target=None,
        version=str(plan(grand_table).version),
    )
    assert lacking.status_code == 422
    assert "Target: choose a value." in visible_text(lacking)


def test_emptied_only_when_asked_twice(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES, TEMPLES)
    asked = post(grand_table, "empty")
    assert asked.status_code == 200
    assert (
        "Empty the plan? The 2 moves in it will be removed and are not kept anywhere else."
        in visible_text(asked)
    )
    assert plan(grand_table).size == 2
    sure = next(
        form for form in parse_forms(asked.content.decode()) if ("sure", "1") in form.fields
    )
    assert submit_form(grand_table.clients["hun"], sure, do="empty").status_code == 303
    assert plan(grand_table).size == 0


def test_a_planned_move_is_removed_on_the_page_of_the_nation(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES, TEMPLES, HAMLETS)
    shown = [form for form in parse_forms(grand_table.text("hun", "n/huns/")) if "×" in form.button]
    assert [form.value("at") for form in shown] == ["0", "1", "2"]
    assert submit_form(grand_table.clients["hun"], shown[1], do="remove").status_code == 303
    assert plan(grand_table).moves == [SHRINES, HAMLETS]


def test_only_its_player_sees_a_plan(grand_table: GrandTable) -> None:
    """Only the player sees the plan.

    The other player, the game master, a stranger, a substitute of the Hun at a battle and the Hun's
    successor do not.
    """
    attack_independents(grand_table)
    addresses = ["", "n/huns/", "n/romans/", "log/", "desk/", "record.json", "b/1/", "notices/"]
    others = [who for who in WHO if who != "hun"]

    def look() -> list[str]:
        return [visible_text(grand_table.get(who, path)) for who in others for path in addresses]

    with time_machine.travel(timezone.now(), tick=False):  # pages show minutes
        look()
        before = look()
        plan(grand_table, TEMPLES, build("sanctuaries"))
        assert look() == before
    assert "Temples" in visible_text(grand_table.text("hun", HUNS))
    assert grand_table.statuses(HUNS) == {
        "gm": 403,
        "hun": 200,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    for who in others:
        answer = grand_table.post(who, HUNS, do="add", offer="build-religious")
        assert answer.status_code == (302 if who == "nobody" else 403)
    assert Plan.objects.count() == 1


def test_a_plan_foresees_nothing_hidden(new_campaign: Callable[..., GrandTable]) -> None:
    """An Assassin is planned against the Romans' Diplomat.

    The plan does not show whether they have that card (4.10).
    """
    seen = []
    for hidden in ("diplomat", "scouts"):
        grand_table = new_campaign(hands="hidden", name=hidden)
        grand_table.play("gm", "start")
        grand_table.slot_to("huns")
        grand_table.play("gm", "give-card", nation="romans", card=hidden, reason="-")
        for card in ("assassin", "spy", "chancellor"):
            grand_table.play("gm", "give-card", nation="huns", card=card, reason="-")
        assassin = {
            "by": "huns",
            "move": "play",
            "card": "assassin",
            "target": "romans",
            "destroy": "diplomat",
        }
        plan(
            grand_table,
            assassin,
            {"by": "huns", "move": "play", "card": "chancellor"},
            SPY,
            SHRINES,
        )
        text = grand_table.text("hun", HUNS)
        seen.append([steps(text), visible_text(text.partition('<div class="cols')[2])])
        asked = post(grand_table, "all").content.decode()
        seen[-1].append(visible_text(asked.partition('<section class="sheet sheet--mine ask"')[2]))
    assert seen[0] == seen[1]
    assert "A die is thrown here" in seen[0][0][2]


def test_after_an_assassin_a_plan_does_not_reveal_an_empty_hand(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """If it destroyed the last card, a Spy could not be played on the hand.

    The plan does not reveal this (4.6, 4.10).
    """
    assassin = {
        "by": "huns",
        "move": "play",
        "card": "assassin",
        "target": "romans",
        "destroy": "diplomat",
    }
    lines = "play card=assassin target=romans destroy=diplomat\nplay card=spy target=romans"
    for hidden in ("diplomat", "scouts"):
        grand_table = new_campaign(hands="hidden", name=hidden)
        grand_table.play("gm", "start")
        grand_table.slot_to("huns")
        for card in selectors.position(grand_table.campaign).nations["romans"].hand:
            grand_table.play("gm", "discard-card", nation="romans", card=card, reason="-")
        grand_table.play("gm", "give-card", nation="romans", card=hidden, reason="-")
        for card in ("assassin", "spy"):
            grand_table.play("gm", "give-card", nation="huns", card=card, reason="-")
        plan(grand_table, assassin, SPY)
        assert "A die is thrown here" in steps(grand_table.text("hun", HUNS))[1]
        read = visible_text(
            grand_table.post(
                "hun", "orders/", text=lines, do="read", seen=str(grand_table.seen("hun"))
            )
        )
        assert "A die is thrown here" in read
        assert "is empty" not in read


def test_neither_successor_nor_substitute_sees_a_plan(grand_table: GrandTable) -> None:
    attack_independents(grand_table)
    plan(grand_table, TEMPLES)
    heir = grand_table.people["stranger"]
    battles_services.name_substitute(
        grand_table.campaign, grand_table.people["hun"], 1, "huns", heir
    )
    assert grand_table.get("stranger", HUNS).status_code == 403
    services.vacate(grand_table.campaign, grand_table.people["hun"], "huns")
    services.take_seat(
        heir, services.invite(grand_table.campaign, grand_table.people["gm"], "huns")[1]
    )
    assert "Nothing is planned." in visible_text(grand_table.text("stranger", HUNS))
    assert grand_table.get("hun", HUNS).status_code == 403


def test_a_plan_of_a_campaign_that_is_not_played(grand_table: GrandTable) -> None:
    plan(grand_table, SHRINES)
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused", "A holiday")
    words = visible_text(grand_table.text("hun", HUNS))
    assert "1 Build Shrines stability 6 → 7" in words
    answer = post(grand_table, "all")
    assert answer.status_code == 409
    assert "This campaign is paused." in visible_text(answer)
    services.change_life(grand_table.campaign, grand_table.people["gm"], "abandoned", "Nobody left")
    assert grand_table.get("hun", HUNS)["Location"] == grand_table.home + "n/huns/"
    assert "Plan" not in visible_text(grand_table.text("hun", "n/huns/"))


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "add"},
        {"do": "add", "offer": "nothing", "move": "\x00", "shape": "a:b c:number"},
        {"do": "add", "offer": "attack-land", "from": "[]", "target": "\x00"},
        {"do": "replace", "at": "-1"},
        {"do": "replace", "at": "9" * 30, "offer": "build-religious"},
        {"do": "earlier", "at": "٣"},
        {"do": "later"},
        {"do": "remove", "at": "1e9"},
        {"do": "first", "version": "x"},
        {"do": "all", "seen": "-1"},
        {"do": "look", "at": "0"},
        {"do": "look", "offer": "attack-land", "cards": "spy"},
        {"do": "fly"},
        {},
        {"do": "empty", "version": "NaN"},
        {
            "do": "add",
            "move": "adjust",
            "nation": "huns",
            "account": "army",
            "change": "5",
            "for": "huns",
        },
    ],
)
def test_invalid_requests_change_no_plan(grand_table: GrandTable, sent: dict[str, str]) -> None:
    plan(grand_table, SHRINES, TEMPLES)
    answer = post(grand_table, **sent)
    assert answer.status_code in (200, 302, 400, 409, 422), answer.status_code
    assert (plan(grand_table).moves, announced(grand_table)) == ([SHRINES, TEMPLES], [])
    assert grand_table.get("hun", HUNS, open="\x00", change="\x00").status_code == 200


def test_a_planned_move_is_shown_at_once(grand_table: GrandTable) -> None:
    """A page whose plan alone has changed is not answered with status 304."""
    for path in (HUNS, "n/huns/"):
        had = grand_table.get("hun", path)
        kept = {
            "if-none-match": had.headers.get("ETag", "-"),
            "if-modified-since": had.headers.get("Last-Modified", "-"),
        }
        plan(grand_table, SHRINES)
        again = grand_table.clients["hun"].get(grand_table.home + path, headers=kept)
        assert again.status_code == 200
        assert again.content != had.content


def test_any_titles_moves_are_planned(running: Table) -> None:
    """In Heap there are two actions, each move costs one, and digging rolls a die."""
    client, home = Client(), f"/c/{running.campaign.address}/n/bee/"
    client.force_login(running.people["bee"])
    form = find_form(client.get(f"{home}plan/?open=add").content.decode(), "o-add")
    assert submit_form(client, form, do="add", stones="3").status_code == 303
    assert (
        submit_form(
            client, find_form(client.get(f"{home}plan/").content.decode(), "o-dig"), do="add"
        ).status_code
        == 303
    )
    first, second = steps(client.get(f"{home}plan/").content.decode())
    assert first.startswith("1 Bee: add stones 0 → 3 1 left")
    assert "A die is thrown here" in second
    assert "17%" in second, "the odds of the die itself are told"


def test_queries(grand_table: GrandTable) -> None:
    for path in (HUNS, "n/huns/"):
        grand_table.get("hun", path)
    counts = {}
    for planned in (0, 3):
        plan(grand_table, *[SHRINES, TEMPLES, HAMLETS][:planned])
        for path in (HUNS, "n/huns/"):
            with CaptureQueriesContext(connection) as queries:
                grand_table.get("hun", path)
            counts[path, planned] = len(queries)
    assert counts[HUNS, 0] == counts[HUNS, 3] <= 9
    assert counts["n/huns/", 3] == counts["n/huns/", 0] + 1 <= 12, (
        "its count is had with the campaign, its moves by one more"
    )

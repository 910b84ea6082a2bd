"""Moves announced by forms without a script: made, refused, outdated, confirmed, undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign.log import selectors
from campaign.models import LogEntry
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.plain import Form, find_form, parse_forms, submit_form

pytestmark = pytest.mark.thorough

__all__ = ["draft", "grand_table", "new_campaign"]


def nation(grand_table: GrandTable, who: str = "hun", seat: str = "huns", **query: str) -> str:
    return grand_table.text(who, f"n/{seat}/", **query)


def offer(
    grand_table: GrandTable, key: str, who: str = "hun", seat: str = "huns", **query: str
) -> Form:
    """Return the form of an offer; one with fields is opened first."""
    text = nation(
        grand_table,
        who,
        seat,
        **(
            {"open": key} | query
            if query or f"?open={key}" in nation(grand_table, who, seat)
            else {}
        ),
    )
    return find_form(text, f"o-{key}")


def last(grand_table: GrandTable) -> dict[str, Any]:
    entry = grand_table.campaign.entries.filter(kind=LogEntry.Kind.MOVE).order_by("sequence").last()
    return dict(entry.content)


def state(grand_table: GrandTable, seat: str = "huns") -> dict[str, Any]:
    grand_table.campaign.refresh_from_db()
    return dict(selectors.view(grand_table.campaign, grand_table.people["gm"])["nations"][seat])


def announce(
    grand_table: GrandTable, key: str, who: str = "hun", seat: str = "huns", **chosen: Any
) -> Any:
    """Announce an offer, and confirm it if the page asks."""
    client = grand_table.clients[who]
    answer = submit_form(client, offer(grand_table, key, who, seat), **chosen)
    if answer.status_code == 200:
        answer = submit_form(client, sure(answer))
    assert answer.status_code == 303, answer.content.decode()[:2000]
    return answer


def sure(answer: Any) -> Form:
    """Return the form of a page that asks for a confirmation."""
    return next(
        form for form in parse_forms(answer.content.decode()) if ("sure", "1") in form.fields
    )


def test_shrines_by_a_form(grand_table: GrandTable) -> None:
    form = offer(grand_table, "build-religious")
    assert form.button.strip() == "Announce: Shrines"
    answer = submit_form(grand_table.clients["hun"], form)
    assert (answer.status_code, answer["Location"]) == (303, f"{grand_table.home}n/huns/")
    text = grand_table.text("hun", "n/huns/")
    assert "Shrines announced: stability 7." in text
    assert ">Undo</a>" in text
    assert "Undo: Shrines" in text
    assert last(grand_table) == {"by": "huns", "move": "build", "structure": "shrines"}
    assert state(grand_table)["stability"] == 7


def test_a_second_click_is_harmless(grand_table: GrandTable) -> None:
    form = offer(grand_table, "build-religious")
    submit_form(grand_table.clients["hun"], form)
    again = submit_form(grand_table.clients["hun"], form)
    assert (again.status_code, again["Location"]) == (303, f"{grand_table.home}n/huns/")
    assert state(grand_table)["structures"] == ["shrines"]


def test_a_refusal_comes_back_with_its_rule_and_what_was_chosen(grand_table: GrandTable) -> None:
    form = offer(grand_table, "attack-land")
    answer = submit_form(grand_table.clients["hun"], form, target="hunnia", battle="flank-march")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in text
    assert "is already yours." in text
    assert 'href="/rules/#r-7.1"' in text or "#r-7.1" in text
    assert find_form(text, "o-attack-land").value("battle") == "flank-march"
    assert last(grand_table)["move"] != "attack"


def test_a_missing_choice_is_asked_for(grand_table: GrandTable) -> None:
    answer = submit_form(grand_table.clients["hun"], offer(grand_table, "attack-land"), from_=None)
    assert answer.status_code == 422
    assert "From: choose a value." in answer.content.decode()


def test_an_outdated_page_shows_new_moves_and_asks_again(grand_table: GrandTable) -> None:
    form = offer(grand_table, "build-religious")
    grand_table.play("gm", "adjust", nation="huns", account="stability", change=1, reason="Post 12")
    answer = submit_form(grand_table.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "The table has moved on." in text
    assert (
        "Your move was not made, because it would now have other consequences. It is still "
        "possible."
    ) in text
    assert "changes the stability of the Huns by +1: “Post 12”" in text
    assert state(grand_table)["structures"] == []
    again = submit_form(
        grand_table.clients["hun"],
        next(f for f in parse_forms(text) if "Announce it again" in f.button),
    )
    assert again.status_code == 303
    assert state(grand_table)["structures"] == ["shrines"]


def test_a_stale_move_that_is_not_possible_any_more(grand_table: GrandTable) -> None:
    form = offer(grand_table, "build-religious")
    grand_table.play("huns", "end-slot")
    answer = submit_form(grand_table.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "It is no longer possible as it is." in text
    assert "It is not the turn of the Huns; the Kushans are playing." in text
    assert "Announce it again" not in text


def test_another_seats_form_is_refused(grand_table: GrandTable) -> None:
    form = offer(grand_table, "build-religious")
    assert submit_form(grand_table.clients["roman"], form).status_code == 403
    assert submit_form(grand_table.clients["stranger"], form).status_code == 403
    assert submit_form(grand_table.clients["nobody"], form).status_code == 302
    assert submit_form(grand_table.clients["roman"], form, for_="huns").status_code == 403
    assert state(grand_table)["structures"] == []


def test_the_game_master_moves_for_a_nation(grand_table: GrandTable) -> None:
    text = nation(grand_table, "gm")
    assert "Moves for the Huns" in text
    answer = submit_form(grand_table.clients["gm"], find_form(text, "o-build-religious"))
    assert answer.status_code == 303
    assert last(grand_table) == {"by": "gm", "for": "huns", "move": "build", "structure": "shrines"}


def test_undo_by_its_button_and_by_its_page(grand_table: GrandTable) -> None:
    announce(grand_table, "siege-train")
    text = nation(grand_table)
    button = next(f for f in parse_forms(text) if "Undo: Siege train" in f.button)
    assert submit_form(grand_table.clients["hun"], button).status_code == 303
    assert state(grand_table)["siege_trains"] == 0
    announce(grand_table, "barracks")
    page = grand_table.get("hun", "undo/")
    assert "Undo: Barracks?" in page.content.decode()
    grand_table.post(
        "hun", "undo/", seen=str(selectors.seen(grand_table.campaign, grand_table.people["hun"]))
    )
    assert state(grand_table)["barracks"] is False
    assert grand_table.get("gm", "undo/").status_code == 403
    assert grand_table.get("nobody", "undo/").status_code == 302


def test_ending_a_slot_with_actions_left_is_asked_twice(grand_table: GrandTable) -> None:
    form = next(f for f in parse_forms(nation(grand_table)) if "End turn" in f.button)
    answer = submit_form(grand_table.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "2½ actions lapse. Attacks continue, and challenges can still be answered." in text
    assert submit_form(grand_table.clients["hun"], sure(answer)).status_code == 303
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.active_seat == "kushans"


def test_dice_are_asked_twice(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans")
    attack = launch(grand_table, "romans", "huns")
    answer = submit_form(
        grand_table.clients["hun"], offer(grand_table, f"respond-{attack['id']}-escort")
    )
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Dice are thrown at once. Only the game master can undo this" in text
    assert "escort forced" in text
    assert last(grand_table)["move"] == "attack"


def newest(grand_table: GrandTable) -> dict[str, Any]:
    grand_table.campaign.refresh_from_db()
    return dict(selectors.view(grand_table.campaign, grand_table.people["gm"])["attacks"][-1])


def launch(grand_table: GrandTable, attacker: str, defender: str) -> dict[str, Any]:
    """Let one nation attack another by land or covertly, as is possible."""
    position = selectors.position(grand_table.campaign)
    for offer in grand_table.campaign.game.offers(position, attacker, "gm"):
        if offer.move == "attack" and offer.refusal is None:
            for source in offer.values("from"):
                for target in offer.values("target", {"from": source}):
                    if position.owner[target] == defender:
                        grand_table.play(
                            attacker,
                            "attack",
                            **{"kind": offer.given["kind"], "from": source, "target": target},
                        )
                        return newest(grand_table)
    raise AssertionError("no way")


# Every kind of move of a nation, through its form -------------------------------------------------


def give(grand_table: GrandTable, seat: str, *cards: str) -> None:
    for card in cards:
        grand_table.play("gm", "give-card", nation=seat, card=card, reason="test")


@pytest.mark.parametrize(
    ("key", "move"),
    [
        ("tax-exemption", "tax-exemption"),
        ("tax-increase", "tax-increase"),
        ("build-architecture", "build"),
        ("build-commercial", "build"),
        ("fortify-ramparts", "fortify"),
        ("siege-train", "siege-train"),
        ("barracks", "barracks"),
        ("attack-land", "attack"),
        ("attack-independent-sassanids", "attack"),
    ],
)
def test_a_nations_moves(grand_table: GrandTable, key: str, move: str) -> None:
    announce(grand_table, key)
    assert last(grand_table)["move"] == move
    assert last(grand_table)["by"] == "huns"


def test_a_fleet_and_an_amphibious_attack(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans")
    announce(grand_table, "fleet", "roman", "romans", province="africa")
    assert last(grand_table) == {"by": "romans", "move": "fleet", "province": "africa"}
    refused = nation(grand_table, "roman", "romans")
    assert "It can carry attacks from turn 2 on." in refused
    grand_table.play("romans", "end-slot")
    while grand_table.campaign.phase == "slots":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")
    grand_table.slot_to("romans")
    announce(grand_table, "attack-amphibious", "roman", "romans")
    assert (last(grand_table)["kind"], last(grand_table)["from"]) == ("amphibious", "africa")


def test_a_levy(grand_table: GrandTable) -> None:
    announce(grand_table, "barracks")
    grand_table.play("gm", "adjust", nation="huns", account="army", change=-60, reason="-")
    grand_table.play("gm", "adjust", nation="huns", account="actions", change=2, reason="-")
    announce(grand_table, "provincial-levy")
    assert (last(grand_table)["move"], state(grand_table)["army"]) == ("provincial-levy", 1580)


@pytest.mark.parametrize("card", ["chancellor", "local-insurrection", "traitor", "spy", "assassin"])
def test_cards_played(grand_table: GrandTable, card: str) -> None:
    give(grand_table, "huns", card)
    give(grand_table, "romans", "chancellor")
    grand_table.play("gm", "set-owner", province="dalmatia", owner="romans", reason="a border")
    announce(grand_table, f"play-{card}")
    assert (last(grand_table)["move"], last(grand_table)["card"]) == ("play", card)


def test_mercenaries(grand_table: GrandTable) -> None:
    give(grand_table, "huns", "mercenaries")
    grand_table.play("gm", "adjust", nation="huns", account="army", change=-60, reason="-")
    announce(grand_table, "play-mercenaries")
    assert state(grand_table)["army"] == 1560


@pytest.mark.parametrize("way", ["province", "truce"])
def test_a_diplomat(grand_table: GrandTable, way: str) -> None:
    give(grand_table, "huns", "diplomat")
    announce(grand_table, f"play-diplomat-{way}")
    assert way in last(grand_table)


def test_trade(grand_table: GrandTable) -> None:
    give(grand_table, "huns", "spy", "scouts")
    give(grand_table, "romans", "ambush")
    announce(grand_table, "offer", card="spy")
    assert last(grand_table) == {"by": "huns", "move": "offer", "card": "spy"}
    grand_table.slot_to("romans")
    announce(grand_table, "take-huns-spy", "roman", "romans", give="ambush")
    assert last(grand_table) == {
        "by": "romans",
        "move": "take",
        "from": "huns",
        "card": "spy",
        "give": "ambush",
    }
    assert "ambush" in state(grand_table)["hand"]


def test_the_bodyguards_orders(grand_table: GrandTable) -> None:
    give(grand_table, "huns", "bodyguard")
    announce(grand_table, "keep")
    assert last(grand_table) == {"by": "huns", "move": "keep", "card": "bodyguard", "value": True}


@pytest.mark.parametrize("choice", ["accept", "withdraw", "escort"])
def test_answers(grand_table: GrandTable, choice: str) -> None:
    grand_table.slot_to("romans")
    attack = launch(grand_table, "romans", "huns")
    announce(grand_table, f"respond-{attack['id']}-{choice}")
    assert (last(grand_table)["move"], last(grand_table)["choice"], last(grand_table)["by"]) == (
        "respond",
        choice,
        "huns",
    )


def test_cards_go_with_an_attack_and_an_answer(grand_table: GrandTable) -> None:
    give(grand_table, "huns", "reinforcements", "scouts")
    give(grand_table, "romans", "scouts")
    announce(grand_table, "attack-land", cards=["reinforcements", "scouts"], battle="flank-march")
    assert last(grand_table)["cards"] == ["reinforcements", "scouts"]
    assert last(grand_table)["battle"] == "flank-march"


def test_a_siege_train_goes_along(grand_table: GrandTable) -> None:
    announce(grand_table, "siege-train")
    announce(grand_table, "attack-land", siege_train="true")
    assert last(grand_table)["siege_train"] is True


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        ("adjust", {"nation": "romans", "account": "income", "change": "−25", "reason": "Post 3"}),
        ("set-owner", {"province": "burgundia", "owner": "!nobody", "reason": "Post 3"}),
        ("give-card", {"nation": "huns", "card": "spy", "reason": "Post 3"}),
        ("discard-card", {"nation": "romans", "reason": "Post 3"}),
    ],
)
def test_corrections_by_the_same_door(
    grand_table: GrandTable, key: str, chosen: dict[str, str]
) -> None:
    give(grand_table, "romans", "spy")
    if key == "discard-card":
        chosen = {**chosen, "card": "spy"}
    data = {
        "offer": key,
        "move": key,
        "seat": "gm",
        "seen": str(selectors.seen(grand_table.campaign, grand_table.people["gm"])),
        **chosen,
    }
    answer = grand_table.post("gm", "move/", **data, sure="1")
    assert answer.status_code == 303, answer.content.decode()[-3000:]
    assert last(grand_table)["move"] == key
    assert last(grand_table)["reason"] == "Post 3"


def test_a_correction_without_a_reason_comes_back_typed(grand_table: GrandTable) -> None:
    seen = str(selectors.seen(grand_table.campaign, grand_table.people["gm"]))
    data = {
        "offer": "adjust",
        "seat": "gm",
        "seen": seen,
        "nation": "romans",
        "account": "army",
        "change": "-40",
        "reason": " ",
    }
    answer = grand_table.post("gm", "move/", **data)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="-40"' in text
    assert "reason" in text


def test_forms_are_posted_not_fetched(grand_table: GrandTable) -> None:
    for path in ("move/", "preview/"):
        assert grand_table.get("hun", path).status_code == 302
    assert grand_table.post("stranger", "move/", move="build").status_code == 403


def test_the_confirmation_reveals_nothing_of_a_hidden_hand(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    give(grand_table, "huns", "assassin")
    give(grand_table, "romans", "spy")
    form = offer(grand_table, "play-assassin")
    pages = []
    for named in ("spy", "chancellor"):
        answer = submit_form(grand_table.clients["hun"], form, target="romans", destroy=named)
        assert answer.status_code == 200
        text = re.sub(
            r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"',
            "",
            answer.content.decode(),
        )
        pages.append(text.replace(named, "?").replace(named.title(), "?"))
    assert "chancellor" not in selectors.position(grand_table.campaign).nations["romans"].hand
    assert pages[0] == pages[1]

"""Moves announced by forms without a script: made, refused, outdated, confirmed, undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign.log import selectors
from campaign.models import LogEntry
from tests.web.five import Five, draft, five, new_campaign
from tests.web.plain import Form, find_form, parse_forms, submit_form

pytestmark = pytest.mark.thorough

__all__ = ["draft", "five", "new_campaign"]


def nation(five: Five, who: str = "hun", seat: str = "huns", **query: str) -> str:
    return five.text(who, f"n/{seat}/", **query)


def offer(five: Five, key: str, who: str = "hun", seat: str = "huns", **query: str) -> Form:
    """Return the form of an offer; one with fields is opened first."""
    text = nation(
        five,
        who,
        seat,
        **({"open": key} | query if query or f"?open={key}" in nation(five, who, seat) else {}),
    )
    return find_form(text, f"o-{key}")


def last(five: Five) -> dict[str, Any]:
    entry = five.campaign.entries.filter(kind=LogEntry.Kind.MOVE).order_by("sequence").last()
    return dict(entry.content)


def state(five: Five, seat: str = "huns") -> dict[str, Any]:
    five.campaign.refresh_from_db()
    return dict(selectors.view(five.campaign, five.people["gm"])["nations"][seat])


def announce(five: Five, key: str, who: str = "hun", seat: str = "huns", **chosen: Any) -> Any:
    """Announce an offer, and confirm it if the page asks."""
    client = five.clients[who]
    answer = submit_form(client, offer(five, key, who, seat), **chosen)
    if answer.status_code == 200:
        answer = submit_form(client, sure(answer))
    assert answer.status_code == 303, answer.content.decode()[:2000]
    return answer


def sure(answer: Any) -> Form:
    """Return the form of a page that asks for a confirmation."""
    return next(
        form for form in parse_forms(answer.content.decode()) if ("sure", "1") in form.fields
    )


def test_shrines_by_a_form(five: Five) -> None:
    form = offer(five, "build-religious")
    assert form.button.strip() == "Announce: Shrines"
    answer = submit_form(five.clients["hun"], form)
    assert (answer.status_code, answer["Location"]) == (303, f"{five.home}n/huns/")
    text = five.text("hun", "n/huns/")
    assert "Shrines announced: stability 7." in text
    assert ">Undo</a>" in text
    assert "Undo: Shrines" in text
    assert last(five) == {"by": "huns", "move": "build", "structure": "shrines"}
    assert state(five)["stability"] == 7


def test_a_second_click_is_harmless(five: Five) -> None:
    form = offer(five, "build-religious")
    submit_form(five.clients["hun"], form)
    again = submit_form(five.clients["hun"], form)
    assert (again.status_code, again["Location"]) == (303, f"{five.home}n/huns/")
    assert state(five)["structures"] == ["shrines"]


def test_a_refusal_comes_back_with_its_rule_and_what_was_chosen(five: Five) -> None:
    form = offer(five, "attack-land")
    answer = submit_form(five.clients["hun"], form, target="hunnia", battle="flank-march")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in text
    assert "is already yours." in text
    assert 'href="/rules/#r-7.1"' in text or "#r-7.1" in text
    assert find_form(text, "o-attack-land").value("battle") == "flank-march"
    assert last(five)["move"] != "attack"


def test_a_missing_choice_is_asked_for(five: Five) -> None:
    answer = submit_form(five.clients["hun"], offer(five, "attack-land"), from_=None)
    assert answer.status_code == 422
    assert "From: choose a value." in answer.content.decode()


def test_an_outdated_page_shows_new_moves_and_asks_again(five: Five) -> None:
    form = offer(five, "build-religious")
    five.play("gm", "adjust", nation="huns", account="stability", change=1, reason="Post 12")
    answer = submit_form(five.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "The table has moved on." in text
    assert (
        "Your move was not made, because it would now have other consequences. It is still "
        "possible."
    ) in text
    assert "adjusts stability of the Huns by +1: “Post 12”" in text
    assert state(five)["structures"] == []
    again = submit_form(
        five.clients["hun"], next(f for f in parse_forms(text) if "Announce it again" in f.button)
    )
    assert again.status_code == 303
    assert state(five)["structures"] == ["shrines"]


def test_a_stale_move_that_is_not_possible_any_more(five: Five) -> None:
    form = offer(five, "build-religious")
    five.play("huns", "end-slot")
    answer = submit_form(five.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "it is no longer possible in this form." in text
    assert "It is not the turn of the Huns; the Kushans are playing." in text
    assert "Announce it again" not in text


def test_another_seats_form_is_refused(five: Five) -> None:
    form = offer(five, "build-religious")
    assert submit_form(five.clients["roman"], form).status_code == 403
    assert submit_form(five.clients["stranger"], form).status_code == 403
    assert submit_form(five.clients["nobody"], form).status_code == 302
    assert submit_form(five.clients["roman"], form, for_="huns").status_code == 403
    assert state(five)["structures"] == []


def test_the_game_master_moves_for_a_nation(five: Five) -> None:
    text = nation(five, "gm")
    assert "Moves for the Huns" in text
    answer = submit_form(five.clients["gm"], find_form(text, "o-build-religious"))
    assert answer.status_code == 303
    assert last(five) == {"by": "gm", "for": "huns", "move": "build", "structure": "shrines"}


def test_undo_by_its_button_and_by_its_page(five: Five) -> None:
    announce(five, "siege-train")
    text = nation(five)
    button = next(f for f in parse_forms(text) if "Undo: Siege train" in f.button)
    assert submit_form(five.clients["hun"], button).status_code == 303
    assert state(five)["siege_trains"] == 0
    announce(five, "barracks")
    page = five.get("hun", "undo/")
    assert "Undo: Barracks?" in page.content.decode()
    five.post("hun", "undo/", seen=str(selectors.seen(five.campaign, five.people["hun"])))
    assert state(five)["barracks"] is False
    assert five.get("gm", "undo/").status_code == 403
    assert five.get("nobody", "undo/").status_code == 302


def test_ending_a_slot_with_actions_left_is_asked_twice(five: Five) -> None:
    form = next(f for f in parse_forms(nation(five)) if "End turn" in f.button)
    answer = submit_form(five.clients["hun"], form)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "2½ actions lapse. Attacks continue, and challenges can still be answered." in text
    assert submit_form(five.clients["hun"], sure(answer)).status_code == 303
    five.campaign.refresh_from_db()
    assert five.campaign.active_seat == "kushans"


def test_dice_are_asked_twice(five: Five) -> None:
    five.slot_to("romans")
    attack = launch(five, "romans", "huns")
    answer = submit_form(five.clients["hun"], offer(five, f"respond-{attack['id']}-escort"))
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Dice are thrown at once. Only the game master can undo this" in text
    assert "escort forced" in text
    assert last(five)["move"] == "attack"


def newest(five: Five) -> dict[str, Any]:
    five.campaign.refresh_from_db()
    return dict(selectors.view(five.campaign, five.people["gm"])["attacks"][-1])


def launch(five: Five, attacker: str, defender: str) -> dict[str, Any]:
    """Let one nation attack another by land or covertly, as is possible."""
    position = selectors.position(five.campaign)
    for offer in five.campaign.game.offers(position, attacker, "gm"):
        if offer.move == "attack" and offer.refusal is None:
            for source in offer.values("from"):
                for target in offer.values("target", {"from": source}):
                    if position.owner[target] == defender:
                        five.play(
                            attacker,
                            "attack",
                            **{"kind": offer.given["kind"], "from": source, "target": target},
                        )
                        return newest(five)
    raise AssertionError("no way")


# Every kind of move of a nation, through its form -------------------------------------------------


def give(five: Five, seat: str, *cards: str) -> None:
    for card in cards:
        five.play("gm", "give-card", nation=seat, card=card, reason="test")


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
def test_a_nations_moves(five: Five, key: str, move: str) -> None:
    announce(five, key)
    assert last(five)["move"] == move
    assert last(five)["by"] == "huns"


def test_a_fleet_and_an_amphibious_attack(five: Five) -> None:
    five.slot_to("romans")
    announce(five, "fleet", "roman", "romans", province="africa")
    assert last(five) == {"by": "romans", "move": "fleet", "province": "africa"}
    refused = nation(five, "roman", "romans")
    assert "It can carry attacks from turn 2 on." in refused
    five.play("romans", "end-slot")
    while five.campaign.phase == "slots":
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "open-turn")
    five.slot_to("romans")
    announce(five, "attack-amphibious", "roman", "romans")
    assert (last(five)["kind"], last(five)["from"]) == ("amphibious", "africa")


def test_a_levy(five: Five) -> None:
    announce(five, "barracks")
    five.play("gm", "adjust", nation="huns", account="army", change=-60, reason="-")
    five.play("gm", "adjust", nation="huns", account="actions", change=2, reason="-")
    announce(five, "provincial-levy")
    assert (last(five)["move"], state(five)["army"]) == ("provincial-levy", 1580)


@pytest.mark.parametrize("card", ["chancellor", "local-insurrection", "traitor", "spy", "assassin"])
def test_cards_played(five: Five, card: str) -> None:
    give(five, "huns", card)
    give(five, "romans", "chancellor")
    five.play("gm", "set-owner", province="dalmatia", owner="romans", reason="a border")
    announce(five, f"play-{card}")
    assert (last(five)["move"], last(five)["card"]) == ("play", card)


def test_mercenaries(five: Five) -> None:
    give(five, "huns", "mercenaries")
    five.play("gm", "adjust", nation="huns", account="army", change=-60, reason="-")
    announce(five, "play-mercenaries")
    assert state(five)["army"] == 1560


@pytest.mark.parametrize("way", ["province", "truce"])
def test_a_diplomat(five: Five, way: str) -> None:
    give(five, "huns", "diplomat")
    announce(five, f"play-diplomat-{way}")
    assert way in last(five)


def test_trade(five: Five) -> None:
    give(five, "huns", "spy", "scouts")
    give(five, "romans", "ambush")
    announce(five, "offer", card="spy")
    assert last(five) == {"by": "huns", "move": "offer", "card": "spy"}
    five.slot_to("romans")
    announce(five, "take-huns-spy", "roman", "romans", give="ambush")
    assert last(five) == {
        "by": "romans",
        "move": "take",
        "from": "huns",
        "card": "spy",
        "give": "ambush",
    }
    assert "ambush" in state(five)["hand"]


def test_the_bodyguards_orders(five: Five) -> None:
    give(five, "huns", "bodyguard")
    announce(five, "keep")
    assert last(five) == {"by": "huns", "move": "keep", "card": "bodyguard", "value": True}


@pytest.mark.parametrize("choice", ["accept", "withdraw", "escort"])
def test_answers(five: Five, choice: str) -> None:
    five.slot_to("romans")
    attack = launch(five, "romans", "huns")
    announce(five, f"respond-{attack['id']}-{choice}")
    assert (last(five)["move"], last(five)["choice"], last(five)["by"]) == (
        "respond",
        choice,
        "huns",
    )


def test_cards_go_with_an_attack_and_an_answer(five: Five) -> None:
    give(five, "huns", "reinforcements", "scouts")
    give(five, "romans", "scouts")
    announce(five, "attack-land", cards=["reinforcements", "scouts"], battle="flank-march")
    assert last(five)["cards"] == ["reinforcements", "scouts"]
    assert last(five)["battle"] == "flank-march"


def test_a_siege_train_goes_along(five: Five) -> None:
    announce(five, "siege-train")
    announce(five, "attack-land", siege_train="true")
    assert last(five)["siege_train"] is True


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        ("adjust", {"nation": "romans", "account": "income", "change": "−25", "reason": "Post 3"}),
        ("set-owner", {"province": "burgundia", "owner": "!nobody", "reason": "Post 3"}),
        ("give-card", {"nation": "huns", "card": "spy", "reason": "Post 3"}),
        ("discard-card", {"nation": "romans", "reason": "Post 3"}),
    ],
)
def test_corrections_by_the_same_door(five: Five, key: str, chosen: dict[str, str]) -> None:
    give(five, "romans", "spy")
    if key == "discard-card":
        chosen = {**chosen, "card": "spy"}
    data = {
        "offer": key,
        "move": key,
        "seat": "gm",
        "seen": str(selectors.seen(five.campaign, five.people["gm"])),
        **chosen,
    }
    answer = five.post("gm", "move/", **data, sure="1")
    assert answer.status_code == 303, answer.content.decode()[-3000:]
    assert last(five)["move"] == key
    assert last(five)["reason"] == "Post 3"


def test_a_correction_without_a_reason_comes_back_typed(five: Five) -> None:
    seen = str(selectors.seen(five.campaign, five.people["gm"]))
    data = {
        "offer": "adjust",
        "seat": "gm",
        "seen": seen,
        "nation": "romans",
        "account": "army",
        "change": "-40",
        "reason": " ",
    }
    answer = five.post("gm", "move/", **data)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="-40"' in text
    assert "reason" in text


def test_forms_are_posted_not_fetched(five: Five) -> None:
    for path in ("move/", "preview/"):
        assert five.get("hun", path).status_code == 302
    assert five.post("stranger", "move/", move="build").status_code == 403


def test_the_confirmation_reveals_nothing_of_a_hidden_hand(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    give(five, "huns", "assassin")
    give(five, "romans", "spy")
    form = offer(five, "play-assassin")
    pages = []
    for named in ("spy", "chancellor"):
        answer = submit_form(five.clients["hun"], form, target="romans", destroy=named)
        assert answer.status_code == 200
        text = re.sub(
            r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"',
            "",
            answer.content.decode(),
        )
        pages.append(text.replace(named, "?").replace(named.title(), "?"))
    assert "chancellor" not in selectors.position(five.campaign).nations["romans"].hand
    assert pages[0] == pages[1]

"""Substitutes and countersigners on the pages: named, seen, ended, and what they may press."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battles import services
from campaign import services as table_services
from campaign.models import Membership
from tests.web.battles.test_claims import act, claimed
from tests.web.contests import challenge, known, plain, siege
from tests.web.five import WHO, Five, five, new_campaign

__all__ = ["challenge", "five", "new_campaign", "siege"]

pytestmark = pytest.mark.django_db


def named(table: Five, who: str = "hun", side: str = "huns", name: str = "sid") -> int:
    return int(act(table, who, "substitute", side=side, name=name).status_code)


# Substitutes --------------------------------------------------------------------------------------


def test_the_holder_names_him_by_name_and_all_see_it(siege: Five) -> None:
    assert "Substitute" not in plain(siege.get("nobody", "b/1/"))
    assert "Substitute for the Huns" in plain(siege.get("hun", "b/1/"))
    assert named(siege) == 302
    for who in ("gm", "roman", "nobody"):
        assert "Huns Sid in place of Ingrid" in plain(siege.get(who, "b/1/"))
    assert "Sid stands in for the Huns" in plain(siege.get("nobody", "about/"))
    assert "Sid for the Huns in battle #1" in plain(siege.get("gm", "seats/"))
    assert "You stand in for the Huns in battle #1" in plain(siege.get("stranger", "notices/"))
    assert "Sid, Hunnic" in plain(siege.get("roman", "b/1/"))
    assert "Huns: Sid stands in for battle #1." in plain(siege.get("nobody", "log/"))


@pytest.mark.parametrize(
    ("who", "side", "name", "status"),
    [
        ("hun", "huns", "Nobody at all", 422),
        ("hun", "huns", "", 422),
        ("hun", "huns", "Benedetto", 422),
        ("hun", "romans", "Sid", 403),
        ("roman", "huns", "Sid", 403),
        ("stranger", "huns", "Sid", 403),
        ("stranger", "huns", "Nobody at all", 403),
        ("nobody", "huns", "Sid", 302),
        ("gm", "", "Sid", 422),
        ("gm", "vandals", "Sid", 422),
        ("gm", "huns", "Sid", 302),
        ("hun", "huns", "x" * 5000, 422),
    ],
)
def test_who_names_whom(siege: Five, who: str, side: str, name: str, status: int) -> None:
    assert named(siege, who, side, name) == status
    assert Membership.objects.filter(role="substitute").exists() == ((who, status) == ("gm", 302))


def test_a_name_that_nobody_has_is_asked_again(siege: Five) -> None:
    answer = act(siege, "hun", "substitute", side="huns", name='Zoe"><i>')
    assert "Nobody has this name here." in plain(answer)
    assert 'value="Zoe&quot;&gt;&lt;i&gt;"' in answer.content.decode()


def test_what_he_finds_on_the_page(siege: Five) -> None:
    services.set_password(siege.campaign, siege.people["hun"], 1, "walls-of-dalmatia")
    number = claimed(siege, "roman")
    before = plain(siege.get("stranger", "b/1/"))
    assert not any(
        word in before for word in ("Confirm the result", "Lobby Password", "Show the link")
    )
    named(siege)
    page = plain(siege.get("stranger", "b/1/", lobby="show"))
    for word in (
        "walls-of-dalmatia",
        "Confirm the result",
        "Dispute…",
        "Show the link",
        "Step back",
        "waits for you",
    ):
        assert word in page
    assert "walls-of-dalmatia" not in siege.text("nobody", "b/1/", lobby="show")
    assert act(siege, "stranger", "confirm", claim=number).status_code == 302
    assert known(siege)["status"] == "resolved"
    after = siege.text("stranger", "b/1/", lobby="show")
    assert "walls-of-dalmatia" not in after
    assert "Step back" not in after


def test_he_answers_no_challenge_and_opens_no_desk(challenge: Five) -> None:
    named(challenge, "roman", "romans")
    assert "Answer the challenge" not in plain(challenge.get("stranger", "b/1/"))
    assert "Name them" not in plain(challenge.get("stranger", "b/1/"))
    answer = challenge.post(
        "stranger",
        "b/1/",
        move="respond",
        choice="accept",
        seen=str(challenge.seen("stranger")),
        sure="1",
    )
    assert answer.status_code == 403
    assert challenge.get("stranger", "desk/").status_code == 403
    assert challenge.get("stranger", "seats/").status_code == 403
    assert "Your slot" not in plain(challenge.get("stranger", "/"))


def test_it_is_ended_on_either_page(siege: Five) -> None:
    for who, back, onward in (
        ("hun", "", "b/1/"),
        ("stranger", "", "b/1/"),
        ("gm", "seats", "seats/"),
    ):
        named(siege)
        answer = act(siege, who, "end-substitute", side="huns", back=back)
        assert (answer.status_code, answer["Location"]) == (302, siege.home + onward)
        assert "in place of Ingrid" not in plain(siege.get("nobody", "b/1/"))
    assert act(siege, "hun", "end-substitute", side="huns").status_code == 422


def test_the_campaign_is_among_his_own_while_it_lasts(new_campaign: Callable[..., Five]) -> None:
    table = new_campaign(visibility="members")
    table.play("gm", "start")
    table.slot_to("huns")
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    assert table.get("stranger", "b/1/").status_code == 404
    assert named(table) == 302
    assert "The Long Frontier" in table.text("stranger", "/")
    assert [table.get(who, "b/1/").status_code for who in WHO] == [200, 200, 200, 200, 404]
    act(table, "hun", "end-substitute", side="huns")
    assert "The Long Frontier" not in table.text("stranger", "/")
    assert table.get("stranger", "b/1/").status_code == 404


def test_queries(siege: Five, django_assert_max_num_queries: Any) -> None:
    claimed(siege, "roman")
    named(siege)
    named(siege, "roman", "romans", "Marozia")
    table_services.name_countersigner(siege.campaign, siege.people["gm"], siege.people["roman"])
    for who in ("stranger", "hun", "gm"):
        for path in (
            "b/1/",
            "battles/",
            "about/",
            "log/",
            "",
            "/",
            *(["seats/", "desk/"] if who == "gm" else []),
        ):
            siege.get(who, path)
            # The desk with a claim, a countersigner and hidden hands asks two facts more.
            most = 14 if path == "desk/" else 12
            with django_assert_max_num_queries(most, info=f"{who} {path}"):
                assert siege.get(who, path).status_code == 200, path


# Countersigners -----------------------------------------------------------------------------------


def test_the_countersigner_is_named_and_dismissed_on_the_seats_page(five: Five) -> None:
    content = five.post("gm", "seats/", follow=True, do="countersigner", name="sid")
    assert "Sid is countersigner and has been notified." in plain(content)
    assert "Sid countersigner" in plain(five.get("nobody", "about/"))
    assert "Nobody has this name here." in plain(
        five.post("gm", "seats/", follow=True, do="countersigner", name="Zoe")
    )
    assert "does not countersign" in plain(
        five.post("gm", "seats/", follow=True, do="countersigner", name="Marozia")
    )
    for who in ("hun", "stranger"):
        assert five.post(who, "seats/", do="countersigner", name="Ingrid").status_code == 403
    person = str(five.people["stranger"].pk)
    assert "is no longer countersigner" in plain(
        five.post("gm", "seats/", follow=True, do="no-countersigner", person=person)
    )
    assert not Membership.objects.filter(role="countersigner", until=None).exists()


def test_he_countersigns_on_the_entrys_page(five: Five) -> None:
    five.post("gm", "seats/", do="countersigner", name="Sid")
    number = (
        five.play("gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted")
        .entries[0]
        .number
    )
    entry, press = f"e/{number}/", f"e/{number}/countersign/"
    for who in WHO:
        assert ("Countersign</button>" in five.text(who, entry)) == (who == "stranger")
    assert [five.post(who, press).status_code for who in ("gm", "hun", "roman", "nobody")] == [
        403,
        403,
        403,
        302,
    ]
    assert "countersigned by" not in five.text("nobody", "log/")
    assert "is countersigned." in plain(five.post("stranger", press, follow=True))
    assert "countersigned by Sid" in plain(five.get("nobody", "log/"))
    assert "Countersigned by Sid" in plain(five.get("nobody", entry))
    assert "Countersign</button>" not in five.text("stranger", entry)
    assert "You have countersigned this already." in plain(
        five.post("stranger", press, follow=True)
    )
    assert five.post("stranger", "e/4000/countersign/").status_code == 404


def test_he_leaves_by_himself(five: Five) -> None:
    five.post("gm", "seats/", do="countersigner", name="Sid")
    assert "You are countersigner." in plain(five.get("stranger", "about/"))
    assert "You are no longer countersigner." in plain(
        five.post("stranger", "about/", follow=True, do="no-countersigner")
    )
    assert "You are countersigner." not in plain(five.get("stranger", "about/"))

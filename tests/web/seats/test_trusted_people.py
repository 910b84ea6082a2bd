"""Substitutes and countersigners on the pages: named, visible, dismissed, and their buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battles import services
from campaign import services as table_services
from campaign.models import Membership
from tests.web.battles.test_claims import act, claimed
from tests.web.contests import challenge, siege, stored_contest, visible_text
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]

pytestmark = pytest.mark.django_db


def named(table: GrandTable, who: str = "hun", side: str = "huns", name: str = "sid") -> int:
    return int(act(table, who, "substitute", side=side, name=name).status_code)


# Substitutes --------------------------------------------------------------------------------------


def test_the_holder_names_a_substitute_and_all_readers_see_it(siege: GrandTable) -> None:
    assert "Substitute" not in visible_text(siege.get("nobody", "b/1/"))
    assert "Substitute for the Huns" in visible_text(siege.get("hun", "b/1/"))
    assert named(siege) == 302
    for who in ("gm", "roman", "nobody"):
        assert "Huns Sid in place of Ingrid" in visible_text(siege.get(who, "b/1/"))
    assert "Sid substitute for the Huns" in visible_text(siege.get("nobody", "about/"))
    assert "Sid substitute for the Huns in battle #1" in visible_text(siege.get("gm", "seats/"))
    assert "You are the substitute for the Huns in battle #1" in visible_text(
        siege.get("stranger", "notices/")
    )
    assert "Sid, Hunnic" in visible_text(siege.get("roman", "b/1/"))
    assert "Huns: Sid is the substitute for battle #1." in visible_text(siege.get("nobody", "log/"))


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
def test_these_users_name_substitutes(
    siege: GrandTable, who: str, side: str, name: str, status: int
) -> None:
    assert named(siege, who, side, name) == status
    assert Membership.objects.filter(role="substitute").exists() == ((who, status) == ("gm", 302))


def test_an_unknown_user_name_is_asked_again(siege: GrandTable) -> None:
    answer = act(siege, "hun", "substitute", side="huns", name='Zoe"><i>')
    assert "There is no user with this name." in visible_text(answer)
    assert 'value="Zoe&quot;&gt;&lt;i&gt;"' in answer.content.decode()


def test_a_substitute_sees_these_parts_of_the_page(siege: GrandTable) -> None:
    services.set_password(siege.campaign, siege.people["hun"], 1, "walls-of-dalmatia")
    number = claimed(siege, "roman")
    before = visible_text(siege.get("stranger", "b/1/"))
    assert not any(
        word in before for word in ("Confirm the result", "Lobby Password", "Show the link")
    )
    named(siege)
    page = visible_text(siege.get("stranger", "b/1/", lobby="show"))
    for word in (
        "walls-of-dalmatia",
        "Confirm the result",
        "Dispute…",
        "Show the link",
        "Step down",
        "waits for you",
    ):
        assert word in page
    assert "walls-of-dalmatia" not in siege.text("nobody", "b/1/", lobby="show")
    assert act(siege, "stranger", "confirm", claim=number).status_code == 302
    assert stored_contest(siege)["status"] == "resolved"
    after = siege.text("stranger", "b/1/", lobby="show")
    assert "walls-of-dalmatia" not in after
    assert "Step down" not in after


def test_a_substitute_answers_no_challenge_and_opens_no_desk(challenge: GrandTable) -> None:
    named(challenge, "roman", "romans")
    assert "Answer the challenge" not in visible_text(challenge.get("stranger", "b/1/"))
    assert "Name the substitute" not in visible_text(challenge.get("stranger", "b/1/"))
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
    assert "Your turn" not in visible_text(challenge.get("stranger", "/"))


def test_a_substitution_ends_on_either_page(siege: GrandTable) -> None:
    for who, back, onward in (
        ("hun", "", "b/1/"),
        ("stranger", "", "b/1/"),
        ("gm", "seats", "seats/"),
    ):
        named(siege)
        answer = act(siege, who, "end-substitute", side="huns", back=back)
        assert (answer.status_code, answer["Location"]) == (302, siege.home + onward)
        assert "in place of Ingrid" not in visible_text(siege.get("nobody", "b/1/"))
    assert act(siege, "hun", "end-substitute", side="huns").status_code == 422


def test_the_campaign_is_in_the_substitutes_list_meanwhile(
    new_campaign: Callable[..., GrandTable],
) -> None:
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


def test_queries(siege: GrandTable, django_assert_max_num_queries: Any) -> None:
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
            # The desk with a claim, a countersigner and hidden hands needs two more queries.
            most = 14 if path == "desk/" else 12
            with django_assert_max_num_queries(most, info=f"{who} {path}"):
                assert siege.get(who, path).status_code == 200, path


# Countersigners -----------------------------------------------------------------------------------


def test_the_countersigner_is_named_and_dismissed_on_the_seats_page(
    grand_table: GrandTable,
) -> None:
    content = grand_table.post("gm", "seats/", follow=True, do="countersigner", name="sid")
    assert "Sid is now a countersigner and has been notified." in visible_text(content)
    assert "Sid countersigner" in visible_text(grand_table.get("nobody", "about/"))
    assert "There is no user with this name." in visible_text(
        grand_table.post("gm", "seats/", follow=True, do="countersigner", name="Zoe")
    )
    assert "cannot countersign" in visible_text(
        grand_table.post("gm", "seats/", follow=True, do="countersigner", name="Marozia")
    )
    for who in ("hun", "stranger"):
        assert grand_table.post(who, "seats/", do="countersigner", name="Ingrid").status_code == 403
    person = str(grand_table.people["stranger"].pk)
    assert "is no longer a countersigner" in visible_text(
        grand_table.post("gm", "seats/", follow=True, do="no-countersigner", person=person)
    )
    assert not Membership.objects.filter(role="countersigner", until=None).exists()


def test_a_countersigner_signs_on_the_page_of_the_entry(grand_table: GrandTable) -> None:
    grand_table.post("gm", "seats/", do="countersigner", name="Sid")
    number = (
        grand_table.play(
            "gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted"
        )
        .entries[0]
        .number
    )
    entry, press = f"e/{number}/", f"e/{number}/countersign/"
    for who in WHO:
        assert ("Countersign</button>" in grand_table.text(who, entry)) == (who == "stranger")
    assert [
        grand_table.post(who, press).status_code for who in ("gm", "hun", "roman", "nobody")
    ] == [
        403,
        403,
        403,
        302,
    ]
    assert "countersigned by" not in grand_table.text("nobody", "log/")
    assert "You have countersigned entry" in visible_text(
        grand_table.post("stranger", press, follow=True)
    )
    assert "countersigned by Sid" in visible_text(grand_table.get("nobody", "log/"))
    assert "Countersigned by Sid" in visible_text(grand_table.get("nobody", entry))
    assert "Countersign</button>" not in grand_table.text("stranger", entry)
    assert "You have already countersigned this." in visible_text(
        grand_table.post("stranger", press, follow=True)
    )
    assert grand_table.post("stranger", "e/4000/countersign/").status_code == 404


def test_a_countersigner_can_resign(grand_table: GrandTable) -> None:
    grand_table.post("gm", "seats/", do="countersigner", name="Sid")
    assert "You are a countersigner." in visible_text(grand_table.get("stranger", "about/"))
    assert "You are no longer a countersigner." in visible_text(
        grand_table.post("stranger", "about/", follow=True, do="no-countersigner")
    )
    assert "You are a countersigner." not in visible_text(grand_table.get("stranger", "about/"))

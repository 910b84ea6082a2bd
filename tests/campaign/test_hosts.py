"""Commands of the host: suspend, hide and erase.

Every act is logged, and the log keeps everything that happened before.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client

from campaign import access, services
from campaign.errors import NotAllowed, NotNow
from campaign.log import selectors
from campaign.models import Plan, SeatHandover, SeatNote
from notices.models import FeedAddress, Notice
from people.models import BrowserSession, HostAct, User
from tests.campaign.test_masters import check_audit, make_co_master, roles, secret, take_seat, texts

__all__ = ["secret"]

NAME, ADDRESS, FORUM, MODULE = (
    "Zebulon Quirk",
    "zebulon@quirk.example",
    "zq-forum",
    "ZQ in the module",
)


def host(command: str, *args: str) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


# Campaigns ----------------------------------------------------------------------------------------


def test_a_campaign_is_suspended_and_goes_on(running: Any) -> None:
    key, before = running.campaign.public_id, running.campaign.last_number
    assert "Nothing has been changed" in host("suspend", key, "--dry-run")
    assert running.reload().last_number == before
    assert (
        host("suspend", key, "--reason", "A quarrel.")
        == f"The Heap ({key}) is now suspended. The log of the campaign records this.\n"
    )
    assert (running.reload().status, running.campaign.suspended) == ("suspended", True)
    (line,) = selectors.log(running.campaign, None, limit=1)
    assert line.entry.actor is None
    assert line.text == (
        "The host suspends the campaign: no one can read it or move in it until the host ends "
        "the suspension. A quarrel."
    )
    with pytest.raises(NotNow, match="The host has suspended this campaign"):
        running.play("bee", "add", stones=1)
    with pytest.raises(NotAllowed, match="No one can read it or move"):
        access.find(key, running.gm)
    with pytest.raises(NotNow):
        services.change_life(running.campaign, running.gm, "paused")
    assert set(Notice.objects.filter(kind="life").values_list("user__username", flat=True)) == {
        "Gm",
        "Ant",
        "Bee",
    }
    with pytest.raises(CommandError, match="not possible in the present state"):
        host("suspend", key)
    host("unsuspend", key)
    assert (running.reload().status, access.find(key, running.gm)) == ("running", running.campaign)
    running.play("bee", "add", stones=1)
    check_audit()


def test_the_state_before_a_suspension_returns_when_it_ends(running: Any) -> None:
    services.change_life(running.campaign, running.gm, "paused")
    host("suspend", running.campaign.public_id)
    host("unsuspend", running.campaign.public_id)
    assert running.reload().status == "paused"


def test_a_campaign_is_hidden_from_the_lists(table: Any) -> None:
    key = table.campaign.public_id
    services.change_description(
        table.campaign, table.gm, name="The Heap", time_zone="UTC", visibility="listed"
    )
    assert list(selectors.listed()) == [table.campaign]
    host("hide", key)
    assert list(selectors.listed()) == []
    assert access.find(key, None) == table.campaign
    assert texts(table.campaign, 1) == ["The host takes the campaign out of all lists."]
    services.change_description(
        table.campaign, table.gm, name="The Heap", time_zone="UTC", visibility="listed"
    )
    assert list(selectors.listed()) == [], "the game master does not undo it"
    host("unhide", key)
    assert list(selectors.listed()) == [table.campaign]
    with pytest.raises(CommandError, match="not possible in the present state"):
        host("unhide", key)
    check_audit()


# People -------------------------------------------------------------------------------------------


def test_a_user_is_suspended_and_reinstated(table: Any) -> None:
    content = host("suspend", "bee", "--reason", "Insults.")
    assert content.splitlines() == [
        "Bee is suspended.",
        f"They have the role bee in The Heap ({table.campaign.public_id}).",
    ]
    bee = User.objects.get(username="Bee")
    assert (bee.is_active, bee.suspended_for) == (False, "Insults.")
    assert roles(table.campaign, bee) == ["seat"]
    with pytest.raises(CommandError, match="Bee is suspended already"):
        host("suspend", "bee")
    host("unsuspend", "bee@example.org")
    assert list(HostAct.objects.values_list("act", "user__username", "reason")) == [
        ("suspended", "Bee", "Insults."),
        ("unsuspended", "Bee", ""),
    ]
    with pytest.raises(CommandError, match="Bee is not suspended"):
        host("unsuspend", "Bee")
    bee.refresh_from_db()
    assert (bee.is_active, bee.suspended_at, bee.suspended_for) == (True, None, "")


def test_an_argument_may_name_a_campaign_or_a_user(table: Any, person: Any) -> None:
    key = table.campaign.public_id
    person(key)
    with pytest.raises(CommandError, match="is both a campaign and a user"):
        host("suspend", key)
    assert "The Heap" in host("suspend", key, "--campaign")
    assert host("suspend", key, "--user") == f"{key} is suspended.\n"
    for wrong in ("", "nobody", "http://testserver/c/zzzzzzzz-x/", "#999999"):
        with pytest.raises(CommandError, match=r"There is no user|There is no campaign"):
            host("suspend", wrong)


# Erased -------------------------------------------------------------------------------------------


@pytest.fixture
def known(running: Any, person: Any) -> User:
    """Return a user who has left traces in every possible place.

    They have a seat, a place in the reserve, channels, a session, a plan, notes and a letter box.
    """
    user = person(NAME, email=ADDRESS, forum_name=FORUM, fog2_name=MODULE)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    Client().force_login(user)
    bee = running.people["bee"]
    services.take_seat(user, services.hand_over_link(running.campaign, bee, "bee")[1])
    running.people["bee"] = user
    running.reload()
    running.play("bee", "add", stones=2)
    services.write_note(running.campaign, user, "bee", f"{NAME} writes.", left=True, version=0)
    services.plan_move(running.campaign, user, "bee", {"by": "bee", "move": "add", "stones": 1})
    services.offer_seat(running.campaign, user, "bee", running.people["ant"])
    FeedAddress.objects.create(
        user=user, kind="notices", token_hash="0" * 64, created_at=user.date_joined
    )
    return user


def written() -> list[str]:
    """Return the text columns of all tables that contain a trace of the user."""
    result = []
    for model in apps.get_models():
        texts = [
            field
            for field in model._meta.concrete_fields
            if isinstance(field, (models.CharField, models.TextField, models.JSONField))
        ]
        for row in (
            model._default_manager.values(*(field.attname for field in texts)) if texts else ()
        ):
            for column, value in row.items():
                if any(
                    trace.casefold() in str(value).casefold()
                    for trace in (NAME, ADDRESS, FORUM, MODULE, "Quirk")
                ):
                    result.append(f"{model._meta.label}.{column}")
    return result


def test_an_erased_user_is_a_former_player_and_the_hashes_remain_valid(
    known: User, running: Any
) -> None:
    chain = list(running.campaign.entries.order_by("sequence").values_list("hash", flat=True))
    assert {"people.User.username", "people.User.email", "account.EmailAddress.email"} <= set(
        written()
    )
    assert "Nothing has been changed" in host("erase", NAME, "--dry-run")
    assert {"people.User.username"} <= set(written())
    assert Plan.objects.filter(user=known).exists()
    shown = host("erase", NAME.upper())
    assert f"{running.campaign.public_id}: bee is now free" in shown
    assert written() == []
    known.refresh_from_db()
    assert (known.username, known.email, known.forum_name, known.is_active) == (
        "a former player",
        "",
        "",
        False,
    )
    assert not known.has_usable_password()
    for gone in (
        EmailAddress.objects.filter(user=known),
        Authenticator.objects.filter(user=known),
        Plan.objects.filter(user=known),
        SeatNote.objects.filter(user=known),
        FeedAddress.objects.filter(user=known),
        Notice.objects.filter(user=known),
        BrowserSession.objects.all(),
    ):
        assert not gone.exists(), gone.model
    entries = list(running.campaign.entries.order_by("sequence"))
    assert [entry.hash for entry in entries][: len(chain)] == chain
    content = [line.text for line in selectors.log(running.campaign, running.gm)]
    assert content[0] == "A person has left for good, and is called “a former player” from now on."
    assert content[1] == "The Bee: the seat is free again."
    assert [entry.actor for entry in entries[-2:]] == [None, None]
    assert "The Bee: the seat passes from Bee to a former player." in content
    assert list(HostAct.objects.values_list("act", "user")) == [("erased", known.pk)]
    assert access.access_of(running.reload(), known) == access.NO_ACCESS
    check_audit()


def test_notes_of_an_erased_user_are_gone_for_their_successor(known: User, running: Any) -> None:
    services.take_seat(
        running.stranger, services.hand_over_link(running.campaign, running.gm, "bee")[1]
    )
    assert SeatHandover.objects.get(user=running.stranger).note is not None
    host("erase", NAME)
    result = SeatHandover.objects.select_related("leaver").get(user=running.stranger)
    assert (result.note, result.leaver.username if result.leaver else "") == (
        None,
        "a former player",
    )
    check_audit()


def test_a_user_is_erased_only_once(known: User) -> None:
    host("erase", NAME)
    with pytest.raises(CommandError, match="There is no user"):
        host("erase", NAME)
    with pytest.raises(CommandError, match="has already been erased"):
        host("erase", f"#{known.pk}")
    for command in ("suspend", "unsuspend"):
        with pytest.raises(CommandError, match="Refused"):
            host(command, f"#{known.pk}")


def test_a_game_master_must_name_a_successor_before_erasure(running: Any) -> None:
    key = running.campaign.public_id
    with pytest.raises(
        CommandError,
        match=rf"Gm is game master of The Heap \({key}\). Hand these over first, or name",
    ):
        host("erase", "Gm")
    with pytest.raises(CommandError, match="their account cannot sign in"):
        host("erase", "Gm", "--successor", "Gm")
    assert User.objects.filter(username="Gm").exists()
    assert f"{key}: Ant is now the game master" in host("erase", "Gm", "--successor", "Ant")
    assert roles(running.campaign, running.people["ant"]) == ["game_master", "seat"]
    assert "The host makes Ant game master in place of a former player." in texts(
        running.campaign, 3
    )
    assert running.reload().founder.username == "a former player"
    check_audit()


def test_an_erasure_that_hidden_hands_forbid_changes_nothing(secret: Any, people: Any) -> None:
    """The game master plays, and the co-game-master sees all hands.

    Neither can be erased without a replacement.
    """
    make_co_master(secret, people, "stranger")
    take_seat(secret, people, "gm", "ant")
    take_seat(secret, people, "bee", "bee")
    with pytest.raises(CommandError, match=r"The Heap \(.*\): Hands are hidden here"):
        host("erase", "Stranger")
    assert roles(secret, people["stranger"]) == ["co_game_master"]
    assert User.objects.filter(username="Stranger").exists()
    host("erase", "Gm", "--successor", "Stranger")
    assert roles(secret, people["stranger"]) == ["game_master"]
    check_audit()


def test_an_erased_user_gives_up_every_seat_and_role(table: Any, person: Any) -> None:
    user = person(NAME)
    services.join_waiting_list(table.campaign, user)
    services.name_countersigner(table.campaign, table.gm, user)
    host("erase", NAME)
    assert roles(table.campaign, user) == []
    check_audit()


def test_a_finished_campaign_keeps_its_game_master(table: Any) -> None:
    services.change_life(table.campaign, table.gm, "abandoned", "Enough.")
    host("erase", "Gm")
    assert [user.username for user in selectors.game_masters(table.reload())] == ["a former player"]
    check_audit()


def test_a_campaign_that_an_erased_user_plays_alone_is_abandoned(person: Any) -> None:
    user = person(NAME)
    alone = services.found_campaign(user, "march_on_rome", "A reign", "standard", {})
    host("erase", NAME)
    alone.refresh_from_db()
    assert alone.status == "abandoned"
    assert [seat.holder.username for seat in selectors.seats(alone)] == ["a former player"]
    check_audit()

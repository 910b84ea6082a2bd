"""Blocks, closing an account, invitations to the site, terms, and the stored data of a user."""

from __future__ import annotations

import html
import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from botocore.exceptions import ClientError
from django.apps import apps
from django.core import mail
from django.core.files.storage import InMemoryStorage
from django.core.management import call_command
from django.db.models import ForeignKey, OneToOneField
from django.test import Client
from django.utils import timezone
from django.utils.http import urlencode

from campaign import files, practice, services
from campaign.errors import Refused
from campaign.hosting import host_acts
from campaign.hosting.audit import differences
from campaign.models import Campaign, Invitation, Membership, Plan
from moderation import services as moderation
from notices.models import Channel, Notice
from people import services as people_services
from people import tokens
from people.models import Block, ClosedAddress, OwnDataExport, SiteInvitation, Token, User
from people.services import AccountError
from talk import services as talk
from tests.conftest import PASSWORD
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign  # noqa: F401
from web.own_data import storage
from web.own_data.archive import archive_of
from web.own_data.contents import NUMBER_OF_PARTS, parts
from web.own_data.sections import ELSEWHERE, SECTIONS

pytestmark = [pytest.mark.django_db]
SIGN_UP = {
    "username": "Odo",
    "email": "odo@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "time_zone": "UTC",
}


def just_signed_in(user: Any) -> Client:
    """Sign in a user who has typed their password a moment ago."""
    client = Client()
    assert (
        client.post("/sign-in/", {"login": user.username, "password": PASSWORD}).status_code == 302
    )
    assert client.post("/me/again/", {"password": PASSWORD}).status_code == 302
    return client


# Blocks


def test_a_block_is_ones_own_page_and_the_other_learns_nothing(grand_table: GrandTable) -> None:  # noqa: F811
    hun, roman = grand_table.people["hun"], grand_table.people["roman"]
    services.join_waiting_list(grand_table.campaign, grand_table.people["stranger"])
    services.offer_seat(grand_table.campaign, hun, "huns", grand_table.people["stranger"])
    assert grand_table.post("roman", "/me/blocks/", name="Nobody at all").status_code == 422
    assert grand_table.post("roman", "/me/blocks/", name="benedetto").status_code == 422, "oneself"
    assert grand_table.post("roman", "/me/blocks/", name=hun.email).status_code == 422, (
        "an address would tell whose it is"
    )
    assert grand_table.post("roman", "/me/blocks/", name="ingrid").status_code == 302
    assert grand_table.post("stranger", "/me/blocks/", name="Ingrid").status_code == 302
    assert "Ingrid" in grand_table.text("roman", "/me/blocks/")
    assert "You have not blocked anyone." in grand_table.text("hun", "/me/blocks/")
    assert Invitation.objects.get(named=grand_table.people["stranger"]).revoked_at is not None, (
        "an offer that waited is withdrawn"
    )
    with pytest.raises(Refused, match="this way"):
        services.offer_seat(grand_table.campaign, hun, "huns", grand_table.people["stranger"])
    with pytest.raises(Refused, match="You have blocked Ingrid"):
        services.offer_seat(grand_table.campaign, roman, "romans", hun)
    # Table business goes on: the Hun moves, and the Roman reads it.
    grand_table.play("huns", "end-slot")
    assert grand_table.get("roman", "log/").status_code == 200
    assert grand_table.post("roman", "/me/blocks/", unblock=str(hun.pk)).status_code == 302
    assert Block.objects.filter(user=roman).count() == 0


def test_a_guest_blocks_no_one_and_no_one_is_blocked_twice(person: Callable[..., Any]) -> None:
    one, two = person("Ada"), person("Bea")
    assert people_services.block(one, two) == people_services.block(one, two)
    guest = User.objects.create(username="Guest 1234", guest=True)
    for who, whom in ((guest, one), (one, guest), (one, one)):
        with pytest.raises(people_services.CannotBlock):
            people_services.block(who, whom)
    assert people_services.are_apart(two, one)
    assert people_services.apart_from(two) == {one.pk}


# Closing


def test_a_moderator_closes_an_account_at_once(
    grand_table: GrandTable,  # noqa: F811
    person: Callable[..., Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    moderator, hun = person("Thecla"), grand_table.people["hun"]
    call_command("moderator", "Thecla")
    moderator.refresh_from_db()
    EmailAddress.objects.update_or_create(
        user=hun, email=hun.email, defaults={"verified": True, "primary": True}
    )
    tokens.make_token(hun, "A bot", "play", timezone.now())
    Channel.objects.create(user=hun, service="push", sealed="x", created_at=timezone.now())
    assert grand_table.get("hun", "/me/").status_code == 200
    with pytest.raises(Refused):
        moderation.close_account(moderator, hun, " ")
    with pytest.raises(Refused):
        moderation.close_account(moderator, moderator, "Enough.")
    with django_capture_on_commit_callbacks(execute=True):
        moderation.close_account(moderator, hun, "Threatened a player <twice>.")
    assert grand_table.get("hun", "/me/").status_code == 302, "signed out"
    assert Token.objects.filter(user=hun, revoked_at=None).count() == 0
    assert Channel.objects.filter(user=hun).count() == 0
    assert [
        (message.to, "Threatened a player <twice>." in message.body) for message in mail.outbox
    ] == [([hun.email], True)]
    answer = Client().post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    assert answer.status_code == 403
    assert "Your account has been closed" in answer.content.decode()
    assert "Threatened a player &lt;twice&gt;." in answer.content.decode()
    # The seat is free, its past and the name stay, and the game master is notified.
    assert not Membership.objects.filter(user=hun, until=None).exists()
    assert Notice.objects.filter(user=grand_table.people["gm"], kind="seat-left").exists()
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []
    # Neither signing up nor changing an address leads back.
    refused = Client().post("/sign-up/", {**SIGN_UP, "email": hun.email.upper()})
    assert "No account can be made with this address" in refused.content.decode()
    assert not User.objects.filter(username="Odo").exists()
    assert hun.email not in "".join(ClosedAddress.objects.values_list("digest", flat=True))
    with pytest.raises(AccountError):
        moderation.close_account(moderator, hun, "Again.")
    call_command("close_account", "Ingrid", "--reopen", "--reason", "A mistake.")
    assert Client().post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code == 302
    assert not ClosedAddress.objects.exists()


def test_a_campaign_passes_to_its_co_game_master_or_waits_for_the_host(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    gm, heir = grand_table.people["gm"], grand_table.people["stranger"]
    services.take_seat(heir, services.invite_master(grand_table.campaign, gm)[1])
    lines = moderation.close_account(None, gm, "Enough.")
    assert (
        Membership.objects.get(campaign=grand_table.campaign, role="game_master", until=None).user
        == heir
    )
    assert any("Sid is now the game master" in line for line in lines)
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []
    moderation.close_account(None, heir, "Enough.")
    assert (
        Membership.objects.get(campaign=grand_table.campaign, role="game_master", until=None).user
        == heir
    ), "nobody else is there"


def test_an_owner_closes_it_in_two_weeks_and_signing_in_keeps_it(grand_table: GrandTable) -> None:  # noqa: F811
    hun, now = grand_table.people["hun"], timezone.now()
    client = just_signed_in(hun)
    assert grand_table.get("hun", "/me/leave/").status_code == 302, "asks for the password"
    page = client.get("/me/leave/").content.decode()
    assert "The Long Frontier: Huns" in page
    assert client.post("/me/leave/", {"do": "close", "name": "Someone"}).status_code == 422
    assert client.post("/me/leave/", {"do": "close", "name": "Ingrid"})["Location"] == "/left/"
    hun.refresh_from_db()
    assert hun.closes_at - now > timedelta(days=13)
    assert grand_table.get("hun", "/me/").status_code == 302
    absence = Notice.objects.filter(user=grand_table.people["gm"], kind="absence")
    assert absence.exists(), "the game master reads that they are away"
    assert "This account will be closed after these days" in grand_table.text("gm", "about/")
    assert "This account will be closed after these days" not in grand_table.text("roman", "about/")
    just_signed_in(hun)
    hun.refresh_from_db()
    assert hun.closes_at is None
    assert "This account will be closed after these days" not in grand_table.text("gm", "about/")
    host_acts.ask_to_close(hun, erase=False)
    assert host_acts.tick(now + timedelta(days=13), 10) == 0
    assert host_acts.tick(now + timedelta(days=15), 10) == 1
    hun.refresh_from_db()
    assert (hun.is_active, hun.username, hun.email) == (False, "Ingrid", "")
    assert not Membership.objects.filter(user=hun, until=None).exists()
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []
    assert not people_services.is_closed("ingrid@example.org"), (
        "who closed it themselves may come again"
    )


def test_erasing_oneself_keeps_the_logs_and_nothing_else(grand_table: GrandTable) -> None:  # noqa: F811
    hun, now = grand_table.people["hun"], timezone.now()
    talk.write(grand_table.campaign, hun, ["romans"], "Between us.")
    people_services.block(hun, grand_table.people["stranger"])
    with pytest.raises(Refused, match="Hand these over first"):
        host_acts.ask_to_close(grand_table.people["gm"], erase=True)
    host_acts.ask_to_close(hun, erase=True)
    host_acts.tick(now + timedelta(days=15), 10)
    hun.refresh_from_db()
    assert hun.erased_at is not None
    assert "Ingrid" not in grand_table.text("gm", "log/") + grand_table.text(
        "roman", "about/"
    ) + grand_table.text("roman", "talk/")
    assert "a former player" in grand_table.text("gm", "log/")
    assert not Block.objects.exists()
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []


def test_who_practises_against_programs_may_leave(grand_table: GrandTable) -> None:  # noqa: F811
    user, now = grand_table.people["stranger"], timezone.now()
    campaign = practice.begin(user, "grand_campaign", "420ad", "huns", "bold", seed="7" * 64)
    assert host_acts.masters_of(user) == []
    host_acts.ask_to_close(user, erase=False)
    assert host_acts.tick(now + timedelta(days=15), 10) == 1
    user.refresh_from_db()
    campaign.refresh_from_db()
    assert (user.is_active, campaign.abandoned) == (False, True)
    assert list(differences(campaign)) == []


# Invitations to the site


def test_by_invitation_only(grand_table: GrandTable, settings: Any, client: Client) -> None:  # noqa: F811
    settings.SIGN_UP = "invited"
    closed = client.get("/sign-up/")
    assert "Accounts are by invitation" in closed.content.decode()
    assert "Accounts are by invitation" in client.post("/sign-up/", SIGN_UP).content.decode()
    assert client.post("/play/march_on_rome/")["Location"] == "/sign-up/", "guests too"
    assert not User.objects.filter(username__in=("Odo",)).exists()
    level = {"tokens": "5", "fleets": "3", "revolts": "0", "armies": "0"}
    alone = {
        "title": "tetrarchia",
        "with": "alone",
        "players": "1",
        "visibility": "unlisted",
        **level,
    }
    for path, form in (("/learn/tetrarchia/", {}), ("/found/", alone)):
        answer = client.post(path, form)
        assert answer["Location"].startswith(f"/sign-in/?next={path}"), path
    assert not User.objects.filter(guest=True).exists()
    assert client.get("/invited/nonsense/").status_code == 410
    # A link of the host's serves as often as it says.
    _row, token = people_services.make_invitation(None, timezone.now(), uses=1, note="Odo")
    assert client.get(f"/invited/{token}/")["Location"] == "/sign-up/"
    assert 'name="username"' in client.get("/sign-up/").content.decode()
    assert client.post("/sign-up/", SIGN_UP).status_code == 302
    odo = User.objects.get(username="Odo")
    assert (odo.terms_version, odo.terms_at is not None) == ("1", True)
    other = Client()
    assert other.get(f"/invited/{token}/").status_code == 410
    assert SiteInvitation.objects.get().used == 1
    # A campaign's link leads to a seat and an account in one.
    _, link = services.invite(grand_table.campaign, grand_table.people["gm"], "vandals")
    assert other.get(f"/join/{link}/").status_code == 302
    assert 'name="username"' in other.get("/join/").content.decode()
    sent = {**SIGN_UP, "username": "Geiserich", "email": "g@example.org"}
    assert other.post("/join/", sent).status_code == 302
    assert Membership.objects.get(seat="vandals", until=None).user.username == "Geiserich"
    # Over, revoked, closed.
    _row, token = people_services.make_invitation(None, timezone.now() - timedelta(days=2), days=1)
    assert Client().get(f"/invited/{token}/").status_code == 410
    row, token = people_services.make_invitation(None, timezone.now())
    people_services.revoke_invitation(row.pk, timezone.now())
    assert Client().get(f"/invited/{token}/").status_code == 410
    settings.SIGN_UP = "closed"
    assert "No new accounts" in Client().get("/sign-up/").content.decode()


def test_only_moderators_make_links(grand_table: GrandTable) -> None:  # noqa: F811
    path = "/moderation/invitations/"
    assert grand_table.statuses(path) == {
        "gm": 404,
        "hun": 404,
        "roman": 404,
        "stranger": 404,
        "nobody": 302,
    }
    call_command("moderator", "Sid")
    assert grand_table.post("stranger", path, uses="0", days="30", note="x").status_code == 422
    assert (
        grand_table.post("stranger", path, uses="3", days="7", note="The club").status_code == 302
    )
    page = grand_table.text("stranger", path)
    assert "/invited/" in page
    assert "/invited/" not in grand_table.text("stranger", path), "shown once"
    row = SiteInvitation.objects.get()
    assert (row.uses_left, row.note, row.made_by) == (3, "The club", grand_table.people["stranger"])
    grand_table.post("stranger", path, revoke=str(row.pk))
    row.refresh_from_db()
    assert row.revoked_at is not None
    call_command("moderator", "Sid", "--take-away")
    assert grand_table.get("stranger", "/moderation/").status_code == 404


# Terms and privacy


def test_the_hosts_text_replaces_the_default_text(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    for path, words in (
        ("/terms/", "gives no guarantee"),
        ("/privacy/", "Some things remain after erasing"),
    ):
        page = client.get(path).content.decode()
        assert words in page
        assert "{contact}" not in page
    assert 'href="/terms/"' in client.get("/").content.decode()
    assert 'href="/privacy/"' in client.get("/sign-up/").content.decode()
    own = tmp_path / "terms.md"
    own.write_text(
        "# Ours\n\nBe kind. <script>alert(1)</script> [x](javascript:alert(1)) Ask {contact}.\n",
        encoding="utf-8",
    )
    settings.TERMS_FILE, settings.CONTACT = str(own), "host@example.org"
    page = client.get("/terms/").content.decode()
    assert "Be kind." in page
    assert "Ask host@example.org." in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_another_version_is_asked_for_only_where_the_host_says_so(
    grand_table: GrandTable,  # noqa: F811
    settings: Any,
) -> None:
    settings.TERMS_VERSION = "2027"
    assert grand_table.get("hun", "log/").status_code == 200
    settings.TERMS_ASK_AGAIN = True
    answer = grand_table.get("hun", "log/")
    assert answer["Location"] == "/terms/agree/?" + urlencode({"next": f"{grand_table.home}log/"})
    assert grand_table.get("nobody", "log/").status_code == 200
    for path in ("/terms/", "/privacy/", "/terms/agree/"):
        assert grand_table.get("hun", path).status_code == 200
    assert grand_table.get("hun", f"/live/{grand_table.campaign.public_id}/").status_code == 404, (
        "no page"
    )
    assert grand_table.post("hun", "/terms/agree/", next="https://evil.example/")["Location"] == "/"
    assert grand_table.get("hun", "log/").status_code == 200
    hun = User.objects.get(pk=grand_table.people["hun"].pk)
    assert hun.terms_version == "2027"


# One's own data


def test_every_column_that_points_to_a_person_is_in_the_file() -> None:
    known = {
        f"{section.model._meta.label_lower}.{section.field}" for section in SECTIONS
    } | ELSEWHERE
    points = {
        f"{model._meta.label_lower}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, ForeignKey | OneToOneField) and field.related_model is User
    }
    assert points - known == set()


def test_the_file_has_all_data_of_the_user_and_none_of_others(
    grand_table: GrandTable,  # noqa: F811
    client: Client,
) -> None:
    hun, roman = grand_table.people["hun"], grand_table.people["roman"]
    talk.write(grand_table.campaign, hun, ["romans"], "From me to you.")
    talk.write(grand_table.campaign, roman, ["huns"], "From you to me.")
    talk.write(grand_table.campaign, roman, ["gm"], "Between the Roman and the master.")
    services.write_note(grand_table.campaign, hun, "huns", "A thought.", left=False, version=0)
    services.write_note(
        grand_table.campaign, roman, "romans", "Another's thought.", left=False, version=0
    )
    moderation.report(roman, "person", str(hun.pk), "Whoever reported this stays unknown.")
    assert grand_table.get("hun", "/me/data/").status_code == 302, "asks for the password"
    mine = just_signed_in(hun)
    assert mine.get("/me/data/file.zip").status_code == 404
    assert mine.post("/me/data/").status_code == 302
    row = OwnDataExport.objects.get()
    storage.make(row.pk)
    row.refresh_from_db()
    parts = NUMBER_OF_PARTS
    assert (row.done, row.total, row.ready_at is not None) == (parts, parts, True)
    assert "Download" in mine.get("/me/data/").content.decode()
    archive = zipfile.ZipFile(io.BytesIO(mine.get("/me/data/file.zip").content))
    whole = b"".join(archive.read(name) for name in archive.namelist()).decode()
    for text in ("From me to you.", "From you to me.", "A thought.", hun.email):
        assert text in whole, text
    sealed = grand_table.campaign.seed_sealed
    for text in (
        "Between the Roman",
        "Another's thought.",
        roman.email,
        hun.password,
        "stays unknown",
        sealed,
    ):
        assert text not in whole, text
    (account,) = json.loads(archive.read("data/account.json"))
    assert account["username"] == "Ingrid"
    assert [place["seat"] for place in json.loads(archive.read("data/places.json"))] == ["huns"]
    assert json.loads(archive.read("data/reported.json"))[0]["kind"] == "person"
    # It is theirs alone, sealed where it lies, and gone after a day.
    others = just_signed_in(roman)
    assert others.get("/me/data/file.zip").status_code == 404
    assert storage.tick(timezone.now() + timedelta(hours=25)) == 1
    assert mine.get("/me/data/file.zip").status_code == 404
    assert not OwnDataExport.objects.exists()


def test_lists_and_fractions_are_json_in_the_file(grand_table: GrandTable) -> None:  # noqa: F811
    Plan.objects.create(
        campaign=grand_table.campaign,
        user=grand_table.people["hun"],
        seat="huns",
        moves=[{"by": "huns", "move": "result", "routed": [Decimal("45.5"), 60]}],
        changed_at=timezone.now(),
    )
    archive = zipfile.ZipFile(io.BytesIO(archive_of(grand_table.people["hun"], lambda _part: None)))
    (plan,) = json.loads(archive.read("data/plans.json"))
    assert plan["moves"] == [{"by": "huns", "move": "result", "routed": [45.5, 60]}]
    shown = html.unescape(archive.read("index.html").decode())
    assert '[{"by":"huns","move":"result","routed":[45.5,60]}]' in shown


def test_what_moderators_wrote_to_another_is_not_in_the_file(
    grand_table: GrandTable,  # noqa: F811
    person: Callable[..., Any],
) -> None:
    moderator, hun, roman = person("Thecla"), grand_table.people["hun"], grand_table.people["roman"]
    call_command("moderator", "Thecla")
    moderator.refresh_from_db()
    moderation.warn(moderator, moderation.report(roman, "person", str(hun.pk)), "To Ingrid alone.")
    moderation.dismiss(
        moderator, moderation.report(roman, "person", str(hun.pk)), "To Benedetto alone."
    )
    words = {
        (who.username, part.name): [row["words"] for row in part.rows]
        for who in (hun, roman)
        for part in parts(who)
        if part.name in ("reports", "reported")
    }
    assert words == {
        ("Ingrid", "reports"): [],
        ("Ingrid", "reported"): ["To Ingrid alone.", ""],
        ("Benedetto", "reports"): ["", "To Benedetto alone."],
        ("Benedetto", "reported"): [],
    }


class Refusing(InMemoryStorage):
    """A bucket that refuses to delete files."""

    def delete(self, name: str) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied"}}, "DeleteObject")


def test_a_bucket_that_refuses_stops_no_tick(grand_table: GrandTable, settings: Any) -> None:  # noqa: F811
    at = timezone.now() - timedelta(hours=25)
    OwnDataExport.objects.create(
        user=grand_table.people["hun"], key="0" * 32, language="en", asked_at=at
    )
    settings.STORAGES = {**settings.STORAGES, "made": {"BACKEND": f"{__name__}.Refusing"}}
    assert storage.tick(timezone.now()) == 0
    assert OwnDataExport.objects.exists(), "the next tick tries again"
    settings.STORAGES = {
        **settings.STORAGES,
        "made": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    }
    assert storage.tick(timezone.now()) == 1


def test_who_is_erased_leaves_no_file_of_their_own_data(grand_table: GrandTable) -> None:  # noqa: F811
    hun = grand_table.people["hun"]
    row = OwnDataExport.objects.create(
        user=hun, key="0" * 32, language="en", asked_at=timezone.now()
    )
    storage.make(row.pk)
    assert files.exists(storage.path_of(row))
    host_acts.erase_person(hun)
    assert not files.exists(storage.path_of(row))
    assert not OwnDataExport.objects.exists()


def test_a_moderated_campaign_is_still_that_of_before(grand_table: GrandTable) -> None:  # noqa: F811
    """The erasure of a person goes over their reports, too."""
    moderation.report(
        grand_table.people["roman"], "person", str(grand_table.people["hun"].pk), "My own words."
    )
    host_acts.erase_person(grand_table.people["roman"])
    assert "My own words." not in "".join(
        apps.get_model("moderation", "AbuseReport").objects.values_list("reason", flat=True)
    )
    assert Campaign.objects.filter(pk=grand_table.campaign.pk).exists()

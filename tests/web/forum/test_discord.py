"""Play by Discord: signed interactions as in its documentation, answered like clicks on a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core import mail
from django.test import Client

from people.models import DiscordAccount
from tests.conftest import PASSWORD, confirm, sign_in_lately
from tests.web.contests import challenge, siege
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from web.discord.commands import command_descriptions

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]
pytestmark = pytest.mark.django_db
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
HUN, ROMAN, OTHER = "80351110224678912", "80351110224678913", "80351110224678999"


@pytest.fixture(autouse=True)
def application(settings: Any) -> None:
    settings.DISCORD_PUBLIC_KEY = KEY.public_key().public_bytes_raw().hex()
    settings.SITE_URL = "https://tabula.example"


def send(body: dict[str, Any], *, at: datetime | None = None, signature: str = "") -> Any:
    stamp = str(int((at or datetime.now(UTC)).timestamp()))
    sent = json.dumps(
        {"application_id": "845027738276462632", "token": "x", "version": 1, **body}
    ).encode()
    headers = {
        "x-signature-timestamp": stamp,
        "x-signature-ed25519": signature or KEY.sign(stamp.encode() + sent).hex(),
    }
    return Client().post(
        "/discord/interactions/", sent, content_type="application/json", headers=headers
    )


def asked(kind: int, data: dict[str, Any], who: str, locale: str = "en-GB") -> dict[str, Any]:
    user = {"id": who, "username": "mason", "discriminator": "0", "avatar": None}
    member = {"user": user, "roles": [], "permissions": "2147483647"}
    answer = send(
        {
            "id": "1",
            "type": kind,
            "data": data,
            "member": member,
            "guild_id": "2",
            "channel_id": "3",
            "locale": locale,
        }
    )
    assert answer.status_code == 200, answer.content
    result: dict[str, Any] = answer.json()
    return result


def command(name: str, who: str = HUN, locale: str = "en-GB", **options: str) -> dict[str, Any]:
    given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
    return asked(2, {"id": "5", "name": name, "type": 1, "options": given}, who, locale)


def press(custom: str, who: str = HUN, *values: str) -> dict[str, Any]:
    return asked(
        3, {"custom_id": custom, "component_type": 3 if values else 2, "values": list(values)}, who
    )


def menu(answer: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the menu's name and its options by label."""
    part = answer["data"]["components"][0]["components"][0]
    return part["custom_id"], {option["label"]: option["value"] for option in part["options"]}


def buttons(answer: dict[str, Any]) -> dict[str, str]:
    parts = [part for row in answer["data"]["components"] for part in row["components"]]
    return {
        part["label"]: part.get("custom_id") or part["url"] for part in parts if part["type"] == 2
    }


def link(grand_table: GrandTable, who: str, discord: str) -> None:
    user = grand_table.people[who]
    DiscordAccount.objects.create(user=user, discord=discord, name=who, linked_at=datetime.now(UTC))


@pytest.fixture
def linked(grand_table: GrandTable) -> GrandTable:
    link(grand_table, "hun", HUN)
    link(grand_table, "roman", ROMAN)
    return grand_table


def test_only_what_discord_has_signed_is_answered(settings: Any) -> None:
    now = datetime.now(UTC)
    assert send({"type": 1}).json() == {"type": 1}
    assert send({"type": 1}, signature="00" * 64).status_code == 401
    assert send({"type": 1}, signature="nonsense").status_code == 401
    assert send({"type": 1}, at=now - timedelta(minutes=6)).status_code == 401, "sent before"
    assert send({"type": 1}, at=now + timedelta(minutes=6)).status_code == 401
    assert (
        Client().post("/discord/interactions/", b"{}", content_type="application/json").status_code
        == 401
    )
    assert Client().get("/discord/interactions/").status_code == 405
    settings.DISCORD_PUBLIC_KEY = ""
    assert (
        Client().post("/discord/interactions/", b"{}", content_type="application/json").status_code
        == 404
    )


def test_an_account_is_linked_by_a_code_that_serves_once(grand_table: GrandTable) -> None:
    client = sign_in_lately(Client(), confirm(grand_table.people["hun"]))
    assert "Create a code" in client.get("/me/").content.decode()
    page = client.post("/me/discord/", follow=True).content.decode()
    code = page.partition("/link code:")[2][:8]
    assert (
        "unknown or has already been used"
        in command("link", OTHER, code="AAAAAAAA")["data"]["content"]
    )
    answer = command("link", code=code.lower())
    assert answer["data"]["content"] == "Linked: you are Ingrid here. Type /next to see your tasks."
    assert answer["data"]["flags"] == 64
    assert (
        "unknown or has already been used" in command("link", ROMAN, code=code)["data"]["content"]
    )
    assert DiscordAccount.objects.get().discord == HUN
    assert "linked as mason" in client.get("/me/").content.decode()
    client.post("/me/discord/", {"do": "end"})
    assert not DiscordAccount.objects.exists()
    for _each in range(4):
        command("link", OTHER, code="BBBBBBBB")
    assert "Too many attempts" in command("link", OTHER, code="BBBBBBBB")["data"]["content"]
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=11)):
        sign_in_lately(client, grand_table.people["hun"])
        page = client.post("/me/discord/", follow=True).content.decode()
        late = page.partition("/link code:")[2][:8]
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=25)):
        assert "unknown or has already been used" in command("link", code=late)["data"]["content"]


def test_linking_needs_a_recent_sign_in_and_a_confirmed_address(grand_table: GrandTable) -> None:
    """Linking needs a recent sign-in and a confirmed address.

    So a stranger at an open browser, or a user who signed up with another's address, links nothing.
    """
    hun, client = grand_table.people["hun"], Client()
    client.force_login(hun)
    assert client.post("/me/discord/").headers["Location"].startswith("/me/again/")
    sign_in_lately(client, hun)
    refused = client.post("/me/discord/", follow=True).content.decode()
    assert "First confirm your e-mail address. Then link your Discord account." in refused
    assert "/link code:" not in refused
    client.post("/me/discord/", {"do": "end"})  # needs neither
    confirm(hun)
    page = client.post("/me/discord/", follow=True).content.decode()
    mail.outbox.clear()
    command("link", code=page.partition("/link code:")[2][:8])
    (letter,) = mail.outbox
    assert letter.to == [hun.email]
    assert letter.subject == "A Discord account can now play for you at Tabula"
    assert "the Discord account “mason” can see your campaigns" in letter.body
    assert "https://tabula.example/me/access/" in letter.body


def test_a_code_from_before_a_sign_out_everywhere_links_nothing(grand_table: GrandTable) -> None:
    """A thief makes a code, its owner signs out everywhere, and the thief types it in Discord."""
    hun = confirm(grand_table.people["hun"])
    thief = sign_in_lately(Client(), hun)
    code = thief.post("/me/discord/", follow=True).content.decode().partition("/link code:")[2][:8]
    owner = sign_in_lately(Client(), hun)
    owner.post("/me/access/", {"do": "everywhere"})
    assert (
        "unknown or has already been used" in command("link", OTHER, code=code)["data"]["content"]
    )
    assert not DiscordAccount.objects.exists()


def test_a_thief_s_link_ends_with_the_password(grand_table: GrandTable) -> None:
    """Before, it ended a slot in the owner's name after a change of the password."""
    hun = confirm(grand_table.people["hun"])
    DiscordAccount.objects.create(
        user=hun, discord=OTHER, name="thief", linked_at=datetime.now(UTC)
    )
    assert "Link your account first" not in command("moves", OTHER)["data"]["content"]
    owner = sign_in_lately(Client(), hun)
    new = {
        "oldpassword": PASSWORD,
        "password1": "another horse battery",
        "password2": "another horse battery",
    }
    owner.post("/me/password/", new)
    assert "Link your account first" in command("moves", OTHER)["data"]["content"]
    assert owner.get("/me/").status_code == 200


def test_commands_show_the_standings_and_open_tasks(linked: GrandTable) -> None:
    answer = command("table")
    assert answer["data"]["content"].splitlines()[:3] == [
        "**The Long Frontier**",
        "420 AD Grand Campaign",
        "Turn 1",
    ]
    assert "• Huns (Ingrid): play the turn" in answer["data"]["content"]
    assert "flags" not in answer["data"], "everybody may see how a listed campaign stands"
    assert buttons(answer) == {"Open the table": f"https://tabula.example{linked.home}"}
    assert "[Play your turn](<https://tabula.example" in command("next")["data"]["content"]
    assert command("next", ROMAN)["data"]["content"] == "You have nothing to do right now."
    assert "Gioca il tuo turno" in command("next", locale="it")["data"]["content"]
    assert "Link your account first" in command("next", OTHER)["data"]["content"]
    choices = asked(
        4,
        {"name": "table", "options": [{"name": "campaign", "value": "long", "focused": True}]},
        HUN,
    )
    assert choices == {
        "type": 8,
        "data": {"choices": [{"name": "The Long Frontier", "value": linked.campaign.public_id}]},
    }


def test_only_members_see_a_members_campaign(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(visibility="members")
    link(table, "hun", HUN)
    ref = table.campaign.public_id
    assert command("table", campaign=ref)["data"]["flags"] == 64
    for who in (OTHER, ROMAN):
        assert (
            command("table", who, campaign=ref)["data"]["content"] == "There is no such campaign."
        )
    assert command("table", campaign="no such")["data"]["content"] == "There is no such campaign."


def test_a_move_is_chosen_previewed_and_announced(linked: GrandTable) -> None:
    custom, options = menu(command("moves"))
    assert list(options)[:3] == ["Tax exemption", "Tax increase", "Hamlets"]
    custom, sources = menu(press(custom, HUN, options["Land attack"]))
    assert "Acatziri" in sources
    answer = press(custom, HUN, sources["Acatziri"])
    assert answer["type"] == 7
    custom, lines = menu(answer)
    answer = press(custom, HUN, lines["Attack Alania from Acatziri (land attack, open battle)"])
    assert answer["data"]["content"].startswith("**Attack Alania from Acatziri")
    assert answer["data"]["content"].splitlines()[1] == "Costs 1 action; 1½ actions left"
    assert (
        answer["data"]["content"].splitlines()[3]
        == "• If you lose: Huns: Stability 6 → 5, Prestige 6 → 5, Army 1600 → 1570; Hephtalites: VP"
        " 0 → 1"
    )
    do = buttons(answer)
    assert set(do) == {"Announce", "Cancel"}
    assert "out of date" in press(do["Announce"], ROMAN)["data"]["content"], "another's"
    assert press(do["Cancel"])["data"]["content"] == "Nothing was announced."
    before = linked.campaign.last_sequence
    assert press(do["Announce"])["data"]["content"]
    linked.campaign.refresh_from_db()
    assert linked.campaign.last_sequence == before + 1
    entry = linked.campaign.entries.latest("sequence")
    assert (entry.content["move"], entry.content["target"], entry.actor) == (
        "attack",
        "alania",
        linked.people["hun"],
    )
    assert "moved on" in press(do["Announce"])["data"]["content"]
    assert command("moves", ROMAN)["data"]["content"] == "Romans cannot announce anything now."


def test_a_result_is_claimed_and_confirmed(siege: GrandTable) -> None:
    link(siege, "hun", HUN)
    link(siege, "roman", ROMAN)
    answer = command("battle")
    assert answer["data"]["content"].startswith("**#1 Pannonia → Dalmatia**")
    form = press(buttons(answer)["Claim the result…"])
    assert form["type"] == 9
    assert [row["components"][0]["label"] for row in form["data"]["components"]] == [
        "Huns: percentage routed",
        "Romans: percentage routed",
    ]

    def typed(attacker: str, defender: str) -> dict[str, Any]:
        rows = [
            {"type": 1, "components": [{"type": 4, "custom_id": key, "value": value}]}
            for key, value in (("attacker", attacker), ("defender", defender))
        ]
        return asked(5, {"custom_id": form["data"]["custom_id"], "components": rows}, HUN)

    assert "percentages" in typed("a lot", "46")["data"]["content"]
    looked = typed("31", "46")
    assert looked["data"]["content"].startswith("**#1** Huns 31%, Romans 46%\n")
    assert press(buttons(looked)["Claim the result"])["data"]["content"].startswith(
        "Result claimed."
    )
    answer = command("battle", ROMAN)
    assert "Huns 31%, Romans 46%" in answer["data"]["content"]
    assert "Confirm the result" not in buttons(command("battle"))
    assert (
        press(buttons(answer)["Confirm the result"], ROMAN)["data"]["content"]
        == "Confirmed. The result has been entered."
    )
    siege.campaign.refresh_from_db()
    assert siege.campaign.entries.latest("sequence").is_move
    assert command("battle")["data"]["content"] == "You have no battle in progress."


def test_nonsense_is_answered_by_a_sentence(linked: GrandTable) -> None:
    assert "unknown or has already been used" in command("link", code="x")["data"]["content"]
    assert (
        asked(2, {"name": "nothing"}, HUN)["data"]["content"]
        == "This is out of date. Start again with the command."
    )
    for custom in ("offer:", "offer:nonsense", "else:x", "more:", "more:nonsense"):
        answer = press(custom)["data"]["content"]
        assert "out of date" in answer or answer == "There is no such campaign."


def test_a_menu_without_a_known_option_is_out_of_date(linked: GrandTable) -> None:
    """Before, an option that was missing or beyond the menu's end was a server error."""
    custom, options = menu(command("moves"))
    narrow, _values = menu(press(custom, HUN, options["Land attack"]))
    for name, values in ((custom, ()), (narrow, ()), (narrow, ("999",)), (narrow, ("x",))):
        assert "out of date" in press(name, HUN, *values)["data"]["content"], (name, values)


def test_the_commands_are_described_in_our_languages() -> None:
    by_name = {command["name"]: command for command in command_descriptions()}
    assert list(by_name) == ["table", "next", "moves", "battle", "link"]
    assert by_name["next"]["description"] == "Your tasks"
    assert by_name["next"]["description_localizations"] == {
        "de": "Deine Aufgaben",
        "es": "Tus tareas",
        "it": "I tuoi compiti",
    }
    assert by_name["link"]["options"][0]["required"] is True

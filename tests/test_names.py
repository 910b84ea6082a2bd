"""Valid names: visible characters, without marks that turn, hide or fill.

The two joiners are allowed where a script needs them.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from campaign import services
from campaign.errors import Refused
from campaign.models import Campaign
from campaign.scenarios import is_name, vet
from engine.errors import MalformedRecord
from engine.strict_json import is_printable
from people.validators import name as user_name
from people.validators import one_line

SEEN = [
    "The Long Frontier",
    "Élodie’s 2nd",
    "李白",
    "देविका",
    "می\u200cخواهم",
    "क्\u200dष",
    "క్\u200cక",
    "½ − §",
    "Rom 🎲",
    "x" * 60,
]
FORMAT = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]
UNSEEN = [
    "a\u202eb",
    "a\u2066b",
    "a\u200eb",
    "a\u200bb",
    "\ufeffa",
    "a\u00adb",
    "a\u200db",
    "a\u200cb",
    "\u200cmی",
    "م\u200dی",
    "می\u200c",
    "a\nb",
    "a\tb",
    "a\x00b",
    "a\u2028b",
    "a\u00a0b",
    "\u3164",
    "\u2800",
    "a\u115fb",
    "a\ue000b",
    "\ud800",
    "🧑\u200d🌾",
]


@pytest.mark.parametrize("text", SEEN)
def test_visible_texts_are_names(text: str) -> None:
    assert is_printable(text)
    assert is_name(text)
    one_line(text)


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
def test_invisible_texts_are_not_names(text: str) -> None:
    assert not is_printable(text)
    assert not is_name(text)
    with pytest.raises(ValidationError):
        one_line(text)
    with pytest.raises(ValidationError):
        user_name(text)


def test_a_format_character_is_not_allowed_between_letters() -> None:
    assert len(FORMAT) > 150
    assert [ascii(sign) for sign in FORMAT if is_printable(f"a{sign}b")] == []


@pytest.mark.parametrize("text", SEEN)
def test_a_scenario_may_name_things_as_anything_may_be_named(text: str) -> None:
    vet({"name": text, "nations": [{"name": text, "army": text}]})


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
@pytest.mark.parametrize("key", ["name", "general"])
def test_a_scenario_has_no_text_that_is_not_seen(key: str, text: str) -> None:
    with pytest.raises(MalformedRecord, match=rf"scenario\.{key}: "):
        vet({key: text})


@pytest.mark.parametrize("text", ["", " ", "x" * 61])
def test_a_name_has_1_to_60_characters(text: str) -> None:
    assert not is_name(text)


@pytest.mark.django_db
def test_an_older_longer_name_stays_until_it_is_changed(person: Any) -> None:
    gm, long = person("Marozia"), "The Long Frontier " * 5
    campaign = services.found_campaign(gm, "grand_campaign", "Short", "420ad")
    Campaign.objects.update(name=long)
    campaign.refresh_from_db()
    kept = services.change_description(
        campaign, gm, name=long, time_zone="Europe/Rome", visibility="members"
    )
    assert (kept.name, kept.visibility) == (long.strip(), "members")
    with pytest.raises(Refused, match="at most 60 printable characters"):
        services.change_description(
            campaign, gm, name=long[:-3], time_zone="UTC", visibility="members"
        )
    assert services.copy_campaign(campaign, gm).name.endswith(" (copy)")


@pytest.mark.django_db
def test_a_forum_name_that_turns_is_asked_again(person: Any, client: Client) -> None:
    client.force_login(person("Ingrid"))
    client.post(
        "/me/",
        {
            "forum_name": "In\u202egrid",
            "username": "Ingrid",
            "language": "en",
            "time_zone": "UTC",
            "theme": "dark",
        },
    )
    page = client.post(
        "/me/",
        {
            "forum_name": "In\u00adgrid",
            "username": "Ingrid",
            "language": "en",
            "time_zone": "UTC",
            "theme": "dark",
        },
    )
    assert page.status_code == 422
    assert "an invisible character" in page.content.decode()

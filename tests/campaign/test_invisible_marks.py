"""Invisible characters in texts that others read.

They are refused with the name of the field, wherever users type.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from campaign import services
from campaign.errors import Refused
from campaign.log import selectors
from campaign.log.talk import is_link
from engine.strict_json import first_invisible, is_printable
from people.validators import plain
from tests.table import grand, people

__all__ = ["grand", "people"]

TURNED = "\u202egnol oot"
HIDDEN = {
    "direction": TURNED,
    "mark": "a\u200eb",
    "arabic": "a\u061cb",
    "isolate": "a\u2066b",
    "nothing": "a\u200bb",
    "joiner": "a\u200db",
    "order": "\ufeffa",
    "word": "a\u2060b",
    "hyphen": "a\u00adb",
    "filler": "a\u3164b",
    "tag": "a\U000e0041b",
    "private": "a\ue000b",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_invisible_characters_are_found(text: str) -> None:
    assert first_invisible(text)
    assert not is_printable(text)
    with pytest.raises(ValidationError):
        plain(text)
    assert not is_link(f"https://forum.example/{text}")


@pytest.mark.parametrize(
    "text",
    [
        "Too long\nand\ttoo late",
        "10\u00a0% of 1\u202f600",
        "Perché no? Größe, Ελλάδα, Россия, 中文",
        "عربي",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f\u200d\U0001f525",
    ],
)
def test_characters_that_scripts_need_are_allowed(text: str) -> None:
    assert first_invisible(text) == ""


@pytest.mark.parametrize(
    "link",
    [
        "https://tabula.example@evil.example/",
        "https://a:b@forum.example/",
        "https://:@forum.example/",
    ],
)
def test_a_link_names_no_user(link: str) -> None:
    assert not is_link(link)


@pytest.mark.django_db
def test_reasons_and_messages_are_refused_with_their_field(grand: Any) -> None:
    """Moves, undos and the words of the lobby are refused, and nothing is written."""
    campaign, gm = grand.campaign, grand.people["gm"]
    services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))
    last = selectors.seen(campaign, gm)
    nation = grand.seats[0].key
    adjust = {
        "by": "gm",
        "move": "adjust",
        "nation": nation,
        "account": "prestige",
        "change": 1,
        "reason": f"He said {TURNED}",
    }
    with pytest.raises(
        Refused, match=r"reason: the text contains an invisible character \(U\+202E\)"
    ):
        services.play(campaign, gm, adjust, last)
    with pytest.raises(
        Refused, match=r"Reason: the text contains an invisible character \(U\+200B\)"
    ):
        services.change_life(campaign, gm, "paused", "Holi\u200bdays")
    assert selectors.seen(campaign, gm) == last
    services.play(campaign, gm, {**adjust, "reason": "He said: too long"}, last)

"""Offers on pages that can be accepted, and time zones without underscores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from campaign import services
from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, draft, new_campaign

__all__ = ["draft", "new_campaign"]


def choices(page: str, select: str) -> list[str]:
    """Return the texts of a select, by its id or name."""
    at = page.find(f'id="{select}"')
    at = at if at >= 0 else page.find(f'name="{select}"')
    if at < 0:
        return []
    inside = page[at : page.index("</select>", at)]
    return (
        [option.split("<")[0] for option in inside.split('">')[2:]] if "<option" in inside else []
    )


def test_the_campaign_is_offered_to_users_who_may_run_it(
    new_campaign: Callable[..., GrandTable], person: Any
) -> None:
    grand_table = new_campaign(hands="hidden")
    assert 'id="f-heir"' not in grand_table.text("gm", "seats/")
    answer = grand_table.post(
        "gm", "seats/", follow=True, do="offer", person=str(grand_table.people["hun"].pk)
    )
    assert "Ingrid cannot accept the campaign: hands are hidden here" in visible_text(answer)
    services.join_waiting_list(grand_table.campaign, grand_table.people["stranger"])
    assert choices(grand_table.text("gm", "seats/"), "f-heir") == ["Sid"]
    assert choices(new_campaign(hands="open").text("gm", "seats/"), "f-heir") == [
        "Ingrid",
        "Benedetto",
    ]


def test_a_seat_is_offered_to_users_who_may_play(new_campaign: Callable[..., GrandTable]) -> None:
    assert choices(new_campaign(hands="hidden").text("hun", "about/"), "person") == ["Benedetto"]
    assert choices(new_campaign(hands="open").text("hun", "about/"), "person") == [
        "Marozia",
        "Benedetto",
    ]


def test_the_lobby_is_offered_while_a_seat_is_free(draft: GrandTable, person: Any) -> None:
    assert "Open the lobby…" in draft.text("gm", "seats/")
    assert "Open the lobby…" in draft.text("gm", "desk/")
    for seat in ("vandals", "hephtalites", "sassanids", "kushans"):
        services.take_seat(
            person(seat.title()), services.invite(draft.campaign, draft.people["gm"], seat)[1]
        )
    for page in ("seats/", "desk/"):
        assert "Open the lobby" not in draft.text("gm", page)
        assert f'href="{draft.home}lobby/"' not in draft.text("gm", page)


def test_a_time_zone_is_shown_without_underscores(draft: GrandTable, person: Any) -> None:
    gm = draft.people["gm"]
    services.change_description(
        draft.campaign,
        gm,
        name="The Long Frontier",
        time_zone="America/New_York",
        visibility="listed",
    )
    services.open_lobby(draft.campaign, gm)
    _, token = services.invite(draft.campaign, gm)
    client = Client()
    client.force_login(person("Zoe", time_zone="America/Sao_Paulo"))
    client.get(f"/join/{token}/")
    for path in ("/join/", "/lobby/", f"{draft.home}lobby/", f"{draft.home}about/"):
        page = client.get(path).content.decode()
        assert "America/New York" in page, path
        assert "New_York" not in page, path
        assert "Times in America/Sao Paulo" in page, path
    for path, chosen in (
        (f"{draft.home}seats/", "New_York"),
        ("/found/?title=grand_campaign", "Rome"),
    ):
        page = draft.clients["gm"].get(path, follow=True).content.decode()
        assert (
            f'_York"{" selected" if chosen == "New_York" else ""}>America/New York</option>' in page
        ), path

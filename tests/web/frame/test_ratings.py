"""The pages of ratings: the listed users, the links of each reader, joining and leaving."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from tests.battles.test_ratings import Story, people, story
from tests.web.contests import visible_text

__all__ = ["people", "story"]
pytestmark = pytest.mark.django_db


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def lines(client: Client, path: str = "/ratings/") -> list[list[str]]:
    """Return the rows of the page's tables, as cells."""
    page = client.get(path).content.decode()
    rows = re.findall(r"<tr[^>]*>(<td.*?)</tr>", page, flags=re.S)
    return [
        [visible_text(cell).strip() for cell in re.findall(r"<td.*?</td>", row, flags=re.S)]
        for row in rows
    ]


def test_there_are_no_ratings_without_battles(people: dict[str, Any]) -> None:
    page = visible_text(Client().get("/ratings/"))
    assert "No battle counts yet." in page
    assert "No campaign counts yet." in page
    assert "If you have an account, you can switch ratings on" in page
    assert "You take part" in visible_text(signed_in(people["Ada"]).get("/ratings/"))
    assert "You do not take part." in visible_text(signed_in(people["gm"]).get("/ratings/"))


def test_the_table_and_where_a_rating_comes_from(story: Story) -> None:
    story.fight("Ada", "Bo", 20, 45)
    story.fight("Ada", "Cy", 45, 40)
    story.end()
    assert lines(Client()) == [
        ["– none", "Cy provisional", "1226", "724 and 1728", "1 1 battle"],
        ["– none", "Ada provisional", "1008", "538 and 1478", "2 2 battles"],
        ["– none", "Bo provisional", "807", "295 and 1319", "1 1 battle"],
        ["– none", "Ada provisional", "1089", "528 and 1651", "1 1 campaign"],
        ["– none", "Cy provisional", "1000", "439 and 1561", "1 1 campaign"],
        ["– none", "Bo provisional", "911", "349 and 1472", "1 1 campaign"],
    ]
    page = signed_in(story.people["Ada"]).get("/ratings/").content.decode()
    assert page.count('class="is-mine"') == 2
    ada = f"/ratings/{story.people['Ada'].pk}/"
    assert [line[1:] for line in lines(signed_in(story.people["Cy"]), ada)] == [
        [
            "Cy",
            "Three at odds Goths against Iberi",
            "lost 45% against 40%",
            "expected 69%",
            "−185",
            "1008",
        ],
        [
            "Bo",
            "Three at odds Goths against Picts",
            "won 20% against 45%",
            "expected 50%",
            "+193",
            "1193",
        ],
        ["Cy , Bo", "Three at odds Goths", "rank 1", "+89", "1089"],
    ]


def test_programs_get_ratings(story: Story) -> None:
    story.fight("Ada", "Bo", 20, 45)
    ada = {"rank": None, "name": "Ada", "rating": 1193, "low": 681, "high": 1705, "results": 1}
    bo = {"rank": None, "name": "Bo", "rating": 807, "low": 295, "high": 1319, "results": 1}
    assert Client().get("/api/v1/ratings/").json() == {"battles": [ada, bo], "campaigns": []}


def test_only_members_see_the_name_of_an_unlisted_campaign(
    story: Story, people: dict[str, Any]
) -> None:
    """Campaigns are unlisted by default, and a name would reveal the address."""
    story.fight("Ada", "Bo", 20, 45)
    page, address = f"/ratings/{people['Bo'].pk}/", story.campaign.public_id
    for client in (Client(), signed_in(people["gm"]), signed_in(people["Ada"])):
        assert client.get(page).status_code == 200
    stranger = Client().get(page).content.decode()
    assert (address in stranger, "Three at odds" in stranger, "Picts" in stranger) == (
        False,
        False,
        False,
    )
    assert "an unlisted campaign" in stranger
    assert (
        f'href="/c/{story.campaign.address}/b/1/"'
        in signed_in(people["Ada"]).get(page).content.decode()
    )
    services.change_description(
        story.campaign, people["gm"], name="Three at odds", time_zone="UTC", visibility="listed"
    )
    assert f'href="/c/{story.campaign.address}/b/1/"' in Client().get(page).content.decode()


def test_users_join_and_leave_the_ratings_in_their_account(
    story: Story, people: dict[str, Any]
) -> None:
    story.fight("Ada", "Bo", 20, 45)
    bo, page = signed_in(people["Bo"]), f"/ratings/{people['Bo'].pk}/"
    typed = {
        "username": "Bo",
        "language": "",
        "time_zone": "UTC",
        "theme": "system",
        "forum_name": "",
        "fog2_name": "",
    }
    assert "I take part in the ratings" in visible_text(bo.get("/me/"))
    assert bo.post("/me/", typed).status_code == 302
    assert Client().get(page).status_code == 404
    assert "Bo" not in visible_text(Client().get("/ratings/"))
    assert (
        visible_text(Client().get(f"/ratings/{people['Ada'].pk}/")).count("No battle counts yet.")
        == 1
    )
    assert bo.post("/me/", {**typed, "rated": "on"}).status_code == 302
    assert Client().get(page).status_code == 200
    assert [line[1] for line in lines(Client())] == ["Ada provisional", "Bo provisional"]


def test_pages_link_to_the_ratings(story: Story) -> None:
    for path in ("/", "/hall/grand_campaign/"):
        assert 'href="/ratings/"' in Client().get(path).content.decode()
    for path in ("/", "/me/"):
        assert 'href="/ratings/"' in signed_in(story.people["Ada"]).get(path).content.decode()
    assert 'href="/ratings/"' not in Client().get("/hall/march_on_rome/").content.decode()


def test_queries(story: Story) -> None:
    """The number of queries is equal for one battle and for two, and for all readers."""
    ada = f"/ratings/{story.people['Ada'].pk}/"
    counts = []
    for other in ("Bo", "Cy"):
        story.fight("Ada", other, 20, 45)
        for path in ("/ratings/", ada):
            Client().get(path)
            with CaptureQueriesContext(connection) as asked:
                assert Client().get(path).status_code == 200
            counts.append(len(asked))
    assert counts == [2, 3, 2, 3]

"""The page of a reign on the site: queries, escaping, permissions and refused forms."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.log import selectors
from tests.march_on_rome.founded import founded

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("1")</script>'


class Window:
    """A player's browser at their own reign, which a sensible player has played to a position."""

    def __init__(
        self, user: Any, seed: int, there: Callable[[Any], bool], general: str = "Albinus"
    ) -> None:
        self.campaign, self.user, self.client = founded(user, seed, there, general), user, Client()
        self.client.force_login(user)
        self.home = f"/c/{self.campaign.address}/"

    def text(self, query: str = "", client: Client | None = None) -> str:
        answer = (client or self.client).get(self.home + query)
        assert answer.status_code == 200
        return str(answer.content.decode())

    def post(self, path: str, **data: str) -> Any:
        self.campaign.refresh_from_db()
        return self.client.post(
            self.home + path, {"seen": str(selectors.seen(self.campaign, self.user)), **data}
        )


def pending(position: Any, kind: str) -> bool:
    return position.pending is not None and position.pending["kind"] == kind


def choosing(position: Any) -> bool:
    return position.phase == "pc" and not position.pending and position.turn == 3


MOMENTS: dict[str, tuple[int, Callable[[Any], bool], str]] = {
    "choose": (363, choosing, "Your action, year 3"),
    "devote": (22, lambda p: pending(p, "devote"), "How many go to"),
    "defence": (
        4,
        lambda p: pending(p, "devote") and p.pending["side"] == "defender",
        "How many defend",
    ),
    "answer": (3, lambda p: pending(p, "answer"), "offers an alliance"),
    "year": (
        107,
        lambda p: p.phase == "events" and p.turn >= 3 and not p.pending,
        "Play the year out",
    ),
    "won": (8, lambda p: p.result == "won", "enters Rome"),
    "driven out": (95, lambda p: p.result == "lost", "is driven out"),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_each_moment_in_twelve_queries_and_few_bytes(name: str, person: Callable[..., Any]) -> None:
    seed, there, heading = MOMENTS[name]
    window = Window(person("Marozia"), seed, there)
    window.text()
    with CaptureQueriesContext(connection) as queries:
        text = window.text()
    assert heading in text
    assert len(queries) <= 12
    assert len(gzip.compress(text.encode())) < 60_000


@pytest.mark.parametrize("name", MOMENTS)
def test_a_general_s_name_is_escaped_everywhere(name: str, person: Callable[..., Any]) -> None:
    seed, there, _ = MOMENTS[name]
    window = Window(person("Marozia"), seed, there, HOSTILE)
    entries = [shown.number for shown in selectors.moves_on_page(window.campaign, window.user)]
    for query in ["", *(f"?told={number}.1" for number in entries[::3])]:
        text = window.text(query)
        assert HOSTILE not in text
        assert "&lt;script&gt;" in text or "&lt;scri" in text


@pytest.mark.parametrize("name", MOMENTS)
def test_other_visitors_see_no_forms(name: str, person: Callable[..., Any]) -> None:
    seed, there, heading = MOMENTS[name]
    window = Window(person("Marozia"), seed, there)
    stranger = Client()
    stranger.force_login(person("Ingrid"))
    for reader in (stranger, Client()):
        text = window.text(client=reader)
        assert heading in text or name == "year"
        assert f'action="{window.home}act/"' not in text
        assert f'action="{window.home}onward/"' not in text
        assert "waits for you" not in text


def test_a_requested_target_is_unfolded_and_highlighted(person: Callable[..., Any]) -> None:
    window = Window(person("Marozia"), *MOMENTS["choose"][:2])
    text = window.text("?target=nowhere")
    assert not re.findall(r"<details class=.target. [^>]* open>", text)
    first = re.findall(r'<details class="target" name="target" id="t-(\w+)"', text)[0]
    assert f'href="?target={first}#t-{first}"' in text
    opened = window.text(f"?target={first}")
    assert re.findall(r'<details class="target" name="target" id="t-(\w+)" open>', opened) == [
        first
    ]
    assert f'href="#m-{first}" class="m-selected"' in opened


def test_a_move_continues_to_the_next_decision_on_request(person: Callable[..., Any]) -> None:
    window = Window(person("Marozia"), *MOMENTS["choose"][:2])
    target = selectors.position(window.campaign).targets()[0]
    answer = window.post("act/", do="pass", target=target, then="on")
    assert answer.status_code == 303
    position = selectors.position(window.campaign.__class__.objects.get(pk=window.campaign.pk))
    assert position.pending is not None or position.turn == 4 or position.phase == "over"
    shown = window.text(answer["Location"].removeprefix(window.home))
    assert "Albinus</span> waits" in shown
    assert "shown now" in shown


def test_a_year_is_played_as_proposed(person: Callable[..., Any]) -> None:
    """The page plays the best number in every battle as the player's own moves."""
    window = Window(person("Marozia"), 5, lambda p: p.phase == "pc" and p.turn == 3)
    window.post("act/", do="attack", target="gaul", then="on")
    asked = window.campaign.__class__.objects.get(pk=window.campaign.pk)
    window.campaign = asked
    assert "auto-play the year" in window.text()
    assert window.post("act/", do="devote", legions="6", then="out").status_code == 303
    campaign = asked.__class__.objects.get(pk=asked.pk)
    position = selectors.position(campaign)
    assert (position.turn, position.phase, position.pending) == (4, "pc", None)
    moves = [
        entry.content
        for entry in campaign.entries.filter(kind="move", sequence__gt=asked.last_sequence)
    ]
    assert [move["legions"] for move in moves if move["move"] == "devote"] == [6, 6, 8, 8]
    assert {move["by"] for move in moves} == {"pc"}
    assert not campaign.helped
    assert campaign.onward is None


def test_a_refused_number_comes_back_with_a_sentence(person: Callable[..., Any]) -> None:
    window = Window(person("Marozia"), *MOMENTS["devote"][:2])
    most = selectors.position(window.campaign).legions["pc"]
    answer = window.post("act/", do="devote", legions="999")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert f"You may devote 1 to {most} legions." in text
    assert "no dice were rolled" in text
    answer = window.post("act/", do="devote", legions=str(most))
    assert answer.status_code == 303


def test_5_5_no_brings_the_battle_and_yes_ends_the_reign(person: Callable[..., Any]) -> None:
    user = person("Marozia")
    refused = Window(user, *MOMENTS["answer"][:2])
    assert "Say yes, and end the reign" in refused.text()
    assert refused.post("act/", do="answer", accept="no").status_code == 303
    assert (
        "refuses the offer" in refused.text(f"?told={refused.campaign.last_number + 1}")
        or "refuse" in refused.text()
    )
    accepted = Window(user, *MOMENTS["answer"][:2])
    assert accepted.post("act/", do="answer", accept="yes").status_code == 303
    text = accepted.text()
    assert "Albinus bows to" in text
    assert "Play again" in text


def test_a_guest_is_told_how_to_keep_the_reign(client: Client) -> None:
    answer = client.post("/play/march_on_rome/", follow=True)
    text = answer.content.decode()
    assert "Your action, year 1" in text
    assert re.search(r'<a href="/sign-up/\?next=[^"]+">Create an account</a> to keep it', text)


def test_a_user_with_an_account_is_not_told_so(person: Callable[..., Any]) -> None:
    assert (
        "Saved in this browser only" not in Window(person("Marozia"), *MOMENTS["choose"][:2]).text()
    )

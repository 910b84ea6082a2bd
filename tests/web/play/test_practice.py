"""Practice: one user among programs, from the start to the end of the campaign."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign import practice, services
from campaign.errors import Refused
from campaign.log import selectors
from campaign.models import Campaign
from campaign.seats import seating
from games.grand_campaign.bots.battle_model import simulate_battle
from people import services as people_services
from tests.web.contests import visible_text
from tests.web.plain import find_form

pytestmark = pytest.mark.django_db

HOME = "/practice/grand_campaign/"


def text(answer: Any) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def begun(client: Client, **changes: str) -> Campaign:
    form = {
        "begin": "1",
        "scenario": "420ad",
        "seat": "huns",
        "level": "cautious",
        "battles": "model",
        **changes,
    }
    answer = client.post(HOME, form)
    assert answer.status_code == 303, text(answer)[200:900]
    return Campaign.objects.get()


def played_on(campaign: Campaign) -> Campaign:
    """Return the campaign at the moment when it waits for the user."""
    while practice.advance(campaign.pk):
        pass
    return Campaign.objects.get(pk=campaign.pk)


def play_move(campaign: Campaign, raw: dict[str, Any]) -> Campaign:
    services.play(campaign, campaign.founder, raw, selectors.seen(campaign, campaign.founder))
    return Campaign.objects.get(pk=campaign.pk)


def answered(campaign: Campaign, seat: str) -> Campaign:
    """Make the user's moves: accept every challenge, end every slot at once."""
    position = selectors.position(campaign)
    for attack in position.running:
        if attack.status == "challenged":
            return play_move(
                campaign, {"by": seat, "move": "respond", "attack": attack.id, "choice": "accept"}
            )
    assert position.slot == seat
    return play_move(campaign, {"by": seat, "move": "end-slot"})


def test_a_guest_begins_at_once(client: Client) -> None:
    page = text(client.get(HOME))
    assert "You are playing as a guest." in page
    assert "Careless" in page
    campaign = begun(client)
    assert (campaign.name, campaign.turn, set(campaign.programs)) == (
        "Practice: 420 AD Grand Campaign",
        1,
        {"seats", "battles"},
    )
    assert campaign.founder.guest
    assert sorted(seating.program_seats(campaign)) == [
        "hephtalites",
        "kushans",
        "romans",
        "sassanids",
        "vandals",
    ]
    assert client.get(f"/c/{campaign.address}/n/huns/").status_code == 200


@pytest.mark.long
def test_a_campaign_is_played_to_its_end(person: Callable[..., Any]) -> None:
    campaign = practice.begin(
        person("Ada"), "grand_campaign", "420ad", "huns", "bold", seed="7" * 64
    )
    for _word in range(40):
        campaign = played_on(campaign)
        if campaign.ended:
            break
        assert practice.next_move(campaign) is None
        campaign = answered(campaign, "huns")
    assert (campaign.turn, campaign.phase, campaign.ended) == (6, "finished", True)
    assert len(selectors.position(campaign).standings) == 6


def test_the_table_of_a_practice_campaign(person: Callable[..., Any]) -> None:
    user = person("Ada")
    campaign = played_on(
        practice.begin(user, "grand_campaign", "420ad", "huns", "cautious", seed="7" * 64)
    )
    campaign = played_on(answered(campaign, "huns"))
    client = Client()
    client.force_login(user)
    home = f"/c/{campaign.address}/"
    page = text(client.get(home))
    assert "practice against programs" in page
    assert "Film since your last move" in page
    assert "by a program" in text(client.get(f"{home}log/"))
    assert "Hephtalites program Huns" in text(client.get(f"{home}about/"))
    assert "Wait for a seat" not in text(Client().get(f"{home}about/"))
    with pytest.raises(Refused, match="programs hold the other seats"):
        services.invite(campaign, user, "romans")
    assert user.notices.count() == 0


def test_battles_by_hand_wait_for_their_result(person: Callable[..., Any]) -> None:
    """The user attacks in a campaign of nine powers.

    The programs wait until both percentages are entered.
    """
    user = person("Ada")
    campaign = played_on(
        practice.begin(
            user, "grand_campaign", "240bc", "rome", "cautious", practice.HAND, seed="7" * 64
        )
    )
    assert len(seating.program_seats(campaign)) == 8
    assert selectors.position(campaign).slot == "rome"
    campaign = play_move(
        campaign,
        {
            "by": "rome",
            "move": "attack",
            "kind": "land",
            "from": "italia-annonaria",
            "target": "noricum",
        },
    )
    (attack,) = selectors.position(campaign).running
    assert (attack.status, practice.next_move(campaign)) == ("fighting", None)
    campaign = play_move(campaign, simulate_battle(attack, Random(3)))
    assert selectors.position(campaign).running == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seat": "gauls"}, "Choose a nation."),
        ({"level": "perfect"}, "Choose how well the programs play."),
        ({"battles": "lots"}, "Choose how your battles are decided."),
    ],
)
def test_unknown_values_are_asked_again(client: Client, changes: dict[str, str], why: str) -> None:
    form = {
        "begin": "1",
        "scenario": "420ad",
        "seat": "huns",
        "level": "cautious",
        "battles": "model",
        **changes,
    }
    answer = client.post(HOME, form)
    assert (answer.status_code, Campaign.objects.count()) == (422, 0)
    assert why in text(answer)
    assert client.get(f"{HOME}?scenario=atlantis").status_code == 404
    assert client.get("/practice/march_on_rome/").status_code == 404


def test_the_pulse_plays_on_where_no_worker_does(client: Client) -> None:
    campaign = begun(client)
    number = campaign.last_number
    moved = 0
    while practice.waits(Campaign.objects.get()) and moved < 20:
        moved += practice.tick(timezone.now(), 5)
    campaign.refresh_from_db()
    assert campaign.last_number > number or campaign.active_seat == "huns"
    assert not practice.waits(campaign)


def test_the_log_says_why_a_program_moved_so(client: Client, person: Callable[..., Any]) -> None:
    campaign = practice.begin(
        person("Ada"), "grand_campaign", "420ad", "huns", "cunning", seed="3" * 64
    )
    campaign = played_on(campaign)
    page = text(client.get(f"/c/{campaign.address}/log/"))
    assert "the best long-term build" in page
    own = answered(campaign, "huns").entries.filter(kind="move", seat="huns").latest("sequence")
    assert own.why is None


def test_the_persons_own_battle_is_decided_while_they_move_on(person: Callable[..., Any]) -> None:
    """Between two moves of the user, programs answer and the model decides.

    The next move is accepted from the older page.
    """
    user = person("Ada")
    campaign = played_on(
        practice.begin(user, "grand_campaign", "420ad", "huns", "cautious", seed="7" * 64)
    )
    first = {
        "by": "huns",
        "move": "attack",
        "kind": "land",
        "from": "pannonia",
        "target": "dalmatia",
    }
    campaign = play_move(campaign, first)
    before = selectors.seen(campaign, user)
    campaign = played_on(campaign)
    assert selectors.seen(campaign, user) > before
    for raw in (
        {"by": "huns", "move": "fortify", "province": "pannonia"},
        {
            "by": "huns",
            "move": "attack",
            "kind": "independent",
            "from": "tarraconensis",
            "target": "carpetania",
        },
    ):
        services.play(Campaign.objects.get(pk=campaign.pk), user, raw, before)
    assert list(campaign.entries.order_by("-sequence").values_list("act", flat=True)[:2]) == [
        "attack",
        "fortify",
    ]


def huns_to_move(client: Client) -> Campaign:
    """Return a practice game in which the Huns move, before any attack."""
    user = people_services.make_guest()
    client.force_login(user)
    campaign = practice.begin(user, "grand_campaign", "420ad", "huns", "cautious", seed="0" * 64)
    campaign = played_on(campaign)
    assert selectors.position(campaign).slot == "huns"
    return campaign


def form_of_attack(client: Client, campaign: Campaign) -> str:
    """Return the page of the Huns with the form of their land attack open."""
    query = {"open": "attack-land", "target": "alania"}
    return client.get(f"/c/{campaign.address}/n/huns/", query).content.decode()


def test_the_attack_form_shows_the_chance_of_the_battle_model(client: Client) -> None:
    campaign = huns_to_move(client)
    page = visible_text(form_of_attack(client, campaign))
    assert "Your chance of winning: 41% draw 18%, defeat 41%" in page
    assert "Alania (41%)" in page
    assert "Attack now" in page
    assert "Announce" not in page, "no other person reads announcements"
    campaign.programs = {**campaign.programs, "battles": practice.HAND}
    campaign.save()
    assert "Your chance" not in form_of_attack(client, campaign)


def test_a_planned_attack_shows_its_chance(client: Client) -> None:
    campaign = huns_to_move(client)
    form = find_form(form_of_attack(client, campaign), "o-attack-land")
    client.post(f"/c/{campaign.address}/n/huns/plan/", {**dict(form.fields), "do": "add"})
    plan = text(client.get(f"/c/{campaign.address}/n/huns/plan/"))
    assert "Your chance of winning: 41%" in plan
    beside = text(client.get(f"/c/{campaign.address}/n/huns/"))
    assert "Your chance of winning: 41%" in beside


def test_the_film_goes_on_to_the_next_decision(client: Client) -> None:
    """After an attack the reader sees the film of the battle and then what to decide."""
    campaign = huns_to_move(client)
    home, asks = f"/c/{campaign.address}/", {"part": "1", "follow": "1"}
    form = dict(find_form(form_of_attack(client, campaign), "o-attack-land").fields)
    answer = client.post(f"{home}move/", {**form, "sure": "1"}, headers={"HX-Request": "true"})
    # The film has its own styles, so htmx loads the whole page.
    address = answer["HX-Redirect"]
    assert address == f"{home}history/film/?since={campaign.last_number}&follow=1"
    assert "The programs are playing." in text(client.get(address))
    since = campaign.last_number
    news = client.get(f"{home}film/", {**asks, "since": str(since)}).json()
    assert [frame["say"] for frame in news["frames"]] == [
        "Huns attack Alania from Acatziri (land attack, open battle)."
    ]
    assert news["next"] is None
    played_on(campaign)
    news = client.get(f"{home}film/", {**asks, "since": str(since + 1)}).json()
    (battle,) = news["frames"]
    assert battle["intro"].startswith("Battle for Alania. Chances: the Huns 41%, draw 18%, ")
    assert battle["dice"][0]["label"] == "Huns, routed"
    (end,) = [change for change in battle["changes"] if change["kind"] == "battle"]
    assert end["sides"][0] == "huns"
    news = client.get(f"{home}film/", {**asks, "since": str(battle["at"])}).json()
    assert news["frames"] == []
    assert news["next"] == {"text": "Play the turn.", "verb": "Play", "url": f"{home}n/huns/"}


def hephtalites_challenged(client: Client) -> Campaign:
    """Return a practice game in which the Sassanids have attacked the reader's Hephtalites."""
    user = people_services.make_guest()
    client.force_login(user)
    campaign = practice.begin(
        user, "grand_campaign", "420ad", "hephtalites", "cunning", seed="a" * 64
    )
    campaign = played_on(campaign)
    (attack,) = selectors.position(campaign).running
    assert (attack.status, attack.defender) == ("challenged", "hephtalites")
    return campaign


PAPERWORK = ("Set-up sheet", "Set up", "Enter the result", "Password", "Substitute", "Evidence")


def test_the_question_of_an_attack_comes_first_and_its_film_follows(client: Client) -> None:
    campaign = hephtalites_challenged(client)
    address = f"/c/{campaign.address}/b/1/"
    page = client.get(address).content.decode()
    main = visible_text(page[page.index("<main") :])
    order = ["What do you answer?", "Your chance of winning:", "Accept", "Answer…", "Challenged"]
    places = [main.index(words) for words in order]
    assert places == sorted(places), main[:900]
    assert main.count("What do you answer?") == 1
    assert "Sassanids attack" in main[: places[1]]
    assert [words for words in PAPERWORK if words in main] == []

    since = selectors.seen(campaign, campaign.founder)
    answer = {"move": "respond", "choice": "accept", "seen": str(since)}
    answered_page = client.post(address, answer)
    assert answered_page["Location"] == (
        f"/c/{campaign.address}/history/film/?since={since}&follow=1"
    )
    waiting = text(client.get(address))
    assert "The model decides this battle." in waiting
    assert [words for words in (*PAPERWORK, "are playing") if words in waiting] == []
    assert "Set-up awaited" not in text(client.get(f"/c/{campaign.address}/"))
    played_on(campaign)
    result = text(client.get(address))
    assert "Decided by the model" in result
    assert [words for words in PAPERWORK if words in result] == []

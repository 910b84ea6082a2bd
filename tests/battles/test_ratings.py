"""Ratings of users: what counts, for whom, and how a result changes them (docs/play/ratings.md)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from statistics import NormalDist
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles import ratings
from battles import services as battle_services
from battles.ratings import Half, Rating, after_battle, after_campaign
from campaign import services
from campaign.log import selectors
from campaign.models import Campaign, LogEntry
from games.contract.players import RatedBattle
from people import services as people_services

pytestmark = pytest.mark.django_db


def nation(key: str, colour: str) -> dict[str, Any]:
    return {
        "key": key,
        "name": key.title(),
        "culture": "barbarian",
        "army": f"{key.title()} 240 BC",
        "capital": f"{key}-home",
        "colour": colour,
        "escort": True,
    }


def province(key: str, owner: str | None = None) -> dict[str, Any]:
    return {
        "key": key,
        "name": key.replace("-", " ").title(),
        "kind": "nation" if owner else "independent",
        "owner": owner,
        "army": "Hill tribes",
    }


NATIONS, LANDS = ("goths", "picts", "iberi"), ("home", "hills", "fens", "moors")
SMALL: dict[str, Any] = {
    "key": "three",
    "name": "Three peoples",
    "turns": 6,
    "nations": [nation("goths", "#336699"), nation("picts", "#993311"), nation("iberi", "#117744")],
    "provinces": [province(f"{nation}-{land}", nation) for nation in NATIONS for land in LANDS],
    "borders": [
        [f"{nation}-{here}", f"{other}-{there}"]
        for nation, other in combinations(NATIONS, 2)
        for here in LANDS
        for there in LANDS
    ],
    "sea_routes": [],
}
SEATS = {"Ada": "goths", "Bo": "picts", "Cy": "iberi"}


class Story:
    """Campaigns of three nations and six turns.

    `fight("Ada", "Bo", 20, 50)` is a battle with the routed shares of each.
    """

    def __init__(
        self, gm: Any, people: dict[str, Any], seats: dict[str, str] = SEATS, **founding: Any
    ) -> None:
        self.gm, self.people, self.seats = gm, people, seats
        self.campaign = services.found_campaign(
            gm, "grand_campaign", "Three at odds", SMALL, seed="7" * 64, **founding
        )
        for name, seat in seats.items():
            services.take_seat(people[name], services.invite(self.campaign, gm, seat)[1])
        self.campaign.refresh_from_db()
        self.play("start")

    def play(self, move: str, **given: Any) -> Any:
        played = services.play(
            self.campaign,
            self.gm,
            {"by": "gm", "move": move, **given},
            selectors.seen(self.campaign, self.gm),
        )
        self.campaign = played.campaign
        return played

    def attack(self, attacker: str, defender: str) -> int:
        """The number of the battle, which is fought."""
        one, other = self.seats[attacker], self.seats[defender]
        attacked = {
            attack.turn
            for attack in selectors.position(self.campaign).attacks
            if attack.attacker == one
        }
        self.go_on(lambda: self.campaign.active_seat == one and self.campaign.turn not in attacked)
        self.play("adjust", nation=one, account="actions", change=4, reason="To fight more.")
        now = selectors.position(self.campaign)
        used = {attack.source for attack in now.attacks if attack.turn == now.turn} | {
            attack.target for attack in now.attacks
        }
        used.add(f"{other}-home")
        source, target = (
            next(key for key in now.owner if now.owner[key] == seat and key not in used)
            for seat in (one, other)
        )
        self.play("attack", kind="land", **{"for": one, "from": source, "target": target})
        number = len(selectors.position(self.campaign).attacks)
        self.play("respond", attack=number, choice="accept", **{"for": other})
        return number

    def go_on(self, there: Callable[[], bool]) -> None:
        """Slot by slot, turn by turn."""
        for _ in range(40):
            if there():
                return
            if self.campaign.phase == "closed":
                self.play("open-turn")
            else:
                self.play("end-slot", **{"for": self.campaign.active_seat})
        raise AssertionError("it does not go on")

    def fight(self, attacker: str, defender: str, own: int, enemy: int) -> int:
        number = self.attack(attacker, defender)
        self.play("report", attack=number, routed={"attacker": own, "defender": enemy})
        return number

    def undo(self, back: int) -> LogEntry:
        """Strikes so many moves."""
        last = self.campaign.last_number
        entry = services.undo_to(
            self.campaign, self.gm, last - back, "A slip", selectors.seen(self.campaign, self.gm)
        )
        self.campaign.refresh_from_db()
        return entry

    def end(self) -> None:
        self.go_on(lambda: bool(self.campaign.ended))


@pytest.fixture
def people(person: Callable[..., Any]) -> dict[str, Any]:
    return {"gm": person("Gm"), **{name: person(name, rated=True) for name in ("Ada", "Bo", "Cy")}}


@pytest.fixture
def story(people: dict[str, Any]) -> Story:
    return Story(people["gm"], people)


def shown(half: Half) -> dict[str, tuple[int, int, int, int]]:
    """Rating, ends of the interval and number of results, by name in the order of the table."""
    names = ratings.ratings().names
    return {
        names[line.user]: (line.rating.value, line.rating.low, line.rating.high, line.results)
        for line in half.lines()
    }


def battles() -> dict[str, tuple[int, int, int, int]]:
    return shown(ratings.ratings().battles)


def switch(user: Any, on: bool) -> None:
    user.rated = on
    user.save(update_fields=["rated"])


FIRST = {"Ada": (1193, 681, 1705, 1), "Bo": (807, 295, 1319, 1)}
SECOND = {"Cy": (1226, 724, 1728, 1), "Ada": (1008, 538, 1478, 2), "Bo": (807, 295, 1319, 1)}


def test_a_story_of_three(story: Story, people: dict[str, Any]) -> None:
    """Ada beats Bo and loses to Cy; a result is struck and comes back; Cy leaves and comes back."""
    assert battles() == {}
    story.fight("Ada", "Bo", 20, 45)
    assert battles() == FIRST
    story.fight("Ada", "Cy", 45, 40)
    assert battles() == SECOND
    ratings._read.cache_clear()
    assert battles() == SECOND, "a reading of the same results gives the same numbers"
    struck = story.undo(1)
    assert battles() == FIRST
    services.restore(
        story.campaign,
        story.gm,
        struck.number or 0,
        "It was fought",
        selectors.seen(story.campaign, story.gm),
    )
    assert battles() == SECOND
    switch(people["Cy"], False)
    assert battles() == FIRST
    assert set(ratings.ratings().names.values()) == {"Ada", "Bo"}
    switch(people["Cy"], True)
    assert battles() == SECOND
    assert [
        (battle.number, [share.seat for share in battle.shares])
        for battle in ratings.ratings().battles.results
    ] == [
        (1, ["goths", "picts"]),
        (2, ["goths", "iberi"]),
    ]


def test_what_is_no_battle_between_two_people_counts_for_nothing(
    story: Story, people: dict[str, Any]
) -> None:
    story.fight("Ada", "Bo", 20, 45)
    story.play("forfeit", attack=story.attack("Ada", "Cy"), side="defender")
    story.play("report", attack=story.attack("Bo", "Cy"), called_off=True)
    away = story.attack("Cy", "Ada")
    battle_services.agree_solo(story.campaign, story.gm, away, "goths")
    story.play("report", attack=away, winner="attacker")
    assert battles() == FIRST


@pytest.mark.parametrize("field", ["imported", "suspended", "hidden", "programs"])
def test_campaigns_that_do_not_count(story: Story, field: str) -> None:
    """Begun as a record, stopped or hidden by the host, practice against programs."""
    story.fight("Ada", "Bo", 20, 45)
    story.end()
    assert (len(battles()), len(shown(ratings.ratings().campaigns))) == (2, 3)
    Campaign.objects.filter(pk=story.campaign.pk).update(
        **{field: {} if field == "programs" else True}
    )
    assert (battles(), shown(ratings.ratings().campaigns)) == ({}, {})


def test_the_user_who_fought_is_rated(
    story: Story, people: dict[str, Any], person: Callable[..., Any]
) -> None:
    """A substitute is rated for an absent player.

    After a seat has changed hands, the old result still belongs to the old holder.
    """
    people["Dan"] = person("Dan", rated=True)
    number = story.attack("Ada", "Bo")
    battle_services.name_substitute(story.campaign, people["gm"], number, "picts", people["Dan"])
    story.play("report", attack=number, routed={"attacker": 20, "defender": 45})
    assert list(battles()) == ["Ada", "Dan"]
    switch(people["Dan"], False)
    assert battles() == {}, "the battle was not Bo's"
    story.fight("Ada", "Bo", 20, 45)
    services.vacate(story.campaign, people["gm"], "picts")
    services.take_seat(people["Dan"], services.invite(story.campaign, people["gm"], "picts")[1])
    assert list(battles()) == ["Ada", "Bo"]


def test_suspended_and_erased_users_are_not_listed(story: Story, people: dict[str, Any]) -> None:
    story.fight("Ada", "Bo", 20, 45)
    now = story.campaign.founded_at
    people_services.suspend(people["Bo"], "Rude", now)
    assert battles() == {}
    people_services.unsuspend(people["Bo"], "It is over", now)
    assert battles() == FIRST
    people_services.erase(people["Bo"], now)
    people["Bo"].refresh_from_db()
    assert (people["Bo"].rated, battles()) == (False, {})


def test_final_ranks(people: dict[str, Any]) -> None:
    """They belong to a campaign that has ended.

    Users who do not take part are skipped, and the others keep their order.
    """
    story = Story(people["gm"], people)
    story.play("adjust", nation="picts", account="victory_points", change=5, reason="Five more.")
    story.play("adjust", nation="iberi", account="victory_points", change=3, reason="Three more.")
    assert shown(ratings.ratings().campaigns) == {}
    story.end()
    three = {"Bo": (1089, 528, 1651, 1), "Cy": (1000, 439, 1561, 1), "Ada": (911, 349, 1472, 1)}
    assert shown(ratings.ratings().campaigns) == three
    switch(people["Bo"], False)
    assert shown(ratings.ratings().campaigns) == {
        "Cy": (1045, 481, 1608, 1),
        "Ada": (955, 392, 1519, 1),
    }
    switch(people["Bo"], True)
    story.undo(1)
    assert shown(ratings.ratings().campaigns) == {}, "it goes on"


def test_ranks_come_with_enough_results() -> None:
    ratings_of = {
        1: Rating(1100, 50),
        2: Rating(1200, 100),
        3: Rating(1500, 60),
        4: Rating(1090, 45),
    }
    results = [
        ratings.Counted(
            1, None, tuple(ratings.Share(user, "", 1, Rating(), Rating()) for user in users)
        )  # type: ignore[arg-type]
        for users in [(1, 2, 4), (1, 2, 4), (1, 2, 3, 4)]
    ]
    lines = Half(ratings_of, results, 3).lines()
    assert [(line.user, line.rank, line.rating.low, line.results) for line in lines] == [
        (1, 1, 1000, 3),
        (2, 1, 1000, 3),
        (4, 1, 1000, 3),
        (3, None, 1380, 1),
    ]


def test_two_queries_while_nothing_changes(story: Story) -> None:
    story.fight("Ada", "Bo", 20, 45)
    story.fight("Ada", "Cy", 45, 40)
    for queries in (6, 2):
        with CaptureQueriesContext(connection) as asked:
            ratings.ratings()
        assert len(asked) == queries, [query["sql"] for query in asked]


# The arithmetic

NEW = Rating()


def after(
    winner: str, edge: float = 0.0, lead: float = 0.22, first: Rating = NEW, second: Rating = NEW
) -> tuple[int, ...]:
    one, other = after_battle(first, second, RatedBattle(winner, edge, lead))
    return (one.value, round(one.sigma), other.value, round(other.sigma))


def test_a_battle_between_equals() -> None:
    assert (NEW.value, NEW.low, NEW.high) == (1000, 434, 1566)
    assert after("attacker") == (1154, 258, 846, 258)
    assert after("defender") == (846, 258, 1154, 258)
    assert after("draw") == (1000, 245, 1000, 245)


def test_points_and_margin() -> None:
    """A win with the weaker army gains more, and so does a clear win.

    A draw against more points has a value.
    """
    assert after("attacker", edge=-0.5)[0] == 1181
    assert after("attacker", edge=0.5)[0] == 1129
    assert after("attacker", lead=1.0)[0] == 1197
    assert after("draw", edge=-1.0)[::2] == (1080, 920)


def test_what_is_well_known_moves_little() -> None:
    known = Rating(1000, 60)
    assert after("attacker", first=known, second=known) == (1015, 60, 985, 60)
    assert after("attacker", first=known)[::2] == (1009, 800)


def test_campaigns_between_equals() -> None:
    assert [rating.value for rating in after_campaign([NEW] * 4, [1, 2, 3, 4])] == [
        1134,
        1045,
        955,
        866,
    ]
    assert [rating.value for rating in after_campaign([NEW] * 4, [1, 1, 3, 4])] == [
        1089,
        1089,
        955,
        866,
    ]


def test_the_difference_that_the_battle_model_may_use(story: Story, people: dict[str, Any]) -> None:
    """Nothing without ratings; the same chance as the ratings give with equal armies."""
    ada, bo, cy = (people[name].pk for name in SEATS)
    assert ratings.skill_difference(ada, bo) == 0
    story.fight("Ada", "Bo", 20, 45)
    assert round(ratings.skill_difference(ada, bo), 3) == 0.933
    assert round(ratings.skill_difference(bo, ada), 3) == -0.933
    assert ratings.skill_difference(ada, cy) == 0
    known = ratings.ratings().battles.ratings
    assert round(ratings.expected(known[ada], known[bo], 0.0), 3) == 0.825
    assert round(NormalDist().cdf(ratings.skill_difference(ada, bo)), 3) == 0.825

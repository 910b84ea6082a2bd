"""The end of a campaign in words: the winner, the reader's nation, the story, the courses."""

from __future__ import annotations

import re

from engine.effects import Effect, Phrase
from games.contract.ending import CampaignEnding
from games.grand_campaign.drawing.maps import GrandMaps
from games.grand_campaign.rules.position import Options, Position, standings
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.text.ending import ending
from games.grand_campaign.text.story import Level, StoryBattle, Turn, Turns

NATIONS = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
SCORING = {"romans": 15}
"""The final scoring of the Romans, whose stability is 9. Every other nation gets 12 points."""


def levels(
    huns: tuple[int, int], romans: tuple[int, int], *, scored: bool = False
) -> dict[str, Level]:
    """Return the levels: points and provinces of two nations; the others have none and five."""
    return {
        key: Level(
            points={"huns": huns, "romans": romans}.get(key, (0, 5))[0]
            + (SCORING.get(key, 12) if scored else 0),
            income=450,
            provinces={"huns": huns, "romans": romans}.get(key, (0, 5))[1],
            fallen=False,
        )
        for key in NATIONS
    }


def taken(province: str, owner: str | None, was: str) -> Effect:
    facts = {"owner": owner, "was": was}
    return Effect("holding", owner, province, Phrase("conquest", "9.8"), facts=facts)


START = levels((0, 7), (0, 9))
FIFTH = Turn(
    5,
    closed=True,
    entry=50,
    effects=(taken("dalmatia", "huns", "romans"), taken("asia", None, "romans")),
    attacks=(
        StoryBattle("huns", "romans", "dalmatia", "resolved", "attacker"),
        StoryBattle("vandals", "romans", "africa", "resolved", "defender"),
        StoryBattle("vandals", None, "aquitania", "resolved", "naval-repulse"),
    ),
    levels=levels((8, 8), (3, 7)),
)
"""The Huns conquer a province and take the lead, and the Romans beat the Vandals."""
SIXTH = Turn(6, closed=True, entry=60, levels=levels((10, 8), (9, 7), scored=True))
"""Nothing happens, and the final scoring puts the Romans in front: 24 to 22."""


def ended(seat: str = "") -> CampaignEnding:
    """Return the end of these two turns for the reader in this seat."""
    position = Position(load("420ad"), Options())
    position.turn, position.phase = 6, "finished"
    position.nations["romans"].stability = 9
    for key, nation in position.nations.items():
        nation.victory_points = SIXTH.levels[key].points
    position.standings = standings(position)
    return ending(position, Turns(START, (FIFTH, SIXTH)), seat)


def test_the_winner_and_how_the_campaign_was_decided() -> None:
    end = ended()
    assert (end.won, end.eyebrow) == (None, "The campaign has ended after turn 6")
    assert end.heading == "The Romans have won"
    assert end.lede == [
        "The Romans won with 24 victory points, 2 more than the Huns in second place.",
        (
            "Before the final scoring, the Huns were in the lead. Stability, prestige,"
            " fortifications, barracks and fleets changed the order."
        ),
    ]
    assert end.numbers == [(24, "victory points"), (7, "provinces"), (1, "battle won")]


def test_a_victory_is_the_readers_own() -> None:
    end = ended("romans")
    assert (end.won, end.heading) == (True, "Victory for the Romans")
    assert end.lede[0] == (
        "You have won with 24 victory points, 2 more than the Huns in second place."
    )


def test_a_defeat_names_what_was_achieved() -> None:
    end = ended("huns")
    assert (end.won, end.heading) == (False, "The Romans have won")
    assert end.lede[2:] == [
        "Your final place was 2 of 6, with 22 victory points, 2 behind the winner.",
        "At the end of turn 6, you were ahead of every other nation.",
    ]
    assert ended("vandals").lede[3] == "You held your land to the last turn."


def test_the_story_of_the_turns() -> None:
    end = ended("vandals")
    assert end.prologue == (
        "When the campaign began, the Romans ruled the most provinces: 9. You led the Vandals, who "
        "ruled 5 provinces."
    )
    assert [(chapter.turn, chapter.text) for chapter in end.story] == [
        (
            5,
            (
                "The Huns took Dalmatia from the Romans. The Romans lost Asia, which became"
                " independent. In Africa, the Romans stopped the Vandals. The Vandals did not get"
                " past the fleet that guarded Aquitania. The Huns had the most victory points: 8."
            ),
        ),
        (
            6,
            (
                "No province changed hands, and no battle was decided. The Huns stayed in front"
                " with 10 victory points to 9. After the final scoring, the Romans had 24 victory"
                " points, and the Huns had 22."
            ),
        ),
    ]


def test_each_nations_course() -> None:
    courses = {course.seat: course for course in ended().courses}
    assert list(courses)[:2] == ["romans", "huns"]
    assert (courses["huns"].rank, courses["huns"].final, courses["huns"].points) == (
        2,
        22,
        [0, 8, 10],
    )
    assert courses["romans"].lines == [
        "Provinces: 9 at the start, 9 at most, 7 at the end.",
        "Battles: 1 won, 1 lost.",
        "Highest place: 2, after turn 6.",
        "Turning point: turn 6 (victory points +6, provinces 0).",
    ]
    assert courses["vandals"].lines[1] == "Battles: 0 won, 2 lost."


def test_the_charts_end_before_the_final_scoring() -> None:
    points, provinces, income = ended().charts
    assert (points.label, points.marks) == (
        "Victory points before the final scoring",
        ["Turn 5", "Turn 6"],
    )
    assert {line.seat: list(line.values) for line in points.seats}["romans"] == [0, 3, 9]
    assert {line.seat: list(line.values) for line in provinces.seats}["huns"] == [7, 8, 8]
    assert (income.unit, income.seats[0].values) == ("t", [450, 450, 450])


def test_two_maps_on_a_page_have_no_id_in_common() -> None:
    position = Position(load("420ad"), Options())
    pictures = [
        GrandMaps().front(position, "", "/{}.svg".format, uid) for uid in ("front", "start")
    ]
    first, second = (
        set(re.findall(r'\bid="([^"]+)"', picture.svg)) for picture in pictures if picture
    )
    assert len(first) == len(second) > 0
    assert first.isdisjoint(second)

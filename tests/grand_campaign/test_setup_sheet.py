"""The set-up sheet of a battle, line by line (7.11), its two sides, and the plane of 9.1."""

from decimal import Decimal

from engine.dice import Dice
from engine.play import perform
from games.grand_campaign.drawing.plane import plane
from games.grand_campaign.text.army_lists import list_in_game
from games.grand_campaign.text.battle_stages import Moments, timeline
from games.grand_campaign.text.battles import sides, state_word, where
from games.grand_campaign.text.setup_sheet import plain, setup_sheet
from games.grand_campaign.text.verdicts import share, verdict, written
from games.grand_campaign.title import GrandCampaign
from tests.grand_campaign.table import (
    covert,
    fleet,
    give,
    land,
    play,
    record,
    respond,
    sea,
    to_turn,
    until,
)

PLAYERS = {"amber": "Ada", "birch": "Bo", "cedar": "Cy"}
NAVAL = (
    "a naval battle in Mare Nostrum if both players agree: large, the defender selects the map "
    "and the wind"
)
OPEN_ENDS = ("Ends", "at 45% routed, or 40% against 15% or less", "9.1")
ESCORT_ENDS = ("Ends", "at 45% routed, or 40% against 15% or less, or as the module ends it", "9.1")
MODULE_ENDS = ("Ends", "as the game decides, without a house rule", "9.1")


def battle_after(*moves, number=1, **setting):
    """Return the scenario and a battle's public facts after these moves."""
    written_record, title = record(*moves, **setting), GrandCampaign()
    scenario = title.scenario(written_record["scenario"])
    position = title.setup(scenario, title.options(written_record["options"]))
    dice = Dice(scenario.turns, seed="case", fixed=written_record["dice"]["fixed"])
    for raw in written_record["moves"]:
        perform(position, title.decode(raw, position), dice)
    return scenario, title.rows(position).contests[number]


def sheet(*moves, **setting):
    return [tuple(line) for line in setup_sheet(*battle_after(*moves, **setting), PLAYERS)]


def test_an_open_battle():
    assert sheet(land("amber", "a2", "b2")) == [
        ("Game", "Field of Glory II, custom battle", ""),
        ("Module", "Open battle", "7.7"),
        ("Map", "large armies, wide map", "7.11"),
        ("Terrain", "pot luck", "7.11"),
        ("Side A", "Ada, List of the amber, 1600 points", ""),
        ("Side B", "Bo, List of the birch, 1600 points", ""),
        ("Lobby", "opened by Ada", "7.11"),
        OPEN_ENDS,
    ]


def test_an_ambush_is_an_escort_with_the_attacker_as_the_modules_attacker_4_12():
    lines = sheet(give("amber", "ambush"), land("amber", "a2", "b2", cards=["ambush"]))
    assert lines[1:3] == [
        ("Module", "Escort baggage train", "4.12"),
        ("Attacker in the module", "Ada, Amber (Side A)", ""),
    ]
    assert lines[-1] == ESCORT_ENDS


def test_a_forced_escort_has_the_defender_as_the_modules_attacker_7_8():
    dice = {"turn-1/attack/amber/b2/escort": 5}
    lines = sheet(land("amber", "a2", "b2"), respond("birch", 1, "escort"), dice=dice)
    assert lines[1:3] == [
        ("Module", "Escort baggage train", "7.8"),
        ("Attacker in the module", "Bo, Birch (Side B)", ""),
    ]
    assert lines[5:7] == [
        ("Side A", "Ada, List of the amber, 1600 points", ""),
        ("Side B", "Bo, List of the birch, 1600 points", ""),
    ]
    assert lines[-1] == ESCORT_ENDS


def test_an_escort_that_failed_is_played_as_launched_7_8():
    dice = {"turn-1/attack/amber/b2/escort": 4}
    lines = sheet(
        land("amber", "a2", "b2", battle="flank-march"), respond("birch", 1, "escort"), dice=dice
    )
    assert lines[1] == ("Module", "Flank march", "7.7")
    assert lines[-1] == OPEN_ENDS


def test_remove_the_head_has_no_house_rule_9_1():
    lines = sheet(land("amber", "a2", "b2", battle="remove-the-head"))
    assert lines[1] == ("Module", "Remove the Head", "7.7")
    assert lines[-1] == MODULE_ENDS


def test_4_15_scouts_choose_the_terrain_and_both_cancel():
    mine = land("amber", "a2", "b2", cards=["scouts"])
    assert sheet(mine)[3] == ("Terrain", "chosen by Ada (Scouts)", "4.15")
    theirs = respond("birch", 1, "accept", cards=["scouts"])
    assert sheet(land("amber", "a2", "b2"), theirs)[3] == (
        "Terrain",
        "chosen by Bo (Scouts)",
        "4.15",
    )
    assert sheet(mine, theirs)[3] == ("Terrain", "pot luck; both sides have Scouts", "4.15")


def test_4_13_reinforcements_are_part_of_the_points():
    lines = sheet(
        give("amber", "reinforcements"), land("amber", "a2", "b2", cards=["reinforcements"])
    )
    assert lines[4] == ("Side A", "Ada, List of the amber, 1650 points", "")


def test_a_covert_attack_fields_the_independents_of_its_starting_point_7_10():
    covertly = covert("amber", "i2", "c2")
    lines = sheet(covertly)
    assert lines[4] == ("Side A", "Ada, List of i2, 1600 points", "")
    assert lines[5] == ("Side B", "Cy, List of the cedar, 1600 points", "")
    attacker, defender = sides(*battle_after(covertly), PLAYERS)
    assert (attacker.nation, attacker.name, attacker.leads) == (
        "amber",
        "Amber",
        "leading the independents of I2",
    )
    assert (attacker.base, attacker.base_rule) == ("always 1600", "7.10")
    assert (defender.base, defender.base_rule) == ("army points at launch", "3.13")


def test_an_insurrection_fields_the_list_of_the_nation_it_rises_against_4_5():
    rising = [
        give("amber", "local-insurrection"),
        play("amber", "local-insurrection", province="b2", battle="open"),
    ]
    lines = sheet(*rising)
    assert lines[4] == ("Side A", "Ada, List of the birch, 1600 points", "")
    scenario, known = battle_after(*rising)
    attacker, _ = sides(scenario, known, PLAYERS)
    assert (attacker.nation, attacker.name, attacker.leads) == (
        "independent",
        "Insurgents",
        "led by Amber",
    )
    assert where(scenario, known) == "B2"


def test_an_independent_defender_is_led_by_another_nation_7_9():
    attack = land("amber", "a2", "i1")
    lines = sheet(attack)
    assert lines[5] == ("Side B", "Bo, List of i1, 1600 points", "")
    scenario, known = battle_after(attack)
    _, defender = sides(scenario, known, PLAYERS)
    assert (defender.nation, defender.name, defender.leads) == (
        "independent",
        "Independents",
        "led by Birch",
    )


def test_an_amphibious_attack_may_become_a_naval_battle_8_2():
    voyage = [fleet("amber", "a3"), to_turn(2), until(2, "amber"), sea("amber", "a3", "c2")]
    assert sheet(*voyage)[-1] == ("Or at sea", NAVAL, "8.2")
    assert sheet(land("amber", "a2", "b2"))[-1] == OPEN_ENDS


def test_a_seat_without_a_player_is_named_by_its_nation():
    lines = setup_sheet(*battle_after(land("amber", "a2", "b2")), {})
    assert [line.text for line in lines if line.label in ("Side A", "Lobby")] == [
        "Amber, List of the amber, 1600 points",
        "opened by Amber",
    ]


def test_the_plain_text_lines_up():
    lines = setup_sheet(*battle_after(land("amber", "a2", "b2")), PLAYERS)
    assert plain(lines, "#1 A2 → B2").splitlines() == [
        "#1 A2 → B2",
        "Game:    Field of Glory II, custom battle",
        "Module:  Open battle",
        "Map:     large armies, wide map",
        "Terrain: pot luck",
        "Side A:  Ada, List of the amber, 1600 points",
        "Side B:  Bo, List of the birch, 1600 points",
        "Lobby:   opened by Ada",
        "Ends:    at 45% routed, or 40% against 15% or less",
    ]


def test_army_lists_are_written_as_the_game_writes_them():
    assert list_in_game("Hunnic Western 376-454 AD") == "Hunnic (Western) 376-454 AD"
    assert list_in_game("Hephtalites 350-570 AD") == "Hunnic (Hephthalite) 350-570 AD"
    assert list_in_game("Roman 425-492 AD") == "Roman 425-492 AD"
    assert list_in_game("A list of nobody") == "A list of nobody"


def test_the_fortification_is_listed_with_the_defender_and_the_train_with_the_attacker():
    scenario, known = battle_after(give("amber"), land("amber", "a2", "b2"))
    attacker, defender = sides(scenario, known, PLAYERS, fortification=2)
    assert (attacker.fortification, attacker.train) == ("", False)
    assert (defender.fortification, defender.train) == ("Walls", False)


def life(*moves, **setting):
    scenario, known = battle_after(*moves, **setting)
    word, _ = state_word(scenario, known)
    return [
        (s.name, s.note, s.state)
        for s in timeline(known, Moments(launched=1, answered=2, resolved=3), "Ada", word)
    ]


def test_the_life_of_a_battle():
    attack, yes = land("amber", "a2", "b2"), respond("birch", 1, "accept")
    later = [("Claimed", "", ""), ("Confirmed", "", ""), ("Applied", "", "")]
    assert life(attack) == [
        ("Challenged", "Ada", "done"),
        ("Answered", "awaited", "now"),
        ("Set up", "", ""),
        ("In play", "", ""),
        *later,
    ]
    assert life(attack, yes) == [
        ("Challenged", "Ada", "done"),
        ("Answered", "accepted", "done"),
        ("Set up", "awaited", "now"),
        ("In play", "", ""),
        *later,
    ]
    result = {"by": "gm", "move": "report", "attack": 1, "winner": "attacker"}
    assert life(attack, yes, result)[2:] == [
        ("In play", "", "done"),
        ("Applied", "Amber won", "done"),
    ]
    assert life(attack, respond("birch", 1, "withdraw")) == [
        ("Challenged", "Ada", "done"),
        ("Answered", "withdrawn", "done"),
        ("Applied", "Defender withdrew", "done"),
    ]
    assert life(land("amber", "a2", "i1")) == [
        ("Launched", "Ada", "done"),
        ("Set up", "awaited", "now"),
        ("In play", "", ""),
        *later,
    ]
    fall = {
        "by": "gm",
        "move": "adjust",
        "nation": "birch",
        "account": "stability",
        "change": -5,
        "reason": "test",
    }
    assert life(attack, yes, fall) == [
        ("Challenged", "Ada", "done"),
        ("Answered", "accepted", "done"),
        ("Lapsed", "Lapsed", "done"),
    ]


def test_9_8_a_covert_success_takes_no_province():
    scenario, known = battle_after(land("amber", "a2", "b2"), respond("birch", 1, "accept"))
    won = {**known, "status": "resolved", "outcome": "attacker", "siege": "taken"}
    assert state_word(scenario, won) == ("Amber won and took the province", "good")
    covert = {**won, "kind": "independent"}
    assert state_word(scenario, covert)[0].endswith("won; the province became independent")
    assert state_word(scenario, {**covert, "siege": "held"})[0].endswith("won; the siege failed")


def test_the_life_of_a_claim():
    scenario, known = battle_after(land("amber", "a2", "b2"), respond("birch", 1, "accept"))
    word, _ = state_word(scenario, known)

    def after(**at):
        return [
            (s.name, s.note, s.at, s.state)
            for s in timeline(known, Moments(set_up=3, **at), "Ada", word)
        ][2:]

    assert after() == [
        ("Set up", "", 3, "done"),
        ("In play", "", None, "now"),
        ("Claimed", "", None, ""),
        ("Confirmed", "", None, ""),
        ("Applied", "", None, ""),
    ]
    claim = {"claimed": 4, "claimant": "Ada"}
    assert after(**claim, claim="open")[1:4] == [
        ("In play", "", None, "done"),
        ("Claimed", "Ada", 4, "now"),
        ("Confirmed", "", None, ""),
    ]
    assert after(**claim, claim="disputed", closed=5, closer="Bo")[2:4] == [
        ("Claimed", "Ada", 4, "done"),
        ("Disputed", "Bo", 5, "now"),
    ]
    assert after(**claim, claim="confirmed", closed=5, closer="Bo")[3] == (
        "Confirmed",
        "Bo",
        5,
        "done",
    )
    assert after(**claim, claim="judged", closed=5, closer="Cy")[3] == ("Judged", "Cy", 5, "done")


def test_9_1_shares_give_a_winner_and_its_reason():
    scenario, names = GrandCampaign().scenario("420ad"), ("Huns", "Romans")
    for own, enemy, winner, why in [
        (31, 46, "attacker", "Romans 45% or more"),
        (45, 44, "defender", "Huns 45% or more"),
        (15, 40, "attacker", "Romans 40% or more, Huns 15% or less"),
        (40, 15, "defender", "Huns 40% or more, Romans 15% or less"),
        (16, 40, "draw", "neither has routed the other"),
        (45, 45, "draw", "both 45% or more"),
        (0, 39, "draw", "neither has routed the other"),
    ]:
        result = verdict(scenario, own, enemy, names)
        assert (result.winner, result.why) == (winner, why)
        assert result.tie == (own >= 45 and enemy >= 45)


def test_shares_are_read_as_people_type_them():
    assert [share(text) for text in ("45", " 45,5 ", "45.50", "46 %", "0", "100")] == [
        45,
        Decimal("45.5"),
        Decimal("45.50"),
        46,
        0,
        100,
    ]
    assert [
        share(text)
        for text in ("", "-1", "100.1", "NaN", "Infinity", "1e9", "many", "0.0000001234567")
    ] == [None] * 8
    assert [written(value) for value in (45, 100, Decimal("45.50"))] == ["45", "100", "45.5"]


def test_the_plane_draws_every_region_and_the_point():
    scenario = GrandCampaign().scenario("420ad")
    drawn = plane(scenario, ("huns", "romans"), ("Huns", "Romans"), (31, 46))
    assert 'aria-label="Routed 31 and 46 per cent: Huns win"' in drawn
    assert drawn.count('class="plane__win"') == 4
    assert (
        drawn.count('class="plane__draw"')
        == drawn.count('class="plane__tie"')
        == drawn.count("plane__dot")
        == 1
    )
    assert 'cx="157.8" cy="61.2"' in drawn  # 40 + 228 * 31 / 60, 8 + 228 * (1 - 46 / 60)
    assert "plane__dot" not in plane(scenario, ("huns", "romans"), ("Huns", "Romans"), None)
    assert "per cent: a tie" in plane(scenario, ("huns", "romans"), ("Huns", "Romans"), (90, 80))
    assert "<b>" not in plane(scenario, ("huns", "romans"), ("<b>", "Romans"), None)

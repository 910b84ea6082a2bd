"""Reports, compared with the effects of their turns.

Each effect is reported once, with the numbers of the ledger.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.play import play
from games.contract.report import ReportEntry
from games.grand_campaign.text.report import Reports, turns
from games.grand_campaign.text.report_chapters import parts_of
from tests.forum.rendered import render_bbcode, render_plain_text
from tests.grand_campaign import table
from tests.grand_campaign.campaigns import TITLE, Campaign, campaign

pytestmark = pytest.mark.thorough

REPORTS = Reports()
PEOPLE = {"amber": "Ada", "birch": "Bo"}


def rendered(built_from, key, name="The Long Frontier", people=PEOPLE):
    result = REPORTS.report(
        built_from.scenario, built_from.start, built_from.lines, key, name, people
    )
    assert result is not None, key
    return result


def of_record(document):
    """Return the campaign of a record, line by line."""
    scenario, options = TITLE.scenario(document["scenario"]), TITLE.options(document["options"])
    start = position = TITLE.setup(scenario, options)
    dice = Dice(scenario.turns, seed=document["dice"]["seed"], fixed=document["dice"]["fixed"])
    lines = []
    for number, raw in enumerate(document["moves"], 1):
        played = play(position, TITLE.decode(raw, position), dice)
        position = played.after
        lines.append(ReportEntry(number, raw, played.effects, played.rolls, position))
    return Campaign(scenario, options, start, lines)


def built_from(*moves, **setting):
    return of_record(table.record(*moves, **setting))


def items(text, heading):
    """Return the bullets of a plain report after this line, up to the next heading."""
    lines = text.splitlines()
    result = []
    for line, under in zip(
        lines[lines.index(heading) + 2 :], [*lines[lines.index(heading) + 3 :], ""], strict=True
    ):
        if under and set(under) == {"-"}:
            break
        result += [line[2:]] if line.startswith("- ") else []
    return result


# Complete -----------------------------------------------------------------------------------------

SEEDS = [(seed, hands) for seed in ("Alaric", "Attila") for hands in ("open", "hidden")]


@pytest.fixture(scope="module", params=SEEDS, ids=lambda p: "-".join(p))
def long_campaign(request):
    return campaign(request.param[0], hands=request.param[1])


def public(lines):
    return [
        (line.number, what)
        for line in lines
        for what in (*line.effects, *line.rolls)
        if what.audience is None
    ]


def test_a_turn_report_has_every_public_effect_and_roll_once(long_campaign):
    seen = 0
    for turn in turns(long_campaign.start, long_campaign.lines):
        report = rendered(long_campaign, f"turn-{turn.number}")
        assert report.untold == ()
        expected = public(turn.lines)
        assert sorted((number, id(what)) for number, what in report.told) == sorted(
            (n, id(what)) for n, what in expected
        )
        assert (report.first, report.last) == (turn.lines[0].number, turn.lines[-1].number)
        seen += len(expected)
    assert seen > 500
    assert sum(len(turn.lines) for turn in turns(long_campaign.start, long_campaign.lines)) == len(
        long_campaign.lines
    )


LABELS = {"stability": "stability", "prestige": "prestige", "army": "army", "victory_points": "VP"}


def test_each_ledger_line_is_in_the_text_of_its_turn_with_old_and_new_value(long_campaign):
    for turn in turns(long_campaign.start, long_campaign.lines):
        text = render_plain_text(rendered(long_campaign, f"turn-{turn.number}"))
        expected: Counter[str] = Counter()
        for _, effect in public(turn.lines):
            if getattr(effect, "kind", "") != "account" or effect.subject == "actions":
                continue
            was, now = effect.balance - effect.change, effect.balance
            if effect.subject == "income":
                expected[f"income {was}t → {now}t"] += 1
            else:
                expected[f"{LABELS[effect.subject]} {was} → {now}".replace("-", "−")] += 1
        result = Counter(
            re.findall(r"(?:stability|prestige|army|VP) −?\d+ → −?\d+|income \d+t → \d+t", text)
        )
        assert result == expected


def test_cards_structures_and_provinces_are_named_in_the_text(long_campaign):
    for turn in turns(long_campaign.start, long_campaign.lines):
        text = render_plain_text(rendered(long_campaign, f"turn-{turn.number}"))
        for _, effect in public(turn.lines):
            kind = getattr(effect, "kind", "")
            if kind == "holding":
                assert long_campaign.scenario.provinces[effect.subject].name in text
            elif kind == "attack":
                assert f"#{effect.subject} " in text
            elif kind in ("card", "structure"):
                assert effect.subject.replace("-", " ").rstrip("s").lower() in text.lower().replace(
                    "’", ""
                )


def test_slots_and_battles_report_all_of_their_own_lines(long_campaign):
    counted = Counter()
    for item in REPORTS.contents(long_campaign.scenario, long_campaign.lines):
        report = rendered(long_campaign, item.key)
        assert report.untold == (), item.key
        assert item.complete
        counted[item.kind] += 1
        assert render_plain_text(report).startswith("The Long Frontier, ")
    assert counted["turn"] == 6
    assert counted["slot"] > 20
    assert counted["battle"] == counted["challenge"] == len(long_campaign.after.attacks)
    assert counted["opening"] == counted["standings"] == 6
    assert counted["final"] == 1
    assert counted["trade"] == sum(line.move["move"] == "take" for line in long_campaign.lines) > 0
    assert 0 < counted["result"] <= counted["battle"]


def test_a_single_report_has_the_effects_of_its_own_entry(long_campaign):
    """Challenges, results and trades are covered.

    Each has every public effect and roll of its entry.
    """
    by_number = {line.number: line for line in long_campaign.lines}
    seen = Counter()
    for item in REPORTS.contents(long_campaign.scenario, long_campaign.lines):
        if item.kind in ("challenge", "result", "trade", "opening"):
            report = rendered(long_campaign, item.key)
            own = [
                w
                for page in parts_of([by_number[report.first]])
                if page.kind in ("move", "opening")
                for w in (*page.effects, *page.rolls)
            ]
            assert Counter(id(what) for _, what in report.told) == Counter(map(id, own)), item.key
            assert report.first == report.last
            seen[item.kind] += len(own)
    assert all(seen[kind] for kind in ("challenge", "result", "trade", "opening"))


def test_reports_are_the_same_again(long_campaign):
    colours = {n.key: n.colour for n in long_campaign.scenario.nations.values()}
    for item in REPORTS.contents(long_campaign.scenario, long_campaign.lines):
        assert render_bbcode(rendered(long_campaign, item.key), colours) == render_bbcode(
            rendered(long_campaign, item.key), colours
        )


# Secrets ------------------------------------------------------------------------------------------


def test_4_2_hidden_hands_a_report_names_no_card_of_a_hand():
    hidden = built_from(
        table.gm("give-card", nation="birch", card="traitor", reason="post 7"),
        hands="hidden",
        dice=DRAWS,
    )
    text = render_plain_text(rendered(hidden, "turn-1"))
    assert items(text, "Cards") == [
        "Amber draw a card.",
        "Birch draw a card.",
        "Cedar draw a card.",
    ]
    for card in ("Traitor", "Spy", "Diplomat", "Mercenaries"):
        assert card not in text
    assert items(text, "Corrections") == ["The game master gives Birch a card: “post 7”."]


def test_4_2_reports_of_two_campaigns_that_differ_in_hidden_cards_are_the_same():
    moves = [
        table.gm("give-card", nation="birch", card="traitor", reason="post 7"),
        table.end("amber"),
    ]
    other = [table.gm("give-card", nation="birch", card="spy", reason="post 7"), table.end("amber")]
    one = built_from(*moves, hands="hidden", dice=DRAWS)
    two = built_from(*other, hands="hidden", dice={**DRAWS, "turn-1/card/birch": 97})
    for key in ("turn-1", "slot-1-amber"):
        assert rendered(one, key).blocks == rendered(two, key).blocks


# Literal texts -----------------------------------------------------------------------------------

DRAWS = {"turn-1/card/amber": 15, "turn-1/card/birch": 35, "turn-1/card/cedar": 80}


# By hand from the rules: Gymnasia ½ and +1 prestige (3.3), Bridges 1 and +100t (3.5), the victory
# 9.2, the conquest 9.8.
SMALL_TURN = Path(__file__).with_name("small_turn.bbcode")


def test_a_small_turn_word_by_word():
    small = built_from(
        table.build("amber", "gymnasia", "bridges"),
        table.land("amber", "a2", "b2"),
        table.end("amber"),
        table.respond("birch", 1, "accept"),
        table.routed(1, 20, 50),
        table.end("birch"),
        dice=DRAWS,
    )
    assert render_bbcode(rendered(small, "turn-1"), {"amber": "#ffbf00", "birch": "no colour"}) == [
        SMALL_TURN.read_text("utf-8").rstrip("\n")
    ]


def test_samples_of_texts_for_events_of_a_turn():
    of_all = built_from(
        table.actions("amber", 3),
        table.build("amber", "shrines", "bridges"),
        table.adjust("amber", "stability", -4),
        table.move("amber", "tax-exemption"),
        table.end("amber", "birch", "cedar"),
        table.OPEN,
        dice={"turn-2/event/amber": 35, "turn-2/event/birch": 45, "turn-2/event/cedar": 95},
    )
    text = render_plain_text(rendered(of_all, "turn-1"))
    assert items(text, "Corrections") == [
        "The game master changes the actions of Amber by +3: “test”.",
        "The game master changes the stability of Amber by −4: “test”.",
    ]
    details = text[text.index("All details") :]
    assert items(details, "Corrections") == [
        "The game master changes the actions of Amber by +3: “test”. Amber: actions 2½ → 5½ (§13).",
        (
            "The game master changes the stability of Amber by −4: “test”. Amber: stability 7 → 3"
            " (§13); Amber: prestige 6 → 5 (stability at 3 or less, §2.1)."
        ),
    ]
    assert items(text, "Amber (Ada)")[2:] == [
        "Amber grant a tax exemption (½ action, 3½ left): stability 3 → 4.",
        "Amber end their turn; 3½ actions lapse.",
    ]
    assert items(text, "Next moves") == ["The game master must open turn 2."]
    assert items(render_plain_text(rendered(of_all, "turn-2")), "Random events") == [
        "Birch: Earthquake (d100 = 45).",
        (
            "Cedar: Commercial Efforts (d100 = 95): Cedar gain Bridges (Commercial Efforts, §5);"
            " income 450t → 550t."
        ),
        "Amber: Plague (d100 = 35): income 550t → 500t.",
    ]


def test_9_7_9_8_a_siege_and_a_conquest_are_reported_with_roll_and_reason():
    told_of = built_from(
        table.end("amber"),
        table.fortify("birch", "b2"),
        table.move("birch", "siege-train"),
        table.end("birch", "cedar"),
        table.OPEN,
        table.end("birch"),
        table.end("cedar"),
        table.move("amber", "siege-train"),
        table.land("amber", "a2", "b2", siege_train=True),
        table.respond("birch", 1, "withdraw"),
        dice={"turn-2/attack/amber/b2/siege": 11},
    )
    text = render_plain_text(rendered(told_of, "battle-1"))
    assert items(text, "The Long Frontier, #1: B2")[1:] == [
        (
            "Birch withdraw from #1 B2. B2 is taken by siege (d100 = 11, fails on 1–10, §9.7); B2:"
            " Birch → Amber, Ramparts lost (conquest of B2, §9.8); Amber: VP 0 → 2, income 450t →"
            " 500t (conquest of B2, §9.8); Birch: income 450t → 400t (loss of B2, §9.8); B2: the"
            " defender withdrew (§9.10)."
        ),
    ]


def test_12_the_last_turn_ends_with_the_final_standings():
    short = built_from(table.end("amber", "birch", "cedar"), on="_scenario", turns=1, opens="amber")
    text = render_plain_text(rendered(short, "turn-1"))
    assert items(text, "Close of the turn") == [
        "All nations have ended their turns (§1.3).",
        "The campaign ends (§1.3).",
        (
            "Amber: VP 0 → 6 (final scoring, stability, §12); VP 6 → 12 (final scoring, prestige,"
            " §12)."
        ),
        (
            "Birch: VP 0 → 6 (final scoring, stability, §12); VP 6 → 12 (final scoring, prestige,"
            " §12)."
        ),
        (
            "Cedar: VP 0 → 6 (final scoring, stability, §12); VP 6 → 12 (final scoring, prestige,"
            " §12)."
        ),
    ]
    assert (
        "The campaign has ended. These nations share the victory: Amber (Ada), Birch (Bo) and"
        " Cedar." in text
    )
    assert "Amber   12 (+12)          6         6    450t  1600          3     1" in text
    assert "Turn 1: the victory is shared.\n" in text


def test_open_attacks_are_reported_as_open():
    running = built_from(table.land("amber", "a2", "b2"), table.end("amber"))
    listed = {
        item.key: (item.name, item.complete)
        for item in REPORTS.contents(running.scenario, running.lines)
    }
    assert listed == {
        "turn-1": ("Turn 1 report", False),
        "battle-1": ("#1 B2", False),
        "challenge-1": ("#1 B2: launched", True),
        "slot-1-amber": ("Turn of Amber", True),
        "slot-1-birch": ("Turn of Birch", False),
        "opening-1": ("Turn 1 opens", True),
    }
    assert "Birch have not answered yet." in render_plain_text(rendered(running, "challenge-1"))
    assert "Birch have not answered yet." in render_plain_text(rendered(running, "battle-1"))
    for missing in (
        "turn-2",
        "slot-1-cedar",
        "slot-2-amber",
        "slot-1-nobody",
        "battle-2",
        "turn-0",
        "map",
        "slot-1-",
        "result-1",
        "final",
        "standings-1",
        "trade-1",
        "challenge-2",
        "opening-2",
    ):
        assert (
            REPORTS.report(running.scenario, running.start, running.lines, missing, "", {}) is None
        )
    assert REPORTS.contents(running.scenario, []) == []


def test_facts_in_the_text_of_a_card_are_not_repeated():
    given = [
        table.give("amber", "assassin", "diplomat", "spy", "traitor"),
        table.give("birch", "spy", "ambush"),
    ]
    plays = [
        table.play("amber", "spy", target="birch", steal="ambush"),
        table.play("amber", "assassin", target="birch", destroy="spy"),
        table.play("amber", "diplomat", province="i1"),
        table.play("amber", "traitor", province="b2"),
    ]
    lines = render_plain_text(rendered(built_from(given, plays), "slot-1-amber")).splitlines()
    assert [line for line in lines if line.startswith("- Amber play")] == [
        "- Amber play Spy on Birch: Ambush (§4.6).",
        "- Amber play Assassin on Birch: Spy (§4.10).",
        "- Amber play Diplomat: I1: independent → Amber (§4.8); income 450t → 500t.",
        (
            "- Amber play Traitor in B2: Birch → Amber (§4.9); income 500t → 550t; Birch: income"
            " 450t → 400t (treason in B2, §4.9)."
        ),
    ]
    truce = [table.give("amber", "diplomat"), table.play("amber", "diplomat", truce="birch")]
    assert (
        "- Amber play Diplomat: a truce with Birch: to the end of turn 2 (§4.8)."
        in render_plain_text(rendered(built_from(truce), "slot-1-amber"))
    )


# Names and reasons of people ----------------------------------------------------------------------

HOSTILE = "[b][/code][/list]<script>alert(1)</script>[url=javascript:1]\u202e\n[*]{0}{nation}"


def test_names_and_reasons_cannot_contain_tags():
    scenario = table.scenario()
    for place in (*scenario["nations"], *scenario["provinces"]):
        place["name"] = place["name"] + HOSTILE
    document = table.record(
        table.gm("adjust", nation="amber", account="stability", change=1, reason=HOSTILE),
        table.land("amber", "a2", "b2"),
    )
    document["scenario"] = scenario
    hostile = of_record(document)
    for key in ("turn-1", "slot-1-amber", "battle-1", "challenge-1", "opening-1"):
        report = REPORTS.report(
            hostile.scenario, hostile.start, hostile.lines, key, HOSTILE, {"amber": HOSTILE}
        )
        (post,) = render_bbcode(report, {"amber": "#b5352f[/b]"})
        tags = re.findall(r"\[[^\]\u2060]*\]", post)
        assert set(tags) <= {
            "[b]",
            "[/b]",
            "[i]",
            "[/i]",
            "[list]",
            "[/list]",
            "[*]",
            "[code]",
            "[/code]",
            "[/size]",
            "[size=150]",
            "[size=120]",
            "[size=85]",
        }
        for tag in ("b", "i", "list", "code", "size"):
            assert len(re.findall(rf"\[{tag}[]=]", post)) == post.count(f"[/{tag}]")
        assert post.count("[code]") == (key in ("turn-1", "slot-1-amber"))
        assert "\u202e" not in post
        assert "script" in post


# The front of a turn's report ---------------------------------------------------------------------


def front(*moves, tone="dry", **setting):
    """Return the report of turn 1 without its details, as plain text."""
    played = built_from(*moves, **setting)
    report = REPORTS.report(played.scenario, played.start, played.lines, "turn-1", "", PEOPLE, tone)
    text = render_plain_text(report)
    return text[: text.index("All details")]


CONQUEST = [
    table.build("amber", "gymnasia"),
    table.land("amber", "a2", "b2"),
    table.end("amber"),
    table.respond("birch", 1, "accept"),
]


def test_the_headline_names_the_conquest():
    assert front(*CONQUEST, table.routed(1, 20, 50)).splitlines()[3] == (
        "Turn 1: Amber take B2 from Birch."
    )


def test_a_turn_without_events_has_a_calm_headline():
    text = front(table.end("amber", "birch", "cedar"))
    assert text.splitlines()[3] == "Turn 1: no province changes hands."
    assert "No nation has any victory points yet." in text
    assert items(text, "What the nations did") == [
        "Amber (Ada): made no moves.",
        "Birch (Bo): made no moves.",
        "Cedar: made no moves.",
    ]
    assert front(table.end("amber")).splitlines()[3] == (
        "Turn 1: no province has changed hands yet."
    )


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        (
            CONQUEST,
            "Ada (Amber) attacks B2 against Bo (Birch); the battle has not been decided yet.",
        ),
        (CONQUEST[:-1], "Ada (Amber) attacks B2; Bo (Birch) has not answered yet."),
        (
            [*CONQUEST, table.routed(1, 20, 50)],
            "Ada (Amber) beats Bo (Birch) at B2, 50 to 20; conquered.",
        ),
        ([*CONQUEST, table.routed(1, 50, 20)], "Bo (Birch) beats Ada (Amber) at B2, 50 to 20."),
        ([*CONQUEST, table.routed(1, 20, 25)], "Ada (Amber) and Bo (Birch) draw at B2, 25 to 20."),
        (
            [*CONQUEST, table.gm("report", attack=1, called_off=True)],
            (
                "The battle of B2 between Ada (Amber) and Bo (Birch) is called off and counts as a"
                " draw."
            ),
        ),
        (
            [*CONQUEST, table.gm("forfeit", attack=1, side="attacker")],
            "Bo (Birch) wins by forfeit against Ada (Amber) at B2.",
        ),
        (
            [*CONQUEST[:-1], table.respond("birch", 1, "withdraw")],
            "Bo (Birch) withdraws from B2 when Ada (Amber) attacks; the province is conquered.",
        ),
    ],
)
def test_each_result_of_a_battle_has_its_line(moves, line):
    assert items(front(*moves), "Battles") == [line]


def test_nations_without_players_are_named_with_their_verbs():
    text = front(table.land("amber", "a2", "i1"), table.end("amber"), table.routed(1, 20, 50))
    (line,) = items(text, "Battles")
    assert line.startswith("Ada (Amber) beats the independents led by ")
    assert line.endswith(" at I1, 50 to 20; conquered.")


def test_the_chronicle_has_paragraphs_instead_of_lists():
    text = front(*CONQUEST, table.routed(1, 20, 50), tone="chronicle")
    assert "Battles\n" not in text
    assert "What the nations did" not in text
    assert text.splitlines()[3] == "Turn 1: Amber take B2 from Birch."
    paragraphs = text[text.index("What happened") :].splitlines()[3:]
    assert "Amber under Ada" in paragraphs[0]
    assert any("gymnasia" in line for line in paragraphs)


def test_a_reason_with_a_full_stop_has_only_one():
    text = front(table.gm("adjust", nation="amber", account="income", change=5, reason="Typo."))
    assert items(text, "Corrections") == [
        "The game master changes the income of Amber by +5: “Typo.”"
    ]


def test_the_chronicle_names_the_last_nation_only_if_no_other_has_as_few_points():
    def chronicle(*points):
        moves = [
            table.adjust(nation, "victory_points", change)
            for nation, change in zip(table.SIX, points, strict=True)
            if change
        ]
        return front(*moves, table.end(*table.SIX), on="_six", tone="chronicle")

    alone = chronicle(6, 5, 4, 3, 2, 1)
    assert "At the bottom, the Vandals had 1 VP." in alone
    shared = chronicle(6, 5, 4, 3, 2, 2)
    assert shared.rstrip().endswith("the Hephtalites led with 6 VP; the Huns had 5 VP.")


def test_a_line_names_the_fleets_and_cards_of_a_nation_with_verbs():
    text = front(
        table.give("amber", "bodyguard", "scouts"),
        table.actions("amber", 3),
        table.fleet("amber", "a2"),
        table.fleet("amber", "a3"),
        table.move("amber", "siege-train"),
        table.move("amber", "keep", card="bodyguard", value=True),
        table.move("amber", "keep", card="bodyguard", value=False),
        table.offer("amber", "scouts"),
        table.end("amber"),
    )
    assert items(text, "What the nations did")[0] == (
        "Amber (Ada): built fleets in A2 and A3, built a siege train, kept a Bodyguard in hand,"
        " put a Bodyguard on guard, put Scouts on the table."
    )

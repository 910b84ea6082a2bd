"""The Grand Campaign as a title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from engine.effects import Effect
from engine.errors import MalformedRecord
from engine.language import gettext as _
from engine.play import Move
from engine.strict_json import check_keys
from games.contract.battles import BattleWords
from games.contract.desk import RuleText
from games.contract.ending import CampaignEnding
from games.contract.history import Agreement, ChangedLevel, ChangedPlace
from games.contract.log import LoggedShare
from games.contract.plain import Known, RawScenario
from games.contract.report import Contents, Report
from games.contract.rules import HouseRule
from games.contract.scenarios import Beginnings
from games.contract.standings import StandingLine
from games.contract.story import MoveInForce, PositionAfter, Story
from games.contract.threats import Threat
from games.contract.title import (
    RULES_EDITION,
    Account,
    Offer,
    RuleConsequence,
    RuleNumber,
    SeatInfo,
    Waiting,
    read_edition,
)
from games.contract.truces import Truce
from games.grand_campaign.bots.players import GrandPlayers
from games.grand_campaign.drawing import drawing, editing, own_drawing
from games.grand_campaign.drawing.film import GrandFilms
from games.grand_campaign.drawing.maps import GrandMaps
from games.grand_campaign.rules import attacks, cards, correction_offers, moves, turn
from games.grand_campaign.rules import view as rules_view
from games.grand_campaign.rules.faults import faults, warnings
from games.grand_campaign.rules.form import check_roll
from games.grand_campaign.rules.numbers import Fault, amended_rules
from games.grand_campaign.rules.position import ACCOUNTS, EDITION, Options, Position
from games.grand_campaign.rules.scenario import USUAL, Scenario, load, read_scenario, shipped
from games.grand_campaign.rules.view import master_offers, nation_offers, state
from games.grand_campaign.text import (
    battles,
    comparison,
    ending,
    logged,
    opening,
    readings,
    resume_sheet,
    rule_changes,
    rulebook,
    setup_sheet,
    standings,
    story,
    words,
)
from games.grand_campaign.text.english import FOUNDING
from games.grand_campaign.text.lesson import LESSON
from games.grand_campaign.text.move_words import GrandMoveWords
from games.grand_campaign.text.report import Reports
from games.kit.title import BaseTitle, OrderedTitle

UNITS = {"income": "t"}
CHOICES = {"diplomat": ("bordering", "anywhere"), "attack_limit": ("turn", "running")}
"""The values of options with a choice. The first value applies to a record without the option (4.8,
7.2).
"""


MOST_PROVINCES = 150
"""The most provinces of a user's own scenario: laying out a larger map takes seconds."""
LARGE_MAP = 100
"""A map of more provinces takes more than half a second to lay out."""


class GrandCampaign(BaseTitle, OrderedTitle):
    """The Grand Campaign; `games.contract.title.Title` describes its methods."""

    key = "grand_campaign"
    name = "420 AD Grand Campaign"
    format = "grand-campaign/1"
    views, texts, orders = rules_view, words, rules_view
    reporter, players, lesson = Reports(), GrandPlayers(), LESSON
    maps, films = GrandMaps(), GrandFilms()
    battle_words: BattleWords = battles
    move_kinds = logged.KINDS
    edition = EDITION
    proposed: Mapping[str, Any] = {
        "external_attacks": True,
        "diplomat": "bordering",
        "attack_limit": "turn",
    }

    @property
    def own_words(self) -> Mapping[str, str]:
        return FOUNDING.read()

    @property
    def about(self) -> str:
        return str(words.book()["about"]).format(
            nations=rulebook.word(len(load(USUAL).nations)).capitalize()
        )

    @property
    def lasts(self) -> str:
        scenario = load(USUAL)
        return str(words.book()["lasts"]).format(
            players=len(scenario.nations), turns=scenario.turns
        )

    def rules_text(self) -> str:
        return rulebook.usual_text()

    def rules_of(self, scenario: Scenario) -> str:
        own = rulebook.Edition(scenario, scenario.first_rules)
        amended = [own._replace(rules=rules, since=turn) for turn, rules in scenario.amendments]
        return rulebook.rendered(rulebook.usual_edition(), own, amended)

    def scenario_now(self, position: Position) -> Scenario:
        return position.scenario.amended(position.amendments)

    def rules_changed(self, scenario: Scenario) -> Sequence[int]:
        return [turn for turn, _rules in scenario.amendments]

    def scenario_at(self, scenario: Scenario, turn: int) -> Scenario:
        return scenario.as_of(turn)

    def truces(self, position: Position) -> list[Truce]:
        """Return the truces in force between nations that have not fallen (4.8, 2.3)."""
        return [
            Truce(truce.nations, truce.until)
            for truce in position.truces
            if truce.until >= position.turn
            and not any(position.nations[key].fallen for key in truce.nations)
        ]

    def is_siege(self, position: Position, number: int) -> bool:
        """Return whether the target of a running attack is fortified (9.7)."""
        return any(
            attack.id == number and position.fortification.get(attack.target, 0) > 0
            for attack in position.running
        )

    def threats(self, position: Position, seat: str) -> list[Threat]:
        return rules_view.threats(position, seat)

    def scenario_name(self, scenario: Scenario) -> str:
        return scenario.name

    @property
    def accounts(self) -> tuple[Account, ...]:
        labels = words.book()["accounts"]
        return tuple(
            Account(key, labels[key], UNITS.get(key, ""), 2 if key == "actions" else 1)
            for key in ACCOUNTS
        )

    def scenario(self, raw: object) -> Scenario:
        return read_scenario(raw)

    def scenario_faults(self, raw: object) -> list[MalformedRecord]:
        return faults(raw)

    def scenario_warnings(self, raw: object) -> list[MalformedRecord]:
        return warnings(raw)

    def drawing(
        self, scenario: Mapping[str, Any], document: object
    ) -> tuple[str, list[MalformedRecord]]:
        document_read, wrong = own_drawing.read(document, scenario)
        faults: list[MalformedRecord] = [
            fault.at(f"drawing.{fault.where}".replace("drawing.drawing", "drawing"))
            for fault in wrong
        ]
        return (own_drawing.written(document_read) if document_read else ""), faults

    def begun(self, bundle: Mapping[str, Any], name: str) -> dict[str, Any]:
        return editing.begun(bundle, name)

    def edited(self, bundle: Mapping[str, Any], act: Mapping[str, Any]) -> dict[str, Any]:
        return editing.edited(bundle, act)

    def as_drawn(self, scenario: Scenario, drawing: str) -> Scenario:
        spoken = copy(scenario)
        spoken.spoken = words.spoken_in(drawing)
        spoken.other_names = words.other_names_in(drawing)
        return spoken

    def why_undrawn(self, scenario: Mapping[str, Any]) -> MalformedRecord | None:
        try:
            if len(scenario["borders"]) <= own_drawing.MOST_APART and drawing.for_scenario(
                scenario
            ):
                return None
        except (
            ValueError,
            Fault,
        ):  # The land is laid out in squares, and there are too few of them.
            pass
        return Fault("scenario.borders", "too-crossed")

    def claimable(self, raw: Mapping[str, Any]) -> bool:
        return attacks.claimable(raw)

    def agreement_of(self, raw: Mapping[str, Any]) -> str:
        return attacks.agreement_of(raw)

    def contest_of(self, raw: Mapping[str, Any]) -> int:
        return attacks.contest_of(raw)

    def agreeable(self, known: Mapping[str, Any]) -> Sequence[str]:
        return attacks.agreeable(known)

    def planned_line(self, scenario: Any, move: Mapping[str, Any]) -> str:
        return words.planned_line(scenario, move)

    def claimed_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        return words.move_line(scenario, move, effects, claimed=True)

    def options(self, raw: object) -> Options:
        parts = check_keys("options", raw, {"hands", "external_attacks", RULES_EDITION, *CHOICES})
        hands, external = parts.get("hands", "open"), parts.get("external_attacks", False)
        if hands not in ("open", "hidden"):
            raise Fault("options.hands", "hands")
        if type(external) is not bool:
            raise Fault("options.external_attacks", "boolean")
        if parts.get("diplomat", "bordering") not in CHOICES["diplomat"]:
            raise Fault("options.diplomat", "diplomat")
        if parts.get("attack_limit", "turn") not in CHOICES["attack_limit"]:
            raise Fault("options.attack_limit", "attack_limit")
        chosen = {option: parts.get(option, values[0]) for option, values in CHOICES.items()}
        return Options(hands == "hidden", external, **chosen, edition=read_edition(parts, EDITION))

    def hides(self, options: Options) -> bool:
        return options.hidden

    def last_link(self, scenario: Scenario) -> int:
        return scenario.turns

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(scenario, purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    decode = staticmethod(moves.decode)

    def only_in_records(self, position: Position, move: Move) -> bool:
        """Return whether the move takes over hidden hands, whose cards the log would name."""
        return isinstance(move, turn.Resume) and position.options.hidden

    def move_words(self, scenario: Scenario, position: Position) -> GrandMoveWords:
        return GrandMoveWords(self, scenario, position)

    def changed_places(self, before: Position, after: Position) -> Sequence[ChangedPlace]:
        return comparison.changed_places(before, after)

    def changed_levels(
        self, before: Position, after: Position, holder: str
    ) -> Sequence[ChangedLevel]:
        return list(comparison.changed_levels(before, after, holder))

    def changed_agreements(self, before: Position, after: Position) -> Sequence[Agreement]:
        return comparison.changed_agreements(before, after)

    def item_name(self, key: str) -> str:
        return words.card_name(key)

    def standings(self, position: Position) -> Sequence[StandingLine]:
        return standings.standings(position)

    def turn_opening(self, position: Position) -> Sequence[RuleText]:
        return opening.opening(position)

    def corrections(self, position: Position, typed: Mapping[str, str]) -> Sequence[Offer]:
        return correction_offers.corrections(position, typed)

    def logged_shares(self, move: Mapping[str, Any]) -> Sequence[LoggedShare]:
        return logged.logged_shares(move)

    def effect_text(self, scenario: Scenario, effect: Effect) -> str:
        return words.effect_text(scenario, effect)

    def begin_story(self, start: Position) -> story.Turns:
        return story.begin(start)

    def continue_story(
        self,
        summary: story.Turns,
        moves: Iterable[MoveInForce],
        position_after: PositionAfter,
    ) -> story.Turns:
        return story.continued(summary, moves, position_after)

    def tell_story(self, scenario: Scenario, summary: story.Turns) -> Story:
        return story.story(scenario, summary)

    def outcome_name(self, known: Known) -> str:
        return story.outcome_name(known)

    def tell_ending(self, position: Position, summary: story.Turns, seat: str) -> CampaignEnding:
        return ending.ending(position, summary, seat)

    def setup_contents(
        self, scenario: Scenario, contests: Mapping[int, Known]
    ) -> Sequence[Contents]:
        return setup_sheet.setup_contents(scenario, contests)

    def setup_report(
        self,
        scenario: Scenario,
        contests: Mapping[int, Known],
        number: int,
        campaign: str,
        players: Mapping[str, str],
    ) -> Report | None:
        return setup_sheet.setup_report(scenario, contests, number, campaign, players)

    def own_scenario_faults(self, scenario: RawScenario) -> list[MalformedRecord]:
        if len(scenario["provinces"]) <= MOST_PROVINCES:
            return []
        text = _("must be at most %(most)s") % {"most": MOST_PROVINCES}
        return [MalformedRecord("scenario.provinces", text)]

    def takes_long(self, scenario: RawScenario) -> bool:
        return len(scenario["provinces"]) > LARGE_MAP

    def shipped_drawing(self, scenario: RawScenario) -> str:
        return drawing.shipped_text(scenario)

    @property
    def beginnings(self) -> Beginnings:
        from games.grand_campaign.drawing import beginning  # Needs shapely, which is slow to load.

        return beginning

    def house_rules(self, scenario: Scenario, options: Options) -> Sequence[HouseRule]:
        return rule_changes.changes(scenario)

    def chosen_readings(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        return readings.chosen(scenario, options)

    def founding_facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        return readings.founding_facts(scenario, options)

    def documented(self, guide: str) -> str:
        return rulebook.with_numbers(guide)

    def rule_numbers(self, position: Position) -> Sequence[RuleNumber]:
        return rulebook.rule_numbers(position.rules)

    def amendment(self, position: Position, new: Mapping[str, Any]) -> dict[str, Any]:
        return rulebook.amendment(position.rules, new)

    def amended(self, position: Position, rules: Mapping[str, Any]) -> Position:
        after = position.copy()
        after.rules = amended_rules(position.rules, dict(rules))
        after.amendments = (*position.amendments, (position.turn + 1, after.rules))
        return after

    def would_have_changed(
        self, steps: Iterable[rulebook.Step], position: Position, rules: Mapping[str, Any]
    ) -> Sequence[RuleConsequence]:
        return rulebook.would_have_changed(steps, amended_rules(position.rules, dict(rules)))

    def sheet(
        self, position: Position, sees: Callable[[str], bool], why: str
    ) -> tuple[list[list[str]], dict[str, Any]]:
        typed = resume_sheet.typed_from(position, sees)
        typed.reason = why
        return resume_sheet.as_table(typed, position.scenario), resume_sheet.move_of(
            position, sees, why
        )

    def read_sheet(
        self, position: Position, text: str
    ) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        typed = resume_sheet.starting(position.scenario, position)
        unread = resume_sheet.read_table(
            text.removeprefix("\ufeff"), position.scenario, position, typed
        )
        move, wrong = resume_sheet.read_move(typed, position.scenario, position)
        return move, [(place, sentence) for place, sentence in (*unread, *wrong)]

    def sheet_faults(self, position: Position, move: Mapping[str, Any]) -> list[tuple[str, str]]:
        return [(place, sentence) for place, sentence in resume_sheet.faults_of(position, move)]

    def next_order(self, position: Position) -> Sequence[str]:
        return turn.order_of_play(position, position.turn + 1)

    def state(self, position: Position) -> dict[str, Any]:
        return state(position)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {key: load(key).raw for key in shipped()}

    def seats(self, scenario: Scenario, options: Options) -> Sequence[SeatInfo]:
        return rules_view.seats(scenario)

    def offers(self, position: Position, seat: str, by: str | None = None) -> Sequence[Offer]:
        if seat == "gm":
            return master_offers(position)
        return nation_offers(position, seat, by or seat)

    def expand(self, position: Position, move: Move) -> Sequence[dict[str, Any]]:
        """Split the result of an unanswered challenge into two entries (9.1).

        These are the acceptance with its rolls and the result.
        """
        raw = move.to_json()
        if (
            isinstance(move, attacks.Report)
            and move.naval is None
            and 1 <= move.attack <= len(position.attacks)
        ):
            attack = position.attacks[move.attack - 1]
            if attack.status == "challenged":
                accept = {
                    "by": "gm",
                    "for": attack.defender,
                    "move": "respond",
                    "attack": attack.id,
                    "choice": "accept",
                }
                return [accept, raw]
        return [raw]

    def lapse(self, position: Position, waiting: Waiting) -> dict[str, Any] | None:
        """Return the move that replaces an overdue one (11).

        A slot ends and a challenge is accepted; a battle waits for its players.
        """
        if waiting.seat not in position.nations:
            return None
        head = {"by": "gm", "for": waiting.seat}
        if waiting.contest is None:
            return {**head, "move": "end-slot"} if waiting.seat == position.slot else None
        attack = position.attacks[waiting.contest - 1]
        if attack.status != "challenged" or attack.defender != waiting.seat:
            return None
        return {**head, "move": "respond", "attack": attack.id, "choice": "accept"}

    def audience(self, position: Position, move: Move) -> tuple[str, ...] | None:
        """Return the audience of orders to a Bodyguard, which are secret if hands are (4.10)."""
        return position.private(move.seat) if isinstance(move, cards.Keep) else None

    def is_noted(self, effect: Effect) -> bool:
        return words.is_noted(effect)

    def dice_decisions(self, scenario: Scenario, effects: Iterable[Effect]) -> Sequence[str]:
        return words.dice_decisions(scenario, effects)

    def public_move(self, move: Mapping[str, Any], effects: Iterable[Effect]) -> Mapping[str, Any]:
        return words.public_form(move, effects)

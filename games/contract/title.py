"""Titles: what the site asks a game, and the values with which a game answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import NOTHING, Effect, Phrase, Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move
from games.contract.pages import Founding, Pages
from games.contract.players import Lesson, Players
from games.contract.report import Reporter


class SeatInfo(NamedTuple):
    """A seat of a campaign: its key, its name, its colour as #rrggbb or "", a description."""

    key: str
    name: str
    colour: str = ""
    about: str = ""


class Account(NamedTuple):
    """An account of the title: its key, its label and the unit written after a number.

    `scale` is the number of units in a whole (2 for half-actions).
    """

    key: str
    label: str
    unit: str = ""
    scale: int = 1


class Waiting(NamedTuple):
    """A seat for which the table waits.

    `what` is the reason as a sentence, `contest` the number of the contest that it concerns, if
    any.
    """

    seat: str
    what: Phrase
    contest: int | None = None


class Rows(NamedTuple):
    """A position as rows that do not depend on the title, by natural key.

    Projections write them, the audit compares them.

    - accounts: (holder, account) -> balance
    - holdings: place -> {"owner", …}
    - items: (holder, zone, item) -> count
    - contests: number -> {"kind", "attacker", "defender", "source", "target", "status", "outcome",
      …}, with the resolved ones, whose status is `resolved`
    - holders: holder -> facts
    - private: (holder, zone) -> the seats that may see the items there, if not everyone may

    Facts of holders, holdings and contests contain nothing hidden.
    """

    holders: Mapping[str, Mapping[str, Any]]
    accounts: Mapping[tuple[str, str], int]
    holdings: Mapping[str, Mapping[str, Any]]
    items: Mapping[tuple[str, str, str], int]
    contests: Mapping[int, Mapping[str, Any]]
    private: Mapping[tuple[str, str], tuple[str, ...]] = {}


class Field(NamedTuple):
    """An argument of an offer.

    `kind` is `province`, `nation`, `card`, `cards`, `choice`, `flag`, `number`, `text` or `shares`.
    An `optional` field may be left out and then has the value `default`. `depends` are the earlier
    fields on which its values depend.
    """

    key: str
    kind: str = "choice"
    optional: bool = False
    default: Any = None
    depends: tuple[str, ...] = ()


@dataclass(slots=True)
class Offer:
    """A kind of move that a seat may make now, or the rule that forbids it.

    `key` is unique among the offers of the seat; `move` is the name of the move; `given` are the
    arguments that are already chosen; `values(chosen)` lists the values of a field, given the
    fields chosen before it (None: free text or number). `cost` is in units of the title's purse
    (half-actions), None if the move is free. `refusal` is set if no value is legal. `moves()`
    enumerates all complete moves in record form.
    """

    key: str
    move: str
    group: str
    by: str
    seat: str
    given: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    cost: int | None = None
    refusal: IllegalMove | None = None
    allowed: Callable[[str, Mapping[str, Any]], Sequence[Any] | None] | None = None

    def values(self, key: str, chosen: Mapping[str, Any] = NOTHING) -> Sequence[Any] | None:
        """Return the values of a field, given earlier choices.

        It is None if any text or number is allowed.
        """
        return self.allowed(key, {**self.given, **chosen}) if self.allowed else None

    def raw(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the move in record form with these arguments."""
        head: dict[str, Any] = {"by": self.by, "move": self.move}
        if self.by != self.seat:
            head["for"] = self.seat
        return {**head, **self.given, **chosen}

    def moves(self) -> Iterator[dict[str, Any]]:
        """Yield every complete move of this offer, for fields whose values are listed.

        A refused offer has none.
        """
        if self.refusal is None:
            yield from self._complete({}, 0)

    def _complete(self, chosen: dict[str, Any], at: int) -> Iterator[dict[str, Any]]:
        if at == len(self.fields):
            yield self.raw(chosen)
            return
        argument = self.fields[at]
        for value in self.values(argument.key, chosen) or ():
            yield from self._complete({**chosen, argument.key: value}, at + 1)


class Branch(NamedTuple):
    """A way in which a move may turn out: its result, its chance and its effects.

    `chance` is (favourable, of). `path` has a sentence for what each die decides, in their order;
    `what` is the last of them, or a sentence of its own if no die is thrown.
    """

    what: Phrase
    chance: tuple[int, int]
    effects: tuple[Effect, ...]
    after: Any
    path: tuple[Phrase, ...] = ()


class Standing(NamedTuple):
    """A line of the final standings."""

    seat: str
    points: int
    rank: int
    facts: Mapping[str, Any]


@runtime_checkable
class WithRulebook(Protocol):
    """A title whose rules are shown as they are in its folder."""

    def rules_text(self) -> str:
        """Return the numbered rules in the current language (`engine.language.text_of_file`).

        Their form is `## 1 Chapter`, `- 1.1 paragraph`, *Ruling:* before a ruling, `keys` in
        backquotes. Numbers and keys are the same in every language.
        """
        ...


@runtime_checkable
class WithScenarioRules(WithRulebook, Protocol):
    """A title whose scenarios, and amendments in play, change the numbers of its rules."""

    def scenario_name(self, scenario: Any) -> str:
        """Return the name of a scenario."""
        ...

    def scenario_now(self, position: Any) -> Any:
        """Return the scenario with the rules in force in this position, as `speak` needs it."""
        ...

    def rules_changed(self, scenario: Any) -> Sequence[int]:
        """Return the turns at which the rules of `scenario_now` changed, ascending.

        There are none without amendments.
        """
        ...

    def scenario_at(self, scenario: Any, turn: int) -> Any:
        """Return the scenario with the rules that were in force in a turn."""
        ...

    def rules_of(self, scenario: Any) -> str:
        """Return `WithRulebook.rules_text` with the numbers of this scenario.

        Parts that differ from the usual rules are marked (`mark_difference`).
        """
        ...


DIFFERS, AMENDED, NOTED, ENDS = "\ue000", "\ue001", "\ue002", "\ue003"
"""Signs within a rules text: `DIFFERS note NOTED text ENDS`, with AMENDED instead of DIFFERS if the
text was changed in play. No name contains them.
"""
_SIGNS = str.maketrans("", "", DIFFERS + AMENDED + NOTED + ENDS)


def mark_difference(text: str, note: str, amended: bool = False) -> str:
    """Return a part of a rules text marked as different from the usual rules; the note says how."""
    return f"{AMENDED if amended else DIFFERS}{strip_marks(note)}{NOTED}{text}{ENDS}"


def strip_marks(text: str) -> str:
    """Return the text without these signs."""
    return text.translate(_SIGNS)


@runtime_checkable
class WithSituations(Protocol):
    """A title whose rules come with worked examples (`manage.py situations`)."""

    def situation(self, raw: object, options: Any) -> Any:
        """Return the position of an example, with the title's defaults for missing parts.

        The example may contain raw options, which override `options`. Raises `MalformedRecord`.
        """
        ...


@runtime_checkable
class WithHolderNames(Protocol):
    """A title whose accounts and provinces also belong to holders that are no seats."""

    def holder_name(self, scenario: Any, holder: str) -> str:
        """Return the name of a holder of `Rows` or of an effect; the key if it has no name."""
        ...


@runtime_checkable
class WithLogNotes(Protocol):
    """A title whose moves have notable effects that their line in the log does not mention."""

    def is_noted(self, effect: Effect) -> bool:
        """Return whether the cause of this effect is shown as a note beside the line."""
        ...


@runtime_checkable
class WithDecisions(Protocol):
    """A title whose answers to challenges throw dice."""

    def dice_decisions(self, scenario: Any, effects: Iterable[Effect]) -> Sequence[str]:
        """Return a sentence for each decision of dice before the battle.

        `effects` are those of the answer to the challenge.
        """
        ...


@runtime_checkable
class WithHiddenMoves(Protocol):
    """A title with public moves that contain facts which only some readers may know."""

    def public_move(self, move: Mapping[str, Any], effects: Iterable[Effect]) -> Mapping[str, Any]:
        """Return the move in record form for a reader of these effects.

        It lacks the keys that would show them more than its `move_line` does.
        """
        ...


@runtime_checkable
class WithScenarioDrawings(Protocol):
    """A title whose scenarios users may write themselves, with a map drawn for them."""

    def scenario_faults(self, raw: object) -> list[MalformedRecord]:
        """Return all faults of a scenario object, each with its key.

        The list is empty if `Title.scenario` can read it.
        """
        ...

    def scenario_warnings(self, raw: object) -> list[MalformedRecord]:
        """Return legal values of a scenario object that its author probably does not intend.

        Each has its key. They are found whether the scenario can be read or not.
        """
        ...

    def drawing(
        self, scenario: Mapping[str, Any], document: object
    ) -> tuple[str, list[MalformedRecord]]:
        """Return the canonical text of a drawing for a valid scenario object, and its faults.

        The text is made only of parsed numbers and printable names, and is "" if there are faults,
        each of which has its key. Reading the text gives the same text again.
        """
        ...

    def as_drawn(self, scenario: Any, drawing: str) -> Any:
        """Return a parsed scenario whose nations have the grammatical forms of its drawing."""
        ...

    def why_undrawn(self, scenario: Mapping[str, Any]) -> MalformedRecord | None:
        """Return why a valid scenario object without a drawing has no map.

        It is None if the title has or makes one.
        """
        ...


@runtime_checkable
class WithScenarioEditor(Protocol):
    """A title whose scenarios are edited act by act.

    A bundle has `scenario` and `drawing`, as the collection of scenarios reads them.
    """

    def begun(self, bundle: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Return the bundle with which a draft begins, its drawing in the canonical form.

        `name` replaces the name of the scenario, unless it is empty. Raises `MalformedRecord` with
        the first fault.
        """
        ...

    def edited(self, bundle: Mapping[str, Any], act: Mapping[str, Any]) -> dict[str, Any]:
        """Return the bundle after an act.

        Raises `MalformedRecord` with the field of the act that is wrong.
        """
        ...


@runtime_checkable
class WithIntroduction(Protocol):
    """A title that is introduced to users who do not know it."""

    @property
    def about(self) -> str:
        """A description in one or two sentences."""
        ...

    @property
    def lasts(self) -> str:
        """The number of players and the duration."""
        ...


class OrderField(NamedTuple):
    """A part of a standing order: its key, its name, its values with their names.

    `several` allows several values, or none; without it exactly one value must be chosen. `help` is
    a line of help.
    """

    key: str
    name: str
    values: Sequence[tuple[str, str]]
    several: bool = False
    help: str = ""


class OrderKind(NamedTuple):
    """A kind of standing order that a seat may give.

    It has a key, a name, a line that says what it does, its rule and its parts. A `timed` order may
    wait until the seat's time is up; others always act at once.
    """

    key: str
    name: str
    about: str
    rule: str
    fields: tuple[OrderField, ...] = ()
    timed: bool = True


class Ordered(NamedTuple):
    """The answer of a standing order to a question that is open now.

    `order` is its place among the orders, `question` is unique in the campaign ("attack-3"), `move`
    is the seat's own move in record form, `contest` is the contest that it concerns, if any.
    """

    order: int
    question: str
    move: Mapping[str, Any]
    contest: int | None = None


@runtime_checkable
class StandingOrders(Protocol):
    """A title whose seats may leave orders for questions that arise while the member is away.

    An order is JSON: `kind` and the parts of that kind, a list for a part of several values. The
    table stores a seat's orders so that only its member and the game master see them, calls
    `answers_by_orders` when the seat is asked a question, and makes the first move for each
    question that the rules allow, as the seat's own. Nothing here changes a position.
    """

    def order_kinds(self, position: Any, seat: str) -> Sequence[OrderKind]:
        """Return the orders that this seat can be given now, in the current language."""
        ...

    def read_order(self, position: Any, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the order in its canonical form.

        Raises `IllegalMove` with `bad-argument` if it can never have an effect. A card that is not
        in the hand yet, or a province that is not owned, is no reason to refuse it: this is checked
        when the order would act.
        """
        ...

    def order_line(self, scenario: Any, order: Mapping[str, Any]) -> str:
        """Return the order as a sentence in the current language."""
        ...

    def answers_by_orders(
        self, position: Any, seat: str, orders: Sequence[Mapping[str, Any]]
    ) -> Sequence[Ordered]:
        """Return the answers of the orders to each question that the seat must answer.

        The most specific order comes first. The answers are not checked against the rules.
        """
        ...


@runtime_checkable
class WithLapses(Protocol):
    """A title whose table can go on without the seat for which it waits (`campaign.clocks`)."""

    def lapse(self, position: Any, waiting: Waiting) -> dict[str, Any] | None:
        """Return the move in record form that replaces the move of a seat whose time is up.

        The game master makes it `for` the seat: a slot ends, a challenge is accepted. It is None if
        there is no such move.
        """
        ...


class TurnPart(NamedTuple):
    """A part of the turn that is still to come.

    `what` names it, `seats` are the seats that it needs, `slots` is the number of slots that it
    takes, one after the other. If there are several seats, their order is not known yet. `open` is
    true if the table waits for this part now, `maybe` if it may not happen.
    """

    what: Phrase
    seats: tuple[str, ...]
    slots: int = 1
    open: bool = False
    maybe: bool = False


@runtime_checkable
class WithTurnCourse(Protocol):
    """A title whose turns are not simply a slot for each seat in the view's `order`."""

    def course(self, position: Any) -> Sequence[TurnPart]:
        """Return the parts that the turn still needs, in their order, as everyone may know them.

        There are none if no turn is running.
        """
        ...


class RuleNumber(NamedTuple):
    """A number of the rules in force.

    `path` leads to it in the data of the rules: keys, and places in tables, separated by points.
    `rule` is the paragraph that uses it, `unit` is what it counts (`actions` have halves), and
    `meaning` describes it.
    """

    path: str
    rule: str
    unit: str
    meaning: str
    value: Any


class RuleConsequence(NamedTuple):
    """The effect that another number would have had on the moves played so far.

    It has a heading with the count of affected moves, and a line for each.
    """

    heading: str
    lines: tuple[str, ...]


@runtime_checkable
class WithProposedOptions(Protocol):
    """A title whose form for new campaigns proposes options that differ from the defaults.

    The defaults are the meaning of a record without options.
    """

    proposed: Mapping[str, Any]


def proposed_options(title: object) -> dict[str, Any]:
    """Return the options in record form that the form for new campaigns proposes for this title."""
    return dict(title.proposed) if isinstance(title, WithProposedOptions) else {}


RULES_EDITION = "rules_edition"
"""The option of a record that is played by an earlier edition of the rules."""


@runtime_checkable
class WithEditions(Protocol):
    """A title whose rules have changed without an option that keeps the earlier meaning.

    Each such change begins an edition of the rules, counted from 1. A record without the option
    `rules_edition` is played by the current edition.
    """

    edition: int


def current_edition(title: object) -> int:
    """Return the edition of the title's rules by which new campaigns are played."""
    return title.edition if isinstance(title, WithEditions) else 1


def read_edition(parts: Mapping[str, Any], current: int) -> int:
    """Return the edition that the options of a record name. Raises `MalformedRecord`."""
    edition = parts.get(RULES_EDITION, current)
    if type(edition) is not int or not 1 <= edition <= current:
        raise MalformedRecord(f"options.{RULES_EDITION}", "whole", least=1, most=current)
    return edition


def with_edition(title: object, options: Mapping[str, Any], edition: int) -> dict[str, Any]:
    """Return the options in record form of a campaign that was founded under this edition."""
    return {**({RULES_EDITION: edition} if edition != current_edition(title) else {}), **options}


def options_of_genesis(title: object, genesis: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options in record form of a campaign whose log begins with this entry.

    An entry that names no edition was written under the first one.
    """
    return with_edition(title, genesis["options"], genesis.get("edition", 1))


@runtime_checkable
class WithAmendments(Protocol):
    """A title whose rules may change in play.

    Its move `amend` has `rules`, which are merged over those in force.
    """

    def documented(self, guide: str) -> str:
        """Return the text of the guide to scenarios, with its numbers as the rules have them."""
        ...

    def rule_numbers(self, position: Any) -> Sequence[RuleNumber]:
        """Return the numbers that may change separately, in the order of the rules."""
        ...

    def amendment(self, position: Any, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Return the `rules` of the move, from new numbers by their paths."""
        ...

    def amended(self, position: Any, rules: Mapping[str, Any]) -> Any:
        """Return a new position with these rules merged over those in force."""
        ...

    def would_have_changed(
        self,
        steps: Iterable[tuple[Any, Mapping[str, Any], Sequence[Effect]]],
        position: Any,
        rules: Mapping[str, Any],
    ) -> Sequence[RuleConsequence]:
        """Return the effects that these rules would have had on the moves played so far.

        The rules are merged over those in force at `position`. Effects are counted; nothing is
        played again. `steps` has, for each move, the position before it, the move and its effects.
        """
        ...


@runtime_checkable
class WithResumeSheet(Protocol):
    """A title whose campaigns can be continued elsewhere from a sheet.

    Its move `resume` continues a campaign that was played elsewhere.
    """

    def sheet(
        self, position: Any, sees: Callable[[str], bool], why: str
    ) -> tuple[list[list[str]], dict[str, Any]]:
        """Return the position as rows of cells for a spreadsheet, and as a move.

        `why` is the reason in the move. `sees` returns whether the reader may see a seat's hand.
        """
        ...

    def read_sheet(self, position: Any, text: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        """Return the move of a sheet, and the place and sentence of everything that cannot be read.

        A spreadsheet or `sheet` has written the sheet. Missing values are those of the beginning of
        the campaign.
        """
        ...

    def sheet_faults(self, position: Any, move: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return place and sentence of each fault that the rules find in the move."""
        ...

    def next_order(self, position: Any) -> Sequence[str]:
        """Return the seats in the order in which they play the next turn."""
        ...


@runtime_checkable
class WithRecordMoves(Protocol):
    """A title with moves that the table does not offer: they are played only from records."""

    def only_in_records(self, position: Any, move: Move) -> bool:
        """Return whether the move is one of these in this position."""
        ...


@runtime_checkable
class WithAgreements(Protocol):
    """A title whose contests are fought outside the site, so that their players report the results.

    `known` are the facts of a contest (`Rows.contests`), `raw` is the move that would enter its
    result, in record form.
    """

    def claimable(self, raw: Mapping[str, Any]) -> bool:
        """Return whether a player may claim this result; if not, the game master enters it."""
        ...

    def agreement_of(self, raw: Mapping[str, Any]) -> str:
        """Return the agreement that both players need before this result; "" if none."""
        ...

    def contest_of(self, raw: Mapping[str, Any]) -> int:
        """Return the number of the contest that the result belongs to.

        It is called only if an agreement is needed.
        """
        ...

    def agreeable(self, known: Mapping[str, Any]) -> Sequence[str]:
        """Return the agreements that the two players can make now."""
        ...


class Title(Protocol):
    """A game that the site hosts, with all the data and functions that the site needs.

    Optional: `default_scenario`, the scenario of a record that names none (without it a record must
    name one), and the methods of `WithRulebook`, `WithScenarioRules`, `WithSituations`,
    `WithHolderNames`, `WithLogNotes`, `WithHiddenMoves`, `WithIntroduction`, `StandingOrders`,
    `WithLapses`, `WithTurnCourse`, `WithAmendments`, `WithResumeSheet`, `WithScenarioEditor`,
    `WithRecordMoves` and `WithAgreements`.
    """

    @property
    def key(self) -> str:
        """The key in addresses and names of folders."""
        ...

    @property
    def name(self) -> str:
        """The name in the current language."""
        ...

    @property
    def format(self) -> str:
        """The record format with the edition of its form ("grand-campaign/1")."""
        ...

    @property
    def accounts(self) -> Sequence[Account]:
        """The accounts that a seat can have."""
        ...

    # Parts; None for a part that the title does not have.
    @property
    def reporter(self) -> Reporter | None:
        """The reports of the title."""
        ...

    @property
    def players(self) -> Players | None:
        """The programs that can play the title."""
        ...

    @property
    def pages(self) -> Pages | None:
        """The page on which the title is played; without it the title uses the table's pages."""
        ...

    @property
    def founding(self) -> Founding | None:
        """The questions of the form for new campaigns."""
        ...

    @property
    def lesson(self) -> Lesson | None:
        """The guided first game."""
        ...

    # Records
    def scenario(self, raw: object) -> Any:
        """Return the parsed scenario of a record. Raises `MalformedRecord`."""
        ...

    def options(self, raw: object) -> Any:
        """Return the parsed options of a record. Raises `MalformedRecord`."""
        ...

    def last_link(self, scenario: Any) -> int:
        """Return the number of the last link of the dice: the last turn that can be played."""
        ...

    def check_roll(self, scenario: Any, options: Any, purpose: str, value: object) -> None:
        """Raise `MalformedRecord` if a fixed roll has an unknown purpose or an impossible value."""
        ...

    def hides(self, options: Any) -> bool:
        """Return whether the options make facts that only some seats may see."""
        ...

    def setup(self, scenario: Any, options: Any) -> Any:
        """Return the position before the first move."""
        ...

    def decode(self, raw: object, position: Any) -> Move:
        """Return the move of a record. Raises `IllegalMove` if its form is wrong."""
        ...

    def state(self, position: Any) -> dict[str, Any]:
        """Return the whole position as JSON, with all hands open."""
        ...

    # The table
    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the scenarios that come with the title, by key, in the form of their files."""
        ...

    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]:
        """Return the seats of a campaign in their order."""
        ...

    def rows(self, position: Any) -> Rows:
        """Return the position as rows that do not depend on the title."""
        ...

    def view(self, position: Any, seat: str | None) -> dict[str, Any]:
        """Return the position as JSON, with only what a seat may see; None is an outsider."""
        ...

    def waiting(self, position: Any) -> Sequence[Waiting]:
        """Return the seats for which the table waits now, each with the reason."""
        ...

    def offers(self, position: Any, seat: str, by: str | None = None) -> Sequence[Offer]:
        """Return the moves that a seat may make now, announced by itself or by `by`."""
        ...

    def expand(self, position: Any, move: Move) -> Sequence[dict[str, Any]]:
        """Return the moves in record form that are logged for an announced move, usually one."""
        ...

    def branches(self, position: Any, move: Move) -> Sequence[Branch]:
        """Return the ways in which a move may turn out."""
        ...

    def audience(self, position: Any, move: Move) -> tuple[str, ...] | None:
        """Return the seats that may see the move; None if everyone may."""
        ...

    def links_due(self, position: Any) -> int:
        """Return how many links of the dice are to be published in this position (RECORD)."""
        ...

    def score(self, position: Any) -> Sequence[Standing] | None:
        """Return the final standings; None if the campaign is not over."""
        ...

    # Words, rendered when they are read
    @property
    def own_words(self) -> Mapping[str, str]:
        """The title's own words for a `turn` ("year"), `turns` and a `campaign` ("reign").

        It may have further keys of `games.registry.words`. A missing key keeps the table's word.
        """
        ...

    def speak(self, scenario: Any, phrase: Phrase) -> str:
        """Return a sentence in the current language."""
        ...

    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        """Return the line of the log for a move, as a reader of these effects may know it."""
        ...

    def planned_line(self, scenario: Any, move: Mapping[str, Any]) -> str:
        """Return a move of a seat's own plan in words, such as "build Roads"."""
        ...

    def claimed_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        """Return the line of a result that players agreed on: a sentence without a speaker."""
        ...

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str:
        """Return the sentence of a refusal in the current language."""
        ...

    def roll_line(self, scenario: Any, roll: Roll) -> str:
        """Return a roll as a line in the current language."""
        ...

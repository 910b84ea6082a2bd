"""All that the table knows of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import NOTHING, Effect, Roll, Say
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move
from games.contract.pages import Founding, Pages
from games.contract.players import Lesson, Players
from games.contract.report import Reporter


class SeatInfo(NamedTuple):
    """A seat of a campaign: key, name for people, colour as #rrggbb or "", a line of
    description.
    """

    key: str
    name: str
    colour: str = ""
    about: str = ""


class Account(NamedTuple):
    """An account of the title: key, label, unit written after the number, and how many units make a
    whole (2 for half-actions).
    """

    key: str
    label: str
    unit: str = ""
    scale: int = 1


class Waiting(NamedTuple):
    """Somebody the table waits for: the seat, what for (rendered by `words`), the contest it
    concerns, if any.
    """

    seat: str
    what: Say
    contest: int | None = None


class Rows(NamedTuple):
    """A position as title-neutral rows, by natural key; projections write them, the audit compares
    them.

    accounts: (holder, account) -> balance · holdings: place -> {"owner", …} · items: (holder, zone,
    item) -> count contests: number -> {"kind", "attacker", "defender", "source", "target",
    "status", "outcome", …}, resolved ones too, their status then `resolved` · holders: holder ->
    facts · private: (holder, zone) -> the seats that may see the items there, where not everybody
    may. Facts of holders, holdings and contests hold nothing hidden.
    """

    holders: Mapping[str, Mapping[str, Any]]
    accounts: Mapping[tuple[str, str], int]
    holdings: Mapping[str, Mapping[str, Any]]
    items: Mapping[tuple[str, str, str], int]
    contests: Mapping[int, Mapping[str, Any]]
    private: Mapping[tuple[str, str], tuple[str, ...]] = {}


class Field(NamedTuple):
    """One argument of an offer: its key, kind (`province`, `nation`, `card`, `cards`, `choice`,
    `flag`, `number`, `text`, `shares`), whether it may be left out, its value then, and the earlier
    fields its values depend on.
    """

    key: str
    kind: str = "choice"
    optional: bool = False
    default: Any = None
    depends: tuple[str, ...] = ()


@dataclass(slots=True)
class Offer:
    """One kind of move a seat may make now, or the rule that forbids it.

    `key` is unique among the seat's offers; `move` the move's name; `given` the arguments already
    chosen; `values(chosen)` lists what each field may be, given the fields chosen before it (None:
    free text or number). `cost` is in units of the title's purse (half-actions), None where it is
    free. `refusal` is set where no value would do. `moves()` enumerates all complete moves in
    record form.
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
        """What the field may be, given earlier choices; None if anything of its kind may be
        typed.
        """
        return self.allowed(key, {**self.given, **chosen}) if self.allowed else None

    def raw(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The move in record form with these arguments."""
        head: dict[str, Any] = {"by": self.by, "move": self.move}
        if self.by != self.seat:
            head["for"] = self.seat
        return {**head, **self.given, **chosen}

    def moves(self) -> Iterator[dict[str, Any]]:
        """Every complete move of this offer, for fields whose values are listed; none if it is
        refused.
        """
        if self.refusal is None:
            yield from self._complete({}, 0)

    def _complete(self, chosen: dict[str, Any], at: int) -> Iterator[dict[str, Any]]:
        if at == len(self.fields):
            yield self.raw(chosen)
            return
        one = self.fields[at]
        for value in self.values(one.key, chosen) or ():
            yield from self._complete({**chosen, one.key: value}, at + 1)


class Branch(NamedTuple):
    """One way a move may turn out: what happens (`Say`), its chance as (favourable, of), and what
    it does.

    `path` is what each die decides, in their order; `what` is the last of it, or stands alone where
    none is thrown.
    """

    what: Say
    chance: tuple[int, int]
    effects: tuple[Effect, ...]
    after: Any
    path: tuple[Say, ...] = ()


class Standing(NamedTuple):
    """A line of the final standings."""

    seat: str
    points: int
    rank: int
    facts: Mapping[str, Any]


@runtime_checkable
class Ruled(Protocol):
    """What a title gives beside `Title` whose rules are shown as they stand in its folder."""

    def rules_text(self) -> str:
        """Numbered rules in the language of now (`engine.language.text_of_file`).

        `## 1 Chapter`, `- 1.1 paragraph`, *Ruling:* where one decides, `keys` in backquotes.
        Numbers and keys are the same in every language.
        """
        ...


@runtime_checkable
class Varied(Ruled, Protocol):
    """What a title gives beside `Title` whose scenarios, and amendments in play, change the numbers
    of its rules.
    """

    def scenario_name(self, scenario: Any) -> str:
        """What a campaign of this scenario plays."""
        ...

    def scenario_now(self, position: Any) -> Any:
        """The scenario as `speak` and its kin want it, with the rules that are in force in this
        position.
        """
        ...

    def rules_changed(self, scenario: Any) -> Sequence[int]:
        """The turns since which the rules of `scenario_now` were otherwise than before, ascending;
        none without amendments.
        """
        ...

    def scenario_at(self, scenario: Any, turn: int) -> Any:
        """The scenario as it was told in a turn."""
        ...

    def rules_of(self, scenario: Any) -> str:
        """`Ruled.rules_text` with the numbers of this scenario; what differs from the usual is
        `differing`.
        """
        ...


DIFFERS, AMENDED, NOTED, ENDS = "\ue000", "\ue001", "\ue002", "\ue003"
"""Signs within a rules text: `DIFFERS note NOTED text ENDS`, or with AMENDED where it was changed
in play. No name has them.
"""
_SIGNS = str.maketrans("", "", DIFFERS + AMENDED + NOTED + ENDS)


def differing(text: str, note: str, amended: bool = False) -> str:
    """A part of a rules text that differs from the usual rules; the note says from what."""
    return f"{AMENDED if amended else DIFFERS}{plain(note)}{NOTED}{text}{ENDS}"


def plain(text: str) -> str:
    """The text without these signs."""
    return text.translate(_SIGNS)


@runtime_checkable
class Situated(Protocol):
    """What a title gives beside `Title` whose rules come with worked examples (`manage.py
    situations`).
    """

    def situation(self, raw: object, options: Any) -> Any:
        """The position that an example tells, with the title's defaults for what it leaves out; raw
        options may stand in it and win over `options`. Raises `MalformedRecord`.
        """
        ...


@runtime_checkable
class Peopled(Protocol):
    """What a title gives beside `Title` whose accounts and provinces are held by others than its
    seats, too.
    """

    def holder_name(self, scenario: Any, holder: str) -> str:
        """The name for people of a holder of `Rows` or of an effect; the holder itself where there
        is none.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """What a title gives beside `Title` whose moves bring about more than their line in the log
    says.
    """

    def tells(self, effect: Effect) -> bool:
        """Does this effect, spoken by its cause, stand as a note beside its line?"""
        ...


@runtime_checkable
class Deciding(Protocol):
    """A title whose answers to challenges throw dice."""

    def decided(self, scenario: Any, effects: Iterable[Effect]) -> Sequence[str]:
        """Return a sentence for each decision of dice before the battle, from the effects of its
        answer.
        """
        ...


@runtime_checkable
class Discreet(Protocol):
    """What a title gives beside `Title` where a move that everybody hears names what only some may
    know.
    """

    def spoken(self, move: Mapping[str, Any], effects: Iterable[Effect]) -> Mapping[str, Any]:
        """The move in record form for a reader of these effects: without the keys that would tell
        them more than its `move_line` does.
        """
        ...


@runtime_checkable
class Drawn(Protocol):
    """What a title gives beside `Title` whose scenarios people may write themselves, with a map
    drawn for them.
    """

    def scenario_faults(self, raw: object) -> list[MalformedRecord]:
        """All that is wrong with a scenario object, each fault with its key; empty for one that
        `Title.scenario` reads.
        """
        ...

    def scenario_warnings(self, raw: object) -> list[MalformedRecord]:
        """What a scenario object may say and its author hardly means, each with its key, whether it
        is read or not.
        """
        ...

    def drawing(
        self, scenario: Mapping[str, Any], document: object
    ) -> tuple[str, list[MalformedRecord]]:
        """The one text of a drawing for a scenario object that is read, made of parsed numbers and
        printable names alone; or "" and all that is wrong with it, each fault with its key. The
        text reads back as it is.
        """
        ...

    def as_drawn(self, scenario: Any, drawing: str) -> Any:
        """A scenario that `Title.scenario` has read, its nations spoken of as the text of its
        drawing says.
        """
        ...

    def undrawn(self, scenario: Mapping[str, Any]) -> MalformedRecord | None:
        """Why there is no map of a scenario object that is read and brings no drawing; None where
        the title has or makes one.
        """
        ...


@runtime_checkable
class Editable(Protocol):
    """A title whose scenarios are made act by act. A bundle has `scenario` and `drawing`, as the
    shelf reads them.
    """

    def begun(self, bundle: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The bundle with which a draft begins, its drawing in the house's form; `name` is the
        scenario's, unless empty. Raises `MalformedRecord` with the first fault.
        """
        ...

    def edited(self, bundle: Mapping[str, Any], act: Mapping[str, Any]) -> dict[str, Any]:
        """The bundle after an act. Raises `MalformedRecord` with the field of the act that is
        wrong.
        """
        ...


@runtime_checkable
class Introduced(Protocol):
    """What a title gives beside `Title` to be presented to who does not know it."""

    @property
    def about(self) -> str:
        """A sentence or two."""
        ...

    @property
    def lasts(self) -> str:
        """For how many and how long."""
        ...


class OrderField(NamedTuple):
    """A part of a standing order: key, name, the values it may take with their names for people,
    one or `several` of them, and a line of help. A part of several may be left empty, one of one
    may not.
    """

    key: str
    name: str
    values: Sequence[tuple[str, str]]
    several: bool = False
    help: str = ""


class OrderKind(NamedTuple):
    """A kind of standing order that a seat may give: key, name, what it does in a line, its rule,
    its parts; whether it may wait until the seat's time is up (`timed`), or speaks at once always.
    """

    key: str
    name: str
    about: str
    rule: str
    fields: tuple[OrderField, ...] = ()
    timed: bool = True


class Ordered(NamedTuple):
    """What a standing order would say to a question that is open now.

    `order` is its place among the orders, `question` tells this question apart from every other of
    the campaign ("attack-3"), `move` is the seat's own move in record form, `contest` the one it
    concerns, if any.
    """

    order: int
    question: str
    move: Mapping[str, Any]
    contest: int | None = None


@runtime_checkable
class StandingOrders(Protocol):
    """What a title gives beside `Title` whose seats may leave orders for when they are asked and
    away.

    An order is JSON: `kind` and that kind's parts, a list where several may be chosen. The table
    keeps a seat's orders where only its holder and the game master see them, asks `said_by_orders`
    when something is asked of the seat, and makes the first move for each question that the rules
    allow, as the seat's own. Nothing here changes a position.
    """

    def order_kinds(self, position: Any, seat: str) -> Sequence[OrderKind]:
        """What may be ordered for this seat now, in the language of now; empty where nothing can
        be.
        """
        ...

    def read_order(self, position: Any, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The order in its one form. Raises `IllegalMove` with `bad-argument` where it can never
        mean anything. That a card is not in the hand yet, or a province not owned, is no reason to
        refuse it: it is looked at again when it would act.
        """
        ...

    def order_line(self, scenario: Any, order: Mapping[str, Any]) -> str:
        """What it says, in the language of now."""
        ...

    def said_by_orders(
        self, position: Any, seat: str, orders: Sequence[Mapping[str, Any]]
    ) -> Sequence[Ordered]:
        """What the orders say to each question open to the seat, the most particular first; whether
        the rules allow it is not asked here.
        """
        ...


@runtime_checkable
class Lapsing(Protocol):
    """What a title gives beside `Title` where the table may go on without whom it waits for
    (`campaign.clocks`).
    """

    def lapse(self, position: Any, waiting: Waiting) -> dict[str, Any] | None:
        """The move in record form that stands for somebody whose time is over, the game master's
        `for` their seat: a slot ends, a challenge is accepted. None where nothing does.
        """
        ...


class Stretch(NamedTuple):
    """A part of the turn that is still to come: what it is (a phrase, rendered by `words`), whom it
    needs, and how many slots it takes, one after the other. Of several seats nobody knows the order
    yet. `open`: the table waits for it now; `maybe`: it may not come to it.
    """

    what: Say
    seats: tuple[str, ...]
    slots: int = 1
    open: bool = False
    maybe: bool = False


@runtime_checkable
class Coursed(Protocol):
    """What a title gives beside `Title` whose turns take another course than a slot of each seat in
    the view's `order`.
    """

    def course(self, position: Any) -> Sequence[Stretch]:
        """What the turn still needs, in its order, as everybody may know it; empty where no turn
        runs.
        """
        ...


class RuleNumber(NamedTuple):
    """One number of the rules in force. `path` leads to it in the data of the rules: keys, and
    places in tables, with points between; `rule` is the paragraph that it serves, `unit` what it
    counts (`actions` go in halves), `meaning` says what it is.
    """

    path: str
    rule: str
    unit: str
    meaning: str
    value: Any


class WouldHave(NamedTuple):
    """What another number would have done to what was played: a heading with its count, and a line
    each.
    """

    heading: str
    lines: tuple[str, ...]


@runtime_checkable
class Proposing(Protocol):
    """A title whose founding proposes options that differ from what a record without them means."""

    proposed: Mapping[str, Any]


def proposed_options(title: object) -> dict[str, Any]:
    """Return the options in record form that founding proposes for this title."""
    return dict(title.proposed) if isinstance(title, Proposing) else {}


RULES_EDITION = "rules_edition"
"""The option of a record that is played by an earlier edition of the rules."""


@runtime_checkable
class Revised(Protocol):
    """A title whose rules have changed without an option that keeps the earlier meaning.

    Each such change begins an edition of the rules, counted from 1. A record without the option
    `rules_edition` is played by the current edition.
    """

    edition: int


def current_edition(title: object) -> int:
    """Return the edition of the title's rules by which new campaigns are played."""
    return title.edition if isinstance(title, Revised) else 1


def read_edition(parts: Mapping[str, Any], current: int) -> int:
    """Return the edition that the options of a record name. Raises `MalformedRecord`."""
    edition = parts.get(RULES_EDITION, current)
    if type(edition) is not int or not 1 <= edition <= current:
        raise MalformedRecord(f"options.{RULES_EDITION}", "whole", least=1, most=current)
    return edition


def with_edition(title: object, options: Mapping[str, Any], edition: int) -> dict[str, Any]:
    """Return the options in record form of a campaign that was founded under this edition of the
    rules.
    """
    return {**({RULES_EDITION: edition} if edition != current_edition(title) else {}), **options}


def options_of_genesis(title: object, genesis: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options in record form of a campaign whose log begins with this entry.

    An entry that names no edition was written under the first one.
    """
    return with_edition(title, genesis["options"], genesis.get("edition", 1))


@runtime_checkable
class Amendable(Protocol):
    """A title whose rules may change in play, by its move `amend`, whose `rules` are merged over
    those in force.
    """

    def documented(self, guide: str) -> str:
        """The text of the guide to scenarios with all its numbers, as the rules have them."""
        ...

    def rule_numbers(self, position: Any) -> Sequence[RuleNumber]:
        """The numbers that may change one by one, in the order of the rules."""
        ...

    def amendment(self, position: Any, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """The `rules` of the move, from new numbers by their paths."""
        ...

    def amended(self, position: Any, rules: Mapping[str, Any]) -> Any:
        """The position with these rules merged over those in force; the one given stays as
        it is.
        """
        ...

    def would_have_changed(
        self,
        steps: Iterable[tuple[Any, Mapping[str, Any], Sequence[Effect]]],
        position: Any,
        rules: Mapping[str, Any],
    ) -> Sequence[WouldHave]:
        """What these rules, merged over those in force at `position`, would have done to what was
        played: counted, not played again. `steps`: the position before each move, the move, its
        effects.
        """
        ...


@runtime_checkable
class Portable(Protocol):
    """A title whose campaigns go on elsewhere from a sheet, and are taken over from one by its move
    `resume`.
    """

    def sheet(
        self, position: Any, sees: Callable[[str], bool], why: str
    ) -> tuple[list[list[str]], dict[str, Any]]:
        """How the campaign stands: rows of cells for a spreadsheet, and the move, with `why` as its
        reason. `sees` asks whether the reader may see a seat's hand.
        """
        ...

    def read_sheet(self, position: Any, text: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        """The move of a sheet as a spreadsheet or `sheet` writes it, over how the campaign begins;
        place and sentence of all that cannot be read.
        """
        ...

    def sheet_faults(self, position: Any, move: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Place and sentence of all that the rules find wrong in the move."""
        ...

    def next_order(self, position: Any) -> Sequence[str]:
        """The seats in the order in which they play the next turn."""
        ...


@runtime_checkable
class Unhoused(Protocol):
    """A title some of whose moves the table has no place for: they are played from records only."""

    def only_in_records(self, position: Any, move: Move) -> bool:
        """Is it one of these, here?"""
        ...


@runtime_checkable
class Agreeing(Protocol):
    """What a title gives beside `Title` whose contests are fought elsewhere, so that their players
    say how they ended.

    `known` are the facts of a contest (`Rows.contests`), `raw` is the move that would enter its
    result, in record form.
    """

    def claimable(self, raw: Mapping[str, Any]) -> bool:
        """May a player claim it? What may not is the game master's to enter."""
        ...

    def agreement_of(self, raw: Mapping[str, Any]) -> str:
        """What both players must have agreed to before; empty where nothing is needed."""
        ...

    def contest_of(self, raw: Mapping[str, Any]) -> int:
        """The number of the contest whose result it enters; asked only where an agreement is
        needed.
        """
        ...

    def agreeable(self, known: Mapping[str, Any]) -> Sequence[str]:
        """What the two may agree to now."""
        ...


class Title(Protocol):
    """A game that the site hosts, with everything that the site asks about it.

    `format` is its record format with the rules' edition ("grand-campaign/1").

    Optional: `default_scenario`, the scenario of a record that names none (without it a record must
    name one); what `Ruled`, `Varied`, `Situated`, `Peopled`, `Telling`, `Discreet`, `Introduced`,
    `StandingOrders`, `Lapsing`, `Coursed`, `Amendable`, `Portable`, `Editable`, `Unhoused` and
    `Agreeing` say.
    """

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def accounts(self) -> Sequence[Account]: ...

    # Parts; None for a part that the title does not have.
    @property
    def reporter(self) -> Reporter | None: ...
    @property
    def players(self) -> Players | None: ...
    @property
    def pages(self) -> Pages | None:
        """The page on which the title is played; without it the title uses the table's pages."""
        ...

    @property
    def founding(self) -> Founding | None: ...
    @property
    def lesson(self) -> Lesson | None: ...

    # Records
    def scenario(self, raw: object) -> Any: ...
    def options(self, raw: object) -> Any: ...
    def last_link(self, scenario: Any) -> int: ...
    def check_roll(self, scenario: Any, options: Any, purpose: str, value: object) -> None: ...
    def hides(self, options: Any) -> bool: ...  # is there anything that only some seats may see?
    def setup(self, scenario: Any, options: Any) -> Any: ...
    def decode(self, raw: object, position: Any) -> Move: ...
    def state(self, position: Any) -> dict[str, Any]: ...

    # The table
    def scenarios(self) -> Mapping[str, Mapping[str, Any]]: ...
    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]: ...
    def rows(self, position: Any) -> Rows: ...
    def view(self, position: Any, seat: str | None) -> dict[str, Any]: ...
    def waiting(self, position: Any) -> Sequence[Waiting]: ...
    def offers(self, position: Any, seat: str, by: str | None = None) -> Sequence[Offer]: ...
    def expand(self, position: Any, move: Move) -> Sequence[dict[str, Any]]: ...
    def branches(self, position: Any, move: Move) -> Sequence[Branch]: ...
    def audience(self, position: Any, move: Move) -> tuple[str, ...] | None: ...
    def links_due(self, position: Any) -> int: ...
    def score(self, position: Any) -> Sequence[Standing] | None: ...

    # Words, rendered when read
    @property
    def own_words(self) -> Mapping[str, str]:
        """What this title calls a `turn` ("year"), `turns` and a `campaign` ("reign"), and further
        keys of `games.registry.words`; what is left out keeps the table's own word.
        """
        ...

    def speak(self, scenario: Any, phrase: Say) -> str: ...
    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str: ...
    def claimed_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        """Return the line of a result that players agreed on: a sentence without a speaker."""
        ...

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str: ...
    def roll_line(self, scenario: Any, roll: Roll) -> str: ...

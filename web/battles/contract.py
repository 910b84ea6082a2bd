"""The interface of a title to the pages of battles: its forms for results and for answers.

Its words for battles belong to `games.contract.battles`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from battles.models import Claim
from campaign.log.selectors import Line
from campaign.models import LogEntry
from games.contract.battles import BattleStage, ResultInWords
from games.contract.plain import Known, RawMove
from people.models import User
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome

FormValues = Mapping[str, str]
"""The fields typed in a form of results: `by`, `attacker`, `defender`, `side`, `line`."""


class RuleText(NamedTuple):
    """A sentence and the paragraph of the rules that it follows from."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class LedBattle:
    """A running battle in which a nation leads independents."""

    number: int
    url: str
    where: str


@dataclass(frozen=True, slots=True)
class Commands:
    """The number of times that a nation leads independents: in running battles, and in all."""

    key: str
    name: str
    battles: tuple[LedBattle, ...]
    total: int
    led_last: bool


@dataclass(frozen=True, slots=True)
class BattleRecord:
    """The contents of the log about a battle, except its moves.

    `acts` begin with the oldest, `claims` with the latest. `may_enter` is true if the reader may
    enter or claim the result, `agreed` if both sides have agreed to fight at sea, and `is_solo` if
    one side plays the battle alone. `substitutes` are the users who fight in place of a holder, by
    seat. `by_model` is true if the title's model decides the battle, so that no one plays it.
    """

    acts: Sequence[LogEntry]
    claims: Sequence[Claim]
    may_enter: bool
    agreed: bool
    is_solo: bool
    substitutes: Mapping[str, User]
    by_model: bool = False

    @property
    def claim_that_waits(self) -> Claim | None:
        return self.claim_in_force(is_running=True)

    def claim_in_force(self, *, is_running: bool) -> Claim | None:
        """Return the pending claim of a running battle, or the applied claim of a resolved one."""
        states = ("open", "disputed") if is_running else ("confirmed", "judged")
        return next((claim for claim in self.claims if claim.state in states), None)


@dataclass(frozen=True, slots=True)
class TypedAnswer:
    """An answer to a challenge as it was typed.

    `shown` is the signature of the answer whose consequences the page showed.
    """

    choice: str = ""
    cards: tuple[str, ...] = ()
    shown: str = ""

    @property
    def signature(self) -> str:
        """Text that identifies the choice and its cards.

        An answer is only given if the page has shown its consequences.
        """
        return " ".join([self.choice, *sorted(self.cards)])

    @property
    def was_shown(self) -> bool:
        return self.shown == self.signature


@dataclass(frozen=True, slots=True)
class TypedOnPage:
    """The reader's input on the page of a battle.

    `result` is empty and `answer` is None if nothing was typed there. `opens_answer` is true if
    the address asks for the form of the answer.
    """

    result: FormValues
    answer: TypedAnswer | None = None
    opens_answer: bool = False


class Reading(Protocol):
    """The facts read from a result line of the forum."""

    @property
    def shares(self) -> tuple[object, object] | None:
        """Return the numbers of attacker and defender; None if they could not be read."""


class TitleBattle(Protocol):
    """The part of a battle's page that the title adds."""

    @property
    def steps(self) -> Sequence[BattleStage]: ...
    @property
    def is_answer_open(self) -> bool:
        """Return whether the page has the form that answers the challenge."""

    @property
    def first_task(self) -> str:
        """Return the template of the reader's own task, which is above everything else.

        It is empty if the battle does not wait for the reader.
        """

    @property
    def asks_something(self) -> bool:
        """Return whether the title shows a form or the result."""


class BattleForms(Protocol):
    """A title's forms for the results of battles and for answers to challenges."""

    def commands(self, table: TableContext) -> list[Commands]: ...
    def result_move(self, number: int, form_values: FormValues) -> RawMove | None: ...
    def missing(self, form_values: FormValues) -> RuleText: ...
    def claimed(self, table: TableContext, known: Known, raw: RawMove) -> ResultInWords: ...
    def takes_shares(self, known: Known) -> bool: ...
    def agreements(self, known: Known) -> dict[str, RuleText]: ...
    def answer_move(
        self, number: int, by: Mapping[str, str], answer: TypedAnswer
    ) -> RawMove | None: ...
    def pasted(
        self, table: TableContext, known: Known, form_values: FormValues
    ) -> tuple[FormValues, Reading | None]: ...
    def page(
        self,
        table: TableContext,
        known: Known,
        moves: Sequence[Line],
        typed: TypedOnPage,
        outcome: ActionOutcome | None,
        record: BattleRecord,
    ) -> TitleBattle: ...

"""Battles of a title that its players fight outside the site: stages, results and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, runtime_checkable

from games.contract.plain import Known
from games.contract.report import Contents, Report


class BattleStage(NamedTuple):
    """A stage in the life of a battle.

    `at` is when it was reached, `note` how, and `state` is `done`, `now` or empty.
    """

    name: str
    note: str
    at: datetime | None
    state: str

    @property
    def is_now(self) -> bool:
        """Whether the battle is in this stage."""
        return self.state == "now"


@dataclass(frozen=True, slots=True)
class ResultInWords:
    """A result in the title's words.

    `shares` are the name and the number of each side if the result has two numbers, and `plane` is
    the picture of these numbers.
    """

    sentence: str = ""
    because: str = ""
    rule: str = ""
    shares: tuple[tuple[str, str], ...] = ()
    plane: str = ""

    @property
    def numbers(self) -> str:
        """Return both numbers in one text; empty if the result has none."""
        return "–".join(number for _name, number in self.shares)

    @property
    def side_numbers(self) -> tuple[str, str]:
        """Return the numbers of attacker and defender; empty texts if the result has none."""
        if not self.shares:
            return "", ""
        (_attacker, first), (_defender, second) = self.shares
        return first, second


class BattleWords(Protocol):
    """The words of a title for a battle, in the current language.

    `scenario` is the scenario as the title has parsed it (`Title.scenario`).
    """

    def state_word(self, scenario: Any, known: Known) -> tuple[str, str]:
        """Return the state in a word or two, and its tone: `good`, `warn` or empty.

        `ready` in the known facts says that the battle is set up in the game.
        """
        ...

    def side_nation(self, known: Known, side: str) -> str:
        """Return the key of the seat whose colours a side has, or `independent`."""
        ...

    def side_name(self, scenario: Any, known: Known, side: str) -> str:
        """Return the name of a side: its nation, or the independent province."""
        ...

    def where(self, scenario: Any, known: Known) -> str:
        """Return "source → target", or the name of the only place."""
        ...

    def kind_word(self, known: Known) -> str:
        """Return the kind of the battle in a word or two."""
        ...


@runtime_checkable
class WithSieges(Protocol):
    """A title in which a battle may lead to a siege."""

    def is_siege(self, position: Any, number: int) -> bool:
        """Return whether a victory of the attacker in a running battle leads to a siege."""
        ...


@runtime_checkable
class WithBattles(Protocol):
    """A title with its own words for battles, and with reports that say how to set each one up.

    `contests` are those of a position (`Rows.contests`).
    """

    @property
    def battle_words(self) -> BattleWords:
        """The words for battles, in the current language."""
        ...

    def setup_contents(self, scenario: Any, contests: Mapping[int, Known]) -> Sequence[Contents]:
        """Return the set-up reports of the battles that are being fought, the latest first.

        The key of each is `setup-` and the number of the battle.
        """
        ...

    def setup_report(
        self,
        scenario: Any,
        contests: Mapping[int, Known],
        number: int,
        campaign: str,
        players: Mapping[str, str],
    ) -> Report | None:
        """Return how both players set up a battle; None if it is not being fought.

        Args:
            scenario: The scenario as the title has parsed it.
            contests: The contests of the position.
            number: The number of the battle.
            campaign: The name of the campaign.
            players: The names of the users who hold seats, by seat.
        """
        ...

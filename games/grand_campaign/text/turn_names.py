"""The names of nations, players and independents in the sentences of a turn report."""

from __future__ import annotations

from collections.abc import Mapping

from engine.language import Name
from games.contract.report import Span, Spans
from games.grand_campaign.rules.position import Attack
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import Value, fill_spans


class TurnNames:
    """The names of the seats of a campaign, with the names of those who play them.

    In prose, a nation has its colour only at the first time.
    """

    def __init__(
        self, scenario: Scenario, people: Mapping[str, str], is_prose: bool = False
    ) -> None:
        self.scenario = scenario
        self.people = people
        self.is_prose = is_prose
        self.introduced: set[str] = set()
        self.coloured: set[str] = {"gm"}

    def nation(self, key: str) -> Span:
        """Return a nation's name in its colour."""
        seat = "" if key in self.coloured else key
        if self.is_prose:
            self.coloured.add(key)
        return Span(words.nation_name(self.scenario, key), seat=seat)

    def player(self, key: str) -> Spans:
        """Return the player of a nation as "Ingrid (Huns)", or the nation without a player."""
        if key not in self.people:
            return (self.nation(key),)
        nation = self.nation(key)
        label = nation._replace(text=str(nation.text))
        return self._sided("player", player=Span(person(self.people[key])), nation=label)

    def army(self, key: str) -> Spans:
        """Return "the Huns under Ingrid" at the first time, then "the Huns"."""
        if key in self.introduced or key not in self.people:
            return (self.nation(key),)
        self.introduced.add(key)
        return self._sided("army", nation=self.nation(key), player=self.people[key])

    def province(self, key: str | None) -> Span:
        return Span(words.province_name(self.scenario, key))

    def independents(self, leader: Spans | None) -> Spans:
        """Return the independents with the nation or player that leads them."""
        independents = Span(Name.parse(str(REPORT.read()["sides"]["independents"])))
        if leader is None:
            return (independents,)
        return self._sided("led", independents=independents, leader=leader)

    def opponent(self, attack: Attack) -> Spans:
        """Return the defender of an attack with the name of its player."""
        if attack.defender is not None:
            return self.player(attack.defender)
        return self.independents(self.player(attack.leader) if attack.leader else None)

    def opposing_army(self, attack: Attack) -> Spans:
        """Return the defender of an attack as in a chronicle."""
        if attack.defender is not None:
            return self.army(attack.defender)
        return self.independents((self.nation(attack.leader),) if attack.leader else None)

    @staticmethod
    def _sided(key: str, **named: Value) -> Spans:
        return fill_spans(str(REPORT.read()["sides"][key]), **named)


def person(typed: str) -> Name:
    """Return the name of a person, which is singular and has no article."""
    name = Name(typed)
    name.many, name.the = False, False
    return name

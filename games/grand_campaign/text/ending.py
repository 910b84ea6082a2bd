"""The end of a campaign: who won and how, the story of its turns, and each nation's course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.language import Name, sentence
from games.contract.ending import (
    CampaignEnding,
    EndChapter,
    EndNumber,
    SeatCourse,
    SeatValues,
    TurnChart,
)
from games.grand_campaign.rules.position import Position, final_points
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.ending_texts import ENDING
from games.grand_campaign.text.story import Level, StoryBattle, Turn, Turns

MOST_CHANGES, MOST_BATTLES = 4, 3
"""The most sentences about provinces, and about battles, in a turn of the story."""
OF_DEFENDER = ("defender", "naval-repulse")
"""The outcomes of an attack that the defender has won."""
Levels = Mapping[str, Level]


class Course(NamedTuple):
    """A nation's numbers at the start and at the end of each turn, and its battles.

    The last number of the points is that before the final scoring. `ranks` are its places after
    each turn.
    """

    points: Sequence[int]
    provinces: Sequence[int]
    income: Sequence[int]
    ranks: Sequence[int]
    won: int
    lost: int


class _Ending:
    """A writer of the end of a campaign."""

    def __init__(self, position: Position, turns: Turns, seat: str) -> None:
        self.position, self.seat = position, seat
        self.game: Scenario = position.scenario.amended(position.amendments)
        self.turns = [turn for turn in turns.turns if turn.number]
        self.standings: Sequence[Mapping[str, Any]] = position.standings or []
        self.scoring = {
            key: sum(amount for _cause, amount in final_points(position, key))
            for key in position.nations
        }
        self.levels = [turns.start, *(turn.levels for turn in self.turns)]
        self.levels[-1] = {
            key: level._replace(points=level.points - self.scoring[key])
            for key, level in self.levels[-1].items()
        }
        self.courses = {line["nation"]: self.course(line["nation"]) for line in self.standings}
        self.winners = [line["nation"] for line in self.standings if line["rank"] == 1]
        self.used: dict[str, int] = {}

    # Words ----------------------------------------------------------------------------------------

    def text(self, path: str) -> Any:
        """Return a text of the table, a plural, or a list of wordings."""
        text: Any = ENDING.read()
        for key in path.split("/"):
            text = text[key]
        return text

    def write(self, path: str, **facts: object) -> str:
        """Return a sentence of the table; among several wordings, the next one."""
        text = self.text(path)
        if isinstance(text, list):
            number = self.used.get(path, 0)
            self.used[path] = number + 1
            text = text[number % len(text)]
        return sentence(text, **facts)

    def counted(self, path: str, n: int) -> str:
        """Return the form of a plural for `n`."""
        return str(self.text(path).form(n)).format(n=n)

    def name(self, key: str | None) -> Name:
        return words.nation_name(self.game, key)

    # Numbers --------------------------------------------------------------------------------------

    def course(self, key: str) -> Course:
        """Return the numbers of a nation, turn by turn."""
        battles = [attack for turn in self.turns for attack in turn.attacks]
        return Course(
            points=[level[key].points for level in self.levels],
            provinces=[level[key].provinces for level in self.levels],
            income=[level[key].income for level in self.levels],
            ranks=[ranks(level)[key] for level in self.levels[1:]],
            won=sum(has_won(battle, key) for battle in battles),
            lost=sum(has_lost(battle, key) for battle in battles),
        )

    def turning_point(self, key: str) -> int | None:
        """Return the place of the turn that changed most for a nation; None if nothing changed.

        Only turns in which its own numbers changed are considered. A change counts the victory
        points, compared to the mean of all nations, and two points for each province, as a conquest
        does (9.8).
        """
        weights = []
        for before, after in zip(self.levels, self.levels[1:], strict=False):
            gains = {nation: after[nation].points - before[nation].points for nation in after}
            mean = sum(gains.values()) / len(gains)
            provinces = after[key].provinces - before[key].provinces
            has_changed = gains[key] or provinces
            weights.append(abs(gains[key] - mean + 2 * provinces) if has_changed else 0)
        largest = max(weights, default=0)
        return weights.index(largest) if largest else None

    # Parts ----------------------------------------------------------------------------------------

    def heading(self) -> str:
        if len(self.winners) > 1:
            return self.write("shared")
        (winner,) = self.winners
        path = "own-victory" if winner == self.seat else "victory"
        return self.write(path, nation=self.name(winner))

    def lede(self) -> Iterator[str]:
        """Yield who won and how, and what the reader's nation achieved."""
        yield self.result()
        if len(self.winners) == 1:
            yield self.before_scoring(self.winners[0])
        if self.seat and self.seat not in self.winners:
            yield from self.own_result()

    def result(self) -> str:
        """Return the sentence about the final standings."""
        first, *others = self.standings
        points = first["victory_points"]
        if len(self.winners) > 1:
            names = words.listed_all([str(self.name(key)) for key in self.winners])
            return self.write("equal", names=names, points=points)
        second = others[0]
        named = {"nation": self.name(first["nation"]), "rival": self.name(second["nation"])}
        gap = points - second["victory_points"]
        if not gap:
            return self.write("by-income", points=points, **named)
        path = "won/you" if first["nation"] == self.seat else "won/other"
        return self.write(path, points=points, gap=gap, **named)

    def before_scoring(self, winner: str) -> str:
        """Return whether the final scoring changed the winner."""
        leaders = leading(self.levels[-1])
        if winner in leaders:
            return self.write("scoring/confirmed", nation=self.name(winner))
        return self.write("scoring/decided", rival=self.name(leaders[0]))

    def own_result(self) -> Iterator[str]:
        """Yield the place of the reader's nation, and the best that it achieved."""
        line = next(line for line in self.standings if line["nation"] == self.seat)
        gap = self.standings[0]["victory_points"] - line["victory_points"]
        yield self.write(
            "own-place",
            rank=line["rank"],
            of=len(self.standings),
            points=line["victory_points"],
            gap=gap,
        )
        course, nation = self.courses[self.seat], self.position.nations[self.seat]
        most, decided = max(course.provinces), course.won + course.lost
        if nation.fallen and nation.fell:
            yield self.write("own-fell", turn=nation.fell)
        led = [leading(level) == [self.seat] for level in self.levels[1:]]
        if any(led):
            yield self.write("own-led", turn=self.turns[last_place(led, True)].number)
        elif most > course.provinces[0]:
            turn = self.turns[course.provinces.index(most) - 1].number
            yield self.write("own-height", turn=turn, most=most)
        elif course.won and 2 * course.won >= decided > 1:
            yield self.write("own-battles", won=course.won, all=decided)
        elif not nation.fallen:
            yield self.write("own-held")

    def numbers(self) -> list[EndNumber]:
        """Return the numbers of the reader's nation, otherwise of the first winner."""
        key = self.seat or self.winners[0]
        line = next(line for line in self.standings if line["nation"] == key)
        course = self.courses[key]
        counted = {
            "points": line["victory_points"],
            "provinces": course.provinces[-1],
            "battles": course.won,
        }
        return [EndNumber(n, self.counted(f"numbers/{what}", n)) for what, n in counted.items()]

    # The story ------------------------------------------------------------------------------------

    def prologue(self) -> str:
        """Return how the story began, for the reader's nation if there is one."""
        start = {key: level.provinces for key, level in self.levels[0].items()}
        most = max(start.values())
        largest = [key for key, provinces in start.items() if provinces == most]
        sentences = []
        if len(largest) == 1:
            sentences.append(
                self.write("prologue/largest", nation=self.name(largest[0]), most=most)
            )
        if self.seat:
            name, provinces = self.name(self.seat), start[self.seat]
            sentences.append(self.write("prologue/own", nation=name, provinces=provinces))
        return " ".join(sentences)

    def story(self) -> list[EndChapter]:
        """Return a paragraph about each turn, in order."""
        chapters = []
        for place, turn in enumerate(self.turns):
            sentences = [
                *self.changes(turn),
                *self.fights(turn),
                *self.fallen_nations(turn),
            ] or [self.write("quiet")]
            sentences.append(self.lead(place))
            if turn is self.turns[-1]:
                sentences.append(self.scored())
            chapters.append(EndChapter(turn.number, " ".join(filter(None, sentences)), turn.entry))
        return chapters

    def changes(self, turn: Turn) -> Iterator[str]:
        """Yield a sentence for each nation that took provinces from another, the largest first."""
        groups: dict[tuple[str | None, str | None], list[str]] = {}
        for effect in turn.effects:
            if effect.kind == "holding":
                sides = effect.facts["owner"], effect.facts.get("was")
                groups.setdefault(sides, []).append(effect.subject)
        order = sorted(groups, key=lambda sides: (self.seat not in sides, -len(groups[sides])))
        for owner, loser in order[:MOST_CHANGES]:
            path = "independence" if owner is None else "conquest" if loser else "gain"
            named = [words.province_name(self.game, key) for key in groups[owner, loser]]
            yield self.write(
                path,
                nation=self.name(owner or loser),
                loser=self.name(loser),
                provinces=words.listed_all(named),
            )
        if rest := sum(len(groups[sides]) for sides in order[MOST_CHANGES:]):
            yield self.counted("more", rest)

    def fights(self, turn: Turn) -> Iterator[str]:
        """Yield sentences about battles after which no province changed hands."""
        taken = {effect.subject for effect in turn.effects if effect.kind == "holding"}
        battles = [battle for battle in turn.attacks if battle.target not in taken]
        battles.sort(key=lambda battle: self.seat not in (battle.attacker, battle.defender))
        shown = [(path, battle) for battle in battles if (path := fight_path(battle))]
        for path, battle in shown[:MOST_BATTLES]:
            yield self.write(
                path,
                attacker=self.name(battle.attacker),
                defender=self.name(battle.defender),
                province=words.province_name(self.game, battle.target),
            )

    def fallen_nations(self, turn: Turn) -> Iterator[str]:
        for effect in turn.effects:
            if effect.kind == "seat":
                path = "crumbled" if effect.cause.id == "crumbles" else "fell"
                yield self.write(path, nation=self.name(effect.holder))

    def lead(self, place: int) -> str:
        """Return the sentence about the lead at the end of a turn, before the final scoring."""
        level = self.levels[place + 1]
        leaders = leading(level)
        points = level[leaders[0]].points
        if len(leaders) > 1:
            names = words.listed_all([str(self.name(key)) for key in leaders])
            return self.write("lead/level", names=names, points=points) if points else ""
        (leader,) = leaders
        others = {key: value for key, value in level.items() if key != leader}
        second = max((value.points for value in others.values()), default=0)
        before = leading(self.levels[place])
        named = {"nation": self.name(leader), "points": points, "others": second}
        if not place:
            return self.write("lead/first", **named)
        if leader in before:
            return self.write("lead/kept", **named)
        return self.write("lead/new", rival=self.name(before[0]), **named)

    def scored(self) -> str:
        """Return the sentence about the final scoring; empty if several nations won."""
        first, second, *_others = self.standings
        if len(self.winners) > 1:
            return ""
        return self.write(
            "lead/scored",
            nation=self.name(first["nation"]),
            rival=self.name(second["nation"]),
            points=first["victory_points"],
            others=second["victory_points"],
        )

    # The nations ----------------------------------------------------------------------------------

    def seat_course(self, line: Mapping[str, Any]) -> SeatCourse:
        key = line["nation"]
        course = self.courses[key]
        return SeatCourse(
            seat=key,
            name=self.name(key),
            rank=line["rank"],
            final=line["victory_points"],
            note=words.fall_text(self.position.nations[key]),
            lines=list(self.course_lines(key, course)),
            points=course.points,
        )

    def course_lines(self, key: str, course: Course) -> Iterator[str]:
        """Yield the lines about a nation's course."""
        best = min(course.ranks)
        provinces = course.provinces
        yield self.write(
            "course/provinces", start=provinces[0], most=max(provinces), end=provinces[-1]
        )
        yield self.write("course/battles", won=course.won, lost=course.lost)
        turn = self.turns[last_place(course.ranks, best)].number
        yield self.write("course/height", rank=best, turn=turn)
        place = self.turning_point(key)
        if place is not None:
            yield self.write(
                "course/turning",
                turn=self.turns[place].number,
                points=changed(course.points, place),
                provinces=changed(provinces, place),
            )

    def charts(self) -> list[TurnChart]:
        """Return charts of points, provinces and income, turn by turn."""
        turns = [self.write("charts/turn", turn=turn.number) for turn in self.turns]
        return [
            self.chart(
                "points", "", turns, {key: course.points for key, course in self.courses.items()}
            ),
            self.chart(
                "provinces",
                "",
                turns,
                {key: course.provinces for key, course in self.courses.items()},
            ),
            self.chart(
                "income", "t", turns, {key: course.income for key, course in self.courses.items()}
            ),
        ]

    def chart(
        self, key: str, unit: str, marks: Sequence[str], values: Mapping[str, Sequence[int]]
    ) -> TurnChart:
        seats = [
            SeatValues(nation, self.name(nation), values[nation]) for nation in self.game.order
        ]
        return TurnChart(self.write(f"charts/{key}"), unit, marks, seats)


def ranks(level: Levels) -> dict[str, int]:
    """Return the places of the nations by victory points; equal nations share a place."""
    return {
        key: 1 + sum(other.points > value.points for other in level.values())
        for key, value in level.items()
    }


def leading(level: Levels) -> list[str]:
    """Return the nations with the most victory points, in alphabetical order."""
    most = max(value.points for value in level.values())
    return sorted(key for key, value in level.items() if value.points == most)


def has_won(battle: StoryBattle, key: str) -> bool:
    """Return whether a nation has won this battle."""
    won_by_attacker = battle.attacker == key and battle.outcome == "attacker"
    return won_by_attacker or (battle.defender == key and battle.outcome in OF_DEFENDER)


def has_lost(battle: StoryBattle, key: str) -> bool:
    """Return whether a nation has lost this battle."""
    lost_by_attacker = battle.attacker == key and battle.outcome in OF_DEFENDER
    return lost_by_attacker or (battle.defender == key and battle.outcome == "attacker")


def fight_path(battle: StoryBattle) -> str:
    """Return the key of the sentence about a battle for a province that did not change hands."""
    match battle.outcome:
        case "defender":
            return "stopped" if battle.defender else "failed"
        case "naval-repulse":
            return "at-sea"
        case "attacker":
            return "won-without"
        case "draw":
            return "no-winner"
    return ""


def last_place(values: Sequence[object], wanted: object) -> int:
    """Return the last place at which a value occurs."""
    return len(values) - 1 - list(reversed(values)).index(wanted)


def changed(values: Sequence[int], place: int) -> str:
    """Return the change of a number in a turn, with its sign; "0" if there is none."""
    change = values[place + 1] - values[place]
    return words.signed(change) if change else "0"


def ending(position: Position, turns: Turns, seat: str) -> CampaignEnding:
    """Return the end of a finished campaign for the reader in this seat; "" without a seat."""
    writer = _Ending(position, turns, seat)
    return CampaignEnding(
        seat=seat,
        won=seat in writer.winners if seat else None,
        eyebrow=writer.write("eyebrow", turn=position.turn),
        heading=writer.heading(),
        lede=list(writer.lede()),
        numbers=writer.numbers(),
        prologue=writer.prologue(),
        story=writer.story(),
        courses=[writer.seat_course(line) for line in writer.standings],
        charts=writer.charts(),
    )

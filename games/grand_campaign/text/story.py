"""The story so far for readers who do not play, turn by turn in a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from engine.effects import Effect
from engine.language import gettext as _
from engine.language import pgettext, sentence
from games.contract.plain import Known
from games.contract.story import Chapter, Count, MoveInForce, PositionAfter, Story, StoryStanding
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.rules.turn import Resume
from games.grand_campaign.text import words


class StoryBattle(NamedTuple):
    """An attack at the end of its turn, or now."""

    attacker: str
    defender: str | None
    target: str
    status: str
    outcome: str | None


class Level(NamedTuple):
    """The levels of a nation."""

    points: int
    income: int
    provinces: int
    fallen: bool


class Turn(NamedTuple):
    """The facts of a turn for the story, in no language.

    They are the public effects that make a sentence, and the levels of the nations at the end of
    the turn or now. `number` is 0 before the first turn opens.
    """

    number: int = 0
    closed: bool = False
    entry: int = 0
    """The number of its last public entry."""
    mark: str = ""
    """The hash of its last entry."""
    brought: tuple[tuple[int, str], ...] = ()
    """The turns after which the campaign was taken over from elsewhere, with the reasons."""
    effects: tuple[Effect, ...] = ()
    attacks: tuple[StoryBattle, ...] = ()
    levels: Mapping[str, Level] = {}


class Turns(NamedTuple):
    """The levels with which all nations began, and the turns."""

    start: Mapping[str, Level]
    turns: tuple[Turn, ...]


class _TurnBuilder:
    """A builder of the turns of a log, to which moves are added in order."""

    def __init__(self, turns: Turns, position_after: PositionAfter) -> None:
        self.start, (*self.closed, self.now) = turns
        self.position_after = position_after
        self.last: MoveInForce | None = None

    def add(self, done: MoveInForce) -> None:
        """Add a move."""
        if any((effect.kind, effect.subject) == ("turn", "opened") for effect in done.effects):
            self.open_turn(done)
        if done.content["move"] == Resume.name:
            taken_over = done.content["turn"], done.content["reason"]
            self.now = self.now._replace(brought=(*self.now.brought, taken_over))
            self.start = _levels(self.position_after(done.moves))
        elif done.number is not None:
            effects = filter(_makes_sentence, done.effects)
            self.now = self.now._replace(effects=(*self.now.effects, *effects))
        entry = self.now.entry if done.number is None else done.number
        self.now = self.now._replace(mark=done.mark, entry=entry)
        self.last = done

    def open_turn(self, done: MoveInForce) -> None:
        """Close the present turn before a move, and open the next one."""
        if self.now.number:
            self.closed.append(self.present_turn(done.moves - 1))
            self.now = Turn()
        self.now = self.now._replace(number=self.position_after(done.moves).turn)

    def present_turn(self, moves: int) -> Turn:
        """Return the turn in progress after this number of moves."""
        if self.last is None:
            return self.now
        return _with_levels(self.now, self.position_after(moves))

    def turns(self) -> Turns:
        """Return all turns."""
        moves = self.last.moves if self.last is not None else 0
        return Turns(self.start, (*self.closed, self.present_turn(moves)))


def begin(start: Position) -> Turns:
    """Return the turns of a log without moves."""
    return Turns(_levels(start), (Turn(),))


def continued(turns: Turns, moves: Iterable[MoveInForce], position_after: PositionAfter) -> Turns:
    """Return the turns with further moves."""
    builder = _TurnBuilder(turns, position_after)
    for move in moves:
        builder.add(move)
    return builder.turns()


def _makes_sentence(effect: Effect) -> bool:
    """Return whether an effect makes a sentence."""
    if effect.audience is not None:
        return False
    match effect.kind:
        case "holding":
            return "owner" in effect.facts
        case "seat":
            return effect.subject == "fallen"
        case "card":
            return bool(effect.holder) and _played(effect)
        case "structure":
            return bool(effect.holder) and _built(effect)
    return effect.kind == "event" and bool(effect.holder)


def _with_levels(turn: Turn, after: Position) -> Turn:
    """Return a turn with its attacks and levels by this position, the last of the turn."""
    attacks = tuple(
        StoryBattle(attack.attacker, attack.defender, attack.target, attack.status, attack.outcome)
        for attack in after.attacks
        if attack.turn == turn.number
    )
    return turn._replace(
        closed=after.phase in ("closed", "finished"), attacks=attacks, levels=_levels(after)
    )


def _levels(position: Position) -> dict[str, Level]:
    return {
        key: Level(
            points=nation.victory_points,
            income=nation.income,
            provinces=len(position.provinces_of(key)),
            fallen=nation.fallen,
        )
        for key, nation in position.nations.items()
    }


def story(game: Scenario, turns: Turns) -> Story:
    """Return the story of the moves in force, from public facts."""
    opened = [turn for turn in turns.turns if turn.number]
    chapters = _chapters(game, opened)
    levels = [turns.start, *(turn.levels for turn in opened)]
    return Story(chapters=tuple(reversed(chapters)), stands=tuple(_stands(game, levels)))


def _chapters(game: Scenario, turns: Sequence[Turn]) -> list[Chapter]:
    """Return a chapter for each turn, in order."""
    independent = {key for key, province in game.provinces.items() if province.owner is None}
    chapters = []
    for turn in turns:
        paragraphs = tuple(_paragraphs(game, turn, frozenset(independent)))
        chapters.append(Chapter(turn.number, turn.closed, paragraphs, turn.entry))
        independent |= {
            effect.subject
            for effect in turn.effects
            if effect.kind == "holding" and effect.facts["owner"] is None
        }
    return chapters


def _stands(game: Scenario, levels: Sequence[Mapping[str, Level]]) -> list[StoryStanding]:
    """Return the nations, best first, with their changes since the previous turn.

    `levels` has the levels of the start and of the end of each turn.
    """
    now, before = levels[-1], levels[-2] if len(levels) > 2 else levels[0]
    order = sorted(now, key=lambda key: (-now[key].points, -now[key].income, key))
    return [
        StoryStanding(
            seat=key,
            name=words.nation_name(game, key),
            counts=_counts(now[key], before[key]),
            points=tuple(level[key].points for level in levels),
            note=pgettext("story", "fallen") if now[key].fallen else "",
        )
        for key in order
    ]


def _counts(now: Level, before: Level) -> tuple[Count, Count]:
    """Return the numbers of a nation in the standings."""
    return (
        Count(pgettext("story", "VP"), now.points, now.points - before.points),
        Count(pgettext("story", "Provinces"), now.provinces, now.provinces - before.provinces),
    )


def _paragraphs(game: Scenario, turn: Turn, independent: Set[str]) -> Iterator[str]:
    """Yield the paragraphs of a turn.

    `independent` has the provinces that were independent at some time before it.
    """
    for number, reason in turn.brought:
        yield sentence(
            _("Taken over from elsewhere after turn {n}: “{reason}”"), n=number, reason=reason
        )
    effects = turn.effects
    yield from _joined(_changes_of_owner(game, effects, independent))
    won = {effect.subject for effect in effects if effect.kind == "holding"}
    results = [_fought(game, attack, attack.target in won) for attack in turn.attacks]
    yield from _joined([text for text in results if text])
    yield from _joined([_fall(game, effect) for effect in effects if effect.kind == "seat"])
    yield from _listed(
        game, _("Random events: {what}."), _names_by_nation(effects, "event", words.event_name)
    )
    yield from _listed(
        game, _("Cards played: {what}."), _names_by_nation(effects, "card", words.card_name)
    )
    yield from _listed(
        game, _("Built: {what}."), _names_by_nation(effects, "structure", words.structure_name)
    )


def _changes_of_owner(
    game: Scenario, effects: Sequence[Effect], independent: Set[str]
) -> list[str]:
    """Return a sentence for each province that has changed hands."""
    once_independent, sentences = set(independent), []
    for effect in effects:
        if effect.kind == "holding":
            again = effect.subject in once_independent
            sentences.append(_change(game, effect, again))
            if effect.facts["owner"] is None:
                once_independent.add(effect.subject)
    return sentences


def _fall(game: Scenario, effect: Effect) -> str:
    """Return the sentence that a nation has crumbled or fallen (2.3, 2.9)."""
    text = fall_message(effect.cause.id == "crumbles")
    return sentence(text, nation=words.nation_name(game, effect.holder))


def fall_message(crumbled: bool) -> str:
    """Return the message that a nation crumbles or falls."""
    if crumbled:
        return _("{nation:The} {nation:crumble|crumbles}.")
    return _("{nation:The} {nation:fall|falls}.")


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """Yield a single paragraph of these sentences, if there are any."""
    if texts:
        yield " ".join(texts)


def _change(game: Scenario, effect: Effect, again: bool) -> str:
    """Return the sentence about a province that has changed hands.

    `again` says that it was independent before.
    """
    owner, loser = effect.facts["owner"], effect.facts.get("was")
    return sentence(
        change_message(owner, loser, again),
        province=words.province_name(game, effect.subject),
        nation=words.nation_name(game, owner or loser),
        loser=words.nation_name(game, loser),
    )


def change_message(owner: str | None, loser: str | None, again: bool, several: bool = False) -> str:
    """Return the message about provinces that change hands.

    `again` says that a province was independent before; `several`, that there is more than one.
    """
    if owner is None and several:
        return _("{loser:The} {loser:lose|loses} {province}.")
    if owner is None and again:
        return _("{loser:The} {loser:lose|loses} {province}, which is independent again.")
    if owner is None:
        return _("{loser:The} {loser:lose|loses} {province}, which becomes independent.")
    if loser is None:
        return _("{nation:The} {nation:take|takes} {province}.")
    return _("{nation:The} {nation:take|takes} {province} from {loser:the}.")


def _fought(game: Scenario, attack: StoryBattle, changed: bool) -> str:
    """Return a sentence about an attack, empty if there is nothing to say.

    `changed` says that the province has changed hands, which has its own sentence.
    """
    text = result_message(attack, changed)
    if not text:
        return ""
    return sentence(
        text,
        attacker=words.nation_name(game, attack.attacker),
        defender=words.nation_name(game, attack.defender),
        province=words.province_name(game, attack.target),
    )


def result_message(attack: StoryBattle, changed: bool) -> str:
    """Return the message about an attack, empty if there is nothing to say."""
    if attack.status != "resolved":
        return _(
            "{attacker:The} {attacker:attack|attacks} {province}; the battle has not been decided "
            "yet."
        )
    match attack.outcome:
        case "defender" if attack.defender is not None:
            return _("{defender:The} {defender:beat|beats} {attacker:the} in {province}.")
        case "defender":
            return _("{attacker:The} {attacker:are|is} beaten in {province}.")
        case "draw":
            return _("No one wins in {province}, which {attacker:the} attacked.")
        case "naval-repulse":
            return _("{attacker:The} {attacker:are|is} turned back at sea before {province}.")
        case "attacker" if not changed:
            return _(
                "{attacker:The} {attacker:win|wins} in {province} but {attacker:do|does} not take "
                "it."
            )
        case "withdrawn" if not changed:
            return _(
                "{defender:The} {defender:withdraw|withdraws} before {attacker:the} in {province}."
            )
    return ""


def _played(effect: Effect) -> bool:
    return effect.cause.id.startswith("plays-")


def _built(effect: Effect) -> bool:
    return bool(effect.facts["built"])


def _names_by_nation(
    effects: Sequence[Effect], kind: str, name: Callable[[str], str]
) -> Mapping[str, list[str]]:
    """Return the names of the subjects of effects of this kind, by nation."""
    by_holder: dict[str, list[str]] = {}
    for effect in effects:
        if effect.kind == kind and effect.holder:
            by_holder.setdefault(effect.holder, []).append(name(effect.subject))
    return by_holder


def _listed(game: Scenario, text: str, by_seat: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a paragraph that lists the names by nation, if there are any."""
    if not by_seat:
        return
    nations = [
        sentence(
            _("{nation}: {names}"), nation=words.nation_name(game, key), names=", ".join(names)
        )
        for key, names in by_seat.items()
    ]
    yield sentence(text, what="; ".join(nations))


def outcome_name(known: Known) -> str:
    """Return the outcome of a battle in two words."""
    key = str(known["outcome"] or "")
    return str(words.book()["outcomes"].get(key, key))

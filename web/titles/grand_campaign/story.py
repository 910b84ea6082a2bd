"""The story so far for readers who do not play: turn by turn in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _

from campaign.log import history
from campaign.log.history import BEFORE_ALL, Done, Running
from campaign.log.positions import Retold, scenario
from campaign.models import Campaign
from engine.effects import Effect
from engine.language import sentence
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report_chapters import RESUME
from web.story.page import Chapter, Count, Stand, Story

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


class Fought(NamedTuple):
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
    """A turn as the story needs it, in no language: what everybody may see of it that makes a
    sentence, and how all stood at its end, or stand now. Its `number` is 0 before the first opens.
    """

    number: int = 0
    closed: bool = False
    entry: int = 0
    """The last that everybody sees."""
    mark: str = ""
    """The hash of its last entry."""
    brought: tuple[tuple[int, str], ...] = ()
    """After which turn the campaign was taken over, and why."""
    effects: tuple[Effect, ...] = ()
    attacks: tuple[Fought, ...] = ()
    levels: Mapping[str, Level] = {}


class Turns(NamedTuple):
    """The levels that all began with, and the turns."""

    start: Mapping[str, Level]
    turns: tuple[Turn, ...]


def _carried_on(campaign: Campaign, before: Turns | None, after: int) -> Turns:
    """Return the turns with the moves made since. The first time, the whole log is played once."""
    if before is None:
        road = Retold(campaign)
        before = Turns(_levels(road.start), (Turn(),))
        done = [
            Done(one.number, moves, one.mark, one.content, one.effects)
            for moves, one in enumerate(road.deeds, 1)
        ]
    else:
        done = history.done_since(campaign, after)

    def position(moves: int) -> Position:
        there: Position = (
            history.after(campaign, moves) if after != BEFORE_ALL else road.after(moves - 1)
        )
        return there

    start, (*closed, now) = before
    for at, one in enumerate(done):
        if any((effect.kind, effect.subject) == ("turn", "opened") for effect in one.effects):
            if now.number:
                closed.append(_ended(now, position(one.moves - 1)) if at else now)
                now = Turn()
            now = now._replace(number=position(one.moves).turn)
        if one.content["move"] == RESUME:
            now = now._replace(brought=(*now.brought, (one.content["turn"], one.content["reason"])))
            start = _levels(position(one.moves))
        elif one.number is not None:
            now = now._replace(effects=(*now.effects, *filter(_tells, one.effects)))
        now = now._replace(mark=one.mark, entry=now.entry if one.number is None else one.number)
    return Turns(start, (*closed, _ended(now, position(done[-1].moves)) if done else now))


_turns = Running(_carried_on)


def _tells(effect: Effect) -> bool:
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


def _ended(turn: Turn, after: Position) -> Turn:
    attacks = tuple(
        Fought(one.attacker, one.defender, one.target, one.status, one.outcome)
        for one in after.attacks
        if one.turn == turn.number
    )
    return turn._replace(
        closed=after.phase in ("closed", "finished"), attacks=attacks, levels=_levels(after)
    )


def _levels(position: Position) -> dict[str, Level]:
    return {
        key: Level(one.victory_points, one.income, len(position.provinces_of(key)), one.fallen)
        for key, one in position.nations.items()
    }


def tell_story(campaign: Campaign) -> Story:
    """Return what everyone may see of the moves in force."""
    game = scenario(campaign)
    start, turns = _turns.of_log(campaign)
    there = [turn for turn in turns if turn.number]
    free = frozenset(key for key, province in game.provinces.items() if province.owner is None)
    chapters = []
    for turn in there:
        chapters.append(_chapter(game, turn, free))
        free |= {
            one.subject
            for one in turn.effects
            if one.kind == "holding" and one.facts["owner"] is None
        }
    return Story(
        tuple(reversed(chapters)), tuple(_stands(game, [start, *(turn.levels for turn in there)]))
    )


def _chapter(game: Scenario, turn: Turn, free: frozenset[str]) -> Chapter:
    return Chapter(turn.number, turn.closed, tuple(_paragraphs(game, turn, free)), turn.entry)


def _stands(game: Scenario, levels: Sequence[Mapping[str, Level]]) -> list[Stand]:
    """The nations, the first first; what is new since the turn before opened. The first levels are
    those of the start.
    """
    now, was = levels[-1], levels[-2] if len(levels) > 2 else levels[0]
    order = sorted(now, key=lambda key: (-now[key].points, -now[key].income, key))
    stands = []
    for key in order:
        counts = (
            Count(_("VP"), now[key].points, now[key].points - was[key].points),
            Count(_("Provinces"), now[key].provinces, now[key].provinces - was[key].provinces),
        )
        points = tuple(one[key].points for one in levels)
        stands.append(
            Stand(
                key,
                words.nation_name(game, key),
                counts,
                points,
                _("fallen") if now[key].fallen else "",
            )
        )
    return stands


def _paragraphs(game: Scenario, turn: Turn, free: Set[str]) -> Iterator[str]:
    """Tell the turn; `free` are the provinces that were independent at some time before it."""
    for number, reason in turn.brought:
        yield sentence(
            _("Taken over after turn {n} from elsewhere: “{reason}”"), n=number, reason=reason
        )
    effects = turn.effects
    taken = [effect for effect in effects if effect.kind == "holding"]
    won = {effect.subject for effect in taken}
    changes, once = [], set(free)
    for effect in taken:
        where, owner = effect.subject, effect.facts["owner"]
        changes.append(_change(game, where, owner, effect.facts.get("was"), where in once))
        if owner is None:
            once.add(where)
    yield from _joined(changes)
    yield from _joined(
        [text for attack in turn.attacks if (text := _fought(game, attack, attack.target in won))]
    )
    fallen = [effect for effect in effects if effect.kind == "seat"]
    yield from _joined([_fall(game, effect) for effect in fallen])
    yield from _listed(game, _("Random events: {what}."), _by(effects, "event", words.event_name))
    yield from _listed(game, _("Cards played: {what}."), _by(effects, "card", words.card_name))
    yield from _listed(game, _("Built: {what}."), _by(effects, "structure", words.structure_name))


def _fall(game: Scenario, effect: Effect) -> str:
    """Say that a nation has crumbled, or has fallen without provinces (2.3, 2.9)."""
    crumbled = effect.cause.id == "crumbles"
    text = (
        _("{nation:The} {nation:have|has} crumbled.")
        if crumbled
        else _("{nation:The} {nation:have|has} fallen.")
    )
    return sentence(text, nation=words.nation_name(game, effect.holder))


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """Return one paragraph of these sentences, if there are any."""
    if texts:
        yield " ".join(texts)


def _change(game: Scenario, where: str, owner: str | None, was: str | None, again: bool) -> str:
    """Return the sentence about a province that has another owner."""
    named = {
        "nation": words.nation_name(game, owner or was),
        "loser": words.nation_name(game, was),
    }
    province = words.province_name(game, where)
    if owner is None and again:
        text = _("{loser:The} {loser:lose|loses} {province}, which is independent again.")
    elif owner is None:
        text = _("{loser:The} {loser:lose|loses} {province}, which becomes independent.")
    elif was is None:
        text = _("{nation:The} {nation:take|takes} {province}.")
    else:
        text = _("{nation:The} {nation:take|takes} {province} from {loser:the}.")
    return sentence(text, province=province, **named)


def _fought(game: Scenario, attack: Fought, changed: bool) -> str:
    """An attack that took no province, in a sentence; empty where there is nothing to tell."""
    named = {
        "attacker": words.nation_name(game, attack.attacker),
        "defender": words.nation_name(game, attack.defender),
        "province": words.province_name(game, attack.target),
    }
    if attack.status != "resolved":
        return sentence(
            _("{attacker:The} {attacker:attack|attacks} {province}; it is not decided yet."),
            **named,
        )
    if attack.outcome == "defender" and attack.defender is not None:
        return sentence(
            _("{defender:The} {defender:beat|beats} {attacker:the} in {province}."), **named
        )
    text = {
        "attacker": (
            ""
            if changed
            else _(
                "{attacker:The} {attacker:win|wins} in {province} and {attacker:do|does} not"
                " take it."
            )
        ),
        "defender": _("{attacker:The} {attacker:are|is} beaten in {province}."),
        "draw": _("Nobody wins in {province}, attacked by {attacker:the}."),
        "withdrawn": (
            ""
            if changed
            else _(
                "{defender:The} {defender:withdraw|withdraws} before {attacker:the} in {province}."
            )
        ),
        "naval-repulse": _(
            "{attacker:The} {attacker:are|is} turned back at sea before {province}."
        ),
    }.get(attack.outcome or "", "")
    return sentence(text, **named) if text else ""


def _played(effect: Effect) -> bool:
    return effect.cause.id.startswith("plays-")


def _built(effect: Effect) -> bool:
    return bool(effect.facts["built"])


def _by(effects: Sequence[Effect], kind: str, name: Any) -> Mapping[str, list[str]]:
    """Return the names of what the effects of a kind concern, by nation."""
    by_holder: dict[str, list[str]] = {}
    for effect in effects:
        if effect.kind == kind and effect.holder:
            by_holder.setdefault(effect.holder, []).append(name(effect.subject))
    return by_holder


def _listed(game: Scenario, text: str, by_seat: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if by_seat:
        pairs = [
            sentence(
                _("{nation}: {names}"), nation=words.nation_name(game, key), names=", ".join(names)
            )
            for key, names in by_seat.items()
        ]
        yield sentence(text, what="; ".join(pairs))


def outcome(table: TableContext, known: Mapping[str, Any]) -> str:
    """Return how a battle ended, in two words."""
    return str(words.book()["outcomes"].get(known["outcome"], known["outcome"] or ""))

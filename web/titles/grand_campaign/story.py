"""The story so far for somebody who does not sit at the table: turn by turn in a few sentences, and how all stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from campaign.log.positions import Deed, Retold, scenario
from campaign.models import Campaign
from engine.effects import Effect
from engine.language import sentence
from games.grand_campaign.rules.position import Attack, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report_lines import RESUME
from web.exports.views import Chapter, Count, Stand, Story

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def tell_story(campaign: Campaign) -> Story:
    """What everybody may see of the standing moves; asks one thing and plays them again."""
    road, game = Retold(campaign), scenario(campaign)
    turns = list(_turns(road.deeds))
    ends = [road.after(last) for _first, last in turns]
    brought = next((n for n, deed in enumerate(road.deeds) if deed.content["move"] == RESUME), None)
    start = road.start if brought is None else road.after(brought)
    chapters = []
    for (first, last), after in zip(turns, ends, strict=True):
        number, closed = after.turn, after.phase in ("closed", "finished")
        entries = [deed.number for deed in road.deeds[first : last + 1] if deed.number is not None]
        paragraphs = tuple(_paragraphs(game, road.deeds[first : last + 1], after, number))
        chapters.append(Chapter(number, closed, paragraphs, entries[-1] if entries else 0))
    return Story(tuple(reversed(chapters)), tuple(_stands(game, start, ends)))


def _turns(deeds: Sequence[Deed]) -> Iterator[tuple[int, int]]:
    """First and last deed of each turn; what is said before the start belongs to turn 1."""
    openings = [n for n, deed in enumerate(deeds) if any((e.kind, e.subject) == ("turn", "opened") for e in deed.effects)]
    for place, _at in enumerate(openings):
        first = openings[place] if place else 0
        yield first, (openings[place + 1] if place + 1 < len(openings) else len(deeds)) - 1


def _stands(game: Scenario, start: Position, ends: Sequence[Position]) -> list[Stand]:
    """The nations, the first first; what is new since the turn before opened."""
    now, was = (ends[-1] if ends else start), (ends[-2] if len(ends) > 1 else start)
    order = sorted(now.nations.values(), key=lambda nation: (-nation.victory_points, -nation.income, nation.key))
    stands = []
    for nation in order:
        key = nation.key
        points = [position.nations[key].victory_points for position in (start, *ends)]
        counts = (
            Count(_("VP"), points[-1], points[-1] - was.nations[key].victory_points),
            Count(_("Provinces"), len(now.provinces_of(key)), len(now.provinces_of(key)) - len(was.provinces_of(key))),
        )
        stands.append(Stand(key, words.nation_name(game, key), counts, tuple(points), _("fallen") if nation.fallen else ""))
    return stands


def _paragraphs(game: Scenario, deeds: Sequence[Deed], after: Position, turn: int) -> Iterator[str]:
    for deed in deeds:
        if deed.content["move"] == RESUME:
            yield sentence(
                _("Taken over after turn {n} from elsewhere: “{reason}”"), n=deed.content["turn"], reason=deed.content["reason"]
            )
    shown = [deed for deed in deeds if deed.number is not None and deed.content["move"] != RESUME]
    effects = [effect for deed in shown for effect in deed.effects if effect.audience is None]
    attacks = [attack for attack in after.attacks if attack.turn == turn]
    taken = [effect for effect in effects if effect.kind == "holding" and "owner" in effect.facts]
    won = {effect.subject for effect in taken}
    yield from _joined([_change(game, effect) for effect in taken])
    yield from _joined([text for attack in attacks if (text := _fought(game, attack, attack.target in won))])
    fallen = [effect.holder for effect in effects if effect.kind == "seat" and effect.subject == "fallen"]
    yield from _joined(
        [sentence(_("{nation:The} {nation:have|has} fallen."), nation=words.nation_name(game, key)) for key in fallen]
    )
    yield from _listed(game, _("Random events: {what}."), _by(effects, "event", words.event_name, lambda _effect: True))
    yield from _listed(game, _("Cards played: {what}."), _by(effects, "card", words.card_name, _played))
    yield from _listed(game, _("Built: {what}."), _by(effects, "structure", words.structure_name, _built))


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """One paragraph of these sentences, if there is one."""
    if texts:
        yield " ".join(texts)


def _change(game: Scenario, effect: Effect) -> str:
    """A province that has another owner."""
    owner, was = effect.facts["owner"], effect.facts.get("was")
    named = {"nation": words.nation_name(game, owner or was), "loser": words.nation_name(game, was)}
    province = words.province_name(game, effect.subject)
    if owner is None:
        return sentence(_("{loser:The} {loser:lose|loses} {province}, which is independent again."), province=province, **named)
    if was is None:
        return sentence(_("{nation:The} {nation:take|takes} {province}."), province=province, **named)
    return sentence(_("{nation:The} {nation:take|takes} {province} from {loser:the}."), province=province, **named)


def _fought(game: Scenario, attack: Attack, changed: bool) -> str:
    """An attack that took no province, in a sentence; empty where there is nothing to tell."""
    named = {
        "attacker": words.nation_name(game, attack.attacker),
        "defender": words.nation_name(game, attack.defender),
        "province": words.province_name(game, attack.target),
    }
    if attack.status != "resolved":
        return sentence(_("{attacker:The} {attacker:attack|attacks} {province}; it is not decided yet."), **named)
    if attack.outcome == "defender" and attack.defender is not None:
        return sentence(_("{defender:The} {defender:beat|beats} {attacker:the} in {province}."), **named)
    text = {
        "attacker": "" if changed else _("{attacker:The} {attacker:win|wins} in {province} and {attacker:do|does} not take it."),
        "defender": _("{attacker:The} {attacker:are|is} beaten in {province}."),
        "draw": _("Nobody wins in {province}, attacked by {attacker:the}."),
        "withdrawn": "" if changed else _("{defender:The} {defender:withdraw|withdraws} before {attacker:the} in {province}."),
        "naval-repulse": _("{attacker:The} {attacker:are|is} turned back at sea before {province}."),
    }.get(attack.outcome or "", "")
    return sentence(text, **named) if text else ""


def _played(effect: Effect) -> bool:
    return effect.cause.id.startswith("plays-")


def _built(effect: Effect) -> bool:
    return bool(effect.facts["built"])


def _by(effects: Sequence[Effect], kind: str, name: Any, wanted: Any) -> Mapping[str, list[str]]:
    """Names of what these effects are about, by who has them."""
    by_holder: dict[str, list[str]] = {}
    for effect in effects:
        if effect.kind == kind and effect.holder and wanted(effect):
            by_holder.setdefault(effect.holder, []).append(name(effect.subject))
    return by_holder


def _listed(game: Scenario, text: str, by_seat: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if by_seat:
        pairs = [
            sentence(_("{nation}: {names}"), nation=words.nation_name(game, key), names=", ".join(names))
            for key, names in by_seat.items()
        ]
        yield sentence(text, what="; ".join(pairs))


def outcome(table: TableContext, known: Mapping[str, Any]) -> str:
    """How a battle ended, in two words."""
    return str(words.book()["outcomes"].get(known["outcome"], known["outcome"] or ""))

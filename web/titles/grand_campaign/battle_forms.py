"""The Grand Campaign's part of the pages of battles (`web.battles.contract.BattleForms`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import selectors
from campaign.log.selectors import Line
from engine.language import LANGUAGES, use_language
from engine.language import sentence as put
from games.contract.battles import BattleStage
from games.grand_campaign.rules.attacks import HEAD, NAVAL
from games.grand_campaign.text import battles as words
from games.grand_campaign.text import result_line
from games.grand_campaign.text.army_lists import spellings as known_spellings
from games.grand_campaign.text.battle_stages import Moments, timeline
from games.grand_campaign.text.result_sides import Reading, Side
from games.grand_campaign.text.setup_sheet import SetupLine, plain, setup_sheet
from games.grand_campaign.text.verdicts import Share, written
from games.grand_campaign.text.words import nation_name, other_names, province_name
from people.models import User
from web.battles.contract import (
    BattleRecord,
    Commands,
    FormValues,
    Known,
    LedBattle,
    RuleText,
    TypedOnPage,
)
from web.frame.awaited_people import program_word
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.battle_answer import (
    AnswerSheet,
    GivenAnswer,
    answer_move,
    answer_sheet,
    given_answer,
)
from web.titles.grand_campaign.battle_outcome import (
    BattleResult,
    battle_result,
    decided_by_dice,
    moments,
)
from web.titles.grand_campaign.battle_results import (
    ResultSheet,
    claimed,
    missing,
    result_move,
    result_sheet,
    takes_shares,
)

__all__ = [
    "agreements",
    "answer_move",
    "claimed",
    "commands",
    "missing",
    "page",
    "pasted",
    "result_move",
    "takes_shares",
]

Holders = Mapping[str, Sequence[User]]


@dataclass(frozen=True, slots=True)
class SetupSheet:
    """The set-up of the battle, as lines to read and as `text` to copy."""

    lines: list[SetupLine]
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class GrandBattle:
    """The Grand Campaign's part of the page of a battle.

    `siege_train` is the number by which a siege train lowers fortifications. `decided` has the
    rolls before the battle as sentences, `report` is the form of results. There is no `setup` if a
    model decides the battle.
    """

    steps: list[BattleStage]
    sides: tuple[words.Side, words.Side]
    module: str
    siege_train: int
    setup: SetupSheet | None
    decided: list[str]
    answer: AnswerSheet | None
    given_answer: GivenAnswer | None
    report: ResultSheet | None
    result: BattleResult | None

    @property
    def is_answer_open(self) -> bool:
        return self.answer is not None and self.answer.is_open

    @property
    def first_task(self) -> str:
        """Return the template of the reader's own answer, if the battle waits for it."""
        waits = self.answer is not None and not self.answer.for_another
        return "titles/grand_campaign/battle_answer.html" if waits else ""

    @property
    def asks_something(self) -> bool:
        """Return whether a form or the result replaces the set-up sheet."""
        return any(part is not None for part in (self.answer, self.report, self.result))


def page(
    table: TableContext,
    known: Known,
    moves: Sequence[Line],
    typed: TypedOnPage,
    outcome: ActionOutcome | None,
    record: BattleRecord,
) -> GrandBattle:
    """Return this title's part of the page of a battle."""
    scenario, is_running = table.scenario, words.running(known)
    battle_moments = moments(known, moves, record)
    holders = _holders(table, battle_moments)
    players = _players(table, holders, is_running=is_running)
    level = table.position.fortification.get(known["target"], 0) if is_running else 0
    launcher = players.get(known["attacker"]) or nation_name(scenario, known["attacker"])
    state = words.state_word(scenario, known)[0]
    setup = None
    if not record.by_model:
        setup = _setup_sheet(table, known, _names_in_game(holders, record.substitutes))
    return GrandBattle(
        steps=timeline(known, battle_moments, launcher, state, by_model=record.by_model),
        sides=words.sides(scenario, known, players, level),
        module=words.module_word(known),
        siege_train=scenario.rules.siege_train,
        setup=setup,
        decided=decided_by_dice(scenario, known, moves),
        answer=answer_sheet(table, known, typed, outcome),
        given_answer=given_answer(table, known, moves),
        report=result_sheet(table, known, typed.result, record),
        result=battle_result(table, known, moves),
    )


def _holders(table: TableContext, moments: Moments) -> Holders:
    """Return the holders of the seats during the battle; of a running battle, those of today."""
    if moments.resolved is not None and moments.launched is not None:
        return selectors.holders_between(table.memberships, moments.launched, moments.resolved)
    return {seat.key: [seat.holder] for seat in table.seats if seat.holder is not None}


def _players(table: TableContext, holders: Holders, *, is_running: bool) -> dict[str, str]:
    """Return the names of the players by their seats, including programs."""
    players = selectors.names_of_holders(holders)
    for seat in table.program_levels if is_running else ():
        level = program_word(table, seat)
        players.setdefault(seat, pgettext("battle forms", "program: %(level)s") % {"level": level})
    return players


def _names_in_game(holders: Holders, substitutes: Mapping[str, User]) -> dict[str, str]:
    """Return the player of each seat, with their name in the game if it differs."""
    users = {seat: held[-1] for seat, held in holders.items()} | dict(substitutes)
    names = {seat: (user.username, user.fog2_name) for seat, user in users.items()}
    return {
        seat: f"{name} ({in_game})" if in_game and in_game != name else name
        for seat, (name, in_game) in names.items()
    }


def _setup_sheet(table: TableContext, known: Known, players: Mapping[str, str]) -> SetupSheet:
    lines = setup_sheet(table.scenario, known, players)
    title = f"#{known['id']} {words.where(table.scenario, known)}"
    is_challenged = known["status"] == "challenged"
    return SetupSheet(
        lines=lines,
        text=plain(lines, title),
        note=_("as launched; the answer may change it") if is_challenged else "",
    )


def agreements(known: Known) -> dict[str, RuleText]:
    """Return what the two players may agree to in this battle, by its key."""
    naval = _("A naval battle in Mare Nostrum instead of encounter and battle")
    return {NAVAL: RuleText(naval, "8.2")} if words.naval_possible(known) else {}


# The result line of the forum


def pasted(
    table: TableContext, known: Known, form_values: FormValues
) -> tuple[FormValues, Reading | None]:
    """Read the pasted line if the form asks for it, and return the fields with its numbers."""
    line = form_values.get("line", "")
    if not form_values.get("read") or not line.strip():
        return form_values, None
    reading = result_line.read(line, names_of_sides(table, known))
    if reading.shares is None:
        return form_values, reading
    reading.sides = _sides_with_shares(table, known, reading.shares)
    return {**form_values, **_result_of(known, reading.shares, is_draw=reading.draw)}, reading


def _result_of(known: Known, shares: tuple[Share, Share], *, is_draw: bool) -> dict[str, str]:
    """Return the fields of the form for these shares; Remove the Head has only a winner."""
    own, enemy = shares
    if known["battle"] != HEAD:
        return {"by": "shares", "attacker": written(own), "defender": written(enemy)}
    if is_draw or own == enemy:
        return {"by": "winner", "side": "draw"}
    return {"by": "winner", "side": "attacker" if own < enemy else "defender"}


def _sides_with_shares(table: TableContext, known: Known, shares: tuple[Share, Share]) -> list[str]:
    players = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    sides = zip(words.sides(table.scenario, known, players), shares, strict=True)
    return [
        put(
            "{side}: {amount}%",
            side=f"{side.name} ({', '.join(filter(None, (side.player, side.army)))})",
            amount=written(amount),
        )
        for side, amount in sides
    ]


def names_of_sides(table: TableContext, known: Known) -> dict[str, Side]:
    """Return the names by which a line may call the two sides of this battle."""
    spellings = _spellings(table)
    users = {seat.key: seat.holder for seat in table.seats if seat.holder is not None}
    return {
        side.key: Side(
            people=_names_of_person(users.get(side.leader or "")),
            nations=_names_of_nation(table, side.nation),
            armies=_names_of_army(spellings, side.army),
            points=side.points,
        )
        for side in words.sides(table.scenario, known, {})
    }


def _spellings(table: TableContext) -> dict[str, Iterable[str]]:
    """Return the spellings of army lists; those of the campaign's own map come last."""
    own = maps.drawing_for(table.campaign).aliases
    changed = {army: names for army, names in own.items() if names != (army,)}
    return {**known_spellings(), **changed}


def _names_of_army(spellings: Mapping[str, Iterable[str]], army: str) -> tuple[str, ...]:
    for name, others in spellings.items():
        if army == name or army in others:
            return tuple(others)
    return (army,)


def _names_of_person(user: User | None) -> tuple[str, ...]:
    if user is None:
        return ()
    return tuple(filter(None, (user.username, user.fog2_name, user.forum_name)))


def _names_of_nation(table: TableContext, nation: str) -> tuple[str, ...]:
    """Return the names of a nation in our languages, and its other names on the map.

    On a forum a nation may have its name from the scenario, whatever the reader's language.
    """
    if nation == words.INDEPENDENT:
        return ()
    names = [table.scenario.nations[nation].name]
    for language in LANGUAGES:
        with translation.override(language), use_language(language):
            names.append(nation_name(table.scenario, nation))
    return tuple(dict.fromkeys((*names, *other_names(table.scenario, "nations", nation))))


# Neutral commands


def commands(table: TableContext) -> list[Commands]:
    """Return how often each nation leads independents (7.9), empty if none has ever led any.

    The rotation continues after the nation that led last.
    """
    nations = [_commands_of(table, nation) for nation in table.scenario.order]
    return nations if any(nation.total for nation in nations) else []


def _commands_of(table: TableContext, nation: str) -> Commands:
    contests = table.rows.contests
    led = [(number, known) for number, known in contests.items() if known.get("leader") == nation]
    return Commands(
        key=nation,
        name=nation_name(table.scenario, nation),
        battles=tuple(
            LedBattle(
                number=number,
                url=table.url("battle", number),
                where=province_name(table.scenario, known["target"]),
            )
            for number, known in led
            if words.running(known)
        ),
        total=len(led),
        led_last=table.position.led_last == nation,
    )

"""Lines of the log: the actor, the act, the changes of accounts, the rolls.

`templates/components/log.html` shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log.acts.battles import SOLO
from campaign.log.acts.life import is_by_host
from campaign.log.acts.programs import level_word
from campaign.log.acts.undo import UNDO
from campaign.log.selectors import Line
from campaign.models import GAME_MASTER, LogEntry
from campaign.seats.selectors import program_of
from engine.effects import Effect, Phrase, Roll
from engine.language import capitalize
from games.contract.effects import WithEffectTexts
from games.contract.log import LoggedShare, WithLoggedShares
from games.contract.title import Account, WithLogNotes
from games.registry import word
from web import titles
from web.frame.amounts import amount, change
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an account in words."""

    holder_name: str
    """Empty if the account belongs to the seat that made the move."""
    holder: str
    label: str
    change: str
    balance: str
    cause: str
    rule: str
    is_purse: bool
    """Whether the account pays for moves, so that the balance is what is left."""

    @property
    def balance_text(self) -> str:
        """Return the balance as the log shows it after the change."""
        if self.is_purse:
            return pgettext("balance in the log", "%(amount)s left") % {"amount": self.balance}
        return f"→ {self.balance}"


@dataclass(frozen=True, slots=True)
class HolderChanges:
    """The changes of a holder that did not make the move."""

    holder: str
    name: str
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class RollInWords:
    """A roll in words."""

    text: str
    value: int
    sides: int
    purpose: str
    again: bool
    """Whether the previous roll has the same text."""
    hand: bool
    """Whether the dice were thrown elsewhere and the result was entered."""
    url: str
    """The address of its proof."""

    @property
    def die(self) -> str:
        """Return the name of the die: "d6"."""
        return f"d{self.sides}"

    @property
    def accessible_name(self) -> str:
        """Return the roll as a screen reader says it: "d6: 4, Huns draw Spy"."""
        facts = {"die": self.die, "value": self.value, "text": self.text}
        return _("%(die)s: %(value)s, %(text)s") % facts


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Consecutive rolls with the same text."""

    text: str
    rolls: list[RollInWords]


@dataclass(frozen=True, slots=True)
class OtherEffect:
    """An effect that changes no account."""

    holder: str
    name: str
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the log."""

    number: int | None
    url: str
    seat: str
    """The seat that made the move; empty for acts of the table and for claimed results."""
    name: str
    by_master: bool
    """Whether the game master made the move for the seat."""
    in_practice: bool
    """Whether programs play the other seats; then "the game master" is a program."""
    person: str
    text: str
    changes: list[Change]
    shares: Sequence[LoggedShare]
    """The shares of a result."""
    notes: list[str]
    rolls: list[RollInWords]
    at: datetime
    turn: int
    turn_name: str
    struck: bool
    struck_by: int | None
    """The number of the entry that struck this entry."""
    quiet: bool
    signed: str
    """The names of the members who countersigned it."""
    own: str
    """The names of the game master's own nations that it concerns."""
    lacks: bool
    """Whether the entry still needs a countersignature."""
    objections: tuple[tuple[str, str], ...]
    """Pairs of name and reason."""
    by_clock: bool
    """Whether the clock made the entry because a deadline had passed (docs/decisions/0015)."""
    undo_url: str
    """The page where the game master undoes a move of the clock or of a program."""
    branch_url: str
    """The page of the struck moves, for a struck move and for the undo that struck moves."""
    origin: str
    """A text on how a claimed result was agreed or ruled."""
    why: str
    """The reason why a program made this move."""
    program: str
    """The strength, as a word, of the program that made this move for a seat among people."""

    @property
    def by_whom(self) -> str:
        """Return the text of the chip beside a move that was not made by the seat's holder."""
        if self.by_clock:
            return _("by the clock")
        if self.program:
            return _("by program: %(level)s") % {"level": self.program}
        if not self.by_master:
            return ""
        return _("by a program") if self.in_practice else pgettext("log", "by the game master")

    @property
    def author(self) -> str:
        """Return the person to name beside the text; empty if seat or chip name the author."""
        return "" if self.by_whom or self.seat or self.origin else self.person

    @property
    def own_changes(self) -> list[Change]:
        """Return the changes of the accounts of the seat that made the move."""
        return [changed for changed in self.changes if not changed.holder_name]

    @property
    def others(self) -> list[HolderChanges]:
        """Return the changes of other holders, in the order in which they first appear."""
        groups = dict[str, HolderChanges]()
        for changed in self.changes:
            if changed.holder_name:
                empty = HolderChanges(changed.holder, changed.holder_name, [])
                groups.setdefault(changed.holder, empty).changes.append(changed)
        return list(groups.values())

    @property
    def is_move(self) -> bool:
        return bool(self.seat or self.origin)

    @property
    def struck_text(self) -> str:
        if self.struck_by is None and not (self.branch_url and self.is_move):
            return pgettext("log", "struck")
        return _("struck by %(number)s") % {"number": self.struck_by}

    @property
    def dice(self) -> list[DiceGroup]:
        """Return the rolls in groups with the same text."""
        groups = list[DiceGroup]()
        for roll in self.rolls:
            if not (roll.again and roll.sides == groups[-1].rolls[-1].sides):
                groups.append(DiceGroup(roll.text, []))
            groups[-1].rolls.append(roll)
        return groups

    @property
    def has_figures(self) -> bool:
        """Return whether the line has figures beside its sentence."""
        return bool(self.shares or self.own_changes)

    @property
    def remarks(self) -> list[str]:
        """Return the sentences on why or how the entry came about."""
        return [text for text in (self.why, self.origin) if text]

    @property
    def css(self) -> str:
        return f"{'is-struck' if self.struck else ''}{' is-quiet' if self.quiet else ''}"


def rows(table: TableContext, lines: Iterable[Line]) -> list[LogRow]:
    """Return entries of the log as lines for this reader."""
    return [row(table, line) for line in lines]


def row(table: TableContext, line: Line, *, notes_slots: bool = True) -> LogRow:
    """Return a line of the log.

    A result that players claimed is not attributed to a seat. A page with a heading for each slot
    has no notes on them.
    """
    entry, mark = line.entry, line.mark
    seat = entry.seat if entry.is_move and not line.origin else ""
    program = program_of(table.campaign, entry)
    return LogRow(
        number=entry.number,
        url=table.url("entry", entry.number) if entry.number is not None else "",
        seat=seat,
        name=table.name_of(seat) if seat else "",
        by_master=is_by_master(entry),
        in_practice=bool(table.campaign.programs),
        person=person_of(entry),
        text=line.text,
        changes=changes(table, line.effects, seat),
        shares=shares(table, line),
        notes=notes(
            table, [effect for effect in line.effects if notes_slots or effect.kind != "slot"]
        ),
        rolls=rolls_in_words(table, line.rolls),
        at=entry.at,
        turn=entry.turn,
        turn_name=turn_name(table, entry.turn),
        struck=line.struck,
        struck_by=None if entry.struck_by is None else entry.struck_by.number,
        quiet=not entry.is_move or any(effect.kind == "slot" for effect in line.effects),
        signed=", ".join(line.signed),
        own=", ".join(table.name_of(seat) for seat in mark.own),
        lacks=mark.lacks,
        objections=tuple(mark.objections),
        by_clock=is_by_clock(entry) and not program and not is_automatic(table, entry),
        undo_url=undo_url(table, line) if entry.actor_id is None else "",
        branch_url=branch_url(table, line),
        origin=line.origin,
        why=table.sentence(Phrase(*entry.why)) if entry.why else "",
        program=level_word(program) if program else "",
    )


def turn_name(table: TableContext, turn: int) -> str:
    """Return the heading of a turn in the title's words."""
    if not turn:
        return pgettext("log", "Before the start")
    return capitalize(word(table.campaign.title, "turn_number").format(n=turn))


def is_by_master(entry: LogEntry) -> bool:
    """Return whether the game master made this move for a seat."""
    return (
        entry.is_move
        and entry.content.get("by") == GAME_MASTER
        and entry.seat != GAME_MASTER
        and entry.actor_id is not None
    )


def is_by_clock(entry: LogEntry) -> bool:
    """Return whether the clock made this entry.

    That is an entry without an actor that is neither a solo act nor an act of the host.
    """
    if entry.actor_id is not None:
        return False
    return entry.is_move or not (entry.act == SOLO.name or is_by_host(entry.content))


def is_automatic(table: TableContext, entry: LogEntry) -> bool:
    """Return whether this move on a board was automatic, without an actor."""
    by_no_one = entry.is_move and entry.actor_id is None
    return by_no_one and entry.seat == GAME_MASTER and table.pages is not None


def person_of(entry: LogEntry) -> str:
    """Return the name of the user who made the entry."""
    if entry.actor is not None:
        return str(entry.actor.username)
    return _("the host") if not entry.is_move and is_by_host(entry.content) else ""


def branch_url(table: TableContext, line: Line) -> str:
    """Return the page of the branch that an undo struck; empty if there is none."""
    entry = line.entry
    if entry.is_move:
        undo = entry.struck_by
    else:
        undo = entry if entry.act == UNDO.name else None
    if undo is None or undo.number is None or not titles.remembers(table):
        return ""
    return table.url("branch", undo.number)


def undo_url(table: TableContext, line: Line) -> str:
    """Return the address where the game master strikes a move of the clock or of a program.

    It is empty for other readers and for moves that are not in force.
    """
    entry = line.entry
    is_move_in_force = entry.is_move and entry.number and not line.struck
    if not (table.game_master and is_move_in_force and table.campaign.playable):
        return ""
    if table.pages is not None:
        return table.url("undo")
    return f"{table.url('rewind')}?entry={(entry.number or 0) - 1}"


def shares(table: TableContext, line: Line) -> Sequence[LoggedShare]:
    """Return the shares of a result that the reader may read."""
    entry = line.entry
    if not isinstance(table.title, WithLoggedShares):
        return ()
    if not entry.is_move or not table.access.sees(entry.viewers):
        return ()
    return table.title.logged_shares(entry.content)


def changes(table: TableContext, effects: Iterable[Effect], speaker: str = "") -> list[Change]:
    """Return the changes of accounts among these effects."""
    accounts = table.accounts_by_key
    return [
        account_change(table, accounts, effect, speaker)
        for effect in effects
        if effect.kind == "account"
    ]


def account_change(
    table: TableContext, accounts: Mapping[str, Account], effect: Effect, speaker: str
) -> Change:
    account, holder = accounts.get(effect.subject), effect.holder or ""
    return Change(
        holder_name="" if holder == speaker else table.name_of(holder),
        holder=holder,
        label=account.label if account else effect.subject,
        change=change(account, effect.change),
        balance=amount(account, effect.balance),
        cause=table.sentence(effect.cause),
        rule=effect.cause.rule,
        is_purse=effect.subject == "actions",
    )


def rolls_in_words(table: TableContext, rolls: Iterable[Roll]) -> list[RollInWords]:
    """Return rolls in words."""
    shown = list[RollInWords]()
    for roll in rolls:
        text = table.title.roll_line(table.scenario, roll)
        shown.append(
            RollInWords(
                text=text,
                value=roll.value,
                sides=roll.sides,
                purpose=roll.purpose,
                again=bool(shown) and shown[-1].text == text,
                hand=roll.purpose in table.campaign.entered_dice,
                url=proof_url(table, roll.purpose),
            )
        )
    return shown


def proof_url(table: TableContext, purpose: str) -> str:
    """Return the address of a roll on the page of the dice."""
    return f"{table.url('dice')}?{urlencode({'roll': purpose})}#{quote(roll_anchor(purpose))}"


def roll_anchor(purpose: str) -> str:
    """Return the id of a roll on the page of the dice."""
    return f"roll-{purpose}"


def notes(table: TableContext, effects: Iterable[Effect]) -> list[str]:
    """Return the other events: outcomes, conquests, slots and turns, each once."""
    has_note = table.title.is_noted if isinstance(table.title, WithLogNotes) else is_noted
    texts = dict.fromkeys(note(table, effect) for effect in effects if has_note(effect))
    return list(texts)


def note(table: TableContext, effect: Effect) -> str:
    text = table.sentence(effect.cause)
    if effect.kind == "slot" and effect.holder:
        return f"{table.name_of(effect.holder)}: {text}"
    return text


def is_noted(effect: Effect) -> bool:
    """Return whether a line notes this effect, for titles that do not decide it themselves."""
    if effect.kind == "holding":
        return "owner" in effect.facts
    if effect.kind == "attack":
        return "outcome" in effect.facts or "siege" in effect.facts
    if effect.kind == "slot":
        return effect.subject == "opened"
    return effect.kind == "turn" or (effect.kind, effect.subject) == ("seat", "fallen")


def other_effects(table: TableContext, effects: Iterable[Effect]) -> list[OtherEffect]:
    """Return every effect that changes no account, each once."""
    happened = dict[OtherEffect, None]()
    for effect in effects:
        if effect.kind == "account":
            continue
        holder = effect.holder or ""
        happened[
            OtherEffect(
                holder=holder,
                name=table.name_of(holder) if holder else "",
                text=effect_text(table, effect),
                rule=effect.cause.rule,
            )
        ] = None
    return list(happened)


def effect_text(table: TableContext, effect: Effect) -> str:
    """Return an effect in the title's words; if it has none, the cause."""
    if isinstance(table.title, WithEffectTexts):
        return table.title.effect_text(table.scenario, effect)
    return table.sentence(effect.cause)

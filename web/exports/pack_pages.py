"""The plain HTML pages of an audit pack, which can be opened from a disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext

from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Chain, Proof
from campaign.log import positions, selectors
from campaign.models import DiceRoll
from engine.language import capitalize
from games.contract.move_words import MoveWords
from games.kit.move_words import move_words
from nations import projection as nations
from nations.models import LedgerEntry
from web.frame.table import TableContext
from web.ledger.lines import account_holders
from web.log.lines import LogRow, rows


@dataclass(frozen=True, slots=True)
class Frame:
    """The common part of all pages: language, title, campaign, and path to the top folder."""

    language: str
    title: str
    campaign: str
    up: str


@dataclass(frozen=True, slots=True)
class MapFile:
    """A map in the pack: the turn after which it was drawn, and its caption."""

    file: str
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report in the pack."""

    file: str
    title: str


@dataclass(frozen=True, slots=True)
class PostFile:
    """A post in the pack, as it was sent to a forum."""

    file: str
    text: str
    subject: str
    permalink: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat with an account: its amounts in the order of the accounts."""

    key: str
    name: str
    holders: str
    amounts: list[str]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The first page: the standings and links to everything in the pack."""

    frame: Frame
    title_played: str
    commitment: str
    made_at: datetime
    entries: int
    accounts: list[str]
    standings: list[Standing]
    maps: Sequence[MapFile]
    reports: Sequence[ReportFile]
    posts: Sequence[PostFile]


@dataclass(frozen=True, slots=True)
class LogPage:
    """All log entries, the oldest first."""

    frame: Frame
    lines: list[LogRow]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A change of an account."""

    number: int | None
    account: str
    cause: str
    rule: str
    change: str
    balance: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All changes of the accounts of a seat."""

    key: str
    name: str
    lines: list[LedgerLine]


@dataclass(frozen=True, slots=True)
class LedgersPage:
    """The ledgers of all seats."""

    frame: Frame
    ledgers: list[Ledger]


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll with its meaning.

    `by_hand` is true if a user entered the value; `seen_at` is the address where it could be seen,
    if there is one. Otherwise `proof` shows how the value follows from the link of its turn, once
    the link is published.
    """

    number: int | None
    purpose: str
    value: int
    sides: int
    turn: int
    text: str
    by_hand: bool
    seen_at: str
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class DicePage:
    """All rolls, with the published links of the first chain and of the renewed chains."""

    frame: Frame
    commitment: str
    links: list[str]
    renewed: Sequence[Chain]
    rolls: list[RollLine]


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report, which has a heading of its own."""

    frame: Frame
    html: SafeString


Page = IndexPage | LogPage | LedgersPage | DicePage | ReportPage


def rendered(template: str, page: Page) -> str:
    """Return a page as HTML."""
    return render_to_string(f"pack/{template}.html", {"page": page})


def frame_of(table: TableContext, title: str, up: str = "") -> Frame:
    """Return the common part of a page, in the active language."""
    return Frame(get_language() or "en", title, table.campaign.name, up)


def move_words_of(table: TableContext) -> MoveWords:
    """Return the title's words for accounts and amounts."""
    return move_words(table.title, table.scenario, table.position)


def index_page(
    table: TableContext,
    entries: int,
    maps: Sequence[MapFile],
    reports: Sequence[ReportFile],
    posts: Sequence[PostFile],
) -> IndexPage:
    """Return the first page."""
    return IndexPage(
        frame=frame_of(table, table.campaign.name),
        title_played=positions.plays(table.campaign),
        commitment=table.campaign.commitment,
        made_at=timezone.now().astimezone(UTC),
        entries=entries,
        accounts=[capitalize(account.label) for account in table.title.accounts],
        standings=standings(table),
        maps=maps,
        reports=reports,
        posts=posts,
    )


def standings(table: TableContext) -> list[Standing]:
    """Return the seats that have accounts, each with its amounts."""
    words = move_words_of(table)
    amounts = table.rows.accounts
    return [
        Standing(
            key=seat,
            name=capitalize(table.name_of(seat)),
            holders=", ".join(table.holders(seat)),
            amounts=[
                words.amount(account.key, amounts.get((seat, account.key), 0))
                for account in table.title.accounts
            ],
        )
        for seat in account_holders(table)
    ]


def log_page(table: TableContext) -> LogPage:
    """Return the page of the log."""
    lines = rows(table, selectors.log(table.campaign, table.user))
    return LogPage(frame_of(table, pgettext("exports", "Log")), lines)


def ledgers_page(table: TableContext) -> LedgersPage:
    """Return the page of the ledgers."""
    words = move_words_of(table)
    ledgers = []
    for seat in account_holders(table):
        changes = nations.ledger(table.campaign, table.user, seat)
        lines = [ledger_line(table, words, change) for change in changes]
        ledgers.append(Ledger(seat, capitalize(table.name_of(seat)), lines))
    return LedgersPage(frame_of(table, pgettext("exports", "Ledgers")), ledgers)


def ledger_line(table: TableContext, words: MoveWords, change: LedgerEntry) -> LedgerLine:
    """Return a change of an account in words."""
    return LedgerLine(
        number=change.entry.number,
        account=capitalize(words.account_name(change.account)),
        cause=capitalize(table.sentence(change.cause_said)),
        rule=change.cause_said.rule,
        change=words.amount(change.account, change.change),
        balance=words.amount(change.account, change.balance),
    )


def dice_page(table: TableContext, thrown: Sequence[DiceRoll], chains: Sequence[Chain]) -> DicePage:
    """Return the page of the dice. `chains` begins with the first chain."""
    by_hand = frozenset(table.campaign.entered_dice)
    seen_at = dice_selectors.links(table.campaign)
    rolls = []
    for roll in thrown:
        proof = None if roll.purpose in by_hand else dice_selectors.dice_proof(roll, chains)
        rolls.append(
            RollLine(
                number=roll.entry.number,
                purpose=roll.purpose,
                value=roll.value,
                sides=roll.sides,
                turn=roll.turn,
                text=table.title.roll_line(table.scenario, roll.roll),
                by_hand=roll.purpose in by_hand,
                seen_at=seen_at.get(roll.purpose, ""),
                proof=proof,
            )
        )
    return DicePage(
        frame=frame_of(table, pgettext("exports", "Dice")),
        commitment=table.campaign.commitment,
        links=chains[0].links,
        renewed=chains[1:],
        rolls=rolls,
    )


def report_page(table: TableContext, title: str, html: str) -> ReportPage:
    """Return the page of a report.

    On a phone only its tables scroll sideways.
    """
    html = html.replace("<table", '<div class="wide"><table')
    html = html.replace("</table>", "</table></div>")
    return ReportPage(frame_of(table, title, up="../"), SafeString(html))

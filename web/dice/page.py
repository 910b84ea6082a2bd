"""The page of the dice: the commitment, the published links, every roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import access, services
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Box, Chain
from campaign.log import record, selectors
from campaign.log.selectors import Rolls
from games.registry import word
from web.dice.forms import NO_DICE_TYPED, NO_MIXING_TYPED, RollQuery, TypedDice, TypedMixing
from web.dice.manual_dice import ManualSheet, manual_sheet
from web.dice.mixing import MixingSheet, mixing_sheet
from web.dice.rolls import KindTable, RollRow, checkable_rolls, kind_tables, roll_rows
from web.dice.trust import MANUAL, Chance, chance_sheet
from web.frame.table import TableContext
from web.ledger.lines import taken_over
from web.seats.hidden_hands import ClosedHands, closed_hands

PAGE = 50
"""The number of rolls on a page."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The typed data of a refused form, and the reason; at most one of the forms is set."""

    error: str = ""
    manual: TypedDice = NO_DICE_TYPED
    mixing: TypedMixing = NO_MIXING_TYPED

    @property
    def mixing_error(self) -> str:
        return self.error if self.mixing.do else ""

    @property
    def manual_error(self) -> str:
        return "" if self.mixing.do else self.error


@dataclass(frozen=True, slots=True)
class LinkBox:
    """A link of the chain in the picture."""

    name: str
    link: str
    note: str


@dataclass(frozen=True, slots=True)
class ChainPicture:
    """The chain of links, beginning with the commitment."""

    commitment: str
    boxes: list[LinkBox]
    earlier: str
    """A text with the number of further published links."""
    later: str
    """A text with the number of further sealed links."""
    links: Sequence[str]
    none_text: str
    renewed: Sequence[Chain]


@dataclass(frozen=True, slots=True)
class Check:
    """The part of the page with which the reader's browser checks the dice."""

    list_url: str
    log_url: str
    nothing: str
    """The reason why no roll can be checked yet; empty if some can."""
    made_from: str
    shows_record: bool
    hidden_text: str
    """A text on hidden hands in the record and the audit pack."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """The dice of a campaign."""

    chain: ChainPicture
    mixing: MixingSheet | None
    kinds: list[KindTable]
    kinds_note: str
    rolls: list[RollRow]
    count: int
    newer: int | None
    older: int | None
    none_text: str
    closed_hands: ClosedHands | None
    manual: ManualSheet | None
    check: Check
    imported: bool
    chance: Chance
    may_renew: bool
    sheet_url: str
    error: str
    """The reason of a refusal whose form is not on the page."""

    @property
    def is_part(self) -> bool:
        return self.older is not None or self.newer is not None

    @property
    def shows_picture(self) -> bool:
        return self.chance.mode != MANUAL


def dice_page(table: TableContext, query: RollQuery, refused: Refused) -> DicePage:
    """Return the page; `refused` has the typed data of a refused form."""
    campaign = table.campaign
    rolled = selectors.visible_rolls(campaign, table.access)
    count = len(rolled.rows)
    skip = left_out(rolled, query)
    shown = rolled.rows[::-1][skip : None if query.every else skip + PAGE]
    chains = record.chains(campaign)
    mixing = mixing_sheet(table, refused.mixing, refused.mixing_error)
    manual = manual_sheet(table, refused.manual, refused.manual_error)
    brought = taken_over(table)
    return DicePage(
        chain=chain_picture(table, chains, brought),
        mixing=mixing,
        kinds=kind_tables(table, rolled),
        kinds_note=kinds_note(table),
        rolls=roll_rows(table, shown, chains),
        count=count,
        newer=count + 1 - max(0, skip - PAGE) if skip else None,
        older=count + 1 - skip - len(shown) if skip + len(shown) < count else None,
        none_text=none_text(brought),
        closed_hands=closed_hands(table),
        manual=manual,
        check=check(
            table,
            has_rolls=bool(checkable_rolls(table, rolled, chains)),
            has_links=bool(chains[0].links),
            has_mixing=mixing is not None,
        ),
        imported=campaign.imported,
        chance=chance_sheet(campaign),
        may_renew=table.game_master and services.may_renew(campaign),
        sheet_url=table.url("dice_sheet"),
        error=error_without_form(refused, mixing, manual),
    )


def left_out(rolled: Rolls, query: RollQuery) -> int:
    """Return how many of the newest rolls precede the requested page."""
    count = len(rolled.rows)
    if query.every:
        return 0
    if query.first_left_out is not None:
        return max(0, count + 1 - query.first_left_out)
    newest_first = (known.purpose for known in reversed(rolled.rows))
    place = next((n for n, purpose in enumerate(newest_first) if purpose == query.purpose), 0)
    return place // PAGE * PAGE


def error_without_form(
    refused: Refused, mixing: MixingSheet | None, manual: ManualSheet | None
) -> str:
    shown = mixing if refused.mixing_error else manual
    return refused.error if shown is None else ""


def none_text(brought: int) -> str:
    """Return when the first die will be thrown."""
    if brought:
        return _("The first die is thrown when the next turn opens.")
    return _("The first die is thrown at the start.")


def kinds_note(table: TableContext) -> str:
    if access.hides(table.campaign):
        return _(
            "a roll that is undone and made again counts once; hidden rolls count for those who "
            "can see them"
        )
    return _("a roll that is undone and made again counts once")


# Chain of links


def chain_picture(table: TableContext, chains: Sequence[Chain], brought: int) -> ChainPicture:
    """Return the picture of the first chain; `brought` turns were played elsewhere."""
    links = chains[0].links
    boxes, earlier, later = dice_selectors.boxes(links, table.title.last_link(table.scenario))
    are_hidden = table.view.get("hands", "") == "hidden"
    return ChainPicture(
        commitment=table.campaign.commitment,
        boxes=[link_box(table, box, brought, are_hidden=are_hidden) for box in boxes],
        earlier=earlier_text(earlier),
        later=later_text(later),
        links=links,
        none_text="" if links else no_links_text(are_hidden=are_hidden),
        renewed=chains[1:],
    )


def link_box(table: TableContext, box: Box, brought: int, *, are_hidden: bool) -> LinkBox:
    note = published_text(table, box, brought) if box.link else sealed_text(table, box, are_hidden)
    return LinkBox(pgettext("dice", "key %(n)s") % {"n": box.number}, box.link or "", note)


def published_text(table: TableContext, box: Box, brought: int) -> str:
    if not box.number:
        return _("published at the start")
    name = "turn_elsewhere" if box.number <= brought else "turn_closed"
    return word(table.campaign.title, name).format(n=box.number)


def sealed_text(table: TableContext, box: Box, are_hidden: bool) -> str:
    if are_hidden:
        return pgettext("dice link", "until the end")
    if not box.number:
        return pgettext("dice link", "until the start")
    return word(table.campaign.title, "turn_closes").format(n=box.number)


def earlier_text(count: int) -> str:
    if not count:
        return ""
    text = ngettext("one more published key", "%(n)s more published keys", count)
    return text % {"n": count}


def later_text(count: int) -> str:
    if not count:
        return ""
    return ngettext("one more, sealed", "%(n)s more, sealed", count) % {"n": count}


def no_links_text(*, are_hidden: bool) -> str:
    none = pgettext("dice links", "None yet.")
    if are_hidden:
        when = _("Hands are hidden, so all keys are published at the end.")
    else:
        when = _("Key 0 is published at the start, key 1 when turn 2 opens.")
    return f"{none} {when}"


# Check by the reader


def check(table: TableContext, *, has_rolls: bool, has_links: bool, has_mixing: bool) -> Check:
    hides = access.hides(table.campaign)
    return Check(
        list_url=table.url("rolls_file"),
        log_url=table.url("log_file"),
        nothing="" if has_rolls else nothing_to_check(has_links=has_links),
        made_from=made_from(has_mixing=has_mixing),
        shows_record=not hides or table.game_master,
        hidden_text=hidden_text(table) if hides else "",
    )


def nothing_to_check(*, has_links: bool) -> str:
    if has_links:
        return _(
            "None of these rolls was made from a published key: they were entered by hand, or "
            "their keys have not been published yet."
        )
    return _("No key from which a roll could be computed has been published yet.")


def made_from(*, has_mixing: bool) -> str:
    if has_mixing:
        return _(
            "A roll is made only from its purpose, the key of its turn and what was mixed into "
            "that turn. Undoing moves or changing their order does not change any roll."
        )
    return _(
        "A roll is made only from its purpose and the key of its turn. Undoing moves or changing "
        "their order does not change any roll."
    )


def hidden_text(table: TableContext) -> str:
    if table.game_master:
        return _(
            "The record and the audit pack contain every hand. Each holder can read that you "
            "downloaded them."
        )
    return _(
        "The record and the audit pack appear here once the campaign has ended, because they "
        "contain every hand."
    )

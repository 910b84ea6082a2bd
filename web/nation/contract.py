"""The interface of a title to the page of a nation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from django.utils.safestring import SafeString

from games.contract.nation import AccountNote
from web.frame.table import TableContext
from web.moves.offers import OfferCard


@dataclass(frozen=True, slots=True)
class ChallengeText:
    """A challenge in words, with the address of its battle."""

    title: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class MapCrop:
    """A map of the places that an open form may choose."""

    svg: SafeString
    style: str
    laid_out: bool


@dataclass(frozen=True, slots=True)
class TitlePart:
    """The title's part of the page.

    The macro `details_sheets` of its `template` shows its `details`.
    """

    template: str = ""
    details: object = None
    facts: Sequence[str] = ()
    fallen: str = ""
    purse_rule: str = ""
    account_notes: Mapping[str, AccountNote] = field(default_factory=dict)
    scripts: Sequence[str] = ()


class NationOfTitle(Protocol):
    """The part `nation` of a title's pages (`web.titles.contract`)."""

    def title_part(self, table: TableContext, seat: str) -> TitlePart:
        """Return the title's own part of the page of a nation."""
        ...

    def challenge_text(self, table: TableContext, number: int) -> ChallengeText:
        """Return the text of an attack that has to be answered."""
        ...

    def crop(self, table: TableContext, card: OfferCard, page_url: str) -> MapCrop | None:
        """Return a map of the places that an open form may choose; None if it chooses no place."""
        ...

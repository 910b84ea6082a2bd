"""The titles that add parts to the pages, by their keys."""

from __future__ import annotations

from web.titles.contract import TitlePages
from web.titles.grand_campaign.pages import GRAND_CAMPAIGN

TITLE_PAGES: dict[str, TitlePages] = {"grand_campaign": GRAND_CAMPAIGN}

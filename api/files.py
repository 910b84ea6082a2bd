"""The record of a campaign, and the addresses of its files and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignResource
from campaign import services
from campaign.log import record, selectors
from campaign.models import AccessLogEntry, Campaign
from games import registry
from games.contract.maps import WithMaps
from games.contract.title import WithResumeSheet


class Record(s.Serializer):
    """The record of the moves in force, which `manage.py replay` reads (RECORD.md)."""

    format = s.CharField()
    scenario = s.JSONField()
    options = s.JSONField()
    dice = s.JSONField()
    moves = s.ListField(child=s.JSONField())


class Picture(s.Serializer):
    """The address of the map at the end of a turn."""

    turn = s.IntegerField()
    entry = s.IntegerField()
    url = s.CharField()


class Files(s.Serializer):
    """Addresses of files for a browser.

    Those of a campaign that only members may read ask the reader to sign in.
    """

    record = s.CharField()
    pack = s.CharField(help_text="The audit pack.")
    log = s.CharField()
    dice = s.CharField()
    ledgers = s.CharField()
    rolls = s.CharField(
        help_text="The published links and all rolls, which verify.py compares with the log."
    )
    story = s.CharField(allow_null=True)
    sheet = s.CharField(allow_null=True, help_text="The position as a table for a spreadsheet.")
    picture = s.CharField(allow_null=True, help_text="The map now.")
    pictures = Picture(many=True, help_text="The map at the end of each turn.")


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """The facts of `Picture`."""

    turn: int
    entry: int
    url: str


@dataclass(frozen=True, slots=True)
class FilesFacts:
    """The facts of `Files`."""

    record: str
    pack: str
    log: str
    dice: str
    ledgers: str
    rolls: str
    story: str | None
    sheet: str | None
    picture: str | None
    pictures: list[PictureFacts]


class RecordView(CampaignResource):
    """The record of a campaign."""

    @extend_schema(summary="The record", responses=Record)
    def get(self, request: Request, ref: str) -> Response:
        """Return the record of the moves in force.

        Until the campaign has finished, only the game master gets hidden hands. The access is
        logged, and the holders of the hands can see it.
        """
        here = self.here
        document = record.export(here.campaign, here.access)
        if here.access.game_master:
            services.log_access_to_all(here.campaign, here.user, AccessLogEntry.Way.RECORD)
        return self.answer(Record, document)


class FilesView(CampaignResource):
    """The files of a campaign."""

    @extend_schema(summary="Addresses of files and pictures", responses=Files)
    def get(self, request: Request, ref: str) -> Response:
        """Return the addresses of the campaign's files and pictures."""
        campaign = self.here.campaign

        def address(name: str, *more: str | int) -> str:
            return request.build_absolute_uri(reverse(name, args=[campaign.address, *more]))

        return self.answer(Files, files_facts(campaign, address))


def files_facts(campaign: Campaign, address: Callable[..., str]) -> FilesFacts:
    """Return the files of a campaign. `address(name, *parts)` returns an absolute address."""
    draws = isinstance(campaign.game, WithMaps)
    is_alone = registry.has_board(campaign.title)
    return FilesFacts(
        record=address("record"),
        pack=address("pack"),
        log=address("log_sheet"),
        dice=address("dice_sheet"),
        ledgers=address("ledger_file"),
        rolls=address("rolls_file"),
        story=None if is_alone else address("story"),
        sheet=address("sheet_file") if isinstance(campaign.game, WithResumeSheet) else None,
        picture=address("map_picture") if draws else None,
        pictures=pictures_facts(campaign, address) if draws else [],
    )


def pictures_facts(campaign: Campaign, address: Callable[..., str]) -> list[PictureFacts]:
    """Return the address of the map at the end of each turn."""
    language = get_language() or "en"
    return [
        PictureFacts(turn, last, address("map_picture_at", last, language))
        for turn, _first, last in selectors.turns(campaign)
    ]

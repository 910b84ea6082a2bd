"""What pages leave to the worker. Each task may run twice, late, or never: who needs it asks again."""

from __future__ import annotations

from celery import shared_task
from django.utils import translation

from campaign.models import Campaign
from campaign.services import imports
from engine.language import spoken
from web import packs, pictures


@shared_task(name="draw-picture")
def draw_picture(pk: int, number: int, language: str) -> None:
    """Draws the picture of a campaign after an entry, unless it is there; nothing where there is no such entry any more."""
    campaign = Campaign.objects.filter(pk=pk).first()
    at = pictures.place(campaign, number) if campaign is not None else None
    if campaign is None or at is None or not pictures.draws(campaign):
        return
    with translation.override(language), spoken(language):
        pictures.make(campaign, at)
        pictures.drawn(campaign, pictures.known(campaign, at))


@shared_task(name="make-pack")
def make_pack(pk: int, audience: str, language: str) -> None:
    """Makes the audit pack of a campaign as it stands now, unless it is there."""
    packs.make(pk, audience, language)


@shared_task(name="take-over-record")
def take_over_record(pk: int) -> None:
    """Founds a campaign from a record that was sent, unless somebody does already."""
    imports.work(pk)

"""Tasks for the worker that reports and pages need.

Each task may run twice, late, or never: the code that needs its result asks again.
"""

from __future__ import annotations

import logging

from celery import Signature, shared_task
from django.utils import translation
from django.utils.translation import get_language

from campaign.models import Campaign
from campaign.pictures import images
from campaign.pictures.images import KnownPicture
from engine.language import use_language
from games.contract.maps import WithMaps

log = logging.getLogger(__name__)


def send(signature: Signature[None]) -> bool:
    """Send a task with its arguments to the worker. Return False if the broker is away.

    Then the page continues: the scheduled tasks find the work later, or the button of the page does
    it.
    """
    try:
        signature.apply_async(retry=False)
    # The broker or its client can raise anything, and a page must not fail.
    except Exception as error:
        log.warning("No worker takes the task %s: %s", signature.task, error)
        return False
    return True


@shared_task(name="draw-picture")
def draw_picture(pk: int, number: int, language: str) -> None:
    """Draw the picture of a campaign after an entry, if both still exist."""
    campaign = Campaign.objects.filter(pk=pk).first()
    entry = images.place(campaign, number) if campaign is not None else None
    if campaign is None or entry is None or not isinstance(campaign.game, WithMaps):
        return
    with translation.override(language), use_language(language):
        images.make(campaign, entry)
        images.drawn(campaign, images.picture_after(campaign, entry))


def ask_to_draw(campaign: Campaign, picture: KnownPicture) -> bool:
    """Ask a worker to draw a picture in the active language.

    Return False if it waits already, if too many wait, or if the broker is away.
    """
    if not images.join_queue(campaign, picture):
        return False
    task = draw_picture.s(campaign.pk, picture.number, get_language() or "")
    return send(task.set(expires=images.LAPSES))

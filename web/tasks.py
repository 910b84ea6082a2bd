"""What pages leave to the worker. Each task may run twice, late, or never: who needs it
asks again.
"""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import translation

from campaign import forecasts, imports, playing_on, playtests, practice
from campaign.models import Campaign
from engine.language import reading_in
from web import titles
from web.exports import images, packs
from web.own_data import storage

log = logging.getLogger(__name__)


@shared_task(name="draw-picture")
def draw_picture(pk: int, number: int, language: str) -> None:
    """Draws the picture of a campaign after an entry, unless it is there; nothing where there is no
    such entry any more.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    at = images.place(campaign, number) if campaign is not None else None
    if campaign is None or at is None or not titles.draws(campaign):
        return
    with translation.override(language), reading_in(language):
        images.make(campaign, at)
        images.drawn(campaign, images.picture_after(campaign, at))


@shared_task(name="make-pack")
def make_pack(pk: int, audience: str, language: str) -> None:
    """Makes the audit pack of a campaign as it stands now, unless it is there."""
    packs.make(pk, audience, language)


@shared_task(name="make-own-data")
def make_own_data(pk: int) -> None:
    """Makes the file of what is kept about somebody, unless it is there."""
    storage.make(pk)


@shared_task(name="take-over-record")
def take_over_record(pk: int) -> None:
    """Works at a record or scenario that was sent, unless somebody does already; then at what
    waited for it.

    The time limit of the task (`settings.TASK_SECONDS_OF`) ends steps that do not check the time
    themselves.
    """
    if imports.work(pk) is not None:
        for other in imports.next_of(pk)[:1]:
            ask_to_take_over(other)


def ask_to_take_over(pk: int, queue: str = "imports") -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse, or for the page's
    button.
    """
    try:
        take_over_record.apply_async((pk,), queue=queue, retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        log.warning("Nobody takes what people send: %s", error)


def ask_to_read(pk: int) -> None:
    """Ask a worker to read a file. It takes seconds, so it does not wait in the queue of long
    records.
    """
    ask_to_take_over(pk, "packs")


@shared_task(name="play-test")
def play_test(pk: int) -> None:
    """Plays campaigns of a scenario for a while; what is left is the next task's, so that others
    have their turn.
    """
    if playtests.work(pk):
        ask_to_play_test(pk)


def ask_to_play_test(pk: int) -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse."""
    try:
        play_test.apply_async((pk,), retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        log.warning("Nobody takes a play-test: %s", error)


@shared_task(name="play-on")
def play_on(pk: int) -> None:
    """Makes the moves of programs until the campaign waits for a person."""
    if practice.advance(pk):
        ask_to_play_on(pk)


def ask_to_play_on(pk: int) -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse."""
    try:
        play_on.apply_async((pk,), retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        log.warning("Nobody plays on for the programs: %s", error)


@shared_task(name="forecast")
def forecast(pk: int) -> None:
    """Plays on at the forecasts of a campaign for a while; what is left is the next task's, so that
    others have their turn.
    """
    if forecasts.work(pk):
        ask_to_forecast(pk)


def ask_to_forecast(pk: int) -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse."""
    try:
        forecast.apply_async((pk,), retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        log.warning("Nobody takes a forecast: %s", error)


@shared_task(name="finish-turn")
def finish_turn(pk: int) -> None:
    """Plays on for a while what a person has asked for; what is left is the next task's, so that
    others have their turn.
    """
    if playing_on.advance(pk).more:
        ask_to_finish(pk)


def ask_to_finish(pk: int) -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse."""
    try:
        finish_turn.apply_async((pk,), retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        log.warning("Nobody plays on: %s", error)

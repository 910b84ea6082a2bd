"""Tasks that pages leave to the worker.

Each task may run twice, late, or never: the code that needs its result asks again.
"""

from __future__ import annotations

import logging

from celery import shared_task

from campaign import automatic_moves, forecasts, imports, playtests, practice
from campaign.tasks import send
from web.exports import packs
from web.exports.packs import Wanted
from web.own_data import storage

log = logging.getLogger(__name__)


@shared_task(name="make-pack")
def make_pack(pk: int, audience: str, language: str) -> None:
    """Make the current audit pack of a campaign, unless it exists."""
    packs.make(pk, audience, language)


def ask_to_make_pack(pack: Wanted) -> None:
    """Ask a worker to make an audit pack."""
    packs.note_request(pack)
    task = make_pack.s(pack.campaign.pk, pack.audience, pack.language)
    send(task.set(expires=packs.LAPSES))


@shared_task(name="make-own-data")
def make_own_data(pk: int) -> None:
    """Make the file of a user's own data, unless it exists."""
    storage.make(pk)


@shared_task(name="take-over-record")
def take_over_record(pk: int) -> None:
    """Read an uploaded record or scenario, unless another worker does; then ask for the next.

    The time limit of the task (`settings.TASK_SECONDS_OF`) ends steps that do not check the time
    themselves.
    """
    if imports.work(pk) is not None:
        for following in imports.next_of(pk)[:1]:
            ask_to_take_over(following)


def ask_to_take_over(pk: int, queue: str = "imports") -> None:
    """Ask a worker to read an uploaded record or scenario."""
    send(take_over_record.s(pk).set(queue=queue))


def ask_to_read(pk: int) -> None:
    """Ask a worker to read a file in seconds, without waiting in the queue of long records."""
    ask_to_take_over(pk, "packs")


@shared_task(name="play-test")
def play_test(pk: int) -> None:
    """Play campaigns of a scenario for a while, and leave the rest to another task.

    This lets other tasks run in between.
    """
    if playtests.work(pk):
        ask_to_play_test(pk)


def ask_to_play_test(pk: int) -> None:
    """Ask a worker to play a scenario."""
    send(play_test.s(pk))


@shared_task(name="play-on")
def play_on(pk: int) -> None:
    """Make the moves of programs until the campaign waits for a person."""
    if practice.advance(pk):
        ask_to_play_on(pk)


def ask_to_play_on(pk: int) -> None:
    """Ask a worker to make the moves of programs."""
    send(play_on.s(pk))


@shared_task(name="forecast")
def forecast(pk: int) -> None:
    """Play the forecasts of a campaign for a while, and leave the rest to another task."""
    if forecasts.work(pk):
        ask_to_forecast(pk)


def ask_to_forecast(pk: int) -> None:
    """Ask a worker to play the forecasts of a campaign."""
    send(forecast.s(pk))


@shared_task(name="finish-turn")
def finish_turn(pk: int) -> None:
    """Play on for a while as a user has asked, and leave the rest to another task."""
    if automatic_moves.advance(pk).more:
        ask_to_finish(pk)


def ask_to_finish(pk: int) -> None:
    """Ask a worker to play on as a user has asked."""
    send(finish_turn.s(pk))

"""Celery: a pulse, never a memory. Whatever is due is a row; a lost message costs one interval."""

import logging
import os
import time
from collections.abc import Sequence
from typing import Any

from celery import Celery, Task
from celery.signals import beat_init, task_postrun, task_prerun, worker_init
from django.conf import settings
from kombu import Exchange, Queue

from campaign import pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)
app = Celery("tabula")
# for every thread: Celery would send another thread's tasks to a broker of its own
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker takes from its queues by turns, so that much work of one kind does not keep the others
# waiting. What pages ask for is in the first queue.
app.conf.task_queues = [
    Queue(name, Exchange(name), routing_key=name) for name in ("celery", *settings.TICKS)
]


@worker_init.connect
@beat_init.connect
def ask_the_database(**_: Any) -> None:
    """Worker and beat begin as the site does."""
    import django

    django.setup()
    from campaign import schema
    from config import catalogues

    schema.at_start()
    catalogues.at_start()


@worker_init.connect
def give_way(**_: Any) -> None:
    """Pages come first: on a machine that both share, forecasts and pictures take what the site
    leaves.
    """
    if settings.WORKER_NICE and hasattr(os, "nice"):  # Windows has no such thing
        os.nice(settings.WORKER_NICE)


@task_prerun.connect
def note_start(task_id: str, task: Task, args: Sequence[Any], **_: Any) -> None:
    """Record the task and its start for /health/ready and /metrics (`config.watch`)."""
    hard, _soft = task.request.timelimit or (None, None)
    name = f"work {args[0]}" if task.name == "work" and args else task.name
    pulse.note_start(
        task_id, name, hard or task.time_limit or settings.TASK_SECONDS + settings.GRACE
    )


@task_postrun.connect
def note_end(task_id: str, **_: Any) -> None:
    """Record the end of the task, also if it failed."""
    pulse.note_end(task_id)


@app.task(name="clear-sessions")
def clear_sessions() -> None:
    """Removes sessions that have ended. May run twice."""
    from django.core.management import call_command

    call_command("clearsessions")


@app.task(name="work")
def work(kind: str, share: int | None = None, since: float | None = None) -> None:
    """Does what is due of one kind for some seconds. May run twice, late, at once with another, or
    never: the next pulse does it then.

    While more is left, it is followed at once by two such tasks, so that other workers take their
    part; by one where its `share` of `settings.PARALLEL` is used up. `since` is when its pulse
    began: when the next one begins, it ends.
    """
    share = settings.PARALLEL if share is None else share
    since = time.time() if since is None else since
    if not pulse.work(kind) or time.time() - since >= settings.PULSE:
        return
    for part in (share - share // 2, share // 2):
        if part:
            ask(kind, part, since)


def ask(kind: str, *rest: float) -> None:
    """Leaves work of this kind to the workers. Where they cannot be asked the next pulse
    does it.
    """
    try:
        work.apply_async((kind, *rest), **pulse.options(kind), expires=settings.PULSE, retry=False)
    except (
        Exception
    ) as error:  # whatever the broker or its client raises: a page must not break by it
        logger.warning("Nobody takes %s: %s", kind, type(error).__name__)


app.conf.beat_schedule = {
    # What nobody took before the next pulse is not needed any more.
    **{
        kind: {
            "task": "work",
            "args": [kind],
            "schedule": settings.PULSE,
            "options": {**pulse.options(kind), "expires": settings.PULSE},
        }
        for kind in settings.TICKS
    },
    "clear-sessions": {"task": "clear-sessions", "schedule": 24 * 60 * 60.0},
}

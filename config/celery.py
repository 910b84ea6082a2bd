"""The Celery application, which only triggers work.

Everything that is due is a row; a lost message costs one interval.
"""

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
# for all threads: Celery would send the tasks of another thread to a broker of its own
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker takes tasks from its queues in turn, so that much work of one kind does not delay the
# others. The first queue has the requests of pages.
app.conf.task_queues = [
    Queue(name, Exchange(name), routing_key=name) for name in ("celery", *settings.TICKS)
]


@worker_init.connect
@beat_init.connect
def ask_the_database(**_: Any) -> None:
    """Check the schema and the catalogues when a worker or beat starts, as the site does."""
    import django

    django.setup()
    from campaign import schema
    from config import catalogues

    schema.at_start()
    catalogues.at_start()


@worker_init.connect
def give_way(**_: Any) -> None:
    """Lower the priority of the worker: on a shared machine pages come before forecasts."""
    if settings.WORKER_NICE and hasattr(os, "nice"):  # Windows does not have it
        os.nice(settings.WORKER_NICE)


@task_prerun.connect
def note_start(task_id: str, task: Task, args: Sequence[Any], **_: Any) -> None:
    """Record the task and its start for /health/ready and /metrics (`config.monitoring`)."""
    hard, _soft = task.request.timelimit or (None, None)
    name = f"work {args[0]}" if task.name == "work" and args else task.name
    pulse.note_start(
        task_id, name, hard or task.time_limit or settings.TASK_SECONDS + settings.GRACE
    )


@task_postrun.connect
def note_end(task_id: str, **_: Any) -> None:
    """Record the end of the task, even if it has failed."""
    pulse.note_end(task_id)


@app.task(name="clear-sessions")
def clear_sessions() -> None:
    """Remove expired sessions. This task is idempotent."""
    from django.core.management import call_command

    call_command("clearsessions")


@app.task(name="work")
def work(kind: str, share: int | None = None, since: float | None = None) -> None:
    """Do due work of a kind for some seconds.

    The task may run twice, late, at the same time as another, or never: then the next pulse does
    the work. While more is left, it starts two such tasks at once, so that other workers take part;
    each gets half of its `share` of `settings.PARALLEL`, or nothing. `since` is the start of its
    pulse: it ends when the next one begins.
    """
    share = settings.PARALLEL if share is None else share
    since = time.time() if since is None else since
    if not pulse.work(kind) or time.time() - since >= settings.PULSE:
        return
    for part in (share - share // 2, share // 2):
        if part:
            ask(kind, part, since)


def ask(kind: str, *rest: float) -> None:
    """Queue work of this kind for the workers.

    If the broker cannot be reached, the next pulse queues the work.
    """
    try:
        work.apply_async((kind, *rest), **pulse.options(kind), expires=settings.PULSE, retry=False)
    except Exception as error:  # whatever the broker or its client raises: it must not break a page
        logger.warning("Work was not queued: %s, %s", kind, type(error).__name__)


app.conf.beat_schedule = {
    # A task that no worker has taken before the next pulse is no longer needed.
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

"""Celery: a pulse, never a memory. Whatever is due is a row; a lost message costs one interval."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tabula")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def vault_key_must_fit(**_: Any) -> None:
    """Worker and beat do not start with a vault key that is not this database's."""
    import django

    django.setup()
    from campaign import vault

    vault.must_fit()


@app.task(name="clear-sessions")
def clear_sessions() -> None:
    """Removes sessions that have ended. May run twice."""
    from django.core.management import call_command

    call_command("clearsessions")


@app.task(name="tick")
def tick() -> None:
    """Does what is due. May run twice, late, at once with another, or never: the next one does it then."""
    from campaign import pulse

    pulse.tick()


app.conf.beat_schedule = {
    # A pulse that nobody took before the next one is not needed any more.
    "tick": {"task": "tick", "schedule": settings.PULSE, "options": {"expires": settings.PULSE}},
    "clear-sessions": {"task": "clear-sessions", "schedule": 24 * 60 * 60.0},
}

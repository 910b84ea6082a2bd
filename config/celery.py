"""Celery: a pulse, never a memory. Whatever is due is a row; a lost message costs one interval."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tabula")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.task(name="clear-sessions")
def clear_sessions() -> None:
    """Removes sessions that have ended. May run twice."""
    from django.core.management import call_command

    call_command("clearsessions")


app.conf.beat_schedule = {"clear-sessions": {"task": "clear-sessions", "schedule": 24 * 60 * 60.0}}

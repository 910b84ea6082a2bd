"""Posts, sent at once: who pressed a button does not wait a minute for what it does."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

LOG = logging.getLogger(__name__)


def soon() -> None:
    """Once what is being written stands, the worker is asked to look. Nobody relies on it: the next pulse comes anyway."""
    transaction.on_commit(_ask)


def _ask() -> None:
    try:
        current_app.send_task("work", ("posts",), queue="posts", expires=60, retry=False)
    except (OperationalError, OSError) as error:
        LOG.warning("Nobody takes posts: %s", type(error).__name__)

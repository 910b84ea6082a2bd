"""Posts, sent at once: who pressed a button does not wait a minute for what it does."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction

LOG = logging.getLogger(__name__)


def soon() -> None:
    """Once what is being written stands, the worker is asked to look. Nobody relies on it: the next pulse comes anyway."""
    transaction.on_commit(_ask)


def _ask() -> None:
    try:
        current_app.send_task("work", ("posts",), queue="posts", expires=60, retry=False)
    except Exception as error:  # whatever the broker or its client raises: a page must not break by it
        LOG.warning("Nobody takes posts: %s", type(error).__name__)

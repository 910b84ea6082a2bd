"""Moments in words that hold wherever and whenever they are read."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _


def absolute(moment: datetime) -> str:
    """A moment with its day, its year and the reader's zone."""
    local = timezone.localtime(moment)
    facts = {"moment": date_format(local, "j F Y, H:i"), "zone": timezone.get_current_timezone_name()}
    return _("%(moment)s (%(zone)s)") % facts

"""Who is told of a clock: `settings.CLOCK_TELLERS` names functions `tell(clock, what, at, facts)`, called in the same
transaction. `what` is `soon`, `today`, `missed`, `acted` (facts: entry) or `moved` (facts: was, to, reason, entry)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from campaign.clocks.models import Clock


def announce(clock: Clock, what: str, at: datetime, facts: Mapping[str, Any]) -> None:
    for path in settings.CLOCK_TELLERS:
        import_string(path)(clock, what, at, facts)

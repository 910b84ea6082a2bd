"""The rulings book: how the game master reads a rule. A ruling changes nothing by itself."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, rulings
from campaign.errors import NoSuchEntry, Refused
from campaign.models import Campaign, LogEntry
from campaign.services import acts, asking, log
from engine.strict_json import clean_text

LONGEST = 2000
RULE = re.compile(r"[0-9]{1,2}(\.[0-9]{1,2})?", re.ASCII)


@transaction.atomic
def rule_on(
    campaign: Campaign,
    user: Any,
    text: str,
    *,
    rule: str = "",
    entry: int | None = None,
    revises: int | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """Write a ruling with the next number, or under the number of one that it replaces; the old stays readable.

    `rule` is the paragraph that it reads and `entry` the number of the entry that gave rise to it, both optional.
    """
    table = log.lock(campaign)
    access.must_be_host(table, user)
    access.must_have_account(user)
    log.must_be_seen(text, _("Ruling"))
    if not clean_text(text, LONGEST) or not text.strip():
        raise Refused("no-ruling", _("Say how the rule is read, in up to %(most)s characters.") % {"most": LONGEST})
    if rule and not RULE.fullmatch(rule):
        raise Refused("no-rule", _("A paragraph of the rules is written like 9.7. Leave it empty for none."))
    if entry is not None and not table.entries.filter(number=entry).exists():
        raise NoSuchEntry
    known = {one.number for one in rulings.book(table)}
    if revises is not None and revises not in known:
        raise Refused("no-such-ruling", _("There is no ruling of this number to revise."))
    number = revises if revises is not None else max(known, default=0) + 1
    what = {"act": log.RULING, "ruling": number, "rule": rule, "text": text.strip(), "entry": entry}
    said = acts.append(table, user, {**what, "revises": revises is not None}, now=now)
    # A reading holds for his own nation too, whatever it is of.
    asking.ask(table, user, said, lambda seats: seats, said.at)
    return said

"""Whom and what the host's commands mean, as he types it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from campaign.models import Campaign
from people.models import User, find


def campaign_of(text: str) -> Campaign:
    """By its public id, or by the address of one of its pages."""
    key = text.rstrip("/").split("/c/")[-1].split("/")[0][:8]
    found = Campaign.objects.filter(public_id=key).first()
    if found is None:
        raise CommandError(f"There is no campaign {text!r}. Name it by the eight signs behind /c/ in its address.")
    return found


def scenario_of(text: str) -> str | None:
    """The public id in the address of somebody's scenario; None where it is no such address."""
    _before, found, after = text.partition("/scenarios/")
    return after.split("/")[0].split(".")[0][:8] if found else None


def user_of(text: str) -> User:
    """By his name or e-mail address, in whatever case; by `#` and his number where he has no name any more."""
    found = User.objects.filter(pk=int(text[1:])).first() if text[:1] == "#" and text[1:].isdigit() else find(text)
    if found is None:
        raise CommandError(f"Nobody is called {text!r}. Name him by his name, his e-mail address, or # and his number.")
    return found


def either(text: str, options: dict[str, Any]) -> Campaign | User:
    """A campaign or a person; where it may be both, `--campaign` or `--user` say which."""
    if options["campaign"]:
        return campaign_of(text)
    if options["user"]:
        return user_of(text)
    if "/c/" in text:
        return campaign_of(text)
    short = len(text) == 8 or text[8:9] == "-"
    campaign = Campaign.objects.filter(public_id=text[:8]).first() if short else None
    user = find(text)
    if campaign is not None and user is not None:
        raise CommandError(f"{text!r} is a campaign and a person. Say which: --campaign or --user.")
    return campaign or user_of(text)

"""The hidden hands that a game master has opened in this session."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

SESSION = "eyes"
"""The key of a session for the moments at which open hands close, by campaign and seat."""


def open_hands(request: HttpRequest, public_id: str) -> set[str]:
    """Return the seats of a campaign whose hands are open now to this reader."""
    now = int(timezone.now().timestamp())
    until = request.session.get(SESSION, {}).get(public_id, {})
    return {seat for seat, end in until.items() if end > now}

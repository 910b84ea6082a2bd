"""The mark that a post bears, so that one can look whether it is there before it is posted again."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from campaign.models import Campaign


def marker(campaign: Campaign, number: int, part: int) -> str:
    """Of one post of one campaign of this site, such as `[k7qm-12-9f2a7c]`: short, visible, the same at every attempt.

    Nobody outside can foretell its end, so that a mark found at the place is ours.
    """
    said = f"{campaign.public_id}/{number}/{part}".encode()
    end = hmac.new(settings.SECRET_KEY.encode(), b"forum.marking/" + said, hashlib.sha256).hexdigest()[:6]
    return f"[{campaign.public_id[:4]}-{number}-{end}]"

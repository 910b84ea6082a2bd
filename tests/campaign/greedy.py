"""Programs that need more memory than a small limit allows.

The real ones need less than a MB beside the modules that the child loads before it is limited.
"""

from __future__ import annotations

from typing import Any

NEEDED = 64 * 2**20


def play_on(*args: Any, tell: Any) -> None:
    """Stand in for `campaign.played_apart.play_on`."""
    bytearray(NEEDED)


def balance(*args: Any, tell: Any) -> None:
    """Stand in for `campaign.played_apart.balance`."""
    bytearray(NEEDED)

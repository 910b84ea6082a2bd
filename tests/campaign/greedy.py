"""Programs that need more memory or time than a small limit allows.

The real programs need less than a megabyte in addition to the modules that the child loads before
it is limited, and take their steps in a few milliseconds.
"""

from __future__ import annotations

from time import sleep
from typing import Any

NEEDED = 64 * 2**20


def play_on(*args: Any, report: Any) -> None:
    """Stand in for `campaign.playouts.play_on`."""
    bytearray(NEEDED)


def play_slowly(*args: Any, report: Any) -> None:
    """Stand in for `campaign.playouts.play_on`: a step takes a minute."""
    sleep(60)


def balance(*args: Any, report: Any) -> None:
    """Stand in for `campaign.playouts.balance`."""
    bytearray(NEEDED)

from typing import Any

import pytest

from tests.table import grand, people, running, table, toy
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "grand", "new_campaign", "people", "running", "siege", "table", "toy"]


@pytest.fixture
def siege(five: Five) -> Any:
    """The Huns attack Dalmatia and the Romans have accepted: battle 1 is in play."""
    five.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    five.play("romans", "respond", attack=1, choice="accept")
    return five

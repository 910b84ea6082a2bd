from typing import Any

import pytest

from tests.table import grand, people, running, table, toy
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand", "grand_table", "new_campaign", "people", "running", "siege", "table", "toy"]


@pytest.fixture
def siege(grand_table: GrandTable) -> Any:
    """The Huns attack Dalmatia and the Romans have accepted: battle 1 is in play."""
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    grand_table.play("romans", "respond", attack=1, choice="accept")
    return grand_table

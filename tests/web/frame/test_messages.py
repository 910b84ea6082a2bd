"""Messages wait for the next whole page: an update of a part would not show them."""

from __future__ import annotations

import pytest

from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db

WHY = "The last move is not yours."


@pytest.mark.parametrize("part", ["live", "posts", "results-form"])
def test_an_update_of_a_part_leaves_the_messages(grand_table: GrandTable, part: str) -> None:
    grand_table.post("hun", "undo/", seen="9" * 20)
    headers = {"HX-Request": "true", "HX-Target": part}
    update = grand_table.clients["hun"].get(grand_table.home, headers=headers).content.decode()
    assert WHY not in update
    assert WHY in grand_table.text("hun")
    assert WHY not in grand_table.text("hun"), "a message is shown once"

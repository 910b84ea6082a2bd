"""Messages wait for the next whole page: an update of a part would not show them."""

from __future__ import annotations

import pytest

from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]
pytestmark = pytest.mark.django_db

WHY = "The last move is not yours."


@pytest.mark.parametrize("part", ["live", "posts", "results-form"])
def test_an_update_of_a_part_leaves_the_messages(five: Five, part: str) -> None:
    five.post("hun", "undo/", seen="9" * 20)
    headers = {"HX-Request": "true", "HX-Target": part}
    update = five.clients["hun"].get(five.home, headers=headers).content.decode()
    assert WHY not in update
    assert WHY in five.text("hun")
    assert WHY not in five.text("hun"), "a message is shown once"

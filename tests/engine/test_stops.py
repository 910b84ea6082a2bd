"""Full stops at the end of typed texts."""

from __future__ import annotations

import pytest

from engine.language import with_stop


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("A slip", "A slip."),
        ("A slip.", "A slip."),
        ("Why?", "Why?"),
        ("They said “never.”", "They said “never.”"),
        ("Sie sagten „nie!“", "Sie sagten „nie!“"),
        ("Dijeron «nunca…»", "Dijeron «nunca…»"),
        ("They said “never”", "They said “never”."),
        ("A slip. (Ada)", "A slip. (Ada)."),
        ("", "."),
    ],
)
def test_a_text_ends_with_one_stop(text: str, stopped: str) -> None:
    assert with_stop(text) == stopped

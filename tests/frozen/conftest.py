"""The frozen pages are compared as they are delivered."""

import pytest


@pytest.fixture(autouse=True)
def _pages_without_layout() -> None:
    """Leave the layout of pages as it is: here white space counts."""

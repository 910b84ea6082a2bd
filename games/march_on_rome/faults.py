"""What is wrong with a record, its options or a position of this title."""

from __future__ import annotations

from engine.errors import MalformedRecord
from games.march_on_rome.board import HERE


class Fault(MalformedRecord):
    """Its sentence is in `faults_<language>.json`, unless it is one that any title may need."""

    BOOK = HERE

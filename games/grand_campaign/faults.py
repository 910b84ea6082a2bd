"""What is wrong with a scenario or a drawing of the Grand Campaign."""

from __future__ import annotations

from pathlib import Path

from engine.errors import MalformedRecord


class Fault(MalformedRecord):
    """Its sentence is in `tables/faults_<language>.json`, unless it is one that any title may need."""

    BOOK = Path(__file__).parent / "tables"

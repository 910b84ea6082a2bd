"""The rules text of the Grand Campaign."""

from functools import cache
from pathlib import Path

from games import grand_campaign


@cache
def text() -> str:
    """Numbered rules: `## 1 Chapter`, `- 1.1 paragraph`, *Ruling:* where one decides, `keys` in backquotes."""
    return (Path(grand_campaign.__file__).parent / "RULES.md").read_text(encoding="utf-8")

"""The rules text of the Grand Campaign."""

from pathlib import Path

from engine.language import text as in_language
from games import grand_campaign


def text() -> str:
    """Numbered rules: `## 1 Chapter`, `- 1.1 paragraph`, *Ruling:* where one decides, `keys` in backquotes.

    In the language of now.
    """
    return in_language(Path(grand_campaign.__file__).parent, "RULES")

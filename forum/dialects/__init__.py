"""The report model in each board's own dress: one file a dialect, this registry of them."""

from forum.dialects.base import Context, Dialect
from forum.dialects.discord import Discord
from forum.dialects.html import Html
from forum.dialects.markdown import Markdown
from forum.dialects.mybb import MyBB
from forum.dialects.phpbb import PhpBB
from forum.dialects.plain import Plain

DIALECTS: dict[str, Dialect] = {made.key: made for made in (PhpBB(), MyBB(), Markdown(), Discord(), Html(), Plain())}
"""By their keys, in the order in which they are offered; the first is the default."""
DEFAULT = next(iter(DIALECTS))

__all__ = ["DEFAULT", "DIALECTS", "Context", "Dialect"]

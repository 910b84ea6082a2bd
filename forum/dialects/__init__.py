"""The report model in each board's own dress: one file a dialect, this registry of them."""

from forum.dialects.base import Context, Dialect
from forum.dialects.bbcode import MyBB, PhpBB
from forum.dialects.markdown import Discord, Markdown
from forum.dialects.plain import Html, Plain

DIALECTS: dict[str, Dialect] = {dialect.key: dialect for dialect in (PhpBB(), MyBB(), Markdown(), Discord(), Html(), Plain())}
"""By their keys, in the order in which they are offered; the first is the default."""
DEFAULT = next(iter(DIALECTS))

__all__ = ["DEFAULT", "DIALECTS", "Context", "Dialect"]

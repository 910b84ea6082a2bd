"""The storage of the site's own styles and scripts."""

from __future__ import annotations

import os
from contextlib import suppress
from tempfile import NamedTemporaryFile

import rjsmin
from django.core.files import File
from django.core.files.base import ContentFile
from lightningcss import bundle_css, process_stylesheet
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTS_OF_SCRIPTS = (
    (r"""(?P<matched>from\s*["'](?P<url>[./][^"']*)["'])""", 'from"%(url)s"'),
    (r"""(?P<matched>import\s*["'](?P<url>[./][^"']*)["'])""", 'import"%(url)s"'),
    (r"""(?P<matched>import\(\s*["'](?P<url>[./][^"']*)["']\s*\))""", 'import("%(url)s")'),
)
"""Patterns of a script that names another script, each with its replacement when that name contains
a hash.
"""


class SmallStaticFiles(CompressedManifestStaticFilesStorage):
    """Styles and scripts without comments and spaces, compressed, with a hash in their names.

    Scripts that import scripts use the names with hashes. A style and its imports are one file.
    """

    # Only for the site's own scripts: a comment in a script of django-htmx names a missing file.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", IMPORTS_OF_SCRIPTS))

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.endswith(".js") and not name.endswith(".min.js"):
            content = ContentFile(rjsmin.jsmin(b"".join(content.chunks()).decode()).encode())
        elif name.endswith(".css"):
            text = b"".join(content.chunks()).decode()
            short = self._with_imports(name, text) if "@import" in text else None
            content = ContentFile((short or process_stylesheet(text, minify=True)).encode())
        return str(super()._save(name, content))

    def _with_imports(self, name: str, text: str) -> str | None:
        """Return a style together with its imports.

        None as long as one of them has not been collected.
        """
        folder = os.path.dirname(self.path(name))
        os.makedirs(folder, exist_ok=True)
        with NamedTemporaryFile("w", suffix=".css", dir=folder) as draft:
            draft.write(text)
            draft.flush()
            with suppress(OSError):
                return str(bundle_css(draft.name, minify=True))
        return None

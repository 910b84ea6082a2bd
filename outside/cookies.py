"""A visitor's cookies as text, so that the next process is the same visitor. They are secrets."""

from __future__ import annotations

import json
from http.cookiejar import Cookie, CookieJar

_FIELDS = (
    "version", "name", "value", "port", "port_specified", "domain", "domain_specified", "domain_initial_dot", "path",
    "path_specified", "secure", "expires", "discard", "comment", "comment_url",
)  # fmt: skip


def written(jar: CookieJar) -> str:
    """The jar as text; "" for an empty one."""
    found = [{name: getattr(cookie, name) for name in _FIELDS} for cookie in jar]
    return json.dumps(found, separators=(",", ":")) if found else ""


def read(text: str) -> CookieJar:
    """The jar again."""
    jar = CookieJar()
    for fields in json.loads(text or "[]"):
        jar.set_cookie(Cookie(**fields, rest={}))
    return jar

"""How an operation is described: by its method's own words. Its class's are for who reads
the code.
"""

from __future__ import annotations

from inspect import getdoc

from drf_spectacular.openapi import AutoSchema


class Operation(AutoSchema):
    def get_description(self) -> str:  # type: ignore[override]  # as in drf_spectacular itself
        method = getattr(self.view, getattr(self.view, "action", None) or self.method.lower(), None)
        return (
            (getdoc(method) or "").replace("\n", " ")
            if method is not None and method.__doc__
            else ""
        )

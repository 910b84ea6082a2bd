"""The description of an operation for OpenAPI, taken from the docstring of its method."""

from __future__ import annotations

from inspect import getdoc

from drf_spectacular.openapi import AutoSchema


class Operation(AutoSchema):
    """A schema without the docstrings of view classes, which are for readers of the code."""

    def get_description(self) -> str:  # type: ignore[override]  # as in drf_spectacular itself
        """Return the docstring of the method in one line."""
        method = getattr(self.view, getattr(self.view, "action", None) or self.method.lower(), None)
        if method is None or not method.__doc__:
            return ""
        return " ".join((getdoc(method) or "").split())

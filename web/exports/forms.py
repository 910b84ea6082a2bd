"""The query of a picture."""

from __future__ import annotations

from django import forms

from web.frame.fields import AskedNumber


class PictureQuery(forms.Form):
    """The entry after which the table is drawn; by default the last entry."""

    at = AskedNumber()

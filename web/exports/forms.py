"""What the address of a picture asks for."""

from __future__ import annotations

from django import forms

from web.frame.fields import AskedNumber


class PictureQuery(forms.Form):
    """The entry after which the table is drawn; without it, the last one."""

    at = AskedNumber()

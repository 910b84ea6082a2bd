"""What the address of a play-test asks for."""

from __future__ import annotations

from web.frame.posted import PostedForm, text_field


class SubjectQuery(PostedForm):
    """The scenario of a shelf or the draft that a play-test is about."""

    scenario = text_field()
    draft = text_field()

"""The query of the page of a play-test."""

from __future__ import annotations

from web.frame.raw_forms import PostedForm, text_field


class SubjectQuery(PostedForm):
    """The scenario of a shelf, or the draft, that a play-test is about."""

    scenario = text_field()
    draft = text_field()

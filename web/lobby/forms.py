"""Read what the pages of lobbies and About post. The services check it."""

from __future__ import annotations

from web.frame.posted import PostedForm, text_field


class AboutForm(PostedForm):
    """A button of the page About; which fields it has depends on what it does."""

    seat = text_field()
    person = text_field()
    how = text_field()
    reason = text_field()
    name = text_field()
    visibility = text_field()
    back = text_field()

    @property
    def returns_to_desk(self) -> bool:
        """Return whether the form is on the game master's desk."""
        return self.typed("back") == "desk"


class LobbyForm(PostedForm):
    """What a game master writes to the users who may apply."""

    words = text_field()

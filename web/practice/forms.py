"""The forms of games against programs and of lessons. The services check the values."""

from __future__ import annotations

from web.frame.raw_forms import PostedForm, text_field


class PracticeForm(PostedForm):
    """A game against programs, as described by a form or an address.

    The answers to the questions of a title have fields with their keys, and the levels of seats
    have fields such as `level-<seat>`. `part` requests only a part of the page, and `begin` is the
    button that begins the game.
    """

    scenario = text_field()
    seat = text_field()
    battles = text_field()
    level = text_field()
    part = text_field()
    begin = text_field()

    @property
    def asks_for_sentence(self) -> bool:
        return self.text_of("part") == "sentence"

    @property
    def begins(self) -> bool:
        return "begin" in self.data

    def has_answer(self, question: str) -> bool:
        """Return whether a question has been answered."""
        return question in self.data

    def answer_or(self, question: str, default: str) -> str:
        """Return the answer to a question; `default` if there is none."""
        return str(self.data.get(question, default))

    def level_of(self, seat: str) -> str:
        """Return the level chosen for a seat; empty if none was."""
        return str(self.data.get(f"level-{seat}", ""))


class GuideForm(PostedForm):
    """The act to leave the guide of a lesson, or to resume it."""

    guide = text_field()

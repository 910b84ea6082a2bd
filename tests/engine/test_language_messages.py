"""English messages in `games/` are read in the language of the reader."""

from engine.language import (
    gettext,
    gettext_noop,
    ngettext,
    pgettext,
    pgettext_noop,
    use_language,
)


def test_a_message_is_read_in_the_language_of_now() -> None:
    """The button "Announce" is in the catalogues of every language."""
    assert pgettext("button", "Announce") == "Announce"
    with use_language("de"):
        assert pgettext("button", "Announce") == "Ankündigen"
    with use_language("it"):
        assert gettext("No such message") == "No such message"


def test_a_message_that_counts_has_the_form_of_its_number() -> None:
    one, many = "{seat}: {n} move is taken back.", "{seat}: {n} moves are taken back."
    assert [ngettext(one, many, n) for n in (1, 2)] == [one, many]
    with use_language("de"):
        assert ngettext(one, many, 2) != many


def test_a_message_with_a_context_differs_from_the_one_without() -> None:
    assert pgettext("own move", "Undo") == "Undo"
    with use_language("de"):
        assert pgettext("own move", "Undo") == "Zurücknehmen"
    assert gettext_noop("Walls") == pgettext_noop("map", "Walls") == "Walls"

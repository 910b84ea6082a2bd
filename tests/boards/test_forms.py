"""The imitations refuse fields that the forms of the real boards do not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from forum.boards import TransportError
from tests.boards import mybb, phpbb_pages
from tests.boards.forms import CapturedForm
from tests.boards.places import FORMS, Place

At = Callable[..., Place]
CAPTURED = (
    phpbb_pages.LOGIN,
    phpbb_pages.REPLY,
    phpbb_pages.EDIT,
    mybb.LOGIN,
    mybb.REPLY,
    mybb.EDIT,
)


@pytest.mark.parametrize("form", CAPTURED, ids=lambda form: str(form.file))
def test_other_fields_are_refused_and_all_fields_required(form: CapturedForm) -> None:
    assert form.refusal(["invented"]).startswith("The form has no field invented.")
    assert form.refusal([]).startswith("The field ")


@pytest.mark.parametrize("kind", FORMS)
def test_an_invented_field_does_not_pass(
    at: At, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = at(kind)
    usual = type(here.transport).reply  # type: ignore[attr-defined]
    monkeypatch.setattr(
        type(here.transport),
        "reply",
        lambda *given: usual(*given) | {"do_reply": "1"},
    )
    with pytest.raises(TransportError):
        here.play(1)
    assert here.times(1) == 0


def test_the_edit_page_of_mybb_has_the_form_that_deletes_first() -> None:
    values = {"my_post_key": "0", "subject": "", "message": ""}
    forms = BeautifulSoup(mybb.EDIT.page("editpost.php", values), "html.parser").select(
        'form[action^="editpost.php"]'
    )
    assert [form.get("name") for form in forms] == ["editpost", "input"]

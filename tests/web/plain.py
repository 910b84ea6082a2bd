"""A browser without a script, which reads the forms of a page and sends them with some changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import QueryDict

VOID = {"input", "br", "meta", "link", "img", "hr", "use", "path"}


@dataclass
class Form:
    """A form with the data that it would send, its button texts, and the choices of its selects."""

    action: str
    place: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    button: str = ""

    def value(self, name: str) -> str:
        return dict(self.fields)[name]


class FormParser(HTMLParser):
    """A parser of forms.

    `place` is the id of the nearest element around the form that has one.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.ids: list[tuple[str, str]] = []
        self.form: Form | None = None
        self.select = self.option = self.first = ""
        self.in_button = self.bare = self.chosen = False
        self.area: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag not in VOID:
            self.ids.append((tag, given.get("id", "")))
        if tag == "form":
            around = [ident for _, ident in self.ids[:-1] if ident]
            self.form = Form(given.get("action", ""), around[-1] if around else "")
        if self.form is not None:
            self._control(self.form, tag, given)

    def _control(self, form: Form, tag: str, given: dict[str, str]) -> None:
        if tag == "input" and given.get("name"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                form.fields.append((given["name"], given.get("value", "")))
        elif tag == "select":
            self.select, self.first = given["name"], ""
            form.choices[self.select] = []
        elif tag == "option" and self.select:
            self._option(form, given)
        elif tag == "textarea":
            self.area, self.option = given["name"], ""
        elif tag == "button" and not given.get("formaction"):
            self.in_button = True

    def _option(self, form: Form, given: dict[str, str]) -> None:
        self.bare = "value" not in given  # its text serves as its value
        form.choices[self.select].append(given.get("value", ""))
        self.chosen = "selected" in given or len(form.choices[self.select]) == 1
        if self.chosen:
            self.first = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if self.form and self.in_button:
            self.form.button += data
        if self.area is not None:
            self.option += data
        if self.form and self.select and self.bare and self.form.choices[self.select]:
            self.form.choices[self.select][-1] = data
            self.first = data if self.chosen else self.first
            self.bare = False

    def handle_endtag(self, tag: str) -> None:
        while self.ids and self.ids.pop()[0] != tag:
            pass
        if self.form is None:
            return
        if tag == "select":
            self.form.fields.append((self.select, self.first))
            self.select = ""
        elif tag == "textarea" and self.area is not None:
            self.form.fields.append((self.area, self.option))
            self.area = None
        elif tag == "button":
            self.in_button = False
        elif tag == "form":
            self.forms.append(self.form)
            self.form = None


def parse_forms(text: str) -> list[Form]:
    """Return the forms of a page."""
    return FormParser(text).forms


def find_form(text: str, place: str, button: str = "") -> Form:
    """Return the form within the element of this id that has this button."""
    result = [form for form in parse_forms(text) if form.place == place and button in form.button]
    assert result, f"no form in #{place}: {sorted({form.place for form in parse_forms(text)})}"
    return result[0]


def submit_form(client: Any, form: Form, **chosen: Any) -> Any:
    """Send the form with these changes.

    A list sends several values, None leaves a field out, and `__` in a name means a dot.
    """
    data = QueryDict(mutable=True)
    names = {key.replace("__", ".").rstrip("_"): value for key, value in chosen.items()}
    for name, value in form.fields:
        if name not in names:
            data.appendlist(name, value)
    for name, value in names.items():
        if value is None:
            continue
        for item in value if isinstance(value, list) else [value]:
            data.appendlist(name, str(item))
    body = data.urlencode()
    return client.post(form.action, body, content_type="application/x-www-form-urlencoded")

"""Requests for every page of a state and for its forms, without lasting changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.http import QueryDict
from django.test import Client
from django.utils import translation

from tests.frozen import only
from tests.frozen.dom import body_lines, content_of, lines_of, masked, tree_of
from tests.frozen.scene import LANGUAGES, OTHERS_READ, READERS, Scene, State
from tests.frozen.still import STREAM

Shown = dict[str, dict[str, dict[str, list[str]]]]
"""The lines of each answer, by language, reader and address."""
UNSENT = frozenset(
    ["csrfmiddlewaretoken", "seen", "next", "back", "shape", "version", "revision", "at"]
)
"""Hidden fields that depend on when and where a page was made, not on what its form does."""
WRONG = "x<b>"


def ask(client: Client, name: str, send: Callable[[], Any]) -> list[str]:
    """Return the lines of an answer and of the letters that it sent.

    Everything that the request wrote is rolled back.
    """
    cookies, letters = client.cookies.output(), len(mail.outbox)
    kept = {key: morsel.value for key, morsel in client.cookies.items()}
    cache.clear()
    STREAM.begin(name)
    with transaction.atomic(), translation.override(None):
        lines = lines_of(send())
        transaction.set_rollback(True)
    if client.cookies.output() != cookies:
        client.cookies.clear()
        for key, value in kept.items():
            client.cookies[key] = value
    for letter in mail.outbox[letters:]:
        lines += letter_lines(letter)
    del mail.outbox[letters:]
    return lines


def letter_lines(letter: Any) -> list[str]:
    """Return a letter as lines: its recipients, its subject, its text and its page."""
    lines = [f"== letter to {', '.join(letter.to)}: {letter.subject}", *letter.body.splitlines()]
    for alternative in getattr(letter, "alternatives", ()):
        lines += body_lines(alternative[0].encode(), alternative[1])
    return lines


def walk(state: State, scene: Scene) -> Shown:
    """Return the answers that the readers of this state get."""
    shown: Shown = {}
    addresses = only.pages(dict.fromkeys([*state.pages, *scene.pages]))
    for language in only.languages(LANGUAGES):
        for reader in READERS:
            if reader not in scene.clients or not (
                language == "en" or state.thorough or reader in OTHERS_READ
            ):
                continue
            answers = shown.setdefault(language, {}).setdefault(reader, {})
            client = scene.clients[reader]
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            trees = []
            for address in addresses:
                path = scene.path(address)
                pages: list[Any] = []

                get = getter(client, path, language, pages)
                answers[address or "the table"] = ask(client, f"{state.name} {address}", get)
                page = pages[0]
                html = page.status_code == 200 and page.headers.get("Content-Type", "").startswith(
                    "text/html"
                )
                if html and language == "en" and reader in state.forms:
                    trees.append((path, content_of(page).decode()))
            for label, send in forms_of(client, scene, trees):
                answers[label] = ask(client, f"{state.name} {label}", send)
    for label, request in scene.requests.items():
        if only.PAGES:
            break
        shown.setdefault("en", {}).setdefault("requests", {})[label] = ask(
            Client(), f"{state.name} {label}", request
        )
    return shown


def getter(client: Client, path: str, language: str, pages: list[Any]) -> Callable[[], Any]:
    """Return a function that asks for this page and notes the answer in `pages`."""

    def get() -> Any:
        pages.append(client.get(path, headers={"accept-language": language}))
        return pages[-1]

    return get


def forms_of(
    client: Client, scene: Scene, pages: list[tuple[str, str]]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield each form of these pages once by a label.

    It is sent unchanged, then with a wrong word in every field.
    """
    known: set[str] = set()
    for path, text in pages:
        tree = tree_of(text)
        for form in tree.iter("form"):
            if (form.get("method") or "get").lower() != "post":
                continue
            for button in buttons(form) or [("", "")]:
                action = (form.get("action") or path).partition("#")[0] or path
                right, wrong, label = filled(form, button)
                key = masked(f"POST {action.removeprefix(scene.home)} {label}").strip()[:150]
                if key in known:
                    continue
                known.add(key)
                yield key, sender(client, action, right)
                if wrong is not None:
                    yield f"{key} (wrong)", sender(client, action, wrong)


def sender(client: Client, action: str, data: QueryDict) -> Callable[[], Any]:
    """Return a function that sends this form."""
    return lambda: client.post(
        action, data.urlencode(), content_type="application/x-www-form-urlencoded"
    )


def buttons(form: Any) -> list[tuple[str, str]]:
    """Return name and value of each named button that sends the form."""
    sending = [
        button
        for button in form.iter("button")
        if button.get("type") in (None, "submit") and button.get("name")
    ]
    return [(button.get("name"), button.get("value") or "") for button in sending]


def filled(form: Any, button: tuple[str, str]) -> tuple[QueryDict, QueryDict | None, str]:
    """Return the data of the unchanged form, with a wrong word in each field, and its label."""
    right, wrong, words, fields = QueryDict(mutable=True), QueryDict(mutable=True), [], 0
    for field in form.iter("input", "select", "textarea"):
        name, kind = field.get("name"), field.get("type") or "text"
        if not name or kind in ("file", "submit", "button", "image"):
            continue
        if kind == "hidden":
            value = field.get("value") or ""
            right.appendlist(name, value)
            wrong.appendlist(name, value)
            words += [] if name in UNSENT else [f"{name}={value}"]
            continue
        fields += 1
        words.append(name)
        if kind in ("checkbox", "radio"):
            if field.get("checked") is not None:
                right.appendlist(name, field.get("value") or "on")
            if kind == "radio":
                wrong[name] = WRONG
            continue
        right.appendlist(name, value_of(field))
        wrong.appendlist(name, WRONG)
    if button[0]:
        right.appendlist(*button)
        wrong.appendlist(*button)
        words.append("=".join(button))
    return right, wrong if fields else None, " ".join(dict.fromkeys(words))


def value_of(field: Any) -> str:
    """Return the current value of a text field, a text area or a choice."""
    if field.tag == "textarea":
        return (field.text or "").removeprefix("\n")
    if field.tag == "input":
        return field.get("value") or ""
    options = list(field.iter("option"))
    chosen = [option for option in options if option.get("selected") is not None] or options[:1]
    return "".join(option.get("value", option.text or "") for option in chosen[:1])

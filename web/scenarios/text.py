"""Scenarios as text for people to read and change, and as files."""

from __future__ import annotations

import json

from django.http import HttpResponse

from games.contract.plain import RawScenario

LEVELS = 3
"""The number of outer levels of a JSON text whose entries have lines of their own."""


def editable_text(scenario: RawScenario) -> str:
    """Return a scenario as text for people to change, without its rules.

    The rules have other fields of the form.
    """
    lines = [
        f" {json.dumps(key)}: {_value_text(value)}"
        for key, value in without_rules(scenario).items()
    ]
    return "{\n" + ",\n".join(lines) + "}\n"


def _value_text(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in value)
    return f"[\n{rows}]" if value else "[]"


def without_rules(scenario: RawScenario) -> RawScenario:
    """Return a scenario without its changed rules."""
    return {key: value for key, value in scenario.items() if key != "rules"}


def json_text(value: object, levels: int = LEVELS) -> str:
    """Return JSON for people and diffs: in the outer levels an entry per line, the rest inline."""
    if levels == 0 or not value or not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=float)
    if isinstance(value, dict):
        entries = [
            f"{json.dumps(key, ensure_ascii=False)}: {json_text(entry, levels - 1)}"
            for key, entry in value.items()
        ]
        return _block("{", entries, "}", levels)
    if not isinstance(value[0], (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=float)
    return _block("[", [json_text(entry, 0) for entry in value], "]", levels)


def _block(opening: str, entries: list[str], closing: str, levels: int) -> str:
    body = ",\n".join(entries).replace("\n", "\n ")
    end = "\n" if levels == LEVELS else ""
    return f"{opening}\n {body}\n{closing}{end}"


def download(name: str, value: object) -> HttpResponse:
    """Return a JSON file; the name keeps only letters, digits and `-_.`."""
    safe_name = "".join(sign for sign in name if sign.isalnum() or sign in "-_.")
    return HttpResponse(
        json_text(value),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{safe_name}"'},
    )

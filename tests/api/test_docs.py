"""The worked example of docs/programs/api.md.

Each command runs against a server, and its answer is compared with the one in the document.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from api import problems
from api.docs import described
from people import tokens
from tests.conftest import confirm

PAIR = re.compile(r"```sh\n(.*?)```\n```json\n(.*?)```", re.S)
MORE = "…"


def shown(answer: Any, content: Any, where: str = "") -> list[str]:
    """Return the places where the answer differs from the document; `…` marks omitted parts."""
    if isinstance(content, dict):
        if not isinstance(answer, dict):
            return [f"{where}: {answer!r}"]
        wrong = [
            f"{where}.{key} is missing" for key in content if key not in answer and key != MORE
        ]
        wrong += [
            f"{where}.{key} is more" for key in answer if key not in content and MORE not in content
        ]
        return wrong + [
            fault
            for key in content
            if key in answer
            for fault in shown(answer[key], content[key], f"{where}.{key}")
        ]
    if isinstance(content, list):
        plain = [element for element in content if element != MORE]
        if (
            not isinstance(answer, list)
            or len(answer) < len(plain)
            or (len(answer) > len(plain) and MORE not in content)
        ):
            return [f"{where}: {answer!r}"]
        return [
            fault
            for n, each in enumerate(plain)
            for fault in shown(answer[n], each, f"{where}[{n}]")
        ]
    return [] if answer == content else [f"{where}: {answer!r} is not {content!r}"]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_worked_example_is_true(live_server: Any, grand_table: Any) -> None:
    secret = tokens.make_token(confirm(grand_table.people["hun"]), "curl", "play", timezone.now())[
        1
    ]
    pairs = PAIR.findall(Path("docs/programs/api.md").read_text(encoding="utf-8"))
    assert len(pairs) == 9
    env = {
        **os.environ,
        "TABULA": live_server.url,
        "TOKEN": secret,
        "CAMPAIGN": grand_table.campaign.address,
        "no_proxy": "*",
    }
    wrong = []
    for command, expected in pairs:
        ran = subprocess.run(
            ["sh", "-c", command], env=env, capture_output=True, text=True, timeout=30, check=True
        )
        wrong += [
            f"{command.splitlines()[-1]}: {fault}"
            for fault in shown(json.loads(ran.stdout), json.loads(expected))
        ]
    assert "\n".join(wrong) == ""


def test_the_comparison_finds_differences() -> None:
    assert shown({"a": 1, "b": [1, 2]}, {"a": 1, "…": "…"}) == []
    assert shown({"a": 1, "b": [1, 2]}, {"b": [1], "a": 2}) == [".b: [1, 2]", ".a: 1 is not 2"]
    assert shown({"a": 1}, {}) == [".a is more"]


@pytest.mark.django_db
def test_the_page_for_people() -> None:
    """It shows every address and every kind of problem, and loads nothing from elsewhere."""
    answer = Client().get("/api/docs/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert all(
        f'id="{operation["operationId"]}"' in page
        for path in described()["paths"].values()
        for operation in path.values()
    )
    assert all(f'id="problem-{kind}"' in page for kind, _ in problems.KINDS.values())
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    italian = Client().get("/api/docs/", headers={"accept-language": "it"}).content.decode()
    assert "Interfaccia per i programmi" in italian
    assert '<h3 lang="it">' in italian

"""The worked example of docs/api.md, run command by command against a server, and compared with
what it says comes back.
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
    """Where the answer is not what the document says of it; `…` stands for what it leaves out."""
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
            one
            for key in content
            if key in answer
            for one in shown(answer[key], content[key], f"{where}.{key}")
        ]
    if isinstance(content, list):
        plain = [one for one in content if one != MORE]
        if (
            not isinstance(answer, list)
            or len(answer) < len(plain)
            or (len(answer) > len(plain) and MORE not in content)
        ):
            return [f"{where}: {answer!r}"]
        return [
            one for n, each in enumerate(plain) for one in shown(answer[n], each, f"{where}[{n}]")
        ]
    return [] if answer == content else [f"{where}: {answer!r} is not {content!r}"]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_worked_example_is_true(live_server: Any, five: Any) -> None:
    secret = tokens.make(confirm(five.people["hun"]), "curl", "play", timezone.now())[1]
    pairs = PAIR.findall(Path("docs/api.md").read_text(encoding="utf-8"))
    assert len(pairs) == 9
    env = {
        **os.environ,
        "TABULA": live_server.url,
        "TOKEN": secret,
        "CAMPAIGN": five.campaign.address,
        "no_proxy": "*",
    }
    wrong = []
    for command, expected in pairs:
        ran = subprocess.run(
            ["sh", "-c", command], env=env, capture_output=True, text=True, timeout=30, check=True
        )
        wrong += [
            f"{command.splitlines()[-1]}: {one}"
            for one in shown(json.loads(ran.stdout), json.loads(expected))
        ]
    assert "\n".join(wrong) == ""


def test_the_comparison_finds_what_is_otherwise() -> None:
    assert shown({"a": 1, "b": [1, 2]}, {"a": 1, "…": "…"}) == []
    assert shown({"a": 1, "b": [1, 2]}, {"b": [1], "a": 2}) == [".b: [1, 2]", ".a: 1 is not 2"]
    assert shown({"a": 1}, {}) == [".a is more"]


@pytest.mark.django_db
def test_the_page_for_people() -> None:
    """Every address and every kind of problem stands on it, nothing of it comes from elsewhere."""
    answer = Client().get("/api/docs/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert all(
        f'id="{one["operationId"]}"' in page
        for path in described()["paths"].values()
        for one in path.values()
    )
    assert all(f'id="problem-{kind}"' in page for kind, _ in problems.KINDS.values())
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    italian = Client().get("/api/docs/", headers={"accept-language": "it"}).content.decode()
    assert "Interfaccia per i programmi" in italian
    assert '<h3 lang="it">' in italian

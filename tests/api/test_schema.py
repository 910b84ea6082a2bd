"""Requests that schemathesis generates for every operation, at a table in play.

Every operation does what its description says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
import schemathesis
from django.core import signals
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from PIL import Image
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from api import authentication
from api.docs import described
from battles import services as battles
from campaign import imports, scenarios, services
from campaign.models import ImportJob, LogEntry, Scenario
from forum.posts import outbox, threads
from talk import services as talk
from talk.models import Message
from tests.api.conftest import Program
from tests.web.contests import attack_independents
from tests.web.grand_table import GrandTable

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
EXAMPLES = 3
"""Of each operation."""
KNOWN = {"seat": "huns", "holder": "huns", "number": 1, "title": "grand_campaign", "key": "turn-1"}
"""Half of the time an address leads to something."""


@pytest.fixture
def table(grand_table: GrandTable) -> GrandTable:
    attack_independents(grand_table)
    hun = grand_table.people["hun"]
    for structure in ("hamlets", "shrines"):
        done = services.play(
            grand_table.campaign,
            hun,
            {"by": "huns", "move": "build", "structure": structure},
            grand_table.seen("hun"),
        )
        grand_table.campaign = done.campaign
        if structure == "hamlets":
            services.undo_own(grand_table.campaign, hun, grand_table.seen("hun"))
            grand_table.campaign.refresh_from_db()
    picture = BytesIO()
    Image.new("RGB", (40, 30), "#336699").save(picture, "PNG")
    battles.add_picture(grand_table.campaign, hun, 1, picture.getvalue())
    gm = grand_table.people["gm"]
    place = threads.set_up(
        grand_table.campaign, gm, transport="clipboard", name="Thread", settings={}, kinds=[]
    )
    outbox.draft(grand_table.campaign, gm, place, "turn-1")
    scenarios.save_scenario(
        hun, "grand_campaign", grand_table.campaign.game.scenarios()["420ad"], sharing="public"
    )
    imports.store_upload(hun, b"{}", "A record", "UTC", "unlisted")
    talk.write(grand_table.campaign, hun, ["gm"], "May I?")
    grand_table.campaign.refresh_from_db()
    return grand_table


@pytest.fixture(autouse=True)
def _quietly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for limit in (authentication.ByAddress, authentication.ByPerson, authentication.Writes):
        monkeypatch.setattr(limit, "allow_request", lambda *given: True)
    ends = (signals.request_started, signals.request_finished)
    for signal in ends:  # as Django's own client: the connection is the test's, and stays open
        signal.disconnect(close_old_connections)
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)
    for signal in ends:
        signal.connect(close_old_connections)


def test_the_description_is_one() -> None:
    result = described()
    named = [
        operation["operationId"] for path in result["paths"].values() for operation in path.values()
    ]
    assert len(named) == len(set(named)) > 40
    assert all(
        operation["summary"] for path in result["paths"].values() for operation in path.values()
    )
    assert result["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


CHOOSING = {"at", "after", "undo", "first"}
"""Parameters that name an entry: with generated numbers they mostly name none."""


def asking(operation: Any, table: GrandTable, api: Callable[..., Program]) -> list[int]:
    """Return the statuses of one operation for three users in turn.

    Every second request uses an address that exists.
    """
    answers: list[int] = []
    result = {"entry": table.campaign.last_number, "scenario": Scenario.objects.get().public_id}
    known = KNOWN | result | ({"key": "420ad"} if "scenarios" in operation.path else {})
    known |= (
        {"key": Message.objects.earliest("pk").conversation.key}
        if "messages" in operation.path
        else {}
    )
    if "imports" in operation.path:
        known["number"] = ImportJob.objects.get().pk
    if "branches" in operation.path:
        known["number"] = LogEntry.objects.get(act="undo").number

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def ask(case: Any) -> None:
        if "ref" in case.path_parameters:
            case.path_parameters["ref"] = table.campaign.address
        if (
            len(answers) % 2 == 0 or "/posts/{" in operation.path
        ):  # which the game master alone reads
            case.path_parameters |= {
                name: known[name] for name in case.path_parameters if name in known
            }
            case.query = {} if CHOOSING & set(case.query or ()) else case.query
        answer = case.call(headers=api(("hun", "gm", "nobody")[len(answers) % 3]).headers)
        case.validate_response(answer, checks=CHECKS)
        answers.append(answer.status_code)

    ask()
    return answers


def test_every_operation_does_what_it_says(table: GrandTable, api: Callable[..., Program]) -> None:
    load_all_checks()
    schema = schemathesis.openapi.from_dict(described())
    schema.app = get_wsgi_application()
    asked, wrong = {}, {}
    operations = [result.ok() for result in schema.get_all_operations()]
    # Reading operations come first: writing operations may remove what they read.
    for operation in sorted(operations, key=lambda operation: operation.method.upper() != "GET"):
        try:
            asked[operation.label] = asking(operation, table, api)
        except FailureGroup as failed:
            wrong[operation.label] = str(failed)
    assert wrong == {}
    assert {
        label
        for label, result in asked.items()
        if "GET" in label and not any(status == 200 for status in result)
    } == set()
    assert sum(len(result) for result in asked.values()) > 100

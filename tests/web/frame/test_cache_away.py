"""Without the shared cache, pages and moves work, and counted acts are refused in words."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from axes.handlers.proxy import AxesProxyHandler
from django.core import mail
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.log import selectors
from people import tokens
from tests.conftest import PASSWORD, confirm
from tests.table import grand, people

__all__ = ["grand", "people"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def away(settings: Any) -> Iterator[None]:
    """Return a port of this machine at which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kept = settings.CACHES
    shared = {"BACKEND": "people.address_proof.Redis", "LOCATION": f"redis://127.0.0.1:{port}/0"}
    settings.CACHES = {**kept, "default": shared}
    AxesProxyHandler.get_implementation(force=True)
    yield
    settings.CACHES = kept
    AxesProxyHandler.get_implementation(force=True)


def test_without_the_cache_reading_works_and_signing_in_is_refused(grand: Any, away: None) -> None:
    gm, campaign = grand.people["gm"], grand.campaign
    services.play(campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, gm))
    at = f"/c/{campaign.public_id}/"
    assert Client().get("/").status_code == 200
    assert Client().get(at, follow=True).status_code in (200, 404)
    secret = tokens.make_token(confirm(gm), "mine", "play", timezone.now())[1]
    program = {"HTTP_AUTHORIZATION": f"Bearer {secret}", "content_type": "application/json"}
    api = f"/api/v1/campaigns/{campaign.public_id}/"
    whole = Client().get(api, **program)
    assert whole.status_code == 200
    assert Client().get("/api/v1/titles/").status_code == 200

    for address, fields in (
        ("/sign-in/", {"login": gm.username, "password": PASSWORD}),
        ("/sign-in/code/", {"email": gm.email}),
        ("/password/", {"email": gm.email}),
    ):
        answer = Client().post(address, fields)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60"), address
        assert "This is not possible right now" in answer.content.decode()
    assert mail.outbox == []

    slot = Client().get(f"{api}position/", **program).json()["slot"]
    move = {"move": {"by": "gm", "for": slot, "move": "end-slot"}, "seen": whole.json()["seen"]}
    named = Client().post(f"{api}moves/", move, HTTP_IDEMPOTENCY_KEY="k", **program)
    assert (named.status_code, named.json()["code"]) == (503, "key-unknown")
    assert Client().post(f"{api}moves/", move, **program).status_code == 201
    # The log prevents a repetition: an equal move with an equal `seen` is the same move.
    assert Client().post(f"{api}moves/", move, **program).status_code == 200

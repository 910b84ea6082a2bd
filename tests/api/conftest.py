"""A table of the Grand Campaign, asked by programs: `api("hun").get("log/")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from people import tokens
from tests.conftest import confirm
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]


class Program:
    """A user's program, or an anonymous one without a secret.

    Paths without a leading slash are relative to the campaign.
    """

    def __init__(self, secret: str, home: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.secret, self.home = secret, home
        self.headers = {"authorization": f"Bearer {secret}"} if secret else {}

    def get(self, path: str = "", **headers: str) -> Any:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.client.get(self.at(path), headers={**self.headers, **named})

    def post(self, path: str, data: Any = None, **headers: str) -> Any:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.client.post(
            self.at(path), data, "application/json", headers={**self.headers, **named}
        )

    def at(self, path: str) -> str:
        return path if path.startswith("/") else self.home + path


@pytest.fixture
def programs() -> Callable[..., Callable[..., Program]]:
    """Return a function that gives `api(who, scope)`, with one token for each user and scope."""

    def built_from(grand_table: GrandTable) -> Callable[..., Program]:
        created: dict[tuple[str, str], Program] = {}
        home = f"/api/v1/campaigns/{grand_table.campaign.address}/"

        def api(who: str, scope: str = "play") -> Program:
            if (who, scope) not in created:
                secret = (
                    ""
                    if who == "nobody"
                    else tokens.make_token(
                        confirm(grand_table.people[who]), scope, scope, timezone.now()
                    )[1]
                )
                created[who, scope] = Program(secret, home)
            return created[who, scope]

        return api

    return built_from


@pytest.fixture
def api(grand_table: GrandTable, programs: Any) -> Callable[..., Program]:
    created: Callable[..., Program] = programs(grand_table)
    return created

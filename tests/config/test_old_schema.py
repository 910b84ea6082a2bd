"""A new program on an old database, which says in one line what to do; never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.thorough
ROOT = Path(settings.BASE_DIR)
MESSAGE = "The database is older than this program. Run: python manage.py migrate"
PAGES = """
import django.test
from config.wsgi import application
client = django.test.Client(raise_request_exception=False, headers={"host": "127.0.0.1"})
for path in ("/", "/c/abcdefgh/", "/api/v1/campaigns/"):
    answer = client.get(path)
    print(path, answer.status_code, "being updated" in answer.content.decode())
"""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DATABASE_URL", "REDIS_URL", "CACHE_URL")
    }
    environment = {
        **kept,
        "TABULA_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TABULA_HASHED_STATIC": "0",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.nightly
def test_every_part_says_run_migrate(tmp_path: Path) -> None:
    run(tmp_path, "-m", "config.keys")
    run(tmp_path, "manage.py", "messages", "--compile")
    run(tmp_path, "manage.py", "createcachetable")
    assert run(tmp_path, "manage.py", "migrate", "-v0", "people", "0001").returncode == 0
    clearing = run(tmp_path, "manage.py", "clearsessions")
    assert (clearing.returncode, clearing.stderr.strip()) == (1, MESSAGE)
    pages = run(tmp_path, "-c", PAGES)
    assert pages.stdout.splitlines() == [
        "/ 503 True",
        "/c/abcdefgh/ 503 True",
        "/api/v1/campaigns/ 503 True",
    ]
    assert "Traceback" not in pages.stderr
    assert f"campaign.schema: {MESSAGE}" in pages.stderr, "when it starts"
    assert f"{MESSAGE} (Service Unavailable: /)" in pages.stderr
    pulse = run(tmp_path, "manage.py", "tick")
    assert (pulse.returncode, "letters: failed" in pulse.stdout, "Traceback" in pulse.stderr) == (
        1,
        True,
        False,
    )
    assert f"letters failed: {MESSAGE}" in pulse.stderr
    assert run(tmp_path, "manage.py", "migrate", "-v0").returncode == 0
    assert run(tmp_path, "-c", PAGES).stdout.splitlines()[0] == "/ 200 False"

"""Settings: refused values and consequences."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from config import keys

ROOT = Path(__file__).resolve().parents[3]


def start(tmp_path: Path, source: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Load the settings in a child process with this environment and an empty var folder."""
    inherited = {
        name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ
    }
    environment = {"TABULA_VAR": str(tmp_path), "SECRET_KEY": "s", "VAULT_KEY": "v", **environment}
    return subprocess.run(
        [sys.executable, "-c", f"from config import settings as s\n{source}"],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "hosts", ["tabula.example", "127.0.0.1,tabula.example", "*", ".localhost.example", "0.0.0.0"]
)
def test_a_demonstration_refuses_hosts_that_others_reach(tmp_path: Path, hosts: str) -> None:
    done = start(tmp_path, TABULA_DEMO="1", ALLOWED_HOSTS=hosts)
    assert done.returncode != 0
    assert "TABULA_DEMO=1 lets anyone sign in as a demonstration user" in done.stderr


@pytest.mark.parametrize("hosts", ["127.0.0.1,localhost", "[::1]"])
def test_a_demonstration_starts_on_this_machine(tmp_path: Path, hosts: str) -> None:
    done = start(
        tmp_path,
        "print(s.TABULA_DEMO, s.DEBUG, s.SESSION_COOKIE_SECURE)",
        TABULA_DEMO="1",
        ALLOWED_HOSTS=hosts,
    )
    assert done.stdout.split() == ["True", "False", "False"], done.stderr


def test_other_hosts_need_tls_and_no_debug(tmp_path: Path) -> None:
    source = (
        "print(s.TABULA_DEMO, s.DEBUG, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE,"
        " s.SECURE_SSL_REDIRECT)"
    )
    done = start(tmp_path, source, ALLOWED_HOSTS="tabula.example")
    assert done.stdout.split() == ["False", "False", "True", "True", "True"], done.stderr


def test_without_keys_the_error_names_the_command_that_makes_them(tmp_path: Path) -> None:
    done = start(tmp_path, SECRET_KEY="", VAULT_KEY="")
    assert done.returncode != 0
    assert "python -m config.keys" in done.stderr


def test_keys_are_made_once_and_only_their_owner_can_read_them(tmp_path: Path) -> None:
    keys.make(tmp_path)
    first = {name: keys.read(tmp_path, name) for name in keys.NAMES}
    keys.make(tmp_path)
    assert {name: keys.read(tmp_path, name) for name in keys.NAMES} == first
    assert len(set(first.values())) == len(keys.NAMES)
    for path in (tmp_path / "keys").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len(path.read_text()) == 64
    done = start(tmp_path, "print(s.SECRET_KEY, s.VAULT_KEY)", SECRET_KEY="", VAULT_KEY="")
    assert done.stdout.split() == [first["secret"], first["vault"]]


@pytest.mark.parametrize(
    ("redis", "broker"),
    [("", "filesystem://"), ("redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/0")],
)
def test_celery_has_a_broker_that_two_processes_share(
    tmp_path: Path, redis: str, broker: str
) -> None:
    done = start(
        tmp_path, "print(s.CELERY_BROKER_URL, s.CELERY_TIMEZONE, s.TIME_ZONE)", REDIS_URL=redis
    )
    assert done.stdout.split() == [broker, "UTC", "UTC"], done.stderr


def test_messages_of_a_command_go_to_the_sites_broker(tmp_path: Path) -> None:
    """No code has named an address before, and the thread did not start the site."""
    source = """
import django, threading
django.setup()
from web.tasks import ask_to_play_on
asked = threading.Thread(target=ask_to_play_on, args=(1,))
asked.start()
asked.join()
"""
    done = start(tmp_path, source, DJANGO_SETTINGS_MODULE="config.settings", DEBUG="1")
    assert (done.returncode, "Connection refused" in done.stderr) == (0, False), done.stderr
    assert len(list((tmp_path / "broker").glob("*.practice.msg"))) == 1

"""Private files in `var`: folders are 0700 and files 0600 from the first command on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import keys

ROOT = Path(__file__).resolve().parents[2]
UPLOAD = """
import django; django.setup()
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, storages
FileSystemStorage(settings.VAR).save("sent/one.txt", ContentFile(b"sent"))
storages["made"].save("pictures/one.png", ContentFile(b"drawn"))
open(settings.VAR / "plain.txt", "w").close()
"""


def run(var: Path, *arguments: str) -> None:
    """Run a command as a host does whose shell lets all users read new files."""
    environment = {
        "PATH": os.environ["PATH"],
        "TABULA_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TABULA_TLS": "0",
        "DATABASE_URL": f"sqlite:///{var}/tabula.sqlite3",
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        umask=0o022,
    )
    assert done.returncode == 0, done.stderr


def open_to_others(var: Path) -> list[str]:
    paths = [var, *var.rglob("*")]
    return sorted(
        f"{path.relative_to(var)}: {path.stat().st_mode & 0o777:o}"
        for path in paths
        if path.stat().st_mode & 0o077
    )


@pytest.mark.long
def test_every_command_makes_private_files(tmp_path: Path) -> None:
    var = tmp_path / "deep" / "var"
    run(var, "-m", "config.keys")
    assert open_to_others(var) == []
    assert {path.stat().st_mode & 0o777 for path in (var / "keys").iterdir()} == {0o600}
    run(var, "manage.py", "messages", "--compile", "--verbosity", "0")
    run(var, "manage.py", "migrate", "people", "--verbosity", "0")
    run(var, "manage.py", "createcachetable")
    run(var, "-c", UPLOAD)
    assert {"tabula.sqlite3", "locale", "pictures", "sent", "plain.txt"} <= {
        path.name for path in var.iterdir()
    }
    assert open_to_others(var) == []


def test_readable_files_become_private(tmp_path: Path) -> None:
    var = tmp_path / "var"
    (var / "static" / "css").mkdir(parents=True)
    for name in ("tabula.sqlite3", "static/css/one.css", "beat.db"):
        (var / name).touch()
        (var / name).chmod(0o644)
    for path in (var, var / "static", var / "static" / "css"):
        path.chmod(0o755)
    before = os.umask(0o022)
    try:
        keys.close(var)
        keys.close_files(var)
        (var / "new").touch()
    finally:
        os.umask(before)
    assert open_to_others(var) == []


def test_a_folder_that_others_share_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    before = os.umask(0o022)
    try:
        keys.close(shared)
    finally:
        os.umask(before)
    assert shared.stat().st_mode & 0o7777 == 0o1777


@pytest.mark.parametrize("script", ["script/serve", "deploy/run"])
def test_the_scripts_set_the_mask_first(script: str) -> None:
    commands = [
        line
        for line in (ROOT / script).read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert commands[:2] == ["set -eu", "umask 077"]

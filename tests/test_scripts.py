"""The scripts and the command line, as far as they can be tested without a network."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ["serve", "test", "lint", "pythons", "setup", "fire"]


def sh(folder: Path, source: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", source],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def executable(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{source}\n")
    path.chmod(0o755)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The scripts and requirements, without an environment."""
    shutil.copytree(ROOT / "script", tmp_path / "script")
    for name in ("requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_plain_shell(name: str) -> None:
    assert sh(ROOT, f"sh -n script/{name}").returncode == 0
    assert (ROOT / "script" / name).read_text().startswith("#")


@pytest.mark.parametrize("name", ["serve", "test"])
def test_without_a_suitable_python_the_command_that_installs_it_is_shown(
    copy: Path, name: str
) -> None:
    for python in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        executable(copy / "bin" / python, "exit 1")
    done = sh(copy.parent, f"{copy}/script/{name}", PATH=f"{copy / 'bin'}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Python 3.11.2 to 3.14 with venv is needed: sudo apt-get install -y python3 python3-venv"
    ]
    assert not (copy / ".venv").exists()


@pytest.mark.parametrize(
    ("version", "accepted"),
    [
        ("3, 10, 13", False),
        ("3, 11, 1", False),
        ("3, 11, 2", True),
        ("3, 13, 9", True),
        ("3, 14, 7", True),
        ("3, 15, 0", False),
    ],
)
def test_python_3_11_2_to_3_14_will_do(copy: Path, version: str, accepted: bool) -> None:
    """Use a Python that only claims another version.

    The scripts check nothing else.
    """
    claim = f"import sys; sys.version_info = ({version}); exec(sys.argv[1])"
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        executable(copy / "bin" / name, "exit 1")
    executable(copy / "bin/claims", f'exec "{sys.executable}" -c "{claim}" "$2"')
    done = sh(
        copy,
        ". script/setup; find_python; echo $python",
        PATH=f"{copy / 'bin'}:{os.environ['PATH']}",
        PYTHON="claims",
    )
    assert done.stdout == ("claims\n" if accepted else "")
    assert done.returncode == (0 if accepted else 1)


def test_the_supported_versions_are_the_same_everywhere() -> None:
    """The lock files once asked for 3.11.5, which Debian 12 does not have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11.2,<3.15"
    assert "for version in 3.11.2 3.12 3.13 3.14; do" in (ROOT / "script/pythons").read_text(
        encoding="utf-8"
    )
    for lock in ROOT.glob("requirements*.txt"):
        assert "# Locked for Python 3.11.2 to 3.14." in lock.read_text(encoding="utf-8")


def test_installed_packages_are_not_installed_again(copy: Path) -> None:
    executable(copy / ".venv/bin/python", 'case "$*" in *install*) echo "$*" >>pip.log;; esac')
    set_up = ". script/setup; set_up requirements.txt"
    for _ in range(3):
        assert sh(copy, set_up).returncode == 0
    assert len((copy / "pip.log").read_text().splitlines()) == 1
    with (copy / "requirements.txt").open("a") as file:
        file.write("# another line\n")
    sh(copy, set_up)
    assert len((copy / "pip.log").read_text().splitlines()) == 2


def test_a_failed_installation_is_tried_again(copy: Path) -> None:
    executable(
        copy / ".venv/bin/python", 'case "$*" in *install*) echo "$*" >>pip.log; exit 1;; esac'
    )
    for _ in range(2):
        assert sh(copy, "set -e; . script/setup; set_up requirements.txt").returncode == 1
    assert len((copy / "pip.log").read_text().splitlines()) == 2


def test_replay_needs_nothing_but_python() -> None:
    """-S ignores every installed package, -E the environment."""
    done = subprocess.run(
        [sys.executable, "-E", "-S", str(ROOT / "manage.py"), "replay", "-"],
        input="{",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "malformed-record" in done.stdout + done.stderr


def test_every_process_of_the_procfile_exists() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert list(lines) == ["release", "web", "live", "worker", "beat"]
    from config.celery import app

    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)

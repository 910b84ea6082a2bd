"""The broker is away: whatever is left to the worker breaks no page, and is told in one line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import django; django.setup()
from config.celery import ask
from forum.waking import soon
from web.tasks import ask_to_take_over, draw_picture
ask("letters")
ask_to_take_over(1)
soon()
print("goes on")
"""


def test_nothing_breaks_and_a_line_says_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "REDIS_URL": f"redis://127.0.0.1:{port}/0", "TABULA_VAR": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "goes on\n"), done.stderr
    assert "Traceback" not in done.stderr
    assert "Nobody takes letters" in done.stderr
    assert "Nobody takes what people send" in done.stderr

"""An audit pack on a disk, and `verify.py` beside it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

from campaign.access import Access
from campaign.models import Campaign
from web.exports.pack_contents import Pack

SCRIPT = Path(__file__).resolve().parents[3] / "static" / "verify.py"


def unpack_audit_pack(campaign: Campaign, folder: Path) -> Path:
    """Unpack the audit pack that the game master gets, and return its folder."""
    file, reloaded = BytesIO(), Campaign.objects.get(pk=campaign.pk)
    Pack(reloaded, Access(game_master=True, host=True)).write(file)
    zipfile.ZipFile(file).extractall(folder)
    return folder


def run_script(folder: Path, *words: str) -> tuple[int, list[str]]:
    """Return exit status and lines of the script, run with only Python's standard library."""
    command = [sys.executable, "-I", "-S", "-B", str(folder / "verify.py"), str(folder), *words]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()

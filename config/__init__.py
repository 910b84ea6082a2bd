"""Settings, addresses and processes; which version of Tabula this is."""

import tomllib
from pathlib import Path


def version() -> str:
    """The version as `pyproject.toml` names it."""
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])

"""Settings, addresses, processes and commands; and the version of Tabula."""

import tomllib
from pathlib import Path


def version() -> str:
    """Return the version in `pyproject.toml`."""
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])

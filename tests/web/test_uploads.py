"""Files that are built to harm: each is refused with a sentence, and the web process stays as small as it was."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

pytestmark = pytest.mark.django_db
SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
NESTED = "".join(f'<g style="{";".join(f"a{n:02}{k:02}:1" for k in range(76))}">' for n in range(38))
POINTS = "[1.25,2.5]," * 180_000
SHAPES = {
    "nested groups": (
        f"{SVG}{NESTED}{'<g/>' * 9_000}{'</g>' * 38}</svg>",
        "The file: has no closed shape in it: each province is a path, polygon, rectangle, circle or ellipse.",
    ),
    "many elements": (f"{SVG}{'<a/>' * 480_000}</svg>", "The file: has more than 20000 elements."),
    "many faults": (
        SVG + '<path d="!"/>' * 19_000 + "</svg>", "And 18960 more.",
    ),
    "many points": (
        '{"type":"Polygon","coordinates":[[' + POINTS.rstrip(",") + "]]}",
        "The file: is too much: a drawing has at most 40000 points.",
    ),
    "deep lists": ("[" * 1_900_000, "nested too deeply."),
    "many empty objects": (
        '{"type":"FeatureCollection","features":[' + ("{}," * 600_000).rstrip(",") + "]}",
        "The file: has more than 20000 elements.",
    ),
}  # fmt: skip


@contextmanager
def grows_little(most: int = 50_000_000) -> Iterator[None]:
    """Hold the largest size of this process meanwhile to its size before and `most` bytes."""
    Path("/proc/self/clear_refs").write_text("5")  # the largest size begins anew
    before = status("VmRSS")
    yield
    assert status("VmHWM") - before < most


def status(name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) * 1024


def sentences(answer: Any) -> list[str]:
    banner = re.search(r'role="alert">.*?</section>', answer.content.decode(), re.DOTALL)
    return [html.unescape(one) for one in re.findall(r"<li>(.*?)</li>", banner[0] if banner else "")]


@pytest.mark.parametrize("kind", SHAPES)
def test_files_with_shapes(client: Client, person: Callable[..., Any], kind: str) -> None:
    client.force_login(person("Marozia"))
    bomb, sentence = SHAPES[kind]
    sent = SimpleUploadedFile("map.svg", bomb.encode())
    with grows_little():
        answer = client.post("/scenarios/begin/", {"from": "file", "act": "look", "file": sent})
    assert answer.status_code == 422
    assert sentence in sentences(answer)

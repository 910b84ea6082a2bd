"""Malicious files: each is refused with a sentence, and the web process does not grow."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import translation
from PIL import Image

from battles import services
from campaign import imports
from campaign.errors import Refused
from campaign.models import ImportJob, ScenarioDraft
from engine.strict_json import canonical
from games.registry import TITLES
from web.tasks import take_over_record

pytestmark = pytest.mark.django_db
MEMORY = "Reading this takes more memory than the site allows. Send something smaller or simpler."
TIME = "Reading this takes longer than the site allows. Send something smaller or simpler."
SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
NESTED = "".join(
    f'<g style="{";".join(f"a{n:02}{k:02}:1" for k in range(76))}">' for n in range(38)
)
POINTS = "[1.25,2.5]," * 180_000
SHAPES = {
    "nested groups": (
        f"{SVG}{NESTED}{'<g/>' * 9_000}{'</g>' * 38}</svg>",
        (
            "The file has no closed shape in it: draw each province as a path, polygon, "
            "rectangle, circle or ellipse."
        ),
    ),
    "many elements": (f"{SVG}{'<a/>' * 480_000}</svg>", "The file has more than 20000 elements."),
    "many faults": (
        SVG + '<path d="!"/>' * 19_000 + "</svg>",
        "And 18960 more.",
    ),
    "many points": (
        '{"type":"Polygon","coordinates":[[' + POINTS.rstrip(",") + "]]}",
        "The file has too many points: a drawing can have at most 40000.",
    ),
    "deep lists": ("[" * 1_900_000, "nested too deeply."),
    "many empty objects": (
        '{"type":"FeatureCollection","features":[' + ("{}," * 600_000).rstrip(",") + "]}",
        "The file has more than 20000 elements.",
    ),
}


@contextmanager
def grows_little(most: int = 50_000_000) -> Iterator[None]:
    """Check that this process grows by at most `most` bytes meanwhile."""
    Path("/proc/self/clear_refs").write_text("5")  # this resets the largest size
    before = status("VmRSS")
    yield
    assert status("VmHWM") - before < most


def status(name: str) -> int:
    line = re.search(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert line
    return int(line[1]) * 1024


def sentences(answer: Any) -> list[str]:
    banner = re.search(r'role="alert">.*?</section>', answer.content.decode(), re.DOTALL)
    return [
        html.unescape(fault) for fault in re.findall(r"<li>(.*?)</li>", banner[0] if banner else "")
    ]


@pytest.mark.parametrize("kind", SHAPES)
def test_files_with_shapes(client: Client, person: Callable[..., Any], kind: str) -> None:
    client.force_login(person("Marozia"))
    bomb, sentence = SHAPES[kind]
    sent = SimpleUploadedFile("map.svg", bomb.encode())
    with grows_little():
        answer = client.post("/scenarios/begin/", {"from": "file", "act": "look", "file": sent})
    assert answer.status_code == 303
    with grows_little():
        take_over_record(ImportJob.objects.get().pk)
    with grows_little():
        page = client.get(answer.headers["Location"])
    assert (ImportJob.objects.get().state, ScenarioDraft.objects.exists()) == (
        ImportJob.State.FAULTY,
        False,
    )
    assert sentence in sentences(page)


RECORD = '{"format":"grand-campaign/1","dice":{},"moves":['
RECORDS = {
    "many objects": RECORD + '{"":0},' * 2_800_000 + "{}]}",
    "many numbers": RECORD + "1.5," * 4_900_000 + "0]}",
}


@pytest.mark.child
@pytest.mark.long
@pytest.mark.parametrize("kind", RECORDS)
def test_records(client: Client, person: Callable[..., Any], kind: str) -> None:
    client.force_login(person("Marozia"))
    sent = ContentFile(RECORDS[kind].encode(), "record.json")
    facts = {"name": "A bomb", "time_zone": "UTC", "visibility": "unlisted", "file": sent}
    body = encode_multipart(BOUNDARY, facts)  # the browser makes this body
    with grows_little():
        answer = client.generic("POST", "/found/import/", body, MULTIPART_CONTENT)
    assert answer.status_code == 303
    with grows_little():
        take_over_record(ImportJob.objects.get().pk)
    row = ImportJob.objects.get()
    assert (row.state, row.campaign) == (ImportJob.State.FAULTY, None)
    assert row.faults in [[MEMORY], [TIME]]
    assert row.faults[0] in html.unescape(client.get(answer["Location"]).content.decode())


@pytest.mark.long
@pytest.mark.child
def test_scenarios_for_a_shelf(client: Client, person: Callable[..., Any]) -> None:
    # A child process with Django reads correct files too, and its sentences are in the sender's
    # language.
    user = person("Marozia", language="de")
    title = TITLES["grand_campaign"]
    good = canonical(title.scenarios()["420ad"] | {"key": "twin", "name": "Twin"})
    row, _new = imports.keep_scenario(user, title.key, good, "", "private", "Twin")
    assert imports.work(row.pk).state == ImportJob.State.FOUNDED
    with translation.override("de"):
        row, _new = imports.keep_scenario(user, title.key, '{"key": 3, "key": 4}', "", "private")
    assert imports.work(row.pk).faults == ["der Schlüssel 'key' kommt in einem Objekt zweimal vor."]


def zipped(**members: bytes) -> bytes:
    created = io.BytesIO()
    with zipfile.ZipFile(created, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in members.items():
            pack.writestr(f"{name}.json", content)
    return created.getvalue()


PACKS = {
    "unpacks to a gigabyte": (
        lambda: zipped(record=b" " * 1_000_000_000),
        "The record is larger than 20 MB.",
    ),
    "lists many files": (
        lambda: zipped(record=b"{}") + b"PK\x01\x02" * 20_000_000,
        "This is not an audit pack: it contains too many files.",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", PACKS)
def test_packs(client: Client, person: Callable[..., Any], kind: str) -> None:
    client.force_login(person("Marozia"))
    make, sentence = PACKS[kind]
    facts = {
        "name": "A bomb",
        "time_zone": "UTC",
        "visibility": "unlisted",
        "file": ContentFile(make(), "pack.zip"),
    }
    body = encode_multipart(BOUNDARY, facts)
    with grows_little(50_000_000 + len(body)):  # the test client copies the body
        answer = client.generic("POST", "/found/import/", body, MULTIPART_CONTENT)
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.content.decode())
    assert not ImportJob.objects.exists()


def picture(kind: str, size: tuple[int, int], mode: str) -> bytes:
    sent = io.BytesIO()
    Image.new(mode, size).save(sent, kind)
    return sent.getvalue()


def test_pictures() -> None:
    large = {"PNG": (12_000, 12_000), "JPEG": (6_000, 6_000), "WEBP": (8_000, 8_000)}
    bombs = [picture(kind, size, "L" if kind != "WEBP" else "RGB") for kind, size in large.items()]
    with grows_little():
        for bomb in bombs:
            with pytest.raises(Refused, match="more than 20 megapixels"):
                services.reencode(bomb)
        with pytest.raises(Refused, match="This is not a PNG, JPEG or WebP picture"):
            services.reencode(picture("PNG", (90, 90), "RGB")[:60])


@pytest.mark.long
def test_the_largest_picture_that_is_allowed_is_kept() -> None:
    noise = Image.effect_noise((5_000, 4_000), 40)  # noise is the hardest picture to encode
    out = io.BytesIO()
    Image.merge("RGBA", [noise, noise, noise, noise]).save(out, "WEBP", quality=1, alpha_quality=1)
    sent = out.getvalue()
    assert len(sent) < services.HEAVIEST
    with grows_little():
        kept = services.reencode(sent)
    assert (kept.width, kept.height) == (5_000, 4_000)

"""A campaign founded from a file, and files that are built to harm."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign import imports
from campaign.log import record
from campaign.models import Campaign, ImportJob
from campaign.pack_files import LARGEST, MANY, record_in
from engine.strict_json import canonical
from tests.web.contests import plain
from tests.web.five import Five, five, new_campaign
from tests.web.frame.test_who_may import guest_of
from web.tasks import take_over_record

__all__ = ["five", "new_campaign"]


def send(five: Five, content: bytes | None, text: str = "", **other: str) -> Any:
    data: dict[str, Any] = {
        "name": "Taken over",
        "time_zone": "Europe/Rome",
        "visibility": "unlisted",
        "text": text,
        **other,
    }
    if content is not None:
        data["file"] = SimpleUploadedFile("record.json", content)
    return five.clients["stranger"].post("/found/import/", data)


def ran(five: Five, answer: Any) -> Any:
    """The page of what was sent, once the worker has been at it."""
    assert answer.status_code == 303
    take_over_record(int(answer["Location"].rstrip("/").rpartition("/")[2]))
    return five.clients["stranger"].get(answer["Location"])


def packed(**members: bytes) -> bytes:
    created = io.BytesIO()
    with zipfile.ZipFile(created, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in members.items():
            pack.writestr(name.replace("__", "/"), content)
    return created.getvalue()


@pytest.fixture
def text(five: Five) -> bytes:
    return canonical(record.whole(five.campaign)).encode()


def test_who_may(five: Five) -> None:
    page = {
        who: five.clients[who].get("/found/import/").status_code
        for who in ("gm", "stranger", "nobody")
    }
    assert page == {"gm": 200, "stranger": 200, "nobody": 302}
    asked = five.clients["gm"].get("/found/import/").content.decode()
    assert "Listed: anybody finds it" in asked, "not what lists hold of who plays alone"


@pytest.mark.parametrize("how", ["file", "text", "pack"])
def test_founded(five: Five, text: bytes, how: str) -> None:
    pack = packed(**{"record.json": text, "index.html": b"x", "maps__turn-1.svg": b"x"})
    answer = send(
        five,
        {"file": text, "text": None, "pack": pack}[how],
        text.decode() if how == "text" else "",
    )
    page = ran(five, answer)
    created = Campaign.objects.order_by("-pk").first()
    assert created is not None
    assert (created.name, created.founder) == ("Taken over", five.people["stranger"])
    assert page["Refresh"] == f"2; url=/c/{created.address}/seats/"
    assert "is founded" in plain(page)
    assert record.whole(created)["moves"] == record.whole(five.campaign)["moves"]


def refused(five: Five, *sent: Any, **other: str) -> str:
    before = Campaign.objects.count()
    answer = send(five, *sent, **other)
    if answer.status_code == 303:
        answer = ran(five, answer)
    else:
        assert answer.status_code == 422
    assert Campaign.objects.count() == before
    return plain(answer)


def test_every_fault_is_listed(five: Five) -> None:
    shown = refused(
        five,
        b'{"format": "grand-campaign/1", "options": {"hands": 3}, "dice": {}, "moves": 1,'
        b' "x<b>": 2}',
    )
    assert "x<b>: unknown key." in shown
    assert "moves: must be a list." in shown
    assert "Nothing has been founded." in shown


def test_a_bad_name_keeps_what_was_pasted(five: Five, text: bytes) -> None:
    shown = refused(five, None, text.decode(), name="")
    assert "A campaign needs a name" in shown
    assert '"format":"grand-campaign/1"' in shown


def test_nothing_and_both(five: Five, text: bytes) -> None:
    assert "Choose the file of a record or an audit pack" in refused(five, None)
    assert "not both" in refused(five, text, text.decode())


def test_packs_that_are_built_to_harm(
    five: Five, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = "a file in it would lie outside of it"
    for name in ("../evil.txt", "/etc/passwd", "..\\evil.txt", "C:\\x", "maps/../../x"):
        assert outside in refused(five, packed(**{"record.json": text, name: b"x"}))
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    created = io.BytesIO()
    with zipfile.ZipFile(created, "w") as pack:
        pack.writestr("record.json", text)
        pack.writestr(link, "/etc/passwd")
    assert outside in refused(five, created.getvalue())
    assert "it has no record.json" in refused(five, packed(**{"other.json": text}))
    assert "damaged or has a password" in refused(five, packed(**{"record.json": text})[:-40])
    broken = packed(**{"record.json": text})
    assert "damaged or has a password" in refused(five, broken[:50] + b"\xff" * 40 + broken[90:])
    bomb = packed(**{"record.json": b" " * (LARGEST + 10)})
    assert len(bomb) < 100_000
    assert "more than 20 MB" in refused(five, bomb)
    method = io.BytesIO()
    with zipfile.ZipFile(method, "w", zipfile.ZIP_LZMA) as pack:
        pack.writestr("record.json", text)
    assert "packed in a way that cannot be read here" in refused(five, method.getvalue())
    many = packed(**{"record.json": text, **{f"{n}": b"" for n in range(2001)}})
    assert "too many files" in refused(five, many)


def test_how_far_it_is(five: Five, text: bytes) -> None:
    """Only who sent it is told; without a script the page looks again by itself, and leads on."""
    answer = send(five, text)
    where, row = answer["Location"], ImportJob.objects.get()
    asked = {who: client.get(where).status_code for who, client in five.clients.items()}
    assert asked == {"gm": 404, "hun": 404, "roman": 404, "stranger": 200, "nobody": 302}
    page = five.clients["stranger"].get(where)
    assert (page["Refresh"], page["Cache-Control"]) == ("2", "no-store, private")
    assert "It waits for its turn" in plain(page)
    ImportJob.objects.update(
        state="replaying", done=7, total=30, attempt=1, heartbeat_at=row.made_at
    )
    assert "7 of 30 moves replayed" in plain(five.clients["stranger"].get(where))
    assert "Taken over" in plain(five.clients["stranger"].get("/found/import/")), (
        "found again from the form"
    )


def test_without_a_worker_it_is_done_by_hand(five: Five, text: bytes) -> None:
    where, client = send(five, text)["Location"], five.clients["stranger"]
    client.post(where)
    assert ImportJob.objects.get().state == "waiting", "a worker may be about to take it"
    ImportJob.objects.update(made_at=timezone.now() - imports.UNTAKEN - timedelta(seconds=1))
    assert "Do it now" in plain(client.get(where))
    assert five.clients["gm"].post(where).status_code == 404
    client.post(where)
    assert Campaign.objects.filter(name="Taken over").count() == 1


def test_a_guest_looks_and_founds_nothing(five: Five, text: bytes) -> None:
    client = guest_of(five)
    assert client.get("/found/import/").status_code == 200
    data = {"name": "X", "time_zone": "UTC", "visibility": "unlisted", "text": text.decode()}
    assert client.post("/found/import/", data).status_code == 403
    assert not Campaign.objects.filter(name="X").exists()


def test_a_list_of_too_many_files_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack of 100 MB may list two millions: to read them first and count them then takes a
    gigabyte.
    """
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as created:
        for n in range(2001):
            created.writestr(f"{n}.txt", "")
    many.seek(0)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert record_in(many.getvalue()) == MANY

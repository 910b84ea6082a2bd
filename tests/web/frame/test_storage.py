"""The storage of pictures and packs that all machines share: a folder or a bucket."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from campaign import files
from config import storage
from web.frame import static_files

ROOT = Path(__file__).resolve().parents[3]


def plays(settings: Any) -> None:
    """Use a storage as pages do."""
    assert not files.exists("pictures/abc/1-aa.png")
    assert files.content("pictures/abc/1-aa.png") is None
    assert files.names("pictures/abc") == []
    for name, text in (("1-aa", b"first"), ("1-bb", b"second"), ("11-cc", b"other")):
        files.put(f"pictures/abc/{name}.png", io.BytesIO(text))
        time.sleep(
            1.1 if hasattr(files._storage(), "bucket") else 0.02
        )  # a bucket has times in whole seconds
    files.put("pictures/abc/11-cc.png", io.BytesIO(b"again"))
    assert files.content("pictures/abc/11-cc.png") == b"again"
    assert files.names("pictures/abc") == [
        f"pictures/abc/{name}.png" for name in ("1-aa", "1-bb", "11-cc")
    ]
    assert files.newest("pictures/abc", "1-") == "pictures/abc/1-bb.png"
    assert files.newest("pictures/abc", "2-") is None
    files.put("packs/abc/all.zip", io.BytesIO(b"pack"))
    assert files.prune("pictures", 11) == 1
    assert files.names("pictures/abc") == ["pictures/abc/1-bb.png", "pictures/abc/11-cc.png"]
    assert files.exists("packs/abc/all.zip")
    files.remove("packs/abc/all.zip")
    files.remove("packs/abc/all.zip")
    assert not files.exists("packs/abc/all.zip")


def test_a_folder(settings: Any, tmp_path: Path) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "made": storage.make_storage(str(tmp_path / "shared"), tmp_path),
    }
    plays(settings)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == [
        "1-bb.png",
        "11-cc.png",
    ]  # and no unfinished file


@pytest.mark.long
def test_a_bucket(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bucket is moto's S3.

    The second search for old files is an hour later.
    """
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="tabula")
        created = storage.make_storage("s3://tabula/site?region=us-east-1", tmp_path)
        settings.STORAGES = {**settings.STORAGES, "made": created}
        plays(settings)
        lying = boto3.resource("s3", region_name="us-east-1").Bucket("tabula").objects.all()
        assert [piece.key for piece in lying] == [
            "site/pictures/abc/1-bb.png",
            "site/pictures/abc/11-cc.png",
        ]
        assert files.prune("pictures", 0) == 0
        # A bucket that has been removed: pages say that the file is being made.
        settings.STORAGES = {
            **settings.STORAGES,
            "made": storage.make_storage("s3://nowhere?region=us-east-1", tmp_path),
        }
        assert (files.content("pictures/a"), files.newest("pictures", "1-")) == (None, None)


def test_an_invalid_storage_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where in ("shared", "ftp://host", "s3://", "s3://key:secret@bucket", "s3://bucket?size=3"):
        with pytest.raises(ImproperlyConfigured, match="TABULA_STORAGE"):
            storage.make_storage(where, tmp_path)
    monkeypatch.setattr(storage, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=r"install requirements-s3\.txt"):
        storage.make_storage("s3://bucket", tmp_path)
    assert storage.make_storage("", tmp_path)["OPTIONS"]["location"] == str(tmp_path)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def get(url: str, seconds: float = 120.0) -> tuple[int, bytes, str]:
    """Return the first final answer and its address.

    Refused connections and "come again" are not final.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                if answer.status == 200 or time.monotonic() > until:
                    return answer.status, answer.read(), answer.url
        except OSError:  # it does not listen yet; wrong answers stay wrong
            if time.monotonic() > until:
                raise
        time.sleep(0.2)


@pytest.fixture
def two_sites(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Start two web processes with one database and one storage, but with separate folders.

    Only the first has a worker.
    """
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'one.sqlite3'}",
        "TABULA_STORAGE": str(tmp_path / "shared"),
        "CACHE_URL": "dbcache://tabula_cache",
        "TABULA_DEMO": "1",
    }
    environment.pop("REDIS_URL", None)
    first, second = (
        {**environment, "TABULA_VAR": str(tmp_path / name)} for name in ("first", "second")
    )
    for words in (("migrate", "--verbosity", "0"), ("createcachetable",), ("demo",)):
        subprocess.run(
            [sys.executable, "manage.py", *words],
            env=first,
            cwd=ROOT,
            check=True,
            capture_output=True,
            timeout=300,
        )
    ports = free_port(), free_port()
    commands = (
        ([sys.executable, "-m", "config.serve", "--bind", f"127.0.0.1:{ports[0]}"], first),
        (
            [
                sys.executable,
                "-m",
                "waitress",
                f"--listen=127.0.0.1:{ports[1]}",
                "config.wsgi:application",
            ],
            second,
        ),
    )
    running = [
        subprocess.Popen(words, env=env, cwd=ROOT, stderr=subprocess.DEVNULL)
        for words, env in commands
    ]
    try:
        yield f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}"
    finally:
        for thread in running:
            thread.terminate()
        for thread in running:
            thread.wait(30)


@pytest.mark.long
@pytest.mark.thorough
def test_a_machine_serves_pictures_that_another_machine_drew(
    two_sites: tuple[str, str], tmp_path: Path
) -> None:
    import sqlite3

    first, second = two_sites
    with sqlite3.connect(tmp_path / "one.sqlite3") as base:
        ref = base.execute(
            "select public_id from campaign_campaign where title = 'grand_campaign' and visibility"
            " = 'listed' and last_number > 0"
        ).fetchone()[0]
    base.close()
    status, drawn, where = get(f"{first}/c/{ref}-x/map.png")
    assert (status, drawn[:4]) == (200, b"\x89PNG")
    status, pack, there = get(f"{first}/c/{ref}-x/pack.zip")
    assert (status, pack[:2]) == (200, b"PK")
    assert get(where.replace(first, second), 0) == (200, drawn, where.replace(first, second))
    assert get(there.replace(first, second), 0) == (200, pack, there.replace(first, second))
    assert len(list(tmp_path.glob("shared/*/*/*"))) == 2
    for own in ("first", "second"):
        assert [
            path.name for path in (tmp_path / own).iterdir() if path.name in ("pictures", "packs")
        ] == []


def test_scripts_and_styles_are_minified_under_names_with_a_digest(
    tmp_path: Path,
) -> None:
    storage = static_files.SmallStaticFiles(location=str(tmp_path), base_url="/static/")
    texts = {
        "js/one.js": '// Why.\nimport { two } from "./two.js";\n\ntwo( 1 );\n',
        "js/two.js": "export const two = 2;\n",
        "css/a.css": "/* Why. */\na :is(b) { color: red }\n",
        "css/all.css": '/* Both. */\n@import "a.css";\n@import "z.css";\n',
        "css/z.css": "i { background: url(../p.svg) }",
        "p.svg": "<svg/>",
    }
    source = FileSystemStorage(location=str(tmp_path / "source"))
    for name, text in texts.items():
        source.save(name, ContentFile(text.encode()))
        storage.save(name, ContentFile(text.encode()))
    names = {
        name: hashed
        for name, hashed, _done in storage.post_process({name: (source, name) for name in texts})
    }
    two = Path(names["js/two.js"]).name
    assert (tmp_path / names["js/one.js"]).read_text() == f'import{{two}}from"./{two}";two(1);'
    assert (tmp_path / names["css/a.css"]).read_text() == "a :is(b){color:red}"
    picture = Path(names["p.svg"]).name
    assert (
        tmp_path / names["css/all.css"]
    ).read_text() == f"a :is(b){{color:red}}i{{background:url(../{picture})}}"

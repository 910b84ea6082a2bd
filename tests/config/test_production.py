"""The settings of a host: Django's check finds nothing; headers, cookies and fonts are right."""

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / "static" / "fonts"
ASK = """
import django, json; django.setup()
from django.test import Client
secure = Client().get("/sign-in/", secure=True, headers={"host": "tabula.example"})
plain = Client().get("/sign-in/", headers={"host": "tabula.example"})
print("ANSWER" + json.dumps({
    "status": secure.status_code, "headers": dict(secure.headers),
    "cookies": {name: {key: str(value) for key, value in cookie.items()} for name, cookie in secure.cookies.items()},
    "plain": [plain.status_code, plain.headers.get("Location")],
}))
"""  # noqa: E501


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "TABULA_VAR": str(tmp_path), "ALLOWED_HOSTS": "tabula.example", **more}


def run(tmp_path: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment(tmp_path, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def prepared(folder: Path, *commands: tuple[str, ...]) -> Path:
    for arguments in commands:
        done = run(folder, *arguments)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an installation as docs/host/install.md describes it, up to its tables."""
    return prepared(
        tmp_path_factory.mktemp("var"),
        ("-m", "config.keys"),
        ("manage.py", "messages", "--compile"),
    )


@pytest.fixture(scope="module")
def host(keys: Path) -> Path:
    """The same with its tables."""
    return prepared(
        keys, ("manage.py", "migrate", "--verbosity", "0"), ("manage.py", "createcachetable")
    )


def test_check_deploy_is_clean(keys: Path) -> None:
    done = run(keys, "manage.py", "check", "--deploy", "--fail-level", "INFO")
    assert done.returncode == 0, done.stderr
    assert "no issues (2 silenced)" in done.stdout


@pytest.mark.long
def test_what_a_host_answers(host: Path) -> None:
    done = run(host, "-c", ASK, DJANGO_SETTINGS_MODULE="config.settings", TABULA_HASHED_STATIC="0")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.split("ANSWER")[1])
    headers = answer["headers"]
    assert answer["status"] == 200
    assert headers["Strict-Transport-Security"] == "max-age=86400"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert {
        name: (kept["secure"], kept["samesite"]) for name, kept in answer["cookies"].items()
    } == {"__Host-csrftoken": ("True", "Lax")}
    assert answer["plain"] == [301, "https://tabula.example/sign-in/"]


NAMES = """
from config import settings as s
print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME, s.DEVICE_COOKIE_NAME, s.MESSAGES_COOKIE_NAME)
"""  # noqa: E501
PLAIN = ["sessionid", "csrftoken", "django_language", "device", "messages"]


@pytest.mark.parametrize(("tls", "prefix"), [("1", "__Host-"), ("0", "")])
def test_cookies_belong_to_this_host_alone_where_it_has_https(
    keys: Path, tls: str, prefix: str
) -> None:
    """A browser takes a `__Host-` cookie from no other host of the domain.

    Nor does it take one over HTTP.
    """
    done = run(keys, "-c", NAMES, TABULA_TLS=tls)
    assert done.stdout.split() == [prefix + name for name in PLAIN], done.stderr


COOKIES = """
import django, json; django.setup()
from django.conf import settings
from django.test import Client
from people.models import User
rosa = User.objects.create_user("Rosa", "rosa@example.org", "correct horse battery")
client = Client(headers={"host": "tabula.example"})
client.force_login(rosa)
found = {}
for answer in (
    client.get("/me/", secure=True), client.post("/language/", {"language": "it"}, secure=True),
    client.post("/me/ways/", {"do": "remove", "way": "x"}, secure=True),
    Client(headers={"host": "tabula.example"}).post("/sign-in/", {"login": "Rosa", "password": "correct horse battery"},
                                                    secure=True),
    Client(headers={"host": "tabula.example"}).post("/sign-in/passkey/", {"credential": "x"}, secure=True),
):
    found |= {name: [bool(kept["secure"]), kept["path"], kept["domain"]] for name, kept in answer.cookies.items()}
rosa.delete()
print("ANSWER" + json.dumps(found))
"""  # noqa: E501


@pytest.mark.long
def test_every_cookie_keeps_what_its_prefix_promises(host: Path) -> None:
    done = run(
        host, "-c", COOKIES, DJANGO_SETTINGS_MODULE="config.settings", TABULA_HASHED_STATIC="0"
    )
    assert done.returncode == 0, done.stderr
    cookies: dict[str, Any] = json.loads(done.stdout.split("ANSWER")[1])
    assert cookies == {f"__Host-{name}": [True, "/", ""] for name in PLAIN}


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({}, ["86400", "False", "False"]),
        ({"HSTS_SECONDS": "31536000"}, ["31536000", "False", "False"]),
        ({"HSTS_SECONDS": "31536000", "HSTS_SUBDOMAINS": "1"}, ["31536000", "True", "False"]),
        (
            {"HSTS_SECONDS": "31536000", "HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"},
            ["31536000", "True", "True"],
        ),
        ({"TABULA_TLS": "0"}, ["0", "False", "False"]),
    ],
)
def test_hsts_begins_with_a_day_and_the_host_extends_it(
    keys: Path, more: dict[str, str], shown: list[str]
) -> None:
    source = (
        "from config import settings as s;print(s.SECURE_HSTS_SECONDS,"
        " s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"
    )
    assert run(keys, "-c", source, **more).stdout.split() == shown


def test_preload_asks_for_a_year_and_for_subdomains(keys: Path) -> None:
    done = run(keys, "-c", "from config import settings", HSTS_PRELOAD="1")
    assert done.returncode == 1
    assert "HSTS_PRELOAD=1 needs HSTS_SUBDOMAINS=1 and HSTS_SECONDS=31536000 or more" in done.stderr


@pytest.mark.parametrize(
    ("url", "backend"),
    [("", "console"), ("smtp+tls://who:pass@mail.example:587", "smtp"), ("dummymail://", "dummy")],
)
def test_mail_goes_where_the_environment_says(keys: Path, url: str, backend: str) -> None:
    more = {"EMAIL_URL": url} if url else {}
    done = run(keys, "-c", "from config import settings as s; print(s.EMAIL_BACKEND)", **more)
    assert done.stdout.strip() == f"django.core.mail.backends.{backend}.EmailBackend", done.stderr


def test_no_template_holds_a_script_or_a_handler() -> None:
    for path in [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "people/templates").rglob("*.html"),
    ]:
        text = re.sub(r"\{%.*?%\}", "", path.read_text(), flags=re.S)  # in a tag `one=` is a name
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"\son[a-z]+\s*=|javascript:|hx-on", text), path
        # The map is drawn, and escaped, by each title.
        drawn = text.replace("map.svg|safe", "").replace("card_map.svg|safe", "")
        assert not re.search(r"\|\s*safe\b|autoescape off", drawn), path


def test_the_fonts_are_those_we_took() -> None:
    content = dict(
        reversed(line.split("  ")) for line in (FONTS / "SHA256SUMS").read_text().splitlines()
    )
    assert set(content) == {path.name for path in FONTS.iterdir()} - {"SHA256SUMS"}
    assert {name.rpartition(".")[2] for name in content} == {"woff2", "txt"}
    for name, digest in content.items():
        assert hashlib.sha256((FONTS / name).read_bytes()).hexdigest() == digest, name
    for family in ("eb-garamond", "source-sans-3"):
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"{family}-OFL.txt").read_text().upper()
    (letters,) = re.findall("^letters=(.+)$", (ROOT / "script" / "fonts").read_text(), re.M)
    assert (FONTS.parent / "css" / "fonts.css").read_text().count(f"unicode-range: {letters};") == 7


ASK_THE_WORKER = """
import django; django.setup()
from config.celery import ask
from forum.posts.outbox import request_work
from campaign.tasks import draw_picture
from web.tasks import ask_to_take_over
ask("letters")
ask_to_take_over(1)
request_work()
print("goes on")
"""


@pytest.mark.long
def test_a_broker_that_is_away_breaks_nothing_and_a_line_says_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        "TABULA_VAR": str(tmp_path),
    }
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = subprocess.run(
        [sys.executable, "-c", ASK_THE_WORKER],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "goes on\n"), done.stderr
    assert "Traceback" not in done.stderr
    assert "Work was not queued: letters" in done.stderr
    assert "No worker takes the task take-over-record" in done.stderr

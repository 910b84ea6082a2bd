"""Spirit, a real third-party forum, and a transport that uses its forms.

A wire between them injects faults; it passes each request on to the real board.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import ClassVar
from urllib.parse import urljoin

from werkzeug.wrappers import Request, Response

from forum.boards import (
    AccessRefused,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TemporaryError,
)
from forum.boards.answers import answer_to_read, answer_to_write, member_fields, web_address
from forum.boards.markup import Page, has_mark
from outgoing.client import Client
from tests.boards.wire import Clock

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".venv-spirit"

# The board counts in windows of ten seconds by the clock: two posts may fall into two of them. Here
# a wait ends when it is ended.
SETTINGS = """
from .dev import *
DEBUG = False
ST_TESTS_RATELIMIT_NEVER_EXPIRE = True
CACHES["st_rate_limit"] = {
    "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
    "LOCATION": os.path.join(BASE_DIR, "limits"),
    "TIMEOUT": None,
}
"""

PEOPLE = """
from django.contrib.auth import get_user_model
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic
people = [get_user_model().objects.create_user(name, f"{name}@example.org", "correct horse") for name in ("Master", "Clerk")]
category = Category.objects.create(title="Tables")
for title in ("The Heap", "The Closed Heap"):
    topic = Topic.objects.create(user=people[0], category=category, title=title, is_closed="Closed" in title)
    Comment.objects.create(user=people[0], topic=topic, comment="Let us begin.", comment_html="<p>Let us begin.</p>")
    print("TOPIC", topic.pk)
"""  # noqa: E501


class Spirit:
    """The board behind the wire: it answers what the real one at `upstream` answers."""

    def __init__(self, upstream: str, folder: Path, topics: list[int]) -> None:
        self.clock = Clock()
        self.upstream, self.folder, self.topics = upstream, folder, topics
        self.url = ""

    def step(self, request: Request) -> str:
        if request.path.startswith("/user/login"):
            return "login" if request.method == "POST" else "login form"
        if "/publish/" in request.path:
            return "post" if request.method == "POST" else "post form"
        return "read"

    def answer(self, request: Request) -> Response:
        host = self.upstream.removeprefix("http://")
        asking = http.client.HTTPConnection(host, timeout=20)
        headers = {
            name: value
            for name, value in request.headers
            if name not in ("Host", "Connection", "Accept-Encoding")
        }
        asking.request(
            request.method, request.full_path, request.get_data(), headers | {"Host": host}
        )
        content = asking.getresponse()
        created = Response(content.read(), content.status)
        created.headers.clear()
        for name, value in content.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                created.headers.add(name, value.replace(self.upstream, self.url))
        asking.close()
        return created

    def forget_sessions(self) -> None:
        self.ask(
            "from django.contrib.sessions.models import Session; Session.objects.all().delete()"
        )

    def wait_is_over(self) -> None:
        """Ten seconds pass, for the one who may write once in ten seconds."""
        shutil.rmtree(self.folder / "board" / "limits", ignore_errors=True)

    def comments(self) -> list[str]:
        content = self.ask(
            "from spirit.comment.models import Comment\nfor one in Comment.objects.order_by('pk'):"
            " print(repr(one.comment))"
        )
        return [line for line in content.splitlines() if line.startswith(("'", '"'))]

    def ask(self, source: str) -> str:
        return manage(self.folder, "shell", "-c", source)


def environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "HOME", "LANG", "TMPDIR")
    }
    return kept | {
        "PATH": f"{HOME / 'bin'}:{kept['PATH']}",
        "DJANGO_SETTINGS_MODULE": "board.settings.here",
    }


def manage(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [HOME / "bin/python", "-W", "ignore", "manage.py", *arguments],
        cwd=folder / "board",
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def spirit(folder: Path) -> Iterator[Spirit]:
    """The real board on a port of this machine, for as long as it is wanted."""
    if not (HOME / ".installed-requirements-boards").exists():  # script/test has done so
        subprocess.run(
            ["/bin/sh", "-c", ". script/setup; set_up requirements-boards.txt .venv-spirit"],
            cwd=ROOT,
            check=True,
        )
    subprocess.run(
        [HOME / "bin/spirit", "startproject", "board"],
        cwd=folder,
        env=environment(),
        check=True,
        capture_output=True,
    )
    (folder / "board/board/settings/here.py").write_text(SETTINGS)
    manage(folder, "spiritinstall")
    topics = [
        int(line.split()[1])
        for line in manage(folder, "shell", "-c", PEOPLE).splitlines()
        if line.startswith("TOPIC")
    ]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "server.log").open("w") as out:
        server = subprocess.Popen(
            [
                HOME / "bin/python",
                "-W",
                "ignore",
                "manage.py",
                "runserver",
                "--noreload",
                f"127.0.0.1:{port}",
            ],
            cwd=folder / "board",
            env=environment(),
            stdout=out,
            stderr=out,
        )
        try:
            _up(port, server)
            yield Spirit(f"http://127.0.0.1:{port}", folder, topics)
        finally:
            server.terminate()
            server.wait(10)


def _up(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "Spirit did not start"
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("Spirit does not answer")


class Transport:
    """Comments on one topic: a transport as any other, for this one board."""

    key: ClassVar[str] = "spirit"
    name = "Spirit 0.14"
    dialect: ClassVar[str] = "markdown"
    limit: ClassVar[int] = 3_000
    automatic: ClassVar[bool] = True
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField("address", "Topic"),
        SettingField("username", "User"),
        SettingField("password", "Password", secret=True),
    )
    account = "An account of its own."

    def check(self, settings: Settings) -> dict[str, str]:
        return {**member_fields(settings), "address": web_address(settings)}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        here = f"{self._base(settings)}comment/{self._topic(settings)}/publish/"
        page = self._page(client, here)
        if page.form("form.js-reply") is None and page.status == 200:
            self._sign_in(settings, client)
            page = self._page(client, here)
        form = page.form("form.js-reply")
        if form is None:
            raise PermanentError(f"HTTP {page.status}")
        data = form.fields | {"comment": post.text}
        answer = self._posted(client, form.action or here, here, data)
        if answer.status == 302:
            return SentPost(urljoin(here, answer.answer.headers["location"]))
        content = answer.text_at(".errorlist")
        if content:
            raise PermanentError(content)
        raise TemporaryError(11, answer.text_at("script, .js-messages") or "Asked to wait")

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        page = self._page(client, f"{self._base(settings)}topic/{self._topic(settings)}/?page=1")
        comments = page.soup.select(".js-comment")
        if not comments:
            raise SearchError(f"HTTP {page.status}")
        for comment in comments:
            if has_mark(comment.select_one(".comment__text").get_text(" "), marker):  # type: ignore[union-attr]
                return SentPost(f"{self._base(settings)}comment/{comment['data-pk']}/find/")
        return None

    def _sign_in(self, settings: Settings, client: Client) -> None:
        where = f"{self._base(settings)}user/login/"
        form = self._page(client, where).form('form[action="."]')
        assert form is not None
        data = form.fields | {"username": settings["username"], "password": settings["password"]}
        answer = self._posted(client, where, where, data)
        if answer.status != 302:
            raise AccessRefused(answer.text_at(".errorlist"))

    def _page(self, client: Client, where: str) -> Page:
        answer = answer_to_read(lambda: client.get(where), client.now())
        if answer.status in (301, 302):
            answer = answer_to_read(
                lambda: client.get(urljoin(where, answer.headers["location"])), client.now()
            )
        return Page(answer)

    def _posted(self, client: Client, where: str, referer: str, data: dict[str, str]) -> Page:
        return Page(
            answer_to_write(
                lambda: client.post(where, data=data, headers={"Referer": referer}), client.now()
            )
        )

    def _base(self, settings: Settings) -> str:
        return settings["address"].partition("topic/")[0]

    def _topic(self, settings: Settings) -> str:
        return settings["address"].partition("topic/")[2].partition("/")[0]


def visitor(clock: Clock) -> Client:
    return Client(now=clock.now, sleep=clock.sleep, cookies=CookieJar(), seconds=20)

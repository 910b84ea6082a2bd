"""A fake NodeBB 4: bearer tokens, no check for duplicates, a flood limit, pages of a topic."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any

from werkzeug.wrappers import Request, Response

from tests.boards.wire import Clock


@dataclass
class Post:
    id: int
    topic: int
    user: str
    text: str
    at: int


@dataclass
class Topic:
    id: int
    title: str
    locked: bool = False


@dataclass
class NodeBB:
    clock: Clock = field(default_factory=Clock)
    flood: int = 10
    least: int = 8
    most: int = 32_767
    per_page: int = 20
    public: bool = True
    queued: bool = False
    """Whether posts of this account wait for a moderator."""
    asks: str = (
        "You are required to wait {} second(s) between posts; please wait before posting again"
    )
    """The text for users who post too soon, in the language of the account."""
    url: str = ""

    def __post_init__(self) -> None:
        self.tokens: dict[str, str] = {}
        self.topics: dict[int, Topic] = {}
        self.posts: list[Post] = []
        self.queue: list[Post] = []
        self.last: dict[str, int] = {}

    def token(self, user: str) -> str:
        created = secrets.token_hex(16)
        self.tokens[created] = user
        return created

    def open_topic(self, title: str, user: str, text: str = "Let us begin, all of us.") -> Topic:
        topic = Topic(len(self.topics) + 1, title)
        self.topics[topic.id] = topic
        self.write(topic.id, user, text)
        return topic

    def write(self, topic: int, user: str, text: str, queue: bool | None = None) -> Post:
        """`queue` if this one waits for a moderator, else as all do."""
        post = Post(len(self.posts) + len(self.queue) + 1, topic, user, text, self.clock.seconds)
        (self.queue if (self.queued if queue is None else queue) else self.posts).append(post)
        return post

    def forget_sessions(self) -> None:
        """A token is no session: nothing is lost."""

    def at_work(self) -> Response:
        """Return what the board answers when it is too busy: it has done nothing."""
        return self._status(503, "service-unavailable", "The forum is busy. Try again later.")

    def step(self, request: Request) -> str:
        return "post" if request.method == "POST" else "edit" if request.method == "PUT" else "read"

    # One request ----------------------------------------------------------------------------------

    def answer(self, request: Request) -> Response:
        auth = request.headers.get("Authorization", "")
        user = self.tokens.get(auth.removeprefix("Bearer ")) if auth.startswith("Bearer ") else None
        if auth and user is None:
            return self._status(403, "forbidden", "You are not authorised to make this call")
        if match := re.fullmatch(r"/api/topic/(\d+)(?:/[^/]*)?", request.path):
            return self._topic(request, int(match[1]), user)
        if request.path == "/api/config":
            return self._plain({"siteTitle": "The Forum", "relative_path": ""}, 200)
        if request.method == "GET" and (
            match := re.fullmatch(r"/api/v3/posts/(\d+)", request.path)
        ):
            post = next((post for post in self.posts if post.id == int(match[1])), None)
            return (
                self._response(self._post(post), 200)
                if post
                else self._status(404, "not-found", "Post does not exist")
            )
        if user is None:
            return self._status(
                401,
                "not-authorised",
                "A valid login session was not found. Please log in and try again.",
            )
        if request.path == "/api/post-queue":
            mine = [
                {"id": f"reply-{post.id}", "data": {"content": escape(post.text)}}
                for post in self.queue
                if post.user == user
            ]
            return self._plain({"posts": mine}, 200)
        if request.method == "GET" and (
            match := re.fullmatch(r"/api/v3/posts/(\d+)/raw", request.path)
        ):
            post = next((post for post in self.posts if post.id == int(match[1])), None)
            return (
                self._response({"content": post.text}, 200)
                if post
                else self._status(404, "not-found", "Post does not exist")
            )
        return self._written(request, user)

    def _written(self, request: Request, user: str) -> Response:
        """Return the answer to a post, a topic or an edit."""
        given = request.get_json(silent=True) or {}
        if request.method == "POST" and (
            match := re.fullmatch(r"/api/v3/topics/(\d+)", request.path)
        ):
            return self._reply(int(match[1]), user, given)
        if request.method == "POST" and request.path == "/api/v3/topics":
            return self._new(user, given)
        if request.method == "PUT" and (
            match := re.fullmatch(r"/api/v3/posts/(\d+)", request.path)
        ):
            return self._edit(int(match[1]), user, given)
        return self._status(404, "not-found", "Invalid API call")

    def _wrong(self, user: str, given: dict[str, Any], needed: tuple[str, ...]) -> Response | None:
        if missing := [name for name in needed if name not in given]:
            text = f"Required parameters were missing from this API call: {', '.join(missing)}"
            return self._status(400, "bad-request", text)
        length = len(str(given["content"]).strip())
        if length < self.least:
            text = (
                f"Please enter a longer post. Posts should contain at least {self.least}"
                " character(s)."
            )
            return self._status(400, "bad-request", text)
        if length > self.most:
            text = (
                f"Please enter a shorter post. Posts can't be longer than {self.most} character(s)."
            )
            return self._status(400, "bad-request", text)
        if self.clock.seconds - self.last.get(user, 0) < self.flood:
            text = self.asks.format(self.flood)
            return self._status(400, "bad-request", text)
        return None

    def _reply(self, number: int, user: str, given: dict[str, Any]) -> Response:
        topic = self.topics.get(number)
        if topic is None:
            return self._status(404, "not-found", "Topic does not exist")
        if topic.locked:
            return self._status(400, "bad-request", "Topic Locked")
        if wrong := self._wrong(user, given, ("content",)):
            return wrong
        self.last[user] = self.clock.seconds
        return self._created(self.write(number, user, given["content"]), 200)

    def _new(self, user: str, given: dict[str, Any]) -> Response:
        if wrong := self._wrong(user, given, ("cid", "title", "content")):
            return wrong
        self.last[user] = self.clock.seconds
        topic = Topic(len(self.topics) + 1, given["title"])
        self.topics[topic.id] = topic
        return self._created(self.write(topic.id, user, given["content"]), 200, topic)

    def _created(self, post: Post, status: int, topic: Topic | None = None) -> Response:
        if self.queued:
            content = {
                "id": f"reply-{post.id}",
                "type": "reply",
                "queued": True,
                "message": "Your post has been queued",
            }
            return self._response(content, 202 if topic else status)
        if topic is not None:
            return self._response(
                {
                    "tid": topic.id,
                    "slug": f"{topic.id}/topic",
                    "mainPid": post.id,
                    "title": topic.title,
                },
                status,
            )
        return self._response(self._post(post), status)

    def _edit(self, number: int, user: str, given: dict[str, Any]) -> Response:
        post = next((post for post in self.posts if post.id == number), None)
        if post is None:
            return self._status(404, "not-found", "Post does not exist")
        if post.user != user:
            return self._status(
                403, "forbidden", "You do not have enough privileges for this action."
            )
        post.text = given["content"]
        return self._response(self._post(post), 200)

    def _post(self, post: Post) -> dict[str, Any]:
        mine = [other for other in self.posts if other.topic == post.topic]
        return {
            "pid": post.id,
            "tid": post.topic,
            "uid": 2,
            "content": f'<p dir="auto">{escape(post.text)}</p>\n'.replace("\n", "<br />\n"),
            "timestamp": post.at * 1000,
            "timestampISO": (
                datetime.fromtimestamp(post.at, UTC).isoformat().replace("+00:00", ".000Z")
            ),
            "index": mine.index(post) if post in mine else 0,
            "deleted": 0,
            "user": {
                "username": post.user,
                "displayname": post.user,
                "userslug": post.user.lower(),
            },
        }

    def _topic(self, request: Request, number: int, user: str | None) -> Response:
        """A page of posts: the first is always shown, `sort=newest_to_oldest` turns the others."""
        topic = self.topics.get(number)
        if topic is None or (not self.public and user is None):
            return self._plain({"path": request.path, "error": "Not Found", "returnTo": ""}, 404)
        posts = [post for post in self.posts if post.topic == number]
        pages = max(1, -(-len(posts) // self.per_page))
        page = request.args.get("page", 1, type=int)
        start = (page - 1) * self.per_page
        if request.args.get("sort") == "newest_to_oldest":
            rest = posts[:0:-1]
            chosen = ([posts[0]] if page == 1 else []) + rest[
                max(start - 1, 0) : start - 1 + self.per_page
            ]
        else:
            chosen = posts[start : start + self.per_page]
        content = {
            "tid": number,
            "title": topic.title,
            "slug": f"{number}/topic",
            "postcount": len(posts),
            "locked": int(topic.locked),
            "privileges": {
                "topics:reply": user is not None and not topic.locked,
                "topics:read": True,
            },
            "posts": [self._post(post) for post in chosen],
            "pagination": {"currentPage": page, "pageCount": pages},
        }
        response = self._plain(content, 200)
        response.add_etag(weak=True)
        return response.make_conditional(request)

    def _response(self, content: Any, status: int) -> Response:
        return self._plain({"status": {"code": "ok", "message": "OK"}, "response": content}, status)

    def _status(self, status: int, code: str, text: str) -> Response:
        return self._plain({"status": {"code": code, "message": text}, "response": {}}, status)

    @staticmethod
    def _plain(content: Any, status: int) -> Response:
        import json

        return Response(json.dumps(content), status, mimetype="application/json")

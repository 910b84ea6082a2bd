"""A fake Discourse, which follows its posts controller.

It remembers a new post for 120 seconds by all that was sent.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any

from werkzeug.wrappers import Request, Response

from tests.boards.wire import Clock

MEMO = 120


@dataclass
class Post:
    id: int
    topic: int
    number: int
    user: str
    text: str
    at: int


@dataclass
class Topic:
    id: int
    title: str
    closed: bool = False


@dataclass
class Discourse:
    clock: Clock = field(default_factory=Clock)
    key: str = "an-api-key"
    per_minute: int = 20
    most: int = 32_000
    least: int = 20
    in_a_row: int = 0
    """Replies of one user after another that are allowed; 0 for as many as one likes (what staff
    has).
    """
    queued: bool = False
    narrow: bool = False
    """The key was made for posting and for reading topics only."""
    public: bool = True
    per_page: int = 20
    url: str = ""

    def __post_init__(self) -> None:
        self.topics: dict[int, Topic] = {}
        self.posts: list[Post] = []
        self.pending: list[str] = []
        self.memo: dict[str, tuple[int, dict[str, Any]]] = {}
        self.written: list[int] = []

    def open_topic(
        self, title: str, user: str, text: str = "Let us begin, all of us, now."
    ) -> Topic:
        topic = Topic(len(self.topics) + 7, title)
        self.topics[topic.id] = topic
        self.write(topic.id, user, text)
        return topic

    def write(self, topic: int, user: str, text: str) -> Post:
        post = Post(
            len(self.posts) + 11,
            topic,
            len(self._posts_of(topic)) + 1,
            user,
            text,
            self.clock.seconds,
        )
        self.posts.append(post)
        return post

    def _posts_of(self, topic: int) -> list[Post]:
        return [post for post in self.posts if post.topic == topic]

    def forget_sessions(self) -> None:
        """A key is no session."""

    def step(self, request: Request) -> str:
        return {"POST": "post", "PUT": "edit"}.get(request.method, "read")

    def answer(self, request: Request) -> Response:
        key, user = request.headers.get("Api-Key"), request.headers.get("Api-Username", "")
        if key is not None and key != self.key:
            return self._errors(
                403, ["You are not permitted to view the requested resource."], "invalid_access"
            )
        if request.method == "POST" and request.path == "/posts.json":
            if key is None:
                return self._plain(["BAD CSRF"], 403)
            return self._create(request, user)
        if key is None and not self.public:
            return self._errors(403, ["You need to be logged in to do that."], "not_logged_in")
        return self._changed(request, user) or self._shown(request, user if key is not None else "")

    def _changed(self, request: Request, user: str) -> Response | None:
        """Return the answer to a change of a post; None for other requests."""
        match = re.fullmatch(r"/posts/(\d+)\.json", request.path)
        if request.method != "PUT" or match is None:
            return None
        post = self._numbered(int(match[1]))
        if post is None or post.user != user:
            return self._errors(
                403, ["You are not permitted to view the requested resource."], "invalid_access"
            )
        post.text = str((request.get_json(silent=True) or {})["post"]["raw"]).strip()
        return self._plain({"post": self._post(post)}, 200)

    def _shown(self, request: Request, user: str) -> Response:
        """Return what is read; `user` is empty for a guest."""
        if match := re.fullmatch(r"/posts/([^/]+)/pending\.json", request.path):
            return self._waiting(match[1], user)
        if match := re.fullmatch(r"/posts/by_number/(\d+)/(\d+)\.json", request.path):
            posts = self._posts_of(int(match[1]))
            post = next((post for post in posts if post.number == int(match[2])), None)
            return self._one_post(post, with_raw=True)
        if request.path == "/site/basic-info.json":
            return self._plain({"title": "The Camp"}, 200)
        if match := re.fullmatch(r"/posts/(\d+)\.json", request.path):
            return self._one_post(self._numbered(int(match[1])))
        if match := re.fullmatch(r"/t/(\d+)\.json", request.path):
            return self._topic(int(match[1]), user)
        if match := re.fullmatch(r"/t/(\d+)/posts\.json", request.path):
            wanted = {int(number) for number in request.args.getlist("post_ids[]")}
            posts = [post for post in self._posts_of(int(match[1])) if post.id in wanted]
            shown = {"posts": [self._post(post) for post in posts]}
            return self._plain({"post_stream": shown, "id": int(match[1])}, 200)
        return self._not_found()

    def _numbered(self, number: int) -> Any:
        return next((post for post in self.posts if post.id == number), None)

    def _not_found(self) -> Response:
        return self._errors(404, ["The requested URL or resource could not be found."], "not_found")

    def _one_post(self, post: Any, *, with_raw: bool = False) -> Response:
        if post is None:
            return self._not_found()
        raw = {"raw": post.text} if with_raw else {}
        return self._plain(self._post(post) | raw, 200)

    def _waiting(self, whose: str, user: str) -> Response:
        """Return the posts that a moderator has to look at."""
        if self.narrow:
            return self._errors(
                403, ["You are not permitted to view the requested resource."], "invalid_access"
            )
        if not user or whose != user:
            return self._not_found()
        waiting = [
            {"id": at, "raw_text": text, "username": user}
            for at, text in enumerate(self.pending, 1)
        ]
        return self._plain({"pending_posts": waiting}, 200)

    # Writing --------------------------------------------------------------------------------------

    def _create(self, request: Request, user: str) -> Response:
        given: dict[str, str] = request.get_json(silent=True) or request.form.to_dict()
        sign = json.dumps(
            [sorted(given.items()), user, request.remote_addr, request.headers.get("User-Agent")],
            default=str,
        )
        now = self.clock.seconds
        if sign in self.memo and now - self.memo[sign][0] < MEMO:
            content = self.memo[sign][1]
        else:
            self.written = [at for at in self.written if now - at < 60]
            if len(self.written) >= self.per_minute:  # raised, not remembered
                wait = 60 - (now - self.written[0])
                return self._plain(
                    {
                        "errors": [
                            "You've performed this action too many times, please try again later."
                        ],
                        "error_type": "rate_limit",
                        "extras": {"wait_seconds": wait, "time_left": f"{wait} seconds"},
                    },
                    429,
                    {"Retry-After": str(wait)},
                )
            created = self._perform(given, user)
            if isinstance(created, Response):
                return created
            content = created
            self.memo[sign] = (now, content)
        status = 422 if content.get("errors") else 200
        if status == 200 and content.get("action") != "enqueued" and not given.get("nested_post"):
            content = content["post"]
        return self._plain(content, status)

    def _perform(self, given: dict[str, Any], user: str) -> dict[str, Any] | Response:
        text = str(given.get("raw", "")).strip()
        if not given.get("topic_id"):
            return self._new_topic(given, user, text)
        result = self.topics.get(int(given["topic_id"]))
        if result is None:
            return self._refused("The topic you are replying to has been deleted.")
        if result.closed:
            return self._errors(
                403, ["You are not permitted to view the requested resource."], "invalid_access"
            )
        if len(text) < self.least:
            return self._refused(f"Body is too short (minimum is {self.least} characters)")
        if len(text) > self.most:
            return self._refused(
                f"Body is limited to {self.most} characters; you entered {len(text)}."
            )
        if any(
            post.text == text and post.user == user and self.clock.seconds - post.at < 300
            for post in self.posts
        ):
            return self._refused("Body is too similar to what you recently posted")
        if self._is_monologue(result.id, user):
            content = (
                f"No more than {self.in_a_row} consecutive replies are allowed. Please edit your"
                " previous reply."
            )
            return self._refused(content)
        self.written.append(self.clock.seconds)
        if self.queued:
            self.pending.append(text)
            pending = {"id": len(self.pending), "raw": text, "topic_id": result.id}
            return {
                "action": "enqueued",
                "success": True,
                "pending_count": len(self.pending),
                "pending_post": pending,
            }
        return {
            "action": "create_post",
            "success": True,
            "post": self._post(self.write(result.id, user, text)),
        }

    def _new_topic(self, given: dict[str, Any], user: str, text: str) -> dict[str, Any] | Response:
        if not given.get("title"):
            return self._errors(
                400, ["param is missing or the value is empty: topic_id"], "invalid_parameters"
            )
        if not text:
            return self._refused("Body can't be blank")
        self.written.append(self.clock.seconds)
        topic = self.open_topic(str(given["title"]), user, text)
        return {
            "action": "create_post",
            "success": True,
            "post": self._post(self._posts_of(topic.id)[0]),
        }

    def _is_monologue(self, topic: int, user: str) -> bool:
        """Return whether one user has written too many replies in a row."""
        last = self._posts_of(topic)[-self.in_a_row :] if self.in_a_row else []
        return bool(last) and [post.user for post in last] == [user] * self.in_a_row

    @staticmethod
    def _refused(text: str) -> dict[str, Any]:
        return {"action": "create_post", "errors": [text]}

    # Reading --------------------------------------------------------------------------------------

    def _post(self, post: Post) -> dict[str, Any]:
        return {
            "id": post.id,
            "username": post.user,
            "cooked": f"<p>{escape(post.text)}</p>".replace("\n", "<br>\n"),
            "created_at": (
                datetime.fromtimestamp(post.at, UTC).isoformat().replace("+00:00", ".000Z")
            ),
            "post_number": post.number,
            "post_type": 1,
            "topic_id": post.topic,
            "topic_slug": "the-topic",
        }

    def _topic(self, number: int, user: str) -> Response:
        topic = self.topics.get(number)
        if topic is None:
            return self._errors(
                404, ["The requested URL or resource could not be found."], "not_found"
            )
        posts = self._posts_of(number)
        stream = {
            "posts": [self._post(post) for post in posts[: self.per_page]],
            "stream": [post.id for post in posts],
        }
        content = {
            "id": number,
            "slug": "the-topic",
            "title": topic.title,
            "closed": topic.closed,
            "post_stream": stream,
        }
        content["details"] = {"can_create_post": True} if user and not topic.closed else {}
        return self._plain(
            content | {"posts_count": len(posts), "highest_post_number": len(posts)}, 200
        )

    def _errors(self, status: int, errors: list[str], kind: str) -> Response:
        return self._plain({"errors": errors, "error_type": kind}, status)

    @staticmethod
    def _plain(content: Any, status: int, headers: dict[str, str] | None = None) -> Response:
        return Response(json.dumps(content), status, headers, mimetype="application/json")

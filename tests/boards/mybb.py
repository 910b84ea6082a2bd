"""A fake MyBB 1.8.

Every form has a key, success is a page, and consecutive posts are merged.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape

from werkzeug.wrappers import Request, Response

from tests.boards.forms import CapturedForm
from tests.boards.wire import Clock

LOGIN = CapturedForm("mybb-login.html", 'form:has(input[name="username"])', ("my_post_key", "url"))
REPLY = CapturedForm(
    "mybb-reply.html",
    'form[name="input"]',
    ("my_post_key", "subject", "posthash", "tid"),
    (("newest", 'form[name="input"] ~ table td.tcat strong'),),
)
EDIT = CapturedForm("mybb-edit.html", "form#editpost", ("my_post_key", "subject", "message"))

MISMATCH = (
    "Authorization code mismatch. Are you accessing this function correctly? Please go back and try"
    " again."
)
TWICE = "You have already posted this reply. Please visit the thread to see your reply."


QUICK = (
    '<div class="modal" id="quick_login" style="display: none;"><form method="post"'
    ' action="member.php"><table><tr><td class="trow1"'
    ' width="25%"><strong>Username:</strong></td><td class="trow1"><input name="quick_username"'
    ' /></td><td class="trow1 remember_me"><label>Remember'
    " me</label></td></tr></table></form></div>"
)
"""The quick login form, which is on every page of a guest."""


@dataclass
class Post:
    id: int
    thread: int
    user: str
    subject: str
    text: str
    at: int
    visible: bool = True


@dataclass
class Thread:
    id: int
    title: str
    closed: bool = False


@dataclass
class Mybb:
    clock: Clock = field(default_factory=Clock)
    flood: int = 60
    least: int = 5
    most: int = 65_535
    attempts: int = 5
    merge: int = 0
    """Minutes within which one's reply after one's own is put into that post; real boards come with
    60.
    """
    friendly: bool = True
    """Pages that say it went well and lead on; off, and a 302 does."""
    moderated: bool = False
    own_unapproved: bool = False
    """Whether authors see their own posts while these wait for a moderator; the default of boards
    is no.
    """
    public: bool = True
    closed: str = ""
    """In maintenance: what an administrator wrote for it. Members and guests read it on every page
    but the login's.
    """
    per_page: int = 10
    url: str = ""
    seed: int = 1

    def __post_init__(self) -> None:
        self.lot = random.Random(self.seed)
        self.users: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.wrong: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.threads: dict[int, Thread] = {}
        self.posts: list[Post] = []
        self.logins = 0

    def register(self, name: str, password: str) -> str:
        self.users[name] = password
        return name

    def open_thread(self, title: str, user: str, text: str = "Let us begin.") -> Thread:
        thread = Thread(len(self.threads) + 1, title)
        self.threads[thread.id] = thread
        self.write(thread.id, user, title, text)
        return thread

    def write(self, thread: int, user: str, subject: str, text: str) -> Post:
        self.last[user] = self.clock.seconds
        newest = next((post for post in reversed(self.posts) if post.thread == thread), None)
        if (
            newest
            and newest.user == user
            and self.merge
            and self.clock.seconds - newest.at < self.merge * 60
        ):
            # The time of the thread's last post remains.
            newest.text += f"\n[hr]\n{text}"
            return newest
        post = Post(
            len(self.posts) + 1, thread, user, subject, text, self.clock.seconds, not self.moderated
        )
        self.posts.append(post)
        return post

    def forget_sessions(self) -> None:
        self.keys.clear()

    def step(self, request: Request) -> str:
        if request.path == "/member.php":
            return "login" if request.method == "POST" else "login form"
        if request.path == "/newreply.php":
            return "post" if request.method == "POST" else "post form"
        if request.path == "/editpost.php":
            return "edit" if request.method == "POST" else "edit form"
        return "read"

    # One request ----------------------------------------------------------------------------------

    def answer(self, request: Request) -> Response:
        user = self.keys.get(request.cookies.get("mybbuser", ""), "")
        # A guest's key hangs on the board alone, a member's on their login key.
        key = hashlib.md5(
            f"{request.cookies.get('mybbuser', '') if user else ''}{self.seed}".encode()
        ).hexdigest()
        if request.path == "/member.php":
            return self._member(request, key)
        if self.closed:
            return self.at_work()
        if request.path == "/newreply.php":
            return self._newreply(request, user, key)
        if request.path == "/editpost.php":
            return self._editpost(request, user, key)
        if request.path == "/showthread.php":
            return self._thread(request, user)
        return self._page(
            "MyBB", '<table class="tborder"><tr><td class="thead">Forums</td></tr></table>'
        )

    def at_work(self) -> Response:
        return self._error(
            f"The bulletin board is currently closed.<blockquote>{escape(self.closed)}</blockquote>"
        )

    def _member(self, request: Request, key: str) -> Response:
        if request.method != "POST":
            return self._login(key)
        if request.form.get("my_post_key") != key:
            return self._error(MISMATCH)
        if refusal := LOGIN.refusal(request.form):
            return Response(refusal, 400)
        name, password = request.form.get("username", ""), request.form.get("password", "")
        self.logins += 1
        if self.wrong.get(name, 0) >= self.attempts:
            return self._error(
                "You have failed to login within the required number of attempts. You must now wait"
                " 0h 15m 0s."
            )
        if self.users.get(name) != password or not name:
            self.wrong[name] = self.wrong.get(name, 0) + 1
            return self._login(key, "You have entered an invalid username/password combination.")
        created = f"2_{self.lot.getrandbits(200):050x}"
        self.keys[created] = name
        response = self._led(f"{self.url}/index.php", "You have successfully been logged in.")
        response.set_cookie("mybbuser", created, path="/", httponly=True)
        return response

    def _login(self, key: str, error: str = "") -> Response:
        shown = (
            '<div class="error"><p><em>Please correct the following'
            f" errors:</em></p><ul><li>{error}</li></ul></div>"
        )
        page = LOGIN.page("member.php", {"my_post_key": key, "url": ""}, shown if error else "")
        return Response(page, mimetype="text/html")

    def _newreply(self, request: Request, user: str, key: str) -> Response:
        thread = self.threads.get(request.values.get("tid", 0, type=int))
        if thread is None:
            return self._error("The specified thread does not exist.", 404)
        if not user:
            return self._no_permission(key)
        if thread.closed:
            return self._error("Sorry, but you cannot reply to this thread because it is closed.")
        if request.method != "POST":
            return self._form(thread, key)
        if request.form.get("my_post_key") != key:
            return self._error(MISMATCH)
        if refusal := REPLY.refusal(request.form):
            return Response(refusal, 400)
        return self._replied(request, user, key, thread)

    def _replied(self, request: Request, user: str, key: str, thread: Thread) -> Response:
        """Return the answer to a reply whose form is complete."""
        subject, text = (
            request.form.get("subject", ""),
            request.form.get("message", "").replace("\r\n", "\n").strip(),
        )
        now = self.clock.seconds
        same = [
            p
            for p in self.posts
            if (p.thread, p.user, p.subject, p.text) == (thread.id, user, subject, text)
        ]
        if any(now - post.at < 600 for post in same):
            return self._error(TWICE)
        since = now - self.last.get(user, 0)
        if since < self.flood:
            wait = self.flood - since
            content = (
                "You are trying to post too quickly after posting a previous message. Please wait"
                f" {wait} more second(s)."
            )
            return self._form(thread, key, content)
        if wrong := self._wrong_length(subject, text):
            return self._form(thread, key, wrong)
        created = self.write(thread.id, user, subject, text)
        if not created.visible:
            content = "A moderator will need to look at your reply before it is shown."
            return self._led(f"{self.url}/showthread.php?tid={thread.id}", content, always=True)
        return self._led(
            f"{self.url}/showthread.php?tid={thread.id}&pid={created.id}#pid{created.id}",
            "Thank you, your reply is posted.",
        )

    def _wrong_length(self, subject: str, text: str) -> str:
        """Return why a subject or a text is too short or too long; empty if it is not."""
        if len(subject) > 85:
            return "The subject is too long. Please enter a subject shorter than 85 characters."
        if len(text) < self.least:
            return (
                f"The message is too short. Please enter a message longer than {self.least}"
                " characters (not including spaces)."
            )
        if len(text) > self.most:
            return (
                f"The message is too long. Please enter a message shorter than {self.most}"
                f" characters (currently {len(text)})."
            )
        return ""

    def _editpost(self, request: Request, user: str, key: str) -> Response:
        post = next(
            (post for post in self.posts if post.id == request.values.get("pid", 0, type=int)), None
        )
        if post is None:
            return self._error("The specified post does not exist.", 404)
        if not user:
            return self._no_permission(key)
        if post.user != user or self.threads[post.thread].closed:
            return self._error("You do not have permission to edit this post.")
        if request.method == "POST":
            if request.form.get("my_post_key") != key:
                return self._error(MISMATCH)
            if request.form.get("action") == "deletepost":
                return self._not_deleted(post)
            if refusal := EDIT.refusal(request.form):
                return Response(refusal, 400)
            post.subject, post.text = (
                request.form.get("subject", ""),
                request.form.get("message", "").replace("\r\n", "\n").strip(),
            )
            return self._led(
                f"{self.url}/showthread.php?tid={post.thread}&pid={post.id}#pid{post.id}",
                "The post was updated.",
            )
        values = {"my_post_key": key, "subject": post.subject, "message": post.text}
        page = EDIT.page(f"editpost.php?pid={post.id}&processed=1", values)
        return Response(page, mimetype="text/html")

    def _not_deleted(self, post: Post) -> Response:
        """Return the answer to the form that deletes a post, without its tick."""
        return self._led(
            f"{self.url}/showthread.php?pid={post.id}#pid{post.id}",
            "The post was not deleted because you did not tick the box.",
        )

    def _form(self, thread: Thread, key: str, error: str = "") -> Response:
        shown = (
            '<div class="error"><p><em>Please correct the following'
            f" errors:</em></p><ul><li>{error}</li></ul></div>"
        )
        newest = next(
            post for post in reversed(self.posts) if post.thread == thread.id and post.visible
        )
        values = {
            "my_post_key": key,
            "subject": f"RE: {thread.title}",
            "posthash": f"{self.lot.getrandbits(128):032x}",
            "tid": str(thread.id),
            "newest": f"Posted by {newest.user} - ",
        }
        page = REPLY.page(
            f"newreply.php?tid={thread.id}&processed=1", values, shown if error else ""
        )
        return Response(page, mimetype="text/html")

    def _thread(self, request: Request, user: str) -> Response:
        number = request.args.get("tid", 0, type=int)
        wanted = next(
            (post for post in self.posts if post.id == request.args.get("pid", 0, type=int)), None
        )
        thread = self.threads.get(number or (wanted.thread if wanted else 0))
        if thread is None:
            return self._error("The specified thread does not exist.", 404)
        if not self.public and not user:
            return self._no_permission("")
        mine = user if self.own_unapproved else ""
        posts = [
            post
            for post in self.posts
            if post.thread == thread.id and (post.visible or post.user == mine)
        ]
        last = max(1, -(-len(posts) // self.per_page))
        asked = request.args.get("page", "1")
        page = last if asked == "last" else min(int(asked), last)
        if wanted in posts:
            page = posts.index(wanted) // self.per_page + 1
        shown = posts[(page - 1) * self.per_page : page * self.per_page]
        body = "".join(
            f'<a name="pid{post.id}" id="pid{post.id}"></a>'
            f'<div class="post classic {"" if post.visible else "unapproved_post"}"'
            f' id="post_{post.id}">'
            f'<div class="author_information"><strong><span class="largetext">'
            f'<a href="member.php?action=profile&amp;uid=2">{escape(post.user)}</a>'
            "</span></strong></div>"
            '<div class="post_content"><div class="post_head"><span'
            f' class="post_date">{_written(post.at)}</span></div>'
            f'<div class="post_body scaleimages" id="pid_{post.id}">'
            f"{escape(post.text).replace(chr(10), '<br />')}</div></div></div>"
            for post in shown
        )
        pages = (
            f'<div class="pagination">Pages ({last}): <span'
            f' class="pagination_current">{page}</span></div>'
        )
        way = (
            f'<div class="navigation"><a href="{self.url}/index.php">The Round Table</a> &rsaquo;'
            ' <a href="forumdisplay.php?fid=2">Grand Campaigns</a><br /><span'
            f' class="active">{escape(thread.title)}</span></div>'
        )
        reply = (
            f'<a href="newreply.php?tid={thread.id}" class="button new_reply_button"><span>New'
            " Reply</span></a>"
        )
        return self._page(
            thread.title,
            way + reply + (pages if last > 1 else "") + f'<div id="posts">{body}</div>',
        )

    # Pages ----------------------------------------------------------------------------------------

    def _led(self, where: str, content: str, always: bool = False) -> Response:
        if not self.friendly and not always:
            return Response("", 302, {"Location": where})
        head = f'<meta http-equiv="refresh" content="2;URL={escape(where)}" />'
        return self._page(
            "MyBB",
            f'<table class="tborder"><tr><td class="trow1"><p>{content}</p></td></tr></table>',
            head=head,
        )

    def _no_permission(self, key: str) -> Response:
        body = (
            f'{QUICK}<div class="tborder">You are either not logged in or do not have permission to'
            " view this page.</div>"
        )
        quick = (
            '<form action="member.php" method="post"><input type="hidden" name="action"'
            f' value="do_login" />{_key(key)}</form>'
        )
        return self._page("MyBB", body + quick, 403)

    def _error(self, text: str, status: int = 200) -> Response:
        return self._page(
            "MyBB",
            '<table class="tborder"><tr><td class="thead">MyBB</td></tr><tr><td'
            f' class="trow1">{text}</td></tr></table>',
            status,
        )

    @staticmethod
    def _page(title: str, body: str, status: int = 200, head: str = "") -> Response:
        created = (
            "<!DOCTYPE html><html"
            f' lang="en"><head><title>{escape(title)}</title>{head}</head><body>{body}</body></html>'  # noqa: E501
        )
        return Response(created, status, mimetype="text/html")


def _written(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%m-%d-%Y, %I:%M %p")


def _key(key: str) -> str:
    return f'<input type="hidden" name="my_post_key" value="{key}" />'

"""A fake phpBB 3.3: forms, tokens, sessions, refusals.

3.3.10 and 3.3.15 differ in the use of tokens.

Seen on real boards: cookie prefix, login, token and its one second, reply, topic, edit, flood, post
review, captcha after three wrong passwords, one-shot tokens, feed, print view, `browser_check`.
Known from the source only: approval queue, locked topic.
"""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass, field
from html import escape

from werkzeug.wrappers import Request, Response

from tests.boards import phpbb_pages as pages
from tests.boards.wire import Clock

ANONYMOUS = 1
FORM_INVALID = "The submitted form was invalid. Try submitting again."
FLOOD = "You cannot make another post so soon after your last."
APPROVAL = (
    "This post has been submitted, but it will need to be approved by a moderator before it is"
    " publicly viewable. You will be notified when your post has been approved."
)


@dataclass
class User:
    id: int
    name: str
    password: str
    salt: str
    new: bool = False
    """Newly registered: what they write waits for a moderator."""
    ignores_flood: bool = False
    expired: bool = False
    """The password is older than the board allows: every page leads to the form for a new one."""
    wrong: int = 0
    last_post: int = 0


@dataclass
class Post:
    id: int
    topic: int
    user: int
    subject: str
    text: str
    at: int
    approved: bool = True


@dataclass
class Topic:
    id: int
    forum: int
    title: str
    locked: bool = False


@dataclass
class Session:
    sid: str
    user: int
    agent: str
    seen: int


@dataclass
class Phpbb:
    """The board.

    Tests count its content, and change its settings as an administrator would.
    """

    clock: Clock = field(default_factory=Clock)
    version: str = "3.3.15"
    flood: int = 15
    most: int = 60_000
    lifetime: int = 7200
    session_length: int = 3600
    attempts: int = 3
    largest: int = 200
    """The largest size of letters, in percent."""
    per_page: int = 10
    feed: bool = True
    public: bool = True
    disabled: bool = False
    own_unapproved: bool = True
    """Whether authors see their own posts while these wait for a moderator; the default is yes."""
    url: str = ""
    seed: int = 1

    def __post_init__(self) -> None:
        self.lot = random.Random(self.seed)
        self.prefix = "phpbb3_" + "".join(
            self.lot.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=5)
        )
        self.users = {ANONYMOUS: User(ANONYMOUS, "Anonymous", "", self._random())}
        self.topics: dict[int, Topic] = {}
        self.posts: list[Post] = []
        self.sessions: dict[str, Session] = {}
        self.used: dict[str, int] = {}
        self.logins = 0
        """Passwords that were looked at, right or wrong."""

    def _random(self) -> str:
        return f"{self.lot.getrandbits(128):032x}"

    # Content --------------------------------------------------------------------------------------

    def register(self, name: str, password: str, **more: bool) -> User:
        user = User(max(self.users) + 1, name, password, self._random()[:16], **more)
        self.users[user.id] = user
        return user

    def open_topic(self, title: str, user: User, text: str = "Let us begin.") -> Topic:
        topic = Topic(len(self.topics) + 1, 2, title)
        self.topics[topic.id] = topic
        self.write(topic.id, user, title, text)
        return topic

    def write(self, topic: int, user: User, subject: str, text: str) -> Post:
        post = Post(
            len(self.posts) + 1,
            topic,
            user.id,
            subject,
            text,
            self.clock.seconds,
            approved=not user.new,
        )
        self.posts.append(post)
        user.last_post = self.clock.seconds
        return post

    def shown(self, topic: int, reader: int = ANONYMOUS) -> list[Post]:
        own = reader if self.own_unapproved and reader != ANONYMOUS else None
        return [
            post
            for post in self.posts
            if post.topic == topic and (post.approved or post.user == own)
        ]

    def forget_sessions(self) -> None:
        self.sessions.clear()

    # One request ----------------------------------------------------------------------------------

    def step(self, request: Request) -> str:
        path, verb = request.path.rsplit("/", 1)[-1], request.method
        if path == "ucp.php":
            return "login" if verb == "POST" else "login form"
        if path == "posting.php" and request.values.get("mode") == "edit":
            return "edit" if verb == "POST" else "edit form"
        if path == "posting.php":
            return "post" if verb == "POST" else "post form"
        return "read"

    def answer(self, request: Request) -> Response:
        session = self._session(request)
        if self.disabled:
            response = self.at_work(503 if session.user == ANONYMOUS else 200)
        elif self.users[session.user].expired and request.path != "/ucp.php":
            response = self._to("/ucp.php?i=profile&mode=reg_details")
        elif request.path == "/ucp.php":
            response, session = self._ucp(request, session)
        elif request.path == "/posting.php":
            response = self._posting(request, session)
        elif request.path == "/viewtopic.php":
            response = self._viewtopic(request, session)
        elif request.path.startswith("/app.php/feed/topic/") or request.path == "/feed.php":
            response = self._feed(request, session)
        elif request.path == "/index.php":
            response = Response(
                pages.page("Index page", "<p>Board index</p>"), mimetype="text/html"
            )
        else:
            response = self._message("No route found.", 404)
        for name, value in (("u", str(session.user)), ("k", ""), ("sid", session.sid)):
            response.set_cookie(f"{self.prefix}_{name}", value, path="/", httponly=True)
        return response

    def at_work(self, status: int = 200) -> Response:
        """Return the page that members without access get while the board is disabled.

        Guests get it with status 503.
        """
        return self._message("Sorry but this board is currently unavailable.", status)

    def _session(self, request: Request) -> Session:
        """Return the visitor's session.

        It is a new guest session if theirs is unknown, too old, or from another browser.
        """
        agent = request.headers.get("User-Agent", "")[:149]
        sid = request.cookies.get(f"{self.prefix}_sid") or request.args.get("sid") or ""
        result = self.sessions.get(sid)
        if (
            result
            and result.agent == agent
            and self.clock.seconds - result.seen <= self.session_length + 60
        ):
            result.seen = self.clock.seconds
            return result
        return self._new_session(ANONYMOUS, agent)

    def _new_session(self, user: int, agent: str) -> Session:
        created = Session(self._random(), user, agent, self.clock.seconds)
        self.sessions[created.sid] = created
        return created

    # Tokens ---------------------------------------------------------------------------------------

    def token(self, at: int, session: Session, form: str) -> str:
        sid = session.sid if session.user == ANONYMOUS else ""
        return hashlib.sha1(f"{at}{self.users[session.user].salt}{form}{sid}".encode()).hexdigest()

    def _token_good(self, request: Request, session: Session, form: str) -> bool:
        at = abs(request.form.get("creation_time", 0, type=int))
        age = self.clock.seconds - at
        return (
            bool(age)
            and age <= self.lifetime
            and request.form.get("form_token") == self.token(at, session, form)
        )

    def _hidden(self, session: Session, form: str) -> dict[str, str]:
        at = self.clock.seconds
        return {"creation_time": str(at), "form_token": self.token(at, session, form)}

    # Login ----------------------------------------------------------------------------------------

    def _ucp(self, request: Request, session: Session) -> tuple[Response, Session]:
        if request.method != "POST" or "login" not in request.form:
            return self._login_page(session), session
        if refusal := pages.LOGIN.refusal(request.form):
            return self._message(refusal, 400), session
        if not self._token_good(request, session, "login"):
            return self._login_page(session, FORM_INVALID), session
        name, password = request.form.get("username", "").strip(), request.form.get("password", "")
        user = next(
            (
                user
                for user in self.users.values()
                if user.name.lower() == name.lower() and user.id != ANONYMOUS
            ),
            None,
        )
        self.logins += 1
        if user is None:
            return self._login_page(session, "You have specified an incorrect username."), session
        if user.wrong >= self.attempts:  # even the right one
            text = (
                "You exceeded the maximum allowed number of login attempts. In addition to your"
                " username and password "
            )
            return (
                self._login_page(session, text + "you now also have to solve the CAPTCHA below."),
                session,
            )
        if user.password != password:
            user.wrong += 1
            return self._login_page(session, "You have specified an incorrect password."), session
        user.wrong = 0
        created = self._new_session(user.id, session.agent)
        return self._to(f"/index.php?sid={created.sid}"), created

    def _login_page(self, session: Session, error: str = "", why: str = "Login") -> Response:
        hidden = self._hidden(session, "login")
        return Response(pages.login(why, error, hidden, session.sid), mimetype="text/html")

    # Posting --------------------------------------------------------------------------------------

    def _posting(self, request: Request, session: Session) -> Response:
        mode = request.values.get("mode", "")
        user = self.users[session.user]
        topic = self.topics.get(request.values.get("t", 0, type=int))
        post = None
        if mode == "edit":
            post = next(
                (post for post in self.posts if post.id == request.values.get("p", 0, type=int)),
                None,
            )
            topic = self.topics.get(post.topic) if post else None
        if mode == "post" and request.values.get("f", 0, type=int) != 2:
            return self._message("The forum you selected does not exist.", 404)
        if mode != "post" and topic is None:
            return self._message("The requested topic does not exist.", 404)
        if session.user == ANONYMOUS:
            return self._login_page(
                session, why="You need to login in order to reply to topics within this forum."
            )
        if topic is not None and topic.locked:
            return self._message(
                "This topic is locked, you cannot edit posts or make further replies.", 200
            )
        if post is not None and post.user != session.user:
            return self._message("You cannot edit this post.", 403)
        if request.method == "POST" and "post" in request.form:
            return self._submitted(request, session, user, topic, post)
        subject = post.subject if post else f"Re: {topic.title}" if topic else ""
        return self._form(session, mode, topic, subject, post.text if post else "", post)

    def _form(
        self,
        session: Session,
        mode: str,
        topic: Topic | None,
        subject: str,
        text: str,
        post: Post | None = None,
        errors: tuple[str, ...] = (),
        review: tuple[Post, ...] = (),
    ) -> Response:
        fields = {"subject": subject, "message": text, **self._hidden(session, "posting")}
        where = f"f=2&mode={mode}"
        if topic is not None:
            where += f"&t={topic.id}"
        if post is not None:
            where += f"&p={post.id}"
            fields["edit_post_message_checksum"] = hashlib.md5(post.text.encode()).hexdigest()
            fields["edit_post_subject_checksum"] = hashlib.md5(post.subject.encode()).hexdigest()
        else:
            fields["topic_cur_post_id"] = str(self.shown(topic.id)[-1].id) if topic else "0"
        content = [(self.users[post.user].name, post.text) for post in review]
        form = pages.REPLY if post is None else pages.EDIT
        return Response(pages.posting(form, where, fields, errors, content), mimetype="text/html")

    def _errors_of(self, mode: str, user: User, subject: str, text: str) -> list[str]:
        """Return what is wrong with a post."""
        now = self.clock.seconds
        errors: list[str] = []
        if (
            mode != "edit"
            and not user.ignores_flood
            and user.last_post
            and now - user.last_post < self.flood
        ):
            errors.append(FLOOD)
        length = len(escape(text))
        if not length:
            errors.append("Your message contains too few characters.")
        if self.most and length > self.most:
            errors.append(
                f"Your message contains {length} characters. The maximum number of allowed"
                f" characters is {self.most}."
            )
        if any(int(size) > self.largest for size in re.findall(r"\[size=(\d+)\]", text)):
            errors.append(f"You may only use fonts up to size {self.largest}.")
        if mode == "post" and not subject:
            errors.append("You must specify a subject when posting a new topic.")
        if any(sign > "\uffff" for sign in subject):
            errors.append("Your subject holds signs that are not supported.")
        return errors

    def _submitted(
        self, request: Request, session: Session, user: User, topic: Topic | None, post: Post | None
    ) -> Response:
        mode = request.values.get("mode", "")
        if refusal := (pages.REPLY if post is None else pages.EDIT).refusal(request.form):
            return self._message(refusal, 400)
        subject, text = (
            request.form.get("subject", "").strip(),
            request.form.get("message", "").replace("\r\n", "\n").strip(),
        )
        seen = request.form.get("topic_cur_post_id", 0, type=int)
        if mode == "reply" and topic and seen and seen != self.shown(topic.id)[-1].id:
            missed = tuple(post for post in self.shown(topic.id) if post.id > seen)
            return self._form(session, mode, topic, subject, text, review=missed)
        errors = self._errors_of(mode, user, subject, text)
        if not self._token_good(request, session, "posting") or (
            not errors and self._locked(request)
        ):
            errors.append(FORM_INVALID)
        if errors:
            return self._form(session, mode, topic, subject, text, post, tuple(errors))
        if post is not None:
            post.subject, post.text = subject, text
            return self._to(f"/viewtopic.php?p={post.id}#p{post.id}")
        is_new_topic = topic is None
        if topic is None:
            topic = Topic(len(self.topics) + 1, 2, subject)
            self.topics[topic.id] = topic
        created = self.write(topic.id, user, subject, text)
        if not created.approved:
            return self._message(
                APPROVAL,
                200,
                refresh="/viewforum.php?f=2" if is_new_topic else f"/viewtopic.php?t={topic.id}",
            )
        return self._to(
            f"/viewtopic.php?t={topic.id}"
            if is_new_topic
            else f"/viewtopic.php?p={created.id}#p{created.id}"
        )

    def _locked(self, request: Request) -> bool:
        """Return whether the token was already used.

        3.3.15 accepts a token once, and remembers it for the flood interval; 3.3.10 accepts it
        repeatedly.
        """
        if self.version == "3.3.10":
            return False
        key = f"{request.form.get('creation_time')}{request.form.get('form_token')}"
        if self.used.get(key, -1) >= self.clock.seconds:
            return True
        self.used[key] = self.clock.seconds + self.flood
        return False

    # Reading --------------------------------------------------------------------------------------

    def _viewtopic(self, request: Request, session: Session) -> Response:
        if number := request.args.get("p", 0, type=int):
            wanted = next((post for post in self.posts if post.id == number), None)
            topic = self.topics.get(wanted.topic) if wanted else None
        else:
            topic = self.topics.get(request.args.get("t", 0, type=int))
        if topic is None:
            return self._message("The requested topic does not exist.", 404)
        if not self.public and session.user == ANONYMOUS:
            return self._login_page(
                session,
                why="The board requires you to be registered and logged in to view this forum.",
            )
        posts = self.shown(topic.id, session.user)
        if request.args.get("sd") == "d":
            posts = posts[::-1]
        last = (len(posts) - 1) // self.per_page * self.per_page
        start = min(
            max(request.args.get("start", 0, type=int), 0) // self.per_page * self.per_page, last
        )
        rows = [
            (
                post.id,
                self.users[post.user].name,
                post.subject,
                post.text,
                post.at,
                not post.approved,
            )
            for post in posts[start : start + self.per_page]
        ]
        make = pages.print_view if request.args.get("view") == "print" else pages.topic
        number, of = start // self.per_page + 1, last // self.per_page + 1
        return Response(
            make(self.url, topic.id, topic.title, rows, number, of), mimetype="text/html"
        )

    def _feed(self, request: Request, session: Session) -> Response:
        if not self.feed:
            return self._message("Feeds are not available.", 404)
        number = request.args.get("t", 0, type=int) or int(request.path.rsplit("/", 1)[-1] or 0)
        topic = self.topics.get(number)
        if topic is None:
            return self._message("The requested topic does not exist.", 404)
        if not self.public and session.user == ANONYMOUS:
            return self._message("You are not authorised to read this forum.", 403)
        rows = [
            (p.id, self.users[p.user].name, p.subject, p.text, p.at, False)
            for p in self.shown(topic.id)[::-1][:15]
        ]
        response = Response(
            pages.feed(self.url, topic.id, topic.title, rows),
            content_type="application/atom+xml; charset=UTF-8",
        )
        response.last_modified = pages.when(rows[0][4])
        return response

    def _to(self, where: str) -> Response:
        return Response("", 302, {"Location": self.url + where})

    def _message(self, text: str, status: int, refresh: str = "") -> Response:
        return Response(
            pages.message(text, refresh and self.url + refresh), status, mimetype="text/html"
        )

"""Help in the pages: the first turn of a game master and the first slot of a player as lists that
tick themselves, the words, the guides.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from battles.models import Claim
from campaign.models import Campaign, LogEntry, Membership
from forum.models import Post
from forum.posts.reports import KEY, WHOLE
from games import registry
from games.registry import together
from people.models import User
from web.frame.requests import inside_this_site
from web.titles import cards

GUIDES: dict[str, Any] = {
    "boards": gettext_lazy("Reports on boards: by hand or by program"),
    "trust": gettext_lazy("Who has to trust whom, and how the dice are checked"),
    "scenarios": gettext_lazy("Scenarios: other nations, other numbers, a map of your own"),
    "rulings": gettext_lazy("How we read the unclear places of the rules"),
}
"""The guides that everybody reads here, by their file in docs/, in another language in
docs/<language>/ where there is one.
"""
WORDS: tuple[tuple[Any, Any], ...] = (
    (
        gettext_lazy("Turn"),
        gettext_lazy("all nations play once; then the battles are settled and the turn closes"),
    ),
    (gettext_lazy("Slot"), gettext_lazy("one nation’s part of the turn, with a deadline")),
    (
        gettext_lazy("Action"),
        gettext_lazy("what moves cost, in halves; income decides how many you get"),
    ),
    (
        gettext_lazy("Covert attack"),
        gettext_lazy("an attack on a nation that you share no land border with"),
    ),
    (
        gettext_lazy("Entry"),
        gettext_lazy("a numbered line of the log; everything on the table follows from them"),
    ),
    (gettext_lazy("Table"), gettext_lazy("map, standings, whom the campaign waits for")),
    (
        gettext_lazy("Desk"),
        gettext_lazy("the game master’s page: judge, remind, apply results, pause"),
    ),
    (gettext_lazy("Outbox"), gettext_lazy("what goes to the thread, and whether it is posted")),
    (
        gettext_lazy("Claim"),
        gettext_lazy(
            "a result reported by one side; it counts when the other confirms it or the game master"
            " rules"
        ),
    ),
    (
        gettext_lazy("Commitment"),
        gettext_lazy(
            "a number published before the start; it proves later that the dice were fixed"
        ),
    ),
)
QUESTIONS: tuple[tuple[Any, Any], ...] = (
    (
        gettext_lazy("Somebody is late. What happens?"),
        gettext_lazy(
            "What the game master chose at the founding: a reminder only, or the clock acts"
            " automatically. See Deadlines."
        ),
    ),
    (
        gettext_lazy("I made a mistake."),
        gettext_lazy(
            "Undo your last move until somebody else moves. After that, ask the game master for a"
            " correction."
        ),
    ),
    (
        gettext_lazy("Can a result be changed?"),
        gettext_lazy(
            "Yes, by a ruling with a reason. Nothing is erased: struck entries stay readable."
        ),
    ),
    (gettext_lazy("Do I need to post each move?"), gettext_lazy("No. One report a turn is usual.")),
    (
        gettext_lazy("Somebody writes what should not stand here."),
        gettext_lazy(
            "Choose Report beside the text: the moderators of this site read it and tell you what"
            " they decide. You may also block the person."
        ),
    ),
    (
        gettext_lazy("I forgot my password."),
        gettext_lazy(
            "Choose Sign in, then Forgotten: you get a link by e-mail. Your seat and your plans"
            " stay as they are."
        ),
    ),
    (
        gettext_lazy("Can I sign in without a password?"),
        gettext_lazy(
            "Yes. Have a code sent to you, or add a passkey under Your account, Ways to sign in:"
            " your device then asks for a finger or a face. If you lose the device, sign in by a"
            " code and remove its passkey there."
        ),
    ),
)


class Step(NamedTuple):
    """A step of a list: what to do, how long it takes, where, and whether it is done."""

    name: str
    text: str
    time: str
    url: str
    verb: str
    done: bool


class Steps(NamedTuple):
    """A list that ticks itself, of one campaign or of none."""

    steps: list[Step]
    campaign: Campaign | None

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)

    @property
    def now(self) -> Step | None:
        """What comes next; None without a campaign."""
        return (
            next((step for step in self.steps if not step.done), None)
            if self.campaign is not None
            else None
        )


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The two lists, of the reader's newest campaigns; at most six queries."""
    user = request.user
    context = {
        "lists": [
            (
                _("Your first turn as a game master"),
                "gm",
                master_steps(newest(user, Membership.MASTERS)),
            ),
            (_("Your first slot as a player"), "player", player_steps(*seat_of(user), user)),
        ],
        "words": WORDS,
        "questions": QUESTIONS,
        "lessons": [card for card in cards() if card.lesson],
        "guides": [(reverse("guide", args=[key]), name) for key, name in GUIDES.items()],
    }
    return render(request, "help/help.html", context)


def newest(user: Any, roles: Any) -> Campaign | None:
    """The newest campaign for several where this person has one of these roles; None for nobody."""
    if not user.is_authenticated:
        return None
    titles = [
        key
        for key, title in registry.TITLES.items()
        if together(title) and key not in registry.PAGES
    ]
    held = Membership.objects.filter(
        user=user, role__in=roles, until=None, campaign__title__in=titles
    )
    member = held.select_related("campaign").order_by("-pk").first()
    return member.campaign if member is not None else None


def seat_of(user: Any) -> tuple[Campaign | None, str]:
    """The newest seat of this person, in a campaign for several."""
    campaign = newest(user, (Membership.Role.SEAT,))
    if campaign is None:
        return None, ""
    member = (
        campaign.memberships.filter(user=user, role=Membership.Role.SEAT, until=None)
        .order_by("-pk")
        .first()
    )
    return campaign, member.seat if member is not None else ""


def master_steps(campaign: Campaign | None) -> Steps:
    """From the founding to the posted report of turn 1."""
    facts: dict[str, Any] = {"posted": 0, "told": 0, "seats": 0, "disputed": 0}
    if campaign is not None:
        there = Q(state__in=(Post.State.POSTED, Post.State.AWAITING, Post.State.SUPERSEDED))
        facts = Post.objects.filter(campaign=campaign).aggregate(
            posted=Count("pk", filter=there & Q(report=KEY)),
            told=Count("pk", filter=there & Q(kind__in=WHOLE)),
        )
        facts["seats"] = campaign.memberships.filter(role=Membership.Role.SEAT, until=None).count()
        facts["disputed"] = Claim.objects.filter(
            campaign=campaign, state=Claim.State.DISPUTED, entry__struck_by=None
        ).count()
    started = campaign is not None and campaign.started
    closed = campaign is not None and (
        campaign.turn > 1 or campaign.phase in ("closed", "finished")
    )
    played = campaign is not None and started and (closed or not campaign.active_seat)
    seated = campaign is not None and facts["seats"] >= len(_infos(campaign))

    def at(name: str) -> str:
        return reverse(name, args=[campaign.address]) if campaign is not None else ""

    steps = [
        Step(
            _("Found the campaign"),
            _("Name, clocks, dice, thread. The defaults fit together."),
            _("5 min"),
            at("about") or reverse("found"),
            _("Found"),
            campaign is not None,
        ),
        Step(
            _("Post the commitment of the dice"),
            _(
                "The Outbox has the text: Announcement. If it is posted before the start, it binds"
                " every roll to come."
            ),
            _("2 min"),
            at("posts"),
            _("Outbox"),
            facts["posted"] > 0 or bool(started),
        ),
        Step(
            _("Invite the players"),
            _("A link for each nation, or one link for any seat."),
            _("5 min"),
            at("seats"),
            _("Seats"),
            seated,
        ),
        Step(
            _("Start"),
            _("The order of play and the cards are drawn, the first slot opens."),
            _("1 min"),
            at("desk"),
            _("Desk"),
            bool(started),
        ),
        Step(
            _("Watch the slots"),
            _("Players play. The Desk shows whom the turn waits for."),
            _("views in a day"),
            at("desk"),
            _("Desk"),
            bool(played),
        ),
        Step(
            _("Judge what is disputed"),
            _(
                "Two versions, the evidence, your ruling with a reason. This comes first on the"
                " Desk."
            ),
            _("5 min each"),
            at("desk"),
            _("Desk"),
            bool(closed) and not facts["disputed"],
        ),
        Step(
            _("Close the turn"),
            _("When all slots have ended and all battles are resolved. The Desk shows it."),
            _("1 min"),
            at("desk"),
            _("Desk"),
            bool(closed),
        ),
        Step(
            _("Post the turn report"),
            _("Copy, paste, bring back its link. Everything else is posted with it."),
            _("3 min"),
            at("posts"),
            _("Outbox"),
            facts["told"] > 0,
        ),
    ]
    return Steps(steps, campaign)


def player_steps(campaign: Campaign | None, seat: str, user: Any) -> Steps:
    """A player's first slot and their battles."""
    moves: set[str] = set()
    claims = 0
    if campaign is not None:
        mine = campaign.entries.filter(actor=user, seat=seat, struck_by=None)
        rows = list(mine.filter(kind=LogEntry.Kind.MOVE).values_list("act", flat=True)[:400])
        moves, claims = set(rows), mine.filter(act__in=("claim", "confirm")).count()
    nation = reverse("nation", args=[campaign.address, seat]) if campaign is not None else ""
    plan = reverse("plan", args=[campaign.address, seat]) if campaign is not None else ""
    battles = reverse("battles", args=[campaign.address]) if campaign is not None else ""
    acted = bool(moves - {"end-slot"})
    steps = [
        Step(
            _("Read what changed"),
            _("Your page shows five numbers and what each threshold means. Answer attacks first."),
            _("5 min"),
            nation,
            _("Your nation"),
            acted,
        ),
        Step(
            _("Make a plan"),
            _("“Plan” beside a move puts it on a list that only you see, with its sum."),
            _("10 min"),
            plan,
            _("Plan"),
            acted,
        ),
        Step(
            _("Announce"),
            _("One by one or all at once. Until somebody else moves, you can undo your last move."),
            _("2 min"),
            nation,
            _("Announce"),
            acted,
        ),
        Step(
            _("Attack, if you like"),
            _(
                "Choose from where, the target and the kind of battle. What follows is shown"
                " before."
            ),
            _("5 min"),
            nation,
            _("Your nation"),
            bool(moves & {"attack", "end-slot"}),
        ),
        Step(
            _("End the slot"),
            _("Unused actions lapse. The next player is notified. Your attacks go on."),
            _("1 min"),
            nation,
            _("End slot"),
            "end-slot" in moves,
        ),
        Step(
            _("Play your battles"),
            _(
                "Its page has the set-up sheet. Afterwards one of you claims the result, the other"
                " confirms or disputes it."
            ),
            _("an evening each"),
            battles,
            _("Battles"),
            claims > 0,
        ),
    ]
    return Steps(steps, campaign)


def _infos(campaign: Campaign) -> Any:
    from campaign.log import positions

    return campaign.game.seats(positions.scenario(campaign), positions.options(campaign))


# The guides, which are Markdown files of ours; nothing that a visitor types comes here.


@require_safe
def guide(request: HttpRequest, key: str) -> HttpResponse:
    """A guide in the reader's language; in English, and said so, where it is not translated."""
    if key not in GUIDES:
        raise Http404
    language = get_language() or "en"
    file = settings.BASE_DIR / "docs" / language / f"{key}.md"
    translated = language == "en" or file.is_file()
    text = rendered(
        file if translated and language != "en" else settings.BASE_DIR / "docs" / f"{key}.md"
    )
    context = {"name": GUIDES[key], "text": text, "translated": translated, "guides": GUIDES}
    return render(request, "help/guide.html", context)


@lru_cache(32)
def rendered(file: Path) -> SafeString:
    """A guide as HTML: its title is the page's own; links to other guides lead to their pages,
    those to files are text.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(file.read_text(encoding="utf-8"))
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                _lead(child)
    first = next(
        (
            place
            for place, token in enumerate(tokens)
            if token.type == "heading_close" and token.tag == "h1"
        ),
        -1,
    )
    return mark_safe(parser.renderer.render(tokens[first + 1 :], parser.options, {}))  # noqa: S308  our own files


def _lead(token: Token) -> None:
    target = str(token.attrs.get("href", ""))
    name, _hash, part = target.partition("#")
    key = Path(name).stem
    if name.endswith(".md") and key in GUIDES:
        token.attrs["href"] = reverse("guide", args=[key]) + (f"#{part}" if part else "")
    elif not target.startswith(("https://", "#")):
        token.attrs["href"] = reverse("help")


# The terms and the privacy page: the host's own Markdown, or ours, which says what this software
# keeps.

PAGES: dict[str, Any] = {"terms": gettext_lazy("Terms"), "privacy": gettext_lazy("Privacy")}
CONTACT = "{contact}"
"""In a text, in whose place the host's contact stands."""


@require_safe
def legal_page(request: HttpRequest, key: str) -> HttpResponse:
    """The host's text, whatever language it is in; ours is in English."""
    if key not in PAGES:
        raise Http404
    own = settings.TERMS_FILE if key == "terms" else settings.PRIVACY_FILE
    context = {
        "name": PAGES[key],
        "text": text_of(key),
        "version": settings.TERMS_VERSION,
        "contact": settings.CONTACT,
        "key": key,
        "english": not own and get_language() != "en",
        "others": {one: name for one, name in PAGES.items() if one != key},
    }
    return render(request, "moderation/legal.html", context)


def text_of(key: str) -> SafeString:
    own = settings.TERMS_FILE if key == "terms" else settings.PRIVACY_FILE
    file = Path(own) if own else settings.BASE_DIR / "docs" / "legal" / f"{key}.md"
    return rendered_legal(file, file.stat().st_mtime_ns, settings.CONTACT)


@lru_cache(8)
def rendered_legal(file: Path, changed: int, contact: str) -> SafeString:
    """Markdown as HTML, read anew when the file has `changed`. HTML in it is text, and no link of
    it runs a script.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(
        file.read_text(encoding="utf-8").replace(CONTACT, contact or "the host of this site")
    )
    first = next(
        (
            place
            for place, token in enumerate(tokens)
            if token.type == "heading_close" and token.tag == "h1"
        ),
        -1,
    )
    return SafeString(parser.renderer.render(tokens[first + 1 :], parser.options, {}))


# Agreeing. Who signs up agrees by that; when the version changes, people are asked again where the
# host says so.


def agree(user: User) -> None:
    """They agree to the terms of now."""
    User.objects.filter(pk=user.pk).update(
        terms_version=settings.TERMS_VERSION, terms_at=timezone.now()
    )
    user.terms_version = settings.TERMS_VERSION


def must_agree(user: Any) -> bool:
    """Is this person asked before they go on?"""
    if not settings.TERMS_ASK_AGAIN or not user.is_authenticated or user.guest or user.demo:
        return False
    return bool(user.terms_version != settings.TERMS_VERSION)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """The terms have changed: who goes on here agrees to them."""
    user: Any = request.user
    onward = inside_this_site(
        request, request.POST.get("next") or request.GET.get("next", "")
    ) or reverse("front")
    if request.method == "POST":
        agree(user)
        return redirect(onward)
    if not must_agree(user):
        return redirect(onward)
    context = {
        "version": settings.TERMS_VERSION,
        "text": text_of("terms"),
        "next": onward,
        "before": user.terms_version,
    }
    return render(request, "moderation/agree.html", context)

"""Who sits where: invitations, for the game master."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods

from battles import projection as battles_projection
from campaign import access, rulebook, services
from campaign.clocks import selectors as clock_terms
from campaign.errors import InvitationRefused, NoteChanged, Refused, TableError
from campaign.log import positions
from campaign.log import selectors as log_selectors
from campaign.log.texts import SIGHTS, length_words, level_word
from campaign.models import Campaign, Invitation, Membership
from campaign.seats import handover as mastering
from campaign.seats import seating as seat_programs
from campaign.seats import selectors
from campaign.seats.seating import free_seats
from engine.language import sentence
from engine.strict_json import whole
from forum.posts import outbox
from games.registry import FOUNDINGS
from people import services as people_services
from people.forms import InvitedSignUp
from people.models import User, called
from people.validators import zones
from web import waiting
from web.battles.page import BattleSummary, battle_summaries
from web.clocks import turn_timeline
from web.dice import chance_sheet
from web.frame import requests
from web.frame.campaign_page import (
    GAME_MASTER,
    TableContext,
    address,
    campaign_page,
    seat_styles,
    show,
    waits,
)
from web.log.lines import rows
from web.people import SignUpView
from web.play.nation import Desk, accounts
from web.practice import LEVELS
from web.titles import extras, house_rules

ONCE = "invited"
MADE = gettext_lazy("Link created. It is shown once.")
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}


@campaign_page
def seats(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET lists, with `?program=` the form that lets a program hold a seat; POST does `describe`,
    `program` or one of `DEEDS`.
    """
    if request.method == "POST" and request.POST.get("do") == "vacate":
        return _done(request, table, _vacate)
    table.must_be_host()
    about, wrong = _about(table), {}
    if request.method == "POST" and request.POST.get("do") == "describe":
        about = {key: request.POST.get(key, "") for key in about}
        try:
            table.campaign = services.describe(table.campaign, table.user, **about)
        except TableError as error:
            wrong = {FIELDS.get(error.code, "name"): str(error)}
        else:
            messages.success(request, _("Saved."))
            return redirect(table.url("seats"))
    elif request.method == "POST" and request.POST.get("do") == "program":
        try:
            return _let_program(request, table)
        except TableError as error:
            if error.status == 403:
                raise
            wrong = {"program": str(error)}
    elif request.method == "POST":
        deed = DEEDS.get(request.POST.get("do", ""))
        return _done(request, table, deed) if deed else redirect(table.url("seats"))
    held = table.places
    masters = sorted(
        (one for one in held if one.role in Membership.MASTERS),
        key=lambda one: one.role,
        reverse=True,
    )
    offer = (
        mastering.offered(table.campaign).select_related("named").first()
        if table.access.chief
        else None
    )
    links, programs = invitations(table), seat_programs.levels(table.campaign)
    typed = request.POST if "program" in wrong else request.GET
    asked = typed.get("seat" if "program" in wrong else "program", "")
    context = {
        "levels": [(key, *LEVELS.get(key, (level_word(key), ""))) for key in programs],
        "asked": next(
            (one for one in table.seats if one.key == asked and one.holder is None and programs),
            None,
        ),
        "typed": {"level": typed.get("level", "bold"), "reason": typed.get("reason", "")},
        "here_url": table.url("seats"),
        "about": about,
        "wrong": wrong,
        "invitations": links,
        "linked": {one["one"].seat for one in links if one["open"]},
        "new": take_link(request, table, "seats"),
        "reserve": [one for one in held if one.role == Membership.Role.RESERVE],
        "masters": masters,
        "countersigners": [one for one in held if one.role == Membership.Role.COUNTERSIGNER],
        "substitutes": stand_ins(table, held),
        "absences": waiting.listed(table),
        "heirs": selectors.to_campaign(table.campaign, held) if table.access.chief else [],
        "offered": offer,
        "lobby_url": lobby_url(table),
        "visibilities": Campaign.Visibility.choices,
        "zones": zones(),
        "desk_url": table.url("desk"),
        "free": [seat for seat in table.seats if seat.holder is None],
        "sat": [seat for seat in table.seats if seat.holder is not None or seat.program],
        "missing": [seat for seat in table.seats if seat.holder is None and not seat.program],
        "linked_any": any(one["open"] and not one["one"].seat for one in links),
        "unfolded": table.campaign.started or bool(wrong),
    }
    return show(
        request, table, "seats/seats.html", context, here="seats", status=422 if wrong else 200
    )


def lobby_url(table: TableContext) -> str:
    """Where the lobby is opened or drawn; empty where neither can be: it is open for free seats,
    before the start.
    """
    free = any(seat.holder is None for seat in table.seats)
    return (
        table.url("lobby")
        if table.campaign.lobby_open
        or (not table.campaign.started and free and not table.campaign.stopped)
        else ""
    )


def stand_ins(table: TableContext, held: Iterable[Membership]) -> list[dict[str, Any]]:
    """Who stands in for whom at which battle that runs."""
    return [
        {
            "who": one.user.username,
            "seat": one.seat,
            "name": table.name_of(one.seat),
            "number": one.contest,
            "url": table.url("battle", one.contest),
        }
        for one in access.in_force(table.campaign, held)
    ]


def _about(table: TableContext) -> dict[str, str]:
    campaign = table.campaign
    return {
        "name": campaign.name,
        "time_zone": campaign.time_zone,
        "visibility": campaign.visibility,
    }


def invitations(table: TableContext) -> list[dict[str, Any]]:
    """Every link made, newest first, and what became of it."""
    now, rows = timezone.now(), []
    links = table.campaign.invitations.filter(named=None).select_related("made_by")
    for one in links.order_by("-created_at", "-pk"):
        state, tone = pgettext("invitation", "open"), "mine"
        if one.revoked_at is not None:
            state, tone = _("revoked"), ""
        elif one.uses_left < 1:
            state, tone = _("used"), "good"
        elif one.expires_at <= now:
            state, tone = _("expired"), ""
        co = one.role == Membership.Role.CO_GAME_MASTER
        name = (
            table.name_of(one.seat)
            if one.seat
            else _("co-game-master")
            if co
            else _("any free seat")
        )
        rows.append(
            {"one": one, "name": name, "state": state, "tone": tone, "open": tone == "mine"}
        )
    return rows


def _done(request: HttpRequest, table: TableContext, deed: Any) -> HttpResponse:
    try:
        messages.success(request, deed(request, table))
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    onward = table.url("seats") if table.host else table.home
    return redirect(onward)


def _invite(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    uses = len([s for s in table.seats if s.holder is None]) or 1
    _, token = services.invite(table.campaign, table.user, seat, 1 if seat else uses)
    keep_link(request, table, token, seat, "seats")
    return str(MADE)


def keep_link(
    request: HttpRequest, table: TableContext, token: str, seat: str, here: str, co: bool = False
) -> None:
    """Remember a new link until the page `here` has shown it; `co` is one for a co-game-master."""
    url = request.build_absolute_uri(address("join", token))
    name = table.name_of(seat) if seat else ""
    requests.keep_secret(
        request, f"{ONCE} {table.campaign.public_id}", name, url, seat=seat, here=here, co=co
    )


def take_link(request: HttpRequest, table: TableContext, here: str) -> dict[str, Any] | None:
    """The link made just now for this page, told once: what a page reloaded could show again, a
    passer-by could read.
    """
    return requests.take_secret(request, f"{ONCE} {table.campaign.public_id}", here=here)


def _give(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    _, token = services.hand_over_link(table.campaign, table.user, seat)
    keep_link(request, table, token, seat, "seats")
    return str(MADE)


def _co(request: HttpRequest, table: TableContext) -> str:
    _, token = services.invite_master(table.campaign, table.user)
    keep_link(request, table, token, "", "seats", co=True)
    return str(MADE)


def person(request: HttpRequest) -> User:
    number = whole(request.POST.get("person", ""))
    user = User.objects.filter(pk=number).first() if number is not None else None
    if user is None:
        raise TableError("no-such-person", _("There is no such person here."))
    return user


def _dismiss(request: HttpRequest, table: TableContext) -> str:
    who = person(request)
    services.leave_masters(table.campaign, table.user, who)
    return _("%(name)s is no longer co-game-master.") % {"name": who.username}


def _countersigner(request: HttpRequest, table: TableContext) -> str:
    whom = called(request.POST.get("name", ""))
    if whom is None:
        raise TableError(
            "no-such-person",
            _("Nobody has this name here. Type the whole name as in the person’s own account."),
        )
    services.name_countersigner(table.campaign, table.user, whom)
    return _("%(name)s is countersigner and has been notified.") % {"name": whom.username}


def _no_countersigner(request: HttpRequest, table: TableContext) -> str:
    who = person(request)
    services.dismiss_countersigner(table.campaign, table.user, who)
    return _("%(name)s is no longer countersigner.") % {"name": who.username}


def _offer(request: HttpRequest, table: TableContext) -> str:
    who = person(request)
    services.offer_campaign(table.campaign, table.user, who)
    return _("%(name)s is asked. Until they accept, you are the game master.") % {
        "name": who.username
    }


def _keep(request: HttpRequest, table: TableContext) -> str:
    offer = mastering.offered(table.campaign).first()
    if offer is not None:
        services.revoke(offer, table.user)
    return _("You keep the campaign.")


def _seat(request: HttpRequest, table: TableContext) -> str:
    who, seat = person(request), request.POST.get("seat", "")
    services.seat_reserve(table.campaign, table.user, who.pk, seat)
    return _("%(seat)s: %(name)s has the seat.") % {
        "seat": table.name_of(seat),
        "name": who.username,
    }


def _revoke(request: HttpRequest, table: TableContext) -> str:
    number = whole(request.POST.get("invitation", ""))
    invitation_row = (
        Invitation.objects.filter(campaign=table.campaign, pk=number).first()
        if number is not None
        else None
    )
    if invitation_row is None:
        raise TableError("no-such-invitation", _("There is no such invitation."))
    services.revoke(invitation_row, table.user)
    return _("The link no longer opens anything.")


def _vacate(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    services.vacate(table.campaign, table.user, seat)
    return _("%(seat)s: the seat is free.") % {"seat": table.name_of(seat)}


def _let_program(request: HttpRequest, table: TableContext) -> HttpResponse:
    seat, level = request.POST.get("seat", ""), request.POST.get("level", "")
    services.let_program(table.campaign, table.user, seat, level, request.POST.get("reason", ""))
    messages.success(
        request, _("%(seat)s: a program holds the seat.") % {"seat": table.name_of(seat)}
    )
    return redirect(table.url("seats"))


def _take_program(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    services.take_program_away(table.campaign, table.user, seat)
    return _("%(seat)s: the program has left.") % {"seat": table.name_of(seat)}


DEEDS = {
    "invite": _invite,
    "revoke": _revoke,
    "give": _give,
    "co": _co,
    "dismiss": _dismiss,
    "offer": _offer,
    "keep": _keep,
    "seat": _seat,
    "countersigner": _countersigner,
    "no-countersigner": _no_countersigner,
    "take-program": _take_program,
}


# An invitation: GET shows what one joins and changes nothing, POST takes the seat.

LONGEST_TOKEN = 100
KEPT = "invitation"


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """A link is looked at once: its token goes into the session, and out of the address bar and its
    history.
    """
    if request.method == "POST":
        return _taken(request, token)
    try:
        _looked(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    request.session[KEPT] = token
    return redirect("invitation")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """The invitation whose link was opened last."""
    token = str(request.session.get(KEPT, ""))
    if request.method == "POST":
        return _taken(request, token)
    try:
        invitation_row = _looked(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    return _shown(request, invitation_row)


def _looked(token: str) -> Invitation:
    if not token:
        raise InvitationRefused(
            "none", _("There is no invitation here. Open the link you were sent again.")
        )
    if len(token) > LONGEST_TOKEN:
        raise InvitationRefused(
            "unknown",
            _("This link is not an invitation. Ask the person who sent it for a new one."),
        )
    return services.look_at(token)


def _taken(request: HttpRequest, token: str) -> HttpResponse:
    if not people_services.has_account(request.user):
        request.session[KEPT] = token[:LONGEST_TOKEN]
        if "username" in request.POST:
            return _signed_up(request, token)
        return redirect_to_login(reverse("invitation"))
    try:
        taken = services.take_seat(request.user, token, request.POST.get("seat", ""))
    except (InvitationRefused, Refused) as refused:
        return _refused(request, refused)
    request.session.pop(KEPT, None)
    table = TableContext(request, taken.campaign, access.access_of(taken.campaign, request.user))
    text = _("You have the seat of {name:the}.") if taken.seat else _("You are co-game-master.")
    messages.success(request, sentence(text, name=table.name_of(taken.seat)))
    handed = taken.seat and selectors.handed(taken.campaign, request.user, taken.seat)
    return redirect(table.url("handover", taken.seat) if handed else table.home)


class AccountAndSeat(SignUpView):
    """The account that somebody makes on an invitation, who then sits where it says."""

    invitation: Any = None
    token = ""

    def get_form_class(self) -> type[InvitedSignUp]:
        return InvitedSignUp

    def get_success_url(self) -> str:
        return reverse("invitation")

    def form_valid(self, form: Any) -> HttpResponse:
        """A choice that cannot be is said before there is an account."""
        seat = self.request.POST.get("seat", "")
        choose = self.invitation.role == Membership.Role.SEAT and not self.invitation.seat
        if choose and seat not in free_seats(self.invitation.campaign):
            form.add_error(None, _("Choose a free seat."))
            return self.form_invalid(form)
        answer = super().form_valid(form)
        signed_in = answer.status_code == 302 and self.request.user.is_authenticated
        return _taken(self.request, self.token) if signed_in else answer

    def form_invalid(self, form: Any) -> HttpResponse:
        return _shown(self.request, self.invitation, form)


def _signed_up(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invited = _looked(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    request.user = AnonymousUser()  # a guest becomes the account, as where one signs up
    view = AccountAndSeat.as_view(invitation=invited, token=token)
    return cast(HttpResponse, view(request))


def _shown(request: HttpRequest, invited: Invitation, form: Any = None) -> HttpResponse:
    campaign, seat = invited.campaign, invited.seat
    table = TableContext(request, campaign, access.access_of(campaign, request.user))
    free, onward = free_seats(campaign), urlencode({"next": reverse("invitation")})
    own = extras(campaign.title, "founding") or FOUNDINGS.get(campaign.title)
    shown = extras(campaign.title, "shown")
    address_of_thread = next(
        (
            one.open_settings["address"]
            for one in outbox.threads(campaign)
            if one.open_settings.get("address")
        ),
        "",
    )
    rules_page = (
        reverse("rules", args=[campaign.title]) if rulebook.rules_text(campaign.title) else ""
    )
    if rules_page and (campaign.visibility != campaign.Visibility.MEMBERS or table.access.member):
        rules_page = table.url("campaign_rules")
    context = {
        "table": table,
        "campaign": campaign,
        "host": invited.made_by.username,
        "until": invited.expires_at,
        "master": invited.role != Membership.Role.SEAT,
        "leaver": invited.leaver_id is not None and table.holders(seat),
        "seat": next((s for s in table.seats if s.key == seat), None),
        "free": free,
        "chosen": request.POST.get("seat", ""),
        "taken": len(table.seats) - len(free),
        "start": shown.invitation(campaign, seat) if shown else None,
        "facts": [
            *(own.facts(positions.scenario(campaign), positions.options(campaign)) if own else []),
            *_times(table),
        ],
        "thread": address_of_thread,
        "thread_host": urlsplit(address_of_thread).hostname,
        "title_played": positions.plays(campaign),
        "seat_styles": seat_styles(table),
        "house_rules": house_rules(campaign.title, table.scenario, positions.options(campaign)),
        "chance": chance_sheet(campaign),
        "sight": SIGHTS[campaign.sight],
        "rules_here": rules_page,
        "rules_page": rules_page,
        "sign_in": f"{reverse('account_login')}?{onward}",
        "form": form or InvitedSignUp(),
        "here_url": reverse("invitation"),
    }
    return render(request, "seats/join.html", context, status=422 if form else 200)


def _times(table: TableContext) -> list[tuple[str, str]]:
    """How long one has, and what happens to who is late: what is agreed now."""
    terms = clock_terms.terms_of(table.campaign)
    slot, battle = terms[clock_terms.SLOT], terms[clock_terms.BATTLE]
    rows = (
        [(_("A slot"), _("to be played within %(time)s") % {"time": length_words(slot.length)})]
        if slot
        else []
    )
    if battle and turn_timeline.fights(table):
        rows.append(
            (
                _("A battle"),
                _("to be fought within %(time)s") % {"time": length_words(battle.length)},
            )
        )
    if slot and slot.reminds != clock_terms.SILENT:
        ends = _("you are reminded, then your slot ends automatically")
        rows.append(
            (
                _("If you are late"),
                ends if slot.acts else _("you are reminded, then the game master decides"),
            )
        )
    elif slot:
        rows.append(
            (
                _("If you are late"),
                _("your slot ends automatically") if slot.acts else _("the game master decides"),
            )
        )
    return rows


def _refused(request: HttpRequest, refused: TableError) -> HttpResponse:
    """What is wrong and whom to ask; who is at the table already finds the way there."""
    url, campaign = "", getattr(refused, "campaign", None)
    if campaign is not None and access.may_see(campaign, request.user):
        url = reverse("table", args=[campaign.address])
    return render(
        request, "seats/join.html", {"refusal": refused, "campaign_url": url}, status=refused.status
    )


# What passes with a seat: its holder's notes, and the page on which the next one finds their way
# in.

LINES = 60


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def notes(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """A seat's notes for who holds it; POST writes them."""
    must_be_seat(table, seat)
    kept = selectors.note_of(table.campaign, request.user, seat)
    wrong, status = "", 200
    if request.method == "POST":
        version = whole(request.POST.get("version", ""))
        left, text = "left" in request.POST, request.POST.get("text", "")
        try:
            read = -1 if version is None else version
            services.write_note(table.campaign, request.user, seat, text, left=left, version=read)
        except (Refused, NoteChanged) as error:
            wrong, status = str(error), error.status if error.status == 409 else 422
        else:
            messages.success(request, _("Saved."))
            return redirect(table.url("seat_notes", seat))
    context: dict[str, Any] = {
        "seat": seat,
        "name": table.name_of(seat),
        "text": selectors.text_of(kept),
        "left": kept.left,
        "version": kept.version,
        "changed_at": kept.changed_at if kept.pk else None,
        "most": selectors.LONGEST_NOTE,
        "wrong": wrong,
        "there": "",
        "back_url": seat_url(table, seat),
    }
    if wrong:
        # What was typed stays in its field; what another window wrote stands below it.
        context |= {"there": context["text"] if status == 409 else "", "text": text, "left": left}
    return show(
        request, table, "seats/seat_notes.html", context, here=f"nation-{seat}", status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def handover(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """What the holder of a seat found when it came to them; POST dismisses it. `?turn=N`: what
    happened since turn N.
    """
    must_be_seat(table, seat)
    given = selectors.handed(table.campaign, request.user, seat)
    if request.method == "POST":
        services.dismiss_handover(table.campaign, request.user, seat)
        return redirect(seat_url(table, seat))
    if given is None:
        return redirect(seat_url(table, seat))
    turns = log_selectors.turns(table.campaign)
    asked = whole(request.GET.get("turn", ""))
    last = given.last_said
    chosen = next((one for one in turns if one[0] == asked), None)
    if chosen is None and last is None:
        chosen = turns[-1] if turns else None
    after = chosen[1] - 1 if chosen is not None else last
    lines = (
        log_selectors.log(table.campaign, table.access, limit=LINES + 1)
        if after is not None
        else []
    )
    newer = [line for line in lines if line.number is None or line.number > (after or 0)]
    shown = rows(table, newer[:LINES])
    oldest = min((row.number for row in shown if row.number is not None), default=None)
    context: dict[str, Any] = {
        "seat": seat,
        "name": table.name_of(seat),
        "found": given,
        "note": selectors.text_of(given.note),
        "note_number": given.note_id,
        "leaver": given.leaver.username if given.leaver else "",
        "seat_url": seat_url(table, seat),
        "notes_url": table.url("seat_notes", seat),
        "turns": [one[0] for one in turns if one[0]],
        "turn": chosen[0] if chosen is not None else None,
        "lines": shown,
        "last": last,
        "earlier": oldest if len(newer) > LINES else None,
        "plain": table.pages is None,
        "waits": [one for one in waits(table) if seat in [each["key"] for each in one["seats"]]],
        "clocks": clocks_of(table, seat),
        "ordered": selectors.ended_with(table.campaign, given),
        **position(table, seat),
    }
    return show(request, table, "seats/handover.html", context, here=f"nation-{seat}")


def must_be_seat(table: TableContext, seat: str) -> None:
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404


def seat_url(table: TableContext, seat: str) -> str:
    """Where a seat is played: its nation's page, or the title's own page of the table."""
    return (
        table.home
        if table.pages is not None or not table.campaign.started
        else table.url("nation", seat)
    )


def position(table: TableContext, seat: str) -> dict[str, Any]:
    """How the seat stands: its accounts, hand and battles; where the title has a page of its own,
    that page shows it.
    """
    if table.pages is not None or not table.campaign.started:
        return {}
    desk = Desk(table, seat)
    facts: dict[str, Any] = {"accounts": accounts(desk), "battles": battles(table, seat)}
    own = extras(table.campaign.title, "nation")
    if own is not None:
        facts |= own.context(
            table,
            seat,
            desk,
            {**facts, "challenges": [], "blocks": [], "here_url": table.url("nation", seat)},
        )
    return facts


def battles(table: TableContext, seat: str) -> list[BattleSummary]:
    """Its battles that run, challenges among them, the oldest first."""
    running = battles_projection.running(table.campaign)
    return battle_summaries(table, [battle for battle in running if seat in battle.parties])


def clocks_of(table: TableContext, seat: str) -> list[dict[str, Any]]:
    """The clocks that wait for this seat: what, when it is due, where one does it."""
    rows = []
    for one in waiting.clocks(table):
        if seat in (one.seat, *one.seats):
            url = (
                table.url("battle", one.contest)
                if one.contest is not None and table.pages is None
                else ""
            )
            facts = {"what": one.get_kind_display(), "contest": one.contest, "url": url}
            rows.append({**facts, "due_at": one.due_at, "held": one.held})
    return rows

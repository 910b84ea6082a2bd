"""Discord as a place to play: an application's interactions, sent here by Discord over HTTP and
answered at once.

No program waits at Discord: each command, chosen option or pressed button is one signed request
(Ed25519), whose answer is what Discord shows. What may be hidden is shown to the asker alone.
Everything goes through the services of the table, as a click on a page does. docs/discord.md tells
a host how it is set up.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from allauth.account.adapter import get_adapter
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from battles import projection as battles_projection
from battles import services as battle_services
from battles.models import Battle
from campaign import access, services
from campaign.busy import Busy
from campaign.errors import TableError
from campaign.log import positions
from campaign.models import Campaign
from engine.errors import IllegalMove
from engine.language import LANGUAGES, reading_in
from engine.strict_json import whole
from forum.dialects import escaped
from games.contract.title import Offer
from people import services as people_services
from people.models import DiscordAccount, User
from people.proof import proven
from web import waiting
from web.battles.page import battle_forms, battle_summaries, battle_summary, claim_sheet
from web.frame.campaign_page import TableContext, see_other
from web.frame.front import own_campaigns, tasks_of
from web.frame.reauthentication import signed_in_lately
from web.frame.requests import mark_of_person
from web.moves.deeds import consider
from web.moves.preview import Follow, preview_move
from web.titles.talk import capital, talk
from web.typed_moves.listener import Listener

PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 1, 2, 3, 4, 5
PONG, MESSAGE, UPDATE, CHOICES, FORM = 1, 4, 7, 8, 9
"""What Discord sends, and what it is answered."""
ROW, BUTTON, SELECT, TEXT = 1, 2, 3, 4
PRIMARY, PLAIN, LINK = 1, 2, 5
ALONE = 64
"""Only the asker sees it."""
LONGEST, MOST, LABEL = 2000, 25, 100
"""Characters of a message; options of a menu; characters of an option."""
FRESH = timedelta(minutes=5)
"""A signed request that is older was sent before."""
CODE_LASTS, STEP_LASTS = 600, 900
"""Seconds for which a code for linking serves, and for which a begun move is kept."""
TRIES = 5
COMMANDS: Sequence[Mapping[str, Any]] = (
    {"name": "table", "description": gettext_noop("State of a campaign"), "campaign": True},
    {"name": "next", "description": gettext_noop("What waits for you"), "campaign": False},
    {
        "name": "moves",
        "description": gettext_noop("Your moves: choose, look at what follows, announce"),
        "campaign": True,
    },
    {
        "name": "battle",
        "description": gettext_noop("Your battles: claim a result, or confirm one"),
        "campaign": True,
    },
    {
        "name": "link",
        "description": gettext_noop("Link your account with a code from its page"),
        "campaign": False,
    },
)


class Answer(Exception):
    """Ends the work with these words for the asker."""


# The request --------------------------------------------------------------------------------------


@csrf_exempt
@require_POST
def interactions(request: HttpRequest) -> HttpResponse:
    """What Discord sends. 404 where no application is set up, 401 where the signature is wrong."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404
    stamp = request.headers.get("X-Signature-Timestamp", "")
    signature = request.headers.get("X-Signature-Ed25519", "")
    if not signed(settings.DISCORD_PUBLIC_KEY, signature, stamp, request.body):
        return HttpResponse("invalid request signature", status=401, content_type="text/plain")
    try:
        data = json.loads(request.body)
        kind = data["type"]
    except (ValueError, KeyError, TypeError):
        return HttpResponse("not an interaction", status=400, content_type="text/plain")
    if kind == PING:
        return JsonResponse({"type": PONG})
    person = data.get("member", {}).get("user") or data.get("user") or {}
    discord = str(person.get("id", ""))
    linked = (
        DiscordAccount.objects.select_related("user")
        .filter(discord=discord, user__is_active=True)
        .first()
    )
    request.user = linked.user if linked is not None else AnonymousUser()
    language = _language(linked, str(data.get("locale", "")))
    with translation.override(language), reading_in(language):
        try:
            return JsonResponse(
                Asked(request, data, discord, str(person.get("username", ""))).answer(kind)
            )
        except Answer as words:
            return JsonResponse(_message(str(words)))
        except (TableError, Busy, PermissionDenied) as refusal:
            return JsonResponse(_message(str(refusal) or _("You may not do this.")))
        except (KeyError, TypeError, ValueError):
            return JsonResponse(_message(_("This is out of date. Begin again with the command.")))


def signed(key: str, signature: str, stamp: str, body: bytes) -> bool:
    """Is this Discord's signature over the time and the body, and is the time that of now?"""
    if (
        not stamp.isdecimal()
        or abs(timezone.now().timestamp() - int(stamp)) > FRESH.total_seconds()
    ):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), stamp.encode() + body
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def _language(linked: DiscordAccount | None, locale: str) -> str:
    wanted = (
        linked.user.language
        if linked is not None and linked.user.language
        else locale.partition("-")[0]
    )
    return wanted if wanted in LANGUAGES else "en"


def _message(
    text: str, components: Sequence[Any] = (), *, alone: bool = True, update: bool = False
) -> dict[str, Any]:
    """A message of ours, in which nobody is mentioned."""
    content = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    data: dict[str, Any] = {
        "content": content,
        "allowed_mentions": {"parse": []},
        "components": list(components),
    }
    if alone:
        data["flags"] = ALONE
    return {"type": UPDATE if update else MESSAGE, "data": data}


def _row(*parts: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": ROW, "components": list(parts)}


def _button(label: str, custom: str, style: int = PLAIN) -> dict[str, Any]:
    return {"type": BUTTON, "style": style, "label": label[:80], "custom_id": custom}


def _link(label: str, url: str) -> dict[str, Any]:
    return {"type": BUTTON, "style": LINK, "label": label[:80], "url": url}


def _menu(custom: str, ask: str, options: Sequence[tuple[str, str]]) -> dict[str, Any]:
    shown = [{"label": label[:LABEL] or "–", "value": value} for value, label in options[:MOST]]
    return _row({"type": SELECT, "custom_id": custom, "placeholder": ask[:150], "options": shown})


class Asked:
    """One interaction, with who asks and what about."""

    def __init__(
        self, request: HttpRequest, data: Mapping[str, Any], discord: str, name: str
    ) -> None:
        self.request, self.data, self.discord, self.name = request, data["data"], discord, name

    def answer(self, kind: int) -> dict[str, Any]:
        if kind == AUTOCOMPLETE:
            return self._campaigns()
        if kind == COMMAND:
            command = {
                "table": self._table,
                "next": self._next,
                "moves": self._moves,
                "battle": self._battles,
                "link": self._link,
            }
            return command[str(self.data["name"])]()
        verb, _colon, token = str(self.data["custom_id"]).partition(":")
        steps: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "offer": self._offer,
            "narrow": self._narrow,
            "announce": self._announce,
            "fight": self._fight,
            "share": self._shares,
            "claimed": self._claimed,
            "claim": self._claim,
            "confirm": self._confirm,
            "drop": self._drop,
        }
        return steps[verb](self._kept(token))

    # What was begun is kept for a quarter of an hour, for this person alone.

    def _keep(self, **step: Any) -> str:
        token = secrets.token_urlsafe(12)
        cache.set(f"discord-step-{token}", {**step, "discord": self.discord}, STEP_LASTS)
        return token

    def _kept(self, token: str) -> dict[str, Any]:
        step = cache.get(f"discord-step-{token}")
        if step is None or step["discord"] != self.discord:
            raise Answer(_("This is out of date. Begin again with the command."))
        return dict(step)

    def _drop(self, step: Mapping[str, Any]) -> dict[str, Any]:
        return _message(_("Nothing was announced."), update=True)

    # Who and where

    @property
    def user(self) -> User:
        """The account of whoever asks. Raises `Answer` where none is linked."""
        if not self.request.user.is_authenticated:
            raise Answer(
                _(
                    "Link your account first: open “Your account” at {site}, make a code, and type"
                    " /link with it."
                ).format(site=settings.SITE_URL)
            )
        return self.request.user

    def _option(self, name: str) -> str:
        return next(
            (
                str(one.get("value", ""))
                for one in self.data.get("options", ())
                if isinstance(one, dict) and one.get("name") == name
            ),
            "",
        )

    def _own(self) -> list[Campaign]:
        if not self.request.user.is_authenticated:
            return []
        return [one for one in own_campaigns(self.request.user) if not one.archived]

    def _campaigns(self) -> dict[str, Any]:
        wanted = self._option("campaign").casefold()
        fitting = [one for one in self._own() if wanted in one.name.casefold()][:MOST]
        return {
            "type": CHOICES,
            "data": {
                "choices": [{"name": one.name[:LABEL], "value": one.public_id} for one in fitting]
            },
        }

    def _context(self, public_id: str = "") -> TableContext:
        """The table that is asked about: the one that is named, else the asker's only one."""
        ref = public_id or self._option("campaign")
        if ref:
            match = access.REF.fullmatch(ref)
            campaign = Campaign.objects.filter(public_id=match["id"]).first() if match else None
        else:
            own = self._own()
            running = [one for one in own if one.status == Campaign.Status.RUNNING] or own
            if not running:
                raise Answer(_("You sit at no table. Name a campaign: /table campaign."))
            if len(running) > 1:
                raise Answer(
                    _("You play several campaigns. Choose one with the option “campaign”.")
                )
            campaign = running[0]
        if campaign is None:
            raise Answer(_("There is no such campaign."))
        who = access.access_of(campaign, self.request.user)
        if (
            campaign.visibility == Campaign.Visibility.MEMBERS and not who.member
        ) or campaign.suspended:
            raise Answer(_("There is no such campaign."))
        return TableContext(self.request, campaign, who)

    def _url(self, path: str) -> str:
        return f"{settings.SITE_URL.rstrip('/')}{path}"

    # The commands

    def _table(self) -> dict[str, Any]:
        table = self._context()
        lines = [f"**{escaped(table.campaign.name)}**", escaped(positions.plays(table.campaign))]
        if not table.campaign.started:
            lines.append(_("The campaign has not started."))
        elif table.campaign.ended:
            lines.append(_("The campaign is over."))
        else:
            lines.append(_("Turn {turn}").format(turn=table.campaign.turn))
            for one in table.waited_for:
                who = ", ".join(waiting.people(table, one.seat, one.contest)) or table.name_of(
                    one.seat
                )
                lines.append(
                    f"• {escaped(capital(table.name_of(one.seat)))} ({escaped(who)}):"
                    f" {escaped(table.sentence(one.what))}"
                )
            lines += [f"⏰ <t:{int(clock.due_at.timestamp())}:f>" for clock in table.clocks[:1]]
        public = table.campaign.visibility != Campaign.Visibility.MEMBERS
        return _message(
            "\n".join(lines),
            [_row(_link(_("Open the table"), self._url(table.home)))],
            alone=not public,
        )

    def _next(self) -> dict[str, Any]:
        rows = tasks_of(self.user)
        if not rows:
            return _message(_("Nothing waits for you."))
        lines = []
        for row in rows[:MOST]:
            due = f", <t:{int(row.due.at.timestamp())}:R>" if row.due else ""
            lines.append(
                f"• **{escaped(row.campaign.name)}**:"
                f" [{escaped(str(row.text))}](<{self._url(row.url)}>){due}"
            )
        return _message("\n".join(lines))

    def _link(self) -> dict[str, Any]:
        tried = f"discord-tries-{sha256(self.discord.encode()).hexdigest()}"
        if cache.get(tried, 0) >= TRIES:
            raise Answer(_("Too many tries. Wait ten minutes, then make a new code."))
        cache.set(tried, cache.get(tried, 0) + 1, CODE_LASTS)
        key = _code_key(self._option("code"))
        user = _maker_of(cache.get(key))
        if user is None:
            raise Answer(
                _(
                    "This code is unknown or used up. Make a new one on your account’s page; it"
                    " serves for ten minutes."
                )
            )
        cache.delete_many([key, tried])
        DiscordAccount.objects.filter(discord=self.discord).exclude(user=user).delete()
        facts = {"discord": self.discord, "name": self.name[:LABEL], "linked_at": timezone.now()}
        DiscordAccount.objects.update_or_create(user=user, defaults=facts)
        _announce_link(user, self.name[:LABEL])
        return _message(
            _("Linked: you are {name} here. /next shows what waits for you.").format(
                name=escaped(user.username)
            )
        )

    # Moves: the kind, then choice by choice, then what follows, then announced.

    def _seat(self, table: TableContext) -> str:
        if not table.own_seats:
            raise Answer(_("You do not hold a seat at this table."))
        active = table.campaign.active_seat
        return str(active) if active in table.own_seats else table.own_seats[0]

    def _moves(self) -> dict[str, Any]:
        _user, table = self.user, self._context()
        seat = self._seat(table)
        speaker = talk(table.title, table.scenario, table.position)
        offers = [
            one
            for one in table.title.offers(table.position, seat, seat)
            if one.refusal is None and not table.campaign.stopped
        ]
        if not offers:
            return _message(
                _("{seat} can announce nothing now.").format(
                    seat=escaped(capital(table.name_of(seat)))
                )
            )
        token = self._keep(campaign=table.campaign.public_id, seat=seat, seen=table.seen)
        options = [(one.key, speaker.offer_name(one)) for one in offers]
        ask = _("{seat}: choose a move").format(seat=capital(table.name_of(seat)))
        rest = "" if len(options) <= MOST else "\n" + _("More moves are on the page.")
        page = _link(
            _("Open the page"),
            self._url(table.url("nation", seat) if table.pages is None else table.home),
        )
        return _message(
            f"**{escaped(table.campaign.name)}**{rest}",
            [_menu(f"offer:{token}", ask, options), _row(page)],
        )

    def _offer(self, step: dict[str, Any]) -> dict[str, Any]:
        return self._choose({**step, "offer": str(self.data["values"][0]), "chosen": {}})

    def _narrow(self, step: dict[str, Any]) -> dict[str, Any]:
        index = whole(str(self.data["values"][0]), 3)
        if index is None:
            raise ValueError
        if step["field"] is None:
            return self._preview(step, step["choices"][index])
        return self._choose(
            {**step, "chosen": {**step["chosen"], step["field"]: step["choices"][index]}}
        )

    def _choose(self, step: dict[str, Any]) -> dict[str, Any]:
        """The next choice: the moves themselves where few are left, else the first choice in which
        they differ.
        """
        table = self._context(step["campaign"])
        listener = Listener(table, step["seat"], step["seat"], table.position)
        moves = [one for one in listener.moves if one.offer.key == step["offer"]]
        moves = [
            one
            for one in moves
            if all(one.raw.get(key) == value for key, value in step["chosen"].items())
        ]
        if not moves:
            raise Answer(_("This move is not possible now, or it is written on the page."))
        if len(moves) == 1:
            return self._preview(step, moves[0].raw)
        speaker = talk(table.title, table.scenario, table.position)
        offer: Offer = moves[0].offer
        head = f"**{escaped(speaker.offer_name(offer))}**"
        if len(moves) > MOST:
            for each in offer.fields:
                values = [
                    json.loads(one)
                    for one in dict.fromkeys(json.dumps(one.raw.get(each.key)) for one in moves)
                ]
                if len(values) > 1:
                    token = self._keep(**{**step, "field": each.key, "choices": values})
                    options = [
                        (str(n), speaker.value_label(offer, each, value))
                        for n, value in enumerate(values)
                    ]
                    menu = _menu(f"narrow:{token}", speaker.field_label(offer, each), options)
                    return _message(head, [menu, self._cancel(token)], update=True)
        raws = [one.raw for one in moves[:MOST]]
        token = self._keep(**{**step, "field": None, "choices": raws})
        menu = _menu(
            f"narrow:{token}",
            _("Choose"),
            [(str(n), capital(listener.line(raw))) for n, raw in enumerate(raws)],
        )
        return _message(head, [menu, self._cancel(token)], update=True)

    def _cancel(self, token: str) -> dict[str, Any]:
        return _row(_button(_("Cancel"), f"drop:{token}"))

    def _preview(self, step: dict[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        speaker = talk(table.title, table.scenario, table.position)
        try:
            follow, asks = preview_move(speaker, raw, table.access.sees)
        except IllegalMove as refusal:
            raise Answer(table.why_not(refusal)) from None
        line = capital(str(table.title.move_line(table.scenario, raw)))
        token = self._keep(**{**step, "raw": dict(raw)})
        text = "\n".join(filter(None, [f"**{escaped(line)}**", follow_text(follow), escaped(asks)]))
        buttons = _row(
            _button(_("Announce"), f"announce:{token}", PRIMARY),
            _button(_("Cancel"), f"drop:{token}"),
        )
        return _message(text, [buttons], update=True)

    def _announce(self, step: dict[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        try:
            result = services.play(table.campaign, self.user, step["raw"], step["seen"])
        except IllegalMove as refusal:
            raise Answer(table.why_not(refusal)) from None
        if not result.entries[-1].is_move:
            return _message(
                _("Announced. It waits for a die that is thrown elsewhere."), update=True
            )
        shown = [effect for effect in result.effects if table.access.sees(effect.audience)]
        text = talk(table.title, table.scenario, table.position).moved(step["raw"], shown)
        return _message(
            escaped(text), [_row(_link(_("Open the table"), self._url(table.home)))], update=True
        )

    # Battles: those of the asker, a claim by shares, a confirmation. Everything else is on the
    # page.

    def _battles(self) -> dict[str, Any]:
        _user, table = self.user, self._context()
        own = [
            one
            for one in battles_projection.running(table.campaign)
            if battles_projection.sides(one, table.access)
        ]
        if not own:
            return _message(_("You have no running battle."))
        token = self._keep(campaign=table.campaign.public_id, seen=table.seen)
        if len(own) == 1:
            return self._battle(table, own[0], token)
        options = [
            (str(line.number), f"#{line.number} {line.where}")
            for line in battle_summaries(table, own)
        ]
        return _message(
            f"**{escaped(table.campaign.name)}**",
            [_menu(f"fight:{token}", _("Choose a battle"), options)],
        )

    def _fight(self, step: dict[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        fight = self._own_battle(table, int(self.data["values"][0]))
        return self._battle(table, fight, self._keep(**step), update=True)

    def _own_battle(self, table: TableContext, number: int) -> Battle:
        fight = battles_projection.battle(table.campaign, number)
        if fight is None or not battles_projection.sides(fight, table.access):
            raise Answer(_("This is not your battle."))
        return fight

    def _battle(
        self, table: TableContext, fight: Battle, token: str, *, update: bool = False
    ) -> dict[str, Any]:
        about = battle_summary(table, fight)
        sides = " – ".join(escaped(side.name) for side in about.sides)
        text = (
            f"**#{fight.number} {escaped(about.where)}**\n{sides}:"
            f" {escaped(str(about.state))}. {escaped(about.waits)}"
        )
        if about.due:
            text += f" <t:{int(about.due.at.timestamp())}:R>"
        parts = [_link(_("Open the battle"), self._url(about.url))]
        claim = table.live_claims.get(fight.number)
        step = self._keep(campaign=table.campaign.public_id, number=fight.number, seen=table.seen)
        forms_of = battle_forms(table)
        if claim is not None:
            sheet = claim_sheet(table, fight, claim)
            shares = ", ".join(
                f"{escaped(str(name))} {value}%" for name, value in sheet.result.shares
            )
            text += f"\n{escaped(sheet.result.sentence)} {shares}"
            if sheet.confirms:
                step = self._keep(
                    campaign=table.campaign.public_id,
                    number=fight.number,
                    seen=table.seen,
                    claim=claim.entry.number,
                )
                parts.insert(0, _button(_("Confirm the result"), f"confirm:{step}", PRIMARY))
        elif forms_of is not None and fight.status == "fighting":
            parts.insert(0, _button(_("Claim the result…"), f"share:{step}", PRIMARY))
        return _message(text, [_row(*parts)], update=update)

    def _shares(self, step: dict[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        fight = self._own_battle(table, step["number"])
        token = self._keep(**step)

        def field(key: str, name: str) -> dict[str, Any]:
            label = _("{side}, routed in per cent").format(side=name)[:45]
            return _row(
                {
                    "type": TEXT,
                    "custom_id": key,
                    "label": label,
                    "style": 1,
                    "min_length": 1,
                    "max_length": 6,
                }
            )

        names = [side.name for side in battle_summary(table, fight).sides]
        title = _("Result of battle #{number}").format(number=fight.number)[:45]
        fields = [
            field(key, name) for key, name in zip(("attacker", "defender"), names, strict=True)
        ]
        return {
            "type": FORM,
            "data": {"custom_id": f"claimed:{token}", "title": title, "components": fields},
        }

    def _claimed(self, step: dict[str, Any]) -> dict[str, Any]:
        """What a claim would do, before it is made."""
        table = self._context(step["campaign"])
        fight = self._own_battle(table, step["number"])
        typed = {
            part["custom_id"]: str(part["value"])
            for row in self.data["components"]
            for part in row["components"]
        }
        forms_of = battle_forms(table)
        raw = (
            forms_of.result_move(fight.number, {"by": "shares", **typed})
            if forms_of is not None
            else None
        )
        if raw is None:
            raise Answer(_("Type two percentages from 0 to 100."))
        deed = consider(table, raw)
        if deed.wrong:
            raise Answer(deed.wrong)
        shares = ", ".join(
            f"{escaped(side.name)} {escaped(typed[key])}%"
            for side, key in zip(
                battle_summary(table, fight).sides, ("attacker", "defender"), strict=True
            )
        )
        token = self._keep(**{**step, "raw": dict(raw)})
        text = "\n".join(filter(None, [f"**#{fight.number}** {shares}", follow_text(deed.follow)]))
        return _message(
            text,
            [
                _row(
                    _button(_("Claim the result"), f"claim:{token}", PRIMARY),
                    _button(_("Cancel"), f"drop:{token}"),
                )
            ],
        )

    def _claim(self, step: dict[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        forms_of = battle_forms(table)
        agreement = forms_of.agreement_of(step["raw"]) if forms_of is not None else ""
        try:
            battle_services.claim(
                table.campaign, self.user, step["number"], step["raw"], "", "", agreement=agreement
            )
        except IllegalMove as refusal:
            raise Answer(table.why_not(refusal)) from None
        return _message(_("Claimed. The other side confirms it, here or on the page."), update=True)

    def _confirm(self, step: dict[str, Any]) -> dict[str, Any]:
        table = self._context(step["campaign"])
        confirm = partial(
            battle_services.confirm,
            table.campaign,
            self.user,
            step["number"],
            step["claim"],
            step["seen"],
        )
        try:
            confirm()
        except IllegalMove as refusal:
            raise Answer(table.why_not(refusal)) from None
        return _message(_("Confirmed. The result is entered."), update=True)


def follow_text(follow: Follow | None) -> str:
    """What follows from a move, in lines: each seat's accounts and things; the chances where a die
    decides.
    """
    if follow is None:
        return ""
    lines = (
        [f"{escaped(one.label)}: {escaped(one.chance)}" for one in follow.columns]
        if follow.odds
        else []
    )
    for block in follow.blocks:
        cells = [
            (row.label, row.cells[0]) for row in block.rows if row.both and not row.cells[0].stays
        ]
        parts = [
            f"{label} {cell.was} → {cell.now}" if cell.now else f"{label} {cell.text}".strip()
            for label, cell in cells
        ]
        if parts:
            lines.append(escaped(": ".join(filter(None, [block.name, ", ".join(parts)]))))
    for end in follow.outcomes:
        shown = follow_text(end).replace("\n", "; ")
        lines.append(f"• {escaped(end.label)}: {shown or escaped(_('nothing changes'))}")
    return "\n".join(lines)


# The account's page: a code for linking, and the end of it. ---------------------------------------


def _code_key(code: str) -> str:
    digest = hmac.new(settings.SECRET_KEY.encode(), code.strip().upper().encode(), sha256)
    return f"discord-code-{digest.hexdigest()}"


def _maker_of(mark: str | None) -> User | None:
    """Return the user who made a code, if they may still link an account.

    A code is no longer valid if all sessions have ended since.
    """
    number, _colon, _ended = (mark or "").partition(":")
    rows = User.objects.filter(pk=whole(number, 18) or 0, is_active=True, guest=False, demo=False)
    user = rows.first()
    return user if user is not None and mark_of_person(user) == mark and proven(user) else None


def _announce_link(user: User, name: str) -> None:
    """Notify the user that a Discord account can play for them.

    The link stays if the e-mail cannot be sent.
    """
    facts = {"name": name, "site": settings.SITE_URL, "list_url": reverse("credentials")}
    language = user.language if user.language in LANGUAGES else get_language() or "en"
    with suppress(OSError), translation.override(language):
        get_adapter().send_notification_mail("account/email/discord_linked", user, facts)


@login_required
@require_POST
def account(request: HttpRequest) -> HttpResponse:
    """Makes a code that links this account for ten minutes; `do=end` ends the link."""
    if not settings.DISCORD_PUBLIC_KEY or people_services.is_guest(request.user):
        raise Http404
    if request.POST.get("do") == "end":
        DiscordAccount.objects.filter(user=request.user.pk).delete()
        messages.success(request, _("The link to Discord was removed."))
        return see_other(reverse("me") + "#discord")
    return _make_code(request)


@signed_in_lately
def _make_code(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    if user.demo or not proven(user):
        text = _("Confirm your e-mail address first. Then link your Discord account.")
        messages.error(request, text)
        return see_other(reverse("me") + "#discord")
    code = "".join(secrets.choice("ABCDEFGHJKMNPQRSTUVWXYZ23456789") for _each in range(8))
    cache.set(_code_key(code), mark_of_person(user), CODE_LASTS)
    text = _("Type this in Discord within ten minutes: /link code:%(code)s")
    messages.success(request, text % {"code": code})
    return see_other(reverse("me") + "#discord")


def commands() -> list[dict[str, Any]]:
    """The commands as Discord wants to have them registered, in all our languages."""
    listed = []
    for one in COMMANDS:
        options = []
        if one["campaign"]:
            options.append(
                {
                    "type": 3,
                    "name": "campaign",
                    "required": False,
                    "autocomplete": True,
                    **_described(gettext_noop("Which campaign")),
                }
            )
        if one["name"] == "link":
            options.append(
                {
                    "type": 3,
                    "name": "code",
                    "required": True,
                    **_described(gettext_noop("The code of your account’s page")),
                }
            )
        listed.append(
            {"type": 1, "name": one["name"], "options": options, **_described(one["description"])}
        )
    return listed


def _described(text: str) -> dict[str, Any]:
    others = {}
    for language in LANGUAGES:
        with translation.override(language):
            if language != "en":
                others[language] = str(_(text))
    return {"description": text, "description_localizations": others}

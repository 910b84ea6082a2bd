"""What a delivery says when it leaves: of what was put into it, what its reader may see and still needs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.audience import GAME_MASTER
from campaign.models import Membership
from engine.strict_json import read
from notices import selectors
from notices.channels import chat, mail
from notices.letters import Letter, pressing, read_by, where, word
from notices.letters import letter as letter_of
from notices.models import Channel, Delivery, How, Notice
from notices.registry import KINDS
from notices.selectors import Told


def reader(channel: Channel) -> AbstractContextManager[None]:
    """The language and the zone in which this channel is spoken."""
    if channel.campaign is not None:
        return read_by(channel.language, channel.campaign.time_zone)
    return read_by(channel.user.language, channel.user.time_zone)


def told(delivery: Delivery) -> list[Told]:
    """What is still to be told: nothing struck, nothing read meanwhile, nothing of a seat that he holds no more."""
    channel = delivery.channel
    if channel.campaign_id is None:
        found = selectors.unread(channel.user).filter(items__delivery=delivery)
        kept = still_his(channel.user, found.exclude(campaign__mutes__user=channel.user))
    else:
        kept = [
            one
            for one in Notice.objects.filter(items__delivery=delivery, kind__in=KINDS).select_related(
                "campaign", "entry", "entry__struck_by"
            )
            if one.entry.audience is None and KINDS[one.kind].public and readable(one)
        ]
    return [one for one in selectors.told(kept) if not one.struck and still(one.notice)]


def readable(notice: Notice) -> bool:
    return not notice.campaign.suspended or notice.kind == "life"


def still(notice: Notice) -> bool:
    """Has what it tells of not been overtaken?"""
    overtaken = KINDS[notice.kind].overtaken
    return overtaken is None or not overtaken(notice)


def still_his(user: Any, found: Iterable[Notice]) -> list[Notice]:
    """Those told to him as a person, or as the holder of a seat that is his now; the leaver loses sight at once. Of a
    campaign that the host has suspended, which nobody reads, only that it is."""
    listed = [one for one in found if readable(one)]
    seats = {(one.campaign_id, one.seat) for one in listed if one.seat}
    if not seats:
        return listed
    held = Membership.objects.filter(Q(campaign__in={c for c, _seat in seats}), user_id=user.pk, until=None)
    his = {
        (campaign, GAME_MASTER if role in Membership.MASTERS else seat)
        for campaign, role, seat in held.values_list("campaign_id", "role", "seat")
        if role in (*Membership.MASTERS, Membership.Role.SEAT)
    }
    return [one for one in listed if not one.seat or (one.campaign_id, one.seat) in his]


def settings_url(channel: Channel) -> str:
    """Where its owner says what comes through it."""
    if channel.campaign is not None:
        return mail.site(reverse("channels", args=(channel.campaign.address,)))
    return mail.site(reverse("told"))


def letter(delivery: Delivery) -> Letter | None:
    """None where nothing is left to say."""
    channel = delivery.channel
    with reader(channel):
        links = {
            "name": channel.user.username, "choose": mail.site(reverse("told")),
            "end": mail.site(reverse("unsubscribe", args=(mail.token(channel),))),
        }  # fmt: skip
        if delivery.form == Delivery.Form.WORD:
            heading, body, url = of_channels(delivery)
            return word(heading, body, url=url, **links)
        found = told(delivery)
        return letter_of(found, digest=delivery.form == How.DIGEST, site=mail.site(), **links) if found else None


def tried_letter(delivery: Delivery) -> Letter:
    """The letter of a try-out."""
    channel = delivery.channel
    with reader(channel):
        heading, body = tried(channel)
        end = mail.site(reverse("unsubscribe", args=(mail.token(channel),)))
        return word(heading, body, name=channel.user.username, url="", end=end, choose=mail.site(reverse("told")))


def text(delivery: Delivery) -> str | None:
    """A message for a chat. None where nothing is left to say."""
    channel = delivery.channel
    service = channel.service
    with reader(channel):
        if delivery.form == Delivery.Form.WORD:
            heading, body, url = of_channels(delivery)
            return f"{chat.plain(service, heading)}\n{chat.plain(service, body)}\n{chat.link(service, url)}"
        found = pressing(told(delivery))
        if not found:
            return None
        more = ngettext("There is more here: %(url)s", "There is more here: %(url)s", len(found))
        blocks = []
        for one in found:
            heading = _("[%(campaign)s] %(title)s") % {"campaign": one.notice.campaign.name, "title": one.title}
            lines = [chat.plain(service, line) for line in (heading, one.body) if line]
            blocks.append("\n".join([*lines, chat.link(service, place(channel, one))]))
        everything = mail.site(reverse("notices") if channel.campaign is None else _home(channel))
        return chat.fitting(service, blocks, more % {"url": chat.link(service, everything)})


def place(channel: Channel, one: Told) -> str:
    """Where a line leads: his notice, which is read then, or for a campaign's many readers its table."""
    return where(mail.site(), one) if channel.campaign is None else mail.site(_home(channel))


def _home(channel: Channel) -> str:
    assert channel.campaign is not None
    return reverse("table", args=(channel.campaign.address,))


def of_channels(delivery: Delivery) -> tuple[str, str, str]:
    """Heading, text and link of a word about a channel that was switched off."""
    facts = read(delivery.facts)
    off = Channel.objects.select_related("campaign").get(pk=facts["channel"])
    named = {"name": off.called, "why": facts["why"]}
    heading = _("%(name)s is switched off") % named
    body = _("Nothing arrived there any more: %(why)s Put it right and switch it on again.") % named
    return heading, body, settings_url(off)


def tried(channel: Channel, code: str = "") -> tuple[str, str]:
    """Heading and text of a try-out, with the code that confirms the channel where it has none."""
    if code:
        heading = _("Code %(code)s") % {"code": code}
        return heading, _(
            "Type it at Tabula, and this channel is told what you choose there. You asked for nothing? Then do nothing."
        )
    return _("This is a test."), _("It arrived: notices of Tabula come here.")

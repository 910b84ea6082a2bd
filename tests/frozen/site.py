"""States of the site outside its campaigns: accounts, letters, moderation, scenarios, errors."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.management import call_command
from django.test import Client, override_settings

from campaign import imports, playtests, practice, scenarios
from campaign.log import record
from engine.strict_json import canonical
from games import registry
from moderation import services as moderation
from notices import services as notices_services
from notices.channels import mail as letter_channel
from notices.channels import services as channels
from people import tokens
from people.models import User
from talk import services as talk
from tests.conftest import PASSWORD, confirm, sign_in_lately
from tests.frozen.companions import windows
from tests.frozen.grand import Founder
from tests.frozen.scene import Scene, state
from tests.frozen.still import NOW
from tests.people.test_elsewhere import OFFERED
from tests.web.scenarios.test_editor import Author

SITE = "site"
ACCOUNT = (
    "/me/",
    "/me/absence/",
    "/me/access/",
    "/me/programs/",
    "/me/programs/?revoke=all",
    "/me/ways/",
    "/me/ways/passkey/",
    "/me/ways/link/",
    "/me/password/",
    "/me/password/new/",
    "/me/email/",
    "/me/email/nothing/",
    "/me/notices/",
    "/me/reports/",
    "/me/blocks/",
    "/me/data/",
    "/me/leave/",
    "/me/inactive/",
    "/me/again/",
    "/me/again/code/",
    "/me/again/passkey/",
    "/me/again/mail/",
    "/me/second-factor/",
    "/me/second-factor/on/",
    "/me/second-factor/off/",
    "/me/second-factor/codes/",
    "/me/second-factor/codes/new/",
    "/me/second-factor/codes/file/",
    "/me/discord/",
    "/notices/",
    "/sign-out/",
)
"""Pages of the reader's own account."""
ENTRANCES = (
    "/sign-in/",
    "/sign-in/?next=/me/",
    "/sign-in/code/",
    "/sign-in/code/type/",
    "/sign-in/second/",
    "/sign-up/",
    "/sign-up/elsewhere/",
    "/sign-in/discord/",
    "/sign-in/steam/",
    "/sign-in/discord/back/",
    "/sign-in/steam/back/",
    "/sign-in/passkey/",
    "/password/",
    "/password/sent/",
    "/password/changed/",
    "/password/key/1-nothing/",
    "/left/",
    "/invited/nothing/",
    "/unsubscribe/nothing/",
    "/feed/nothing/notices.atom",
    "/feed/nothing/deadlines.ics",
    "/terms/",
    "/privacy/",
    "/terms/agree/",
    "/demonstration/1/",
)
"""Pages of people who are not signed in yet."""
OUTSIDE = (
    "/",
    "/help/",
    "/help/boards/",
    "/lobby/",
    "/rules/",
    "/ratings/",
    "/ratings/1/",
    "/scenarios/",
    "/scenarios/grand_campaign/420ad/",
    "/scenarios/new/",
    "/scenarios/begin/",
    "/scenarios/begin/?from=map",
    "/scenarios/begin/?from=other",
    "/scenarios/begin/?from=file",
    "/scenarios/begin/?from=grid",
    "/found/",
    "/found/import/",
    "/practice/grand_campaign/",
    "/practice/march_on_rome/",
    "/practice/tetrarchia/",
    "/practice/roman_empire/",
    "/learn/grand_campaign/",
    "/learn/march_on_rome/",
    "/offline/",
    "/manifest.webmanifest",
    "/robots.txt",
    "/.well-known/security.txt",
    "/nothing-here/",
    "/moderation/",
    "/moderation/invitations/",
    "/api/docs/",
    "/join/",
    "/join/0123456789abcdef/",
)


def people_of(founder: Founder) -> dict[str, Any]:
    """Return two users: one whose address is confirmed, and a stranger."""
    return {"gm": confirm(founder.person("Ada")), "stranger": founder.person("Sid")}


@state(SITE, OUTSIDE, forms=("gm", "nobody"), thorough=True)
def outside(founder: Founder) -> Scene:
    return Scene(windows(people_of(founder)))


@state(SITE, [*ACCOUNT, *ENTRANCES], forms=("gm", "nobody"))
def account(founder: Founder) -> Scene:
    """The account of a user who has just typed the password."""
    people = people_of(founder)
    clients = windows(people)
    sign_in_lately(clients["gm"], people["gm"])
    sid = EmailAddress.objects.create(
        user=people["stranger"], email=people["stranger"].email, primary=True, verified=False
    )
    key = get_emailconfirmation_model().create(sid).key
    end = letter_channel.unsubscribe_token(channels.email_channel(people["gm"]))
    return Scene(clients, "/", [f"/me/email/{key}/", f"/unsubscribe/{end}/"])


@state(SITE, [*ACCOUNT, *ENTRANCES], forms=("gm",))
def many_ways(founder: Founder) -> Scene:
    """Other sites are offered; a second factor, a token and feeds are switched on."""
    founder.settings.SOCIALACCOUNT_PROVIDERS, founder.settings.OUTSIDE_INSECURE = OFFERED, True
    founder.settings.PASSKEY_HOST, founder.settings.PASSKEY_ORIGINS = (
        "localhost",
        ["http://localhost"],
    )
    people = people_of(founder)
    user = people["gm"]
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)
    tokens.make_token(user, "My <b>program</b>", "play", NOW)
    clients = windows(people)
    sign_in_lately(clients["gm"], user)
    key = Authenticator.objects.filter(user=user).first()
    assert key is not None
    return Scene(
        clients, "/", [f"/me/ways/?remove=passkey-{key.pk}", f"/me/ways/?rename=passkey-{key.pk}"]
    )


@state(SITE, ["/sign-in/", "/sign-up/", "/password/"])
def letters_of_accounts(founder: Founder) -> Scene:
    """Each letter about an account, and the pages to which its links lead, in four languages."""
    people = people_of(founder)
    user: User = people["gm"]
    built = Scene(windows(people))
    for language in ("en", "de", "es", "it"):
        headers = {"accept-language": language}

        def reset(headers: Any = headers) -> Any:
            client = Client(headers=headers)
            client.post("/password/", {"email": user.email})
            link = next(word for word in mail.outbox[-1].body.split() if "/password/key/" in word)
            return client.get(link, follow=True)

        def code(headers: Any = headers) -> Any:
            return Client(headers=headers).post(
                "/sign-in/code/", {"login": user.email, "email": user.email}, follow=True
            )

        def sign_up(headers: Any = headers) -> Any:
            typed = {
                "username": "Ingrid",
                "email": "ingrid@example.org",
                "password1": PASSWORD,
                "password2": PASSWORD,
            }
            return Client(headers=headers).post(
                "/sign-up/", {**typed, "time_zone": "UTC", "agree": "on"}, follow=True
            )

        def taken(headers: Any = headers) -> Any:
            typed = {
                "username": "Other",
                "email": user.email,
                "password1": PASSWORD,
                "password2": PASSWORD,
                "time_zone": "UTC",
            }
            return Client(headers=headers).post("/sign-up/", typed, follow=True)

        def wrong(headers: Any = headers) -> Any:
            return Client(headers=headers).post("/sign-in/", {"login": "Ada", "password": "wrong"})

        def second(headers: Any = headers) -> Any:
            TOTP.activate(user, generate_totp_secret())
            return Client(headers=headers).post(
                "/sign-in/", {"login": "Ada", "password": PASSWORD}, follow=True
            )

        for name, send in (
            ("a new password", reset),
            ("a code", code),
            ("sign up", sign_up),
            ("an address that is taken", taken),
            ("a wrong password", wrong),
            ("a second factor is asked for", second),
        ):
            built.requests[f"{name}, {language}"] = send
    return built


@state(
    SITE,
    ["/", "/me/", "/moderation/", "/moderation/invitations/", "/me/reports/"],
    forms=("gm", "hun"),
)
def moderated(founder: Founder) -> Scene:
    """A moderator with a report to decide, one that was decided, and invitations to the site."""
    grand_table = founder.running()
    people, campaign = grand_table.people, grand_table.campaign
    for user in people.values():
        confirm(user)
    moderator = confirm(founder.person("Thecla"))
    call_command("moderator", "Thecla")
    moderator.refresh_from_db()
    first = talk.write(campaign, people["hun"], ["romans"], "The Romans are <b>swine</b>.")
    talk.write(campaign, people["hun"], ["romans"], "And thieves.")
    key = first.conversation.key
    moderation.report(people["roman"], "message", f"{key}.1", "It insults me.")
    report = moderation.report(people["roman"], "message", f"{key}.2", "It insults me, too.")
    moderation.remove(moderator, report, "We do not write like this here.")
    clients = windows(
        {
            "gm": moderator,
            "hun": people["roman"],
            "roman": people["hun"],
            "stranger": people["stranger"],
        }
    )
    return Scene(
        clients,
        grand_table.home,
        ["talk/", f"talk/{key}/", f"/report/message/{key}.1/", "reported/", "/me/reports/"],
    )


@state(SITE, ["/scenarios/", "/found/", "/me/"], forms=("gm",))
def own_scenarios(founder: Founder) -> Scene:
    """A draft that was begun and a scenario that was published."""
    people = people_of(founder)
    author = Author(people["gm"])
    author.begin()
    raw = dict(registry.TITLES["grand_campaign"].scenarios()["420ad"])
    row = scenarios.save_scenario(
        people["gm"], "grand_campaign", {**raw, "name": "Mine, with <b>care</b>"}
    )
    scenarios.share(people["gm"], row.public_id, "public")
    shown = f"/scenarios/{row.public_id}"
    pages = [
        author.home,
        f"{author.home}numbers/",
        f"{author.home}?province=dalmatia",
        f"{author.home}?nation=huns",
        f"{shown}/",
        f"{shown}/rules/",
        f"{shown}.json",
        f"/found/?scenario={row.public_id}",
    ]
    return Scene(windows(people), "/", pages)


@state(SITE, ["/scenarios/"], forms=("gm",))
def playtested(founder: Founder) -> Scene:
    """A scenario with a play-test that has ended."""
    founder.monkeypatch.setattr(playtests, "GAMES", 6)
    people = people_of(founder)
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        bundle = json.load(opened)
    row = scenarios.save_scenario(
        people["gm"], "grand_campaign", bundle["scenario"], json.dumps(bundle["drawing"])
    )
    test, _ = playtests.ask("grand_campaign", bundle["scenario"])
    playtests.work(test.pk)
    return Scene(
        windows(people),
        "/",
        [f"/scenarios/{row.public_id}/", f"/scenarios/playtest/?scenario={row.public_id}"],
    )


@state(SITE, ["/found/import/", "/notices/"], forms=("gm",))
def imported(founder: Founder) -> Scene:
    """A text that is not a record, a record that has been taken over, and a text that waits."""
    grand_table = founder.running()
    user = grand_table.people["stranger"]
    pages = []
    for content in (b"{}", canonical(record.full_record(grand_table.campaign)).encode()):
        row, _ = imports.store_upload(user, content, "Again", "Europe/Rome", "unlisted")
        pages.append(f"/found/import/{row.pk}/")
        imports.work(row.pk)
    row, _ = imports.store_upload(user, b"[]", "Later", "Europe/Rome", "unlisted")
    return Scene(
        windows({"gm": user, "stranger": grand_table.people["hun"]}),
        "/",
        [*pages, f"/found/import/{row.pk}/"],
    )


@state(SITE, ["", "n/huns/", "about/", "desk/", "/me/", "/"], forms=("gm",))
def practised(founder: Founder) -> Scene:
    """Someone practises the Grand Campaign against programs."""
    user = founder.person("Ada")
    campaign = practice.begin(user, "grand_campaign", "420ad", "huns", "cautious", seed="0" * 64)
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    return Scene(windows({"gm": user}), f"/c/{campaign.address}/", ["lesson/"])


@state(SITE, ["", "n/huns/", "lesson/", "n/huns/plan/", "battles/"], forms=("gm",))
def lesson_of_the_grand_campaign(founder: Founder) -> Scene:
    user = founder.person("Ada")
    campaign = practice.begin_lesson(user, "grand_campaign")
    return Scene(windows({"gm": user}), f"/c/{campaign.address}/")


@state(SITE, ["/", "/me/", "/found/", "/help/", "/ratings/"])
def for_demonstration(founder: Founder) -> Scene:
    """The pages of a demonstration, whose visitors can choose the person that they play."""
    founder.settings.TABULA_DEMO = True
    people = {
        "gm": founder.person("Marozia", demo=True, rated=True),
        "stranger": founder.person("Owen", demo=True),
    }
    return Scene(windows(people), "/", [f"/ratings/{people['gm'].pk}/"])


@state(SITE, ["/me/access/"])
def feeds(founder: Founder) -> Scene:
    """The content of feeds and calendars."""
    grand_table = founder.challenge()
    built = Scene(grand_table.clients, grand_table.home)
    for who in ("gm", "roman"):
        user = grand_table.people[who]
        built.pages.append(f"/feed/{notices_services.create_feed(user, 'notices')}/notices.atom")
        built.pages.append(f"/feed/{notices_services.create_feed(user, 'deadlines')}/deadlines.ics")
    return built


@state(SITE, ["/nothing-here/"])
def errors(founder: Founder) -> Scene:
    """Each error page, in four languages."""
    grand_table = founder.running()
    moderator = founder.person("Thecla")
    call_command("moderator", "Thecla")
    moderator.refresh_from_db()
    built = Scene(grand_table.clients, grand_table.home)
    for language in ("en", "de", "es", "it"):
        headers = {"accept-language": language}

        def broken(headers: Any = headers) -> Any:
            with mock.patch(
                "web.dice.page.record.published_links", side_effect=ValueError("secret")
            ):
                return Client(headers=headers, raise_request_exception=False).get(
                    f"{grand_table.home}dice/"
                )

        def old_form(headers: Any = headers) -> Any:
            return Client(headers=headers, enforce_csrf_checks=True).post(
                "/sign-in/", {"login": "x", "password": "y"}
            )

        def too_many(headers: Any = headers) -> Any:
            with override_settings(ACCOUNT_RATE_LIMITS={"signup": "1/m/ip"}):
                Client(headers=headers).post("/sign-up/", {})
                return Client(headers=headers).post("/sign-up/", {})

        def too_large(headers: Any = headers) -> Any:
            return Client(headers=headers).post(
                "/sign-in/code/", {f"f{number}": "x" for number in range(1200)}
            )

        def gone(headers: Any = headers) -> Any:
            return Client(headers=headers).get("/join/0123456789abcdef/")

        def refused(headers: Any = headers) -> Any:
            client = Client(headers=headers)
            client.force_login(grand_table.people["hun"])
            return client.get(f"{grand_table.home}desk/")

        def suspended(headers: Any = headers) -> Any:
            client = Client(headers=headers)
            client.force_login(grand_table.people["roman"])
            moderation.close_account(moderator, grand_table.people["roman"], "Spam", now=NOW)
            return client.get("/me/")

        for name, send in (
            ("500", broken),
            ("csrf", old_form),
            ("429", too_many),
            ("400", too_large),
            ("410", gone),
            ("403", refused),
            ("an account that was closed", suspended),
        ):
            built.requests[f"{name}, {language}"] = send
    return built

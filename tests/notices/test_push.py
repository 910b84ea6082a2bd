"""Web Push: the standard's own example, and a push service imitated at the edge of the protocol."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from time import sleep
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.test import Client
from django.utils import timezone

from campaign import services as table
from campaign.models import Campaign
from notices import delivery
from notices.channels import push, services
from notices.models import Channel, Delivery, Notice
from tests.outgoing.servers import says, serving

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
AS_PUBLIC = (
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
)
AS_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
UA_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
UA_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SALT, AUTH = "DGv6ra1nlYgDCS1FRnbzlw", "BTBZMqHH6r4Tts7J_aSIgg"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(push.unb64(text), "big"), push.CURVE)


def test_the_standards_example() -> None:
    to = push.Subscription("https://push.example/1", push.unb64(UA_PUBLIC), push.unb64(AUTH))
    sender = private_key(AS_PRIVATE)
    assert push.b64(push.encode_point(sender.public_key())) == AS_PUBLIC
    body = push.encrypt(PLAIN, to, sender, push.unb64(SALT))
    assert push.b64(body) == BODY
    assert push.decrypt(body, private_key(UA_PRIVATE), push.unb64(AUTH)) == PLAIN
    with pytest.raises(ValueError, match="not for this browser"):
        push.decrypt(push.encrypt(PLAIN, to), private_key(AS_PRIVATE), push.unb64(AUTH))


class Service:
    """A push service with the browsers behind it.

    It checks the sender, and gives the content to the browser of the path.
    """

    def __init__(self, server: Any, statuses: dict[str, list[int]]) -> None:
        self.server, self.statuses = server, statuses
        self.browsers: dict[str, tuple[ec.EllipticCurvePrivateKey, bytes]] = {}

    def subscribe(self, name: str) -> str:
        """Return the data that the browser's script sends to the site."""
        key, secret = ec.generate_private_key(push.CURVE), bytes(range(16))
        self.browsers[name] = key, secret
        keys = {"p256dh": push.b64(push.encode_point(key.public_key())), "auth": push.b64(secret)}
        return json.dumps(
            {"endpoint": f"{self.server.url}/{name}", "expirationTime": None, "keys": keys}
        )

    @property
    def shown(self) -> list[tuple[str, dict[str, str], dict[str, Any]]]:
        """Browser, headers and what it read, of every push so far."""
        pushes = []
        for asked in self.server.asked:
            head, _, body = asked.partition(b"\r\n\r\n")
            first, *lines = head.decode().split("\r\n")
            headers = {
                name.lower(): value for name, value in (line.split(": ", 1) for line in lines)
            }
            name = first.split(" ")[1].strip("/")
            key, secret = self.browsers[name]
            pushes.append((name, headers, json.loads(push.decrypt(body, key, secret))))
        return pushes


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    settings.OUTSIDE_INSECURE = True
    statuses: dict[str, list[int]] = {}

    def behave(wire: Any, asked: bytes) -> None:
        name = asked.split(b" ")[1].decode().strip("/")
        waiting = statuses.get(name, [])
        status = waiting.pop(0) if waiting else 201
        says(b"", f"{status} So")(wire, asked)

    with serving(behave) as server:
        yield Service(server, statuses)


def verify_vapid_claims(header: str) -> dict[str, Any]:
    """Check the signature of an authorization and return its claims."""
    match = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", header)
    assert match is not None
    head, claims, signed, key = match.groups()
    raw = push.unb64(signed)
    signature = encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    )
    ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, push.unb64(key)).verify(
        signature, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256())
    )
    assert json.loads(push.unb64(head)) == {"typ": "JWT", "alg": "ES256"}
    read: dict[str, Any] = json.loads(push.unb64(claims))
    return read


def make_notice(user: Any, campaign: Campaign, kind: str, **facts: Any) -> Notice:
    return Notice.objects.create(
        user=user,
        campaign=campaign,
        entry=campaign.entries.earliest("sequence"),
        kind=kind,
        seat="",
        about=f"x/{Notice.objects.count()}",
        facts=facts,
        at=timezone.now(),
    )


@pytest.mark.parametrize(
    ("endpoint", "taken"),
    [
        ("https://push.example/1", True),
        ("https://push.example:443/1", True),
        ("https://push.example:80/1", False),
        ("https://push.example:8443/1", False),
        ("https://push.example:22/1", False),
        ("https://push.example:65535/1", False),
        ("http://push.example/1", False),
    ],
)
def test_a_push_service_answers_at_port_443_only(endpoint: str, taken: bool) -> None:
    text = json.dumps({"endpoint": endpoint, "keys": {"p256dh": UA_PUBLIC, "auth": AUTH}})
    if taken:
        assert push.parse_subscription(text).endpoint == endpoint
        return
    with pytest.raises(push.BadSubscription):
        push.parse_subscription(text)


@pytest.mark.django_db
def test_a_device_is_pushed_to_until_it_gives_up(
    service: Service, settings: Any, person: Any
) -> None:
    settings.SECURITY_CONTACT = ["mailto:host@tabula.example"]
    user = person("Ingrid")
    campaign = table.found_campaign(
        user, "grand_campaign", "The Long Frontier", "420ad", {}, "UTC", "listed"
    )
    client = Client()
    client.force_login(user)
    page = client.get("/me/notices/").content.decode()
    assert f'data-device="{push.public_key()}"' in page
    for wrong in (
        "",
        "{}",
        '{"endpoint": "https://127.0.0.1/x", "keys": {"p256dh": "AA", "auth": "AA"}}',
    ):
        assert (
            client.post("/me/notices/", {"do": "device", "subscription": wrong}).status_code == 422
        )
    assert not Channel.objects.filter(service="push").exists()
    phone = service.subscribe("phone")
    for _again in range(2):
        assert (
            client.post(
                "/me/notices/", {"do": "device", "subscription": phone, "name": "My phone"}
            ).status_code
            == 302
        )
    (channel,) = Channel.objects.filter(service="push")
    assert "My phone" in client.get("/me/notices/").content.decode()
    assert "p256dh" not in channel.sealed

    now = timezone.now() + timedelta(minutes=1)
    make_notice(user, campaign, "message", thread="abcdefgh", seat="huns")
    make_notice(user, campaign, "turn-closed", turn=1)
    delivery.tick(now)
    ((name, headers, news),) = service.shown
    assert (name, news["title"], news["body"]) == (
        "phone",
        "Huns: a message for you",
        "The Long Frontier",
    )
    assert news["tag"] == headers["topic"] == campaign.public_id
    assert news["url"] == f"/notices/{Notice.objects.get(kind='message').pk}/"
    assert (headers["content-encoding"], headers["ttl"], headers["urgency"]) == (
        "aes128gcm",
        "86400",
        "normal",
    )
    claims = verify_vapid_claims(headers["authorization"])
    assert (claims["aud"], claims["sub"]) == (service.server.url, "mailto:host@tabula.example")
    assert now < datetime.fromtimestamp(claims["exp"], UTC) <= now + timedelta(hours=24)

    client.post("/me/notices/", {"do": "discreet", "channel": channel.pk, "on": "on"})
    services.set_preferences(channel, {"life": "now"})
    make_notice(user, campaign, "life", how="paused", reason="Secret")
    delivery.tick(now)
    news = service.shown[-1][2]
    assert (news["title"], news["body"]) == (
        "Something has happened at the table",
        "The Long Frontier",
    )
    assert "Secret" not in json.dumps(news)

    service.statuses["phone"] = [503, 410]
    make_notice(user, campaign, "life", how="resumed", reason="")
    delivery.tick(now)
    assert Delivery.objects.latest("pk").state == "waiting"
    delivery.tick(now + timedelta(minutes=2))
    channel.refresh_from_db()
    assert (channel.removed_at is not None, channel.sealed) == (True, "")
    before = len(service.shown)
    make_notice(user, campaign, "life", how="paused", reason="")
    delivery.tick(now + timedelta(hours=1))
    assert len(service.shown) == before


PEOPLE = 50
FAULTS = ("429", "500", "503", "cut", "cut after", "silent")


class Faulty:
    """A service where one request in four meets a fault; devices in `gone` are gone."""

    def __init__(self) -> None:
        self.chance, self.met = random.Random(7), Counter[str]()
        self.arrived: Counter[str] = Counter()
        self.browsers: dict[str, tuple[ec.EllipticCurvePrivateKey, bytes]] = {}
        self.gone: set[str] = set()

    def fault_of(self, name: str) -> str:
        """Return the fault that this request meets; empty if it meets none."""
        fault = self.chance.choice(FAULTS) if self.chance.random() < 0.25 else ""
        return "410" if name in self.gone else fault

    def behave(self, wire: Any, asked: bytes) -> None:
        name = asked.split(b" ")[1].decode().strip("/")
        fault = self.fault_of(name)
        if fault:
            self.met[fault] += 1
        if fault in ("", "cut after"):
            body = asked.partition(b"\r\n\r\n")[2]
            news = json.loads(push.decrypt(body, *self.browsers[name]))
            self.arrived[f"{name} {news['url']}"] += 1
        if fault == "silent":
            sleep(0.4)
        elif not fault.startswith("cut"):
            says(b"", f"{fault or 201} So")(wire, asked)


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize("rounds", [3, pytest.param(10, marks=pytest.mark.nightly)])
def test_none_of_five_hundred_is_lost_and_none_comes_after_it_is_taken_away(
    settings: Any, person: Any, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """Fifty devices get ten notices each (three if they must be quick).

    Two more devices are removed, by their owner and by their browser (410). One request in four
    meets a fault: too many, broken, overloaded, cut before or after it arrived, no answer. The tick
    retries at the times that it chooses.
    """
    settings.OUTSIDE_INSECURE = True
    monkeypatch.setattr(push, "SECONDS", 0.3)
    faulty = Faulty()
    met, arrived, gone = faulty.met, faulty.arrived, faulty.gone
    with serving(faulty.behave) as server:
        service = Service(server, {})
        users = [person(f"Person {n}") for n in range(PEOPLE + 2)]
        devices = [
            services.add_device(user, service.subscribe(f"d{n}"), "")
            for n, user in enumerate(users)
        ]
        faulty.browsers.update(service.browsers)
        campaign = table.found_campaign(
            users[0], "grand_campaign", "The Long Frontier", "420ad", {}, "UTC", "listed"
        )
        now, sent = timezone.now() + timedelta(minutes=1), list[str]()
        before: dict[str, int] = {}
        for turn in range(rounds):
            for n, user in enumerate(users):
                notice = make_notice(user, campaign, "message", thread="abcdefgh", seat="huns")
                if n < PEOPLE:
                    sent.append(f"d{n} /notices/{notice.pk}/")
            for minutes in (0, 2, 8, 30, 120, 500, 1500):
                delivery.tick(now + timedelta(minutes=minutes))
            now += timedelta(days=3)
            if turn == rounds // 2:
                services.remove(devices[PEOPLE])
                gone.add(f"d{PEOPLE + 1}")
                before = {
                    name: sum(n for key, n in arrived.items() if key.startswith(f"{name} "))
                    for name in ("d50", "d51")
                }
    lost = [number for number in sent if not arrived[number]]
    after = sum(n for key, n in arrived.items() if key.split()[0] in before) - sum(before.values())
    twice = sum(arrived[number] - 1 for number in sent if arrived[number])
    counted = (
        f"{len(sent)} pushes, {sum(met.values())} faults {dict(met)}: {len(lost)} lost, {twice}"
        f" again, {after} after the end"
    )
    print(f"\n{counted}")  # noqa: T201
    assert (len(sent), lost, after) == (PEOPLE * rounds, [], 0)
    assert min(before.values()) > 0
    assert twice <= met["cut after"]
    assert set(met) == {*FAULTS, "410"}
    assert met["410"] == 1, "who has given up is asked once"
    assert Channel.objects.filter(service="push", removed_at=None).count() == PEOPLE
    assert (
        not Delivery.objects.filter(state__in=("failed", "doubtful"))
        .exclude(channel__in=devices[PEOPLE:])
        .exists()
    )


@pytest.mark.django_db
def test_quiet_hours_and_buttons(service: Service, person: Any) -> None:
    """A challenge comes at night.

    Nothing is sent until seven in the owner's zone; then one notification has two buttons.
    """
    gm, user = person("Marozia"), person("Ingrid", time_zone="Europe/Rome")
    campaign = table.found_campaign(
        gm, "grand_campaign", "The Long Frontier", "420ad", {}, "UTC", "listed"
    )
    table.take_seat(user, table.invite(campaign, gm, "huns")[1])
    client = Client()
    client.force_login(user)
    assert (
        client.post(
            "/me/notices/", {"do": "device", "subscription": service.subscribe("phone")}
        ).status_code
        == 302
    )
    device = Channel.objects.get(service="push")
    for first, last in (("22", ""), ("7", "7"), ("22", "24"), ("x", "7")):
        page = client.post(
            "/me/notices/", {"do": "quiet", "channel": device.pk, "from": first, "to": last}
        )
        assert page.status_code == 422
        assert "field__error" in page.content.decode()
    client.post("/me/notices/", {"do": "quiet", "channel": device.pk, "from": "22", "to": "7"})
    page = client.get("/me/notices/").content.decode()
    assert '<option value="22" selected>22:00</option>' in page

    campaign.refresh_from_db()
    notice = make_notice(user, campaign, "challenged", contest=6, other="romans", target="dalmatia")
    Notice.objects.filter(pk=notice.pk).update(seat="huns")
    night = datetime(2026, 12, 1, 21, 30, tzinfo=UTC)  # half past ten in Rome
    for late in range(0, 8 * 60, 45):
        delivery.tick(night + timedelta(minutes=late))
    assert service.shown == []
    delivery.tick(datetime(2026, 12, 2, 6, 1, tzinfo=UTC))
    ((_name, _headers, news),) = service.shown
    assert (news["title"], news["body"]) == ("Challenge at Dalmatia: #6", "The Long Frontier")
    assert news["buttons"] == [
        ["Accept", f"/notices/{notice.pk}/?answer"],
        ["View", f"/notices/{notice.pk}/"],
    ]
    answer = client.get(news["buttons"][0][1])
    assert answer["Location"] == f"/c/{campaign.address}/n/huns/#answer-6"
    assert client.get(news["buttons"][1][1])["Location"] == f"/c/{campaign.address}/b/6/"

    client.post("/me/notices/", {"do": "discreet", "channel": device.pk, "on": "on"})
    other = make_notice(user, campaign, "challenged", contest=7, other="romans", target="dalmatia")
    delivery.tick(datetime(2026, 12, 2, 12, tzinfo=UTC))
    assert service.shown[-1][2]["buttons"] == [["Open", f"/notices/{other.pk}/"]]
    assert "Dalmatia" not in json.dumps(service.shown[-1][2])

    client.post("/me/notices/", {"do": "quiet", "channel": device.pk, "from": "", "to": ""})
    make_notice(user, campaign, "challenged", contest=8, other="romans", target="dalmatia")
    delivery.tick(night + timedelta(days=2))
    assert len(service.shown) == 3

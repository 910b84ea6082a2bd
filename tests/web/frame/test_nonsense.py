"""Nonsense sent to every address by five readers.

Refused in words, always with a status below 500.

Addresses come from the URL conf, names of fields and acts from the templates, so new ones are
tested at once. Each address gets other words than its neighbour: every word is sent to every kind
of address, but not to every address.
"""

from __future__ import annotations

import inspect
import logging
import re
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import resolve

from campaign import services
from tests.addresses import names
from tests.web.contests import attack_independents
from tests.web.frame.test_every_address import address
from tests.web.grand_table import WHO, GrandTable, campaign_in_huns_slot, new_campaign  # noqa: F401
from tests.web.plain import parse_forms

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

MEGABYTE = 1_000_000
WORDS = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\ufeff\u202e",
    "0",
    "-1",
    "1e999",
    "NaN",
    "\u0661\u0662",
    "\u00b2",
    "9" * 12,
    "9" * 20,
    "9" * 5000,
    "-" + "9" * 20,
    "1.5",
    "true",
    "!nobody",
    "__proto__",
    "{}",
    "[]",
    '{"by":"gm"}',
    "[" * 3000,
    "' OR 1=1 --",
    "<script>",
    "%s%n{0}{x.__class__}",
    "..",
    "../../etc/passwd",
    "huns",
    "romans",
    "gm",
    "clock",
    "x" * 5000,
]
"""Wrong values for fields."""
ODD = [text for text in WORDS if "/" not in text and text.strip() not in ("", "..")]
PATHS = [
    "c/{}/",
    "e/{}/",
    "b/{}/",
    "n/{}/",
    "reports/{}/",
    "/join/{}/",
    "/rules/{}/",
    "/c/{}/",
    "/c/abcdefgh-{}/",
    "/demonstration/{}/",
]
PATHS += ["/password/key/{}-{}/", "/password/key/1-{}/"]
QUERIES = [
    "?before={}",
    "?ledger={}&account={}",
    "?open={}&target={}&from={}&card={}",
    "?province={}",
    "?title={}&next={}",
    "?turn={}&cause={}&page={}&nation={}",
    "?at={}&by={}",
    "?stop={}&by={}",
]
QUERIES += [
    "?by={}&attacker={}&routed.attacker={}&winner={}&fix=adjust&nation={}&change={}&account={}",
    "?answer={}&attack={}",
]
ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "people/templates").rglob("*.html")]
SOURCE = "\n".join(path.read_text() for path in sorted(TEMPLATES))
PAGES = "\n".join(path.read_text() for path in sorted((ROOT / "web").rglob("*.py")))
TYPED = (
    "do",
    "seat",
    "for",
    "by",
    "move",
    "offer",
    "shape",
    "seen",
    "sure",
    "back",
    "next",
    "entry",
    "reason",
    "fix",
    "look",
    "attack",
    "choice",
    "cards",
    "winner",
    "side",
    "routed",
    "routed.attacker",
    "routed.defender",
    "naval",
    "called_off",
    "nation",
    "account",
    "change",
    "province",
    "owner",
    "card",
    "value",
    "from",
    "target",
    "kind",
    "battle",
    "siege_train",
    "structure",
    "steal",
    "destroy",
    "truce",
    "give",
    "name",
    "title",
    "scenario",
    "time_zone",
    "visibility",
    "hands",
    "external_attacks",
    "invitation",
    "username",
    "email",
    "login",
    "password",
    "password1",
    "password2",
    "oldpassword",
    "fog2_name",
    "remember",
    "rules.die",
    "rules.army.defeat",
    "rules.cards.0.0",
    "rules.events.0.2",
    "rules.costs.land",
    "slot-length",
    "slot-unit",
    "slot-then",
    "slot-grace",
    "slot-grace_unit",
)
"""Names of fields that forms derive from an offer; the others are in the templates."""
KINDS_OF_FIELDS = r"(?:forms\.)?\w*Field|\w+_field|TypedText|LinesText|WholeNumbers?"
DECLARED = re.findall(rf"^    (\w+) = (?:{KINDS_OF_FIELDS})\(", PAGES, re.M)
ASKED = re.findall(r'(?:\btyped|\.get|\.getlist)\("([a-z_][\w.-]*)"', PAGES)
FIELDS = tuple(
    dict.fromkeys([*TYPED, *re.findall(r'\bname="([a-z_][\w.-]*)"', SOURCE), *DECLARED, *ASKED])
)
BUTTON = r'name="(?:do|how)"\s+value="([\w-]+)"|value="([\w-]+)"\s+name="do"'
BUTTON += r'|\b(?:hidden|one_button)\(\s*"([\w-]+)"'
CHOSEN = r'\bdo="([\w-]+)"|\bdo == "([\w-]+)"|\b[A-Z_]+ = "([a-z-]+)"$'
CHOSEN += r'|\b[A-Z_]+, [A-Z_]+ = "([a-z-]+)", "([a-z-]+)"$'
DEEDS = tuple(
    dict.fromkeys(
        [
            *(word for words in re.findall(BUTTON, SOURCE) for word in words if word),
            *(word for words in re.findall(CHOSEN, PAGES, re.M) for word in words if word),
            *re.findall(r'^    "([\w-]+)": [a-z_]+,$', PAGES, re.M),
        ]
    )
)
PASSED_BY = {"account_logout"}  # it would sign the reader out


def everywhere() -> Iterator[tuple[str, str]]:
    """Return every address by its name, except the one that signs out."""
    for name in sorted(names() - PASSED_BY):
        yield name, address(name)


def some(words: list[str], at: int, many: int) -> list[str]:
    """Return this many of the words, other ones at each place."""
    return [words[(at * 5 + step * 7) % len(words)] for step in range(many)]


def form_actions(path: str) -> list[str]:
    """Return the acts that an address knows.

    They are the values of the buttons that its view's package names. The last value is none of
    them.
    """
    view = inspect.unwrap(resolve(path.partition("?")[0]).func)
    module = sys.modules[view.__module__]
    if not module.__name__.startswith("web."):
        return [""]
    at = Path(inspect.getfile(module))
    package = ROOT / "web" / at.relative_to(ROOT / "web").parts[0]
    files = sorted(package.rglob("*.py")) if package.is_dir() else [at]
    source = "\n".join(file.read_text() for file in files)
    known = DEEDS if '"do"' in source or "form_key(request" in source else ()
    return [*(deed for deed in known if f'"{deed}"' in source), ""]


@pytest.fixture
def grand_table(new_campaign: Callable[..., GrandTable], settings: Any) -> GrandTable:  # noqa: F811
    """Return a campaign in turn 1, in the Hun's slot, with a covert attack and a challenge.

    Server errors come as answers.
    """
    settings.ACCOUNT_RATE_LIMITS = False
    settings.TABULA_DEMO = True
    created = campaign_in_huns_slot(new_campaign, "covert attack", attack_independents)
    created.clients = {who: Client(raise_request_exception=False) for who in WHO}
    for who, user in created.people.items():
        created.clients[who].force_login(user)
    built = [
        ("seat", "huns"),
        ("offer", "build-hamlets"),
        ("move", "build"),
        ("structure", "hamlets"),
        ("shape", "structure:choice"),
    ]
    assert (
        send(created, "hun", "move/", [*built, ("seen", str(created.seen("hun")))]).status_code
        == 303
    )
    return created


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


def whole(grand_table: GrandTable, path: str) -> str:
    return path if path.startswith("/") else grand_table.home + path


def fails(answers: list[tuple[str, Any]]) -> list[str]:
    return [
        f"{what}: {answer.status_code}"
        for what, answer in answers
        if answer.status_code >= 500 or b"Traceback" in answer.content
    ]


def typed(pairs: list[tuple[str, str]]) -> bytes:
    return "&".join(f"{quote(k)}={quote(v, errors='surrogatepass')}" for k, v in pairs).encode()


def send(
    grand_table: GrandTable, who: str, path: str, pairs: list[tuple[str, str]], **headers: str
) -> Any:
    form = "application/x-www-form-urlencoded"
    return grand_table.clients[who].post(
        whole(grand_table, path), typed(pairs), content_type=form, headers=headers
    )


def test_the_names_derived_from_templates_are_complete() -> None:
    """Without these names the tests below would test less than they say."""
    assert {"words", "wish", "url", "picture", "scenario_text", "email", "text", "rule"} <= set(
        FIELDS
    )
    home = "/c/abcdefgh-x/"
    assert {"correct", "turn", "say"} <= set(form_actions(f"{home}desk/"))
    assert {"claim", "dispute", "agree", "judge"} <= set(form_actions(f"{home}b/1/"))
    assert {"describe", "invite", "vacate", "co"} <= set(form_actions(f"{home}seats/"))
    assert {"copy", "leave", "take-over"} <= set(form_actions(f"{home}about/"))
    assert {"open", "apply", "draw"} <= set(form_actions(f"{home}lobby/"))
    assert form_actions("/sign-in/") == [""]


@pytest.mark.nightly
def test_addresses(grand_table: GrandTable) -> None:
    got = []
    for who in WHO:
        for n, path in enumerate(PATHS):
            for m, text in enumerate(ODD if who == "gm" else some(ODD, n + WHO.index(who), 2)):
                word = quote(text, errors="surrogatepass")
                at = whole(grand_table, path.replace("{}", word))
                got.append((f"{who} GET {at[:90]}", grand_table.clients[who].get(at)))
                if (m + n) % 3 == 0:
                    got.append(
                        (f"{who} POST {at[:90]}", send(grand_table, who, at, [("seen", "0")]))
                    )
    assert fails(got) == []


@pytest.mark.nightly
def test_queries(grand_table: GrandTable) -> None:
    got = []
    pages = [*(path for _, path in everywhere()), "n/huns/", "b/1/"]
    for who in WHO:
        for n, path in enumerate(pages):
            text = some(WORDS, n + WHO.index(who), 1)[0]
            word = quote(text, errors="surrogatepass")
            query = "&".join(
                QUERIES[(n + WHO.index(who) + step) % len(QUERIES)].replace("{}", word)
                for step in range(2)
            )
            got.append(
                (
                    f"{who} GET {path}{query[:90]}",
                    grand_table.clients[who].get(
                        whole(grand_table, path) + query.replace("&?", "&")
                    ),
                )
            )
    assert fails(got) == []


@pytest.mark.parametrize(
    "who", ["nobody", *(pytest.param(who, marks=pytest.mark.nightly) for who in ("gm", "hun"))]
)
def test_one_word_in_every_field_is_refused_in_words(grand_table: GrandTable, who: str) -> None:
    """Values are missing, too long, of another kind or odd.

    Every address gets them, for every act of its forms.
    """
    got = []
    known = {
        path: form_actions(whole(grand_table, path)) if who != "nobody" else [""]
        for _, path in everywhere()
    }  # an anonymous reader can do nothing
    places = [(path, do) for path, dos in known.items() for do in dos]
    for n, (path, do) in enumerate(places):
        if who == "gm" or not do:
            got.append(
                (
                    f"{who} POST {path} {do} nothing",
                    send(grand_table, who, path, [("do", do)] if do else []),
                )
            )
        for text in some(WORDS, n, 2 if who == "gm" and not do else 1):
            pairs = [(field, do if field in ("do", "how") and do else text) for field in FIELDS]
            got.append(
                (f"{who} POST {path} {do} {text[:30]!r}", send(grand_table, who, path, pairs))
            )
    assert fails(got) == []
    assert len(got) > 2 * len(known) - len(WHO), "addresses have been left out"


def the_forms(grand_table: GrandTable, who: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each kind of form on this reader's pages, with the address to which it is sent."""
    kinds: dict[tuple[str, ...], tuple[str, list[tuple[str, str]]]] = {}
    for path in [*(path for _, path in everywhere()), "n/huns/", "desk/?fix=adjust"]:
        at = whole(grand_table, path)
        answer = grand_table.clients[who].get(at)
        for form in (
            parse_forms(answer.content.decode())
            if "html" in answer.headers.get("Content-Type", "")
            else []
        ):
            action = form.action.split("#")[0]
            names = tuple(name for name, _ in form.fields)
            kinds.setdefault(
                (action, *names), (action if action.startswith("/") else at, form.fields)
            )
    return list(kinds.values())


@pytest.mark.long
@pytest.mark.parametrize("who", ["hun", pytest.param("gm", marks=pytest.mark.nightly)])
def test_a_form_with_one_spoilt_field_is_refused_in_words(
    grand_table: GrandTable, who: str
) -> None:
    """The field is missing, sent twice, or nonsense; the others are as on the page.

    The Hun sends only some, because most forms are the game master's, too.
    """
    got = []
    for n, (to, fields) in enumerate(the_forms(grand_table, who)):
        names = [name for name, _ in fields if name != "csrfmiddlewaretoken"][:30]
        if "sign-out" in to:
            continue
        for m, name in enumerate(names):
            rest = [(k, v) for k, v in fields if k != name]
            old = [(k, v) for k, v in fields if k == name]
            spoilt = [*rest, (name, some(WORDS, n + m, 1)[0])]
            wrong = [rest, spoilt] if who == "gm" else [rest if (n + m) % 2 else spoilt]
            for pairs in wrong if m else [*wrong, [*fields, *old]]:
                got.append(
                    (f"{who} {to} {name}: {pairs[-1:]!r}"[:200], send(grand_table, who, to, pairs))
                )
            if m == 0:
                htmx = {"HX-Request": "true", "HX-Target": "body", "HX-Current-URL": "\x00%ff"}
                got.append((f"{who} {to} htmx {name}", send(grand_table, who, to, spoilt, **htmx)))
    assert fails(got) == []


@pytest.mark.nightly
def test_very_large_requests_are_refused_in_words(grand_table: GrandTable) -> None:
    """Send a megabyte of text, thousands of fields, and a body that is not a form."""
    got = []
    big = "\u20ac" * (MEGABYTE // 3)
    wide = [
        "reason",
        "name",
        "card",
        "seen",
        "entry",
        "do",
        "login",
        "username",
        "back",
        "shape",
        "for",
    ]
    paths = (
        "move/",
        "preview/",
        "desk/",
        "b/1/",
        "seats/",
        "/found/",
        "/me/",
        "/me/absence/",
        "/sign-in/",
        "/sign-up/",
    )
    for n, path in enumerate(paths):
        for name in some(wide, n, 5):
            pairs = [
                ("do", "correct"),
                ("fix", "adjust"),
                ("move", "build"),
                ("offer", "x"),
                (name, big),
            ]
            got.append((f"{path} {name} big", send(grand_table, "gm", path, pairs)))
        many = [(f"f{n}", "") for n in range(1200)]
        got.append((f"{path} many", send(grand_table, "gm", path, many)))
        shape = [("shape", " ".join(f"k{n}:cards" for n in range(3000))), *[("k1", "spy")] * 900]
        got.append((f"{path} shape", send(grand_table, "gm", path, shape)))
        client, at = grand_table.clients["gm"], whole(grand_table, path)
        got.append(
            (f"{path} json", client.post(at, b'{"move": "start"', content_type="application/json"))
        )
        got.append(
            (
                f"{path} broken",
                client.post(at, b"--x\r\nbroken", content_type="multipart/form-data; boundary=x"),
            )
        )
        got.append(
            (f"{path} no boundary", client.post(at, b"x", content_type="multipart/form-data"))
        )
        got.append(
            (
                f"{path} charset",
                client.generic(
                    "POST", at, b"a=b", "application/x-www-form-urlencoded; charset=nope"
                ),
            )
        )
        got.append(
            (f"{path} file", client.post(at, {"reason": BytesIO(b"x"), "card": BytesIO(b"")}))
        )
        for method in ("put", "patch", "delete", "options", "head", "trace"):
            got.append((f"{path} {method}", getattr(client, method)(at)))
    assert fails(got) == []


@pytest.mark.nightly
def test_nonsense_founds_no_campaign(grand_table: GrandTable) -> None:
    got = []
    page = next(
        form
        for form in parse_forms(grand_table.text("gm", "/found/"))
        if "rules.die" in dict(form.fields)
    )
    names = [name for name, _ in page.fields if name != "csrfmiddlewaretoken"]
    for n, text in enumerate(WORDS):
        for name in names[n % 40 :: 40]:
            pairs = [
                (k, text if k == name else "Test" if k == "name" else v) for k, v in page.fields
            ]
            got.append((f"found {name}={text[:20]!r}", send(grand_table, "gm", "/found/", pairs)))
    assert fails(got) == []


@pytest.mark.parametrize("text", ["9" * 9, "9" * 20, "9" * 5000, "-1", "\u0661", "\x00", "1.0", ""])
def test_an_undo_works_after_nonsense(grand_table: GrandTable, text: str) -> None:
    assert send(grand_table, "hun", "undo/", [("seen", text)]).status_code == 303
    assert not grand_table.campaign.entries.exclude(struck_by=None).exists()
    assert b'class="toast' in grand_table.get("hun").content, "why not is said"


@pytest.mark.parametrize("text", ["\x00", "huns\x00", "x" * 5000, "9" * 30])
def test_an_unknown_seat_is_refused_in_words(grand_table: GrandTable, text: str) -> None:
    _, token = services.invite(grand_table.campaign, grand_table.people["gm"])
    assert send(grand_table, "stranger", f"/join/{token}/", [("seat", text)]).status_code == 410
    for who, status in {"gm": 302, "hun": 403, "nobody": 302}.items():
        assert (
            send(grand_table, who, "seats/", [("do", "vacate"), ("seat", text)]).status_code
            == status
        )
    assert send(grand_table, "gm", "seats/", [("do", "invite"), ("seat", text)]).status_code == 302

"""Discord and Steam imitated on this machine, at the edge of their protocols."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

CLIENT, SECRET, KEY = "123456789012345678", "the-secret-of-the-application", "0123456789ABCDEF" * 2
NAMESPACE = "http://specs.openid.net/auth/2.0"
INGRID = {
    "id": "876543210987654321",
    "username": "ingrid.fog",
    "global_name": "Ingrid",
    "email": "ingrid@example.org",
    "verified": True,
}


class Sites:
    """The two sites.

    `person` is the user at Discord, `steam` the user at Steam; `answers` are whole answers to give
    first: (status, body).
    """

    def __init__(self) -> None:
        self.person: dict[str, Any] = dict(INGRID)
        self.steam, self.steam_name = "76561198000000001", "Ingrid of Steam"
        self.answers: list[tuple[int, bytes]] = []
        self.asked: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.signed: set[str] = set()
        self.nonce = ""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def authorize(self, asked: dict[str, str]) -> str:
        """Return the address to which Discord redirects after consent, with a code for one use."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        code = f"code{len(self.codes)}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str]) -> tuple[int, Any]:
        asked = self.codes.pop(form.get("code", ""), None)
        proof = (
            base64.urlsafe_b64encode(
                hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            )
            .decode()
            .rstrip("=")
        )
        right = asked is not None and (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        if (
            asked is None
            or not right
            or form["redirect_uri"] != asked["redirect_uri"]
            or proof != asked["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "at-1", "token_type": "Bearer", "expires_in": "soon"}

    def openid(self, asked: dict[str, str]) -> str:
        """Return the address to which Steam redirects after sign-in, with its signature."""
        assert asked["openid.mode"] == "checkid_setup"
        back = asked["openid.return_to"]
        given = {
            "ns": NAMESPACE,
            "mode": "id_res",
            "op_endpoint": f"{self.url}/openid/login",
            "return_to": back,
            "claimed_id": f"{self.url}/openid/id/{self.steam}",
            "identity": f"{self.url}/openid/id/{self.steam}",
            "response_nonce": self.nonce,
            "assoc_handle": "1234567890",
            "sig": "c2lnbmF0dXJl",
            "signed": (
                "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle"
            ),
        }
        self.signed.add(json.dumps(given, sort_keys=True))
        return f"{back}&{urlencode({f'openid.{name}': value for name, value in given.items()})}"

    def check(self, form: dict[str, str]) -> str:
        given = {name.removeprefix("openid."): value for name, value in form.items()} | {
            "mode": "id_res"
        }
        right = json.dumps(given, sort_keys=True) in self.signed
        return f"ns:{NAMESPACE}\nis_valid:{'true' if right else 'false'}\n"


def _handler(sites: Sites) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Answers,), {"sites": sites})


class _Answers(BaseHTTPRequestHandler):
    """The answers of the other sites."""

    sites: Sites

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.sites.asked.append(f"GET {parts.path}")
        query = dict(parse_qsl(parts.query))
        if parts.path == "/oauth2/authorize":
            self.away(self.sites.authorize(query))
        elif parts.path == "/openid/login":
            self.away(self.sites.openid(query))
        elif self.sites.answers:
            self.answer(*self.sites.answers.pop(0))
        elif parts.path == "/api/users/@me":
            is_right = self.headers["Authorization"] == "Bearer at-1"
            self.answer(200 if is_right else 401, json.dumps(self.sites.person).encode())
        else:
            assert query == {"key": KEY, "steamids": self.sites.steam}
            player = {"steamid": self.sites.steam, "personaname": self.sites.steam_name}
            self.answer(200, json.dumps({"response": {"players": [player]}}).encode())

    def do_POST(self) -> None:
        self.sites.asked.append(f"POST {self.path}")
        form = dict(
            parse_qsl(
                self.rfile.read(int(self.headers["Content-Length"])).decode(),
                keep_blank_values=True,
            )
        )
        if self.sites.answers:
            self.answer(*self.sites.answers.pop(0))
        elif self.path == "/openid/login":
            self.answer(200, self.sites.check(form).encode())
        else:
            status, token = self.sites.token(form)
            self.answer(status, json.dumps(token).encode())

    def away(self, place: str) -> None:
        self.send_response(302)
        self.send_header("Location", place)
        self.end_headers()

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{self.sites.url}/elsewhere")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def address_after_consent(address: str) -> str:
    """Open the other site's page, consent, and return the address it redirects to, without host."""
    try:
        build_opener(_NoRedirect).open(address, timeout=5)
    except OSError as answer:
        parts = urlsplit(str(answer.headers["Location"]))  # type: ignore[attr-defined]
        return f"{parts.path}?{parts.query}"
    raise AssertionError("it led nowhere")


def state_parameter(address: str) -> str:
    """Return the parameter `state` of an address."""
    return parse_qs(urlsplit(address).query)["state"][0]

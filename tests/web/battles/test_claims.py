"""The page of a battle from the set-up to the ruling: claims, evidence, the lobby's password."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from PIL import Image

from battles.models import Evidence, LobbyPassword, Picture
from campaign import services
from campaign.models import LogEntry
from notices import webhooks
from notices.selectors import notices
from notices.wording import NoticeInWords, notices_in_words
from tests.web.contests import (
    challenge,
    play_to_turn,
    report_result,
    seen_number,
    siege,
    stored_contest,
    visible_text,
)
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]


def act(table: GrandTable, who: str, do: str, **given: Any) -> Any:
    table.campaign.refresh_from_db()
    stale = {"seen": seen_number(table, who)} if who in table.people else {}
    return table.clients[who].post(f"{table.home}b/1/", {"do": do, **stale, **given})


def claimed(table: GrandTable, who: str = "hun", **more: str) -> str:
    """Claim 31 to 46 and return the entry of the claim."""
    assert (
        act(
            table, who, "claim", by="shares", attacker="31", defender="46", sure="1", **more
        ).status_code
        == 302
    )
    return str(LogEntry.objects.get(act="claim").number)


def picture(form: str = "PNG", size: tuple[int, int] = (40, 30), **more: Any) -> SimpleUploadedFile:
    out = io.BytesIO()
    Image.new("RGB", size, "#336699").save(out, form, **more)
    return SimpleUploadedFile("screen.svg", out.getvalue(), content_type="image/svg+xml")


# Claims -------------------------------------------------------------------------------------------


def test_a_player_sees_the_consequences_before_claiming(siege: GrandTable) -> None:
    text = visible_text(siege.get("hun", "b/1/"))
    assert "Claim the result the other side confirms it" in text
    assert "Forfeit" not in text
    shown = visible_text(siege.get("hun", "b/1/", by="shares", attacker="31", defender="46"))
    assert "The Huns win." in shown
    assert "Consequences" in shown
    assert (
        "Nothing is rolled until the other side confirms. Until then you can withdraw the result."
        in shown
    )
    for who in ("stranger", "nobody"):
        assert "Claim the result" not in siege.text(who, "b/1/")


def test_the_other_side_confirms_and_it_is_applied(siege: GrandTable) -> None:
    number = claimed(siege, word="A long day")
    text = visible_text(siege.get("roman", "b/1/"))
    assert "Ingrid has claimed the result waits for you" in text
    assert "Huns 31% Romans 46% The Huns win. Romans 45% or more §9.1 “A long day”" in text
    assert "Siege" in text
    assert "Confirm the result" in text
    assert "Dispute…" in text
    assert "Claimed today" in text
    for who, line in (("hun", "Withdraw the claim"), ("gm", "Apply the claim")):
        page = visible_text(siege.get(who, "b/1/"))
        assert line in page
        assert "Dispute…" not in page
    assert act(siege, "roman", "confirm", claim=number).status_code == 302
    assert stored_contest(siege)["status"] == "resolved"
    text = visible_text(siege.get("nobody", "b/1/"))
    assert "Confirmed today" in text
    assert "Benedetto Applied" in text
    assert "The Romans confirm the result of battle #1." in text
    for page in ("reports/battle-1/", f"reports/turn-{siege.campaign.turn}/"):
        report = visible_text(siege.get("nobody", page, dialect="html"))
        assert "The result of #1 Dalmatia: routed 31–46" in report
        assert "Claimed by Ingrid, confirmed by Benedetto." in report
        assert "enters the result" not in report, "two players agreed on it"
    number = siege.campaign.last_number
    for page in ("log/", f"e/{number}/"):
        log = visible_text(siege.get("nobody", page))
        assert "The result of #1 Dalmatia: routed 31–46" in log
        assert "enters the result" not in log, "two players agreed on it"
    assert "Claimed by Ingrid, confirmed by Benedetto." in visible_text(siege.get("nobody", "log/"))


AGREED = "The result of #1 Dalmatia: routed 31–46. Claimed by Ingrid, confirmed by Benedetto."


def notices_of(siege: GrandTable, who: str) -> list[NoticeInWords]:
    """Return a user's notices in words."""
    return notices_in_words(notices(siege.people[who]))


def test_no_text_says_that_the_game_master_enters_a_result_that_players_agreed_on(
    siege: GrandTable,
) -> None:
    assert act(siege, "roman", "confirm", claim=claimed(siege)).status_code == 302
    siege.campaign.refresh_from_db()
    number = siege.campaign.last_number
    (notice,) = (notice for notice in notices_of(siege, "hun") if notice.notice.kind == "result")
    assert (notice.title, notice.body) == ("Battle #1 has been decided", AGREED)
    assert AGREED in visible_text(siege.clients["hun"].get("/notices/"))
    entry = siege.get(
        "nobody", f"/api/v1/campaigns/{siege.campaign.public_id}/log/{number}/"
    ).json()
    assert entry["text"] == "The result of #1 Dalmatia: routed 31–46"
    (sent,) = webhooks.public_entries(siege.campaign, number, number)
    assert sent["text"] == "The result of #1 Dalmatia: routed 31–46"
    listed = visible_text(siege.get("gm", "desk/"))
    assert "enters the result" not in listed
    undo = services.undo_to(
        siege.campaign, siege.people["gm"], number - 1, "a slip", siege.seen("gm")
    )
    report = siege.text("nobody", f"reports/undo-{undo.number}/", dialect="plain")
    assert "- The result of #1 Dalmatia: routed 31–46" in report
    assert "enters the result" not in report


def test_a_result_of_the_game_masters_own_names_them(siege: GrandTable) -> None:
    assert report_result(siege, 1, "shares", attacker="31", defender="46").status_code == 302
    (notice,) = (notice for notice in notices_of(siege, "hun") if notice.notice.kind == "result")
    assert notice.body == "Game master: enters the result of #1 Dalmatia: routed 31–46"


def test_a_confirmation_of_consequences_that_have_changed_is_asked_again(siege: GrandTable) -> None:
    number, before = claimed(siege), seen_number(siege, "roman")
    siege.play("gm", "adjust", nation="romans", account="prestige", change=1, reason="Post 12")
    response = siege.post("roman", "b/1/", do="confirm", claim=number, seen=before)
    assert response.status_code == 409
    assert stored_contest(siege)["status"] == "fighting"


def test_a_confirmation_is_entered_if_other_things_have_happened(siege: GrandTable) -> None:
    number, before = claimed(siege), seen_number(siege, "roman")
    siege.play("huns", "end-slot")
    assert siege.post("roman", "b/1/", do="confirm", claim=number, seen=before).status_code == 302
    assert stored_contest(siege)["status"] == "resolved"


def test_the_game_master_rules_on_a_dispute(siege: GrandTable) -> None:
    number = claimed(siege)
    assert act(siege, "roman", "dispute", claim=number, reason=" ").status_code == 422
    assert act(siege, "roman", "dispute", claim=number, reason="<b>41</b>-46").status_code == 302
    page = siege.text("gm", "b/1/")
    assert "&lt;b&gt;41&lt;/b&gt;-46" in page
    assert "Enter a different result as game master" in visible_text(page)
    assert "You: rule on battle #1 , Pannonia → Dalmatia waits for you" in visible_text(
        siege.get("gm", "desk/")
    )
    shown = visible_text(siege.get("gm", "b/1/", by="shares", attacker="46", defender="31"))
    assert "Reason, visible to everyone" in shown
    typed = {"by": "shares", "attacker": "46", "defender": "31", "claim": number}
    assert act(siege, "gm", "judge", **typed, reason="").status_code == 422
    assert act(siege, "gm", "judge", **typed, reason="The screen").status_code == 302
    assert stored_contest(siege)["outcome"] == "defender"
    assert "Judged today" in visible_text(siege.get("nobody", "b/1/"))
    report = siege.text("nobody", "reports/battle-1/", dialect="plain")
    course = "Claimed by Ingrid. Disputed by Benedetto: “&lt;b&gt;41&lt;/b&gt;-46”."
    assert f"{course} The game master Marozia ruled differently: “The screen”." in report


def test_the_desk_applies_a_claim_for_both(siege: GrandTable) -> None:
    number = claimed(siege)
    text = visible_text(siege.get("gm", "desk/"))
    assert (
        "Dalmatia 31 Huns 46 Romans The Huns win. §9.1 Claimed #1: Ingrid , The Huns win. entry"
        in text
    )
    assert "Apply for both sides" in text
    response = act(siege, "gm", "judge", claim=number, back="desk")
    assert (response.status_code, response["Location"]) == (302, siege.home + "desk/")
    assert stored_contest(siege)["outcome"] == "attacker"


def test_every_page_says_whom_a_claim_waits_for(siege: GrandTable) -> None:
    number = claimed(siege)
    assert "You : confirm the result #1" in visible_text(siege.get("roman"))
    assert "Benedetto : confirm the result #1" in visible_text(siege.get("hun"))
    assert "Claimed Benedetto has to confirm" in visible_text(siege.get("nobody", "battles/"))
    assert "confirm the result" in visible_text(siege.get("gm", "desk/"))
    act(siege, "roman", "dispute", claim=number, reason="no")
    assert "Marozia : judge the result #1" in visible_text(siege.get("hun"))
    assert "Disputed Marozia has to decide" in visible_text(siege.get("nobody", "battles/"))


ACTS: dict[str, tuple[dict[str, str], tuple[int, ...]]] = {
    # For each act: what it needs, and the statuses for game master, Hun, Roman, stranger and an
    # anonymous reader; the Hun has made a claim.
    "set-up": ({}, (403, 302, 422, 403, 302)),
    "claim": ({"by": "winner", "side": "draw"}, (403, 422, 422, 403, 302)),
    "withdraw": ({"claim": "?"}, (403, 302, 403, 403, 302)),
    "confirm": ({"claim": "?"}, (403, 403, 302, 403, 302)),
    "dispute": ({"claim": "?", "reason": "no"}, (403, 403, 302, 403, 302)),
    "judge": ({"claim": "?"}, (302, 403, 403, 403, 302)),
    "password": ({"password": "x"}, (403, 302, 302, 403, 302)),
    "link": ({"url": "https://forum.example/1"}, (302, 422, 422, 403, 302)),
    "picture": ({}, (422, 422, 422, 422, 422)),
    "agree": ({"to": "naval", "yes": "1"}, (422, 422, 422, 422, 422)),
    "nonsense": ({}, (404, 404, 404, 404, 404)),
}


@pytest.mark.parametrize("do", ACTS)
def test_each_act_is_allowed_to_the_right_people(siege: GrandTable, do: str) -> None:
    number = claimed(siege)
    given, expected = ACTS[do]
    given = {key: number if value == "?" else value for key, value in given.items()}
    once = do in ("set-up", "link")  # the first reader who may does it, the next ones find it done
    answers = []
    for who in WHO:
        if not once and do not in ("password", "nonsense", "picture", "agree", "claim"):
            answers.append(act(siege, who, do, **given).status_code)
            if answers[-1] == 302 and who != "nobody":
                break
        else:
            answers.append(act(siege, who, do, **given).status_code)
    assert tuple(answers) == expected[: len(answers)]


# The forum's line ---------------------------------------------------------------------------------


def test_the_pasted_line_fills_the_form(siege: GrandTable) -> None:
    line = (
        "Ingrid *Hunnic (Western) 376-454 AD* (1600) beats Benedetto *Roman 425-492 AD* (1600)"
        " 46-31"
    )
    page = siege.text("hun", "b/1/", by="shares", read="1", line=line)
    assert (
        'name="attacker" inputmode="decimal" autocomplete="off" maxlength="8"'
        ' aria-describedby="shares-help" required value="31"' in page
    )
    assert (
        "Huns (Ingrid, Hunnic Western 376-454 AD): 31% Romans (Benedetto, Roman 425-492 AD): 46%"
        in visible_text(page)
    )
    assert "The Huns win." in visible_text(page)
    shown = visible_text(
        siege.get("hun", "b/1/", by="shares", read="1", line="Zoe beats Yan 46-23")
    )
    assert "The sides could not be identified" in shown
    claimed(siege, line=line)
    assert "Ingrid *Hunnic (Western) 376-454 AD* (1600) beats Benedetto" in visible_text(
        siege.get("nobody", "b/1/")
    )


# The lobby ----------------------------------------------------------------------------------------


def test_only_the_two_players_and_the_game_master_see_the_password(siege: GrandTable) -> None:
    secret = "hunter-two-of-dalmatia"
    assert act(siege, "hun", "password", password=secret).status_code == 302
    kept = LobbyPassword.objects.get()
    assert secret not in kept.sealed
    assert not any(secret in entry.content_json for entry in LogEntry.objects.all())
    for who in WHO:
        shown = siege.get(who, "b/1/", lobby="show")
        assert (secret in shown.content.decode()) == (who in ("gm", "hun", "roman")), who
        assert secret not in siege.text(who, "b/1/")
        for path in ("log/", "reports/battle-1/", "record.json", "battles/"):
            assert secret not in siege.text(who, path)
    assert "no-store" in siege.get("roman", "b/1/", lobby="show")["Cache-Control"]
    act(siege, "roman", "password", password="")
    assert not LobbyPassword.objects.exists()


def test_set_up_is_a_stage(siege: GrandTable) -> None:
    assert "Set up awaited" in visible_text(siege.get("nobody", "b/1/"))
    chips = {
        path: re.findall(r'<span class="chip[^"]*">([^<]+)', siege.text("gm", path))
        for path in ("b/1/", "battles/", "", "desk/")
    }
    assert all(
        "Set-up awaited" in result and "In play" not in result for result in chips.values()
    ), chips
    assert act(siege, "roman", "set-up").status_code == 302
    assert "Set up today" in visible_text(siege.get("nobody", "b/1/"))
    chips = {
        path: re.findall(r'<span class="chip[^"]*">([^<]+)', siege.text("gm", path))
        for path in chips
    }
    assert all(
        "In play" in result and "Set-up awaited" not in result for result in chips.values()
    ), chips


# Evidence -----------------------------------------------------------------------------------------


def test_a_picture_is_encoded_again_and_served_only_as_a_picture(siege: GrandTable) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Anna's home"
    assert act(siege, "roman", "picture", picture=picture("JPEG", exif=exif)).status_code == 302
    shown = Evidence.objects.get()
    kept = bytes(Picture.objects.get().content)
    assert b"Anna" not in kept
    assert Image.open(io.BytesIO(kept)).format == "WEBP"
    assert shown.digest in shown.entry.content_json
    for who in WHO:
        response = siege.get(who, f"b/1/evidence/{shown.entry.number}/")
        assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert siege.get("gm", "b/1/evidence/0/").status_code == 404
    assert siege.get("gm", f"b/2/evidence/{shown.entry.number}/").status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a" + b"\0" * 50,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 80,
    ],
)
def test_a_file_that_is_not_a_picture_is_refused(siege: GrandTable, sent: bytes) -> None:
    assert (
        act(siege, "hun", "picture", picture=SimpleUploadedFile("a.png", sent)).status_code == 422
    )
    assert not Picture.objects.exists()


def test_pictures_too_large_are_refused_before_they_are_read(siege: GrandTable) -> None:
    bomb = picture(size=(9000, 2300))
    assert "20 megapixels" in visible_text(act(siege, "hun", "picture", picture=bomb))
    heavy = SimpleUploadedFile("a.png", b"\x89PNG" + b"\0" * (5 * 1024 * 1024))
    assert "larger than 5 MB" in visible_text(act(siege, "hun", "picture", picture=heavy))
    assert not Picture.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example",
        "javascript:alert(1)",
        "https://",
        "//a.example",
        "https://a b",
        "data:text/html,x",
    ],
)
def test_only_https_links_are_accepted(siege: GrandTable, url: str) -> None:
    assert act(siege, "hun", "link", url=url).status_code == 422
    assert not Evidence.objects.exists()


def test_a_link_is_shown_as_text(siege: GrandTable) -> None:
    url = 'https://forum.example/?a="><script>1</script>'
    act(siege, "hun", "link", url=url)
    page = siege.text("nobody", "b/1/")
    assert "<script>1" not in page
    assert 'rel="noopener nofollow noreferrer"' in page
    assert url not in LogEntry.objects.order_by("-sequence")[0].content_json


def test_hash_and_reason_stay_after_the_host_erases_a_picture(siege: GrandTable) -> None:
    act(siege, "roman", "picture", picture=picture())
    shown = Evidence.objects.get()
    call_command(
        "erase_evidence", siege.campaign.public_id, str(shown.entry.number), "A face is seen"
    )
    assert not Picture.objects.exists()
    assert siege.get("gm", f"b/1/evidence/{shown.entry.number}/").status_code == 404
    text = visible_text(siege.get("nobody", "b/1/"))
    assert "A picture, erased today" in text
    assert "A face is seen" in text
    assert shown.digest[:12] in text


# At sea -------------------------------------------------------------------------------------------


def test_a_naval_battle_needs_the_agreement_of_both(grand_table: GrandTable) -> None:
    grand_table.play("gm", "set-owner", province="africa", owner="huns", reason="test")
    play_to_turn(grand_table, 2, {"huns": [("fleet", {"province": "africa"})]})
    grand_table.slot_to("huns")
    grand_table.play("huns", "attack", kind="amphibious", **{"from": "africa", "target": "sicilia"})
    assert "No one has agreed yet." in visible_text(grand_table.get("nobody", "b/1/"))
    assert "First confirm on your own page" in visible_text(grand_table.get("hun", "b/1/"))
    assert act(grand_table, "hun", "agree", to="naval", yes="1").status_code == 422
    for who in ("hun", "roman"):
        grand_table.people[who].owns_mare_nostrum = True
        grand_table.people[who].save()
    result = {"by": "naval", "side": "attacker", "sure": "1"}
    assert act(grand_table, "hun", "agree", to="naval", yes="1").status_code == 302
    assert act(grand_table, "hun", "claim", **result).status_code == 422
    assert act(grand_table, "roman", "agree", to="naval", yes="1").status_code == 302
    assert "Both sides agree: the result can be claimed." in visible_text(
        grand_table.get("nobody", "b/1/")
    )
    assert act(grand_table, "hun", "claim", **result).status_code == 302
    assert "The Huns win. In the naval battle §8.2" in visible_text(
        grand_table.get("roman", "b/1/")
    )


# Neutral commands ---------------------------------------------------------------------------------


def test_the_page_shows_who_has_led_independents_and_how_often(grand_table: GrandTable) -> None:
    assert "Neutral commands" not in grand_table.text("nobody", "battles/")
    grand_table.play("huns", "attack", kind="land", **{"from": "hunnia", "target": "moesia-prima"})
    leader = stored_contest(grand_table)["leader"]
    assert leader
    text = visible_text(grand_table.get("nobody", "battles/"))
    assert "Neutral commands nations that lead independent provinces §7.9" in text
    assert "commanded last 1 1 #1 Moesia Prima" in text


def test_pages_of_a_claimed_battle_need_few_queries(
    siege: GrandTable, django_assert_max_num_queries: Any
) -> None:
    claimed(siege)
    act(siege, "roman", "link", url="https://forum.example/1")
    act(siege, "hun", "password", password="x")
    for path in ("b/1/", "desk/", "battles/"):
        siege.get("gm", path)
        with django_assert_max_num_queries(13):
            assert siege.get("gm", path).status_code == 200


def test_a_waiting_claim_is_on_the_page_of_the_nation(siege: GrandTable) -> None:
    before = visible_text(siege.get("roman", "n/romans/"))
    number = claimed(siege)
    page = siege.text("roman", "n/romans/")
    text = visible_text(page)
    assert "has claimed the result of battle #1" not in before
    assert (
        "Ingrid has claimed the result of battle #1 Nothing is posted until you confirm it." in text
    )
    assert f'href="{siege.home}b/1/#claim">Confirm or dispute</a>' in page
    assert "It waits until the Romans confirm or dispute it. You can decide it." in visible_text(
        siege.get("gm", "n/romans/")
    )
    for who in ("hun", "stranger", "nobody"):
        assert "has claimed the result of battle #1" not in siege.text(who, "n/romans/")
        assert "has claimed the result of battle #1" not in siege.text(who, "n/huns/")
    assert act(siege, "roman", "dispute", claim=number, reason="It was 46 to 31").status_code == 302
    assert "has claimed the result of battle #1" not in siege.text("roman", "n/romans/"), (
        "it waits for the game master now"
    )


def test_a_claim_has_one_primary_button(siege: GrandTable) -> None:
    def strong(who: str, **query: str) -> list[str]:
        page = siege.text(who, "b/1/", **query)
        return [
            visible_text(label).strip()
            for label in re.findall(
                r'<button class="button button--primary"[^>]*>(.*?)</button>', page, re.S
            )
        ]

    number = claimed(siege)
    assert strong("roman") == ["Confirm the result"]
    assert act(siege, "roman", "dispute", claim=number, reason="It was 46 to 31").status_code == 302
    assert strong("gm") == ["Apply the claim"]
    assert strong("gm", by="shares", attacker="46", defender="31") == ["Apply this ruling"]

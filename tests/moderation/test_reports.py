"""Reports of abusive texts: who may decide, who learns of it, and the verification afterwards."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from battles import services as battles
from battles.models import Battle, Evidence
from campaign import founding, services
from campaign.access import NO_ACCESS
from campaign.errors import NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.log import lines, record, removal
from campaign.log.entries import body
from campaign.log.talk import proclaim
from campaign.log.talk import talk as table_talk
from campaign.models import Campaign, LogEntry
from engine.strict_json import entry_hash
from forum.models import Post, ReportComment, Thread
from moderation import services as moderation
from moderation import targets
from moderation.models import AbuseReport, Removal
from moderation.targets import NoSuchText
from notices.models import Notice
from people import tokens
from people.models import HostAct, User
from talk import services as talk
from talk.models import Message
from tests.web.contests import attack_dalmatia
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign  # noqa: F401
from web.exports.pack_contents import Pack

pytestmark = [pytest.mark.django_db]
FOUL = "The Romans are swine & thieves."


@pytest.fixture
def moderator(person: Callable[..., Any]) -> User:
    user: User = person("Thecla")
    call_command("moderator", "Thecla")
    user.refresh_from_db()
    return user


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def press(
    grand_table: GrandTable,  # noqa: F811
    who: str = "hun",
    headline: str = "To all peoples",
    text: str = FOUL,
) -> LogEntry:
    return proclaim(grand_table.campaign, grand_table.people[who], headline, text)


def ref(grand_table: GrandTable, entry: LogEntry) -> str:  # noqa: F811
    return f"{grand_table.campaign.public_id}.{entry.number}"


def notified(user: Any, kind: str) -> list[Any]:
    return [notice.facts for notice in Notice.objects.filter(user=user, kind=kind).order_by("pk")]


def test_a_proclamation_from_report_to_removal(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    entry = press(grand_table)
    page = f"/report/entry/{ref(grand_table, entry)}/"
    assert grand_table.statuses(page) == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 200,
        "nobody": 302,
    }
    assert f'href="{page}"' in grand_table.text("roman", "press/")
    assert f'href="{page}"' not in grand_table.text("hun", "press/"), "not the author's own"
    assert f'href="{page}"' not in grand_table.text("nobody", "press/")
    assert grand_table.post("hun", page, reason="x").status_code == 400
    assert grand_table.post("roman", page, reason="\u202e").status_code == 400
    with django_capture_on_commit_callbacks(execute=True):
        assert grand_table.post("roman", page, reason="An insult.").status_code == 302
        assert grand_table.post("roman", page, reason="Again.").status_code == 302
    row = AbuseReport.objects.get()
    assert (row.reason, row.author, row.to_masters, row.campaign) == (
        "An insult.",
        grand_table.people["hun"],
        True,
        grand_table.campaign,
    )
    assert row.text == f"To all peoples\n{FOUL}"
    assert "swine" not in row.sealed
    assert [message.to for message in mail.outbox] == [[moderator.email]]
    # The game master and the moderators read it, and no one else learns of it.
    assert grand_table.statuses("reported/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert "swine" in grand_table.text("gm", "reported/")
    assert grand_table.statuses("/moderation/") == {
        "gm": 404,
        "hun": 404,
        "roman": 404,
        "stranger": 404,
        "nobody": 302,
    }
    assert notified(grand_table.people["gm"], "message-reported") == [{}]
    assert not Notice.objects.filter(
        user=grand_table.people["hun"], kind="message-reported"
    ).exists()
    host = signed_in(moderator)
    queue = host.get("/moderation/").content.decode()
    assert "swine &amp; thieves" in queue
    assert "An insult." in queue
    grand_table.post("gm", "reported/", report=str(row.pk))
    assert notified(grand_table.people["roman"], "report-settled") == [
        {"outcome": "seen", "reason": ""}
    ]
    # A removal needs a reason; without it nothing is done and nothing typed is lost.
    answer = host.post("/moderation/", {"do": "remove", "report": row.pk, "words": " "})
    assert answer.status_code == 422
    assert "Give a reason" in answer.content.decode()
    assert (
        host.post(
            "/moderation/", {"do": "remove", "report": row.pk, "words": "Insults a player."}
        ).status_code
        == 302
    )
    assert notified(grand_table.people["roman"], "report-settled")[-1] == {
        "outcome": "removed",
        "reason": "",
    }
    assert notified(grand_table.people["hun"], "text-removed") == [{"reason": "Insults a player."}]
    assert (
        host.post("/moderation/", {"do": "remove", "report": row.pk, "words": "Again."}).status_code
        == 422
    )
    assert Removal.objects.get().text == f"To all peoples\n{FOUL}"
    # The removed text is not shown where it was reported either.
    for page in (grand_table.text("gm", "reported/"), grand_table.text("roman", "/me/reports/")):
        assert "swine" not in page
        assert "Insults a player." in page


FILES = ("log.csv", "ledger/", "n/romans/", "reports/turn-1/", "live/?at=0")


def everywhere(grand_table: GrandTable, who: str) -> str:  # noqa: F811
    """Return everything that a user reads where a text of the log may appear."""
    paths = [*("", "log/", "press/", "history/", "about/", "notices/", "/notices/"), *FILES]
    numbers = range(grand_table.campaign.last_number + 2)
    return "".join(
        grand_table.get(who, path).content.decode()
        for path in (*paths, *(f"e/{number}/" for number in numbers))
    )


def test_a_removed_text_is_nowhere_and_the_chain_holds(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    grand_table.play(
        "gm", "adjust", nation="romans", account="victory_points", change=1, reason=FOUL
    )
    correction = grand_table.campaign.entries.latest("sequence")
    proclaimed = press(grand_table)
    Campaign.objects.filter(pk=grand_table.campaign.pk).update(press_reported=True)
    grand_table.campaign.refresh_from_db()
    before = grand_table.campaign.entries.values("hash", "number").order_by("sequence")
    hashes = [entry["hash"] for entry in before]
    assert "swine" in everywhere(grand_table, "nobody")
    assert list(differences(grand_table.campaign)) == []
    for entry in (correction, proclaimed):
        moderation.remove_text(
            moderator, "entry", ref(grand_table, entry), "Insults <b>a player</b>."
        )
    grand_table.campaign = Campaign.objects.get(pk=grand_table.campaign.pk)
    for who in WHO:
        assert "swine" not in everywhere(grand_table, who), who
    shown = grand_table.text("nobody", f"e/{correction.number}/")
    assert "Removed by the host’s moderator on" in shown
    assert "Insults &lt;b&gt;a player&lt;/b&gt;." in shown
    assert "<b>a player" not in shown
    italian = grand_table.clients["nobody"].get(
        grand_table.home + f"e/{correction.number}/", headers={"Accept-Language": "it"}
    )
    assert "swine" not in italian.content.decode()
    # No hash has changed, and the audit, which has the key, finds every word of old under it.
    grand_table.campaign.refresh_from_db()
    assert [entry.hash for entry in grand_table.campaign.entries.order_by("sequence")][
        : len(hashes)
    ] == hashes
    assert list(differences(grand_table.campaign)) == []
    stored = LogEntry.objects.get(pk=correction.pk)
    assert "swine" not in stored.content_json + stored.effects + str(stored.removed) + stored.sealed
    # A changed text, or one that is opened again, is found.
    LogEntry.objects.filter(pk=correction.pk).update(
        content_json=stored.content_json.replace("Insults", "Praises")
    )
    assert any(
        "differs from the decision" in difference
        for difference in differences(grand_table.campaign)
    )
    LogEntry.objects.filter(pk=correction.pk).update(content_json=stored.content_json)
    with pytest.raises(NoSuchText):
        targets.find_target("entry", ref(grand_table, correction))
    assert json.loads(json.dumps(record.full_record(grand_table.campaign)))["moves"]
    assert "swine" not in json.dumps(record.full_record(grand_table.campaign))


def test_an_exported_pack_names_the_removals(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
    tmp_path: Any,
) -> None:
    entry = press(grand_table)
    last = press(grand_table, headline="A second one", text="All is well.")
    moderation.remove_text(moderator, "entry", ref(grand_table, entry), "Insults a player.")
    grand_table.campaign.refresh_from_db()
    file = io.BytesIO()
    Pack(grand_table.campaign, NO_ACCESS).write(file)
    archive = zipfile.ZipFile(file)
    assert not [name for name in archive.namelist() if b"swine" in archive.read(name)]
    archive.extractall(tmp_path)

    def verify() -> str:
        command = [sys.executable, "-I", "verify.py", "."]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout

    output = verify()
    assert f"entry {entry.sequence}: a text was removed on" in output
    assert grand_table.campaign.last_hash in output
    assert output.endswith("No faults were found.\n")
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    # The audit names another text in its place, or a removal without a decision.
    changed = json.loads(lines[entry.sequence])
    changed["body"]["what"] = changed["body"]["what"].replace("sha256:", "Praises")
    (tmp_path / "log.jsonl").write_text(
        "\n".join([*lines[: entry.sequence], json.dumps(changed), *lines[entry.sequence + 1 :]])
    )
    assert f"entry {entry.sequence}: its hash does not match" in verify()
    forged = {
        "removed": "2026-01-01",
        **{key: json.loads(lines[last.sequence])[key] for key in ("hash", "body")},
    }
    (tmp_path / "log.jsonl").write_text(
        "\n".join([*lines[: last.sequence], json.dumps(forged), *lines[last.sequence + 1 :]])
    )
    assert f"no entry records the removal of texts from {{{last.sequence}}}" in verify()


def test_a_text_of_an_older_entry_takes_the_proof_of_its_entry_along(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    """An entry from before texts had salts covers the text itself.

    Without the text the hash cannot be computed again.
    """
    entry = press(grand_table)
    covered = body(entry, None, [])
    LogEntry.objects.filter(pk=entry.pk).update(
        salt="",
        hash=entry_hash(
            grand_table.campaign.entries.get(sequence=entry.sequence - 1).hash,
            {**covered, "what": entry.content_json},
        ),
    )
    Campaign.objects.filter(pk=grand_table.campaign.pk).update(
        last_hash=LogEntry.objects.get(pk=entry.pk).hash
    )
    older = Campaign.objects.get(pk=grand_table.campaign.pk)
    assert list(differences(older)) == []
    moderation.remove_text(moderator, "entry", ref(grand_table, entry), "Insults a player.")
    older.refresh_from_db()
    assert list(differences(older)) == []
    line = lines.line(LogEntry.objects.get(pk=entry.pk))
    assert "swine" not in json.dumps(line)
    assert "Insults a player." in line["body"]["what"]
    assert sorted(line) == ["body", "hash", "removed"]


def test_a_message_shows_its_gap_and_the_rule_says_who_reads_the_report(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    hun, roman = grand_table.people["hun"], grand_table.people["roman"]
    talk.write(grand_table.campaign, hun, ["romans"], "Between the two of us.")
    message = talk.write(grand_table.campaign, hun, ["romans"], "I will burn your house.")
    name = f"{message.conversation.key}.2"
    assert grand_table.statuses(f"/report/message/{name}/") == {
        "gm": 404,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 302,
    }
    row = moderation.report(roman, "message", name, "A threat.")
    assert row.to_masters
    assert "burn" in grand_table.text("gm", "reported/")
    assert "Between the two" not in grand_table.text("gm", "reported/")
    host = signed_in(moderator)
    assert "Between the two" not in host.get("/moderation/").content.decode()
    assert host.get(grand_table.home + f"talk/{message.conversation.key}/").status_code == 403, (
        "a moderator reads what is reported, no more"
    )
    rows = Campaign.objects.filter(pk=grand_table.campaign.pk).values("last_hash", "last_sequence")
    log_before = rows.get()
    moderation.remove(moderator, row, "Threatens somebody.")
    assert rows.get() == log_before, "the log knows nothing of talk"
    for who in ("hun", "roman"):
        for path in (f"talk/{message.conversation.key}/", "talk/", "talk/messages.txt"):
            page = grand_table.text(who, path)
            assert "burn" not in page
            assert "Threatens somebody." in page
    assert Message.objects.get(pk=message.pk).text == ""
    Campaign.objects.filter(pk=grand_table.campaign.pk).update(sight="addressed")
    grand_table.campaign.refresh_from_db()
    closed = talk.write(grand_table.campaign, hun, ["romans"], "Only for you.")
    assert not moderation.report(
        roman, "message", f"{closed.conversation.key}.{closed.number}"
    ).to_masters


def test_a_game_master_who_leads_a_nation_reads_no_reported_messages(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    gm, roman = grand_table.people["gm"], grand_table.people["roman"]
    services.take_seat_as_master(grand_table.campaign, gm, "vandals")
    message = talk.write(
        grand_table.campaign, grand_table.people["hun"], ["romans"], "We attack the Vandals."
    )
    moderation.report(roman, "message", f"{message.conversation.key}.{message.number}", "A test.")
    assert notified(gm, "message-reported") == []
    assert "Vandals." not in grand_table.text("gm", "reported/")
    services.vacate(grand_table.campaign, gm, "vandals")
    assert "We attack" not in grand_table.text("gm", "reported/")


def test_a_game_master_who_wrote_it_does_not_read_who_reported_it(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    gm = grand_table.people["gm"]
    table_talk(grand_table.campaign, gm, "Be quiet, all of you.")
    entry = grand_table.campaign.entries.latest("sequence")
    row = moderation.report(grand_table.people["roman"], "entry", ref(grand_table, entry), "Rude.")
    assert not row.to_masters
    assert "Rude." not in grand_table.text("gm", "reported/")
    with pytest.raises(NotAllowed):
        moderation.reports_for_game_master(grand_table.campaign, grand_table.people["roman"])
    moderation.dismiss(moderator, row, "It is rude and allowed.")
    assert notified(grand_table.people["roman"], "report-settled") == [
        {"outcome": "dismissed", "reason": "It is rude and allowed."}
    ]
    assert "It is rude and allowed." in grand_table.text("roman", "/me/reports/")


def test_one_decision_serves_all_reporters_and_no_party_decides(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    entry = press(grand_table)
    for who in ("roman", "stranger"):
        moderation.report(grand_table.people[who], "entry", ref(grand_table, entry), "Insulting.")
    own = moderation.report(moderator, "entry", ref(grand_table, entry))
    with pytest.raises(NotAllowed):
        moderation.remove(moderator, own, "Mine.")
    with pytest.raises(NotAllowed):
        moderation.dismiss(grand_table.people["gm"], own)
    own.delete()
    mail.outbox.clear()  # the moderators have read of the first report
    with django_capture_on_commit_callbacks(execute=True):
        moderation.warn(
            moderator, AbuseReport.objects.latest("pk"), "Write of deeds, not of people."
        )
    assert {report.outcome for report in AbuseReport.objects.all()} == {"warned"}
    assert notified(grand_table.people["hun"], "warned") == [
        {"reason": "Write of deeds, not of people."}
    ]
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (
        [grand_table.people["hun"].email],
        f"A warning from {moderation._site_facts()['site']}",
    )
    assert "Write of deeds, not of people." in letter.body
    assert HostAct.objects.get(act="warned").by == moderator
    for who in ("roman", "stranger"):
        assert notified(grand_table.people[who], "report-settled")[-1]["outcome"] == "warned"


def test_what_stands_beside_the_log(
    draft: GrandTable,  # noqa: F811
    moderator: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    grand_table, roman = draft, draft.people["roman"]  # noqa: F811
    founding.open_lobby(grand_table.campaign, grand_table.people["gm"], "Only for real men.")
    grand_table.campaign.refresh_from_db()
    key = grand_table.campaign.public_id
    for kind in ("lobby", "campaign"):
        moderation.report(roman, kind, key, "Not here.")
    moderation.report(roman, "person", str(grand_table.people["hun"].pk), "A name to offend.")
    assert AbuseReport.objects.filter(to_masters=True).count() == 0, (
        "the game master wrote two of them, the third is of no campaign"
    )
    with django_capture_on_commit_callbacks(execute=True):
        for row in list(AbuseReport.objects.order_by("pk")):
            moderation.remove(moderator, row, "Shuts people out.")
    grand_table.campaign = Campaign.objects.get(pk=grand_table.campaign.pk)
    assert grand_table.campaign.name == f"Campaign {key}"
    assert "real men" not in grand_table.text("nobody", "lobby/")
    hun = User.objects.get(pk=grand_table.people["hun"].pk)
    assert hun.username == f"Name removed {hun.pk}"
    log_page = grand_table.text("nobody", "log/")
    assert "removes the name of the campaign: Shuts people out." in log_page
    assert "removes the words of the lobby: Shuts people out." in log_page
    assert list(differences(grand_table.campaign)) == []
    assert [message.subject for message in mail.outbox if message.to == [roman.email]] == [
        "A moderator has decided on your report"
    ]
    with pytest.raises(NoSuchText):
        targets.find_target("evidence", f"{key}.1", roman)
    assert not Evidence.objects.exists()


def test_members_only_and_hidden_things_are_no_way_in(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    moderator: User,
) -> None:
    grand_table = new_campaign(visibility="members")  # noqa: F811
    table_talk(grand_table.campaign, grand_table.people["hun"], "Among us.")
    entry = grand_table.campaign.entries.latest("sequence")
    for kind, name in (
        ("entry", ref(grand_table, entry)),
        ("campaign", grand_table.campaign.public_id),
        ("lobby", grand_table.campaign.public_id),
    ):
        assert grand_table.get("stranger", f"/report/{kind}/{name}/").status_code == 404
    # Numbers of users do not reveal their names.
    assert (
        grand_table.get("roman", f"/report/person/{grand_table.people['hun'].pk}/").status_code
        == 200
    )
    assert (
        grand_table.get("stranger", f"/report/person/{grand_table.people['hun'].pk}/").status_code
        == 404
    )
    for name in (
        "",
        "x",
        "abcdefgh.x",
        f"{grand_table.campaign.public_id}.99999",
        "\u0661",
        "." * 50,
        "\x00" * 8,
        "a\x00.1",
    ):
        for kind in (
            "entry",
            "message",
            "note",
            "person",
            "scenario",
            "evidence",
            "absence",
            "flavour",
            "nonsense",
        ):
            assert (
                grand_table.get("roman", f"/report/{kind}/{quote(name or '-')}/").status_code == 404
            ), (
                kind,
                name,
            )
    assert (
        grand_table.get("roman", f"/report/entry/{grand_table.campaign.public_id}.0/").status_code
        == 404
    ), "nobody typed the terms"


def test_an_address_goes_without_a_word_in_its_place(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    entry = services.link(
        grand_table.campaign, grand_table.people["gm"], 1, "https://board.example/foul-words"
    )
    assert "foul-words" in grand_table.text("nobody", "e/1/")
    moderation.remove_text(moderator, "entry", ref(grand_table, entry), "It leads to insults.")
    grand_table.campaign.refresh_from_db()
    assert "foul-words" not in everywhere(grand_table, "nobody")
    assert "It leads to insults." in grand_table.text("nobody", f"e/{entry.number}/")
    assert list(differences(grand_table.campaign)) == []
    assert (
        services.link(
            grand_table.campaign, grand_table.people["gm"], 1, "https://board.example/fine"
        )
        is not None
    )


def test_words_that_are_mixed_into_dice_stay(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    moderator: User,
) -> None:
    grand_table = new_campaign(chance="words")  # noqa: F811
    services.add_words(grand_table.campaign, grand_table.people["hun"], "huns", "swine")
    entry = grand_table.campaign.entries.latest("sequence")
    with pytest.raises((Refused, NoSuchText)):
        removal.remove_texts(grand_table.campaign, entry.sequence, "Insults.")


def test_so_many_reports_a_day(grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(moderation, "MOST_REPORTS", 1)
    roman, now = grand_table.people["roman"], timezone.now()
    moderation.report(roman, "campaign", grand_table.campaign.public_id, now=now)
    page = f"/report/person/{grand_table.people['hun'].pk}/"
    answer = grand_table.post("roman", page, reason="What I typed.")
    assert answer.status_code == 409
    assert "What I typed." in answer.content.decode()
    assert moderation.report(
        roman, "person", str(grand_table.people["hun"].pk), now=now + timedelta(days=2)
    )


def test_copies_of_a_text_go_with_it(grand_table: GrandTable, moderator: User) -> None:  # noqa: F811
    """The copies are in a report, a waiting post and a published post.

    They contain the characters that boards use.
    """
    gm, now = grand_table.people["gm"], timezone.now()
    words = ReportComment.objects.create(
        campaign=grand_table.campaign,
        report="turn-1",
        language="en",
        before="",
        after="Swine, all of you.",
        changed_by=gm,
        changed_at=now,
    )
    entry = press(grand_table)
    thread = Thread.objects.create(
        campaign=grand_table.campaign,
        name="Board",
        transport="copy",
        dialect="bbcode",
        sealed="",
        session="",
        made_by=gm,
        made_at=now,
    )
    post = Post.objects.create(
        campaign=grand_table.campaign,
        thread=thread,
        number=1,
        report="turn-1",
        state="posted",
        subject="Turn 1",
        text=(
            "<p>The Romans are swine &amp; thieves.</p><p>Swine, all of you.</p><p>Swineherds"
            " pass.</p>"
        ),
        made_at=now,
    )
    name = f"{grand_table.campaign.public_id}.{words.pk}"
    assert f"/report/flavour/{name}/" in grand_table.text("roman", "reports/turn-1/")
    row = moderation.report(grand_table.people["roman"], "flavour", name)
    moderation.remove(moderator, row, "Insults everybody.")
    moderation.remove_text(moderator, "entry", ref(grand_table, entry), "Insults a player.")
    post.refresh_from_db()
    words.refresh_from_db()
    assert (
        "Swine, all" not in grand_table.text("nobody", "reports/turn-1/") + post.text + words.after
    )
    assert "swine &amp;" not in post.text
    assert post.text.count("Removed by the host’s moderator") == 2
    assert "<p>Swineherds pass.</p>" in post.text


def test_evidence_goes_with_its_bytes_and_its_hash_stays(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    attack_dalmatia(grand_table)
    hun, number = (
        grand_table.people["hun"],
        Battle.objects.get(campaign=grand_table.campaign).number,
    )
    battles.add_link(grand_table.campaign, hun, number, "https://pictures.example/foul.png")
    entry = Evidence.objects.get().entry
    page = f"/report/evidence/{ref(grand_table, entry)}/"
    assert f'href="{page}"' in grand_table.text("roman", f"b/{number}/")
    assert "foul.png" in grand_table.text("roman", page)
    moderation.remove(
        moderator,
        moderation.report(grand_table.people["roman"], "evidence", ref(grand_table, entry)),
        "Not about the battle.",
    )
    shown = grand_table.text("nobody", f"b/{number}/")
    assert "foul.png" not in shown
    assert "Not about the battle." in shown
    assert Evidence.objects.get().digest[:12] in shown
    grand_table.campaign.refresh_from_db()
    assert list(differences(grand_table.campaign)) == []


def test_a_program_reports_and_learns_what_came_of_it(
    grand_table: GrandTable,  # noqa: F811
    moderator: User,
) -> None:
    roman = grand_table.people["roman"]
    EmailAddress.objects.create(user=roman, email=roman.email, verified=True, primary=True)
    header = {
        "authorization": f"Bearer {tokens.make_token(roman, 'A bot', 'play', timezone.now())[1]}"
    }
    sent = {"kind": "entry", "ref": ref(grand_table, press(grand_table)), "reason": "An insult."}
    answer = Client().post(
        "/api/v1/reports/", sent, content_type="application/json", headers=header
    )
    assert (answer.status_code, answer.json()["to_masters"], answer.json()["outcome"]) == (
        201,
        True,
        "",
    )
    moderation.dismiss(moderator, AbuseReport.objects.get(), "Harsh, and allowed.")
    (row,) = Client().get("/api/v1/reports/", headers=header).json()["results"]
    assert (row["outcome"], row["words"]) == ("dismissed", "Harsh, and allowed.")

"""A check of all dice from the text of the posts and the log alone (RECORD, Dice)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.utils import timezone

from campaign import services
from campaign.models import DiceRoll
from forum.dialects import DIALECTS
from forum.models import Post, Thread
from forum.posts import drafts, outbox, reports
from tests.march_on_rome.test_table import Table, played
from tests.web.contests import attack_dalmatia
from tests.web.dice.unpacked import run_script, unpack_audit_pack
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign", "played"]
pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

HEX = "([0-9a-f]{64})"


class Labels(NamedTuple):
    """The words before a number in a post, in one language."""

    promise: str
    start: str
    link: str
    renewed: str
    their_link: str
    log: str


READ = {
    "en": Labels(
        "^Commitment of the dice: ",
        "^Key of the start: ",
        r"^Key of turn (\d+): ",
        r"^Renewal (\d+), commitment of the dice: ",
        r"^Renewal (\d+), key (\d+): ",
        r"^Hash of the log up to entry (\d+): ",
    ),
    "de": Labels(
        "^Würfelsiegel: ",
        "^Schlüssel des Beginns: ",
        r"^Schlüssel der Runde (\d+): ",
        r"^Erneuerung (\d+), Würfelsiegel: ",
        r"^Erneuerung (\d+), Schlüssel (\d+): ",
        r"^Hash des Protokolls bis Eintrag (\d+): ",
    ),
    "it": Labels(
        "^Sigillo dei dadi: ",
        "^Chiave dell’inizio: ",
        r"^Chiave del giro (\d+): ",
        r"^Rinnovo (\d+), sigillo dei dadi: ",
        r"^Rinnovo (\d+), chiave (\d+): ",
        r"^Hash del registro fino alla voce (\d+): ",
    ),
    "es": Labels(
        "^Sello de los dados: ",
        "^Clave del comienzo: ",
        r"^Clave de la ronda (\d+): ",
        r"^Renovación (\d+), sello de los dados: ",
        r"^Renovación (\d+), clave (\d+): ",
        r"^Hash del registro hasta la entrada (\d+): ",
    ),
}


class Read:
    """The notes of a reader of one thread: commitments by chain, keys by chain and number."""

    def __init__(self, language: str) -> None:
        self.labels = READ[language]
        self.promises: dict[int, str] = {}
        self.links: dict[tuple[int, int], str] = {}
        self.hashes: list[tuple[int, str]] = []

    def read(self, text: str) -> None:
        for line in text.splitlines():
            bare = re.sub(r"</?pre>|\[/?code\]", "", line)
            if match := re.search(f"{self.labels.promise}{HEX}", bare):
                self.note(self.promises, 0, match[1])
            elif match := re.search(f"{self.labels.renewed}{HEX}", bare):
                self.note(self.promises, int(match[1]), match[2])
            elif match := re.search(f"{self.labels.start}{HEX}", bare):
                self.note(self.links, (0, 0), match[1])
            elif match := re.search(f"{self.labels.link}{HEX}", bare):
                self.note(self.links, (0, int(match[1])), match[2])
            elif match := re.search(f"{self.labels.their_link}{HEX}", bare):
                self.note(self.links, (int(match[1]), int(match[2])), match[3])
            elif match := re.search(f"{self.labels.log}{HEX}", bare):
                self.hashes.append((int(match[1]), match[2]))
            else:
                assert not re.search(HEX, bare), f"a number that no label names: {bare}"

    @staticmethod
    def note(known: dict[Any, str], key: Any, value: str) -> None:
        assert known.setdefault(key, value) == value, f"the posts name two values for {key}"

    def chain(self, number: int) -> list[str]:
        """Return the links of a chain up to the last one read.

        Each must hash to the one before, link 0 to the promise.
        """
        last = max(n for chain, n in self.links if chain == number)
        links = [self.links[number, last]]
        for _step in range(last):
            links.insert(0, sha256(links[0]))
        assert sha256(links[0]) == self.promises[number]
        for (chain, n), link in self.links.items():
            assert chain != number or links[n] == link, f"wrong number: link {n} of chain {chain}"
        return links


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def value(key: str, purpose: str, sides: int) -> int:
    """Compute a roll as RECORD describes it."""
    for attempt in count():
        mac = hmac.digest(key.encode(), f"{purpose}#{attempt}".encode(), "sha256")
        x = int.from_bytes(mac[:8], "big")
        if x < 2**64 - 2**64 % sides:
            return x % sides + 1
    raise AssertionError


def threads(
    table: GrandTable | Table, user: Any, kinds: list[str], dialects: Iterable[str] = DIALECTS
) -> list[Thread]:
    """Set up a thread in each dialect and language that gets these kinds of reports."""
    return [
        Thread.objects.create(
            campaign=table.campaign,
            name=f"{dialect} {language}",
            transport="clipboard",
            dialect=dialect,
            language=language,
            drafted_kinds=kinds,
            made_by=user,
            made_at=timezone.now(),
        )
        for dialect in dialects
        for language in READ
    ]


def post_all(table: GrandTable | Table, user: Any) -> None:
    """Post every draft like a game master who copies each by hand."""
    drafts.tick(timezone.now())
    heads = Post.objects.filter(campaign=table.campaign, state=outbox.State.DRAFT, first=None)
    for head in heads.order_by("pk"):
        outbox.mark_ready(head, user)
        head.refresh_from_db()
        for part in range(1, head.part_count + 1):
            outbox.record_posted(head, user, f"https://board.example/{head.pk}/{part}", part=part)


def read_posts(thread: Thread) -> Read:
    noted = Read(thread.language)
    for post in Post.objects.filter(thread=thread, state=outbox.State.POSTED).order_by("pk"):
        noted.read(post.text)
    return noted


def rolls_of(table: GrandTable | Table) -> list[DiceRoll]:
    return list(DiceRoll.objects.filter(entry__campaign=table.campaign).order_by("pk"))


def end_slots(table: GrandTable) -> None:
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot")


def play_turn(table: GrandTable, turn: int) -> None:
    table.play("gm", "start" if turn == 1 else "open-turn")
    post_all(table, table.people["gm"])
    if turn == 2:
        table.slot_to("romans")
        table.play("romans", "fortify", province="dalmatia")
    if turn == 3:
        table.slot_to("huns")
        attack_dalmatia(table)
        table.play("romans", "respond", attack=1, choice="accept")
    end_slots(table)
    if turn == 3:
        table.play("gm", "report", attack=1, winner="attacker")
    post_all(table, table.people["gm"])


def test_a_turn_report_has_the_proofs_if_the_opening_was_set_aside(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    gm = table.people["gm"]
    first, second = threads(table, gm, ["opening", "turn"], ["plain"])[:2]
    table.play("gm", "start")
    drafts.tick(timezone.now())
    outbox.skip(Post.objects.get(thread=second, report="opening-1"), gm)
    post_all(table, gm)
    end_slots(table)
    post_all(table, gm)
    commitment = table.campaign.commitment
    texts = {
        thread: Post.objects.get(thread=thread, report="turn-1").text for thread in (first, second)
    }
    assert commitment not in texts[first]
    assert commitment in texts[second]


@pytest.mark.long
def test_posts_in_every_dialect_and_language_prove_every_roll(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """Play six turns with an undo and renewed dice.

    The undo is behind a published link, in turn 4; the dice are renewed in public before turn 6.
    """
    table = new_campaign()
    gm = table.people["gm"]
    told_threads = threads(table, gm, ["turn", "final"])
    told_threads += threads(table, gm, ["opening", "turn", "final"], ["plain"])
    for turn in (1, 2, 3, 4):
        play_turn(table, turn)
    first = table.campaign.entries.filter(act="end-slot", turn=3).order_by("sequence").first()
    services.undo_to(table.campaign, gm, first.number, "a slip", table.seen("gm"))
    table.campaign.refresh_from_db()
    post_all(table, gm)
    promised = table.campaign.dice_renewals.get().commitment
    for thread in told_threads:
        assert read_posts(thread).promises == {
            0: table.campaign.commitment,
            1: promised,
        }, "before its first roll"
    end_slots(table)
    for turn in (4, 5):
        play_turn(table, turn)
    entry = services.renew_dice(table.campaign, gm, "someone may have seen the key")
    table.campaign.refresh_from_db()
    post_all(table, gm)
    renewed = table.campaign.dice_renewals.get(number=2).commitment
    for thread in told_threads:
        assert read_posts(thread).promises == {
            0: table.campaign.commitment,
            1: promised,
            2: renewed,
        }, thread.name
    head = Post.objects.get(
        thread__name="plain en",
        thread__drafted_kinds=["turn", "final"],
        report=f"renew-{entry.number}",
    )
    assert (head.kind, head.subject) == (
        "renew",
        f"The Long Frontier, new dice (entry {entry.number})",
    )
    play_turn(table, 6)
    assert table.campaign.ended

    rolls = rolls_of(table)
    assert {roll.chain for roll in rolls} == {0, 1, 2}
    assert len(rolls) == 1 + 6 * 6 + 5 * 6 + 1, (
        "the start, cards, events from turn 2 on, and a siege"
    )
    for thread in told_threads:
        noted = read_posts(thread)
        assert set(noted.promises) == {0, 1, 2}, thread.name
        assert {n for chain, n in noted.links if chain == 0} == set(range(7)), thread.name
        assert len(noted.hashes) >= 7, "six turns and the end; posts of an undone turn may remain"
        for number, hash_posted in noted.hashes:
            assert table.campaign.entries.get(number=number).hash == hash_posted, thread.name
        # The report of the last turn has the hash only in a thread without openings.
        same = noted.hashes[-1] == noted.hashes[-2]
        assert same == ("opening" not in thread.drafted_kinds)
        chains = [noted.chain(number) for number in range(3)]
        for roll in rolls:
            link = chains[roll.chain][roll.turn]
            assert value(link, roll.purpose, roll.sides) == roll.value, (thread.name, roll.purpose)


NEW_DICE = {
    "en": (
        "new dice",
        "Rolls already thrown keep their value. All rolls from now on follow from the new dice.",
    ),
    "de": (
        "neue Würfel",
        (
            "Bereits gefallene Würfe behalten ihren Wert. Alle Würfe ab jetzt folgen aus den neuen"
            " Würfeln."
        ),
    ),
    "it": (
        "nuovi dadi",
        (
            "I tiri già fatti conservano il loro valore. D’ora in poi tutti i tiri derivano dai"
            " nuovi dadi."
        ),
    ),
    "es": (
        "dados nuevos",
        (
            "Las tiradas ya hechas conservan su valor. Desde ahora, todas las tiradas proceden de"
            " los dados nuevos."
        ),
    ),
}


def test_renewed_dice_have_a_post_of_their_own_in_every_language(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """The players read the new promise in the thread before the next turn opens."""
    table = new_campaign()
    gm = table.people["gm"]
    told_threads = threads(table, gm, ["turn"], ["plain", "phpbb"])
    play_turn(table, 1)
    entry = services.renew_dice(table.campaign, gm, "The [key] may be known")
    table.campaign.refresh_from_db()
    assert (
        Post.objects.filter(report=f"renew-{entry.number}", state=outbox.State.DRAFT).count()
        == len(told_threads)
        == 8
    )
    assert f"reports/renew-{entry.number}/" in table.text("nobody", "reports/")
    post_all(table, gm)
    promised = table.campaign.dice_renewals.get().commitment
    for thread in told_threads:
        post = Post.objects.get(thread=thread, report=f"renew-{entry.number}")
        name, keeps = NEW_DICE[thread.language]
        assert name in post.subject, thread.name
        assert keeps in post.text, thread.name
        assert read_posts(thread).promises[1] == promised, thread.name
        assert "key] may be known" in post.text, thread.name
    plain = Post.objects.get(thread__name="plain en", report=f"renew-{entry.number}").text
    assert "The game master renews the dice: The [key] may be known (Marozia)." in plain
    assert f"Renewal 1, commitment of the dice: {promised}" in plain


def test_posts_of_a_mixed_campaign_prove_every_roll(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """The words come from the log; the posts say into which turn they were mixed."""
    table = new_campaign(chance="words")
    gm, hun = table.people["gm"], table.people["hun"]
    told_threads = threads(table, gm, ["opening", "final"], ["phpbb"])
    for turn in range(1, 7):
        services.add_words(table.campaign, hun, "huns", f"Words {turn} of the Huns")
        services.close_words(table.campaign, gm)
        table.campaign.refresh_from_db()
        play_turn(table, turn)
    words = {
        entry.content["turn"]: entry.content["text"]
        for entry in table.campaign.entries.filter(act="mix")
        if entry.content["how"] == "words"
    }
    assert words == {0: "Words 1 of the Huns", **{n: f"Words {n} of the Huns" for n in range(2, 7)}}
    for thread in told_threads:
        noted = read_posts(thread)
        links = noted.chain(0)
        for roll in rolls_of(table):
            mixture = json.dumps(
                {"phrases": {"huns": words[0 if roll.turn <= 1 else roll.turn]}},
                separators=(",", ":"),
            )
            key = sha256(f"{links[roll.turn]}\n{mixture}")
            assert value(key, roll.purpose, roll.sides) == roll.value, (thread.name, roll.purpose)
        openings = Post.objects.filter(thread=thread, kind="opening").order_by("pk")
        for turn, post in enumerate(openings, 1):
            assert f"“Words {turn} of the Huns”" in post.text, (thread.name, turn)


def test_with_hidden_hands_the_final_post_proves_every_roll(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(hands="hidden")
    gm = table.people["gm"]
    table.open_hands()
    told_threads = threads(table, gm, ["opening", "turn", "final"], ["markdown"])
    for turn in range(1, 7):
        play_turn(table, turn)
    for thread in told_threads:
        noted = read_posts(thread)
        assert set(noted.links) == {(0, 6)}, "it was posted after the end; the others follow"
        links = noted.chain(0)
        assert all(
            value(links[roll.turn], roll.purpose, roll.sides) == roll.value
            for roll in rolls_of(table)
        )


def test_the_final_post_of_another_title_proves_every_roll(played: Table) -> None:
    """March on Rome has a thousand links; those of the years that were played are published."""
    told_threads = threads(played, played.user, ["final"])
    rolls = rolls_of(played)
    for thread in told_threads:
        noted = Read(thread.language)
        for key in (
            item.key for item in reports.contents(played.campaign) if item.kind in ("year", "final")
        ):
            for part in reports.post_parts(
                Post(thread=thread, campaign=played.campaign, report=key)
            ):
                noted.read(part.text)
        links = noted.chain(0)
        assert all(
            value(links[roll.turn], roll.purpose, roll.sides) == roll.value for roll in rolls
        ), thread.name


def test_a_posted_hash_reveals_a_log_that_was_cut_off(
    new_campaign: Callable[..., GrandTable], tmp_path: Path
) -> None:
    """A thread without openings has the hash in the report of the turn; others, when one opens."""
    table = new_campaign()
    thread = threads(table, table.people["gm"], ["turn"], ["plain"])[0]
    usual = threads(table, table.people["gm"], ["opening", "turn"], ["plain"])[0]
    play_turn(table, 1)
    [(_number, posted_hash)] = read_posts(thread).hashes
    turn, opening = Post.objects.get(thread=usual, kind="turn"), read_posts(usual).hashes
    assert not re.search(HEX, turn.text), "no hash in a report that is read for its events"
    assert [number for number, _hash in opening] == [table.campaign.entries.get(act="start").number]
    folder = unpack_audit_pack(table.campaign, tmp_path)
    assert run_script(folder, posted_hash)[0] == 0
    log = folder / "log.jsonl"
    lines = log.read_text("utf-8").splitlines(keepends=True)
    log.write_text("".join(lines[:-1]), "utf-8")
    status, output = run_script(folder, posted_hash)
    assert status == 1
    assert f"the log does not have {posted_hash}" in output

"""The rules page: anchors, rulings, keys and links from citations."""

from __future__ import annotations

import re

from django.template import engines
from django.test import Client

from campaign.models import Campaign
from campaign.rulebook import inline, marked, parse, rules_text


def test_every_paragraph_has_its_anchor(client: Client) -> None:
    html = client.get("/rules/grand_campaign/").content.decode()
    numbers = re.findall(r"^- (\d+\.\d+) ", rules_text("grand_campaign"), re.M)
    assert len(numbers) == 68
    for number in numbers:
        assert html.count(f'id="r-{number}"') == 1
    for chapter in range(1, 14):
        assert html.count(f'id="r-{chapter}"') == 1


def test_rulings_are_marked_and_keys_are_code(client: Client) -> None:
    html = client.get("/rules/grand_campaign/").content.decode()
    assert '<em class="ruling">Ruling</em> Kushans, Romans, Sassanids are civilized' in html
    assert "<code>royal-palace</code>" in html
    assert "*Ruling" not in html
    assert "`" not in html.split("<main")[1]
    assert "**" not in html.split("<main")[1]


def test_paragraph_numbers_are_links() -> None:
    numbers = frozenset({"7.5", "2.1", "2.2"})
    assert (
        inline("as 7.5, not 7.50 or 17.5", numbers)
        == 'as <a href="#r-7.5">7.5</a>, not 7.50 or 17.5'
    )
    assert inline("(2.1/2.2).", numbers) == '(<a href="#r-2.1">2.1</a>/<a href="#r-2.2">2.2</a>).'
    assert inline("`7.5` is a key", numbers) == "<code>7.5</code> is a key"


def test_a_text_is_escaped() -> None:
    assert inline("<b>&`<i>`") == "&lt;b&gt;&amp;<code>&lt;i&gt;</code>"


def test_a_text_brings_no_links_pictures_or_addresses_of_its_own() -> None:
    for line in ("[here](javascript:x)", "![a](b.png)", "https://example.org/"):
        assert inline(line) == line
    assert inline("<https://example.org/>") == "&lt;https://example.org/&gt;"


def test_emphasis_may_hold_a_key_and_a_ruling_is_one_by_its_word() -> None:
    assert (
        inline("**Step `start`**, *normal*")
        == "<strong>Step <code>start</code></strong>, <em>normal</em>"
    )
    assert (
        inline("*ruling:* no *ruling*: 2*3")
        == '<em class="ruling">ruling</em> no <em>ruling</em>: 2*3'
    )


def test_words_are_marked_and_entities_stay_whole() -> None:
    assert (
        marked(inline("l'arma d'assedio & x27"), ["d'assedio"])
        == "l&#x27;arma <mark>d&#x27;assedio</mark> &amp; x27"
    )
    assert (
        marked(inline("'a' & x27, amp"), ["x27", "amp"])
        == "&#x27;a&#x27; &amp; <mark>x27</mark>, <mark>amp</mark>"
    )
    assert (
        marked(inline("`code` code"), ["code"])
        == "<code><mark>code</mark></code> <mark>code</mark>"
    )


def test_a_small_text() -> None:
    name, chapters = parse("# Heap\n\nIntro.\n\n## 1 Stones\n- 1.1 Add.\nFree.\n")
    assert name == "Heap"
    assert [(c.number, c.name, [tuple(p) for p in c.paragraphs]) for c in chapters] == [
        ("", "", [("", "Intro.")]),
        ("1", "Stones", [("1.1", "Add."), ("", "Free.")]),
    ]


def test_a_citation_links_to_its_paragraph(client: Client) -> None:
    cited = engines["jinja2"].from_string('{{ rule("7.5") }}').render()
    assert cited == '<a class="rule" href="/rules/#r-7.5" title="Rule 7.5">§7.5</a>'
    answer = client.get("/rules/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/grand_campaign/")


def test_unknown_rules_are_not_found(client: Client, db: None) -> None:
    for address in ("/rules/heap/", "/rules/os/", "/rules/grand-campaign/", "/rules/__init__/"):
        assert client.get(address).status_code == 404


def test_the_rules_of_one_game_lead_to_those_of_the_others(client: Client, db: None) -> None:
    for here in ("grand_campaign", "march_on_rome"):
        page = client.get(f"/rules/{here}/").content.decode()
        assert f'<a href="/rules/{here}/" aria-current="page">' in page
        assert '<a href="/rules/grand_campaign/"' in page
        assert '<a href="/rules/march_on_rome/"' in page
    assert "Steven Cranmer" in page


def test_the_site_s_link_goes_to_the_rules_of_the_current_title(client: Client, db: None) -> None:
    client.post("/play/march_on_rome/")
    created = Campaign.objects.get()
    for path in ("", "log/", "dice/", "about/"):
        page = client.get(f"/c/{created.address}/{path}").content.decode()
        assert page.count(f'<a href="/c/{created.address}/rules/">Rules</a>') >= 2
        assert '<a href="/rules/">Rules</a>' not in page
    assert (
        client.get("/hall/march_on_rome/")
        .content.decode()
        .count('<a href="/rules/march_on_rome/">Rules</a>')
        == 2
    )
    assert client.get("/").content.decode().count('<a href="/rules/">Rules</a>') == 2

"""Blocks in each dialect: literal, within the board's limit, divided between sections."""

import re

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from forum.dialects import (
    DEFAULT,
    DIALECTS,
    JOINER,
    Context,
    clean,
    escape_brackets,
    readable_colour,
    safe_address,
    table_lines,
    unlink,
)
from games.contract.report import Bullets, Code, Fold, Heading, Paragraph, Report, Span, Table
from tests.forum.rendered import render_bbcode, render_plain_text

COLOURS = {"huns": "#7a4a2b", "kushans": "#e58bad", "odd": "red[/color]"}
weight = DIALECTS["phpbb"].weight
TABLE = Table(("account", "before", "after"), (("stability", "7", "9"), ("income", "675t", "650t")))


def report(*blocks, title="Turn 1"):
    return Report(title, (Heading((Span(title),)), *blocks), (), (), 1, 9)


def one(*blocks):
    (post,) = render_bbcode(report(*blocks), COLOURS)
    return post


def test_every_block_as_bbcode():
    blocks = (
        Heading((Span("Slot of the "), Span("Huns", seat="huns")), 2),
        Heading((Span("#1 Dalmatia"),), 3),
        Paragraph(
            (
                Span("Huns", seat="huns"),
                Span(" and "),
                Span("Goths", seat="goths"),
                Span(", "),
                Span("odd", seat="odd"),
            )
        ),
        Bullets(((Span("build "), Span("Bridges", italic=True)), (Span("attack", bold=True),))),
        TABLE,
        Paragraph((Span("Map", picture="https://tabula.example/c/abcdefgh/map/9.en.png"),)),
        Paragraph((Span("Map", picture="https://tabula.example/]"),)),
        Paragraph((Span("the table", link="https://tabula.example/c/abcdefgh/"),), small=True),
    )
    assert one(*blocks) == (
        "[size=120][b]Slot of the [color=#7a4a2b]Huns[/color][/b][/size]\n"
        "\n"
        "[b]#1 Dalmatia[/b]\n"
        "[color=#7a4a2b][b]Huns[/b][/color] and [b]Goths[/b], [b]odd[/b]\n"
        "[list]\n"
        "[*]build [i]Bridges[/i]\n"
        "[*][b]attack[/b]\n"
        "[/list]\n"
        "[code]account    before  after\n"
        "stability       7      9\n"
        "income       675t   650t[/code]\n"
        "[img]https://tabula.example/c/abcdefgh/map/9.en.png[/img]\n"
        "[size=85]Map[/size]\n"
        "\n"
        "Map\n"
        "[size=85][url=https://tabula.example/c/abcdefgh/]the table[/url][/size]"
    )


def test_every_block_as_plain_text():
    text = render_plain_text(
        report(
            Heading((Span("Huns", seat="huns"),), 2),
            Bullets(((Span("one"),), (Span("two"),))),
            TABLE,
            Paragraph((Span("Map", picture="https://tabula.example/map.png"),)),
            Paragraph((Span("the table", link="https://tabula.example/"),)),
        )
    )
    assert (
        text == "Turn 1\n======\n\nHuns\n----\n\n- one\n- two\n\n"
        "account    before  after\nstability       7      9\nincome       675t   650t\n\n"
        "Map <https://tabula.example/map.png>\n\nthe table <https://tabula.example/>\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[b]",
        "[/code]",
        "[/b",
        "[*]",
        "[url=javascript:alert(1)]x[/url]",
        "[[b]]",
        "[ b]",
        "[code]",
        "[img]x[/img]",
        "[Size=200]",
    ],
)
def test_what_people_write_is_no_tag(text):
    def blocks(written):
        yield Paragraph((Span(written, bold=True, seat="huns"),))
        yield Bullets(((Span(written, italic=True),),))
        yield Table((written, written), ((written, written),))

    for block, plainly in zip(blocks(text), blocks("x"), strict=True):
        post = one(block)
        assert text in post.replace(JOINER, ""), "it reads as it was written"
        tags = r"\[(?!\u2060)[^\]]*\]"
        assert re.findall(tags, post) == re.findall(tags, one(plainly))


def test_a_tag_is_not_put_together_from_two_spans():
    post = one(Paragraph((Span("["), Span("b]bold[/"), Span("b]"))))
    assert post == f"[{JOINER}b]bold[{JOINER}/b]"


def test_lines_and_directions_stay_where_they_are():
    assert clean("a\nb\r\n\tc\u2028d\u202ee\u2066f\u200fg") == "a b c defg"
    assert one(Bullets(((Span("x\n[*]y"),),))).count("\n[*]") == 1
    assert escape_brackets(unlink("a\n[/list]")) == f"a [{JOINER}/list]"


def test_script_is_left_to_the_forum_which_escapes_it():
    assert "<script>" in one(Paragraph((Span("<script>"),)))


@pytest.mark.parametrize(
    "link",
    ["https://x.example/]", "https://x.example/[b]", 'https://x.example/"', "https://x.example/ y"],
)
def test_a_link_that_would_end_its_tag_is_left_out(link):
    assert one(Paragraph((Span("here", link=link),))) == "here"


@pytest.mark.parametrize(
    ("colour", "shown"),
    [
        ("#7a4a2b", "#7a4a2b"),
        ("#000000", "#000000"),
        ("", ""),
        ("red", ""),
        ("#fff", ""),
        ("#e58bad]", ""),
        ("#E8C440\n", ""),
    ],
)
def test_colours_that_can_be_read_stay_and_others_are_none(colour, shown):
    assert readable_colour(colour) == shown


@pytest.mark.parametrize("colour", ["#e58bad", "#ffffff", "#e8c440", "#FFFF00"])
def test_light_colours_are_darkened_until_they_can_be_read(colour):
    shown = readable_colour(colour)
    assert re.fullmatch("#[0-9a-f]{6}", shown)
    assert shown != colour.lower()
    assert readable_colour(shown) == shown


def test_tables_are_aligned_by_the_columns_letters_take():
    assert table_lines(Table(("", "VP"), (("漢", "1"), ("e\u0301", "10"), ("abc", "−2")))) == [
        "     VP",
        "漢    1",
        "e\u0301    10",
        "abc  −2",
    ]


def long(items, length=100):
    return Bullets(tuple((Span(f"{n:04}" + "x" * (length - 4)),) for n in range(items)))


def test_a_post_of_just_the_limit_is_one_and_of_one_more_two():
    (whole,) = render_bbcode(report(long(20), long(20)), COLOURS)
    assert render_bbcode(report(long(20), long(20)), COLOURS, weight(whole)) == [whole]
    assert len(render_bbcode(report(long(20), long(20)), COLOURS, weight(whole) - 1)) == 2


def test_long_reports_are_cut_between_blocks_and_say_which_part_they_are():
    blocks = [Paragraph((Span(f"{n} " + "x" * 900),)) for n in range(150)]
    parts = DIALECTS["phpbb"].parts(report(*blocks), Context(COLOURS))
    assert [part.title for part in parts] == [f"Turn 1 ({n} of 3)" for n in (1, 2, 3)]
    posts = render_bbcode(report(*blocks), COLOURS)
    assert all(len(post) <= 60_000 for post in posts)
    assert [text for post in posts for text in post.split("\n\n")] == [
        block.spans[0].text for block in blocks
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    "block",
    [
        long(2000),
        Table(("a", "b"), tuple((str(n), "x" * 90) for n in range(2000))),
        Paragraph((Span("word " * 30_000),)),
        Paragraph((Span("x" * 150_000),)),
        Bullets(((Span("&" * 90_000),), (Span("short"),))),
        Table(("a" * 70_000, "b"), (("x", "y"),)),
    ],
    ids=["list", "table", "words", "word", "escaped", "cell"],
)
def test_a_block_that_is_too_long_is_divided_with_its_tags_closed(block):
    posts = render_bbcode(
        report(Paragraph((Span("before"),)), block, Paragraph((Span("after"),))), COLOURS
    )
    assert len(posts) > 1
    for post in posts:
        assert weight(post) <= 60_000
        assert post.count("[code]") == post.count("[/code]")
        assert post.count("[list]") == post.count("[/list]")
    both = "".join(posts)
    assert both.index("before") < both.index("after")


def test_phpbb_counts_escaped_letters():
    assert weight('<&">') == 4 + 5 + 6 + 4


# The others ---------------------------------------------------------------------------------------

EVERY = (
    Heading((Span("Slot of the "), Span("Huns", seat="huns")), 2),
    Heading((Span("#1 Dalmatia"),), 3),
    Paragraph(
        (Span("Huns", seat="huns"), Span(" and "), Span("Go_ths", seat="goths"), Span(": 1."))
    ),
    Bullets(
        ((Span("build "), Span("Bridges", italic=True)), (Span("attack", bold=True), Span("!")))
    ),
    TABLE,
    Paragraph((Span("Map of it", picture="https://tabula.example/map/9.en.png"),)),
    Paragraph(
        (
            Span("https://tabula.example/c/", link="https://tabula.example/c/"),
            Span(" and "),
            Span("rules", link="https://tabula.example/r/"),
        ),
        small=True,
    ),
)
EXPECTED = {
    "mybb": (
        "[size=large][b]Slot of the [color=#7a4a2b]Huns[/color][/b][/size]\n"
        "\n"
        "[b]#1 Dalmatia[/b]\n"
        "[color=#7a4a2b][b]Huns[/b][/color] and [b]Go_ths[/b]: 1.\n"
        "[list]\n"
        "[*]build [i]Bridges[/i]\n"
        "[*][b]attack[/b]!\n"
        "[/list]\n"
        "[code]account    before  after\n"
        "stability       7      9\n"
        "income       675t   650t[/code]\n"
        "[img]https://tabula.example/map/9.en.png[/img]\n"
        "[size=small]Map of it[/size]\n"
        "[size=small][url=https://tabula.example/c/]https://tabula.example/c/[/url] and [url=https://tabula.example/r/]rules[/url][/size]"
    ),
    "markdown": (
        "# Turn 1\n"
        "\n"
        "## Slot of the Huns\n"
        "\n"
        "### \\#1 Dalmatia\n"
        "\n"
        "**Huns** and **Go\\_ths**: 1.\n"
        "\n"
        "- build *Bridges*\n"
        "- **attack**!\n"
        "\n"
        "| account | before | after |\n"
        "| :-- | --: | --: |\n"
        "| stability | 7 | 9 |\n"
        "| income | 675t | 650t |\n"
        "\n"
        "![Map of it](https://tabula.example/map/9.en.png)\n"
        "*Map of it*\n"
        "\n"
        "<https://tabula.example/c/> and [rules](https://tabula.example/r/)"
    ),
    "discord": (
        "## Turn 1\n"
        "\n"
        "### Slot of the Huns\n"
        "\n"
        "**\\#1 Dalmatia**\n"
        "**Huns** and **Go\\_ths**: 1.\n"
        "- build *Bridges*\n"
        "- **attack**!\n"
        "```\n"
        "account    before  after\n"
        "stability       7      9\n"
        "income       675t   650t\n"
        "```\n"
        "-# Map of it\n"
        "https://tabula.example/map/9.en.png\n"
        "-# <https://tabula.example/c/> and [rules](https://tabula.example/r/)"
    ),
    "html": (
        (
            "<h1>Turn 1</h1>\n"
            '<h2>Slot of the <span style="color:#7a4a2b">Huns</span></h2>\n'
            "<h3>#1 Dalmatia</h3>\n"
            '<p><span style="color:#7a4a2b"><b>Huns</b></span> and <b>Go_ths</b>: 1.</p>\n'
            "<ul>\n"
            "<li>build <i>Bridges</i></li>\n"
            "<li><b>attack</b>!</li>\n"
            "</ul>\n"
            "<table>\n"
            "<tr><th {left}>account</th><th {right}>before</th><th {right}>after</th></tr>\n"
            "<tr><td {left}>stability</td><td {right}>7</td><td {right}>9</td></tr>\n"
            "<tr><td {left}>income</td><td {right}>675t</td><td {right}>650t</td></tr>\n"
            "</table>\n"
            '<p><img src="https://tabula.example/map/9.en.png" alt="Map of it"'
            ' style="max-width:100%;height:auto"><br><small>Map of it</small></p>\n'
            '<p style="font-size:85%"><a href="https://tabula.example/c/">https://tabula.example/c/</a>'
            ' and <a href="https://tabula.example/r/">rules</a></p>'
        ).format(
            **{
                side: f'style="padding:2px 10px 2px 0;text-align:{side}"'
                for side in ("left", "right")
            }
        )
    ),
}


@pytest.mark.parametrize("key", EXPECTED)
def test_every_block_in_each_dialect(key):
    (post,) = DIALECTS[key].render(report(*EVERY), Context(COLOURS))
    assert post == EXPECTED[key]


def test_the_registry_names_what_it_has():
    assert DEFAULT == "phpbb"
    assert list(DIALECTS) == ["phpbb", "mybb", "markdown", "discord", "html", "plain"]
    assert {key: dialect.limit for key, dialect in DIALECTS.items()} == {
        "phpbb": 60_000,
        "mybb": 65_535,
        "markdown": 32_000,
        "discord": 2_000,
        "html": 60_000,
        "plain": 36_000,
    }
    assert all(dialect.key == key and dialect.name for key, dialect in DIALECTS.items())


@pytest.mark.parametrize("key", DIALECTS)
def test_a_report_is_divided_between_its_sections_and_each_part_says_which_it_is(key):
    chapters = [
        block
        for n in range(6)
        for block in (
            Heading((Span(f"Chapter {n}"),), 2),
            Paragraph((Span("words " * 60),)),
            Bullets(((Span(f"end {n}"),),)),
        )
    ]
    parts = DIALECTS[key].parts(report(*chapters), Context(), 1100)
    posts = [DIALECTS[key].text(part, Context()) for part in parts]
    assert len(posts) == 3
    for n, post in enumerate(posts):
        assert parts[n].title == f"Turn 1 ({n + 1} of 3)"
        numbered = f"({n + 1} of 3)" in post.splitlines()[0].replace("\\", "")
        assert numbered == (not DIALECTS[key].subject)
        assert re.findall(r"Chapter \d", post) == [f"Chapter {2 * n}", f"Chapter {2 * n + 1}"]
        assert re.findall(r"end \d", post) == [f"end {2 * n}", f"end {2 * n + 1}"]
        assert DIALECTS[key].weight(post) <= 1100


def test_a_heading_is_never_the_last_of_a_post():
    blocks = [
        Paragraph((Span("x" * 700),)),
        Heading((Span("Battles"),), 2),
        Heading((Span("#1"),), 3),
        Paragraph((Span("y" * 900),)),
    ]
    first, second = DIALECTS["discord"].render(report(*blocks), Context(), 1200)
    assert "Battles" not in first
    assert second.split("\n\n")[1:3] == ["### Battles", "**\\#1**\n" + "y" * 900]


def test_parts_are_counted_in_the_language_of_now():
    with translation.override("it"):
        posts = DIALECTS["discord"].render(report(long(40)), Context())
    assert [post.splitlines()[0] for post in posts] == [
        f"## Turn 1 ({n} di {len(posts)})" for n in range(1, len(posts) + 1)
    ]


@pytest.mark.parametrize(
    ("link", "known"),
    [
        ("https://tabula.example/c/a-b/?at=9&x=1#e", True),
        ("http://localhost:8000/", True),
        ("", False),
        ("/c/a/", False),
        ("javascript:alert(1)", False),
        ("https://x/]", False),
        ("https://x/)", False),
        ("https://x/\n", False),
        ("https://x/\u202e", False),
        ("https://x/<b>", False),
    ],
)
def test_addresses_that_may_stand_in_a_tag(link, known):
    assert safe_address(link) == (link if known else "")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([2, 3, 0, 0, 0]), st.integers(1, 1500)), min_size=1, max_size=25
    )
)
def test_whatever_is_told_nothing_is_lost_or_told_twice_and_no_post_is_too_long(shown):
    blocks = [
        (
            Heading((Span(f"h{n}."),), level)
            if level
            else Paragraph((Span(f"p{n}. " + "w " * (size // 2)),))
        )
        for n, (level, size) in enumerate(shown)
    ]
    posts = DIALECTS["discord"].render(report(*blocks), Context(), 900)
    assert all(len(post) <= 900 for post in posts)
    marks = [
        mark
        for post in posts
        for mark in re.findall(r"\b[hp]\d+\.", "\n".join(post.splitlines()[1:]))
    ]
    assert marks == [f"{'h' if level else 'p'}{n}." for n, (level, _size) in enumerate(shown)]


# Folds and lines of code --------------------------------------------------------------------------

HIDDEN = (Heading((Span("Huns", seat="huns"),), 3), Bullets(((Span("walls"),), (Span("siege"),))))
SHORT = (Bullets(((Span("Huns: 2 moves"),),)),)
PAGE = "https://tabula.example/c/abcdefgh/reports/turn-1"
DETAILS = Fold((Span('All "moves" [b]'),), HIDDEN, SHORT, PAGE)


def test_a_board_that_can_fold_folds_the_details():
    def folded(key, **context):
        return DIALECTS[key].text(report(DETAILS), Context(**context))

    assert folded("phpbb", folds=True) == (
        f'[b]All "moves" [{JOINER}b][/b]\n[spoiler]\n[b]Huns[/b]\n[list]\n[*]walls\n'
        "[*]siege\n[/list]\n[/spoiler]"
    )
    assert folded("markdown", folds=True) == (
        '# Turn 1\n\n[details="All ”moves” (b)"]\n\n### Huns\n\n- walls\n- siege\n\n[/details]'
    )
    assert folded("html") == (
        "<h1>Turn 1</h1>\n<details>\n<summary><b>All &quot;moves&quot; [b]</b></summary>\n"
        "<h3>Huns</h3>\n<ul>\n<li>walls</li>\n<li>siege</li>\n</ul>\n</details>"
    )


@pytest.mark.parametrize("key", ["phpbb", "mybb", "markdown", "discord", "plain"])
def test_a_board_that_cannot_fold_shows_a_short_list_and_a_link(key):
    text = DIALECTS[key].text(report(DETAILS), Context())
    assert "Huns: 2 moves" in text
    assert "siege" not in text
    assert "All details of this report" in text
    assert PAGE in text
    assert "[spoiler]" not in text
    unlinked = DIALECTS[key].text(report(DETAILS._replace(page="")), Context())
    assert "siege" in unlinked, "without an address nothing is missing"
    assert "Huns: 2 moves" not in unlinked


@pytest.mark.parametrize("key", DIALECTS)
@pytest.mark.parametrize("folds", [True, False])
def test_a_long_fold_is_divided_and_nothing_is_lost(key, folds):
    lines = tuple((Span(f"line {n}."),) for n in range(200))
    fold = Fold((Span("Details"),), (Heading((Span("Huns"),), 3), Bullets(lines)))
    context = Context(folds=folds)
    posts = DIALECTS[key].render(report(Paragraph((Span("before"),)), fold), context, 900)
    assert len(posts) > 2
    assert all(DIALECTS[key].weight(post) <= 900 for post in posts)
    both = "\n".join(posts)
    assert re.findall(r"line \d+\.", both) == [f"line {n}." for n in range(200)]
    for begin, end in (("[spoiler]", "[/spoiler]"), ("[details=", "[/details]"), ("<det", "</det")):
        assert all(post.count(begin) == post.count(end) for post in posts)
    if folds and key not in ("discord", "plain"):
        assert "Details (1 of " in both


@pytest.mark.parametrize("key", DIALECTS)
def test_lines_of_code_are_kept_and_inert(key):
    marks = ("ab" * 32, "[/code] ```  </pre> @all")
    text = DIALECTS[key].text(report(Code(marks)), Context())
    assert "ab" * 32 in text
    assert text.count("[/code]") == (1 if key in ("phpbb", "mybb") else text.count("[/code]"))
    assert text.count("```") == (2 if key in ("markdown", "discord") else text.count("```"))
    assert text.count("</pre>") == (1 if key == "html" else text.count("</pre>"))
    assert "@all" not in text


def test_a_nation_has_its_colour_at_its_first_mention_in_a_block():
    huns = Span("Huns", seat="huns")
    items = ((huns, Span(" and "), huns), (huns, Span("!")))
    coloured = "[color=#7a4a2b][b]Huns[/b][/color]"
    assert one(Bullets(items)) == f"[list]\n[*]{coloured} and Huns\n[*]Huns!\n[/list]"
    before = ((Span("A spy of the "), huns), *items)
    lines = f"[*]A spy of the Huns\n[*]{coloured} and Huns\n[*]Huns!"
    assert one(Bullets(before)) == f"[list]\n{lines}\n[/list]", "where it begins a line"
    assert one(Bullets(before[:1])) == f"[list]\n[*]A spy of the {coloured}\n[/list]"


@pytest.mark.parametrize("key", DIALECTS)
def test_every_heading_follows_a_blank_line(key):
    blocks = (
        Paragraph((Span("first"),)),
        Heading((Span("Chapter"),), 2),
        Paragraph((Span(""),)),
        Heading((Span("Part"),), 3),
        Bullets(((Span("item"),),)),
        Heading((Span("Other"),), 2),
        Paragraph((Span("last"),), small=True),
    )
    text = DIALECTS[key].text(report(*blocks), Context())
    assert "\n\n\n" not in text
    if key != "html":
        for heading in ("Chapter", "Part", "Other"):
            assert re.search(rf"\n\n[^\n]*{heading}", text)


def test_the_subject_is_not_repeated_where_it_is_above_each_post():
    paragraph = Paragraph((Span("said"),))
    shown = {key: DIALECTS[key].text(report(paragraph), Context()) for key in DIALECTS}
    assert [key for key, text in shown.items() if "Turn 1" not in text] == ["phpbb", "mybb"]
    assert DIALECTS["plain"].text(report(paragraph), Context(subject=True)) == "said"
    assert "Turn 1" in DIALECTS["phpbb"].text(report(), Context())

"""BBCode and plain text of blocks: literal, harmless, within the board's limit."""

import re

import pytest

from engine.report import Bullets, Heading, Paragraph, Report, Span, Table
from forum.render import JOINER, bbcode, clean, harmless, plain, readable, rows_of, weight

COLOURS = {"huns": "#7a4a2b", "kushans": "#e58bad", "odd": "red[/color]"}
TABLE = Table(("", "before", "after"), (("stability", "7", "9"), ("income", "675t", "650t")))


def report(*blocks, title="Turn 1"):
    return Report(title, (Heading((Span(title),)), *blocks), (), (), 1, 9)


def one(*blocks):
    (post,) = bbcode(report(*blocks), COLOURS)
    return post


def test_every_block_as_bbcode():
    blocks = (
        Heading((Span("Slot of the "), Span("Huns", seat="huns")), 2),
        Heading((Span("#1 Dalmatia"),), 3),
        Paragraph((Span("Huns", seat="huns"), Span(" and "), Span("Goths", seat="goths"), Span(", "), Span("odd", seat="odd"))),
        Bullets(((Span("build "), Span("Bridges", italic=True)), (Span("attack", bold=True),))),
        TABLE,
        Paragraph((Span("Map", picture="https://tabula.example/c/abcdefgh/map.png?at=9"),)),
        Paragraph((Span("Map", picture="https://tabula.example/]"),)),
        Paragraph((Span("the table", link="https://tabula.example/c/abcdefgh/"),), small=True),
    )
    assert one(*blocks) == (
        "[size=150][b]Turn 1[/b][/size]\n"
        "[size=120][b]Slot of the [color=#7a4a2b]Huns[/color][/b][/size]\n"
        "[b]#1 Dalmatia[/b]\n"
        "[color=#7a4a2b][b]Huns[/b][/color] and [b]Goths[/b], [b]odd[/b]\n"
        "[list]\n[*]build [i]Bridges[/i]\n[*][b]attack[/b]\n[/list]\n"
        "[code]           before  after\nstability       7      9\nincome       675t   650t[/code]\n"
        "[img]https://tabula.example/c/abcdefgh/map.png?at=9[/img]\n"
        "Map\n"
        "[size=85][url=https://tabula.example/c/abcdefgh/]the table[/url][/size]"
    )


def test_every_block_as_plain_text():
    text = plain(report(Heading((Span("Huns", seat="huns"),), 2), Bullets(((Span("one"),), (Span("two"),))), TABLE,
                        Paragraph((Span("Map", picture="https://tabula.example/map.png"),)),
                        Paragraph((Span("the table", link="https://tabula.example/"),))))  # fmt: skip
    assert text == (
        "Turn 1\n======\n\nHuns\n----\n\n- one\n- two\n\n"
        "           before  after\nstability       7      9\nincome       675t   650t\n\n"
        "Map <https://tabula.example/map.png>\n\nthe table <https://tabula.example/>\n"
    )


@pytest.mark.parametrize(
    "text",
    ["[b]", "[/code]", "[/b", "[*]", "[url=javascript:alert(1)]x[/url]", "[[b]]", "[ b]", "[code]", "[img]x[/img]", "[Size=200]"],
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
    assert post.endswith(f"\n[{JOINER}b]bold[{JOINER}/b]")


def test_lines_and_directions_stay_where_they_are():
    assert clean("a\nb\r\n\tc\u2028d\u202ee\u2066f\u200fg") == "a b c defg"
    assert one(Bullets(((Span("x\n[*]y"),),))).count("\n[*]") == 1
    assert harmless("a\n[/list]") == f"a [{JOINER}/list]"


def test_script_is_left_to_the_forum_which_escapes_it():
    assert "<script>" in one(Paragraph((Span("<script>"),)))


@pytest.mark.parametrize("link", ["https://x.example/]", "https://x.example/[b]", 'https://x.example/"', "https://x.example/ y"])
def test_a_link_that_would_end_its_tag_is_left_out(link):
    assert one(Paragraph((Span("here", link=link),))).endswith("\nhere")


@pytest.mark.parametrize(
    ("colour", "shown"),
    [("#7a4a2b", "#7a4a2b"), ("#000000", "#000000"), ("", ""), ("red", ""), ("#fff", ""), ("#e58bad]", ""), ("#E8C440\n", "")],
)
def test_colours_that_can_be_read_stay_and_others_are_none(colour, shown):
    assert readable(colour) == shown


@pytest.mark.parametrize("colour", ["#e58bad", "#ffffff", "#e8c440", "#FFFF00"])
def test_light_colours_are_darkened_until_they_can_be_read(colour):
    shown = readable(colour)
    assert re.fullmatch("#[0-9a-f]{6}", shown)
    assert shown != colour.lower()
    assert readable(shown) == shown


def test_tables_are_aligned_by_the_columns_letters_take():
    assert rows_of(Table(("", "VP"), (("漢", "1"), ("e\u0301", "10"), ("abc", "−2")))) == [
        "     VP",
        "漢    1",
        "e\u0301    10",
        "abc  −2",
    ]


def long(items, length=100):
    return Bullets(tuple((Span(f"{n:04}" + "x" * (length - 4)),) for n in range(items)))


def test_a_post_of_just_the_limit_is_one_and_of_one_more_two():
    (whole,) = bbcode(report(long(20), long(20)), COLOURS)
    room = weight(whole) - weight("[size=150][b]Turn 1[/b][/size]")
    limit = room + weight("[size=150][b]Turn 1 (999 of 999)[/b][/size]") + 2
    assert bbcode(report(long(20), long(20)), COLOURS, limit) == [whole]
    assert len(bbcode(report(long(20), long(20)), COLOURS, limit - 1)) == 2


def test_long_reports_are_cut_between_blocks_and_say_which_part_they_are():
    blocks = [Paragraph((Span(f"{n} " + "x" * 900),)) for n in range(150)]
    posts = bbcode(report(*blocks), COLOURS)
    assert [post.splitlines()[0] for post in posts] == [f"[size=150][b]Turn 1 ({n} of 3)[/b][/size]" for n in (1, 2, 3)]
    assert all(len(post) <= 60_000 for post in posts)
    assert [line for post in posts for line in post.splitlines()[1:]] == [block.spans[0].text for block in blocks]


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
    posts = bbcode(report(Paragraph((Span("before"),)), block, Paragraph((Span("after"),))), COLOURS)
    assert len(posts) > 1
    for post in posts:
        assert weight(post) <= 60_000
        assert post.count("[code]") == post.count("[/code]")
        assert post.count("[list]") == post.count("[/list]")
    both = "".join(posts)
    assert both.index("before") < both.index("after")


def test_phpbb_counts_escaped_letters():
    assert weight('<&">') == 4 + 5 + 6 + 4

"""Typed texts, which are inert in every dialect, by other parsers and the boards' own rules."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from forum.dialects import DIALECTS, JOINER, Context, clean
from games.contract.report import Block, Bullets, Heading, Paragraph, Report, Span, Table

NASTY = [
    "[/code]",
    "[code]",
    "[b]",
    "[/b]",
    "[url=https://evil.example]x[/url]",
    "[img]https://evil.example/x.png[/img]",
    "[/list]",
    "[*]",
    "[quote]",
    "@everyone",
    "@here",
    "@Ada",
    "<@123456789012345678>",
    "<@&42>",
    "<#42>",
    "<:smile:42>",
    "<t:1700000000:R>",
    "</cmd:1>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--",
    "&lt;b&gt;",
    "&#91;b]",
    "`",
    "```",
    "~~~",
    "``` \n",
    "**bold**",
    "*i*",
    "__u__",
    "_i_",
    "~~s~~",
    "||spoiler||",
    "==mark==",
    "++ins++",
    "^sup^",
    "$x$",
    "[x](https://evil.example)",
    "![x](https://evil.example/x.png)",
    "[x]: https://evil.example",
    "[^1]",
    "<https://evil.example>",
    "https://evil.example",
    "http://localhost/x",
    "//evil.example",
    "www.evil.example",
    "evil.com",
    "discord.gg/abc",
    "ada@evil.example",
    "mailto:ada@evil.example",
    "javascript:alert(1)",
    "# head",
    "-# small",
    "> quote",
    ">>> quote",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "---",
    "***",
    "===",
    "| a | b |",
    "|---|---|",
    ":::",
    ":smile:",
    ":)",
    ";)",
    "8)",
    "/me waves",
    "\\",
    "\\\\",
    "\\*",
    "\n",
    "\n\n",
    "\r\n# head",
    "\t",
    "    code",
    "\u202egnp.exe",
    "\u200b",
    "@\u200beveryone",
    "h\u200bttp://evil.example",
    "\u2066x",
    "\ufeff",
    "\u2028",
    "\x00",
    "\u2060",
    "שלום",
    "مرحبا",
    "漢字",
    "W" * 300,
    "#general",
    "#16",
    "From ",
    "-- ",
    "½",
    "Ada",
]
typed = st.lists(
    st.one_of(st.sampled_from(NASTY), st.text(max_size=8)), min_size=1, max_size=5
).map("".join)
kinds = st.sampled_from(["plain", "bold", "italic", "both", "seat"])
spans = st.tuples(typed, kinds).map(
    lambda both: Span(
        both[0],
        both[1] in ("bold", "both"),
        both[1] in ("italic", "both"),
        "huns" if both[1] == "seat" else "",
    )
)
line = st.lists(spans, min_size=1, max_size=4).map(tuple)
blocks = st.one_of(
    line.map(Paragraph),
    line.map(lambda inside: Paragraph(inside, True)),
    st.tuples(line, st.sampled_from([1, 2, 3])).map(lambda both: Heading(*both)),
    st.lists(line, min_size=1, max_size=3).map(lambda items: Bullets(tuple(items))),
    st.lists(st.tuples(typed, typed), min_size=2, max_size=3).map(
        lambda rows: Table(rows[0], tuple(rows[1:]))
    ),
)
reports = st.lists(blocks, min_size=1, max_size=4)
CONTEXT = Context({"huns": "#7a4a2b"})
TELL = settings(max_examples=60, deadline=None)


def posts(key: str, inside: list[Block], limit: int | None = None) -> list[str]:
    return DIALECTS[key].render(
        Report("T", (Heading((Span("T"),)), *inside), (), (), 1, 1), CONTEXT, limit
    )


def harmless_block(block: Block) -> Block:
    """Return the block with each typed text replaced by one plain letter.

    A text that shows nothing is replaced by nothing.
    """
    if isinstance(block, Table):
        return Table(
            tuple("x" if clean(cell).strip() else "" for cell in block.head),
            tuple(tuple("x" for _ in row) for row in block.rows),
        )
    if isinstance(block, Bullets):
        return Bullets(tuple(tuple(map(harmless_span, item)) for item in block.items))
    return block._replace(spans=tuple(map(harmless_span, block.spans)))  # type: ignore[arg-type]


def harmless_span(span: Span) -> Span:
    return span._replace(text="x" if clean(span.text).strip() else " ")


def blocks_with_text_everywhere(text: str) -> list[list[Block]]:
    """Return blocks with the text in every possible place."""
    span = Span(text)
    return [
        [Paragraph((span,))],
        [Paragraph((Span("by "), span._replace(seat="huns"), Span(": "), span))],
        [Heading((span,), 2), Bullets(((span,), (span._replace(italic=True), span)))],
        [Table((text, text), ((text, text),))],
        [Paragraph((span._replace(bold=True), span._replace(bold=True), span), True)],
    ]


# BBCode: as the boards' parsers find tags ---------------------------------------------------------

TAG = re.compile(r"\[/?(?:[a-z]+|\*)(?:=[^\]]*)?\]", re.IGNORECASE)
LINK = re.compile(r"//|\bwww\.|\bftp\.|\b[\w.+-]+@[\w.-]*\w", re.IGNORECASE)


@pytest.mark.parametrize("key", ["phpbb", "mybb"])
@TELL
@given(reports)
@example([Table(("x", "x"), (("/me waves", "x"),))])
@example([Paragraph((Span("/me waves", bold=True), Span("/", italic=True), Span("me waves")))])
def test_bbcode_has_the_tags_it_would_have_without_what_was_typed(
    key: str, inside: list[Block]
) -> None:
    (post,), (plain,) = (
        posts(key, inside, 10**9),
        posts(key, [harmless_block(block) for block in inside], 10**9),
    )
    assert TAG.findall(post) == TAG.findall(plain)
    assert LINK.search(post) is None
    assert post.count("\n[*]") == plain.count("\n[*]")
    assert re.search(r"(?mi)^/\w|\]/(?:me|slap)\b", post) is None or key != "mybb"


# Markdown: by markdown-it, with what Discourse and NodeBB switch on -------------------------------

PARSER = MarkdownIt("commonmark", {"html": True, "typographer": False}).enable(
    ["table", "strikethrough"]
)


def token_shape(text: str) -> list[str]:
    """Return the parser's tokens without their texts, with nested strong and em."""
    result = []
    for token in PARSER.parse(text):
        result.append(token.type)
        for child in token.children or []:
            if child.type not in ("text", "text_special"):
                result.append(f"{child.type} {sorted(child.attrs.items())}")
    return result


def read(text: str) -> str:
    lines = (
        "".join(c.content for c in token.children or [] if c.type.startswith("text"))
        for token in PARSER.parse(text)
    )
    return " ".join(line for line in lines if line)


MENTION = re.compile(
    r"@[\w<]|//|\w\.[^\W\d_]|#[^\W\d_]|:[\w+-]+:|\bmailto:[^\s\u2060]|\bjavascript:[^\s\u2060]"
)


@TELL
@given(reports)
@example([Paragraph((Span("a(", bold=True), Span("b"), Span("c", bold=True)))])
@example([Paragraph((Span("1."), Span(" x")))])
@example([Bullets(((Span("- # x"),),))])
@example([Paragraph((Span("http:/"), Span("/evil", bold=True), Span("."), Span("com")))])
@example([Paragraph((Span("&"), Span("lt;")))])
def test_markdown_has_the_tokens_it_would_have_without_what_was_typed(inside: list[Block]) -> None:
    (post,), (plain,) = (
        posts("markdown", inside, 10**9),
        posts("markdown", [harmless_block(block) for block in inside], 10**9),
    )
    assert token_shape(post) == token_shape(plain)
    assert MENTION.search(read(post)) is None


def test_markdown_reads_as_it_was_typed() -> None:
    for text in NASTY:
        (post,) = posts("markdown", [Paragraph((Span(text), Span("!")))])
        shown = read(post).removeprefix("T ").replace(JOINER, "").replace("\u200e", "")
        assert shown == f"{clean(text)}!".strip().replace(JOINER, "")


# Discord: its own rules ---------------------------------------------------------------------------

ESCAPE = re.compile(r"\\[^0-9A-Za-z\s]")
FORMAT = re.compile(r"[*_~|`<\[\]>]|@\w|//|\w\.[^\W\d_]|#[^\W\d_]|:\w+:")
HEAD = re.compile(r"(?m)^(?:#{1,3} |-# |>|>>> |\d+[.)] |[-*+] )")


def without_code_and_escapes(text: str) -> str:
    """Return a message without blocks of code and with a dot for each escaped character."""
    return ESCAPE.sub("·", without_code(text))


def without_code(text: str) -> str:
    return re.sub(r"```\n.*?\n```", "", text, flags=re.DOTALL)


@TELL
@given(reports)
def test_discord_has_the_marks_it_would_have_without_what_was_typed(inside: list[Block]) -> None:
    (post,), (plain,) = (
        posts("discord", inside, 10**9),
        posts("discord", [harmless_block(block) for block in inside], 10**9),
    )
    assert post.count("```") == plain.count("```")
    assert FORMAT.findall(without_code_and_escapes(post)) == FORMAT.findall(
        without_code_and_escapes(plain)
    )
    assert HEAD.findall(without_code(post)) == HEAD.findall(without_code(plain))
    assert re.search(r"@(?:everyone|here)|<[@#:/t]", without_code(post).replace("\\<", "")) is None


@TELL
@given(reports, st.sampled_from([700, 2000]))
def test_no_discord_message_is_too_long_or_cut_within_a_mark(
    inside: list[Block], limit: int
) -> None:
    for post in posts("discord", inside * 3, limit):
        assert len(post.encode("utf-16-le")) // 2 <= limit or limit < 2000
        assert post.count("```") % 2 == 0
        assert post.strip()


# HTML and plain text ------------------------------------------------------------------------------


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, ...]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}",))

    def handle_comment(self, data: str) -> None:
        self.tags.append(("comment",))

    def handle_decl(self, decl: str) -> None:
        self.tags.append(("declaration",))

    def handle_pi(self, data: str) -> None:
        self.tags.append(("instruction",))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(text: str) -> Seen:
    created = Seen()
    created.feed(text)
    created.close()
    return created


@TELL
@given(reports)
def test_html_has_the_tags_it_would_have_without_what_was_typed(inside: list[Block]) -> None:
    (post,), (plain,) = (
        posts("html", inside, 10**9),
        posts("html", [harmless_block(block) for block in inside], 10**9),
    )
    assert parsed(post).tags == parsed(plain).tags
    assert LINK.search("".join(parsed(post).words)) is None


@TELL
@given(reports)
def test_plain_text_links_and_quotes_nothing(inside: list[Block]) -> None:
    (post,) = posts("plain", inside, 10**9)
    assert LINK.search(post) is None
    assert re.search(r"(?m)^(?:>|-- ?$)", post) is None


# All ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", DIALECTS)
def test_typed_text_mentions_no_one(key: str) -> None:
    for inside in (inside for text in NASTY for inside in blocks_with_text_everywhere(text)):
        (post,) = posts(key, inside, 10**9)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u0000\u2028]", post)
        assert re.search(r"@(?:everyone|here|Ada)\b", post) is None
        assert re.search(r"https?://|//evil|www\.evil|discord\.gg|evil\.com", post) is None


@pytest.mark.parametrize("key", DIALECTS)
def test_a_links_address_is_the_sites_or_none(key: str) -> None:
    good, bad = "https://tabula.example/c/abcdefgh-x/", "javascript:alert(1)"
    (post,) = posts(
        key, [Paragraph((Span("here", link=good), Span("there", link=bad), Span("x", picture=bad)))]
    )
    assert good in post
    assert "alert" not in post
    (post,) = posts(key, [Paragraph((Span(good, link=good),))])
    assert post.count(good) == (2 if key in ("phpbb", "mybb", "html") else 1)


# As the boards look for addresses and names: by their own rules, read in their sources ------------

LINKERS = {
    "phpbb": re.compile(
        r"(?i)\b(?:https?|ftp)://\S|(?<![\w.])www\.\S|[-a-z0-9_+.]+@[-a-z0-9.]*[a-z0-9]"
    ),
    "mybb": re.compile(
        r"(?i)\b(?:https?|ftp|news|ircs?|irc6)://[^\s\"<]|(?<![\w/])(?:www|ftp)\.[^\s\"<]|[\w.+-]+@[\w-]+\.[\w.]+"
    ),
    # linkify-it, which takes any sign that is no blank and no punctuation for a letter of a host
    "markdown": re.compile(
        r"(?i)\b(?:https?|ftp):(?=//)|mailto:[-;:&=+$,.a-z0-9_]+@[a-z0-9]|(?:^|[\s(])//\S|[^\s.,;:!?\"'()@/]\.(?:com|org|net|gg|la|it|example|xn--[a-z0-9-]+)\b"
    ),
    "discord": re.compile(r"(?i)https?://\S|<?@(?:everyone|here)|discord\.gg"),
}
CALLS = re.compile(r"(?<![\w@])@[\w.-]")
TYPED = [
    "www.evil.com",
    "WWW.evil",
    "www.x",
    "see www.evil.com/x?y=1#z.",
    "(www.evil.com)",
    "wWw.1",
    "ftp.evil.com",
    "evil.com",
    "my-host.evil.org/path",
    "evil☃.com",
    "💩.la",
    "evil.xn--p1ai",
    "discord.gg/abc",
    "ada@evil.example",
    "ada.b+c@mail.evil.com",
    "@Ada",
    "@ada.b-c",
    "hello @everyone",
    "(@here)",
    "mailto:ada@evil.com",
    "https://evil.com/a",
    "HTTP://evil.com",
    "//evil.com",
]


@pytest.mark.parametrize("key", LINKERS)
@pytest.mark.parametrize("text", TYPED)
def test_no_board_finds_an_address_or_a_name_to_call_in_what_was_typed(key: str, text: str) -> None:
    """The text is typed in one piece, or in two that are an address only together.

    It is in a paragraph, a list, a heading and a table.
    """
    for at in range(len(text)):
        pieces = (Span(text[:at]), Span(text[at:])) if at else (Span(text),)
        places: list[Block] = [
            Paragraph(pieces),
            Bullets((pieces,)),
            Heading(pieces, 2),
            Table(("x", "y"), ((text, text),)),
        ]
        for block in places:
            (post,) = posts(key, [block])
            assert LINKERS[key].search(post) is None, post
            assert CALLS.search(post) is None, post

"""Pages of the fake phpBB, built as its usual style builds them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from tests.boards.forms import CapturedForm

Row = tuple[int, str, str, str, int, bool]
"""A post: number, author, subject, text as written, second, and whether it is not approved yet."""

WAITS = (
    '<p class="post-notice unapproved"><strong>Nobody else sees this post before it is'
    " approved.</strong></p>"
)

_TAG = re.compile(r"\[(/?)(b|i|u)\]")


def when(second: int) -> datetime:
    return datetime.fromtimestamp(second, UTC)


def shown(text: str) -> str:
    """BBCode as the board shows it, as far as a reader's eye minds."""
    created = _TAG.sub(
        lambda result: f"<{result[1]}span>" if result[1] else '<span class="tag">', escape(text)
    )
    return created.replace("\n", "<br>\n")


def page(title: str, body: str, head: str = "") -> str:
    return (
        '<!DOCTYPE html>\n<html dir="ltr" lang="en-gb">\n<head>\n<meta charset="utf-8"'
        f' />{head}\n<title>The Board - {escape(title)}</title>\n</head>\n<body id="phpbb"'
        ' class="nojs notouch section-posting ltr">\n<div id="wrap" class="wrap">\n<div'
        ' id="site-description" class="site-description"><h1>The Board</h1><p>A board of'
        ' games</p></div>\n<form action="./search.php" method="get" id="search"><input'
        ' name="keywords" type="search"></form>\n<div id="page-body" class="page-body"'
        f' role="main">\n{body}\n</div></div></body></html>'
    )


LOGIN = CapturedForm(
    "phpbb-login.html",
    "form#login",
    ("creation_time", "form_token", "sid"),
    (("why", "form#login h2"),),
)
REPLY = CapturedForm(
    "phpbb-reply.html",
    "form#postform",
    ("subject", "message", "creation_time", "form_token", "topic_cur_post_id"),
    optional=frozenset({"topic_cur_post_id"}),
)
EDIT = CapturedForm(
    "phpbb-edit.html",
    "form#postform",
    (
        "subject",
        "message",
        "creation_time",
        "form_token",
        "edit_post_message_checksum",
        "edit_post_subject_checksum",
    ),
)


def login(why: str, error: str, fields: Mapping[str, str], sid: str) -> str:
    shown_text = f'<div class="error">{escape(error)}</div>' if error else ""
    return LOGIN.page("./ucp.php?mode=login", {"sid": sid, "why": why, **fields}, shown_text)


def posting(
    form: CapturedForm,
    where: str,
    fields: Mapping[str, str],
    errors: Sequence[str],
    review: Sequence[tuple[str, str]],
) -> str:
    shown_text = (
        f'<p class="error">{"<br />".join(escape(error) for error in errors)}</p>' if errors else ""
    )
    seen = "".join(
        f'<div class="post"><p>by <strong>{escape(who)}</strong></p><div'
        f' class="content">{shown(what)}</div></div>'
        for who, what in review
    )
    asked = (
        f"<h3>Post review</h3><p>At least one new post has been made to this topic.</p>{seen}"
        if review
        else ""
    )
    return form.page(f"./posting.php?{where}", fields, asked + shown_text)


def message(text: str, refresh: str = "") -> str:
    head = f'<meta http-equiv="refresh" content="10; url={escape(refresh)}" />' if refresh else ""
    return page(
        "Information",
        '<div class="panel" id="message"><div class="inner"><h2'
        f' class="message-title">Information</h2><p>{escape(text)}</p></div></div>',
        head,
    )


def _turning(url: str, number: int, of: int) -> str:
    if of == 1:
        return '<div class="pagination">posts</div>'
    return f'<div class="pagination">Page <strong>{number}</strong> of <strong>{of}</strong></div>'


def topic(url: str, number: int, title: str, rows: Sequence[Row], at: int, of: int) -> str:
    posts = "\n".join(
        f'<div id="p{post}" class="post has-profile bg2"><div class="postbody"><div'
        f' id="post_content{post}">'
        f'<h3><a href="./viewtopic.php?p={post}#p{post}">{escape(subject)}</a></h3>'
        f'<p class="author"><a class="unread" href="./viewtopic.php?p={post}#p{post}"'
        ' title="Post"></a>'
        f'<span class="responsive-hide">by <strong><a'
        f' href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">'
        f'{escape(who)}</a></strong> &raquo; </span><time datetime="{when(second).isoformat()}">'
        f"{when(second):%a %b %d, %Y %I:%M %p}</time></p>{WAITS if waits else ''}"
        f'<div class="content">{shown(text)}</div></div></div></div>'
        for post, who, subject, text, second, waits in rows
    )
    head = f'<h2 class="topic-title"><a href="./viewtopic.php?t={number}">{escape(title)}</a></h2>'
    return page(title, f"{head}{_turning(url, at, of)}{posts}")


def print_view(url: str, number: int, title: str, rows: Sequence[Row], at: int, of: int) -> str:
    posts = "\n".join(
        f'<div class="post"><h3>{escape(subject)}</h3><div class="date">Posted:'
        f' <strong>{when(second):%a %b %d, %Y %I:%M %p}</strong></div><div class="author">by'
        f' <strong>{escape(who)}</strong></div><div class="content">{shown(text)}</div></div><hr />'
        for _, who, subject, text, second, _waits in rows
    )
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
        ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html'
        ' xmlns="http://www.w3.org/1999/xhtml"><head><title>The Board &bull;'
        f' {escape(title)}</title></head><body id="phpbb"><div id="wrap"><div'
        f' id="page-header"><h1>The Board</h1><h2>{escape(title)}</h2><p><a'
        f' href="{url}/viewtopic.php?t={number}">{url}/viewtopic.php?t={number}</a></p></div><div'
        f' id="page-body"><div class="page-number">Page <strong>{at}</strong> of'
        f" <strong>{of}</strong></div>{posts}</div></div></body></html>"
    )


def feed(url: str, number: int, title: str, rows: Sequence[Row]) -> str:
    entries = "\n".join(
        f"<entry><author><name><![CDATA[{who}]]></name></author><updated>{when(second).isoformat()}</updated>"
        f"<published>{when(second).isoformat()}</published><id>{url}/viewtopic.php?p={post}#p{post}</id>"
        f'<link href="{url}/viewtopic.php?p={post}#p{post}"/>'
        f'<title type="html"><![CDATA[The Forum • {escape(subject)}]]></title>'
        f'<category term="The Forum" scheme="{url}/viewforum.php?f=2"/>'
        '<content type="html"'
        f' xml:base="{url}/viewtopic.php?p={post}#p{post}"><![CDATA[\n{shown(text)}<p>Statistics:'
        " Posted by "
        f"{escape(who)} — {when(second):%a %b %d, %Y %I:%M %p}</p><hr />\n]]></content></entry>"
        for post, who, subject, text, second, _waits in rows
    )
    newest = when(rows[0][4]).isoformat() if rows else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"'
        ' xml:lang="en-gb">\n<link rel="self" type="application/atom+xml"'
        f' href="{url}/app.php/feed/topic/{number}" />\n<title>The'
        f" Board</title>\n<updated>{newest}</updated>\n<author><name><![CDATA[The"
        f" Board]]></name></author>\n<id>{url}/app.php/feed/topic/{number}</id>\n{entries}\n</feed>"
    )

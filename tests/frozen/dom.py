"""Pages as lines of text that are equal when the pages are equal.

`lines_of(response)` returns the status, the target, the type and, for HTML, one line for each tag
or text. It leaves out what may change unnoticed: the layout of the markup, the order of attributes,
classes and hidden inputs, attributes that are empty, tokens and nonces. Two kinds of white space
stay, because a reader notices them: in `<pre>` and `<textarea>`, and between words and an inline
element beside them (`by <b>Ada</b>` is not `by<b>Ada</b>`).
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from functools import lru_cache
from typing import Any

from lxml import etree, html

SPACE = re.compile(r"[ \t\n\r\f]+")
TOKEN = re.compile(r'"X-CSRFToken": ?"\w+"')
MASKS = (
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}\."), r"\1."),
    (re.compile(r'(data-at="\d+\.)[0-9a-f]{16}'), r"\1"),
    (re.compile(r"\b(state|code_challenge)=[\w-]{16,}"), r"\1=RANDOM"),
    (re.compile(r"/(c|live)/[a-z0-9]{8}(?=[-/])"), r"/\1/CAMPAIGN"),
)
"""The parts that differ between two requests for the same page."""
INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "cite",
        "code",
        "data",
        "del",
        "em",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
    ]
)
EXACT = frozenset(["pre", "textarea"])
VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
DROPPED_IF_EMPTY = frozenset(["class", "id", "placeholder", "style", "title"])
PARSER = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8")


def content_of(response: Any) -> bytes:
    """Return the body of a response, also of one that is streamed."""
    content = getattr(response, "content", None)
    return bytes(b"".join(response.streaming_content) if content is None else content)


def masked(text: str) -> str:
    """Return the text without what differs from request to request."""
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def lines_of(response: Any) -> list[str]:
    """Return a response as lines: its head, then its body in the form that fits its type."""
    kind = response.headers.get("Content-Type", "")
    location = masked(response.headers.get("Location", ""))
    head = " ".join(part for part in (str(response.status_code), location, kind) if part)
    return [head, *body_lines(content_of(response), kind)]


def body_lines(content: bytes, kind: str) -> list[str]:
    """Return a body as lines.

    Of a picture only its existence counts, because other fonts give other pixels.
    """
    if kind.startswith("image/") and "svg" not in kind:
        return ["a picture" if content else "no picture"]
    if kind.startswith("application/zip"):
        return zip_lines(content)
    text = masked(content.decode("utf-8", "replace"))
    if kind.startswith("text/html"):
        return html_lines(text)
    if kind.partition(";")[0] == "application/json":
        return json.dumps(
            json.loads(text), indent=1, sort_keys=True, ensure_ascii=False
        ).splitlines()
    return text.splitlines()


def zip_lines(content: bytes) -> list[str]:
    """Return the names of a ZIP file's members and its HTML pages as lines."""
    lines = []
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        for name in sorted(file.namelist()):
            lines.append(f"== {name}")
            if name.endswith(".html"):
                lines += html_lines(masked(file.read(name).decode()))
    return lines


def digest(lines: list[str]) -> str:
    """Return ten hex digits that stand for these lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:10]


@lru_cache(maxsize=512)
def html_lines(text: str) -> list[str]:
    """Return a page or a part of a page as lines: `<tag attributes>`, text, `</tag>`."""
    lines: list[str] = []
    start = text.lstrip()
    if start[:14].lower() == "<!doctype html":
        lines.append("<!doctype html>")
        _add_element(lines, html.document_fromstring(text.encode(), parser=PARSER))
    elif start:
        for part in html.fragments_fromstring(text.encode(), parser=PARSER):
            if isinstance(part, str):
                lines += [words] if (words := _collapsed(part)) else []
                continue
            _add_element(lines, part)
            lines += [words] if (words := _collapsed(part.tail)) else []
    return _sorted_hidden(lines)


def tree_of(text: str) -> Any:
    """Return the parsed page, to look for its forms."""
    return html.document_fromstring(text.encode(), parser=PARSER)


def _collapsed(text: str | None) -> str:
    return SPACE.sub(" ", text or "").strip(" ")


def _attributes(element: Any) -> str:
    shown, tag = [""], element.tag
    for key, value in sorted(element.items()):
        content = SPACE.sub(" ", value).strip(" ")
        if key == "class":
            content = " ".join(sorted(content.split(" ")))
        elif key == "style":
            content = content.rstrip("; ")
        elif key == "nonce" or (key == "value" and element.get("name") == "csrfmiddlewaretoken"):
            content = "RANDOM"
        elif key == "hx-headers":
            content = TOKEN.sub('"X-CSRFToken": "RANDOM"', content)
        if not content and (key in DROPPED_IF_EMPTY or (key == "value" and tag == "input")):
            continue
        if tag == "input" and key == "type" and content == "text":
            continue
        shown.append(f"{key}={content}" if content and content != key else key)
    return " ".join(shown)


def _add_words(lines: list[str], text: str | None, before: Any, after: Any) -> None:
    """Add a text, with one space towards an inline element if white space separates the two."""
    if text and (words := _collapsed(text)):
        left = " " if before is not None and before.tag in INLINE and text[0].isspace() else ""
        right = " " if after is not None and after.tag in INLINE and text[-1].isspace() else ""
        lines.append(left + words + right)


def _add_exact(lines: list[str], element: Any) -> None:
    """Add the content of an element whose white space is shown."""
    inside = etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    inside = re.sub(r"^<[^>]*>\n?|</\w+>$", "", inside)
    lines.extend(f"|{line.rstrip()}" for line in inside.rstrip().split("\n"))


def _add_element(lines: list[str], element: Any) -> None:
    tag = element.tag
    lines.append(f"<{tag}{_attributes(element)}>" if element.attrib else f"<{tag}>")
    if tag in EXACT:
        _add_exact(lines, element)
    else:
        child = None
        for following in element:
            _add_words(lines, element.text if child is None else child.tail, child, following)
            _add_element(lines, following)
            child = following
        _add_words(lines, element.text if child is None else child.tail, child, None)
    if tag not in VOID:
        lines.append(f"</{tag}>")


def _sorted_hidden(lines: list[str]) -> list[str]:
    """Return the lines with each run of hidden inputs in alphabetical order."""
    result: list[str] = []
    run: list[str] = []
    for line in lines:
        if line.startswith("<input ") and " type=hidden" in line:
            run.append(line)
            continue
        result += sorted(run)
        run.clear()
        result.append(line)
    return result + sorted(run)

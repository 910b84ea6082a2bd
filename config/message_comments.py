"""Comments for translators: the kind of place that shows a message, found from the code.

A message gets a comment only where the kind of place is certain. What a programmer writes after
"Translators:" in a comment is added to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

ERROR = "Error message"
NAMES = "Sentence with names in grammatical forms, see docs/contribute/translating.md"
PART = "Begins in lower case: part of a sentence or of a line"
TOOLTIP = "Tooltip or name for screen readers"

_ELEMENTS = {
    "a": "Link",
    "button": "Button",
    "caption": "Heading of a table",
    "dt": "Name of a value",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "Heading"),
    "label": "Label of a field",
    "legend": "Heading of a group of fields",
    "option": "Option",
    "summary": "Heading of a part that can be opened",
    "th": "Column heading",
    "title": "Title of a page",
}
_ATTRIBUTES = {
    **dict.fromkeys(("aria-label", "title"), TOOLTIP),
    "alt": "Description of a picture",
    "placeholder": "Example in an empty field",
    "value": "Button or value of a field",
}
_INLINE = {"abbr", "b", "bdi", "code", "em", "i", "small", "span", "strong", "sup", "time"}
_VOID = {"br", "hr", "img", "input", "link", "meta", "path", "source", "use"}
_CLASSES = {"button": "Button", "chip": "Chip (a state in one or two words)"}
_KEYWORDS = {
    "button": "Button",
    "heading": "Heading",
    "help": "Help below a field",
    "help_text": "Help below a field",
    "label": "Label",
    "verb": "Button",
    "verbose_name": "Name of a field",
    "wrong": ERROR,
}
_CALLS = {
    "Chip": _CLASSES["chip"],
    "Link": "Link",
    "HelpLink": "Link",
    "Tab": "Tab",
    "PasskeyError": ERROR,
    "PermissionDenied": ERROR,
    "Refusal": ERROR,
    "TokenError": ERROR,
    "ValidationError": ERROR,
    **dict.fromkeys(("success", "info", "warning"), "Notice"),
    "chip": _CLASSES["chip"],
    "empty_line": "Shown in place of an empty list",
    "error": ERROR,
}
"""The kinds of place by the name of the class, function or macro that gets the message."""

_TOKEN = re.compile(
    r"""\{\#.*?\#\}
    | (?P<trans> \{%-?\s*trans\b )
    | (?<![\w.]) (?:_|n?p?gettext) \( \s* (?P<text> "(?:[^"\\]|\\.)*" )?
    | < (?P<close> /?) (?P<tag> [a-z][a-z0-9]* )""",
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r'([\w-]+)="[^"<>]*$')
_CALLED = re.compile(r"(\w+)\(\s*$")
_FORMS = re.compile(r"\{\w+:([Tt]he\b|[^{}]*\|)")


def general_comments(text: str, context: str) -> Iterator[str]:
    """Yield the comments that follow from a message and its context alone."""
    if _FORMS.search(text):
        yield NAMES
    if text[:1].islower() and not context:
        yield PART


def kinds_in_template(source: str) -> dict[tuple[int, str], str]:
    """Return the kinds of place in a Jinja2 template.

    The keys are the line and the message; the message is empty for `{% trans %}`.
    """
    kinds: dict[tuple[int, str], str] = {}
    elements: list[str] = []  # the kind of each open element, the innermost last
    for match in _TOKEN.finditer(source):
        before = source[max(0, match.start() - 300) : match.start()]
        if tag := match["tag"]:
            if match["close"]:
                names = [name for name, _, _ in map(_parts, elements)]
                if tag in names:
                    del elements[len(names) - 1 - names[::-1].index(tag) :]
            elif tag not in _VOID:
                attributes = source[match.end() : match.end() + 200].partition(">")[0]
                elements.append(f"{tag}|{attributes}")
        elif match["trans"] or match["text"]:
            text = ast.literal_eval(match["text"]) if match["text"] else ""
            if kind := _kind_in_markup(before, elements):
                kinds[source.count("\n", 0, match.start()) + 1, text] = kind
    return kinds


def _parts(element: str) -> tuple[str, str, str]:
    return element.partition("|")


def _kind_in_markup(before: str, elements: list[str]) -> str:
    if attribute := _ATTRIBUTE.search(before):
        return _ATTRIBUTES.get(attribute[1], "")
    if before.rstrip().endswith("="):
        return ""  # the value of a variable, which may be shown anywhere
    if (called := _CALLED.search(before)) and called[1] not in ("with_names", "sentence"):
        return _CALLS.get(called[1], "")
    for element in reversed(elements):
        tag, _, attributes = _parts(element)
        classes = re.search(r'class="([\w -]*)', attributes)
        for name in classes[1].split() if classes else ():
            if name in _CLASSES:
                return _CLASSES[name]
        if tag not in _INLINE:
            return _ELEMENTS.get(tag, "")
    return ""


def kinds_in_python(source: str) -> dict[str, str]:
    """Return the kinds of place of the messages in a Python module, by message."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    kinds: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (kind := _kind_of_call(node, parents)):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    kinds.setdefault(argument.value, kind)
    return kinds


def _kind_of_call(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> str:
    if not _name(call.func).endswith(("_", "gettext", "gettext_lazy", "gettext_noop")):
        return ""
    node: ast.AST = call
    while (parent := parents.get(node)) and not isinstance(parent, (ast.Assign, ast.FunctionDef)):
        if isinstance(parent, ast.keyword) and parent.arg in _KEYWORDS:
            return _KEYWORDS[parent.arg]
        if isinstance(parent, ast.Call) and _name(parent.func) in _CALLS:
            return _CALLS[_name(parent.func)]
        if isinstance(parent, ast.Raise):
            return ERROR
        node = parent
    scope = parents.get(parent) if parent else None
    return "Option" if isinstance(scope, ast.ClassDef) and _has_choices(scope) else ""


def _has_choices(scope: ast.ClassDef) -> bool:
    return any(_name(base).endswith("Choices") for base in scope.bases)


def _name(node: ast.expr) -> str:
    return getattr(node, "attr", "") or getattr(node, "id", "")

"""Golden files: the reports of the campaign in tests/playthroughs, in each dialect and language.

`golden/<dialect>/<language>/` has one report of each kind as it is posted, and `campaign.txt` with
every report of the campaign: its number of posts, the size of each, the beginning of its digest.
`golden_reports/<language>/` has the report of each turn in both tones, with a player for each
nation, to be read aloud.
`python -m tests.forum.golden` writes them again, on purpose: look at the difference before you
commit it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("golden")
READ_ALOUD = Path(__file__).with_name("golden_reports")
PLAYERS = {
    "romans": "Benedetto",
    "sassanids": "Carla",
    "vandals": "Devika",
    "hephtalites": "Erik",
    "huns": "Ingrid",
    "kushans": "Jorge",
}
LANGUAGES = ("en", "it")
NAME = "The Long Frontier"
PEOPLE = {"huns": "Ingrid", "romans": "Ben_e_detto", "kushans": "Devika *"}
KINDS = ("opening", "slot", "challenge", "battle", "result", "trade", "turn", "standings", "final")
"""The kinds whose first report of the campaign is stored whole; the turn report of turn 1 is one of
them.
"""
CUT = "\n\n--------8<--------\n\n"
"""Between two posts of a report."""
RENEW = "If it is meant: python -m tests.forum.golden, then look at what changed."


def generate_reports() -> Iterator[tuple[str, str, str, Any]]:
    """Yield language, key, kind and report in the order of posting.

    The language is active meanwhile.
    """
    from django.utils import translation

    from engine.language import use_language
    from games.grand_campaign.text.report import Reports
    from tests.playthroughs.notation import read
    from tests.playthroughs.test_playthroughs import FILES, run

    scenario, start, lines = run(read(FILES[0]), FILES[0].stem)
    teller = Reports()
    for language in LANGUAGES:
        with ExitStack() as stack:
            stack.enter_context(translation.override(language))
            stack.enter_context(use_language(language))
            for item in reversed(teller.contents(scenario, lines)):
                shown = teller.report(scenario, start, lines, item.key, NAME, PEOPLE)
                assert shown is not None
                yield language, item.key, item.kind, shown


def nation_colours() -> dict[str, str]:
    from tests.grand_campaign.campaigns import TITLE
    from tests.playthroughs.test_playthroughs import FILES

    return {key: nation.colour for key, nation in TITLE.scenario(FILES[0].stem).nations.items()}


def generate_files() -> dict[str, str]:
    """Return the golden files of the present code, by their path below the folder."""
    from forum.dialects import DIALECTS, Context

    context, files, sums, kinds = (
        Context(nation_colours()),
        dict[str, str](),
        dict[str, list[str]](),
        set[tuple[str, str]](),
    )
    for language, key, kind, shown in generate_reports():
        whole = kind in KINDS and (language, kind) not in kinds
        kinds.add((language, kind))
        for dialect in DIALECTS.values():
            posts = dialect.render(shown, context)
            where = f"{dialect.key}/{language}"
            weights = "+".join(str(dialect.weight(post)) for post in posts)
            sums.setdefault(where, []).append(
                f"{key} {weights} {sha256(CUT.join(posts).encode()).hexdigest()[:16]}"
            )
            if whole:
                files[f"{where}/{key}.txt"] = CUT.join(posts) + "\n"
    return {
        **files,
        **{f"{where}/campaign.txt": "\n".join(lines) + "\n" for where, lines in sums.items()},
    }


def turn_reports(tone: str) -> Iterator[tuple[str, int, Any]]:
    """Yield language, turn and report of each turn in this tone.

    The language is active meanwhile.
    """
    from django.utils import translation

    from engine.language import LANGUAGES as ALL_LANGUAGES
    from engine.language import use_language
    from games.grand_campaign.text.report import Reports
    from tests.playthroughs.notation import read
    from tests.playthroughs.test_playthroughs import FILES, run

    scenario, start, lines = run(read(FILES[0]), FILES[0].stem)
    for language in ALL_LANGUAGES:
        with translation.override(language), use_language(language):
            for turn in range(1, scenario.turns + 1):
                report = Reports().report(
                    scenario, start, lines, f"turn-{turn}", NAME, PLAYERS, tone
                )
                yield language, turn, report


def reports_to_read() -> dict[str, str]:
    """Return the report of each turn in both tones and all languages, without its details."""
    from forum.dialects import DIALECTS, Context
    from games.contract.report import CHRONICLE, DRY

    return {
        f"{language}/turn-{turn}-{tone}.md": "\n".join(
            DIALECTS["markdown"].render(without_details(report), Context(nation_colours()))
        )
        + "\n"
        for tone in (DRY, CHRONICLE)
        for language, turn, report in turn_reports(tone)
    }


def without_details(report: Any) -> Any:
    """Return a report without the details that a reader opens."""
    from games.contract.report import Fold

    blocks = tuple(block for block in report.blocks if not isinstance(block, Fold))
    return report._replace(blocks=blocks)


def stored_reports_to_read() -> dict[str, str]:
    """Return the stored reports of turns, by their path below the folder."""
    return {
        path.relative_to(READ_ALOUD).as_posix(): path.read_text("utf-8")
        for path in READ_ALOUD.rglob("*.md")
    }


def stored_files() -> dict[str, str]:
    """Return the stored golden files, by their path below the folder."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_text("utf-8")
        for path in FOLDER.rglob("*.txt")
    }


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SECRET_KEY", "golden")
    os.environ.setdefault("VAULT_KEY", "golden")
    import django
    from django.conf import settings

    from config import catalogues

    django.setup()
    catalogues.compile_outdated(Path(settings.LOCALE_PATHS[0]))
    write_files(FOLDER, generate_files())
    write_files(READ_ALOUD, reports_to_read())


def write_files(folder: Path, created: dict[str, str]) -> None:
    """Replace the files of a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for where, text in created.items():
        path = folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    sys.stdout.write(f"{len(created)} files below {folder}\n")


if __name__ == "__main__":
    main()

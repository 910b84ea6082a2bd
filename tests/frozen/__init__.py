"""A safety net for the templates: every page in every state, compared with stored hashes.

A state is a campaign (or the site) at a moment: `grand.py`, `companions.py` and `site.py` build
them. `test_pages.py` asks for each address of a state as game master, Hun, Roman, outsider and
anonymous reader, and sends the forms on these pages: once unchanged, once with a wrong word in
every field. The database takes back what a request writes, so that one page does not change the
next. Chance and time are fixed (`still.py`). `dom.py` defines which pages are equal. Letters that a
request sends are part of its answer. `test_answers.py` compares the answers to programs.

`hashes/<title>.json` contains the hashes by state, language, reader and address. A page that
differs fails the test of its state, which names title, state, reader, language and address. This
shows the difference:

    TABULA_FROZEN_DIR=/tmp/before script/test --frozen   before the change: writes pages, one
    element a line
    TABULA_FROZEN_DIR=/tmp/after script/test --frozen    after it
    diff -r /tmp/before /tmp/after

`script/test --frozen -k "march_on_rome or claim"` tests only some states; TABULA_FROZEN_PAGES and
TABULA_FROZEN_LANGUAGES (`only.py`) select pages and languages of each. If a change is intended,
`TABULA_FREEZE=1 script/test --frozen` stores new hashes; the commit message names the changed pages
and why.

White space in the markup can move pixels although the page is the same (`:empty`, inline boxes).
`test_shots.py` compares pictures of 40 pages at 1280 and 390 pixels. They are not stored with the
code, because another browser or font draws other pixels. Compare two runs on the same machine:
TABULA_SHOTS=/tmp/shots keeps the pictures of a run, and TABULA_SHOTS_BEFORE=/tmp/shots compares the
next run with them.

To keep the time to a quarter of an hour in one process, five readers look in English and two of
them (game master and Hun) in German, Spanish and Italian. All five read the states marked
`thorough` in all four languages. Forms are sent in English, by the readers that the state names,
and not twice in a state.

Not covered: parts that only htmx or a script asks for while a page is open (except `live/`,
`moves/` and `film/`), previews of moves that are typed by script, uploads, pages between Discord or
Steam and this site, passkeys, the pixels of pictures, white space between two inline elements
without words (only 40 pictures cover it), and the admin, whose pages are Django's. A form without
any field is sent once; a wrong word is the only refusal that is tried.
"""

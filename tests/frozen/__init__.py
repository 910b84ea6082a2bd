"""A safety net under the templates: what every page contains, in every state, for every reader, held to stored hashes.

A state is a campaign (or the site) at a moment: `grand.py`, `companions.py` and `site.py` build them. `test_pages.py` asks
for each of a state's addresses as game master, Hun, Roman, outsider and nobody, and sends the forms that stand on the pages:
once as they stand, once with a wrong word in every field. Nothing that a request writes stays, so that one page does not
change the next; chance and time stand still (`still.py`). `dom.py` says what counts as the same page. Letters that a request
sends are part of its answer. `test_answers.py` does the same for the interface for programs.

The hashes stand in `hashes/<title>.json` by state, language, reader and address. A page that differs fails the test of its
state, which names title, state, reader, language and address. To see the difference:

    TABULA_FROZEN_DIR=/tmp/before script/test --frozen      # before the change; writes each page, an element a line
    TABULA_FROZEN_DIR=/tmp/after script/test --frozen       # after it
    diff -r /tmp/before /tmp/after

A change that is meant is stored by `TABULA_FREEZE=1 script/test --frozen`; the commit says which pages changed and why.
`-k claim` chooses states: `script/test --frozen -k "march_on_rome or claim"`.

White space in the markup can move pixels although the page is the same. So `test_shots.py` compares pictures of 40 pages at
1280 and 390 pixels. They are not stored with the code, as another browser or font draws other pixels; two runs on the same
machine are compared: TABULA_SHOTS=/tmp/shots keeps the pictures of a run, TABULA_SHOTS_BEFORE=/tmp/shots compares with them.

What is looked at, to keep it in a quarter of an hour in one process: five readers in English and two of them (game master
and Hun) in German, Spanish and Italian; states marked `thorough` are read by all five in all four languages. Forms are sent
in English, by the readers that the state names.

What is not looked at: pages that only a script asks for while a page is open (parts fetched by htmx, but for `live/`, `moves/`
and `film/`); forms that a press of a button opens by script; uploads; the pages that lead through Discord and Steam; passkeys;
pictures and files for download beyond what `EVERY` of `grand.py` names; the admin, whose pages are Django's.
"""

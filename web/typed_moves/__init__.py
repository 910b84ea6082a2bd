"""Moves as text: lines that people type or paste, and moves written as such lines.

All moves that a seat may announce now are known: every complete move of its offers. A typed line is
compared with these, so it can never mean a move that the rules forbid. A line is understood
automatically if all its words belong to a single move and that move's choices are all named. If a
word is left over, misspelled or missing, the best matches are offered and the user chooses. Values
that cannot be listed, such as an amount or a reason, are written as in the record: `adjust
nation=huns account=prestige change=1 reason="as ruled"`. docs/play/typed-moves.md explains this to
players.
"""

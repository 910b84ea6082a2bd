"""Moves as text: lines that people type or paste, and moves written as such lines.

What a seat may announce now is known: every complete move of its offers. A typed line is compared
with these, so it can never mean a move that the rules forbid. A line is understood by itself if all
its words belong to one move and that move's choices are all named. If a word is left over,
misspelled or missing, the moves that fit best are offered and the person chooses. What cannot be
listed, an amount or a reason, is written as the record has it: `adjust nation=huns account=prestige
change=1 reason="as ruled"`. docs/text-moves.md says how well it does.
"""

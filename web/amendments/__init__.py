"""Changes of the rules in play.

The game master proposes, the players answer, and a move puts the change in force.
"""

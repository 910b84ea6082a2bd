"""Rules changed in play: the game master proposes, the players answer, a move puts it in force."""

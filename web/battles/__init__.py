"""The pages of battles: the list, and a battle with its claims and confirmations."""

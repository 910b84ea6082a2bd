"""Battles: the list, and the page of one battle, where players claim and confirm its result."""
